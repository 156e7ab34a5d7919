"""The processes that the command line starts: all in one, a web server, a computer's worker."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from gameserver.observability import logs
from gameserver.session.events import Commit, UnreadableCommit
from gameserver.session.ids import SessionId
from gameserver.settings import BadSetting, Settings
from gameserver.store import EmbeddedStore, EmbeddedStoreError, Policy, Store, StoreUnavailable
from gameserver.store.replay import whole_log

log = logging.getLogger("gameserver")

KEY_FILE: Final = "secret-key"
WORKER_RESTART_SECONDS: Final = (0.1, 1.0, 5.0)
STEADY_SECONDS: Final = 30.0
WORKER_STOP_SECONDS: Final = 10.0


class CannotRun(Exception):
    """The process can't do its work here; the message says why."""


def play(settings: Settings) -> None:
    """Server, worker and, where no store is given, the embedded one, until SIGINT or SIGTERM. Raises CannotRun."""
    logs.set_up(settings.log_level, settings.log_format)
    _exit_on_sigterm()
    with contextlib.ExitStack() as running:
        listening = running.enter_context(_listening(settings))
        keys = settings.secret_keys or (_kept_secret(settings.data_dir),)
        embedded = None if settings.redis_url else running.enter_context(_embedded(settings.data_dir))
        url = settings.redis_url or (embedded.url if embedded else "")
        running.enter_context(_worker(url))
        _serve_on(listening, url, keys, settings, None if embedded is None else lambda: _keep_running(embedded))


def serve(settings: Settings) -> None:
    """A web server on the given store, until SIGINT or SIGTERM. Raises CannotRun."""
    logs.set_up(settings.log_level, settings.log_format)
    _exit_on_sigterm()
    url = _given_store(settings)
    with _listening(settings) as listening, _noted(f"web server on port {listening.getsockname()[1]}"):
        _serve_on(listening, url, settings.secret_keys, settings)


def computer(settings: Settings, threads: int, *, tethered: bool) -> None:
    """A computer's worker on the given store, until SIGINT or SIGTERM; if ``tethered``, until its input ends, too."""
    from gameserver.computer.engine import open_player  # loads the neural network
    from gameserver.computer.worker import Worker
    from gameserver.observability import worker as figures

    logs.set_up(settings.log_level, settings.log_format)
    _exit_on_sigterm()
    url = _given_store(settings)
    player = open_player()
    # What `play` starts is its own affair: the player reads along.
    noted = contextlib.nullcontext() if tethered else _noted(f"computer's worker with {threads} thread(s)")

    async def work() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
        if tethered:
            threading.Thread(target=_until_input_ends, args=(loop, stop), daemon=True).start()
        with noted:
            await until_stopped(stop)

    async def until_stopped(stop: asyncio.Event) -> None:
        async with figures.shown(settings.host, settings.metrics_port), Store(url, _policy(settings)) as store:
            working = asyncio.create_task(Worker(store, player, threads).run())
            stopping = asyncio.create_task(stop.wait())
            await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
            stopping.cancel()
            working.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await working

    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(work())
    except figures.CannotListen as error:
        raise CannotRun(f"METRICS_PORT {settings.metrics_port} can't be used: {error}") from error


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The loops of uvloop, where it exists: a worker's turns are mostly small talk with the store."""
    try:
        import uvloop
    except ModuleNotFoundError:  # Windows
        return None
    return uvloop.new_event_loop


def archive_to(settings: Settings, directory: Path) -> tuple[int, int]:
    """Move the sessions whose time is over from the store to files; how many were, and how many can't be read.

    Raises:
        BadSetting: archiving is off, so the sessions expire in the store.
        CannotRun: the store or the directory can't be used.
    """
    from gameserver.archive import Archived, CannotArchive, archive

    if not settings.archive:
        raise BadSetting("ARCHIVE must be 1, here and on every server and worker: else the store drops sessions itself")
    logs.set_up(settings.log_level, settings.log_format)
    url = settings.redis_url or EmbeddedStore(settings.data_dir).url

    async def work() -> Archived:
        async with Store(url, _policy(settings)) as store:
            return await archive(store, directory)

    try:
        return asyncio.run(work())
    except (CannotArchive, StoreUnavailable) as error:
        raise CannotRun(f"the sessions could not all be archived: {error}") from error


def rebuild(settings: Settings) -> tuple[int, int]:
    """Make the players' index anew from the logs; how many sessions are in it, and how many can't be.

    Raises:
        CannotRun: the store can't be used.
    """
    from gameserver.store.rebuild import Rebuilt, rebuild_index

    logs.set_up(settings.log_level, settings.log_format)
    url = settings.redis_url or EmbeddedStore(settings.data_dir).url

    async def work() -> Rebuilt:
        async with Store(url, _policy(settings)) as store:
            return await rebuild_index(store)

    try:
        return asyncio.run(work())
    except StoreUnavailable as error:
        raise CannotRun(f"the store can't be reached: {error}") from error


def log_lines(settings: Settings, session: SessionId) -> list[str]:
    """The commits of a session as text, one a line; none given, the store is that of the running `gameserver play`.

    Raises:
        CannotRun: the store can't be reached, or the log can't be read.
    """
    url = settings.redis_url or EmbeddedStore(settings.data_dir).url

    async def read() -> tuple[Commit, ...]:
        async with Store(url) as store:
            return await whole_log(store.log, session)

    try:
        commits = asyncio.run(read())
    except StoreUnavailable as error:
        where = "the store at REDIS_URL" if settings.redis_url else f"`gameserver play` on {settings.data_dir}"
        raise CannotRun(f"{where} can't be reached; is it running? ({error})") from error
    except UnreadableCommit as error:
        raise CannotRun(f"the session's log can't be read: {error}") from error
    return [
        f"{number} {commit.at} {commit.by.name.lower()} {commit.id.hex()} "
        + " ".join(_written(event) for event in commit.events)
        for number, commit in enumerate(commits, start=1)
    ]


def _written(event: msgspec.Struct) -> str:
    fields = ", ".join(
        f"{name}={value.hex() if isinstance(value, bytes) else value}"
        for name, value in msgspec.structs.asdict(event).items()
    )
    return f"{type(event).__name__}({fields})"


@contextlib.contextmanager
def _noted(what: str) -> Iterator[None]:
    """Note in the log that this begins and, however that comes about, that it ends."""
    log.info("%s: begins", what)
    try:
        yield
    finally:
        log.info("%s: ends", what)


def _exit_on_sigterm() -> None:
    """Let SIGTERM unwind the stack. The web server catches it first, closes what it has open, and raises it again."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))


# --- The web server


def _serve_on(
    listening: socket.socket,
    url: str,
    keys: tuple[str, ...],
    settings: Settings,
    every_second: Callable[[], None] | None = None,
) -> None:
    from gameserver.web.app import create_app
    from gameserver.web.page import PageNotBuilt
    from gameserver.web.server import Server

    try:
        app = create_app(url, keys, settings.allowed_origins, _policy(settings), settings.address_connections)
    except PageNotBuilt as error:
        raise CannotRun(str(error)) from error
    port = listening.getsockname()[1]
    host = "localhost" if settings.host in {"127.0.0.1", "0.0.0.0", "::", "::1"} else settings.host  # noqa: S104

    def ready() -> None:
        print(f"Shuanglu 双陆: open http://{host}:{port}/", flush=True)

    server = Server(
        app,
        trusted_proxies=settings.trusted_proxies,
        log_level=settings.log_level,
        drain_seconds=settings.drain_seconds,
        on_ready=ready,
        every_second=every_second,
    )
    server.run(sockets=[listening])
    if not server.started:
        raise CannotRun("the web server could not start; the log says why")


@contextlib.contextmanager
def _listening(settings: Settings) -> Iterator[socket.socket]:
    """The socket that pages connect to; taken first, for without it all the rest is for nothing."""
    try:
        family = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.create_server((settings.host, settings.port), family=family, backlog=2048)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CannotRun(f"port {settings.port} of {settings.host} is in use; set PORT to another") from error
        raise CannotRun(f"can't listen on {settings.host}, port {settings.port}: {error}") from error
    with listening:
        yield listening


def _given_store(settings: Settings) -> str:
    if settings.redis_url is None:
        raise BadSetting("REDIS_URL is required for this command; only `gameserver play` brings a store of its own")
    return settings.redis_url


def _policy(settings: Settings) -> Policy:
    return Policy(
        finished_ms=1000 * settings.finished_ttl,
        abandoned_ms=1000 * settings.abandoned_ttl,
        archive=settings.archive,
        replicas=1 if settings.durability == "replicated" else 0,
    )


def _kept_secret(data_dir: Path) -> str:
    """The key that signs cookies here, made at the first start. Raises CannotRun."""
    path = data_dir / KEY_FILE
    made = data_dir / f"{KEY_FILE}.{os.getpid()}"
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            # Put in its place whole: a start that is killed half way must not leave an empty key.
            with open(made, "w", encoding="ascii", opener=_for_owner_only) as file:
                file.write(secrets.token_hex(32))
            with contextlib.suppress(FileExistsError):  # another copy was quicker
                os.link(made, path)
            made.unlink()
        key = path.read_text(encoding="ascii").strip()
    except OSError as error:
        raise CannotRun(f"the data directory can't be used: {error}") from error
    if not key:
        raise CannotRun(f"{path} is empty; delete it, and a new key is made (players then start afresh)")
    return key


def _for_owner_only(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _keep_running(embedded: EmbeddedStore) -> None:
    """Start the store again where it has died; what it acknowledged is still there."""
    if embedded.pid is None:
        log.warning("the embedded store has died; starting it again")
        try:
            embedded.start()
        except EmbeddedStoreError as error:
            log.error("the embedded store does not start, trying again: %s", error)  # noqa: TRY400 - the words say it all


@contextlib.contextmanager
def _embedded(data_dir: Path) -> Iterator[EmbeddedStore]:
    try:
        with EmbeddedStore(data_dir) as embedded:
            yield embedded
    except EmbeddedStoreError as error:
        raise CannotRun(str(error)) from error


# --- The worker of a single machine


@contextlib.contextmanager
def _worker(url: str) -> Iterator[None]:
    """A worker in a process of its own, started again when it dies. It ends when this process does, however that is."""
    supervisor = _Supervisor(url)
    supervisor.start()
    try:
        yield
    finally:
        supervisor.stop()


class _Supervisor:
    def __init__(self, url: str) -> None:
        self._environment = os.environ | {"REDIS_URL": url}
        self._stopping = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep_running, name="worker supervisor", daemon=True)

    def start(self) -> None:
        self._process = self._launched()
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        process = self._process
        if process is not None and process.poll() is None:
            process.terminate()
        self._thread.join(WORKER_STOP_SECONDS)
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()

    def _launched(self) -> subprocess.Popen[bytes]:
        # The pipe is a tether: nothing is ever written to it, but it closes with this process, even at a SIGKILL.
        return subprocess.Popen(
            [sys.executable, "-m", "gameserver.cli", "computer", "--tethered"],
            env=self._environment,
            stdin=subprocess.PIPE,
            start_new_session=True,
        )

    def _keep_running(self) -> None:
        failures = 0
        while self._process is not None:
            began = time.monotonic()
            if self._stopping.is_set():  # between a death and a new start
                self._process.terminate()
            status = self._process.wait()
            if self._stopping.is_set():
                return
            failures = 0 if time.monotonic() - began > STEADY_SECONDS else failures + 1
            pause = WORKER_RESTART_SECONDS[min(failures, len(WORKER_RESTART_SECONDS) - 1)]
            log.warning("the computer's worker ended with status %d; starting another in %.1f s", status, pause)
            if self._stopping.wait(pause):
                return
            self._process = self._launched()


def _until_input_ends(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    # Not by way of sys.stdin: a thread that waits in there makes the interpreter abort when it ends for another reason.
    while os.read(0, 4096):
        pass
    with contextlib.suppress(RuntimeError):  # the loop has ended by itself
        loop.call_soon_threadsafe(stop.set)
