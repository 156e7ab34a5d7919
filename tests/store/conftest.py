"""The suite runs against the embedded valkey and against a real redis-server alike."""

import os
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from gameserver.store import Store

from .servers import Proxy, Redis, Server, Valkey


@pytest.fixture(params=[Valkey, Redis], ids=["valkey", "redis"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    one: Server = request.param(tmp_path / "s")
    one.start()
    yield one
    one.stop()


@pytest.fixture
async def store(server: Server) -> AsyncIterator[Store]:
    async with Store(server.url) as one:
        yield one


@pytest.fixture
async def proxy(server: Server, tmp_path: Path) -> AsyncIterator[Proxy]:
    async with Proxy(tmp_path / "proxy", server.socket_path) as one:
        yield one


@pytest.fixture
def new_id() -> Callable[[], bytes]:
    return lambda: os.urandom(16)
