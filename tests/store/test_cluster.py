"""A small Cluster: every part works where keys are spread over nodes, and follows a slot that moves."""

import asyncio
import os
import socket
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from redis import Redis
from redis.crc import key_slot

from gameserver.store import Appended, Store
from gameserver.store.keys import SHARDS, log_key, tag

from .finished import entries_of, finished_log, written
from .servers import answers, eventually, redis_server, wait_until
from .test_follow import Page

NewId = Callable[[], bytes]
SLOTS = 16384


@dataclass(frozen=True)
class Node:
    port: int
    client: Redis

    def say(self, *command: str | int | bytes) -> Any:
        return cast("Any", self.client).execute_command(*command)

    @property
    def id(self) -> str:
        return str(self.say("CLUSTER MYID").decode())


@dataclass(frozen=True)
class Cluster:
    nodes: list[Node]

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)

    def owner(self, slot: int) -> int:
        """Index of the node that was given the slot at the start."""
        return min(slot * 3 // SLOTS, 2)

    def move(self, shard: int, to: int, *, while_it_moves: Callable[[], None] = lambda: None) -> None:
        """Move a shard's slot with its keys from its first node to another."""
        slot = key_slot(tag(shard).encode())
        source, target = self.nodes[self.owner(slot)], self.nodes[to]
        target.say("CLUSTER SETSLOT", slot, "IMPORTING", source.id)
        source.say("CLUSTER SETSLOT", slot, "MIGRATING", target.id)
        for key in source.say("CLUSTER GETKEYSINSLOT", slot, 1000):
            source.say("MIGRATE", "127.0.0.1", target.port, key, 0, 5000)
        while_it_moves()
        for node in (target, source, *self.nodes):
            node.say("CLUSTER SETSLOT", slot, "NODE", target.id)


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [int(each.getsockname()[1]) for each in sockets]
    for each in sockets:
        each.close()
    return ports


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    ports = free_ports(6)
    processes: list[subprocess.Popen[bytes]] = []
    try:
        for number, (port, bus) in enumerate(zip(ports[:3], ports[3:], strict=True)):
            directory = tmp_path / str(number)
            directory.mkdir()
            processes.append(
                redis_server(
                    *("--port", str(port), "--bind", "127.0.0.1", "--dir", str(directory), "--save", ""),
                    *("--cluster-enabled", "yes", "--cluster-port", str(bus), "--cluster-node-timeout", "2000"),
                )
            )
        nodes = [Node(port, Redis(port=port)) for port in ports[:3]]
        for node in nodes:
            wait_until(partial(answers, socket.AF_INET, ("127.0.0.1", node.port)))
        for number, node in enumerate(nodes):
            own = [slot for slot in range(SLOTS) if min(slot * 3 // SLOTS, 2) == number]
            node.say("CLUSTER ADDSLOTSRANGE", own[0], own[-1])
            node.say("CLUSTER SET-CONFIG-EPOCH", number + 1)
        for node, bus in zip(nodes[1:], ports[4:], strict=True):
            nodes[0].say("CLUSTER MEET", "127.0.0.1", node.port, bus)
        for node in nodes:
            wait_until(partial(is_whole, node))
        yield Cluster(nodes)
        for node in nodes:
            node.client.close()
    finally:
        for process in processes:
            process.kill()
            process.wait()


def is_whole(node: Node) -> bool:
    info = node.say("CLUSTER INFO")
    return bool(info.get("cluster_state") == "ok" and info.get("cluster_known_nodes") == "3")


def in_shard(shard: int) -> bytes:
    return bytes([shard]) + os.urandom(15)


async def test_everything_works_where_keys_are_spread(cluster: Cluster) -> None:
    sessions = [in_shard(shard) for shard in range(SHARDS)]
    pages = {session: Page() for session in sessions}
    async with Store(cluster.url) as store:
        await asyncio.gather(*(store.follower.follow(session, page) for session, page in pages.items()))
        outcomes = await asyncio.gather(
            *(
                store.log.append(each, 0, None, each, b"x", computer_due=True, secret=(1, b"s" * 32))
                for each in sessions
            )
        )
        assert set(outcomes) == {Appended(1)}
        before = store.commands.pipelines
        assert all(
            head == (1, session) for head, session in zip(await store.log.heads(sessions), sessions, strict=True)
        )
        assert store.commands.pipelines == before + 3, "one for each node"
        await eventually(lambda: all(page.has_heard(1) for page in pages.values()))

        taken = []
        while turns := await store.turns.take("one", 10, 0):
            assert len(turns) <= 10
            for turn in turns:
                await store.turns.done(turn)
            taken += turns
        assert {turn.session for turn in taken} == set(sessions)
        assert (await store.turns.due()).turns == 0

        assert await store.hints.ask(sessions[0], 1, sessions[0], b"?") is None
        (request,) = await store.hints.take(5, 5_000)
        await store.hints.answer(request, b"!")
        await eventually(lambda: bool(pages[sessions[0]].hints))
        assert await store.log.secret(sessions[0], 1) == b"s" * 32

        session, commits = finished_log(6)
        await written(store, session, entries_of(commits))
        assert await store.packing.pack_some(after_ms=0) == 1
        assert [entry.payload for entry in await store.log.read(session)] == [each for _, each in entries_of(commits)]
        await store.players.add(b"p" * 16, sessions[0], 1)
        assert await store.players.unfinished(b"p" * 16) == [sessions[0]]
        await store.check()


async def test_a_worker_that_waits_gets_its_turn(cluster: Cluster) -> None:
    session = in_shard(9)
    async with Store(cluster.url) as store:
        waiting = asyncio.create_task(store.turns.take("one", 5, 60_000))
        await asyncio.sleep(0.05)
        await store.log.append(session, 0, None, session, b"x", computer_due=True)
        async with asyncio.timeout(10):
            assert [turn.session for turn in await waiting] == [session]


async def test_a_slot_that_moves_takes_its_sessions_and_followers_along(cluster: Cluster) -> None:
    session, ids = in_shard(5), [os.urandom(16) for _ in range(4)]
    slot = key_slot(log_key(session).encode())
    page = Page()
    async with Store(cluster.url, patience=30) as store:

        async def append(version: int) -> None:
            last = ids[version - 1] if version else None
            outcome = await store.log.append(session, version, last, ids[version], b"x", computer_due=False)
            assert outcome == Appended(version + 1)

        await store.follower.follow(session, page)
        await append(0)
        half_way, go_on = asyncio.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()

        def while_it_moves() -> None:
            loop.call_soon_threadsafe(half_way.set)
            asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result(20)

        moving = asyncio.create_task(
            asyncio.to_thread(cluster.move, 5, (cluster.owner(slot) + 1) % 3, while_it_moves=while_it_moves)
        )
        await half_way.wait()
        # The keys are at the new node, and the old one says ASK. A function that may touch keys which neither node
        # has must wait, lest they come to be at both.
        assert [entry.id for entry in await store.log.read(session)] == ids[:1]
        waiting = asyncio.create_task(append(1))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        go_on.set()
        await moving
        await waiting
        await append(2)
        await eventually(lambda: page.resyncs >= 1)
        await append(3)
        await eventually(lambda: page.has_heard(4))
        assert [entry.id for entry in await store.log.read(session)] == ids


async def test_a_node_that_is_away_stops_only_its_own_sessions(cluster: Cluster) -> None:
    """Its commands wait for it; nobody else's do (with full coverage not required)."""
    for node in cluster.nodes:
        node.say("CONFIG SET", "cluster-require-full-coverage", "no")
    there = next(each for each in map(in_shard, range(64)) if cluster.owner(key_slot(log_key(each).encode())) == 2)
    here = next(each for each in map(in_shard, range(64)) if cluster.owner(key_slot(log_key(each).encode())) == 0)
    async with Store(cluster.url, patience=30) as store:
        await store.log.heads([here, there])
        cluster.nodes[2].say("CLIENT PAUSE", 1500)
        waiting = asyncio.create_task(store.log.append(there, 0, None, there, b"x", computer_due=False))
        for version in range(20):
            last = here[:15] + bytes([version - 1]) if version else None
            commit = here[:15] + bytes([version])
            assert await store.log.append(here, version, last, commit, b"x", computer_due=False) == Appended(
                version + 1
            )
        await store.check()  # a server without one of the shards serves the others
        assert not waiting.done()
        assert await waiting == Appended(1)
