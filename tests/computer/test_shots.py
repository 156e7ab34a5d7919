"""Shot counts are exact: every one of the 36 rolls is tried by the rules."""

import random
from collections.abc import Iterator
from itertools import product

import pytest

from gameserver.backgammon import Position, complete_plays, dice_of, game_points
from gameserver.computer.shots import exposed, shots


def shots_by_the_rules(after: Position) -> int:
    shooter = after.flipped()
    return sum(
        any(result.points[0] < shooter.points[0] for result in complete_plays(shooter, dice_of(a, b)))
        for a, b in product(range(1, 7), repeat=2)
    )


def positions_of_random_games(games: int, seed: int) -> Iterator[Position]:
    dice = random.Random(seed)
    for _ in range(games):
        position = Position.start()
        while True:
            plays = list(complete_plays(position, dice_of(dice.randint(1, 6), dice.randint(1, 6))))
            after = dice.choice(plays) if plays else position
            if game_points(after):
                break
            yield after
            position = after.flipped()


def test_every_position_of_random_games_has_the_shots_that_the_rules_give() -> None:
    seen = list(positions_of_random_games(15, seed=20))
    sample = random.Random(4).sample(seen, 250)
    assert sum(after.points[0] < 0 for after in sample) > 60
    assert sum(shots_by_the_rules(after) > 0 for after in sample) > 150
    for after in sample:
        assert shots(after) == shots_by_the_rules(after), after.text


@pytest.mark.parametrize(
    ("distance", "count"),
    # The table that every textbook gives: rolls of 36 that hit a lone blot so many pips away with nothing between.
    [(1, 11), (2, 12), (3, 14), (4, 15), (5, 15), (6, 17), (7, 6), (8, 6), (9, 5), (10, 3), (11, 2), (12, 3)],
)
def test_a_lone_blot_is_hit_as_often_as_the_textbooks_say(distance: int, count: int) -> None:
    cells = ["-"] * 26
    cells[1], cells[1 + distance], cells[24] = "b", "A", "B"
    assert shots(Position.parse("".join(cells))) == count


def test_only_blots_that_can_be_reached_are_exposed() -> None:
    assert exposed(Position.parse("-b-A----A-----------a---A-")) == (24, 8, 3)
