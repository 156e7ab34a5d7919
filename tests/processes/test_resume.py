"""Everything is killed in the middle of a game and started again: it goes on exactly where it stood."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from ..protocol.client import Seat, Visitor
from ..store.servers import wait_until
from .programs import descendants, ended, is_running, running


@pytest.mark.parametrize(("length", "lives"), [(1, (7, 31)), (5, (60, 150))], ids=["game", "match to 5"])
async def test_a_game_survives_two_kills_of_everything(new_directory: str, length: int, lives: tuple[int, int]) -> None:
    choose = random.Random(length)
    visitor: Visitor | None = None
    session = record = b""
    before: tuple[int, bytes | None, dict[str, Any]] | None = None
    for steps in (*lives, 20_000):
        with running("play", DATA_DIR=new_directory) as program:
            origin = program.address()
            if visitor is None:
                visitor = await Visitor.arrive(origin)
                await visitor.set_settings(pace="instant", auto_forced=True, auto_bear_off=True)
                session = await visitor.start(length=length)
            visitor.origin = origin
            seat = await visitor.open(session)
            if before is not None:
                assert _rolled_no_other_dice(before, seat)
            await seat.play_on(choose, steps, quick=True)
            before = (seat.version, seat.last, seat.view)
            watcher = await visitor.open(session)
            assert (watcher.version, watcher.last, watcher.view) == (seat.version, seat.last, seat.view) or (
                watcher.version > seat.version  # the computer has played meanwhile
            )
            if steps == 20_000:
                assert seat.view["phase"] == "match-over"
                record = await visitor.record(session)
                await seat.close()
                await watcher.close()
                break
            below = descendants(program.pid)
            program.kill()
            await asyncio.to_thread(_all_gone, below)
            with pytest.raises(ConnectionClosed):
                await seat.until(lambda _: False)
    path = Path(new_directory) / "record.json"
    path.write_bytes(record)
    verified = ended(["verify", str(path)])
    assert verified.returncode == 0, verified.stderr
    assert verified.stdout.startswith("the dice fit")


def _all_gone(pids: dict[int, str]) -> None:
    assert len(pids) >= 2, pids  # store and worker
    wait_until(lambda: not any(map(is_running, pids)))


def _rolled_no_other_dice(before: tuple[int, bytes | None, dict[str, Any]], seat: Seat) -> bool:
    """The session is where it stood, or, where the computer was due, at what it has played since."""
    version, last, view = before
    if (seat.version, seat.last) == (version, last):
        return seat.view == view
    assert view["phase"] == "computer"
    assert seat.version == version + 1
    assert seat.view["record"][: len(view["record"])] == view["record"]
    return bool(seat.view["fairness"]["commitment"] == view["fairness"]["commitment"])
