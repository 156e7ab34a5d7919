"""How many durable commands a server carries out for each second of its processor time.

    python -m loadtests.saturation [--sessions 400] [--seconds 20] [--rate 0]
    python -m loadtests.saturation --sessions 2500 --rate 833 --pace fast  (people: something every 3 s)
    python -m loadtests.saturation --house [--without-store]

Real sessions with real legality, two pages each, everysec. ``--rate 0``: as fast as the server answers (the limit of 20
frames a second of each page holds); else so many commands a second in all, spread over the sessions. ``--house``: the
server alone, the computer's turns played in it without thought (see house.py); else with a worker.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import random
import statistics
import time
from collections.abc import Sequence

import uvloop

from gameserver.session.events import Level
from loadtests.generator import Figures, Mix, Player
from loadtests.site import Pace, Site, house, many_connections, new_sessions, site

SLOWEST_ACT = 1 / 18  # a page's own pace at saturation, below the limit of 20 frames a second


def percentile(values: Sequence[float], part: float) -> float:
    """The value below which this part of them lies; 0 of none."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * part), len(ordered) - 1)] if ordered else 0.0


async def sit_down(
    sessions: list[tuple[str, bytes]], running: Site, figures: Figures, mix: Mix, pages: int
) -> list[Player]:
    """A player at each session, its pages open, a few hundred at a time; they begin when all are there."""
    players = [
        Player(running.origins[number % len(running.origins)], cookie, session, figures, mix, random.Random(number))
        for number, (cookie, session) in enumerate(sessions)
    ]
    for first in range(0, len(players), 100):
        await asyncio.gather(*(player.sit_down(pages) for player in players[first : first + 100]))
    for player in players:
        player.play()
    return players


async def measure(
    running: Site,
    sessions: int,
    seconds: float,
    rate: float,
    pages: int,
    pace: Pace = "instant",
    level: Level = "normal",
) -> float:
    """Play and print what came of it. Returns the commands for each second of the servers' processor time."""
    figures = Figures()
    pause = sessions / rate if rate else SLOWEST_ACT
    mix = Mix(pause=lambda choose: choose.uniform(0.5, 1.5) * pause)
    half = sessions // 2
    started = [
        *new_sessions(running.origin, half, pace=pace, level=level, auto_end=True),
        *new_sessions(running.origin, sessions - half, pace=pace, level=level, auto_end=False),
    ]
    players = await sit_down(started, running, figures, mix, pages)
    gc.freeze()
    gc.disable()  # the generator's own pauses would be taken for the server's
    await asyncio.sleep(3.0 + 3 * pause)  # past the openings
    before, began = running.cpu_seconds(), time.perf_counter()
    acknowledged, answers = figures.acknowledged, figures.answers["refused"]
    figures.latencies.clear()
    figures.turns.clear()
    figures.sent.clear()
    await asyncio.sleep(seconds)
    spent = {name: value - before[name] for name, value in running.cpu_seconds().items()}
    wall = time.perf_counter() - began
    commands = sum(figures.sent.values())
    report(figures, spent, wall, commands, figures.acknowledged - acknowledged, figures.answers["refused"] - answers)
    for player in players:
        player.get_up()
    gc.enable()
    gc.unfreeze()
    return commands / server_seconds(spent)


def server_seconds(spent: dict[str, float]) -> float:
    """The processor time of all servers together."""
    return sum(value for name, value in spent.items() if name.startswith("server"))


def report(
    figures: Figures, spent: dict[str, float], wall: float, commands: int, acknowledged: int, refused: int
) -> None:
    server = server_seconds(spent)
    shares = ", ".join(f"{kind} {100 * count / max(commands, 1):.0f} %" for kind, count in figures.sent.most_common())
    print(f"commands: {commands} in {wall:.1f} s = {commands / wall:.0f} a second ({shares})")
    print(
        f"acknowledged: {acknowledged}, refused: {refused} {dict(figures.refusals)}, lost: {figures.lost_connections}"
    )
    print("CPU: " + ", ".join(f"{name} {100 * value / wall:.0f} %" for name, value in spent.items()))
    print(f"commands per CPU-second of the server: {commands / server:.0f}, commits {acknowledged / server:.0f}")
    latencies = figures.latencies
    print(
        f"command to diff: median {1000 * statistics.median(latencies or [0]):.2f} ms,"
        f" p99 {1000 * percentile(latencies, 0.99):.2f} ms of {len(latencies)}"
    )
    turns = figures.turns
    print(
        f"computer's turn decided: median {1000 * statistics.median(turns or [0]):.0f} ms,"
        f" p99 {1000 * percentile(turns, 0.99):.0f} ms, worst {1000 * max(turns, default=0):.0f} ms of {len(turns)}"
    )
    for kind, sizes in figures.bytes_by_kind.items():
        print(f"{kind}: median {statistics.median(sizes):.0f} bytes, p99 {percentile(sizes, 0.99):.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--rate", type=float, default=0)
    parser.add_argument("--pages", type=int, default=2)
    parser.add_argument("--servers", type=int, default=1)
    parser.add_argument("--house", action="store_true")
    parser.add_argument("--without-store", action="store_true")
    parser.add_argument("--pace", choices=("real", "fast", "instant"), default="instant")
    parser.add_argument("--level", choices=("beginner", "normal", "expert"), default="normal")
    parser.add_argument("--pin", action="store_true", help="the worker on the last core, everything else on the others")
    parsed = parser.parse_args()
    many_connections()
    alone = house(with_store=not parsed.without_store)
    with alone if parsed.house else site(servers=parsed.servers) as running:
        if parsed.pin:
            running.pin_the_worker()
        uvloop.run(
            measure(running, parsed.sessions, parsed.seconds, parsed.rate, parsed.pages, parsed.pace, parsed.level)
        )


if __name__ == "__main__":
    main()
