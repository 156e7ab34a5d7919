"""A thundering herd: a server with thousands of pages dies and is started again, and all of them come back at once.

    python -m loadtests.herd [--pages 5000] [--within 2]

Each page knocks at a random time within so many seconds after the server is ready, says hello with the version that it
knows, and is served when it hears the answer.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import tempfile
import time
from pathlib import Path

import msgspec
import uvloop

from gameserver.store import EmbeddedStore
from loadtests.generator import LONGEST_WAIT, Wire
from loadtests.saturation import percentile
from loadtests.site import Site, many_connections, new_sessions
from tests.processes.programs import SECRET_KEY, Program, free_port, kept

PAGES_OF_A_SESSION = 2
AT_ONCE = 200


async def visit(origin: str, cookie: str, session: bytes) -> tuple[Wire, float]:
    """Connect and say hello; the connection, and the seconds until the hello was answered."""
    answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def on_frame(_: bytes) -> None:
        if not answered.done():
            answered.set_result(None)

    began = time.perf_counter()
    wire = await Wire.connect(origin, cookie, on_frame, lambda: None)
    wire.send(msgspec.msgpack.encode({"t": "hello", "protocol": 1, "session": session, "version": 0, "last": None}))
    async with asyncio.timeout(LONGEST_WAIT):
        await answered
    return wire, time.perf_counter() - began


async def settle(origin: str, pages: list[tuple[str, bytes]]) -> list[Wire]:
    """Every page connected, a few hundred at a time."""
    wires: list[Wire] = []
    for first in range(0, len(pages), AT_ONCE):
        some = pages[first : first + AT_ONCE]
        wires += [wire for wire, _ in await asyncio.gather(*(visit(origin, *page) for page in some))]
    return wires


async def come_back(origin: str, pages: list[tuple[str, bytes]], within: float, running: Site) -> None:
    """All at once; prints how long they waited."""
    before, began = running.cpu_seconds(), time.perf_counter()

    async def one(page: tuple[str, bytes]) -> tuple[Wire, float]:
        await asyncio.sleep(random.uniform(0, within))
        return await visit(origin, *page)

    came = await asyncio.gather(*(one(page) for page in pages))
    wall = time.perf_counter() - began
    spent = {name: value - before[name] for name, value in running.cpu_seconds().items()}
    waits = [seconds for _, seconds in came]
    print(
        f"{len(pages)} pages within {within:.0f} s: all served {wall:.1f} s after the server was ready;"
        f" a page waited {percentile(waits, 0.5):.2f} s in the median, p99 {percentile(waits, 0.99):.2f} s"
    )
    print("CPU: " + ", ".join(f"{name} {value:.1f} s" for name, value in spent.items()))
    for wire, _ in came:
        wire.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--within", type=float, default=2.0)
    parsed = parser.parse_args()
    many_connections()
    with contextlib.ExitStack() as stack:
        data_dir = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        store = stack.enter_context(EmbeddedStore(data_dir, fsync="everysec"))
        variables = {"REDIS_URL": store.url, "SECRET_KEY": SECRET_KEY, "LOG_LEVEL": "warning", "PORT": str(free_port())}
        first = stack.enter_context(kept(Program("serve", **variables)))
        origin = first.address()
        sessions = new_sessions(origin, parsed.pages // PAGES_OF_A_SESSION)
        pages = [page for page in sessions for _ in range(PAGES_OF_A_SESSION)]
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(settle(origin, pages))
            first.kill()
            second = stack.enter_context(kept(Program("serve", **variables)))
            second.address()
            running = Site((origin,), {"server": second.pid, "store": store.pid or 0}, store.url)
            runner.run(come_back(origin, pages, parsed.within, running))


if __name__ == "__main__":
    main()
