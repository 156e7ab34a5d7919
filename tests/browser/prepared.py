"""Sessions that stand where a test wants them: real logs, played by chance from a fixed seed, put into the site's store.

Their dice are those of the session that they were first played in, so they can be played on, but not verified.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Final, Literal

import msgspec
from playwright.async_api import BrowserContext

from gameserver.session.events import Commit, Format, SessionStarted, encode_commit
from gameserver.session.ids import CommandId, PlayerId, session_started_by
from gameserver.store import EmbeddedStore, Store

from ..conftest import Site
from ..session.playing import next_command
from ..session.table import Table

Moment = Literal["third game", "last checker"]


async def prepare(context: BrowserContext, site: Site, moment: Moment) -> str:
    """Give the player of this context, who must have arrived, an unfinished match to 5; the session's id in hex.

    `third game`: some games are scored, and the player is to roll. `last checker`: the player bears off the last checker
    with any die, and has won the match then.
    """
    [cookie] = [each for each in await context.cookies() if each.get("name") == "shuanglu"]
    player = PlayerId(bytes.fromhex(cookie.get("value", "").partition(".")[0]))
    table = _played_until(moment)
    first, *others = table.log
    created = CommandId(os.urandom(16))
    session = session_started_by(player, created)
    started, *rest = first.events
    assert isinstance(started, SessionStarted)
    own = msgspec.structs.replace(started, session=session, player=player, pace="instant")
    first = Commit(created, first.by, first.at, (own, *rest))
    async with Store(EmbeddedStore(Path(site.variables["DATA_DIR"])).url) as store:
        await store.players.add(player, session, int(time.time() * 1000))
        last: bytes | None = None
        for version, commit in enumerate((first, *others)):
            secret = (version + 1, table.secret(version + 1)) if version < table.state.game else None
            await store.log.append(
                session, version, last, commit.id, encode_commit(commit), computer_due=False, secret=secret
            )
            last = commit.id
    return session.hex()


@cache
def _played_until(moment: Moment) -> Table:
    for number in range(1_000):
        table = Table(f"{moment} {number}", level="expert", length=_LENGTH, pace="instant")
        if _play_to(table, Random(number), _MOMENTS[moment]):
            return table
    raise AssertionError("no such match was found")


def _play_to(table: Table, chance: Random, is_there: Callable[[Table], bool]) -> bool:
    while not table.state.is_finished:
        if is_there(table):
            return True
        table.accepted(next_command(table, chance))
    return False


def _third_game(table: Table) -> bool:
    view = table.view
    return view.game == 3 and view.phase == "to-roll" and min(view.score) > 0 and len(view.record) >= 6


def _last_checker(table: Table) -> bool:
    view = table.view
    one_left = view.off[0] == 14 and view.phase == "moving" and view.board[25] == 0
    return one_left and view.score[0] == 4 and any(path[1] == 0 for _, path, _ in view.options)


_LENGTH: Final[Format] = 5
_MOMENTS: Final[dict[Moment, Callable[[Table], bool]]] = {"third game": _third_game, "last checker": _last_checker}
