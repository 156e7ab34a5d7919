"""Readers of what strangers write: whatever comes, they read it or refuse it with the one error that they promise.

A few hundred examples each; ``FUZZ_EXAMPLES=100000 pytest tests/security/test_fuzzing.py`` looks longer.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

import msgpack
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from starlette.datastructures import Headers

from gameserver.backgammon import (
    XGID,
    AmbiguousPlay,
    IllegalMove,
    NotAPosition,
    Position,
    UnreadablePlay,
    from_gnu_position_id,
    gnu_position_id,
    parse_play,
)
from gameserver.session.ids import command_id_from_hex, session_id_from_hex
from gameserver.session.record import DiceDoNotFit, UnreadableRecord, read_record, verify
from gameserver.web.api import Problem
from gameserver.web.devices import ALPHABET, CODE_LENGTH, read_code
from gameserver.web.devices_names import device_name
from gameserver.web.identity import COOKIE, Identity
from gameserver.web.messages import MAX_FRAME_BYTES, MalformedFrame, decode
from gameserver.web.origin import is_allowed
from gameserver.web.preferences import read_put

from ..web.frames import MALFORMED

Read = TypeVar("Read")

fuzzing = settings(
    max_examples=int(os.environ.get("FUZZ_EXAMPLES", "300")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10"
IDENTITY = Identity(["k" * 32])

scalars = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text() | st.binary()
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12)
ids = st.binary(min_size=16, max_size=16)
bases = st.tuples(st.integers(0, 2**63 - 1), ids | st.none())
kinds = st.sampled_from(
    ["hello", "ping", "seed", "roll", "move", "play", "undo", "end", "next", "leave", "restart", "options", "hint"]
)
frames = st.builds(
    lambda given, known: {**known, **given},
    st.dictionaries(st.sampled_from(["t", "id", "base", "from", "dice", "text", "n", "seed", "pace", "x"]), values),
    st.fixed_dictionaries({"t": kinds, "id": ids, "base": bases}),
)


def changed(valid: str) -> st.SearchStrategy[str]:
    """This text with a few characters replaced, dropped or put in."""
    character = st.sampled_from(sorted(set(valid))) | st.characters()

    def apply(changes: list[tuple[int, int, str]]) -> str:
        text = valid
        for at, length, put in changes:
            place = at % (len(text) + 1)
            text = text[:place] + put + text[place + length :]
        return text

    change = st.tuples(st.integers(0, 200), st.integers(0, 3), st.text(character, max_size=3))
    return st.lists(change, max_size=4).map(apply)


def read_or_refused(read: Callable[[], Read], *refusals: type[Exception]) -> Read | None:
    """What was read; None where it was refused, for a reason that is said."""
    try:
        return read()
    except refusals as refusal:
        reason = str(refusal)
    assert reason
    return None


@fuzzing
@given(st.binary(max_size=MAX_FRAME_BYTES) | values.map(msgpack.packb) | frames.map(msgpack.packb))
@example(b"\x91" * MAX_FRAME_BYTES)
@example(b"\xdf\xff\xff\xff\xff")
@example(b"\xc6\xff\xff\xff\xff")
def test_the_decoder_of_frames(data: bytes) -> None:
    frame = read_or_refused(lambda: decode(data), MalformedFrame)
    if frame is not None:
        assert type(frame).__struct_config__.tag == msgpack.unpackb(data, strict_map_key=False)["t"]


@pytest.mark.parametrize("name", MALFORMED)
def test_the_decoder_of_frames_refuses_known_damage(name: str) -> None:
    with pytest.raises(MalformedFrame):
        decode(MALFORMED[name])


@fuzzing
@given(st.text(max_size=300) | changed(START))
def test_the_reader_of_xgids(text: str) -> None:
    read = read_or_refused(lambda: XGID.parse(text), NotAPosition)
    if read is not None:
        assert Position.parse(read.position.text) == read.position


@fuzzing
@given(st.text(max_size=40) | changed(gnu_position_id(Position.start())))
def test_the_reader_of_position_ids(text: str) -> None:
    position = read_or_refused(lambda: from_gnu_position_id(text), NotAPosition)
    if position is not None:
        assert gnu_position_id(position) == text


@fuzzing
@given(st.text(max_size=80) | changed("24/18*/13(2) bar/22 6/off"), st.integers(1, 6), st.integers(1, 6))
@example("1/" * 32, 1, 1)
@example("6/5(٣)", 1, 1)
def test_the_reader_of_typed_plays(text: str, one: int, other: int) -> None:
    position = Position.start()
    dice = (one, other) if one != other else (one,) * 4
    moves = read_or_refused(lambda: parse_play(text, position, dice), UnreadablePlay, AmbiguousPlay, IllegalMove)
    if moves is not None:
        assert len(moves) <= len(dice)


@fuzzing
@given(
    st.binary(max_size=500)
    | changed('{"record":1,"session":"00","commits":[{"id":"","by":0}]}').map(
        lambda text: text.encode("utf-8", "surrogatepass")
    )
)
def test_the_reader_of_records(data: bytes) -> None:
    read_or_refused(lambda: verify(*read_record(data)), UnreadableRecord, DiceDoNotFit)


@fuzzing
@given(
    st.binary(max_size=300)
    | changed('{"pace":"real","auto_end":true}').map(lambda text: text.encode("utf-8", "replace"))
)
def test_the_reader_of_settings(data: bytes) -> None:
    read_or_refused(lambda: read_put(data), ValueError)


@fuzzing
@given(st.text(max_size=40) | changed("7KQ2-M9XA"))
def test_the_reader_of_codes(text: str) -> None:
    code = read_or_refused(lambda: read_code(text), Problem)
    if code is not None:
        assert len(code) == CODE_LENGTH
        assert set(code) <= set(ALPHABET)


@fuzzing
@given(st.text(max_size=200) | changed("0" * 32 + "." + "0" * 32 + ".c2lnbmF0dXJl"))
def test_the_reader_of_cookies_takes_nothing_that_was_not_signed(text: str) -> None:
    assert IDENTITY.read(text) is None
    header = f"{COOKIE}={text}".encode("latin-1", "replace")
    assert IDENTITY.of(Headers(raw=[(b"cookie", header)])) is None


@fuzzing
@given(st.text(max_size=60), st.text(max_size=60))
def test_the_gate_of_origins(origin: str, host: str) -> None:
    raw = [(b"origin", origin.encode("latin-1", "replace")), (b"host", host.encode("latin-1", "replace"))]
    if is_allowed(Headers(raw=raw), ()):
        assert host.lower() in origin.lower()


@fuzzing
@given(st.text(max_size=300))
def test_the_reader_of_user_agents(text: str) -> None:
    assert 1 <= len(device_name(text)) <= 40


@pytest.mark.parametrize("read", [session_id_from_hex, command_id_from_hex])
def test_the_reader_of_ids(read: Callable[[str], bytes]) -> None:
    @fuzzing
    @given(st.text(max_size=40) | changed("0123456789abcdef" * 2))
    def look(text: str) -> None:
        found = read_or_refused(lambda: read(text), ValueError)
        if found is not None:
            assert found.hex() == text.lower()

    look()
