"""The log of a finished session becomes one small value, and whoever reads or appends notices nothing."""

import asyncio
import os
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.asyncio import Redis as Client

from gameserver.archive import Archived, archive, read_archive
from gameserver.session.events import UnreadableCommit, decode_commit
from gameserver.session.record import read_record, verify, write_record
from gameserver.session.state import fold
from gameserver.store import Appended, Conflict, Entry, Head, Policy, Store
from gameserver.store.keys import log_key, packing_key, secrets_key, shard_of
from gameserver.store.packed import SHORT, WHOLE_IDS, is_commit, pack, unpack
from gameserver.store.rebuild import rebuild_index
from gameserver.store.replay import replay, whole_log

from .finished import entries_of, finished_log, written
from .servers import Server
from .test_archive import files

PLAYED = [finished_log(seed) for seed in range(4)]
SESSION, COMMITS = PLAYED[0]
ENTRIES = entries_of(COMMITS)
PACKED = pack(ENTRIES)


def stored(entries: list[tuple[bytes, bytes]]) -> list[Entry]:
    """As a packed log gives them back: old ids are shortened."""
    old = len(entries) - WHOLE_IDS
    return [
        Entry(version, commit_id if version > old else commit_id[:SHORT] + bytes(16 - SHORT), contents)
        for version, (commit_id, contents) in enumerate(entries, 1)
    ]


async def kind_of(client: Client, session: bytes) -> object:
    return await client.type(log_key(session))


# --- The form


@given(st.lists(st.tuples(st.binary(min_size=16, max_size=16), st.binary(max_size=60)), min_size=1, max_size=60))
def test_anything_is_packed_and_unpacked(entries: list[tuple[bytes, bytes]]) -> None:
    unpacked = unpack(pack(entries))
    assert [Entry(version, *each) for version, each in enumerate(unpacked, 1)] == stored(entries)
    assert all(is_commit(one[0], other[0]) for one, other in zip(unpacked, entries, strict=True))


@pytest.mark.parametrize(("session", "commits"), PLAYED)
def test_a_game_is_small_when_packed_and_comes_back_whole(session: bytes, commits: list[object]) -> None:
    entries = entries_of(commits)  # type: ignore[arg-type]
    packed = pack(entries)
    assert len(packed) < 20 * len(entries)
    assert [contents for _, contents in unpack(packed)] == [contents for _, contents in entries]


@given(st.integers(0, len(PACKED) - 1), st.integers(1, 255), st.booleans())
def test_what_is_damaged_is_refused(at: int, changed: int, cut: bool) -> None:
    packed = bytearray(PACKED)
    packed[at] ^= changed
    with pytest.raises(UnreadableCommit, match="packed log"):
        unpack(bytes(packed[:at] if cut else packed))


def test_the_form_of_another_release_is_refused_by_name() -> None:
    with pytest.raises(UnreadableCommit, match="format 2; this release reads 1"):
        unpack(b"\2" + PACKED[1:])


def test_what_was_packed_once_is_read_for_ever() -> None:
    unpacked = unpack(bytes.fromhex((Path(__file__).parent / "golden" / "packed-1.hex").read_text()))
    told = [
        sha256(b"".join(each)).hexdigest() for each in ((one[:SHORT] for one, _ in unpacked), dict(unpacked).values())
    ]
    assert told == [
        "2f092a5bca141fc205c77f0321ee7aeec917dadd4f60eabbc6633b592f7b0dd0",
        "00ef5c6009965e0e71cde493abe8980bb5faf7a5fbe030935bedfd0403839372",
    ]
    state = fold(decode_commit(*each) for each in unpacked)
    assert state is not None
    assert state.is_finished


def test_another_commit_is_not_taken_for_this_one() -> None:
    one, other = os.urandom(16), os.urandom(16)
    short = one[:SHORT] + bytes(16 - SHORT)
    assert is_commit(one, one)
    assert is_commit(short, one)
    assert not is_commit(other, one)
    assert not is_commit(short, bytes([one[0] ^ 1]) + one[1:])
    assert not is_commit(one, None)


# --- In the store


async def test_every_reader_finds_what_was_there_before(server: Server, store: Store) -> None:
    await written(store, SESSION, ENTRIES)
    before = await whole_log(store.log, SESSION)
    assert list(before) == COMMITS
    secret = await store.log.secret(SESSION, 1)
    async with Client.from_url(server.url) as client:
        assert await store.packing.pack_some(after_ms=0) == 1
        assert await kind_of(client, SESSION) == b"string"
        assert await client.exists(packing_key(shard_of(SESSION))) == 0
    wanted = stored(ENTRIES)
    for after in (0, 1, 5, len(ENTRIES) - 1, len(ENTRIES), len(ENTRIES) + 1):
        for limit in (1, 7, 1000):
            assert await store.log.read(SESSION, after, limit) == wanted[after : after + limit]
    head = Head(len(ENTRIES), ENTRIES[-1][0])
    assert await store.log.head(SESSION) == head
    assert await store.log.heads([os.urandom(16), SESSION]) == [None, head]
    assert await store.log.version(SESSION) == len(ENTRIES)
    assert await store.log.secret(SESSION, 1) == secret
    now = await whole_log(store.log, SESSION)
    assert [(each.by, each.at, each.events) for each in now] == [(each.by, each.at, each.events) for each in before]
    assert verify(*read_record(write_record(SESSION, now))).games == 1
    assert not await store.packing.pack(SESSION), "once is enough"


async def test_a_fold_of_before_goes_on(store: Store) -> None:
    """Its ids are whole, the log's are not any more: that is no other past."""
    await written(store, SESSION, ENTRIES)
    known = [fold(COMMITS[:version]) for version in (1, 40, len(COMMITS))]
    assert await store.packing.pack(SESSION)
    for state in known:
        assert state is not None
        found = await replay(store.log, SESSION, state)
        assert found is not None
        assert found.commits is not None
        assert len(found.commits) == len(COMMITS) - state.version
        assert found.state.last == COMMITS[-1].id


async def test_one_who_reads_piece_by_piece_meanwhile_reads_all(store: Store) -> None:
    await written(store, SESSION, ENTRIES)
    first = await store.log.read(SESSION, 0, 50)
    assert await store.packing.pack(SESSION)
    rest = await store.log.read(SESSION, 50, 1000)
    assert [entry.payload for entry in first + rest] == [contents for _, contents in ENTRIES]


async def test_nothing_is_appended_and_the_last_commit_is_known_again(store: Store) -> None:
    await written(store, SESSION, ENTRIES)
    assert await store.packing.pack(SESSION)
    size, (last, contents) = len(ENTRIES), ENTRIES[-1]
    refused = Conflict(size, last)
    assert await store.log.append(SESSION, size, last, os.urandom(16), b"more", computer_due=False) == refused
    assert await store.log.append(SESSION, 0, None, os.urandom(16), b"more", computer_due=False) == refused
    before = ENTRIES[-2][0]
    again = await store.log.append(SESSION, size - 1, before, last, contents, computer_due=False, finished=True)
    assert again == Appended(size)
    for other in (contents + b"x", contents[:-1], b""):
        outcome = await store.log.append(SESSION, size - 1, before, last, other, computer_due=False, finished=True)
        assert outcome == refused
    assert await store.log.version(SESSION) == size


async def test_a_session_that_can_go_on_is_left_alone(server: Server, store: Store) -> None:
    session, commits = PLAYED[1]
    await written(store, session, entries_of(commits)[:-1])  # the last of these is marked as the last, and is not
    async with Client.from_url(server.url) as client:
        assert await store.packing.pack_some(after_ms=0) == 0
        assert await kind_of(client, session) == b"stream"
        assert await client.exists(packing_key(shard_of(session))) == 0
    assert not await store.packing.pack(os.urandom(16))


async def test_what_cannot_be_read_is_left_alone_and_not_tried_for_ever(server: Server, store: Store) -> None:
    session = os.urandom(16)
    await written(store, session, [(os.urandom(16), b"of a later release")])
    async with Client.from_url(server.url) as client:
        assert await store.packing.pack_some(after_ms=0) == 0
        assert await kind_of(client, session) == b"stream"
        assert await client.exists(packing_key(shard_of(session))) == 0


async def test_nothing_is_packed_before_its_time(server: Server, store: Store) -> None:
    await written(store, SESSION, ENTRIES)
    assert await store.packing.pack_some() == 0
    async with Client.from_url(server.url) as client:
        assert await kind_of(client, SESSION) == b"stream"
        assert await client.zcard(packing_key(shard_of(SESSION))) == 1


async def test_two_who_pack_at_once_do_no_harm(store: Store) -> None:
    await written(store, SESSION, ENTRIES)
    outcomes = await asyncio.gather(*(store.packing.pack(SESSION) for _ in range(3)))
    assert sorted(outcomes) == [False, False, True]
    assert await store.log.read(SESSION) == stored(ENTRIES)


async def test_it_is_kept_no_longer_and_no_shorter(server: Server) -> None:
    async with Store(server.url, Policy(finished_ms=60_000)) as store, Client.from_url(server.url) as client:
        await written(store, SESSION, ENTRIES)
        await client.pexpire(log_key(SESSION), 30_000)
        assert await store.packing.pack(SESSION)
        assert 20_000 < await client.pttl(log_key(SESSION)) <= 30_000
        await client.pexpire(log_key(SESSION), 1)
        while await store.log.version(SESSION):  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        assert await store.log.read(SESSION) == []
        assert await store.log.head(SESSION) is None


async def test_packed_sessions_are_archived_like_others(server: Server, tmp_path: Path) -> None:
    async with Store(server.url, Policy(finished_ms=0, archive=True)) as store, Client.from_url(server.url) as client:
        for session, commits in PLAYED[:3]:
            await written(store, session, entries_of(commits))
        assert await store.packing.pack_some(after_ms=0) == 3
        assert await client.pttl(log_key(SESSION)) == -1
        assert await archive(store, tmp_path) == Archived(3, 0)
        assert await client.exists(log_key(SESSION), secrets_key(SESSION)) == 0
    (file,) = files(tmp_path)
    records = [read_record(record) for record in read_archive(file)]
    assert {session for session, _ in records} == {session for session, _ in PLAYED[:3]}
    assert all(verify(*record).games == 1 for record in records)


async def test_a_commit_after_the_head_that_was_archived_is_not_deleted(server: Server) -> None:
    async with Store(server.url, Policy(finished_ms=0, archive=True)) as store:
        await written(store, SESSION, ENTRIES)
        assert await store.packing.pack(SESSION)
        assert not await store.ages.delete(SESSION, Head(len(ENTRIES) - 1, ENTRIES[-2][0]))
        assert not await store.ages.delete(SESSION, Head(len(ENTRIES), os.urandom(16)))
        assert await store.ages.delete(SESSION, Head(len(ENTRIES), ENTRIES[-1][0]))
        assert await store.log.version(SESSION) == 0


async def test_sessions_of_an_older_release_are_packed_after_the_index_was_made_anew(
    server: Server, store: Store
) -> None:
    await written(store, SESSION, ENTRIES)
    async with Client.from_url(server.url) as client:
        await client.delete(packing_key(shard_of(SESSION)))
        assert await store.packing.pack_some(after_ms=0) == 0
        assert (await rebuild_index(store)).sessions == 1
        assert await store.packing.pack_some() == 1
        assert (await rebuild_index(store)).sessions == 1
        assert await store.packing.pack_some() == 0
        assert await client.exists(packing_key(shard_of(SESSION))) == 0


async def test_a_turn_of_a_packed_session_is_done(store: Store) -> None:
    await store.turns.sweep()
    await written(store, SESSION, ENTRIES)
    assert await store.turns.requeue(SESSION, 9)
    assert await store.packing.pack(SESSION)
    (turn,) = await store.turns.take("one", 1, 0)
    await store.turns.done(turn, (9, ENTRIES[8][0]))
    assert (await store.turns.due()).turns == 0
