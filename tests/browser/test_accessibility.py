"""WCAG 2.2 AA as far as a machine can tell, targets, focus, and what is said."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Page, ViewportSize, expect

from ..conftest import Site
from .conftest import NewContext, Sit
from .hands import DESKTOP, PHONE, action, appears, start
from .positions import FREE_TO_PLAY, HIT_AND_COVER, LAST_CHECKER, LEFT_OVER, START, xgid
from .prepared import prepare
from .seat import arrive, click, counts, heard, marked, move, practise, to_lobby, until_phase

AXE: Final = Path(__file__).parents[2] / "clients" / "web" / "node_modules" / "axe-core" / "axe.min.js"
TAGS: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
PHONE_ON_ITS_SIDE: Final[ViewportSize] = {"width": 740, "height": 360}
SMALLEST: Final[ViewportSize] = {"width": 320, "height": 568}


async def findings(page: Page) -> list[str]:
    """What axe finds of serious or critical impact on the page as it is."""
    if not await page.evaluate("() => 'axe' in window"):
        await page.evaluate(AXE.read_text())
    options = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
    result = await page.evaluate("options => axe.run(document, options)", options)
    assert len(result["passes"]) > 5, "axe has looked at something"
    return [
        f"{found['id']} ({found['impact']}): {node['target']} {node['failureSummary']}"
        for found in result["violations"]
        if found["impact"] in {"serious", "critical"}
        for node in found["nodes"]
    ]


Visit = Callable[[str], Awaitable[None]]


async def walk_through(page: Page, origin: str, look: Visit) -> None:
    """Bring the page to each of its screens in turn, and look."""
    await look("lobby")
    await action(page, "settings").click()
    await look("the gear")
    await page.keyboard.press("Escape")
    await action(page, "devices").click()
    await appears(page, "[data-action=invite]")
    await look("devices")
    await page.keyboard.press("Escape")
    await action(page, "help").click()
    for name in ("play", "rules", "terms", "questions", "controls"):
        await page.locator(f"[data-help={name}]").click()
        await look(f"help: {name}")
    await action(page, "close-help").click()

    await practise(page, origin, xgid(START), "to-roll")
    await look("to roll")
    await practise(page, origin, HIT_AND_COVER)
    await look("moving")
    await click(page, "8")
    await look("a selection with a landing and a hit")
    await page.keyboard.press("Escape")
    await page.keyboard.press("h")
    await appears(page, ".hint-line")
    await look("a hint")
    await action(page, "record").click()
    await look("the record, empty")
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")
    await page.keyboard.press("?")
    await appears(page, "[data-help=play]")
    await look("help beside the game")
    await page.keyboard.press("Escape")
    await expect(page.locator(".help")).to_have_count(0)
    for question in ("lobby", "restart"):
        await action(page, question).click()
        await look(f"the question of {question}")
        await page.keyboard.press("Escape")
    await action(page, "settings").click()
    await action(page, "fairness").click()
    await look("the dice's fairness")
    await page.keyboard.press("Escape")

    await practise(page, origin, LEFT_OVER)
    await move(page, "click", "bar", "22")
    await until_phase(page, "confirm")
    await look("waiting for the end of the turn")
    await action(page, "end-turn").click()
    await appears(page, "[data-phase=to-roll], [data-phase=moving]")
    await action(page, "record").click()
    await look("the record")
    await practise(page, origin, LAST_CHECKER)
    await click(page, "4", "off")
    await until_phase(page, "game-over")
    await look("the end of a game")


# Every pair of language, size and mode is among these four.
@pytest.mark.parametrize(
    ("locale", "viewport", "mode"),
    [("zh-CN", PHONE, "light"), ("zh-CN", DESKTOP, "dark"), ("en", PHONE, "dark"), ("en", DESKTOP, "light")],
    ids=["zh-phone-light", "zh-desktop-dark", "en-phone-dark", "en-desktop-light"],
)
async def test_axe_finds_nothing_serious_on_any_screen(
    new_context: NewContext, embedded_site: Site, locale: str, viewport: dict[str, int], mode: str
) -> None:
    context = await new_context(locale=locale, viewport=viewport, reduced_motion="reduce")
    await arrive(context, embedded_site.origin, pace="instant", mode=mode)
    page = await to_lobby(context, embedded_site.origin)
    found: dict[str, list[str]] = {}

    async def look(screen: str) -> None:
        if here := await findings(page):
            found[screen] = here

    await walk_through(page, embedded_site.origin, look)
    await prepare(context, embedded_site, "last checker")
    page = await to_lobby(context, embedded_site.origin)
    await look("a lobby with a game to continue")
    await action(page, "continue").click()
    await until_phase(page, "moving")
    await look("a match")
    [source] = await marked(page, "can-move")
    await click(page, source, "off")
    await until_phase(page, "match-over")
    await look("the end of a match")
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)


@pytest.mark.parametrize("theme", ["ink", "contrast"])
@pytest.mark.parametrize("mode", ["light", "dark"])
async def test_axe_finds_nothing_serious_in_the_other_themes(sit: Sit, theme: str, mode: str) -> None:
    page = await sit(HIT_AND_COVER, settings={"theme": theme, "mode": mode})
    await click(page, "8")
    assert await findings(page) == []
    await action(page, "settings").click()
    assert await findings(page) == []


async def test_axe_would_find_a_control_without_a_name(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY)
    await page.evaluate("() => document.querySelector('[data-action=hint]').replaceChildren()")
    assert any("button-name" in each for each in await findings(page))


# --- Targets and focus

SMALL_TARGETS: Final = """() => {
    const small = [];
    const controls = "button, a[href], input, summary, [role=button], [role=radio], [role=switch]";
    // Under an open dialog nothing else can be pressed.
    const root = document.querySelector("dialog[open]") ?? document;
    for (const each of root.querySelectorAll(controls)) {
        const { width, height } = each.getBoundingClientRect();
        if (width === 0 || height === 0 || getComputedStyle(each).visibility === "hidden") continue;
        if (width < 23.9 || height < 23.9) {
            const name = each.getAttribute("aria-label") ?? each.textContent;
            small.push(`${name.trim()}: ${width.toFixed(1)} x ${height.toFixed(1)}`);
        }
    }
    return small;
}"""


async def test_every_target_is_at_least_24_pixels(new_context: NewContext, embedded_site: Site) -> None:
    context = await new_context(locale="en", reduced_motion="reduce")
    await arrive(context, embedded_site.origin, pace="instant")
    page = await to_lobby(context, embedded_site.origin)
    small: dict[str, list[str]] = {}

    async def look(screen: str) -> None:
        for size in (SMALLEST, PHONE_ON_ITS_SIDE, DESKTOP):
            await page.set_viewport_size(size)
            await page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            if here := await page.evaluate(SMALL_TARGETS):
                small[f"{screen}, {size['width']} wide"] = here

    await walk_through(page, embedded_site.origin, look)
    assert not small, json.dumps(small, indent=1)


FOCUS_RING: Final = """() => {
    const focused = document.activeElement;
    if (focused === document.body) return null;
    const name = focused.getAttribute("aria-label") ?? focused.textContent.trim().slice(0, 40) ?? focused.tagName;
    if (focused.matches("[data-point]")) {
        return { name, seen: document.querySelector(".board .focus.mark") !== null };
    }
    const style = getComputedStyle(focused);
    const box = focused.getBoundingClientRect();
    const inside = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
    const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1.5;
    return { name, seen: inside && (outlined || style.boxShadow !== "none" || style.stroke !== "none") };
}"""


@pytest.mark.parametrize("screen", ["lobby", "game", "gear", "over"])
async def test_the_focus_is_seen_on_everything_that_Tab_reaches(sit: Sit, screen: str) -> None:
    page = await sit({"game": FREE_TO_PLAY, "gear": FREE_TO_PLAY, "over": LAST_CHECKER}.get(screen))
    if screen == "gear":
        await action(page, "settings").focus()
        await page.keyboard.press("Enter")
        await expect(page.locator("dialog[open]")).to_be_visible()
    elif screen == "over":
        await click(page, "4", "off")
        await until_phase(page, "game-over")
    seen: dict[str, bool] = {}
    for _ in range(60):
        await page.keyboard.press("Tab")
        focus = await page.evaluate(FOCUS_RING)
        if focus is None:
            break
        seen.setdefault(focus["name"], focus["seen"])
    assert len(seen) >= (3 if screen == "over" else 6), seen
    assert all(seen.values()), [name for name, is_seen in seen.items() if not is_seen]


async def test_the_focus_stays_inside_a_dialog_and_comes_back_from_it(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY)
    await action(page, "settings").focus()
    await page.keyboard.press("Enter")
    for _ in range(50):
        await page.keyboard.press("Tab")
        assert await page.evaluate(
            "() => document.activeElement === document.body || document.activeElement.closest('dialog') !== null"
        )
    await page.keyboard.press("Escape")
    await expect(action(page, "settings")).to_be_focused()


async def test_a_new_screen_has_the_focus_on_its_name_and_the_games_keys_go_on(sit: Sit) -> None:
    page = await sit()
    assert await page.evaluate("() => document.activeElement === document.body"), "but not when the page is opened"
    await action(page, "start").click()
    await appears(page, "[data-phase=to-roll], [data-phase=moving]")
    await expect(page.locator(".game h1")).to_be_focused()
    await page.keyboard.press("?")
    await appears(page, "[data-help=play]")
    await expect(page.locator(".game h1")).to_be_focused()
    await page.keyboard.press("Escape")
    await action(page, "lobby").click()
    await action(page, "yes").click()
    await expect(page.locator(".lobby h1")).to_be_focused()
    assert await page.locator(".lobby h1").evaluate("each => getComputedStyle(each).outlineStyle") == "none"


async def test_the_end_of_a_game_has_the_focus_and_says_all_of_it(sit: Sit) -> None:
    page = await sit(LAST_CHECKER)
    await action(page, "undo").focus()
    for name in ("4", "off"):
        await page.locator(f"[data-point='{name}']").dispatch_event("click", {"detail": 0})
    await until_phase(page, "game-over")
    over = page.locator(".over")
    await expect(over).to_be_focused()
    await expect(over).to_have_attribute("aria-label", re.compile(r"^You won (1 point, Single win|2 points, Gammon)$"))
    assert await over.evaluate("each => getComputedStyle(each).outlineStyle") == "none"
    await page.keyboard.press("Space")
    await appears(page, "[data-phase=to-roll], [data-phase=moving]")


async def test_the_help_has_the_focus_where_it_covers_the_game_and_gives_it_back(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY, touch=True)
    await action(page, "help").focus()
    await page.keyboard.press("Enter")
    await appears(page, "[data-help=play]")
    await expect(page.locator(".help")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(action(page, "help")).to_be_focused()


# --- What is said


@pytest.mark.parametrize(
    ("locale", "label"), [("en", "13 point, 5 of yours, may move"), ("zh-CN", "13 点，你的棋子五枚，可走")]
)
async def test_every_place_says_what_stands_there_and_what_it_may_do(sit: Sit, locale: str, label: str) -> None:
    page = await sit(FREE_TO_PLAY, locale=locale)
    await expect(page.get_by_role("button", name=label, exact=True)).to_have_count(1)
    assert sum(each for each in (await counts(page)).values() if each > 0) == 15
    assert sum(each for each in (await counts(page)).values() if each < 0) == -15


async def test_what_happens_is_said_once_and_in_order(sit: Sit) -> None:
    page = await sit(HIT_AND_COVER, settings={"pace": "fast"})
    await move(page, "click", "8", "4")
    await page.wait_for_function("() => window.heard.join().includes('hitting')")
    await click(page, "6", "4")
    await appears(page, "[data-phase=to-roll], [data-phase=moving]")
    await page.wait_for_function("() => /The computer (rolled|cannot)/.test(window.heard.join())")
    said = " ".join(await heard(page))
    assert said.count("You moved from 8 to 4, hitting the computer's checker") == 1
    assert said.count("You moved from 6 to 4") == 1
    assert said.count("The computer rolled") == 1
    assert said.index("8 to 4") < said.index("6 to 4") < said.index("The computer rolled")


async def test_a_screen_readers_click_moves_a_checker_like_any_other(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY)
    for name in ("24", "18"):
        await page.locator(f"[data-point='{name}']").dispatch_event("click", {"detail": 0})
    await appears(page, "[data-point='18'][aria-label^='18 point, 1 of yours']")


async def test_the_page_is_in_the_language_that_it_says(sit: Sit) -> None:
    page = await sit(locale="zh-CN")
    await expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    await page.locator("[data-language=en]").click()
    await expect(page.locator("html")).to_have_attribute("lang", "en")
    words: str = await page.locator("main").inner_text()
    assert not [sign for sign in words.replace("中文", "") if "\u4e00" <= sign <= "\u9fff"], words
    await start(page)
    text: dict[str, Any] = await page.evaluate(
        "() => ({ text: document.body.innerText, labels: [...document.querySelectorAll('[aria-label]')].map(e => e.ariaLabel) })"
    )
    everything = text["text"] + " ".join(text["labels"])
    assert not [sign for sign in everything if "\u4e00" <= sign <= "\u9fff"], everything
