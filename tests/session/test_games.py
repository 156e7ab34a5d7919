"""Games and sessions: the opening, the end and its points, matches, leaving, restarting."""

from hashlib import sha256

import pytest

from gameserver.backgammon import legal_moves
from gameserver.session import dice
from gameserver.session.events import (
    ConductSet,
    DiceSet,
    Format,
    GameStarted,
    GameWon,
    OpeningRolled,
    PlayerLeft,
    SeedGiven,
    SessionDropped,
    Side,
)
from gameserver.session.state import fold
from gameserver.session.view import frames
from tests.session.checks import without_commits
from tests.session.fair_dice import secret_that_rolls
from tests.session.table import SEED, Table, practice, session_of, set_up

START_BOARD = (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)


def table_that_rolls(name: str, *rolls: tuple[int, int], length: Format = 1) -> Table:
    """A table whose first game has these rolls, the opening's included."""
    return Table(name, length=length, secrets={1: secret_that_rolls(session_of(name), SEED, rolls)})


# --- The opening


def test_before_the_seed_the_secret_is_committed_to_and_nothing_is_rolled() -> None:
    table = Table()
    view = table.view
    assert view.phase == "seed"
    assert view.board == START_BOARD
    assert view.pips == (167, 167)
    assert view.fairness.commitment == sha256(table.secret(1)).digest()
    assert (view.fairness.seed, view.fairness.secret) == (None, None)
    assert (view.dice, view.opening, view.last, view.record) == (None, (), None, ())


def test_every_tie_of_the_opening_is_shown_and_rolled_again() -> None:
    """4-4, 6-6, then 5-2: the 5 starts and plays 5-2."""
    table = table_that_rolls("two ties", (4, 4), (6, 6), (5, 2))
    events = table.accepted(table.a_seed())
    assert events == (SeedGiven(SEED), OpeningRolled(4, 4), OpeningRolled(6, 6), OpeningRolled(5, 2))
    assert table.view.opening == ((4, 4), (6, 6), (5, 2))
    assert table.view.phase == "moving"
    assert table.view.dice is not None
    assert (table.view.dice.side, table.view.dice.values) == (Side.PLAYER, (5, 2))
    before = fold(table.log[:1])
    assert before is not None
    assert frames(before, table.log[1]) == ((0, "opening", 4, 4), (0, "opening", 6, 6), (0, "opening", 5, 2))


def test_the_side_with_the_higher_die_starts_with_those_two_dice() -> None:
    table = table_that_rolls("the computer starts", (2, 5))
    table.accepted(table.a_seed())
    assert table.view.phase == "computer"
    assert table.view.dice is not None
    assert (table.view.dice.side, table.view.dice.values) == (Side.COMPUTER, (5, 2))
    assert table.state.rolls == 1
    table.accepted(table.a_turn())
    assert table.state.rolls == 1
    assert table.view.record[0][:3] == (1, 5, 2)
    assert table.view.phase == "to-roll"


def test_each_roll_of_the_opening_has_a_number_of_its_own() -> None:
    table = table_that_rolls("numbers", (3, 3), (6, 1), (2, 2))
    table.accepted(table.a_seed())
    assert table.state.rolls == 2
    table.accepted(table.a_play("13/7 8/7"))
    table.accepted(table.a_turn())
    assert table.state.rolls == 3
    assert table.view.record[-1][:3] == (1, 2, 2)


def test_the_roll_of_the_opening_is_never_a_double() -> None:
    for number in range(60):
        table = Table(f"opening {number}")
        table.accepted(table.a_seed())
        assert len(table.turn.unused) == 2
        *ties, last = table.view.opening
        assert all(first == second for first, second in ties)
        assert last[0] != last[1]
        assert table.turn.side is (Side.PLAYER if last[0] > last[1] else Side.COMPUTER)


def test_a_double_is_played_four_times() -> None:
    table = practice("-b----E-C---eE---c-e----B-", (6, 6))
    assert table.turn.unused == (6, 6, 6, 6)
    table.accepted(table.a_play("24/18(2) 13/7(2)"))
    assert table.view.phase == "computer"
    assert table.view.record == ((0, 6, 6, "24/18(2) 13/7(2)"),)


# --- The end of a game


@pytest.mark.parametrize(
    ("theirs", "points"),
    [
        ({0: 1, 19: 14}, 3),
        ({1: 1, 19: 14}, 3),
        ({6: 1, 19: 14}, 3),
        ({7: 1, 19: 14}, 2),
        ({19: 15}, 2),
        ({0: 1, 19: 13}, 1),
        ({24: 1}, 1),
    ],
    ids=[
        "on the bar",
        "in X's home",
        "on X's 6 point",
        "on X's 7 point",
        "all home",
        "on the bar but one off",
        "14 off",
    ],
)
def test_the_points_of_a_win_depend_on_where_the_loser_stands(theirs: dict[int, int], points: int) -> None:
    mine = {2: 1} if 1 in theirs else {1: 1}
    table = practice(set_up(mine, theirs), (6, 5))
    events = table.accepted(table.a_play(f"{next(iter(mine))}/off"))
    assert events[-1] == GameWon(Side.PLAYER, points, table.secret(1))
    assert table.view.result is not None
    assert (table.view.result.winner, table.view.result.points) == (Side.PLAYER, points)
    assert table.view.score == (points, 0)
    assert table.view.phase == "match-over"


def test_the_game_ends_at_once_even_with_dice_unplayed() -> None:
    """1/off(3) with a die to spare; nothing of the loser is off and two stand in the winner's home."""
    table = practice("-C----b---b----------abbf-", (1, 1))
    table.accepted(table.a_play("1/off(3)"))
    assert table.view.phase == "match-over"
    assert table.view.result is not None
    assert table.view.result.points == 3
    assert table.view.record == ((0, 1, 1, "1/off(3)"),)
    assert table.view.off == (15, 0)
    assert table.view.dice is None


@pytest.mark.parametrize("text", ["4/off", "4/2/off"])
def test_a_move_that_ends_the_game_is_accepted_though_another_die_could_be_played(text: str) -> None:
    """4/off with the 6, at once."""
    table = practice("----A-------------------o-", (6, 2))
    table.accepted(table.a_move(4, 6) if text == "4/off" else table.a_play(text))
    assert table.view.phase == "match-over"
    assert table.view.result is not None
    assert table.view.result.points == 2


def test_the_computer_wins_by_the_same_rules_in_one_commit() -> None:
    table = practice(set_up({6: 14, 25: 1}, {24: 1, 23: 2, 22: 2, 21: 2, 20: 2, 19: 2}), (6, 5))
    assert table.view.phase == "computer"
    while table.view.phase != "match-over":
        if table.state.computer_is_due:
            table.accepted(table.a_turn())
        elif table.view.phase == "to-roll":
            table.accepted(table.a_roll())
        else:
            source, path, _ = table.view.options[0]
            table.accepted(table.a_move(source, path[0]))
    won = table.log[-1].events[-1]
    assert isinstance(won, GameWon)
    assert won.side is Side.COMPUTER
    assert won.points == table.view.score[1]
    assert won.secret == table.secret(1)
    assert table.log[-1].by is Side.COMPUTER


def test_the_end_of_the_game_reveals_the_secret_that_was_committed_to() -> None:
    table = practice(set_up({1: 1}, {24: 2}), (6, 5))
    hidden = table.view.fairness
    assert hidden.secret is None
    table.accepted(table.a_play("1/off"))
    shown = table.view.fairness
    assert shown.secret == table.secret(1)
    assert dice.commitment(shown.secret) == shown.commitment == hidden.commitment


# --- Matches


@pytest.mark.parametrize(
    ("length", "points", "games"),
    [(5, 1, 5), (5, 2, 3), (5, 3, 2), (7, 1, 7), (7, 2, 4), (7, 3, 3), (1, 1, 1), (1, 3, 1)],
)
def test_a_match_goes_on_until_a_side_has_its_points(length: Format, points: int, games: int) -> None:
    theirs = {1: {24: 2}, 2: {19: 15}, 3: {19: 13, 6: 2}}[points]
    table = Table(position=set_up({1: 1}, theirs), dice=(6, 5), length=length)
    for game in range(1, games + 1):
        assert table.view.game == game
        assert table.view.score == ((game - 1) * points, 0)
        assert table.view.phase == "seed"
        table.accepted(table.a_seed(sha256(bytes([game])).digest()))
        table.accepted(table.a_play("1/off"))
        assert table.view.score == (game * points, 0)
        if game < games:
            assert table.view.phase == "game-over"
            table.accepted(table.a_next())
    assert table.view.phase == "match-over"
    assert table.refused(table.a_next()) == "wrong-phase"


def test_the_next_game_begins_anew_with_a_secret_of_its_own() -> None:
    table = Table(position=set_up({1: 1}, {24: 2}), dice=(6, 5), length=5)
    table.accepted(table.a_seed())
    table.accepted(table.a_play("1/off"))
    assert table.accepted(table.a_next()) == (GameStarted(2, sha256(table.secret(2)).digest()),)
    view = table.view
    assert table.secret(2) != table.secret(1)
    assert (view.game, view.score, view.phase) == (2, (1, 0), "seed")
    assert (view.record, view.last, view.opening, view.result, view.dice) == ((), None, (), None, None)
    assert view.off == (14, 13)
    assert view.fairness.commitment == sha256(table.secret(2)).digest()
    assert (view.fairness.seed, view.fairness.secret) == (None, None)
    assert table.state.rolls == 0


def test_the_next_game_of_a_real_match_begins_with_an_opening_from_the_start() -> None:
    table = Table("a real match", length=5)
    table.accepted(table.a_seed())
    while table.view.phase != "game-over":
        if table.state.computer_is_due:
            table.accepted(table.a_turn())
        elif table.view.phase == "to-roll":
            table.accepted(table.a_roll())
        elif table.view.phase == "confirm":
            table.accepted(table.an_end())
        else:
            source, path, _ = table.view.options[0]
            table.accepted(table.a_move(source, path[0]))
    table.accepted(table.a_next())
    assert table.view.board == START_BOARD
    events = table.accepted(table.a_seed())
    assert isinstance(events[1], OpeningRolled)
    assert table.view.opening[-1][0] != table.view.opening[-1][1]


# --- Practice


def test_a_practice_session_starts_with_the_dice_that_were_set() -> None:
    table = Table(position=set_up({6: 5}, {24: 5}), dice=(2, 4))
    assert table.view.practice
    assert table.accepted(table.a_seed()) == (SeedGiven(SEED), DiceSet(2, 4))
    assert table.turn.dice == (4, 2)
    assert table.state.rolls == 0
    assert table.view.opening == ()


def test_a_practice_session_without_dice_is_before_the_players_roll() -> None:
    table = practice(set_up({6: 5}, {24: 5}), None)
    assert (table.view.phase, table.view.opening, table.state.rolls) == ("to-roll", (), 0)
    table.accepted(table.a_roll())
    assert table.state.rolls == 1


# --- Leaving


def test_leaving_takes_back_the_moves_of_the_turn_and_keeps_the_roll() -> None:
    table = practice(set_up({24: 2, 13: 5, 8: 3, 6: 5}, {1: 2, 4: 1, 12: 5, 17: 3, 19: 4}), (4, 2))
    at_first = table.state, table.view
    table.accepted(table.a_move(8, 4))
    half = table.state
    assert table.accepted(table.a_leave()) == (PlayerLeft(),)
    assert without_commits(table.state) == without_commits(at_first[0])
    assert table.view == at_first[1]
    assert frames(half, table.log[-1]) == ((0, "undo", Side.PLAYER, 8, 4, 4, 1),)


def test_leaving_shows_the_moves_going_back_in_turn() -> None:
    table = practice("-b----E-C---eE---c-e----B-", (6, 5), auto_end=False)
    table.accepted(table.a_move(24, 6, 5))
    half = table.state
    table.accepted(table.a_leave())
    assert [frame[3:6] for frame in frames(half, table.log[-1])] == [(18, 5, 13), (24, 6, 18)]


def test_leaving_never_takes_back_the_computers_turn() -> None:
    table = table_that_rolls("the computer starts", (2, 5))
    table.accepted(table.a_seed())
    table.accepted(table.a_turn())
    before = table.state
    table.accepted(table.a_leave())
    assert without_commits(table.state) == without_commits(before)
    table.accepted(table.a_roll())
    rolled = table.state
    table.accepted(table.a_leave())
    assert without_commits(table.state) == without_commits(rolled)
    assert len(table.view.record) == 1


def test_leaving_while_the_computer_thinks_changes_nothing_but_the_version() -> None:
    table = table_that_rolls("the computer starts", (2, 5))
    table.accepted(table.a_seed())
    before = table.state
    table.accepted(table.a_leave())
    assert without_commits(table.state) == without_commits(before)
    assert table.state.computer_is_due


def test_no_undo_leave_or_option_rolls_again() -> None:
    table = table_that_rolls("rolled once", (2, 5))
    table.accepted(table.a_seed())
    table.accepted(table.a_turn())
    table.accepted(table.a_roll())
    roll, rolls = table.turn.dice, table.state.rolls
    for _ in range(5):
        if table.view.options:
            source, path, _ = table.view.options[0]
            table.accepted(table.a_move(source, path[0]))
            table.accepted(table.an_undo() if len(table.log) % 2 else table.a_leave())
        table.accepted(table.options())
        assert table.refused(table.a_roll()) == "wrong-phase"
        assert (table.turn.dice, table.state.rolls) == (roll, rolls)
    assert legal_moves(table.state.position, table.turn.unused)


# --- Restarting


@pytest.mark.parametrize("at", ["before the seed", "in a turn", "on the computer's turn"])
def test_a_restart_drops_the_session_names_its_successor_and_reveals_the_secret(at: str) -> None:
    table = table_that_rolls("restarted", (5, 2))
    if at != "before the seed":
        table.accepted(table.a_seed())
    if at == "on the computer's turn":
        table.accepted(table.a_play("13/8 13/11"))
    successor = table.entropy.successor
    assert successor is not None
    before = table.state
    assert table.accepted(table.a_restart()) == (SessionDropped(successor, table.secret(1)),)
    view = table.view
    assert (view.phase, view.successor, view.may, view.options) == ("dropped", successor, (), ())
    assert view.fairness.secret == table.secret(1)
    assert view.board == before.position.points
    assert table.state.is_finished
    assert not table.state.computer_is_due


def test_a_restart_between_games_has_no_secret_left_to_reveal() -> None:
    table = Table(position=set_up({1: 1}, {24: 2}), dice=(6, 5), length=5)
    table.accepted(table.a_seed())
    table.accepted(table.a_play("1/off"))
    events = table.accepted(table.a_restart())
    assert events == (SessionDropped(table.entropy.successor or b"", None),)
    assert table.view.fairness.secret == table.secret(1)


def test_options_are_an_event_of_their_own() -> None:
    table = Table()
    events = table.accepted(table.options(pace="instant", auto_end=False))
    assert events == (ConductSet("instant", auto_end=False, auto_forced=False, auto_bear_off=False),)
