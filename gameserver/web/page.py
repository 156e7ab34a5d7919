"""The page and its files: read once at the start, compressed once, with the headers that keep it safe and quick."""

import gzip
import mimetypes
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gameserver.session.ids import PlayerId
from gameserver.store import Overloaded, StoreUnavailable
from gameserver.store.devices import Devices
from gameserver.web.identity import Identity, Visitor
from gameserver.web.limits import Exhausted, Requests
from gameserver.web.lobby import Lobby
from gameserver.web.preferences import Preferences

BUILT_PAGE: Final = Path(__file__).parent / "page"
LOBBY_SLOT: Final = b'<script type="application/json" id="lobby"></script>'
FOR_EVER: Final = "public, max-age=31536000, immutable"
SHORTLY: Final = "public, max-age=3600"
COMPRESSED: Final = {".html", ".js", ".css", ".svg", ".json", ".webmanifest", ".txt"}

SECURITY_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
    " require-trusted-types-for 'script'; trusted-types 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True)
class _File:
    content: bytes
    compressed: bytes | None
    media_type: str
    caching: str


class PageNotBuilt(Exception):
    """The client's files are not there, or are not those that this server expects."""


@dataclass(frozen=True)
class BuiltPage:
    """The files of the built client, in memory."""

    index: bytes
    files: dict[str, _File]

    @classmethod
    def read(cls, folder: Path = BUILT_PAGE) -> Self:
        """Read the client that was built into this folder. Raises PageNotBuilt."""
        try:
            index = (folder / "index.html").read_bytes()
        except FileNotFoundError:
            raise PageNotBuilt(f"the page has not been built into {folder}; `make install` builds it") from None
        if index.count(LOBBY_SLOT) != 1:
            raise PageNotBuilt(f"the page in {folder} has no place for the lobby's data; build it anew")
        files = {
            path.relative_to(folder).as_posix(): _read(path)
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.name not in {"index.html", ".stamp"}
        }
        return cls(index, files)


class Page:
    """Serves the built client."""

    def __init__(
        self, lobby: Lobby, devices: Devices, identity: Identity, requests: Requests, built: BuiltPage
    ) -> None:
        self._lobby = lobby
        self._devices = devices
        self._identity = identity
        self._requests = requests
        self._index = built.index
        self._files = built.files

    def routes(self) -> list[Route]:
        return [
            Route("/", self._show, methods=["GET"]),
            Route("/{path:path}", self._file, methods=["GET"]),
        ]

    async def _show(self, request: Request) -> Response:
        """The page with the player's lobby in it, so that it needs no second request; here alone a player is made."""
        visitor, lobby = await self._who_and_what(request)
        response = _answer(request, self._with(lobby), "text/html; charset=utf-8")
        response.headers["Cache-Control"] = "no-store"
        response.headers.update(SECURITY_HEADERS)
        self._identity.give(response, request, visitor)
        if visitor == self._identity.own(request.headers):
            self._identity.forget_own(response, request)
        return response

    async def _who_and_what(self, request: Request) -> tuple[Visitor, dict[str, Any] | None]:
        """Who opens the page, and the lobby's data; None where it can't be told now: the page asks again by itself."""
        for visitor in (self._identity.of(request.headers), self._identity.own(request.headers)):
            if visitor is None:
                continue
            try:
                self._requests.count(visitor.player, time.monotonic())
                standing = await self._devices.standing(*visitor)
                if standing.valid:
                    return visitor, await self._lobby.contents(
                        visitor.player, [PlayerId(other) for other in standing.others]
                    )
            except (StoreUnavailable, Overloaded, Exhausted):
                return visitor, None
        return Visitor.new(), {"settings": Preferences(), "unfinished": []}

    def _with(self, lobby: dict[str, Any] | None) -> bytes:
        if lobby is None:
            return self._index
        data = msgspec.json.encode(lobby).replace(b"<", b"\\u003c")
        return self._index.replace(LOBBY_SLOT, LOBBY_SLOT.replace(b"></", b">" + data + b"</"))

    async def _file(self, request: Request) -> Response:
        file = self._files.get(request.path_params["path"])
        if file is None:
            raise HTTPException(404)
        headers = {"Cache-Control": file.caching, "X-Content-Type-Options": "nosniff"}
        if file.compressed is None:
            return Response(file.content, media_type=file.media_type, headers=headers)
        headers["Vary"] = "Accept-Encoding"
        if not _takes_gzip(request):
            return Response(file.content, media_type=file.media_type, headers=headers)
        return Response(file.compressed, media_type=file.media_type, headers={**headers, "Content-Encoding": "gzip"})


def _read(path: Path) -> _File:
    content = path.read_bytes()
    media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    if path.suffix == ".webmanifest":
        media_type = "application/manifest+json"
    compressed = gzip.compress(content, 9, mtime=0) if path.suffix in COMPRESSED else None
    hashed = path.parent.name == "assets"
    return _File(content, compressed, media_type, FOR_EVER if hashed else SHORTLY)


def _answer(request: Request, content: bytes, media_type: str) -> Response:
    if not _takes_gzip(request):
        return Response(content, media_type=media_type)
    headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return Response(gzip.compress(content, 6), media_type=media_type, headers=headers)


def _takes_gzip(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")
