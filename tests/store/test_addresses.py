"""Store addresses: every form, clear errors, no passwords in them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.asyncio import Redis, RedisCluster
from redis.asyncio.connection import SSLConnection
from redis.asyncio.sentinel import SentinelConnectionPool, SentinelManagedSSLConnection

from gameserver.store import BadAddress
from gameserver.store.addresses import connect, describe


def options(url: str) -> dict[str, object]:
    client = connect(url)
    assert isinstance(client, Redis)
    return dict(client.connection_pool.connection_kwargs)


def some(url: str, *names: str) -> tuple[object, ...]:
    found = options(url)
    return tuple(found.get(name) for name in names)


def sentinels_of(pool: object) -> list[Redis]:
    assert isinstance(pool, SentinelConnectionPool)
    sentinels: list[Redis] = pool.sentinel_manager.sentinels
    return sentinels


def test_a_plain_redis() -> None:
    assert some("redis://example", "host", "port", "db", "password") == ("example", 6379, 0, None)
    assert some("redis://example:6380/3", "host", "port", "db") == ("example", 6380, 3)
    assert some("redis://[::1]:6380", "host", "port") == ("::1", 6380)
    assert some("redis://us%40er:p%2Fw@example", "username", "password") == ("us@er", "p/w")
    assert some("redis://:pw@example", "username", "password") == (None, "pw")


def test_tls() -> None:
    client = connect("rediss://example?ssl_ca_certs=/ca.pem&ssl_check_hostname=false")
    assert isinstance(client, Redis)
    assert client.connection_pool.connection_class is SSLConnection
    assert some("rediss://example?ssl_ca_certs=/ca.pem", "ssl_ca_certs", "ssl_check_hostname") == ("/ca.pem", True)
    assert some("rediss://example?ssl_check_hostname=false", "ssl_check_hostname") == (False,)


def test_a_unix_socket() -> None:
    assert some("unix:///run/redis.sock", "path", "db") == ("/run/redis.sock", 0)
    assert some("unix:///with%20space/s?db=2", "path", "db") == ("/with space/s", 2)
    assert some("unix://:pw@/s", "path", "password") == ("/s", "pw")


def test_sentinels() -> None:
    client = connect("redis+sentinel://:data@h1:26380,h2/game/4?sentinel_password=watch")
    assert isinstance(client, Redis)
    pool = client.connection_pool
    assert isinstance(pool, SentinelConnectionPool)
    assert pool.service_name == "game"
    assert pool.connection_kwargs["db"] == 4
    assert pool.connection_kwargs["password"] == "data"
    asked = [each.connection_pool.connection_kwargs for each in sentinels_of(pool)]
    assert [(each["host"], each["port"], each["password"]) for each in asked] == [
        ("h1", 26380, "watch"),
        ("h2", 26379, "watch"),
    ]


def test_sentinels_by_tls() -> None:
    client = connect("rediss+sentinel://h1/game?ssl_ca_certs=/ca.pem")
    assert isinstance(client, Redis)
    pool = client.connection_pool
    assert pool.connection_class is SentinelManagedSSLConnection
    (asked,) = sentinels_of(pool)
    assert asked.connection_pool.connection_class is SSLConnection


def test_a_cluster() -> None:
    client = connect("redis+cluster://user:pw@127.0.0.1:7000,127.0.0.2")
    assert isinstance(client, RedisCluster)
    assert [(node.host, node.port) for node in client.startup_nodes] == [("127.0.0.1", 7000), ("127.0.0.2", 6379)]
    assert client.connection_kwargs["password"] == "pw"


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("", "begins with redis:// or its like, not with ''"),
        ("localhost:6379", "not with 'localhost'"),
        ("http://localhost", "not with 'http'"),
        ("redis+ring://localhost", r"not with 'redis\+ring'"),
        ("redis://", "not a host and port"),
        ("redis://host:port", "port"),
        ("redis://host:99999", "port"),
        ("redis://h1,h2", "several hosts"),
        ("redis://host/db", "database at the end"),
        ("redis://host?nonsense=1", "unknown parameters of a store address: nonsense"),
        ("redis://host?ssl_ca_certs=/ca.pem", "only where TLS"),
        ("rediss://host?ssl_check_hostname=perhaps", "true or false"),
        ("unix://relative/path", "absolute path"),
        ("unix://", "absolute path"),
        ("unix+cluster:///s", "not reached by a unix socket"),
        ("redis+sentinel://h1,h2", "service's name"),
        ("redis+sentinel://h1,,h2/game", "not a host and port"),
        ("redis+cluster://h1/3", "no numbered databases"),
    ],
)
def test_what_is_wrong_is_said(url: str, says: str) -> None:
    with pytest.raises(BadAddress, match=says):
        connect(url)


SECRET = "Pa55w0rd"
MISPLACED = ["redis://:{}", "redis://:1/{}@h", "redis://h/{}", "redis+sentinel://u:{},h/x", "unix://{}"]
SCHEMES = ["redis", "rediss", "unix", "redis+sentinel", "redis+cluster", "http", ""]


@given(
    st.sampled_from(SCHEMES),
    st.text(max_size=20),
    st.sampled_from(["", "?sentinel_password=Pa55w0rd", "?password=Pa55w0rd", "#Pa55w0rd"]),
)
def test_whatever_is_given_no_password_is_shown(scheme: str, rest: str, query: str) -> None:
    try:
        connect(f"{scheme}://user:{SECRET}@{rest}{query}")
    except BadAddress as error:
        assert SECRET not in str(error)  # noqa: PT017


@pytest.mark.parametrize("url", MISPLACED)
def test_a_password_in_the_wrong_place_is_not_shown(url: str) -> None:
    with pytest.raises(BadAddress) as caught:
        connect(url.format(SECRET))
    assert SECRET not in str(caught.value)


@given(st.text(max_size=40))
def test_whatever_is_given_it_is_an_address_or_not(text: str) -> None:
    try:
        connect(text)
    except BadAddress as error:
        assert str(error)  # noqa: PT017


def test_an_address_is_described_without_its_secrets() -> None:
    assert describe("redis://user:pw@host:1/2?ssl_ca_certs=x") == "redis://user:***@host:1/2"
    assert describe("redis+sentinel://:pw@h1,h2/game?sentinel_password=pw") == "redis+sentinel://:***@h1,h2/game"
    assert describe("unix:///s") == "unix:///s"
