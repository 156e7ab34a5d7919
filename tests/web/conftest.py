"""The web server inside the tests' own process, on a real store: for what no client can bring about from outside."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from starlette.applications import Starlette

from gameserver.session.commands import StartSession
from gameserver.session.ids import CommandId, PlayerId, SessionId, session_started_by
from gameserver.store import EmbeddedStore, Store
from gameserver.web.rooms import Rooms
from gameserver.web.server import PING_SECONDS, Server


@pytest.fixture(scope="session")
def store_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with EmbeddedStore(tmp_path_factory.mktemp("web")) as embedded:
        yield embedded.url


@pytest.fixture
async def store(store_url: str) -> AsyncIterator[Store]:
    async with Store(store_url) as store:
        yield store


@pytest.fixture
def player() -> PlayerId:
    return PlayerId(os.urandom(16))


@pytest.fixture
def rooms(store: Store) -> Rooms:
    return rooms_on(store)


def rooms_on(store: Store) -> Rooms:
    """The rooms of one more server."""
    return Rooms(store, lambda: 1_700_000_000_000, lambda: os.urandom(32))


async def begin(rooms: Rooms, player: PlayerId, command: CommandId | None = None) -> SessionId:
    """Start a session of this player."""
    command = command or CommandId(os.urandom(16))
    session = session_started_by(player, command)
    await rooms.begin(
        StartSession(
            id=command,
            player=player,
            session=session,
            level="normal",
            format=1,
            pace="instant",
            auto_end=True,
            auto_forced=False,
            auto_bear_off=False,
        )
    )
    return session


@asynccontextmanager
async def serving(
    app: Starlette, *, ping_seconds: float = PING_SECONDS, trusted_proxies: tuple[str, ...] = ()
) -> AsyncIterator[str]:
    """The application on a real server in this event loop; its address.

    The system's own buffers are small, so that the server soon notices who does not read.
    """
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        ready = asyncio.Event()
        server = Server(
            app,
            trusted_proxies=trusted_proxies,
            log_level="warning",
            on_ready=ready.set,
            ping_seconds=ping_seconds,
        )
        serving = asyncio.create_task(server.serve([listening]))
        await asyncio.wait_for(ready.wait(), 20)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        await serving


@pytest.fixture
def built_page(tmp_path: Path) -> Path:
    """A built client of a few files."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text('<script type="application/json" id="lobby"></script>')
    (tmp_path / "assets" / "page-1a2b.js").write_text("let here;" * 100)
    (tmp_path / "assets" / "font.woff2").write_bytes(b"wOF2")
    (tmp_path / "icon.svg").write_text("<svg/>")
    (tmp_path / ".stamp").write_text("secret of the build")
    return tmp_path
