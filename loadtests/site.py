"""The product under load: server, worker and store as processes of their own on loopback, and their CPU and memory."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import resource
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal
from urllib.parse import urlsplit

from gameserver.session.events import Level
from gameserver.store import EmbeddedStore
from loadtests.house import WITHOUT_STORE
from tests.processes.programs import SECRET_KEY, Program, kept, running

TICKS_PER_SECOND: Final = os.sysconf("SC_CLK_TCK")
Pace = Literal["real", "fast", "instant"]


@dataclass(frozen=True)
class Site:
    """The processes' ids by what they are; ``origins``: one for each server."""

    origins: tuple[str, ...]
    pids: dict[str, int]
    store_url: str

    @property
    def origin(self) -> str:
        return self.origins[0]

    def cpu_seconds(self) -> dict[str, float]:
        """Processor time that each process has used so far, this one (the generator) included."""
        return {name: _cpu_seconds(pid) for name, pid in {**self.pids, "generator": os.getpid()}.items()}

    def pin_the_worker(self) -> None:
        """Give the worker the last core for itself, and the others the rest. Nothing where there is only one."""
        *rest, last = sorted(os.sched_getaffinity(0))
        for name, pid in {**self.pids, "generator": os.getpid()}.items():
            for thread in os.listdir(f"/proc/{pid}/task") if rest else ():
                os.sched_setaffinity(int(thread), {last} if name.startswith("worker") else set(rest))

    def memory_bytes(self, name: str) -> int:
        """What a process keeps in memory."""
        return int(Path(f"/proc/{self.pids[name]}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class House(Program):
    """A server whose computer plays by itself, at once."""

    module = "loadtests.house"


@contextlib.contextmanager
def house(*, with_store: bool = True) -> Iterator[Site]:
    """A running site of one server, no worker: to measure the server at its limit."""
    with contextlib.ExitStack() as stack:
        data_dir = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        store = stack.enter_context(EmbeddedStore(data_dir, fsync="everysec"))
        variables = {"REDIS_URL": store.url, "SECRET_KEY": SECRET_KEY, "LOG_LEVEL": "warning"}
        if not with_store:
            variables[WITHOUT_STORE] = "1"
        server = stack.enter_context(kept(House("serve", **variables)))
        yield Site((server.address(),), {"server": server.pid, "store": store.pid or 0}, store.url)


@contextlib.contextmanager
def site(servers: int = 1, workers: int = 1, threads: int = 1) -> Iterator[Site]:
    """A running site; all of it ends with the block."""
    with contextlib.ExitStack() as stack:
        data_dir = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        store = stack.enter_context(EmbeddedStore(data_dir, fsync="everysec"))
        variables = {"REDIS_URL": store.url, "SECRET_KEY": SECRET_KEY, "LOG_LEVEL": "warning"}
        serving = [stack.enter_context(running("serve", **variables)) for _ in range(servers)]
        working = [
            stack.enter_context(running("computer", "--threads", str(threads), **variables)) for _ in range(workers)
        ]
        yield Site(
            tuple(program.address() for program in serving),
            {
                **_named("server", serving),
                **_named("worker", working),
                "store": store.pid or 0,
            },
            store.url,
        )


def many_connections() -> None:
    """Let this process, and what it starts from here on, have as many connections as the system allows."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def new_sessions(
    origin: str,
    count: int,
    *,
    per_player: int = 2,
    pace: Pace = "instant",
    auto_end: bool = True,
    level: Level = "normal",
) -> list[tuple[str, bytes]]:
    """Start sessions (matches to 7): the cookie of the player and the session's id, of each."""
    parts = urlsplit(origin)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)
    sessions: list[tuple[str, bytes]] = []
    cookie = ""
    for number in range(count):
        if number % per_player == 0:
            cookie = _arrive(connection, origin, pace, auto_end=auto_end)
        body = {"id": os.urandom(16).hex(), "level": level, "format": 7}
        _, answer = _request(connection, "POST", "/api/sessions", origin, cookie, body)
        sessions.append((cookie, bytes.fromhex(json.loads(answer)["session"])))
    connection.close()
    return sessions


def new_players(origin: str, count: int) -> list[str]:
    """The cookies of so many new players."""
    parts = urlsplit(origin)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)
    cookies = [_request(connection, "GET", "/", origin, "")[0]["Set-Cookie"].split(";")[0] for _ in range(count)]
    connection.close()
    return cookies


def _named(kind: str, programs: list[Program]) -> dict[str, int]:
    if len(programs) == 1:
        return {kind: programs[0].pid}
    return {f"{kind} {number}": program.pid for number, program in enumerate(programs, start=1)}


def _arrive(connection: http.client.HTTPConnection, origin: str, pace: Pace, *, auto_end: bool) -> str:
    """A new player with these settings; the cookie."""
    headers, _ = _request(connection, "GET", "/", origin, "")
    cookie = headers["Set-Cookie"].split(";")[0]
    _, lobby = _request(connection, "GET", "/api/lobby", origin, cookie)
    settings = {**json.loads(lobby)["settings"], "pace": pace, "auto_end": auto_end}
    _request(connection, "PUT", "/api/settings", origin, cookie, settings)
    return cookie


def _request(
    connection: http.client.HTTPConnection, method: str, path: str, origin: str, cookie: str, body: object = None
) -> tuple[http.client.HTTPMessage, bytes]:
    headers = {"Origin": origin, "Cookie": cookie}
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    answer = connection.getresponse()
    content = answer.read()
    if answer.status >= 400:
        raise RuntimeError(f"{method} {path}: {answer.status} {content.decode(errors='replace')}")
    return answer.headers, content


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND
