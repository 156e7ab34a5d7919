"""Packing the logs of finished sessions, some time after their end; for the workers.

The append of a last commit enters its session here, so none is forgotten. Whoever dies in between leaves a log that is
still a stream, and still entered. That two pack the same log does no harm: only one of them finds the stream.
"""

import asyncio
import logging
from collections.abc import Sequence
from typing import Final, cast

from gameserver.session.events import UnreadableCommit, decode_commit
from gameserver.session.state import BrokenLog, fold
from gameserver.store import keys, scripts
from gameserver.store.batching import Batcher
from gameserver.store.log import Entry, SessionLog
from gameserver.store.packed import pack
from gameserver.store.replay import all_entries

AFTER_MS: Final = 60_000
"""A page that was cut off at the end of a session says its last commands again before that: their ids are whole."""
AT_ONCE: Final = 8
_log = logging.getLogger(__name__)


class Packing:
    """Raises `StoreUnavailable` and `Overloaded` as `SessionLog` does."""

    def __init__(self, commands: Batcher, log: SessionLog) -> None:
        self._commands = commands
        self._log = log

    async def pack_some(self, after_ms: int = AFTER_MS) -> int:
        """Pack some of the logs whose sessions ended so long ago, one after the other; how many."""
        due = await asyncio.gather(*(self._due(shard, after_ms) for shard in range(keys.SHARDS)))
        return sum([await self.pack(session) for shard in due for session in shard])

    async def pack(self, session: bytes) -> bool:
        """Pack the log of a session if it is finished; False where it is not, or was packed already."""
        keys.check_ids((session,))
        key, waiting = keys.log_key(session), keys.packing_key(keys.shard_of(session))
        try:
            entries = await all_entries(self._log, session)
            packed = await asyncio.to_thread(_packed_if_finished, entries)
        except (UnreadableCommit, BrokenLog) as error:
            _log.warning("session %s is not packed: %s", session.hex(), error)
            entries, packed = [], b""
        if not packed:
            await self._commands.call(waiting, "ZREM", waiting, session)
            return False
        last = entries[-1]
        named = (session, last.version, last.id, packed)
        return bool(await self._commands.run(scripts.PACK, (key, waiting), named))

    async def enter(self, session: bytes) -> None:
        """Enter a session that is finished, to be packed as soon as possible."""
        waiting = keys.packing_key(keys.shard_of(session))
        await self._commands.call(waiting, "ZADD", waiting, 0, session)

    async def _due(self, shard: int, after_ms: int) -> Sequence[bytes]:
        reply = await self._commands.run(scripts.OVER, (keys.packing_key(shard),), (0, AT_ONCE, after_ms))
        return cast("list[bytes]", reply)


def _packed_if_finished(entries: Sequence[Entry]) -> bytes:
    """Empty where the session is not finished."""
    state = fold(decode_commit(entry.id, entry.payload) for entry in entries)
    if state is None or not state.is_finished:
        return b""
    return pack([(entry.id, entry.payload) for entry in entries])
