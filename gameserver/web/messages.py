"""The frames of the websocket, a class for each kind, both directions: docs/protocol.md in code.

Commands are the session machine's own types; what is here besides is about the connection.
"""

from typing import Annotated, Any, Final

import msgspec

from gameserver.session.commands import Base, PlayerCommand
from gameserver.session.ids import ID_BYTES
from gameserver.session.refusals import Code
from gameserver.session.view import Frame, View, WireTurn

PROTOCOL: Final = 1
MAX_FRAME_BYTES: Final = 4096

_Id = Annotated[bytes, msgspec.Meta(min_length=ID_BYTES, max_length=ID_BYTES)]


# --- From the page


class Hello(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="hello"):
    protocol: int
    session: _Id
    version: Annotated[int, msgspec.Meta(ge=0)]
    last: _Id | None


class Ping(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="ping"):
    n: Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class AskHint(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="hint"):
    id: _Id
    base: Base


FromPage = Hello | Ping | AskHint | PlayerCommand


class MalformedFrame(ValueError):
    """Not a frame of the protocol."""


_decoder = msgspec.msgpack.Decoder(FromPage)


def decode(data: bytes) -> FromPage:
    """Read one frame. Raises MalformedFrame naming what is wrong."""
    try:
        return _decoder.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, ValueError) as error:
        raise MalformedFrame(str(error)) from None


# --- To the page


class SnapshotBody(msgspec.Struct, frozen=True):
    session: bytes
    version: int
    last: bytes | None
    view: View


class Snapshot(SnapshotBody, frozen=True, tag_field="t", tag="snapshot"):
    pass


class Diff(msgspec.Struct, frozen=True, tag_field="t", tag="diff", omit_defaults=True):
    from_: int = msgspec.field(name="from")
    version: int
    last: bytes
    by: int
    frames: tuple[Frame, ...]
    set: dict[str, Any]
    board: tuple[tuple[int, int], ...] = ()
    record: tuple[WireTurn, ...] = ()


class Done(msgspec.Struct, frozen=True, tag_field="t", tag="done"):
    id: bytes
    version: int


class Refused(msgspec.Struct, frozen=True, tag_field="t", tag="refused", omit_defaults=True):
    id: bytes
    code: Code
    text: str
    snapshot: SnapshotBody | None = None


class Error(msgspec.Struct, frozen=True, tag_field="t", tag="error"):
    code: Code
    text: str


class Pong(msgspec.Struct, frozen=True, tag_field="t", tag="pong"):
    n: int
    version: int


class Watching(msgspec.Struct, frozen=True, tag_field="t", tag="watching"):
    pages: int


class Hint(msgspec.Struct, frozen=True, tag_field="t", tag="hint"):
    """``plays`` and ``undo_better`` as the computer's worker answered them."""

    id: bytes
    version: int
    plays: Any
    undo_better: float | None


ToPage = Snapshot | Diff | Done | Refused | Error | Pong | Watching | Hint

_encoder = msgspec.msgpack.Encoder()


def encode(message: ToPage) -> bytes:
    """The frame of this message."""
    return _encoder.encode(message)
