"""The sessions that this server has open: each a cached fold of its log, shared by the pages that watch it.

No server owns a session. A room follows the session's channel while it is watched, re-reads the log after any gap, and
appends at the version it has; whoever else appends first wins, and the room catches up.
"""

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

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
from gameserver.session.state import State, evolve, fold, sealed
from gameserver.session.view import View, change, frames, view
from gameserver.store import Appended, Entry, Store
from gameserver.web.messages import Diff, Snapshot, SnapshotBody, encode

log = logging.getLogger(__name__)

KEPT_DIFFS: Final = 32
CACHED_ROOMS: Final = 5_000
ATTEMPTS: Final = 4
READ_AT_ONCE: Final = 1_000


class Watcher(Protocol):
    """A page that watches a session."""

    def push(self, frame: bytes) -> None: ...


class Accepted(NamedTuple):
    version: int


class _KeptDiff(NamedTuple):
    before: bytes | None
    version: int
    frame: bytes


class Room:
    """One session as this server last saw it."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self._view: View | None = None
        self._diffs: deque[_KeptDiff] = deque(maxlen=KEPT_DIFFS)
        self._secret: tuple[int, bytes] | None = None

    @property
    def session(self) -> SessionId:
        return self.state.session

    @property
    def view(self) -> View:
        if self._view is None:
            self._view = view(self.state)
        return self._view

    def snapshot(self) -> SnapshotBody:
        state = self.state
        return SnapshotBody(state.session, state.version, state.last, self.view)

    def advance(self, commit: Commit, after: State) -> None:
        """Take one commit that follows the present state, and show it to every page."""
        before, before_view = self.state, self.view
        self.state = after
        self._view = view(after)
        changed = change(before_view, self._view)
        frame = encode(
            Diff(
                from_=before.version,
                version=after.version,
                last=commit.id,
                by=commit.by,
                frames=frames(before, commit),
                set=changed.fields,
                board=changed.board,
                record=changed.record,
            )
        )
        self._diffs.append(_KeptDiff(before.last, after.version, frame))
        for watcher in tuple(self.watchers):
            watcher.push(frame)

    def replace(self, state: State) -> None:
        """Take a state that does not follow the present one: pages are told by a snapshot, never patched."""
        self.state = state
        self._view = None
        self._diffs.clear()
        frame = self.snapshot_frame()
        for watcher in tuple(self.watchers):
            watcher.push(frame)

    def snapshot_frame(self) -> bytes:
        body = self.snapshot()
        return encode(Snapshot(body.session, body.version, body.last, body.view))

    def missed_since(self, version: int, last: bytes | None) -> list[bytes]:
        """The frames that a page at this version and commit lacks; a snapshot where they are not kept."""
        missing = [kept for kept in self._diffs if kept.version > version]
        follows = (
            0 < version < self.state.version
            and len(missing) == self.state.version - version
            and missing[0].before == last
        )
        return [kept.frame for kept in missing] if follows else [self.snapshot_frame()]

    async def secret(self, store: Store) -> bytes | None:
        """The secret of the game in progress, from the store once a game."""
        if self._secret is None or self._secret[0] != self.state.game:
            secret = await store.log.secret(self.session, self.state.game)
            if secret is None:
                return None
            self._secret = (self.state.game, secret)
        return self._secret[1]


class Rooms:
    """All rooms of this server. ``now``: ms since 1970; ``fresh_secret``: 32 new random bytes."""

    def __init__(self, store: Store, now: Callable[[], int], fresh_secret: Callable[[], bytes]) -> None:
        self._store = store
        self._now = now
        self._fresh_secret = fresh_secret
        self._rooms: OrderedDict[SessionId, Room] = OrderedDict()
        self._opening: dict[SessionId, asyncio.Task[Room | None]] = {}
        self._catching_up: set[asyncio.Task[None]] = set()

    # --- Coming and going

    async def enter(self, player: PlayerId, session: SessionId, watcher: Watcher) -> Room | None:
        """Watch a session of this player; None where the player has no such session.

        Raises StoreUnavailable, Overloaded.
        """
        room = await self.find(player, session)
        if room is None:
            return None
        first = not room.watchers
        room.watchers.add(watcher)
        try:
            if first:
                await self._store.follower.follow(
                    session, lambda entry: self._heard(room, entry), lambda: self._must_catch_up(room)
                )
            async with room.lock:
                await self._catch_up(room)
        except BaseException:
            await self.leave(room, watcher)
            raise
        if room.state.computer_is_due:
            await self._store.turns.requeue(session, room.state.version)
        return room

    async def leave(self, room: Room, watcher: Watcher) -> None:
        """Stop watching. An unwatched room is no longer followed, only cached."""
        room.watchers.discard(watcher)
        if not room.watchers:
            await self._store.follower.unfollow(room.session)

    async def find(self, player: PlayerId, session: SessionId) -> Room | None:
        """The room of a session of this player, perhaps behind its log; None where the player has no such session.

        Whoever asks for what is not theirs waits for the same one look into the store, whether it exists or not.
        """
        room = self._rooms.get(session)
        if room is not None and room.state.player == player:
            self._rooms.move_to_end(session)
            return room
        first = await self._store.log.read(session, 0, 1)
        if not first:
            return None
        owner = fold([decode_commit(first[0].id, first[0].payload)])
        if owner is None or owner.player != player:
            return None
        return await self._open(session)

    async def _open(self, session: SessionId) -> Room | None:
        """Fold a session's log into a room, once for all who ask at the same time."""
        opening = self._opening.get(session)
        if opening is None:
            opening = asyncio.create_task(self._load(session))
            self._opening[session] = opening
            opening.add_done_callback(lambda _: self._opening.pop(session, None))
        return await asyncio.shield(opening)

    async def _load(self, session: SessionId) -> Room | None:
        state = await self._read_on(None, session)
        if state is None:
            return None
        room = self._rooms[session] = Room(state)
        if len(self._rooms) > CACHED_ROOMS:
            unwatched = next((each for each in self._rooms if not self._rooms[each].watchers), None)
            if unwatched is not None and unwatched != session:
                del self._rooms[unwatched]
        return room

    # --- Commands

    async def begin(self, command: StartSession) -> None:
        """Start a session; again with the same command changes nothing. Raises StoreUnavailable, Overloaded."""
        fresh = self._fresh_secret()
        commit = Commit(command.id, Side.PLAYER, self._now(), start(command, fresh))
        await self._store.log.append(
            command.session, 0, None, command.id, encode_commit(commit), computer_due=False, secret=(1, fresh)
        )

    async def submit(self, room: Room, command: PlayerCommand) -> Accepted | Repeated | Refusal:
        """Carry out a player's command. An accepted one is in the log, and shown, before this returns.

        Raises StoreUnavailable (the outcome is not known), Overloaded (nothing was done).
        """
        async with room.lock:
            for _ in range(ATTEMPTS):
                entropy = await self._entropy(room, command)
                outcome = decide(room.state, command, entropy)
                if isinstance(outcome, Repeated):
                    if isinstance(command, Restart):
                        await self._begin_successor(room, command)
                    return outcome
                if isinstance(outcome, Refusal):
                    behind = outcome.code is Code.STALE and command.base.version > room.state.version
                    if behind and await self._catch_up(room):
                        continue
                    return outcome
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
        opens_game = isinstance(command, NextGame) and entropy.fresh is not None
        result = await self._store.log.append(
            room.session,
            base.version,
            base.last,
            commit.id,
            encode_commit(commit),
            computer_due=decision.state.computer_is_due,
            secret=(decision.state.game, entropy.fresh or b"") if opens_game else None,
        )
        if not isinstance(result, Appended):
            await self._catch_up(room)
            return None
        if room.state is base:  # else our own entry was heard on the channel before the reply came
            room.advance(commit, sealed(decision.state, commit))
        if decision.state.is_finished:
            await self._finished(room)
        return Accepted(result.version)

    async def _entropy(self, room: Room, command: PlayerCommand) -> Entropy:
        if isinstance(command, Undo | Leave | SetConduct):
            return Entropy()
        secret = await room.secret(self._store)
        if isinstance(command, NextGame):
            return Entropy(secret, fresh=self._fresh_secret())
        if isinstance(command, Restart):
            return Entropy(secret, successor=session_started_by(room.state.player, CommandId(command.id)))
        if secret is None and isinstance(command, GiveSeed):
            log.error("session %s: the secret of game %d is missing", room.session.hex(), room.state.game)
        return Entropy(secret)

    async def _begin_successor(self, room: Room, command: Restart) -> None:
        """The session that takes this one's place exists before this one says so."""
        state = room.state
        successor = session_started_by(state.player, CommandId(command.id))
        conduct = state.conduct
        await self.begin(
            StartSession(
                id=CommandId(command.id),
                player=state.player,
                session=successor,
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
        await self._store.players.add(state.player, successor, self._now())

    async def _finished(self, room: Room) -> None:
        await self._store.players.finish(room.state.player, room.session, self._now())

    # --- Keeping up with the log

    def _heard(self, room: Room, entry: Entry) -> None:
        """An entry came by the channel: the next one is shown, an old one is our own or known, a later one is a gap."""
        state = room.state
        if entry.version == state.version + 1:
            commit = decode_commit(entry.id, entry.payload)
            room.advance(commit, evolve(state, commit))
        elif entry.version > state.version or (entry.version == state.version and entry.id != state.last):
            self._must_catch_up(room)

    def _must_catch_up(self, room: Room) -> None:
        task = asyncio.create_task(self._catch_up_soon(room))
        self._catching_up.add(task)
        task.add_done_callback(self._catching_up.discard)

    async def _catch_up_soon(self, room: Room) -> None:
        async with room.lock:
            await self._catch_up(room)

    async def _catch_up(self, room: Room) -> bool:
        """Read what the log holds beyond the room's state. Returns whether anything was new.

        The room's own last entry is read with it: if the log does not hold it (a failover lost it), everything is
        read anew and the pages get a snapshot.
        """
        state = room.state
        entries = await self._store.log.read(room.session, state.version - 1, READ_AT_ONCE)
        if room.state is not state:  # heard on the channel meanwhile
            return True
        if not entries or entries[0].version != state.version or entries[0].id != state.last:
            anew = await self._read_on(None, room.session)
            if anew is None:
                raise LookupError(f"the log of session {room.session.hex()} is gone")
            room.replace(anew)
            return True
        for entry in entries[1:]:
            commit = decode_commit(entry.id, entry.payload)
            room.advance(commit, evolve(room.state, commit))
        return len(entries) > 1

    async def _read_on(self, state: State | None, session: SessionId) -> State | None:
        """Fold the log from where ``state`` is to its end."""
        while True:
            entries = await self._store.log.read(session, 0 if state is None else state.version, READ_AT_ONCE)
            state = fold((decode_commit(entry.id, entry.payload) for entry in entries), state)
            if len(entries) < READ_AT_ONCE:
                return state
