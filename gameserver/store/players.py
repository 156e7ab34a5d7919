"""What belongs to a player rather than to a session: settings, and the index of sessions."""

import asyncio
from typing import Final, cast

from gameserver.store import keys, scripts
from gameserver.store.batching import Batcher
from gameserver.store.errors import TooManySessions

MAX_UNFINISHED: Final = 50
MAX_FINISHED: Final = 1000
KEEP_MS: Final = 400 * 24 * 3600 * 1000
"""How long all this outlives the player's last visit: as long as browsers keep the cookie."""


class Players:
    """Settings and sessions of all players.

    The index is written before the session's first commit, so it may name a session that never came to be: readers skip
    it. All of it is dropped when the player has not come for `KEEP_MS`. Every method raises `StoreUnavailable` and
    `Overloaded` as `SessionLog` does; all are safe to repeat.
    """

    def __init__(self, commands: Batcher, *, max_unfinished: int = MAX_UNFINISHED) -> None:
        self._commands = commands
        self._max_unfinished = max_unfinished

    async def settings(self, player: bytes) -> bytes | None:
        """The settings as they were put; None for a player who has put none."""
        keys.check_ids((player,))
        key = keys.settings_key(player)
        return cast("bytes | None", await self._commands.call(key, "GETEX", key, "PX", KEEP_MS))

    async def put_settings(self, player: bytes, settings: bytes) -> None:
        """Replace the player's settings."""
        keys.check_ids((player,))
        key = keys.settings_key(player)
        await self._commands.call(key, "SET", key, settings, "PX", KEEP_MS)

    async def add(self, player: bytes, session: bytes, at: int) -> None:
        """Enter a session that is about to be created at `at` (ms since 1970) among the unfinished ones.

        A session that was entered before stays as it is.

        Raises:
            TooManySessions: the player has reached the bound of unfinished sessions.
        """
        keys.check_ids((player, session))
        bound = self._max_unfinished
        added = await self._commands.run(
            scripts.ADD_SESSION, self._index(player), (session, at, bound, KEEP_MS), replicated=True
        )
        if not added:
            raise TooManySessions(f"a player may have {self._max_unfinished} unfinished sessions")

    async def finish(self, player: bytes, session: bytes, at: int) -> None:
        """Move a session to the finished ones, as of `at` (ms since 1970). Of these the latest 1,000 are listed."""
        keys.check_ids((player, session))
        await self._commands.run(scripts.FINISH_SESSION, self._index(player), (session, at, MAX_FINISHED, KEEP_MS))

    async def remove(self, player: bytes, session: bytes) -> None:
        """Take a session out of the unfinished ones (an entry whose session never came to be)."""
        keys.check_ids((player, session))
        key = keys.unfinished_key(player)
        await self._commands.call(key, "ZREM", key, session)

    async def unfinished(self, player: bytes, limit: int = MAX_UNFINISHED) -> list[bytes]:
        """Unfinished sessions, the latest started first."""
        return await self._listed(player, keys.unfinished_key(player), limit)

    async def finished(self, player: bytes, limit: int = MAX_UNFINISHED) -> list[bytes]:
        """Finished sessions, the latest finished first."""
        return await self._listed(player, keys.finished_key(player), limit)

    async def count_unfinished(self, player: bytes) -> int:
        """How many unfinished sessions there are."""
        keys.check_ids((player,))
        key = keys.unfinished_key(player)
        return cast("int", await self._commands.call(key, "ZCARD", key))

    async def count_finished(self, player: bytes) -> int:
        """How many finished sessions are listed."""
        keys.check_ids((player,))
        key = keys.finished_key(player)
        return cast("int", await self._commands.call(key, "ZCARD", key))

    async def _listed(self, player: bytes, key: str, limit: int) -> list[bytes]:
        keys.check_ids((player,))
        if limit < 1:
            raise ValueError("a list needs room for one entry at least")
        listed, _ = await asyncio.gather(
            self._commands.call(key, "ZRANGE", key, 0, limit - 1, "REV"),
            self._commands.call(key, "PEXPIRE", key, KEEP_MS),
        )
        return cast("list[bytes]", listed)

    @staticmethod
    def _index(player: bytes) -> tuple[str, str]:
        return keys.unfinished_key(player), keys.finished_key(player)
