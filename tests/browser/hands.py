"""Hands that play in a real browser and know no rule: they touch only what the page marks as possible."""

from __future__ import annotations

import random
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from playwright.async_api import Browser, BrowserContext, CDPSession, Locator, Page, Playwright, ViewportSize

CHROMIUM_ARGUMENTS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PHONE: Final[ViewportSize] = {"width": 360, "height": 740}
TABLET: Final[ViewportSize] = {"width": 820, "height": 1180}
DESKTOP: Final[ViewportSize] = {"width": 1440, "height": 900}
PATIENCE_MS: Final = 30_000

Way = Literal["click", "drag", "touch"]
FINISHED: Final = frozenset({"game-over", "match-over"})


async def launch(playwright: Playwright) -> Browser:
    """Chromium: the system's, else the one that playwright has."""
    system = shutil.which("chromium") or shutil.which("google-chrome")
    return await playwright.chromium.launch(executable_path=system, args=list(CHROMIUM_ARGUMENTS))


async def open_page(context: BrowserContext, origin: str) -> Page:
    """The lobby, ready to be used. An error in the page fails the test that looks at ``page_errors``."""
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    await page.goto(origin)
    await appears(page, "[data-phase=lobby]")
    return page


async def appears(page: Page, selector: str) -> None:
    """Wait until something matches. It looks at every frame, where a locator's `wait_for` looks twice a second."""
    await page.wait_for_function("selector => document.querySelector(selector) !== null", arg=selector)


async def phase(page: Page) -> str:
    return str(await page.locator("[data-phase]").get_attribute("data-phase"))


async def version(page: Page) -> int:
    """The confirmed version; 0 in the lobby."""
    return int(await page.locator("[data-phase]").get_attribute("data-version") or 0)


def action(page: Page, name: str) -> Locator:
    return page.locator(f"[data-action={name}]").first


async def choose_pace(page: Page, pace: str) -> None:
    """Open the gear, choose the computer's pace, close the gear."""
    await action(page, "settings").click()
    await page.locator(f"[data-pace={pace}]").click()
    await page.keyboard.press("Escape")


async def start(page: Page, *, level: str = "normal", length: int = 1) -> None:
    """Start a session from the lobby."""
    await page.locator(f"[data-level={level}]").click()
    await page.locator(f"[data-format='{length}']").click()
    await action(page, "start").click()
    await appears(page, "[data-phase]:not([data-phase=lobby])")


@dataclass
class Hands:
    """Plays on one page. ``way``: how checkers are moved."""

    page: Page
    choose: random.Random
    way: Way = "click"
    steps: int = 0
    on_step: Callable[[int], Awaitable[None]] | None = None
    phases: list[str] = field(default_factory=list)

    async def play_on(self, limit: int = 5_000) -> str:
        """Play until the session is over; the last phase. Fails where nothing can be done any more."""
        for _ in range(limit):
            before = await self.settled()
            self.phases.append(before)
            if before == "match-over" or (before == "game-over" and not await self._has("next-game")):
                return before
            await self.step(before)
            self.steps += 1
            if self.on_step is not None:
                await self.on_step(self.steps)
        raise AssertionError(f"not over after {limit} steps; the last phases: {self.phases[-20:]}")

    async def settled(self) -> str:
        """The next phase in which it is the player's to do something."""
        await appears(
            self.page,
            "[data-phase=to-roll], [data-phase=moving], [data-phase=confirm], [data-phase=game-over],"
            " [data-phase=match-over]",
        )
        return await phase(self.page)

    async def step(self, now: str) -> None:
        """Do one thing that the page offers, and wait until it shows."""
        if now == "to-roll":
            await self._press("roll")
        elif now == "confirm":
            await self._press("end-turn")
        elif now == "game-over":
            await self._press("next-game")
        elif now == "moving":
            await self._move()

    async def _press(self, name: str) -> None:
        before = await version(self.page)
        await action(self.page, name).click()
        await self._until_version_passes(before)

    async def _until_version_passes(self, before: int) -> None:
        await self.page.wait_for_function(
            "before => Number(document.querySelector('[data-phase]').dataset.version || 0) !== before", arg=before
        )

    async def _has(self, name: str) -> bool:
        return await self.page.locator(f"[data-action={name}]").count() > 0

    async def _move(self) -> None:
        before = await version(self.page)
        source = await self._pick("[data-can-move]")
        if source is None:
            return  # the phase changed between two looks
        if self.way == "click":
            await self._tap(source)
            target = await self._pick("[data-can-land]")
            assert target is not None, f"{source} may move, but nowhere"
            await self._tap(target)
        else:
            await self._drag(source)
        await self._until_version_passes(before)

    async def _pick(self, selector: str) -> str | None:
        """One of the places that are marked so; its ``data-point``."""
        points: list[str] = await self.page.eval_on_selector_all(
            f"[data-point]{selector}", "places => places.map(place => place.dataset.point)"
        )
        return self.choose.choice(points) if points else None

    async def _centre(self, point: str) -> tuple[float, float]:
        """The middle of a place's upper checker, or of the place itself."""
        box = await self.page.locator(f"[data-point='{point}']").bounding_box()
        assert box is not None, f"{point} is not to be seen"
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    async def _tap(self, point: str) -> None:
        await self.page.mouse.click(*await self._centre(point))

    async def _drag(self, source: str) -> None:
        x, y = await self._centre(source)
        if self.way == "touch":
            await self._touch_drag(source, x, y)
            return
        mouse = self.page.mouse
        await mouse.move(x, y)
        await mouse.down()
        await mouse.move(x + 6, y + 6)
        target = await self._pick("[data-can-land]")
        assert target is not None, f"{source} may move, but nowhere"
        await mouse.move(*await self._centre(target))
        await mouse.up()

    async def _touch_drag(self, source: str, x: float, y: float) -> None:
        session = await self.page.context.new_cdp_session(self.page)
        try:
            await _touch(session, "touchStart", x, y)
            await _touch(session, "touchMove", x + 8, y + 8)
            target = await self._pick("[data-can-land]")
            assert target is not None, f"{source} may move, but nowhere"
            to_x, to_y = await self._centre(target)
            await _touch(session, "touchMove", (x + to_x) / 2, (y + to_y) / 2)
            await _touch(session, "touchMove", to_x, to_y)
            await _touch(session, "touchEnd", to_x, to_y)
        finally:
            await session.detach()


async def _touch(session: CDPSession, kind: str, x: float, y: float) -> None:
    points: list[dict[str, Any]] = [] if kind == "touchEnd" else [{"x": x, "y": y}]
    await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


async def board(page: Page) -> list[str]:
    """What every place says of itself, in the words that a screen reader is given."""
    places: list[str] = await page.eval_on_selector_all(
        "[data-point]", "places => places.map(place => `${place.dataset.point}: ${place.getAttribute('aria-label')}`)"
    )
    return sorted(places)
