"""Clients that play on whatever happens: they come back, send again what was not answered, and never give up.

They follow docs/protocol.md and nothing else: after a lost link they say hello with what they have seen and send the
command in question again, with its id.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from ..protocol.client import Refused, Seat, Visitor
from .ledger import Ledger, Told

ANSWER_WITHIN = 10.0
LISTEN_FOR = 1.0
QUIET_WITHIN = 90.0
TRY_AGAIN = {"unavailable", "overloaded", "too-fast"}
LINK_LOST = (ConnectionClosed, InvalidHandshake, HTTPException, OSError, EOFError)  # a TimeoutError is an OSError


@dataclass
class Table:
    """What one player has going: one session after the other, on any number of pages."""

    cookie: str
    length: int
    session: bytes = b""
    starting: bytes | None = None
    """The command that is starting the next session."""
    busy: asyncio.Lock = field(default_factory=asyncio.Lock)


class _Seat(Seat):
    """A seat that writes down what it is told."""

    ledger: Ledger
    story: dict[bytes, list[Told]]
    greeted: bool = False
    """The hello to the present session was answered."""

    def _take_snapshot(self, frame: dict[str, Any]) -> None:
        super()._take_snapshot(frame)
        self._tell(None, patched=False)

    async def _take_diff(self, frame: dict[str, Any]) -> None:
        version, last, view = self.version, self.last, self.view
        await super()._take_diff(frame)
        if self.version != version:
            self._tell(last, patched=True)
            self.ledger.hear_rolls(self.session, view, self.view, frame["frames"])
        self.frames.clear()

    def _tell(self, after: bytes | None, *, patched: bool) -> None:
        self.story.setdefault(self.session, []).append(Told(self.version, self.last or b"", after, patched))


class Page:
    """One page at a table.

    Args:
        origins: the servers that it may connect to; it takes another when one fails.
        eagerness: how often it acts when it could; a page that is not eager watches.
    """

    def __init__(
        self, table: Table, origins: Sequence[str], ledger: Ledger, choose: random.Random, *, eagerness: float = 1.0
    ) -> None:
        self.table = table
        self.seat: _Seat | None = None
        self.origin = choose.choice(origins)
        self._origins = origins
        self._ledger = ledger
        self._choose = choose
        self._eagerness = eagerness
        self._unsettled: dict[str, Any] | None = None
        self._last_refusal = ""
        self._seen: tuple[bytes, int, bytes | None, dict[str, Any]] = (b"", 0, None, {})
        self._story: dict[bytes, list[Told]] = {}
        ledger.stories.append(self._story)

    # --- Its life

    async def play(self, enough: Callable[[], bool]) -> None:
        """Play until there is enough, and nothing that was sent is without an answer."""
        while not enough() or self._unsettled is not None:
            await self._going_on(self._act, enough)

    async def come_to_rest(self) -> str:
        """Return when nothing is to be done or heard any more: the page shows what the store holds.

        It says nothing, or what it still waits for after a long time.
        """
        try:
            async with asyncio.timeout(QUIET_WITHIN):
                while not await self._going_on(self._is_at_rest, lambda: True):
                    pass
        except TimeoutError:
            seat = self.seat
            where = "without a link" if seat is None else f"at version {seat.version}, phase {seat.view.get('phase')}"
            return f"{self.table.session.hex()}: still waiting {where}; at last told {self._last_refusal!r}"
        return ""

    async def close(self) -> None:
        if self.seat is not None:
            await self.seat.close()

    async def _going_on(self, what: Callable[[_Seat, Callable[[], bool]], Any], enough: Callable[[], bool]) -> Any:
        try:
            return await what(await self._seated(), enough)
        except LINK_LOST as error:
            await self._lost(error)
        except Refused as refused:  # of a hello
            self._last_refusal = str(refused)
            if refused.code == "no-session":
                self._ledger.missing[self.table.session.hex()] += 1
                self.table.session = b""
                self._unsettled = None
            await self._pause()
        return False

    async def _lost(self, error: BaseException) -> None:
        self._ledger.reconnects += 1
        if isinstance(error, ConnectionClosed):
            self._ledger.closes[error.rcvd.code if error.rcvd is not None else 1006] += 1
        if self.seat is not None:
            self._remember(self.seat)
            self.seat.socket.transport.abort()
            self.seat = None
        self.origin = self._choose.choice(self._origins)
        await self._pause()

    async def _pause(self) -> None:
        await asyncio.sleep(self._choose.uniform(0.02, 0.3))

    def _remember(self, seat: _Seat) -> None:
        self._seen = (seat.session, seat.version, seat.last, seat.view)

    async def _seated(self) -> _Seat:
        """The seat at the table's present session."""
        if not self.table.session:
            await self._start()
        seat = self.seat
        if seat is None:
            async with asyncio.timeout(ANSWER_WITHIN):
                seat = await _Seat.connect(self._visitor())
            seat.ledger, seat.story = self._ledger, self._story
            self.seat = seat
            seat.session, seat.version, seat.last, seat.view = self._seen
        seat.heard.clear()
        if seat.session != self.table.session or not seat.greeted:
            known = (seat.version, seat.last) if seat.session == self.table.session and seat.view else (0, None)
            if seat.session != self.table.session:
                self._unsettled = None  # it was about another session, which is over
            seat.session = self.table.session
            seat.greeted = False
            await self._hello(seat, *known)
            seat.greeted = True
        return seat

    async def _hello(self, seat: _Seat, version: int, last: bytes | None) -> None:
        async with asyncio.timeout(ANSWER_WITHIN):
            await seat.hello(self.table.session, version, last)
            while not seat.version:  # what came was news of the session before
                await seat.receive()

    def _visitor(self) -> Visitor:
        return Visitor(self.origin, self.table.cookie)

    async def _start(self) -> None:
        """Have another session; whoever of the table's pages comes first starts it."""
        table = self.table
        async with table.busy:
            if table.session:
                return
            command = table.starting = table.starting or os.urandom(16)
            wanted = {"id": command.hex(), "level": "normal", "format": table.length}
            async with asyncio.timeout(ANSWER_WITHIN):
                status, _, body = await self._visitor().request("POST", "/api/sessions", wanted)
            if status >= 500:
                raise OSError(f"no session could be started: {body!r}")
            assert status == 201, body
            table.session = bytes.fromhex(body.decode().split('"')[3])
            table.starting = None
            self._settled(table.session, command, 1)

    # --- What it does

    async def _act(self, seat: _Seat, enough: Callable[[], bool]) -> None:
        if self._unsettled is None and not enough() and self._choose.random() < self._eagerness:
            self._unsettled = self._choice(seat)
        if self._unsettled is not None:
            await self._settle(seat, self._unsettled)
        else:
            await self._listen(seat)

    def _choice(self, seat: _Seat) -> dict[str, Any] | None:
        """The next command; None where the page must wait."""
        view, chance = seat.view, self._choose.random()
        phase = view["phase"]
        if phase in {"match-over", "dropped"}:
            # Another page may have moved on to the next session already.
            if self.table.session == seat.session:
                self.table.session = view["successor"] or b""
            return None
        if phase == "computer":
            return None
        if chance < 0.03:
            flags: dict[str, Any] = {
                name: self._choose.random() < 0.7 for name in ("auto_end", "auto_forced", "auto_bear_off")
            }
            return seat.command("options", pace="instant", **flags)
        if chance < 0.032:
            return seat.command("restart")
        if chance < 0.04:
            return seat.command("leave")
        if phase == "seed":
            return seat.command("seed", seed=self._choose.randbytes(32))
        if phase == "to-roll":
            return seat.command("roll")
        if phase == "game-over":
            return seat.command("next")
        if view["moves"] and chance < 0.35:
            return seat.command("undo")
        if phase == "confirm":
            return seat.command("end")
        source, path, _ = self._choose.choice(view["options"])
        return seat.command("move", **{"from": source, "dice": path[::2]})

    async def _settle(self, seat: _Seat, command: dict[str, Any]) -> None:
        """Send a command, for the first time or again, and take its answer."""
        await seat.send(command)
        try:
            async with asyncio.timeout(ANSWER_WITHIN):
                answer = await seat.answer_to(command["id"])
        except Refused as refused:
            if refused.code in TRY_AGAIN:
                self._ledger.retries[refused.code] += 1
                await self._pause()
            else:
                self._unsettled = None
                self._ledger.commands += 1
                self._ledger.refused[command["id"]] = (seat.session, refused.code)
            return
        self._unsettled = None
        self._settled(seat.session, command["id"], answer["version"])
        if answer["t"] == "done" and seat.version < answer["version"]:
            await self._hello(seat, seat.version, seat.last)

    def _settled(self, session: bytes, command: bytes, version: int) -> None:
        self._ledger.commands += 1
        self._ledger.acknowledged[command] = (session, version)

    async def _listen(self, seat: _Seat) -> None:
        """Hear the next frame; where none comes, ask what the store holds."""
        try:
            async with asyncio.timeout(LISTEN_FOR):
                await seat.receive()
        except TimeoutError:
            await self._look(seat)

    async def _look(self, seat: _Seat) -> bool:
        """Whether the page shows the version that the store holds; if not, it asks for what it lacks."""
        async with asyncio.timeout(ANSWER_WITHIN):
            version = await seat.ping()
        if version == seat.version:
            return True
        self._ledger.gaps += 1
        await self._hello(seat, seat.version, seat.last)
        return False

    async def _is_at_rest(self, seat: _Seat, _: Callable[[], bool]) -> bool:
        if seat.view["phase"] == "computer":
            await self._listen(seat)
            return False
        # News may have come before the pong did.
        return await self._look(seat) and seat.view["phase"] != "computer"
