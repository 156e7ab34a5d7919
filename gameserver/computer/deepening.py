"""How the expert spends its time: nothing on clear plays, most on those where a second look changed the picture.

The thresholds were chosen on 500 decisions of its own games that had been thought through to four plies, as those that
lose least for 20 ms of one core in the mean (`python -m loadtests.benchmarks.thinking_cost` measures both).
"""

from collections.abc import Sequence
from typing import Final

from gameserver.backgammon import Position
from gameserver.computer.candidates import Candidate, contenders, look_closer, ranked
from gameserver.computer.evaluator import Evaluator
from gameserver.computer.match_equity import Away
from gameserver.computer.shots import shots

# All in points of equity.
CLEAR_AT_FIRST_LOOK: Final = 0.05
SECOND_LOOK_WITHIN: Final = 0.06
SECOND_LOOK_PLAYS: Final = 8
THIRD_LOOK_GAP: Final = 0.025
THIRD_LOOK_LEAST_GAP: Final = 0.004
THIRD_LOOK_PLAYS: Final = 4
NO_HOPE: Final = 0.02
SAFER_WITHIN: Final = 0.03


def think(
    evaluator: Evaluator, before: Position, candidates: Sequence[Candidate], away: Away | None
) -> list[Candidate]:
    """Look closer as long as the best play is not clear.

    `candidates` and what comes back: the best first, all of one depth. One ply decides where the second play is far
    behind. Else two plies are looked at, and three if the best two are closer than what the second look has changed.
    """
    if evaluator.deepest < 3 or _gap(candidates) >= CLEAR_AT_FIRST_LOOK:
        return list(candidates)
    field = contenders(candidates, SECOND_LOOK_WITHIN, SECOND_LOOK_PLAYS)
    second = look_closer(evaluator, before, field, 2, away)
    doubt = min(THIRD_LOOK_GAP, THIRD_LOOK_LEAST_GAP + _change(candidates, second[:3]))
    rivals = contenders(second, doubt, THIRD_LOOK_PLAYS)
    rivals += _safer(contenders(second, SAFER_WITHIN, SECOND_LOOK_PLAYS)[len(rivals) :], rivals)
    return _third_look(evaluator, before, rivals, away) if len(rivals) > 1 else second


def _gap(candidates: Sequence[Candidate]) -> float:
    """How far the second play is behind."""
    return candidates[0].equity - candidates[1].equity if len(candidates) > 1 else 9.0


def _safer(candidates: Sequence[Candidate], rivals: Sequence[Candidate]) -> list[Candidate]:
    """Plays that are to be preferred if a third look finds them as good: those with fewer shots."""
    if not candidates:
        return []
    least = min(shots(rival.after) for rival in rivals)
    return [candidate for candidate in candidates if shots(candidate.after) < least]


def _change(first: Sequence[Candidate], second: Sequence[Candidate]) -> float:
    """The most that the second look has changed of the difference between the best play and another."""
    at_first = {candidate.after: candidate.equity for candidate in first}
    gains = [candidate.equity - at_first[candidate.after] for candidate in second]
    return max(abs(gain - gains[0]) for gain in gains)


def _third_look(
    evaluator: Evaluator, before: Position, candidates: Sequence[Candidate], away: Away | None
) -> list[Candidate]:
    """Three plies, one play after the other, without those that have no hope by what the first have gained or lost."""
    thought: list[Candidate] = []
    gained = 0.0
    for candidate in candidates:
        if len(thought) >= 2:
            expected = candidate.equity + gained / len(thought)
            if expected < max(each.equity for each in thought) - NO_HOPE:
                continue
        (deeper,) = look_closer(evaluator, before, [candidate], 3, away)
        thought.append(deeper)
        gained += deeper.equity - candidate.equity
    return ranked(thought)
