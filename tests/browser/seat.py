"""What a person does at one page, and what the page then shows; for tests that look at one thing in a set position."""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import quote

from playwright.async_api import BrowserContext, CDPSession, Locator, Page, expect

from .hands import PATIENCE_MS, action, appears, version

LISTEN: Final = """() => {
    window.heard = [];
    new MutationObserver(() => {
        const said = document.querySelector("[role=log]")?.textContent.trim();
        if (said && said !== window.heard.at(-1)) window.heard.push(said);
    }).observe(document, { subtree: true, childList: true, characterData: true });
}"""
"""Keeps everything that the live region says, in `heard`."""


async def arrive(context: BrowserContext, origin: str, **settings: Any) -> None:
    """Come to the site for the first time, and choose some settings."""
    context.set_default_timeout(PATIENCE_MS)
    answer = await context.request.get(origin)
    assert answer.ok
    if settings:
        lobby = await (await context.request.get(f"{origin}/api/lobby")).json()
        wanted = {**lobby["settings"], **settings}
        saved = await context.request.put(f"{origin}/api/settings", data=wanted, headers={"Origin": origin})
        assert saved.status == 204, await saved.text()


async def to_lobby(context: BrowserContext, origin: str) -> Page:
    """The lobby of a player who has arrived."""
    page = await context.new_page()
    await page.goto(origin)
    await appears(page, "[data-phase=lobby]")
    return page


async def practise(page: Page, origin: str, position: str, until: str = "moving") -> None:
    """Start a practice game from this position, and wait until the board is ready."""
    await page.goto(f"{origin}/?position={quote(position)}")
    await until_phase(page, until)


async def until_phase(page: Page, wanted: str) -> None:
    """Wait for a phase; in `moving`, until the checkers that may move are marked."""
    await appears(page, f"[data-phase='{wanted}']")
    if wanted == "moving":
        await appears(page, "[data-can-move]")


async def confirmed(page: Page, before: int) -> int:
    """Wait until the server has confirmed something after version `before`; the new version."""
    await page.wait_for_function(
        "before => Number(document.querySelector('[data-phase]').dataset.version || 0) > before", arg=before
    )
    return await version(page)


# --- What is to be seen


async def counts(page: Page) -> dict[str, int]:
    """Checkers by place, the computer's negative; read from the labels in Chinese or English. Empty places are left out."""
    labels: dict[str, str] = await page.eval_on_selector_all(
        "[data-point]",
        "places => Object.fromEntries(places.map(each => [each.dataset.point, each.getAttribute('aria-label')]))",
    )
    return {place: count for place, label in labels.items() if (count := checkers_in(label))}


NUMERALS: Final = dict(
    zip(
        ["零", "一", "两", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二", "十三", "十四", "十五"],
        range(16),
        strict=True,
    )
)


def checkers_in(label: str) -> int:
    """
    >>> checkers_in("13 point, 5 of yours, may move"), checkers_in("1 点，电脑的棋子两枚"), checkers_in("4 point, empty")
    (5, -2, 0)
    """
    if found := re.search(r"(\d+) of (yours|the computer's)", label):
        return int(found[1]) * (1 if found[2] == "yours" else -1)
    if found := re.search(r"(你|电脑)的棋子(.+?)枚", label):
        return NUMERALS[found[2]] * (1 if found[1] == "你" else -1)
    return 0


async def marked(page: Page, mark: str) -> set[str]:
    """The places that are marked `can-move` or `can-land`."""
    found: list[str] = await page.eval_on_selector_all(
        f"[data-point][data-{mark}]", "places => places.map(each => each.dataset.point)"
    )
    return set(found)


async def stands(page: Page) -> dict[str, Any]:
    """All that shows where a turn stands: checkers, bars, pip counts, dice with those used, what may move."""
    return {
        "checkers": await counts(page),
        "pips": await page.locator(".pips > .unseen").all_text_contents(),
        "dice": await page.locator(".board .dice").inner_html(),
        "may move": await marked(page, "can-move"),
    }


def prompt(page: Page) -> Locator:
    """The line that says what to do."""
    return page.locator(".prompt")


def place(page: Page, name: str) -> Locator:
    return page.locator(f"[data-point='{name}']")


def dice(page: Page, kind: str = "ivory") -> Locator:
    """The player's dice on the board; `ink`: the computer's."""
    return page.locator(f".board .dice .die.{kind}")


def used_dice(page: Page) -> Locator:
    return page.locator(".board .dice .die.used")


async def heard(page: Page) -> list[str]:
    """What the live region has said since `LISTEN`."""
    said: list[str] = await page.evaluate("window.heard")
    return said


# --- By mouse


async def centre(page: Page, name: str) -> tuple[float, float]:
    box = await place(page, name).bounding_box()
    assert box is not None, f"{name} is not to be seen"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def click(page: Page, *places: str) -> None:
    for name in places:
        await page.mouse.click(*await centre(page, name))


async def drag(page: Page, source: str, target: str) -> None:
    x, y = await centre(page, source)
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 6, y + 6)
    await page.mouse.move(*await centre(page, target), steps=4)
    await page.mouse.up()


# --- By touch, and by pen


async def tap(page: Page, *places: str) -> None:
    for name in places:
        await page.touchscreen.tap(*await centre(page, name))


async def touch_drag(page: Page, source: str, target: str) -> None:
    x, y = await centre(page, source)
    to_x, to_y = await centre(page, target)
    session = await page.context.new_cdp_session(page)
    await _touch(session, "touchStart", x, y)
    await _touch(session, "touchMove", x + 12, y + 12)
    await _touch(session, "touchMove", (x + to_x) / 2, (y + to_y) / 2)
    await _touch(session, "touchMove", to_x, to_y)
    await _touch(session, "touchEnd", to_x, to_y)
    await session.detach()


async def _touch(session: CDPSession, kind: str, x: float, y: float) -> None:
    points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
    await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


async def pen_drag(page: Page, source: str, target: str) -> None:
    x, y = await centre(page, source)
    to_x, to_y = await centre(page, target)
    session = await page.context.new_cdp_session(page)
    steps = (
        ("mouseMoved", x, y, 0),
        ("mousePressed", x, y, 1),
        ("mouseMoved", x + 8, y + 8, 1),
        ("mouseMoved", to_x, to_y, 1),
        ("mouseReleased", to_x, to_y, 0),
    )
    for kind, at_x, at_y, buttons in steps:
        await session.send(
            "Input.dispatchMouseEvent",
            {
                "type": kind,
                "x": at_x,
                "y": at_y,
                "button": "none" if kind == "mouseMoved" and not buttons else "left",
                "buttons": buttons,
                "clickCount": 1,
                "pointerType": "pen",
            },
        )
    await session.detach()


# --- By keyboard


async def walk_to(page: Page, name: str) -> None:
    """Bring the focus to a place of the board: by Tab onto the board, then by arrow keys."""
    for _ in range(30):
        if await _focused(page):
            break
        await page.keyboard.press("Tab")
    for _ in range(60):
        key = await page.evaluate(WAY, name)
        if key is None:
            return
        await page.keyboard.press(key)
    raise AssertionError(f"the arrow keys do not lead to {name}; they lead to {await _focused(page)}")


async def _focused(page: Page) -> str | None:
    found: str | None = await page.evaluate("document.activeElement?.dataset?.point ?? null")
    return found


WAY: Final = """name => {
    const here = document.activeElement;
    if (here.dataset.point === name) return null;
    const a = here.getBoundingClientRect();
    const b = document.querySelector(`[data-point="${name}"]`).getBoundingClientRect();
    const x = b.x + b.width / 2 - a.x - a.width / 2;
    const y = b.y + b.height / 2 - a.y - a.height / 2;
    if (Math.abs(x) > 8 && Math.abs(x) >= Math.abs(y) / 8) return x > 0 ? "ArrowRight" : "ArrowLeft";
    return y > 0 ? "ArrowDown" : "ArrowUp";
}"""
"""The arrow key that leads from the focused place towards another; null where that is it."""


async def by_keys(page: Page, *places: str, key: str = "Enter") -> None:
    for name in places:
        await walk_to(page, name)
        await page.keyboard.press(key)


async def move(page: Page, way: str, source: str, target: str) -> None:
    """One checker, by `mouse`, `click`, `touch`, `tap`, `pen` or `keys`; returns when the server has confirmed it."""
    before = await version(page)
    if way == "click":
        await click(page, source, target)
    elif way == "mouse":
        await drag(page, source, target)
    elif way == "tap":
        await tap(page, source, target)
    elif way == "touch":
        await touch_drag(page, source, target)
    elif way == "pen":
        await pen_drag(page, source, target)
    elif way == "keys":
        await by_keys(page, source, target)
    else:
        raise ValueError(f"no such way: {way}")
    await confirmed(page, before)


async def press(page: Page, way: str, name: str, key: str) -> None:
    """A control, by `mouse`, `touch` or `keys` (its key)."""
    if way == "keys":
        await page.keyboard.press(key)
    elif way == "touch":
        await action(page, name).tap()
    else:
        await action(page, name).click()


async def nothing_happened(page: Page, before: int) -> None:
    """The server was asked for nothing: a ping of the link, which comes after, finds the same version."""
    await page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert await version(page) == before
    await expect(page.locator("[data-phase]")).to_have_attribute("data-version", str(before))
