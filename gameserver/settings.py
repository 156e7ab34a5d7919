"""The environment variables that the server reads: one table, from which reading, checking and documentation come."""

from __future__ import annotations

import ipaddress
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

LOG_LEVELS = ("debug", "info", "warning", "error")
LOG_FORMATS = ("text", "json")
SHORTEST_SECRET = 32
LONGEST_DRAIN = 300
DURABILITIES = ("primary", "replicated")
LONGEST_LIFE = 100 * 365 * 24 * 3600
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 24 * 3600}


class BadSetting(ValueError):
    """A variable has a value that can't be used. The message names the variable, and never shows a secret."""


@dataclass(frozen=True)
class Settings:
    """What the environment says. ``redis_url`` None: the embedded store in ``data_dir``."""

    port: int
    host: str
    data_dir: Path
    redis_url: str | None = field(repr=False)
    secret_keys: tuple[str, ...] = field(repr=False)
    allowed_origins: tuple[str, ...]
    trusted_proxies: tuple[str, ...]
    log_level: str
    log_format: str
    metrics_port: int | None
    drain_seconds: float
    address_connections: int
    durability: str
    finished_ttl: int
    abandoned_ttl: int
    archive: bool


@dataclass(frozen=True)
class Variable:
    """One variable: how it is read, and what a host is told about it."""

    name: str
    default: str
    meaning: str
    read: Callable[[str], Any]
    secret: bool = False


def default_data_dir() -> Path:
    """Where this user's data live by the platform's custom."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "shuanglu"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "shuanglu"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "shuanglu"


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 <= int(text) <= 65535:
        raise ValueError("must be a port, 0 to 65535 (0: any free one)")
    return int(text)


def _host(text: str) -> str:
    if not text or any(character.isspace() or character == "/" for character in text):
        raise ValueError("must be an address or host name")
    return text


def _data_dir(text: str) -> Path:
    return Path(text).expanduser() if text else default_data_dir()


def _redis_url(text: str) -> str | None:
    if not text:
        return None
    # Imported here, since it loads the store's client, which the small tools do without.
    from gameserver.store.addresses import connect  # noqa: PLC0415

    connect(text)
    return text


def _secret_keys(text: str) -> tuple[str, ...]:
    keys = tuple(key.strip() for key in text.split(",") if key.strip())
    if any(len(key) < SHORTEST_SECRET for key in keys):
        raise ValueError(f"each key must have at least {SHORTEST_SECRET} characters")
    return keys


def _origins(text: str) -> tuple[str, ...]:
    origins = tuple(origin.strip().lower() for origin in text.split(",") if origin.strip())
    for origin in origins:
        parts = urlsplit(origin)
        if parts.scheme not in {"http", "https"} or not parts.netloc or parts.path or parts.query or parts.fragment:
            raise ValueError(f"{origin!r} is not an origin such as https://play.example.org")
    return origins


def _proxies(text: str) -> tuple[str, ...]:
    proxies = tuple(proxy.strip() for proxy in text.split(",") if proxy.strip())
    for proxy in proxies:
        try:
            ipaddress.ip_network(proxy)
        except ValueError:
            raise ValueError(f"{proxy!r} is not an address or network such as 10.0.0.0/8") from None
    return proxies


def _log_level(text: str) -> str:
    if text.lower() not in LOG_LEVELS:
        raise ValueError(f"must be one of {', '.join(LOG_LEVELS)}")
    return text.lower()


def _log_format(text: str) -> str:
    if text.lower() not in LOG_FORMATS:
        raise ValueError(f"must be one of {', '.join(LOG_FORMATS)}")
    return text.lower()


def _metrics_port(text: str) -> int | None:
    return _port(text) if text else None


def _connections(text: str) -> int:
    if not text.isdecimal():
        raise ValueError("must be a whole number; 0 for no bound")
    return int(text)


def _seconds(text: str) -> float:
    if not text.isdecimal() or int(text) > LONGEST_DRAIN:
        raise ValueError(f"must be whole seconds, 0 to {LONGEST_DRAIN}")
    return float(text)


def _durability(text: str) -> str:
    if text.lower() not in DURABILITIES:
        raise ValueError(f"must be one of {', '.join(DURABILITIES)}")
    return text.lower()


def _duration(text: str) -> int:
    number, unit = text[:-1], text[-1:]
    if not number.isdecimal() or unit not in SECONDS or not 1 <= int(number) * SECONDS[unit] <= LONGEST_LIFE:
        raise ValueError("must be a whole number with s, m, h or d, such as 90d, and no more than 100 years")
    return int(number) * SECONDS[unit]


def _switch(text: str) -> bool:
    if text not in {"0", "1"}:
        raise ValueError("must be 0 or 1")
    return text == "1"


VARIABLES = (
    Variable("PORT", "8000", "the port to listen on; 0 takes any free one", _port),
    Variable("HOST", "127.0.0.1", "the address to listen on; 0.0.0.0 for every interface", _host),
    Variable(
        "DATA_DIR",
        "",
        "where the embedded store and the made secret key live; empty: this user's data directory",
        _data_dir,
    ),
    Variable(
        "REDIS_URL",
        "",
        "the store: redis://, rediss://, unix://, redis+sentinel://h1:p,h2:p/service/db or redis+cluster://h1:p,h2:p;"
        " empty: an embedded one (`gameserver play` only)",
        _redis_url,
        secret=True,
    ),
    Variable(
        "SECRET_KEY",
        "",
        f"signs the players' cookies; at least {SHORTEST_SECRET} characters, the same on every server; several,"
        " separated by commas: the first signs, all are accepted. A web server requires it with REDIS_URL; else it is"
        " made and kept in DATA_DIR",
        _secret_keys,
        secret=True,
    ),
    Variable("SECRET_KEY_FILE", "", "a file that holds what SECRET_KEY would say; read where that is empty", str),
    Variable(
        "ALLOWED_ORIGINS",
        "",
        "origins, separated by commas, from which pages may connect; empty: the host that the request itself names",
        _origins,
    ),
    Variable(
        "TRUSTED_PROXIES",
        "",
        "addresses or networks of proxies, separated by commas, whose X-Forwarded-For and -Proto are believed",
        _proxies,
    ),
    Variable("LOG_LEVEL", "info", f"one of {', '.join(LOG_LEVELS)}", _log_level),
    Variable("LOG_FORMAT", "text", "text for people, json for programs: one object a line", _log_format),
    Variable(
        "METRICS_PORT",
        "",
        "where `gameserver computer` shows its figures for Prometheus, at /metrics; empty: nowhere. A web server shows"
        " its own at /metrics of PORT; a proxy must not pass that on",
        _metrics_port,
    ),
    Variable(
        "ADDRESS_CONNECTIONS",
        "1000",
        "how many websockets one address (of IPv6: one /64) may have on a web server; as many commands a second, and"
        " six times as many sessions started in an hour; 0: no bound. This machine's own addresses have none. Behind a"
        " proxy set TRUSTED_PROXIES, or all players seem to share the proxy's address",
        _connections,
    ),
    Variable(
        "DRAIN_SECONDS",
        "0",
        "after SIGTERM a web server goes on serving for so long while /readyz already answers 503, so that whoever"
        " spreads the load sends nobody here any more",
        _seconds,
    ),
    Variable(
        "DURABILITY",
        "primary",
        "when a move counts as written: primary, once the store's primary has it; replicated, once a replica has it too"
        " (WAIT), so that the loss of a primary loses nothing. The same on every server and worker",
        _durability,
    ),
    Variable(
        "FINISHED_TTL",
        "90d",
        "how long a finished session is kept: a whole number with s, m, h or d. The same on every server and worker",
        _duration,
    ),
    Variable(
        "ABANDONED_TTL",
        "365d",
        "how long an unfinished session is kept after its last move. The same on every server and worker",
        _duration,
    ),
    Variable(
        "ARCHIVE",
        "0",
        "1: sessions whose time is over stay until `gameserver archive` has written them to files; 0: the store drops"
        " them. The same on every server and worker",
        _switch,
    ),
)


def read_settings(environment: Mapping[str, str], *, signs: bool = True) -> Settings:
    """Read and check every variable; ``signs``: for a process that needs the key, as servers do.

    Raises:
        BadSetting: the first variable that can't be used, with the reason.
    """
    values: dict[str, Any] = {}
    for variable in VARIABLES:
        text = environment.get(variable.name, "").strip() or variable.default
        try:
            values[variable.name] = variable.read(text)
        except ValueError as error:
            shown = "" if variable.secret else f" is {text!r}"
            raise BadSetting(f"{variable.name}{shown}: {error}") from None
    keys = values["SECRET_KEY"] or _keys_in(values["SECRET_KEY_FILE"])
    if signs and values["REDIS_URL"] and not keys:
        raise BadSetting("SECRET_KEY is required when REDIS_URL is given: servers that share a store must share it")
    return Settings(
        port=values["PORT"],
        host=values["HOST"],
        data_dir=values["DATA_DIR"],
        redis_url=values["REDIS_URL"],
        secret_keys=keys,
        allowed_origins=values["ALLOWED_ORIGINS"],
        trusted_proxies=values["TRUSTED_PROXIES"],
        log_level=values["LOG_LEVEL"],
        log_format=values["LOG_FORMAT"],
        metrics_port=values["METRICS_PORT"],
        drain_seconds=values["DRAIN_SECONDS"],
        address_connections=values["ADDRESS_CONNECTIONS"],
        durability=values["DURABILITY"],
        finished_ttl=values["FINISHED_TTL"],
        abandoned_ttl=values["ABANDONED_TTL"],
        archive=values["ARCHIVE"],
    )


def _keys_in(path: str) -> tuple[str, ...]:
    if not path:
        return ()
    try:
        return _secret_keys(Path(path).read_text(encoding="utf-8").strip())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadSetting(f"SECRET_KEY_FILE {path}: {reason}") from None


def describe(environment: Mapping[str, str]) -> str:
    """Every variable with its present value (secrets hidden), its default and its meaning, as plain text."""
    lines: list[str] = []
    for variable in VARIABLES:
        given = environment.get(variable.name, "").strip()
        default = variable.read("") if variable.name == "DATA_DIR" else variable.default or "empty"
        shown = "(set)" if given and variable.secret else given or f"{default} (default)"
        lines.append(f"{variable.name} = {shown}\n    {variable.meaning}")
    return "\n".join(lines)
