"""Every complete play of thousands of fresh positions, compared with GNU Backgammon's.

`REFEREE_SEED` repeats a run: the seed of each is printed (`pytest -s`), and named by a failure.
"""

import os
import random
from collections import Counter
from itertools import zip_longest

import pytest

from gameserver.backgammon import Position, complete_plays, dice_of, legal_moves
from gameserver.backgammon.moves import moves_with
from tests.backgammon.gnu_backgammon import Answer, Question, RefereeLost, ask
from tests.backgammon.self_play import Roll, game, stragglers

POSITIONS = 5500
BATCH = 500
LATE_GAMES = 0.9
LOST_BATCHES_ALLOWED = 2
NEARLY = 5e-4
"""The referee's network gives nearly, not exactly, the same number when it is asked again."""

KINDS = (
    "bar",
    "bar-2+",
    "bear-off",
    "double",
    "larger-die",
    "must-use-both",
    "partial",
    "dance",
    "hit",
    "ending",
    "plain",
)


def kinds_of(position: Position, roll: Roll) -> set[str]:
    """Which rules the position tries."""
    unused = dice_of(*roll)
    plays = complete_plays(position, unused)
    longest = max(map(len, plays.values()), default=0)
    single = [moves_with(list(position.points), die) for die in sorted(set(unused))]
    wasted = len(single) == 2 and {move for moves in single for move in moves} - set(legal_moves(position, unused))
    checks = {
        "bar": position.points[25] > 0,
        "bar-2+": position.points[25] > 1,
        "bear-off": any(result.off > position.off for result in plays),
        "double": len(unused) == 4,
        "larger-die": longest == 1 and len(single) == 2 and all(single) and bool(wasted),
        "must-use-both": longest == 2 and bool(wasted),
        "partial": 0 < longest < len(unused),
        "dance": not plays,
        "hit": any(move.hit for play in plays.values() for move in play),
        "ending": any(result.off == 15 for result in plays),
    }
    return {kind for kind, found in checks.items() if found} or {"plain"}


def named_result(position: Position, move: list[int]) -> str:
    """The position after the referee's play: pairs of places, the last without its target if it is borne off there."""
    points = list(position.points)
    for source, target in zip_longest(move[::2], move[1::2]):
        points[source] -= 1
        if target is not None:
            if points[target] == -1:
                points[target] = 0
                points[0] -= 1
            points[target] += 1
    return Position(tuple(points)).text


def disagreement(question: Question, answer: Answer) -> str | None:
    """What the referee sees differently.

    The number of plays must be the same, and each play that it names in full must lead to one of our positions. Where
    others are cut short, what it thinks of its plays must be what it thinks of our positions.
    """
    position, _, results, moves = question
    if len(answer.moves) != len(results):
        return f"{len(results)} results, the referee has {len(answer.moves)}"
    in_full = [move for move in answer.moves if (len(move) + 1) // 2 == moves]
    theirs = {named_result(position, move) for move in in_full}
    ours = {result.text for result in results}
    if len(theirs) != len(in_full) or not theirs <= ours:
        return f"the referee alone has {theirs - ours}"
    if len(in_full) == len(ours):
        return None
    pairs = zip(sorted(answer.scores), sorted(answer.scores_of_results), strict=True)
    worst = max(abs(one - other) for one, other in pairs)
    return f"the positions are worth other than the referee's, by up to {worst}" if worst > NEARLY else None


def question(position: Position, roll: Roll) -> Question:
    """Without plays that end the game with fewer dice than could be used: legal here, unknown to the referee."""
    plays = complete_plays(position, dice_of(*roll))
    longest = max(map(len, plays.values()), default=0)
    return Question(position, roll, tuple(result for result, play in plays.items() if len(play) == longest), longest)


def questions(chance: random.Random, count: int) -> list[Question]:
    """Fresh positions, none twice; many games begin late and are short, or the rarer rules would hardly be tried."""
    found: dict[tuple[Position, Roll], Question] = {}
    while len(found) < count:
        late = chance.random() < LATE_GAMES
        for position, roll in game(chance, 6, stragglers(chance)) if late else game(chance):
            found.setdefault((position, roll), question(position, roll))
    return chance.sample(list(found.values()), count)


@pytest.mark.referee
def test_complete_plays_are_those_of_gnu_backgammon() -> None:
    seed = int(os.environ.get("REFEREE_SEED") or random.SystemRandom().randrange(2**32))
    chance = random.Random(seed)
    counted: Counter[str] = Counter()
    judged = lost = 0
    wrong = []
    while judged < POSITIONS:
        batch = questions(chance, BATCH)
        try:
            answers = ask(batch)
        except RefereeLost as error:
            lost += 1
            print(f"a batch was lost: {error}")
            if lost > LOST_BATCHES_ALLOWED:
                raise
            continue
        judged += len(batch)
        for asked, answer in zip(batch, answers, strict=True):
            counted.update(kinds_of(asked.position, asked.roll))
            complaint = disagreement(asked, answer)
            if complaint:
                wrong.append(f"{asked.position.text} {asked.roll}: {complaint}")
    print(f"\nREFEREE_SEED={seed}: {judged} positions judged, {dict(counted.most_common())}")
    assert not wrong, f"REFEREE_SEED={seed}: {len(wrong)} of {judged} differ, the first: {wrong[:5]}"
    assert all(counted[kind] for kind in KINDS), f"REFEREE_SEED={seed}: some rule was not tried: {counted}"


@pytest.mark.referee
def test_the_referee_would_notice_a_play_too_few_too_many_or_another() -> None:
    # All named in full; none; some.
    for text, roll in (
        ("-b----E-C---eE---c-e----B-", (6, 2)),
        ("-CBAAAA------------bbb-bb-", (1, 1)),
        ("-aAADDBC---------------ed-", (3, 1)),
    ):
        right = question(Position.parse(text), roll)
        first, *others = right.results
        cases = [
            right,
            right._replace(results=tuple(others)),
            right._replace(results=(*right.results, right.position)),
            right._replace(results=(*others, right.position)),
        ]
        verdicts = [disagreement(case, answer) for case, answer in zip(cases, ask(cases), strict=True)]
        assert [verdict is None for verdict in verdicts] == [True, False, False, False], verdicts
        assert first not in others
