"""The worker's own endpoint for scrapers and probes."""

import asyncio
import contextlib
import socket
import urllib.error
import urllib.request

import pytest
from prometheus_client.parser import text_string_to_metric_families

from gameserver.observability import worker


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


async def get(port: int, path: str) -> tuple[int, str]:
    def ask() -> tuple[int, str]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    return await asyncio.to_thread(ask)


async def test_figures_and_health_are_shown_and_nothing_else() -> None:
    port = free_port()
    async with worker.shown("127.0.0.1", port):
        status, text = await get(port, "/metrics")
        assert status == 200
        shown = {sample.name for family in text_string_to_metric_families(text) for sample in family.samples}
        assert shown == worker.registry.names()
        assert (await get(port, "/healthz"))[0] == 200
        assert (await get(port, "/"))[0] == 404


async def test_who_does_not_speak_http_is_sent_away_and_harms_nobody() -> None:
    port = free_port()
    async with worker.shown("127.0.0.1", port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"\x00" * 100_000)
        with contextlib.suppress(ConnectionResetError):
            assert await reader.read() == b""
        writer.close()
        assert (await get(port, "/healthz"))[0] == 200


async def test_without_a_port_nothing_listens_and_a_taken_port_is_named() -> None:
    async with worker.shown("127.0.0.1", None):
        pass
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(worker.CannotListen, match="in use"):
        async with worker.shown("127.0.0.1", taken.getsockname()[1]):
            pass
