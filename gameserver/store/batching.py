"""Auto-batching: what one tick of the event loop asks of a node goes out as one pipeline.

Each node has a lane: a task that owns one connection and has one pipeline on its way at a time; what is asked meanwhile
makes up the next. So order is kept, a busy server makes few large writes instead of many small ones, and a caller that
is cancelled leaves nothing behind: the lane reads its reply and drops it.

Every command must be safe to repeat, since a lane repeats what was on its way when the connection was lost.
"""

import asyncio
import logging
import math
import random
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, Final

from redis.exceptions import (
    AskError,
    ClusterDownError,
    MovedError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    ResponseError,
    TryAgainError,
)

from gameserver.store.errors import Overloaded, StoreError, StoreUnavailable
from gameserver.store.nodes import LOST, UNKNOWN, Argument, Connection, Nodes, error_code, packed, send
from gameserver.store.scripts import Script

Reply = Any

MAX_BATCH: Final = 500
MAX_WAITING: Final = 10_000
PATIENCE: Final = 4.0
REPLY_TIMEOUT: Final = 2.0
REPLICATED_WITHIN_MS: Final = 1_000
_ASKING: Final = packed("ASKING")
_log = logging.getLogger(__name__)


class _Call:
    """One command on its way."""

    __slots__ = ("args", "asking", "deadline", "key", "replicated", "reply", "script")

    def __init__(
        self, key: str, args: Sequence[Argument], script: Script | None, deadline: float, *, replicated: bool
    ) -> None:
        self.key = key
        self.args = args
        self.script = script
        self.replicated = replicated
        self.deadline = deadline
        self.asking = False
        self.reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()


class Batcher:
    """Commands to the store, batched by tick and node; bounded; repeated for a while when a connection is lost.

    Args:
        nodes: what is behind the store's address.
        max_batch: commands in one pipeline, at most.
        max_waiting: commands that wait or are on their way; beyond it `Overloaded` is raised.
        patience: seconds during which a command is tried again before `StoreUnavailable`.
        reply_timeout: seconds within which a pipeline must be answered.
        replicas: so many must have what is to be `replicated` before its reply is believed.
    """

    def __init__(
        self,
        nodes: Nodes,
        *,
        max_batch: int = MAX_BATCH,
        max_waiting: int = MAX_WAITING,
        patience: float = PATIENCE,
        reply_timeout: float = REPLY_TIMEOUT,
        replicas: int = 0,
    ) -> None:
        self.nodes = nodes
        self.max_batch = max_batch
        self.max_waiting = max_waiting
        self.patience = patience
        self.reply_timeout = reply_timeout
        self.replicas = replicas
        self.waiting = 0
        """Commands that wait or are on their way."""
        self.pipelines = 0
        """Pipelines sent since the start."""
        self._lanes: dict[str, _Lane] = {}
        self._closed = False

    async def call(self, key: str, *args: Argument) -> Reply:
        """Run one command on the node that serves `key`.

        Raises:
            StoreUnavailable: not answered within `patience`; whether it was carried out is not known.
            Overloaded: too much is waiting; it was not sent.
            StoreError: the store refused it.
        """
        return await self._submit(key, args, None)

    async def run(
        self, script: Script, keys: Sequence[str], args: Sequence[Argument], *, replicated: bool = False
    ) -> Reply:
        """Run a script on the node that serves its keys (all of one slot); errors as for `call`.

        `replicated`: it writes something whenever it succeeds, and returns once enough replicas have that, and with it
        all that was written at that node before.
        """
        call = ("EVALSHA", script.sha, len(keys), *keys, *args)
        return await self._submit(keys[0], call, script, replicated=replicated and self.replicas > 0)

    def post(self, key: str, *args: Argument) -> None:
        """Run one command without waiting for it. That it failed is only logged: nothing may hang on it."""
        try:
            self._submit(key, args, None).add_done_callback(_log_failure)
        except StoreError as error:
            _log.info("%s was not sent: %s", args[0], error)

    async def close(self) -> None:
        """Fail what waits and close the connections."""
        self._closed = True
        lanes, self._lanes = self._lanes, {}
        await asyncio.gather(*(lane.close() for lane in lanes.values()))

    def _submit(
        self, key: str, args: Sequence[Argument], script: Script | None, *, replicated: bool = False
    ) -> asyncio.Future[Reply]:
        if self._closed:
            raise StoreUnavailable("the store was closed")
        if self.waiting >= self.max_waiting:
            raise Overloaded(f"{self.waiting} commands wait for the store")
        deadline = asyncio.get_running_loop().time() + self.patience
        call = _Call(key, args, script, deadline, replicated=replicated)
        self.waiting += 1
        self.route(call)
        return call.reply

    def route(self, call: _Call, node: str | None = None) -> None:
        """Hand a call to the lane of the node that serves its key (or of `node`)."""
        if self._closed:
            self.settle(call, StoreUnavailable("the store was closed"))
            return
        name = self.nodes.node_of(call.key) if node is None else node
        lane = self._lanes.get(name)
        if lane is None:
            lane = self._lanes[name] = _Lane(name, self)
        lane.put(call)

    def settle(self, call: _Call, outcome: Reply) -> None:
        """Give a call its reply or error; a caller that has gone does not matter."""
        self.waiting -= 1
        if call.reply.done():
            return
        if isinstance(outcome, Exception):
            call.reply.set_exception(outcome)
        else:
            call.reply.set_result(outcome)


class _Lane:
    """The commands for one node, and the task and connection that carry them."""

    def __init__(self, node: str, batcher: Batcher) -> None:
        self._node = node
        self._batcher = batcher
        self._calls: deque[_Call] = deque()
        self._wake = asyncio.Event()
        self._connection: Connection | None = None
        self._failures = 0
        self._task = asyncio.create_task(self._run(), name=f"store lane {node}")

    def put(self, call: _Call) -> None:
        self._calls.append(call)
        self._wake.set()

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.wait([self._task])
        await self._hang_up()
        self._fail_all(StoreUnavailable("the store was closed"))

    async def _run(self) -> None:
        while True:
            if not self._calls:
                self._wake.clear()
                await self._wake.wait()
            batch = self._next_batch()
            again: list[_Call] = []
            try:
                await self._exchange(batch, again)
            except LOST as error:
                await self._hang_up()
                await self._recover([*again, *batch], error)
            except Exception as error:  # noqa: BLE001 - told with its traceback
                # A defect; but a lane that ended would leave every caller from now on waiting for ever.
                _log.exception("commands to the store (%s) could not be exchanged", self._node)
                await self._hang_up()
                await self._recover([*again, *batch], error)
            except BaseException:
                self._calls.extendleft(reversed([*again, *batch]))
                raise
            else:
                if again:
                    # Where Sentinels name the primary, they may name another by now.
                    await self._hang_up()
                    await self._recover(again, None)
                else:
                    self._failures = 0

    def _next_batch(self) -> deque[_Call]:
        """What goes out next; who has waited too long is told so, for a slow store must not make everybody wait."""
        batch: deque[_Call] = deque()
        now = asyncio.get_running_loop().time()
        while self._calls and len(batch) < self._batcher.max_batch:
            call = self._calls.popleft()
            if call.reply.done():
                self._batcher.settle(call, None)
            elif call.deadline <= now:
                self._batcher.settle(call, StoreUnavailable("the store is too slow: it has more to do than it can"))
            else:
                batch.append(call)
        return batch

    async def _exchange(self, batch: deque[_Call], again: list[_Call]) -> None:
        """Send a batch and settle its calls; those to be sent once more go to `again`, the unanswered stay in `batch`.

        Raises:
            one of `LOST`.
        """
        if not batch:
            return
        if self._node == UNKNOWN:
            raise ConnectionResetError("the node that serves this key is not known")
        if self._connection is None:
            self._connection = await self._batcher.nodes.connect(self._node)
        connection = self._connection
        self._batcher.pipelines += 1
        wire = _wire(batch)
        replicated = any(call.replicated for call in batch)
        if replicated:
            wire += packed("WAIT", self._batcher.replicas, REPLICATED_WITHIN_MS)
        unconfirmed: list[tuple[_Call, Reply]] = []
        try:
            async with asyncio.timeout(self._batcher.reply_timeout):
                await send(connection, wire)
                await self._read_replies(connection, batch, again, unconfirmed)
                if replicated and await connection.read_response(timeout=math.inf) >= self._batcher.replicas:
                    for call, reply in unconfirmed:
                        self._batcher.settle(call, reply)
                    unconfirmed.clear()
        finally:
            again.extend(call for call, _ in unconfirmed)

    async def _read_replies(
        self,
        connection: Connection,
        batch: deque[_Call],
        again: list[_Call],
        unconfirmed: list[tuple[_Call, Reply]],
    ) -> None:
        while batch:
            call = batch[0]
            if call.asking:
                await connection.read_response(timeout=math.inf)
                call.asking = False
            try:
                reply = await connection.read_response(timeout=math.inf)
            except ResponseError as error:
                batch.popleft()
                await self._refused(call, error, again)
            else:
                batch.popleft()
                if call.replicated:
                    unconfirmed.append((call, reply))
                else:
                    self._batcher.settle(call, reply)

    async def _refused(self, call: _Call, error: ResponseError, again: list[_Call]) -> None:
        """Decide what becomes of a call that the node answered with an error; nothing was carried out."""
        batcher = self._batcher
        if isinstance(error, NoScriptError) and call.script is not None:
            call.args = ("EVAL", call.script.body, *call.args[2:])
            call.script = None
            batcher.route(call, self._node)
        elif isinstance(error, MovedError):
            await batcher.nodes.moved(error)
            batcher.route(call)
        elif isinstance(error, AskError):
            call.asking = True
            batcher.route(call, f"{error.host}:{error.port}")
        elif isinstance(error, TryAgainError | ClusterDownError | ReadOnlyError) or error_code(error) == "NOREPLICAS":
            again.append(call)
        elif isinstance(error, OutOfMemoryError) or error_code(error) == "MISCONF":
            batcher.settle(call, StoreUnavailable(f"the store cannot write: {error}"))
        else:
            batcher.settle(call, StoreError(f"the store refused a command: {error}", code=error_code(error)))

    async def _recover(self, calls: list[_Call], error: Exception | None) -> None:
        """Wait a moment, find out which node serves what now, and send these calls again while their time lasts."""
        self._calls.extendleft(reversed(calls))
        self._failures += 1
        if self._failures == 2:
            _log.warning("the store (%s) cannot be reached, trying again: %s", self._node or "Cluster", _said(error))
        if self._failures > 1:
            # At first at once: most often a connection was lost that can be had again.
            await asyncio.sleep(min(0.5, 0.01 * 2 ** min(self._failures, 8)) * (0.5 + random.random()))  # noqa: S311
        try:
            await self._batcher.nodes.refresh()
        except LOST as refresh_error:
            error = refresh_error
        now = asyncio.get_running_loop().time()
        waiting, self._calls = self._calls, deque()
        for call in waiting:
            if call.deadline <= now:
                self._batcher.settle(call, StoreUnavailable(f"the store cannot be reached: {_said(error)}"))
            else:
                self._batcher.route(call)

    def _fail_all(self, error: StoreUnavailable) -> None:
        while self._calls:
            self._batcher.settle(self._calls.popleft(), error)

    async def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.disconnect(nowait=True)


def _wire(batch: Iterable[_Call]) -> bytes:
    return b"".join([_ASKING + packed(*call.args) if call.asking else packed(*call.args) for call in batch])


def _said(error: Exception | None) -> str:
    if error is None:
        return "it refuses to write for now, or too few replicas have what was written"
    return str(error) or "no answer in time"


def _log_failure(reply: asyncio.Future[Reply]) -> None:
    if not reply.cancelled() and (error := reply.exception()) is not None:
        _log.info("a command that nobody waits for failed: %s", error)
