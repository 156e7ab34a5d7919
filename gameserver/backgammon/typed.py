"""Reading plays as players type them."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from gameserver.backgammon.dice import Dice, dice_left, larger_first
from gameserver.backgammon.errors import AmbiguousPlay, IllegalMove, UnreadablePlay
from gameserver.backgammon.moves import Move, do, legal_on, undo
from gameserver.backgammon.notation import NO_PLAY, format_play
from gameserver.backgammon.position import BAR, OFF, Position
from gameserver.backgammon.reasons import place_name, why_no_way

MAX_TEXT = 64
"""No play is longer, however it is written."""

_MOST_CHECKERS = 4
_DASHES_AND_ARROWS = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2044\u2215\u2192>"
_LOOKALIKES = str.maketrans(dict.fromkeys(_DASHES_AND_ARROWS, "/") | {"\u2217": "*"})
_PLACE = r"(?:bar|off|[0-9]+)(?:\s*\*)?"
_PART = re.compile(rf"(?P<way>{_PLACE}(?:\s*/\s*{_PLACE})*)(?:\s*\(\s*(?P<count>[0-9]+)\s*\))?(?:[\s,;]+|$)")


@dataclass(frozen=True, slots=True)
class _Checker:
    """What the text says of one checker: where it is, the places it has still to come to, the points where it hits.

    With `alone` the text names no target: any one move will do.
    """

    at: int
    stops: tuple[int, ...]
    hits: frozenset[int]
    alone: bool = False

    @property
    def is_there(self) -> bool:
        return not self.stops and not self.alone

    def moved(self, move: Move) -> "_Checker | None":
        """The same checker after the move, None if that is not on its way."""
        if self.is_there or move.source != self.at:
            return None
        if self.alone:
            return replace(self, at=move.target, alone=False)
        if move.target < self.stops[0]:
            return None
        stops = self.stops[1:] if move.target == self.stops[0] else self.stops
        return replace(self, at=move.target, stops=stops)


class _Reading(NamedTuple):
    """One way to make the play: its moves, and for each the number of the checker in the text."""

    moves: tuple[Move, ...]
    order: tuple[int, ...]


def parse_play(text: str, position: Position, unused: Dice) -> tuple[Move, ...]:
    """Read a complete or partial play from `position` with the `unused` dice, which need not be named.

    `24/18*/13`, `Bar/24/18`, `6/off(2)`, `8-5 6-5`, `bar/22, 13/8`: any case, any spacing, full-width characters, `-`
    or `/`. A missing `*` is accepted. The checkers may be named in any order that some legal order of moves fits. A
    place alone (`bar`) is its only legal move. `(no play)` is read where there is none.

    Where several ways lead from one place to another the rule is the same as in `options`: fewer dice, then the way
    that hits more, then the larger die first; a checker is borne off by the smallest die that does it. Named stops
    decide otherwise: `10/8/4`.

    Raises `UnreadablePlay` for what is no play, `AmbiguousPlay` for a place alone with more than one move,
    `IllegalMove`, with the reason, for a play that the rules do not allow or a `*` where nothing is hit, and
    `NotDice`.

    >>> parse_play("13/7 8/7", Position.start(), (6, 1))
    (Move(source=13, die=6, target=7, hit=False), Move(source=8, die=1, target=7, hit=False))
    """
    dice = larger_first(unused)
    board = list(position.points)
    checkers = _read(text)
    if not checkers:
        if legal_on(board, dice):
            raise IllegalMove("there is a legal move, so it must be played")
        return ()
    search = _Search(board, checkers)
    readings = list(search.readings(dice, checkers, _Reading((), ())))
    if not readings:
        raise IllegalMove(search.failure)
    marked = frozenset[int]().union(*[checker.hits for checker in checkers])
    right = [reading for reading in readings if marked <= _hits(reading.moves)]
    if not right:
        wrong = max(marked - _hits(min(readings, key=_by_preference).moves))
        raise IllegalMove(f"nothing is hit on {wrong}")
    if any(checker.alone for checker in checkers):
        _refuse_a_choice(right, position)
    return min(right, key=_by_preference).moves


def _refuse_a_choice(readings: list[_Reading], position: Position) -> None:
    plays = dict.fromkeys(format_play(reading.moves, position) for reading in readings)
    if len(plays) > 1:
        raise AmbiguousPlay(f"this may be any of {', '.join(plays)}")


def _hits(moves: tuple[Move, ...]) -> frozenset[int]:
    return frozenset(move.target for move in moves if move.hit)


def _by_preference(reading: _Reading) -> tuple[int, int, tuple[int, ...], list[int]]:
    dice = [move.die if move.target == OFF else -move.die for move in reading.moves]
    return len(reading.moves), -len(_hits(reading.moves)), reading.order, dice


class _Search:
    """All ways to make a play by legal moves. Bounded: a turn has at most four moves and a text four checkers."""

    def __init__(self, board: list[int], checkers: tuple[_Checker, ...]) -> None:
        self._board = board
        self._deepest = -1
        self.failure = ""

    def readings(self, dice: Dice, checkers: tuple[_Checker, ...], so_far: _Reading) -> Iterator[_Reading]:
        if all(checker.is_there for checker in checkers):
            yield so_far
            return
        self._note_failure(dice, checkers, len(so_far.moves))
        for move in legal_on(self._board, dice):
            tried: set[_Checker] = set()
            for index, checker in enumerate(checkers):
                moved = checker.moved(move)
                if moved is None or checker in tried:
                    continue
                tried.add(checker)
                do(self._board, move)
                yield from self.readings(
                    dice_left(dice, move.die),
                    (*checkers[:index], moved, *checkers[index + 1 :]),
                    _Reading((*so_far.moves, move), (*so_far.order, index)),
                )
                undo(self._board, move)

    def _note_failure(self, dice: Dice, checkers: tuple[_Checker, ...], depth: int) -> None:
        """Keep the reason why the play stops here, should it be the furthest that it gets."""
        if depth <= self._deepest:
            return
        self._deepest = depth
        waiting = next(checker for checker in checkers if not checker.is_there)
        if waiting.alone:
            self.failure = f"no checker on {place_name(waiting.at)} can move now"
        else:
            self.failure = why_no_way(self._board, dice, waiting.at, waiting.stops[0])


def _read(text: str) -> tuple[_Checker, ...]:
    """The checkers that the text names, in its order; none for `(no play)`."""
    words = unicodedata.normalize("NFKC", text[: MAX_TEXT + 1]).casefold().translate(_LOOKALIKES).split()
    plain = " ".join(words)  # whatever the spaces were
    if len(text) > MAX_TEXT or len(plain) > MAX_TEXT:
        raise UnreadablePlay(f"a play has at most {MAX_TEXT} characters")
    if plain in (NO_PLAY, NO_PLAY.strip("()")):
        return ()
    if not plain:
        raise UnreadablePlay("the play is empty")
    checkers: list[_Checker] = []
    start = 0
    while start < len(plain):
        part = _PART.match(plain, start)
        if part is None:
            raise UnreadablePlay(f"{plain[start:]!r} is no play; write it like 24/18*, bar/22, 6/off or 8/4(2)")
        checkers += [_checker(part["way"])] * _count(part["count"])
        if len(checkers) > _MOST_CHECKERS:
            raise UnreadablePlay(f"a play moves at most {_MOST_CHECKERS} checkers")
        start = part.end()
    return tuple(checkers)


def _count(digits: str | None) -> int:
    count = int(digits or 1)
    if not 1 <= count <= _MOST_CHECKERS:
        raise UnreadablePlay(f"({digits}): a play moves one to {_MOST_CHECKERS} checkers")
    return count


def _checker(way: str) -> _Checker:
    names = [name.strip() for name in way.split("/")]
    source, *stops = [_place(name.rstrip("* ")) for name in names]
    hits = frozenset(stop for stop, name in zip(stops, names[1:], strict=True) if name.endswith("*"))
    if source == OFF:
        raise UnreadablePlay("a checker that is borne off does not move again")
    if names[0].endswith("*") or OFF in hits:
        raise UnreadablePlay(f"{way}: the * belongs to a point that the checker comes to")
    for before, after in pairwise([source, *stops]):
        if after >= before:
            raise UnreadablePlay(f"{place_name(before)}/{place_name(after)}: checkers move to lower points")
    return _Checker(source, tuple(stops), hits, alone=not stops)


def _place(name: str) -> int:
    place = {"bar": BAR, "off": OFF}.get(name)
    if place is None:
        place = int(name)
    if place > BAR:
        raise UnreadablePlay(f"there is no point {name}")
    return place
