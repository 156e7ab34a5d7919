"""The decoder of frames, alone."""

import pytest

from gameserver.web.messages import MalformedFrame, decode

from .frames import MALFORMED, command, hello, packed, random_frames


@pytest.mark.parametrize("frame", MALFORMED.values(), ids=MALFORMED.keys())
def test_what_is_no_frame_is_refused_with_words(frame: bytes) -> None:
    with pytest.raises(MalformedFrame, match=r"\w+"):
        decode(frame)


@pytest.mark.parametrize(
    "frame",
    [
        hello(),
        hello(version=5, last=b"l" * 16),
        packed({"t": "ping", "n": 0}),
        packed({"n": 2**53, "t": "ping"}),
        command("roll"),
        command("hint"),
        command("seed", seed=b"s" * 32),
        command("move", **{"from": 25, "dice": [6, 6, 6, 6]}),
        command("play", text="8/5 6/5" + " " * 57),
    ],
)
def test_what_is_a_frame_is_read(frame: bytes) -> None:
    decode(frame)


def test_ten_thousand_byte_strings_are_read_or_refused_and_nothing_else_happens() -> None:
    read = refused = 0
    for frame in random_frames(10_000, seed=2):
        try:
            decode(frame)
        except MalformedFrame:
            refused += 1
        else:
            read += 1
    assert read + refused == 10_000
    assert refused > 8_000
    assert read > 100, "some changes leave a frame a frame: those must have been tried, too"
