"""The rules on positions with known answers."""

import json
from pathlib import Path
from typing import Any

import pytest

from gameserver.backgammon import (
    XGID,
    Position,
    complete_plays,
    dice_of,
    format_play,
    game_points,
    legal_moves,
)
from tests.backgammon import brute_force

CASES = [json.loads(line) for line in (Path(__file__).parent / "data" / "legal_plays.jsonl").read_text().splitlines()]


def plays(xgid: str) -> list[str]:
    given = XGID.parse(xgid)
    return [format_play(moves, given.position) for moves in complete_plays(given.position, given.unused).values()]


def singles(xgid: str) -> list[str]:
    given = XGID.parse(xgid)
    return [format_play([move]) for move in legal_moves(given.position, given.unused)]


def test_the_cases_are_all_there() -> None:
    kinds = {kind for case in CASES for kind in case["kinds"]}
    assert len(CASES) == 563
    assert kinds >= {"bar", "bar-2+", "bear-off", "double", "larger-die", "must-use-both", "partial", "dance", "plain"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['position']} {case['dice']}")
def test_complete_plays_lead_to_the_known_positions(case: dict[str, Any]) -> None:
    position = Position.parse(case["position"])
    found = complete_plays(position, dice_of(*case["dice"]))
    assert sorted(result.text for result in found) == sorted(case["results"])


@pytest.mark.parametrize("case", CASES[::8], ids=lambda case: f"{case['position']} {case['dice']}")
def test_the_brute_force_of_these_tests_knows_the_rules_too(case: dict[str, Any]) -> None:
    dice = dice_of(*case["dice"])
    assert brute_force.results(Position.parse(case["position"]), dice) == set(case["results"])


def test_a_move_that_kills_the_larger_die_is_not_legal() -> None:
    xgid = "XGID=----b-M-A-------b-cdd---A-:0:0:1:62:0:0:0:0:10"
    assert plays(xgid) == ["24/22 8/2"]
    assert singles(xgid) == ["24/22", "8/2"]


def test_the_six_must_be_first_when_only_that_order_plays_both() -> None:
    xgid = "XGID=--bb--EC-b---E-----cb-bbB-:0:0:1:64:0:0:0:0:10"
    assert plays(xgid) == ["24/14"]
    assert singles(xgid) == ["24/18"]


def test_three_sixes_are_played_and_the_fourth_stays_unused() -> None:
    xgid = "XGID=-bBa---b-------A---A------:0:0:1:66:0:0:0:0:10"
    assert plays(xgid) == ["19/13 15/3*"]


def test_nothing_is_borne_off_while_a_checker_stands_further_back() -> None:
    xgid = "XGID=-b-B---------A------------:0:0:1:44:0:0:0:0:10"
    assert plays(xgid) == ["13/5"]
    assert legal_moves(Position.parse("-b-B-A--------------------"), (4, 4)) == ()


def test_fours_that_cannot_be_played_are_forfeited() -> None:
    assert plays("XGID=--b-A-a---Ab---A-c--b-b--A:0:0:1:44:0:0:0:0:10") == ["bar/21 10/6*"]


def test_one_of_two_on_the_bar_enters_and_the_other_stays() -> None:
    xgid = "XGID=----------B---------b-a--B:0:0:1:53:0:0:0:0:10"
    assert plays(xgid) == ["bar/22*"]
    assert singles(xgid) == ["bar/22*"]


def test_the_game_ends_at_once_with_a_die_unused() -> None:
    given = XGID.parse("XGID=-C----b---b----------abbf-:0:0:1:11:0:0:0:0:10")
    ((result, moves),) = complete_plays(given.position, given.unused).items()
    assert format_play(moves) == "1/off(3)"
    assert game_points(result) == 3
    assert legal_moves(result, (1,)) == ()


def test_the_last_checker_may_end_the_game_with_one_die_or_use_both() -> None:
    given = XGID.parse("XGID=----A-------------------o-:0:0:1:62:0:0:0:0:10")
    assert [(move.die, move.target) for move in legal_moves(given.position, given.unused)] == [(6, 0), (2, 2)]
    assert plays(given.text) == ["4/off"]


def test_the_last_checker_may_end_the_game_with_the_smaller_die() -> None:
    position = Position.parse("--A---------------------o-")
    assert [move.die for move in legal_moves(position, (6, 2))] == [2, 6]


def test_only_the_one_plays_but_there_is_a_choice() -> None:
    assert sorted(plays("XGID=-bb---B-A-----------------:0:0:1:61:0:0:0:0:10")) == ["6/5", "8/7"]


def test_a_hit_on_the_way_and_a_way_round_are_different_plays() -> None:
    assert sorted(plays("XGID=------a---A---------------:0:0:1:42:0:0:0:0:10")) == ["10/6*/4", "10/8/4"]


def test_the_larger_die_must_be_played_when_either_could_be_but_not_both() -> None:
    assert [move.die for move in legal_moves(Position.parse("--b----------A------------"), (6, 5))] == [6]


def test_the_smaller_die_is_played_when_the_larger_cannot_be() -> None:
    assert [move.die for move in legal_moves(Position.parse("--b----b-----A------------"), (6, 5))] == [5]


def test_nothing_can_be_moved_once_the_opponent_has_borne_off_all() -> None:
    position = Position.parse("-B-----------------------A")
    assert legal_moves(position, (6, 5)) == ()
    assert complete_plays(position, (2, 2, 2, 2)) == {}


# Agreed with GNU Backgammon.
OPENING_COUNTS = {
    (1, 1): 42, (2, 1): 15, (2, 2): 75, (3, 1): 16, (3, 2): 17, (3, 3): 73, (4, 1): 14,
    (4, 2): 18, (4, 3): 17, (4, 4): 52, (5, 1): 8, (5, 2): 8, (5, 3): 9, (5, 4): 9,
    (5, 5): 4, (6, 1): 10, (6, 2): 14, (6, 3): 14, (6, 4): 14, (6, 5): 7, (6, 6): 11,
}  # fmt: skip


@pytest.mark.parametrize(("roll", "count"), OPENING_COUNTS.items(), ids=str)
def test_the_start_has_so_many_plays(roll: tuple[int, int], count: int) -> None:
    assert len(complete_plays(Position.start(), dice_of(*roll))) == count


def test_two_turns_from_the_start_lead_to_so_many_positions() -> None:
    plays_made = 0
    reached: set[Position] = set()
    for opening in (roll for roll in OPENING_COUNTS if roll[0] != roll[1]):
        for result in complete_plays(Position.start(), dice_of(*opening)):
            for answer in OPENING_COUNTS:
                found = complete_plays(result.flipped(), dice_of(*answer))
                plays_made += len(found)
                reached.update(found)
    assert (plays_made, len(reached)) == (89153, 71485)


def test_ending_the_game_at_once_is_allowed_even_where_both_dice_could_be_used_to_hit_first() -> None:
    assert sorted(plays("XGID=-aAb-a------a--b-b-ba--aa-:0:0:1:41:0:0:0:0:10")) == ["2/1*/off", "2/off"]
