"""Sessions by the wire, on the real servers and both kinds of store: what docs/protocol.md promises to a client."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import AsyncIterator
from typing import Any

import pytest

from ..conftest import Site
from .client import Refused, Seat, Visitor

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:61:0:0:0:0:10"

Seen = tuple[int, bytes | None, dict[str, Any]]


@pytest.fixture
async def visitor(site: Site) -> Visitor:
    """A new player whose computer wastes no time."""
    visitor = await Visitor.arrive(site.origin)
    await visitor.set_settings(pace="instant")
    return visitor


@pytest.fixture
async def seat(visitor: Visitor) -> AsyncIterator[Seat]:
    """A session whose player is to move, with nothing moved yet."""
    seat = await visitor.open(await visitor.start("beginner"))
    await until_moving(seat)
    yield seat
    await seat.close()


async def until_moving(seat: Seat, choose: random.Random | None = None) -> None:
    """Go on to a turn of the player in which something can be moved."""
    choose = choose or random.Random(1)
    while seat.view["phase"] != "moving" or seat.view["moves"]:
        await seat.step(choose)


def seen(seat: Seat) -> Seen:
    return seat.version, seat.last, seat.view


async def truth(visitor: Visitor, session: bytes) -> Seen:
    """What somebody who comes new is told."""
    seat = await visitor.open(session)
    await seat.close()
    return seen(seat)


def a_move(seat: Seat, choice: int = 0, base: tuple[int, bytes | None] | None = None) -> dict[str, Any]:
    source, path, _ = seat.view["options"][choice]
    return seat.command("move", base, **{"from": source, "dice": path[::2]})


# --- Playing


async def test_a_match_is_played_to_its_end_and_the_clients_picture_is_the_servers(visitor: Visitor) -> None:
    session = await visitor.start("beginner", 5)
    seat = await visitor.open(session)
    await seat.play_on(random.Random(5), quick=True)
    assert seat.view["phase"] == "match-over"
    assert max(seat.view["score"]) >= 5
    assert seat.view["may"] == []
    assert seen(seat) == await truth(visitor, session)
    assert (await visitor.lobby())["unfinished"] == []
    await seat.close()


async def test_two_seats_of_one_session_are_both_live_and_no_step_is_done_twice(site: Site, visitor: Visitor) -> None:
    session = await visitor.start("beginner")
    elsewhere = Visitor(site.origins[-1], visitor.cookie)
    seats = [await visitor.open(session), await elsewhere.open(session)]
    choose = random.Random(7)
    steps = 0
    while seats[0].view["phase"] != "match-over" and steps < 60:
        mover, other = choose.sample(seats, 2)
        await mover.step(choose)
        steps += 1
        while other.version < mover.version:
            await other.receive()
        assert seen(other) == seen(mover) or other.version > mover.version
        while mover.version < other.version:
            await mover.receive()
    for one in seats:
        await one.until_mine()
        assert [frame["t"] for frame in one.heard].count("snapshot") == 1
    for one in seats:
        await one.close()
    assert seen(seats[0]) == seen(seats[1]) == await truth(visitor, session)


async def test_both_seats_are_told_how_many_watch(visitor: Visitor) -> None:
    session = await visitor.start()
    first = await visitor.open(session)
    second = await visitor.open(session)
    assert (await first.until(lambda frame: frame["t"] == "watching"))["pages"] == 2
    await second.close()
    assert (await first.until(lambda frame: frame["t"] == "watching"))["pages"] == 1
    await first.close()


async def test_commands_sent_in_a_row_each_on_the_one_before_are_all_carried_out(visitor: Visitor) -> None:
    await visitor.set_settings(auto_end=False)
    seat = await visitor.open(await visitor.start("beginner", position=OPENING))
    await until_moving(seat)
    version = seat.version
    one = seat.command("move", None, **{"from": 13, "dice": [6]})
    two = seat.command("move", (version + 1, one["id"]), **{"from": 8, "dice": [1]})
    three = seat.command("undo", (version + 2, two["id"]))
    four = seat.command("undo", (version + 3, three["id"]))
    before = seat.view["board"]
    for command in (one, two, three, four):
        await seat.send(command)
    await seat.answer_to(four["id"])
    assert seat.version == version + 4
    assert seat.view["board"] == before
    await seat.close()


async def test_where_one_command_of_a_row_is_refused_those_after_it_are_refused_too(
    visitor: Visitor, seat: Seat
) -> None:
    before = seen(seat)
    one = seat.command("move", None, **{"from": 25, "dice": [1]})
    two = seat.command("roll", (seat.version + 1, one["id"]))
    three = seat.command("undo", (seat.version + 2, two["id"]))
    for command in (one, two, three):
        await seat.send(command)
    codes = []
    for command in (one, two, three):
        with pytest.raises(Refused) as refused:
            await seat.answer_to(command["id"])
        codes.append(refused.value.code)
    assert codes == ["illegal-move", "stale", "stale"]
    assert seen(seat) == before == await truth(visitor, seat.session)


# --- Sessions of the trade: what links and servers do to commands


async def test_s01_of_two_moves_on_one_state_one_is_applied_and_the_other_gets_the_truth(
    visitor: Visitor, seat: Seat
) -> None:
    lost, instead = a_move(seat), a_move(seat, -1)
    other = await visitor.open(seat.session, seen=(seat.version, seat.last))
    await seat.send(lost)
    await seat.answer_to(lost["id"])
    await other.send(instead)
    with pytest.raises(Refused) as refused:
        await other.answer_to(instead["id"])
    assert refused.value.code == "stale"
    assert seen(other) == seen(seat)
    await other.close()


async def test_s02_a_doubled_command_is_done_and_not_done_again(visitor: Visitor, seat: Seat) -> None:
    move = a_move(seat)
    await seat.acknowledged(move)
    version = seat.version
    assert await seat.acknowledged(move) == {"t": "done", "id": move["id"], "version": version}
    assert (await truth(visitor, seat.session))[0] == version


async def test_s02_a_doubled_command_is_done_also_when_it_is_made_anew_for_the_present_state(
    visitor: Visitor, seat: Seat
) -> None:
    move = a_move(seat)
    await seat.acknowledged(move)
    version = seat.version
    other = await visitor.open(seat.session)
    rebased = {**move, "base": [version, move["id"]]}
    assert (await other.acknowledged(rebased))["t"] == "done"
    assert (await truth(visitor, seat.session))[0] == version
    await other.close()


async def test_s02_a_command_doubled_by_way_of_another_server_is_applied_once(redis_site: Site) -> None:
    visitor = await Visitor.arrive(redis_site.origins[0])
    await visitor.set_settings(pace="instant")
    seat = await visitor.open(await visitor.start("beginner"))
    await until_moving(seat)
    # The other server knew the session before; nobody watches it there when the move is made here.
    elsewhere = Visitor(redis_site.origins[1], visitor.cookie)
    await (await elsewhere.open(seat.session)).close()
    move = a_move(seat)
    await seat.acknowledged(move)
    other = await elsewhere.open(seat.session)
    for doubled in (move, {**move, "base": [seat.version, seat.last]}):
        assert (await other.acknowledged(doubled))["version"] == seat.version
    assert seen(other) == seen(seat)
    await other.close()
    await seat.close()


async def test_s04_a_ping_is_answered_with_the_version_that_the_store_holds(visitor: Visitor, seat: Seat) -> None:
    fresh = await Seat.connect(visitor)
    assert await fresh.ping(7) == 0
    assert await seat.ping(8) == seat.version
    other = await visitor.open(seat.session)
    await other.acknowledged(a_move(other))
    assert await seat.ping(9) == other.version
    await other.close()
    await fresh.close()


async def test_s11_a_client_with_a_gap_says_hello_and_gets_what_it_misses(visitor: Visitor, seat: Seat) -> None:
    stopped = await visitor.open(seat.session)
    version, last, view = seen(stopped)
    await stopped.close()
    await seat.acknowledged(a_move(seat))
    await seat.do("undo")
    await seat.acknowledged(a_move(seat))
    back = Seat((await Seat.connect(visitor)).socket, seat.session, version, last, view)
    await back.hello(seat.session, version, last)
    assert [frame["t"] for frame in back.heard] == ["diff", "diff", "diff"]
    assert seen(back) == seen(seat)
    await back.close()


@pytest.mark.parametrize("last", [None, b"?" * 16])
async def test_s11_whoever_has_seen_something_else_gets_a_snapshot(
    visitor: Visitor, seat: Seat, last: bytes | None
) -> None:
    await seat.acknowledged(a_move(seat))
    for version in (seat.version - 1, seat.version, seat.version + 1, 2**63):
        back = await Seat.connect(visitor)
        await back.hello(seat.session, version, last)
        assert [frame["t"] for frame in back.heard] == ["snapshot"]
        assert seen(back) == seen(seat)
        await back.close()


async def test_s14_move_undo_move_in_quick_succession_are_one_step_each(visitor: Visitor, seat: Seat) -> None:
    version, board = seat.version, seat.view["board"]
    one = a_move(seat)
    two = seat.command("undo", (version + 1, one["id"]))
    three = a_move(seat, 0, (version + 2, two["id"]))
    for command in (one, two, three):
        await seat.send(command)
    await seat.answer_to(one["id"])
    moved = seat.view["board"]
    await seat.answer_to(two["id"])
    assert seat.view["board"] == board
    await seat.answer_to(three["id"])
    assert seat.view["board"] == moved
    assert seat.version == version + 3


async def test_s24_of_writers_at_two_servers_on_one_version_one_is_refused(redis_site: Site) -> None:
    visitor = await Visitor.arrive(redis_site.origins[0])
    elsewhere = Visitor(redis_site.origins[1], visitor.cookie)
    await visitor.set_settings(pace="instant", auto_end=False)
    here = await visitor.open(await visitor.start("beginner"))
    there = await elsewhere.open(here.session)
    choose = random.Random(24)
    refusals = 0
    for _ in range(12):
        await until_moving(here, choose)
        while there.version < here.version:
            await there.receive()
        version = here.version
        commands = a_move(here), a_move(there, -1)
        outcomes = await asyncio.gather(
            here.acknowledged(commands[0]), there.acknowledged(commands[1]), return_exceptions=True
        )
        refused = [outcome for outcome in outcomes if isinstance(outcome, Refused)]
        assert [each.code for each in refused] == ["stale"]
        refusals += len(refused)
        assert await here.ping() == await there.ping() == version + 1
        while here.version < version + 1:
            await here.receive()
        while there.version < version + 1:
            await there.receive()
        assert seen(here) == seen(there)
        while here.view["phase"] == "moving":
            await here.step(choose)
    assert refusals == 12
    await here.close()
    await there.close()


# --- Commands about the session


async def test_leaving_takes_back_the_moves_of_the_turn_and_keeps_the_roll(visitor: Visitor, seat: Seat) -> None:
    board, dice = seat.view["board"], seat.view["dice"]
    await seat.acknowledged(a_move(seat))
    await seat.do("leave")
    assert seat.view["board"] == board
    assert seat.view["dice"] == dice
    assert seen(seat) == await truth(visitor, seat.session)


async def test_a_restart_leads_to_the_session_that_takes_its_place(visitor: Visitor, seat: Seat) -> None:
    restart = seat.command("restart")
    await seat.acknowledged(restart)
    assert seat.view["phase"] == "dropped"
    successor = seat.view["successor"]
    assert [each["session"] for each in (await visitor.lobby())["unfinished"]] == [successor.hex()]
    assert (await seat.acknowledged(restart))["t"] == "done"
    with pytest.raises(Refused) as refused:
        await seat.do("roll")
    assert refused.value.code == "wrong-phase"
    await seat.hello(successor)
    assert seat.view["phase"] == "seed"
    assert seat.view["level"] == "beginner"


async def test_a_player_with_as_many_sessions_as_are_kept_can_restart_one(embedded_site: Site) -> None:
    visitor = await Visitor.arrive(embedded_site.origin)
    sessions = [await visitor.start() for _ in range(50)]
    listed = [each["session"] for each in (await visitor.lobby())["unfinished"]]
    assert listed == [session.hex() for session in reversed(sessions)]
    seat = await visitor.open(sessions[-1])
    await seat.do("restart")
    await seat.hello(seat.view["successor"])
    assert (await visitor.lobby())["unfinished"][0]["session"] == seat.session.hex()
    await seat.close()


async def test_options_are_the_sessions_and_are_seen_by_every_page(visitor: Visitor, seat: Seat) -> None:
    wanted = {"pace": "fast", "auto_end": False, "auto_forced": True, "auto_bear_off": True}
    other = await visitor.open(seat.session)
    await seat.do("options", **wanted)
    assert seat.view["options_set"] == wanted
    while other.version < seat.version:
        await other.receive()
    assert other.view["options_set"] == wanted
    await other.close()


async def test_a_play_in_words_moves_all_that_it_names(visitor: Visitor) -> None:
    seat = await visitor.open(await visitor.start(position=OPENING))
    await until_moving(seat)
    for text, code in (
        ("8/2 6/5/4", "illegal-move"),
        ("8/x", "unreadable"),
        ("", "unreadable"),
        ("13/7 8/7*", "illegal-move"),
    ):
        with pytest.raises(Refused) as refused:
            await seat.do("play", text=text)
        assert refused.value.code == code, (text, refused.value.frame["text"])
    await seat.do("play", text="13/7 8/7")
    assert seat.view["record"][-1][:4] == [0, 6, 1, "13/7 8/7"]
    await seat.close()


@pytest.mark.parametrize(
    ("kind", "fields", "code"),
    [
        ("roll", {}, "wrong-phase"),
        ("seed", {"seed": b"s" * 32}, "wrong-phase"),
        ("end", {}, "wrong-phase"),
        ("next", {}, "wrong-phase"),
        ("undo", {}, "nothing-to-undo"),
        ("move", {"from": 25, "dice": [1]}, "illegal-move"),
        ("move", {"from": 24, "dice": [6, 6, 6, 6]}, "illegal-move"),
    ],
)
async def test_what_may_not_be_done_now_is_refused_with_its_code_and_the_truth(
    seat: Seat, kind: str, fields: dict[str, Any], code: str
) -> None:
    if seat.view["dice"]["values"] == [6, 6]:
        await seat.acknowledged(a_move(seat))
        pytest.skip("sixes were rolled")
    before = seen(seat)
    with pytest.raises(Refused) as refused:
        await seat.do(kind, **fields)
    assert refused.value.code == code
    assert refused.value.frame["snapshot"]["view"] == before[2]
    assert seen(seat) == before


async def test_a_command_before_hello_and_another_protocol_are_refused(visitor: Visitor) -> None:
    seat = await Seat.connect(visitor)
    with pytest.raises(Refused) as refused:
        await seat.do("roll")
    assert refused.value.code == "not-open"
    await seat.send({"t": "hello", "protocol": 2, "session": os.urandom(16), "version": 0, "last": None})
    assert (await seat.receive())["code"] == "protocol"
    await seat.close()


async def test_one_socket_can_go_from_one_session_to_another(visitor: Visitor) -> None:
    first, second = [await visitor.start() for _ in range(2)]
    seat = await visitor.open(first)
    await seat.hello(second)
    await seat.do("seed", seed=os.urandom(32))
    assert (await truth(visitor, first))[0] == 1
    watcher = await visitor.open(first)
    assert watcher.heard == [] or all(frame["t"] == "snapshot" for frame in watcher.heard)
    await watcher.close()
    await seat.close()


# --- Whose session it is


async def test_s10_anothers_session_is_answered_as_one_that_never_was(site: Site, visitor: Visitor, seat: Seat) -> None:
    stranger = await Visitor.arrive(site.origin)
    other = await Seat.connect(stranger)
    answers: list[Any] = []
    for session in (seat.session, os.urandom(16)):
        await other.send({"t": "hello", "protocol": 1, "session": session, "version": 0, "last": None})
        answers.append(await other.receive())
        with pytest.raises(Refused) as refused:
            await other.do("leave")
        assert refused.value.code == "not-open"
        status, headers, body = await stranger.request("GET", f"/api/sessions/{session.hex()}/record")
        answers.append((status, body, sorted(headers)))
    assert answers[:2] == answers[2:]
    assert answers[0]["code"] == "no-session"
    assert answers[1][0] == 404
    await other.close()
    assert seen(seat) == await truth(visitor, seat.session)
