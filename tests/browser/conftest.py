"""A real browser, and contexts in it that fail their test when the page makes an error."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, async_playwright

from .hands import DESKTOP, launch

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
    """Makes browser contexts: a new visitor each. Errors in their pages fail the test, but for lost connections."""
    errors: list[str] = []

    def watch(page: Page) -> None:
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", listen)

    def listen(message: ConsoleMessage) -> None:
        lost = "WebSocket connection to" in message.text or "net::ERR_" in message.text
        if message.type == "error" and not lost:
            errors.append(message.text)

    async with AsyncExitStack() as contexts:

        async def make(**options: Any) -> BrowserContext:
            settings: dict[str, Any] = {"viewport": DESKTOP, "locale": "zh-CN", **options}
            context = await browser.new_context(**settings)
            contexts.push_async_callback(context.close)
            context.on("page", watch)
            return context

        yield make
    assert not errors, errors
