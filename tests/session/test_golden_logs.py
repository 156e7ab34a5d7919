"""Old games load for ever: logs that were once stored fold to the states that were kept, and damaged ones to none."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gameserver.session.events import (
    SCHEMA,
    Commit,
    GameWon,
    MoveUndone,
    OpeningRolled,
    PlayerLeft,
    SessionDropped,
    Side,
    UnreadableCommit,
    decode_commit,
    encode_commit,
)
from gameserver.session.ids import CommandId
from gameserver.session.record import read_record, verify, write_record
from gameserver.session.state import BrokenLog, fold
from tests.session.golden.kept import NAMES, commits, entries, outcome, written

ENTRY_ID = bytes(range(16))


@pytest.mark.parametrize("name", NAMES)
def test_a_kept_log_folds_to_its_kept_state_and_view(name: str) -> None:
    state = fold(commits(name))
    assert state is not None
    assert written(state) == outcome(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_kept_log_is_what_this_release_would_write(name: str) -> None:
    """True while the schema is 1; a release with another schema keeps the test of folding and drops this one."""
    assert [(commit.id, encode_commit(commit)) for commit in commits(name)] == entries(name)


@pytest.mark.parametrize("name", [name for name in NAMES if "forced-play" not in name])
def test_a_kept_log_of_a_finished_session_verifies(name: str) -> None:
    state = fold(commits(name))
    assert state is not None
    assert state.is_finished
    session, read = read_record(write_record(state.session, commits(name)))
    assert verify(session, read).games == state.game


def test_the_kept_logs_hold_what_they_are_kept_for() -> None:
    held = {name: [event for commit in commits(name) for event in commit.events] for name in NAMES}
    openings = [event for event in held["opening-with-two-ties"] if isinstance(event, OpeningRolled)]
    assert openings == [OpeningRolled(4, 4), OpeningRolled(6, 6), OpeningRolled(5, 2)]
    assert MoveUndone() in held["opening-with-two-ties"]
    assert PlayerLeft() in held["opening-with-two-ties"]
    plays = [turn[3] for turn in outcome("opening-with-two-ties")["view"]["record"]]
    assert "(no play)" in plays
    assert any("*" in play for play in plays)
    assert [(event.side, event.points) for event in held["gammon"] if isinstance(event, GameWon)] == [(Side.PLAYER, 2)]
    assert outcome("match-to-5")["view"]["phase"] == "match-over"
    assert max(outcome("match-to-5")["view"]["score"]) >= 5
    assert isinstance(held["restarted"][-1], SessionDropped)
    assert outcome("practice-of-a-forced-play")["view"]["phase"] == "confirm"
    assert outcome("practice-of-bearing-off")["view"]["practice"]


# --- What can't be read

TOO_NEW = f"schema {SCHEMA + 1}; this release reads up to {SCHEMA}"
A_TURN_ENDED = bytes([0x94, SCHEMA, 0, 1, 0x91, 0x93, 9, 0, 0])


def test_the_bytes_of_a_commit_are_schema_side_time_and_events() -> None:
    commit = decode_commit(ENTRY_ID, A_TURN_ENDED)
    assert (commit.id, commit.by, commit.at) == (ENTRY_ID, Side.PLAYER, 1)
    assert [type(event).__name__ for event in commit.events] == ["TurnEnded"]
    assert encode_commit(commit) == A_TURN_ENDED


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (
            bytes([0x94, SCHEMA + 1, 0, 1, 0x91, 0x93, 9, 0, 0]),
            TOO_NEW,
        ),
        (bytes([0x94, SCHEMA + 1, 0, 1, 0x91, 0x92, 99, 0]), TOO_NEW),
        (bytes([0x95, SCHEMA + 1, 0, 1, 0x90, 0xC0]), TOO_NEW),
        (bytes([0x94, 0, 0, 1, 0x91, 0x93, 9, 0, 0]), "schema 0"),
        (bytes([0x94, SCHEMA, 0, 1, 0x91, 0x92, 99, 0]), "damaged"),  # no such event
        (bytes([0x94, SCHEMA, 0, 1, 0x91, 0x94, 9, 0, 0, 7]), "damaged"),  # a field too many
        (bytes([0x94, SCHEMA, 0, 1, 0x91, 0x91, 9]), "damaged"),  # a field too few
        (bytes([0x94, SCHEMA, 2, 1, 0x91, 0x93, 9, 0, 0]), "damaged"),  # no such side
        (bytes([0x95, SCHEMA, 0, 1, 0x90, 0xC0]), "damaged"),
        (A_TURN_ENDED[:-1], "not a log entry"),
        (A_TURN_ENDED + b"\0", "not a log entry"),
        (b"", "not a log entry"),
        (b"\xc0", "not a log entry"),
        (b"\xc1", "not a log entry"),
        (b'{"schema": 1}', "not a log entry"),
        (b"\x92\x01" + b"\x91" * 100_000, "not a log entry"),
    ],
)
def test_an_unknown_schema_or_event_or_damaged_bytes_refuse_to_be_read(payload: bytes, why: str) -> None:
    with pytest.raises(UnreadableCommit, match=why):
        decode_commit(ENTRY_ID, payload)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=60))
def test_no_bytes_come_out_as_another_error(payload: bytes) -> None:
    try:
        commit = decode_commit(ENTRY_ID, payload)
    except UnreadableCommit:
        return
    assert decode_commit(ENTRY_ID, encode_commit(commit)) == commit


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_damaged_log_folds_or_is_refused_and_fails_in_no_other_way(data: st.DataObject) -> None:
    stored = entries(data.draw(st.sampled_from(["restarted", "gammon", "practice-of-bearing-off"])))
    index = data.draw(st.integers(0, len(stored) - 1))
    commit_id, payload = stored[index]
    damaged = bytearray(payload)
    damaged[data.draw(st.integers(0, len(payload) - 1))] = data.draw(st.integers(0, 255))
    stored[index] = (commit_id, bytes(damaged))
    try:
        fold(decode_commit(*entry) for entry in stored)
    except (UnreadableCommit, BrokenLog) as error:
        refused = str(error)
        assert refused


def test_a_log_with_an_entry_lost_or_doubled_is_refused() -> None:
    kept = commits("gammon")
    for index in range(1, len(kept) - 1):
        for damaged in (kept[:index] + kept[index + 1 :], kept[: index + 1] + kept[index:]):
            with pytest.raises(BrokenLog):
                fold(damaged)


def test_a_log_must_begin_with_the_start_of_its_session() -> None:
    kept = commits("gammon")
    assert fold([]) is None
    with pytest.raises(BrokenLog, match="begin"):
        fold(kept[1:])
    with pytest.raises(BrokenLog, match="starts twice"):
        fold([kept[0], kept[0]])


def test_a_commit_without_events_is_refused() -> None:
    kept = commits("gammon")
    empty = Commit(CommandId(ENTRY_ID), Side.PLAYER, 0, ())
    for log in ([empty], [*kept, empty]):
        with pytest.raises(BrokenLog, match="without events"):
            fold(log)
