"""What is refused, with which code, and that a refusal changes nothing."""

from collections.abc import Callable

import msgspec
import pytest

from gameserver.session.commands import Base, Command, MoveChecker, TakeTurn
from gameserver.session.decide import Decision, Entropy, Repeated, decide, head
from gameserver.session.ids import CommandId
from gameserver.session.state import IDLE_LIMIT, LOG_LIMIT, REMEMBERED_COMMANDS
from tests.session.fair_dice import secret_that_rolls
from tests.session.table import SEED, Table, practice, session_of, set_up

ONE_MOVE_FROM_THE_END = set_up({1: 2}, {24: 2})
A_DANCE = set_up({25: 1, 6: 2}, {24: 2, 23: 2, 22: 2, 21: 2, 20: 2, 19: 2})


def awaiting_the_seed() -> Table:
    return Table()


def to_roll() -> Table:
    return practice(ONE_MOVE_FROM_THE_END, None)


def moving() -> Table:
    return practice("-b----E-C---eE---c-e----B-", (3, 1))


def half_moved() -> Table:
    table = moving()
    table.accepted(table.a_move(8, 3))
    return table


def waiting_to_end() -> Table:
    return practice(A_DANCE, (6, 5), auto_end=False)


def computers_turn() -> Table:
    table = half_moved()
    table.accepted(table.a_move(6, 1))
    return table


def computer_starts() -> Table:
    name = "the computer starts"
    table = Table(name, secrets={1: secret_that_rolls(session_of(name), SEED, ((2, 5),))})
    table.accepted(table.a_seed())
    return table


def between_games() -> Table:
    table = practice(ONE_MOVE_FROM_THE_END, (2, 1), length=5)
    table.accepted(table.a_move(1, 1))
    table.accepted(table.a_move(1, 2))
    return table


def over() -> Table:
    table = practice(ONE_MOVE_FROM_THE_END, (1, 1))
    table.accepted(table.a_play("1/off(2)"))
    return table


def dropped() -> Table:
    table = moving()
    table.accepted(table.a_restart())
    return table


PHASES = {
    awaiting_the_seed: "seed",
    to_roll: "to-roll",
    moving: "moving",
    half_moved: "moving",
    waiting_to_end: "confirm",
    computers_turn: "computer",
    computer_starts: "computer",
    between_games: "game-over",
    over: "match-over",
    dropped: "dropped",
}

COMMANDS: dict[str, Callable[[Table], Command]] = {
    "seed": Table.a_seed,
    "roll": Table.a_roll,
    "move": lambda table: table.a_move(6, 1),
    "play": lambda table: table.a_play("6/5"),
    "undo": Table.an_undo,
    "end": Table.an_end,
    "next": Table.a_next,
    "leave": Table.a_leave,
    "restart": Table.a_restart,
    "options": Table.options,
    "turn": lambda table: table.a_turn() if table.state.computer_is_due else table.a_turn(()),
}

ACCEPTED = {
    awaiting_the_seed: {"seed", "leave", "restart", "options"},
    to_roll: {"roll", "leave", "restart", "options"},
    moving: {"move", "play", "leave", "restart", "options"},
    half_moved: {"move", "play", "undo", "leave", "restart", "options"},
    waiting_to_end: {"end", "leave", "restart", "options"},
    computers_turn: {"turn", "leave", "restart", "options"},
    computer_starts: {"turn", "leave", "restart", "options"},
    between_games: {"next", "leave", "restart", "options"},
    over: set(),
    dropped: set(),
}


@pytest.mark.parametrize("at", PHASES, ids=lambda at: at.__name__)
def test_each_phase_has_its_name_and_accepts_its_commands_only(at: Callable[[], Table]) -> None:
    table = at()
    assert table.view.phase == PHASES[at]
    assert set(table.view.may) - {"hint"} == ACCEPTED[at] - {"turn"}
    assert ("hint" in table.view.may) == (PHASES[at] == "moving")
    for kind, command in COMMANDS.items():
        outcome = table.offered(command(table))
        assert isinstance(outcome, Decision) == (kind in ACCEPTED[at]), kind


@pytest.mark.parametrize("at", PHASES, ids=lambda at: at.__name__)
def test_what_a_phase_does_not_accept_is_refused_with_a_fitting_code(at: Callable[[], Table]) -> None:
    table = at()
    for kind in COMMANDS.keys() - ACCEPTED[at]:
        code = table.refused(COMMANDS[kind](table))
        if kind == "undo":
            assert code == "nothing-to-undo"
        elif at is waiting_to_end and kind in {"move", "play"}:
            assert code == "illegal-move"
        else:
            assert code == "wrong-phase", kind


def test_the_turn_does_not_end_while_dice_can_be_played() -> None:
    table = half_moved()
    assert table.refused(table.an_end()) == "wrong-phase"


@pytest.mark.parametrize(
    ("source", "dice"),
    [
        (24, (5,)),  # not rolled
        (13, (3, 3)),  # rolled once only
        (7, (1,)),  # nobody there
        (25, (3,)),  # nobody on the bar
        (24, (3, 1, 6)),
        (12, (3,)),  # the computer's
        (6, (3, 3, 3, 3)),
    ],
)
def test_a_move_that_the_rules_do_not_allow_is_refused_as_illegal(source: int, dice: tuple[int, ...]) -> None:
    table = moving()
    assert table.refused(table.a_move(source, *dice)) == "illegal-move"


def test_a_move_of_several_dice_is_refused_as_a_whole_when_its_second_step_is_blocked() -> None:
    table = practice(set_up({13: 2, 6: 13}, {7: 2, 12: 2, 1: 11}), (5, 1))
    assert table.refused(table.a_move(13, 5, 1)) == "illegal-move"
    assert table.refused(table.a_move(13, 1, 5)) == "illegal-move"
    table.accepted(table.a_move(13, 5))


def test_a_checker_that_is_borne_off_does_not_move_on() -> None:
    table = practice(set_up({2: 3}, {24: 2}), (6, 2))
    assert table.refused(table.a_move(2, 2, 6)) == "illegal-move"


def test_a_move_that_would_waste_the_larger_die_is_refused() -> None:
    """8/6 kills the 6."""
    table = practice("----b-M-A-------b-cdd---A-", (6, 2))
    assert table.refused(table.a_move(8, 2)) == "illegal-move"
    assert table.refused(table.a_play("8/6")) == "illegal-move"
    table.accepted(table.a_play("24/22 8/2"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "unreadable"),
        ("hello", "unreadable"),
        ("8/26", "unreadable"),
        ("5/8", "unreadable"),
        ("off/6", "unreadable"),
        ("8/5*", "illegal-move"),
        ("8/2", "illegal-move"),
        ("bar/22", "illegal-move"),
        ("8/5 8/5", "illegal-move"),
        ("(no play)", "illegal-move"),
        ("8", "ambiguous"),
        ("6", "ambiguous"),
    ],
)
def test_a_typed_play_that_cannot_be_played_is_refused_with_the_reason(text: str, code: str) -> None:
    table = moving()
    assert table.refused(table.a_play(text)) == code


def test_no_play_is_not_a_command_where_nothing_can_be_played() -> None:
    """The turn is ended instead; a commit in which nothing happens there is not."""
    table = waiting_to_end()
    assert table.refused(table.a_play("(no play)")) == "wrong-phase"
    table.accepted(table.an_end())


def test_nothing_is_left_to_undo_at_the_start_of_the_turn() -> None:
    table = half_moved()
    table.accepted(table.an_undo())
    assert table.refused(table.an_undo()) == "nothing-to-undo"


# --- The computer's turn


@pytest.mark.parametrize("missing", [1, 2])
def test_the_computer_must_play_all_the_dice_that_it_can(missing: int) -> None:
    table = computers_turn()
    play = max(table.computers_plays(), key=len)
    assert table.refused(table.a_turn(play[:-missing])) == "illegal-move"


def test_the_computers_turn_needs_a_time_for_each_of_its_parts() -> None:
    table = computers_turn()
    play = table.computers_plays()[0]
    for times in ((), (0,) * len(play), (0,) * (len(play) + 1), (0,) * (len(play) + 3)):
        assert table.refused(table.a_turn(play, times)) == "illegal-move"


def test_the_computer_moves_its_own_checkers_only_by_its_own_dice() -> None:
    table = computers_turn()
    play = max(table.computers_plays(), key=len)
    wrong_die = next(die for die in range(1, 7) if die not in {move.die for move in play})
    wrong = play[0]._replace(die=wrong_die, target=max(play[0].source - wrong_die, 0))
    assert table.refused(table.a_turn((wrong, *play[1:]))) == "illegal-move"
    assert table.refused(table.a_turn((*play, play[-1]))) == "illegal-move"


# --- Bases and ids


@pytest.mark.parametrize("of", ["an older version", "a later version", "another last commit", "no commit"])
def test_a_base_that_is_not_the_head_of_the_log_is_stale(of: str) -> None:
    table = moving()
    version, last = table.state.version, table.state.last
    base = {
        "an older version": Base(version - 1, table.log[-2].id),
        "a later version": Base(version + 1, last),
        "another last commit": Base(version, bytes(16)),
        "no commit": Base(version, None),
    }[of]
    command = msgspec.structs.replace(table.a_move(8, 3), base=base)
    assert table.refused(command) == "stale"
    assert table.refused(msgspec.structs.replace(table.a_leave(), base=base)) == "stale"


def test_a_stale_command_is_refused_as_stale_even_where_it_would_be_wrong_anyway() -> None:
    table = moving()
    assert table.refused(msgspec.structs.replace(table.a_roll(), base=Base(0, None))) == "stale"


def test_the_computers_turn_has_a_base_like_every_command() -> None:
    table = computers_turn()
    command = table.a_turn()
    table.accepted(table.options(pace="instant"))
    assert table.refused(command) == "stale"
    assert isinstance(command, TakeTurn)
    table.accepted(msgspec.structs.replace(command, base=table.base))


def test_commands_in_a_row_each_name_the_one_before() -> None:
    table = moving()
    first = table.a_move(8, 3)
    second = MoveChecker(table.new_id(), Base(first.base.version + 1, first.id), 6, (1,))
    table.accepted(first)
    table.accepted(second)
    assert table.view.phase == "computer"


def test_where_one_of_a_row_is_refused_so_are_those_after_it() -> None:
    table = moving()
    first = table.a_move(8, 5)
    second = MoveChecker(table.new_id(), Base(first.base.version + 1, first.id), 6, (1,))
    assert table.refused(first) == "illegal-move"
    assert table.refused(second) == "stale"
    table.accepted(table.options())  # the version fits now, the commit does not
    assert table.refused(second) == "stale"


def test_two_pages_that_send_at_once_are_served_once() -> None:
    """One is applied, the other is stale."""
    table = moving()
    first, second = table.a_move(8, 3), table.a_move(13, 3)
    table.accepted(first)
    assert table.refused(second) == "stale"


@pytest.mark.parametrize("rebased", [False, True])
def test_a_command_that_comes_again_is_applied_once(rebased: bool) -> None:
    """A repeated command is known by its id, whatever base it names."""
    table = practice("-b----E-C---eE---c-e----B-", (3, 3))
    command = table.a_move(8, 3)
    table.accepted(command)
    version, state = table.state.version, table.state
    if rebased:
        command = msgspec.structs.replace(command, base=table.base)
    assert table.submit(command) == Repeated(version)
    assert table.state is state
    table.accepted(table.a_move(8, 3))
    assert table.submit(command) == Repeated(version)


def test_a_command_that_was_refused_may_come_again_and_be_accepted() -> None:
    table = moving()
    command = msgspec.structs.replace(table.a_move(8, 3), base=Base(0, None))
    assert table.refused(command) == "stale"
    table.accepted(msgspec.structs.replace(command, base=table.base))


def test_the_id_of_the_start_is_known_too() -> None:
    table = moving()
    again = msgspec.structs.replace(table.a_leave(), id=table.started.id)
    assert table.submit(again) == Repeated(1)


def test_the_end_of_one_id_and_the_beginning_of_the_next_are_no_id_that_was_accepted() -> None:
    table = moving()
    remembered = table.state.commands
    across = CommandId(remembered[-24:-8])
    assert table.state.accepted_as(across) is None
    assert table.state.accepted_as(CommandId(remembered[-16:])) == table.state.version
    assert table.state.accepted_as(CommandId(remembered[-32:-16])) == table.state.version - 1


def test_the_last_256_ids_are_remembered_and_no_more() -> None:
    table = moving()
    command = table.a_move(8, 3)
    table.accepted(command)
    version = table.state.version
    for _ in range(REMEMBERED_COMMANDS - 1):
        table.accepted(table.options())
    assert len(table.state.commands) == 256 * 16
    assert table.submit(msgspec.structs.replace(command, base=table.base)) == Repeated(version)
    table.accepted(table.options())
    assert len(table.state.commands) == 256 * 16
    assert table.refused(command) == "stale"


# --- Bounds


@pytest.mark.parametrize("at", [half_moved, to_roll, computers_turn, between_games], ids=lambda at: at.__name__)
def test_a_very_long_log_takes_only_what_the_game_needs(at: Callable[[], Table]) -> None:
    table = at()
    table.state = msgspec.structs.replace(table.state, version=IDLE_LIMIT - 1)
    before = set(table.view.may)
    table.state = msgspec.structs.replace(table.state, version=IDLE_LIMIT)
    assert set(table.view.may) == before - {"undo", "leave", "options"}
    assert table.refused(table.an_undo()) == "undo-limit"
    assert table.refused(table.a_leave()) == "log-full"
    assert table.refused(table.options()) == "log-full"
    for kind in ACCEPTED[at] - {"undo", "leave", "options"}:
        assert isinstance(table.offered(COMMANDS[kind](table)), Decision)


@pytest.mark.parametrize("at", ACCEPTED, ids=lambda at: at.__name__)
def test_a_full_log_takes_nothing_more(at: Callable[[], Table]) -> None:
    table = at()
    table.state = msgspec.structs.replace(table.state, version=LOG_LIMIT)
    assert table.view.may == ()
    for kind, command in COMMANDS.items():
        assert table.refused(command(table)) == ("undo-limit" if kind == "undo" else "log-full")


def test_a_match_to_7_fits_under_the_bounds() -> None:
    assert 3_000 < IDLE_LIMIT < LOG_LIMIT


# --- What a server must bring


@pytest.mark.parametrize("at", [between_games, moving, to_roll], ids=lambda at: at.__name__)
def test_a_server_that_brings_no_secret_fails_loudly(at: Callable[[], Table]) -> None:
    table = at()
    commands: dict[object, Command] = {
        between_games: table.a_next(),
        moving: table.a_restart(),
        to_roll: table.a_roll(),
    }
    with pytest.raises(ValueError, match=r"secret|successor"):
        decide(table.state, commands[at], Entropy())


def test_the_head_is_the_version_and_the_last_commit() -> None:
    table = moving()
    assert head(table.state) == Base(2, table.log[1].id)
