"""Grades a decision: what the best play was, and how much the one that was made loses."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gameserver.backgammon import Position, complete_plays, dice_of
from gameserver.computer.candidates import Candidate, contenders, first_look, look_closer
from gameserver.computer.evaluator import Evaluator
from gameserver.computer.match_equity import Away
from gameserver.computer.mistakes import Mistake, mistakes


class Look(NamedTuple):
    """One look of the judge: how deep, at how many plays at most, and how close to the best they must look."""

    plies: int
    plays: int
    within: float


JUDGE: Final = (Look(2, 10, 0.16), Look(3, 6, 0.08))
"""The fixed judge of reviews: three plies on all that matters."""


class Grade(NamedTuple):
    """One decision, judged. The candidates are thought through equally deep."""

    best: Candidate
    played: Candidate
    loss: float
    """Points of equity lost; 0 for the best play."""
    mistakes: frozenset[Mistake]
    distinct: int
    """How many different positions the roll could have led to; with fewer than 2 there was nothing to decide."""


def grade(
    evaluator: Evaluator,
    before: Position,
    dice: tuple[int, int],
    played: Position,
    *,
    away: Away | None = None,
    looks: Sequence[Look] = JUDGE,
) -> Grade:
    """Judge the play that led from `before` to `played` (both seen by the side that played).

    Raises ValueError when no legal play of these dice leads there, or nothing could be played.
    """
    plays = complete_plays(before, dice_of(*dice))
    if played not in plays:
        raise ValueError(f"no play of {dice[0]}-{dice[1]} leads from {before.text} to {played.text}")
    field = first_look(evaluator, before, plays, away)
    for look in looks:
        field = _with_played(field, played, look)
        if len(field) == 1:
            break
        field = look_closer(evaluator, before, field, look.plies, away)
    mine = next(candidate for candidate in field if candidate.after == played)
    best = field[0]
    loss = best.equity - mine.equity
    return Grade(best, mine, loss, mistakes(before, played, best.after, loss), len(plays))


def _with_played(field: Sequence[Candidate], played: Position, look: Look) -> list[Candidate]:
    seen = contenders(field, look.within, look.plays)
    return seen + [candidate for candidate in field[len(seen) :] if candidate.after == played]
