"""One complete game in Firefox and one in WebKit, by real pointer input: `make test-browsers`.

    python -m tests.browser.others [firefox] [webkit]

Firefox is driven by WebDriver BiDi over its own websocket, WebKit by WebKitWebDriver and GTK's MiniBrowser under Xvfb; no
library of either is needed. As everywhere in these tests, the hands know no rule: they touch what the page marks.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any, Final

from ...processes.programs import running
from .browsers import Browser, Place, firefox, webkit

OPENED: Final = {"firefox": firefox, "webkit": webkit}
LONGEST: Final = 15 * 60
"""Seconds for a game; a hang must end."""

LOOK: Final = """(() => {
    const root = document.querySelector("[data-phase]");
    if (!root) return { phase: "none" };
    const middle = each => {
        const { x, y, width, height } = each.getBoundingClientRect();
        return [Math.round(x + width / 2), Math.round(y + height / 2)];
    };
    const all = selector => [...document.querySelectorAll(selector)].map(middle);
    const actions = {};
    for (const each of document.querySelectorAll("[data-action], [data-pace]"))
        actions[each.dataset.action ?? each.dataset.pace] ??= middle(each);
    return {
        phase: root.dataset.phase,
        version: Number(root.dataset.version || 0),
        movable: all("[data-point][data-can-move]"),
        landings: all("[data-point][data-can-land]"),
        actions,
        over: document.querySelector(".over-kind")?.textContent ?? "",
        errors: window.errors ?? [],
    };
})()"""
CATCH_ERRORS: Final = """(() => {
    window.errors = [];
    addEventListener("error", event => window.errors.push(event.message));
    addEventListener("unhandledrejection", event => window.errors.push(String(event.reason)));
    return true;
})()"""


def play_one_game(browser: Browser, origin: str, chance: random.Random) -> str:
    """From the lobby to the end of a single game; what the last panel says. Raises AssertionError, TimeoutError."""
    ends = time.monotonic() + LONGEST

    def look() -> dict[str, Any]:
        seen: dict[str, Any] = browser.evaluate(LOOK)
        assert not seen.get("errors"), f"errors in the page: {seen['errors']}"
        if time.monotonic() > ends:
            raise TimeoutError(f"not over after {LONGEST} s: {seen}")
        return seen

    def until(wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while not wanted(seen := look()):
            time.sleep(0.02)
        return seen

    def press(name: str) -> None:
        browser.click(*until(lambda seen: name in seen["actions"])["actions"][name])

    def a_target() -> Place:
        target: Place = chance.choice(until(lambda seen: bool(seen["landings"]))["landings"])
        return target

    browser.open(origin)
    until(lambda seen: seen["phase"] == "lobby")
    browser.evaluate(CATCH_ERRORS)
    for name in ("settings", "instant", "close", "start"):
        press(name)
    for steps in count():
        seen = until(lambda seen: seen["phase"] in {"to-roll", "confirm", "game-over"} or bool(seen["movable"]))
        if seen["phase"] == "game-over":
            assert seen["over"], "the panel tells the kind of win"
            return f"{steps} steps, {seen['over']}"
        if seen["phase"] == "to-roll":
            press("roll")
        elif seen["phase"] == "confirm":
            press("end-turn")
        elif steps % 4 == 3:
            browser.drag(chance.choice(seen["movable"]), a_target)
        else:
            browser.click(*chance.choice(seen["movable"]))
            browser.click(*a_target())
        before = seen["version"]
        until(lambda seen, before=before: seen["version"] != before)  # type: ignore[misc] # mypy does not infer the default
    raise AssertionError


def main(names: list[str]) -> int:
    failures = 0
    for name in names or list(OPENED):
        with (
            tempfile.TemporaryDirectory() as directory,
            running("play", DATA_DIR=str(Path(directory, "data"))) as program,
        ):
            began = time.monotonic()
            try:
                with OPENED[name](Path(directory)) as browser:
                    print(f"{browser.name}: ", end="", flush=True)
                    told = play_one_game(browser, program.address(), random.Random(7))
            except (AssertionError, OSError, TimeoutError) as error:
                failures += 1
                print(f"{name} failed: {error}")
            else:
                print(f"a game of {told}, {time.monotonic() - began:.0f} s")
    return failures


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
