"""A real browser, and contexts in it that fail their test when the page makes an error."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any, Protocol

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, async_playwright

from ..conftest import Site
from .hands import DESKTOP, PHONE, launch
from .seat import LISTEN, arrive, practise, to_lobby

NewContext = Callable[..., Awaitable[BrowserContext]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All browser tests share one event loop with the browser."""
    for item in items:
        if item.path.parent.name == "browser":
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await launch(playwright)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def new_context(browser: Browser) -> AsyncIterator[NewContext]:
    """Makes browser contexts: a new visitor each.

    Errors in their pages fail the test, but for lost connections and the HTTP status that the page `may_get`.
    """
    errors: list[str] = []

    def watch(page: Page, may_get: int) -> None:
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: listen(message, may_get))

    def listen(message: ConsoleMessage, may_get: int) -> None:
        expected = ("WebSocket connection to", "net::ERR_", f"responded with a status of {may_get} ")
        if message.type == "error" and not any(words in message.text for words in expected):
            errors.append(message.text)

    async with AsyncExitStack() as contexts:

        async def make(may_get: int = 0, **options: Any) -> BrowserContext:
            settings: dict[str, Any] = {"viewport": DESKTOP, "locale": "zh-CN", **options}
            context = await browser.new_context(**settings)
            contexts.push_async_callback(context.close)
            context.on("page", lambda page: watch(page, may_get))
            return context

        yield make
    assert not errors, errors


class Sit(Protocol):
    """Makes a page of a new visitor, in a practice game from `position` or, without one, in the lobby."""

    async def __call__(
        self,
        position: str | None = None,
        *,
        until: str = "moving",
        settings: dict[str, Any] | None = None,
        **options: Any,
    ) -> Page: ...


@pytest.fixture
def sit(new_context: NewContext, embedded_site: Site) -> Sit:
    """A seat at the game: English, the computer at once, nothing in motion, unless said otherwise.

    `touch`: on a phone. `own_clock`: the page's timers obey `page.clock`.
    """

    async def sit_down(
        position: str | None = None, *, until: str = "moving", settings: dict[str, Any] | None = None, **options: Any
    ) -> Page:
        if options.pop("touch", False):
            options = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2, **options}
        own_clock = options.pop("own_clock", False)
        context = await new_context(**{"locale": "en", "reduced_motion": "reduce", **options})
        if own_clock:
            await context.clock.install()
        await context.add_init_script(f"({LISTEN})()")
        await arrive(context, embedded_site.origin, **{"pace": "instant", **(settings or {})})
        if position is None:
            return await to_lobby(context, embedded_site.origin)
        page = await context.new_page()
        await practise(page, embedded_site.origin, position, until)
        return page

    return sit_down
