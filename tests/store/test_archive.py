"""Sessions whose time is over move to files: nothing is deleted before it is there, and all can be read back."""

import gzip
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis.asyncio import Redis as Client

from gameserver import archive as archives
from gameserver.archive import Archived, CannotArchive, archive, find, read_archive
from gameserver.session.commands import StartSession
from gameserver.session.decide import start
from gameserver.session.events import Commit, SessionDropped, Side, encode_commit
from gameserver.session.ids import CommandId, PlayerId, SessionId
from gameserver.session.record import read_record, verify
from gameserver.store import Appended, Policy, Store
from gameserver.store.keys import ages_key, shard_of

from ..processes.programs import ended
from .servers import Server

AT_ONCE_OVER = Policy(finished_ms=0, abandoned_ms=3_600_000, archive=True)


async def session_of(store: Store, *, finished: bool) -> SessionId:
    """A session of one or two commits."""
    session, player = SessionId(os.urandom(16)), PlayerId(os.urandom(16))
    secret = os.urandom(32)
    command = StartSession(CommandId(os.urandom(16)), player, session, "normal", 1, "instant", True, False, False)
    first = Commit(command.id, Side.PLAYER, 1, start(command, secret))
    appended = await store.log.append(
        session, 0, None, first.id, encode_commit(first), computer_due=False, secret=(1, secret)
    )
    assert appended == Appended(1)
    if finished:
        last = Commit(CommandId(os.urandom(16)), Side.PLAYER, 2, (SessionDropped(os.urandom(16), secret),))
        appended = await store.log.append(
            session, 1, first.id, last.id, encode_commit(last), computer_due=False, finished=True
        )
        assert appended == Appended(2)
    return session


def files(directory: Path) -> list[Path]:
    return sorted(directory.glob("*.jsonl.gz"))


async def test_what_is_over_moves_to_a_file_and_the_rest_stays(server: Server, tmp_path: Path) -> None:
    async with Store(server.url, AT_ONCE_OVER) as store:
        over = [await session_of(store, finished=True) for _ in range(120)]
        live = [await session_of(store, finished=False) for _ in range(5)]
        assert await archive(store, tmp_path / "a") == Archived(120, 0)
        assert await archive(store, tmp_path / "a") == Archived(0, 0)
        assert [await store.log.version(session) for session in over] == [0] * 120
        assert [await store.log.version(session) for session in live] == [1] * 5
        assert await store.log.secret(over[0], 1) is None
        async with Client.from_url(server.url) as client:
            assert not any([await client.zscore(ages_key(shard_of(session)), session) for session in over])
    (file,) = files(tmp_path / "a")
    read = [read_record(record) for record in read_archive(file)]
    assert {session for session, _ in read} == set(over)
    assert all(verify(session, commits).games == 1 for session, commits in read)
    found = find(tmp_path / "a", over[7])
    assert found is not None
    assert read_record(found)[0] == over[7]
    assert find(tmp_path / "a", live[0]) is None
    assert file.stat().st_mode & 0o077 == 0


async def test_nothing_is_deleted_before_it_is_on_the_disk(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Store(server.url, AT_ONCE_OVER) as store:
        session = await session_of(store, finished=True)

        def full(_: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("os.fsync", full)
        with pytest.raises(CannotArchive, match="No space left"):
            await archive(store, tmp_path)
        assert await store.log.version(session) == 2
        monkeypatch.undo()
        assert await archive(store, tmp_path) == Archived(1, 0)


async def test_a_day_s_file_is_not_read_again_for_every_batch(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a long backlog that would take hours."""
    monkeypatch.setattr(archives, "AT_ONCE", 1)
    read: list[Path] = []
    members = archives._members

    def counted(path: Path) -> Iterator[tuple[bytes, int]]:
        read.append(path)
        return members(path)

    async with Store(server.url, AT_ONCE_OVER) as store:
        await session_of(store, finished=True)
        assert await archive(store, tmp_path) == Archived(1, 0)
        wanted = {await session_of(store, finished=True) for _ in range(5)}
        monkeypatch.setattr(archives, "_members", counted)
        assert await archive(store, tmp_path) == Archived(5, 0)
    assert len(read) <= len(files(tmp_path))
    kept = [read_record(record)[0] for path in files(tmp_path) for record in read_archive(path)]
    assert len(kept) == 6
    assert wanted < set(kept)


async def test_a_torn_end_is_removed_by_the_next_run(server: Server, tmp_path: Path) -> None:
    async with Store(server.url, AT_ONCE_OVER) as store:
        first = await session_of(store, finished=True)
        await archive(store, tmp_path)
        (file,) = files(tmp_path)
        whole = file.read_bytes()
        for torn in (1, 10, len(whole) // 2):
            file.write_bytes(whole + whole[:torn])
            assert [read_record(each)[0] for each in read_archive(file)] == [first]
        second = await session_of(store, finished=True)
        await archive(store, tmp_path)
    assert [read_record(each)[0] for each in read_archive(file)] == [first, second]
    assert gzip.decompress(file.read_bytes()).count(b"\n") == 2, "any gzip reads it"


async def test_a_damaged_file_stops_the_archiver(server: Server, tmp_path: Path) -> None:
    async with Store(server.url, AT_ONCE_OVER) as store:
        await session_of(store, finished=True)
        await archive(store, tmp_path)
        (file,) = files(tmp_path)
        file.write_bytes(b"not gzip at all" + file.read_bytes())
        session = await session_of(store, finished=True)
        with pytest.raises(CannotArchive, match="damaged"):
            await archive(store, tmp_path)
        assert await store.log.version(session) == 2


async def test_a_session_that_goes_on_meanwhile_is_not_deleted(server: Server, tmp_path: Path) -> None:
    abandoned = Policy(finished_ms=0, abandoned_ms=1, archive=True)
    async with Store(server.url, abandoned) as store:
        session = await session_of(store, finished=False)
        head = await store.log.head(session)
        assert head is not None
        async with Store(server.url, AT_ONCE_OVER) as player:
            await player.log.append(session, *head, os.urandom(16), b"a move", computer_due=False)
        assert not await store.ages.delete(session, head)
        assert await store.log.version(session) == 2
        assert await archive(store, tmp_path) == Archived(0, 0), "and its time begins anew"


async def test_what_cannot_be_read_stays_and_stops_no_other(server: Server, tmp_path: Path) -> None:
    async with Store(server.url, AT_ONCE_OVER) as store:
        strange = bytes(16)
        await store.log.append(
            strange, 0, None, os.urandom(16), b"of a later release", computer_due=False, finished=True
        )
        others = [await session_of(store, finished=True) for _ in range(3)]
        assert await archive(store, tmp_path) == Archived(3, 1)
        assert await store.log.version(strange) == 1
        assert [await store.log.version(session) for session in others] == [0, 0, 0]


async def test_two_archivers_do_not_share_a_directory(server: Server, tmp_path: Path) -> None:
    async with Store(server.url, AT_ONCE_OVER) as store:
        with archives._locked(tmp_path), pytest.raises(CannotArchive, match="another"):
            await archive(store, tmp_path)


async def test_the_command_archives_and_reads_back(server: Server, tmp_path: Path) -> None:
    async with Store(server.url, AT_ONCE_OVER) as store:
        session = await session_of(store, finished=True)
    variables = {"REDIS_URL": server.url}

    def said(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return ended(["archive", *arguments], **variables, **more)

    directory = str(tmp_path / "archive")
    refused = said(directory)
    assert (refused.returncode, "ARCHIVE must be 1" in refused.stderr) == (1, True)
    done = said(directory, ARCHIVE="1")
    assert (done.returncode, done.stdout) == (0, "1 session(s) archived\n"), done.stderr
    (file,) = files(Path(directory))
    assert read_record(said("--read", str(file)).stdout.encode())[0] == session
    record = tmp_path / "record.json"
    record.write_text(said(directory, "--session", session.hex()).stdout)
    assert ended(["verify", str(record)]).returncode == 0
    for wrong in ([directory, "--session", "0" * 32], ["--read", directory + "/no"]):
        answer = said(*wrong)
        assert (answer.returncode, answer.stdout) == (1, "")
        assert answer.stderr.startswith("gameserver: ")
