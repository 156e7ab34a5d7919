"""How many pages have a session open, on this server and on the others that watch it.

Each server tells the others when a page comes or goes. A server that died tells nothing: what it last said is forgotten
after a while, and so servers that share a session repeat themselves now and then.
"""

import asyncio
import logging
from typing import Final, Protocol

from gameserver.store import Overloaded, StoreUnavailable
from gameserver.store.watching import Watched, Watching
from gameserver.web.messages import Watching as WatchingFrame
from gameserver.web.messages import encode

log = logging.getLogger(__name__)

REPEAT_SECONDS: Final = 60.0
FORGET_SECONDS: Final = 150.0


_telling: Final[set[asyncio.Task[None]]] = set()


class Viewer(Protocol):
    """A page that watches a session."""

    def push(self, frame: bytes) -> None:
        """Send this frame, without waiting."""
        ...


class Watchers:
    """The pages that watch one session."""

    __slots__ = ("_asked", "_elsewhere", "_repeating", "_session", "_watching", "here")

    def __init__(self, session: bytes, watching: Watching) -> None:
        self.here: set[Viewer] = set()
        self._session = session
        self._watching = watching
        self._elsewhere: dict[bytes, tuple[int, float]] = {}
        self._asked = False
        self._repeating: asyncio.TimerHandle | None = None

    @property
    def pages(self) -> int:
        """How many pages, as far as is known."""
        return len(self.here) + sum(pages for pages, _ in self._elsewhere.values())

    def changed(self) -> None:
        """A page has come or gone: tell all others, here and elsewhere."""
        if self.here:
            self._show()
        self._tell(asks=not self._asked)
        self._asked = bool(self.here)
        if not self.here:
            self._forget()

    def ask(self) -> None:
        """What the others said may have been missed: ask."""
        if self.here:
            self._tell(asks=True)

    def heard(self, told: Watched) -> None:
        """Take what a server said."""
        if told.server == self._watching.server or not self.here:
            return
        before = self.pages
        if told.pages:
            self._elsewhere[told.server] = (told.pages, asyncio.get_running_loop().time())
            self._repeat_later()
        else:
            self._elsewhere.pop(told.server, None)
        if self.pages != before:
            self._show()
        if told.asks:
            self._tell(asks=False)

    def _show(self) -> None:
        frame = encode(WatchingFrame(self.pages))
        for viewer in tuple(self.here):
            viewer.push(frame)

    def _forget(self) -> None:
        self._elsewhere.clear()
        if self._repeating is not None:
            self._repeating.cancel()
            self._repeating = None

    def _repeat_later(self) -> None:
        if self._repeating is None:
            self._repeating = asyncio.get_running_loop().call_later(REPEAT_SECONDS, self._repeat)

    def _repeat(self) -> None:
        self._repeating = None
        before = self.pages
        long_ago = asyncio.get_running_loop().time() - FORGET_SECONDS
        self._elsewhere = {server: said for server, said in self._elsewhere.items() if said[1] > long_ago}
        if self.pages != before:
            self._show()
        if self._elsewhere:
            self._tell(asks=False)
            self._repeat_later()

    def _tell(self, *, asks: bool) -> None:
        task = asyncio.create_task(self._said(asks=asks))
        _telling.add(task)
        task.add_done_callback(_telling.discard)

    async def _said(self, *, asks: bool) -> None:
        try:
            await self._watching.tell(self._session, len(self.here), asks=asks)
        except (StoreUnavailable, Overloaded) as error:
            log.debug("how many pages watch could not be told: %s", error)
