"""Hints for a page: asked of the computer's workers, never thought out in this process."""

import asyncio
from typing import Final

import msgspec

from gameserver.session.decide import head
from gameserver.session.events import Side
from gameserver.session.refusals import Code, Refusal
from gameserver.session.state import Playing
from gameserver.store import HintPending, Store
from gameserver.web.messages import AskHint, Hint
from gameserver.web.room import Room

PATIENCE: Final = 8.0


class _Answer(msgspec.Struct, frozen=True):
    """What a worker answers, passed on unread."""

    plays: msgspec.Raw
    undo_better: float | None = None


_decoder = msgspec.msgpack.Decoder(_Answer)


class Hints:
    """Asks for hints, one at a time for each session."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def ask(self, room: Room, asked: AskHint) -> Hint | Refusal:
        """The hint for the room's present state. Raises StoreUnavailable, Overloaded."""
        state = room.state
        if asked.base != head(state):
            return _stale(room)
        if not isinstance(state.phase, Playing) or state.phase.side is not Side.PLAYER or state.last is None:
            return Refusal(Code.WRONG_PHASE, "there is no play to advise now")
        with room.awaited_hint(state.last) as awaited:
            try:
                answer = await self._store.hints.ask(state.session, state.version, state.last, b"")
                if answer is None:
                    async with asyncio.timeout(PATIENCE):
                        answer = await awaited
            except HintPending:
                return Refusal(Code.OVERLOADED, "another hint of this session is being worked out")
            except TimeoutError:
                return Refusal(Code.OVERLOADED, "the computer has no time for a hint now; try again")
        if answer is None:
            return _stale(room)
        decoded = _decoder.decode(answer)
        return Hint(asked.id, state.version, decoded.plays, decoded.undo_better)


def _stale(room: Room) -> Refusal:
    return Refusal(Code.STALE, f"the session is at version {room.state.version}, the hint was asked for another")
