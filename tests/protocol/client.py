"""A client of the game written from docs/protocol.md alone, on `websockets` and `msgpack`.

It imports nothing of the server. It keeps its own picture of the session by applying diffs, so a test can hold it
against the server's snapshot.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import random
import socket as sockets
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

PATIENCE = 30.0

ALLOWANCE = 0.5
"""Seconds after which a player who was too fast may send a handful of frames again."""


@dataclass
class Visitor:
    """A browser without a page: a cookie, and the lobby over HTTP."""

    origin: str
    cookie: str = ""

    @classmethod
    async def arrive(cls, origin: str) -> Self:
        """Open the page as somebody new."""
        visitor = cls(origin)
        _, headers, _ = await visitor.request("GET", "/")
        visitor.cookie = headers["set-cookie"].split(";")[0]
        return visitor

    async def request(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers (lower case) and body of one HTTP request."""
        sent = {"Origin": self.origin, "Cookie": self.cookie, **(headers or {})}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.origin + path, data, sent, method=method)

        def exchange() -> tuple[int, dict[str, str], bytes]:
            try:
                with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                    return answer.status, {name.lower(): value for name, value in answer.headers.items()}, answer.read()
            except urllib.error.HTTPError as error:
                with error:
                    return error.code, {name.lower(): value for name, value in error.headers.items()}, error.read()

        return await asyncio.to_thread(exchange)

    async def lobby(self) -> dict[str, Any]:
        _, _, body = await self.request("GET", "/api/lobby")
        lobby: dict[str, Any] = json.loads(body)
        return lobby

    async def set_settings(self, **changes: Any) -> None:
        settings = {**(await self.lobby())["settings"], **changes}
        status, _, body = await self.request("PUT", "/api/settings", settings)
        assert status == 204, body

    async def start(
        self, level: str = "normal", length: int = 1, position: str | None = None, command: bytes | None = None
    ) -> bytes:
        """Start a session; its id."""
        wanted = {"id": (command or os.urandom(16)).hex(), "level": level, "format": length}
        if position is not None:
            wanted["position"] = position
        status, _, body = await self.request("POST", "/api/sessions", wanted)
        assert status == 201, body
        return bytes.fromhex(json.loads(body)["session"])

    async def record(self, session: bytes) -> bytes:
        status, _, body = await self.request("GET", f"/api/sessions/{session.hex()}/record")
        assert status == 200, body
        return body

    async def open(self, session: bytes, *, seen: tuple[int, bytes | None] = (0, None)) -> Seat:
        """Connect and say hello to a session."""
        seat = await Seat.connect(self)
        await seat.hello(session, *seen)
        return seat


class Refused(Exception):
    """The server refused a command."""

    def __init__(self, frame: dict[str, Any]) -> None:
        super().__init__(f"{frame['code']}: {frame['text']}")
        self.code: str = frame["code"]
        self.frame = frame


@dataclass
class Seat:
    """One websocket connection that keeps up with one session."""

    socket: ClientConnection
    session: bytes = b""
    version: int = 0
    last: bytes | None = None
    view: dict[str, Any] = field(default_factory=dict)
    frames: list[tuple[int, list[list[Any]]]] = field(default_factory=list)
    heard: list[dict[str, Any]] = field(default_factory=list)
    """Frames that were not asked for and are no news of the session."""

    @classmethod
    async def connect(cls, visitor: Visitor, connected: sockets.socket | None = None, **headers: str) -> Self:
        """A connection that watches nothing yet, on a socket of its own or one that is connected already."""
        url = visitor.origin.replace("http", "ws", 1) + "/ws"
        sent = {"Cookie": visitor.cookie, "Origin": visitor.origin, **headers}
        return cls(
            await connect(
                url,
                sock=connected,
                additional_headers={name: value for name, value in sent.items() if name != "Origin"},
                origin=sent["Origin"],  # type: ignore[arg-type] # a plain string serves
                compression=None,
                ping_interval=None,
                max_size=2**20,
            )
        )

    async def close(self) -> None:
        """Close the connection, and read what is unread: behind it waits the other end's farewell."""
        closing = asyncio.create_task(self.socket.close())
        with contextlib.suppress(ConnectionClosed):
            while True:
                await self.socket.recv()
        await closing

    # --- Frames

    async def send(self, frame: dict[str, Any]) -> None:
        await self.socket.send(msgpack.packb(frame))

    async def receive(self) -> dict[str, Any]:
        """The next frame, after the picture of the session has been brought up to date with it."""
        async with asyncio.timeout(PATIENCE):
            data = await self.socket.recv()
        frame: dict[str, Any] = msgpack.unpackb(data, strict_map_key=False)
        kind = frame["t"]
        if kind == "snapshot":
            self._take_snapshot(frame)
        elif kind == "refused" and frame.get("snapshot"):
            self._take_snapshot(frame["snapshot"])
        elif kind == "diff":
            await self._take_diff(frame)
        return frame

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first frame that is ``wanted``; what comes before it is kept in ``heard``."""
        while True:
            frame = await self.receive()
            if wanted(frame):
                return frame
            self.heard.append(frame)

    def _take_snapshot(self, frame: dict[str, Any]) -> None:
        self.session, self.version, self.last = frame["session"], frame["version"], frame["last"]
        self.view = frame["view"]

    async def _take_diff(self, frame: dict[str, Any]) -> None:
        if frame["from"] != self.version:
            if frame["version"] > self.version:
                await self.send(self._hello_frame(self.session, self.version, self.last))
            return
        self.view = {**self.view, **frame["set"]}
        board = list(self.view["board"])
        for index, count in frame.get("board", []):
            board[index] = count
        self.view["board"] = board
        self.view["record"] = [*self.view["record"], *frame.get("record", [])]
        self.version, self.last = frame["version"], frame["last"]
        self.frames.append((frame["by"], frame["frames"]))

    # --- What a player does

    @staticmethod
    def _hello_frame(session: bytes, version: int, last: bytes | None) -> dict[str, Any]:
        return {"t": "hello", "protocol": 1, "session": session, "version": version, "last": last}

    async def hello(self, session: bytes, version: int = 0, last: bytes | None = None) -> None:
        """Watch a session; returns once its state is known. Raises Refused."""
        self.version, self.last = version, last
        await self.send(self._hello_frame(session, version, last))
        frame = await self.until(lambda each: each["t"] in {"watching", "error"})
        if frame["t"] == "error":
            raise Refused(frame)

    def command(self, kind: str, base: tuple[int, bytes | None] | None = None, **fields: Any) -> dict[str, Any]:
        """A command on what this client has seen, with a new id."""
        seen = list(base or (self.version, self.last))
        return {"t": kind, "id": os.urandom(16), "base": seen, **fields}

    async def do(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a command and wait for its acknowledgement. Raises Refused."""
        return await self.acknowledged(self.command(kind, **fields))

    async def acknowledged(self, command: dict[str, Any]) -> dict[str, Any]:
        """Send a command, at the pace that the server allows, until it is answered. Raises Refused."""
        while True:
            await self.send(command)
            try:
                return await self.answer_to(command["id"])
            except Refused as refused:
                if refused.code != "too-fast":
                    raise
                await asyncio.sleep(ALLOWANCE)

    async def answer_to(self, command: bytes) -> dict[str, Any]:
        """The diff, or ``done``, that acknowledges a command. Raises Refused."""
        frame = await self.until(
            lambda each: (each["t"] == "diff" and each["last"] == command) or each.get("id") == command
        )
        if frame["t"] == "refused":
            raise Refused(frame)
        return frame

    async def ping(self, number: int = 1) -> int:
        """The version that the store holds."""
        while True:
            await self.send({"t": "ping", "n": number})
            frame = await self.until(lambda each: each["t"] == "error" or (each["t"] == "pong" and each["n"] == number))
            if frame["t"] == "pong":
                version: int = frame["version"]
                return version
            if frame["code"] != "too-fast":
                raise Refused(frame)
            await asyncio.sleep(ALLOWANCE)

    async def until_mine(self) -> str:
        """Wait while the computer is to play; the phase that then is."""
        while self.view["phase"] == "computer":
            await self.receive()
        phase: str = self.view["phase"]
        return phase

    async def step(self, choose: random.Random, *, quick: bool = False) -> str:
        """Do the one thing, or one of the things, that the game waits for; the phase before it.

        ``quick``: with as few commands as may be, since these are limited by the second.
        """
        phase = await self.until_mine()
        if phase == "seed":
            await self.do("seed", seed=hashlib.sha256(choose.randbytes(8)).digest())
        elif phase == "to-roll":
            await self.do("roll")
        elif phase == "moving":
            options = self.view["options"]
            if quick:
                longest = max(len(path) for _, path, _ in options)
                options = [option for option in options if len(option[1]) == longest]
            source, path, _ = choose.choice(options)
            await self.do("move", **{"from": source, "dice": path[::2]})
        elif phase == "confirm":
            await self.do("end")
        elif phase == "game-over":
            await self.do("next")
        return phase

    async def play_on(self, choose: random.Random, steps: int = 5_000, *, quick: bool = False) -> None:
        """Play until the session is over, or for so many steps."""
        for _ in range(steps):
            if await self.step(choose, quick=quick) in {"match-over", "dropped"}:
                return
