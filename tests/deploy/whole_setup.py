"""deploy/compose.yaml as a host runs it: games are played through the proxy while everything behind it is replaced,
killed, restarted, backed up and restored; at the end every game is whole.

Started by tests/deploy/run, which brings a Docker daemon of its own, the images, and two variables: COMPOSE (the
command) and SITE (the proxy's origin).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import ssl
import time
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.deploy.players import Player
from tests.protocol.client import Visitor

DEPLOY = Path(__file__).parents[2] / "deploy"
COMPOSE = os.environ["COMPOSE"]
FILES = f"{COMPOSE} -f compose.yaml -f compose.monitoring.yaml"
SITE = os.environ["SITE"]
PLAYERS = 5

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def shell(command: str, *, within: float = 120, given: bytes = b"") -> str:
    """Run a command in deploy/; what it prints. Fails with its output where it fails, or takes too long."""
    process = await asyncio.create_subprocess_shell(
        command,
        cwd=DEPLOY,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(within):
            out, errors = await process.communicate(given)
    except TimeoutError:
        process.kill()
        await process.wait()
        pytest.fail(f"{command}: not done within {within} s")
    assert process.returncode == 0, f"{command}\n{out.decode()}\n{errors.decode()}"
    return out.decode()


async def containers(service: str) -> set[str]:
    return set((await shell(f"{COMPOSE} ps -q {service}")).split())


@contextlib.contextmanager
def step(name: str) -> Iterator[None]:
    began = time.monotonic()
    yield
    print(f"  {name}: {time.monotonic() - began:.1f} s", flush=True)


@contextlib.asynccontextmanager
async def playing(players: list[Player]) -> AsyncIterator[None]:
    """While the context lasts these play; it ends only when each has gone on to play after all that was done to it."""
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as games:
        for player in players:
            games.create_task(player.play(stop))
        await further(players)
        yield
        await further(players)
        stop.set()


async def further(players: list[Player], commands: int = 10) -> None:
    """Wait until every player has had so many more commands acknowledged."""
    goals = [player.commands + commands for player in players]

    async def reached() -> bool:
        return all(player.commands >= goal for player, goal in zip(players, goals, strict=True))

    await eventually(reached)


async def eventually(is_so: Callable[[], Awaitable[bool]], within: float = 90) -> None:
    async with asyncio.timeout(within):
        while not await is_so():  # noqa: ASYNC110 - what is waited for happens in other processes
            await asyncio.sleep(0.1)


async def check(players: list[Player]) -> None:
    """Nothing that was acknowledged is missing; says how long the players had to wait at most."""
    for player in players:
        await player.check()
    print("  longest wait of a player:", ", ".join(f"{player.longest_gap:.1f}" for player in players), "s")
    for player in players:
        player.rest()


async def ready() -> bool:
    return (await Visitor(SITE).request("GET", "/readyz"))[0] == 200


async def verify(record: bytes) -> None:
    """Have the product's own program check a record, within a container."""
    command = "docker run --rm --interactive --network none shuanglu:latest verify /dev/stdin 2>&1"
    said = await shell(command, given=record)
    assert "the dice fit" in said


@pytest.fixture(scope="module", autouse=True)
def running() -> Iterator[None]:
    """The whole set-up, from nothing to nothing. Grafana's image can't be had without a registry."""

    async def up() -> None:
        with step("up"):
            await shell(f"{FILES} up -d --no-build proxy computer prometheus", within=180)

    async def down() -> None:
        await shell(f"{FILES} down --volumes --timeout 5", within=120)

    asyncio.run(up())
    try:
        yield
    finally:
        asyncio.run(down())


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def players() -> list[Player]:
    return [await Player.arrive(SITE, number) for number in range(PLAYERS)]


async def test_a_whole_game_is_played_through_the_proxy() -> None:
    player = await Player.arrive(SITE, number=1, length=1)
    stop = asyncio.Event()

    async def over() -> bool:
        return bool(player.games) and player.games[0].over

    async with asyncio.TaskGroup() as games:
        games.create_task(player.play(stop))
        await eventually(over, within=120)
        stop.set()
    await verify(await player.visitor.record(player.games[0].session))


async def test_the_page_is_served_compressed_and_safe_and_the_figures_are_not_shown_outside() -> None:
    visitor = Visitor(SITE)
    status, headers, _ = await visitor.request("GET", "/", headers={"Accept-Encoding": "gzip"})
    assert status == 200
    assert headers["content-encoding"] == "gzip"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert (await visitor.request("GET", "/readyz"))[0] == 200
    assert (await visitor.request("GET", "/metrics"))[0] == 404


async def test_containers_are_not_root_and_cannot_write_to_their_files() -> None:
    for service in ("server", "computer"):
        assert (await shell(f"{COMPOSE} exec -T {service} id -u")).strip() == "10001"
        told = await shell(f"{COMPOSE} exec -T {service} sh -c 'touch /opt/shuanglu/x 2>&1 || true'")
        assert "Read-only file system" in told


async def test_servers_and_worker_are_replaced_while_games_go_on(players: list[Player]) -> None:
    before = {service: await containers(service) for service in ("server", "computer")}
    async with playing(players):
        with step("upgrade"):
            await shell("./upgrade --as-is", within=180)
    after = {service: await containers(service) for service in ("server", "computer")}
    for service, count in (("server", 2), ("computer", 1)):
        assert len(after[service]) == count
        assert not after[service] & before[service]
    await check(players)


async def test_a_server_and_a_worker_that_are_killed_are_not_missed(players: list[Player]) -> None:
    async with playing(players):
        for service in ("server", "computer"):
            victim = (await containers(service)).pop()
            await shell(f"docker kill --signal KILL {victim}")
            if service == "computer":
                await shell(f"{COMPOSE} up -d --no-build --no-deps computer")
            await further(players)
        await shell(f"{COMPOSE} up -d --no-build --no-deps server")
    await check(players)


async def test_a_store_that_is_restarted_or_killed_loses_nothing(players: list[Player]) -> None:
    async with playing(players):
        with step("restart of the store"):
            await shell(f"{COMPOSE} restart store")
        await further(players)
        await shell(f"docker kill --signal KILL {(await containers('store')).pop()}")
        await asyncio.sleep(1)
        assert (await Visitor(SITE).request("GET", "/healthz"))[0] == 200
        assert (await Visitor(SITE).request("GET", "/readyz"))[0] == 503
        await shell(f"{COMPOSE} start store")
    await check(players)


async def test_a_backup_that_is_made_in_the_middle_of_games_is_restored_whole(
    players: list[Player], tmp_path: Path
) -> None:
    backup = tmp_path / "backup.rdb"
    async with playing(players):
        acknowledged = {game.session: game.version for player in players for game in player.games}
        with step("backup"):
            await shell(f"./backup {backup}")
        reached = {game.session: game.version + 2 for player in players for game in player.games}
    with step("restore"):
        await shell(f"./restore {backup}", within=180)
    await eventually(ready)
    for player in players:
        player.games = [game for game in player.games if game.session in acknowledged]
        for session, version in (await player.versions()).items():
            assert acknowledged[session] <= version <= reached[session]
        for game in player.games:
            seat = await player.visitor.open(game.session)
            game.version, game.last = seat.version, seat.last
            await seat.close()
        player.forget_connection()
    async with playing(players):
        pass
    await check(players)


async def test_every_game_is_whole(players: list[Player]) -> None:
    checked = 0
    for player in players:
        for game in player.games:
            await player.drop(game)  # which shows the secret of its dice
            await verify(await player.visitor.record(game.session))
            checked += 1
    assert checked >= PLAYERS
    print(
        f"  {checked} sessions, {sum(player.commands for player in players)} commands,"
        f" {sum(player.reconnects for player in players)} reconnects"
    )


async def test_with_a_name_the_site_speaks_tls_and_its_cookie_goes_no_other_way() -> None:
    await shell(f"SITE_ADDRESS=localhost {COMPOSE} up -d --no-build --no-deps proxy")
    anybody = ssl.create_default_context()
    anybody.check_hostname, anybody.verify_mode = (
        False,
        ssl.CERT_NONE,
    )  # it is Caddy's own

    def cookie() -> str:
        with urllib.request.urlopen(f"https://localhost:{os.environ['HTTPS_PORT']}/", context=anybody) as answer:
            return str(answer.headers["Set-Cookie"])

    async def speaks() -> bool:
        try:
            return "secure" in (await asyncio.to_thread(cookie)).lower()
        except OSError:  # it is only just starting
            return False

    await eventually(speaks, within=30)
    await shell(f"{COMPOSE} up -d --no-build --no-deps proxy")


async def test_prometheus_answers_every_query_of_the_dashboard() -> None:
    dashboard = json.loads((DEPLOY / "monitoring" / "dashboard.json").read_text())
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    prometheus = (await shell(f"{FILES} ps -q prometheus")).strip()
    ask = 'read -r query; promtool query instant http://127.0.0.1:9090 "$query"'
    unanswered = queries

    async def all_are_answered() -> bool:
        """Figures are fetched every 15 s, and servers and worker have only just been replaced."""
        nonlocal unanswered
        answers = [
            await shell(f"docker exec --interactive {prometheus} sh -c '{ask}'", given=query.encode() + b"\n")
            for query in unanswered
        ]
        unanswered = [query for query, answer in zip(unanswered, answers, strict=True) if not answer.strip()]
        return not unanswered

    try:
        await eventually(all_are_answered)
    except TimeoutError:
        raise AssertionError(f"no data for {unanswered}") from None
