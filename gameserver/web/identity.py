"""Who a browser is: a signed cookie that names the player and the device.

Signing is itsdangerous' HMAC; several keys may be given, the first signs and all are accepted, so that a key can be
replaced without signing anybody out.
"""

import secrets
from collections.abc import Sequence
from typing import Final, NamedTuple, NewType, Self

from itsdangerous import BadSignature, Signer
from starlette.datastructures import Headers
from starlette.requests import Request, cookie_parser
from starlette.responses import Response

from gameserver.session.ids import ID_BYTES, PlayerId

DeviceId = NewType("DeviceId", bytes)

COOKIE: Final = "shuanglu"
OWN_COOKIE: Final = "shuanglu-own"
"""Who a device was before it joined another player: it is that again once it is signed out."""
COOKIE_SECONDS: Final = 400 * 24 * 3600  # the longest that browsers keep one
FIRST_DEVICE: Final = DeviceId(bytes(ID_BYTES))
"""The device of a cookie that names none: such cookies were given when a player had but one."""


class Visitor(NamedTuple):
    """A player on one of the player's devices."""

    player: PlayerId
    device: DeviceId

    @classmethod
    def new(cls) -> Self:
        """Somebody who has not been here before."""
        return cls(PlayerId(secrets.token_bytes(ID_BYTES)), DeviceId(secrets.token_bytes(ID_BYTES)))


class Identity:
    """Makes and reads the cookie's value, ``<player>.<device>.<signature>``; ids are 32 hex digits each."""

    def __init__(self, keys: Sequence[str]) -> None:
        if not keys:
            raise ValueError("a key is needed to sign the players' cookies")
        self._signer = Signer(list(reversed(keys)), salt="shuanglu-player", key_derivation="hmac")

    def sign(self, visitor: Visitor) -> str:
        """The cookie's value for this visitor."""
        return self._signer.sign(f"{visitor.player.hex()}.{visitor.device.hex()}").decode()

    def read(self, value: str) -> Visitor | None:
        """The visitor whom this value names; None where it was not signed by us."""
        try:
            player, dot, device = self._signer.unsign(value).decode().partition(".")
            visitor = Visitor(PlayerId(bytes.fromhex(player)), DeviceId(bytes.fromhex(device)) if dot else FIRST_DEVICE)
        except (BadSignature, ValueError):
            return None
        return visitor if {len(each) for each in visitor} == {ID_BYTES} else None

    def of(self, headers: Headers) -> Visitor | None:
        """The visitor who sends this request, by its cookie."""
        return self._named(headers, COOKIE)

    def own(self, headers: Headers) -> Visitor | None:
        """Who this device was before it joined another player."""
        return self._named(headers, OWN_COOKIE)

    def _named(self, headers: Headers, cookie: str) -> Visitor | None:
        value = cookie_parser(headers.get("cookie", "")).get(cookie)
        return None if value is None else self.read(value)

    def give(self, response: Response, request: Request, visitor: Visitor, *, cookie: str = COOKIE) -> None:
        """Let the browser keep who it is."""
        response.set_cookie(
            cookie,
            self.sign(visitor),
            max_age=COOKIE_SECONDS,
            path="/",
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="lax",
        )

    @staticmethod
    def forget_own(response: Response, request: Request) -> None:
        """Let the browser forget who it was before."""
        secure = request.url.scheme == "https"
        response.delete_cookie(OWN_COOKIE, path="/", secure=secure, httponly=True, samesite="lax")
