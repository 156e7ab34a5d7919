"""The board as the side on roll sees it."""

from collections.abc import Sequence
from dataclasses import dataclass

from gameserver.backgammon.errors import NotAPosition

CHECKERS = 15
BAR = 25
OFF = 0
CELLS = 26

_START = "-b----E-C---eE---c-e----B-"
_COUNT_OF_CHARACTER = {"-": 0} | {chr(ord("A") + n - 1): n for n in range(1, CHECKERS + 1)}
_COUNT_OF_CHARACTER |= {chr(ord("a") + n - 1): -n for n in range(1, CHECKERS + 1)}
_CHARACTER_OF_COUNT = {count: character for character, count in _COUNT_OF_CHARACTER.items()}


@dataclass(frozen=True, slots=True)
class Position:
    """Where all checkers stand, seen by the side on roll.

    `points` holds 26 counts. `points[1]` to `points[24]` are the points, numbered along the way of the side on roll
    (24 is its far end, 1 the last point of its home): positive counts are its checkers, negative ones the
    opponent's. `points[25]` is its bar (0 or more), `points[0]` minus what the opponent has on the bar. What is missing
    from fifteen has been borne off.

    >>> Position.start().points[24], Position.start().points[1]
    (2, -2)
    """

    points: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", tuple(self.points))
        _check(self.points)

    @classmethod
    def start(cls) -> "Position":
        """The position before the first roll of a game."""
        return _START_POSITION

    @classmethod
    def trusted(cls, points: Sequence[int]) -> "Position":
        """A position from counts that are known to be right: made from a valid one by the rules. Nothing is checked."""
        position = cls.__new__(cls)
        object.__setattr__(position, "points", tuple(points))
        return position

    @classmethod
    def parse(cls, text: str) -> "Position":
        """Read 26 characters, the first field of an XGID, seen by the side on roll.

        Character 0 is the opponent's bar, 1 to 24 the points, 25 the bar of the side on roll. `A` is one checker of the
        side on roll, `B` two, ...; `a`, `b`, ... the opponent's; `-` none. Raises `NotAPosition`.

        >>> Position.parse("-b----E-C---eE---c-e----B-") == Position.start()
        True
        """
        if len(text) != CELLS:
            raise NotAPosition(f"a position has {CELLS} characters, not {len(text)}")
        counts = []
        for index, character in enumerate(text):
            count = _COUNT_OF_CHARACTER.get(character)
            if count is None:
                raise NotAPosition(
                    f"character {index} of the position is {character!r}; allowed are -, A to O and a to o"
                )
            counts.append(count)
        return cls(tuple(counts))

    @property
    def text(self) -> str:
        """The 26 characters that `parse` reads."""
        return "".join([_CHARACTER_OF_COUNT[count] for count in self.points])

    @property
    def off(self) -> int:
        """Checkers that the side on roll has borne off."""
        return CHECKERS - sum([count for count in self.points if count > 0])

    @property
    def their_off(self) -> int:
        """Checkers that the opponent has borne off."""
        return CHECKERS + sum([count for count in self.points if count < 0])

    def flipped(self) -> "Position":
        """The same board seen by the other side."""
        return Position.trusted([-count for count in reversed(self.points)])


def _check(points: tuple[int, ...]) -> None:
    if any(type(count) is not int for count in points):
        raise NotAPosition("the counts of a position are integers")
    if len(points) != CELLS:
        raise NotAPosition(f"a position has {CELLS} counts, not {len(points)}")
    if points[BAR] < 0:
        raise NotAPosition("the last place is the bar of the side on roll; the opponent's checkers cannot stand there")
    if points[0] > 0:
        raise NotAPosition("the first place is the opponent's bar; checkers of the side on roll cannot stand there")
    mine = sum(count for count in points if count > 0)
    theirs = -sum(count for count in points if count < 0)
    if mine > CHECKERS:
        raise NotAPosition(f"the side on roll has {mine} checkers; a side has {CHECKERS}")
    if theirs > CHECKERS:
        raise NotAPosition(f"the opponent has {theirs} checkers; a side has {CHECKERS}")
    if mine == theirs == 0:
        raise NotAPosition("both sides have borne off all their checkers; the game ends with the first that has")
    if points[BAR] and points[0] and min(points[1:7]) >= 2 and max(points[19:25]) <= -2:
        raise NotAPosition(
            "both sides are on the bar against a closed board: no game comes to this, and none could go on"
        )


_START_POSITION = Position.parse(_START)
