"""The figures of a computer's worker, and the small endpoint on which they are shown."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Final

from gameserver.observability.metrics import CONTENT_TYPE, Registry
from gameserver.observability.process import watch_process

registry: Final = Registry()

LEVELS: Final = ("beginner", "normal", "expert")

thinking = registry.histograms(
    "shuanglu_thinking_seconds", "From a turn's start in a thinking thread to its play, by level.", "level", LEVELS
)
waits = registry.histogram("shuanglu_turn_wait_seconds", "From the time a turn was due until a worker began it.")
advising = registry.histogram("shuanglu_hint_seconds", "Working out one hint.")
taken_over = registry.counter("shuanglu_turns_taken_over_total", "Turns that another worker took and did not finish.")
failed = registry.counter("shuanglu_work_failed_total", "Turns and hints that failed by a defect.")
working = registry.gauge("shuanglu_work_in_progress", "Turns and hints that were begun and are not done.")
store_errors = registry.counter("shuanglu_store_errors_total", "Times that the store could not be used.")

_update_process: Final = watch_process(registry)

REQUEST_SECONDS: Final = 5.0


class CannotListen(Exception):
    """The endpoint's address can't be had; the message says why."""


@contextlib.asynccontextmanager
async def shown(host: str, port: int | None) -> AsyncIterator[None]:
    """Answer ``GET /metrics``, and ``GET /healthz``, on this port while the context lasts; without one, do nothing.

    Served by the worker's own event loop: where that hangs, there is no answer, which is what a probe wants to know.
    Raises CannotListen.
    """
    if port is None:
        yield
        return
    try:
        endpoint = await asyncio.start_server(_answer, host, port)
    except OSError as error:
        raise CannotListen(str(error)) from error
    async with endpoint:
        yield


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    # One request a connection is all that a scraper or a probe needs.
    try:
        async with asyncio.timeout(REQUEST_SECONDS):
            head = await reader.readuntil(b"\r\n\r\n")
            writer.write(_response(head.split(b"\r\n", 1)[0]))
            await writer.drain()
    except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        pass  # whoever asked has gone, or did not speak HTTP
    finally:
        writer.close()


def _response(request: bytes) -> bytes:
    method, _, rest = request.partition(b" ")
    path = rest.partition(b" ")[0].partition(b"?")[0]
    if method != b"GET" or path not in {b"/metrics", b"/healthz"}:
        return _http("404 Not Found", "text/plain", b"GET /metrics or /healthz\n")
    if path == b"/healthz":
        return _http("200 OK", "application/json", b'{"alive":true}')
    _update_process()
    return _http("200 OK", CONTENT_TYPE, registry.text())


def _http(status: str, media_type: str, body: bytes) -> bytes:
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body
