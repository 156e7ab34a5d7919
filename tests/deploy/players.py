"""Players who do not give up: they reconnect, repeat what was not acknowledged, and remember what was."""

from __future__ import annotations

import asyncio
import json
import os
import random
import time
import urllib.error
from dataclasses import dataclass, field
from typing import Any, Self

from websockets.exceptions import WebSocketException

from tests.protocol.client import Refused, Seat, Visitor

AWAY = (WebSocketException, OSError, TimeoutError, urllib.error.URLError)
TRY_AGAIN = {"unavailable", "overloaded"}
RETRY_SECONDS = 0.2
THINKING_SECONDS = 0.2


class LostGame(AssertionError):
    """The server no longer has what it acknowledged, or has it otherwise."""


@dataclass
class RememberingSeat(Seat):
    """A connection that keeps the command that is on its way."""

    on_its_way: dict[str, Any] | None = None

    async def acknowledged(self, command: dict[str, Any]) -> dict[str, Any]:
        self.on_its_way = command
        answer = await super().acknowledged(command)
        self.on_its_way = None
        return answer


@dataclass
class Played:
    """A session as its player has seen it."""

    session: bytes
    version: int = 0
    last: bytes | None = None
    over: bool = False


@dataclass
class Player:
    """Plays one session after another until told to stop."""

    visitor: Visitor
    choose: random.Random
    length: int = 7
    games: list[Played] = field(default_factory=list)
    reconnects: int = 0
    longest_gap: float = 0.0
    """The longest time between two acknowledgements, in seconds."""
    commands: int = 0
    _seat: RememberingSeat | None = None
    _starting: bytes | None = None
    _last_answer: float = 0.0

    @classmethod
    async def arrive(cls, origin: str, number: int, length: int = 7) -> Self:
        visitor = await Visitor.arrive(origin)
        await visitor.set_settings(pace="instant")
        return cls(visitor, random.Random(number), length)

    @property
    def present(self) -> Played:
        return self.games[-1]

    async def play(self, stop: asyncio.Event) -> None:
        """Play until `stop`; whatever goes away is waited for, nothing that was acknowledged may be missing."""
        while not stop.is_set():
            try:
                if not self.games or self.present.over:
                    await self._begin()
                await self._play_connected(stop)
            except Refused as refused:
                if refused.code not in TRY_AGAIN:
                    raise LostGame(f"{refused} in {self.present}") from refused
            except AWAY:
                pass
            if not stop.is_set() and not (self.games and self.present.over):
                self.reconnects += 1
                await asyncio.sleep(RETRY_SECONDS)

    async def _begin(self) -> None:
        """Start a session; asked again with the same id, the server starts no second one."""
        self._starting = self._starting or os.urandom(16)
        wanted = {"id": self._starting.hex(), "level": "normal", "format": self.length}
        status, _, body = await self.visitor.request("POST", "/api/sessions", wanted)
        if status >= 500:
            raise ConnectionError(f"no session could be started: {status}")
        assert status == 201, body
        self.games.append(Played(bytes.fromhex(json.loads(body)["session"])))
        self._starting = self._seat = None

    async def _play_connected(self, stop: asyncio.Event) -> None:
        seat = await self._connected()
        try:
            if (waiting := seat.on_its_way) is not None:
                await self._timed(seat.acknowledged(waiting))
            while not stop.is_set():
                await asyncio.sleep(self.choose.uniform(0.05, THINKING_SECONDS))
                phase = await self._timed(seat.step(self.choose))
                self._remember(seat)
                if phase in {"match-over", "dropped"}:
                    self.present.over = True
                    return
        finally:
            self._remember(seat)
            await seat.close()

    async def _connected(self) -> RememberingSeat:
        known = self.present
        seat = await RememberingSeat.connect(self.visitor)
        if (before := self._seat) is not None:
            seat.view, seat.session, seat.on_its_way = before.view, before.session, before.on_its_way
        await seat.hello(known.session, known.version, known.last)
        if seat.version < known.version or (seat.version == known.version and seat.last != known.last):
            raise LostGame(f"{known} is at version {seat.version}")
        self._seat = seat
        return seat

    async def _timed(self, work: Any) -> Any:
        answer = await work
        now = time.monotonic()
        if self._last_answer:
            self.longest_gap = max(self.longest_gap, now - self._last_answer)
        self._last_answer = now
        self.commands += 1
        return answer

    def _remember(self, seat: RememberingSeat) -> None:
        if seat.version >= self.present.version:
            self.present.version, self.present.last = seat.version, seat.last

    async def check(self) -> None:
        """Every session of this player is where it was left."""
        for known in self.games:
            seat = await self.visitor.open(known.session)
            try:
                if seat.version < known.version or (seat.version == known.version and seat.last != known.last):
                    raise LostGame(f"{known} is at version {seat.version}")
            finally:
                await seat.close()

    async def drop(self, known: Played) -> None:
        """End a session that is not over."""
        seat = await self.visitor.open(known.session)
        if "restart" in seat.view["may"]:
            await seat.do("restart")
        await seat.close()

    def rest(self) -> None:
        """What comes until the next answer is no waiting."""
        self.longest_gap = self._last_answer = 0.0

    def forget_connection(self) -> None:
        """What this player knew of its session is no longer so: the next connection begins with a snapshot."""
        self._seat = None
        self.rest()
        for game in self.games:
            game.over = False

    async def versions(self) -> dict[bytes, int]:
        """The version of each of this player's sessions, as the server has it now."""
        found: dict[bytes, int] = {}
        for known in self.games:
            seat = await self.visitor.open(known.session)
            found[known.session] = seat.version
            await seat.close()
        return found
