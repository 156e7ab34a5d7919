"""Where archiving is on: the sessions whose time is over, and their deletion once they are in the archive."""

from typing import cast

from gameserver.store import keys, scripts
from gameserver.store.batching import Batcher
from gameserver.store.log import Head


class Ages:
    """For the archiver. Raises `StoreUnavailable` and `Overloaded` as `SessionLog` does."""

    def __init__(self, commands: Batcher) -> None:
        self._commands = commands

    async def over(self, shard: int, skip: int, count: int) -> list[bytes]:
        """Up to `count` sessions of a shard whose time is over, the longest first, after the first `skip` of them."""
        reply = await self._commands.run(scripts.OVER, (keys.ages_key(shard),), (skip, count, 0))
        return cast("list[bytes]", reply)

    async def delete(self, session: bytes, head: Head | None) -> bool:
        """Delete a session that is archived up to `head`; False where it has gone on since, and stays."""
        keys.check_ids((session,))
        shard = keys.shard_of(session)
        named = (keys.log_key(session), keys.secrets_key(session), keys.hint_key(session), keys.ages_key(shard))
        version, last = head or (0, b"")
        return bool(await self._commands.run(scripts.DELETE_ARCHIVED, named, (session, version, last)))
