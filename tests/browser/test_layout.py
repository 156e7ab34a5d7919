"""Every size: nothing scrolls while one plays, nothing jumps, nothing lies outside of the window or over another."""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.async_api import Page

from ..conftest import Site
from .conftest import NewContext, Sit
from .hands import action, appears, start
from .positions import FREE_TO_PLAY, HIT_AND_COVER, LAST_CHECKER, LEFT_OVER, START, xgid
from .prepared import prepare
from .seat import arrive, click, marked, move, practise, to_lobby, until_phase

SIZES: Final = [
    (320, 568),
    (360, 640),
    (360, 740),
    (667, 375),
    (740, 360),
    (820, 1180),
    (1024, 768),
    (1180, 820),
    (1280, 720),
    (1440, 900),
    (1920, 1080),
    (3840, 2160),
]

FAULTS: Final = """() => {
    const faults = [];
    const root = document.scrollingElement;
    scrollTo(0, 100);
    if (root.scrollTop !== 0) faults.push("the page scrolls down");
    if (root.scrollHeight > innerHeight) faults.push(`${root.scrollHeight} high in a window of ${innerHeight}`);
    if (root.scrollWidth > innerWidth) faults.push(`${root.scrollWidth} wide in a window of ${innerWidth}`);
    const shown = [...document.querySelectorAll("main .board, button, .prompt, .scores")]
        .filter(each => each.checkVisibility({ visibilityProperty: true }) && each.getBoundingClientRect().width > 0);
    const boxes = shown.map(each => [each, each.getBoundingClientRect()]);
    const name = each => each.dataset?.action ?? each.getAttribute("class");
    for (const [each, box] of boxes) {
        if (box.left < -0.5 || box.top < -0.5 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5)
            faults.push(`${name(each)} lies outside: ${Math.round(box.left)}, ${Math.round(box.top)}, `
                + `${Math.round(box.right)}, ${Math.round(box.bottom)}`);
    }
    const controls = boxes.filter(([each]) => each.matches("button") && !each.closest(".over, .record-sheet"));
    const board = document.querySelector("main .board").getBoundingClientRect();
    const apart = (a, b) =>
        a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
    for (const [each, box] of controls) if (!apart(box, board)) faults.push(`${name(each)} lies on the board`);
    for (let i = 0; i < controls.length; i++) for (let j = 0; j < i; j++)
        if (!apart(controls[i][1], controls[j][1])) faults.push(`${name(controls[i][0])} lies on ${name(controls[j][0])}`);
    // Words that are longer than their place.
    for (const each of document.querySelectorAll(".button, .nav button, .who, .scores .score"))
        if (each.checkVisibility() && each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0)
            faults.push(`${name(each)} is cut off: ${each.textContent}`);
    return faults;
}"""

SMALL_DESKTOPS: Final = [(1000, 700), (1024, 768), (1280, 720), (1280, 800), (1366, 657), (1440, 900)]

# What the open record leaves: of the board, the message and the record itself.
CRAMPED: Final = """() => {
    const faults = [];
    const box = selector => document.querySelector(selector).getBoundingClientRect();
    const board = box("main .board");
    if (board.height < innerHeight * 0.45) faults.push(`a board ${Math.round(board.height)} high`);
    const message = box(".prompt > span");
    const line = box(".line");
    if (message.width < 220 && message.height > 30) faults.push(`a message ${Math.round(message.width)} wide`);
    if (message.top < line.top - 1 || message.bottom > line.bottom + 1) faults.push("the message leaves its row");
    const [list, typed] = [box(".record-list"), box(".typed")];
    if (list.height < 60) faults.push(`a list ${Math.round(list.height)} high`);
    if (list.bottom > typed.top) faults.push("the list lies on the line to type into");
    return faults;
}"""

SHIFTS: Final = """() => {
    window.shifts = [];
    // Words that take another line in their own place are not a jump.
    const words = ({ node }) => (node?.nodeType === Node.TEXT_NODE ? node.parentElement : node)?.closest?.(".prompt");
    new PerformanceObserver(list => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput && !entry.sources.every(words)) window.shifts.push(
            [entry.value, ...entry.sources.map(source => source.node?.className?.baseVal ?? source.node?.className ?? "text")]);
    }).observe({ type: "layout-shift", buffered: true });
}"""


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_nothing_scrolls_or_lies_outside_while_one_plays(
    new_context: NewContext, embedded_site: Site, language: str
) -> None:
    context = await new_context(reduced_motion="reduce")
    await arrive(context, embedded_site.origin, pace="instant", language=language)
    page = await context.new_page()
    faults: dict[str, list[str]] = {}

    async def look(state: str) -> None:
        for width, height in SIZES:
            await resize(page, width, height)
            if found := await page.evaluate(FAULTS):
                faults[f"{state} at {width}x{height}"] = found

    await practise(page, embedded_site.origin, HIT_AND_COVER)
    await look("moving")
    await click(page, "8")
    await look("selected")
    await page.keyboard.press("Escape")
    await page.keyboard.press("h")
    await appears(page, ".hint-line")
    await look("hint")
    await action(page, "record").first.click()
    await appears(page, ".advice")
    await look("record and hint")
    for width, height in SMALL_DESKTOPS:
        await resize(page, width, height)
        if found := await page.evaluate(CRAMPED):
            faults[f"record and hint at {width}x{height}"] = found
    await page.keyboard.press("Escape")
    await look("record")
    await page.keyboard.press("Escape")
    await practise(page, embedded_site.origin, LAST_CHECKER)
    await click(page, "4", "off")
    await until_phase(page, "game-over")
    await look("game over")
    await prepare(context, embedded_site, "last checker")
    await page.goto(embedded_site.origin)
    await action(page, "continue").click()
    await until_phase(page, "moving")
    await look("match")
    await click(page, next(iter(await marked(page, "can-move"))), "off")
    await until_phase(page, "match-over")
    await look("match over")
    assert not faults, faults


async def resize(page: Page, width: int, height: int) -> None:
    """Another window; returns when the page has been drawn for it."""
    await page.set_viewport_size({"width": width, "height": height})
    await page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


async def test_on_a_very_large_window_text_grows_with_the_board_and_one_plays_as_ever(sit: Sit) -> None:
    page = await sit(HIT_AND_COVER)
    heights = []
    for size in (1440, 900), (1920, 1080), (3840, 2160):
        await page.set_viewport_size({"width": size[0], "height": size[1]})
        await page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        box = await action(page, "hint").bounding_box()
        assert box is not None
        heights.append(box["height"])
    assert heights[0] == heights[1]
    assert heights[2] > 1.6 * heights[1]
    await move(page, "mouse", "8", "4")
    await move(page, "click", "6", "4")


async def test_checkers_are_at_least_32_pixels_on_a_phone_of_360_by_740(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY, viewport={"width": 360, "height": 740})
    strips = await page.locator("[data-point='13']").bounding_box()
    assert strips is not None
    assert min(strips["width"], strips["height"]) >= 32
    assert (
        float(str(await page.locator(".board").first.evaluate("each => each.style.getPropertyValue('--d')"))[:-2]) >= 32
    )


@pytest.mark.parametrize("size", [(360, 740), (740, 360), (1440, 900)], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_nothing_jumps_from_the_cold_lobby_to_the_end_of_a_game(
    new_context: NewContext, embedded_site: Site, size: tuple[int, int]
) -> None:
    context = await new_context(viewport={"width": size[0], "height": size[1]}, locale="en")
    await context.add_init_script(f"({SHIFTS})()")
    await arrive(context, embedded_site.origin, pace="instant")

    async def shifts(page: Page) -> list[Any]:
        await page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found: list[Any] = await page.evaluate("() => window.shifts")
        return found

    page = await to_lobby(context, embedded_site.origin)
    assert await shifts(page) == []
    await start(page)
    await appears(page, "[data-phase=to-roll], [data-phase=moving]")
    assert await shifts(page) == []
    await practise(page, embedded_site.origin, LEFT_OVER)
    await move(page, "click", "bar", "22")
    await until_phase(page, "confirm")
    await page.keyboard.press("Enter")
    await appears(page, "[data-phase=to-roll], [data-phase=moving]")
    assert await shifts(page) == []
    await practise(page, embedded_site.origin, LAST_CHECKER)
    await click(page, "4", "off")
    await until_phase(page, "game-over")
    assert await shifts(page) == []


async def test_the_board_follows_the_window_when_a_phone_is_turned(sit: Sit) -> None:
    page = await sit(xgid(START), until="to-roll", viewport={"width": 360, "height": 740})
    for width, height in ((740, 360), (360, 740), (1440, 900)):
        await resize(page, width, height)
        assert await page.evaluate(FAULTS) == []
