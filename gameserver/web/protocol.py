"""uvicorn's websocket protocol, with one thing that ASGI lacks: cutting a connection whose peer does not read."""

from typing import Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

ABORT: Final = "shuanglu.abort"


class GameWebSocketProtocol(WebSocketsSansIOProtocol):
    """Puts ``{"abort": callable}`` into the scope's extensions under ``ABORT``."""

    async def run_asgi(self) -> None:
        """Run the application on this connection."""
        extensions = self.scope["extensions"]
        assert extensions is not None
        extensions[ABORT] = {"abort": self.transport.abort}
        await super().run_asgi()
