"""The websocket: one connection of one page.

A connection reads one frame at a time and answers it before it reads the next, so a page that floods waits in its own
queue. What is pushed to it is written at once; a page that does not read it is dropped.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Sequence
from typing import Final

import msgspec
from starlette.responses import JSONResponse
from starlette.websockets import WebSocket, WebSocketState

from gameserver.observability import server as figures
from gameserver.observability.logs import about
from gameserver.session.commands import PlayerCommand, Restart
from gameserver.session.decide import Repeated
from gameserver.session.ids import PlayerId, SessionId
from gameserver.session.refusals import Code, Refusal
from gameserver.store import Overloaded, StoreError, StoreUnavailable
from gameserver.store.devices import Standing
from gameserver.web import origin
from gameserver.web.devices_names import device_name
from gameserver.web.devices_online import Online, TooManyConnections
from gameserver.web.hints import Hints
from gameserver.web.identity import Identity, Visitor
from gameserver.web.limits import Exhausted, TokenBucket, address_of
from gameserver.web.messages import (
    PROTOCOL,
    AskHint,
    Done,
    Error,
    FromPage,
    Hello,
    MalformedFrame,
    Ping,
    Pong,
    Refused,
    ToPage,
    decode,
    encode,
)
from gameserver.web.protocol import LINE, MAX_UNREAD_BYTES, Line
from gameserver.web.room import Room, SessionGone
from gameserver.web.rooms import Accepted, Rooms

log = logging.getLogger(__name__)

FRAMES_A_SECOND: Final = 20
OFFENCES_AT_ONCE: Final = 200
OFFENCES_A_SECOND: Final = 1

POLICY_VIOLATION: Final = 1008
CLOSING_SECONDS: Final = 5.0


class GameSocket:
    """Answers websocket connections."""

    def __init__(
        self,
        rooms: Rooms,
        hints: Hints,
        identity: Identity,
        online: Online,
        allowed_origins: Sequence[str],
    ) -> None:
        self._rooms = rooms
        self._hints = hints
        self._identity = identity
        self._online = online
        self._allowed_origins = allowed_origins

    async def serve(self, socket: WebSocket) -> None:
        """Serve one connection from its handshake to its end."""
        visitor = self._identity.of(socket.headers)
        if not origin.is_allowed(socket.headers, self._allowed_origins):
            await _deny(socket, 403, "origin", "pages of this origin may not connect")
            return
        if visitor is None:
            await _deny(socket, 401, "no-player", "there is no valid cookie of a player; open the page first")
            return
        connection = Connection(socket, visitor, self._rooms, self._hints, self._online)
        try:
            connection.share(self._online.arrive(connection, connection.address))
        except TooManyConnections as error:
            await _deny(socket, 429, Code.TOO_MANY, str(error))
            return
        figures.connections.value += 1
        try:
            await socket.accept()
            await connection.run()
        finally:
            figures.connections.value -= 1
            self._online.leave(connection, connection.address)
            connection.end()


async def _deny(socket: WebSocket, status: int, code: str, text: str) -> None:
    await socket.send_denial_response(JSONResponse({"error": {"code": code, "text": text}}, status))


class Connection:
    """One page's connection: at most one session at a time."""

    def __init__(
        self,
        socket: WebSocket,
        visitor: Visitor,
        rooms: Rooms,
        hints: Hints,
        online: Online,
    ) -> None:
        self.visitor = visitor
        self.address = address_of(socket)
        self._socket = socket
        self._line: Line = socket.scope["extensions"][LINE]
        self._rooms = rooms
        self._hints = hints
        self._online = online
        self._others: frozenset[PlayerId] = frozenset()
        self._admitted = False
        self._signing_out: asyncio.Task[None] | None = None
        self._room: Room | None = None
        now = time.monotonic()
        self._buckets = [TokenBucket(FRAMES_A_SECOND, FRAMES_A_SECOND, now)]
        self._patience = TokenBucket(OFFENCES_A_SECOND, OFFENCES_AT_ONCE, now)
        self._advising: asyncio.Task[None] | None = None
        self._greeted = False
        self._closed = False

    # --- Who this is

    def share(self, buckets: Sequence[TokenBucket]) -> None:
        """Count this connection's frames in buckets that it shares with others, too."""
        self._buckets += buckets

    async def _admit(self) -> None:
        await self._online.admit(self, device_name(self._socket.headers.get("user-agent", "")))

    def stands(self, standing: Standing) -> None:
        """Take what the store says of this device; one that was signed out is sent away."""
        self._admitted = standing.valid
        self._others = frozenset(map(PlayerId, standing.others))
        if not standing.valid and self._signing_out is None:
            self._signing_out = asyncio.create_task(self._send_away())

    async def _send_away(self) -> None:
        try:
            async with asyncio.timeout(CLOSING_SECONDS):
                await self._close(POLICY_VIOLATION, "this device was signed out")
        except TimeoutError:  # it does not read
            self._drop()

    # --- Reading

    async def run(self) -> None:
        """Answer frames until the connection ends."""
        with contextlib.suppress(StoreUnavailable, Overloaded):  # then the first hello asks again
            await self._admit()
        while not self._closed:
            message = await self._line.receive()
            if message["type"] == "websocket.disconnect":
                return
            if not self._closed:
                await self._answer(message.get("bytes"))
        if self._signing_out is not None:
            await self._signing_out

    def end(self) -> None:
        """Leave the session; called once, when the connection is over for whatever reason."""
        self._closed = True
        for task in (self._advising, self._signing_out):
            if task is not None:
                task.cancel()
        self._leave_room()

    async def _answer(self, data: bytes | None) -> None:
        now = time.monotonic()
        in_time = self._in_time(now)
        try:
            frame = self._decoded(data)
        except MalformedFrame as error:
            await self._rebuke(Error(Code.MALFORMED, str(error)))
            return
        if not in_time:
            text = f"more than {FRAMES_A_SECOND} frames a second, or too many from all pages together"
            await self._rebuke(Error(Code.TOO_FAST, text) if isinstance(frame, Hello | Ping) else _refused(frame, text))
            return
        try:
            await self._carry_out(frame)
        except Overloaded:
            self._fail(frame, Code.OVERLOADED, "the server has more work than it takes on; try again")
        except StoreUnavailable:
            self._fail(frame, Code.UNAVAILABLE, "the store can't be reached; send the command again with the same id")
        except (StoreError, ValueError, LookupError):
            log.exception("a frame of kind %s could not be carried out", type(frame).__name__)
            self._fail(frame, Code.UNAVAILABLE, "the server could not carry this out")

    def _in_time(self, now: float) -> bool:
        """Take from every bucket, its own first: a flood from one page takes nothing from the others."""
        for bucket in self._buckets:  # noqa: SIM110 - a generator would cost as much as the bucket
            if not bucket.take(now):
                return False
        return True

    async def _rebuke(self, answer: Error | Refused) -> None:
        """Refuse a frame that should not have been sent; who goes on sending such is sent away."""
        self._send(answer)
        if not self._patience.take(time.monotonic()):
            await self._close(POLICY_VIOLATION, "too many frames that are refused")

    @staticmethod
    def _decoded(data: bytes | None) -> FromPage:
        if data is None:
            raise MalformedFrame("a text frame; frames are binary MessagePack")
        return decode(data)

    async def _carry_out(self, frame: FromPage) -> None:
        if isinstance(frame, Hello):
            about(frame.session)
            figures.hellos["nothing" if not frame.version else "gap" if self._greeted else "reconnect"].inc()
            self._greeted = True
            await self._hello(frame)
        elif isinstance(frame, Ping):
            await self._pong(frame.n)
        elif self._room is None:
            self._send(Refused(frame.id, Code.NOT_OPEN, "say hello to a session first"))
        elif isinstance(frame, AskHint):
            about(self._room.session, frame.id)
            self._hint(self._room, frame)
        else:
            about(self._room.session, frame.id)
            await self._command(self._room, frame)

    # --- What frames ask for

    async def _pong(self, n: int) -> None:
        room = self._room
        version = 0 if room is None else await self._rooms.stored_version(room)
        self._send(Pong(n, version))
        if room is not None and version == room.state.version:
            await self._rooms.remind(room)

    async def _hello(self, hello: Hello) -> None:
        if hello.protocol != PROTOCOL:
            self._send(Error(Code.PROTOCOL, f"protocol {hello.protocol}; this server speaks {PROTOCOL}"))
            return
        if self._room is not None and self._room.session != hello.session:
            self._leave_room()
        if not self._admitted:
            await self._admit()
            if not self._admitted:
                return
        self._room = await self._rooms.enter(self.visitor.player, SessionId(hello.session), self, self._others)
        if self._room is None:
            self._send(Error(Code.NO_SESSION, "you have no such session"))
            return
        for frame in self._room.missed_since(hello.version, hello.last):
            self.push(frame)
        self._room.watchers.changed()

    async def _command(self, room: Room, command: PlayerCommand) -> None:
        if isinstance(command, Restart):
            try:
                await self._online.starts.count(self.visitor.player, self.address)
            except Exhausted as exhausted:
                self._send(Refused(command.id, Code.TOO_MANY, str(exhausted)))
                return
        began = time.perf_counter()
        try:
            outcome = await self._rooms.submit(room, command)
        except SessionGone:  # every page of the room has been told
            self._leave_room()
            return
        seconds = time.perf_counter() - began
        kind = str(command.__struct_config__.tag)
        figures.commands[kind].observe(seconds)
        log.debug("%s: %s in %.1f ms", kind, type(outcome).__name__, seconds * 1000)
        if isinstance(outcome, Accepted):
            return  # its diff has been pushed, and is the acknowledgement
        if isinstance(outcome, Repeated):
            self._send(Done(command.id, outcome.version))
        else:
            self._refuse(room, command.id, outcome)

    def _hint(self, room: Room, asked: AskHint) -> None:
        if self._advising is not None and not self._advising.done():
            self._send(Refused(asked.id, Code.OVERLOADED, "another hint is being worked out"))
        else:
            # Thinking takes its time; the page's moves don't wait for it.
            self._advising = asyncio.create_task(self._advise(room, asked))

    async def _advise(self, room: Room, asked: AskHint) -> None:
        try:
            answer = await self._hints.ask(room, asked)
        except Overloaded:
            self._fail(asked, Code.OVERLOADED, "the computer has too much to do; try again")
        except StoreUnavailable:
            self._fail(asked, Code.UNAVAILABLE, "the store can't be reached; ask again")
        except (StoreError, ValueError, msgspec.DecodeError):
            log.exception("a hint could not be got")
            self._fail(asked, Code.UNAVAILABLE, "the hint could not be got")
        else:
            if isinstance(answer, Refusal):
                self._refuse(room, asked.id, answer)
            else:
                self._send(answer)

    def _refuse(self, room: Room, command: bytes, refusal: Refusal) -> None:
        self._send(Refused(command, refusal.code, refusal.text, room.snapshot()))

    def _fail(self, frame: FromPage, code: Code, text: str) -> None:
        self._send(Error(code, text) if isinstance(frame, Hello | Ping) else Refused(frame.id, code, text))

    def _leave_room(self) -> None:
        room, self._room = self._room, None
        if room is not None:
            self._rooms.leave(room, self)
            room.watchers.changed()

    # --- Writing

    def _send(self, message: ToPage) -> None:
        if isinstance(message, Refused | Error):
            figures.refusals[message.code].inc()
        self.push(encode(message))

    def push(self, frame: bytes) -> None:
        """Write one frame; beyond the bound of what is unread the page is too slow and is dropped."""
        if self._closed:
            return
        self._line.write(frame)
        if self._line.unread > MAX_UNREAD_BYTES:
            self._drop()

    def _drop(self) -> None:
        """Cut the connection: there is no room left to say anything in, and a polite close would wait for some."""
        log.info("a page of player %s reads too slowly and is dropped", self.visitor.player.hex()[:8])
        figures.pages_cut.inc()
        self._closed = True
        self._line.abort()

    async def _close(self, code: int, reason: str) -> None:
        self._closed = True
        if self._socket.application_state is WebSocketState.CONNECTED:
            await self._socket.close(code, reason)


def _refused(frame: AskHint | PlayerCommand, text: str) -> Refused:
    return Refused(frame.id, Code.TOO_FAST, text)
