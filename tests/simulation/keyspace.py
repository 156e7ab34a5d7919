"""What a Redis holds: the types that the game uses, and the writes that a replica repeats."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

StreamId = tuple[int, int]
Fields = tuple[bytes, ...]


@dataclass(slots=True)
class Pending:
    """An entry that was given to a consumer and not acknowledged."""

    consumer: bytes
    at: int
    times: int = 1
    """How often it was given."""


@dataclass(slots=True)
class Group:
    """Consumers that share a stream. ``consumers``: when each was last heard of (ms)."""

    delivered: StreamId = (0, 0)
    pending: dict[StreamId, Pending] = field(default_factory=dict)
    consumers: dict[bytes, int] = field(default_factory=dict)


@dataclass(slots=True)
class Stream:
    """Entries by id, in order."""

    ids: list[StreamId] = field(default_factory=list)
    entries: dict[StreamId, Fields] = field(default_factory=dict)
    last: StreamId = (0, 0)
    groups: dict[bytes, Group] = field(default_factory=dict)

    def after(self, first: StreamId, count: int) -> list[tuple[StreamId, Fields]]:
        """At most ``count`` entries from ``first`` on."""
        at = bisect.bisect_left(self.ids, first)
        return [(each, self.entries[each]) for each in self.ids[at : at + count]]


Write = tuple[Callable[..., None], tuple[Any, ...]]


class Keyspace:
    """The keys and their values. Methods are the writes; with a ``journal`` each is noted for a replica to repeat."""

    def __init__(self) -> None:
        self.values: dict[bytes, Any] = {}
        self.expires: dict[bytes, int] = {}
        self.journal: list[Write] | None = None

    def find(self, key: bytes, now: int) -> Any:
        """The value, or None where there is none or its time is over."""
        if key in self.expires and self.expires[key] <= now:
            self.delete(key)
        return self.values.get(key)

    def copy(self) -> Keyspace:
        """The same values, for a replica to begin with."""
        twin = Keyspace()
        twin.expires = dict(self.expires)
        for key, value in self.values.items():
            twin.values[key] = _copied(value)
        return twin

    def repeat(self, writes: Iterator[Write] | list[Write]) -> None:
        """Do what was done elsewhere."""
        for method, args in writes:
            method(self, *args)

    def _note(self, method: Callable[..., None], *args: Any) -> None:
        if self.journal is not None:
            self.journal.append((method, args))

    # --- Any key

    def set(self, key: bytes, value: bytes, expires: int | None = None) -> None:
        self._note(Keyspace.set, key, value, expires)
        self.values[key] = value
        self.expires.pop(key, None)
        if expires is not None:
            self.expires[key] = expires

    def replace(self, key: bytes, value: bytes) -> None:
        """Another value, perhaps of another type, with the same time to live."""
        self._note(Keyspace.replace, key, value)
        self.values[key] = value

    def delete(self, key: bytes) -> None:
        self._note(Keyspace.delete, key)
        self.values.pop(key, None)
        self.expires.pop(key, None)

    def expire(self, key: bytes, at: int) -> None:
        if key in self.values:
            self._note(Keyspace.expire, key, at)
            self.expires[key] = at

    def persist(self, key: bytes) -> None:
        self._note(Keyspace.persist, key)
        self.expires.pop(key, None)

    # --- Hashes, sorted sets, lists

    def hset(self, key: bytes, name: bytes, value: bytes) -> None:
        self._note(Keyspace.hset, key, name, value)
        self.values.setdefault(key, {})[name] = value

    def zadd(self, key: bytes, member: bytes, score: float) -> None:
        self._note(Keyspace.zadd, key, member, score)
        self.values.setdefault(key, {})[member] = score

    def zrem(self, key: bytes, member: bytes) -> None:
        self._note(Keyspace.zrem, key, member)
        found = self.values.get(key)
        if found is not None:
            found.pop(member, None)
            if not found:
                self.delete(key)

    def rpush(self, key: bytes, value: bytes) -> None:
        self._note(Keyspace.rpush, key, value)
        self.values.setdefault(key, []).append(value)

    def lpop(self, key: bytes) -> None:
        self._note(Keyspace.lpop, key)
        found = self.values[key]
        found.pop(0)
        if not found:
            self.delete(key)

    # --- Streams

    def xadd(self, key: bytes, at: StreamId, fields: Fields) -> None:
        self._note(Keyspace.xadd, key, at, fields)
        stream: Stream = self.values.setdefault(key, Stream())
        stream.ids.append(at)
        stream.entries[at] = fields
        stream.last = at

    def xdel(self, key: bytes, at: StreamId) -> None:
        self._note(Keyspace.xdel, key, at)
        stream: Stream = self.values[key]
        del stream.entries[at]
        stream.ids.remove(at)

    def make_group(self, key: bytes, group: bytes) -> None:
        self._note(Keyspace.make_group, key, group)
        self.values.setdefault(key, Stream()).groups[group] = Group()

    def add_consumer(self, key: bytes, group: bytes, consumer: bytes, now: int) -> None:
        self._note(Keyspace.add_consumer, key, group, consumer, now)
        self.values[key].groups[group].consumers[consumer] = now

    def forget_consumer(self, key: bytes, group: bytes, consumer: bytes) -> None:
        self._note(Keyspace.forget_consumer, key, group, consumer)
        del self.values[key].groups[group].consumers[consumer]

    def give(self, key: bytes, group: bytes, consumer: bytes, at: StreamId, now: int) -> None:
        """Deliver an entry, for the first time or again."""
        self._note(Keyspace.give, key, group, consumer, at, now)
        found: Group = self.values[key].groups[group]
        found.delivered = max(found.delivered, at)
        before = found.pending.get(at)
        found.pending[at] = Pending(consumer, now, 1 if before is None else before.times + 1)

    def settle(self, key: bytes, group: bytes, at: StreamId) -> None:
        """Nobody has this entry any more."""
        self._note(Keyspace.settle, key, group, at)
        self.values[key].groups[group].pending.pop(at, None)


def _copied(value: Any) -> Any:
    if isinstance(value, Stream):
        groups = {
            name: Group(
                group.delivered,
                {at: Pending(each.consumer, each.at, each.times) for at, each in group.pending.items()},
                dict(group.consumers),
            )
            for name, group in value.groups.items()
        }
        return Stream(list(value.ids), dict(value.entries), value.last, groups)
    return value if isinstance(value, bytes) else value.copy()
