"""What a host sees of the real programs: figures that count what was played, log lines that say whom they are about, an
end that is announced before it comes."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.processes.programs import SECRET_KEY, Redis, free_port, running
from tests.protocol.client import Refused, Visitor
from tests.store.servers import wait_until

Figures = dict[tuple[str, ...], float]


def figures(origin: str) -> Figures:
    """Every sample by its name and the values of its labels."""
    with urllib.request.urlopen(f"{origin}/metrics", timeout=10) as answer:
        assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        text = answer.read().decode()
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def ready(origin: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"{origin}/readyz", timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    store = Redis(tmp_path)
    store.start()
    yield store
    store.kill()


def serving(redis: Redis, **variables: str) -> dict[str, str]:
    return {"REDIS_URL": redis.url, "SECRET_KEY": SECRET_KEY, **variables}


async def test_figures_of_server_and_worker_count_what_was_played(redis: Redis) -> None:
    port = free_port()
    with (
        running("serve", **serving(redis)) as server,
        running("computer", **serving(redis, METRICS_PORT=str(port))),
    ):
        origin = server.address()
        visitor = await Visitor.arrive(origin)
        await visitor.set_settings(pace="instant")
        session = await visitor.start("beginner")
        seat = await visitor.open(session)
        await seat.play_on(random.Random(3), 30)
        await seat.until_mine()
        shown = await asyncio.to_thread(figures, origin)
        assert shown["shuanglu_connections",] == 1
        assert shown["shuanglu_sessions_watched",] == 1
        assert shown["shuanglu_sessions_started_total", "beginner"] == 1
        assert shown["shuanglu_command_seconds_count", "seed"] == 1
        assert shown["shuanglu_command_seconds_count", "roll"] >= 1
        accepted = sum(value for (name, *_), value in shown.items() if name == "shuanglu_command_seconds_count")
        assert shown["shuanglu_append_seconds_count",] == accepted
        assert shown["shuanglu_store_up",] == 1
        assert shown["process_resident_memory_bytes",] > 1e6

        with pytest.raises(Refused, match="stale"):
            await seat.acknowledged(seat.command("undo", base=(1, bytes(16))))
        await seat.close()
        again = await visitor.open(session, seen=(seat.version, seat.last))
        await again.hello(session, again.version, again.last)
        shown = await asyncio.to_thread(figures, origin)
        assert shown["shuanglu_refusals_total", "stale"] == 1
        assert [shown["shuanglu_hellos_total", after] for after in ("nothing", "reconnect", "gap")] == [1, 1, 1]
        await again.close()

        computer = await asyncio.to_thread(figures, f"http://127.0.0.1:{port}")
        assert computer["shuanglu_thinking_seconds_count", "beginner"] >= 1
        assert computer["shuanglu_turn_wait_seconds_count",] >= computer["shuanglu_thinking_seconds_count", "beginner"]


async def test_turns_that_wait_are_shown_with_their_age_and_a_store_that_is_away(redis: Redis) -> None:
    with running("serve", **serving(redis)) as server:
        origin = server.address()
        visitor = await Visitor.arrive(origin)
        seat = await visitor.open(await visitor.start())
        while seat.view["phase"] != "computer":  # nobody is there to play its turn
            await seat.step(random.Random(5))
        assert (await asyncio.to_thread(figures, origin))["shuanglu_turns_due",] == 1
        await asyncio.to_thread(wait_until, lambda: figures(origin)["shuanglu_oldest_turn_seconds",] > 0.5)
        await seat.close()
        redis.kill()
        assert (await asyncio.to_thread(figures, origin))["shuanglu_store_up",] == 0


async def test_a_server_says_that_it_is_being_stopped_and_serves_on_for_a_while(redis: Redis) -> None:
    with running("serve", **serving(redis, DRAIN_SECONDS="300")) as server:
        origin = server.address()
        visitor = await Visitor.arrive(origin)
        seat = await visitor.open(await visitor.start())
        server.process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(wait_until, lambda: ready(origin)[0] == 503)
        assert "being stopped" in ready(origin)[1]
        await seat.do("seed", seed=bytes(32))  # games go on
        late = await visitor.open(seat.session)
        assert late.version >= 2
        await late.close()
        server.process.send_signal(signal.SIGINT)
        await asyncio.to_thread(wait_until, lambda: not server.runs)
        await seat.socket.wait_closed()


async def test_lines_for_programs_name_session_and_command_and_keep_secrets(redis: Redis) -> None:
    with running("serve", **serving(redis, LOG_FORMAT="json", LOG_LEVEL="debug")) as server:
        visitor = await Visitor.arrive(server.address())
        session = await visitor.start()
        seat = await visitor.open(session)
        command = seat.command("seed", seed=b"the seed of a player, 32 bytes..")
        await seat.acknowledged(command)
        await seat.close()
        server.stop()
        lines = [json.loads(line) for line in server.said]
    about = [line for line in lines if line.get("command") == command["id"].hex()]
    assert about
    assert all(line["session"] == session.hex() for line in about)
    assert all({"time", "level", "logger", "message"} <= line.keys() for line in lines)
    written = "\n".join(server.said)
    for secret in (SECRET_KEY, visitor.cookie.partition("=")[2], command["seed"].hex(), command["seed"].decode()):
        assert secret not in written
