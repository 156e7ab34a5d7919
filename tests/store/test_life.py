"""How long sessions are kept: every commit renews, nothing that can still be played is dropped early."""

import asyncio
import os

from redis.asyncio import Redis as Client

from gameserver.store import Appended, Policy, Store
from gameserver.store.keys import ages_key, log_key, secrets_key, shard_of

from .servers import Server

SHORT = Policy(finished_ms=60_000, abandoned_ms=3_600_000)


async def _played(store: Store, commits: int, *, finished: bool) -> tuple[bytes, list[bytes]]:
    session, ids = os.urandom(16), [os.urandom(16) for _ in range(commits)]
    for version, (last, each) in enumerate(zip([None, *ids], ids, strict=False)):
        secret = (1, b"s" * 32) if version == 0 else None
        over = finished and version == commits - 1
        outcome = await store.log.append(
            session, version, last, each, b"x", computer_due=False, finished=over, secret=secret
        )
        assert outcome == Appended(version + 1)
    return session, ids


async def test_a_session_is_kept_longer_while_it_can_go_on(server: Server) -> None:
    async with Store(server.url, SHORT) as store, Client.from_url(server.url) as client:
        live, ids = await _played(store, 3, finished=False)
        over, _ = await _played(store, 3, finished=True)
        for key in (log_key, secrets_key):
            assert 3_500_000 < await client.pttl(key(live)) <= 3_600_000
            assert 50_000 < await client.pttl(key(over)) <= 60_000
        await client.pexpire(log_key(live), 5_000)
        await client.pexpire(secrets_key(live), 5_000)
        await store.log.append(live, 3, ids[-1], os.urandom(16), b"x", computer_due=False)
        for key in (log_key, secrets_key):
            assert await client.pttl(key(live)) > 3_500_000, "every commit renews"


async def test_reading_and_refused_appends_renew_nothing(server: Server) -> None:
    async with Store(server.url, SHORT) as store, Client.from_url(server.url) as client:
        session, ids = await _played(store, 2, finished=False)
        await client.pexpire(log_key(session), 5_000)
        await store.log.read(session)
        await store.log.append(session, 0, None, os.urandom(16), b"y", computer_due=False)
        await store.log.append(session, 1, ids[0], ids[1], b"x", computer_due=False)
        assert await client.pttl(log_key(session)) <= 5_000


async def test_the_store_drops_what_is_over(server: Server) -> None:
    async with Store(server.url, Policy(finished_ms=100, abandoned_ms=3_600_000)) as store:
        live, _ = await _played(store, 2, finished=False)
        over, _ = await _played(store, 2, finished=True)
        while await store.log.version(over):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert await store.log.secret(over, 1) is None
        assert await store.log.version(live) == 2


async def test_where_archiving_is_on_nothing_expires(server: Server) -> None:
    archiving = Policy(finished_ms=50, abandoned_ms=60, archive=True)
    async with (
        Store(server.url, SHORT) as before,
        Store(server.url, archiving) as store,
        Client.from_url(server.url) as client,
    ):
        session, ids = await _played(before, 2, finished=False)
        assert await client.pttl(log_key(session)) > 0
        await store.log.append(session, 2, ids[-1], os.urandom(16), b"x", computer_due=False)
        finished, _ = await _played(store, 2, finished=True)
        for key in (log_key(session), secrets_key(session), log_key(finished), secrets_key(finished)):
            assert await client.pttl(key) == -1, "not even what would have expired before it was switched on"
        assert await client.zscore(ages_key(shard_of(session)), session) is not None
        assert await client.zscore(ages_key(shard_of(finished)), finished) is not None
