"""What all routes under ``/api`` share: who asks, from where, and what an error looks like."""

import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from gameserver.session.ids import PlayerId
from gameserver.session.refusals import Code
from gameserver.store import Overloaded, Store, StoreError, StoreUnavailable
from gameserver.web import origin
from gameserver.web.identity import Identity, Visitor
from gameserver.web.limits import Exhausted, Requests

log = logging.getLogger(__name__)

MAX_BODY_BYTES: Final = 4096


class Caller(NamedTuple):
    """Who sends a request, and the further players whose sessions are this one's, too."""

    visitor: Visitor
    others: frozenset[PlayerId]

    @property
    def player(self) -> PlayerId:
        return self.visitor.player


class Problem(Exception):
    """An answer other than the one that was asked for."""

    def __init__(self, status: int, code: str, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.code = code
        self.text = text

    def response(self) -> Response:
        return json({"error": {"code": self.code, "text": self.text}}, self.status)


class Api:
    """Makes routes of handlers that are told who asks."""

    def __init__(self, store: Store, identity: Identity, requests: Requests, allowed_origins: Sequence[str]) -> None:
        self._store = store
        self._identity = identity
        self._allowed_origins = allowed_origins
        self._requests = requests

    def route(self, method: str, path: str, handle: Callable[[Request, Caller], Awaitable[Response]]) -> Route:
        async def answer(request: Request) -> Response:
            try:
                return await handle(request, await self._caller(request))
            except Problem as problem:
                return problem.response()
            except Exhausted as exhausted:
                response = Problem(429, Code.TOO_MANY, str(exhausted)).response()
                response.headers["Retry-After"] = str(exhausted.seconds)
                return response
            except Overloaded:
                return Problem(503, Code.OVERLOADED, "the server has more work than it takes on; try again").response()
            except StoreUnavailable:
                return Problem(503, Code.UNAVAILABLE, "the store can't be reached; try again").response()
            except (StoreError, ValueError, LookupError):
                log.exception("%s %s could not be answered", request.method, request.url.path)
                return Problem(500, Code.UNAVAILABLE, "the server could not carry this out").response()

        return Route(path, answer, methods=[method])

    async def _caller(self, request: Request) -> Caller:
        if request.method != "GET" and not origin.is_allowed(request.headers, self._allowed_origins):
            raise Problem(403, "origin", "pages of this origin may not do this")
        visitor = self._identity.of(request.headers)
        if visitor is None:
            raise Problem(401, "no-player", "there is no valid cookie of a player; open the page first")
        self._requests.count(visitor.player, time.monotonic())
        standing = await self._store.devices.standing(*visitor)
        if not standing.valid:
            raise Problem(401, "no-player", "this device was signed out; open the page again")
        return Caller(visitor, frozenset(map(PlayerId, standing.others)))


async def body(request: Request) -> bytes:
    """The request's body. Raises Problem where it is too large, or ends too soon."""
    read = b""
    try:
        async for chunk in request.stream():
            read += chunk
            if len(read) > MAX_BODY_BYTES:
                raise Problem(413, Code.TOO_LARGE, f"a body of more than {MAX_BODY_BYTES} bytes")
    except ClientDisconnect:  # nobody hears the answer
        raise Problem(400, Code.MALFORMED, "the connection ended within the body") from None
    return read


def json(content: Any, status: int = 200) -> Response:
    """An answer in JSON, for nobody's cache."""
    headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    return Response(msgspec.json.encode(content), status, media_type="application/json", headers=headers)
