"""Runs the application on uvicorn, set up as measured to be best: uvloop, sans-I/O websockets, no deflate."""

import sys
from collections.abc import Callable, Sequence
from socket import socket
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from gameserver.web.messages import MAX_FRAME_BYTES
from gameserver.web.protocol import GameWebSocketProtocol

DRAIN_SECONDS: Final = 10
PING_SECONDS: Final = 20.0


class Server(uvicorn.Server):
    """Serves ``app`` on sockets that are listening; ``on_ready`` is called once it does.

    A websocket is pinged every ``ping_seconds``, which keeps it alive in proxies that cut silent ones after 60 seconds;
    one that does not answer within the same time is closed.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        trusted_proxies: Sequence[str],
        log_level: str,
        on_ready: Callable[[], None],
        ping_seconds: float = PING_SECONDS,
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                loop="uvloop" if sys.platform != "win32" else "asyncio",
                ws=GameWebSocketProtocol,
                ws_max_size=MAX_FRAME_BYTES,
                ws_per_message_deflate=False,
                ws_ping_interval=ping_seconds,
                ws_ping_timeout=ping_seconds,
                proxy_headers=bool(trusted_proxies),
                forwarded_allow_ips=list(trusted_proxies),
                server_header=False,
                access_log=False,
                log_config=None,
                log_level="warning" if log_level == "info" else log_level,
                lifespan="on",
                timeout_graceful_shutdown=DRAIN_SECONDS,
            )
        )
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Start to serve."""
        await super().startup(sockets)
        if self.started:
            self._on_ready()
