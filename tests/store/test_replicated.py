"""Where the policy wants a replica, nobody is told of a commit before a replica has it."""

import asyncio
import os
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from redis import Redis

from gameserver.store import Appended, Policy, Store, StoreUnavailable
from gameserver.store.keys import log_key

from .finished import entries_of, finished_log, written
from .servers import answers, eventually, redis_server, wait_until
from .test_cluster import free_ports
from .test_follow import Page

REPLICATED = Policy(replicas=1)


@dataclass(frozen=True)
class Pair:
    """A primary, and a replica whose link can be cut."""

    primary: Redis
    replica: Redis
    url: str

    def cut(self) -> None:
        self.replica.config_set("masterauth", "wrong")
        cast("Any", self.replica).execute_command("CLIENT KILL TYPE master")
        wait_until(lambda: self.primary.info("replication")["connected_slaves"] == 0)

    def mend(self) -> None:
        self.replica.config_set("masterauth", "")
        wait_until(lambda: self.replica.info("replication")["master_link_status"] == "up")


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    ports = free_ports(2)
    processes: list[subprocess.Popen[bytes]] = []
    try:
        for port, more in zip(ports, ((), ("--replicaof", "127.0.0.1", str(ports[0]))), strict=True):
            (tmp_path / str(port)).mkdir()
            common = ("--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path / str(port)))
            processes.append(redis_server("--port", str(port), *common, "--repl-diskless-sync-delay", "0", *more))
            wait_until(partial(answers, socket.AF_INET, ("127.0.0.1", port)))
        with Redis(port=ports[0]) as primary, Redis(port=ports[1]) as replica:
            wait_until(lambda: replica.info("replication")["master_link_status"] == "up")
            yield Pair(primary, replica, f"redis://127.0.0.1:{ports[0]}")
    finally:
        for process in processes:
            process.kill()
            process.wait()


async def test_a_commit_that_no_replica_has_is_told_to_nobody(pair: Pair) -> None:
    session, first, second = (os.urandom(16) for _ in range(3))
    page = Page()
    async with Store(pair.url, REPLICATED, patience=1.5) as store, Store(pair.url, REPLICATED, patience=1.5) as other:
        await other.follower.follow(session, page)
        assert await store.log.append(session, 0, None, first, b"x", computer_due=False) == Appended(1)
        await eventually(lambda: page.has_heard(1))
        pair.cut()
        with pytest.raises(StoreUnavailable, match="replicas"):
            await store.log.append(session, 1, first, second, b"y", computer_due=False)
        with pytest.raises(StoreUnavailable, match="replicas"):
            await other.log.read(session)
        assert pair.primary.xlen(b"{s%d}:log:%s" % (session[0] % 64, session.hex().encode())) == 2
        assert page.entries[-1].version == 1
        pair.mend()
        # The entry was there all the time; what counts is that it is on the replica now.
        assert await store.log.append(session, 1, first, second, b"y", computer_due=False) == Appended(2)
        await eventually(lambda: page.has_heard(2))
        assert page.befores == [None, first]
        assert await other.log.read(session) == page.entries


async def test_a_commit_waits_for_a_replica_that_comes_back(pair: Pair) -> None:
    session = os.urandom(16)
    async with Store(pair.url, REPLICATED, patience=20) as store:
        pair.cut()
        waiting = asyncio.create_task(store.log.append(session, 0, None, session, b"x", computer_due=True))
        assert not (await asyncio.wait([waiting], timeout=0.3))[0]
        await asyncio.to_thread(pair.mend)
        assert await waiting == Appended(1)
        assert len(await store.turns.take("one", 5, 0)) == 1
    assert len(cast("Any", pair.replica.xrange(f"{{s{session[0] % 64}}}:log:{session.hex()}"))) == 1


async def test_a_packed_log_is_read_through_the_replicas_too(pair: Pair) -> None:
    session, commits = finished_log(5)
    async with Store(pair.url, REPLICATED, patience=1.5) as store:
        await written(store, session, entries_of(commits))
        assert await store.packing.pack_some(after_ms=0) == 1
        read = await store.log.read(session, 3, 7)
        assert [entry.payload for entry in read] == [contents for _, contents in entries_of(commits)[3:10]]
        assert await store.log.read(os.urandom(16)) == []
        assert pair.replica.type(log_key(session)) == b"string"
        pair.cut()
        with pytest.raises(StoreUnavailable, match="replicas"):
            await store.log.read(session)


async def test_otherwise_nothing_waits(pair: Pair) -> None:
    session = os.urandom(16)
    async with Store(pair.url) as store:
        await store.log.append(session, 0, None, session, b"x", computer_due=False)
        await store.log.read(session)
    assert "cmdstat_wait" not in cast("Any", pair.primary.info("commandstats"))
