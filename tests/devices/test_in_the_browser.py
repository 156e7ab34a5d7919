"""A game goes on from one real browser to another by the code, and the other is signed out again."""

from __future__ import annotations

import asyncio
import random

import pytest
from playwright.async_api import Browser, Page, expect

from ..browser.conftest import NewContext
from ..browser.hands import PHONE, Hands, action, board, choose_pace, open_page, phase, start, version
from ..conftest import Site

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def shown_code(page: Page) -> str:
    """Have a code shown in the lobby; the code."""
    await action(page, "devices").click()
    await action(page, "invite").click()
    await expect(page.locator(".qr")).to_be_visible()
    code = await page.locator("[data-code]").get_attribute("data-code")
    assert code is not None
    return code


async def approve(first: Page, second: Page) -> None:
    """Compare the two digits, and let the second in."""
    checks = [await page.locator("[data-check]").get_attribute("data-check") for page in (first, second)]
    assert checks[0] == checks[1] is not None
    async with second.expect_navigation():
        await action(first, "approve").click()
    await second.locator("[data-phase=lobby]").wait_for()


async def same_board(one: Page, other: Page) -> None:
    """Wait until it is the player's to do something on both pages, and both show the same board."""
    pages = (one, other)
    seen: list[tuple[int, list[str]]] = []
    for _ in range(100):
        for page in pages:
            await Hands(page, random.Random(0)).settled()
        seen = [(await version(page), await board(page)) for page in pages]
        if seen[0] == seen[1]:
            return
        await asyncio.sleep(0.05)  # the computer's turn came between two looks
    assert seen[0] == seen[1]


async def test_a_game_goes_on_on_another_device_until_that_is_signed_out(
    redis_site: Site, new_context: NewContext
) -> None:
    first = await open_page(await new_context(), redis_site.origins[0])
    await choose_pace(first, "instant")
    await start(first, length=5)
    hands = [Hands(first, random.Random(11))]
    for _ in range(4):
        await hands[0].step(await hands[0].settled())
    await hands[0].settled()
    await action(first, "lobby").click()
    await action(first, "yes").click()
    code = await shown_code(first)

    phone = await new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    second = await phone.new_page()
    await second.goto(f"{redis_site.origins[1]}/#join={code}")
    assert "join" not in second.url, "the code leaves the address at once"
    await action(second, "join").click()
    await approve(first, second)
    await expect(first.locator("[data-device]")).to_have_count(2)

    await first.keyboard.press("Escape")
    for page in (first, second):
        await action(page, "continue").click()
        await page.locator("[data-phase]:not([data-phase=lobby])").wait_for(state="attached")
    hands.append(Hands(second, random.Random(12)))
    for step in range(10):
        await same_board(first, second)
        await hands[step % 2].step(await hands[step % 2].settled())
    await same_board(first, second)

    await action(first, "lobby").click()
    await action(first, "yes").click()
    await action(first, "devices").click()
    other = first.locator("[data-device]").filter(has_not_text="这台设备").locator("[data-action=sign-out]")
    await other.click()
    await other.click()
    await expect(first.locator("[data-device]")).to_have_count(0)
    reload = action(second, "reload")
    await reload.wait_for()
    await reload.click()
    await second.locator("[data-phase=lobby]").wait_for()
    assert await action(second, "continue").count() == 0, "a stranger, with nothing to go on with"
    await first.keyboard.press("Escape")
    await action(first, "continue").click()
    await Hands(first, random.Random(13)).settled()
    assert await phase(first) != "lobby"


async def test_a_typed_code_and_own_games_that_come_along(embedded_site: Site, new_context: NewContext) -> None:
    first = await open_page(await new_context(), embedded_site.origin)
    code = await shown_code(first)
    second = await open_page(await new_context(locale="en-GB"), embedded_site.origin)
    await start(second)
    await action(second, "lobby").click()
    await action(second, "yes").click()
    await second.locator("[data-phase=lobby]").wait_for()
    await action(second, "devices").click()

    await second.locator("input[name=code]").fill(code.lower())
    await second.locator("[data-games=bring][aria-checked=true]").wait_for()
    await action(second, "join").click()
    await approve(first, second)
    await second.locator("[data-action=continue]").wait_for()
    await first.reload()
    await first.locator("[data-action=continue]").wait_for()


async def test_a_page_in_the_lobby_is_told_that_its_device_was_signed_out(
    embedded_site: Site, new_context: NewContext
) -> None:
    first = await open_page(await new_context(), embedded_site.origin)
    code = await shown_code(first)
    second = await open_page(await new_context(), embedded_site.origin)
    await action(second, "devices").click()
    await second.locator("input[name=code]").fill(code)
    await action(second, "join").click()
    await approve(first, second)
    await action(second, "devices").click()
    other = second.locator("[data-device]").filter(has_not_text="这台设备").locator("[data-action=sign-out]")
    await other.click()
    await other.click()
    await first.keyboard.press("Escape")
    await action(first, "reload").click()
    await first.locator("[data-phase=lobby]").wait_for()
    await expect(action(first, "reload")).to_have_count(0)


async def test_a_wrong_code_is_said_to_be_wrong(embedded_site: Site, browser: Browser) -> None:
    context = await browser.new_context()  # in which the 404 that the browser reports is no fault
    page = await open_page(context, embedded_site.origin)
    await action(page, "devices").click()
    await page.locator("input[name=code]").fill("0000-0000")
    await page.keyboard.press("Enter")
    await page.locator("[data-trouble=no-code]").wait_for()
    await context.close()


async def test_who_is_refused_stays_who_it_was(embedded_site: Site, new_context: NewContext) -> None:
    first = await open_page(await new_context(), embedded_site.origin)
    code = await shown_code(first)
    second = await open_page(await new_context(), embedded_site.origin)
    await action(second, "devices").click()
    await second.locator("input[name=code]").fill(code)
    await action(second, "join").click()
    await action(first, "refuse").click()
    await expect(first.locator("[data-invitation=refused]")).to_be_visible()
    await expect(action(second, "join")).to_be_visible()
    await expect(second.locator("[role=status]").first).to_be_visible()
