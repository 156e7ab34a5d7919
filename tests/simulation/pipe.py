"""One direction of a connection."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any

from .loop import SimulatedLoop


class Pipe:
    """Keeps the order, takes its time, can be held up, and breaks off.

    Args:
        deliver: called with each message, and with None when nothing more will come.
        delays: draws how long one message takes, in seconds.
    """

    def __init__(
        self, loop: SimulatedLoop, deliver: Callable[[Any], None], delays: Callable[[Random], float], chance: Random
    ) -> None:
        self._loop = loop
        self._deliver = deliver
        self._delays = delays
        self._chance = chance
        self._on_its_way: deque[tuple[float, Any]] = deque()
        self._waits = False
        self._not_before = 0.0
        self._closed = False
        self._ended = False

    def __len__(self) -> int:
        """Messages on their way."""
        return len(self._on_its_way)

    def send(self, message: Any) -> None:
        """Put a message on its way; nothing happens where the pipe is broken."""
        if not self._closed:
            self._put(message)

    def hold(self, until: float) -> None:
        """Nothing arrives before this time."""
        self._not_before = max(self._not_before, until)

    def release(self) -> None:
        """Hold nothing up any more."""
        if self._not_before > self._loop.time():
            self._not_before = now = self._loop.time()
            self._on_its_way = deque((min(due, now), message) for due, message in self._on_its_way)
            self._wake(now)

    def close(self, *, keeps: float = 1.0, after: float = 0.0) -> None:
        """Nothing more is taken. Of what is on its way this part arrives; then, after so many seconds, the end."""
        if self._closed:
            return
        self._closed = True
        while len(self._on_its_way) and self._chance.random() > keeps:
            self._on_its_way.pop()
        if after:
            self._not_before = max(self._not_before, self._loop.time() + after)
        self._put(None)

    def _put(self, message: Any) -> None:
        due = max(self._loop.time(), self._not_before) + self._delays(self._chance)
        if self._on_its_way:
            due = max(due, self._on_its_way[-1][0])
        self._on_its_way.append((due, message))
        if not self._waits:
            self._wake(due)

    def _wake(self, at: float) -> None:
        self._waits = True
        self._loop.call_at(at, self._arrive)

    def _arrive(self) -> None:
        self._waits = False
        now = self._loop.time()
        if now < self._not_before:
            if self._on_its_way:
                self._wake(self._not_before)
            return
        while self._on_its_way and self._on_its_way[0][0] <= now and not self._ended:
            _, message = self._on_its_way.popleft()
            self._ended = message is None
            self._deliver(message)
        if self._on_its_way and not self._waits:
            self._wake(self._on_its_way[0][0])
