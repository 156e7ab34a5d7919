"""The program as `gameserver` starts it, with what only these tests may change.

That is its clock, how fast a page may be, and how soon the log of a finished session is packed.

    python -m tests.faults.launcher serve

At SIGUSR1 its clock jumps 400 days ahead, at SIGUSR2 as far back.
"""

from __future__ import annotations

import signal
import sys
import time

from gameserver.cli import main

JUMP_NS = 400 * 24 * 3600 * 10**9
FRAMES_A_SECOND = 10_000
PACKED_AFTER_MS = 15_000
"""Longer than any fault lasts: until then commands are repeated."""

_real_ns = time.time_ns
_ahead_ns = 0


def _jump(number: int, _: object) -> None:
    global _ahead_ns  # noqa: PLW0603 - a clock is one for the whole process
    _ahead_ns += JUMP_NS if number == signal.SIGUSR1 else -JUMP_NS


def _shifted_ns() -> int:
    return _real_ns() + _ahead_ns


def _shifted() -> float:
    return _shifted_ns() / 1e9


if __name__ == "__main__":
    time.time_ns = _shifted_ns
    time.time = _shifted
    signal.signal(signal.SIGUSR1, _jump)
    signal.signal(signal.SIGUSR2, _jump)
    if sys.argv[1] == "serve":
        from gameserver.web import socket

        socket.FRAMES_A_SECOND = FRAMES_A_SECOND  # type: ignore[misc]
    elif sys.argv[1] == "computer":
        from gameserver.store.packing import Packing

        Packing.pack_some.__defaults__ = (PACKED_AFTER_MS,)
    sys.exit(main(sys.argv[1:]))
