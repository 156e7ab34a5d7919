"""A finished session whose log was packed: pages and records show what they showed before."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette

from gameserver.session.record import read_record, verify
from gameserver.store import Store
from gameserver.web.app import create_app
from gameserver.web.identity import COOKIE, DeviceId, Identity
from gameserver.web.identity import Visitor as Signed
from gameserver.web.page import BuiltPage

from ..protocol.client import Refused, Visitor
from ..session.table import PLAYER
from ..store.finished import entries_of, finished_log, written
from .conftest import serving

KEYS = ["k" * 32]


@pytest.fixture
def apps(store_url: str, built_page: Path, monkeypatch: pytest.MonkeyPatch) -> list[Starlette]:
    """Two servers, one of which comes when the log is packed already."""
    page = BuiltPage.read(built_page)
    monkeypatch.setattr(BuiltPage, "read", lambda: page)
    return [create_app(store_url, KEYS) for _ in range(2)]


async def shown(visitor: Visitor, session: bytes) -> tuple[Any, ...]:
    """What a new page shows; and one that was there before."""
    seat = await visitor.open(session)
    again = await visitor.open(session, seen=(seat.version, seat.last))
    assert await seat.ping() == seat.version
    with pytest.raises(Refused, match="undo"):
        await seat.do("undo")
    pages = (seat.version, seat.last, seat.view, again.version, again.last)
    for each in (seat, again):
        await each.close()
    return pages


async def test_a_packed_session_looks_as_before(apps: list[Starlette], store: Store) -> None:
    session, commits = finished_log(11)
    await written(store, session, entries_of(commits))
    cookie = Identity(KEYS).sign(Signed(PLAYER, DeviceId(os.urandom(16))))
    outcomes = []
    for app in apps:
        async with serving(app) as origin:
            visitor = Visitor(origin, f"{COOKIE}={cookie}")
            record = await visitor.record(session)
            assert verify(*read_record(record)).games == 1
            told = json.loads(record)
            for commit in told["commits"]:
                commit["id"] = commit["id"][:8]
            outcomes.append((await shown(visitor, session), told))
            assert await store.packing.pack(session) == (app is apps[0])
            assert (await shown(visitor, session), told) == outcomes[-1], "and where the room was open already"
    assert outcomes[0] == outcomes[1]
