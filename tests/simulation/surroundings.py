"""What the product's modules take from the machine, for the time of a run: clocks, chance, secrets, by the seed."""

from __future__ import annotations

import logging
import random
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from random import Random
from typing import Any, Final

from gameserver.backgammon import options
from gameserver.computer import worker
from gameserver.session import view
from gameserver.session.events import decode_commit
from gameserver.store import keys, packing, store, turns
from gameserver.web import socket

from .store import BEGAN_MS


class _Clock:
    """Stands for the module `time`."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now

    def monotonic(self) -> float:
        return self._now()

    perf_counter = monotonic

    def time(self) -> float:
        return BEGAN_MS / 1000 + self._now()

    def time_ns(self) -> int:
        return BEGAN_MS * 1_000_000 + int(self._now() * 1e9)


class _Secrets:
    """Stands for the module `secrets`."""

    def __init__(self, chance: Random) -> None:
        self.token_bytes = chance.randbytes

    def token_hex(self, size: int) -> str:
        return self.token_bytes(size).hex()


class NumberedConnection(socket.Connection):
    """A connection whose place in a set does not depend on its address in memory."""

    made = 0

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        NumberedConnection.made += 1
        self._number = NumberedConnection.made

    def __hash__(self) -> int:
        return self._number


class _Complaints(logging.Handler):
    """Hands on what the product logs as an error: it never should."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__(logging.ERROR)
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        self._tell(self.format(record))


SHARDS: Final = 4
"""Few, so that sessions meet in a queue, and looking at all of them takes no time."""

PACKED_AFTER_MS: Final = 5_000
"""Soon, so that there are pages who still have something to say to a session whose log is packed."""

# Every server, and the checks, look at the same positions and commits; these functions are pure.
_remembered_options = lru_cache(maxsize=20_000)(options)
_remembered_commit = lru_cache(maxsize=1_000)(decode_commit)


@contextmanager
def simulated(now: Callable[[], float], chance: Random, complain: Callable[[str], None]) -> Iterator[None]:
    """Within this, the product's modules see the simulated clock and draw from ``chance``.

    ``complain`` is told of every error that the product logs.
    """
    stand_ins: dict[object, object] = {
        time: _Clock(now),
        random: Random(chance.getrandbits(64)),
        secrets: _Secrets(Random(chance.getrandbits(64))),
        socket.Connection: NumberedConnection,
        options: _remembered_options,
        decode_commit: _remembered_commit,
    }
    NumberedConnection.made = 0
    replacements: list[tuple[object, str, object]] = [
        (module, name, stand_ins[value])
        for module_name, module in sorted(sys.modules.items())
        if module_name.startswith(("gameserver.web", "gameserver.computer", "gameserver.store")) or module is view
        for name, value in sorted(vars(module).items())
        if any(value is each for each in stand_ins)
    ]
    shards = tuple(range(SHARDS))
    replacements += [
        (store, "connect", _as_it_is),
        (store, "nodes_of", _as_it_is),
        (keys, "SHARDS", SHARDS),
        (turns, "ALL_SHARDS", shards),
        (turns.TurnQueue.take, "__defaults__", (shards,)),
        (packing.Packing.pack_some, "__defaults__", (PACKED_AFTER_MS,)),
        (worker, "PACK_EVERY_SECONDS", 1.0),
    ]
    replaced = [(owner, name, getattr(owner, name)) for owner, name, _ in replacements]
    logger = logging.getLogger("gameserver")
    before = logger.level, logger.propagate
    complaints = _Complaints(complain)
    logger.addHandler(complaints)
    logger.setLevel(logging.ERROR)
    logger.propagate = False
    for owner, name, value in replacements:
        setattr(owner, name, value)
    try:
        yield
    finally:
        for owner, name, value in replaced:
            setattr(owner, name, value)
        logger.removeHandler(complaints)
        logger.level, logger.propagate = before


def _as_it_is(nodes: Any) -> Any:
    """A simulated `Store` is made of nodes instead of an address."""
    return nodes
