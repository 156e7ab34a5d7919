"""Memory of a server while sessions are opened, played a little and left, again and again.

    python -m loadtests.benchmarks.churn [--commands 200000] [--a-session 8] [--seats 100]

Every seat opens a session on new connections (two pages), plays some commands, leaves, and takes the next session; a
player has two. The server keeps the rooms of the sessions that were asked for last, so its memory grows until these are
as many as it keeps, and on for as long as rooms of other sizes do not find the places of those that were dropped. Once
each place has been taken twice it must not grow. The commands are counted that the server answered.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import uvloop

from gameserver.web.rooms import CACHED_ROOMS
from loadtests.generator import Figures, Mix, Player
from loadtests.site import Site, new_sessions, site

EVERY: Final = 10_000
"""Commands between two looks at the server's memory."""
STARTED_AT_ONCE: Final = 200
LONGEST_STAY: Final = 60.0
MIX: Final = Mix(pause=lambda choose: choose.uniform(0.05, 0.15), undo=0.1, wrong=0.05, hint=0.02)


@dataclass
class Churn:
    """What has happened so far. ``looks``: commands, sessions and the server's bytes at each look."""

    running: Site
    commands: int = 0
    sessions: int = 0
    lost_connections: int = 0
    looks: list[tuple[int, int, int]] = field(default_factory=list)
    waiting: asyncio.Queue[tuple[str, bytes]] = field(default_factory=lambda: asyncio.Queue(2 * STARTED_AT_ONCE))

    async def start_sessions(self) -> None:
        """See to it that there is always a session to open."""
        while True:
            for session in await asyncio.to_thread(new_sessions, self.running.origin, STARTED_AT_ONCE):
                await self.waiting.put(session)

    async def keep_a_seat(self, number: int, until: int, a_session: int) -> None:
        """One session after the other, until so many commands were answered in all."""
        chance = random.Random(number)
        while self.commands < until:
            cookie, session = await self.waiting.get()
            figures = Figures()
            player = Player(self.running.origin, cookie, session, figures, MIX, chance)
            await player.sit_down(pages=2)
            player.play()
            leaves_at = time.monotonic() + LONGEST_STAY
            while answered(figures) < a_session and time.monotonic() < leaves_at:  # noqa: ASYNC110 - looks now and then
                await asyncio.sleep(0.05)
            player.get_up()
            self.lost_connections += figures.lost_connections
            self.commands += answered(figures)
            self.sessions += 1
            if self.commands // EVERY > len(self.looks):
                self.look()

    def look(self) -> None:
        """Note the server's memory, and tell it."""
        size = self.running.memory_bytes("server")
        self.looks.append((self.commands, self.sessions, size))
        print(f"{self.commands:9} commands {self.sessions:7} sessions {size / 1e6:8.1f} MB", flush=True)


def answered(figures: Figures) -> int:
    """Commands that were carried out, known already, or refused."""
    return figures.acknowledged + figures.answers["refused"]


def growth(looks: Sequence[tuple[int, int, int]]) -> float:
    """By which part the memory grows from the first of these looks to the last, along the straight line that fits."""
    line = statistics.linear_regression([commands for commands, _, _ in looks], [size for _, _, size in looks])
    first, last = (line.intercept + line.slope * looks[end][0] for end in (0, -1))
    return last / first - 1


async def measure(running: Site, commands: int, a_session: int, seats: int) -> None:
    churn = Churn(running)
    print(f"{running.memory_bytes('server') / 1e6:.1f} MB before the first session", flush=True)
    starting = asyncio.create_task(churn.start_sessions())
    seats_kept = asyncio.gather(*(churn.keep_a_seat(seat, commands, a_session) for seat in range(seats)))
    try:
        both: list[asyncio.Future[Any]] = [starting, seats_kept]
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        if starting.done():
            starting.result()  # sessions could not be started: that is what ended it
        await seats_kept
    finally:
        starting.cancel()
        await asyncio.wait([starting])
    warm = [look for look in churn.looks if look[1] > 2 * CACHED_ROOMS]
    print(f"{churn.lost_connections} connections lost")
    if len(warm) < 2:
        print(f"too short: the server keeps {CACHED_ROOMS} rooms, {churn.sessions} sessions were opened")
        return
    sizes = [size for _, _, size in warm]
    print(
        f"after {warm[0][1]} sessions: {min(sizes) / 1e6:.1f} to {max(sizes) / 1e6:.1f} MB over"
        f" {warm[-1][0] - warm[0][0]} commands and {warm[-1][1] - warm[0][1]} sessions;"
        f" growth {100 * growth(warm):+.1f} %"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commands", type=int, default=200_000)
    parser.add_argument("--a-session", type=int, default=8)
    parser.add_argument("--seats", type=int, default=100)
    parsed = parser.parse_args()
    with site() as running:
        uvloop.run(measure(running, parsed.commands, parsed.a_session, parsed.seats))


if __name__ == "__main__":
    main()
