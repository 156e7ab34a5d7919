"""Settings and the index of sessions."""

import asyncio
from collections.abc import Callable

import pytest
from redis.asyncio import Redis as Client

from gameserver.store import Store, TooManySessions
from gameserver.store.keys import finished_key, settings_key, unfinished_key
from gameserver.store.players import KEEP_MS, Players

from .servers import Server

NewId = Callable[[], bytes]


async def test_settings_are_the_players_own(store: Store, new_id: NewId) -> None:
    player, other = new_id(), new_id()
    assert await store.players.settings(player) is None
    await store.players.put_settings(player, b"\x00fast")
    await store.players.put_settings(player, b"\x00instant")
    assert await store.players.settings(player) == b"\x00instant"
    assert await store.players.settings(other) is None


async def test_sessions_are_listed_the_latest_first(store: Store, new_id: NewId) -> None:
    player, sessions = new_id(), [new_id() for _ in range(5)]
    for at, session in enumerate(sessions):
        await store.players.add(player, session, 1_000 + at)
    assert await store.players.unfinished(player) == sessions[::-1]
    assert await store.players.unfinished(player, 2) == [sessions[4], sessions[3]]
    assert await store.players.count_unfinished(player) == 5
    assert await store.players.unfinished(new_id()) == []


async def test_a_finished_session_moves(store: Store, new_id: NewId) -> None:
    player, first, second = new_id(), new_id(), new_id()
    await store.players.add(player, first, 1)
    await store.players.add(player, second, 2)
    for at in (10, 20):
        await store.players.finish(player, first, at)
    assert await store.players.unfinished(player) == [second]
    assert await store.players.finished(player) == [first]
    await store.players.add(player, first, 30)
    assert await store.players.unfinished(player) == [second], "what is finished does not come back"
    await store.players.remove(player, second)
    assert await store.players.count_unfinished(player) == 0
    assert await store.players.count_finished(player) == 1


async def test_there_may_be_so_many_and_no_more(store: Store, new_id: NewId) -> None:
    players = Players(store.commands, max_unfinished=3)
    player, sessions = new_id(), [new_id() for _ in range(8)]
    outcomes = await asyncio.gather(*(players.add(player, each, 1) for each in sessions), return_exceptions=True)
    assert [type(each) for each in outcomes].count(TooManySessions) == 5
    kept = await players.unfinished(player)
    assert len(kept) == 3
    await players.add(player, kept[0], 2)
    await players.finish(player, kept[0], 3)
    await players.add(player, new_id(), 4)


async def test_of_the_finished_ones_the_latest_are_kept(
    store: Store, new_id: NewId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gameserver.store.players.MAX_FINISHED", 3)
    player, sessions = new_id(), [new_id() for _ in range(5)]
    for at, session in enumerate(sessions):
        await store.players.finish(player, session, at)
    assert await store.players.finished(player) == sessions[:1:-1]


async def test_nonsense_is_refused(store: Store, new_id: NewId) -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        await store.players.settings(b"short")
    with pytest.raises(ValueError, match="room"):
        await store.players.unfinished(new_id(), 0)


async def test_all_of_it_is_dropped_long_after_the_last_visit(server: Server, store: Store, new_id: NewId) -> None:
    player, session, over = new_id(), new_id(), new_id()
    await store.players.put_settings(player, b"fast")
    await store.players.add(player, session, 1)
    await store.players.add(player, over, 2)
    await store.players.finish(player, over, 3)
    async with Client.from_url(server.url) as client:
        names = [settings_key(player), unfinished_key(player), finished_key(player)]
        for name in names:
            assert KEEP_MS - 60_000 < await client.pttl(name) <= KEEP_MS
            await client.pexpire(name, 60_000)
        await store.players.settings(player)
        await store.players.unfinished(player)
        await store.players.finished(player)
        for name in names:
            assert await client.pttl(name) > KEEP_MS - 60_000, "every visit renews"
