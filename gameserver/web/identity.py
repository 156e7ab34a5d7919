"""Who a browser is: a signed cookie that names the player.

Signing is itsdangerous' HMAC; several keys may be given, the first signs and all are accepted, so that a key can be
replaced without signing anybody out.
"""

from collections.abc import Sequence
from typing import Final

from itsdangerous import BadSignature, Signer
from starlette.datastructures import Headers
from starlette.requests import cookie_parser

from gameserver.session.ids import ID_BYTES, PlayerId

COOKIE: Final = "shuanglu"
COOKIE_SECONDS: Final = 400 * 24 * 3600  # the longest that browsers keep one


class Identity:
    """Makes and reads the cookie's value, ``<32 hex digits>.<signature>``."""

    def __init__(self, keys: Sequence[str]) -> None:
        if not keys:
            raise ValueError("a key is needed to sign the players' cookies")
        self._signer = Signer(list(reversed(keys)), salt="shuanglu-player", key_derivation="hmac")

    def sign(self, player: PlayerId) -> str:
        return self._signer.sign(player.hex()).decode()

    def read(self, value: str) -> PlayerId | None:
        """The player whom this value names; None where it was not signed by us."""
        try:
            player = bytes.fromhex(self._signer.unsign(value).decode())
        except (BadSignature, ValueError):
            return None
        return PlayerId(player) if len(player) == ID_BYTES else None

    def of(self, headers: Headers) -> PlayerId | None:
        """The player who sends this request, by its cookie."""
        value = cookie_parser(headers.get("cookie", "")).get(COOKIE)
        return None if value is None else self.read(value)
