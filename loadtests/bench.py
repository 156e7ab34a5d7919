"""Every benchmark that a change may slow down, one after another: ``make bench``. Some fifteen minutes on two cores.

The long measures of the computer's strength have commands of their own, in docs/benchmarks.md.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Final

BENCHMARKS: Final = (
    ("rules", ["loadtests.benchmarks.rules"]),
    ("the road of a command", ["loadtests.benchmarks.road"]),
    ("the store", ["loadtests.benchmarks.store"]),
    ("the computer's thinking", ["loadtests.benchmarks.thinking_cost", "--decisions", "100"]),
    ("the page on a slow phone", ["loadtests.benchmarks.page"]),
    ("the server's limit, beside an echo's and its own without the store", ["loadtests.limit"]),
    ("people at their own pace", ["loadtests.saturation", *["--sessions", "2500", "--rate", "833", "--pace", "fast"]]),
    ("a herd after a server's death", ["loadtests.herd"]),
    ("memory", ["loadtests.benchmarks.memory"]),
)


def main() -> int:
    """Run them all; 1 where one failed."""
    failed = 0
    for title, arguments in BENCHMARKS:
        print(f"\n== {title}: python -m {' '.join(arguments)}", flush=True)
        failed += subprocess.run([sys.executable, "-m", *arguments], check=False, timeout=900).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
