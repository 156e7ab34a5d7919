"""Each page hears how many pages have its session open, on whatever servers they are."""

from __future__ import annotations

import asyncio

import msgpack
import pytest

from gameserver.session.ids import PlayerId, SessionId
from gameserver.store import Store
from gameserver.web import watching
from gameserver.web.room import Room
from gameserver.web.rooms import Rooms

from ..conftest import Site
from ..protocol.client import Seat, Visitor
from ..store.servers import eventually
from .conftest import begin, rooms_on


class Page:
    """A page that writes down how many watch."""

    def __init__(self) -> None:
        self.pages: list[int] = []

    def push(self, frame: bytes) -> None:
        message = msgpack.unpackb(frame, strict_map_key=False)
        if message["t"] == "watching":
            self.pages.append(message["pages"])


async def watch(rooms: Rooms, player: PlayerId, session: SessionId) -> tuple[Page, Room]:
    page = Page()
    room = await rooms.enter(player, session, page)
    assert room is not None
    room.watchers.changed()
    return page, room


def leave(rooms: Rooms, room: Room, page: Page) -> None:
    rooms.leave(room, page)
    room.watchers.changed()


async def test_pages_on_two_servers_hear_of_each_other_coming_and_going(
    rooms: Rooms, store_url: str, player: PlayerId
) -> None:
    session = await begin(rooms, player)
    async with Store(store_url) as elsewhere:
        there = rooms_on(elsewhere)
        one, room = await watch(rooms, player, session)
        two, other_room = await watch(there, player, session)
        await eventually(lambda: one.pages[-1] == two.pages[-1] == 2)
        three, _ = await watch(there, player, session)
        await eventually(lambda: {page.pages[-1] for page in (one, two, three)} == {3})
        leave(there, other_room, two)
        leave(there, other_room, three)
        await eventually(lambda: one.pages[-1] == 1)
        leave(rooms, room, one)
        again, _ = await watch(there, player, session)
        await asyncio.sleep(0)
        assert again.pages == [1], "what was said before is forgotten"


async def test_a_server_that_died_is_forgotten(
    rooms: Rooms, store_url: str, player: PlayerId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "REPEAT_SECONDS", 0.05)
    monkeypatch.setattr(watching, "FORGET_SECONDS", 2.0)
    session = await begin(rooms, player)
    here, _ = await watch(rooms, player, session)
    async with Store(store_url) as dying, Store(store_url) as living:
        for store in (dying, living):
            await watch(rooms_on(store), player, session)
        await eventually(lambda: here.pages[-1] == 3)
        await dying.watching._commands.close()
        await eventually(lambda: here.pages[-1] == 2)
        assert 1 not in here.pages[2:], "who goes on saying so is not forgotten"


async def test_pages_of_two_real_servers_hear_of_each_other(redis_site: Site) -> None:
    visitor = await Visitor.arrive(redis_site.origins[0])
    session = await visitor.start()
    one = await visitor.open(session)
    other = await Visitor(redis_site.origins[1], visitor.cookie).open(session)
    for seat in (one, other):
        if not any(frame["t"] == "watching" and frame["pages"] == 2 for frame in seat.heard):
            await seat.until(lambda frame: frame["t"] == "watching" and frame["pages"] == 2)
    await other.close()
    assert (await one.until(lambda frame: frame["t"] == "watching"))["pages"] == 1
    await one.close()


async def test_a_browser_with_one_page_hears_of_one(redis_site: Site) -> None:
    visitor = await Visitor.arrive(redis_site.origin)
    seat = await Seat.connect(visitor)
    await seat.send(Seat._hello_frame(await visitor.start(), 0, None))
    assert (await seat.until(lambda frame: frame["t"] == "watching"))["pages"] == 1
    await seat.close()
