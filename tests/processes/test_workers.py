"""The computer's workers: killed, stopped in the middle, and several at once, on the real programs."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import AsyncIterator
from itertools import pairwise

import pytest
from redis import Redis

from gameserver.store import HintPending, Store
from gameserver.store.hints import HintDesk
from gameserver.store.keys import finished_key, unfinished_key

from ..protocol.client import Refused, Seat, Visitor
from ..store.servers import wait_until
from .programs import SECRET_KEY, Program, running

ITS_LAST_CHECKER = "XGID=" + "-" * 13 + "C" + "-" * 10 + "a-:0:0:1:00:0:0:0:0:10"


@pytest.fixture
async def origin(redis_url: str) -> AsyncIterator[str]:
    """A server without a worker, on a store where no other test's worker is."""
    with running("serve", REDIS_URL=redis_url + "/1", SECRET_KEY=SECRET_KEY) as server:
        yield server.address()


def worker(redis_url: str, *arguments: str) -> Program:
    return Program("computer", *arguments, REDIS_URL=redis_url + "/1", SECRET_KEY=SECRET_KEY)


async def until_the_computer_is_due(origin: str, choose: random.Random) -> Seat:
    """A session in which nobody has played the computer's turn yet."""
    visitor = await Visitor.arrive(origin)
    await visitor.set_settings(pace="instant")
    seat = await visitor.open(await visitor.start("beginner"))
    while seat.view["phase"] != "computer":
        await seat.step(choose)
    return seat


async def until_the_player_moves(origin: str, choose: random.Random) -> Seat:
    """A session in which the player has rolled first."""
    while True:
        visitor = await Visitor.arrive(origin)
        seat = await visitor.open(await visitor.start("beginner"))
        while seat.view["phase"] in {"seed", "to-roll"}:
            await seat.step(choose)
        if seat.view["phase"] == "moving":
            return seat
        await seat.close()


async def test_turns_wait_for_a_worker_and_two_workers_play_each_just_once(origin: str, redis_url: str) -> None:
    choose = random.Random(1)
    seats = [await until_the_computer_is_due(origin, choose) for _ in range(6)]
    turns = [len(seat.view["record"]) for seat in seats]
    workers = [worker(redis_url, "--threads", "2") for _ in range(2)]
    try:
        for one in workers:
            one.until_it_says(": begins")
        for seat, before in zip(seats, turns, strict=True):
            assert await seat.until_mine() in {"to-roll", "game-over", "match-over"}
            assert len(seat.view["record"]) == before + 1
        for seat in seats:
            await seat.play_on(choose, 12)
            sides = [side for side, *_ in seat.view["record"]]
            assert all(one != other for one, other in pairwise(sides)), sides
            await seat.close()
    finally:
        assert [one.stop() for one in workers] == [0, 0]


async def test_a_game_that_the_computer_won_makes_room_without_a_look_at_the_lobby(origin: str, redis_url: str) -> None:
    visitor = await Visitor.arrive(origin)
    await visitor.set_settings(pace="instant")
    session = await visitor.start(position=ITS_LAST_CHECKER)
    player = visitor.cookie.partition("=")[2].partition(".")[0]
    with running("computer", REDIS_URL=redis_url + "/1"), Redis.from_url(redis_url + "/1") as store:
        seat = await visitor.open(session)
        await seat.play_on(random.Random(3))
        assert seat.view["phase"] == "match-over"
        finished, unfinished = finished_key(bytes.fromhex(player)), unfinished_key(bytes.fromhex(player))
        await asyncio.to_thread(wait_until, lambda: store.zrange(finished, 0, -1) == [session])
        assert store.zrange(unfinished, 0, -1) == []


async def test_a_hint_that_a_move_overtook_is_refused_at_once_and_keeps_no_other_waiting(
    origin: str, redis_url: str
) -> None:
    choose = random.Random(4)
    seat = await until_the_player_moves(origin, choose)
    overtaken = seat.command("hint")
    await seat.send(overtaken)
    await seat.step(choose)
    with pytest.raises(Refused, match="stale"):  # and not, seconds later, that there was no time for it
        await seat.answer_to(overtaken["id"])


async def test_a_worker_lets_a_hint_go_that_a_move_overtook(origin: str, redis_url: str) -> None:
    seat = await until_the_player_moves(origin, random.Random(5))
    async with Store(redis_url + "/1") as store:
        desk = HintDesk(store.commands, pending_ms=3_600_000)
        assert await desk.ask(seat.session, seat.version, os.urandom(16), b"") is None
        with running("computer", REDIS_URL=redis_url + "/1"):
            async with asyncio.timeout(60):
                while not await may_be_asked(desk, seat):  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
        await desk.close()


async def test_a_turn_that_was_set_aside_comes_back_while_its_page_stays_open(origin: str, redis_url: str) -> None:
    seat = await until_the_computer_is_due(origin, random.Random(6))
    async with Store(redis_url + "/1") as store:
        (turn,) = await store.turns.take("one", 10, 5_000)
        await store.turns.done(turn)
        assert await seat.ping() == seat.version
        (again,) = await store.turns.take("one", 10, 5_000)
        assert (again.session, again.version) == (seat.session, seat.version)


async def may_be_asked(desk: HintDesk, seat: Seat) -> bool:
    assert seat.last is not None
    try:
        await desk.ask(seat.session, seat.version, seat.last, b"")
    except HintPending:
        return False
    return True


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
async def test_the_turn_of_a_worker_that_died_or_hangs_is_taken_over(
    origin: str, redis_url: str, number: signal.Signals
) -> None:
    choose = random.Random(2)
    first = worker(redis_url)
    try:
        seat = await until_the_computer_is_due(origin, choose)
        await seat.until_mine()  # the worker is at work
        os.kill(first.pid, signal.SIGSTOP)
        while seat.view["phase"] != "computer":
            await seat.step(choose)
        version = seat.version
        os.kill(first.pid, number)
        with running("computer", REDIS_URL=redis_url + "/1", SECRET_KEY=SECRET_KEY):
            await seat.until_mine()
            assert seat.version == version + 1
            if number is signal.SIGSTOP:
                os.kill(first.pid, signal.SIGCONT)
                assert first.stop() == 0
            await seat.play_on(choose, 8)
            await seat.until_mine()  # the last step may have given the turn to the computer
        assert await seat.ping() == seat.version
        sides = [side for side, *_ in seat.view["record"]]
        assert all(one != other for one, other in pairwise(sides)), sides
        await seat.close()
    finally:
        if first.runs:
            first.kill()
