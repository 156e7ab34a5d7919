"""What the levels are made of: they weigh risk, err like people, and never throw a game away."""

from itertools import islice

import pytest

from gameserver.backgammon import Position, complete_plays, dice_of
from gameserver.computer.candidates import contenders, first_look, look_closer
from gameserver.computer.deepening import think
from gameserver.computer.grading import grade
from gameserver.computer.player import Player
from gameserver.computer.sage import Sage
from gameserver.computer.shots import shots
from gameserver.computer.temper import (
    BEGINNER,
    NORMAL,
    Habit,
    blind,
    careless,
    hurried,
    impatient,
    timid,
    waver,
)
from gameserver.session.events import Level
from loadtests.benchmarks.thinking_decisions import decisions

START = Position.start()


def plain_losses(player: Player, network: Sage, level: Level, count: int) -> list[float]:
    """Points lost in unforced decisions of the level's own games, by a quick look."""
    lost = []
    for taken in islice(decisions(player, level, seed=12, share=0.5), count):
        seen = first_look(network, taken.before, complete_plays(taken.before, dice_of(*taken.dice)), None)
        lost.append(seen[0].equity - next(each.equity for each in seen if each.after == taken.choice.after))
    return lost


def test_a_player_can_feel_the_difference_between_the_levels(player: Player, network: Sage) -> None:
    beginner, normal = (plain_losses(player, network, level, 600) for level in ("beginner", "normal"))
    assert 15 < 500 * sum(beginner) / 600 < 30
    assert 5 < 500 * sum(normal) / 600 < 13
    assert max(beginner) < BEGINNER.never
    assert max(normal) < NORMAL.never


def test_what_looks_bad_is_looked_at_twice_and_not_made_if_it_is_insane(player: Player, network: Sage) -> None:
    worst = 0.0
    for taken in islice(decisions(player, "beginner", seed=3, share=0.5), 250):
        at_first_look = grade(network, taken.before, taken.dice, taken.choice.after, looks=[])
        if at_first_look.loss > 0.15:
            worst = max(worst, player.grade(taken.before, taken.dice, taken.choice.after).loss)
    assert 0.1 < worst < 0.5


@pytest.mark.parametrize("level", ["normal", "expert"])
def test_of_equal_plays_the_one_with_the_fewest_shots_is_chosen(player: Player, network: Sage, level: Level) -> None:
    contested = safest = 0
    for taken in islice(decisions(player, "normal", seed=5, share=0.3), 150):
        seen = first_look(network, taken.before, complete_plays(taken.before, dice_of(*taken.dice)), None)
        if level == "expert":
            if seen[0].equity - seen[1].equity > 0.06:
                continue
            equal = contenders(look_closer(network, taken.before, contenders(seen, 0.08, 6), 3, None), 0.005, 6)
        else:
            played = next(each for each in seen if each.after == taken.choice.after)
            equal = [each for each in seen if abs(each.equity - played.equity) <= 0.004]
        if len({shots(each.after) for each in equal}) < 2:
            continue
        contested += 1
        mine = player.choose("expert", taken.before, taken.dice).after if level == "expert" else taken.choice.after
        safest += shots(mine) <= min(shots(each.after) for each in equal)
    assert contested >= 5
    assert safest >= 0.9 * contested


def test_clear_plays_are_not_thought_about(network: Sage) -> None:
    plays = complete_plays(START, dice_of(3, 1))
    thought = think(network, START, first_look(network, START, plays, None), None)
    assert thought[0].plies == 1


def test_close_plays_are_thought_through_to_three_plies(network: Sage) -> None:
    plays = complete_plays(START, dice_of(2, 1))
    thought = think(network, START, first_look(network, START, plays, None), None)
    assert {each.plies for each in thought} == {3}
    assert len(thought) >= 2


def test_a_steady_hand_plays_the_best_play(network: Sage) -> None:
    seen = first_look(network, START, complete_plays(START, dice_of(4, 3)), None)
    steady = NORMAL._replace(unsteady=0.0)
    assert {waver(steady, START, seen, bytes([salt])) for salt in range(20)} == {seen[0]}


@pytest.mark.parametrize(
    ("habit", "before", "tempting", "sound"),
    [
        (careless, START.text, "-b---AE-B---eE---c-e----B-", "-b---BD-B---eE---c-e----B-"),
        (hurried, START.text, "-b----E-C---eE---c-e-A--A-", "-b----E-C-A-eD---c-e----B-"),
        (impatient, "-b---BD-B---eE---c-e----B-", "-b-A-AD-B---eE---c-e----B-", "-b---BD-C---eD---c-e----B-"),
        (blind, START.text, "-b----E-C-A-eD---c-e----B-", "-b---BD-B---eE---c-e----B-"),
        (timid, "-b--a-E-C---dE---c-e----B-", "-b--a-E-CA--dD---c-e----B-", "ab--A-E-B---dE---c-e----B-"),
    ],
)
def test_each_habit_makes_a_worse_play_look_better(habit: Habit, before: str, tempting: str, sound: str) -> None:
    worse, better = (habit(Position.parse(before), Position.parse(text)) for text in (tempting, sound))
    assert worse > better
