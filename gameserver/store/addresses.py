"""Store addresses: what `REDIS_URL` may say.

    redis://[user:password@]host[:port][/db]            rediss:// for TLS
    unix:///path/to/socket[?db=N]
    redis+sentinel://[user:password@]h1[:p],h2[:p]/service[/db][?sentinel_password=...]
    redis+cluster://[user:password@]h1[:p],h2[:p]

`rediss+sentinel` and `rediss+cluster` speak TLS. `ssl_ca_certs`, `ssl_certfile`, `ssl_keyfile` and
`ssl_check_hostname` may follow as query parameters wherever TLS is spoken.
"""

from typing import Any, Final
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from redis.asyncio import Redis, RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import NoBackoff

from gameserver.store.errors import BadAddress

Client = Redis | RedisCluster

FORMS: Final = (
    "redis://host:port/db, rediss://host:port/db, unix:///path, "
    "redis+sentinel://host:port,host:port/service/db or redis+cluster://host:port,host:port"
)
CONNECT_TIMEOUT: Final = 2.0
SENTINEL_TIMEOUT: Final = 0.7
"""They are asked one after the other, and two that are silent must leave time for a third (`nodes.WITHIN`)."""
_TLS_PARAMETERS: Final = frozenset({"ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_check_hostname"})


def connect(url: str) -> Client:
    """A client of the store at this address. It connects when it is first used.

    Raises:
        BadAddress: the address has none of the forms above; the message says what is wrong, without any password.
    """
    try:
        parts = urlsplit(url)
        _ = parts.port if "," not in parts.netloc else None
    except ValueError as error:
        raise BadAddress(f"not a store address: {_without_values(error)}; give {FORMS}") from None
    scheme, _, kind = parts.scheme.partition("+")
    if scheme not in {"redis", "rediss", "unix"} or kind not in {"", "sentinel", "cluster"} or parts.scheme == "unix+":
        raise BadAddress(f"a store address begins with redis:// or its like, not with {parts.scheme!r}; give {FORMS}")
    if scheme == "unix":
        if kind:
            raise BadAddress("a Sentinel or Cluster is not reached by a unix socket")
        return _by_socket(parts)
    if kind == "sentinel":
        return _by_sentinel(parts)
    if kind == "cluster":
        return _by_cluster(parts)
    return _by_host(parts)


def describe(url: str) -> str:
    """The address for a log or a message: the password left out, and every query parameter."""
    parts = urlsplit(url)
    user, at, hosts = parts.netloc.rpartition("@")
    shown = user.partition(":")[0] + (":***" if ":" in user else "")
    return f"{parts.scheme}://{shown}{at}{hosts}{parts.path}"


def _by_socket(parts: SplitResult) -> Redis:
    parameters = _parameters(parts, {"db"})
    path = unquote(parts.path)
    if parts.netloc.rpartition("@")[2] or path in {"", "/"}:
        raise BadAddress("unix:// needs the absolute path of a socket: unix:///path/to/socket")
    return Redis(unix_socket_path=path, db=_db(parameters.get("db", "")), **_credentials(parts), **_common())


def _by_host(parts: SplitResult) -> Redis:
    parameters = _parameters(parts, {"db"})
    hosts = _hosts(parts, 6379)
    if len(hosts) > 1:
        raise BadAddress("several hosts need redis+sentinel:// or redis+cluster://")
    ((host, port),) = hosts
    return Redis(
        host=host,
        port=port,
        db=_db(parts.path.strip("/") or parameters.pop("db", "")),
        **_credentials(parts),
        **_tls(parts, parameters),
        **_common(),
    )


def _by_sentinel(parts: SplitResult) -> Redis:
    parameters = _parameters(parts, {"sentinel_username", "sentinel_password"})
    service, _, db = parts.path.strip("/").partition("/")
    if not service:
        raise BadAddress("redis+sentinel:// needs the service's name: redis+sentinel://host:port/service/db")
    of_sentinels: dict[str, Any] = {
        name: parameters.pop(f"sentinel_{name}")
        for name in ("username", "password")
        if f"sentinel_{name}" in parameters
    }
    tls = _tls(parts, parameters)
    sentinel: Any = Sentinel(  # type: ignore[no-untyped-call]
        _hosts(parts, 26379), sentinel_kwargs={**of_sentinels, **tls, **_common(SENTINEL_TIMEOUT)}
    )
    client: Redis = sentinel.master_for(unquote(service), db=_db(db), **_credentials(parts), **tls, **_common())
    return client


def _by_cluster(parts: SplitResult) -> RedisCluster:
    parameters = _parameters(parts, set())
    if parts.path.strip("/") not in {"", "0"}:
        raise BadAddress("a Cluster has no numbered databases: redis+cluster://host:port,host:port")
    nodes = [ClusterNode(host, port) for host, port in _hosts(parts, 6379)]
    return RedisCluster(startup_nodes=nodes, **_credentials(parts), **_tls(parts, parameters), **_common())


def _common(timeout: float = CONNECT_TIMEOUT) -> dict[str, Any]:
    # Retries are ours to make (see batching.py): the library's would repeat a command whose fate is unknown,
    # and hide from a follower that its connection was lost.
    return {
        "protocol": 2,
        "socket_connect_timeout": timeout,
        "socket_timeout": timeout,
        "retry": Retry(NoBackoff(), 0),
    }


def _credentials(parts: SplitResult) -> dict[str, Any]:
    user, at, _ = parts.netloc.rpartition("@")
    if not at:
        return {}
    name, colon, password = user.partition(":")
    given = {"username": unquote(name)} if name else {}
    return {**given, "password": unquote(password)} if colon else given


def _tls(parts: SplitResult, parameters: dict[str, str]) -> dict[str, Any]:
    given: dict[str, Any] = {name: value for name, value in parameters.items() if name in _TLS_PARAMETERS}
    if not parts.scheme.startswith("rediss"):
        if given:
            raise BadAddress(f"{', '.join(sorted(given))}: only where TLS is spoken (rediss://...)")
        return {}
    check = given.get("ssl_check_hostname", "true")
    if check not in {"true", "false"}:
        raise BadAddress("ssl_check_hostname is true or false")
    return {**given, "ssl_check_hostname": check == "true", "ssl": True}


def _hosts(parts: SplitResult, default_port: int) -> list[tuple[str, int]]:
    hosts = []
    for number, each in enumerate(parts.netloc.rpartition("@")[2].split(","), 1):
        try:
            one = urlsplit(f"//{each}")
            host, port = one.hostname, one.port
        except ValueError:
            host, port = None, None
        if not host:
            # Not quoted: a password with an unescaped "/" would be taken for a host.
            raise BadAddress(f"host {number} of the store address is not a host and port")
        hosts.append((host, default_port if port is None else port))
    return hosts


def _db(text: str) -> int:
    if text and not (text.isascii() and text.isdigit()):
        raise BadAddress("the database at the end of a store address is a number")
    return int(text or 0)


def _parameters(parts: SplitResult, allowed: set[str]) -> dict[str, str]:
    parameters = dict(parse_qsl(parts.query, keep_blank_values=True))
    unknown = sorted(parameters.keys() - allowed - _TLS_PARAMETERS)
    if unknown:
        raise BadAddress(f"unknown parameters of a store address: {', '.join(unknown)}")
    return parameters


def _without_values(error: ValueError) -> str:
    # urllib's messages may quote the text; its kind is enough.
    return "the port is not a number" if "ort" in str(error) else "the host is not readable"
