"""A log line is one JSON object, says which session and command it is about, and keeps what is secret to itself."""

import asyncio
import json
import logging
from collections.abc import Iterator

import pytest

from gameserver.observability.logs import JsonFormatter, TextFormatter, about

SESSION, COMMAND = bytes(range(16)), bytes(range(16, 32))


@pytest.fixture(autouse=True)
def nothing_before() -> Iterator[None]:
    about(None)
    yield
    about(None)


def record(text: str, *, error: BaseException | None = None) -> logging.LogRecord:
    kind = (type(error), error, error.__traceback__) if error is not None else None
    return logging.LogRecord("gameserver.web", logging.WARNING, __file__, 1, text, (), kind)


def test_a_line_names_time_level_logger_and_message() -> None:
    line = json.loads(JsonFormatter().format(record("双陆\nsays")))
    assert line.pop("time").endswith("+00:00")
    assert line == {"level": "warning", "logger": "gameserver.web", "message": "双陆\nsays"}


def test_a_line_is_one_line_also_with_a_traceback() -> None:
    try:
        raise ValueError("of no use")
    except ValueError as error:
        text = JsonFormatter().format(record("failed", error=error))
    assert "\n" not in text
    assert "ValueError: of no use" in json.loads(text)["error"]


def test_what_is_carried_out_now_is_named_in_both_formats() -> None:
    about(SESSION, COMMAND)
    line = json.loads(JsonFormatter().format(record("refused")))
    assert (line["session"], line["command"]) == (SESSION.hex(), COMMAND.hex())
    assert f"session={SESSION.hex()}, command={COMMAND.hex()}" in TextFormatter().format(record("refused"))


async def test_tasks_side_by_side_do_not_mix_their_sessions() -> None:
    lines: dict[bytes, str] = {}

    async def work(session: bytes) -> None:
        about(session)
        await asyncio.sleep(0)
        lines[session] = json.loads(JsonFormatter().format(record("worked")))["session"]

    sessions = [bytes([number]) * 16 for number in range(5)]
    await asyncio.gather(*map(work, sessions))
    assert lines == {session: session.hex() for session in sessions}
