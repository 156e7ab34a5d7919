"""The web server's parts put together into one Starlette application."""

import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute

from gameserver.observability import server as figures
from gameserver.observability.metrics import CONTENT_TYPE
from gameserver.session.dice import SECRET_BYTES
from gameserver.store import DEFAULT_POLICY, Overloaded, Policy, Store, StoreUnavailable
from gameserver.web.api import Api
from gameserver.web.devices import DeviceRoutes
from gameserver.web.devices_online import Online
from gameserver.web.hints import Hints
from gameserver.web.identity import Identity
from gameserver.web.limits import Requests
from gameserver.web.lobby import Lobby
from gameserver.web.page import BuiltPage, Page
from gameserver.web.rooms import Rooms
from gameserver.web.socket import GameSocket


def create_app(
    store_url: str,
    secret_keys: Sequence[str],
    allowed_origins: Sequence[str] = (),
    policy: Policy = DEFAULT_POLICY,
    address_connections: int = 0,
) -> Starlette:
    """The application; it opens its store when it starts up, in the event loop that serves it.

    ``address_connections``: how many connections one address may have on this server; 0 for no bound.

    Raises:
        PageNotBuilt: there is no page to serve.
    """
    page = BuiltPage.read()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with Store(store_url, policy) as store:
            identity = Identity(secret_keys)
            rooms = Rooms(store, now_ms, lambda: secrets.token_bytes(SECRET_BYTES))
            online = Online(store, now_ms, address_connections)
            requests = Requests()
            answering = Api(store, identity, requests, allowed_origins)
            lobby = Lobby(store, rooms, online.starts)
            devices = DeviceRoutes(store, identity, now_ms)
            socket = GameSocket(rooms, Hints(store), identity, online, allowed_origins)
            app.router.routes += [
                Route("/healthz", _alive, methods=["GET"]),
                Route("/readyz", _readiness(store), methods=["GET"]),
                Route("/metrics", _figures(store), methods=["GET"]),
                WebSocketRoute("/ws", socket.serve),
                *lobby.routes(answering),
                *devices.routes(answering),
                *Page(lobby, store.devices, identity, requests, page).routes(),
            ]
            yield
            await online.close()

    app = Starlette(lifespan=lifespan, exception_handlers={HTTPException: _http_error})
    app.state.draining = False
    return app


def _http_error(request: Request, error: Exception) -> Response:
    """No such path, no such method: in the shape of every error of the API. A mistyped address leads to the page."""
    assert isinstance(error, HTTPException)
    if error.status_code == 404 and request.method == "GET" and "text/html" in request.headers.get("accept", ""):
        return RedirectResponse("/", 303)
    code = "no-such-path" if error.status_code == 404 else "malformed"
    return JSONResponse({"error": {"code": code, "text": error.detail}}, error.status_code, headers=error.headers)


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


async def _alive(_: Request) -> Response:
    return JSONResponse({"alive": True})


def _readiness(store: Store) -> Callable[[Request], Awaitable[Response]]:
    async def ready(request: Request) -> Response:
        if request.app.state.draining:
            return JSONResponse({"ready": False, "reason": "this server is being stopped"}, 503)
        try:
            await store.check()
        except (StoreUnavailable, Overloaded) as error:
            return JSONResponse({"ready": False, "reason": str(error)}, 503)
        return JSONResponse({"ready": True})

    return ready


def _figures(store: Store) -> Callable[[Request], Awaitable[Response]]:
    async def backlog() -> tuple[int, float] | None:
        try:
            due = await store.turns.due()
        except (StoreUnavailable, Overloaded):
            return None
        return due.turns, 0.0 if due.since is None else max(0.0, (now_ms() - due.since) / 1000)

    async def show(_: Request) -> Response:
        text = await figures.exposition(len(store.follower), backlog)
        return Response(text, headers={"Content-Type": CONTENT_TYPE})

    return show
