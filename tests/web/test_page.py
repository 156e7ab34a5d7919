"""The page, its files and what goes with them: cookies, caching, compression, security headers."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from starlette.applications import Starlette

from gameserver.store import Store
from gameserver.web.identity import Identity
from gameserver.web.limits import Requests, Starts
from gameserver.web.lobby import Lobby
from gameserver.web.page import BuiltPage, Page, PageNotBuilt
from gameserver.web.preferences import Preferences
from gameserver.web.rooms import Rooms

from ..conftest import Site
from ..protocol.client import Visitor
from .conftest import serving

KEY = "k" * 32


@pytest.fixture
async def browser(store: Store, rooms: Rooms, built_page: Path) -> AsyncIterator[Visitor]:
    """Somebody without a cookie, at a server that serves a small page behind a proxy."""
    identity = Identity([KEY])
    lobby = Lobby(store, rooms, Starts(store.quotas, 0))
    page = Page(lobby, store.devices, identity, Requests(), BuiltPage.read(built_page))
    async with serving(Starlette(routes=page.routes()), trusted_proxies=("127.0.0.0/8",)) as origin:
        yield Visitor(origin)


async def test_a_new_browser_gets_a_cookie_that_no_script_can_read(browser: Visitor) -> None:
    _, headers, _ = await browser.request("GET", "/")
    cookie = headers["set-cookie"].lower()
    assert re.match(r"shuanglu=[0-9a-f]{32}\.[0-9a-f]{32}\.[\w-]{20,}; ", cookie)
    assert {"httponly", "samesite=lax", "path=/", f"max-age={400 * 86400}"} <= set(cookie.split("; "))
    assert "secure" not in cookie


async def test_behind_tls_the_cookie_is_secure(browser: Visitor) -> None:
    _, headers, _ = await browser.request("GET", "/", headers={"X-Forwarded-Proto": "https"})
    assert "; Secure" in headers["set-cookie"]


async def test_a_proxy_that_is_not_trusted_is_not_believed(site: Site) -> None:
    _, headers, _ = await Visitor(site.origin).request("GET", "/", headers={"X-Forwarded-Proto": "https"})
    assert "Secure" not in headers["set-cookie"]


async def test_the_page_holds_the_lobby_and_may_be_kept_by_nobody(browser: Visitor) -> None:
    _, headers, body = await browser.request("GET", "/")
    assert headers["cache-control"] == "no-store"
    data = re.search(r'id="lobby">(.*)</script>', body.decode())
    assert data is not None
    lobby = json.loads(data[1])
    assert lobby["unfinished"] == []
    assert lobby["settings"].keys() == set(Preferences.__struct_fields__)


async def test_the_page_may_load_nothing_from_elsewhere_and_run_no_inline_script(browser: Visitor) -> None:
    _, headers, _ = await browser.request("GET", "/")
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


async def test_files_named_by_their_contents_are_kept_for_ever_and_others_not(browser: Visitor) -> None:
    _, headers, _ = await browser.request("GET", "/assets/page-1a2b.js")
    assert headers["cache-control"] == "public, max-age=31536000, immutable"
    assert headers["content-type"].startswith("text/javascript")
    _, headers, _ = await browser.request("GET", "/icon.svg")
    assert headers["cache-control"] == "public, max-age=3600"


async def test_files_are_compressed_for_those_who_can_read_it(browser: Visitor) -> None:
    _, plain_headers, plain = await browser.request("GET", "/assets/page-1a2b.js")
    assert "content-encoding" not in plain_headers
    _, headers, small = await browser.request("GET", "/assets/page-1a2b.js", headers={"Accept-Encoding": "br, gzip"})
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(small) == plain
    assert plain_headers["vary"] == headers["vary"] == "Accept-Encoding"
    assert len(small) < len(plain)
    _, headers, _ = await browser.request("GET", "/assets/font.woff2", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in headers


async def test_the_page_itself_is_compressed_too(browser: Visitor) -> None:
    _, _, body = await browser.request("GET", "/", headers={"Accept-Encoding": "gzip"})
    assert b'id="lobby"' in gzip.decompress(body)


@pytest.mark.parametrize("path", ["/index.html", "/.stamp", "/assets", "/assets/../.stamp", "/assets/none.js"])
async def test_nothing_else_is_served(browser: Visitor, path: str) -> None:
    status, _, _ = await browser.request("GET", path)
    assert status == 404


@pytest.mark.parametrize("path", ["/game", "/index.html", "//elsewhere.example/", "/api/lobbies"])
async def test_a_mistyped_address_leads_to_the_page(embedded_site: Site, path: str) -> None:
    # As a browser does, this follows where it is sent.
    status, _, body = await Visitor(embedded_site.origin).request("GET", path, headers={"Accept": "text/html, */*"})
    assert status == 200
    assert b'id="lobby"' in body


def test_a_page_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(PageNotBuilt, match="has not been built"):
        BuiltPage.read(tmp_path)
    (tmp_path / "index.html").write_text("<html>")
    with pytest.raises(PageNotBuilt, match="no place for the lobby"):
        BuiltPage.read(tmp_path)


async def test_only_the_page_makes_a_player(site: Site) -> None:
    nobody = Visitor(site.origin)
    for method, path in (
        ("GET", "/api/lobby"),
        ("POST", "/api/sessions"),
        ("PUT", "/api/settings"),
        ("GET", "/healthz"),
    ):
        _, headers, _ = await nobody.request(method, path, {} if method != "GET" else None)
        assert "set-cookie" not in headers
    _, headers, _ = await nobody.request("GET", "/")
    nobody.cookie = headers["set-cookie"].split(";")[0]
    _, headers, _ = await nobody.request("GET", "/")
    assert headers["set-cookie"].startswith(nobody.cookie), "it is the same player, for another while"


async def test_ready_and_alive(site: Site) -> None:
    for path in ("/healthz", "/readyz"):
        status, _, _ = await Visitor(site.origin).request("GET", path)
        assert status == 200
