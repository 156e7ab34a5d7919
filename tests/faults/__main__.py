"""The long form of the fault runs: a table of what each kind came to.

    python -m tests.faults [--commands 100000] [--tables 240] [KIND ...]

KIND is a part of a kind's name; without any, all are run. The exit status is 1 where something was wrong.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import uvloop

from .runs import HEADER, KINDS, Kind, Report, run, set_stage


async def run_alone(kind: Kind, directory: Path, commands: int, tables: int) -> Report:
    async with set_stage(kind.setting, directory) as stage:
        return await run(kind, stage, directory, commands=commands, tables=tables, every=kind.every)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--commands", type=int, default=100_000)
    parser.add_argument("--tables", type=int, default=240)
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    wanted = parser.parse_args()
    kinds = [kind for kind in KINDS if not wanted.kinds or any(part in kind.name for part in wanted.kinds)]
    wrong: list[str] = []
    print(HEADER, flush=True)
    for kind in kinds:
        with tempfile.TemporaryDirectory(prefix="faults-") as directory:
            report = uvloop.run(run_alone(kind, Path(directory), wanted.commands, wanted.tables))
        print(report.row(), flush=True)
        for each in report.wrong():
            print(f"{kind.name}: {each}", file=sys.stderr, flush=True)
        wrong += report.wrong()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
