"""The archive: sessions whose time is over, in compressed files outside the store.

One file for each day (UTC), ``sessions-2026-01-31.jsonl.gz``: records, as players can take them away, one a line.
Files only grow, by whole gzip members; a session is deleted from the store after its member is safely on the disk. A
run that was cut short may leave a torn member at the end, of sessions that are all still in the store: the next run
removes it. A session may stand in the archive more than once; the last counts.
"""

import fcntl
import gzip
import logging
import os
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from gameserver.session.events import UnreadableCommit
from gameserver.session.ids import SessionId
from gameserver.session.record import write_record
from gameserver.store import Head, Store
from gameserver.store.keys import SHARDS
from gameserver.store.replay import whole_log

AT_ONCE: Final = 50
_GZIP: Final = 31
_CHUNK: Final = 1 << 20
_log = logging.getLogger(__name__)


class CannotArchive(Exception):
    """The directory or one of its files can't be used; nothing was deleted. The message says why."""


class Archived(NamedTuple):
    """What a run did: sessions that are in the files now and no longer in the store, and those it could not read."""

    sessions: int
    unreadable: int


async def archive(store: Store, directory: Path) -> Archived:
    """Move every session whose time is over from the store to the files.

    Raises:
        CannotArchive: see there.
        StoreUnavailable, Overloaded: as the store; what was done stays done.
    """
    moved = unreadable = 0
    ends: dict[Path, int] = {}
    with _locked(directory):
        for shard in range(SHARDS):
            skip = 0
            while sessions := await store.ages.over(shard, skip, AT_ONCE):
                records: list[bytes] = []
                heads: dict[bytes, Head | None] = {}
                for session in map(SessionId, sessions):
                    try:
                        commits = await whole_log(store.log, session)
                    except UnreadableCommit:
                        _log.exception("session %s can't be read and stays in the store", session.hex())
                        skip += 1
                        continue
                    heads[session] = Head(len(commits), commits[-1].id) if commits else None
                    if commits:
                        records.append(msgspec.json.format(write_record(session, commits), indent=-1))
                unreadable += len(sessions) - len(heads)
                _append(directory / f"sessions-{time.strftime('%Y-%m-%d', time.gmtime())}.jsonl.gz", records, ends)
                for archived, head in heads.items():
                    # Otherwise it has gone on since, and is no longer among those whose time is over.
                    moved += await store.ages.delete(archived, head)
    return Archived(moved, unreadable)


def read_archive(path: Path) -> Iterator[bytes]:
    """The records of a file, as JSON without the end of the line. A torn member at the end is left out.

    Raises:
        CannotArchive: the file can't be read, or is damaged.
    """
    for member, _ in _members(path):
        yield from member.splitlines()


def find(directory: Path, session: SessionId) -> bytes | None:
    """The record of a session as it was last archived; None where it is in none of the files. Raises CannotArchive."""
    wanted = session.hex()
    for path in sorted(directory.glob("sessions-*.jsonl.gz"), reverse=True):
        found = [record for record in read_archive(path) if msgspec.json.decode(record, type=_Named).session == wanted]
        if found:
            return found[-1]
    return None


class _Named(msgspec.Struct):
    session: str


def _append(path: Path, records: Sequence[bytes], ends: dict[Path, int]) -> None:
    """Write one member at the end of a file; returns when it is on the disk.

    `ends`: where the files end that this run has written to; of another, what an earlier run left torn is cut off.
    """
    if not records:
        return
    try:
        is_new = not path.exists()
        if path not in ends:
            ends[path] = 0 if is_new else max((end for _, end in _members(path)), default=0)
        with open(path, "ab", opener=_for_owner_only) as file:
            file.truncate(ends[path])
            file.write(gzip.compress(b"".join(record + b"\n" for record in records)))
            file.flush()
            os.fsync(file.fileno())
            ends[path] = file.tell()
        if is_new:
            _sync_directory(path.parent)
    except OSError as error:
        raise CannotArchive(f"{path}: {error.strerror}") from error


def _members(path: Path) -> Iterator[tuple[bytes, int]]:
    """Each whole gzip member's contents, and the place in the file where it ends."""
    try:
        with path.open("rb") as file:
            end, contents, reader = 0, b"", zlib.decompressobj(_GZIP)
            fed = 0
            while data := file.read(_CHUNK):
                while data:
                    contents += reader.decompress(data)
                    fed += len(data) - len(reader.unused_data)
                    data = reader.unused_data
                    if reader.eof:
                        end = fed
                        yield contents, end
                        contents, reader = b"", zlib.decompressobj(_GZIP)
    except OSError as error:
        raise CannotArchive(f"{path}: {error.strerror}") from error
    except zlib.error as error:
        raise CannotArchive(f"{path} is damaged: {error}") from error


@contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """One archiver at a time in a directory, which is made where it is not there."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(directory / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise CannotArchive(f"{directory}: {error.strerror}") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise CannotArchive(f"another `gameserver archive` is at work in {directory}") from None
    finally:
        os.close(lock)


def _for_owner_only(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _sync_directory(directory: Path) -> None:
    opened = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
