"""The comparison finds what it is there to find: each tampering with what was told, or with the log, is noticed."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable

import pytest
from redis.asyncio import Redis as Client

from gameserver.store import Store
from gameserver.store.keys import log_key

from ..conftest import Site
from ..protocol.client import Visitor
from .checker import Findings, check
from .ledger import Ledger, Told
from .players import Page, Table

COMMANDS = 60
Played = tuple[Ledger, Page]


async def played(site: Site) -> Played:
    """One page that has played for a while, and what it was told."""
    visitor = await Visitor.arrive(site.origin)
    await visitor.set_settings(pace="instant")
    ledger = Ledger()
    page = Page(Table(visitor.cookie, 7), [site.origin], ledger, random.Random(5))
    async with asyncio.timeout(60):
        await page.play(lambda: ledger.commands >= COMMANDS)
        assert not await page.come_to_rest()
    return ledger, page


@pytest.fixture
async def store(redis_site: Site) -> AsyncIterator[Store]:
    async with Store(redis_site.variables["REDIS_URL"]) as one:
        yield one


def names(findings: Findings) -> set[str]:
    return {name for name, found in vars(findings).items() if found}


async def test_an_honest_run_has_no_findings(redis_site: Site, store: Store) -> None:
    ledger, page = await played(redis_site)
    assert names(await check(ledger, [page], store)) == set()
    assert len(ledger.acknowledged) >= COMMANDS / 2
    assert ledger.rolls
    await page.close()


def _lose(ledger: Ledger, page: Page) -> None:
    ledger.acknowledged[b"?" * 16] = (page.table.session, 5)


def _refuse(ledger: Ledger, _: Page) -> None:
    command, where = next(reversed(ledger.acknowledged.items()))
    del ledger.acknowledged[command]
    ledger.refused[command] = (where[0], "stale")


def _change_a_roll(ledger: Ledger, _: Page) -> None:
    roll, (one, other) = next(iter(ledger.rolls.items()))
    ledger.rolls[roll] = (one % 6 + 1, other)


def _patch(ledger: Ledger, page: Page) -> None:
    story = ledger.stories[0][page.table.session]
    last = story[-1]
    story[-1] = Told(last.version, last.id, b"?" * 16, patched=True)


def _show_something_else(_: Ledger, page: Page) -> None:
    assert page.seat is not None
    page.seat.view["score"] = [6, 6]


@pytest.mark.parametrize(
    ("tamper", "found"),
    [
        (_lose, "lost"),
        (_refuse, "ghosts"),
        (_change_a_roll, "dice"),
        (_patch, "patched"),
        (_show_something_else, "unequal"),
    ],
)
async def test_what_was_told_and_is_not_so_is_found(
    redis_site: Site, store: Store, tamper: Callable[[Ledger, Page], None], found: str
) -> None:
    ledger, page = await played(redis_site)
    tamper(ledger, page)
    assert names(await check(ledger, [page], store)) == {found}
    await page.close()


async def test_a_log_that_lost_its_end_is_found(redis_site: Site, store: Store) -> None:
    ledger, page = await played(redis_site)
    assert page.seat is not None
    async with Client.from_url(redis_site.variables["REDIS_URL"]) as client:
        await client.xdel(log_key(page.table.session), f"{page.seat.version}-0")
    findings = await check(ledger, [page], store)
    assert findings.forgotten == 1
    assert "unequal" in names(findings)
    await page.close()
