"""How many appends a second of this process's CPU carries, and what a tick's batching saves.

    python loadtests/benchmarks/store.py [--url redis://...] [--tasks 200] [--seconds 5]

Without an address the embedded store is started in a temporary directory. Each task appends to a session of its own,
one commit after the other, the next when the one before is acknowledged.
"""

import argparse
import asyncio
import os
import resource
import statistics
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import uvloop

from gameserver.store import Appended, EmbeddedStore, Store


async def measure(url: str, tasks: int, seconds: float) -> None:
    async with Store(url) as store:
        latencies: list[float] = []
        until = time.monotonic() + seconds

        async def play() -> int:
            session, last, version = os.urandom(16), None, 0
            while time.monotonic() < until:
                commit = os.urandom(16)
                begun = time.perf_counter()
                outcome = await store.log.append(session, version, last, commit, b"x" * 60, computer_due=False)
                latencies.append(time.perf_counter() - begun)
                if not isinstance(outcome, Appended):
                    raise TypeError(f"nobody else writes, and yet: {outcome}")
                version, last = outcome.version, commit
            return version

        await store.check()
        used = _cpu()
        begun = time.perf_counter()
        appended = sum(await asyncio.gather(*(play() for _ in range(tasks))))
        elapsed, used = time.perf_counter() - begun, _cpu() - used
        cuts = statistics.quantiles(latencies, n=100)
        print(
            f"{tasks} tasks: {appended:,} appends in {elapsed:.1f} s = {appended / elapsed:,.0f}/s, "
            f"{appended / used:,.0f} per CPU-second; {appended / store.commands.pipelines:.0f} to a pipeline; "
            f"latency p50 {cuts[49] * 1e3:.2f} ms, p99 {cuts[98] * 1e3:.2f} ms"
        )


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", help="a store that runs already")
    parser.add_argument("--tasks", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=5.0)
    wanted = parser.parse_args()
    with ExitStack() as stack:
        url = wanted.url
        if url is None:
            directory = stack.enter_context(tempfile.TemporaryDirectory())
            url = stack.enter_context(EmbeddedStore(Path(directory))).url
        uvloop.run(measure(url, wanted.tasks, wanted.seconds))


if __name__ == "__main__":
    main()
