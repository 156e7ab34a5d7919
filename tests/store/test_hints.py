"""Hints: asked for once, answered to everybody, kept for a while, bounded."""

import asyncio
from collections.abc import Callable

import pytest

from gameserver.store import HintAnswer, HintPending, HintRequest, Overloaded, Store
from gameserver.store.hints import HintDesk

from .servers import Server, eventually
from .test_follow import Page

NewId = Callable[[], bytes]


async def test_an_answer_comes_to_every_follower_and_is_kept(server: Server, new_id: NewId) -> None:
    session, commit = new_id(), new_id()
    pages = [Page(), Page()]
    async with Store(server.url) as one, Store(server.url) as other, Store(server.url) as worker:
        await one.follower.follow(session, pages[0])
        await other.follower.follow(session, pages[1])
        assert await one.hints.ask(session, 7, commit, b"best play?") is None
        (request,) = await worker.hints.take(5, 5_000)
        assert request == HintRequest(session, 7, commit, b"best play?")
        await worker.hints.answer(request, b"24/18")
        await eventually(lambda: all(page.hints for page in pages))
        assert pages[0].hints == pages[1].hints == [HintAnswer(7, commit, b"24/18")]
        assert await other.hints.ask(session, 7, commit, b"best play?") == b"24/18"
        assert await worker.hints.take(5, 1) == []


async def test_one_hint_of_a_session_is_worked_out_at_a_time(store: Store, new_id: NewId) -> None:
    session, commit = new_id(), new_id()
    assert await store.hints.ask(session, 7, commit, b"?") is None
    assert await store.hints.ask(session, 7, commit, b"?") is None, "the same again waits for the same answer"
    with pytest.raises(HintPending):
        await store.hints.ask(session, 8, new_id(), b"?")
    requests = await store.hints.take(5, 1)
    assert len(requests) == 1
    await store.hints.answer(requests[0], b"!")
    later = new_id()
    assert await store.hints.ask(session, 8, later, b"?") is None, "an answer about an older commit is none"
    assert [request.commit_id for request in await store.hints.take(5, 1)] == [later]


async def test_a_request_that_is_let_go_leaves_room_for_the_next_and_only_for_it(store: Store, new_id: NewId) -> None:
    session, commit, later = new_id(), new_id(), new_id()
    assert await store.hints.ask(session, 7, commit, b"?") is None
    (old,) = await store.hints.take(5, 1)
    await store.hints.drop(old)
    assert await store.hints.ask(session, 8, later, b"?") is None
    await store.hints.drop(old)
    await store.hints.answer(old, b"!")
    with pytest.raises(HintPending):
        await store.hints.ask(session, 9, new_id(), b"?")


async def test_a_hint_that_died_with_its_worker_can_be_asked_for_again(store: Store, new_id: NewId) -> None:
    desk = HintDesk(store.commands, pending_ms=50)
    session, commit = new_id(), new_id()
    assert await desk.ask(session, 7, commit, b"?") is None
    assert len(await desk.take(5, 1)) == 1
    async with asyncio.timeout(10):
        while not (requests := await desk.take(5, 10)):
            assert await desk.ask(session, 7, commit, b"?") is None
    assert requests[0].commit_id == commit
    await desk.close()


async def test_the_queue_is_bounded(store: Store, new_id: NewId) -> None:
    desk = HintDesk(store.commands, max_queued=3)
    for _ in range(3):
        assert await desk.ask(new_id(), 1, new_id(), b"?") is None
    late = new_id()
    with pytest.raises(Overloaded, match="hints"):
        await desk.ask(late, 1, late, b"?")
    assert len(await desk.take(2, 1)) == 2
    assert await desk.ask(late, 1, late, b"?") is None, "a refusal leaves no mark"
    assert len(await desk.take(5, 1)) == 2
    await desk.close()


async def test_a_request_wakes_a_worker_that_waits(store: Store, new_id: NewId) -> None:
    waiting = asyncio.create_task(store.hints.take(5, 60_000))
    await asyncio.sleep(0.05)
    session = new_id()
    await store.hints.ask(session, 1, session, b"?")
    async with asyncio.timeout(5):
        assert [request.session for request in await waiting] == [session]
