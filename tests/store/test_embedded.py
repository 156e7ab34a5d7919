"""The embedded store's life: quick start, no orphan, one copy, nothing lost."""

import os
import select
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

import pytest

from gameserver.store import AlreadyRunning, Appended, EmbeddedStore, EmbeddedStoreError, Store
from gameserver.store.embedded import Tether

from .servers import wait_until

NewId = Callable[[], bytes]

PARENT = """
import signal, sys
from pathlib import Path
from gameserver.store import EmbeddedStore
embedded = EmbeddedStore(Path(sys.argv[1]), tether=sys.argv[2])
embedded.start()
print(embedded.pid, embedded.url, flush=True)
signal.pause()
"""


def socket_of(embedded: EmbeddedStore) -> Path:
    return Path(unquote(embedded.url.removeprefix("unix://")))


def start_parent(directory: Path, tether: Tether = "prctl") -> tuple[subprocess.Popen[str], int]:
    """A process of its own that runs the embedded store; with the pid of the store."""
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(directory), tether],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert parent.stdout is not None
    return parent, int(parent.stdout.readline().split()[0])


def wait_for_end(pid: int) -> None:
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        readable, _, _ = select.select([process], [], [], 20)
        assert readable, "the store outlived its parent"
    finally:
        os.close(process)


def kill_store(embedded: EmbeddedStore) -> None:
    assert embedded.pid is not None
    os.kill(embedded.pid, signal.SIGKILL)
    wait_until(lambda: embedded.pid is None)


async def test_it_starts_in_half_a_second_and_keeps_what_it_was_given(tmp_path: Path, new_id: NewId) -> None:
    session, commit = new_id(), new_id()
    embedded = EmbeddedStore(tmp_path / "data")
    for expected in ([], [commit]):
        begun = time.monotonic()
        with embedded:
            # Measured: 0.02-0.06 s. The bound leaves room for a busy machine.
            assert time.monotonic() - begun < 0.5
            async with Store(embedded.url) as store:
                assert [entry.id for entry in await store.log.read(session)] == expected
                assert await store.log.append(session, 0, None, commit, b"x", computer_due=False) == Appended(1)
        assert embedded.pid is None


def test_only_its_owner_can_enter(tmp_path: Path) -> None:
    with EmbeddedStore(tmp_path / "data") as embedded:
        for path in (tmp_path / "data", tmp_path / "data" / "store", socket_of(embedded)):
            assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


@pytest.mark.parametrize("tether", ["prctl", "watcher"])
def test_no_orphan_is_left_when_the_parent_is_killed(tmp_path: Path, tether: Tether) -> None:
    parent, store = start_parent(tmp_path, tether)
    parent.kill()
    parent.wait()
    wait_for_end(store)
    with EmbeddedStore(tmp_path) as embedded:
        assert embedded.pid is not None


async def test_after_a_kill_of_everything_it_starts_at_once_with_everything(tmp_path: Path, new_id: NewId) -> None:
    session, last = new_id(), None
    for version in range(3):
        parent, pid = start_parent(tmp_path)
        async with Store(f"unix://{tmp_path}/store/socket") as store:
            assert await store.log.version(session) == version
            commit = new_id()
            await store.log.append(session, version, last, commit, b"x", computer_due=False)
            last = commit
        for each in (parent.pid, pid):
            os.kill(each, signal.SIGKILL)
        parent.wait()
    with EmbeddedStore(tmp_path) as embedded:
        async with Store(embedded.url) as store:
            assert await store.log.version(session) == 3


async def test_only_the_store_killed_it_can_be_started_again(tmp_path: Path, new_id: NewId) -> None:
    session = new_id()
    with EmbeddedStore(tmp_path) as embedded:
        async with Store(embedded.url) as store:
            await store.log.append(session, 0, None, session, b"x", computer_due=False)
            kill_store(embedded)
            embedded.start()
            assert await store.log.version(session) == 1


def test_a_second_copy_is_told_so(tmp_path: Path) -> None:
    parent, _ = start_parent(tmp_path)
    try:
        with pytest.raises(AlreadyRunning, match=rf"process {parent.pid}\) already uses {tmp_path}"):
            EmbeddedStore(tmp_path).start()
    finally:
        parent.kill()
        parent.wait()


def test_the_same_process_cannot_open_it_twice(tmp_path: Path) -> None:
    with EmbeddedStore(tmp_path), pytest.raises(AlreadyRunning):
        EmbeddedStore(tmp_path).start()


def test_stale_files_are_no_hindrance(tmp_path: Path) -> None:
    directory = tmp_path / "store"
    directory.mkdir()
    (directory / "lock").write_text("999999999")
    (directory / "socket").write_text("not even a socket")
    with EmbeddedStore(tmp_path) as embedded:
        assert embedded.pid is not None


def test_a_deep_directory_gets_a_short_socket(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 60) / ("e" * 60)
    deep.mkdir(parents=True)
    with EmbeddedStore(deep / "a name with spaces 双陆") as embedded:
        path = socket_of(embedded)
        assert len(os.fsencode(path)) < 104
        assert path.is_relative_to(tempfile.gettempdir())
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert not path.exists()


async def test_a_directory_with_spaces_and_signs_in_its_name(tmp_path: Path, new_id: NewId) -> None:
    directory = tmp_path / "双 陆 'a' \"b\" %41 ?x #y"
    with EmbeddedStore(directory) as embedded:
        async with Store(embedded.url) as store:
            await store.check()
    assert (directory / "store" / "appendonlydir").is_dir()


def test_a_directory_that_cannot_be_used_is_explained(tmp_path: Path) -> None:
    data = tmp_path / "store" / "appendonlydir"
    data.mkdir(parents=True)
    (data / "appendonly.aof.manifest").write_text("nonsense\n")
    embedded = EmbeddedStore(tmp_path)
    with pytest.raises(EmbeddedStoreError, match=r"did not start:(.|\n)*Invalid AOF manifest"):
        embedded.start()
    assert embedded.pid is None


def test_a_ctrl_c_at_the_terminal_does_not_reach_it(tmp_path: Path) -> None:
    """The game stops first, writing what it has to write; then it stops the store."""
    with EmbeddedStore(tmp_path) as embedded:
        assert embedded.pid is not None
        assert os.getpgid(embedded.pid) != os.getpgid(0)
