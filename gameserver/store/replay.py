"""Reading a session's log into its state: from the beginning, or on from a state that was folded before."""

from typing import Final, NamedTuple

from gameserver.session.events import Commit, decode_commit
from gameserver.session.state import State, fold
from gameserver.store.log import Entry, SessionLog
from gameserver.store.packed import is_commit

READ_AT_ONCE: Final = 1_000


class Replay(NamedTuple):
    """``state`` as the log has it now; ``commits`` that led there from the state that was given.

    ``commits`` is None where the log does not hold that state's last commit (a failover lost it): then everything was
    read anew, and nothing that was known before may be patched.
    """

    state: State
    commits: tuple[Commit, ...] | None


async def replay(log: SessionLog, session: bytes, known: State | None = None) -> Replay | None:
    """Bring ``known`` up to date; None where there is no such session (any more).

    Raises:
        StoreUnavailable, Overloaded: as ``SessionLog``.
        UnreadableCommit, BrokenLog: the log can't be folded.
    """
    if known is not None:
        # Its own last entry is read too: only if that is still there do the next ones follow it.
        entries = await _read(log, session, known.version - 1)
        if entries and entries[0].version == known.version and is_commit(entries[0].id, known.last):
            commits = _decoded(entries[1:])
            state = fold(commits, known)
            return None if state is None else Replay(state, commits)
    anew = fold(_decoded(await all_entries(log, session)))
    return None if anew is None else Replay(anew, None)


async def whole_log(log: SessionLog, session: bytes) -> tuple[Commit, ...]:
    """Every commit of a session; empty where there is none."""
    return _decoded(await all_entries(log, session))


async def all_entries(log: SessionLog, session: bytes) -> list[Entry]:
    """A session's entries as they are stored."""
    return await _read(log, session, 0)


async def _read(log: SessionLog, session: bytes, after: int) -> list[Entry]:
    entries: list[Entry] = []
    while True:
        found = await log.read(session, after + len(entries), READ_AT_ONCE)
        entries += found
        if len(found) < READ_AT_ONCE:
            return entries


def _decoded(entries: list[Entry]) -> tuple[Commit, ...]:
    return tuple(decode_commit(entry.id, entry.payload) for entry in entries)
