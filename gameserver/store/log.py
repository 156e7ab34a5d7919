"""The sessions' event logs: append at an expected version, read, secrets of the dice.

A *commit* is opaque here: some bytes and a 16-byte id. A session's version is the number of its entries. The log of a
finished session is packed after a while (`packing`), and read as before, but for old ids (`packed`).
"""

import asyncio
import struct
from collections.abc import Sequence
from typing import Final, NamedTuple, cast

from gameserver.store import keys, scripts
from gameserver.store.batching import Batcher
from gameserver.store.errors import OtherSecret, StoreError
from gameserver.store.nodes import Argument
from gameserver.store.packed import HEADER, packed_head, unpack
from gameserver.store.policy import Policy
from gameserver.store.turns import packed_turn


class Entry(NamedTuple):
    """One commit in a log."""

    version: int
    id: bytes
    payload: bytes


class Appended(NamedTuple):
    """The commit is in the log as this version (now, or by an earlier attempt whose reply was lost)."""

    version: int


class Conflict(NamedTuple):
    """Nothing was written: the log's head is this one, not the base that was named (`id` is None for an empty log).

    An entry may bear the commit's own id with other contents: the same command, decided elsewhere.
    """

    version: int
    id: bytes | None


class Head(NamedTuple):
    """Version and id of a log's last entry."""

    version: int
    id: bytes


class SessionLog:
    """Event logs of all sessions.

    Every method raises `StoreUnavailable` when the store cannot be reached in time, `Overloaded` when too much waits.
    """

    def __init__(self, commands: Batcher, policy: Policy) -> None:
        self._commands = commands
        self._policy = policy

    async def append(
        self,
        session: bytes,
        base_version: int,
        base_id: bytes | None,
        commit_id: bytes,
        payload: bytes,
        *,
        computer_due: bool,
        finished: bool = False,
        secret: tuple[int, bytes] | None = None,
    ) -> Appended | Conflict:
        """Append one commit on top of the base, if that is still the head. Atomic; safe to repeat as it is.

        With the entry are written, in the same step: the computer's turn in the shard's queue if `computer_due`, and
        `secret` = (number of the game, bytes), which is kept apart from the log and never overwritten. The followers
        of the session are told; where the policy wants replicas, not before these have it. The session is kept from now
        on for as long as the policy says; `finished`: it was its last commit.

        Raises:
            ValueError: an id is not 16 bytes long, or the base is half given.
            OtherSecret: another secret is kept for that game; nothing was written.
            StoreUnavailable: the outcome is not known; append again with the same id to find out.
            Overloaded: nothing was written.
        """
        keys.check_ids((session, commit_id) if base_id is None else (session, commit_id, base_id))
        if base_version < 0 or (base_version == 0) != (base_id is None):
            raise ValueError("a base is a version from 1 with the id of its entry, or 0 and None")
        due = packed_turn(session, base_version + 1) if computer_due else b""
        policy, shard = self._policy, keys.shard_of(session)
        named: tuple[str, ...] = (
            keys.log_key(session),
            keys.secrets_key(session),
            keys.turns_key(shard),
            keys.channel(session),
        )
        if policy.archive or policy.replicas or finished:  # else not even made up, on the road of every move
            named += (keys.ages_key(shard), keys.fence_key(shard), keys.packing_key(shard))
        reply = await self._commands.run(
            scripts.APPEND,
            named,
            (
                *(base_version, base_id or b"", commit_id, payload, due, policy.keep_ms(finished=finished)),
                *(session if policy.archive else b"", "1" if policy.replicas else b"", session if finished else b""),
                *(secret or ()),
            ),
            replicated=True,
        )
        if isinstance(reply, list):
            version, last = cast("tuple[int, bytes]", reply)
            return Conflict(version, last or None)
        if reply == 0:
            raise OtherSecret("another secret is already kept for this game")
        version = cast("int", reply)
        if self._policy.replicas:
            channel = keys.channel(session)
            message = commit_message(Entry(version, commit_id, payload), base_id)
            self._commands.post(channel, "SPUBLISH", channel, message)
        return Appended(version)

    async def read(self, session: bytes, after: int = 0, limit: int = 1000) -> list[Entry]:
        """The entries after version `after`, in order, at most `limit`; empty also for a session that is unknown.

        Raises:
            UnreadableCommit: the log was packed by another release, or is damaged; so `head` and `version`.
        """
        keys.check_ids((session,))
        key, first = keys.log_key(session), f"{after + 1}-0"
        if self._policy.replicas:
            # Somebody else's commit that no replica has yet must not be told either.
            fence = keys.fence_key(keys.shard_of(session))
            reply = await self._commands.run(scripts.READ_FENCED, (key, fence), (first, limit), replicated=True)
        else:
            reply = await self._ask(key, ("XRANGE", key, first, "+", "COUNT", limit), ("GET", key))
        if isinstance(reply, bytes):
            commits = unpack(reply)[after : after + limit]
            return [Entry(version, *commit) for version, commit in enumerate(commits, after + 1)]
        return [_entry(raw) for raw in cast("list[_RawEntry]", reply or ())]

    async def head(self, session: bytes) -> Head | None:
        """Version and id of the last entry; None for a session that is unknown."""
        keys.check_ids((session,))
        key = keys.log_key(session)
        reply = await self._ask(key, ("XREVRANGE", key, "+", "-", "COUNT", 1), _packed_head_of(key))
        if isinstance(reply, bytes):
            return Head(*packed_head(reply)) if reply else None
        for raw in cast("list[_RawEntry]", reply):
            last = _entry(raw)
            return Head(last.version, last.id)
        return None

    async def heads(self, sessions: Sequence[bytes]) -> list[Head | None]:
        """`head` of many sessions, in one round trip to each node of the store."""
        return list(await asyncio.gather(*map(self.head, sessions)))

    async def version(self, session: bytes) -> int:
        """The number of entries, 0 for a session that is unknown. Cheaper than `head`: for the answers to pings."""
        keys.check_ids((session,))
        key = keys.log_key(session)
        reply = await self._ask(key, ("XLEN", key), _packed_head_of(key))
        if isinstance(reply, bytes):
            return packed_head(reply).version if reply else 0
        return cast("int", reply)

    async def secret(self, session: bytes, game: int) -> bytes | None:
        """The secret that was kept with the commit that opened a game; None if there is none."""
        keys.check_ids((session,))
        key = keys.secrets_key(session)
        return cast("bytes | None", await self._commands.call(key, "HGET", key, game))

    async def _ask(self, key: str, stream: tuple[Argument, ...], packed: tuple[Argument, ...]) -> object:
        """The answer to `stream`; or, where the log is packed, to `packed`: bytes, or None where it has gone since."""
        for command in (stream, packed):
            try:
                return await self._commands.call(key, *command)
            except StoreError as error:
                if error.code != _WRONG_TYPE:
                    raise
        # A failover has brought back the stream between the two.
        return await self._commands.call(key, *stream)


def _packed_head_of(key: str) -> tuple[Argument, ...]:
    return "GETRANGE", key, 0, HEADER - 1


def commit_message(entry: Entry, after: bytes | None) -> bytes:
    """What is published of a commit on top of the commit `after`; the append's script makes the same."""
    return _COMMIT.pack(b"c", entry.version, after or _NOTHING, entry.id) + entry.payload


def unpack_commit(message: bytes) -> tuple[Entry, bytes | None]:
    """A published commit, and the id of the one before it."""
    _, version, after, commit_id = _COMMIT.unpack_from(message)
    return Entry(version, commit_id, message[_COMMIT.size :]), None if after == _NOTHING else after


_COMMIT = struct.Struct(">cQ16s16s")
_WRONG_TYPE: Final = "WRONGTYPE"
_NOTHING: Final = bytes(keys.ID_BYTES)
_RawEntry = tuple[bytes, tuple[bytes, bytes, bytes, bytes]]


def _entry(raw: _RawEntry) -> Entry:
    at, (_, commit_id, _, payload) = raw
    return Entry(int(at.partition(b"-")[0]), commit_id, payload)
