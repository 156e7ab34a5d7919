"""The players' index is made anew from the logs."""

from redis.asyncio import Redis as Client

from gameserver.session.events import SessionStarted
from gameserver.store import Store
from gameserver.store.keys import finished_key, unfinished_key
from gameserver.store.rebuild import Rebuilt, rebuild_index
from gameserver.store.replay import whole_log

from ..processes.programs import ended
from .servers import Server
from .test_archive import session_of


async def player_of(store: Store, session: bytes) -> bytes:
    started = (await whole_log(store.log, session))[0].events[0]
    assert isinstance(started, SessionStarted)
    return started.player


async def test_a_lost_index_is_made_anew(server: Server, store: Store) -> None:
    live = [await session_of(store, finished=False) for _ in range(30)]
    over = [await session_of(store, finished=True) for _ in range(30)]
    strange = bytes(16)
    await store.log.append(strange, 0, None, b"c" * 16, b"of a later release", computer_due=False)
    kept = await player_of(store, live[0])
    await store.players.add(kept, live[0], 77)
    assert await rebuild_index(store) == Rebuilt(60, 1)
    for session in live:
        assert await store.players.unfinished(await player_of(store, session)) == [session]
    for session in over:
        assert await store.players.finished(await player_of(store, session)) == [session]
    async with Client.from_url(server.url) as client:
        assert await client.zscore(unfinished_key(kept), live[0]) == 77, "what is there stays as it is"
        player = await player_of(store, over[0])
        await client.delete(finished_key(player))
    answer = ended(["rebuild-index"], REDIS_URL=server.url)
    assert (answer.returncode, answer.stdout) == (1, "60 session(s) are in their players' lists\n")
    assert await store.players.finished(player) == [over[0]]
