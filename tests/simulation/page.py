"""A page: the client's link (clients/web/src/link), and a player who clicks on what is shown.

What was sent is kept until it is answered, and sent again with the same id over the next link. A gap is never patched.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, Protocol

import msgspec

from gameserver.backgammon import Move, format_play

from .audit import Audit, Head, Picture
from .loop import SimulatedLoop
from .programs import Link

PING_AFTER = 15.0
ANSWER_WITHIN = 7.0
OPEN_WITHIN = 8.0
TICK = 1.0
FIRST_RETRY = 0.4
LONGEST_RETRY = 15.0
TRY_AGAIN_AFTER = 0.7
MOST_REBASES = 8
TRY_LATER = frozenset({"too-fast", "overloaded", "unavailable", "not-open"})
ASKED_AGAIN = frozenset({"options", "leave", "restart"})
NOTHING: Head = (0, None)
MOST_WAITING = 4
TYPED = ("8/5 6/5", "24/18*", "bar/22", "6/off(2)", "nonsense", "")


@dataclass(slots=True)
class Waiting:
    """A command that is not answered yet."""

    command: dict[str, Any]
    base: Head
    sent: bool = False
    rebased: bool = False
    """It was asked on another base before; a refusal does not say which of them it means."""

    @property
    def id(self) -> bytes:
        found: bytes = self.command["id"]
        return found


@dataclass
class Table:
    """What one player has going, on any number of pages. ``finishing``: play on to the end, and do nothing else."""

    player: bytes
    session: bytes = b""
    finishing: bool = False
    starting: bool = False


class World(Protocol):
    """What a page needs of the run."""

    loop: SimulatedLoop
    audit: Audit

    def connect(self, page: Page) -> Link:
        """Open a websocket to some server."""
        ...

    def start_session(self, table: Table) -> None:
        """Have the table's next session, some time."""
        ...

    def counted(self, kind: str) -> None:
        """A command was sent for the first time (its kind), or ``again``."""
        ...


class Page:
    """One open page.

    Args:
        hurry: the mean of the seconds between two of its player's clicks.
    """

    def __init__(self, world: World, table: Table, chance: Random, hurry: float) -> None:
        self.table = table
        self.session = b""
        self.head = NOTHING
        self.picture: Picture = {}
        self.waiting: list[Waiting] = []
        self.link: Link | None = None
        self._world = world
        self._loop = world.loop
        self._chance = chance
        self._hurry = hurry
        self._open = False
        self._retries = 0
        self._deadline = float("inf")
        self._ping_at = float("inf")
        self._pings = 0
        self._catching_up = False
        self._mismatches = 0
        self._rebases = 0
        self._ahead: list[Any] = []
        self._gone = False
        self._connect()
        self._tick()
        self._loop.call_later(chance.random(), self._click)

    def leave(self) -> None:
        """The page is closed for good."""
        self._gone = True
        self._drop()

    @property
    def is_up_to_date(self) -> bool:
        """It shows the head of its session's log, and waits for nothing."""
        trail = self._world.audit.trails.get(self.session)
        return not self.waiting and trail is not None and trail.head == self.head

    # --- The connection

    def _connect(self) -> None:
        self._drop()
        if self._gone:
            return
        self._deadline = self._loop.time() + OPEN_WITHIN
        self.link = self._world.connect(self)

    def opened(self, link: Link) -> None:
        if link is not self.link:
            return
        self._open = True
        self._deadline = float("inf")
        self._ping_at = self._loop.time() + PING_AFTER
        for entry in self.waiting:
            entry.sent = False
        self._hello(self.head)
        self._flush()

    def closed(self, link: Link) -> None:
        if link is self.link:
            self._lost()

    def frame(self, link: Link, data: bytes) -> None:
        if link is not self.link:
            return
        self._retries = 0
        self._deadline = float("inf")
        frame = decoded(data)
        if frame["t"] == "pong":
            self._ping_at = self._loop.time() + PING_AFTER
        self._heard(frame)

    def _tick(self) -> None:
        if self._gone:
            return
        now = self._loop.time()
        if self.link is not None:
            if now >= self._deadline:
                self._lost()
            elif self._open and now >= self._ping_at:
                self._ping()
        self._loop.call_later(TICK, self._tick)

    def _lost(self) -> None:
        self._drop()
        longest = min(FIRST_RETRY * 2**self._retries, LONGEST_RETRY)
        self._retries += 1
        self._loop.call_later(longest * (0.5 + self._chance.random() / 2), self._connect)

    def _drop(self) -> None:
        link, self.link = self.link, None
        self._open = False
        self._deadline = self._ping_at = float("inf")
        if link is not None:
            link.page_leaves()

    def _send(self, frame: dict[str, Any]) -> bool:
        if self.link is None or not self._open:
            return False
        self.link.up.send(msgspec.msgpack.encode(frame))
        self._deadline = min(self._deadline, self._loop.time() + ANSWER_WITHIN)
        return True

    def _ping(self) -> None:
        self._pings += 1
        if self._send({"t": "ping", "n": self._pings}):
            self._ping_at = float("inf")

    # --- The session

    def watch(self, session: bytes) -> None:
        """Follow this session from nothing."""
        self.session = session
        self.head = NOTHING
        self.picture = {}
        self.waiting = []
        self._mismatches = 0
        self._hello(NOTHING)

    def _hello(self, since: Head) -> None:
        if not self.session:
            return
        version, last = since
        if self._send({"t": "hello", "protocol": 1, "session": self.session, "version": version, "last": last}):
            self._catching_up = version > 0
            self._ping()

    def _next_base(self) -> Head:
        if not self.waiting:
            return self.head
        latest = self.waiting[-1]
        return (latest.base[0] + 1, latest.id)

    def order(self, kind: str, **fields: Any) -> None:
        """Put a command on its way, now or when the link is back."""
        command = {"t": kind, "id": self._chance.randbytes(16), **fields}
        entry = Waiting(command, fields.pop("base", None) or self._next_base())
        command.pop("base", None)
        self.waiting.append(entry)
        self._world.counted(kind)
        if all(other.sent for other in self.waiting[:-1]):
            self._flush()

    def _flush(self) -> None:
        for entry in self.waiting:
            if not entry.sent:
                entry.sent = self._send({**entry.command, "base": entry.base})
                if entry.sent:
                    self._world.counted("sent")
                    if self._chance.random() < 0.01:  # whatever may send it twice
                        self._send({**entry.command, "base": entry.base})

    def _heard(self, frame: dict[str, Any]) -> None:
        kind = frame["t"]
        if kind == "error":
            self._error(frame["code"])
        elif not self.session:
            return
        elif kind == "snapshot":
            self._snapshot(frame)
        elif kind == "diff":
            self._diff(frame)
        elif kind == "done":
            self._done(frame)
        elif kind == "refused":
            self._refused(frame)
        elif kind == "pong":
            self._pong(frame["version"])

    def _snapshot(self, frame: dict[str, Any]) -> None:
        if frame["session"] != self.session:
            return
        self._catching_up = False
        self._take_snapshot(frame)
        self._acknowledged(frame["last"], frame["version"])

    def _take_snapshot(self, frame: dict[str, Any]) -> None:
        self.head = (frame["version"], frame["last"])
        self.picture = frame["view"]
        self._world.audit.told(self.session, self.head, self.picture, None)

    def _diff(self, diff: dict[str, Any]) -> None:
        if diff["version"] <= self.head[0]:
            return
        if diff["from"] != self.head[0]:
            if not self._catching_up:
                self._hello(self.head)
            return
        before, self.head = self.head, (diff["version"], diff["last"])
        self.picture = patched(self.picture, diff)
        self._world.audit.told(self.session, self.head, self.picture, before)
        if any(entry.id == diff["last"] for entry in self.waiting):
            self._rebases = 0
            self._acknowledged(diff["last"], diff["version"])
        elif self.waiting:
            self._overtaken(self.waiting)

    def _acknowledged(self, command: bytes | None, version: int) -> None:
        """Those up to and with this one were accepted."""
        place = next((i for i, entry in enumerate(self.waiting) if entry.id == command), None)
        if place is None:
            return
        for back, entry in enumerate(reversed(self.waiting[: place + 1])):
            self._world.audit.acknowledge(self.session, entry.id, version - back)
        del self.waiting[: place + 1]

    def _overtaken(self, waiting: list[Waiting]) -> None:
        """Somebody else was first: what can be asked again on the new head is; the rest is given up."""
        again = [entry for entry in waiting if entry.command["t"] in ASKED_AGAIN]
        self.waiting = []
        for entry in again:
            base = self._next_base()
            entry.rebased |= entry.base != base
            entry.base = base
            self.waiting.append(entry)

    def _done(self, frame: dict[str, Any]) -> None:
        self._acknowledged(frame["id"], frame["version"])
        if frame["version"] > self.head[0] and not self._catching_up:
            self._hello(self.head)

    def _refused(self, frame: dict[str, Any]) -> None:
        code, snapshot = frame["code"], frame.get("snapshot")
        place = next((i for i, entry in enumerate(self.waiting) if entry.id == frame["id"]), None)
        if place is None:
            self._learn(snapshot)
            return
        if code in TRY_LATER or (code == "stale" and place > 0):
            for entry in self.waiting[place:]:
                entry.sent = False
            if code == "not-open":
                self._hello(self.head)
            self._later(self._flush)
            return
        entry = self.waiting[place]
        self._learn(snapshot)
        if code == "stale" and entry.command["t"] in ASKED_AGAIN:
            self._rebases += 1
            if self._rebases <= MOST_REBASES:
                if entry.base == self.head:
                    for other in self.waiting:
                        other.sent = False
                else:
                    for other in self.waiting:
                        other.sent = False
                    self._overtaken(self.waiting)
                self._flush()
                return
        if not entry.rebased:
            self._world.audit.refuse(self.session, entry.id, code)
        after = self.waiting[self.waiting.index(entry) + 1 :]
        for other in after:
            other.sent = False
        self._overtaken(after)
        self._flush()

    def _learn(self, snapshot: dict[str, Any] | None) -> None:
        if snapshot is None or snapshot["session"] != self.session:
            return
        head = (snapshot["version"], snapshot["last"])
        if head != self.head and head[0] >= self.head[0]:
            self._take_snapshot(snapshot)

    def _later(self, call: Callable[[], None]) -> None:
        self._loop.call_later(TRY_AGAIN_AFTER * (0.5 + self._chance.random() / 2), call)

    def _pong(self, version: int) -> None:
        self._catching_up = False
        if version in {self.head[0], 0}:
            self._mismatches = 0
            return
        self._mismatches += 1
        if self._mismatches == 1:
            self._hello(self.head)
        elif self._mismatches == 2:
            self._hello(NOTHING)
        else:
            self._mismatches = 0

    def _error(self, code: str) -> None:
        if code in TRY_LATER:
            self._later(lambda: self._hello(self.head))
        elif code == "no-session":
            self._world.audit.missing(self.session)
            if self.table.session == self.session:
                self.table.session = b""
            self.session = b""
            self.waiting = []

    # --- The player

    def _click(self) -> None:
        if self._gone:
            return
        self._loop.call_later(self._hurry * (0.2 + self._chance.expovariate(1.2)), self._click)
        table = self.table
        if not table.session:
            self._world.start_session(table)
        elif table.session != self.session:
            self.watch(table.session)
        elif self.picture and len(self.waiting) < MOST_WAITING:
            if self.waiting:
                self._go_on_before_the_answer()
            else:
                self._choose()

    def _go_on_before_the_answer(self) -> None:
        """Click on what the answer will offer, or on what is always there."""
        if self.table.finishing:
            return
        ahead, self._ahead = self._ahead, []
        if ahead:
            self._move(self._chance.choice(ahead))
        elif self._chance.random() < 0.1:
            self.order(self._chance.choice(("undo", "roll", "end", "leave")))
        elif self._chance.random() < 0.05:
            self._set_options()

    def _choose(self) -> None:
        view, chance, finishing = self.picture, self._chance.random(), self.table.finishing
        phase = view["phase"]
        self._ahead = []
        if phase in {"match-over", "dropped"}:
            if self.table.session == self.session and (view["successor"] is not None or not finishing):
                self.table.session = view["successor"] or b""
        elif not finishing and chance < 0.06:
            self._do_something_else(chance / 0.06)
        elif phase == "seed":
            self.order("seed", seed=self._chance.randbytes(32))
        elif phase == "to-roll":
            self.order("roll")
        elif phase == "game-over":
            self.order("next")
        elif view["moves"] and not finishing and chance < 0.25:
            self.order("undo")
        elif phase == "confirm":
            self.order("end")
        elif phase == "moving":
            self._move(self._chance.choice(view["options"]))

    def _do_something_else(self, chance: float) -> None:
        if chance < 0.4:
            self._set_options()
        elif chance < 0.45:
            self.order("restart")
        elif chance < 0.55:
            self.order("leave")
        elif chance < 0.65:
            self.order("play", text=self._chance.choice(TYPED))
        elif chance < 0.75:
            self.order("move", **{"from": self._chance.randint(1, 25), "dice": [self._chance.randint(1, 6)]})
        elif chance < 0.85:
            # As a page that is wrong about where the session stands.
            version = max(0, self.head[0] + self._chance.randint(-2, 2))
            last = self.head[1] if self._chance.random() < 0.5 else self._chance.randbytes(16)
            self.order(self._chance.choice(("roll", "leave", "undo")), base=(version, last))
        elif self._send({"t": "hint", "id": self._chance.randbytes(16), "base": self.head}):
            self._world.counted("hint")

    def _set_options(self) -> None:
        flags = {name: self._chance.random() < 0.7 for name in ("auto_end", "auto_forced", "auto_bear_off")}
        self.order("options", pace=self._chance.choice(("real", "fast", "instant")), **flags)

    def _move(self, option: list[Any]) -> None:
        source, path = option[:2]
        self._ahead = option[2] if len(option) > 2 else []
        if self._chance.random() < 0.1:
            self.order("play", text=format_play(_moves(source, path)))
        else:
            self.order("move", **{"from": source, "dice": path[::2]})


def _moves(source: int, path: list[int]) -> list[Move]:
    moves = []
    for die, to in zip(path[::2], path[1::2], strict=True):
        moves.append(Move(source, die, abs(to), to < 0))
        source = abs(to)
    return moves


# Pages that are shown the same share what was decoded: nothing of it is ever changed.
decoded: Callable[[bytes], Any] = lru_cache(maxsize=1_000)(msgspec.msgpack.decode)


def patched(picture: Picture, diff: dict[str, Any]) -> Picture:
    """Replace what is in ``set``, set the cells in ``board``, append ``record``."""
    now = {**picture, **diff["set"]}
    if "board" in diff:
        now["board"] = list(picture["board"])
        for index, count in diff["board"]:
            now["board"][index] = count
    if "record" in diff:
        now["record"] = now["record"] + diff["record"]
    return now
