"""What a server holds after sessions were opened, played and left is what it held after the first of them."""

from __future__ import annotations

import asyncio
import gc
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette

from gameserver.store import follow
from gameserver.web import devices_online, rooms, socket, watching
from gameserver.web.app import create_app
from gameserver.web.page import BuiltPage
from gameserver.web.protocol import GameWebSocketProtocol
from gameserver.web.room import Room

from ..protocol.client import Seat, Visitor
from .conftest import serving

POSITION = "XGID=-b----E-C---eE---c-e----B-:0:0:1:61:0:0:0:0:10"
ROOMS = 5
KINDS = {
    Room,
    watching.Watchers,
    socket.Connection,
    devices_online._Group,
    follow._Subscription,
    GameWebSocketProtocol,
}


@pytest.fixture
def app(store_url: str, built_page: Path, monkeypatch: pytest.MonkeyPatch) -> Starlette:
    """The whole application, which keeps but a few rooms."""
    page = BuiltPage.read(built_page)
    monkeypatch.setattr(BuiltPage, "read", lambda: page)
    monkeypatch.setattr(rooms, "CACHED_ROOMS", ROOMS)
    return create_app(store_url, ["k" * 32])


def held() -> Counter[str]:
    """How many of each kind there are, and how many tasks."""
    gc.unfreeze()  # what the server has set aside is not among the objects
    found = Counter(type(each).__name__ for each in gc.get_objects() if type(each) in KINDS)
    found["tasks"] = len(asyncio.all_tasks())
    return found


async def comes_and_goes(origin: str, *, politely: bool) -> None:
    """Two pages on one session of a new player's; some commands, some of them refused; then both are gone."""
    visitor = await Visitor.arrive(origin)
    session = await visitor.start(position=POSITION)
    seats = [await visitor.open(session) for _ in range(2)]
    await play_a_little(seats[0])
    for seat in seats:
        if politely:
            await seat.close()
        else:
            seat.socket.transport.abort()


async def play_a_little(seat: Seat) -> None:
    await seat.do("seed", seed=os.urandom(32))
    source, path, _ = seat.view["options"][0]
    command = seat.command("move", **{"from": source, "dice": path[::2]})
    await seat.acknowledged(command)
    await seat.acknowledged(command)
    await seat.do("undo")
    await seat.send({**command, "id": os.urandom(16)})
    assert (await seat.until(lambda frame: frame["t"] == "refused"))["code"] == "stale"
    await seat.ping()


async def settled(wanted: Counter[str]) -> None:
    """Wait until the server holds no more than this."""
    too_many: Counter[str] = Counter()
    try:
        async with asyncio.timeout(30):
            while too_many := held() - wanted:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError(f"the server still holds, beyond what it may: {dict(too_many)}") from None


@pytest.fixture
def only_reference_counting() -> Iterator[None]:
    """What is left behind in rings stays, and so is found."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("only_reference_counting")
async def test_nothing_is_left_of_sessions_that_come_and_go(app: Starlette) -> None:
    before = held()
    async with serving(app) as origin:
        await comes_and_goes(origin, politely=True)
        # The channel of devices is heard for good; the store's lanes and ears, and the server itself, are tasks.
        kept = before + Counter(Room=ROOMS, Watchers=ROOMS, _Subscription=1, tasks=10_000)
        await settled(kept)
        kept["tasks"] = held()["tasks"]
        for number in range(8):
            await asyncio.gather(*(comes_and_goes(origin, politely=number % 2 == 0) for _ in range(4)))
        await settled(kept)
        # What earlier tests left may have gone meanwhile.
        assert ROOMS <= held()["Room"] <= before["Room"] + ROOMS, "as many as it may keep"
