"""Two servers on one session, of which one knows another past than the log has."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from typing import Any

import msgspec
import pytest
from redis.asyncio import Redis as Client

from gameserver.session import dice
from gameserver.session.commands import GiveSeed, SetConduct
from gameserver.session.decide import Repeated, head
from gameserver.session.ids import CommandId, PlayerId
from gameserver.session.refusals import Code, Refusal
from gameserver.session.state import fold
from gameserver.store import EmbeddedStore, Store
from gameserver.store.keys import log_key, secrets_key
from gameserver.store.replay import whole_log
from gameserver.web.room import Room
from gameserver.web.rooms import Accepted, Rooms

from ..store.servers import eventually
from ..web.conftest import begin, rooms_on


class Page:
    """Keeps what it is shown."""

    def __init__(self) -> None:
        self.frames: list[dict[str, Any]] = []

    def push(self, frame: bytes) -> None:
        self.frames.append(msgspec.msgpack.decode(frame, strict=False))


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with EmbeddedStore(tmp_path_factory.mktemp("store")) as embedded:
        yield embedded.url


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    async with Store(url) as store:
        yield store


@pytest.fixture
def player() -> PlayerId:
    return PlayerId(os.urandom(16))


def options(room: Room, pace: str = "fast", command: bytes | None = None) -> SetConduct:
    return SetConduct(
        id=command or os.urandom(16),
        base=head(room.state),
        pace=pace,  # type: ignore[arg-type] # a plain string serves
        auto_end=True,
        auto_forced=False,
        auto_bear_off=False,
    )


async def entered(rooms: Rooms, player: PlayerId, session: bytes, page: Page) -> Room:
    room = await rooms.enter(player, session, page)  # type: ignore[arg-type] # any 16 bytes serve
    assert room is not None
    return room


async def test_one_command_decided_differently_by_two_servers_counts_once(store: Store, player: PlayerId) -> None:
    """The second server is told that it is done, and shows what the log has, not what it decided itself."""
    here, there = rooms_on(store), rooms_on(store)
    session = await begin(here, player)
    room = await here.up_to_date(player, session)
    other = await there.up_to_date(player, session)  # not watched: it hears nothing
    assert room is not None
    assert other is not None
    twice = os.urandom(16)
    for_here, for_there = options(room, "instant", twice), options(other, "fast", twice)
    assert await here.submit(room, for_here) == Accepted(2)
    assert await there.submit(other, for_there) == Repeated(2)
    assert other.state == room.state == fold(await whole_log(store.log, session))
    assert other.state.conduct.pace == "instant"


async def test_a_commit_on_another_past_is_never_patched_on(store: Store, url: str, player: PlayerId) -> None:
    """After a failover the next version is heard before the loss is noticed."""
    rooms = rooms_on(store)
    session = await begin(rooms, player)
    room = await entered(rooms, player, session, page := Page())
    async with Client.from_url(url) as client:
        before = await client.dump(log_key(session))
        assert await rooms.submit(room, options(room)) == Accepted(2)
        forgotten = room.state.last
        await client.restore(log_key(session), 0, before or b"", replace=True)
    async with Store(url) as elsewhere:
        others = rooms_on(elsewhere)
        other = await others.up_to_date(player, session)
        assert other is not None
        assert await others.submit(other, GiveSeed(id=os.urandom(16), base=head(other.state), seed=os.urandom(32)))
        assert await others.submit(other, options(other, "real")) == Accepted(3)
        second, third = await store.log.read(session, 1)
        room.appended(third, second.id)
        await eventually(lambda: room.state == other.state)
    assert forgotten is not None
    assert room.state.accepted_as(forgotten) is None
    told = [(frame["t"], frame["version"]) for frame in page.frames]
    assert ("diff", 3) not in told
    assert told[-1] == ("snapshot", 3)


@pytest.mark.parametrize("remembers", [False, True])
async def test_a_game_that_begins_again_after_its_beginning_was_lost_has_the_dice_of_its_new_secret(
    store: Store, url: str, player: PlayerId, *, remembers: bool
) -> None:
    """The same command begins it, so the last id is the same; what a server knew of the lost game must not count."""
    rooms, command = rooms_on(store), CommandId(os.urandom(16))
    session = await begin(rooms, player, command)
    room = await entered(rooms, player, session, page := Page())
    lost = room.state.commitment
    if remembers:
        await room.secret()
    async with Client.from_url(url) as client:
        await client.delete(log_key(session), secrets_key(session))
    assert await begin(rooms_on(store), player, command) == session
    for_the_lost_one = GiveSeed(id=os.urandom(16), base=head(room.state), seed=os.urandom(32))
    refused = await rooms.submit(room, for_the_lost_one)
    assert isinstance(refused, Refusal)
    assert refused.code is Code.STALE
    kept = await store.log.secret(session, 1)
    assert kept is not None
    assert dice.commitment(kept) == room.state.commitment != lost
    assert page.frames[-1]["view"]["fairness"]["commitment"] == room.state.commitment
    seed = os.urandom(32)
    assert await rooms.submit(room, GiveSeed(id=os.urandom(16), base=head(room.state), seed=seed)) == Accepted(2)
    assert room.state.opening[0] == dice.roll(kept, session, 1, 1, seed)
