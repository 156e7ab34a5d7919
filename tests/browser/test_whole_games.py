"""Whole games and matches in a real browser, by hands that know no rule; everything is killed in the middle."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from playwright.async_api import Page

from ..conftest import Site
from .conftest import NewContext
from .hands import DESKTOP, PHONE, Hands, Way, action, appears, board, choose_pace, open_page, phase, start, version
from .installation import Installation


async def play_with_two_deaths(
    page: Page, installation: Installation, way: Way, length: int, deaths: tuple[int, int], seed: int
) -> list[float]:
    """Play a session to its end; before these steps everything is killed and started again. The times of starting."""
    times: list[float] = []
    hands = Hands(page, random.Random(seed), way)

    async def die_now_and_then(steps: int) -> None:
        if steps not in deaths:
            return
        now = await hands.settled()
        stood = await stands(page)
        await asyncio.to_thread(installation.kill)
        times.append(await asyncio.to_thread(installation.start))
        # A page that was never here before sees what the killed server last acknowledged, and so does the old one.
        other = await page.context.new_page()
        await other.goto(installation.origin)
        await action(other, "continue").click()
        await appears(other, f"[data-phase={now}]")
        assert await stands(other) == stood
        await other.close()
        assert await stands(page) == stood

    hands.on_step = die_now_and_then
    await start(page, length=length)
    last = await hands.play_on()
    assert last == ("game-over" if length == 1 else "match-over")
    assert len(times) == len(deaths), f"over after {hands.steps} steps, before the deaths"
    return times


async def stands(page: Page) -> tuple[str, int, list[str], list[str]]:
    """Where the session stands for who looks at the page: phase, version, every place, the dice if any lie there."""
    if await phase(page) == "moving":
        await appears(page, "[data-can-move]")
    dice = await page.locator("[data-dice]").evaluate_all("found => found.map(each => each.dataset.dice)")
    return await phase(page), await version(page), await board(page), dice


async def test_a_game_by_clicks_goes_on_where_it_stood_after_everything_was_killed_twice(
    new_context: NewContext, tmp_path: Path
) -> None:
    installation = Installation(tmp_path)
    installation.start()
    try:
        page = await open_page(await new_context(viewport=DESKTOP), installation.origin)
        await choose_pace(page, "instant")
        times = await play_with_two_deaths(page, installation, "click", 1, (9, 26), seed=1)
        print(f"started again in {times} s")
    finally:
        installation.stop()


async def test_a_match_to_5_by_drags_goes_on_where_it_stood_after_everything_was_killed_twice(
    new_context: NewContext, tmp_path: Path
) -> None:
    installation = Installation(tmp_path)
    installation.start()
    try:
        context = await new_context(viewport=DESKTOP, reduced_motion="reduce")
        page = await open_page(context, installation.origin)
        await choose_pace(page, "instant")
        await play_with_two_deaths(page, installation, "drag", 5, (12, 70), seed=2)
        await action(page, "lobby").click()
        await appears(page, "[data-phase=lobby]")
        assert await page.locator("[data-action=continue]").count() == 0, "a finished match is not continued"
    finally:
        installation.stop()


async def test_a_game_by_touch_on_a_phone(new_context: NewContext, embedded_site: Site) -> None:
    context = await new_context(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    page = await open_page(context, embedded_site.origin)
    await choose_pace(page, "instant")
    await start(page)
    assert await Hands(page, random.Random(3), "touch").play_on() == "game-over"


@pytest.mark.parametrize("level", ["beginner", "normal", "expert"])
async def test_a_game_by_clicks_is_played_to_its_end_at_every_level(
    new_context: NewContext, embedded_site: Site, level: str
) -> None:
    context = await new_context(viewport=DESKTOP, reduced_motion="reduce")
    page = await open_page(context, embedded_site.origin)
    await choose_pace(page, "instant")
    await start(page, level=level)
    assert await Hands(page, random.Random(4), "click").play_on() == "game-over"
    await action(page, "lobby").click()
    await appears(page, "[data-phase=lobby]")
    assert await page.locator("[data-action=continue]").count() == 0, "a finished game is not continued"
