"""The link fails: networks that go, servers that die, pages that sleep. Nothing is lost, nothing is done twice."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from .conftest import NewContext, Sit
from .hands import action, appears, version
from .installation import Installation
from .positions import FOUR_OF_A_KIND, FREE_TO_PLAY, HIT_AND_COVER
from .seat import arrive, click, confirmed, counts, drag, marked, move, practise, prompt, stands, until_phase

FOUND_WITHIN = 8.0
"""Seconds in which a dead link is to be found after waking; the machine's own slowness comes on top."""
SLACK = 12.0


async def offline(page: Page, *, yes: bool) -> None:
    await page.context.set_offline(yes)


async def test_S02_moves_made_without_a_network_are_shown_kept_and_sent_once(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY, settings={"auto_end": False})
    before = await version(page)
    await offline(page, yes=True)
    await click(page, "24", "18")
    found = await counts(page)
    assert (found["24"], found["18"]) == (1, 1), "drawn at once"
    await click(page, "13", "9")
    await expect(prompt(page)).to_have_text("Connection lost; your move is kept and will be sent", timeout=30_000)
    assert await version(page) == before
    await offline(page, yes=False)
    assert await settled_version(page, before + 2) == before + 2, "each was applied once"
    found = await counts(page)
    assert (found["24"], found["18"], found["13"], found["9"]) == (1, 1, 4, 1)
    await until_phase(page, "confirm")
    await expect(prompt(page)).to_have_text("All dice played. Undo, or end your turn")


async def settled_version(page: Page, at_least: int) -> int:
    """The version once everything that the page had to send is answered."""
    await confirmed(page, at_least - 1)
    await page.reload()
    await action(page, "continue").click()
    await page.wait_for_function("() => Number(document.querySelector('[data-phase]').dataset.version) > 0")
    await appears(page, "[data-phase=moving], [data-phase=confirm], [data-phase=to-roll]")
    return await version(page)


async def test_a_short_break_of_the_network_is_not_worth_a_word(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY)
    await page.evaluate(
        """() => {
            window.lines = [];
            new MutationObserver(() => window.lines.push(document.querySelector(".prompt").textContent))
                .observe(document.querySelector(".prompt"), { subtree: true, childList: true, characterData: true });
        }"""
    )
    await offline(page, yes=True)
    await offline(page, yes=False)
    await move(page, "click", "24", "18")
    assert not [line for line in await page.evaluate("() => window.lines") if "lost" in line.lower()]


async def test_S04_a_page_that_slept_finds_its_dead_link_and_says_so(sit: Sit) -> None:
    """The machine sleeps ten minutes: timers stand still, then jump; the socket still says that it is open."""
    page = await sit(FREE_TO_PLAY, own_clock=True)
    before = await version(page)
    await offline(page, yes=True)
    began = time.monotonic()
    await page.clock.fast_forward("10:00")
    await expect(prompt(page)).to_have_text("Connection lost; reconnecting…", timeout=30_000)
    assert time.monotonic() - began < FOUND_WITHIN + SLACK
    await offline(page, yes=False)
    await expect(prompt(page)).to_have_text("Your move", timeout=60_000)
    await move(page, "click", "24", "18")
    assert await version(page) == before + 1


@pytest.mark.parametrize("event", ["online", "focus", "visibilitychange"])
async def test_a_silent_link_is_found_dead_within_8_seconds_of_waking(sit: Sit, event: str) -> None:
    """A socket that swallows everything, as after a change of networks, on a clock that the test moves."""
    page = await sit(FREE_TO_PLAY, own_clock=True)
    await page.evaluate(
        """() => {
            window.opened = 0;
            const { send } = WebSocket.prototype;
            WebSocket.prototype.send = function (data) { if (this.swallows !== false) return; send.call(this, data); };
            const Real = WebSocket;
            window.WebSocket = class extends Real { constructor(...to) { super(...to); this.swallows = false; window.opened++; } };
        }"""
    )
    await page.clock.pause_at(time.time() + 600)
    target = "document" if event == "visibilitychange" else "window"
    await page.evaluate(f"() => {target}.dispatchEvent(new Event('{event}'))")
    seconds = 0
    while await page.evaluate("() => window.opened") == 0:
        assert seconds < FOUND_WITHIN
        await page.clock.run_for(1000)
        seconds += 1
    await page.clock.resume()
    await move(page, "click", "24", "18")


async def test_S14_move_undo_move_in_quick_succession_is_one_step_each(sit: Sit) -> None:
    page = await sit(HIT_AND_COVER, settings={"auto_end": False})
    before = await version(page)
    await offline(page, yes=True)  # quicker than any network
    await click(page, "8", "4")
    await page.keyboard.press("u")
    await click(page, "8", "4")
    await page.keyboard.press("u")
    await click(page, "6", "4")
    found = await counts(page)
    assert (found["8"], found["6"], found["4"], found["their-bar"]) == (3, 4, 1, -1)
    await offline(page, yes=False)
    assert await settled_version(page, before + 5) == before + 5
    found = await counts(page)
    assert (found["8"], found["6"], found["4"], found["their-bar"]) == (3, 4, 1, -1)


async def test_two_quick_moves_never_wait_for_the_network(sit: Sit) -> None:
    page = await sit(FOUR_OF_A_KIND)
    before = await version(page)
    await offline(page, yes=True)
    await drag(page, "24", "21")
    assert (await counts(page))["21"] == 1
    assert "21" in await marked(page, "can-move"), "what may follow is known already"
    await drag(page, "21", "18")
    assert (await counts(page))["18"] == 1
    await offline(page, yes=False)
    await confirmed(page, before + 1)
    assert (await counts(page))["18"] == 1


@pytest_asyncio.fixture(loop_scope="session")
async def installation(tmp_path: Path) -> AsyncIterator[Installation]:
    own = Installation(tmp_path)
    await asyncio.to_thread(own.start)
    yield own
    await asyncio.to_thread(own.stop)


async def test_S03_the_server_is_killed_and_started_again_and_the_page_goes_on(
    new_context: NewContext, installation: Installation
) -> None:
    context = await new_context(locale="en", reduced_motion="reduce")
    await arrive(context, installation.origin, pace="instant", auto_end=False)
    page = await context.new_page()
    await practise(page, installation.origin, FREE_TO_PLAY)
    await move(page, "click", "24", "18")
    before = await version(page)
    await asyncio.to_thread(installation.kill)
    await expect(prompt(page)).to_have_text("Connection lost; reconnecting…", timeout=30_000)
    await click(page, "13", "9")  # made while there is no server at all
    await expect(prompt(page)).to_have_text("Connection lost; your move is kept and will be sent")
    assert (await counts(page))["9"] == 1
    await asyncio.to_thread(installation.start)
    assert await confirmed(page, before) == before + 1
    await until_phase(page, "confirm")
    stood = await stands(page)
    assert await settled_version(page, before + 1) == before + 1
    assert await stands(page) == stood
