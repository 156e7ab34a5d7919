"""Games between players of mixed quality, for positions that games really come to."""

import random
from collections.abc import Callable, Iterator

from gameserver.backgammon import Position, complete_plays, dice_of, pip_counts

Roll = tuple[int, int]


def _run(result: Position) -> float:
    return -pip_counts(result)[0]


def _hit(result: Position) -> float:
    return -10 * result.points[0] - sum(1 for count in result.points[1:25] if count == 1)


def _build(result: Position) -> float:
    return sum(1 for count in result.points[3:12] if count >= 2) - 0.3 * sum(1 for count in result.points if count == 1)


def _bear_off(result: Position) -> float:
    return 20 * result.off - pip_counts(result)[0] - sum(result.points[7:])


def _hold_back(result: Position) -> float:
    return float(sum(count for count in result.points[19:] if count > 0))


POLICIES: tuple[Callable[[Position], float] | None, ...] = (None, _run, _hit, _build, _bear_off, _hold_back)


def stragglers(chance: random.Random) -> Position:
    """A late position: a few checkers have still to pass many made points. Here one die often spoils the other."""
    places = chance.sample(range(1, 25), 24)
    points = [0] * 26
    for place in places[:7]:
        points[place] = -2
    for place in places[7 : 7 + chance.randint(1, 3)]:
        points[place] = chance.choice((1, 1, 2))
    return Position(tuple(points))


def game(chance: random.Random, turns: int = 300, start: Position | None = None) -> Iterator[tuple[Position, Roll]]:
    """The positions of one game, each with the roll that is played next; doubles from the first turn on."""
    position = start or Position.start()
    policies = chance.choices(POLICIES, k=2)
    for turn in range(turns):
        roll = (chance.randint(1, 6), chance.randint(1, 6))
        yield position, roll
        results = list(complete_plays(position, dice_of(*roll))) or [position]
        policy = policies[turn % 2]
        good = policy is not None and chance.random() < 0.8
        after = max(results, key=policy) if policy is not None and good else chance.choice(results)
        if after.off == 15:
            return
        position = after.flipped()
