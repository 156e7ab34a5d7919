"""The store that `gameserver play` brings dies alone: it is started again, and the game goes on."""

from __future__ import annotations

import os
import random
import signal

from ..protocol.client import Visitor
from ..store.servers import wait_until
from .programs import descendants, is_running, running


async def test_a_store_that_dies_is_started_again_and_the_game_goes_on(new_directory: str) -> None:
    with running("play", DATA_DIR=new_directory) as program:
        visitor = await Visitor.arrive(program.address())
        await visitor.set_settings(pace="instant")
        seat = await visitor.open(await visitor.start(length=1))
        choose = random.Random(4)
        await seat.play_on(choose, steps=6)
        await seat.until_mine()
        stood = (seat.version, seat.last, seat.view)
        store = next(pid for pid, command in descendants(program.pid).items() if "valkey-server" in command)
        os.kill(store, signal.SIGKILL)
        wait_until(lambda: not is_running(store))
        program.until_it_says("the embedded store has died")
        again = await visitor.open(seat.session)
        assert (again.version, again.last, again.view) == stood
        await again.play_on(choose)
        assert again.view["phase"] == "match-over"
