"""Bounds on how often something may happen, counted for all servers together."""

from typing import Final, cast

from gameserver.store import keys, scripts
from gameserver.store.batching import Batcher

MINUTE_MS: Final = 60_000
HOUR_MS: Final = 60 * MINUTE_MS


class Quotas:
    """Counters with a window each. Raises `StoreUnavailable` and `Overloaded` as `SessionLog` does."""

    def __init__(self, commands: Batcher) -> None:
        self._commands = commands

    async def take(self, what: str, bound: int, window_ms: int) -> int:
        """Count one more of `what`, at most `bound` within a window that begins with the first.

        Returns 0, or the milliseconds after which there is room again: then nothing was counted. A lost reply may make
        one count twice.
        """
        return cast("int", await self._commands.run(scripts.COUNT, (keys.counter_key(what),), (bound, window_ms)))
