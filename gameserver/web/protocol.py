"""uvicorn's websocket protocol, with what it and ASGI lack: bounds for a peer that sends and does not read."""

from typing import Final

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

ABORT: Final = "shuanglu.abort"
MAX_UNREAD_BYTES: Final = 256 * 1024
MAX_FRAGMENTS: Final = 64


class GameWebSocketProtocol(WebSocketsSansIOProtocol):
    """Puts ``{"abort": callable}`` into the scope's extensions under ``ABORT``."""

    async def run_asgi(self) -> None:
        """Run the application on this connection."""
        extensions = self.scope["extensions"]
        assert extensions is not None
        extensions[ABORT] = {"abort": self.transport.abort}
        await super().run_asgi()

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message of the application. A handshake that it denies is complete, too, and no error to be logged."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            self.handshake_complete = True

    def handle_ping(self) -> None:
        """Answer a ping; pongs are written at once, so a peer that reads none of them is cut off."""
        super().handle_ping()
        if self.transport.get_write_buffer_size() > MAX_UNREAD_BYTES:
            self.transport.abort()

    def handle_cont(self, event: Frame) -> None:
        """Take a fragment; a message's size is bounded, but empty fragments add nothing to it."""
        super().handle_cont(event)
        if len(self.frames) > MAX_FRAGMENTS:
            self.transport.abort()

    def keepalive_timeout(self) -> None:
        """Give up a peer that answers no pings. What it has not read would be waited for without end: drop it."""
        super().keepalive_timeout()
        if self.transport.get_write_buffer_size():
            self.transport.abort()
