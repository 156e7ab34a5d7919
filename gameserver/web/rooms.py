"""The sessions that this server has open, and what players do in them.

No server owns a session. A room follows the session's channel while it is watched, re-reads the log after any gap, and
appends at the version it has; whoever else appends first wins, and the room catches up.
"""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from typing import Final, NamedTuple

from gameserver.observability import server as figures
from gameserver.session.commands import (
    GiveSeed,
    Leave,
    NextGame,
    PlayerCommand,
    Restart,
    SetConduct,
    StartSession,
    Undo,
)
from gameserver.session.decide import Decision, Entropy, Repeated, decide, start
from gameserver.session.events import Commit, Side, decode_commit, encode_commit
from gameserver.session.ids import CommandId, PlayerId, SessionId, session_started_by
from gameserver.session.refusals import Code, Refusal
from gameserver.session.state import Dropped, State, fold, sealed
from gameserver.store import Appended, OtherSecret, Store, StoreError, TooManySessions
from gameserver.store.replay import replay, whole_log
from gameserver.web.room import Room, SessionGone
from gameserver.web.watching import Viewer, Watchers

log = logging.getLogger(__name__)

CACHED_ROOMS: Final = 5_000
ATTEMPTS: Final = 4


class Accepted(NamedTuple):
    """The command is in the log, as this version."""

    version: int


class Rooms:
    """All rooms of this server. ``now``: ms since 1970; ``fresh_secret``: 32 new random bytes."""

    def __init__(self, store: Store, now: Callable[[], int], fresh_secret: Callable[[], bytes]) -> None:
        self._store = store
        self._now = now
        self._fresh_secret = fresh_secret
        self._rooms: OrderedDict[SessionId, Room] = OrderedDict()
        self._opening: dict[SessionId, asyncio.Task[Room | None]] = {}

    # --- Coming and going

    async def enter(
        self, player: PlayerId, session: SessionId, viewer: Viewer, others: Collection[PlayerId] = ()
    ) -> Room | None:
        """Watch a session of this player, or of ``others``; None where there is none.

        Raises StoreUnavailable, Overloaded.
        """
        room = await self.find(player, session, others)
        if room is None:
            return None
        room.entering += 1
        try:
            async with room.lock:
                if not room.followed:
                    await self._store.follower.follow(session, room)
                    room.followed = True
                if not await self._caught_up(room):
                    return None
                await self.remind(room)
                # Nothing is awaited from here on: the page must not hear a diff before it has what it lacks.
                room.viewers.add(viewer)
        finally:
            room.entering -= 1
            self._unfollow_unwatched(room)
        return room

    async def remind(self, room: Room) -> None:
        """See to it that the computer's turn, if it is due, is not forgotten: a worker may have set it aside.

        What can't be written now must not keep a page out.
        """
        if not room.state.computer_is_due:
            return
        try:
            await self._store.turns.requeue(room.session, room.state.version)
        except StoreError as error:
            log.warning("session %s: its turn could not be queued again: %s", room.session.hex(), error)

    def leave(self, room: Room, viewer: Viewer) -> None:
        """Stop watching. An unwatched room is no longer followed, only cached."""
        room.viewers.discard(viewer)
        self._unfollow_unwatched(room)

    def _unfollow_unwatched(self, room: Room) -> None:
        if room.followed and not room.viewers and not room.entering:
            room.followed = False
            self._store.follower.unfollow(room.session)
            room.rest()

    async def find(self, player: PlayerId, session: SessionId, others: Collection[PlayerId] = ()) -> Room | None:
        """The room of a session of this player, or of ``others``, perhaps behind its log; None where there is none.

        Whoever asks for what is not theirs waits for the same one look into the store, whether it exists or not.
        """
        room = self._rooms.get(session)
        if room is not None and (room.state.player == player or room.state.player in others):
            self._rooms.move_to_end(session)
            return room
        first = await self._store.log.read(session, 0, 1)
        if not first:
            return None
        owner = fold([decode_commit(first[0].id, first[0].payload)])
        if owner is None or (owner.player != player and owner.player not in others):
            return None
        return await self._open(session)

    async def up_to_date(self, player: PlayerId, session: SessionId) -> Room | None:
        """The room of a session of this player, as the log has it now; None where the player has no such session."""
        room = await self.find(player, session)
        if room is None:
            return None
        async with room.lock:
            return room if await self._caught_up(room) else None

    async def _caught_up(self, room: Room) -> bool:
        """Bring a room up to date, under its lock; False where its log is gone: then the room is forgotten, too."""
        try:
            await room.catch_up()
        except SessionGone:
            self._rooms.pop(room.session, None)
            if room.followed:  # the pages have been told; should the log come back, another room will follow it
                room.viewers.clear()
                room.followed = False
                self._store.follower.unfollow(room.session)
            return False
        return True

    async def whole_log(self, session: SessionId) -> tuple[Commit, ...]:
        """Every commit of a session."""
        return await whole_log(self._store.log, session)

    async def stored_version(self, room: Room) -> int:
        """The version that the store has now: a page behind it has missed something."""
        return await self._store.log.version(room.session)

    async def _open(self, session: SessionId) -> Room | None:
        """Fold a session's log into a room, once for all who ask at the same time."""
        room = self._rooms.get(session)
        if room is not None:  # somebody else opened it while its owner was looked up
            return room
        opening = self._opening.get(session)
        if opening is None:
            opening = asyncio.create_task(self._load(session))
            self._opening[session] = opening
            opening.add_done_callback(lambda _: self._opening.pop(session, None))
        room = await asyncio.shield(opening)
        if room is None:
            return None
        if session not in self._rooms:  # loaded with many others, it was dropped before anybody could say "mine"
            self._keep(room)
        return self._rooms[session]

    async def _load(self, session: SessionId) -> Room | None:
        found = await replay(self._store.log, session)
        if found is None:
            return None
        room = Room(found.state, self._store.log, Watchers(session, self._store.watching))
        self._keep(room)
        return room

    def _keep(self, kept: Room) -> None:
        """Keep a room; of too many, drop the one that was asked for longest ago and is of no use to anybody now."""
        self._rooms[kept.session] = kept
        if len(self._rooms) <= CACHED_ROOMS:
            return
        for session, room in self._rooms.items():
            if room is not kept and not room.viewers and not room.entering and not room.lock.locked():
                del self._rooms[session]
                return

    # --- Commands

    async def begin(self, command: StartSession) -> None:
        """Start a session; again with the same command changes nothing. Raises StoreUnavailable, Overloaded."""
        await self._enter_in_index(command.player, command.session)
        fresh = self._fresh_secret()
        commit = Commit(command.id, Side.PLAYER, self._now(), start(command, fresh))
        await self._store.log.append(
            command.session, 0, None, command.id, encode_commit(commit), computer_due=False, secret=(1, fresh)
        )
        figures.started[command.level].inc()

    async def _enter_in_index(self, player: PlayerId, session: SessionId) -> None:
        """Enter the session among the player's unfinished ones; where these are too many, the oldest makes room."""
        while True:
            try:
                await self._store.players.add(player, session, self._now())
            except TooManySessions:
                oldest = (await self._store.players.unfinished(player))[-1]
                await self._store.players.finish(player, oldest, self._now())
            else:
                return

    async def submit(self, room: Room, command: PlayerCommand) -> Accepted | Repeated | Refusal:
        """Carry out a player's command. An accepted one is in the log, and shown, before this returns.

        Raises StoreUnavailable (the outcome is not known), Overloaded (nothing was done), SessionGone (the log is no
        longer there: a failover lost it, or its time was over).
        """
        async with room.lock:
            try:
                return await self._submit(room, command)
            except OtherSecret:
                # What the player did, the seed that they gave for the dice above all, was meant for what they saw.
                await room.read_anew()
                return Refusal(Code.STALE, "the store has lost what this was made for")

    async def _submit(self, room: Room, command: PlayerCommand) -> Accepted | Repeated | Refusal:
        tries = 0
        for _ in range(ATTEMPTS):
            entropy = await self._entropy(room, command)
            outcome = decide(room.state, command, entropy)
            if isinstance(outcome, Repeated):
                if isinstance(command, Restart) and _made_way_for(room.state) == _successor(room, command):
                    await self._begin_successor(room, command)
                return outcome
            if isinstance(outcome, Refusal):
                behind = outcome.code is Code.STALE and command.base.version > room.state.version
                if behind and await room.catch_up():
                    continue
                if isinstance(command, Restart) and tries:  # begun for nothing: something else came first
                    await self._store.players.remove(room.state.player, _successor(room, command))
                return outcome
            tries += 1
            accepted = await self._append(room, command, outcome, entropy)
            if accepted is not None:
                return accepted
        return Refusal(Code.STALE, "others were quicker, again and again")

    async def _append(
        self, room: Room, command: PlayerCommand, decision: Decision, entropy: Entropy
    ) -> Accepted | None:
        """Put a decision into the log and show it; None where another commit came first (the room has caught up)."""
        base = room.state
        if isinstance(command, Restart):
            await self._begin_successor(room, command)
        commit = Commit(CommandId(command.id), Side.PLAYER, self._now(), decision.events)
        payload, after = encode_commit(commit), sealed(decision.state, commit)
        # Who opens a game keeps its secret, and who first rolls with it asks that it still is the one kept.
        secret = entropy.secret if isinstance(command, GiveSeed) else entropy.fresh
        began = time.perf_counter()
        with room.appending(commit, payload, after):
            result = await self._store.log.append(
                room.session,
                base.version,
                base.last,
                commit.id,
                payload,
                computer_due=after.computer_is_due,
                finished=after.is_finished,
                secret=None if secret is None else (after.game, secret),
            )
        figures.appends.observe(time.perf_counter() - began)
        if not isinstance(result, Appended):
            await room.catch_up()
            return None
        if room.state is base:  # else our own entry was heard on the channel before the reply came
            room.advance(commit, after)
        if after.is_finished:
            await self._finished(room)
        return Accepted(result.version)

    async def _entropy(self, room: Room, command: PlayerCommand) -> Entropy:
        if isinstance(command, Undo | Leave | SetConduct):
            return Entropy()
        secret = await room.secret()
        if secret is None and await room.catch_up():  # a failover has lost the game that this room knew
            secret = await room.secret()
        if isinstance(command, NextGame):
            return Entropy(secret, fresh=self._fresh_secret())
        if isinstance(command, Restart):
            return Entropy(secret, successor=_successor(room, command))
        if secret is None and isinstance(command, GiveSeed):
            log.error("session %s: the secret of game %d is missing", room.session.hex(), room.state.game)
        return Entropy(secret)

    async def _begin_successor(self, room: Room, command: Restart) -> None:
        """The session that takes this one's place exists before this one says so."""
        state = room.state
        conduct = state.conduct
        await self.begin(
            StartSession(
                id=CommandId(command.id),
                player=state.player,
                session=_successor(room, command),
                level=state.level,
                format=state.format,
                pace=conduct.pace,
                auto_end=conduct.auto_end,
                auto_forced=conduct.auto_forced,
                auto_bear_off=conduct.auto_bear_off,
                position=state.practice[0] if state.practice else None,
                dice=state.practice[1] if state.practice else None,
            )
        )

    async def _finished(self, room: Room) -> None:
        await self._store.players.finish(room.state.player, room.session, self._now())


def _successor(room: Room, command: Restart) -> SessionId:
    return session_started_by(room.state.player, CommandId(command.id))


def _made_way_for(state: State) -> SessionId | None:
    return state.phase.successor if isinstance(state.phase, Dropped) else None
