"""The truth, as the simulated store has it, and what is held against it at every step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from gameserver.backgammon import Move, legal_moves
from gameserver.session import dice
from gameserver.session.events import (
    Commit,
    GameStarted,
    GameWon,
    Moved,
    OpeningRolled,
    Rolled,
    SessionDropped,
    Side,
    decode_commit,
)
from gameserver.session.state import BrokenLog, Playing, State, evolve_event, position_of, sealed
from gameserver.session.view import View, view
from gameserver.store.keys import log_key, secrets_key
from gameserver.store.packed import unpack

from .keyspace import Keyspace, Stream

Picture = dict[str, Any]
Head = tuple[int, bytes | None]
"""A version, and the id of its commit; 0 and None for nothing."""


def log_in(keyspace: Keyspace, session: bytes) -> Sequence[tuple[bytes, bytes]]:
    """Id and contents of each commit of a session, as they are stored."""
    found: Stream | bytes | None = keyspace.values.get(log_key(session).encode())
    if isinstance(found, bytes):
        return unpack(found)
    return [] if found is None else [(fields[1], fields[3]) for fields in map(found.entries.__getitem__, found.ids)]


@dataclass(slots=True)
class Truth:
    """A session after one of its commits, on whatever branch."""

    state: State
    before: Head
    view: View
    _picture: Picture | None = None

    @property
    def picture(self) -> Picture:
        """What a page must show."""
        if self._picture is None:
            self._picture = msgspec.msgpack.decode(msgspec.msgpack.encode(self.view))
        assert self._picture is not None
        return self._picture

    def seen(self, picture: Picture) -> None:
        """A page shows the same: other pages share parts with it, and are compared quickly."""
        self._picture = picture


@dataclass(slots=True)
class Trail:
    """A session: every truth that ever was, and the heads of its log as it stands."""

    truths: dict[Head, Truth] = field(default_factory=dict)
    heads: list[tuple[int, bytes]] = field(default_factory=list)
    versions: dict[bytes, int] = field(default_factory=dict)
    """By the commit's id, in the log as it stands."""

    @property
    def head(self) -> Head:
        return self.heads[-1] if self.heads else (0, None)


class Audit:
    """Follows every log. ``fail`` is told what must not be.

    ``may_lose``: what pages were told may be lost by a failover; everything else still holds.
    """

    def __init__(self, fail: Callable[[str], None], *, may_lose: bool) -> None:
        self.trails: dict[bytes, Trail] = {}
        self.commits = 0
        self.computer_turns = 0
        self.lost = 0
        """Commits that failovers have lost."""
        self.acknowledged: dict[bytes, tuple[bytes, int]] = {}
        """By the command's id: its session, and the version that its page was told."""
        self.refused: dict[bytes, tuple[bytes, str]] = {}
        self.pictures = 0
        """Pictures of pages that were compared."""
        self.keyspace: Callable[[], Keyspace] = Keyspace
        self._fail = fail
        self._may_lose = may_lose
        self._rolls: dict[tuple[object, ...], tuple[int, int]] = {}
        self._told: dict[tuple[bytes, Head], None] = {}

    # --- The logs

    def committed(self, key: bytes, version: int, commit_id: bytes, payload: bytes) -> None:
        """An entry was added to a log."""
        session = bytes.fromhex(key.rpartition(b":")[2].decode())
        trail = self.trails.setdefault(session, Trail())
        where = f"{session.hex()[:8]} version {version}"
        if version != len(trail.heads) + 1:
            self._fail(f"{where}: the log had {len(trail.heads)} entries")
            return
        if commit_id in trail.versions:
            self._fail(f"{where}: {commit_id.hex()[:8]} stands there already, as version {trail.versions[commit_id]}")
        commit = decode_commit(commit_id, payload)
        before = trail.truths.get(trail.head)
        try:
            state = self._fold(session, None if before is None else before.state, commit, where)
        except BrokenLog as error:
            self._fail(f"{where}: {error}")
            return
        if commit.by is Side.COMPUTER:
            self.computer_turns += 1
            if before is None or not before.state.computer_is_due:
                self._fail(f"{where}: a turn of the computer's that was not due")
        earlier = None if before is None else before.view
        trail.truths[version, commit_id] = Truth(state, trail.head, view(state, earlier))
        trail.heads.append((version, commit_id))
        trail.versions[commit_id] = version
        self.commits += 1

    def _fold(self, session: bytes, state: State | None, commit: Commit, where: str) -> State:
        for event in commit.events:
            if state is not None:
                self._check_event(session, state, event, where)
            state = evolve_event(state, event)
            if isinstance(event, GameStarted):
                secret = self._secret(session, event.game)
                if secret is None or dice.commitment(secret) != event.commitment:
                    self._fail(f"{where}: the secret of game {event.game} is not the one that is kept")
        if state is None or not commit.events:
            raise BrokenLog("a commit without events")
        return sealed(state, commit)

    def _check_event(self, session: bytes, state: State, event: object, where: str) -> None:
        if isinstance(event, OpeningRolled | Rolled):
            rolled = (event.player, event.computer) if isinstance(event, OpeningRolled) else (event.first, event.second)
            secret = self._secret(session, state.game)
            number = state.rolls + 1
            if secret is None or state.seed is None:
                self._fail(f"{where}: a roll without its secret or seed")
            elif rolled != dice.roll(secret, session, state.game, number, state.seed):
                self._fail(f"{where}: rolled {rolled}, which is not what secret and seed give")
            of = (session, state.game, state.commitment, state.seed, number)
            if self._rolls.setdefault(of, rolled) != rolled:
                self._fail(f"{where}: roll {number} was {self._rolls[of]} before, and is {rolled} now")
        elif isinstance(event, Moved):
            turn = state.phase
            legal = (
                legal_moves(position_of(event.side, state.position), turn.unused)
                if isinstance(turn, Playing) and turn.side is event.side
                else ()
            )
            if Move(event.source, event.die, event.target, event.hit) not in legal:
                self._fail(f"{where}: {event} is not legal")
        elif (
            isinstance(event, GameWon | SessionDropped)
            and event.secret is not None
            and dice.commitment(event.secret) != state.commitment
        ):
            self._fail(f"{where}: the secret that is shown is not the one that was promised")

    def _secret(self, session: bytes, game: int) -> bytes | None:
        kept: dict[bytes, bytes] = self.keyspace().values.get(secrets_key(session).encode(), {})
        return kept.get(str(game).encode())

    def failed_over(self) -> None:
        """The store goes on with what the replica had."""
        for session, trail in self.trails.items():
            left = len(log_in(self.keyspace(), session))
            for _, commit_id in trail.heads[left:]:
                del trail.versions[commit_id]
            self.lost += len(trail.heads) - left
            del trail.heads[left:]

    # --- The pages

    def told(self, session: bytes, head: Head, picture: Picture, patched_on: Head | None) -> None:
        """A page shows this now: by a snapshot, or by a diff on top of the head ``patched_on``."""
        truth = self.trails[session].truths.get(head) if session in self.trails else None
        where = f"{session.hex()[:8]} version {head[0]}"
        self.pictures += 1
        if truth is None:
            self._fail(f"{where}: a page was told of a commit that never was")
            return
        if patched_on is not None and truth.before != patched_on:
            self._fail(f"{where}: a page patched it over another past")
        self._told[session, head] = None
        if picture != truth.picture:
            wrong = [name for name, value in truth.picture.items() if picture.get(name) != value]
            self._fail(f"{where}: a page shows another {', '.join(wrong)}")
        else:
            truth.seen(picture)

    def acknowledge(self, session: bytes, command: bytes, version: int) -> None:
        """A page was told that its command is this version."""
        trail = self.trails.get(session)
        if trail is None or (version, command) not in trail.truths:
            self._fail(f"{session.hex()[:8]}: {command.hex()[:8]} was told to be version {version}, and never was")
        self.acknowledged[command] = (session, version)

    def refuse(self, session: bytes, command: bytes, code: str) -> None:
        """A page was told that its command is not carried out, and gave it up."""
        self.refused[command] = (session, code)

    def missing(self, session: bytes) -> None:
        """A page was told that there is no such session."""
        if not self._may_lose:
            self._fail(f"{session.hex()[:8]}: a page was sent to a session that is not there")

    def finish(self) -> None:
        """Hold all that was told against the logs as they stand now."""
        if self._may_lose:
            return
        for session, (told, last) in self._told:
            if last is None or self.trails[session].versions.get(last) != told:
                self._fail(f"{session.hex()[:8]}: a page was shown version {told}, which was lost")
        for command, (session, version) in self.acknowledged.items():
            if self.trails[session].versions.get(command) != version:
                self._fail(f"{session.hex()[:8]}: {command.hex()[:8]} was acknowledged as version {version}, and lost")
        for command, (session, code) in self.refused.items():
            if session in self.trails and command in self.trails[session].versions:
                self._fail(f"{session.hex()[:8]}: {command.hex()[:8]} was refused ({code}), and carried out")
