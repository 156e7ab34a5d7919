"""The computer knows the score: what a game is worth, and which play is right because of it."""

import random

import pytest

from gameserver.backgammon import Position, complete_plays, dice_of, format_play
from gameserver.computer.match_equity import BACKGAMMON_RATE, GAMMON_RATE, Away, winning_chance
from gameserver.computer.outcome import Outcome, equity, match_chance, points
from gameserver.computer.player import Player
from gameserver.computer.sage import Sage


def test_a_match_is_even_at_an_even_score_and_won_or_lost_at_its_end() -> None:
    assert [winning_chance(away, away) for away in range(1, 8)] == [0.5] * 7
    assert (winning_chance(0, 3), winning_chance(-2, 1)) == (1.0, 1.0)
    assert (winning_chance(3, 0), winning_chance(1, -1)) == (0.0, 0.0)


def test_one_point_ahead_at_the_end_is_worth_a_game_less_the_gammons() -> None:
    single = 1.0 - GAMMON_RATE - BACKGAMMON_RATE
    assert winning_chance(1, 2) == pytest.approx(0.5 + 0.5 * single * 0.5)
    assert winning_chance(2, 1) == pytest.approx(1.0 - winning_chance(1, 2))


@pytest.mark.parametrize("mine", range(1, 8))
@pytest.mark.parametrize("theirs", range(1, 8))
def test_chances_of_both_sides_add_up_and_fewer_points_to_go_are_better(mine: int, theirs: int) -> None:
    assert winning_chance(mine, theirs) + winning_chance(theirs, mine) == pytest.approx(1.0)
    assert winning_chance(mine, theirs) > winning_chance(mine + 1, theirs)


def test_the_table_agrees_with_played_out_matches() -> None:
    chance = random.Random(3)
    won = 0
    for _ in range(20_000):
        mine, theirs = 3, 5
        while mine > 0 and theirs > 0:
            draw = chance.random()
            worth = 3 if draw < BACKGAMMON_RATE else 2 if draw < BACKGAMMON_RATE + GAMMON_RATE else 1
            if chance.random() < 0.5:
                mine -= worth
            else:
                theirs -= worth
        won += mine <= 0
    assert won / 20_000 == pytest.approx(winning_chance(3, 5), abs=0.011)


@pytest.mark.parametrize("away", [(0, 1), (1, 26), (True, 1), (1, 2.0)])
def test_a_score_that_cannot_be_is_refused(away: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="whole numbers from 1 to 25"):
        Away.of(*away)


OUTCOME = Outcome(win=0.6, gammon=0.2, backgammon=0.02, lose_gammon=0.1, lose_backgammon=0.01)


def test_equity_in_points_counts_gammons_twice_and_backgammons_thrice() -> None:
    singles = (0.6 - 0.2) - (0.4 - 0.1)
    gammons = (0.2 - 0.02) - (0.1 - 0.01)
    assert points(OUTCOME) == pytest.approx(singles + 2 * gammons + 3 * (0.02 - 0.01))
    assert points(OUTCOME.flipped()) == pytest.approx(-points(OUTCOME))


def test_at_double_match_point_only_winning_counts() -> None:
    assert match_chance(OUTCOME, Away(1, 1)) == pytest.approx(0.6)
    assert equity(OUTCOME, Away(1, 1)) == pytest.approx(2 * 0.6 - 1)


def test_a_gammon_wins_the_match_at_two_away_and_is_useless_at_one_away() -> None:
    go = match_chance(OUTCOME, Away(2, 1))
    assert go == pytest.approx(0.2 + (0.6 - 0.2) * 0.5)
    save = match_chance(OUTCOME, Away(1, 2))
    assert save == pytest.approx(0.6 + (0.4 - 0.1) * 0.5)


# Found among the normal level's games: the right play of money play is wrong by 0.07 or more at the score, and the
# other way round, at three plies.
SCORE_MATTERS = [
    # A gammon wins the match, losing one costs nothing: hit loose, play for the gammon.
    (Away(2, 1), "---AAADAA---dC-a-c-cBb-bA-", (5, 1), "8/3 6/5", "20/15* 5/4"),
    (Away(2, 1), "---B-AD-AA--cDbb-a-c-b-bB-", (4, 3), "13/10 9/5", "24/17*"),
    (Away(2, 1), "-BBaDDB----Ac--a-b-db-b---", (6, 2), "11/5 4/2", "11/3*"),
    (Away(2, 1), "--aBBaBAA--AdCA--bAcbb--A-", (5, 1), "18/13 8/7", "11/5*"),
    # A lost gammon loses the match, winning one is worth nothing more: play safe, keep the game simple.
    (Away(1, 2), "-ABBBBB---A-A--------aabB-", (6, 5), "24/13", "12/7 10/4"),
    (Away(1, 2), "--B--CCAAa--dB--B-bd-b-bA-", (3, 1), "13/9*", "7/4 5/4"),
    (Away(1, 2), "aBCBbCBB-----aa--A-bb-bbb-", (5, 1), "7/2 7/6", "17/11"),
    # Double match point: gammons count for nothing on either side.
    (Away(1, 1), "---B-AD-AA--cDbb-a-c-b-bB-", (4, 3), "13/10 9/5", "24/17*"),
    (Away(1, 1), "aBCBbCBB-----aa--A-bb-bbb-", (5, 1), "7/2 7/6", "17/11"),
]


@pytest.mark.parametrize(("away", "text", "dice", "for_points", "at_the_score"), SCORE_MATTERS)
def test_the_right_play_changes_with_the_score(
    player: Player, away: Away, text: str, dice: tuple[int, int], for_points: str, at_the_score: str
) -> None:
    position = Position.parse(text)
    money, match = (player.choose("expert", position, dice, score) for score in (None, away))
    assert format_play(money.play, position) == for_points
    assert format_play(match.play, position) == at_the_score


@pytest.mark.parametrize(("away", "text", "dice"), [case[:3] for case in SCORE_MATTERS])
def test_the_change_is_no_matter_of_taste(
    network: Sage, player: Player, away: Away, text: str, dice: tuple[int, int]
) -> None:
    position = Position.parse(text)
    money, match = (player.choose("expert", position, dice, score).after for score in (None, away))
    assert {money, match} <= set(complete_plays(position, dice_of(*dice)))
    ours, theirs = network.outcomes(position, [money, match], 3)
    assert equity(ours, None) - equity(theirs, None) > 0.05
    assert equity(theirs, away) - equity(ours, away) > 0.05
