"""The short road for frames against the long one: whatever bytes come, and however they are cut, both say the same.

The reference is uvicorn's own protocol on websockets' parser. It is handed the bytes one by one, for of a piece that
ends in an error it forgets the messages at its beginning.
"""

from __future__ import annotations

import asyncio
import os
import struct
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from uvicorn.config import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from gameserver.web.protocol import LINE, GameWebSocketProtocol

LONGEST = 1_000
HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
ENOUGH_ROUNDS = 30


class Wire(asyncio.Transport):
    """What the peer would see."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 1), "sockname": ("127.0.0.1", 2)})
        self.written = b""
        self.closed = False

    def write(self, data: Any) -> None:
        self.written += bytes(data)

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def get_write_buffer_size(self) -> int:
        return 0


async def heard_by(kind: type[WebSocketsSansIOProtocol], pieces: list[bytes]) -> tuple[list[Any], bytes, bool]:
    """What the application is told, what the peer is sent, and whether the connection was ended."""
    heard: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        line = scope["extensions"].get(LINE)
        while True:
            message = await (receive() if line is None else line.receive())
            heard.append({name: value for name, value in message.items() if value is not None})
            if message["type"] == "websocket.disconnect":
                return

    async def settle() -> None:
        for _ in range(ENOUGH_ROUNDS):
            await asyncio.sleep(0)

    config = Config(app, ws_max_size=LONGEST, ws_ping_interval=None, ws_per_message_deflate=False, log_config=None)
    config.load()
    protocol = kind(config, ServerState(), {}, asyncio.get_running_loop())
    wire = Wire()
    protocol.connection_made(wire)
    protocol.data_received(HANDSHAKE)
    await settle()
    handshake = len(wire.written)
    for piece in pieces:
        if wire.closed:
            break
        protocol.data_received(piece)
    await settle()
    protocol.connection_lost(None)
    await settle()
    return heard, wire.written[handshake:], wire.closed


def frame(first: int, payload: bytes, mask: bytes | None, wide: int) -> bytes:
    """A frame; ``wide``: 1 and 2 write the length in more bytes than it needs."""
    masked = 0 if mask is None else 0x80
    if wide == 2:
        head = struct.pack(">BBQ", first, masked | 127, len(payload))
    elif wide == 1 or len(payload) >= 126:
        head = struct.pack(">BBH", first, masked | 126, len(payload))
    else:
        head = struct.pack(">BB", first, masked | len(payload))
    if mask is None:
        return head + payload
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


lengths = st.one_of(st.integers(0, 20), st.sampled_from([125, 126, 127, 300, LONGEST, LONGEST + 1]))
whole_binary = st.just(0x82)
firsts = st.one_of(
    whole_binary, whole_binary, st.sampled_from([0x00, 0x80, 0x01, 0x81, 0x02, 0x88, 0x89, 0x8A]), st.integers(0, 255)
)
masks = st.one_of(st.binary(min_size=4, max_size=4), st.binary(min_size=4, max_size=4), st.none())
frames = st.builds(
    lambda first, length, filler, mask, wide: frame(first, (filler * (length + 1))[:length], mask, wide),
    firsts,
    lengths,
    st.binary(min_size=1, max_size=3),
    masks,
    st.sampled_from([0, 0, 0, 0, 1, 2]),
)
streams = st.lists(st.one_of(frames, frames, frames, st.binary(max_size=12)), min_size=1, max_size=6).map(b"".join)


@st.composite
def cut(draw: st.DrawFn) -> list[bytes]:
    """A stream of bytes in pieces, and at last enough to complete whatever frame was begun: ours waits for that."""
    stream = draw(streams)
    places = sorted(draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    pieces = [stream[start:end] for start, end in zip([0, *places], [*places, len(stream)], strict=True) if start < end]
    return [*pieces, bytes(LONGEST + 20)]


@example([frame(0x82, b"move", b"mask", 0)[:3], frame(0x82, b"move", b"mask", 0)[3:]])
@example([frame(0x02, b"mo", b"mask", 0) + frame(0x82, b"between", b"mask", 0)])
@example([frame(0x82, b"m" * 126, b"mask", 0) * 2])
@given(cut())
@settings(
    max_examples=int(os.environ.get("FUZZ_EXAMPLES", "300")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_frames_are_read_as_the_reference_reads_them(pieces: list[bytes]) -> None:
    async def both() -> None:
        one_by_one = [bytes((byte,)) for byte in b"".join(pieces)]
        ours = await heard_by(GameWebSocketProtocol, pieces)
        reference = await heard_by(WebSocketsSansIOProtocol, one_by_one)
        assert ours == reference

    asyncio.run(both())
