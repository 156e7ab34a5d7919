"""What clients were told against the log: the other side of the comparison."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import msgpack
import msgspec

from gameserver.backgammon import legal_moves
from gameserver.session import dice
from gameserver.session.events import Commit, GameStarted, Moved, OpeningRolled, Rolled
from gameserver.session.ids import SessionId
from gameserver.session.state import Playing, State, evolve_event, fold, position_of
from gameserver.session.view import view
from gameserver.store import Store
from gameserver.store.packed import is_commit
from gameserver.store.replay import whole_log

from .ledger import Ledger, Roll
from .players import Page


@dataclass
class Findings:
    """What does not fit; all of it must be empty, except what a lost primary takes along."""

    lost: list[str] = field(default_factory=list)
    """Acknowledged commands that the log does not hold as the version that was told."""
    doubled: list[str] = field(default_factory=list)
    """Commands that stand in a log more than once."""
    ghosts: list[str] = field(default_factory=list)
    """Commands that were refused, and yet are in a log."""
    dice: list[str] = field(default_factory=list)
    """Rolls, in a log or told, that are not those of the secret and the seed."""
    illegal: list[str] = field(default_factory=list)
    """Moves in a log that the rules do not allow."""
    patched: list[str] = field(default_factory=list)
    """Diffs of commits in the log that were put on another commit than the one before."""
    unequal: list[str] = field(default_factory=list)
    """Pages that do not show the fold of their log."""
    forgotten: int = 0
    """Commits that a page was shown and the log does not hold: the acknowledged and others' together."""

    def wrong(self, *, may_lose: bool) -> list[str]:
        """What must not be."""
        never = [*self.doubled, *self.dice, *self.illegal, *self.patched, *self.unequal]
        # What was refused on a commit that was then lost may come to be applied after all, by a retry under way.
        return never if may_lose else [*never, *self.lost, *self.ghosts]


async def check(ledger: Ledger, pages: Collection[Page], store: Store) -> Findings:
    """Compare what was told with the logs."""
    found = Findings()
    sessions = {session for story in ledger.stories for session in story}
    sessions |= {session for session, _ in ledger.acknowledged.values()}
    sessions |= {page.seat.session for page in pages if page.seat is not None}
    logs: dict[bytes, tuple[Commit, ...]] = {}
    secrets: dict[tuple[bytes, int], bytes] = {}
    for session in sessions:
        commits = logs[session] = await whole_log(store.log, session)
        for commit in commits:
            for event in commit.events:
                if isinstance(event, GameStarted):
                    secret = await store.log.secret(session, event.game)
                    if secret is None or dice.commitment(secret) != event.commitment:
                        found.dice.append(f"{session.hex()}: the secret of game {event.game} is not the one kept")
                    else:
                        secrets[session, event.game] = secret
        _check_log(SessionId(session), commits, secrets, found)
    _check_told(ledger, logs, secrets, found)
    for page in pages:
        _check_page(ledger, page, logs, found)
    return found


def _check_log(
    session: SessionId, commits: tuple[Commit, ...], secrets: dict[tuple[bytes, int], bytes], found: Findings
) -> None:
    """Every die is the secret's, every move is legal, every command stands there once."""
    seen: set[bytes] = set()
    state: State | None = None
    rolls = 0
    for number, commit in enumerate(commits, 1):
        where = f"{session.hex()} version {number}"
        if commit.id in seen:
            found.doubled.append(f"{where}: {commit.id.hex()} again")
        seen.add(commit.id)
        for event in commit.events:
            if isinstance(event, GameStarted):
                rolls = 0
            if isinstance(event, OpeningRolled | Rolled) and state is not None and state.seed is not None:
                rolls += 1
                rolled = (
                    (event.player, event.computer) if isinstance(event, OpeningRolled) else (event.first, event.second)
                )
                secret = secrets.get((session, state.game))
                if secret is not None and rolled != dice.roll(secret, session, state.game, rolls, state.seed):
                    found.dice.append(f"{where}: {event}")
            if isinstance(event, Moved) and not _is_legal(state, event):
                found.illegal.append(f"{where}: {event}")
            state = evolve_event(state, event)


def _is_legal(state: State | None, event: Moved) -> bool:
    turn = None if state is None else state.phase
    if state is None or not isinstance(turn, Playing) or turn.side is not event.side:
        return False
    legal = legal_moves(position_of(event.side, state.position), turn.unused)
    return (event.source, event.die, event.target, event.hit) in legal


def _check_told(
    ledger: Ledger, logs: dict[bytes, tuple[Commit, ...]], secrets: dict[tuple[bytes, int], bytes], found: Findings
) -> None:
    ids = {session: [commit.id for commit in commits] for session, commits in logs.items()}

    def at(session: bytes, version: int) -> bytes | None:
        known = ids[session]
        return known[version - 1] if 0 < version <= len(known) else None

    # Ids are compared as a packed log has them: shortened, where they are old.
    for command, (session, version) in ledger.acknowledged.items():
        if not is_commit(at(session, version) or b"", command):
            found.lost.append(f"{session.hex()} version {version}: {command.hex()}")
    for command, (session, code) in ledger.refused.items():
        if any(is_commit(each, command) for each in ids.get(session, ())):
            found.ghosts.append(f"{session.hex()}: {command.hex()} was refused as {code}")
    forgotten: set[tuple[bytes, int, bytes]] = set()
    for story in ledger.stories:
        for session, told in story.items():
            for version, commit, after, patched in told:
                if not is_commit(at(session, version) or b"", commit):
                    forgotten.add((session, version, commit))
                elif patched and version > 1 and not is_commit(at(session, version - 1) or b"", after):
                    found.patched.append(f"{session.hex()} version {version} on {after.hex() if after else None}")
    found.forgotten = len(forgotten)
    if ledger.changed_rolls:
        found.dice.append(f"{ledger.changed_rolls} rolls were told twice, differently")
    for roll, told_dice in ledger.rolls.items():
        _check_roll(roll, told_dice, secrets, found)


def _check_roll(roll: Roll, told: tuple[int, int], secrets: dict[tuple[bytes, int], bytes], found: Findings) -> None:
    secret = secrets.get((roll.session, roll.game))
    if secret is None or dice.commitment(secret) != roll.commitment:
        return  # of a game whose very beginning was lost
    right = dice.roll(secret, roll.session, roll.game, roll.number, roll.seed)
    # Turns are shown with the larger die first, the opening's rolls as they fell.
    if told not in {right, (max(right), min(right))}:
        found.dice.append(f"{roll.session.hex()} game {roll.game} roll {roll.number}: told {told}, is {right}")


def _check_page(ledger: Ledger, page: Page, logs: dict[bytes, tuple[Commit, ...]], found: Findings) -> None:
    seat = page.seat
    if seat is None:
        found.unequal.append(f"{page.table.session.hex()}: a page has no link")
        return
    state = fold(logs[seat.session])
    if state is None:
        found.unequal.append(f"{seat.session.hex()}: there is no log")
        return
    shown: dict[str, Any] = msgpack.unpackb(msgspec.msgpack.encode(view(state)), strict_map_key=False)
    if (seat.version, seat.last) != (state.version, state.last):
        last = logs[seat.session][-1]
        found.unequal.append(
            f"{seat.session.hex()}: at version {seat.version}, the log at {state.version}, by {last.by.name}:"
            f" {[type(event).__name__ for event in last.events]}, told to its sender: {last.id in ledger.acknowledged}"
        )
    elif seat.view != shown:
        fields = [name for name, value in shown.items() if seat.view.get(name) != value]
        found.unequal.append(f"{seat.session.hex()} version {seat.version}: {', '.join(fields)}")
