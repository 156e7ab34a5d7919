"""Append on a base, read, and what becomes of an append whose reply is lost."""

import asyncio
import os
import random
from collections.abc import Callable

import pytest
from redis.asyncio import Redis as Client

from gameserver.store import Appended, Conflict, Entry, Head, Store, StoreError
from gameserver.store.keys import channel, log_key, secrets_key, shard_of, turns_key

from .servers import Proxy, Server

NewId = Callable[[], bytes]


async def test_what_is_appended_is_read_in_order(store: Store, new_id: NewId) -> None:
    session, ids = new_id(), [new_id() for _ in range(5)]
    for version, (last, each) in enumerate(zip([None, *ids], ids, strict=False)):
        outcome = await store.log.append(session, version, last, each, b"commit %d" % version, computer_due=False)
        assert outcome == Appended(version + 1)
    assert await store.log.read(session) == [Entry(n + 1, ids[n], b"commit %d" % n) for n in range(5)]
    assert await store.log.read(session, after=3) == [Entry(4, ids[3], b"commit 3"), Entry(5, ids[4], b"commit 4")]
    assert await store.log.read(session, after=1, limit=1) == [Entry(2, ids[1], b"commit 1")]
    assert await store.log.read(session, after=5) == []
    assert await store.log.head(session) == Head(5, ids[4])
    assert await store.log.version(session) == 5


async def test_a_session_that_is_unknown_is_empty(store: Store, new_id: NewId) -> None:
    session = new_id()
    assert await store.log.read(session) == []
    assert await store.log.head(session) is None
    assert await store.log.version(session) == 0
    assert await store.log.secret(session, 1) is None


async def test_heads_of_many_sessions_come_in_one_pipeline(store: Store, new_id: NewId) -> None:
    sessions = [new_id() for _ in range(100)]
    await asyncio.gather(*(store.log.append(each, 0, None, each, b"x", computer_due=False) for each in sessions[::2]))
    before = store.commands.pipelines
    heads = await store.log.heads(sessions)
    assert store.commands.pipelines == before + 1
    assert heads == [Head(1, each) if n % 2 == 0 else None for n, each in enumerate(sessions)]


async def test_a_version_that_was_read_is_stale_once_another_has_appended(store: Store, new_id: NewId) -> None:
    """Version 5 is read, another writer appends 6, then the first appends."""
    session, last = new_id(), None
    for version in range(5):
        commit = new_id()
        await store.log.append(session, version, last, commit, b"x", computer_due=False)
        last = commit
    read = await store.log.head(session)
    assert read is not None
    other = new_id()
    assert await store.log.append(session, *read, other, b"theirs", computer_due=False) == Appended(6)
    assert await store.log.append(session, *read, new_id(), b"mine", computer_due=True) == Conflict(6, other)
    assert [entry.payload for entry in await store.log.read(session, after=5)] == [b"theirs"]
    assert await store.turns.take("worker", 5, 0) == [], "a refused append queues nothing"


async def test_the_right_version_with_another_last_commit_is_refused(store: Store, new_id: NewId) -> None:
    session, first = new_id(), new_id()
    await store.log.append(session, 0, None, first, b"x", computer_due=False)
    assert await store.log.append(session, 1, new_id(), new_id(), b"y", computer_due=False) == Conflict(1, first)


async def test_a_base_beyond_the_head_is_refused(store: Store, new_id: NewId) -> None:
    session = new_id()
    assert await store.log.append(session, 7, new_id(), new_id(), b"y", computer_due=False) == Conflict(0, None)


async def test_of_many_appends_on_the_same_base_exactly_one_wins(server: Server, new_id: NewId) -> None:
    session, last, version = new_id(), None, 0
    async with Store(server.url) as one, Store(server.url) as other:
        for _ in range(20):
            ids = [new_id() for _ in range(10)]
            outcomes = await asyncio.gather(
                *(
                    random.choice([one, other]).log.append(session, version, last, each, each, computer_due=False)
                    for each in ids
                )
            )
            won = [each for each, outcome in zip(ids, outcomes, strict=True) if outcome == Appended(version + 1)]
            assert len(won) == 1
            assert outcomes.count(Conflict(version + 1, won[0])) == 9
            version, last = version + 1, won[0]
        assert await one.log.version(session) == 20


async def test_the_same_commit_again_is_a_success_even_when_others_followed(store: Store, new_id: NewId) -> None:
    session, first, second = new_id(), new_id(), new_id()
    for _ in range(3):
        assert await store.log.append(session, 0, None, first, b"x", computer_due=True) == Appended(1)
    assert await store.log.append(session, 1, first, second, b"y", computer_due=False) == Appended(2)
    assert await store.log.append(session, 0, None, first, b"x", computer_due=True) == Appended(1)
    assert await store.log.version(session) == 2
    assert len(await store.turns.take("worker", 5, 0)) == 1, "the turn is queued once"


async def test_the_same_id_with_other_contents_is_another_commit(server: Server, new_id: NewId) -> None:
    """One command sent to two servers: what the second decided must not pass for what the log holds."""
    session, first, twice = new_id(), new_id(), new_id()
    async with Store(server.url) as one, Store(server.url) as other:
        await one.log.append(session, 0, None, first, b"x", computer_due=False)
        assert await one.log.append(session, 1, first, twice, b"a move", computer_due=False) == Appended(2)
        assert await other.log.append(session, 1, first, twice, b"another", computer_due=False) == Conflict(2, twice)
        assert [entry.payload for entry in await other.log.read(session)] == [b"x", b"a move"]


async def test_an_append_whose_reply_is_lost_is_found_again(proxy: Proxy, server: Server, new_id: NewId) -> None:
    async with Store(proxy.url) as store, Store(server.url) as witness:
        session, first, second = new_id(), new_id(), new_id()
        await store.log.append(session, 0, None, first, b"x", computer_due=False)
        proxy.lose_next_reply = True
        assert await store.log.append(session, 1, first, second, b"y", computer_due=True) == Appended(2)
        assert not proxy.lose_next_reply
        assert [entry.id for entry in await witness.log.read(session)] == [first, second]
        assert len(await witness.turns.take("worker", 5, 0)) == 1


async def test_appends_by_two_writers_agree_with_a_simple_model(server: Server, new_id: NewId) -> None:
    """Random bases, right and stale, repeated ids: a list in memory says what must come of each."""
    rng = random.Random(8)
    session = new_id()
    model: list[bytes] = []
    async with Store(server.url) as one, Store(server.url) as other:
        for _ in range(400):
            version = max(0, len(model) - rng.choice([0, 0, 0, 0, 1, 2]))
            base = model[version - 1] if version else None
            again = version < len(model) and rng.random() < 0.5
            commit = model[version] if again else new_id()
            outcome = await rng.choice([one, other]).log.append(
                session, version, base, commit, commit, computer_due=False
            )
            if version == len(model):
                model.append(commit)
                assert outcome == Appended(version + 1)
            elif again:
                assert outcome == Appended(version + 1)
            else:
                assert outcome == Conflict(len(model), model[-1])
        assert await one.log.read(session) == [Entry(n + 1, each, each) for n, each in enumerate(model)]


async def test_a_secret_is_kept_with_its_commit_and_never_overwritten(store: Store, new_id: NewId) -> None:
    session, first, second = new_id(), new_id(), new_id()
    await store.log.append(session, 0, None, first, b"x", computer_due=False, secret=(1, b"s" * 32))
    assert await store.log.secret(session, 1) == b"s" * 32
    with pytest.raises(StoreError, match="another secret"):
        await store.log.append(session, 1, first, second, b"y", computer_due=True, secret=(1, b"t" * 32))
    assert await store.log.secret(session, 1) == b"s" * 32
    assert await store.log.version(session) == 1
    assert await store.log.append(
        session, 1, first, second, b"y", computer_due=False, secret=(2, b"t" * 32)
    ) == Appended(2)
    assert await store.log.secret(session, 2) == b"t" * 32


async def test_a_refused_append_keeps_no_secret(store: Store, new_id: NewId) -> None:
    session = new_id()
    await store.log.append(session, 0, None, new_id(), b"x", computer_due=False)
    await store.log.append(session, 0, None, new_id(), b"y", computer_due=False, secret=(1, b"s" * 32))
    assert await store.log.secret(session, 1) is None


async def test_a_secret_stands_in_its_own_key_and_nowhere_else(server: Server, store: Store, new_id: NewId) -> None:
    session, secret = new_id(), os.urandom(32)
    async with Client.from_url(server.url) as client, client.pubsub() as heard:
        await heard.ssubscribe(channel(session))
        assert (await heard.get_message(timeout=5))["type"] == "ssubscribe"
        await store.log.append(session, 0, None, new_id(), b"commit", computer_due=True, secret=(1, secret))
        message = await heard.get_message(timeout=5)
        assert message["data"].endswith(b"commit")
        assert secret not in message["data"]
        written = {key: await client.dump(key) or b"" for key in await client.keys("*")}
    expected = [log_key(session), secrets_key(session), turns_key(shard_of(session))]
    assert written.keys() == {key.encode() for key in expected}
    assert [key for key, dumped in written.items() if secret in dumped] == [secrets_key(session).encode()]


@pytest.mark.parametrize(
    ("version", "base", "commit"),
    [(0, b"b" * 16, b"c" * 16), (1, None, b"c" * 16), (-1, None, b"c" * 16), (0, None, b"c" * 15), (1, b"", b"c" * 16)],
)
async def test_nonsense_is_refused_before_it_is_sent(
    store: Store, version: int, base: bytes | None, commit: bytes
) -> None:
    with pytest.raises(ValueError, match=r"base|id"):
        await store.log.append(b"s" * 16, version, base, commit, b"x", computer_due=False)
    assert store.commands.pipelines == 0


async def test_a_full_store_refuses_as_a_whole(server: Server, store: Store, new_id: NewId) -> None:
    session = new_id()
    async with Client.from_url(server.url) as client:
        await client.config_set("maxmemory", "1mb")
        with pytest.raises(StoreError, match="cannot write"):
            await store.log.append(session, 0, None, new_id(), b"x", computer_due=True, secret=(1, b"s"))
        await client.config_set("maxmemory", "0")
        assert await client.keys("*") == []
    assert await store.log.append(session, 0, None, new_id(), b"x", computer_due=True) == Appended(1)
