"""A game of the test's own, all of whose processes can be killed and started again."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from ..processes.programs import Program, descendants, free_port, is_running
from ..store.servers import wait_until


class Installation:
    """`gameserver play` on a port and a data directory of its own, which outlive the processes."""

    def __init__(self, data_dir: Path) -> None:
        self._variables = {"DATA_DIR": str(data_dir), "PORT": str(free_port())}
        self.origin = ""
        self._program: Program | None = None

    def start(self) -> float:
        """Start it; the seconds until it was ready."""
        began = time.monotonic()
        self._program = Program("play", **self._variables)
        self.origin = self._program.address()
        return time.monotonic() - began

    def kill(self) -> None:
        """SIGKILL to the server, the worker and the store at once."""
        assert self._program is not None
        below = descendants(self._program.pid)
        assert len(below) >= 2, f"a worker and a store are expected: {below}"
        for pid in below:
            os.kill(pid, signal.SIGKILL)
        self._program.kill()
        wait_until(lambda: not any(map(is_running, below)))

    def stop(self) -> None:
        if self._program is not None and self._program.runs:
            self._program.stop()
