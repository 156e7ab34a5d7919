"""Real servers for the tests: our embedded valkey, Debian's redis-server, and a proxy that loses things."""

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote

import pytest

from gameserver.store import EmbeddedStore


class Server(Protocol):
    """A store that can be killed and started again on the same data."""

    @property
    def url(self) -> str: ...

    @property
    def socket_path(self) -> Path: ...

    def start(self) -> None: ...

    def kill(self) -> None: ...

    def stop(self) -> None: ...


class Valkey:
    """The embedded store, as the game itself runs it."""

    def __init__(self, directory: Path) -> None:
        self._embedded = EmbeddedStore(directory)

    @property
    def url(self) -> str:
        return self._embedded.url

    @property
    def socket_path(self) -> Path:
        return Path(unquote(self.url.removeprefix("unix://")))

    def start(self) -> None:
        self._embedded.start()

    def kill(self) -> None:
        pid = self._embedded.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        wait_until(lambda: self._embedded.pid is None)

    def stop(self) -> None:
        self._embedded.stop()


class Redis:
    """A redis-server of the system's, on a unix socket."""

    def __init__(self, directory: Path, *options: str) -> None:
        self._directory = directory
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"unix://{self.socket_path}"

    @property
    def socket_path(self) -> Path:
        return self._directory / "redis"

    def start(self) -> None:
        self._directory.mkdir(exist_ok=True)
        self._process = redis_server(
            *("--port", "0", "--unixsocket", str(self.socket_path), "--dir", str(self._directory)),
            *("--appendonly", "yes", "--appendfsync", "always", "--save", "", *self._options),
        )
        wait_until(lambda: answers(socket.AF_UNIX, str(self.socket_path)))

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        if self._process is not None:
            self.kill()


def redis_server(*arguments: str) -> subprocess.Popen[bytes]:
    """Start Debian's redis-server with these arguments."""
    binary = shutil.which("redis-server")
    if binary is None:
        pytest.skip("redis-server is not installed")
    return subprocess.Popen([binary, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def answers(family: socket.AddressFamily, address: str | tuple[str, int]) -> bool:
    """Whether a Redis at this address answers a ping."""
    with socket.socket(family) as connection:
        connection.settimeout(1)
        try:
            connection.connect(address)
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False


def wait_until(true: Callable[[], bool], seconds: float = 20) -> None:
    """Return once `true` holds; fail the test where it does not in time."""
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "what was waited for did not come"
        time.sleep(0.005)


async def eventually(true: Callable[[], bool], seconds: float = 20) -> None:
    """Return once `true` holds; fail the test where it does not in time."""
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.002)


class Proxy:
    """Stands between a client and a server, both on unix sockets, and loses what it is told to lose."""

    def __init__(self, listen: Path, server: Path) -> None:
        self.url = f"unix://{listen}"
        self.requests = 0
        """Pieces of data that went to the server."""
        self.lose_next_reply = False
        """The next reply is swallowed and its connection closed, after the server has done the work."""
        self.replies_pass = asyncio.Event()
        self.replies_pass.set()
        self._listen = listen
        self._server = server
        self._writers: set[asyncio.StreamWriter] = set()
        self._listener: asyncio.Server | None = None

    async def __aenter__(self) -> "Proxy":
        self._listener = await asyncio.start_unix_server(self._serve, self._listen)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.replies_pass.set()
        self.cut()
        if self._listener is not None:
            self._listener.close()
            await self._listener.wait_closed()

    def cut(self) -> None:
        """Close every connection now."""
        for writer in self._writers:
            writer.close()

    async def _serve(self, from_client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_unix_connection(self._server)
        self._writers |= {to_client, to_server}
        with contextlib.suppress(ConnectionError):
            await asyncio.gather(self._ask(from_client, to_server), self._answer(from_server, to_client))
        for writer in (to_client, to_server):
            writer.close()
        self._writers -= {to_client, to_server}

    async def _ask(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while data := await source.read(65536):
            sink.write(data)
            self.requests += 1
        sink.close()

    async def _answer(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while data := await source.read(65536):
            await self.replies_pass.wait()
            if self.lose_next_reply:
                self.lose_next_reply = False
                break
            sink.write(data)
        sink.close()
