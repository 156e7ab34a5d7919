"""The lobby over HTTP: what a player has going, starting a session, preferences, records."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gameserver.backgammon import XGID, NotAPosition
from gameserver.session.commands import StartSession
from gameserver.session.events import Format, Level, UnreadableCommit
from gameserver.session.ids import PlayerId, SessionId, command_id_from_hex, session_id_from_hex, session_started_by
from gameserver.session.record import write_record
from gameserver.session.refusals import Code
from gameserver.session.state import BrokenLog
from gameserver.store import Overloaded, Store, StoreError, StoreUnavailable
from gameserver.web import origin, preferences
from gameserver.web.identity import Identity
from gameserver.web.preferences import Preferences
from gameserver.web.rooms import Rooms

log = logging.getLogger(__name__)

MAX_BODY_BYTES: Final = 4096


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of ``POST /api/sessions``."""

    id: str
    level: Level
    format: Format
    position: str | None = None


class Problem(Exception):
    """An answer other than the one that was asked for."""

    def __init__(self, status: int, code: str, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.code = code
        self.text = text

    def response(self) -> Response:
        return _json({"error": {"code": self.code, "text": self.text}}, self.status)


class Lobby:
    """The routes under ``/api``."""

    def __init__(
        self,
        store: Store,
        rooms: Rooms,
        identity: Identity,
        allowed_origins: Sequence[str],
        now: Callable[[], int],
    ) -> None:
        self._store = store
        self._rooms = rooms
        self._identity = identity
        self._allowed_origins = allowed_origins
        self._now = now

    def routes(self) -> list[Route]:
        return [
            Route("/api/lobby", self._answering(self._show), methods=["GET"]),
            Route("/api/sessions", self._answering(self._start), methods=["POST"]),
            Route("/api/settings", self._answering(self._put_settings), methods=["PUT"]),
            Route("/api/sessions/{session}/record", self._answering(self._record), methods=["GET"]),
        ]

    async def contents(self, player: PlayerId) -> dict[str, Any]:
        """What the lobby shows: the player's settings and unfinished sessions, the latest first."""
        settings = preferences.read_stored(await self._store.players.settings(player))
        sessions = await self._store.players.unfinished(player)
        summaries = await asyncio.gather(*(self._summary(player, SessionId(session)) for session in sessions))
        return {"settings": settings, "unfinished": [summary for summary in summaries if summary is not None]}

    async def _summary(self, player: PlayerId, session: SessionId) -> dict[str, Any] | None:
        """A session as the lobby lists it; None where it is over (then out of the index, too) or never came to be."""
        try:
            room = await self._rooms.up_to_date(player, session)
        except (UnreadableCommit, BrokenLog):
            # Written by a newer release, for instance: the others can be played nevertheless.
            log.exception("session %s can't be read and is not listed", session.hex())
            return None
        if room is None:
            return None
        if room.state.is_finished:
            await self._store.players.finish(player, session, room.state.at)
            return None
        view = room.view
        return {
            "session": session.hex(),
            "level": view.level,
            "format": view.format,
            "game": view.game,
            "score": view.score,
            "phase": view.phase,
            "board": view.board,
            "off": view.off,
            "dice": view.dice,
            "at": room.state.at,
        }

    def _answering(self, handle: Callable[[Request, PlayerId], Any]) -> Callable[[Request], Any]:
        """A route's handler with what all of them share: who asks, from where, and what an error looks like."""

        async def answer(request: Request) -> Response:
            try:
                if request.method != "GET" and not origin.is_allowed(request.headers, self._allowed_origins):
                    raise Problem(403, "origin", "pages of this origin may not do this")
                player = self._identity.of(request.headers)
                if player is None:
                    raise Problem(401, "no-player", "there is no valid cookie of a player; open the page first")
                response: Response = await handle(request, player)
            except Problem as problem:
                return problem.response()
            except Overloaded:
                return Problem(503, Code.OVERLOADED, "the server has more work than it takes on; try again").response()
            except StoreUnavailable:
                return Problem(503, Code.UNAVAILABLE, "the store can't be reached; try again").response()
            except (StoreError, ValueError, LookupError):
                log.exception("%s %s could not be answered", request.method, request.url.path)
                return Problem(500, Code.UNAVAILABLE, "the server could not carry this out").response()
            else:
                return response

        return answer

    async def _show(self, _: Request, player: PlayerId) -> Response:
        return _json(await self.contents(player))

    async def _start(self, request: Request, player: PlayerId) -> Response:
        body = await _body(request)
        try:
            wanted = msgspec.json.decode(body, type=Start)
            command = command_id_from_hex(wanted.id)
            position, dice = _set_position(wanted)
        except (msgspec.DecodeError, RecursionError, ValueError) as error:
            raise Problem(400, Code.MALFORMED, str(error)) from None
        settings = preferences.read_stored(await self._store.players.settings(player))
        session = session_started_by(player, command)
        await self._rooms.begin(
            StartSession(
                id=command,
                player=player,
                session=session,
                level=wanted.level,
                format=wanted.format,
                pace=settings.pace,
                auto_end=settings.auto_end,
                auto_forced=settings.auto_forced,
                auto_bear_off=settings.auto_bear_off,
                position=position,
                dice=dice,
            )
        )
        return _json({"session": session.hex()}, 201)

    async def _put_settings(self, request: Request, player: PlayerId) -> Response:
        body = await _body(request)
        try:
            settings: Preferences = preferences.read_put(body)
        except ValueError as error:
            raise Problem(400, Code.MALFORMED, str(error)) from None
        await self._store.players.put_settings(player, preferences.write(settings))
        return Response(status_code=204)

    async def _record(self, request: Request, player: PlayerId) -> Response:
        try:
            session = session_id_from_hex(request.path_params["session"])
        except ValueError as error:
            raise Problem(400, Code.MALFORMED, str(error)) from None
        if await self._rooms.find(player, session) is None:
            raise Problem(404, Code.NO_SESSION, "you have no such session")
        commits = await self._rooms.whole_log(session)
        name = f'attachment; filename="shuanglu-{session.hex()[:8]}.json"'
        return Response(
            write_record(session, commits),
            media_type="application/json",
            headers={"Content-Disposition": name, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"},
        )


def _set_position(wanted: Start) -> tuple[str | None, tuple[int, int] | None]:
    """The position and dice to practise from."""
    if wanted.position is None:
        return None, None
    if wanted.format != 1:
        raise ValueError("a set position is for a single game")
    xgid = XGID.parse(wanted.position)
    if 15 in {xgid.position.off, xgid.position.their_off}:
        raise NotAPosition("nothing is left to play: one side has borne off all its checkers")
    return xgid.position.text, xgid.dice


async def _body(request: Request) -> bytes:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            raise Problem(413, Code.TOO_LARGE, f"a body of more than {MAX_BODY_BYTES} bytes")
    return body


def _json(content: Any, status: int = 200) -> Response:
    headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    return Response(msgspec.json.encode(content), status, media_type="application/json", headers=headers)
