"""uvicorn's websocket protocol, with a short road for what pages and this server say, and bounds that it and ASGI lack.

Nearly all frames are whole binary messages. Those are read and written here, at a fraction of the cost of websockets'
parser and of ASGI; everything else (the handshake, pings, closes, fragments, damage) goes the long way and is judged
there. The parser is handed whole frames only, so that it always stands between two of them.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, Final, Protocol

from uvicorn._types import ASGISendEvent
from uvicorn.config import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame
from websockets.protocol import OPEN

try:
    from websockets.speedups import apply_mask
except ImportError:  # where it has no compiled part
    from websockets.utils import apply_mask

LINE: Final = "shuanglu.line"
MAX_UNREAD_BYTES: Final = 64 * 1024
"""Beyond what the system holds, which is some hundred kilobytes: many minutes of a game."""
MAX_FRAGMENTS: Final = 64
MAX_UNANSWERED: Final = 8
"""Messages that wait to be answered before no more are read."""

_WHOLE_BINARY: Final = 0x82
_MASKED: Final = 0x80


class Line(Protocol):
    """One connection, for its application: the object under ``LINE`` in the scope's extensions."""

    async def receive(self) -> Mapping[str, Any]:
        """The next message or the end, as ASGI says it."""
        ...

    def write(self, message: bytes) -> None:
        """Send one binary message, without waiting; nothing happens on a connection that is over."""
        ...

    @property
    def unread(self) -> int:
        """Bytes that were written and have not left this process."""
        ...

    def abort(self) -> None:
        """Cut the connection."""
        ...


class GameWebSocketProtocol(WebSocketsSansIOProtocol):
    """The server's end of a websocket, and its ``Line``."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._longest = config.ws_max_size
        self._piece = b""
        self._between_frames = False
        """Everything so far was handed on in whole frames."""

    async def run_asgi(self) -> None:
        """Run the application on this connection."""
        extensions = self.scope["extensions"]
        assert extensions is not None
        extensions[LINE] = self  # type: ignore[assignment] # ASGI's extensions may be anything
        try:
            await super().run_asgi()
        finally:
            del extensions[LINE]  # a ring of references, which only a full collection would find

    # --- Reading

    def data_received(self, data: bytes) -> None:
        """Take what the peer sent: frames, in pieces as they come."""
        if not self._between_frames or self.conn.state is not OPEN:
            # The handshake, which comes alone; or the end, after which nothing is put together any more.
            self._between_frames = not self.handshake_initiated and data.endswith(b"\r\n\r\n")
            super().data_received(data)
            return
        if self._piece:
            data = self._piece + data
        while head := _head_size(data):
            size = head + _payload_size(data)
            if size > head + self._longest:  # its head is enough to refuse it
                break
            if size > len(data):
                self._piece = data
                return
            if data[0] == _WHOLE_BINARY and data[1] & _MASKED and not self.frames:
                self._take(apply_mask(data[head:size], data[head - 4 : head]))
            else:
                super().data_received(data[:size])
            data = data[size:]
            if self.conn.state is not OPEN:
                break
        else:
            self._piece = data
            return
        self._piece = b""
        self._between_frames = False
        if data:
            super().data_received(data)

    def _take(self, message: bytes) -> None:
        self.queue.put_nowait({"type": "websocket.receive", "bytes": message})
        if not self.read_paused and self.queue.qsize() >= MAX_UNANSWERED:
            self.read_paused = True
            self.transport.pause_reading()

    def handle_ping(self) -> None:
        """Answer a ping; pongs are written at once, so a peer that reads none of them is cut off."""
        super().handle_ping()
        if self.unread > MAX_UNREAD_BYTES:
            self.abort()

    def handle_cont(self, event: Frame) -> None:
        """Take a fragment; a message's size is bounded, but empty fragments add nothing to it."""
        super().handle_cont(event)
        if len(self.frames) > MAX_FRAGMENTS:
            self.abort()

    # --- Writing

    def write(self, message: bytes) -> None:
        """Send one binary message (``Line``)."""
        if self.conn.state is OPEN and self.handshake_complete and not self.disconnected:
            self.transport.write(_head(len(message)) + message)

    @property
    def unread(self) -> int:
        """Bytes that wait here for the peer to read (``Line``)."""
        return self.transport.get_write_buffer_size()

    def abort(self) -> None:
        """Cut the connection (``Line``)."""
        self.transport.abort()

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message of the application. A handshake that it denies is complete, too, and no error to be logged."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            self.handshake_complete = True

    def keepalive_timeout(self) -> None:
        """Give up a peer that answers no pings. What it has not read would be waited for without end: drop it."""
        super().keepalive_timeout()
        if self.unread:
            self.abort()


# --- Frames, as in RFC 6455, section 5.2


def _head_size(data: bytes) -> int:
    """Bytes of the head of the frame that begins here, its mask included; 0 where not all of it is there."""
    have = len(data)
    if have < 2:
        return 0
    size = _HEAD_SIZES[data[1]]
    return size if have >= size else 0


_HEAD_SIZES: Final = [
    2 + {126: 2, 127: 8}.get(second & 0x7F, 0) + (4 if second & _MASKED else 0) for second in range(256)
]
"""By the second byte."""


def _payload_size(data: bytes) -> int:
    """Bytes that follow the head of the frame that begins here; the head is complete."""
    length = data[1] & 0x7F
    if length == 126:
        return int.from_bytes(data[2:4], "big")
    if length == 127:
        return int.from_bytes(data[2:10], "big")
    return length


def _head(length: int) -> bytes:
    """The head of a whole binary message that this server sends."""
    if length < 126:
        return bytes((_WHOLE_BINARY, length))
    if length < 65_536:
        return b"\x82\x7e" + length.to_bytes(2, "big")
    return b"\x82\x7f" + length.to_bytes(8, "big")
