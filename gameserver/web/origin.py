"""Which pages may act for a player: those of this server itself, or of the origins that its host lists."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers


def is_allowed(headers: Headers, allowed: Sequence[str]) -> bool:
    """Whether the request's Origin is one of ``allowed`` or, where none is listed, the host that the request names.

    A request without an Origin is not allowed: browsers send it with every websocket and every POST.
    """
    origin = headers.get("origin", "").lower()
    if not origin:
        return False
    if allowed:
        return origin in allowed
    try:
        host = urlsplit(origin).netloc
    except ValueError:  # no browser sends such a thing
        return False
    return host == headers.get("host", "").lower() != ""
