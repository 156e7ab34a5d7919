"""What tests of several folders share: the running game, on both kinds of store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from .processes.programs import SECRET_KEY, Program, Redis, running


@dataclass(frozen=True)
class Site:
    """A running game: the addresses of its servers, the first of their processes, and how its tools reach its store."""

    origins: tuple[str, ...]
    server: Program
    variables: dict[str, str]

    @property
    def origin(self) -> str:
        return self.origins[0]


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real redis-server."""
    redis = Redis(tmp_path_factory.mktemp("redis"))
    redis.start()
    yield redis.url
    redis.kill()


@pytest.fixture(scope="session")
def embedded_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """`gameserver play`: all in one, on its own store."""
    data_dir = tmp_path_factory.mktemp("data")
    with running("play", DATA_DIR=str(data_dir)) as program:
        yield Site((program.address(),), program, {"DATA_DIR": str(data_dir)})


@pytest.fixture(scope="session")
def redis_site(redis_url: str) -> Iterator[Site]:
    """Two `gameserver serve` and one `gameserver computer` on one redis-server."""
    variables = {"REDIS_URL": redis_url, "SECRET_KEY": SECRET_KEY}
    with (
        running("serve", **variables) as one,
        running("serve", **variables) as other,
        running("computer", **variables),
    ):
        yield Site((one.address(), other.address()), one, variables)


@pytest.fixture(params=["valkey", "redis"])
def site(request: pytest.FixtureRequest) -> Site:
    """A running game, on the embedded store and on a redis-server alike."""
    found: Site = request.getfixturevalue({"valkey": "embedded_site", "redis": "redis_site"}[request.param])
    return found


@pytest.fixture
def new_directory(tmp_path: Path) -> str:
    """A data directory for one test."""
    return str(tmp_path / "data")
