"""What followers hear, and that they are told when they may have missed something."""

import asyncio
from collections.abc import Callable
from functools import partial

import pytest

from gameserver.store import Appended, Entry, HintAnswer, Store, StoreUnavailable
from gameserver.store.follow import Follower
from gameserver.store.watching import Watched

from .servers import Proxy, Server, eventually

NewId = Callable[[], bytes]


class Page:
    """A watcher that writes down what it hears."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.befores: list[bytes | None] = []
        self.hints: list[HintAnswer] = []
        self.watchings: list[Watched] = []
        self.resyncs = 0

    def appended(self, entry: Entry, after: bytes | None) -> None:
        self.entries.append(entry)
        self.befores.append(after)

    def has_heard(self, version: int) -> bool:
        return bool(self.entries) and self.entries[-1].version == version

    def hint_answered(self, answer: HintAnswer) -> None:
        self.hints.append(answer)

    def watched(self, told: Watched) -> None:
        self.watchings.append(told)

    def resync(self) -> None:
        self.resyncs += 1


async def test_every_follower_hears_every_commit_in_order(server: Server, new_id: NewId) -> None:
    session, ids = new_id(), [new_id() for _ in range(50)]
    async with Store(server.url) as one, Store(server.url) as other:
        pages = [Page(), Page()]
        await one.follower.follow(session, pages[0])
        await other.follower.follow(session, pages[1])
        for version, (last, each) in enumerate(zip([None, *ids], ids, strict=False)):
            await one.log.append(session, version, last, each, b"%d" % version, computer_due=False)
        await eventually(lambda: all(len(page.entries) == 50 for page in pages))
        assert pages[0].entries == pages[1].entries == await one.log.read(session)
        assert pages[0].befores == [None, *ids[:-1]]
        assert [page.resyncs for page in pages] == [0, 0]


async def test_every_follower_hears_how_many_watch(server: Server, new_id: NewId) -> None:
    session = new_id()
    async with Store(server.url) as one, Store(server.url) as other:
        pages = [Page(), Page()]
        await one.follower.follow(session, pages[0])
        await other.follower.follow(session, pages[1])
        await one.watching.tell(session, 3, asks=True)
        await other.watching.tell(session, 70_000, asks=False)
        await eventually(lambda: all(len(page.watchings) == 2 for page in pages))
        right = {Watched(one.watching.server, 3, True), Watched(other.watching.server, 70_000, False)}
        assert set(pages[0].watchings) == set(pages[1].watchings) == right


async def test_a_follower_hears_only_the_sessions_that_it_follows(store: Store, new_id: NewId) -> None:
    followed, left, other = new_id(), new_id(), new_id()
    page, former = Page(), Page()
    await store.follower.follow(followed, page)
    await store.follower.follow(left, former)
    store.follower.unfollow(left)
    store.follower.unfollow(other)
    for session in (left, other, followed):
        await store.log.append(session, 0, None, session, b"x", computer_due=False)
    await eventually(lambda: bool(page.entries))
    assert page.entries == [Entry(1, followed, b"x")]
    assert former.entries == []
    assert len(store.follower) == 1


async def test_refused_and_repeated_appends_are_not_heard(store: Store, new_id: NewId) -> None:
    session, page = new_id(), Page()
    await store.follower.follow(session, page)
    for commit in (session, session, new_id()):
        await store.log.append(session, 0, None, commit, b"x", computer_due=False)
    assert await store.log.append(session, 1, session, b"l" * 16, b"y", computer_due=False) == Appended(2)
    await eventually(lambda: len(page.entries) >= 2)
    assert [entry.version for entry in page.entries] == [1, 2]


async def test_a_session_can_be_left_and_followed_again_at_once(store: Store, new_id: NewId) -> None:
    session, former, page = new_id(), Page(), Page()
    for _ in range(20):
        await store.follower.follow(session, former)
        store.follower.unfollow(session)
    await store.follower.follow(session, page)
    await store.log.append(session, 0, None, session, b"x", computer_due=False)
    await eventually(lambda: bool(page.entries))
    assert former.entries == []


async def test_a_session_is_followed_once(store: Store, new_id: NewId) -> None:
    session = new_id()
    await store.follower.follow(session, Page())
    with pytest.raises(ValueError, match="already"):
        await store.follower.follow(session, Page())


async def test_a_watcher_that_fails_harms_no_other(store: Store, new_id: NewId) -> None:
    class Broken(Page):
        def appended(self, entry: Entry, after: bytes | None) -> None:
            raise RuntimeError(f"cannot take {entry.version}")

    failures: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(str(context["exception"])))
    bad, good, page = new_id(), new_id(), Page()
    await store.follower.follow(bad, Broken())
    await store.follower.follow(good, page)
    for session in (bad, good):
        await store.log.append(session, 0, None, session, b"x", computer_due=False)
    await eventually(lambda: bool(page.entries))
    assert failures == ["cannot take 1"]


async def test_after_the_store_restarted_every_follower_reads_on(server: Server, new_id: NewId) -> None:
    sessions = [new_id() for _ in range(30)]
    pages = {session: Page() for session in sessions}
    async with Store(server.url, patience=20) as store, Store(server.url, patience=20) as writer:
        await asyncio.gather(*(store.follower.follow(session, page) for session, page in pages.items()))
        for session in sessions:
            await writer.log.append(session, 0, None, session, b"x", computer_due=False)
        server.kill()
        server.start()
        await eventually(lambda: all(page.resyncs == 1 for page in pages.values()))
        for session in sessions:
            await writer.log.append(session, 1, session, new_id(), b"y", computer_due=False)
        await eventually(lambda: all(page.entries and page.entries[-1].version == 2 for page in pages.values()))


async def test_what_was_missed_while_the_connection_was_down_is_announced(
    proxy: Proxy, server: Server, new_id: NewId
) -> None:
    session, page = new_id(), Page()
    async with Store(proxy.url) as store, Store(server.url) as writer:
        await store.follower.follow(session, page)
        proxy.cut()
        await writer.log.append(session, 0, None, session, b"missed", computer_due=False)
        await eventually(lambda: page.resyncs == 1)
        assert [entry.payload for entry in await store.log.read(session)] == [b"missed"]
        await writer.log.append(session, 1, session, new_id(), b"heard", computer_due=False)
        await eventually(lambda: bool(page.entries) and page.entries[-1].payload == b"heard")


async def test_a_connection_that_went_silent_is_replaced(proxy: Proxy, new_id: NewId) -> None:
    session, page = new_id(), Page()
    async with Store(proxy.url) as store:
        follower = Follower(store.commands.nodes, ping_every=0.05)
        await follower.follow(session, page)
        proxy.replies_pass.clear()
        sent = proxy.requests
        await eventually(lambda: proxy.requests > sent)
        await asyncio.sleep(0.1)
        proxy.replies_pass.set()
        await eventually(lambda: page.resyncs >= 1)
        await follower.close()


async def test_a_quiet_connection_is_kept(store: Store, new_id: NewId) -> None:
    session, page = new_id(), Page()
    follower = Follower(store.commands.nodes, ping_every=0.5)
    await follower.follow(session, page)
    await asyncio.sleep(1.2)
    await store.log.append(session, 0, None, session, b"x", computer_due=False)
    await eventually(lambda: bool(page.entries))
    assert page.resyncs == 0
    await follower.close()


async def test_a_store_that_is_away_cannot_be_followed(proxy: Proxy, new_id: NewId) -> None:
    session, page = new_id(), Page()
    async with Store(proxy.url, patience=0.2) as store:
        proxy.replies_pass.clear()
        with pytest.raises(StoreUnavailable, match="cannot be followed"):
            await store.follower.follow(session, page)
        assert len(store.follower) == 0
        proxy.replies_pass.set()
        async with asyncio.timeout(20):
            while True:
                try:
                    await store.follower.follow(session, page)
                    break
                except StoreUnavailable:
                    continue
        await store.log.append(session, 0, None, session, b"x", computer_due=False)
        await eventually(lambda: bool(page.entries))


async def test_many_sessions_come_and_go_while_commits_flow(store: Store, new_id: NewId) -> None:
    """Whatever is followed and left meanwhile: after `follow` has returned, no commit is missed."""

    async def life() -> None:
        session, page, last = new_id(), Page(), None
        for version in range(10):
            if version % 2 == 0:
                await store.follower.follow(session, page)
            commit = new_id()
            await store.log.append(session, version, last, commit, b"x", computer_due=False)
            last = commit
            if version % 2 == 0:
                await eventually(partial(page.has_heard, version + 1))
                store.follower.unfollow(session)
        assert [entry.version for entry in page.entries] == [1, 3, 5, 7, 9]

    await asyncio.gather(*(life() for _ in range(50)))


async def test_it_can_be_closed_whenever_its_connection_fails(proxy: Proxy, new_id: NewId) -> None:
    for pause in range(40):
        store = Store(proxy.url)
        await store.follower.follow(new_id(), Page())
        proxy.cut()
        for _ in range(pause):
            await asyncio.sleep(0)
        async with asyncio.timeout(20):
            await store.close()
