"""Hints and reviews: requests to the computer's workers, and their answers.

The queue is a bounded list: a request that dies with its worker is asked for again by the player. The last answer of a
session is kept for a while with the id of the commit that it is about, so that another tab, and a page that missed the
answer, have it at once.
"""

import struct
from typing import Final, NamedTuple, cast

from gameserver.store import keys, scripts
from gameserver.store.batching import Batcher
from gameserver.store.blocking import BlockingConnection
from gameserver.store.errors import HintPending, Overloaded

MAX_QUEUED: Final = 200
PENDING_MS: Final = 10_000
KEEP_MS: Final = 600_000
_REQUEST = struct.Struct(">16sQ16s")
_ABOUT = struct.Struct(">Q16s")


class HintRequest(NamedTuple):
    """A hint that is asked for: the session, the commit that it is about, and the asker's own words."""

    session: bytes
    version: int
    commit_id: bytes
    request: bytes


class HintAnswer(NamedTuple):
    """The answer to a hint, and the commit that it is about."""

    version: int
    commit_id: bytes
    answer: bytes


def unpack_answer(packed: bytes) -> HintAnswer:
    """An answer as it is published on the session's channel."""
    version, commit_id = _ABOUT.unpack_from(packed)
    return HintAnswer(version, commit_id, packed[_ABOUT.size :])


class HintDesk:
    """Requests for hints and their answers. Raises `StoreUnavailable` and `Overloaded` as `SessionLog` does."""

    def __init__(self, commands: Batcher, *, max_queued: int = MAX_QUEUED, pending_ms: int = PENDING_MS) -> None:
        self._commands = commands
        self._max_queued = max_queued
        self._pending_ms = pending_ms
        self._waiting = BlockingConnection(commands.nodes)

    async def ask(self, session: bytes, version: int, commit_id: bytes, request: bytes) -> bytes | None:
        """The answer if one is kept for this commit; None if it is being worked out.

        Then it comes to every follower of the session (`Watcher.hint_answered`); if it does not within a few seconds,
        ask again.

        Raises:
            HintPending: a hint about another commit of this session is being worked out (one at a time).
            Overloaded: the workers have too much to do.
        """
        keys.check_ids((session, commit_id))
        key = keys.hint_key(session)
        kept = cast("bytes | None", await self._commands.call(key, "GET", key))
        if kept is not None and kept[: keys.ID_BYTES] == commit_id:
            return kept[keys.ID_BYTES :]
        queued = await self._commands.run(
            scripts.ASK_HINT,
            (keys.HINTS_QUEUE, keys.hint_asked_key(session)),
            (_REQUEST.pack(session, version, commit_id) + request, commit_id, self._pending_ms, self._max_queued),
        )
        if queued == 0:
            raise HintPending("another hint of this session is being worked out")
        if queued < 0:
            raise Overloaded("too many hints are waiting")
        return None

    async def take(self, count: int, block_ms: int) -> list[HintRequest]:
        """Up to `count` requests; waits up to `block_ms` for one, else an empty list. One `take` at a time."""
        reply = await self._waiting.call(
            keys.HINTS_QUEUE,
            *("BLMPOP", max(block_ms, 1) / 1000, 1, keys.HINTS_QUEUE, "LEFT", "COUNT", count),
            wait=block_ms / 1000,
        )
        if reply is None:
            return []
        return [_unpack_request(packed) for packed in cast("list[bytes]", reply[1])]

    async def answer(self, request: HintRequest, answer: bytes) -> None:
        """Keep an answer for a while and tell the session's followers. Safe to repeat."""
        session, version, commit_id, _ = request
        await self._commands.run(
            scripts.ANSWER_HINT,
            (keys.hint_key(session), keys.channel(session)),
            (_ABOUT.pack(version, commit_id), commit_id, answer, KEEP_MS),
        )
        await self.drop(request)

    async def drop(self, request: HintRequest) -> None:
        """Let a request go, answered or not: the next hint of its session need not wait. Safe to repeat."""
        mark = keys.hint_asked_key(request.session)
        await self._commands.run(scripts.UNMARK_HINT, (mark,), (request.commit_id,))

    async def close(self) -> None:
        """Close the connection on which `take` waits."""
        await self._waiting.close()


def _unpack_request(packed: bytes) -> HintRequest:
    session, version, commit_id = _REQUEST.unpack_from(packed)
    return HintRequest(session, version, commit_id, packed[_REQUEST.size :])
