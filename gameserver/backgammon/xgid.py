"""XGID, the one-line description of a position that players exchange.

Its ten fields, as the program eXtreme Gammon writes them, from the view of the player at the bottom: position (see
`Position.parse`), cube (as a power of two), cube's owner (1, 0, -1), turn (1: the player at the bottom, -1: the
other), dice (`00` before the roll), score of the player at the bottom, score of the other, Crawford game (in money
play: 1 Jacoby rule, 2 beavers, 3 both), length of the match (0: money play), largest cube (as a power of two).
"""

import re
from dataclasses import dataclass
from typing import Literal

from gameserver.backgammon.dice import Dice, dice_of
from gameserver.backgammon.errors import NotAPosition
from gameserver.backgammon.position import Position

_PREFIX = "XGID="
_FIELDS = 10
_MAX_TEXT = 100
_LARGEST_CUBE = 12
_LONGEST_MATCH = 999
_INTEGER = re.compile(r"-?[0-9]{1,6}")


@dataclass(frozen=True, slots=True)
class XGID:
    """A position seen by the side on roll, with what an XGID says besides.

    `dice`: the roll in the order written, None before the roll. `score`: points of (side on roll, opponent).
    `match_length`: 0 for money play. `cube`, `largest_cube`: powers of two; `cube_owner`: 1 the side on roll, -1 the
    opponent, 0 neither. `jacoby`, `beavers`: money play only; `crawford`: match play only.
    """

    position: Position
    dice: tuple[int, int] | None = None
    score: tuple[int, int] = (0, 0)
    match_length: int = 0
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    cube: int = 0
    cube_owner: Literal[-1, 0, 1] = 0
    largest_cube: int = 10

    @classmethod
    def parse(cls, text: str) -> "XGID":
        """Read an XGID, with or without `XGID=` before it. Raises `NotAPosition`, whose words name the field.

        With the other side on roll everything is turned to the view of the side on roll.

        >>> XGID.parse("XGID=----b-M-A-------b-cdd---A-:0:0:1:62:0:0:0:0:10").dice
        (6, 2)
        """
        if len(text) > _MAX_TEXT:
            raise NotAPosition(f"an XGID has at most {_MAX_TEXT} characters")
        fields = text.strip().removeprefix(_PREFIX).split(":")
        if len(fields) != _FIELDS:
            raise NotAPosition(f"an XGID has {_FIELDS} fields with colons between them, not {len(fields)}")
        position = Position.parse(fields[0])
        cube = _integer("cube", fields[1], 0, _LARGEST_CUBE)
        owner = _integer("cube's owner", fields[2], -1, 1)
        turn = _integer("turn", fields[3], -1, 1)
        if turn == 0:
            raise NotAPosition("the XGID's turn is 1 or -1, not 0")
        dice = _dice(fields[4])
        length = _integer("match length", fields[8], 0, _LONGEST_MATCH)
        most = length - 1 if length else _LONGEST_MATCH
        score = (_integer("score", fields[5], 0, most), _integer("score", fields[6], 0, most))
        rules = _integer("Crawford and Jacoby field", fields[7], 0, 1 if length else 3)
        if length and rules and length - 1 not in score:
            raise NotAPosition("the XGID names the Crawford game, but no side is one point away from winning the match")
        largest = _integer("largest cube", fields[9], 0, _LARGEST_CUBE)
        if turn < 0:
            position, owner, score = position.flipped(), -owner, (score[1], score[0])
        return cls(
            position,
            dice,
            score,
            length,
            crawford=bool(length and rules),
            jacoby=not length and bool(rules & 1),
            beavers=not length and bool(rules & 2),
            cube=cube,
            cube_owner=_OWNERS[owner],
            largest_cube=largest,
        )

    @property
    def text(self) -> str:
        """The XGID with the side on roll at the bottom."""
        rules = int(self.crawford) if self.match_length else int(self.jacoby) + 2 * int(self.beavers)
        dice = "00" if self.dice is None else f"{self.dice[0]}{self.dice[1]}"
        fields = (
            self.position.text,
            self.cube,
            self.cube_owner,
            1,
            dice,
            *self.score,
            rules,
            self.match_length,
            self.largest_cube,
        )
        return _PREFIX + ":".join(map(str, fields))

    @property
    def unused(self) -> Dice:
        """The dice to play, none before the roll."""
        return () if self.dice is None else dice_of(*self.dice)


_OWNERS: dict[int, Literal[-1, 0, 1]] = {-1: -1, 0: 0, 1: 1}


def _integer(name: str, text: str, least: int, most: int) -> int:
    number = int(text) if _INTEGER.fullmatch(text) else None
    if number is None or not least <= number <= most:
        raise NotAPosition(f"the XGID's {name} is a whole number from {least} to {most}, not {text!r}")
    return number


def _dice(text: str) -> tuple[int, int] | None:
    if text == "00":
        return None
    if text in ("D", "B", "R"):
        raise NotAPosition(
            f"the XGID's dice are {text!r}, a cube decision: only rolls and 00 (before the roll) are read"
        )
    if not re.fullmatch("[1-6]{2}", text):
        raise NotAPosition(f"the XGID's dice are two digits from 1 to 6, or 00 before the roll, not {text!r}")
    return int(text[0]), int(text[1])
