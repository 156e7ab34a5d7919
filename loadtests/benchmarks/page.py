"""What the page costs a slow phone: bytes, requests, time to a usable lobby, time to the first move, frames.

    python -m loadtests.benchmarks.page [--runs 5]

Starts the game by itself and measures in Chromium at 360x740 with the processor slowed four times, 1.6 Mbit/s and
150 ms a round trip. Times depend on the machine: compare them with others taken in the same hour.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
from typing import Any, Final

from playwright.async_api import Browser, BrowserContext, CDPSession, Page, async_playwright

from tests.browser.hands import PHONE, action, launch
from tests.processes.programs import running

SLOW_PHONE: Final = {
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
    "offline": False,
}
CPU_SLOWDOWN: Final = 4

OBSERVE: Final = """
window.measured = {shift: 0, lobby: 0};
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.measured.shift += entry.value;
}).observe({type: 'layout-shift', buffered: true});
const usable = () => {
  const button = document.querySelector('[data-phase=lobby] [data-action=start]');
  if (button && !button.disabled && button.getBoundingClientRect().height > 0)
    requestAnimationFrame(() => { window.measured.lobby = performance.now(); });
  else requestAnimationFrame(usable);
};
requestAnimationFrame(usable);
"""

AWAIT_FIRST_ACT: Final = """
() => new Promise(resolve => {
  const began = performance.now();
  let opening = 0;
  const look = () => {
    const phase = document.querySelector('[data-phase]').dataset.phase;
    if (phase === 'opening' && !opening && document.querySelector('.board [data-dice]')) opening = performance.now();
    if (document.querySelector('[data-can-move]') || ['to-roll', 'computer'].includes(phase))
      resolve({first: performance.now() - began, dice: opening ? opening - began : null});
    else requestAnimationFrame(look);
  };
  document.querySelector('[data-action=start]').click();
  look();
})
"""

TAP_TO_PAINT: Final = """
point => new Promise(resolve => {
  const place = document.querySelector(`[data-point="${point}"]`);
  const box = place.getBoundingClientRect();
  const at = {bubbles: true, cancelable: true, composed: true, pointerId: 7, pointerType: 'touch',
              isPrimary: true, button: 0, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2};
  const began = performance.now();
  place.dispatchEvent(new PointerEvent('pointerdown', {...at, buttons: 1}));
  place.dispatchEvent(new PointerEvent('pointerup', at));
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve(performance.now() - began);
    channel.port2.postMessage(null);
  });
})
"""


async def slow_phone(browser: Browser) -> tuple[BrowserContext, Page, CDPSession]:
    context = await browser.new_context(
        viewport={"width": PHONE["width"], "height": PHONE["height"]},
        device_scale_factor=2,
        has_touch=True,
        is_mobile=True,
        locale="zh-CN",
    )
    page = await context.new_page()
    session = await context.new_cdp_session(page)
    await session.send("Network.enable")
    await session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    await session.send("Network.emulateNetworkConditions", SLOW_PHONE)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
    await page.add_init_script(OBSERVE)
    return context, page, session


async def measure_open(browser: Browser, origin: str) -> dict[str, float]:
    """One visit by somebody new, from the cold open to the first thing that the player may do."""
    context, page, session = await slow_phone(browser)
    received: dict[str, float] = {"bytes": 0, "requests": 0}

    def loaded(event: dict[str, Any]) -> None:
        received["bytes"] += event["encodedDataLength"]
        received["requests"] += 1

    session.on("Network.loadingFinished", loaded)
    await page.goto(origin, wait_until="commit")
    await page.wait_for_function("() => window.measured.lobby > 0", timeout=60_000)
    lobby: float = await page.evaluate("window.measured.lobby")
    first: dict[str, float] = await page.evaluate(AWAIT_FIRST_ACT)
    shift: float = await page.evaluate("window.measured.shift")
    await page.wait_for_load_state("networkidle")
    await context.close()
    return {
        "bytes until the first game": received["bytes"],
        "requests": received["requests"],
        "cold open to usable lobby, ms": lobby,
        "start to first sight of the dice, ms": first["dice"] or first["first"],
        "layout shift": shift,
    }


async def measure_taps(browser: Browser, origin: str, wanted: int) -> list[float]:
    """From a tap to the end of the frame that shows it, on a network 300 ms slower; no processor slow-down."""
    context, page, session = await slow_phone(browser)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    await page.goto(origin)
    await action(page, "settings").tap()
    await page.locator("[data-pace=instant]").tap()
    await page.keyboard.press("Escape")
    await action(page, "start").tap()
    await session.send("Network.emulateNetworkConditions", {**SLOW_PHONE, "latency": 300})
    choose = random.Random(1)
    times: list[float] = []
    for _ in range(2_000):
        if len(times) >= wanted:
            break
        phase = await page.locator("[data-phase]").get_attribute("data-phase")
        movable = await page.locator("[data-can-move]").all()
        if phase == "moving" and movable:
            source = await choose.choice(movable).get_attribute("data-point")
            times.append(await page.evaluate(TAP_TO_PAINT, source))
            targets = await page.locator("[data-can-land]").all()
            if targets:
                target = await choose.choice(targets).get_attribute("data-point")
                times.append(await page.evaluate(TAP_TO_PAINT, target))
        elif phase in {"to-roll", "confirm"}:
            await action(page, "roll" if phase == "to-roll" else "end-turn").click()
        elif phase in {"game-over", "match-over"}:
            break
        await page.wait_for_timeout(50)
    await context.close()
    return times


async def run(runs: int) -> None:
    with tempfile.TemporaryDirectory() as data_dir, running("play", DATA_DIR=data_dir) as program:
        origin = program.address()
        async with async_playwright() as playwright:
            browser = await launch(playwright)
            opens = [await measure_open(browser, origin) for _ in range(runs)]
            taps = sorted(await measure_taps(browser, origin, 60))
            await browser.close()
    for name in opens[0]:
        values = sorted(each[name] for each in opens)
        print(f"{name:42} median {statistics.median(values):10.3f}   {values[0]:10.3f} - {values[-1]:10.3f}")
    print(
        f"{'tap to paint with 300 ms network, ms':42} median {statistics.median(taps):10.3f}   p95"
        f" {taps[int(len(taps) * 0.95)]:.3f}, worst {taps[-1]:.3f} of {len(taps)}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    asyncio.run(run(parser.parse_args().runs))


if __name__ == "__main__":
    main()
