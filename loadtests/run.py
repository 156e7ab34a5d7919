"""Start the product, let locust's players at it, stop it: ``make load``. Leaves an HTML report and a line of figures.

python -m loadtests.run [--users 200] [--seconds 60] [--shape steady|ramp|herd|churn]
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from loadtests.site import site

HERE = Path(__file__).parent


def main() -> int:
    """Run the load; 1 where a request failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--users", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--shape", choices=("steady", "ramp", "herd", "churn"), default="steady")
    parser.add_argument("--report", type=Path, default=HERE / "report.html")
    parsed = parser.parse_args()
    with site() as running, tempfile.TemporaryDirectory() as folder:
        before = running.cpu_seconds()
        environment = os.environ | {
            "SHAPE": parsed.shape,
            "LOAD_USERS": str(parsed.users),
            "LOAD_SECONDS": str(parsed.seconds),
        }
        command = [sys.executable, "-m", "locust", "-f", str(HERE / "locustfile.py"), "--headless", "--only-summary"]
        command += ["--host", running.origin, "--html", str(parsed.report), "--csv", f"{folder}/figures"]
        status = subprocess.run(command, env=environment, check=False, timeout=parsed.seconds + 120).returncode
        spent = {name: value - before[name] for name, value in running.cpu_seconds().items() if name != "generator"}
        with Path(f"{folder}/figures_stats.csv").open(encoding="utf-8") as file:
            rows = {row["Name"]: row for row in csv.DictReader(file)}
    diff, total = rows.get("command to diff", {}), rows["Aggregated"]
    cpu = ", ".join(f"{name} {100 * value / parsed.seconds:.0f} %" for name, value in spent.items())
    print(
        f"{parsed.shape}: {parsed.users} players, {parsed.seconds} s: {diff.get('Request Count', 0)} commands,"
        f" command to diff median {diff.get('50%')} ms, p99 {diff.get('99%')} ms;"
        f" failures {total['Failure Count']} of {total['Request Count']}; CPU {cpu}; report: {parsed.report.name}"
    )
    return status


if __name__ == "__main__":
    sys.exit(main())
