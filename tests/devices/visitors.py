"""Devices without a page: what a browser keeps of its cookies, and the requests by which one device joins another."""

from __future__ import annotations

import asyncio
import json
import re
import urllib.error
import urllib.request
from email.message import Message
from http.cookies import SimpleCookie
from typing import Any, Self

from ..protocol.client import PATIENCE, Visitor

CHROME_ON_ANDROID = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36"
)
FIREFOX_ON_WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"


class RequestRefused(Exception):
    """An answer that is an error."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(f"{status} {code}")
        self.status = status
        self.code = code


class Browser(Visitor):
    """A visitor that keeps every cookie it is given, and says what browser it is."""

    user_agent = FIREFOX_ON_WINDOWS

    @classmethod
    async def arrive(cls, origin: str) -> Self:
        """Open the page as somebody new."""
        browser = cls(origin)
        await browser.open_page()
        return browser

    async def open_page(self) -> dict[str, Any]:
        """Open the page; the lobby that stands in it."""
        _, _, page = await self.request("GET", "/")
        found = re.search(r'id="lobby">(.*?)</script>', page.decode())
        assert found is not None
        lobby: dict[str, Any] = json.loads(found[1])
        return lobby

    async def request(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers (lower case) and body of one HTTP request; the cookies that it brings are kept."""
        sent = {"Origin": self.origin, "Cookie": self.cookie, "User-Agent": self.user_agent, **(headers or {})}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.origin + path, data, sent, method=method)

        def exchange() -> tuple[int, Message, bytes]:
            try:
                with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                    return answer.status, answer.headers, answer.read()
            except urllib.error.HTTPError as error:
                with error:
                    return error.code, error.headers, error.read()

        status, answered, content = await asyncio.to_thread(exchange)
        self._keep(answered.get_all("Set-Cookie", []))
        return status, {name.lower(): value for name, value in answered.items()}, content

    def _keep(self, given: list[str]) -> None:
        jar = self.cookies
        for each in given:
            (name, morsel), *_ = SimpleCookie(each).items()
            if morsel["max-age"] == "0":
                jar.pop(name, None)
            else:
                jar[name] = morsel.value
        self.cookie = "; ".join(f"{name}={value}" for name, value in jar.items())

    @property
    def cookies(self) -> dict[str, str]:
        """What the browser sends with every request, by name."""
        return dict(pair.split("=", 1) for pair in self.cookie.split("; ") if pair)

    async def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """What the API answers. Raises RequestRefused."""
        status, _, content = await self.request(method, f"/api/{path}", body, headers)
        answer = json.loads(content) if content else None
        if answer is not None and "error" in answer:
            raise RequestRefused(status, answer["error"]["code"])
        return answer

    # --- Inviting

    async def invite(self) -> str:
        code: str = (await self.call("POST", "devices/invite"))["code"]
        return code

    async def asker(self, code: str) -> dict[str, Any]:
        asker: dict[str, Any] = await self.call("POST", "devices/asker", {"code": code})
        return asker

    async def answer(self, code: str, *, approve: bool) -> str:
        state: str = (await self.call("POST", "devices/answer", {"code": code, "approve": approve}))["state"]
        return state

    # --- Joining

    async def ask(self, code: str, games: str = "bring", **headers: str) -> str:
        """Ask to join; the check."""
        check: str = (await self.call("POST", "devices/join", {"code": code, "games": games}, **headers))["check"]
        return check

    async def fetch_answer(self, code: str) -> str:
        state: str = (await self.call("POST", "devices/joined", {"code": code}))["state"]
        return state

    async def join(self, other: Browser, games: str = "bring") -> None:
        """Become the player of another device, all the way."""
        code = await other.invite()
        await self.ask(code, games)
        assert await other.answer(code, approve=True) == "approved"
        assert await self.fetch_answer(code) == "approved"

    # --- The list

    async def devices(self) -> list[dict[str, Any]]:
        devices: list[dict[str, Any]] = (await self.call("GET", "devices"))["devices"]
        return devices

    async def device(self) -> str:
        """The id of this device."""
        return next(str(device["id"]) for device in await self.devices() if device["here"])

    async def unfinished(self) -> set[bytes]:
        return {bytes.fromhex(summary["session"]) for summary in (await self.lobby())["unfinished"]}
