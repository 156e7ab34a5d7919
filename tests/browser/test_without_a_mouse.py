"""Whole games by keyboard alone, and by typed plays alone."""

from __future__ import annotations

import random
import re

from playwright.async_api import Page, expect

from gameserver.backgammon import Dice, Position, complete_plays, format_play

from .conftest import Sit
from .hands import action, appears, phase, version
from .positions import FREE_TO_PLAY, HIT_AND_COVER
from .seat import by_keys, confirmed, counts, heard, marked, move, prompt, walk_to

READY = "[data-phase=to-roll], [data-phase=moving], [data-phase=confirm], [data-phase=game-over]"
LONGEST = 3_000


async def start_by_keys(page: Page) -> None:
    """From the lobby into a game: Tab to the button, Enter."""
    for _ in range(40):
        await page.keyboard.press("Tab")
        if await page.evaluate("() => document.activeElement?.dataset?.action ?? null") == "start":
            break
    await page.keyboard.press("Enter")
    await appears(page, "[data-phase]:not([data-phase=lobby])")


async def test_a_whole_game_by_keyboard_alone(sit: Sit) -> None:
    page = await sit()
    chance = random.Random(5)
    await start_by_keys(page)
    for _ in range(LONGEST):
        await appears(page, READY)
        now, before = await phase(page), await version(page)
        if now == "game-over":
            break
        if now == "moving":
            may_move = sorted(await marked(page, "can-move"))
            if not may_move:
                continue  # the phase changed between two looks
            await walk_to(page, chance.choice(may_move))
            await page.keyboard.press("Enter")
            if not (targets := sorted(await marked(page, "can-land"))):
                continue
            await walk_to(page, chance.choice(targets))
            await page.keyboard.press("Space")
        else:
            await page.keyboard.press(chance.choice(["Space", "Enter"]))
        await confirmed(page, before)
    await expect(page.locator(".over")).to_be_visible()
    before = await version(page)
    await page.keyboard.press("Enter")  # play again
    await appears(page, READY)
    assert await version(page) < before


async def test_a_whole_game_by_typed_plays_alone_from_what_a_screen_reader_is_told(sit: Sit) -> None:
    """The position is read from the labels, the dice from the live region, and every play is typed as a whole."""
    page = await sit()
    await start_by_keys(page)
    rolls = 0
    for _ in range(LONGEST):
        await appears(page, READY)
        now, before = await phase(page), await version(page)
        if now == "game-over":
            break
        if now != "moving":
            rolls += now == "to-roll"
            await page.keyboard.press("Space")
            await confirmed(page, before)
            continue
        rolls = max(rolls, 1)  # the opening's roll is the player's without a key
        dice = await spoken_dice(page, rolls)
        plays = complete_plays(await position(page), dice)
        assert plays, f"nothing can be played with {dice}"
        text = format_play(next(iter(plays.values())))
        await page.keyboard.press("/")
        await expect(action(page, "type-play")).to_be_focused()
        await page.keyboard.type(text)
        await page.keyboard.press("Enter")
        await confirmed(page, before)
        await page.keyboard.press("Escape")
        await expect(action(page, "type-play")).to_have_count(0)
    await expect(page.locator(".over")).to_be_visible()


async def position(page: Page) -> Position:
    found = await counts(page)
    points = [found.get("their-bar", 0), *(found.get(str(point), 0) for point in range(1, 25)), found.get("bar", 0)]
    return Position(tuple(points))


ROLLED = re.compile(r"You rolled (\d) and (\d)|you rolled (\d), the computer (\d): you start")


async def spoken_dice(page: Page, rolls: int) -> Dice:
    """The player's dice of so many rolls, as the live region tells the last of them."""
    said: list[tuple[str, ...]] = []
    for _ in range(1_000):
        said = ROLLED.findall(" ".join(await heard(page)))
        if len(said) >= rolls:
            break
        await page.evaluate("() => new Promise(done => setTimeout(done, 20))")
    assert len(said) == rolls, f"{rolls} rolls were made, these were told: {said}"
    a, b = (int(each) for each in said[-1] if each)
    return (a,) * 4 if a == b else (max(a, b), min(a, b))


async def test_a_refused_play_says_why_and_leaves_the_board_as_it_was(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY)
    before, stood = await version(page), await counts(page)
    for text, why in (
        ("what", "I can't read that play. Write it like 8/5 6/5"),
        ("24/23", "The rules don't allow that"),
        ("13/9*", "The rules don't allow that"),
    ):
        await page.keyboard.press("/")
        await page.keyboard.type(text)
        await page.keyboard.press("Enter")
        await expect(prompt(page)).to_have_text(why)
        await page.keyboard.press("Escape")
    assert (await version(page), await counts(page)) == (before, stood)


async def test_typed_plays_are_read_in_the_ways_that_people_write_them(sit: Sit) -> None:
    for text in ("8/4* 6/4", "8-4, 6-4", "8/4 6/4"):
        page = await sit(HIT_AND_COVER, settings={"auto_end": False})
        before = await version(page)
        await page.keyboard.press("/")
        await page.keyboard.type(text)
        await page.keyboard.press("Enter")
        await confirmed(page, before)
        assert ((await counts(page))["4"], (await counts(page))["their-bar"]) == (2, -1), text
        await page.close()


async def test_letters_typed_into_the_box_are_no_keys_of_the_game(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY)
    await move(page, "click", "24", "18")
    before = await version(page)
    await page.keyboard.press("/")
    await page.keyboard.type("u h")
    await page.keyboard.press("Backspace")
    await expect(action(page, "type-play")).to_have_value("u ")
    assert await version(page) == before


async def test_a_typed_play_stays_in_its_box_until_it_is_taken(sit: Sit) -> None:
    page = await sit(HIT_AND_COVER, settings={"auto_end": False})
    before = await version(page)
    await page.keyboard.press("/")
    await page.keyboard.type("8/4* 6/5")
    await page.keyboard.press("Enter")
    await expect(page.locator(".prompt")).to_contain_text(re.compile("rules|规则"))
    await expect(action(page, "type-play")).to_have_value("8/4* 6/5")
    await page.keyboard.press("Backspace")
    await page.keyboard.type("4")
    await page.keyboard.press("Enter")
    await confirmed(page, before)
    await expect(action(page, "type-play")).to_have_value("")


async def test_the_arrow_keys_reach_every_place_of_the_board(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY)
    for name in ("bar", *map(str, range(1, 25)), "off", "their-bar", "their-off"):
        await walk_to(page, name)
        await expect(page.locator(".board .focus.mark")).to_be_visible()


async def test_the_arrow_keys_reach_every_place_of_the_turned_board(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY, touch=True)
    for name in ("bar", *map(str, range(1, 25)), "off", "their-bar", "their-off"):
        await walk_to(page, name)
    await by_keys(page, "24", "18")
    assert (await counts(page))["18"] == 1
