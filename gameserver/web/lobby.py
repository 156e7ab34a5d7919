"""The lobby over HTTP: what a player has going, starting a session, preferences, records."""

import asyncio
import logging
from collections.abc import Collection
from typing import Any

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
from gameserver.store import Store
from gameserver.web import api, preferences
from gameserver.web.api import Api, Caller, Problem
from gameserver.web.limits import Starts, address_of
from gameserver.web.preferences import Preferences
from gameserver.web.rooms import Rooms

log = logging.getLogger(__name__)


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of ``POST /api/sessions``."""

    id: str
    level: Level
    format: Format
    position: str | None = None


class Lobby:
    """The routes under ``/api``."""

    def __init__(self, store: Store, rooms: Rooms, starts: Starts) -> None:
        self._store = store
        self._rooms = rooms
        self._starts = starts
        self._recording = asyncio.Semaphore(1)

    def routes(self, answering: Api) -> list[Route]:
        return [
            answering.route("GET", "/api/lobby", self._show),
            answering.route("POST", "/api/sessions", self._start),
            answering.route("PUT", "/api/settings", self._put_settings),
            answering.route("GET", "/api/sessions/{session}/record", self._record),
        ]

    async def contents(self, player: PlayerId, others: Collection[PlayerId] = ()) -> dict[str, Any]:
        """What the lobby shows: the player's settings and unfinished sessions, the latest first.

        ``others``: further players whose sessions are this one's, too; with them, what was played last comes first.
        """
        settings = preferences.read_stored(await self._store.players.settings(player))
        owners = [player, *sorted(others)]
        listed = await asyncio.gather(*(self._store.players.unfinished(owner) for owner in owners))
        summaries = await asyncio.gather(
            *(
                self._summary(owner, SessionId(session))
                for owner, sessions in zip(owners, listed, strict=True)
                for session in sessions
            )
        )
        unfinished = [summary for summary in summaries if summary is not None]
        if others:
            unfinished.sort(key=lambda summary: -summary["at"])
        return {"settings": settings, "unfinished": unfinished}

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
            "practice": view.practice,
            "game": view.game,
            "score": view.score,
            "phase": view.phase,
            "board": view.board,
            "off": view.off,
            "dice": view.dice,
            "at": room.state.at,
        }

    async def _show(self, _: Request, caller: Caller) -> Response:
        return api.json(await self.contents(caller.player, caller.others))

    async def _start(self, request: Request, caller: Caller) -> Response:
        player = caller.player
        body = await api.body(request)
        try:
            wanted = msgspec.json.decode(body, type=Start)
            command = command_id_from_hex(wanted.id)
            position, dice = _set_position(wanted)
        except (msgspec.DecodeError, RecursionError, ValueError) as error:
            raise Problem(400, Code.MALFORMED, str(error)) from None
        await self._starts.count(player, address_of(request))
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
        room = await self._rooms.find(player, session)
        if room is None:
            raise Problem(503, Code.UNAVAILABLE, "the session that was started is not in the store; start it again")
        return api.json({"session": session.hex(), "commitment": room.view.fairness.commitment.hex()}, 201)

    async def _put_settings(self, request: Request, caller: Caller) -> Response:
        body = await api.body(request)
        try:
            settings: Preferences = preferences.read_put(body)
        except ValueError as error:
            raise Problem(400, Code.MALFORMED, str(error)) from None
        await self._store.players.put_settings(caller.player, preferences.write(settings))
        return Response(status_code=204)

    async def _record(self, request: Request, caller: Caller) -> Response:
        try:
            session = session_id_from_hex(request.path_params["session"])
        except ValueError as error:
            raise Problem(400, Code.MALFORMED, str(error)) from None
        if await self._rooms.find(caller.player, session, caller.others) is None:
            raise Problem(404, Code.NO_SESSION, "you have no such session")
        async with self._recording:
            commits = await self._rooms.whole_log(session)
            # Of the longest sessions there are this takes a second: the moves of others go on meanwhile.
            record = await asyncio.to_thread(write_record, session, commits)
        name = f'attachment; filename="shuanglu-{session.hex()[:8]}.json"'
        return Response(
            record,
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
