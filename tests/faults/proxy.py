"""A network of the tests' own between the servers and their store: it loses, delays and cuts what it is told to."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from typing import Self


class Network:
    """A TCP proxy. Every way of failing can be ended by `heal`."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._listener: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._flows = asyncio.Event()
        self._flows.set()
        self._refuses = False
        self._swallows_replies = False
        self._delay = 0.0
        self._replies_to_lose = 0
        self.seen: Counter[str] = Counter()
        """What was done to whom: connections refused and cut, pieces of data held, delayed and swallowed."""

    @property
    def port(self) -> int:
        assert self._listener is not None
        port: int = self._listener.sockets[0].getsockname()[1]
        return port

    async def __aenter__(self) -> Self:
        self._listener = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.heal()
        self._cut()
        if self._listener is not None:
            self._listener.close()

    # --- Ways to fail

    def part(self) -> None:
        """Cut every connection, and let no other come about."""
        self._refuses = True
        self._cut()

    def hold(self) -> None:
        """Let nothing through in either direction. What was held arrives late, after `heal`."""
        self._flows.clear()

    def swallow_replies(self) -> None:
        """Let requests through and drop what answers them; the connections are closed by `heal`."""
        self._swallows_replies = True

    def slow_down(self, seconds: float) -> None:
        """Pass every reply on only after so long."""
        self._delay = seconds

    def lose_replies(self, count: int) -> None:
        """Drop the next so many replies, and close the connection of each: the store has done the work."""
        self._replies_to_lose += count

    @property
    def replies_to_lose(self) -> int:
        return self._replies_to_lose

    def heal(self) -> None:
        """All is well again."""
        self._refuses = False
        self._delay = 0.0
        self._replies_to_lose = 0
        self._flows.set()
        if self._swallows_replies:
            self._swallows_replies = False
            self._cut()  # bytes are missing in the middle of what they carry

    # --- Passing on

    def _cut(self) -> None:
        self.seen["cut"] += len(self._writers) // 2
        for writer in self._writers:
            writer.transport.abort()

    async def _serve(self, from_client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        if self._refuses:
            self.seen["refused"] += 1
            to_client.transport.abort()
            return
        try:
            from_server, to_server = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            to_client.transport.abort()
            return
        both = {to_client, to_server}
        self._writers |= both
        try:
            with contextlib.suppress(OSError):
                async with asyncio.TaskGroup() as ways:
                    ways.create_task(self._pass(from_client, to_server, replies=False))
                    ways.create_task(self._pass(from_server, to_client, replies=True))
        except* (OSError, _Closed):
            pass
        finally:
            self._writers -= both
            for writer in both:
                writer.transport.abort()

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, replies: bool) -> None:
        while data := await source.read(65536):
            if not self._flows.is_set():
                self.seen["held"] += 1
                await self._flows.wait()
            if replies and self._delay:
                self.seen["delayed"] += 1
                await asyncio.sleep(self._delay)
            if replies and self._swallows_replies:
                self.seen["swallowed"] += 1
                continue
            if replies and self._replies_to_lose:
                self._replies_to_lose -= 1
                self.seen["lost replies"] += 1
                break
            sink.write(data)
            await sink.drain()
        raise _Closed


class _Closed(Exception):
    """One side has closed; so is the other."""
