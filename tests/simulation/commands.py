"""The commands and scripts that the game sends to its store, carried out on a `Keyspace`.

Written from `gameserver/store/scripts.py` and the documentation of Redis' commands, apart from the product's code.
`test_against_valkey.py` holds this against the real thing.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from redis.exceptions import NoScriptError, OutOfMemoryError, ReadOnlyError, ResponseError

from gameserver.store import scripts
from gameserver.store.packed import packed_head, unpack

from .keyspace import Group, Keyspace, Stream, StreamId

_WRONG_TYPE: Final = "WRONGTYPE Operation against a key holding the wrong kind of value"
Args = Sequence[bytes]
Reply = Any


class Blocked(Exception):
    """The command waits for one of these keys, for at most so long (ms)."""

    def __init__(self, keys: Sequence[bytes], wait_ms: int) -> None:
        super().__init__()
        self.keys = keys
        self.wait_ms = wait_ms


class Surroundings(Protocol):
    """What a store has besides its keys."""

    def now(self) -> int:
        """Ms since 1970 by the store's clock."""
        ...

    def publish(self, channel: bytes, message: bytes) -> int:
        """Tell the subscribers; how many there are."""
        ...

    def written(self, key: bytes) -> None:
        """Something came to a key that a command may wait for."""
        ...

    def committed(self, key: bytes, version: int, commit_id: bytes, payload: bytes) -> None:
        """An entry was added to a session's log."""
        ...


class Commands:
    """Carries out one command after the other.

    ``full``, ``read_only``: writes are refused. ``scripts_known``: the hashes that EVALSHA finds.
    """

    def __init__(self, keyspace: Keyspace, around: Surroundings) -> None:
        self.keyspace = keyspace
        self.full = False
        self.read_only = False
        self.scripts_known: set[bytes] = set()
        self._around = around

    def run(self, args: Args) -> Reply:
        """The reply. Raises ResponseError as redis-py would, and Blocked."""
        name = args[0].upper()
        if name in {b"EVALSHA", b"EVAL"}:
            return self._script(name, args)
        command = _COMMANDS.get(name)
        if command is None:
            raise NotImplementedError(f"the simulated store has no {name.decode()}")
        if name in _WRITES:
            self._may_write(needs_memory=name in _NEED_MEMORY)
        return command(self, args[1:])

    def _may_write(self, *, needs_memory: bool) -> None:
        if self.read_only:
            raise ReadOnlyError("You can't write against a read only replica.")
        if self.full and needs_memory:
            raise OutOfMemoryError("command not allowed when used memory > 'maxmemory'.")

    def _script(self, name: bytes, args: Args) -> Reply:
        if name == b"EVAL":
            sha = hashlib.sha1(args[1], usedforsecurity=False).hexdigest().encode()
        else:
            sha = args[1]
            if sha not in self.scripts_known:
                raise NoScriptError("No matching script. Please use EVAL.")
        script = _SCRIPTS.get(sha)
        if script is None:
            raise NotImplementedError(f"the simulated store does not know this script: {args[1][:200]!r}")
        self.scripts_known.add(sha)
        if script not in _READING_SCRIPTS:
            self._may_write(needs_memory=script not in _FRUGAL_SCRIPTS)
        count = int(args[2])
        return script(self, args[3 : 3 + count], args[3 + count :])

    # --- What commands and scripts share

    def _find(self, key: bytes) -> Any:
        return self.keyspace.find(key, self._around.now())

    def _stream(self, key: bytes) -> Stream | None:
        found: Stream | bytes | None = self._find(key)
        if isinstance(found, bytes):
            raise ResponseError(_WRONG_TYPE)
        return found

    def _xadd(self, key: bytes, fields: tuple[bytes, ...], at: StreamId | None = None) -> None:
        stream: Stream | None = self._find(key)
        if at is None:
            last = (0, 0) if stream is None else stream.last
            at = max((self._around.now(), 0), (last[0], last[1] + 1))
        elif stream is not None and at <= stream.last:
            raise ResponseError("The ID specified in XADD is equal or smaller than the target stream top item")
        self.keyspace.xadd(key, at, fields)
        self._around.written(key)

    def _see(self, key: bytes, group: bytes, consumer: bytes, now: int) -> tuple[Stream, Group]:
        """The group, after a word from one of its consumers. Queues do not expire."""
        stream: Stream | None = self.keyspace.values.get(key)
        found = None if stream is None else stream.groups.get(group)
        if stream is None or found is None:
            raise ResponseError(f"NOGROUP No such key '{key.decode()}' or consumer group '{group.decode()}'")
        if consumer in found.consumers:
            found.consumers[consumer] = now
        else:
            self.keyspace.add_consumer(key, group, consumer, now)
        return stream, found

    def _read_group(self, key: bytes, group: bytes, consumer: bytes, count: int, now: int) -> list[Reply]:
        stream, found = self._see(key, group, consumer, now)
        if stream.last <= found.delivered:
            return []
        entries = stream.after((found.delivered[0], found.delivered[1] + 1), count)
        for at, _ in entries:
            self.keyspace.give(key, group, consumer, at, now)
        return [_entry(at, fields) for at, fields in entries]

    def _auto_claim(self, key: bytes, group: bytes, consumer: bytes, idle_ms: int, count: int, now: int) -> list[Reply]:
        stream, found = self._see(key, group, consumer, now)
        claimed: list[Reply] = []
        for at in sorted(found.pending):
            if len(claimed) == count:
                break
            if at not in stream.entries:
                self.keyspace.settle(key, group, at)
            elif now - found.pending[at].at >= idle_ms:
                self.keyspace.give(key, group, consumer, at, now)
                claimed.append(_entry(at, stream.entries[at]))
        return claimed

    # --- Scripts, by the names that they have in the product

    def _append(self, keys: Args, args: Args) -> Reply:
        log, secrets, turns, channel = keys[:4]
        ages, fence, packing = keys[4:] or (b"", b"", b"")
        base, base_id, commit_id, commit, turn, keep, archived, fenced, ended = args[:9]
        version = int(base) + 1
        found: Stream | bytes | None = self._find(log)
        head = _head_of(found)
        if isinstance(found, bytes) or head != (int(base), base_id):
            if isinstance(found, bytes):
                last = unpack(found)[-1]
                there = (version, commit_id, commit) == (head[0], *last)
            else:
                entry = found.entries.get((version, 0)) if found is not None else None
                there = entry is not None and (entry[1], entry[3]) == (commit_id, commit)
            if there:
                if fenced:
                    self.keyspace.set(fence, b"1", self._around.now() + 1000)
                return version
            return [*head]
        if len(args) > 9:
            game, secret = args[9:]
            kept = (self._find(secrets) or {}).get(game)
            if kept is not None and kept != secret:
                return 0
            if kept is None:
                self.keyspace.hset(secrets, game, secret)
        if turn:
            self._xadd(turns, (b"turn", turn))
        self._xadd(log, (b"id", commit_id, b"commit", commit), (version, 0))
        until = self._around.now() + int(keep)
        if not archived:
            self.keyspace.expire(log, until)
            self.keyspace.expire(secrets, until)
        else:
            self.keyspace.zadd(ages, archived, until)
            self.keyspace.persist(log)
            self.keyspace.persist(secrets)
        if ended:
            self.keyspace.zadd(packing, ended, self._around.now())
        self._around.committed(log, version, commit_id, commit)
        if not fenced:
            after = bytes(16) if int(base) == 0 else base_id
            self._around.publish(channel, b"c" + struct.pack(">Q", version) + after + commit_id + commit)
        return version

    def _read_fenced(self, keys: Args, args: Args) -> Reply:
        self.keyspace.set(keys[1], b"1", self._around.now() + 1000)
        if isinstance(self._find(keys[0]), bytes):
            return self._find(keys[0])
        return self._xrange((keys[0], args[0], b"+", b"COUNT", args[1]))

    def _over(self, keys: Args, args: Args) -> Reply:
        skip, count, age = map(int, args)
        members: dict[bytes, float] = self._find(keys[0]) or {}
        until = self._around.now() - age
        return [member for member in _ranked(members) if members[member] <= until][skip : skip + count]

    def _pack(self, keys: Args, args: Args) -> Reply:
        log, packing = keys
        session, version, commit_id, packed = args
        found: Stream | bytes | None = self._find(log)
        head = _head_of(found)
        is_this = not isinstance(found, bytes) and head == (int(version), commit_id)
        if is_this:
            self.keyspace.replace(log, packed)
        if is_this or isinstance(found, bytes) or not head[0]:
            self.keyspace.zrem(packing, session)
        return int(is_this)

    def _requeue(self, keys: Args, args: Args) -> Reply:
        stream: Stream | None = self._find(keys[0])
        if stream is not None and len(stream.ids) >= int(args[2]):
            return 0
        if self._find(keys[1]) is not None:
            return 0
        self.keyspace.set(keys[1], b"1", self._around.now() + int(args[1]))
        self._xadd(keys[0], (b"turn", args[0]))
        return 1

    def _take(self, keys: Args, args: Args) -> Reply:
        group, consumer, count, idle = args
        left, now = int(count), self._around.now()
        taken: list[Reply] = []
        for again in (1, 0):
            if again and not idle:
                continue
            for index, key in enumerate(keys, 1):
                if not left:
                    break
                if again:
                    entries = self._auto_claim(key, group, consumer, int(idle), left, now)
                else:
                    entries = self._read_group(key, group, consumer, left, now)
                taken += [[index, at, fields[1], again] for at, fields in entries]
                left -= len(entries)
        return taken

    def _done(self, keys: Args, args: Args) -> Reply:
        if len(args) > 2:
            log: Stream | bytes | None = self._find(keys[1])
            entry = log.entries.get((int(args[2]), 0)) if isinstance(log, Stream) else None
            if not isinstance(log, bytes) and (entry is None or entry[1] != args[3]):
                return 0
        self._xack((keys[0], *args[:2]))
        return self._xdel((keys[0], args[1]))

    def _set_aside(self, keys: Args, args: Args) -> Reply:
        group, receipt, times = args
        at = _stream_id(receipt)
        stream: Stream | None = self._find(keys[0])
        if stream is None or group not in stream.groups:
            raise ResponseError("NOGROUP No such key or consumer group")
        pending = stream.groups[group].pending.get(at)
        if pending is None or pending.times < int(times):
            return 0
        self._xack((keys[0], group, receipt))
        return self._xdel((keys[0], receipt))

    def _sweep(self, keys: Args, args: Args) -> Reply:
        stream: Stream | None = self._find(keys[0])
        if stream is None or args[0] not in stream.groups:
            raise ResponseError("NOGROUP No such key or consumer group")
        group = stream.groups[args[0]]
        now = self._around.now()
        holding = {each.consumer for each in group.pending.values()}
        gone = [name for name, seen in group.consumers.items() if name not in holding and now - seen > int(args[1])]
        for name in gone:
            self.keyspace.forget_consumer(keys[0], args[0], name)
        return len(gone)

    def _ask_hint(self, keys: Args, args: Args) -> Reply:
        request, commit_id, pending, bound = args
        waiting = self._find(keys[1])
        if waiting is not None:
            return 2 if waiting == commit_id else 0
        if len(self._find(keys[0]) or ()) >= int(bound):
            return -1
        self.keyspace.set(keys[1], commit_id, self._around.now() + int(pending))
        self.keyspace.rpush(keys[0], request)
        self._around.written(keys[0])
        return 1

    def _answer_hint(self, keys: Args, args: Args) -> Reply:
        about, commit_id, answer, keep = args
        self.keyspace.set(keys[0], commit_id + answer, self._around.now() + int(keep))
        self._around.publish(keys[1], b"h" + about + answer)
        return 1

    def _unmark_hint(self, keys: Args, args: Args) -> Reply:
        return self._del(keys) if self._find(keys[0]) == args[0] else 0

    def _add_session(self, keys: Args, args: Args) -> Reply:
        unfinished, finished = (self._find(key) or {} for key in keys)
        known = args[0] in unfinished or args[0] in finished
        room = len(unfinished) < int(args[2])
        if not known and room:
            self.keyspace.zadd(keys[0], args[0], float(args[1]))
        for key in keys:
            self._pexpire((key, args[3]))
        return 1 if known or room else 0

    def _finish_session(self, keys: Args, args: Args) -> Reply:
        self.keyspace.zrem(keys[0], args[0])
        if args[0] not in (self._find(keys[1]) or {}):
            self.keyspace.zadd(keys[1], args[0], float(args[1]))
        for member in _ranked(self._find(keys[1]))[: -int(args[2])]:
            self.keyspace.zrem(keys[1], member)
        for key in keys:
            self._pexpire((key, args[3]))
        return 1

    def _device_standing(self, keys: Args, args: Args) -> Reply:
        devices = self._find(keys[0])
        return [0 if (devices or {}).get(args[0]) == b"" else 1, 0 if devices is None else 1, []]

    def _count(self, keys: Args, args: Args) -> Reply:
        now = self._around.now()
        count = int(self._find(keys[0]) or 0)
        if count >= int(args[0]):
            return max(1, self.keyspace.expires[keys[0]] - now)
        until = now + int(args[1]) if not count else self.keyspace.expires[keys[0]]
        self.keyspace.set(keys[0], str(count + 1).encode(), until)
        return 0

    # --- Commands

    def _ping(self, _: Args) -> Reply:
        return b"PONG"

    def _get(self, args: Args) -> Reply:
        found = self._find(args[0])
        if isinstance(found, Stream):
            raise ResponseError(_WRONG_TYPE)
        return found

    def _getrange(self, args: Args) -> Reply:
        key, first, last = args
        found = self._get((key,))
        return (found or b"")[int(first) : int(last) + 1]

    def _getex(self, args: Args) -> Reply:
        key, _, keep = args
        self._pexpire((key, keep))
        return self._find(key)

    def _pexpire(self, args: Args) -> Reply:
        key, keep = args
        there = self._find(key) is not None
        if there:
            self.keyspace.expire(key, self._around.now() + int(keep))
        return 1 if there else 0

    def _set(self, args: Args) -> Reply:
        key, value, *more = args
        self.keyspace.set(key, value, self._around.now() + int(more[1]) if more else None)
        return b"OK"

    def _del(self, args: Args) -> Reply:
        there = self._find(args[0]) is not None
        if there:
            self.keyspace.delete(args[0])
        return int(there)

    def _hget(self, args: Args) -> Reply:
        return (self._find(args[0]) or {}).get(args[1])

    def _zadd(self, args: Args) -> Reply:
        key, score, member = args
        known = member in (self._find(key) or {})
        self.keyspace.zadd(key, member, float(score))
        return int(not known)

    def _zrem(self, args: Args) -> Reply:
        there = args[1] in (self._find(args[0]) or {})
        if there:
            self.keyspace.zrem(args[0], args[1])
        return int(there)

    def _zcard(self, args: Args) -> Reply:
        return len(self._find(args[0]) or ())

    def _zrange(self, args: Args) -> Reply:
        key, first, last, _ = args
        return _ranked(self._find(key))[::-1][int(first) : int(last) + 1]

    def _xlen(self, args: Args) -> Reply:
        stream = self._stream(args[0])
        return 0 if stream is None else len(stream.ids)

    def _xrange(self, args: Args) -> Reply:
        key, first, _, _, count = args
        stream = self._stream(key)
        start = (0, 0) if first == b"-" else _stream_id(first)
        return [] if stream is None else [_entry(at, fields) for at, fields in stream.after(start, int(count))]

    def _xrevrange(self, args: Args) -> Reply:
        stream = self._stream(args[0])
        count = int(args[4])
        return [] if stream is None else [_entry(at, stream.entries[at]) for at in stream.ids[-count:][::-1]]

    def _xgroup(self, args: Args) -> Reply:
        _, key, group, _, _ = args
        stream = self._find(key)
        if stream is not None and group in stream.groups:
            raise ResponseError("BUSYGROUP Consumer Group name already exists")
        self.keyspace.make_group(key, group)
        return b"OK"

    def _xack(self, args: Args) -> Reply:
        key, group, at = args[0], args[1], _stream_id(args[2])
        stream = self._find(key)
        there = stream is not None and group in stream.groups and at in stream.groups[group].pending
        if there:
            self.keyspace.settle(key, group, at)
        return int(there)

    def _xdel(self, args: Args) -> Reply:
        stream, at = self._find(args[0]), _stream_id(args[1])
        there = stream is not None and at in stream.entries
        if there:
            self.keyspace.xdel(args[0], at)
        return int(there)

    def _xreadgroup(self, args: Args) -> Reply:
        _, group, consumer, _, count, _, wait, _, *rest = args
        keys = rest[: len(rest) // 2]
        found = []
        now = self._around.now()
        for key in keys:
            entries = self._read_group(key, group, consumer, int(count), now)
            if entries:
                found.append([key, entries])
        if not found:
            raise Blocked(keys, int(wait))
        return found

    def _blmpop(self, args: Args) -> Reply:
        wait, _, key, _, _, count = args
        waiting = self._find(key)
        if not waiting:
            raise Blocked((key,), int(float(wait) * 1000))
        popped = waiting[: int(count)]
        for _ in popped:
            self.keyspace.lpop(key)
        return [key, popped]

    def _spublish(self, args: Args) -> Reply:
        return self._around.publish(args[0], args[1])


def _head_of(log: Stream | bytes | None) -> tuple[int, bytes]:
    if isinstance(log, bytes):
        return packed_head(log)
    if log is None or not log.ids:
        return 0, b""
    return log.ids[-1][0], log.entries[log.ids[-1]][1]


def _stream_id(text: bytes) -> StreamId:
    at, _, sequence = text.partition(b"-")
    return int(at), int(sequence or 0)


def _entry(at: StreamId, fields: tuple[bytes, ...]) -> Reply:
    return [b"%d-%d" % at, [*fields]]


def _ranked(members: dict[bytes, float] | None) -> list[bytes]:
    return sorted(members or {}, key=lambda member: ((members or {})[member], member))


_COMMANDS: Final[dict[bytes, Callable[[Commands, Args], Reply]]] = {
    b"PING": Commands._ping,
    b"GET": Commands._get,
    b"GETRANGE": Commands._getrange,
    b"GETEX": Commands._getex,
    b"PEXPIRE": Commands._pexpire,
    b"SET": Commands._set,
    b"DEL": Commands._del,
    b"HGET": Commands._hget,
    b"ZADD": Commands._zadd,
    b"ZREM": Commands._zrem,
    b"ZCARD": Commands._zcard,
    b"ZRANGE": Commands._zrange,
    b"XLEN": Commands._xlen,
    b"XRANGE": Commands._xrange,
    b"XREVRANGE": Commands._xrevrange,
    b"XGROUP": Commands._xgroup,
    b"XACK": Commands._xack,
    b"XDEL": Commands._xdel,
    b"XREADGROUP": Commands._xreadgroup,
    b"BLMPOP": Commands._blmpop,
    b"SPUBLISH": Commands._spublish,
}
_NEED_MEMORY: Final = frozenset({b"SET", b"XGROUP", b"ZADD"})
_WRITES: Final = _NEED_MEMORY | {b"DEL", b"GETEX", b"PEXPIRE", b"ZREM", b"XACK", b"XDEL", b"XREADGROUP", b"BLMPOP"}
_SCRIPTS: Final[dict[bytes, Callable[[Commands, Args, Args], Reply]]] = {
    script.sha.encode(): carried_out
    for script, carried_out in (
        (scripts.APPEND, Commands._append),
        (scripts.OVER, Commands._over),
        (scripts.PACK, Commands._pack),
        (scripts.READ_FENCED, Commands._read_fenced),
        (scripts.REQUEUE, Commands._requeue),
        (scripts.TAKE, Commands._take),
        (scripts.DONE, Commands._done),
        (scripts.SET_ASIDE, Commands._set_aside),
        (scripts.SWEEP, Commands._sweep),
        (scripts.ASK_HINT, Commands._ask_hint),
        (scripts.ANSWER_HINT, Commands._answer_hint),
        (scripts.UNMARK_HINT, Commands._unmark_hint),
        (scripts.ADD_SESSION, Commands._add_session),
        (scripts.FINISH_SESSION, Commands._finish_session),
        (scripts.DEVICE_STANDING, Commands._device_standing),
        (scripts.COUNT, Commands._count),
    )
}
_READING_SCRIPTS: Final = {Commands._device_standing, Commands._over}
_FRUGAL_SCRIPTS: Final = {Commands._read_fenced, Commands._done, Commands._set_aside, Commands._pack}
