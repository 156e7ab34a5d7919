"""How many pages watch a session on other servers: each server says on the session's channel how many it has.

Nothing of this is kept in the store. Who begins to listen asks, and the others answer; who falls silent is forgotten
after a while, since a server that died says nothing.
"""

import secrets
import struct
from typing import Final, NamedTuple

from gameserver.store import keys
from gameserver.store.batching import Batcher

_WATCHED = struct.Struct(">c8sI?")
KIND: Final = b"w"


class Watched(NamedTuple):
    """So many pages of `server` watch the session; `asks`: the others are to say how many theirs are."""

    server: bytes
    pages: int
    asks: bool


def unpack_watched(message: bytes) -> Watched:
    """A message as it is published on the session's channel."""
    _, server, pages, asks = _WATCHED.unpack(message)
    return Watched(server, pages, asks)


class Watching:
    """Says how many pages of this server watch a session. Raises `StoreUnavailable` and `Overloaded`."""

    def __init__(self, commands: Batcher) -> None:
        self._commands = commands
        self.server: Final = secrets.token_bytes(8)
        """Our own name among the servers; what we say is heard by ourselves, too."""

    async def tell(self, session: bytes, pages: int, *, asks: bool) -> None:
        """Tell all followers of the session."""
        keys.check_ids((session,))
        channel = keys.channel(session)
        await self._commands.call(channel, "SPUBLISH", channel, _WATCHED.pack(KIND, self.server, pages, asks))
