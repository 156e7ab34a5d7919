"""An event loop without a machine under it: time is a number, and chance picks which ready callback runs next."""

from __future__ import annotations

import asyncio
import contextvars
import heapq
import itertools
from collections import deque
from collections.abc import Callable, Coroutine
from random import Random
from types import MethodType
from typing import Any

_process: contextvars.ContextVar[Process | None] = contextvars.ContextVar("process", default=None)


class NothingLeft(Exception):
    """Nothing is ready and no timer runs: nothing would ever happen again."""


class _Future(asyncio.Future[Any]):
    """A future whose place in a set does not depend on its address in memory."""

    hashed = 0
    number: int

    def __hash__(self) -> int:
        try:
            return self.number
        except AttributeError:
            _Future.hashed += 1
            self.number = _Future.hashed
            return self.number


class _Call(asyncio.Handle):
    """A call of an object's method."""

    __slots__ = ("method",)

    def __init__(self, method: MethodType, args: Any, loop: SimulatedLoop, context: contextvars.Context | None) -> None:
        super().__init__(method, args, loop, context)
        self.method = method


class SimulatedLoop(asyncio.BaseEventLoop):
    """Runs one callback at a time.

    Whatever is ready at one moment may run in any order, as if it had come from so many sockets and threads; what comes
    by one connection keeps its order, since its end takes one message at a time. Time stands still while anything is
    ready, and then jumps to the next timer.
    """

    def __init__(self, chance: Random) -> None:
        super().__init__()
        _Future.hashed = 0
        self.steps = 0
        """Callbacks run so far."""
        self._random = chance.random
        self._time = 0.0
        self._callbacks: list[asyncio.Handle] = []
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._numbers = itertools.count()
        self._rows: dict[MethodType, deque[asyncio.Handle]] = {}
        self._interrupt_at = float("inf")
        self._interruptions: list[tuple[int, int, Callable[[], None]]] = []
        self.set_task_factory(_new_task)  # type: ignore[arg-type] # typeshed's factory is Python 3.13's

    def time(self) -> float:
        return self._time

    def after_steps(self, steps: int, call: Callable[[], None]) -> None:
        """Call between two steps, so many steps from now."""
        heapq.heappush(self._interruptions, (self.steps + steps, next(self._numbers), call))
        self._interrupt_at = self._interruptions[0][0]

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        if type(callback) is MethodType:
            handle: asyncio.Handle = _Call(callback, args, self, context)
            self._rows.setdefault(callback, deque()).append(handle)
        else:
            handle = asyncio.Handle(callback, args, self, context)
        self._callbacks.append(handle)
        return handle

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self._time + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._timers, (when, next(self._numbers), timer))
        return timer

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """It is dropped when its time comes."""

    def create_future(self) -> asyncio.Future[Any]:
        return _Future(loop=self)

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """The other thread takes its time, and is done at some moment between two steps of this one."""
        future = self.create_future()

        def finish() -> None:
            if future.done():
                return
            try:
                future.set_result(func(*args))
            except Exception as error:  # noqa: BLE001 - it belongs to whoever awaits the future
                future.set_exception(error)

        self.call_later(self._random() ** 4, finish)
        return future

    def _run_once(self) -> None:
        ready, timers = self._callbacks, self._timers
        for _ in range(50):
            if not ready:
                while timers and timers[0][2].cancelled():
                    heapq.heappop(timers)
                if not timers:
                    raise NothingLeft
                self._time = max(self._time, timers[0][0])
            while timers and timers[0][0] <= self._time:
                ready.append(heapq.heappop(timers)[2])
            if len(ready) > 1:
                chosen = int(self._random() * len(ready))
                ready[chosen], ready[-1] = ready[-1], ready[chosen]
            handle = ready.pop()
            if type(handle) is _Call and not handle.cancelled():
                handle = self._first_in_row(handle.method)
            if not handle.cancelled():
                self.steps += 1
                if self.steps >= self._interrupt_at:
                    self._interrupt()
                handle._run()
            if self._stopping:  # type: ignore[attr-defined]
                return

    def _first_in_row(self, method: MethodType) -> asyncio.Handle:
        """Calls of the same method of the same object keep their order, which code may rely on in a real loop."""
        row = self._rows[method]
        first = row.popleft()
        while first.cancelled() and row:
            first = row.popleft()
        if not row:
            del self._rows[method]
        return first

    def _interrupt(self) -> None:
        while self._interruptions and self._interruptions[0][0] <= self.steps:
            heapq.heappop(self._interruptions)[2]()
        self._interrupt_at = self._interruptions[0][0] if self._interruptions else float("inf")

    def _process_events(self, event_list: object) -> None:
        """There are none from outside."""

    def _write_to_self(self) -> None:
        """There is no other thread to be woken from."""


class Process:
    """What starts and dies as a whole: its tasks, and what these start."""

    def __init__(self, loop: SimulatedLoop, name: str) -> None:
        self.name = name
        self.alive = True
        self._loop = loop
        self._tasks: dict[asyncio.Task[Any], None] = {}
        self._prune_at = 64
        self._context = contextvars.copy_context()
        self._context.run(_process.set, self)

    def run(self, call: Callable[..., Any], *args: Any) -> Any:
        """Call as this process."""
        return self._context.copy().run(call, *args)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Start a task of this process."""
        return self._loop.create_task(work, context=self._context.copy())

    def kill(self) -> None:
        """It is gone, between two steps: whatever its code does from here on reaches nobody.

        Its tasks are cancelled only to be rid of them.
        """
        self.alive = False
        for task in tuple(self._tasks):
            task.cancel()

    def unfinished(self) -> list[asyncio.Task[Any]]:
        """The tasks that still do something."""
        return [task for task in self._tasks if not task.done()]

    def own(self, task: asyncio.Task[Any]) -> None:
        """Count a new task among this process' own."""
        if len(self._tasks) >= self._prune_at:
            self._tasks = {each: None for each in self._tasks if not each.done()}
            self._prune_at = 2 * len(self._tasks) + 64
        self._tasks[task] = None
        if not self.alive:
            task.cancel()


def _new_task(
    loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any], context: contextvars.Context | None = None
) -> asyncio.Task[Any]:
    task = asyncio.Task(work, loop=loop, context=context)
    process = _process.get() if context is None else context.get(_process)
    if process is not None:
        process.own(task)
        task.process = process  # type: ignore[attr-defined]
    return task


def is_of_the_dead(context: dict[str, Any]) -> bool:
    """Whether what an exception handler is told of is about a process that was killed."""
    future = context.get("task") or context.get("future")
    process = getattr(future, "process", None)
    return process is not None and not process.alive
