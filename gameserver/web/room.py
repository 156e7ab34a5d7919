"""One session that this server has open: a cached fold of its log, shared by the pages that watch it."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from gameserver.session import dice
from gameserver.session.events import Commit, decode_commit
from gameserver.session.ids import SessionId
from gameserver.session.refusals import Code
from gameserver.session.state import State, evolve
from gameserver.session.view import View, change, frames, view
from gameserver.store import Entry, HintAnswer, OtherSecret, SessionLog, StoreError
from gameserver.store.replay import replay
from gameserver.store.watching import Watched
from gameserver.web.messages import Diff, Error, Snapshot, SnapshotBody, encode
from gameserver.web.watching import Viewer, Watchers

log = logging.getLogger(__name__)

KEPT_DIFFS: Final = 4


class SessionGone(LookupError):
    """The log of a session that was open here is no longer in the store."""


class _KeptDiff(NamedTuple):
    before: bytes | None
    version: int
    frame: bytes


class _Own(NamedTuple):
    """A commit of this server's that is on its way into the log, and the state after it."""

    commit: Commit
    payload: bytes
    after: State


class Room:
    """One session as this server last saw it; hears of it from the store while it is watched."""

    __slots__ = (
        "_catching_up",
        "_diffs",
        "_hints",
        "_log",
        "_own",
        "_secret",
        "_view",
        "entering",
        "followed",
        "lock",
        "state",
        "watchers",
    )

    def __init__(self, state: State, log: SessionLog, watchers: Watchers) -> None:
        self.state = state
        self.lock = asyncio.Lock()
        self.watchers = watchers
        self.followed = False
        self.entering = 0
        """Pages that are about to watch."""
        self._log = log
        self._view: View | None = None
        self._diffs: tuple[_KeptDiff, ...] = ()
        self._secret: tuple[bytes, bytes] | None = None
        self._own: _Own | None = None
        self._hints: dict[bytes, set[asyncio.Future[bytes | None]]] = {}
        self._catching_up: asyncio.Task[None] | None = None

    @property
    def session(self) -> SessionId:
        return self.state.session

    @property
    def viewers(self) -> set[Viewer]:
        """The pages of this server that watch."""
        return self.watchers.here

    @property
    def view(self) -> View:
        if self._view is None:
            self._view = view(self.state)
        return self._view

    def snapshot(self) -> SnapshotBody:
        state = self.state
        return SnapshotBody(state.session, state.version, state.last, self.view)

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

    async def secret(self) -> bytes | None:
        """The secret of the game in progress, asked of the store once a game and kept in memory only.

        It is known by what the log is bound to, not by the game's number: a failover may lose the beginning of a game,
        which then begins again with another secret. None where the store has none.

        Raises OtherSecret where it has another than this state is bound to.
        """
        commitment = self.state.commitment
        if self._secret is None or self._secret[0] != commitment:
            secret = await self._log.secret(self.session, self.state.game)
            if secret is None:
                return None
            if dice.commitment(secret) != commitment:
                raise OtherSecret("this room is bound to another secret than the one kept")
            self._secret = (commitment, secret)
        return self._secret[1]

    # --- Moving on

    @contextmanager
    def appending(self, commit: Commit, payload: bytes, after: State) -> Iterator[None]:
        """While this commit is on its way: whoever is first to say that it is in the log need not read and fold it."""
        self._own = _Own(commit, payload, after)
        try:
            yield
        finally:
            self._own = None

    def advance(self, commit: Commit, after: State) -> None:
        """Take one commit that follows the present state, and show it to every page."""
        before, before_view = self.state, self.view
        self.state = after
        self._view = view(after, before_view)
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
        self._diffs = (*self._diffs[1 - KEPT_DIFFS :], _KeptDiff(before.last, after.version, frame))
        self._show(frame)
        self._overtake_hints()

    async def catch_up(self) -> bool:
        """Read what the log holds beyond the room's state; called under the lock. Returns whether anything was new.

        Where the log has lost what the room knew, the pages are told by a snapshot, never patched. Where all of it is
        gone they are told that, and SessionGone is raised.
        """
        before = self.state
        found = await replay(self._log, self.session, before)
        if self.state is not before:  # heard on the channel meanwhile
            return True
        if found is None:
            raise self._gone()
        if found.commits is None:
            log.warning("session %s: the log has lost version %d", self.session.hex(), before.version)
            self._start_over_from(found.state)
            return True
        for commit in found.commits:
            self.advance(commit, evolve(self.state, commit))
        return bool(found.commits)

    async def read_anew(self) -> None:
        """Read the whole log, which holds another past than is known here though its last commit's id is the same."""
        found = await replay(self._log, self.session)
        if found is None:
            raise self._gone()
        log.warning("session %s: the log holds another past than was known here", self.session.hex())
        self._start_over_from(found.state)

    def _start_over_from(self, state: State) -> None:
        """The pages are told by a snapshot: nothing that was known may be patched."""
        self.state = state
        self._view = None
        self._diffs = ()
        self._show(self.snapshot_frame())
        self._overtake_hints()

    def _gone(self) -> SessionGone:
        self._show(encode(Error(Code.NO_SESSION, "this session is no longer there")))
        return SessionGone(f"the log of session {self.session.hex()} is gone")

    def _show(self, frame: bytes) -> None:
        for viewer in tuple(self.viewers):
            viewer.push(frame)

    def rest(self) -> None:
        """Nobody watches: keep the state, and of the rest what a page that comes straight back needs."""
        self._view = None

    # --- Heard from the store (``Watcher``)

    def appended(self, entry: Entry, after: bytes | None) -> None:
        """The next entry is shown, an old one is our own or known; a later one, or one on another commit, is a gap."""
        state = self.state
        if entry.version == state.version + 1 and after == state.last:
            own = self._own
            if own is not None and own.commit.id == entry.id and own.payload == entry.payload:
                self.advance(own.commit, own.after)
            else:
                commit = decode_commit(entry.id, entry.payload)
                self.advance(commit, evolve(state, commit))
        elif entry.version > state.version or (entry.version == state.version and entry.id != state.last):
            self._read_on()

    def watched(self, told: Watched) -> None:
        self.watchers.heard(told)

    def resync(self) -> None:
        """Something may have been missed: read on, and ask who watches."""
        self._read_on()
        self.watchers.ask()

    def _read_on(self) -> None:
        if self._catching_up is None:
            self._catching_up = asyncio.create_task(self._catch_up_soon())

    async def _catch_up_soon(self) -> None:
        try:
            async with self.lock:
                self._catching_up = None  # what is missed from here on needs another look
                await self.catch_up()
        except (StoreError, ValueError, LookupError):
            # The next frame of a page, or its ping, finds the room behind and tries again.
            log.warning("session %s could not be read on", self.session.hex(), exc_info=True)

    def hint_answered(self, answer: HintAnswer) -> None:
        for awaited in self._hints.get(answer.commit_id, ()):
            if not awaited.done():
                awaited.set_result(answer.answer)

    def _overtake_hints(self) -> None:
        """Nobody will answer a hint about what the session has gone on from."""
        for commit, waiting in self._hints.items():
            if commit != self.state.last:
                for awaited in waiting:
                    if not awaited.done():
                        awaited.set_result(None)

    @contextmanager
    def awaited_hint(self, commit: bytes) -> Iterator[asyncio.Future[bytes | None]]:
        """The answer to a hint about this commit, when it comes; None when the session has gone on from there."""
        awaited: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()
        waiting = self._hints.setdefault(commit, set())
        waiting.add(awaited)
        try:
            yield awaited
        finally:
            waiting.discard(awaited)
            if not waiting:
                self._hints.pop(commit, None)
