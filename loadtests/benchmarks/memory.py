"""What the server keeps for a connection and for a session, and the store for a game.

python -m loadtests.benchmarks.memory [--connections 10000] [--sessions 1000] [--games 60]
"""

from __future__ import annotations

import argparse
import asyncio

import redis
import uvloop

from loadtests.benchmarks import stored
from loadtests.generator import Figures, Mix, Wire
from loadtests.saturation import sit_down
from loadtests.site import Site, many_connections, new_players, new_sessions, site

AT_ONCE = 200
CONNECTIONS_OF_A_PLAYER = 30
STEPS_OF_A_GAME = 120


async def idle(running: Site, count: int) -> float:
    """Bytes of the server for each open connection that says nothing."""
    cookies = new_players(running.origin, -(-count // CONNECTIONS_OF_A_PLAYER))
    before = running.memory_bytes("server")
    wires: list[Wire] = []
    for first in range(0, count, AT_ONCE):
        some = range(first, min(first + AT_ONCE, count))
        wires += await asyncio.gather(
            *(
                Wire.connect(running.origin, cookies[number // CONNECTIONS_OF_A_PLAYER], lambda _: None, lambda: None)
                for number in some
            )
        )
    grown = running.memory_bytes("server") - before
    for wire in wires:
        wire.close()
    return grown / count


async def live(running: Site, sessions: list[tuple[str, bytes]], commits: int) -> tuple[float, float]:
    """Bytes of the server for each watched session in mid-game, with its connection; bytes of the store for each."""
    store_before, before = store_bytes(running), running.memory_bytes("server")
    figures = Figures()
    mix = Mix(pause=lambda choose: choose.uniform(0.05, 0.1), undo=0.0, wrong=0.0, hint=0.0)
    players = await sit_down(sessions, running, figures, mix, 1)
    while figures.answers["diff"] < commits * len(players):  # noqa: ASYNC110 - a benchmark looks now and then
        await asyncio.sleep(0.2)
    grown = running.memory_bytes("server") - before
    stored = store_bytes(running) - store_before
    for player in players:
        player.get_up()
    return grown / len(sessions), stored / len(sessions)


def store_bytes(running: Site) -> int:
    """What the store's data take."""
    with redis.Redis.from_url(running.store_url) as client:
        return int(client.info("memory")["used_memory"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--connections", type=int, default=10_000)
    parser.add_argument("--sessions", type=int, default=500)
    parser.add_argument("--games", type=int, default=60)
    parsed = parser.parse_args()
    many_connections()
    with site() as running:
        sessions = new_sessions(running.origin, parsed.sessions)
        server, store = uvloop.run(live(running, sessions, STEPS_OF_A_GAME))
        print(f"server: {server / 1000:.1f} kB for each live session with its page, after {STEPS_OF_A_GAME} commits")
        print(f"store: {store / 1000:.1f} kB for each session of {STEPS_OF_A_GAME} commits (more than one game)")
        connection = uvloop.run(idle(running, parsed.connections))
        print(f"server: {connection / 1000:.1f} kB for each of {parsed.connections} idle connections")
    stored.report(parsed.games)


if __name__ == "__main__":
    main()
