"""Finished sessions of real games, as servers and workers would have written them."""

from __future__ import annotations

from random import Random

from gameserver.session.events import Commit, encode_commit
from gameserver.session.ids import SessionId
from gameserver.store import Appended, Store
from tests.session.playing import any_command
from tests.session.table import Table


def finished_log(seed: int) -> tuple[SessionId, list[Commit]]:
    """A single game, with undos, leaves and changed options among its moves."""
    chance, table = Random(seed), Table(f"finished {seed}")
    while not table.state.is_finished:
        table.submit(any_command(table, chance))
    return table.session, table.log


def entries_of(commits: list[Commit]) -> list[tuple[bytes, bytes]]:
    """Id and contents of each, as they are stored."""
    return [(each.id, encode_commit(each)) for each in commits]


async def written(store: Store, session: bytes, entries: list[tuple[bytes, bytes]]) -> None:
    """Put a finished session into the store."""
    before = None
    for version, (commit_id, contents) in enumerate(entries):
        appended = await store.log.append(
            session,
            version,
            before,
            commit_id,
            contents,
            computer_due=False,
            finished=version == len(entries) - 1,
            secret=(1, bytes(32)) if version == 0 else None,
        )
        assert appended == Appended(version + 1)
        before = commit_id
