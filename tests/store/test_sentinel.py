"""A failover by Sentinel: writers and followers find the new primary by themselves."""

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

from gameserver.store import Appended, Store

from .servers import answers, eventually, redis_server, wait_until
from .test_cluster import free_ports
from .test_follow import Page


@dataclass(frozen=True)
class Watched:
    """A primary with one replica, and the Sentinel that watches them."""

    url: str
    primary: subprocess.Popen[bytes]


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    primary, replica, sentinel = free_ports(3)
    for port in (primary, replica, sentinel):
        (tmp_path / str(port)).mkdir()
    config = tmp_path / str(sentinel) / "sentinel.conf"
    config.write_text(
        f"port {sentinel}\nbind 127.0.0.1\ndir {config.parent}\n"
        f"sentinel monitor game 127.0.0.1 {primary} 1\n"
        "sentinel down-after-milliseconds game 500\nsentinel failover-timeout game 3000\n"
    )
    common = ("--bind", "127.0.0.1", "--save", "", "--repl-diskless-sync-delay", "0")
    processes = [redis_server("--port", str(primary), "--dir", str(tmp_path / str(primary)), *common)]
    try:
        wait_until(lambda: answers(socket.AF_INET, ("127.0.0.1", primary)))
        processes.append(
            redis_server(
                *("--port", str(replica), "--dir", str(tmp_path / str(replica)), *common),
                *("--replicaof", "127.0.0.1", str(primary)),
            )
        )
        wait_until(partial(answers, socket.AF_INET, ("127.0.0.1", replica)))
        with Redis(port=replica) as client:
            wait_until(lambda: client.info("replication")["master_link_status"] == "up")
        # Only now, so that the Sentinel finds the replica with its first look, not with that ten seconds later.
        processes.append(redis_server(str(config), "--sentinel"))
        wait_until(partial(answers, socket.AF_INET, ("127.0.0.1", sentinel)))
        with Redis(port=sentinel) as client:
            wait_until(lambda: bool(cast("Any", client).execute_command("SENTINEL REPLICAS", "game")))
            yield Watched(f"redis+sentinel://127.0.0.1:{sentinel}/game", processes[0])
    finally:
        for process in processes:
            process.kill()
            process.wait()


async def test_commands_and_followers_go_on_after_a_failover(watched: Watched) -> None:
    session, ids = os.urandom(16), [os.urandom(16) for _ in range(3)]
    page = Page()
    async with Store(watched.url, patience=30) as store:

        async def append(version: int) -> None:
            last = ids[version - 1] if version else None
            outcome = await store.log.append(session, version, last, ids[version], b"x", computer_due=True)
            assert outcome == Appended(version + 1)

        await store.follower.follow(session, page)
        await append(0)
        # Both nodes hold the entry before the primary goes: replication is asynchronous.
        assert await store.commands.call("any", "WAIT", 1, 10_000) == 1
        watched.primary.kill()
        await eventually(lambda: page.resyncs >= 1, 30)
        await append(1)
        await append(2)
        await eventually(lambda: page.has_heard(3))
        assert [entry.id for entry in await store.log.read(session)] == ids
        assert len(await store.turns.take("one", 10, 1_000)) == 3


async def test_silent_sentinels_do_not_hide_one_that_answers(watched: Watched) -> None:
    """Four of five hosts are gone without a trace: nothing refuses, nothing answers."""
    silent = [socket.create_server(("127.0.0.1", 0)) for _ in range(4)]
    try:
        hosts = ",".join(f"127.0.0.1:{each.getsockname()[1]}" for each in silent)
        url = watched.url.replace("://", f"://{hosts},")
        async with Store(url, patience=60) as store:
            await store.check()
    finally:
        for each in silent:
            each.close()
