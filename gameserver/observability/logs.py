"""Log lines: plain text for people, or one JSON object a line for programs.

What is logged while a frame or a turn is carried out bears the session's and the command's id, whichever module logs
it. Ids are no secrets: a session belongs to its player's cookie. Cookies, keys, seeds and the dice's secrets are never
logged.
"""

import json
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final

FORMATS: Final = ("text", "json")

_Subject = tuple[bytes | None, bytes | None]
_subject: ContextVar[_Subject] = ContextVar("subject", default=(None, None))


def about(session: bytes | None, command: bytes | None = None) -> None:
    """What this task logs from here on is about this session and command."""
    _subject.set((session, command))


def subject() -> dict[str, str]:
    """The ids that belong to what is logged now, in hex."""
    session, command = _subject.get()
    named = {"session": session, "command": command}
    return {name: value.hex() for name, value in named.items() if value is not None}


def set_up(level: str, form: str) -> None:
    """Log to standard error from here on. ``level``: as in LOG_LEVEL; ``form``: one of FORMATS."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else TextFormatter())
    logging.basicConfig(level=level.upper(), handlers=[handler])


class TextFormatter(logging.Formatter):
    """``time level logger: message (session=..., command=...)``."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's own name
        """The line, without a traceback that may follow."""
        line = super().formatMessage(record)
        named = subject()
        return f"{line} ({', '.join(f'{name}={value}' for name, value in named.items())})" if named else line


class JsonFormatter(logging.Formatter):
    """``{"time", "level", "logger", "message", "session"?, "command"?, "error"?}``; time in RFC 3339, UTC."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **subject(),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)
