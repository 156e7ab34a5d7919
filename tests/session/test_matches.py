"""Whole games and matches, played by chance to their end, with every rule of checks.py held at every step."""

from random import Random

import pytest

from gameserver.session.decide import Repeated
from gameserver.session.events import Format
from gameserver.session.record import read_record, verify, write_record
from tests.session.checks import Watch
from tests.session.playing import any_command, next_command, wins
from tests.session.table import Table

MOST_COMMANDS = 6_000


def played_to_the_end(table: Table, chance: Random, *, watched: bool) -> None:
    watch = Watch(table) if watched else None
    for _ in range(MOST_COMMANDS):
        if table.state.is_finished:
            break
        table.accepted(any_command(table, chance) if watched else next_command(table, chance))
        if watch is not None:
            watch.look()
    if watch is not None:
        watch.fold_again()
    assert table.state.is_match_over


@pytest.mark.parametrize(("length", "number"), [(1, 1), (1, 2), (5, 1), (7, 1)])
def test_a_match_ends_with_the_side_that_first_has_its_points(length: Format, number: int) -> None:
    table = Table(f"match to {length}, {number}", length=length)
    played_to_the_end(table, Random(f"{length} {number}"), watched=True)

    won = wins(table)
    score = [0, 0]
    for game in won[:-1]:
        score[game.side] += game.points
        assert max(score) < length
    score[won[-1].side] += won[-1].points
    assert score[won[-1].side] >= length
    assert table.view.score == tuple(score)
    assert table.view.game == len(won)
    assert table.view.phase == "match-over"
    assert table.view.may == ()
    assert table.view.result is not None
    assert (table.view.result.winner, table.view.result.points) == (won[-1].side, won[-1].points)


def test_nothing_more_happens_after_the_match() -> None:
    table = Table("after the match")
    played_to_the_end(table, Random(7), watched=False)
    for command in (
        table.a_seed(),
        table.a_roll(),
        table.a_move(6, 1),
        table.a_play("6/5"),
        table.an_end(),
        table.a_next(),
        table.a_leave(),
        table.a_restart(),
        table.options(),
        table.a_turn(()),
    ):
        assert table.refused(command) == "wrong-phase"
    assert table.refused(table.an_undo()) == "nothing-to-undo"


@pytest.mark.parametrize("number", range(3))
def test_the_record_of_a_played_match_verifies(number: int) -> None:
    table = Table(f"record {number}", length=5)
    played_to_the_end(table, Random(number), watched=False)
    session, commits = read_record(write_record(table.session, table.log))
    assert session == table.session
    assert commits == table.log
    verified = verify(session, commits)
    assert verified.games == table.state.game
    assert verified.rolls >= 2 * verified.games


def test_every_commit_of_a_game_is_remembered_as_its_version() -> None:
    table = Table("remembered")
    played_to_the_end(table, Random(3), watched=False)
    last = table.log[-1]
    command = table.a_roll()
    for version, commit in enumerate(table.log, start=1):
        again = type(command)(commit.id, command.base)
        if len(table.log) - version < 256:
            assert table.submit(again) == Repeated(version)
        else:
            assert table.refused(again) == "wrong-phase"
    assert table.log[-1] is last
