"""A light load generator: thousands of pages in one process, each playing real sessions over the real protocol.

It costs a fraction of what it measures: websocket frames are put together by hand (a zero mask is a mask), and of
a diff only what the next command needs is decoded. Everything that it sends is offered by the server, or
deliberately stale.
"""

from __future__ import annotations

import asyncio
import base64
import os
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, cast
from urllib.parse import urlsplit

import msgspec

BINARY: Final = 0x82
LONGEST_WAIT: Final = 30.0


class _Set(msgspec.Struct):
    """The fields of a view that decide what comes next."""

    phase: str | None = None
    options: tuple[Any, ...] | None = None
    may: tuple[str, ...] | None = None


class _Snapshot(msgspec.Struct):
    version: int
    last: bytes | None
    view: _Set


class _Frame(msgspec.Struct):
    t: str
    version: int = 0
    last: bytes | None = None
    id: bytes | None = None
    code: str = ""
    set: _Set | None = None
    view: _Set | None = None
    snapshot: _Snapshot | None = None


_decode = msgspec.msgpack.Decoder(_Frame).decode
_encode = msgspec.msgpack.Encoder().encode


@dataclass
class Figures:
    """What was sent and answered.

    ``latencies``: seconds from a command to the diff that acknowledges it; ``turns``: from the diff that made the
    computer due to its own, without the time that its pace makes of it.
    """

    sent: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    latencies: list[float] = field(default_factory=list)
    turns: list[float] = field(default_factory=list)
    bytes_by_kind: dict[str, list[int]] = field(default_factory=dict)
    lost_connections: int = 0

    @property
    def acknowledged(self) -> int:
        return self.answers["diff"] + self.answers["done"]


class Wire(asyncio.Protocol):
    """One websocket, client side: whole binary frames in and out."""

    def __init__(self, on_frame: Callable[[bytes], None], on_lost: Callable[[], None]) -> None:
        self._on_frame = on_frame
        self._on_lost = on_lost
        self._buffer = bytearray()
        self._transport: asyncio.Transport | None = None
        self.shaken: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @classmethod
    async def connect(
        cls, origin: str, cookie: str, on_frame: Callable[[bytes], None], on_lost: Callable[[], None]
    ) -> Wire:
        parts = urlsplit(origin)
        loop = asyncio.get_running_loop()
        _, wire = await loop.create_connection(lambda: cls(on_frame, on_lost), parts.hostname or "", parts.port or 80)
        key = base64.b64encode(os.urandom(16)).decode()
        assert wire._transport is not None
        wire._transport.write(
            f"GET /ws HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Origin: {origin}\r\nCookie: {cookie}\r\n\r\n".encode()
        )
        async with asyncio.timeout(LONGEST_WAIT):
            await wire.shaken
        return wire

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.shaken.done():
            self.shaken.set_exception(ConnectionError("lost during the handshake"))
        self._on_lost()

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer
        buffer += data
        if not self.shaken.done():
            head, found, rest = bytes(buffer).partition(b"\r\n\r\n")
            if not found:
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.shaken.set_exception(ConnectionError(head.split(b"\r\n")[0].decode()))
                return
            self.shaken.set_result(None)
            buffer[:] = rest
        while len(buffer) >= 2:
            length, start = buffer[1] & 0x7F, 2
            if length == 126:
                if len(buffer) < 4:
                    return
                length, start = int.from_bytes(buffer[2:4], "big"), 4
            elif length == 127:
                if len(buffer) < 10:
                    return
                length, start = int.from_bytes(buffer[2:10], "big"), 10
            if len(buffer) < start + length:
                return
            payload = bytes(buffer[start : start + length])
            opcode = buffer[0] & 0x0F
            del buffer[: start + length]
            if opcode == 2:
                self._on_frame(payload)
            elif opcode == 9 and self._transport is not None:
                self._transport.write(bytes((0x8A, 0x80 | len(payload), 0, 0, 0, 0)) + payload)

    def send(self, payload: bytes) -> None:
        size = len(payload)
        head = bytes((BINARY, 0x80 | size)) if size < 126 else bytes((BINARY, 0xFE)) + size.to_bytes(2, "big")
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(head + b"\0\0\0\0" + payload)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


@dataclass
class Mix:
    """How a player behaves. ``pause``: seconds between its acts, drawn anew each time."""

    pause: Callable[[random.Random], float] = lambda _: 0.0
    undo: float = 0.10
    """Chance of an undo after a move."""
    wrong: float = 0.05
    """Chance, before a command, of one more that is stale or doubled."""
    hint: float = 0.05
    """Chance, before a command, of asking for a hint in a phase that refuses it."""


class Player:
    """One session with its pages: the first acts, the others watch."""

    def __init__(
        self, origin: str, cookie: str, session: bytes, figures: Figures, mix: Mix, choose: random.Random
    ) -> None:
        self.session = session
        self._origin = origin
        self._cookie = cookie
        self._figures = figures
        self._mix = mix
        self._choose = choose
        self._wires: list[Wire] = []
        self._version = 0
        self._last: bytes | None = None
        self._phase = ""
        self._options: tuple[Any, ...] = ()
        self._may: tuple[str, ...] = ()
        self._pending: dict[bytes, float] = {}
        self._due: asyncio.TimerHandle | None = None
        self._accepted: bytes | None = None
        self._computer_since: float | None = None
        self._playing = False
        self.stopped = False

    async def sit_down(self, pages: int) -> None:
        """Open the pages and say hello; nothing is done there until ``play``."""
        for page in range(pages):
            handle = self._heard if page == 0 else self._watched
            wire = await Wire.connect(self._origin, self._cookie, handle, self._lost)
            self._wires.append(wire)
            wire.send(_encode({"t": "hello", "protocol": 1, "session": self.session, "version": 0, "last": None}))

    def play(self) -> None:
        """Begin to act, a pause from now."""
        self._playing = True
        if self._phase and self._phase != "computer":
            self._act_after(self._mix.pause(self._choose))

    def get_up(self) -> None:
        self.stopped = True
        if self._due is not None:
            self._due.cancel()
        for wire in self._wires:
            wire.close()

    def _lost(self) -> None:
        if not self.stopped:
            self._figures.lost_connections += 1

    def _watched(self, payload: bytes) -> None:
        self._figures.answers["watched"] += 1

    def _heard(self, payload: bytes) -> None:
        frame = _decode(payload)
        figures = self._figures
        figures.answers[frame.t] += 1
        if frame.t in {"diff", "snapshot"}:
            figures.bytes_by_kind.setdefault(frame.t, []).append(len(payload))
        if frame.t == "diff":
            if frame.set is not None:
                self._take(frame.version, frame.last, frame.set)
            began = self._pending.pop(frame.last or b"", None)
            if began is not None:
                figures.latencies.append(time.perf_counter() - began)
                self._accepted = frame.last
        elif frame.t == "snapshot" and frame.view is not None:
            self._take(frame.version, frame.last, frame.view)
        elif frame.t == "refused":
            figures.refusals[frame.code] += 1
            self._pending.pop(frame.id or b"", None)
            if frame.snapshot is not None:
                self._take(frame.snapshot.version, frame.snapshot.last, frame.snapshot.view)
        elif frame.t == "done":
            self._pending.pop(frame.id or b"", None)
        else:
            return
        if self._playing and not self._pending and not self.stopped and self._phase != "computer":
            pause = self._mix.pause(self._choose)
            if frame.t == "refused" and frame.code in {"too-fast", "overloaded"}:
                pause = max(pause, 0.1)
            self._act_after(pause)

    def _act_after(self, pause: float) -> None:
        if self._due is None:
            self._due = asyncio.get_running_loop().call_later(pause, self._act)

    def _take(self, version: int, last: bytes | None, changed: _Set) -> None:
        self._version, self._last = version, last
        if self._computer_since is not None:
            self._figures.turns.append(time.perf_counter() - self._computer_since)
            self._computer_since = None
        if changed.phase is not None:
            self._phase = changed.phase
        if self._phase == "computer":
            self._computer_since = time.perf_counter()
        if changed.options is not None:
            self._options = changed.options
        if changed.may is not None:
            self._may = changed.may

    def _act(self) -> None:
        self._due = None
        if self.stopped or self._pending:
            return
        choose, mix = self._choose, self._mix
        if choose.random() < mix.wrong:
            self._send_wrong()
        if choose.random() < mix.hint and self._phase != "moving":
            self._send("hint", counted="hint")
        phase = self._phase
        if phase == "seed":
            self._send("seed", seed=os.urandom(32))
        elif phase == "to-roll":
            self._send("roll")
        elif phase in {"moving", "confirm"} and "undo" in self._may and choose.random() < mix.undo:
            self._send("undo")
        elif phase == "moving":
            source, path, *_ = choose.choice(self._options)
            self._send("move", **{"from": source, "dice": path[::2]})
        elif phase == "confirm":
            self._send("end")
        elif phase == "game-over":
            self._send("next")

    def _send(self, kind: str, counted: str | None = None, **fields: Any) -> None:
        command = os.urandom(16)
        self._pending[command] = time.perf_counter()
        self._figures.sent[counted or kind] += 1
        self._wires[0].send(_encode({"t": kind, "id": command, "base": [self._version, self._last], **fields}))

    def _send_wrong(self) -> None:
        """A stale command, or the last accepted one once more."""
        self._figures.sent["wrong"] += 1
        if self._accepted is not None and self._choose.random() < 0.5:
            frame = {"t": "roll", "id": self._accepted, "base": [self._version, self._last]}
            self._pending[self._accepted] = time.perf_counter()
        else:
            command = os.urandom(16)
            frame = {"t": "roll", "id": command, "base": [max(self._version - 1, 1), os.urandom(16)]}
            self._pending[command] = time.perf_counter()
        self._wires[0].send(_encode(frame))
