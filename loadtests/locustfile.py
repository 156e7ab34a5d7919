"""Locust players: real sessions over the real protocol, at a human pace.

    make load                          starts the product by itself, plays, leaves loadtests/report.html
    locust -f loadtests/locustfile.py --host http://127.0.0.1:8000      against a server that runs

Each player opens the page, starts a match, and plays what the server offers; it thinks between its acts, closes its
page and comes back now and then, and sometimes has the session open in a second tab. ``SHAPE`` chooses the load:
`steady`, `ramp`, `herd` (all connections are cut at once, and come back) or `churn` (short visits).
"""

from __future__ import annotations

import json
import os
import random
import time
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit

import gevent
import msgpack
import websocket
from gevent.event import Event
from locust import FastHttpUser, LoadTestShape, between, events, task

SHAPE: Final = os.environ.get("SHAPE", "steady")
USERS: Final = int(os.environ.get("LOAD_USERS", "200"))
SECONDS: Final = int(os.environ.get("LOAD_SECONDS", "60"))
PATIENCE_S: Final = 10.0


class Tab:
    """One page's connection and its picture of the session; a greenlet reads."""

    def __init__(self, origin: str, cookie: str, session: bytes) -> None:
        self.version = 0
        self.last: bytes | None = None
        self.view: dict[str, Any] = {}
        self.closed = False
        self._session = session
        self._awaited: dict[bytes, float] = {}
        self._changed = Event()
        self._socket = websocket.create_connection(
            origin.replace("http", "ws", 1) + "/ws", timeout=PATIENCE_S, cookie=cookie, origin=origin
        )
        self._reader = gevent.spawn(self._read)
        self._send({"t": "hello", "protocol": 1, "session": session, "version": 0, "last": None})
        self.until(lambda: bool(self.view))

    def until(self, holds: Any) -> bool:
        """Wait until this holds; False where it does not in time, or the connection is lost."""
        began = time.monotonic()
        while not holds():
            left = PATIENCE_S - (time.monotonic() - began)
            if left <= 0 or self.closed:
                return False
            self._changed.clear()
            self._changed.wait(left)
        return True

    def do(self, kind: str, **fields: Any) -> None:
        """Send a command on what was seen; its time to the diff is reported to locust."""
        command = os.urandom(16)
        self._awaited[command] = time.perf_counter()
        seen = [self.version, self.last]
        self._send({"t": kind, "id": command, "base": seen, **fields})
        if not self.until(lambda: command not in self._awaited):
            _report(kind, PATIENCE_S, 0, TimeoutError("no answer"))
            self._awaited.pop(command, None)

    def close(self) -> None:
        self.closed = True
        self._socket.close()
        self._reader.kill()

    def _send(self, frame: dict[str, Any]) -> None:
        try:
            self._socket.send_binary(msgpack.packb(frame))
        except (OSError, websocket.WebSocketException):
            self.closed = True

    def _read(self) -> None:
        try:
            while True:
                data = self._socket.recv()
                if not data:
                    break
                self._take(msgpack.unpackb(data, strict_map_key=False), len(data))
                self._changed.set()
        except (OSError, websocket.WebSocketException):
            pass
        self.closed = True
        self._changed.set()

    def _take(self, frame: dict[str, Any], size: int) -> None:
        kind = frame["t"]
        if kind == "snapshot":
            self._see(frame)
        elif kind == "diff":
            if frame["from"] != self.version:
                self._send(
                    {"t": "hello", "protocol": 1, "session": self._session, "version": self.version, "last": self.last}
                )
                return
            self.view = {**self.view, **frame["set"]}
            self.version, self.last = frame["version"], frame["last"]
            self._answered(frame["last"], "command to diff", size, None)
        elif kind == "refused":
            if frame.get("snapshot"):
                self._see(frame["snapshot"])
            error = None if frame["code"] == "stale" else RuntimeError(frame["code"])
            self._answered(frame["id"], "refusal", size, error)
        elif kind == "done":
            self._answered(frame["id"], "done", size, None)

    def _see(self, snapshot: dict[str, Any]) -> None:
        self.view, self.version, self.last = snapshot["view"], snapshot["version"], snapshot["last"]

    def _answered(self, command: bytes, name: str, size: int, error: Exception | None) -> None:
        began = self._awaited.pop(command, None)
        if began is not None:
            _report(name, time.perf_counter() - began, size, error)


def _report(name: str, seconds: float, size: int, error: Exception | None) -> None:
    events.request.fire(
        request_type="ws", name=name, response_time=1000 * seconds, response_length=size, exception=error, context={}
    )


class BackgammonPlayer(FastHttpUser):
    """Somebody who plays."""

    wait_time = between(0.5, 1.5) if SHAPE == "churn" else between(2, 4)
    visits_are_short: ClassVar[bool] = SHAPE == "churn"

    def on_start(self) -> None:
        self._choose = random.Random()
        self._origin = f"{urlsplit(self.host or '').scheme}://{urlsplit(self.host or '').netloc}"
        with self.client.get("/", catch_response=True) as page:
            self._cookie = page.headers["Set-Cookie"].split(";")[0]
        self._headers = {"Origin": self._origin, "Cookie": self._cookie, "Content-Type": "application/json"}
        settings = self.client.get("/api/lobby", headers=self._headers).json()["settings"]
        self.client.put("/api/settings", json={**settings, "pace": "fast"}, headers=self._headers)
        self._tab: Tab | None = None
        self._session = b""
        self._new_session()

    def on_stop(self) -> None:
        self._leave()

    def _new_session(self) -> None:
        wanted = {"id": os.urandom(16).hex(), "level": "normal", "format": 7}
        answer = self.client.post("/api/sessions", json=wanted, headers=self._headers)
        self._session = bytes.fromhex(json.loads(answer.text)["session"])

    def _leave(self) -> None:
        if self._tab is not None:
            self._tab.close()
            self._tab = None

    @task(40)
    def play(self) -> None:
        """One act of what the session waits for."""
        if self._tab is None or self._tab.closed:
            began = time.perf_counter()
            try:
                self._tab = Tab(self._origin, self._cookie, self._session)
            except (OSError, websocket.WebSocketException) as error:
                _report("come back", time.perf_counter() - began, 0, error)
                return
            _report("come back", time.perf_counter() - began, 0, None)
        tab = self._tab
        phase = tab.view.get("phase")
        if phase == "seed":
            tab.do("seed", seed=os.urandom(32))
        elif phase == "to-roll":
            tab.do("roll")
        elif phase == "moving":
            if tab.view["moves"] and self._choose.random() < 0.1:
                tab.do("undo")
            else:
                source, path, *_ = self._choose.choice(tab.view["options"])
                tab.do("move", **{"from": source, "dice": path[::2]})
        elif phase == "confirm":
            tab.do("end")
        elif phase == "game-over":
            tab.do("next")
        elif phase == "computer":
            began = time.perf_counter()
            decided = tab.until(lambda: tab.view["phase"] != "computer")
            _report("computer's turn", time.perf_counter() - began, 0, None if decided else TimeoutError("no turn"))
        else:
            self._leave()
            self._new_session()

    @task(1)
    def close_the_page_and_come_back(self) -> None:
        self._leave()

    @task(1)
    def look_from_a_second_tab(self) -> None:
        try:
            Tab(self._origin, self._cookie, self._session).close()
        except (OSError, websocket.WebSocketException) as error:
            _report("second tab", 0.0, 0, error)

    @task(10 if SHAPE == "churn" else 0)
    def go_for_good(self) -> None:
        self._leave()
        self._new_session()


class Shape(LoadTestShape):
    """How many players there are at which time."""

    def tick(self) -> tuple[int, float] | None:
        """Users and how many may come in a second; None at the end."""
        elapsed = self.get_run_time()
        if elapsed > SECONDS:
            return None
        if SHAPE == "ramp":
            return max(1, int(USERS * elapsed / SECONDS)), max(1.0, USERS / 10)
        if SHAPE == "herd":
            # All leave at the half, and come back within two seconds.
            gone = SECONDS / 2 < elapsed < SECONDS / 2 + 2
            return (1, USERS) if gone else (USERS, USERS / 2)
        return USERS, max(1.0, USERS / 5)
