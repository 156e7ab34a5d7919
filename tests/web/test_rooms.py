"""Rooms on a real store: what happens when things come at the same time, or the store is not there."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import msgspec
import pytest

from gameserver.session.commands import Base, GiveSeed, Restart, Roll, SetConduct
from gameserver.session.decide import Repeated, head
from gameserver.session.ids import PlayerId
from gameserver.session.refusals import Code, Refusal
from gameserver.session.state import State
from gameserver.store import Entry, Store, StoreUnavailable
from gameserver.store.keys import log_key
from gameserver.web import rooms as rooms_module
from gameserver.web.room import Room, SessionGone
from gameserver.web.rooms import Accepted, Rooms

from ..store.servers import eventually
from .conftest import begin, rooms_on


class Page:
    """Keeps what it is shown."""

    def __init__(self) -> None:
        self.frames: list[dict[str, Any]] = []

    def push(self, frame: bytes) -> None:
        self.frames.append(msgspec.msgpack.decode(frame, strict=False))


def options(state: State, **changes: Any) -> SetConduct:
    conduct = {"pace": "fast", "auto_end": True, "auto_forced": False, "auto_bear_off": False, **changes}
    return SetConduct(id=os.urandom(16), base=head(state), **conduct)


async def entered(rooms: Rooms, player: PlayerId, session: bytes, page: Page) -> Room:
    room = await rooms.enter(player, session, page)  # type: ignore[arg-type] # any 16 bytes serve
    assert room is not None
    return room


async def test_a_room_that_was_dropped_before_its_page_came_in_is_still_the_one_room(
    store: Store, player: PlayerId, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many pages come at once, as after a restart, to a server that keeps as many rooms as it may."""
    monkeypatch.setattr(rooms_module, "CACHED_ROOMS", 1)
    sessions = [await begin(rooms_on(store), player) for _ in range(8)]
    rooms = rooms_on(store)
    found = await asyncio.gather(*(entered(rooms, player, session, Page()) for session in sessions))
    for session, room in zip(sessions, found, strict=True):
        assert await entered(rooms, player, session, Page()) is room
        assert len(room.viewers) == 2


async def test_pages_that_come_one_after_another_in_a_hurry_share_one_room(store: Store, player: PlayerId) -> None:
    session = await begin(rooms_on(store), player)
    for spins in range(12):  # the second comes at another moment of the first's opening each time
        rooms = rooms_on(store)
        first = asyncio.create_task(rooms.enter(player, session, Page()))
        for _ in range(spins):
            await asyncio.sleep(0)
        second = asyncio.create_task(rooms.enter(player, session, Page()))
        one, other = await asyncio.gather(first, second)
        assert one is not None
        assert one is other
        assert len(one.viewers) == 2
        for viewer in tuple(one.viewers):
            rooms.leave(one, viewer)
        assert len(store.follower) == 0


async def test_a_page_whose_entry_fails_is_not_left_in_the_room(
    store: Store, rooms: Rooms, player: PlayerId, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await begin(rooms, player)
    watcher = Page()
    room = await entered(rooms, player, session, watcher)

    async def away(*_: object) -> list[Entry]:
        raise StoreUnavailable("the store is away")

    monkeypatch.setattr(store.log, "read", away)
    with pytest.raises(StoreUnavailable):
        await rooms.enter(player, room.session, Page())
    assert room.viewers == {watcher}
    rooms.leave(room, watcher)
    with pytest.raises(StoreUnavailable):
        await rooms.enter(player, room.session, Page())
    assert len(store.follower) == 0


async def test_two_servers_hear_of_each_others_commits(store: Store, store_url: str, player: PlayerId) -> None:
    async with Store(store_url) as elsewhere:
        here, there = rooms_on(store), rooms_on(elsewhere)
        session = await begin(here, player)
        pages = Page(), Page()
        room, other = await entered(here, player, session, pages[0]), await entered(there, player, session, pages[1])
        for _ in range(5):
            assert isinstance(await here.submit(room, options(room.state)), Accepted)
        await eventually(lambda: other.state.version == 6)
        assert other.state == room.state
        assert pages[0].frames == pages[1].frames
        assert [frame["from"] for frame in pages[0].frames] == [1, 2, 3, 4, 5]


async def test_of_commands_at_two_servers_on_the_same_base_one_is_stale(
    store: Store, store_url: str, player: PlayerId
) -> None:
    async with Store(store_url) as elsewhere:
        here, there = rooms_on(store), rooms_on(elsewhere)
        session = await begin(here, player)
        room, other = await entered(here, player, session, Page()), await entered(there, player, session, Page())
        for _ in range(20):
            version = max(room.state.version, other.state.version)
            await eventually(lambda: room.state == other.state)
            outcomes = await asyncio.gather(
                here.submit(room, options(room.state)), there.submit(other, options(other.state, pace="real"))
            )
            assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Accepted", "Refusal"]
            assert Accepted(version + 1) in outcomes
            assert all(outcome.code is Code.STALE for outcome in outcomes if isinstance(outcome, Refusal))
        assert await store.log.version(session) == 21


async def test_a_session_whose_log_has_gone_is_no_session_any_more(
    store: Store, rooms: Rooms, player: PlayerId
) -> None:
    session = await begin(rooms, player)
    room = await entered(rooms, player, session, page := Page())
    rooms.leave(room, page)
    await store.commands.call(log_key(session), "DEL", log_key(session))
    assert await rooms.enter(player, session, page) is None
    assert await rooms.up_to_date(player, session) is None
    assert len(store.follower) == 0


async def test_a_session_whose_log_comes_back_is_watched_again(store: Store, rooms: Rooms, player: PlayerId) -> None:
    session = await begin(rooms, player)
    room = await entered(rooms, player, session, page := Page())
    kept = await store.commands.call(log_key(session), "DUMP", log_key(session))
    await store.commands.call(log_key(session), "DEL", log_key(session))
    assert await rooms.enter(player, session, page) is None
    assert len(store.follower) == 0
    await store.commands.call(log_key(session), "RESTORE", log_key(session), 0, kept)
    again = await entered(rooms, player, session, page)
    assert again is not room
    assert again.viewers == {page}


async def test_a_restart_for_which_something_else_came_first_leaves_no_game_behind(
    store: Store, store_url: str, rooms: Rooms, player: PlayerId
) -> None:
    session = await begin(rooms, player)
    room = await entered(rooms, player, session, Page())
    await rooms.submit(room, GiveSeed(id=os.urandom(16), base=head(room.state), seed=os.urandom(32)))
    restart = Restart(id=os.urandom(16), base=head(room.state))
    async with Store(store_url) as elsewhere:
        other = rooms_on(elsewhere)
        behind = await other.find(player, session)
        assert behind is not None
        await rooms.submit(room, options(room.state))
        outcome = await other.submit(behind, restart)
    assert isinstance(outcome, Refusal)
    assert await store.players.unfinished(player) == [session]


async def test_a_repeated_id_sent_as_a_restart_begins_nothing(store: Store, rooms: Rooms, player: PlayerId) -> None:
    session = await begin(rooms, player)
    room = await entered(rooms, player, session, Page())
    await rooms.submit(room, done := options(room.state))
    assert await rooms.submit(room, Restart(id=done.id, base=done.base)) == Repeated(room.state.version)
    assert await store.players.unfinished(player) == [session]


async def test_pages_are_told_when_the_log_of_their_session_has_gone(
    store: Store, rooms: Rooms, player: PlayerId
) -> None:
    session = await begin(rooms, player)
    room = await entered(rooms, player, session, page := Page())
    await store.commands.call(log_key(session), "DEL", log_key(session))
    with pytest.raises(SessionGone):
        await rooms.submit(room, options(room.state))
    assert [(frame["t"], frame["code"]) for frame in page.frames if frame["t"] == "error"] == [("error", "no-session")]


async def test_where_the_log_lost_commits_the_pages_get_a_snapshot_and_no_patch(
    store: Store, rooms: Rooms, player: PlayerId
) -> None:
    session = await begin(rooms, player)
    room = await entered(rooms, player, session, page := Page())
    await rooms.submit(room, options(room.state))
    await rooms.submit(room, options(room.state))
    await store.commands.call(log_key(session), "XDEL", log_key(session), "3-0")
    room.resync()
    await eventually(lambda: room.state.version == 2)
    assert page.frames[-1]["t"] == "snapshot"
    assert page.frames[-1]["version"] == 2


async def test_a_restart_is_repeated_where_its_reply_was_lost(
    store: Store, store_url: str, rooms: Rooms, player: PlayerId
) -> None:
    session = await begin(rooms, player)
    room = await entered(rooms, player, session, Page())
    await rooms.submit(room, GiveSeed(id=os.urandom(16), base=head(room.state), seed=os.urandom(32)))
    restart = Restart(id=os.urandom(16), base=head(room.state))
    await rooms.submit(room, restart)
    async with Store(store_url) as elsewhere:
        other = rooms_on(elsewhere)
        again = await other.submit(await entered(other, player, session, Page()), restart)
    assert again == Repeated(room.state.version)
    assert await store.players.count_unfinished(player) == 1


async def test_a_base_that_nobody_has_is_stale(rooms: Rooms, player: PlayerId) -> None:
    room = await entered(rooms, player, await begin(rooms, player), Page())
    for base in (Base(0, None), Base(1, os.urandom(16)), Base(2, os.urandom(16)), Base(2**31, None)):
        outcome = await rooms.submit(room, Roll(id=os.urandom(16), base=base))
        assert isinstance(outcome, Refusal)
        assert outcome.code is Code.STALE
