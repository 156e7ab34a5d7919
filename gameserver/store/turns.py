"""The queue of the computer's turns: a stream with a consumer group for each shard.

A turn is queued by the append that makes it due (see `SessionLog.append`). A worker takes it, appends the computer's
commit and says `done`; if it dies in between, another worker takes the turn over after a while. That a turn is thought
out twice does no harm: the second commit is refused by its base.
"""

import asyncio
import struct
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, cast

from gameserver.store import keys, scripts
from gameserver.store.batching import Batcher
from gameserver.store.blocking import BlockingConnection
from gameserver.store.errors import StoreError

GROUP: Final = "computers"
MIN_IDLE_MS: Final = 5_000
MAX_QUEUED: Final = 10_000
REQUEUE_EVERY_MS: Final = 5_000
FORGET_CONSUMERS_AFTER_MS: Final = 3_600_000
POLL_EVERY_S: Final = 0.1
ALL_SHARDS: Final = tuple(range(keys.SHARDS))
_NO_QUEUE_THERE: Final = frozenset({"NOGROUP", "UNBLOCKED"})
"""What the store answers where the stream was never made, or vanished while it was waited for."""
_TURN = struct.Struct(">16sQ")


def packed_turn(session: bytes, version: int) -> bytes:
    """A turn as it stands in the queue: the session, and the version at which the computer is to move."""
    return _TURN.pack(session, version)


class Turn(NamedTuple):
    """A turn that was taken. `taken_over`: its first taker did not finish it in time."""

    shard: int
    receipt: bytes
    session: bytes
    version: int
    taken_over: bool

    @property
    def since(self) -> int:
        """When it was queued, by the store's clock, ms since 1970."""
        return _queued_at(self.receipt)


class Due(NamedTuple):
    """How many turns wait or are being thought out, and since when the oldest does (ms since 1970; None: no turn)."""

    turns: int
    since: int | None


class TurnQueue:
    """The computer's turns that are due, in all shards.

    Raises `StoreUnavailable` and `Overloaded` as `SessionLog` does.

    Args:
        commands: the store's commands.
        min_idle_ms: after this time a turn that was taken and not done is given to another worker.
    """

    def __init__(self, commands: Batcher, *, min_idle_ms: int = MIN_IDLE_MS) -> None:
        self._commands = commands
        self._min_idle_ms = min_idle_ms
        self._waiting = BlockingConnection(commands.nodes)
        self._next_takeover = 0.0
        self._rotation = 0

    async def take(self, consumer: str, count: int, block_ms: int, shards: Sequence[int] = ALL_SHARDS) -> list[Turn]:
        """Up to `count` turns, those of dead workers first; waits up to `block_ms` for one, else an empty list.

        One `take` at a time for each `TurnQueue`. A caller that is cancelled may leave turns taken: they are given out
        again after `min_idle_ms`. On one Redis a new turn wakes the caller at once; in a Cluster, where a command
        cannot wait for several slots, the shards are looked at ten times a second.
        """
        if count < 1 or not shards:
            raise ValueError("take needs room for a turn and a shard to look at")
        clock = asyncio.get_running_loop().time
        until = clock() + block_ms / 1000
        while True:
            try:
                turns = await self._take_now(consumer, count, shards)
                left = until - clock()
                if turns or left <= 0:
                    return turns
                if self._commands.nodes.several:
                    await asyncio.sleep(min(left, POLL_EVERY_S))
                else:
                    turns = await self._wait(consumer, shards, min(left, self._min_idle_ms / 1000))
                    if turns:
                        return turns
            except StoreError as error:
                if error.code not in _NO_QUEUE_THERE:
                    raise
                await self._make_groups(shards)

    async def done(self, turn: Turn, seen: tuple[int, bytes] | None = None) -> None:
        """The turn was played (or is no longer due): it leaves the queue. Safe to repeat.

        `seen`: version and id of a commit in the session's log which shows that. Where a failover has lost it, the turn
        stays, and is given out again after `min_idle_ms`. Without it, the turn leaves in any case.
        """
        named = (keys.turns_key(turn.shard), keys.log_key(turn.session))
        await self._commands.run(scripts.DONE, named, (GROUP, turn.receipt, *(seen or ())))

    async def set_aside(self, turn: Turn, after: int) -> bool:
        """Give a turn up that was given out `after` times or more; whether it was. It may be queued again.

        Counted, not timed: what clocks show plays no part. A turn is given out again after `min_idle_ms` at the least.
        """
        named = (keys.turns_key(turn.shard),)
        return bool(await self._commands.run(scripts.SET_ASIDE, named, (GROUP, turn.receipt, after)))

    async def requeue(self, session: bytes, version: int) -> bool:
        """Queue again a turn that is overdue; False where that was done a moment ago, or the queue is long anyway."""
        keys.check_ids((session,))
        queued = await self._commands.run(
            scripts.REQUEUE,
            (keys.turns_key(keys.shard_of(session)), keys.requeued_key(session)),
            (packed_turn(session, version), REQUEUE_EVERY_MS, MAX_QUEUED),
        )
        return bool(queued)

    async def due(self) -> Due:
        """The turns that are not done, of all shards; for a host's figures."""
        lengths, oldest = await asyncio.gather(
            asyncio.gather(*map(self._length, ALL_SHARDS)), asyncio.gather(*map(self._oldest, ALL_SHARDS))
        )
        return Due(sum(lengths), min((since for since in oldest if since is not None), default=None))

    async def sweep(self) -> int:
        """Forget the workers that hold no turn and were not heard of for an hour; how many. For a worker's start."""
        await self._make_groups(ALL_SHARDS)
        swept = await asyncio.gather(
            *(
                self._commands.run(scripts.SWEEP, (keys.turns_key(shard),), (GROUP, FORGET_CONSUMERS_AFTER_MS))
                for shard in ALL_SHARDS
            )
        )
        return sum(swept)

    async def close(self) -> None:
        """Close the connection on which `take` waits."""
        await self._waiting.close()

    async def _take_now(self, consumer: str, count: int, shards: Sequence[int]) -> list[Turn]:
        now = asyncio.get_running_loop().time()
        idle: int | str = ""
        if now >= self._next_takeover:
            self._next_takeover = now + self._min_idle_ms / 4000
            idle = self._min_idle_ms
        # Begin with another shard each time, so that none is starved by those before it.
        self._rotation += 1
        start = self._rotation % len(shards)
        order = [*shards[start:], *shards[:start]]
        turns = await self._take_from(order, consumer, count, idle)
        if idle and len(turns) == count and all(turn.taken_over for turn in turns):
            self._next_takeover = now  # there may be more, after an outage hundreds: the next look is for them, too
        return turns

    async def _take_from(self, order: Sequence[int], consumer: str, count: int, idle: int | str) -> list[Turn]:
        if not self._commands.nodes.several:
            return await self._run_take(consumer, count, idle, order)
        lengths = await asyncio.gather(*(self._length(shard) for shard in order))
        turns: list[Turn] = []
        for shard, length in zip(order, lengths, strict=True):
            if length and len(turns) < count:
                turns += await self._run_take(consumer, count - len(turns), idle, [shard])
        return turns

    async def _run_take(self, consumer: str, count: int, idle: int | str, shards: Sequence[int]) -> list[Turn]:
        reply = await self._commands.run(
            scripts.TAKE, [keys.turns_key(shard) for shard in shards], (GROUP, consumer, count, idle)
        )
        return [
            _turn(shards[index - 1], receipt, turn, taken_over=bool(again)) for index, receipt, turn, again in reply
        ]

    async def _wait(self, consumer: str, shards: Sequence[int], seconds: float) -> list[Turn]:
        # A turn that arrives while this waits is the only one: it wakes the caller. Nothing is taken beyond it,
        # except where turns came in two shards since the look before: at most one of each.
        names = [keys.turns_key(shard) for shard in shards]
        reply = await self._waiting.call(
            names[0],
            *("XREADGROUP", "GROUP", GROUP, consumer, "COUNT", 1, "BLOCK", max(1, int(seconds * 1000)), "STREAMS"),
            *names,
            *(">" for _ in names),
            wait=seconds,
        )
        return [
            _turn(shards[names.index(name.decode())], receipt, fields[1], taken_over=False)
            for name, entries in cast("_Streams", reply or ())
            for receipt, fields in entries
        ]

    async def _make_groups(self, shards: Iterable[int]) -> None:
        await asyncio.gather(*(self._make_group(keys.turns_key(shard)) for shard in shards))

    async def _make_group(self, key: str) -> None:
        try:
            await self._commands.call(key, "XGROUP", "CREATE", key, GROUP, 0, "MKSTREAM")
        except StoreError as error:
            if error.code != "BUSYGROUP":
                raise

    async def _length(self, shard: int) -> int:
        key = keys.turns_key(shard)
        return cast("int", await self._commands.call(key, "XLEN", key))

    async def _oldest(self, shard: int) -> int | None:
        key = keys.turns_key(shard)
        reply = await self._commands.call(key, "XRANGE", key, "-", "+", "COUNT", 1)
        return next((_queued_at(receipt) for receipt, _ in cast("Iterable[tuple[bytes, object]]", reply)), None)


def _queued_at(receipt: bytes) -> int:
    """When the store queued this entry, ms since 1970: the first part of its id."""
    return int(receipt.partition(b"-")[0])


_Streams = Iterable[tuple[bytes, Iterable[tuple[bytes, tuple[bytes, bytes]]]]]


def _turn(shard: int, receipt: bytes, packed: bytes, *, taken_over: bool) -> Turn:
    session, version = _TURN.unpack(packed)
    return Turn(shard, receipt, session, version, taken_over)
