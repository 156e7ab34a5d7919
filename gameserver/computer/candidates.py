"""The plays of a roll, valued and ranked; the closer look of the expert."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from gameserver.backgammon import Move, Position
from gameserver.computer.evaluator import Evaluator
from gameserver.computer.match_equity import Away
from gameserver.computer.outcome import Outcome, equity
from gameserver.computer.shots import shots


class Candidate(NamedTuple):
    """One way to play a roll, as far as it has been thought through."""

    play: tuple[Move, ...]
    after: Position
    outcome: Outcome
    equity: float
    plies: int


class Stage(NamedTuple):
    """One closer look, and whether it is enough."""

    plies: int
    width: int
    """At most so many plays are looked at,"""
    within: float
    """and only those that are less than this worse than the best."""
    gap: float
    """It is enough if the second play then is this much worse."""


STAGES: Final = (Stage(2, 8, 0.04, 0.015), Stage(3, 4, 0.015, 0.0))
CLEAR: Final = 0.04
EQUAL: Final = 0.005
"""Equities closer than this are the same as far as anyone can tell: the safer play is preferred."""


def first_look(
    evaluator: Evaluator, before: Position, plays: Mapping[Position, tuple[Move, ...]], away: Away | None
) -> list[Candidate]:
    """All plays at one ply, the best first."""
    outcomes = evaluator.outcomes(before, list(plays), 1)
    return _ranked(
        Candidate(play, after, outcome, equity(outcome, away), 1)
        for (after, play), outcome in zip(plays.items(), outcomes, strict=True)
    )


def _ranked(candidates: Iterable[Candidate]) -> list[Candidate]:
    # The text settles ties, so that the order never depends on how the plays were found.
    return sorted(candidates, key=lambda candidate: (-candidate.equity, candidate.after.points))


def look_closer(
    evaluator: Evaluator, before: Position, candidates: Sequence[Candidate], plies: int, away: Away | None
) -> list[Candidate]:
    """The same plays thought through to `plies`, the best first."""
    outcomes = evaluator.outcomes(before, [candidate.after for candidate in candidates], plies)
    return _ranked(
        candidate._replace(outcome=outcome, equity=equity(outcome, away), plies=plies)
        for candidate, outcome in zip(candidates, outcomes, strict=True)
    )


def contenders(candidates: Sequence[Candidate], within: float, width: int) -> Sequence[Candidate]:
    """The best plays that are less than `within` worse than the best, at most `width`."""
    best = candidates[0].equity
    return [candidate for candidate in candidates[:width] if best - candidate.equity < within]


def think(
    evaluator: Evaluator,
    before: Position,
    candidates: Sequence[Candidate],
    away: Away | None,
    stages: Sequence[Stage] = STAGES,
) -> list[Candidate]:
    """Look closer, stage by stage, as long as the best play is not clear. What comes back is all of one depth."""
    gap = CLEAR
    now = list(candidates)
    for stage in stages:
        if len(now) < 2 or now[0].equity - now[1].equity >= gap:
            break
        now = look_closer(evaluator, before, contenders(now, stage.within, stage.width), stage.plies, away)
        gap = stage.gap
    return now


def safest(candidates: Sequence[Candidate], chosen: Candidate) -> Candidate:
    """Of the plays that are as good as the chosen one (within `EQUAL`), the one that leaves the fewest shots."""
    equals = [candidate for candidate in candidates if abs(candidate.equity - chosen.equity) <= EQUAL]
    if len(equals) < 2:
        return chosen
    return min(equals, key=lambda candidate: (shots(candidate.after), -candidate.equity))
