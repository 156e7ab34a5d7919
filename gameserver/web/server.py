"""Runs the application on uvicorn, set up as measured to be best: uvloop, sans-I/O websockets, no deflate."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from socket import socket
from typing import Final

import uvicorn
from starlette.applications import Starlette

from gameserver.web.garbage import Collector
from gameserver.web.messages import MAX_FRAME_BYTES
from gameserver.web.protocol import GameWebSocketProtocol

CLOSING_SECONDS: Final = 10
PING_SECONDS: Final = 20.0


class Server(uvicorn.Server):
    """Serves ``app`` on sockets that are listening.

    ``on_ready`` is called once it does, ``every_second`` from then on.

    A websocket is pinged every ``ping_seconds``, which keeps it alive in proxies that cut silent ones after 60 seconds;
    one that does not answer within the same time is closed.

    When told to stop it first says so at ``/readyz``, serves on for ``drain_seconds``, and then closes every websocket
    with 1012.
    """

    def __init__(
        self,
        app: Starlette,
        *,
        trusted_proxies: Sequence[str],
        log_level: str,
        on_ready: Callable[[], None],
        every_second: Callable[[], None] | None = None,
        ping_seconds: float = PING_SECONDS,
        drain_seconds: float = 0.0,
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
                # Below this, uvicorn and websockets write down cookies and frames.
                log_level="error" if log_level == "error" else "warning",
                lifespan="on",
                timeout_graceful_shutdown=CLOSING_SECONDS,
            )
        )
        self._garbage = Collector()
        self._state = app.state
        self._state.draining = False
        self._on_ready = on_ready
        self._every_second = every_second
        self._drain_seconds = drain_seconds

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Start to serve."""
        await super().startup(sockets)
        if self.started:
            self._garbage.begin()
            self._on_ready()

    async def on_tick(self, counter: int) -> bool:
        """Called by uvicorn ten times a second; whether to stop."""
        if counter % 10 == 0:
            self._garbage.every_second()
            if self._every_second is not None:
                self._every_second()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Stop to serve; at once where somebody asks for it a second time by SIGINT."""
        self._state.draining = True
        clock = asyncio.get_running_loop().time
        until = clock() + self._drain_seconds
        while not self.force_exit and clock() < until:  # noqa: ASYNC110 - uvicorn's flag is all there is
            await asyncio.sleep(0.1)
        await super().shutdown(sockets)
