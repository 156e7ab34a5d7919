"""The queue of the computer's turns: taken once, taken over from the dead, bounded."""

import asyncio
import time
from collections.abc import Callable

import pytest
from redis.asyncio import Redis as Client

from gameserver.computer import worker
from gameserver.computer.fallback import Fallback
from gameserver.computer.player import Player
from gameserver.store import Head, Store, Turn
from gameserver.store.keys import SHARDS, log_key, turns_key

from .servers import Server

NewId = Callable[[], bytes]


async def make_due(store: Store, session: bytes) -> None:
    await store.log.append(session, 0, None, session, b"x", computer_due=True)


def in_shard(shard: int, rest: bytes) -> bytes:
    return bytes([shard]) + rest[1:]


async def test_a_turn_is_taken_once_and_done(server: Server, store: Store, new_id: NewId) -> None:
    session = new_id()
    await make_due(store, session)
    (turn,) = await store.turns.take("one", 5, 0)
    assert (turn.session, turn.version, turn.shard, turn.taken_over) == (session, 1, session[0] % 64, False)
    assert await store.turns.take("two", 5, 0) == []
    await store.turns.done(turn)
    await store.turns.done(turn)
    async with Client.from_url(server.url) as client:
        key = turns_key(turn.shard)
        assert await client.xlen(key) == 0, "what is done leaves the stream"
        assert (await client.xpending(key, "computers"))["pending"] == 0


async def test_no_more_is_taken_than_was_asked_for(store: Store, new_id: NewId) -> None:
    sessions = {in_shard(shard, new_id()) for shard in range(SHARDS) for _ in range(2)}
    await asyncio.gather(*(make_due(store, each) for each in sessions))
    taken = []
    while turns := await store.turns.take("one", 10, 0):
        assert len(turns) <= 10
        taken += turns
    assert {turn.session for turn in taken} == sessions
    assert len(taken) == len(sessions)


async def test_a_turn_wakes_a_worker_that_waits(store: Store, new_id: NewId) -> None:
    await store.turns.sweep()
    waiting = asyncio.create_task(store.turns.take("one", 5, 60_000))
    await asyncio.sleep(0.05)
    assert not waiting.done()
    session = new_id()
    await make_due(store, session)
    async with asyncio.timeout(5):
        assert [turn.session for turn in await waiting] == [session]


async def test_a_wait_ends_when_nothing_comes(store: Store) -> None:
    begun = asyncio.get_running_loop().time()
    assert await store.turns.take("one", 5, 100) == []
    assert asyncio.get_running_loop().time() - begun >= 0.1


async def test_a_dead_workers_turns_are_taken_over(server: Server, new_id: NewId) -> None:
    sessions = {new_id() for _ in range(20)}
    async with Store(server.url) as dead, Store(server.url, min_idle_ms=200) as heir:
        await asyncio.gather(*(make_due(dead, each) for each in sessions))
        assert {turn.session for turn in await dead.turns.take("dead", 100, 0)} == sessions
        inherited: list[Turn] = []
        async with asyncio.timeout(10):
            while len(inherited) < 20:
                turns = await heir.turns.take("heir", 7, 1_000)
                assert len(turns) <= 7
                assert all(turn.taken_over for turn in turns)
                for turn in turns:
                    await heir.turns.done(turn)
                inherited += turns
        assert {turn.session for turn in inherited} == sessions


async def taken_long_ago(client: Client, taken: list[Turn]) -> None:
    for turn in taken:
        await client.xclaim(turns_key(turn.shard), "computers", "dead", 0, [turn.receipt], idle=3_600_000)


async def test_many_overdue_turns_are_taken_over_without_a_pause(server: Server, new_id: NewId) -> None:
    sessions = {new_id() for _ in range(40)}
    async with Store(server.url) as dead, Store(server.url, min_idle_ms=600_000) as heir:
        await asyncio.gather(*(make_due(dead, each) for each in sessions))
        async with Client.from_url(server.url) as client:
            await taken_long_ago(client, await dead.turns.take("dead", 100, 0))
        inherited = [turn for _ in range(20) for turn in await heir.turns.take("heir", 2, 0)]
        assert {turn.session for turn in inherited if turn.taken_over} == sessions


async def test_an_overdue_turn_is_found_behind_many_that_are_not(server: Server, new_id: NewId) -> None:
    sessions = [in_shard(7, new_id()) for _ in range(50)]
    async with Store(server.url) as busy, Store(server.url, min_idle_ms=600_000) as heir:
        for session in sessions:
            await make_due(busy, session)
        async with Client.from_url(server.url) as client:
            await taken_long_ago(client, (await busy.turns.take("busy", 100, 0))[-1:])
        assert [turn.session for turn in await heir.turns.take("heir", 1, 0)] == sessions[-1:]


async def test_two_workers_share_the_turns(server: Server, new_id: NewId) -> None:
    async with Store(server.url) as one, Store(server.url) as two:
        sessions = [new_id() for _ in range(100)]

        async def work(store: Store, name: str) -> list[bytes]:
            done = []
            while turns := await store.turns.take(name, 3, 500):
                for turn in turns:
                    await store.turns.done(turn)
                    done.append(turn.session)
            return done

        workers = [asyncio.create_task(work(one, "one")), asyncio.create_task(work(two, "two"))]
        await asyncio.gather(*(make_due(one, each) for each in sessions))
        first, second = await asyncio.gather(*workers)
        assert sorted(first + second) == sorted(sessions)


async def test_an_overdue_turn_is_queued_again_but_not_for_every_page(store: Store, new_id: NewId) -> None:
    session = new_id()
    asked = await asyncio.gather(*(store.turns.requeue(session, 9) for _ in range(20)))
    assert sorted(asked) == [False] * 19 + [True]
    assert [(turn.session, turn.version) for turn in await store.turns.take("one", 5, 0)] == [(session, 9)]


async def test_a_long_queue_takes_no_repetitions(store: Store, new_id: NewId, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gameserver.store.turns.MAX_QUEUED", 3)
    asked = [await store.turns.requeue(in_shard(5, new_id()), 1) for _ in range(5)]
    assert asked == [True] * 3 + [False] * 2


async def test_only_the_shards_that_were_asked_for_are_looked_at(store: Store, new_id: NewId) -> None:
    here, there = in_shard(3, new_id()), in_shard(4, new_id())
    await asyncio.gather(make_due(store, here), make_due(store, there))
    assert [turn.session for turn in await store.turns.take("one", 5, 0, [3])] == [here]
    assert [turn.session for turn in await store.turns.take("one", 5, 0, [4])] == [there]


async def test_groups_that_were_lost_are_made_again(server: Server, store: Store, new_id: NewId) -> None:
    assert await store.turns.take("one", 5, 0) == []
    async with Client.from_url(server.url) as client:
        await client.flushall()
        session = new_id()
        await make_due(store, session)
        assert [turn.session for turn in await store.turns.take("one", 5, 1_000)] == [session]
        # The same while a worker waits.
        waiting = asyncio.create_task(store.turns.take("one", 5, 60_000))
        await asyncio.sleep(0.05)
        await client.flushall()
        other = new_id()
        await make_due(store, other)
        async with asyncio.timeout(10):
            assert [turn.session for turn in await waiting] == [other]


async def test_workers_that_are_long_gone_are_forgotten(
    server: Server, store: Store, new_id: NewId, monkeypatch: pytest.MonkeyPatch
) -> None:
    shard, session = 7, in_shard(7, new_id())
    await make_due(store, session)
    await store.turns.take("holds a turn", 1, 0, [shard])
    await store.turns.take("holds none", 1, 0, [shard])
    await store.turns.take("holds none", 1, 1, [shard])
    async with Client.from_url(server.url) as client:
        assert await store.turns.sweep() == 0, "only those that were not heard of for long"
        monkeypatch.setattr("gameserver.store.turns.FORGET_CONSUMERS_AFTER_MS", 0)
        await asyncio.sleep(0.01)
        await store.turns.sweep()
        consumers = await client.xinfo_consumers(turns_key(shard), "computers")
    assert [consumer["name"] for consumer in consumers] == [b"holds a turn"]


async def test_turns_survive_a_kill_of_the_store(server: Server, new_id: NewId) -> None:
    async with Store(server.url, patience=20) as store:
        session = new_id()
        await make_due(store, session)
        server.kill()
        server.start()
        assert [turn.session for turn in await store.turns.take("one", 5, 1_000)] == [session]


async def test_what_is_due_is_counted_since_the_oldest(server: Server, store: Store, new_id: NewId) -> None:
    due = await store.turns.due()
    assert (due.turns, due.since) == (0, None)
    await asyncio.gather(*(make_due(store, new_id()) for _ in range(9)))
    taken = await store.turns.take("one", 3, 0)
    due = await store.turns.due()
    assert due.turns == 9, "until they are done"
    for turn in [*taken, *await store.turns.take("one", 9, 0)]:
        assert due.since is not None
        assert due.since <= turn.since
        await store.turns.done(turn)
    assert (await store.turns.due()).turns == 0


async def test_nonsense_is_refused(store: Store) -> None:
    with pytest.raises(ValueError, match="room"):
        await store.turns.take("one", 0, 0)
    with pytest.raises(ValueError, match="shard"):
        await store.turns.take("one", 1, 0, [])


async def test_what_is_done_leaves_the_queue_of_a_full_store(server: Server, store: Store, new_id: NewId) -> None:
    await make_due(store, new_id())
    (turn,) = await store.turns.take("one", 5, 0)
    async with Client.from_url(server.url) as client:
        await client.config_set("maxmemory", "1mb")
        await store.turns.done(turn)
        await client.config_set("maxmemory", "0")
        assert await client.xlen(turns_key(turn.shard)) == 0


async def test_a_turn_whose_commit_was_lost_stays(server: Server, new_id: NewId) -> None:
    """A worker plays, the failover loses what it played, and only then does its `done` come through."""
    session, played = new_id(), new_id()
    async with Store(server.url, min_idle_ms=50) as store, Client.from_url(server.url) as client:
        await make_due(store, session)
        (turn,) = await store.turns.take("one", 5, 0)
        before = await client.dump(log_key(session))
        await store.log.append(session, 1, session, played, b"the computer's turn", computer_due=False)
        await client.restore(log_key(session), 0, before or b"", replace=True)
        await store.turns.done(turn, Head(2, played))
        async with asyncio.timeout(10):
            (again,) = await store.turns.take("two", 5, 5_000)
        assert (again.session, again.version, again.taken_over) == (session, 1, True)
        await store.log.append(session, 1, session, played, b"the computer's turn", computer_due=False)
        await store.turns.done(again, Head(2, new_id()))
        assert await client.xlen(turns_key(turn.shard)) == 1, "another commit is there than was seen"
        await store.turns.done(again, Head(2, played))
        assert await client.xlen(turns_key(turn.shard)) == 0


async def test_a_turn_that_fails_is_set_aside_by_how_often_it_was_given_out(server: Server, new_id: NewId) -> None:
    session, other = new_id(), new_id()
    async with Store(server.url, min_idle_ms=1) as store:
        await make_due(store, session)
        given: list[Turn] = []
        while len(given) < 3:
            for turn in await store.turns.take(f"worker {len(given)}", 1, 10):
                assert turn.taken_over == bool(given)
                given.append(turn)
                assert not await store.turns.set_aside(turn, len(given) + 1)
        assert (await store.turns.due()).turns == 1
        await make_due(store, other)
        assert await store.turns.set_aside(given[0], 3)
        assert not await store.turns.set_aside(given[0], 3), "it has left"
        assert (await store.turns.due()).turns == 1, "another's stays"


async def test_clocks_have_no_say_in_when_a_turn_is_set_aside(
    server: Server, new_id: NewId, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(worker, "SET_ASIDE_AFTER", 4)
    async with Store(server.url, min_idle_ms=1) as store:
        await store.turns.sweep()
        await make_due(store, new_id())  # its log can't be read: the turn fails whenever it is played
        ahead = time.time() + 10 * 365 * 24 * 3600
        monkeypatch.setattr(time, "time", lambda: ahead)
        working = asyncio.create_task(worker.Worker(store, Player(Fallback()), 1).run())
        while (await store.turns.due()).turns:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        working.cancel()
        await asyncio.wait([working])
    failed = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert failed.count("a piece of work failed") >= 2, "two are played at a time, the fourth is the last"
    assert failed.count("this turn has failed too often and is set aside") == 1
