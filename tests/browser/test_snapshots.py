"""The main screens as pictures, in both languages, light and dark, in three sizes.

`RENEW_SNAPSHOTS=1 .venv/bin/python -m pytest tests/browser/test_snapshots.py` takes them anew; look at every one that has
changed. What was seen and did not match is left in `tests/browser/snapshots/seen/`.
"""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from ..conftest import Site
from .conftest import NewContext
from .hands import DESKTOP, PHONE, TABLET, action, appears
from .pictures import Areas, areas_of, cells, differences, displaced, smaller
from .positions import FREE_TO_PLAY, HIT_AND_COVER, LAST_CHECKER, ONE_PLAY
from .prepared import prepare
from .seat import arrive, click, marked, practise, to_lobby, until_phase

KEPT: Final = Path(__file__).parent / "snapshots"
SEEN: Final = KEPT / "seen"
CONTROLS: Final = KEPT / "controls.json"
RENEW: Final = os.environ.get("RENEW_SNAPSHOTS") == "1"
SIZES: Final = {"360x740": PHONE, "820x1180": TABLET, "1440x900": DESKTOP}
STILL: Final = {"pace": "instant", "sound": False, "theme": "wood"}


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def viewer(browser: Browser) -> AsyncIterator[Page]:
    """An empty page in which pictures are read."""
    context = await browser.new_context()
    yield await context.new_page()
    await context.close()


async def photograph(page: Page) -> tuple[bytes, Areas]:
    """The page at rest: fonts are there, nothing has the focus or the pointer, two frames have passed."""
    await page.mouse.move(0, 0)
    await page.evaluate(
        """async () => {
            document.activeElement?.blur();
            await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
            await document.fonts.ready;
            await Promise.all(document.getAnimations().map(each => each.finished.catch(() => {})));
            await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
        }"""
    )
    return await page.screenshot(type="png", caret="hide", animations="disabled"), await areas_of(page)


def keep_controls(name: str, controls: dict[str, list[int]]) -> None:
    kept = json.loads(CONTROLS.read_text()) if CONTROLS.exists() else {}
    kept[name] = controls
    lines = (f"{json.dumps(each)}: {json.dumps(kept[each], ensure_ascii=False)}" for each in sorted(kept))
    CONTROLS.write_text("{\n" + ",\n".join(lines) + "\n}\n")


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("language", ["zh", "en"])
async def test_the_main_screens_look_as_they_were_approved(
    new_context: NewContext, embedded_site: Site, viewer: Page, language: str, mode: str
) -> None:
    origin = embedded_site.origin
    context = await new_context(reduced_motion="reduce", color_scheme=mode)
    await arrive(context, origin, mode=mode, language=language, **STILL)
    wrong: dict[str, list[str]] = {}

    async def look(page: Page, screen: str) -> None:
        for size, viewport in SIZES.items():
            await page.set_viewport_size(viewport)
            await look_at(page, f"{screen}-{size}-{language}-{mode}.png")
        await page.set_viewport_size(DESKTOP)

    async def look_at(page: Page, name: str) -> None:
        png, areas = await photograph(page)
        if RENEW:
            (KEPT / name).write_bytes(await smaller(viewer, png))
            keep_controls(name, areas.controls)
        found = displaced(json.loads(CONTROLS.read_text())[name], areas.controls)
        found += differences(await cells(viewer, (KEPT / name).read_bytes()), await cells(viewer, png), areas)
        if found:
            SEEN.mkdir(exist_ok=True)
            (SEEN / name).write_bytes(png)
            wrong[name] = found[:8]

    page = await to_lobby(context, origin)
    await look(page, "lobby")
    await practise(page, origin, FREE_TO_PLAY)
    await look(page, "game")
    await practise(page, origin, HIT_AND_COVER)
    await click(page, "8")
    await look(page, "selection")
    await practise(page, origin, ONE_PLAY)
    await page.keyboard.press("h")
    await appears(page, ".hint-line")
    await look(page, "hint")
    await practise(page, origin, LAST_CHECKER)
    await click(page, "4", "off")
    await until_phase(page, "game-over")
    await look(page, "game-over")
    await prepare(context, embedded_site, "last checker")
    page = await to_lobby(context, origin)
    await action(page, "continue").click()
    await until_phase(page, "moving")
    await click(page, next(iter(await marked(page, "can-move"))), "off")
    await until_phase(page, "match-over")
    await look(page, "match-over")
    assert not wrong, wrong


@pytest.mark.parametrize("size", SIZES)
async def test_the_comparison_tells_a_missing_mark_and_a_missing_control(
    new_context: NewContext, embedded_site: Site, viewer: Page, size: str
) -> None:
    context = await new_context(viewport=SIZES[size], reduced_motion="reduce")
    await arrive(context, embedded_site.origin, mode="light", language="en", **STILL)
    page = await context.new_page()
    await practise(page, embedded_site.origin, HIT_AND_COVER)
    png, areas = await photograph(page)
    seen = await cells(viewer, png)
    assert differences(seen, seen, areas) == []
    await click(page, "8")  # rings, wedges and lit points
    png, areas = await photograph(page)
    selected = await cells(viewer, png)
    assert any(each.startswith("board") for each in differences(seen, selected, areas))
    await page.keyboard.press("Escape")
    await page.evaluate("() => document.querySelector('.board .marks').remove()")
    png, areas = await photograph(page)
    assert any(each.startswith("board") for each in differences(seen, await cells(viewer, png), areas))
    await page.evaluate("() => document.querySelector('[data-action=undo]').remove()")
    without = await areas_of(page)
    assert displaced(areas.controls, areas.controls) == []
    assert "action undo is there only once" in displaced(areas.controls, without.controls)
