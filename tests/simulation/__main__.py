"""``python -m tests.simulation``: simulated runs, each from its seed, until so many commands were sent.

A failing seed is printed with what went wrong and what happened before; ``--seed N`` plays it again, step for step.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from .run import MODES, Mode, Run

COMMANDS_A_RUN = 1_500


def mode_of(seed: int) -> Mode:
    """The kind of run that this seed stands for."""
    return MODES[seed % len(MODES)]


def main() -> int:
    """Play, and tell; 1 where something failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the (first) seed")
    parser.add_argument("--commands", type=int, default=0, help="play seed after seed until so many were sent")
    parser.add_argument("--mode", choices=sorted(set(MODES)), help="by default it follows from the seed")
    parser.add_argument("--a-run", type=int, default=COMMANDS_A_RUN, help="commands of a run until its faults stop")
    wanted = parser.parse_args()
    began, used = time.perf_counter(), time.process_time()
    counts: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    seed, simulated = wanted.seed, 0.0
    while True:
        outcome = Run(seed, wanted.mode or mode_of(seed), wanted.a_run).play()
        counts += outcome.counts
        faults += outcome.faults
        simulated += outcome.seconds
        if outcome.failures:
            print(*outcome.history, sep="\n")
            print(f"seed {seed} ({outcome.mode}) FAILED:", *outcome.failures[:5], sep="\n  ")
            print(f"again: python -m tests.simulation --seed {seed} --mode {outcome.mode} --a-run {wanted.a_run}")
            return 1
        seed += 1
        if counts["commands"] >= wanted.commands:
            break
    seconds, used = time.perf_counter() - began, time.process_time() - used
    print(f"seeds {wanted.seed} to {seed - 1}: all was well; the last digest is {outcome.digest}")
    print(", ".join(f"{count:,} {what}" for what, count in sorted(counts.items())))
    print(", ".join(f"{count:,} x {what}" for what, count in sorted(faults.items())))
    print(
        f"{counts['commands']:,} commands in {seconds:.1f} s, {used:.1f} s of processor time "
        f"({used / counts['commands'] * 1e6:.0f} us a command), "
        f"{sum(faults.values()):,} faults, {simulated:,.0f} simulated seconds"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
