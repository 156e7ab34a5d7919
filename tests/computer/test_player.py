"""The computer plays whole games by the rules, at every level, and the same way each time."""

import random

import pytest

from gameserver.backgammon import NotDice, Position, complete_plays, dice_of, game_points
from gameserver.computer.match_equity import Away
from gameserver.computer.player import Player
from gameserver.session.events import Level

LEVELS: tuple[Level, ...] = ("beginner", "normal", "expert")


@pytest.mark.parametrize("evaluator", ["player", "fallback_player"])
@pytest.mark.parametrize("level", LEVELS)
def test_a_whole_game_is_played_by_the_rules(request: pytest.FixtureRequest, evaluator: str, level: Level) -> None:
    player: Player = request.getfixturevalue(evaluator)
    dice = random.Random(8)
    position = Position.start()
    for _ in range(500):
        roll = dice.randint(1, 6), dice.randint(1, 6)
        plays = complete_plays(position, dice_of(*roll))
        choice = player.choose(level, position, roll)
        assert choice.distinct == len(plays)
        if plays:
            assert plays[choice.after] == choice.play
        else:
            assert (choice.play, choice.after) == ((), position)
        assert -3.0 <= choice.equity <= 3.0
        if game_points(choice.after):
            break
        position = choice.after.flipped()
    else:
        pytest.fail("the game did not end")


def test_the_same_question_gets_the_same_answer_and_another_salt_may_get_another(player: Player) -> None:
    start = Position.start()
    assert len({player.choose("normal", start, (4, 3), salt=b"x").after for _ in range(5)}) == 1
    assert len({player.choose("normal", start, (4, 3), salt=bytes([n])).after for n in range(60)}) > 1
    assert player.choose("normal", start, (4, 3)) == player.choose("normal", start, (3, 4))


def test_the_expert_never_hangs_on_the_salt(player: Player) -> None:
    start = Position.start()
    assert len({player.choose("expert", start, (4, 3), salt=bytes([n])).after for n in range(5)}) == 1


def test_nonsense_dice_are_refused(player: Player) -> None:
    with pytest.raises(NotDice):
        player.choose("expert", Position.start(), (7, 1))


def test_a_won_game_is_worth_what_it_counts(player: Player) -> None:
    last_checker = Position.parse("-A---------------------o--")
    gammon = player.choose("normal", last_checker, (2, 1))
    assert gammon.equity == 2.0
    assert player.choose("normal", last_checker, (2, 1), Away(2, 5)).equity > 1.0
