"""Grades a decision: what the best play was, and how much the one that was made loses."""

from typing import Final, NamedTuple

from gameserver.backgammon import Position, complete_plays, dice_of
from gameserver.computer.candidates import Candidate, contenders, first_look, look_closer
from gameserver.computer.evaluator import Evaluator
from gameserver.computer.match_equity import Away
from gameserver.computer.mistakes import Mistake, mistakes

JUDGE_PLIES: Final = 3


class Grade(NamedTuple):
    """One decision, judged. The candidates are thought through equally deep."""

    best: Candidate
    played: Candidate
    loss: float
    """Points of equity lost; 0 for the best play."""
    mistakes: frozenset[Mistake]
    distinct: int
    """How many different positions the roll could have led to; with fewer than 2 there was nothing to decide."""


# How wide the judge looks: plies, number of plays, how much worse than the best they may look.
_WIDTHS: Final = ((2, 10, 0.16), (3, 6, 0.08), (4, 4, 0.04))


def grade(
    evaluator: Evaluator,
    before: Position,
    dice: tuple[int, int],
    played: Position,
    *,
    away: Away | None = None,
    plies: int = JUDGE_PLIES,
) -> Grade:
    """Judge the play that led from `before` to `played` (both seen by the side that played).

    Raises ValueError when no legal play of these dice leads there, or nothing could be played.
    """
    plays = complete_plays(before, dice_of(*dice))
    if played not in plays:
        raise ValueError(f"no play of {dice[0]}-{dice[1]} leads from {before.text} to {played.text}")
    field = first_look(evaluator, before, plays, away)
    if len(field) > 1:
        for depth, width, within in _WIDTHS:
            if depth > plies:
                break
            field = look_closer(evaluator, before, _with_played(field, played, within, width), depth, away)
    mine = next(candidate for candidate in field if candidate.after == played)
    best = field[0]
    loss = best.equity - mine.equity
    return Grade(best, mine, loss, mistakes(before, played, best.after, loss), len(plays))


def _with_played(field: list[Candidate], played: Position, within: float, width: int) -> list[Candidate]:
    seen = list(contenders(field, within, width))
    return seen + [candidate for candidate in field if candidate.after == played and candidate not in seen]
