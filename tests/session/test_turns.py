"""Turns as they are played: undo, the end of the turn, dances, and what moves by itself."""

import msgspec
import pytest

from gameserver.session.events import Moved, MoveUndone, Rolled, Side, TurnEnded
from gameserver.session.state import Playing, fold
from gameserver.session.view import frames
from tests.session.checks import without_commits
from tests.session.table import Table, practice, set_up

START = "-b----E-C---eE---c-e----B-"
# Positions with the player on roll.
WASTES_THE_SIX = "----b-M-A-------b-cdd---A-"  # 6-2: 24/22 8/2 is the one play
SIX_FIRST = "--bb--EC-b---E-----cb-bbB-"  # 6-4: 24/18/14 only
ONE_STAYS_ON_THE_BAR = "----------B---------b-a--B"  # 5-3: bar/22* only; the 5 is lost
TWO_FOURS_LOST = "--b-A-a---Ab---A-c--b-b--A"  # 4-4: bar/21 10/6*, then two 4s are lost
HIT_ON_THE_WAY = "------a---A---------------"  # 4-2: 10/6*/4 or 10/8/4
SHUT_OUT = set_up({25: 1, 6: 2}, {24: 2, 23: 2, 22: 2, 21: 2, 20: 2, 19: 2})
A_CHOICE_OF_ONES = "-bb---B-A-----------------"  # 6-1: only the 1 plays, 8/7 or 6/5
A_RACE = set_up({6: 3, 5: 3, 3: 2}, {24: 5, 23: 5})
NEARLY_HOME = set_up({7: 1, 5: 3, 3: 2}, {24: 5, 23: 5})
A_CONTACT = set_up({6: 3, 5: 3, 3: 2}, {24: 5, 23: 5, 1: 2})


def kinds(table: Table) -> list[str]:
    """The kinds of the frames of the last commit."""
    return [str(frame[1]) for frame in last_frames(table)]


def last_frames(table: Table) -> tuple[tuple[object, ...], ...]:
    before = fold(table.log[:-1])
    assert before is not None
    return frames(before, table.log[-1])


# --- Undo


def test_undo_gives_back_everything_that_the_move_changed() -> None:
    """8/4* 6/4 with 4-2, undone twice; every field is as before each move."""
    table = practice(set_up({24: 2, 13: 5, 8: 3, 6: 5}, {1: 2, 4: 1, 12: 5, 17: 3, 19: 4}), (4, 2))
    stages = []
    for source, die in ((8, 4), (6, 2)):
        stages.append((table.state, table.view))
        if len(stages) == 1:
            table.accepted(table.options(auto_end=False))
            stages[0] = (table.state, table.view)
        table.accepted(table.a_move(source, die))
    assert table.view.phase == "confirm"
    assert table.view.board[0] == -1
    for state, view in reversed(stages):
        assert table.accepted(table.an_undo()) == (MoveUndone(),)
        assert without_commits(table.state) == without_commits(state)
        assert table.view == view


@pytest.mark.parametrize(
    ("position", "roll", "play"),
    [
        (START, (6, 1), "13/7 8/7"),
        (START, (5, 5), "13/8(2) 6/1*(2)"),
        (HIT_ON_THE_WAY, (4, 2), "10/6*/4"),
        (TWO_FOURS_LOST, (4, 4), "bar/21 10/6*"),
        (A_RACE, (6, 3), "6/off 3/off"),
        (A_RACE, (6, 6), "6/off(3) 5/off"),
        (set_up({4: 2, 2: 2}, {24: 5}), (6, 5), "4/off(2)"),
    ],
)
def test_undo_goes_back_one_die_at_a_time_to_just_after_the_roll(
    position: str, roll: tuple[int, int], play: str
) -> None:
    if position == START and "*" in play:
        position = set_up({24: 2, 13: 5, 8: 3, 6: 5}, {1: 1, 12: 5, 17: 4, 19: 5})
    table = practice(position, roll, auto_end=False)
    at_first = table.state, table.view
    table.accepted(table.a_play(play))
    whole = table.turn.moves
    for left in range(len(whole) - 1, -1, -1):
        table.accepted(table.an_undo())
        assert table.turn.moves == whole[:left]
        assert table.turn.dice == at_first[0].phase.dice  # type: ignore[union-attr]
        assert kinds(table) == ["undo"]
    assert (without_commits(table.state), table.view) == (without_commits(at_first[0]), at_first[1])


def test_a_drag_over_two_dice_is_two_undos() -> None:
    table = practice(START, (6, 5), auto_end=False)
    table.accepted(table.a_move(24, 6, 5))
    assert table.view.board[13] == 6
    table.accepted(table.an_undo())
    assert (table.view.board[18], table.view.board[13]) == (1, 5)
    table.accepted(table.an_undo())
    assert table.view.board[24] == 2


def test_undo_gives_back_the_die_that_bore_the_checker_off() -> None:
    """A 6 bears off from the 4 point; it is the 6 that comes back, not a 4."""
    table = practice(set_up({4: 2, 2: 2}, {24: 5}), (6, 3), auto_end=False)
    table.accepted(table.a_move(4, 6))
    assert list(table.turn.unused) == [3]
    table.accepted(table.an_undo())
    assert list(table.turn.unused) == [6, 3]


def test_move_undo_move_in_quick_succession_is_one_step_each() -> None:
    table = practice(START, (6, 1))
    table.accepted(table.a_move(13, 6))
    table.accepted(table.an_undo())
    table.accepted(table.a_move(8, 6))
    assert table.view.moves == ((8, 6, 2, 0),)
    assert table.state.rolls == 0


def test_a_move_that_ends_the_game_cannot_be_undone() -> None:
    table = practice(set_up({1: 1}, {24: 2}), (6, 5))
    table.accepted(table.a_play("1/off"))
    assert table.view.phase == "match-over"
    assert table.refused(table.an_undo()) == "nothing-to-undo"


def test_a_turn_that_has_ended_cannot_be_undone() -> None:
    table = practice(START, (6, 1))
    table.accepted(table.a_play("13/7 8/7"))
    assert table.refused(table.an_undo()) == "nothing-to-undo"


# --- The end of the turn


def test_the_turn_ends_by_itself_when_the_dice_are_used_up() -> None:
    table = practice(START, (6, 1))
    table.accepted(table.a_move(13, 6))
    assert table.view.phase == "moving"
    table.accepted(table.a_move(8, 1))
    assert table.view.phase == "computer"
    assert kinds(table) == ["move", "end"]
    assert table.view.record == ((0, 6, 1, "13/7 8/7"),)
    assert table.view.last is not None
    assert table.view.last.moves == ((13, 6, 7, 0), (8, 1, 7, 0))


def test_with_automatic_end_off_the_turn_waits_to_be_ended() -> None:
    table = practice(START, (6, 1), auto_end=False)
    table.accepted(table.a_play("13/7 8/7"))
    assert table.view.phase == "confirm"
    assert set(table.view.may) == {"end", "undo", "leave", "restart", "options"}
    table.accepted(table.an_undo())
    assert table.view.phase == "moving"
    table.accepted(table.a_move(8, 1))
    assert table.accepted(table.an_end()) == (TurnEnded(Side.PLAYER),)
    assert table.view.phase == "computer"
    assert kinds(table) == ["end"]


@pytest.mark.parametrize("auto_end", [True, False])
def test_dice_left_over_after_a_move_wait_for_the_player_so_that_undo_stays_possible(auto_end: bool) -> None:
    table = practice(ONE_STAYS_ON_THE_BAR, (5, 3), auto_end=auto_end)
    table.accepted(table.a_move(25, 3))
    assert table.view.phase == "confirm"
    assert table.view.options == ()
    assert table.view.dice is not None
    assert table.view.dice.unused == (5,)
    table.accepted(table.an_undo())
    assert table.view.phase == "moving"
    table.accepted(table.a_move(25, 3))
    table.accepted(table.an_end())
    assert table.view.phase == "computer"
    assert table.view.record == ((0, 5, 3, "bar/22*"),)


def test_two_of_four_dice_left_over_wait_too() -> None:
    table = practice(TWO_FOURS_LOST, (4, 4))
    table.accepted(table.a_play("bar/21 10/6*"))
    assert (table.view.phase, table.turn.unused) == ("confirm", (4, 4))


def test_a_dance_passes_by_itself_and_is_said() -> None:
    table = practice(SHUT_OUT, (6, 5))
    assert table.view.phase == "computer"
    assert kinds(table) == ["dice", "pass"]
    assert table.view.record == ((0, 6, 5, "(no play)"),)


def test_a_dance_waits_where_automatic_end_is_off() -> None:
    table = practice(SHUT_OUT, (6, 5), auto_end=False)
    assert table.view.phase == "confirm"
    assert kinds(table) == ["dice"]
    assert table.refused(table.an_undo()) == "nothing-to-undo"
    table.accepted(table.an_end())
    assert table.view.phase == "computer"
    assert kinds(table) == ["pass"]


def test_a_dance_of_the_computer_is_one_commit_and_is_said() -> None:
    table = practice(set_up({6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2, 8: 1}, {0: 1, 19: 5}), (6, 1))
    table.accepted(table.a_play("8/1"))
    events = table.accepted(table.a_turn())
    assert [type(event) for event in events] == [Rolled, TurnEnded]
    assert kinds(table) == ["dice", "pass"]
    assert table.view.phase == "to-roll"


@pytest.mark.parametrize(
    ("position", "roll", "play"),
    [(START, (6, 1), "13/7 8/7"), (ONE_STAYS_ON_THE_BAR, (5, 3), "bar/22*"), (SHUT_OUT, (6, 5), None)],
    ids=["dice used up", "a die left over", "a dance"],
)
def test_automatic_end_switched_on_while_waiting_ends_the_turn_at_once(
    position: str, roll: tuple[int, int], play: str | None
) -> None:
    table = practice(position, roll, auto_end=False)
    if play is not None:
        table.accepted(table.a_play(play))
    table.accepted(table.options(pace="instant"))
    assert table.view.phase == "confirm"
    table.accepted(table.options(auto_end=True))
    assert table.view.phase == "computer"
    assert kinds(table) == ["end" if play else "pass"]


def test_automatic_end_switched_on_in_mid_turn_waits_for_the_moves() -> None:
    table = practice(START, (6, 1), auto_end=False)
    table.accepted(table.a_move(13, 6))
    table.accepted(table.options(auto_end=True))
    assert table.view.phase == "moving"
    table.accepted(table.a_move(8, 1))
    assert table.view.phase == "computer"


def test_other_options_set_while_a_die_is_left_over_do_not_end_the_turn() -> None:
    table = practice(ONE_STAYS_ON_THE_BAR, (5, 3))
    table.accepted(table.a_move(25, 3))
    table.accepted(table.options(auto_forced=True, auto_bear_off=True, pace="fast"))
    assert table.view.phase == "confirm"


def test_options_set_are_those_shown() -> None:
    table = practice(START, (6, 1))
    table.accepted(table.options(pace="fast", auto_end=False, auto_forced=True, auto_bear_off=True))
    assert msgspec.to_builtins(table.view.options_set) == {
        "pace": "fast",
        "auto_end": False,
        "auto_forced": True,
        "auto_bear_off": True,
    }


# --- What moves by itself


@pytest.mark.parametrize(
    ("position", "roll", "record"),
    [(WASTES_THE_SIX, (6, 2), "24/22 8/2"), (SIX_FIRST, (6, 4), "24/18/14")],
)
def test_a_turn_with_one_possible_result_is_played_by_itself(position: str, roll: tuple[int, int], record: str) -> None:
    table = practice(position, roll, auto_forced=True)
    assert table.view.phase == "computer"
    assert table.view.record == ((0, *roll, record),)
    assert kinds(table) == ["dice", "move", "move", "end"]


def test_forced_moves_are_not_made_where_the_option_is_off() -> None:
    table = practice(WASTES_THE_SIX, (6, 2))
    assert (table.view.phase, table.view.moves) == ("moving", ())


def test_forced_moves_that_leave_a_die_over_wait_for_the_player() -> None:
    table = practice(ONE_STAYS_ON_THE_BAR, (5, 3), auto_forced=True)
    assert (table.view.phase, table.view.moves) == ("confirm", ((25, 3, 22, 1),))


def test_one_die_that_two_checkers_can_play_is_a_choice_and_nothing_is_played() -> None:
    table = practice(A_CHOICE_OF_ONES, (6, 1), auto_forced=True)
    assert (table.view.phase, table.view.moves) == ("moving", ())
    assert {(source, path) for source, path, _ in table.view.options} == {(8, (1, 7)), (6, (1, 5))}


def test_a_first_move_that_is_forced_is_not_made_where_the_turn_has_a_choice() -> None:
    table = practice(set_up({25: 1, 13: 5, 8: 3}, {24: 2, 1: 2}), (4, 1), auto_forced=True)
    assert {source for source, _, _ in table.view.options} == {25}
    assert (table.view.phase, table.view.moves) == ("moving", ())


@pytest.mark.parametrize("back", ["undo", "leave"])
def test_forced_moves_are_not_made_again_in_a_turn_in_which_they_were_taken_back(back: str) -> None:
    table = practice(WASTES_THE_SIX, (6, 2), auto_forced=True, auto_end=False)
    assert table.view.phase == "confirm"
    if back == "undo":
        table.accepted(table.an_undo())
        table.accepted(table.an_undo())
    else:
        table.accepted(table.a_leave())
    assert (table.view.phase, table.view.moves) == ("moving", ())
    table.accepted(table.options(auto_forced=False))
    table.accepted(table.options(auto_forced=True))
    assert (table.view.phase, table.view.moves) == ("moving", ())
    table.accepted(table.a_move(24, 2))
    assert (table.view.phase, len(table.view.moves)) == ("moving", 1)


def test_a_forced_play_that_wins_ends_the_game() -> None:
    table = practice(set_up({4: 1}, {24: 2}), (6, 2), auto_forced=True)
    assert table.view.phase == "match-over"
    assert kinds(table) == ["dice", "move", "win"]


@pytest.mark.parametrize(
    ("position", "roll", "moves"),
    [
        (A_RACE, (6, 3), "6/off 3/off"),
        (A_RACE, (6, 5), "6/off 5/off"),
        (A_RACE, (5, 5), None),  # three 5s bear off, the fourth must be played 6/1
        (A_RACE, (6, 6), "6/off(3) 5/off"),
        (A_RACE, (6, 4), None),  # the 4 bears nothing off
        (NEARLY_HOME, (6, 5), None),  # one is not at home
        (A_CONTACT, (6, 5), None),
    ],
)
def test_a_roll_whose_every_die_bears_off_is_played_by_itself_in_a_race_only(
    position: str, roll: tuple[int, int], moves: str | None
) -> None:
    table = practice(position, roll, auto_bear_off=True)
    if moves is None:
        assert (table.view.phase, table.view.moves) == ("moving", ())
    else:
        assert (table.view.phase, table.view.record) == ("computer", ((0, *roll, moves),))


def test_bearing_off_by_itself_waits_to_be_ended_where_automatic_end_is_off() -> None:
    table = practice(A_RACE, (6, 3), auto_bear_off=True, auto_end=False)
    assert (table.view.phase, len(table.view.moves)) == ("confirm", 2)
    table.accepted(table.an_undo())
    assert (table.view.phase, len(table.view.moves)) == ("moving", 1)


def test_the_last_checkers_bear_off_by_themselves_with_dice_to_spare() -> None:
    table = practice(set_up({3: 1, 2: 1}, {24: 2}), (6, 6), auto_bear_off=True)
    assert table.view.phase == "match-over"
    assert table.view.record == ((0, 6, 6, "3/off 2/off"),)


def test_what_moves_by_itself_does_so_after_a_roll_too() -> None:
    table = practice(set_up({1: 4}, {24: 4}), None, auto_bear_off=True)
    events = table.accepted(table.a_roll())
    assert isinstance(events[0], Rolled)
    assert sum(isinstance(event, Moved) for event in events) in {2, 4}
    assert table.view.phase in {"computer", "match-over"}


# --- Which die, which way


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("10/4", ((10, 4, 6, 1), (6, 2, 4, 0))),
        ("10/6/4", ((10, 4, 6, 1), (6, 2, 4, 0))),
        ("10/6*/4", ((10, 4, 6, 1), (6, 2, 4, 0))),
        ("10/8/4", ((10, 2, 8, 0), (8, 4, 4, 0))),
    ],
)
def test_a_typed_play_with_two_ways_hits_unless_its_way_is_named(
    text: str, moves: tuple[tuple[int, int, int, int], ...]
) -> None:
    table = practice(HIT_ON_THE_WAY, (4, 2), auto_end=False)
    table.accepted(table.a_play(text))
    assert table.view.moves == moves


def test_a_drag_takes_the_way_that_hits_for_it_is_the_first_offered() -> None:
    table = practice(HIT_ON_THE_WAY, (4, 2))
    ways = [path for source, path, _ in table.view.options if source == 10 and abs(path[-1]) == 4 and len(path) == 4]
    assert ways == [(4, -6, 2, 4)]


def test_without_a_hit_the_larger_die_goes_first() -> None:
    table = practice(set_up({10: 1}, {24: 2}), (4, 2), auto_end=False)
    ways = [path for source, path, _ in table.view.options if source == 10 and path[-1] == 4 and len(path) == 4]
    assert ways == [(4, 6, 2, 4)]
    table.accepted(table.a_play("10/4"))
    assert table.view.moves == ((10, 4, 6, 0), (6, 2, 4, 0))


@pytest.mark.parametrize(
    ("mine", "roll", "source", "die"),
    [({4: 2, 2: 2}, (6, 4), 4, 4), ({4: 2, 2: 2}, (6, 5), 4, 5), ({4: 2, 2: 2}, (4, 2), 2, 2)],
)
def test_bearing_off_uses_the_exact_die_else_the_smallest_that_does_it(
    mine: dict[int, int], roll: tuple[int, int], source: int, die: int
) -> None:
    table = practice(set_up(mine, {24: 5}), roll, auto_end=False)
    off = next(path for at, path, _ in table.view.options if at == source and path[-1] == 0)
    assert off == (die, 0)
    table.accepted(table.a_play(f"{source}/off"))
    assert table.view.moves == ((source, die, 0, 0),)


def test_a_typed_play_may_be_part_of_a_turn() -> None:
    table = practice(START, (3, 1))
    table.accepted(table.a_play("8/5"))
    assert (table.view.phase, table.turn.unused) == ("moving", (1,))
    table.accepted(table.a_play("6/5"))
    assert table.view.record == ((0, 3, 1, "8/5 6/5"),)


def test_several_dice_may_be_played_by_one_command_in_either_order() -> None:
    for dice, stop in (((6, 1), 7), ((1, 6), 12)):
        table = practice(set_up({13: 1, 6: 14}, {1: 15}), (6, 1), auto_end=False)
        table.accepted(table.a_move(13, *dice))
        assert [move[2] for move in table.view.moves] == [stop, 6]


def test_the_turn_in_progress_is_shown_with_its_dice() -> None:
    table = practice(START, (1, 3))
    assert table.view.dice is not None
    assert (table.view.dice.side, table.view.dice.values, table.view.dice.unused) == (Side.PLAYER, (3, 1), (3, 1))
    assert isinstance(table.state.phase, Playing)
    assert last_frames(table) == ((0, "dice", Side.PLAYER, 3, 1),)
