"""One device joins another: the same player afterwards, with both devices' word, and nobody else's."""

from __future__ import annotations

import asyncio
import random

import pytest

from gameserver.web.devices import read_code

from ..conftest import Site
from ..protocol.client import Refused
from .visitors import CHROME_ON_ANDROID, Browser, RequestRefused


async def refused(work: object) -> tuple[int, str]:
    with pytest.raises(RequestRefused) as error:
        await work  # type: ignore[misc]
    return error.value.status, error.value.code


async def test_the_other_device_becomes_the_same_player(site: Site) -> None:
    first, second = await Browser.arrive(site.origins[0]), await Browser.arrive(site.origins[-1])
    await first.set_settings(theme="ink", pace="instant")
    session = await first.start()
    await second.join(first)

    assert await second.unfinished() == {session}
    assert (await second.lobby())["settings"]["theme"] == "ink"
    seats = await first.open(session), await second.open(session)
    choose = random.Random(7)
    for step in range(12):
        acting, watching = seats[step % 2], seats[1 - step % 2]
        await acting.step(choose)
        while watching.version < acting.version:
            await watching.receive()
        assert watching.view == acting.view
    for seat in seats:
        await seat.close()


async def test_the_code_is_short_hard_to_confuse_and_read_however_it_is_typed(site: Site) -> None:
    first = await Browser.arrive(site.origin)
    answer = await first.call("POST", "devices/invite")
    assert answer["seconds"] == 600
    code = answer["code"]
    assert len(code) == 9
    assert code[4] == "-"
    assert set(code) <= set("-0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    typed = code.lower().replace("-", " ").replace("0", "o").replace("1", "l")
    second = await Browser.arrive(site.origin)
    check = await second.ask(typed)
    assert (await first.asker(code))["check"] == check


@pytest.mark.parametrize(
    "typed",
    ["０１２３－ABCD", "0123–abcd", "0123\N{NON-BREAKING HYPHEN}ABCD", "0123\N{MINUS SIGN}ABCD", " 0123\xa0ABCD\n"],
)
def test_a_code_from_a_chinese_keyboard_or_pasted_is_read_as_meant(typed: str) -> None:
    assert read_code(typed) == "0123ABCD"


async def test_the_first_device_sees_who_asks_and_the_check_before_it_answers(site: Site) -> None:
    first, second = await Browser.arrive(site.origins[0]), await Browser.arrive(site.origins[-1])
    second.user_agent = CHROME_ON_ANDROID
    code = await first.invite()
    assert await first.asker(code) == {"state": "open"}
    check = await second.ask(code)
    assert len(check) == 2
    assert check.isdecimal()
    assert await first.asker(code) == {"state": "asked", "name": "Chrome, Android", "check": check}
    assert await second.ask(code) == check, "asking again asks for the same"
    assert await second.fetch_answer(code) == "asked"


async def test_without_approval_nothing_changes(site: Site) -> None:
    first, second = await Browser.arrive(site.origin), await Browser.arrive(site.origin)
    session = await first.start()
    code = await first.invite()
    await second.ask(code)
    before = second.cookie
    assert await second.fetch_answer(code) == "asked"
    assert await first.answer(code, approve=False) == "refused"
    assert await second.fetch_answer(code) == "refused"
    assert second.cookie == before
    assert session not in await second.unfinished()
    assert await first.answer(code, approve=True) == "refused", "the first answer counts"
    assert await second.fetch_answer(code) == "refused"


async def test_a_code_is_used_once(site: Site) -> None:
    first, second, third = [await Browser.arrive(site.origin) for _ in range(3)]
    code = await first.invite()
    asked = await asyncio.gather(second.ask(code), third.ask(code), return_exceptions=True)
    assert sorted(type(each).__name__ for each in asked) == ["RequestRefused", "str"]
    assert await first.answer(code, approve=True) == "approved"
    winner, loser = (second, third) if isinstance(asked[0], str) else (third, second)
    assert await refused(loser.fetch_answer(code)) == (404, "no-code")
    assert await winner.fetch_answer(code) == "approved"
    assert await refused(loser.ask(code)) == (404, "no-code")
    assert await refused(winner.ask(code)) == (409, "same-player")


async def test_an_answer_whose_reply_was_lost_is_fetched_again(site: Site) -> None:
    first, second = await Browser.arrive(site.origin), await Browser.arrive(site.origin)
    code = await first.invite()
    await second.ask(code)
    await first.answer(code, approve=True)
    before = second.cookie
    await second.fetch_answer(code)
    joined = second.cookies["shuanglu"].split(".")[:2]
    second.cookie = before
    await second.fetch_answer(code)
    assert second.cookies["shuanglu"].split(".")[:2] == joined
    assert len(await first.devices()) == 2


async def test_nobody_else_learns_anything_by_a_code(site: Site) -> None:
    first, second, stranger = [await Browser.arrive(site.origin) for _ in range(3)]
    code = await first.invite()
    await second.ask(code)
    for known in (code, "0000-0000", "nonsense", ""):
        assert await refused(stranger.asker(known)) == (404, "no-code")
        assert await refused(stranger.answer(known, approve=True)) == (404, "no-code")
        assert await refused(stranger.fetch_answer(known)) == (404, "no-code")
        assert await refused(stranger.ask(known)) == (404, "no-code")
    assert await first.asker(code) != {"state": "approved"}


async def test_the_player_who_invites_cannot_use_up_the_code(site: Site) -> None:
    first, second = await Browser.arrive(site.origin), await Browser.arrive(site.origin)
    code = await first.invite()
    assert await refused(first.ask(code)) == (409, "same-player")
    assert await second.ask(code)


async def test_tries_are_bounded_for_one_player_and_say_when_to_try_again(site: Site) -> None:
    stranger = await Browser.arrive(site.origin)
    answers = [await refused(stranger.ask(f"0000-{number:04}")) for number in range(21)]
    assert answers == [(404, "no-code")] * 20 + [(429, "too-many")]
    status, headers, _ = await stranger.request("POST", "/api/devices/join", {"code": "0000-0000", "games": "bring"})
    assert status == 429
    assert 1 <= int(headers["retry-after"]) <= 600


async def test_codes_are_bounded_for_one_player(site: Site) -> None:
    first = await Browser.arrive(site.origin)
    for _ in range(20):
        await first.invite()
    assert await refused(first.invite()) == (429, "too-many")


async def test_codes_that_are_open_do_not_let_more_devices_in_than_there_may_be(site: Site) -> None:
    first = await Browser.arrive(site.origin)
    codes = [await first.invite() for _ in range(20)]
    for code in codes[:-1]:
        await (await Browser.arrive(site.origin)).ask(code)
        await first.answer(code, approve=True)
    await (await Browser.arrive(site.origin)).ask(codes[-1])
    assert await refused(first.answer(codes[-1], approve=True)) == (409, "too-many")
    assert len(await first.devices()) == 20


async def test_games_that_come_along_are_played_on_both_devices(site: Site) -> None:
    first, second = await Browser.arrive(site.origins[0]), await Browser.arrive(site.origins[-1])
    mine, theirs = await first.start(), await second.start()
    # The first has its page open already when the second's games come.
    seat = await first.open(mine)
    with pytest.raises(Refused):
        await seat.hello(theirs)
    await second.join(first, "bring")

    assert await first.unfinished() == await second.unfinished() == {mine, theirs}
    for _ in range(100):
        try:
            await seat.hello(theirs)
            break
        except Refused:  # until word of it has come
            await asyncio.sleep(0.02)
    await seat.do("seed", seed=bytes(32))
    assert seat.session == theirs
    await first.record(theirs)
    await seat.until_mine()
    restarted = (await seat.do("restart"))["set"]["successor"]
    assert await first.unfinished() == await second.unfinished() == {mine, restarted}
    await seat.close()


async def test_games_that_came_along_once_come_along_again(site: Site) -> None:
    first, second, third = [await Browser.arrive(site.origin) for _ in range(3)]
    sessions = {await each.start() for each in (first, second, third)}
    await second.join(first, "bring")
    await first.join(third, "bring")
    assert await first.unfinished() == await third.unfinished() == sessions


async def test_games_that_stay_are_out_of_sight_and_come_back_at_the_sign_out(site: Site) -> None:
    first, second = await Browser.arrive(site.origins[0]), await Browser.arrive(site.origins[-1])
    mine, theirs = await first.start(), await second.start()
    await second.join(first, "leave")
    assert await first.unfinished() == await second.unfinished() == {mine}

    await second.call("DELETE", f"devices/{await second.device()}")
    back = await second.open_page()
    assert [summary["session"] for summary in back["unfinished"]] == [theirs.hex()]
    assert set(second.cookies) == {"shuanglu"}
    assert await first.unfinished() == {mine}


async def test_a_request_that_is_not_understood_says_why(site: Site) -> None:
    first = await Browser.arrive(site.origin)
    assert await refused(first.call("POST", "devices/join", {"code": "x"})) == (400, "malformed")
    assert await refused(first.call("POST", "devices/join", {"code": "x", "games": "sell"})) == (400, "malformed")
    assert await refused(first.call("POST", "devices/answer", {"code": "x", "approve": 1})) == (400, "malformed")
    assert await refused(first.call("POST", "devices/asker", [])) == (400, "malformed")
    assert await refused(first.call("POST", "devices/invite", Origin="https://evil.example")) == (403, "origin")
    stranger = Browser(site.origin)
    assert await refused(stranger.call("POST", "devices/invite")) == (401, "no-player")
    assert await refused(stranger.call("GET", "devices")) == (401, "no-player")
