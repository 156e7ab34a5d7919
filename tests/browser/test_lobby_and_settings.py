"""The rows L1 to L9 of what the game must do: lobby, settings, what stays, and the help."""

from __future__ import annotations

import asyncio
import re
from typing import Any, Literal
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.async_api import Page, Route, expect

from ..conftest import Site
from .conftest import NewContext, Sit
from .hands import DESKTOP, PHONE, action, appears, phase, start, version
from .positions import FREE_TO_PLAY, LAST_CHECKER, ONE_PLAY
from .prepared import prepare
from .seat import (
    arrive,
    confirmed,
    counts,
    marked,
    move,
    place,
    stands,
    to_lobby,
    until_phase,
)

ANY_TURN = "[data-phase=to-roll], [data-phase=moving]"


async def settings_of(page: Page) -> dict[str, Any]:
    """The settings as the server keeps them."""
    answer = await page.context.request.get(f"{page.url.rstrip('/')}/api/lobby")
    kept: dict[str, Any] = (await answer.json())["settings"]
    return kept


# --- L1, L2


@pytest.mark.parametrize(
    ("level", "zh", "en"),
    [("beginner", "入门", "Beginner"), ("normal", "普通", "Normal"), ("expert", "高手", "Expert")],
)
async def test_L1_each_level_can_be_chosen_and_the_game_is_of_that_level(
    sit: Sit, level: str, zh: str, en: str
) -> None:
    page = await sit(locale="zh-CN")
    await expect(page.locator(f"[data-level={level}]")).to_have_text(zh)
    await page.locator("[data-language=en]").click()
    await expect(page.locator(f"[data-level={level}]")).to_have_text(en)
    await start(page, level=level)
    await appears(page, ANY_TURN)
    await expect(page.locator(".scores .level")).to_have_text(en)
    lobby = await (await page.context.request.get(f"{page.url}api/lobby")).json()
    assert [each["level"] for each in lobby["unfinished"]] == [level]


async def test_L1_a_game_at_each_level_is_a_session_of_its_own(sit: Sit) -> None:
    page = await sit()
    for level in ("beginner", "normal", "expert"):
        await start(page, level=level)
        await appears(page, ANY_TURN)
        await action(page, "lobby").click()
        await action(page, "yes").click()
        await until_phase(page, "lobby")
    lobby = await (await page.context.request.get(f"{page.url}api/lobby")).json()
    assert [each["level"] for each in lobby["unfinished"]] == ["expert", "normal", "beginner"]
    await expect(page.locator(".card-foot")).to_contain_text("Expert")
    await page.locator(".others summary").click()
    await expect(page.locator(".others li")).to_have_count(2)


async def test_L1_the_level_is_chosen_by_arrow_keys_too(sit: Sit) -> None:
    page = await sit()
    await page.locator("[data-level=normal]").focus()
    await page.keyboard.press("ArrowRight")
    await expect(page.locator("[data-level=expert]")).to_have_attribute("aria-checked", "true")
    await expect(page.locator("[data-level=expert]")).to_be_focused()
    await page.keyboard.press("ArrowRight")
    await expect(page.locator("[data-level=beginner]")).to_have_attribute("aria-checked", "true")


@pytest.mark.parametrize(("length", "zh"), [(1, "单局"), (5, "5 分赛"), (7, "7 分赛")])
async def test_L2_each_format_can_be_chosen_and_score_and_game_number_are_shown(sit: Sit, length: int, zh: str) -> None:
    page = await sit(locale="zh-CN")
    await expect(page.locator(f"[data-format='{length}']")).to_have_text(zh)
    await start(page, length=length)
    await appears(page, ANY_TURN)
    await expect(page.locator(".scores .meta")).to_contain_text(zh)
    if length == 1:
        await expect(page.locator(".scores .score")).to_have_count(0)
    else:
        await expect(page.locator(".scores .meta")).to_contain_text("第 1 局")
        await expect(page.locator(".scores .score .unseen")).to_have_text("比分 0 比 0")


async def test_L2_a_won_game_is_scored_and_ends_the_match_at_five_points(
    new_context: NewContext, embedded_site: Site
) -> None:
    context = await new_context(locale="zh-CN", reduced_motion="reduce")
    await arrive(context, embedded_site.origin, pace="instant")
    await prepare(context, embedded_site, "last checker")
    page = await to_lobby(context, embedded_site.origin)
    await action(page, "continue").click()
    await until_phase(page, "moving")
    [source] = await marked(page, "can-move")
    await move(page, "click", source, "off")
    await until_phase(page, "match-over")
    await expect(page.locator(".over-what")).to_contain_text("你赢下整场比赛")
    score = page.locator(".over .score .unseen")
    await expect(score).to_have_text(re.compile(r"比分 [5-7] 比 [0-4]"))
    await action(page, "restart").click()
    await appears(page, ANY_TURN)
    await expect(page.locator(".scores .score .unseen")).to_have_text("比分 0 比 0")


# --- L3


async def test_L3_point_numbers_are_shown_and_hidden(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY)
    numbers = page.locator(".board text.number:not(.on)")
    await expect(numbers).to_have_count(24)
    await toggle(page, "numbers")
    await expect(numbers).to_have_count(0)
    await toggle(page, "numbers")
    await expect(numbers).to_have_count(24)


async def test_L3_both_pip_counts_stand_in_the_status_line_and_follow_the_moves(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY)
    pips = page.locator(".scores .pips > .unseen")
    await expect(pips).to_have_text(["You have 167 pips to go", "The computer has 167 pips to go"])
    await move(page, "click", "24", "18")
    await expect(pips.first).to_have_text("You have 161 pips to go")
    await page.keyboard.press("u")
    await expect(pips.first).to_have_text("You have 167 pips to go")
    await toggle(page, "pips")
    await expect(pips).to_have_count(0)


async def test_L3_automatic_end_switched_on_while_the_turn_waits_ends_it_at_once(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY, settings={"auto_end": False})
    await move(page, "click", "24", "18")
    await move(page, "click", "13", "9")
    await until_phase(page, "confirm")
    await toggle(page, "auto_end")
    await appears(page, ANY_TURN)
    await expect(page.locator(".record-bar .last")).to_contain_text("Turn")


async def toggle(page: Page, setting: str) -> None:
    await action(page, "settings").click()
    switch = page.locator(f"dialog [data-setting={setting}]")
    before = await switch.get_attribute("aria-checked")
    await switch.click()
    await expect(switch).to_have_attribute("aria-checked", "false" if before == "true" else "true")
    await page.keyboard.press("Escape")


# --- L4


async def test_L4_the_unfinished_match_is_continued_with_its_score_and_game_number(
    new_context: NewContext, embedded_site: Site
) -> None:
    context = await new_context(locale="zh-CN", reduced_motion="reduce", viewport=PHONE)
    await arrive(context, embedded_site.origin, pace="instant")
    await prepare(context, embedded_site, "third game")
    page = await to_lobby(context, embedded_site.origin)
    card = page.locator(".card-foot")
    await expect(card).to_contain_text("继续上次没打完的对局")
    await expect(card).to_contain_text("第 3 局")
    facts = await card.inner_text()
    score = re.search(r"(\d) : (\d)", facts)
    assert score is not None, facts
    await action(page, "continue").click()
    await until_phase(page, "to-roll")
    await expect(page.locator(".scores .score .unseen")).to_have_text(f"比分 {score[1]} 比 {score[2]}")
    await expect(page.locator(".scores .meta")).to_contain_text("第 3 局")


async def test_L4_without_an_unfinished_game_there_is_nothing_to_continue(sit: Sit) -> None:
    page = await sit()
    await expect(action(page, "start")).to_be_visible()
    await expect(action(page, "continue")).to_have_count(0)


# --- L5


@pytest.mark.parametrize("way", ["mouse", "touch", "keys"])
async def test_L5_back_to_the_lobby_asks_first_and_takes_back_the_half_made_play_but_not_the_roll(
    new_context: NewContext, embedded_site: Site, way: str
) -> None:
    touch = {"viewport": PHONE, "has_touch": True, "is_mobile": True} if way == "touch" else {}
    context = await new_context(locale="en", reduced_motion="reduce", **touch)
    await arrive(context, embedded_site.origin, pace="instant")
    page = await to_lobby(context, embedded_site.origin)
    await start(page)
    await appears(page, ANY_TURN)
    if await phase(page) == "to-roll":
        await page.keyboard.press("Space")
    await until_phase(page, "moving")
    after_roll = await stands(page)
    source = min(await marked(page, "can-move"))
    before = await version(page)
    await page.mouse.click(*await middle(page, source))
    await page.mouse.click(*await middle(page, source))
    await confirmed(page, before)

    await act(page, way, "lobby")
    await expect(page.locator("dialog")).to_contain_text("the dice stay the same")
    await act(page, way, "no")
    await expect(page.locator("dialog")).to_have_count(0)
    assert (await counts(page)) != after_roll["checkers"]
    await act(page, way, "lobby")
    await act(page, way, "yes")
    await until_phase(page, "lobby")
    await act(page, way, "continue")
    await until_phase(page, "moving")
    assert await stands(page) == after_roll


async def test_the_browsers_back_closes_what_is_open_then_asks_and_leads_to_the_lobby(
    new_context: NewContext, embedded_site: Site
) -> None:
    context = await new_context(locale="en", reduced_motion="reduce", viewport=PHONE)
    await arrive(context, embedded_site.origin, pace="instant")
    page = await to_lobby(context, embedded_site.origin)
    await start(page)
    await appears(page, ANY_TURN)
    await action(page, "record").click()
    await expect(action(page, "type-play")).to_be_visible()
    await page.go_back()
    await expect(action(page, "type-play")).to_be_hidden()
    await page.go_back()
    await expect(page.locator("dialog")).to_contain_text("Back to the lobby")
    await page.go_back()
    await expect(page.locator("dialog")).to_have_count(0)
    await page.go_back()
    await action(page, "yes").click()
    await until_phase(page, "lobby")
    await page.go_forward()
    await until_phase(page, "lobby")
    await action(page, "continue").click()
    await appears(page, ANY_TURN)
    await page.reload()
    await until_phase(page, "lobby")


async def middle(page: Page, name: str) -> tuple[float, float]:
    box = await place(page, name).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def act(page: Page, way: str, name: str) -> None:
    control = action(page, name)
    if way == "touch":
        await control.tap()
    elif way == "keys":
        await control.focus()
        await page.keyboard.press("Enter")
    else:
        await control.click()


async def test_L5_Escape_answers_no(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY)
    before = await version(page)
    await action(page, "restart").click()
    await page.keyboard.press("Escape")
    await expect(page.locator("dialog")).to_have_count(0)
    assert await version(page) == before
    await expect(action(page, "restart")).to_be_focused()


async def test_L5_restart_asks_first_says_that_a_match_is_dropped_and_starts_anew_with_the_same_settings(
    new_context: NewContext, embedded_site: Site
) -> None:
    context = await new_context(locale="en", reduced_motion="reduce")
    await arrive(context, embedded_site.origin, pace="instant")
    dropped = await prepare(context, embedded_site, "third game")
    page = await to_lobby(context, embedded_site.origin)
    await action(page, "continue").click()
    await until_phase(page, "to-roll")
    await action(page, "restart").click()
    await expect(page.locator("dialog")).to_contain_text("The whole match and its score are dropped")
    await action(page, "yes").click()
    await expect(page.locator(".scores .score .unseen")).to_have_text("Score 0 to 0")
    await appears(page, ANY_TURN)
    await expect(page.locator(".scores .meta")).to_contain_text("To 5")
    await expect(page.locator(".scores .level")).to_have_text("Expert")
    lobby = await (await context.request.get(f"{embedded_site.origin}/api/lobby")).json()
    assert dropped not in [each["session"] for each in lobby["unfinished"]]


# --- L6 (networks and servers that fail: test_link.py and test_whole_games.py)


async def test_L6_closing_the_page_loses_nothing(sit: Sit) -> None:
    page = await sit()
    await start(page, length=7)
    await appears(page, ANY_TURN)
    if await phase(page) == "to-roll":
        await page.keyboard.press("Space")
    await until_phase(page, "moving")
    source = min(await marked(page, "can-move"))
    before = await version(page)
    await page.mouse.click(*await middle(page, source))
    await page.mouse.click(*await middle(page, source))
    await confirmed(page, before)
    stood, context, address = await stands(page), page.context, page.url
    await page.close()
    page = await context.new_page()
    await page.goto(address)
    await action(page, "continue").click()
    await until_phase(page, "moving")
    assert await stands(page) == stood, "closing is not leaving: the half-made play stands too"


# --- L7


@pytest.mark.parametrize(("pace", "label"), [("real", "真实"), ("fast", "较快"), ("instant", "即时")])
async def test_L7_the_gear_at_the_top_right_sets_the_computers_pace(sit: Sit, pace: str, label: str) -> None:
    page = await sit(FREE_TO_PLAY, locale="zh-CN", settings={"pace": "real" if pace != "real" else "fast"})
    gear = await action(page, "settings").bounding_box()
    assert gear is not None
    assert gear["y"] < 80
    assert gear["x"] + gear["width"] > 1440 - 80
    await action(page, "settings").click()
    choice = page.locator(f"dialog [data-pace={pace}]")
    await expect(choice).to_have_text(label)
    before = await version(page)
    await choice.click()
    await expect(choice).to_have_attribute("aria-checked", "true")
    await confirmed(page, before)  # the session is told, not only the page


async def test_L7_sound_is_off_in_one_click_and_in_the_gear(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY)
    await action(page, "sound").click()
    await action(page, "settings").click()
    await expect(page.locator("dialog [data-setting=sound]")).to_have_attribute("aria-checked", "false")


async def test_L7_the_gear_closes_by_its_cross_by_Escape_and_by_a_click_beside_it(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY)
    for way in ("cross", "Escape", "beside"):
        await action(page, "settings").click()
        await expect(page.locator("dialog[open]")).to_be_visible()
        if way == "cross":
            await action(page, "close").click()
        elif way == "Escape":
            await page.keyboard.press("Escape")
        else:
            # Right after the opening it would count as the second half of a double click.
            opened = await page.evaluate("performance.now()")
            await page.wait_for_function("opened => performance.now() > opened + 400", arg=opened)
            await page.mouse.click(5, 450)
        await expect(page.locator("dialog")).to_have_count(0)


# --- L8


async def test_L8_settings_stay_with_the_player_on_every_visit_and_device(
    new_context: NewContext, embedded_site: Site
) -> None:
    origin = embedded_site.origin
    context = await new_context(locale="zh-CN")
    await arrive(context, origin)
    page = await to_lobby(context, origin)
    await page.locator("[data-theme=ink]").last.click()
    await page.locator("[data-mode=dark]").last.click()
    await action(page, "settings").click()
    await page.locator("dialog [data-pace=fast]").click()
    await page.locator("dialog [data-setting=pips]").click()
    async with page.expect_response(lambda answer: "/api/settings" in answer.url):
        await page.locator("dialog [data-language=en]").click()
    await page.close()

    again = await to_lobby(context, origin)
    await expect(again.locator("html")).to_have_attribute("data-theme", "ink")
    await expect(again.locator("html")).to_have_attribute("data-mode", "dark")
    await expect(again.locator("html")).to_have_attribute("lang", "en")

    other_device = await new_context(locale="zh-CN")
    await other_device.add_cookies(
        [{"name": each["name"], "value": each["value"], "url": origin} for each in await cookies(context)]
    )
    other = await to_lobby(other_device, origin)
    await expect(other.locator("html")).to_have_attribute("data-theme", "ink")
    kept = await settings_of(other)
    assert (kept["pace"], kept["pips"], kept["language"]) == ("fast", False, "en")


async def cookies(context: Any) -> list[dict[str, Any]]:
    return [{"name": each["name"], "value": each["value"]} for each in await context.cookies()]


@pytest.mark.parametrize("system", ["light", "dark"])
async def test_L8_light_or_dark_follows_the_system_until_it_is_chosen(
    sit: Sit, system: Literal["light", "dark"]
) -> None:
    page = await sit(FREE_TO_PLAY, color_scheme=system)
    await expect(page.locator("html")).to_have_attribute("data-mode", system)
    other: Literal["light", "dark"] = "dark" if system == "light" else "light"
    await page.emulate_media(color_scheme=other)
    await expect(page.locator("html")).to_have_attribute("data-mode", other)
    await action(page, "settings").click()
    await page.locator(f"dialog [data-mode={system}]").click()
    await expect(page.locator("html")).to_have_attribute("data-mode", system)


async def test_L8_home_at_the_left_and_large_checkers_change_the_board_at_once(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY)
    right, size = (await middle(page, "1"))[0], await checker_size(page)
    await toggle(page, "mirrored")
    assert (await middle(page, "1"))[0] < 720 < right
    await toggle(page, "large")
    assert await checker_size(page) >= size
    await move(page, "mouse", "24", "18")
    assert (await counts(page))["18"] == 1


async def checker_size(page: Page) -> float:
    box = await page.locator(".board .piece").first.bounding_box()
    assert box is not None
    return box["width"]


# --- L9


@pytest.mark.parametrize(("locale", "where"), [("zh-CN", "lobby"), ("en", "game")])
async def test_L9_the_help_has_all_its_parts_and_opens_beside_the_game(sit: Sit, locale: str, where: str) -> None:
    page = await sit(FREE_TO_PLAY if where == "game" else None, locale=locale)
    before = await phase(page)
    await action(page, "help").click()
    await expect(page.locator("[data-help]")).to_have_count(5)
    for name in ("play", "rules", "terms", "questions", "controls"):
        await page.locator(f"[data-help={name}]").click()
        await expect(page.locator(f"[data-help={name}]")).to_have_attribute("aria-current", "page")
        if name == "terms":
            assert 18 <= await page.locator(".help-text .term").count() <= 30
            assert await page.locator(".help-text .term svg.board").count() >= 15
        if name == "questions":
            assert await page.locator(".help-text details").count() >= 5
            await page.locator(".help-text summary").first.click()
            await expect(page.locator(".help-text details[open] p").first).to_be_visible()
        if name == "controls":
            assert await page.locator(".help-text table.keys tr").count() >= 6
    assert await phase(page) == before
    if where == "game":
        help_box, board_box = (
            await page.locator(".help").bounding_box(),
            await page.locator("main .board").bounding_box(),
        )
        assert help_box is not None
        assert board_box is not None
        assert board_box["x"] + board_box["width"] <= help_box["x"], "the board makes room"
        await move(page, "click", "24", "18")
    await action(page, "close-help").click()
    await expect(page.locator(".help")).to_have_count(0)


async def test_L9_a_question_mark_opens_the_help_and_Escape_closes_it(sit: Sit) -> None:
    page = await sit(ONE_PLAY)
    await page.keyboard.press("?")
    await expect(page.locator("[data-help=rules]")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.locator(".help")).to_have_count(0)


# --- What a practice game is


async def test_a_practice_game_counts_for_nothing_and_says_so(sit: Sit) -> None:
    page = await sit(LAST_CHECKER)
    await expect(page.locator(".scores .meta")).to_contain_text("Practice")
    await move(page, "click", "4", "off")
    await until_phase(page, "game-over")
    await expect(page.locator(".over")).to_contain_text("Practice: it counts for nothing")


async def test_a_practice_game_is_called_one_in_the_lobby_at_once_and_after_a_reload(sit: Sit) -> None:
    page = await sit(ONE_PLAY)
    await action(page, "lobby").click()
    await page.locator("dialog [data-action=yes]").click()
    for _ in range(2):
        await expect(page.locator(".lobby-game .card .meta")).to_contain_text("Practice")
        await page.reload()


async def test_a_position_that_cannot_be_read_is_said_to_be_that(sit: Sit) -> None:
    page = await sit(may_get=400)
    await page.goto(urljoin(page.url, "/?position=nonsense"))
    await expect(page.locator(".trouble")).to_have_text("That is no position to practise from")
    assert not urlsplit(page.url).query


async def test_L9_in_the_lobby_too_the_help_covers_nothing_on_a_desktop_and_Escape_closes_it(sit: Sit) -> None:
    page = await sit(viewport=DESKTOP)
    await action(page, "help").click()
    help_box, card_box = (
        await page.locator(".help").bounding_box(),
        await page.locator(".lobby-game .card").bounding_box(),
    )
    assert help_box is not None
    assert card_box is not None
    assert card_box["x"] + card_box["width"] <= help_box["x"]
    await page.keyboard.press("Escape")
    await expect(page.locator(".help")).to_have_count(0)


async def test_a_start_shows_the_board_at_once_and_who_goes_back_meanwhile_finds_the_game_in_the_lobby(
    sit: Sit,
) -> None:
    page = await sit()
    answered = asyncio.Event()

    async def late(route: Route) -> None:
        await answered.wait()
        await route.continue_()

    await page.route("**/api/sessions", late)
    await action(page, "start").click()
    await appears(page, "[data-phase=opening] .board")
    await action(page, "lobby").click()
    await page.locator("dialog [data-action=yes]").click()
    await appears(page, "[data-phase=lobby]")
    answered.set()
    await action(page, "continue").click()
    await appears(page, ANY_TURN)


async def test_what_is_opened_over_a_board_that_waits_for_its_session_stays_open(sit: Sit) -> None:
    page = await sit()
    answered = asyncio.Event()

    async def late(route: Route) -> None:
        await answered.wait()
        await route.continue_()

    await page.route("**/api/sessions", late)
    await action(page, "start").click()
    await appears(page, "[data-phase=opening] .board")
    await action(page, "lobby").click()
    await expect(page.locator("dialog[open] [data-action=yes]")).to_be_visible()
    answered.set()
    await page.wait_for_function("() => Number(document.querySelector('[data-phase]').dataset.version) > 0")
    await page.locator("dialog[open] [data-action=yes]").click()
    await appears(page, "[data-phase=lobby]")
    await expect(action(page, "continue")).to_be_visible()


async def test_a_start_that_fails_leads_back_to_the_lobby_and_says_so(sit: Sit) -> None:
    page = await sit()
    await page.route("**/api/sessions", lambda route: route.abort())
    await action(page, "start").click()
    await expect(page.locator("[data-phase=lobby] [role=alert]")).to_be_visible()
    await page.unroute("**/api/sessions")
    await action(page, "start").click()
    await appears(page, ANY_TURN)


async def test_a_lobby_that_cannot_be_read_says_so_and_is_read_when_it_can_be(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY)
    origin = page.url

    async def without_lobby(route: Route) -> None:
        answer = await route.fetch()
        slot = re.compile(r'(<script type="application/json" id="lobby">).*?(</script>)', re.DOTALL)
        await route.fulfill(response=answer, body=slot.sub(r"\1\2", await answer.text()))

    await page.route(origin, without_lobby)
    await page.route("**/api/lobby", lambda route: route.abort())
    await page.goto(origin)
    await expect(page.locator("[data-phase=lobby] [role=alert]")).to_contain_text(re.compile("trying again|正在重试"))
    await page.unroute("**/api/lobby")
    await expect(page.locator("[role=alert]")).to_have_count(0)


async def test_the_second_press_of_a_double_click_does_not_undo_or_go_through_the_first(sit: Sit) -> None:
    page = await sit(LAST_CHECKER)
    for name in ("settings", "lobby"):
        await action(page, name).dblclick()
        await expect(page.locator("dialog[open]")).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(page.locator("dialog")).to_have_count(0)
    await move(page, "click", "4", "off")
    await until_phase(page, "game-over")
    await page.locator(".over [data-action=lobby]").dblclick()
    await appears(page, "[data-phase=lobby]")
    await expect(page.locator("dialog, .help")).to_have_count(0)


async def test_the_open_record_does_not_hide_the_end_of_a_game_on_a_phone(sit: Sit) -> None:
    page = await sit(LAST_CHECKER, viewport=PHONE)
    await action(page, "record").click()
    await page.locator("#record [name=play]").fill("4/off")
    await page.keyboard.press("Enter")
    await until_phase(page, "game-over")
    await expect(page.locator("#record")).to_have_count(0)
    await expect(page.locator(".over")).to_be_visible()
