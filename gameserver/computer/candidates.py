"""The plays of a roll, valued and ranked."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from gameserver.backgammon import Move, Position
from gameserver.computer.evaluator import Evaluator
from gameserver.computer.match_equity import Away
from gameserver.computer.outcome import Outcome, equity
from gameserver.computer.shots import shots

EQUAL: Final = 0.005
"""Equities closer than this are the same as far as anyone can tell: the safer play is preferred."""


class Candidate(NamedTuple):
    """One way to play a roll, as far as it has been thought through."""

    play: tuple[Move, ...]
    after: Position
    outcome: Outcome
    equity: float
    plies: int


def first_look(
    evaluator: Evaluator, before: Position, plays: Mapping[Position, tuple[Move, ...]], away: Away | None
) -> list[Candidate]:
    """All plays at one ply, the best first."""
    outcomes = evaluator.outcomes(before, list(plays), 1)
    return ranked(
        Candidate(play, after, outcome, equity(outcome, away), 1)
        for (after, play), outcome in zip(plays.items(), outcomes, strict=True)
    )


def look_closer(
    evaluator: Evaluator, before: Position, candidates: Sequence[Candidate], plies: int, away: Away | None
) -> list[Candidate]:
    """The same plays thought through to `plies`, the best first."""
    outcomes = evaluator.outcomes(before, [candidate.after for candidate in candidates], plies)
    return ranked(
        candidate._replace(outcome=outcome, equity=equity(outcome, away), plies=min(plies, evaluator.deepest))
        for candidate, outcome in zip(candidates, outcomes, strict=True)
    )


def ranked(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The best first. The board settles ties, so that the order never depends on how the plays were found."""
    return sorted(candidates, key=lambda candidate: (-candidate.equity, candidate.after.points))


def contenders(candidates: Sequence[Candidate], within: float, width: int) -> list[Candidate]:
    """The best plays that are less than `within` worse than the best, at most `width`; `candidates`: the best first."""
    best = candidates[0].equity
    return [candidate for candidate in candidates[:width] if best - candidate.equity < within]


def safest(candidates: Sequence[Candidate], chosen: Candidate) -> Candidate:
    """Of the plays that are as good as the chosen one (within `EQUAL`), the one that leaves the fewest shots."""
    equals = [candidate for candidate in candidates if abs(candidate.equity - chosen.equity) <= EQUAL]
    if len(equals) < 2:
        return chosen
    return min(equals, key=lambda candidate: (shots(candidate.after), -candidate.equity))
