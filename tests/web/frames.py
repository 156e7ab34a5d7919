"""Frames that are none: each kind of damage by its name, for the decoder alone and for the wire."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgpack

ID = b"i" * 16
BASE: list[Any] = [1, ID]
NESTED = b"\x91" * 3000 + b"\xc0"


def packed(value: Any) -> bytes:
    data: bytes = msgpack.packb(value)
    return data


def command(kind: str, **fields: Any) -> bytes:
    return packed({"t": kind, "id": ID, "base": BASE, **fields})


def hello(**fields: Any) -> bytes:
    return packed({"t": "hello", "protocol": 1, "session": ID, "version": 0, "last": None, **fields})


MALFORMED: dict[str, bytes] = {
    "nothing": b"",
    "no MessagePack": b"\xc1",
    "cut short": hello()[:-1],
    "trailing bytes": hello() + b"\x00",
    "two frames in one": hello() * 2,
    "not a map": packed([1, 2]),
    "nil": packed(None),
    "an empty map": packed({}),
    "no kind": packed({"n": 1}),
    "unknown kind": packed({"t": "cheat", "n": 1}),
    "kind of the server": packed({"t": "snapshot", "n": 1}),
    "kind is a number": packed({"t": 1}),
    "kind is bytes": packed({"t": b"ping", "n": 1}),
    "keys are bytes": packed({b"t": "ping", b"n": 1}),
    "keys are numbers": packed({1: "ping"}),
    "field missing": packed({"t": "ping"}),
    "field unknown": packed({"t": "ping", "n": 1, "more": 1}),
    "internal name of a field": command("move", source=6, dice=[1]),
    "internal command": command("TakeTurn", play=[], times=[]),
    "bool for a number": packed({"t": "ping", "n": True}),
    "float for a number": packed({"t": "ping", "n": 1.0}),
    "nan": packed({"t": "ping", "n": float("nan")}),
    "infinity": packed({"t": "ping", "n": float("inf")}),
    "text for a number": packed({"t": "ping", "n": "1"}),
    "huge number": packed({"t": "ping", "n": 2**64 - 1}),
    "negative number": packed({"t": "ping", "n": -1}),
    "float version": hello(version=1.0),
    "bool version": hello(version=True),
    "negative version": hello(version=-1),
    "session as text": hello(session="i" * 16),
    "session too short": hello(session=b"i" * 15),
    "session too long": hello(session=b"i" * 17),
    "last too short": hello(last=b""),
    "base is a map": packed({"t": "roll", "id": ID, "base": {"version": 1, "last": ID}}),
    "base is half": packed({"t": "roll", "id": ID, "base": [1]}),
    "base has more": packed({"t": "roll", "id": ID, "base": [1, ID, 1]}),
    "base of floats": packed({"t": "roll", "id": ID, "base": [1.0, ID]}),
    "base of bools": packed({"t": "roll", "id": ID, "base": [True, ID]}),
    "base beyond bounds": packed({"t": "roll", "id": ID, "base": [2**40, ID]}),
    "id is nil": packed({"t": "roll", "id": None, "base": BASE}),
    "point 0": command("move", **{"from": 0, "dice": [1]}),
    "point 26": command("move", **{"from": 26, "dice": [1]}),
    "point true": command("move", **{"from": True, "dice": [1]}),
    "no dice": command("move", **{"from": 6, "dice": []}),
    "five dice": command("move", **{"from": 6, "dice": [1] * 5}),
    "die 7": command("move", **{"from": 6, "dice": [7]}),
    "die 1.0": command("move", **{"from": 6, "dice": [1.0]}),
    "seed of 31 bytes": command("seed", seed=b"s" * 31),
    "seed as text": command("seed", seed="s" * 32),
    "long play": command("play", text="8/5 " * 17),
    "play that is no UTF-8": command("play", text="ab").replace(b"\xa2ab", b"\xa2\xff\xfe"),
    "key that is no UTF-8": b"\x82\xa1\xff\x01\xa1t\xa4ping",
    "unknown pace": command("options", pace="slow", auto_end=True, auto_forced=True, auto_bear_off=True),
    "number for a bool": command("options", pace="fast", auto_end=1, auto_forced=True, auto_bear_off=True),
    "extension type": packed({"t": "ping", "n": msgpack.ExtType(5, b"x")}),
    "time stamp": packed({"t": "ping", "n": msgpack.Timestamp(5)}),
    "deep nesting": NESTED,
    "deep nesting in a field": b"\x82\xa1t\xa4ping\xa1n" + NESTED,
    "deep nesting before the kind": b"\x82\xa1x" + NESTED + b"\xa1t\xa4ping",
    "deep nesting for a key": b"\x82" + NESTED + b"\xc0\xa1t\xa4ping",
    "deep nesting of maps": b"\x82\xa1x" + b"\x81\xa1a" * 1300 + b"\xc0\xa1t\xa4ping",
    "a map of 4 billion": b"\xdf\xff\xff\xff\xff",
    "an array of 4 billion": b"\xdd\xff\xff\xff\xff",
    "bytes of 4 billion": b"\x82\xa1t\xa4ping\xa1n\xc6\xff\xff\xff\xff",
}


def random_frames(count: int, seed: int) -> Iterator[bytes]:
    """Byte strings by chance: half of them noise, half of them good frames with a few bytes changed or cut."""
    choose = random.Random(seed)
    good = [
        hello(),
        packed({"t": "ping", "n": 5}),
        command("roll"),
        command("move", **{"from": 6, "dice": [1, 2]}),
        command("play", text="8/5 6/5"),
        command("options", pace="fast", auto_end=True, auto_forced=True, auto_bear_off=True),
    ]
    for _ in range(count // 2):
        yield choose.randbytes(choose.choice((1, 2, 5, 20, 100, 1000)))
    for _ in range(count - count // 2):
        frame = bytearray(choose.choice(good))
        for _ in range(choose.randint(1, 4)):
            frame[choose.randrange(len(frame))] = choose.randrange(256)
        yield bytes(frame[: choose.randint(1, len(frame))] if choose.random() < 0.3 else frame)
