"""A store that is full can still be read, and so can every session."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from redis.asyncio import Redis as Client

from gameserver.session.commands import GiveSeed
from gameserver.session.decide import head
from gameserver.session.ids import PlayerId
from gameserver.store import EmbeddedStore, Store, StoreUnavailable
from gameserver.store.devices import Device

from ..web.conftest import begin, rooms_on
from .test_other_pasts import Page, options


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with EmbeddedStore(tmp_path_factory.mktemp("store")) as embedded:
        yield embedded.url


async def test_a_page_comes_in_while_the_computer_is_due_and_nothing_can_be_written(url: str) -> None:
    player = PlayerId(os.urandom(16))
    async with Store(url) as store, Client.from_url(url) as client:
        first = rooms_on(store)
        while True:
            room = await first.up_to_date(player, session := await begin(first, player))
            assert room is not None
            await first.submit(room, GiveSeed(id=os.urandom(16), base=head(room.state), seed=os.urandom(32)))
            if room.state.computer_is_due:
                break
        await client.config_set("maxmemory", "1mb")
        try:
            rooms = rooms_on(store)
            seen = await rooms.enter(player, session, Page())
            assert seen is not None
            assert seen.state == room.state
            with pytest.raises(StoreUnavailable, match="cannot write"):
                await rooms.submit(seen, options(seen))
            await store.check()  # or no proxy would let a page in to look
        finally:
            await client.config_set("maxmemory", "0")


async def test_a_device_can_be_shut_out_where_nothing_else_can_be_written(url: str) -> None:
    player, device = os.urandom(16), os.urandom(16)
    async with Store(url) as store, Client.from_url(url) as client:
        await store.devices.join(player, {device: Device("a phone", 1)}, [])
        await client.config_set("maxmemory", "1mb")
        try:
            assert await store.devices.sign_out(player, device)
            assert not (await store.devices.standing(player, device)).valid
        finally:
            await client.config_set("maxmemory", "0")
