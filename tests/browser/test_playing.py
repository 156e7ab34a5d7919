"""The rows P1 to P11 of what the game must do, in a real browser: by mouse, and where it applies by touch and keyboard."""

from __future__ import annotations

import itertools
import random
import re
import time
from typing import Any

import pytest
from playwright.async_api import Page, expect

from .conftest import Sit
from .hands import Hands, action, appears, start, version
from .positions import (
    BEARING_OFF,
    FOUR_OF_A_KIND,
    FREE_TO_PLAY,
    HIT_AND_COVER,
    LAST_CHECKER,
    LEFT_OVER,
    ONE_PLAY,
    SHUT_OUT,
    START,
    xgid,
)
from .seat import (
    centre,
    click,
    confirmed,
    counts,
    dice,
    drag,
    heard,
    marked,
    move,
    nothing_happened,
    place,
    press,
    prompt,
    stands,
    tap,
    touch_drag,
    until_phase,
    used_dice,
    walk_to,
)

TOUCH: dict[str, Any] = {"touch": True}
WAYS = pytest.mark.parametrize("way", ["mouse", "touch", "keys"])


def options_for(way: str) -> dict[str, Any]:
    return TOUCH if way in {"touch", "tap"} else {}


# --- P1


@pytest.mark.parametrize("way", ["mouse", "touch", "Space", "Enter"])
async def test_P1_the_player_rolls_by_the_button_and_by_Space_and_Enter(sit: Sit, way: str) -> None:
    page = await sit(xgid(START), until="to-roll", **options_for(way))
    before = await version(page)
    await expect(dice(page)).to_have_count(0)
    if way in {"Space", "Enter"}:
        await page.keyboard.press(way)
    else:
        await press(page, way, "roll", "")
    await confirmed(page, before)
    await until_phase(page, "moving")
    await expect(dice(page)).to_have_count(2)
    assert re.search(r"You rolled \d and \d", " ".join([*await heard(page), *await spoken_soon(page)]))


async def spoken_soon(page: Page) -> list[str]:
    await page.wait_for_function("() => window.heard.length > 0")
    return await heard(page)


async def test_P1_nobody_rolls_when_it_is_not_their_roll(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY)
    before = await version(page)
    await page.keyboard.press("Space")
    await page.keyboard.press("Enter")
    await expect(action(page, "roll")).to_have_count(0)
    await nothing_happened(page, before)


# --- P2


@pytest.mark.parametrize("way", ["mouse", "touch", "pen"])
async def test_P2_a_checker_is_dragged_to_a_lit_point(sit: Sit, way: str) -> None:
    page = await sit(FREE_TO_PLAY, **options_for(way))
    await move(page, way, "24", "18")
    found = await counts(page)
    assert (found["24"], found["18"]) == (1, 1)
    await expect(used_dice(page)).to_have_count(1)


async def test_P2_the_targets_light_up_as_soon_as_a_checker_is_pressed_and_it_follows_the_pointer(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY)
    x, y = await centre(page, "24")
    await page.mouse.move(x, y)
    await page.mouse.down()
    assert await marked(page, "can-land") == {"20", "18", "14"}
    await page.mouse.move(x - 80, y + 90)
    held = await page.locator(".board .held").bounding_box()
    assert held is not None
    assert abs(held["x"] + held["width"] / 2 - (x - 80)) < 12
    assert abs(held["y"] + held["height"] / 2 - (y + 90)) < 12
    await page.mouse.up()


@pytest.mark.parametrize("way", ["mouse", "touch"])
async def test_P2_one_drag_plays_several_dice(sit: Sit, way: str) -> None:
    page = await sit(FOUR_OF_A_KIND, **options_for(way))
    await move(page, way, "24", "15")
    found = await counts(page)
    assert (found["24"], found["15"]) == (1, 1)
    # One die more is left of the four: the checker may go on by 3.
    await click(page, "15")
    assert "12" not in await marked(page, "can-land"), "the computer holds 12"


@pytest.mark.parametrize("way", ["mouse", "touch"])
async def test_P2_a_checker_is_dragged_to_the_tray(sit: Sit, way: str) -> None:
    page = await sit(BEARING_OFF, **options_for(way))
    await move(page, way, "3", "off")
    assert (await counts(page))["off"] == 5
    assert (await counts(page))["3"] == 2


@pytest.mark.parametrize("way", ["mouse", "touch"])
async def test_P2_a_drop_beside_every_target_flies_home(sit: Sit, way: str) -> None:
    page = await sit(FREE_TO_PLAY, **options_for(way))
    before, stood = await version(page), await counts(page)
    await (drag if way == "mouse" else touch_drag)(page, "24", "1")
    await nothing_happened(page, before)
    assert await counts(page) == stood
    await expect(page.locator(".board .held")).not_to_be_visible()
    await expect(prompt(page)).to_have_text("It can't go there")


async def test_P2_a_second_finger_makes_a_drag_a_pinch_that_enlarges_the_page_and_moves_nothing(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY, touch=True)
    before = await counts(page)
    x, y = await centre(page, "24")
    session = await page.context.new_cdp_session(page)

    async def touch(kind: str, *spots: tuple[float, float]) -> None:
        points = [{"x": at_x, "y": at_y, "id": finger} for finger, (at_x, at_y) in enumerate(spots)]
        await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    await touch("touchStart", (x, y))
    await touch("touchMove", (x, y + 30))
    await expect(page.locator("[data-held]")).to_have_count(1)
    await touch("touchStart", (x, y + 30), (x - 100, y + 100))
    for step in range(1, 16):
        await touch("touchMove", (x, y + 30), (x - 100 - 5 * step, y + 100 - 20 * step))
    await touch("touchEnd")
    await page.wait_for_function("() => visualViewport.scale > 1.1")
    await expect(page.locator("[data-held], [data-can-land]")).to_have_count(0)
    assert await counts(page) == before
    await session.detach()


async def test_P2_a_moved_checker_dragged_back_takes_the_move_back(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY)
    stood = await stands(page)
    await move(page, "mouse", "24", "18")
    before = await version(page)
    await drag(page, "18", "24")
    await confirmed(page, before)
    assert await stands(page) == stood


async def test_P2_a_checker_that_is_not_lit_cannot_be_lifted(sit: Sit) -> None:
    page = await sit(ONE_PLAY)
    before, stood = await version(page), await counts(page)
    await drag(page, "6", "4")
    await nothing_happened(page, before)
    assert await counts(page) == stood


# --- P3


@pytest.mark.parametrize("way", ["click", "tap", "keys"])
async def test_P3_a_lit_checker_and_then_a_lit_target(sit: Sit, way: str) -> None:
    page = await sit(FREE_TO_PLAY, **options_for(way))
    await move(page, way, "13", "7")
    found = await counts(page)
    assert (found["13"], found["7"]) == (4, 1)


@pytest.mark.parametrize("way", ["click", "tap", "keys"])
async def test_P3_the_same_checker_again_plays_the_larger_die(sit: Sit, way: str) -> None:
    page = await sit(FREE_TO_PLAY, **options_for(way))
    before = await version(page)
    if way == "keys":
        await walk_to(page, "24")
        await page.keyboard.press("Space")
        await page.keyboard.press("Space")
    else:
        await (click if way == "click" else tap)(page, "24", "24")
    await confirmed(page, before)
    assert (await counts(page))["18"] == 1


async def test_P3_the_same_checker_again_plays_the_smaller_die_where_the_larger_is_blocked(sit: Sit) -> None:
    page = await sit(xgid(START, "54"))  # a 5 from 24 lands on five of the computer's
    before = await version(page)
    await click(page, "24", "24")
    await confirmed(page, before)
    assert (await counts(page))["20"] == 1


@pytest.mark.parametrize("way", ["a click on the dice", "a right click", "keys"])
async def test_P3_swapped_dice_play_the_smaller_first(sit: Sit, way: str) -> None:
    page = await sit(FREE_TO_PLAY)
    swap = action(page, "swap-dice")
    await expect(swap).to_have_attribute("aria-label", "Your dice: 6 and 4, swap which die is played first")
    if way == "keys":
        await swap.focus()
        await page.keyboard.press("Enter")
    elif way == "a right click":
        await page.mouse.click(*await centre(page, "20"), button="right")
    else:
        await swap.click()
    await expect(swap).to_have_attribute("aria-label", "Your dice: 4 and 6, swap which die is played first")
    before = await version(page)
    await click(page, "24", "24")
    await confirmed(page, before)
    assert (await counts(page))["20"] == 1


# --- P4


@pytest.mark.parametrize("way", ["an empty point", "an opposing checker", "Escape"])
async def test_P4_a_selection_is_cancelled(sit: Sit, way: str) -> None:
    page = await sit(FREE_TO_PLAY)
    before = await version(page)
    await click(page, "24")
    await expect(place(page, "24")).to_have_attribute("aria-pressed", "true")
    assert await marked(page, "can-land")
    if way == "Escape":
        await page.keyboard.press("Escape")
    else:
        await click(page, "3" if way == "an empty point" else "12")
    await expect(place(page, "24")).to_have_attribute("aria-pressed", "false")
    assert await marked(page, "can-land") == set()
    await nothing_happened(page, before)


async def test_P4_a_tap_elsewhere_cancels_on_a_phone_too(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY, touch=True)
    await tap(page, "24")
    assert await marked(page, "can-land")
    await tap(page, "3")
    assert await marked(page, "can-land") == set()


# --- P5


@WAYS
async def test_P5_undo_takes_back_one_die_and_the_hit_checker_returns(sit: Sit, way: str) -> None:
    page = await sit(HIT_AND_COVER, **options_for(way))
    after_roll = await stands(page)
    await move(page, "tap" if way == "touch" else "click", "8", "4")
    found = await counts(page)
    assert (found["4"], found["their-bar"]) == (1, -1)
    before = await version(page)
    await press(page, way, "undo", "u")
    await confirmed(page, before)
    assert await stands(page) == after_roll
    assert (await counts(page))["4"] == -1


async def test_P5_undo_goes_back_one_step_at_a_time_to_just_after_the_roll_and_no_further(sit: Sit) -> None:
    page = await sit(FOUR_OF_A_KIND)
    stood = [await stands(page)]
    for source, target in (("24", "21"), ("21", "18"), ("8", "5")):
        await move(page, "click", source, target)
        stood.append(await stands(page))
    stood.pop()
    while stood:
        before = await version(page)
        await page.keyboard.press("Backspace")
        await confirmed(page, before)
        assert await stands(page) == stood.pop()
    before = await version(page)
    await page.keyboard.press("Backspace")
    await nothing_happened(page, before)
    await expect(prompt(page)).to_have_text("There is nothing to undo yet")
    await expect(dice(page)).to_have_count(2)


async def test_P5_one_drag_over_two_dice_is_two_undos(sit: Sit) -> None:
    page = await sit(FOUR_OF_A_KIND)
    await move(page, "mouse", "24", "18")
    before = await version(page)
    await page.keyboard.press("u")
    await confirmed(page, before)
    assert (await counts(page))["21"] == 1


# --- P6


async def test_P6_the_turn_ends_by_itself_when_the_dice_are_used_up(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY)
    await move(page, "click", "24", "18")
    await move(page, "click", "13", "9")
    await appears(page, "[data-phase=moving], [data-phase=to-roll]")
    await expect(page.locator(".record-bar .last")).to_contain_text("Turn 1Computer")


@WAYS
async def test_P6_dice_that_cannot_be_played_are_said_and_the_turn_waits_so_that_undo_stays_possible(
    sit: Sit, way: str
) -> None:
    page = await sit(LEFT_OVER, **options_for(way))
    await move(page, {"mouse": "click", "touch": "tap", "keys": "keys"}[way], "bar", "22")
    await until_phase(page, "confirm")
    await expect(prompt(page)).to_have_text("The other dice can't be played. Undo, or end your turn")
    before = await version(page)
    await press(page, way, "undo", "u")
    await confirmed(page, before)
    await until_phase(page, "moving")
    await move(page, {"mouse": "click", "touch": "tap", "keys": "keys"}[way], "bar", "22")
    before = await version(page)
    if way == "keys":
        await page.evaluate("document.activeElement.blur()")
    await press(page, way, "end-turn", "Enter")
    await confirmed(page, before)


@pytest.mark.parametrize("way", ["mouse", "Enter"])
async def test_P6_with_automatic_end_off_the_turn_waits_for_the_player(sit: Sit, way: str) -> None:
    page = await sit(FREE_TO_PLAY, settings={"auto_end": False})
    await move(page, "click", "24", "18")
    await move(page, "click", "13", "9")
    await until_phase(page, "confirm")
    await expect(prompt(page)).to_have_text("All dice played. Undo, or end your turn")
    await page.keyboard.press("u")
    await until_phase(page, "moving")
    await move(page, "click", "13", "9")
    await until_phase(page, "confirm")
    before = await version(page)
    if way == "mouse":
        await action(page, "end-turn").click()
    else:
        await page.keyboard.press("Enter")
    await confirmed(page, before)
    await expect(page.locator(".record-bar .last")).to_contain_text("Turn")


# --- P7


async def test_P7_no_possible_move_is_said_clearly_and_the_turn_passes(sit: Sit) -> None:
    page = await sit(SHUT_OUT, until="to-roll")
    before = await version(page)
    await page.evaluate(
        """() => {
            window.prompts = [];
            new MutationObserver(() => window.prompts.push(document.querySelector(".prompt")?.textContent))
                .observe(document.querySelector(".prompt"), { subtree: true, childList: true, characterData: true });
        }"""
    )
    await page.keyboard.press("Space")
    assert await confirmed(page, before) > before
    await page.wait_for_function('() => window.prompts.includes("You have no legal move; the computer\'s turn")')
    await page.wait_for_function(
        '() => window.heard.some(said => said.includes("You cannot move: the computer\'s turn"))'
    )
    await until_phase(page, "to-roll")


async def test_P7_with_automatic_end_off_a_turn_without_a_move_waits(sit: Sit) -> None:
    page = await sit(SHUT_OUT, until="to-roll", settings={"auto_end": False})
    await page.keyboard.press("Space")
    await until_phase(page, "confirm")
    await expect(prompt(page)).to_have_text("You have no legal move")
    before = await version(page)
    await page.keyboard.press("Enter")
    await confirmed(page, before)


# --- P8


@WAYS
async def test_P8_a_hint_is_drawn_as_dotted_lines_with_its_reasons_and_plays_nothing(sit: Sit, way: str) -> None:
    page = await sit(ONE_PLAY, **options_for(way))
    before, stood = await version(page), await counts(page)
    await press(page, way, "hint", "h")
    lines = page.locator(".board .hint-line:not(.hint-case)")
    await expect(lines).to_have_count(2)
    for line in await lines.all():
        await expect(line).to_be_visible()
        assert await line.get_attribute("stroke-dasharray")
    await expect(page.locator(".board .hint-head")).to_have_count(2)
    assert sorted(await page.locator(".board .hint-number").all_text_contents()) == ["2", "6"]
    await expect(prompt(page)).to_have_text(re.compile(r"Try 24/22,? 8/2|Try 8/2,? 24/22"))
    await expect(prompt(page)).to_contain_text("the only play")
    await expect(action(page, "hint")).to_have_attribute("aria-pressed", "true")
    assert await counts(page) == stood
    await press(page, way, "hint", "H")
    await expect(lines).to_have_count(0)
    await nothing_happened(page, before)


@pytest.mark.parametrize(
    ("locale", "words"), [("zh-CN", ["建议 24/22 8/2", "只有这一种走法"]), ("en", ["Try", "the only play"])]
)
async def test_P8_a_hint_gives_its_reasons_in_both_languages(sit: Sit, locale: str, words: list[str]) -> None:
    page = await sit(ONE_PLAY, locale=locale)
    await page.keyboard.press("h")
    for each in words:
        await expect(prompt(page)).to_contain_text(each)


async def test_P8_in_the_middle_of_a_play_the_hint_shows_what_remains(sit: Sit) -> None:
    page = await sit(ONE_PLAY)
    await move(page, "click", "24", "22")
    await page.keyboard.press("h")
    await expect(page.locator(".board .hint-line:not(.hint-case)")).to_have_count(1)
    await expect(page.locator(".board .hint-number")).to_have_text("6")


async def test_P8_a_hint_outside_of_ones_own_move_says_why_not(sit: Sit) -> None:
    page = await sit(xgid(START), until="to-roll")
    await page.keyboard.press("h")
    await expect(prompt(page)).to_have_text("Hints are for your own move")


# --- P9


@WAYS
async def test_P9_the_record_folds_out_and_tells_every_turn_of_both_sides(sit: Sit, way: str) -> None:
    page = await sit(ONE_PLAY, **options_for(way))
    by = {"mouse": "click", "touch": "tap", "keys": "keys"}[way]
    await move(page, by, "24", "22")
    await move(page, by, "8", "2")
    await appears(page, "[data-phase=moving], [data-phase=to-roll]")
    record = page.locator("#record")
    await expect(record).to_have_count(0)
    if way == "keys":
        bar = action(page, "record")
        await bar.focus()
        await page.keyboard.press("Enter")
    else:
        await press(page, way, "record", "")
    row = record.locator("tbody tr").first
    await expect(row.locator("th")).to_have_text("1")
    await expect(row.locator("td").nth(0)).to_have_text(re.compile(r"6-2\s+(24/22 8/2|8/2 24/22)"))
    await expect(row.locator("td").nth(1)).to_have_text(re.compile(r"[1-6]-[1-6]\s+\S+"))
    await page.keyboard.press("Escape")
    await expect(record).to_have_count(0)


async def test_P9_the_record_has_an_open_game_beside_it(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY)
    await action(page, "record").click()
    await expect(page.locator("#record")).to_be_visible()
    await move(page, "click", "24", "18")
    await move(page, "click", "13", "9")
    await expect(page.locator("#record tbody tr").first).to_contain_text("6-4")


# --- P10


async def test_P10_only_checkers_that_may_move_are_lit_and_a_hit_is_told_from_a_landing(sit: Sit) -> None:
    page = await sit(HIT_AND_COVER)
    assert await marked(page, "can-move") == {"24", "13", "8", "6"}
    assert await marked(page, "can-land") == set()
    await click(page, "8")
    assert await marked(page, "can-land") == {"6", "4", "2"}
    await expect(place(page, "4")).to_have_attribute("aria-label", "4 point, 1 of the computer's, may hit here")
    await expect(place(page, "6")).to_have_attribute("aria-label", re.compile("may land here$"))
    await expect(page.locator(".board .marks .strike")).to_have_count(1)


async def test_P10_a_move_into_a_dead_end_is_not_lit(sit: Sit) -> None:
    page = await sit(ONE_PLAY)
    assert await marked(page, "can-move") == {"24", "8"}
    await click(page, "8")
    assert await marked(page, "can-land") == {"2"}, "8/6 would leave the 6 unplayable"
    for name, label in {"6": "may move", "24": "may move"}.items():
        text = await place(page, name).get_attribute("aria-label") or ""
        assert (label in text) == (name == "24")


async def test_P10_nothing_is_lit_while_it_is_not_ones_move(sit: Sit) -> None:
    page = await sit(xgid(START), until="to-roll")
    assert await marked(page, "can-move") == set()


# --- P11

WATCH_BOARD = """() => {
    window.seen = [];
    const look = () => {
        const board = [...document.querySelectorAll("[data-point]")].map(each => each.getAttribute("aria-label")).join();
        const ink = document.querySelectorAll(".board .dice .die.ink").length;
        const last = window.seen.at(-1);
        if (last && last.board === board && last.ink === ink) return;
        window.seen.push({ at: performance.now(), board, ink });
    };
    look();
    new MutationObserver(look).observe(document.querySelector(".board"),
        { subtree: true, childList: true, attributes: true, attributeFilter: ["aria-label", "class"] });
}"""


async def test_P11_the_computers_dice_and_each_of_its_moves_are_seen_one_by_one_at_the_pace(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY, settings={"pace": "fast"}, reduced_motion="no-preference")
    await page.evaluate(WATCH_BOARD)
    await move(page, "click", "24", "18")
    await click(page, "13", "9")
    await until_phase(page, "computer")
    await appears(page, "[data-phase=moving], [data-phase=to-roll]")
    seen: list[dict[str, Any]] = await page.evaluate("window.seen")
    turn = [each for each in seen if each["ink"] == 2]
    boards = list(dict.fromkeys(each["board"] for each in turn))
    assert len(boards) >= 2, "the dice are seen before the first checker moves"
    first_sight = [next(each["at"] for each in turn if each["board"] == one) for one in boards]
    gaps = [later - earlier for earlier, later in itertools.pairwise(first_sight)]
    assert all(gap >= 100 for gap in gaps), f"two moves at once: {gaps}"
    assert sum(gaps) >= 400, gaps


async def test_P11_the_computers_dice_are_left_lying_spent_until_the_player_rolls(sit: Sit) -> None:
    page = await sit(until="lobby")
    await start(page)
    hands = Hands(page, random.Random(11))
    while (now := await hands.settled()) != "to-roll":
        await hands.step(now)
    await expect(page.locator(".dice .die.ink.used")).to_have_count(2)
    await hands.step(now)
    await expect(page.locator(".dice .die.ink")).to_have_count(0)
    await expect(page.locator(".dice .die.ivory")).to_have_count(2)


@pytest.mark.parametrize("way", ["mouse", "touch", "keys"])
async def test_P11_a_tap_or_a_key_hurries_the_computer(sit: Sit, way: str) -> None:
    page = await sit(FREE_TO_PLAY, settings={"pace": "real"}, **options_for(way))
    await move(page, "click", "24", "18")
    before = await version(page)
    await page.clock.install()
    await page.clock.pause_at(time.time() + 1)  # from here on no frame comes into sight by itself
    await click(page, "13", "9")
    await page.wait_for_function(
        "before => Number(document.querySelector('[data-phase]').dataset.version) >= before + 2", arg=before
    )
    await expect(page.locator("[data-phase]")).to_have_attribute("data-phase", "computer")
    stood = await counts(page)
    if way == "keys":
        await page.evaluate("document.activeElement.blur()")
        await page.keyboard.press("Space")
    else:
        await (tap if way == "touch" else click)(page, "3")
    await expect(page.locator("[data-phase=moving], [data-phase=to-roll]")).to_be_attached()
    assert await counts(page) != stood, "all of the computer's moves are there at once"


LISTEN_TO_SOUNDS = """() => {
    window.voices = [];
    for (const name of ["AudioBufferSourceNode", "OscillatorNode"]) {
        const start = window[name].prototype.start;
        window[name].prototype.start = function (...when) {
            window.voices.push(name);
            return start.apply(this, when);
        };
    }
}"""


async def test_P11_dice_moves_hits_and_the_end_are_heard(sit: Sit) -> None:
    page = await sit(HIT_AND_COVER, settings={"sound": True})
    await page.evaluate(LISTEN_TO_SOUNDS)
    await click(page, "8")  # the first touch of the page loads and wakes the sounds
    await page.wait_for_function(
        "() => performance.getEntriesByType('resource').some(each => each.name.includes('sound'))"
    )
    await page.keyboard.press("Escape")
    before = await version(page)
    await move(page, "click", "6", "4")
    await page.wait_for_function("() => window.voices.length > 0")
    hit = await page.evaluate("window.voices.length")
    assert await version(page) > before
    await page.keyboard.press("u")
    await page.wait_for_function("heard => window.voices.length > heard", arg=hit)


async def test_P11_with_sounds_off_nothing_is_made_and_one_click_brings_them_back(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY, settings={"sound": True})
    await page.evaluate(LISTEN_TO_SOUNDS)
    await action(page, "sound").click()
    await expect(action(page, "sound")).to_have_attribute("aria-label", "Turn sound on")
    await move(page, "click", "24", "18")
    assert await page.evaluate("window.voices") == []
    await action(page, "sound").click()
    await move(page, "click", "13", "9")
    await page.wait_for_function("() => window.voices.length > 0")


async def test_P11_the_last_checker_wins_with_a_sound_of_its_own(sit: Sit) -> None:
    page = await sit(LAST_CHECKER, settings={"sound": True})
    await page.evaluate(LISTEN_TO_SOUNDS)
    await click(page, "24")
    await page.wait_for_function(
        "() => performance.getEntriesByType('resource').some(each => each.name.includes('sound'))"
    )
    await move(page, "click", "4", "off")
    # Bearing off: noise, a thump of two and a click; the win: two plucked notes.
    await page.wait_for_function("() => window.voices.filter(each => each === 'OscillatorNode').length >= 3")


async def test_P11_reduced_motion_lets_nothing_travel(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY, reduced_motion="reduce")
    await page.evaluate(
        """() => {
            window.flown = 0;
            new MutationObserver(() => { if (document.querySelector("[data-flying]")) window.flown++; })
                .observe(document.querySelector(".board"), { subtree: true, attributes: true, childList: true });
        }"""
    )
    await move(page, "click", "24", "18")
    await move(page, "click", "13", "9")
    await appears(page, "[data-phase=moving], [data-phase=to-roll]")
    assert await page.evaluate("window.flown") == 0


async def test_P11_without_that_wish_a_checker_travels(sit: Sit) -> None:
    page = await sit(FREE_TO_PLAY, reduced_motion="no-preference")
    await click(page, "24")
    await page.evaluate(
        """() => {
            window.flown = 0;
            new MutationObserver(() => { if (document.querySelector("[data-flying]")) window.flown++; })
                .observe(document.querySelector(".board"), { subtree: true, attributes: true, childList: true });
        }"""
    )
    await click(page, "18")
    await page.wait_for_function("() => window.flown > 0")
