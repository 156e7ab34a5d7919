"""The real programs as children of the tests: started, waited for by what they print, stopped, killed."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

from gameserver.settings import VARIABLES

from ..store.servers import redis_server, wait_until

PATIENCE = 30.0
SECRET_KEY = "a key of the tests that is long enough to sign with"
OURS = tuple(variable.name for variable in VARIABLES)


def environment(**variables: str) -> dict[str, str]:
    """The environment of a child: this process' own without the game's variables, and those that are given."""
    return {name: value for name, value in os.environ.items() if name not in OURS} | {"PORT": "0"} | variables


def gameserver(*arguments: str, module: str = "gameserver.cli") -> list[str]:
    return [sys.executable, "-m", module, *arguments]


def ended(arguments: Sequence[str], given: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        gameserver(*arguments),
        input=given,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=environment(**variables),
        check=False,
    )


class Program:
    """One running command."""

    module = "gameserver.cli"

    def __init__(self, *arguments: str, **variables: str) -> None:
        self.process = subprocess.Popen(
            gameserver(*arguments, module=self.module),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(**variables),
        )
        self.said: list[str] = []
        """What it wrote to its standard error."""
        self._printed: queue.Queue[str] = queue.Queue()
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self._readers = [
            threading.Thread(target=self._read, args=(self.process.stdout, self._printed.put), daemon=True),
            threading.Thread(target=self._read, args=(self.process.stderr, self.said.append), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    @staticmethod
    def _read(pipe: IO[str], take: Callable[[str], None]) -> None:
        for line in pipe:
            take(line)

    @property
    def pid(self) -> int:
        return self.process.pid

    def address(self) -> str:
        """The address that a server prints once it is ready."""
        wait_until(lambda: not self._printed.empty() or not self.runs, PATIENCE)
        assert self.runs, self.said
        line = self._printed.get()
        found = re.search(r"http://\S+:(\d+)", line)
        assert found is not None, line
        return f"http://127.0.0.1:{found[1]}"

    def until_it_says(self, words: str) -> None:
        """Return once the program has written these words to its standard error."""
        wait_until(lambda: any(words in line for line in tuple(self.said)), PATIENCE)

    def kill(self) -> None:
        """End it with SIGKILL, now."""
        self.process.kill()
        self._wait()

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Ask it to end, and wait for that; its status."""
        self.process.send_signal(number)
        return self._wait()

    def _wait(self) -> int:
        status = self.process.wait(PATIENCE)
        for reader in self._readers:
            reader.join(PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()
        return status

    @property
    def runs(self) -> bool:
        return self.process.poll() is None


@contextlib.contextmanager
def running(*arguments: str, **variables: str) -> Iterator[Program]:
    """A program that is killed at the end of the block, if it still runs then."""
    with kept(Program(*arguments, **variables)) as program:
        yield program


@contextlib.contextmanager
def kept(program: Program) -> Iterator[Program]:
    """The same for one that was started already."""
    try:
        yield program
    finally:
        if program.runs:
            os.kill(program.pid, signal.SIGCONT)
            program.kill()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        port: int = one.getsockname()[1]
        return port


class Redis:
    """Debian's redis-server on a port of the loopback interface; killed and started again it has its data."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self._port}"

    def start(self) -> None:
        self._process = redis_server(
            *("--port", str(self._port), "--bind", "127.0.0.1", "--dir", str(self._directory)),
            *("--appendonly", "yes", "--appendfsync", "always", "--save", ""),
        )
        wait_until(self._answers)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self._port), 1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()


def descendants(pid: int) -> dict[int, str]:
    """The processes below this one, and their command lines."""
    parents: dict[int, int] = {}
    commands: dict[int, str] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                stat = (entry / "stat").read_text()
                parents[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
                commands[int(entry.name)] = (entry / "cmdline").read_text().replace("\0", " ")
    found: dict[int, str] = {}
    wanted = {pid}
    while wanted:
        wanted = {child for child, parent in parents.items() if parent in wanted and child not in found}
        found |= {child: commands[child] for child in wanted}
    return found


def worker_of(program: Program) -> int:
    """The process id of the computer's worker under `gameserver play`."""
    found: list[int] = []

    def look() -> bool:
        found[:] = [pid for pid, command in descendants(program.pid).items() if "--tethered" in command]
        return len(found) == 1

    wait_until(look)
    return found[0]


def is_running(pid: int) -> bool:
    """Whether this process is there and is no mere zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def rss_bytes(pid: int) -> int:
    """The resident memory of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
