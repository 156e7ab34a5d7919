"""The human side of the weaker levels: how unsteady they are, and which habits lead them astray.

A beginner does not play like an expert who now and then picks a random play. It has habits: in one decision it is
careless about blots, in another in a hurry to get its back checkers home, or it does not see the hit. Chance comes in
as a value: it is drawn from a digest, so that the same question always gets the same answer.
"""

import math
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Final, NamedTuple

from gameserver.backgammon import Position, is_race
from gameserver.computer import features
from gameserver.computer.candidates import Candidate

Habit = Callable[[Position, Position], float]
"""How much better a play looks than it is, in points of equity; given the positions before and after it."""


class Temper(NamedTuple):
    """How a level errs, in points of equity."""

    unsteady: float
    """Scale of the random error in the judgement of each play (the temperature of a softmax over them)."""
    never: float
    """A play that it sees to be worse than the best by this much is never made."""
    habits: tuple[tuple[float, Habit], ...] = ()
    """How often (0-1) each habit rules a decision; at most one does."""


def waver(temper: Temper, before: Position, candidates: Sequence[Candidate], salt: bytes) -> Candidate:
    """The play that a level of this temper makes. `candidates`: the best first; `salt`: what chance is drawn from."""
    best = candidates[0].equity
    open_to_it = [candidate for candidate in candidates if best - candidate.equity < temper.never]
    if len(open_to_it) < 2:
        return candidates[0]
    habit = None if is_race(before) else _habit(temper, salt)
    return max(
        open_to_it,
        key=lambda each: (
            each.equity
            + (habit(before, each.after) if habit else 0.0)
            - temper.unsteady * math.log(-math.log(_draw(salt, each.after.text)))
        ),
    )


def _habit(temper: Temper, salt: bytes) -> Habit | None:
    mood = _draw(salt, "mood")
    for share, habit in temper.habits:
        if mood < share:
            return habit
        mood -= share
    return None


def _draw(salt: bytes, about: str) -> float:
    """A number in (0, 1)."""
    return (int.from_bytes(blake2b(about.encode(), digest_size=6, key=salt).digest(), "big") + 0.5) / 2**48


def careless(before: Position, after: Position) -> float:
    """Slots and strips points as if nobody would hit."""
    del before
    danger = features.danger(after)
    return 0.06 * danger.blots + 0.03 * danger.direct


def hurried(before: Position, after: Position) -> float:
    """Runs with the back checkers too early, and gives up the anchor for it."""
    gone = features.back_checkers(before) - features.back_checkers(after)
    return 0.12 * gone + 0.10 * (len(features.anchors(before)) - len(features.anchors(after)))


def impatient(before: Position, after: Position) -> float:
    """Breaks what it has built: home points, and the prime that holds a checker."""
    broken = len(features.points_made(before) - features.points_made(after))
    return 0.10 * broken + 0.15 * max(features.prime(before) - features.prime(after), 0)


def timid(before: Position, after: Position) -> float:
    """Does not hit."""
    return -0.30 * features.hits(before, after)


def blind(before: Position, after: Position) -> float:
    """Does not see the point that it could make."""
    return -0.15 * len(features.points_made(after) - features.points_made(before))


NORMAL: Final = Temper(unsteady=0.039, never=0.30)
BEGINNER: Final = Temper(
    unsteady=0.056,
    never=0.35,
    habits=((0.17, careless), (0.16, hurried), (0.19, impatient), (0.20, timid), (0.15, blind)),
)
