"""Starting, stopping and killing the programs: nothing is lost, nothing is left behind, every failure says why."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from gameserver.cli import main

from ..conftest import Site
from ..protocol.client import Refused, Visitor
from ..store.servers import wait_until
from .programs import SECRET_KEY, descendants, ended, environment, gameserver, is_running, running, worker_of

STOPS_WITHIN = 10.0


async def test_s16_sigterm_closes_sockets_with_1012_and_the_game_goes_on_at_the_next_process(
    new_directory: str,
) -> None:
    with running("play", DATA_DIR=new_directory) as program:
        visitor = await Visitor.arrive(program.address())
        await visitor.set_settings(pace="instant")
        seat = await visitor.open(await visitor.start("beginner"))
        idle = await visitor.open(seat.session)
        await seat.play_on(random.Random(16), 6)
        await seat.until_mine()
        before = seat.version, seat.last, seat.view
        below = descendants(program.pid)
        began = time.monotonic()
        status = await asyncio.to_thread(program.stop)
        assert time.monotonic() - began < STOPS_WITHIN
        assert status == 0
        assert program.said == []
        for one in (seat, idle):
            with pytest.raises(ConnectionClosed) as closed:
                await one.until(lambda _: False)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
        assert len(below) == 2
        assert not any(map(is_running, below)), "worker and store are stopped before the parent ends"
    with running("play", DATA_DIR=new_directory) as program:
        visitor.origin = program.address()
        seat = await visitor.open(seat.session, seen=before[:2])
        await seat.until_mine()
        again = await visitor.open(seat.session)
        assert again.version >= before[0]
        assert again.view["record"][: len(before[2]["record"])] == before[2]["record"]
        await seat.step(random.Random(1))
        await seat.close()
        await again.close()


async def test_s03_a_click_from_before_a_restart_is_refused_with_the_truth(new_directory: str) -> None:
    with running("play", DATA_DIR=new_directory) as program:
        visitor = await Visitor.arrive(program.address())
        seat = await visitor.open(await visitor.start("beginner"))
        old = seat.version, seat.last
        await seat.do("seed", seed=b"s" * 32)
        await asyncio.to_thread(program.kill)
    with running("play", DATA_DIR=new_directory) as program:
        visitor.origin = program.address()
        # The page says hello first, as every page does; what it had queued was made for the version before.
        back = await visitor.open(seat.session, seen=old)
        click = back.command("roll", old)
        with pytest.raises(Refused) as refused:
            await back.acknowledged(click)
        assert refused.value.code == "stale"
        snapshot = refused.value.frame["snapshot"]
        assert snapshot["version"] == back.version >= 2
        assert snapshot["view"]["fairness"]["seed"] == b"s" * 32
        await back.close()


async def test_a_client_that_answers_nothing_does_not_hold_up_a_stop(redis_url: str) -> None:
    with running("serve", REDIS_URL=redis_url, SECRET_KEY=SECRET_KEY) as program:
        visitor = await Visitor.arrive(program.address())
        seat = await visitor.open(await visitor.start())
        seat.socket.transport.pause_reading()
        began = time.monotonic()
        assert await asyncio.to_thread(program.stop) == 0
        assert time.monotonic() - began < STOPS_WITHIN + 3
        seat.socket.transport.abort()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_idle_game_stops_at_once(new_directory: str, number: signal.Signals) -> None:
    with running("play", DATA_DIR=new_directory) as program:
        program.address()
        worker_of(program)
        assert program.stop(number) == 0
        assert program.said == []


def test_a_killed_game_leaves_no_process_behind(new_directory: str) -> None:
    with running("play", DATA_DIR=new_directory) as program:
        program.address()
        below = descendants(program.pid)
        assert len(below) == 2, below
        program.kill()
        wait_until(lambda: not any(map(is_running, below)))


def test_the_supervisor_starts_another_worker_for_one_that_was_killed(new_directory: str) -> None:
    with running("play", DATA_DIR=new_directory) as program:
        program.address()
        former = worker_of(program)
        subprocess.run(["kill", "-KILL", str(former)], check=True)
        program.until_it_says("the computer's worker ended with status -9")
        wait_until(lambda: former not in descendants(program.pid) and worker_of(program) != former)


def test_a_tethered_worker_ends_with_its_input(redis_url: str) -> None:
    with running("computer", "--tethered", REDIS_URL=redis_url, SECRET_KEY=SECRET_KEY) as worker:
        assert worker.process.stdin is not None
        worker.process.stdin.close()
        assert worker.process.wait(20) == 0


def test_a_second_copy_on_the_same_data_says_so(embedded_site: Site) -> None:
    second = ended(["play"], **embedded_site.variables)
    assert second.returncode == 1
    assert "another copy of the game" in second.stderr
    assert str(embedded_site.server.pid) in second.stderr
    assert len(second.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", ["play", "serve"])
def test_a_port_in_use_is_named(new_directory: str, redis_url: str, command: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        failed = ended([command], DATA_DIR=new_directory, PORT=port, REDIS_URL=redis_url, SECRET_KEY=SECRET_KEY)
    assert failed.returncode == 1
    assert f"port {port} of 127.0.0.1 is in use" in failed.stderr
    assert not Path(new_directory).exists()


@pytest.mark.parametrize("command", ["serve", "computer"])
def test_the_log_tells_when_a_process_begins_and_ends(redis_url: str, command: str) -> None:
    key = {"SECRET_KEY": SECRET_KEY} if command == "serve" else {}  # whoever signs nothing needs none
    with running(command, PORT="0", REDIS_URL=redis_url, **key) as program:
        program.until_it_says(": begins")
        if command == "serve":
            program.address()
        assert program.stop() == 0
        assert ": ends" in program.said[-1]


@pytest.mark.parametrize("command", ["play", "serve"])
def test_who_signs_for_a_shared_store_needs_the_shared_key(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    for name, value in environment(REDIS_URL="redis://localhost").items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("SECRET_KEY", raising=False)
    assert main([command]) == 1
    assert "SECRET_KEY is required" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["play", "serve", "computer"])
@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({"REDIS_URL": "redis://localhost", "SECRET_KEY": "short"}, "SECRET_KEY: each key must have at least 32"),
        ({"REDIS_URL": "http://localhost"}, "REDIS_URL: a store address"),
        ({"REDIS_URL": "redis://localhost:x", "SECRET_KEY": SECRET_KEY}, "REDIS_URL: not a store address"),
        ({"PORT": "eighty"}, "PORT is 'eighty': must be a port"),
        ({"HOST": "a b"}, "HOST is 'a b'"),
        ({"ALLOWED_ORIGINS": "example.org"}, "ALLOWED_ORIGINS is 'example.org'"),
        ({"TRUSTED_PROXIES": "proxy"}, "TRUSTED_PROXIES is 'proxy'"),
        ({"LOG_LEVEL": "loud"}, "LOG_LEVEL is 'loud'"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    variables: dict[str, str],
    named: str,
) -> None:
    for name, value in environment(**variables).items():
        monkeypatch.setenv(name, value)
    for name in {"REDIS_URL", "SECRET_KEY"} - variables.keys():
        monkeypatch.delenv(name, raising=False)
    assert main([command]) == 1
    said = capsys.readouterr().err
    assert named in said
    assert "short" not in said.replace("must have", "")
    assert "gameserver config" in said


@pytest.mark.parametrize("command", ["serve", "computer"])
def test_a_command_for_many_machines_needs_a_store(command: str) -> None:
    failed = ended([command])
    assert failed.returncode == 1
    assert "REDIS_URL is required" in failed.stderr


def test_a_data_directory_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    failed = ended(["play"], DATA_DIR=str(tmp_path / "file" / "data"))
    assert failed.returncode == 1
    assert "the data directory can't be used" in failed.stderr


def test_the_made_key_is_kept_for_its_owner_alone(new_directory: str) -> None:
    key = Path(new_directory) / "secret-key"
    made = set()
    for _ in range(2):
        with running("play", DATA_DIR=new_directory) as program:
            program.address()
            made.add(key.read_text())
            program.stop()
    assert [len(each) for each in made] == [64]
    assert key.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in Path(new_directory).iterdir() if path.name != "store"] == ["secret-key"]


def test_a_server_starts_before_its_store_and_says_that_it_is_not_ready(tmp_path: Path) -> None:
    with running("serve", REDIS_URL=f"unix://{tmp_path}/none", SECRET_KEY=SECRET_KEY) as program:
        origin = program.address()
        with urllib.request.urlopen(f"{origin}/healthz") as alive:
            assert alive.status == 200
        with pytest.raises(urllib.error.HTTPError) as failed:
            urllib.request.urlopen(f"{origin}/readyz")
        with failed.value as answer:
            assert answer.code == 503
            assert "cannot be reached" in json.loads(answer.read())["reason"]


def test_help_needs_none_of_the_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import sys, gameserver.cli; sys.exit(bool({'redis', 'starlette', 'uvicorn', 'numpy'} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", code], check=False, env=environment()).returncode == 0
    assert "plays" in subprocess.run(gameserver("--help"), capture_output=True, text=True, check=True).stdout
