"""Bounds on what one player and one address may have, each with a clear refusal; others are not harmed."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.requests import HTTPConnection
from websockets.exceptions import InvalidStatus

from gameserver.store import EmbeddedStore, Store
from gameserver.web.limits import REQUESTS_AT_ONCE, STARTS_AN_HOUR, Exhausted, Starts, address_of

from ..devices.visitors import Browser, RequestRefused
from ..processes.programs import SECRET_KEY, running
from ..protocol.client import Refused, Seat

ADDRESS_CONNECTIONS = 4
HERE, ELSEWHERE = "192.0.2.1", "198.51.100.9"


@pytest.fixture(scope="module")
def bounded(redis_url: str) -> Iterator[str]:
    """A server behind a proxy, with few connections for each address."""
    variables = {"REDIS_URL": redis_url, "SECRET_KEY": SECRET_KEY, "TRUSTED_PROXIES": "127.0.0.1"}
    with running("serve", ADDRESS_CONNECTIONS=str(ADDRESS_CONNECTIONS), **variables) as program:
        yield program.address()


class Somewhere(Browser):
    """A browser at an address."""

    address: str = HERE

    @classmethod
    async def at(cls, address: str, origin: str) -> Somewhere:
        browser = cls(origin)
        browser.address = address
        await browser.open_page()
        return browser

    async def request(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        return await super().request(method, path, body, {"X-Forwarded-For": self.address, **(headers or {})})

    async def connect(self) -> Seat:
        return await Seat.connect(self, None, **{"X-Forwarded-For": self.address})


async def denied(browser: Somewhere) -> int:
    with pytest.raises(InvalidStatus) as error:
        await browser.connect()
    return error.value.response.status_code


async def test_connections_of_one_player(bounded: str) -> None:
    player = await Browser.arrive(bounded)
    seats = [await Seat.connect(player) for _ in range(32)]
    with pytest.raises(InvalidStatus) as error:
        await Seat.connect(player)
    assert error.value.response.status_code == 429
    assert b"too-many" in (error.value.response.body or b"")
    other = await Seat.connect(await Browser.arrive(bounded))
    await seats.pop().close()
    await _until_let_in(player)
    for seat in (*seats, other):
        assert await seat.ping() == 0
        await seat.close()


async def _until_let_in(player: Browser) -> None:
    for _ in range(100):
        try:
            await (await Seat.connect(player)).close()
        except InvalidStatus:
            await asyncio.sleep(0.02)  # until the server has heard of the close
        else:
            return
    raise AssertionError("there was room, and the player was not let in")


async def test_connections_of_one_address(bounded: str) -> None:
    here = [await Somewhere.at(HERE, bounded) for _ in range(ADDRESS_CONNECTIONS + 1)]
    seats = [await browser.connect() for browser in here[:-1]]
    assert await denied(here[-1]) == 429
    elsewhere = await (await Somewhere.at(ELSEWHERE, bounded)).connect()
    for seat in (*seats, elsewhere):
        assert await seat.ping() == 0
        await seat.close()


async def test_sessions_started_from_one_address_by_http_and_by_restart(bounded: str) -> None:
    address = "203.0.113.5"
    players = [await Somewhere.at(address, bounded) for _ in range(2)]
    bound = 6 * ADDRESS_CONNECTIONS
    sessions = [await players[number % 2].start() for number in range(bound - 1)]
    seat = await players[0].connect()
    await seat.hello(sessions[-1] if bound % 2 == 0 else sessions[-2])
    successor = (await seat.do("restart"))["set"]["successor"]
    await seat.hello(successor)
    with pytest.raises(Refused) as refused:
        await seat.do("restart")
    assert refused.value.code == "too-many"
    with pytest.raises(RequestRefused) as error:
        await players[1].call("POST", "sessions", {"id": os.urandom(16).hex(), "level": "normal", "format": 1})
    assert (error.value.status, error.value.code) == (429, "too-many")
    await seat.do("seed", seed=bytes(32))
    await seat.close()
    await (await Somewhere.at(ELSEWHERE, bounded)).start()


async def test_sessions_started_by_one_player(tmp_path: Path) -> None:
    with EmbeddedStore(tmp_path) as embedded:
        async with Store(embedded.url) as store:
            starts, player = Starts(store.quotas, 0), os.urandom(16)
            await asyncio.gather(*(starts.count(player, HERE) for _ in range(STARTS_AN_HOUR)))
            with pytest.raises(Exhausted, match="600 sessions an hour from one player") as error:
                await starts.count(player, HERE)
            assert 3590 <= error.value.seconds <= 3600
            await starts.count(os.urandom(16), HERE)


async def test_requests_of_one_player(bounded: str) -> None:
    """The lobby's requests read much of the store for little that is sent."""
    player, other = await Browser.arrive(bounded), await Browser.arrive(bounded)
    status, headers, body = await _first_refusal(player)
    assert status == 429
    assert headers["retry-after"] == "1"
    assert b"too-many" in body
    assert (await other.request("GET", "/api/lobby"))[0] == 200
    assert (await player.request("GET", "/"))[0] == 200, "the page itself comes, without the lobby"


async def _first_refusal(player: Browser) -> tuple[int, dict[str, str], bytes]:
    for _ in range(REQUESTS_AT_ONCE * 20):  # on a slow machine the allowance grows while it is used up
        answer = await player.request("GET", "/api/lobby")
        if answer[0] != 200:
            return answer
    raise AssertionError("nothing was refused")


async def test_frames_of_one_player_from_many_connections(bounded: str) -> None:
    player, other = await Browser.arrive(bounded), await Browser.arrive(bounded)
    seats = [await Seat.connect(player) for _ in range(8)]
    quiet = await Seat.connect(other)
    for seat in seats:
        for number in range(19):
            await seat.send({"t": "ping", "n": number})
    answers = [await seat.receive() for seat in seats for _ in range(19)]
    refused = [answer for answer in answers if answer["t"] == "error"]
    assert {answer["code"] for answer in refused} == {"too-fast"}
    # 152 frames; 60 at once, and 60 for each second that this took.
    assert len(refused) >= 20
    assert await quiet.ping() == 0
    for seat in (*seats, quiet):
        await seat.close()


@pytest.mark.parametrize(
    ("client", "address"),
    [
        (("192.0.2.1", 4000), "192.0.2.1"),
        (("::ffff:192.0.2.1", 4000), "192.0.2.1"),
        (("2001:db8:1:2:3:4:5:6", 4000), "2001:db8:1:2::/64"),
        (("2001:db8:1:2::9", 4000), "2001:db8:1:2::/64"),
        (("127.0.0.1", 4000), None),
        (("::1", 4000), None),
        (("unix:", 0), None),
        (None, None),
    ],
)
def test_what_counts_as_one_address(client: tuple[str, int] | None, address: str | None) -> None:
    assert address_of(HTTPConnection({"type": "http", "headers": [], "client": client})) == address


async def test_codes_that_are_tried_are_bounded_for_all_together(tmp_path: Path) -> None:
    with running("play", DATA_DIR=str(tmp_path)) as program:
        origin = program.address()
        strangers = [await Browser.arrive(origin) for _ in range(11)]

        async def guess(stranger: Browser, number: int) -> tuple[int, str]:
            with pytest.raises(RequestRefused) as error:
                await stranger.ask(f"0000-{number:04}")
            return error.value.status, error.value.code

        answers = [await guess(stranger, number) for stranger in strangers[:10] for number in range(20)]
        # Two hundred a minute, in a window that begins with the first: on a slow machine it may have begun anew.
        assert set(answers) <= {(404, "no-code"), (429, "too-many")}
        assert answers.count((404, "no-code")) >= 200 - answers.count((429, "too-many"))
        async with Store(EmbeddedStore(tmp_path).url) as store:
            while not await store.quotas.take("tries", 200, 60_000):
                pass
        assert await guess(strangers[10], 1) == (429, "too-many")
