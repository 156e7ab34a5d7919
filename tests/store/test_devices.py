"""Devices, invitations and quotas in the store: bounds, repetition, and word that was missed."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

import pytest

from gameserver.session.ids import PlayerId
from gameserver.store import Store
from gameserver.store import keys as names
from gameserver.store.devices import KEEP_SECONDS, MAX_DEVICES, MAX_OTHER_PLAYERS, Device, Standing, TooManyDevices
from gameserver.store.invitations import Answer, Asker, Invitations
from gameserver.web.devices_online import Online
from gameserver.web.identity import DeviceId, Visitor

from .servers import Proxy, Server, eventually

NewId = Callable[[], bytes]
ALONE = Standing(valid=True, linked=False, others=frozenset())
LINKED = Standing(valid=True, linked=True, others=frozenset())


def told(seen: int = 1) -> Device:
    return Device("Firefox, Linux", seen)


async def test_a_player_with_one_device_leaves_nothing_in_the_store(store: Store, new_id: NewId) -> None:
    player, device = new_id(), new_id()
    await store.devices.seen(player, device, told())
    assert await store.devices.standing(player, device) == ALONE
    assert await store.devices.listed(player) == {}
    assert not await store.devices.sign_out(player, device)
    key = names.devices_key(player)
    assert await store.commands.call(key, "EXISTS", key) == 0


async def test_devices_join_are_seen_and_are_signed_out_for_good(store: Store, new_id: NewId) -> None:
    player, one, two, unknown = (new_id() for _ in range(4))
    await store.devices.join(player, {one: told(1), two: told(2)}, ())
    await store.devices.seen(player, one, told(3))
    assert await store.devices.listed(player) == {one: told(3), two: told(2)}
    assert list(await store.devices.listed(player)) == [one, two]

    assert await store.devices.sign_out(player, two)
    await store.devices.seen(player, two, told(4))
    await store.devices.join(player, {two: told(5)}, ())
    assert await store.devices.standing(player, two) == Standing(valid=False, linked=True, others=frozenset())
    assert await store.devices.standing(player, one) == LINKED
    assert await store.devices.listed(player) == {one: told(3)}
    # A signed cookie whose entry was lost, in a failover for instance, is let in, and enters itself again.
    assert await store.devices.standing(player, unknown) == LINKED
    await store.devices.seen(player, unknown, told(6))
    assert set(await store.devices.listed(player)) == {one, unknown}


async def test_entries_outlive_the_last_visit_for_as_long_as_cookies_do(store: Store, new_id: NewId) -> None:
    player, device, other = new_id(), new_id(), new_id()
    await store.devices.join(player, {device: told()}, {other})
    for key in (names.devices_key(player), names.others_key(player)):
        assert KEEP_SECONDS - 10 <= await store.commands.call(key, "TTL", key) <= KEEP_SECONDS
        await store.commands.call(key, "EXPIRE", key, 1000)
    await store.devices.seen(player, device, told())
    for key in (names.devices_key(player), names.others_key(player)):
        assert await store.commands.call(key, "TTL", key) > KEEP_SECONDS - 10


async def test_devices_of_a_player_are_bounded(store: Store, new_id: NewId) -> None:
    player = new_id()
    devices = [new_id() for _ in range(MAX_DEVICES)]
    await store.devices.join(player, dict.fromkeys(devices[1:], told()), ())
    assert await store.devices.may_grow(player)
    await store.devices.join(player, {devices[0]: told()}, ())
    assert not await store.devices.may_grow(player)
    await store.devices.sign_out(player, devices[0])
    assert await store.devices.may_grow(player)


async def test_players_whose_games_come_along_are_bounded_and_nothing_is_half_done(store: Store, new_id: NewId) -> None:
    player, device, late = new_id(), new_id(), new_id()
    others = [new_id() for _ in range(MAX_OTHER_PLAYERS)]
    await store.devices.join(player, {device: told()}, others)
    await store.devices.join(player, {device: told()}, [*others[:5], player])
    assert (await store.devices.standing(player, device)).others == frozenset(others)
    with pytest.raises(TooManyDevices):
        await store.devices.join(player, {late: told()}, [*others[:5], new_id()])
    assert (await store.devices.standing(player, device)).others == frozenset(others)
    assert late not in await store.devices.listed(player)


def asker(new_id: NewId, check: str = "42") -> Asker:
    return Asker(new_id(), new_id(), "Chrome, Android", check, True, new_id())


async def test_an_invitation_is_used_by_the_first_and_answered_once(store: Store, new_id: NewId) -> None:
    player, device, code = new_id(), new_id(), os.urandom(4).hex().upper()
    first, second = asker(new_id, "11"), asker(new_id, "22")
    assert await store.invitations.ask(code, first) is None
    assert await store.invitations.open(code, player, device)
    assert not await store.invitations.open(code, new_id(), new_id()), "the code is taken"
    assert await store.invitations.answer(code, player, Answer.APPROVED) is None, "nobody has asked"
    assert await store.invitations.ask(code, first._replace(player=player)) == ""
    assert await store.invitations.ask(code, first) == "11"
    assert await store.invitations.ask(code, first._replace(check="33")) == "11"
    assert await store.invitations.ask(code, second) is None
    assert await store.invitations.answer(code, second.player, Answer.APPROVED) is None
    assert await store.invitations.answer(code, player, Answer.REFUSED) is Answer.REFUSED
    assert await store.invitations.answer(code, player, Answer.APPROVED) is Answer.REFUSED
    invitation = await store.invitations.look(code)
    assert invitation is not None
    assert (invitation.player, invitation.by, invitation.asker) == (player, device, first)
    assert invitation.answer is Answer.REFUSED


async def test_an_invitation_ends_by_itself(store: Store, new_id: NewId) -> None:
    short = Invitations(store.commands, stands_ms=30)
    player = new_id()
    assert await short.open("CODE", player, new_id())
    async with asyncio.timeout(10):
        while await short.look("CODE") is not None:  # noqa: ASYNC110
            await asyncio.sleep(0.005)
    assert await short.ask("CODE", asker(new_id)) is None
    assert await short.answer("CODE", player, Answer.APPROVED) is None


async def test_a_quota_is_never_exceeded_and_begins_anew_after_its_window(store: Store) -> None:
    waits = await asyncio.gather(*(store.quotas.take("cake", 5, 60_000) for _ in range(20)))
    assert sum(wait == 0 for wait in waits) == 5
    assert all(0 < wait <= 60_000 for wait in waits if wait)
    assert await store.quotas.take("tea", 1, 20) == 0
    async with asyncio.timeout(10):
        while await store.quotas.take("tea", 1, 20):  # noqa: ASYNC110
            await asyncio.sleep(0.005)


class Connection:
    """A connection that notes how it stands."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.standings: list[Standing] = []

    def stands(self, standing: Standing) -> None:
        self.standings.append(standing)

    @property
    def valid(self) -> bool:
        return all(standing.valid for standing in self.standings)


async def test_a_sign_out_is_heard_also_where_the_word_of_it_was_lost(
    server: Server, proxy: Proxy, new_id: NewId
) -> None:
    async with Store(server.url) as elsewhere, Store(proxy.url) as store:
        online = Online(store, lambda: 0, 0)
        connections = [Connection(Visitor(PlayerId(new_id()), DeviceId(new_id()))) for _ in range(450)]
        for connection in connections:
            online.arrive(connection, None)
        await online.admit(connections[0], "?")
        gone = connections[0].visitor, connections[449].visitor
        await elsewhere.devices.join(gone[0].player, {gone[0].device: told()}, ())
        await eventually(lambda: connections[0].standings[-1].linked)
        # The word is on its way to the server when its connections break.
        proxy.replies_pass.clear()
        for visitor in gone:
            await elsewhere.devices.join(visitor.player, {visitor.device: told()}, ())
            await elsewhere.devices.sign_out(*visitor)
        assert connections[0].valid
        proxy.cut()
        proxy.replies_pass.set()
        await eventually(lambda: not connections[0].valid and not connections[449].valid)
        assert all(connection.valid for connection in connections[1:449])
        await online.close()
