"""Cases of the rules as a player sees them, from set positions."""

from __future__ import annotations

from hashlib import sha256
from itertools import count
from pathlib import Path

import pytest
from playwright.async_api import expect

from gameserver.store import EmbeddedStore, Store

from ..conftest import Site
from ..session.fair_dice import fair_roll
from .conftest import NewContext, Sit
from .hands import action, version
from .positions import HIT_AND_COVER, LAST_CHECKER, ONE_PLAY, ONLY_THE_ONE, TWO_PATHS
from .seat import LISTEN, arrive, click, confirmed, counts, heard, marked, move, prompt, stands, to_lobby, until_phase


@pytest.mark.parametrize("way", ["mouse", "click", "touch", "keys"])
async def test_R12_one_drag_to_a_point_that_two_paths_reach_takes_the_path_that_hits(sit: Sit, way: str) -> None:
    page = await sit(TWO_PATHS, touch=way == "touch", settings={"auto_end": False})
    await move(page, way, "10", "4")
    found = await counts(page)
    assert (found["4"], found["their-bar"]) == (1, -1)


async def test_R12_the_help_states_the_rule(sit: Sit) -> None:
    page = await sit(TWO_PATHS)
    await action(page, "help").click()
    await page.locator("[data-help=controls]").click()
    await expect(page.locator(".help-text")).to_contain_text("hit")


async def test_R12_a_typed_play_may_name_its_path(sit: Sit) -> None:
    page = await sit(TWO_PATHS, settings={"auto_end": False})
    before = await version(page)
    await page.keyboard.press("/")
    await page.keyboard.type("10/8/4")
    await page.keyboard.press("Enter")
    await confirmed(page, before)
    await expect(page.locator("[data-point='their-bar']")).to_have_attribute(
        "aria-label", "bar, the computer's side, empty"
    )


@pytest.mark.parametrize("way", ["mouse", "click", "touch", "keys"])
async def test_R23_the_last_checker_borne_off_with_the_larger_die_ends_the_game_at_once(sit: Sit, way: str) -> None:
    page = await sit(LAST_CHECKER, touch=way == "touch")
    await move(page, way, "4", "off")
    await until_phase(page, "game-over")
    await expect(page.locator(".over-what")).to_have_text("You won")
    # The computer has borne nothing off, and nothing of it stands in the player's home.
    await expect(page.locator(".over-kind")).to_contain_text("Gammon")
    await expect(page.locator(".over-kind")).to_contain_text("+2")


async def test_R27_after_each_undo_everything_is_as_it_was_before(sit: Sit) -> None:
    page = await sit(HIT_AND_COVER)
    stood = [await stands(page)]
    await move(page, "click", "8", "4")
    stood.append(await stands(page))
    assert stood[1]["checkers"]["their-bar"] == -1
    # The second move would end the turn, so it is made where the turn waits.
    page = await sit(HIT_AND_COVER, settings={"auto_end": False})
    assert await stands(page) == stood[0]
    await move(page, "click", "8", "4")
    assert await stands(page) == stood[1]
    await move(page, "click", "6", "4")
    assert (await counts(page))["4"] == 2
    for before in reversed(stood):
        at = await version(page)
        await action(page, "undo").click()
        await confirmed(page, at)
        await until_phase(page, "moving")
        assert await stands(page) == before


async def test_R30_equal_dice_of_the_opening_are_shown_and_rolled_again(
    new_context: NewContext, embedded_site: Site
) -> None:
    """4-4, 6-6, 5-2: the words that give these dice with the server's secret are searched for, then typed in the page."""
    context = await new_context(locale="en", reduced_motion="reduce")
    await context.add_init_script(f"({LISTEN})()")
    origin = embedded_site.origin
    await arrive(context, origin)
    body = {"id": sha256(origin.encode()).hexdigest()[:32], "level": "normal", "format": 1}
    started = await context.request.post(f"{origin}/api/sessions", data=body, headers={"Origin": origin})
    session = bytes.fromhex((await started.json())["session"])
    async with Store(EmbeddedStore(Path(embedded_site.variables["DATA_DIR"])).url) as store:
        secret = await store.log.secret(session, 1)
    assert secret is not None
    words = words_that_roll(secret, session, ((4, 4), (6, 6), (5, 2)))

    page = await to_lobby(context, origin)
    await action(page, "settings").click()
    await action(page, "fairness").click()
    await page.locator("input[name=seed-words]").fill(words)
    await page.keyboard.press("Escape")
    await page.evaluate(
        """() => {
            window.openings = [];
            new MutationObserver(() => {
                const dice = [...document.querySelectorAll(".board .dice .die")];
                if (dice.length !== 2 || !dice[0].matches(".ivory") || !dice[1].matches(".ink")) return;
                // A die's face has a small circle for each pip.
                const [left, right] = dice.map(die => die.querySelector(".pips").getAttribute("d").split("M").length - 1);
                const apart = dice[0].getBoundingClientRect().x < dice[1].getBoundingClientRect().x;
                const seen = `${left}-${right} ${apart ? "left-right" : "wrong way round"}`;
                if (window.openings.at(-1) !== seen) window.openings.push(seen);
            }).observe(document, { subtree: true, childList: true, attributes: true });
        }"""
    )
    await action(page, "continue").click()
    await until_phase(page, "moving")
    assert await page.evaluate("window.openings") == ["4-4 left-right", "6-6 left-right", "5-2 left-right"]
    await page.wait_for_function("() => window.heard.join().includes('you start')")
    said = " ".join(await heard(page))
    assert "you rolled 4, the computer 4: a tie, rolled again" in said
    assert "you rolled 6, the computer 6: a tie, rolled again" in said
    assert "you rolled 5, the computer 2: you start" in said
    await expect(action(page, "swap-dice")).to_have_attribute(
        "aria-label", "Your dice: 5 and 2, swap which die is played first"
    )


def words_that_roll(secret: bytes, session: bytes, wanted: tuple[tuple[int, int], ...]) -> str:
    for number in count():
        words = f"words {number}"
        seed = sha256(words.encode()).digest()
        if all(fair_roll(secret, session, 1, at, seed) == roll for at, roll in enumerate(wanted, start=1)):
            return words
    raise AssertionError


async def test_R32_where_there_is_a_choice_nothing_is_played_by_itself(sit: Sit) -> None:
    page = await sit(ONLY_THE_ONE, settings={"auto_forced": True})
    assert await marked(page, "can-move") == {"8", "6"}
    found = await counts(page)
    assert (found["8"], found["6"]) == (1, 2)
    await expect(prompt(page)).to_have_text("Your move")
    await click(page, "8")
    assert await marked(page, "can-land") == {"7"}


async def test_R32_the_only_play_is_played_by_itself_where_the_player_wants_that(sit: Sit) -> None:
    page = await sit(ONE_PLAY, until="to-roll", settings={"auto_forced": True})
    record = page.locator(".record-bar .last")
    await expect(record).to_contain_text("Turn 1Computer")
    await action(page, "record").click()
    await expect(page.locator("#record tbody tr").first).to_contain_text("24/22 8/2")
