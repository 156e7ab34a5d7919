"""Connections on a real server: silent ones, dead ones, and those that do not read."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgpack
import pytest
from starlette.applications import Starlette
from websockets.exceptions import ConnectionClosed

from gameserver.web.app import create_app
from gameserver.web.page import BuiltPage
from gameserver.web.server import PING_SECONDS

from ..conftest import Site
from ..processes.programs import rss_bytes
from ..protocol.client import Seat, Visitor
from .conftest import serving

DOUBLES = "XGID=-b----E-C---eE---c-e----B-:0:0:1:11:0:0:0:0:10"
PING = 0.2
SILENCE = 0.61
"""A proxy's 60 seconds, and our 20 between pings, at a hundredth."""


@pytest.fixture
def app(store_url: str, built_page: Path, monkeypatch: pytest.MonkeyPatch) -> Starlette:
    """The whole application, with a small page."""
    page = BuiltPage.read(built_page)
    monkeypatch.setattr(BuiltPage, "read", lambda: page)
    return create_app(store_url, ["k" * 32])


@pytest.fixture
async def origin(app: Starlette) -> AsyncIterator[str]:
    """A server that pings a hundred times as often as usual."""
    async with serving(app, ping_seconds=PING) as origin:
        yield origin


@pytest.fixture
async def unhurried_origin(app: Starlette) -> AsyncIterator[str]:
    """A server as it is."""
    async with serving(app) as origin:
        yield origin


class Proxy:
    """Passes bytes on; cuts what is silent for a while, and can lose everything without a word."""

    def __init__(self, port: int, patience: float) -> None:
        self._port = port
        self._patience = patience
        self.passes = True

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_connection("127.0.0.1", self._port)
        heard = asyncio.get_running_loop().time()

        async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            nonlocal heard
            while data := await source.read(65536):
                if self.passes:
                    heard = asyncio.get_running_loop().time()
                    sink.write(data)

        pumps = [asyncio.create_task(pump(reader, to_server)), asyncio.create_task(pump(from_server, writer))]
        while (left := heard + self._patience - asyncio.get_running_loop().time()) > 0:
            done, _ = await asyncio.wait(pumps, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if done:
                break
        for task in pumps:
            task.cancel()
        await asyncio.gather(*pumps, return_exceptions=True)
        for sink in (writer, to_server):
            sink.close()


@asynccontextmanager
async def behind(origin: str, patience: float) -> AsyncIterator[tuple[str, Proxy]]:
    proxy = Proxy(int(origin.rpartition(":")[2]), patience)
    listener = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    yield f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}", proxy
    listener.close()


async def test_s20_a_silent_socket_lives_behind_a_proxy_that_cuts_silent_ones(origin: str) -> None:
    async with behind(origin, SILENCE) as (address, _):
        visitor = await Visitor.arrive(address)
        seat = await visitor.open(await visitor.start())
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(seat.socket.recv(), 3 * SILENCE)
        assert await seat.ping() == 1
        await seat.close()


def test_a_proxy_with_default_time_outs_sees_two_pings_in_each_of_its_minutes() -> None:
    """nginx, HAProxy and most others cut what is silent for 60 seconds; one ping may be late."""
    assert 2 * PING_SECONDS < 60


async def test_s18_a_socket_that_died_without_a_close_is_removed_and_the_others_are_served(origin: str) -> None:
    visitor = await Visitor.arrive(origin)
    session = await visitor.start()
    one, other = await visitor.open(session), await visitor.open(session)
    async with behind(origin, 60) as (address, proxy):
        dead = await Visitor(address, visitor.cookie).open(session)
        await one.until(lambda frame: frame["t"] == "watching" and frame["pages"] == 3)
        proxy.passes = False
        await one.do("seed", seed=b"s" * 32)
        while other.version < one.version:
            await other.receive()
        assert other.view == one.view
        await one.until(lambda frame: frame["t"] == "watching" and frame["pages"] == 2)
        dead.socket.transport.abort()
    await one.close()
    await other.close()


async def narrow(visitor: Visitor, session: bytes) -> Seat:
    """A connection for which the system keeps next to nothing."""
    host, _, port = visitor.origin.removeprefix("http://").partition(":")
    narrow = socket.socket()
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    narrow.connect((host, int(port)))
    seat = await Seat.connect(visitor, narrow)
    await seat.hello(session)
    return seat


async def test_s19_who_does_not_read_is_dropped_while_the_others_are_served(unhurried_origin: str) -> None:
    visitor = await Visitor.arrive(unhurried_origin)
    session = await visitor.start(position=DOUBLES)
    seat = await visitor.open(session)
    await seat.do("seed", seed=b"s" * 32)
    deaf = [await narrow(visitor, session) for _ in range(4)]
    for each in deaf:
        each.socket.transport.pause_reading()
    # Each hello is answered with a snapshot of some kilobytes, and tells every page how many watch.
    hello = msgpack.packb({"t": "hello", "protocol": 1, "session": session, "version": 0, "last": None})
    number = 0
    async with asyncio.timeout(PING_SECONDS):  # before the pings that they do not answer
        while any(not each.socket.transport.is_closing() for each in deaf):
            for each in deaf:
                with contextlib.suppress(ConnectionClosed):
                    await each.socket.send(hello)
            number += 1
            assert await seat.ping(number) == seat.version, "the one that reads is served"
            await asyncio.sleep(1 / 20)  # as fast as the server allows
    assert [frame["pages"] for frame in seat.heard if frame["t"] == "watching"][-1] == 1
    for each in deaf:
        each.socket.transport.abort()
    await seat.do("leave")
    await seat.close()


async def test_who_sends_pings_and_reads_no_pong_is_cut_off(embedded_site: Site) -> None:
    visitor = await Visitor.arrive(embedded_site.origin)
    seat: Seat = await visitor.open(await visitor.start())
    seat.socket.transport.pause_reading()
    before = rss_bytes(embedded_site.server.pid)
    sent = 0
    ping = b"\x89\xfd" + b"\0\0\0\0" + b"p" * 125  # masked with zeros
    async with asyncio.timeout(60):
        while not seat.socket.transport.is_closing() and sent < 64 * 2**20:
            if seat.socket.transport.get_write_buffer_size() < 2**20:
                seat.socket.transport.write(ping * 500)
                sent += 500 * len(ping)
            await asyncio.sleep(0)
    assert seat.socket.transport.is_closing(), "the server took it all"
    assert rss_bytes(embedded_site.server.pid) - before < 32 * 2**20
    seat.socket.transport.abort()
