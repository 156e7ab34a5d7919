"""A simulated Redis and its network, behind the same `Nodes` as the real one: the product's store runs on it."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable, Iterable
from random import Random
from typing import Any, Final

from redis.exceptions import ConnectionError as LinkLost
from redis.exceptions import MovedError, ResponseError

from .commands import Blocked, Commands
from .keyspace import Keyspace, Write
from .loop import Process, SimulatedLoop
from .pipe import Pipe

BEGAN_MS: Final = 1_700_000_000_000


class SimulatedRedis:
    """One store: a primary, and where ``replicated`` a replica behind it.

    Args:
        committed: told of every entry that comes to a session's log: its key, version, id, contents.
    """

    def __init__(
        self,
        loop: SimulatedLoop,
        chance: Random,
        committed: Callable[[bytes, int, bytes, bytes], None],
        *,
        replicated: bool = False,
    ) -> None:
        self.loop = loop
        self.chance = chance
        self.committed = committed
        self.clock_jumped = 0
        self.down = False
        self.slow = 0.0
        self.lag = 0.001
        """Seconds until the replica has what the primary writes."""
        self.lines: dict[Line, None] = {}
        self.commands = Commands(Keyspace(), self)
        self._subscribers: dict[bytes, dict[Line, None]] = {}
        self._blocked: dict[bytes, dict[Line, None]] = {}
        self._replica: Keyspace | None = None
        self._to_replica: deque[tuple[float, list[Write]]] = deque()
        self.last_copied = 0.0
        """When the replica will have all that was written."""
        if replicated:
            self._new_replica()

    @property
    def keyspace(self) -> Keyspace:
        return self.commands.keyspace

    # --- Faults

    def stop(self) -> None:
        """The process ends: connections break, scripts and subscriptions are forgotten, what was written stays."""
        self.down = True
        for line in tuple(self.lines):
            line.break_off()
        self.commands.scripts_known.clear()

    def start(self) -> None:
        self.down = False

    def fail_over(self) -> None:
        """The primary is gone; its replica goes on with what it has."""
        assert self._replica is not None
        self.stop()
        self._copy_what_has_arrived()
        self._to_replica.clear()
        self.commands.keyspace = self._replica
        self.last_copied = self.loop.time()
        self._new_replica()

    def _new_replica(self) -> None:
        self._replica = self.keyspace.copy()
        self.keyspace.journal = []

    # --- Replication

    def carry_out(self, args: list[bytes]) -> Any:
        """Run one command; its writes go to the replica, together and in order."""
        try:
            return self.commands.run(args)
        finally:
            writes = self.keyspace.journal
            if writes:
                self.keyspace.journal = []
                self.last_copied = max(self.last_copied, self.loop.time() + self.lag * self.chance.random())
                self._to_replica.append((self.last_copied, writes))
                if len(self._to_replica) > 1_000:
                    self._copy_what_has_arrived()

    def _copy_what_has_arrived(self) -> None:
        assert self._replica is not None
        while self._to_replica and self._to_replica[0][0] <= self.loop.time():
            self._replica.repeat(self._to_replica.popleft()[1])

    # --- What commands ask for (`Surroundings`)

    def now(self) -> int:
        return BEGAN_MS + self.clock_jumped + int(self.loop.time() * 1000)

    def publish(self, channel: bytes, message: bytes) -> int:
        told = self._subscribers.get(channel, {})
        for line in told:
            line.reply([b"smessage", channel, message])
        return len(told)

    def subscribe(self, channel: bytes, line: Line) -> None:
        self._subscribers.setdefault(channel, {})[line] = None

    def unsubscribe(self, channel: bytes, line: Line) -> None:
        self._subscribers.get(channel, {}).pop(line, None)

    def wait_for(self, keys: Iterable[bytes], line: Line) -> None:
        for key in keys:
            self._blocked.setdefault(key, {})[line] = None

    def no_longer_waits(self, keys: Iterable[bytes], line: Line) -> None:
        for key in keys:
            self._blocked.get(key, {}).pop(line, None)

    def written(self, key: bytes) -> None:
        # Once the command that writes is done; whoever waited longest comes first.
        for line in self._blocked.get(key, {}):
            self.loop.call_soon(line.try_again)


class Line:
    """One connection to the store. The product's end is what redis-py's connections are (`nodes.Connection`)."""

    def __init__(self, store: SimulatedRedis, owner: Process) -> None:
        self.owner = owner
        self._store = store
        self._to_store = Pipe(store.loop, self._arrived, self._delay, store.chance)
        self._to_client = Pipe(store.loop, self._answered, self._delay, store.chance)
        self._unread: deque[Any] = deque()
        self._reader: asyncio.Future[None] | None = None
        self._lost = False
        self._requests: deque[list[bytes]] = deque()
        self._running = False
        self._blocked_on: tuple[bytes, ...] = ()
        self._blocked_command: list[bytes] = []
        self._blocking = 0
        self._closed = False
        self._channels: dict[bytes, None] = {}
        store.lines[self] = None

    def _delay(self, chance: Random) -> float:
        return chance.random() * 0.001 + self._store.slow * chance.random()

    # --- The network

    def hold(self, until: float) -> None:
        """Nothing comes through, in either direction."""
        self._to_store.hold(until)
        self._to_client.hold(until)

    def release(self) -> None:
        self._to_store.release()
        self._to_client.release()

    def break_off(self, *, requests: float = 0.0, replies: float = 0.0, after: float = 0.0) -> None:
        """Lost: of what is on its way about these parts still arrive; the client notices ``after`` so many seconds."""
        self._to_store.close(keeps=requests)
        if not requests:
            self._requests.clear()
            self._gone()
        self._to_client.close(keeps=replies, after=after)

    # --- The client's end

    async def send_packed_command(self, command: Iterable[bytes], check_health: bool) -> None:
        if self._lost or not self.owner.alive:
            raise LinkLost("the connection to the simulated store is lost")
        self._to_store.send(b"".join(command))

    async def read_response(self, *, timeout: float, disconnect_on_error: bool = True) -> Any:  # noqa: ASYNC109
        if not self._unread:
            if self._lost:
                raise LinkLost("the connection to the simulated store is lost")
            self._reader = self._store.loop.create_future()
            timer = None
            if timeout != math.inf:
                timer = self._store.loop.call_later(timeout, self._wake_reader)
            try:
                await self._reader
            finally:
                self._reader = None
                if timer is not None:
                    timer.cancel()
            if not self._unread:
                if self._lost:
                    raise LinkLost("the connection to the simulated store is lost")
                return None
        reply = self._unread.popleft()
        if isinstance(reply, ResponseError):
            raise reply
        return reply

    async def disconnect(self, nowait: bool) -> None:
        self._lost = True
        self._to_store.close()

    def _answered(self, reply: Any) -> None:
        if reply is None:
            self._lost = True
        else:
            self._unread.append(reply[0])
        self._wake_reader()

    def _wake_reader(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    # --- The store's end

    def _arrived(self, wire: bytes | None) -> None:
        if wire is None:
            self._gone()
            return
        self._requests.extend(parsed(wire))
        self._go_on()

    def _gone(self) -> None:
        self._closed = True
        self._store.no_longer_waits(self._blocked_on, self)
        for channel in self._channels:
            self._store.unsubscribe(channel, self)
        self._store.lines.pop(self, None)

    def _go_on(self) -> None:
        if not self._running and self._requests and not self._blocked_on:
            self._running = True
            # Others' commands may come between those of a pipeline.
            self._store.loop.call_soon(self._run_one)

    def _run_one(self) -> None:
        self._running = False
        if self._closed or self._store.down or not self._requests or self._blocked_on:
            return
        self._run(self._requests.popleft())
        self._go_on()

    def _run(self, args: list[bytes]) -> None:
        store, verb = self._store, args[0]
        if verb == b"SSUBSCRIBE":
            store.subscribe(args[1], self)
            self._channels[args[1]] = None
            self.reply([b"ssubscribe", args[1], len(self._channels)])
        elif verb == b"SUNSUBSCRIBE":
            store.unsubscribe(args[1], self)
            self._channels.pop(args[1], None)
            self.reply([b"sunsubscribe", args[1], len(self._channels)])
        elif verb == b"PING" and self._channels:
            self.reply([b"pong", b""])
        elif verb == b"WAIT":
            self._wait_for_replica(int(args[2]))
        else:
            self._answer(args)

    def _answer(self, args: list[bytes]) -> None:
        try:
            self.reply(self._store.carry_out(args))
        except ResponseError as error:
            self.reply(error)
        except Blocked as blocked:
            self._blocked_on = tuple(blocked.keys)
            self._blocked_command = args
            self._blocking += 1
            self._store.wait_for(self._blocked_on, self)
            self._store.loop.call_later(blocked.wait_ms / 1000, self._give_up, self._blocking)

    def try_again(self) -> None:
        """Something came to a key that this connection waits for."""
        if self._blocked_on and not self._closed and not self._store.down:
            self._store.no_longer_waits(self._blocked_on, self)
            self._blocked_on = ()
            self._answer(self._blocked_command)
            self._go_on()

    def _give_up(self, blocking: int) -> None:
        if self._blocked_on and blocking == self._blocking and not self._closed:
            self._store.no_longer_waits(self._blocked_on, self)
            self._blocked_on = ()
            self.reply(None)
            self._go_on()

    def _wait_for_replica(self, within_ms: int) -> None:
        loop = self._store.loop
        ready = max(0.0, self._store.last_copied - loop.time())
        self._blocked_on = (b"the replica",)

        def answer() -> None:
            self._blocked_on = ()
            if not self._closed:
                self.reply(int(ready <= within_ms / 1000))
                self._go_on()

        loop.call_later(min(ready, within_ms / 1000), answer)

    def reply(self, reply: Any) -> None:
        """Send a reply, or a message."""
        self._to_client.send((reply,))


class SimulatedNodes:
    """The simulated store as one process reaches it (`nodes.Nodes`)."""

    several = False

    def __init__(self, store: SimulatedRedis, owner: Process) -> None:
        self._store = store
        self._owner = owner
        self.cut_off_until = 0.0

    def node_of(self, key: str) -> str:
        return "primary"

    async def connect(self, node: str) -> Line:
        await asyncio.sleep(self._store.chance.random() * 0.002)
        if self.cut_off_until > self._store.loop.time():
            await asyncio.sleep(self._store.chance.random() * 3)
            raise LinkLost("the simulated store does not answer")
        if self._store.down or not self._owner.alive:
            raise LinkLost("the simulated store is down")
        return Line(self._store, self._owner)

    async def moved(self, error: MovedError) -> None:
        raise AssertionError("there is one node only") from error

    async def refresh(self) -> None:
        """Nothing to find out."""

    async def close(self) -> None:
        """The connections belong to their owners."""


def parsed(wire: bytes) -> list[list[bytes]]:
    """The commands in a piece of RESP."""
    commands = []
    at, end = 0, len(wire)
    while at < end:
        line = wire.index(b"\r\n", at)
        args = []
        for _ in range(int(wire[at + 1 : line])):
            size_ends = wire.index(b"\r\n", line + 2)
            first = size_ends + 2
            line = first + int(wire[line + 3 : size_ends])
            args.append(wire[first:line])
        at = line + 2
        commands.append(args)
    return commands
