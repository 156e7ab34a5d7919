"""One tick, one pipeline; bounds; callers that go away; a store that goes away and comes back."""

import asyncio
import os
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis as Client

from gameserver.store import Appended, Overloaded, Store, StoreError, StoreUnavailable
from gameserver.store.batching import Batcher
from gameserver.store.nodes import Connection, Nodes

from .servers import Proxy, Server, eventually
from .test_follow import Page

NewId = Callable[[], bytes]


def batcher(store: Store, *, max_batch: int = 500, max_waiting: int = 10_000, patience: float = 4.0) -> Batcher:
    nodes: Nodes = store.commands.nodes
    return Batcher(nodes, max_batch=max_batch, max_waiting=max_waiting, patience=patience)


async def test_all_that_one_tick_asks_goes_out_as_one_pipeline(store: Store, new_id: NewId) -> None:
    async with asyncio.TaskGroup() as tasks:
        for _ in range(50):
            session = new_id()
            tasks.create_task(store.log.append(session, 0, None, session, b"x", computer_due=True))
            tasks.create_task(store.log.read(session))
            tasks.create_task(store.players.put_settings(session, b"settings"))
    # The functions were new to the store: their first call fails, and is made up for by a second pipeline.
    assert store.commands.pipelines <= 2
    before = store.commands.pipelines
    await asyncio.gather(*(store.log.append(each, 0, None, each, b"x", computer_due=True) for each in [new_id()] * 50))
    assert store.commands.pipelines == before + 1


async def test_a_pipeline_is_bounded(store: Store) -> None:
    commands = batcher(store, max_batch=10)
    echoed = await asyncio.gather(*(commands.call("k", "ECHO", n) for n in range(95)))
    assert echoed == [b"%d" % n for n in range(95)]
    assert commands.pipelines == 10
    await commands.close()


async def test_beyond_the_bound_it_is_overloaded_at_once(store: Store) -> None:
    commands = batcher(store, max_waiting=20)
    asked = [asyncio.create_task(commands.call("k", "ECHO", n)) for n in range(25)]
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    assert outcomes[:20] == [b"%d" % n for n in range(20)]
    assert [type(each) for each in outcomes[20:]] == [Overloaded] * 5
    assert commands.waiting == 0
    assert await commands.call("k", "ECHO", "again") == b"again"
    await commands.close()


async def test_callers_that_go_away_count_until_their_reply_came(proxy: Proxy) -> None:
    """Else cancelled callers could pile up any amount of work behind a slow store."""
    async with Store(proxy.url, max_waiting=10) as store:
        await store.check()
        proxy.replies_pass.clear()
        sent = proxy.requests
        asked = [asyncio.create_task(store.commands.call("k", "ECHO", n)) for n in range(10)]
        await eventually(lambda: proxy.requests > sent)
        for each in asked:
            each.cancel()
        await asyncio.wait(asked)
        with pytest.raises(Overloaded):
            await store.commands.call("k", "ECHO", "more")
        proxy.replies_pass.set()
        await eventually(lambda: store.commands.waiting == 0)
        assert await store.commands.call("k", "ECHO", "more") == b"more"


async def test_a_caller_cancelled_before_its_reply_leaves_none_behind(proxy: Proxy) -> None:
    """The connection is not reused with the wrong reply."""
    async with Store(proxy.url) as store:
        await store.check()
        proxy.replies_pass.clear()
        sent = proxy.requests
        gone = asyncio.create_task(store.commands.call("k", "ECHO", "the wrong reply"))
        await eventually(lambda: proxy.requests > sent)
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
        proxy.replies_pass.set()
        assert await store.commands.call("k", "ECHO", "the right reply") == b"the right reply"


async def test_whoever_is_cancelled_and_when_the_others_get_their_own_replies(store: Store) -> None:
    rng = random.Random(21)
    asked = {n: asyncio.create_task(store.commands.call("k", "ECHO", n)) for n in range(2000)}
    for _ in range(300):
        if rng.random() < 0.3:
            await asyncio.sleep(0)
        asked[rng.randrange(2000)].cancel()
    outcomes = await asyncio.gather(*asked.values(), return_exceptions=True)
    assert all(
        outcome == b"%d" % n or isinstance(outcome, asyncio.CancelledError) for n, outcome in enumerate(outcomes)
    )
    assert store.commands.waiting == 0


async def test_a_cancelled_wait_leaves_no_reply_behind(store: Store, new_id: NewId) -> None:
    """The same for the commands that wait in the store."""
    for _ in range(3):
        waiting = asyncio.create_task(store.hints.take(1, 60_000))
        await asyncio.sleep(0.02)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    session = new_id()
    await store.hints.ask(session, 1, session, b"?")
    assert [each.session for each in await store.hints.take(1, 5_000)] == [session]


async def test_a_store_that_forgot_the_functions_is_told_them_again(
    server: Server, store: Store, new_id: NewId
) -> None:
    session, first, second = new_id(), new_id(), new_id()
    await store.log.append(session, 0, None, first, b"x", computer_due=False)
    async with Client.from_url(server.url) as client:
        await client.script_flush()
    outcomes = await asyncio.gather(
        store.log.append(session, 1, first, second, b"y", computer_due=False),
        store.log.append(session, 2, second, new_id(), b"z", computer_due=False),
    )
    assert list(outcomes) == [Appended(2), Appended(3)], "in the order in which they were asked for"


async def test_a_command_that_the_store_refuses_harms_no_other(store: Store) -> None:
    await store.commands.call("k", "SET", "k", "a string")
    good, wrong, unknown, also_good = await asyncio.gather(
        store.commands.call("k", "ECHO", "a"),
        store.commands.call("k", "LPUSH", "k", 1),
        store.commands.call("k", "NOSUCHCOMMAND"),
        store.commands.call("k", "ECHO", "b"),
        return_exceptions=True,
    )
    assert (good, also_good) == (b"a", b"b")
    assert isinstance(wrong, StoreError)
    assert wrong.code == "WRONGTYPE"
    assert isinstance(unknown, StoreError)
    assert unknown.code == "ERR"


async def test_a_store_that_is_away_is_reported_in_time(tmp_path: Path) -> None:
    async with Store(f"unix://{tmp_path}/nobody", patience=0.3) as store:
        begun = asyncio.get_running_loop().time()
        outcomes = await asyncio.gather(store.check(), store.log.head(b"s" * 16), return_exceptions=True)
        assert [type(each) for each in outcomes] == [StoreUnavailable] * 2
        assert asyncio.get_running_loop().time() - begun < 3


async def test_why_a_store_lets_nobody_in_is_said(server: Server) -> None:
    async with Client.from_url(server.url) as client:
        await client.config_set("requirepass", "right")
        address = server.url.removeprefix("unix://")
        for url, reason in [
            (f"unix://:wrong@{address}", "WRONGPASS|invalid username-password"),
            (f"unix://{address}", "Authentication required"),
            (f"unix://:right@{address}?db=99", "DB index is out of range"),
        ]:
            async with Store(url, patience=0.1) as store:
                with pytest.raises(StoreUnavailable, match=reason):
                    await store.check()
                with pytest.raises(StoreUnavailable):
                    await store.follower.follow(b"s" * 16, Page())
                with pytest.raises(StoreUnavailable):
                    await store.hints.take(1, 1)
        async with Store(f"unix://:right@{address}?db=3") as store:
            await store.check()


async def test_something_that_is_no_store_is_no_store(tmp_path: Path) -> None:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with (
        await asyncio.start_unix_server(answer, tmp_path / "web"),
        Store(f"unix://{tmp_path}/web", patience=0.1) as store,
    ):
        for _ in range(2):
            with pytest.raises(StoreUnavailable, match="cannot be reached"):
                await store.check()


async def test_a_store_that_does_not_answer_is_reported_in_time(proxy: Proxy) -> None:
    async with Store(proxy.url, patience=0.3) as store:
        proxy.replies_pass.clear()
        with pytest.raises(StoreUnavailable):
            await store.check()
        proxy.replies_pass.set()
        await store.check()


async def test_who_waits_behind_a_slow_answer_is_told_in_time(proxy: Proxy) -> None:
    """A store that answers, but slowly, must not keep those who queue behind its answers for longer than they bear."""
    clock = asyncio.get_running_loop().time
    async with Store(proxy.url, patience=0.2) as store:
        await store.check()
        proxy.replies_pass.clear()
        before = proxy.requests
        first = asyncio.create_task(store.check())
        await eventually(lambda: proxy.requests > before)
        second = asyncio.create_task(store.check())
        third = clock() + 0.3
        await eventually(lambda: clock() > third)
        proxy.replies_pass.set()
        await first
        with pytest.raises(StoreUnavailable, match="too slow"):
            await second
        await store.check()


async def test_commands_wait_for_a_store_that_comes_back(server: Server, new_id: NewId) -> None:
    async with Store(server.url, patience=20) as store:
        session, first, second = new_id(), new_id(), new_id()
        await store.log.append(session, 0, None, first, b"x", computer_due=False)
        server.kill()
        waiting = asyncio.create_task(store.log.append(session, 1, first, second, b"y", computer_due=False))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        server.start()
        assert await waiting == Appended(2)


async def test_commands_wait_while_the_store_is_no_primary(server: Server, store: Store, new_id: NewId) -> None:
    session, commit = new_id(), new_id()
    await store.log.head(session)
    async with Client.from_url(server.url) as client:
        await client.replicaof("127.0.0.1", 1)
        waiting = asyncio.create_task(store.log.append(session, 0, None, commit, b"x", computer_due=False))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        await client.replicaof("NO", "ONE")
        assert await waiting == Appended(1)


async def test_nothing_acknowledged_is_lost_or_doubled_when_the_store_is_killed(server: Server, new_id: NewId) -> None:
    acknowledged: dict[bytes, list[bytes]] = {new_id(): [] for _ in range(20)}
    stop = asyncio.Event()

    async def play(session: bytes) -> None:
        ids = acknowledged[session]
        while not stop.is_set():
            commit = new_id()
            outcome = await store.log.append(
                session, len(ids), ids[-1] if ids else None, commit, commit, computer_due=True
            )
            assert outcome == Appended(len(ids) + 1)
            ids.append(commit)

    async with Store(server.url, patience=20) as store:
        async with asyncio.TaskGroup() as tasks:
            for session in acknowledged:
                tasks.create_task(play(session))
            for _ in range(3):
                before = sum(map(len, acknowledged.values()))
                while sum(map(len, acknowledged.values())) < before + 200:  # noqa: ASYNC110
                    await asyncio.sleep(0.001)
                server.kill()
                server.start()
            stop.set()
        for session, ids in acknowledged.items():
            assert [entry.id for entry in await store.log.read(session)] == ids


async def test_when_it_is_closed_whoever_waits_is_told(proxy: Proxy) -> None:
    store = Store(proxy.url)
    await store.check()
    proxy.replies_pass.clear()
    waiting = asyncio.create_task(store.check())
    await asyncio.sleep(0.01)
    await store.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        await waiting
    with pytest.raises(StoreUnavailable, match="closed"):
        await store.check()


class Broken:
    """A connection that fails once in an unexpected way, at its first write or its first read."""

    def __init__(self, connection: Connection, write: Exception | None, read: Exception | None) -> None:
        self._connection = connection
        self._write = write
        self._read = read

    async def send_packed_command(self, command: Iterable[bytes], check_health: bool) -> None:
        if self._write is not None:
            raise self._write
        await self._connection.send_packed_command(command, check_health)

    async def read_response(self, *, timeout: float, disconnect_on_error: bool = True) -> Any:  # noqa: ASYNC109
        if self._read is not None:
            raise self._read
        return await self._connection.read_response(timeout=timeout, disconnect_on_error=disconnect_on_error)

    async def disconnect(self, nowait: bool) -> None:
        await self._connection.disconnect(nowait)


@pytest.mark.parametrize(
    ("write", "read"),
    [(RuntimeError("the handler is closed"), None), (None, KeyError("a defect"))],
    ids=["a closed socket on uvloop", "a defect"],
)
async def test_whatever_a_connection_raises_commands_and_followers_go_on(
    server: Server, monkeypatch: pytest.MonkeyPatch, write: Exception | None, read: Exception | None
) -> None:
    session, page = os.urandom(16), Page()
    async with Store(server.url, patience=20) as store:
        connect, failures = store.commands.nodes.connect, [True, True]

        async def connect_badly(node: str) -> Connection:
            connection = await connect(node)
            return Broken(connection, write, read) if failures and failures.pop() else connection

        monkeypatch.setattr(store.commands.nodes, "connect", connect_badly)
        async with asyncio.timeout(20):
            assert await store.log.append(session, 0, None, session, b"x", computer_due=False) == Appended(1)
            await store.follower.follow(session, page)
            await store.log.append(session, 1, session, os.urandom(16), b"y", computer_due=False)
        await eventually(lambda: page.has_heard(2))
        assert not failures
