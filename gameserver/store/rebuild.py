"""Making the players' index of sessions anew from the logs, after a failover lost some of it or a hand deleted it.

For a host, not for a server: it looks at every key of the store.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Final, NamedTuple, cast

from gameserver.session.events import UnreadableCommit
from gameserver.session.state import BrokenLog
from gameserver.store import keys
from gameserver.store.errors import TooManySessions
from gameserver.store.replay import replay
from gameserver.store.store import Store

AT_ONCE: Final = 200
_LOGS: Final = "{s*}:log:*"
_log = logging.getLogger(__name__)


class Rebuilt(NamedTuple):
    """Sessions that are in the index now, and those that can't be: unreadable, or beyond their player's bound."""

    sessions: int
    left_out: int


async def rebuild_index(store: Store) -> Rebuilt:
    """Enter every session that the store holds in its player's index. Those that are there already stay as they are.

    Finished ones are entered for packing, too. May run while games are played. Where slots of a Cluster move meanwhile,
    run it again.

    Raises:
        StoreUnavailable, Overloaded: as `SessionLog`.
    """
    entered = left_out = 0
    async for sessions in _sessions(store):
        outcomes = await asyncio.gather(*(_enter(store, session) for session in sessions))
        entered += outcomes.count(True)
        left_out += outcomes.count(False)
    return Rebuilt(entered, left_out)


async def _enter(store: Store, session: bytes) -> bool | None:
    """Whether the session is in the index now; None where it has gone."""
    try:
        found = await replay(store.log, session)
        if found is None:
            return None
        state = found.state
        if state.is_finished:
            await store.players.finish(state.player, session, state.at)
            await store.packing.enter(session)
        else:
            await store.players.add(state.player, session, state.at)
    except (UnreadableCommit, BrokenLog, TooManySessions) as error:
        _log.warning("session %s is not entered: %s", session.hex(), error)
        return False
    return True


async def _sessions(store: Store) -> AsyncIterator[list[bytes]]:
    """Every session of the store, some at a time; one may come twice."""
    seen: set[str] = set()
    await store.check()  # a Cluster's nodes are known after the first command
    for shard in range(keys.SHARDS):
        node = store.commands.nodes.node_of(keys.tag(shard))
        if node in seen:
            continue
        seen.add(node)
        cursor = b"0"
        while True:
            cursor, found = cast(
                "tuple[bytes, list[bytes]]",
                await store.commands.call(keys.tag(shard), "SCAN", cursor, "MATCH", _LOGS, "COUNT", AT_ONCE),
            )
            yield [bytes.fromhex(key.rpartition(b":")[2].decode()) for key in found]
            if cursor == b"0":
                break
