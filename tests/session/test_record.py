"""The record that a player takes away: written, read again, and checked against every way to cheat."""

import json
from collections.abc import Callable
from random import Random
from typing import Any, TypeVar

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gameserver.backgammon import legal_moves
from gameserver.session.events import (
    Commit,
    DiceSet,
    Event,
    GameStarted,
    GameWon,
    Moved,
    OpeningRolled,
    Rolled,
    SeedGiven,
    SessionDropped,
    Side,
    TurnEnded,
)
from gameserver.session.ids import CommandId, SessionId, command_id_from_hex, session_id_from_hex
from gameserver.session.record import (
    DiceDoNotFit,
    UnreadableRecord,
    Verified,
    read_record,
    verify,
    write_record,
)
from gameserver.session.state import BrokenLog, evolve_event, fold
from tests.session.fair_dice import secret_that_rolls
from tests.session.playing import any_command
from tests.session.table import SEED, Table, practice, session_of, set_up

Commits = list[Commit]
E = TypeVar("E", bound=msgspec.Struct)


def played(name: str, table: Table | None = None) -> Table:
    table = table or Table(name)
    chance = Random(name)
    while not table.state.is_finished:
        table.accepted(any_command(table, chance))
    return table


GAME = played("a game to tamper with", Table("tampered", length=1))


def changed(
    kind: type[E], change: Callable[[E], Event | tuple[Event, ...]], *, nth: int = 0, log: Commits | None = None
) -> Commits:
    """The log with the nth event of this kind replaced."""
    seen = 0
    commits = []
    for commit in GAME.log if log is None else log:
        events: list[Event] = []
        for event in commit.events:
            if not isinstance(event, kind):
                events.append(event)
                continue
            replaced = change(event) if seen == nth else event
            seen += 1
            events.extend(replaced if isinstance(replaced, tuple) else (replaced,))
        commits.append(msgspec.structs.replace(commit, events=tuple(events)))
    assert seen > nth
    return commits


def does_not_fit(commits: Commits, why: str, session: SessionId = GAME.session) -> None:
    with pytest.raises(DiceDoNotFit, match=why):
        verify(session, commits)


# --- Written and read


@pytest.mark.parametrize(
    "table",
    [
        GAME,
        Table("only started"),
        practice("------a---A---------------", (4, 2), name="practice"),
        played("restarted", Table("restarted", position=set_up({1: 2}, {24: 2}), dice=(2, 1), length=7)),
    ],
    ids=["a game", "only started", "practice", "a match of practice"],
)
def test_a_record_is_read_as_it_was_written(table: Table) -> None:
    session, commits = read_record(write_record(table.session, table.log))
    assert (session, commits) == (table.session, table.log)
    assert fold(commits) == table.state


def test_a_record_is_plain_json_with_bytes_in_hex() -> None:
    written = json.loads(write_record(GAME.session, GAME.log))
    assert (written["record"], written["session"]) == (1, GAME.session.hex())
    first, second = written["commits"][:2]
    assert first["id"] == GAME.log[0].id.hex()
    assert (first["by"], first["at"]) == ("player", GAME.log[0].at)
    assert first["events"][1] == {"event": "GameStarted", "game": 1, "commitment": GAME.state.commitment.hex()}
    assert [event["event"] for event in second["events"]][:2] == ["SeedGiven", "OpeningRolled"]
    assert {"player", "computer"} == {commit["by"] for commit in written["commits"]}


def test_real_games_verify() -> None:
    assert verify(GAME.session, GAME.log) == Verified(1, GAME.state.rolls)


def test_a_dropped_session_verifies_for_its_secret_is_revealed() -> None:
    table = Table("dropped")
    table.accepted(table.a_seed())
    table.accepted(table.a_restart())
    assert verify(table.session, table.log) == Verified(1, table.state.rolls)


def test_a_practice_game_verifies_though_its_first_dice_were_set() -> None:
    table = practice(set_up({1: 2}, {24: 2}), (2, 1))
    table.accepted(table.a_play("1/off(2)"))
    assert verify(table.session, table.log) == Verified(1, 0)


# --- Tampered with


def other_face(face: int) -> int:
    return face % 6 + 1


@pytest.mark.parametrize("nth", [0, 3, 10])
def test_a_changed_die_is_named_with_its_game_and_roll(nth: int) -> None:
    def change(event: Rolled) -> Event:
        return msgspec.structs.replace(event, first=other_face(event.first))

    number = nth + 1 + len(GAME.state.opening)
    does_not_fit(changed(Rolled, change, nth=nth), rf"game 1, roll {number} is \d-\d, must be \d-\d")


def test_dice_in_the_other_order_do_not_fit() -> None:
    nth = next(
        index
        for index, event in enumerate(e for c in GAME.log for e in c.events if isinstance(e, Rolled))
        if event.first != event.second
    )

    def change(event: Rolled) -> Event:
        return msgspec.structs.replace(event, first=event.second, second=event.first)

    does_not_fit(changed(Rolled, change, nth=nth), "must be")


def test_a_changed_die_of_the_opening_is_named() -> None:
    does_not_fit(
        changed(OpeningRolled, lambda e: msgspec.structs.replace(e, player=other_face(e.player))),
        "game 1, roll 1 is",
    )


def test_another_secret_is_not_the_one_committed_to() -> None:
    swapped = changed(GameWon, lambda event: msgspec.structs.replace(event, secret=bytes(32)))
    does_not_fit(swapped, "commit 1: game 1: the secret revealed is not the one committed to")


def test_another_secret_with_its_own_commitment_gives_other_dice() -> None:
    other = Table("another")
    swapped = changed(GameWon, lambda event: msgspec.structs.replace(event, secret=other.secret(1)))
    swapped = changed(GameStarted, lambda e: msgspec.structs.replace(e, commitment=other.state.commitment), log=swapped)
    does_not_fit(swapped, r"game 1, roll \d+ is")


def test_another_seed_gives_other_dice() -> None:
    does_not_fit(changed(SeedGiven, lambda event: msgspec.structs.replace(event, seed=bytes(32))), r"roll \d+ is")


def test_a_game_whose_secret_is_not_revealed_does_not_fit() -> None:
    does_not_fit(GAME.log[:-1], "the secret of game 1 is not revealed")
    does_not_fit(changed(GameWon, lambda _: ()), "the secret of game 1 is not revealed")


def test_a_restart_that_reveals_nothing_does_not_fit() -> None:
    table = Table("dropped")
    table.accepted(table.a_seed())
    table.accepted(table.a_restart())
    hidden = changed(SessionDropped, lambda event: msgspec.structs.replace(event, secret=None), log=table.log)
    does_not_fit(hidden, "the secret of game 1 is not revealed", table.session)


def test_a_seed_given_before_the_commitment_does_not_fit() -> None:
    commits = changed(GameStarted, lambda event: (SeedGiven(SEED), event))
    does_not_fit(commits, "commit 1: a seed that was not asked for")


def test_a_second_seed_does_not_fit() -> None:
    does_not_fit(changed(SeedGiven, lambda event: (event, event)), "commit 2: a seed that was not asked for")


def test_a_roll_before_the_seed_does_not_fit() -> None:
    does_not_fit(changed(SeedGiven, lambda _: ()), "commit 2: a roll before the player's seed")


def test_a_second_roll_in_one_turn_does_not_fit_though_its_dice_are_the_next() -> None:
    """A side that does not like its roll may not take the next one instead."""
    name = "rolls twice"
    secret = secret_that_rolls(session_of(name), SEED, ((6, 1), (2, 1), (4, 4)))
    table = Table(name, secrets={1: secret})
    table.accepted(table.a_seed())
    played(name, table)
    twice = changed(Rolled, lambda event: (event, Rolled(event.side, 4, 4)), log=table.log)
    does_not_fit(twice, "a roll by a side that is not to roll", table.session)


def test_set_dice_in_a_game_that_was_not_set_up_do_not_fit() -> None:
    does_not_fit(changed(Rolled, lambda _: DiceSet(6, 6)), "set dice that the session does not start with")


def test_other_set_dice_than_the_sessions_do_not_fit() -> None:
    table = practice(set_up({1: 2}, {24: 2}), (2, 1))
    table.accepted(table.a_play("1/off(2)"))
    commits = changed(DiceSet, lambda _: DiceSet(6, 6), log=table.log)
    does_not_fit(commits, "set dice that the session does not start with", table.session)


def test_a_game_that_begins_anew_does_not_fit() -> None:
    again = changed(Rolled, lambda event: (GameStarted(1, GAME.state.commitment), event))
    does_not_fit(again, "a game begins out of turn")


def test_a_roll_in_place_of_the_opening_does_not_fit() -> None:
    commits = changed(
        OpeningRolled,
        lambda e: Rolled(Side.PLAYER, e.player, e.computer),
    )
    does_not_fit(commits, "a roll in place of the opening")


def test_an_illegal_move_does_not_fit() -> None:
    def change(event: Moved) -> Event:
        return msgspec.structs.replace(event, source=3, target=max(3 - event.die, 0))

    does_not_fit(changed(Moved, change), r"the move 3/\d by \d is not legal")


def test_a_move_out_of_turn_does_not_fit() -> None:
    does_not_fit(changed(Moved, lambda e: msgspec.structs.replace(e, side=e.side.other)), "out of turn")


def test_a_turn_that_ends_with_dice_to_play_does_not_fit() -> None:
    """Dropping the last move of some turn."""
    commits: Commits = []
    cut = False
    for commit in GAME.log:
        kinds = [type(event) for event in commit.events]
        if not cut and kinds == [Rolled, Moved, Moved, TurnEnded]:
            commit = msgspec.structs.replace(commit, events=(*commit.events[:2], commit.events[3]))  # noqa: PLW2901
            cut = True
        commits.append(commit)
    assert cut
    does_not_fit(commits, "the turn ends with dice that can still be played")


def test_a_win_that_is_none_does_not_fit() -> None:
    early = changed(TurnEnded, lambda e: GameWon(e.side, 1, GAME.secret(1)), log=GAME.log)
    does_not_fit(early, "a win that the board does not show")
    doubled = changed(GameWon, lambda e: msgspec.structs.replace(e, points=e.points % 3 + 1))
    does_not_fit(doubled, "a win that the board does not show")


def test_a_record_of_another_session_does_not_fit() -> None:
    does_not_fit(GAME.log, "the log is of another session", session_of("another"))


def test_a_record_without_commits_or_without_a_game_does_not_fit() -> None:
    does_not_fit([], "the record is empty")
    does_not_fit([msgspec.structs.replace(GAME.log[0], events=())], "the record is empty")
    does_not_fit(GAME.log[1:], "commit 1")
    does_not_fit(changed(GameStarted, lambda _: ()), "commit 2: a seed that was not asked for")


@pytest.mark.parametrize("kind", [Rolled, OpeningRolled, Moved, TurnEnded, GameWon, SeedGiven, GameStarted])
def test_an_event_left_out_does_not_fit(kind: type[Event]) -> None:
    does_not_fit(changed(kind, lambda _: ()), "commit|not revealed")


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_single_change_of_a_number_goes_unnoticed(data: st.DataObject) -> None:
    """Every die, move, side, point and game number of a record is held against something."""
    numbers = [
        (index, place, name)
        for index, commit in enumerate(GAME.log)
        for place, event in enumerate(commit.events)
        if isinstance(event, Rolled | OpeningRolled | Moved | GameWon | GameStarted | TurnEnded)
        for name in event.__struct_fields__
        if name not in {"at", "secret", "commitment"}
    ]
    index, place, name = data.draw(st.sampled_from(numbers))
    commit = GAME.log[index]
    event = commit.events[place]
    value = getattr(event, name)
    other: Any
    if isinstance(value, bool):
        other = not value
    elif isinstance(value, Side):
        other = value.other
    else:
        other = data.draw(st.integers(-1, 27).filter(lambda number: number != value))
    events = list(commit.events)
    events[place] = msgspec.structs.replace(event, **{name: other})
    log = list(GAME.log)
    log[index] = msgspec.structs.replace(commit, events=tuple(events))
    with pytest.raises(DiceDoNotFit):
        verify(GAME.session, log)


# --- Unreadable


def record(**fields: Any) -> bytes:
    whole: dict[str, Any] = {"record": 1, "session": "00" * 16, "commits": []}
    return json.dumps({**whole, **fields}).encode()


def commit_json(*events: dict[str, Any], **fields: Any) -> bytes:
    whole = {"id": "00" * 16, "by": "player", "at": 1, "events": list(events)}
    return record(commits=[{**whole, **fields}])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "not a record"),
        (b"\xff\xfe", "not a record"),
        (b"[]", "not a record"),
        (b"{}", "missing required field"),
        (record(record=2), "version 2; this release reads 1"),
        (record(session="00"), "a session id has 32 hex digits, not 2"),
        (record(session="0 " * 16), "a session id has hex digits only"),
        (record(session="zz" * 16), "a session id has hex digits only"),
        (record(commits={}), "Expected `array`"),
        (commit_json(id="12"), "a command id has 32 hex digits"),
        (commit_json(by="nobody"), "there is no side 'nobody'"),
        (commit_json(at="noon"), "Expected `int`"),
        (commit_json({}), "no such event: None"),
        (commit_json({"event": "Cheated"}), "no such event: 'Cheated'"),
        (commit_json({"event": ["Moved"]}), "no such event"),
        (commit_json({"event": "SeedGiven"}), "SeedGiven lacks seed"),
        (commit_json({"event": "SeedGiven", "seed": "xy"}), "non-hexadecimal"),
        (commit_json({"event": "SeedGiven", "seed": "00", "more": 1}), "SeedGiven has no field 'more'"),
        (commit_json({"event": "TurnEnded", "side": "ivory", "at": 0}), "there is no side 'ivory'"),
        (commit_json({"event": "TurnEnded", "side": "player", "at": "0"}), "Expected `int`"),
        (b"[" * 100_000, "not a record"),
        (b'{"more":' + b"[" * 100_000, "not a record"),
        (commit_json().replace(b'"events": []', b'"events": [' + b'{"event":' * 50_000), "not a record"),
    ],
)
def test_what_is_no_record_is_refused_with_what_is_wrong(text: bytes, why: str) -> None:
    with pytest.raises(UnreadableRecord, match=why):
        read_record(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 70) | st.integers() | st.text(max_size=8) | st.just("00" * 16),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
EVENT_NAMES = st.sampled_from(["Moved", "Rolled", "GameStarted", "SessionStarted", "SeedGiven", "GameWon", "TurnEnded"])
FIELD_NAMES = st.sampled_from(
    [
        "side",
        "at",
        "source",
        "die",
        "target",
        "hit",
        "first",
        "second",
        "game",
        "commitment",
        "seed",
        "points",
        "secret",
    ]
)
EVENTS = st.dictionaries(FIELD_NAMES, JSON | st.sampled_from(["player", "computer"]), max_size=7).flatmap(
    lambda fields: EVENT_NAMES.map(lambda name: {"event": name, **fields})
)


def commit_of(events: list[Any]) -> bytes:
    return record(commits=[{"id": "00" * 16, "by": "player", "at": 0, "events": events}])


@settings(max_examples=400, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=200),
        JSON.map(lambda value: json.dumps(value).encode()),
        st.lists(EVENTS | JSON, max_size=3).map(commit_of),
        st.fixed_dictionaries({"record": JSON, "session": JSON, "commits": st.lists(JSON, max_size=2)}).map(
            lambda value: json.dumps(value).encode()
        ),
    )
)
@example(b'{"record": 1e400, "session": "", "commits": []}')
def test_whatever_is_read_comes_out_as_a_record_or_as_unreadable(text: bytes) -> None:
    assert judged(text) in {"unreadable", "does not fit"}


WRITTEN = write_record(GAME.session, GAME.log)
DAMAGE = st.tuples(st.integers(0, len(WRITTEN) - 1), st.sampled_from(list(b'0129abcfx"{}[],:- \n\xff')))


@settings(max_examples=300, deadline=None)
@given(st.lists(DAMAGE, min_size=1, max_size=4))
def test_a_damaged_record_fails_in_no_other_way(damage: list[tuple[int, int]]) -> None:
    damaged = bytearray(WRITTEN)
    for at, byte in damage:
        damaged[at] = byte
    assert judged(bytes(damaged)) in {"unreadable", "does not fit", "verified"}


def judged(text: bytes) -> str:
    """What comes of a record; no error but the two that are documented may come out."""
    try:
        session, commits = read_record(text)
        verify(session, commits)
    except UnreadableRecord:
        return "unreadable"
    except DiceDoNotFit:
        return "does not fit"
    return "verified"


# --- Ids


@pytest.mark.parametrize("text", ["", "00", "0" * 31, "0" * 33, "g" * 32, "00 " * 10 + "00", " " * 32, "０" * 32])
def test_an_id_is_32_hex_digits(text: str) -> None:
    for read in (session_id_from_hex, command_id_from_hex):
        with pytest.raises(ValueError, match="hex digits"):
            read(text)


def test_an_id_is_read_in_either_case() -> None:
    assert session_id_from_hex("aB" * 16) == SessionId(b"\xab" * 16)
    assert command_id_from_hex("0f" * 16) == CommandId(b"\x0f" * 16)


# --- The fold itself


def test_the_fold_refuses_moves_that_the_board_does_not_allow_as_a_broken_log() -> None:
    table = practice("-b----E-C---eE---c-e----B-", (3, 1))
    for broken in (Moved(Side.PLAYER, 24, 3, 20, hit=False), Moved(Side.PLAYER, 7, 3, 4, hit=False)):
        with pytest.raises(BrokenLog):
            evolve_event(table.state, broken)
    assert legal_moves(table.state.position, table.turn.unused)
