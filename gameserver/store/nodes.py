"""The nodes behind an address: which one serves a key, and raw connections to it.

Connections come from redis-py, which knows how to log in, speak TLS, and ask Sentinels for the primary; who writes to
one and reads from it is decided here, so that no reply is ever left behind for somebody else.
"""

import asyncio
import random
from collections.abc import Coroutine, Iterable
from typing import Any, Final, Protocol, cast

from hiredis import pack_command
from redis.asyncio import Redis, RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.crc import key_slot
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import MovedError, RedisClusterException, RedisError, ResponseError

from gameserver.store.addresses import Client

Argument = bytes | str | int | float

LOST: Final = (RedisError, RedisClusterException, OSError)
"""What redis-py raises when a node cannot be reached, does not let us in, does not answer (`TimeoutError` is an
`OSError`) or does not speak Redis. Where a node's refusal of one command matters, `ResponseError` is caught before."""

WITHIN: Final = 3.0
"""Seconds that connecting to a node, or asking for the map of slots, may take."""

UNKNOWN: Final = ""
"""Name of the node of a key whose node is not known: `refresh` first."""


def packed(*args: Argument) -> bytes:
    """A command as it goes over the wire (RESP), without redis-py's own packing, which splits what it packs in chunks.

    Source: https://redis.io/docs/latest/develop/reference/protocol-spec/
    """
    return cast("bytes", pack_command(cast("Any", args)))


def error_code(error: ResponseError) -> str:
    """The code of what a node refused: the first word of its answer (redis-py takes some away, `ERR` among them)."""
    first = str(error).partition(" ")[0]
    return first if first.isupper() else "ERR"


class Connection(Protocol):
    """What is used of redis-py's connections."""

    async def send_packed_command(self, command: Iterable[bytes], check_health: bool) -> None:
        """Write; raises one of `LOST`."""
        ...

    async def read_response(self, *, timeout: float, disconnect_on_error: bool = True) -> Any:  # noqa: ASYNC109
        """The next reply, or None after `timeout` seconds (`math.inf`: never).

        Raises:
            ResponseError: the reply is an error.
            one of `LOST`.
        """
        ...

    async def disconnect(self, nowait: bool) -> None:
        """Close."""
        ...


async def send(connection: Connection, commands: bytes) -> None:
    """Write packed commands.

    Raises:
        one of `LOST`.
    """
    try:
        await connection.send_packed_command([commands], check_health=False)
    except RuntimeError as error:
        # So says uvloop where the connection was closed a moment ago.
        raise ConnectionResetError(str(error)) from error


class Nodes(Protocol):
    """What is behind an address."""

    several: bool
    """Whether keys are spread over slots, so that one command cannot touch two shards."""

    def node_of(self, key: str) -> str:
        """Name of the node that serves a key, or `UNKNOWN`."""
        ...

    async def connect(self, node: str) -> Connection:
        """A connection to a node, ready for commands, which belongs to the caller.

        Raises:
            one of `LOST`.
        """
        ...

    async def moved(self, error: MovedError) -> None:
        """Learn from a node's answer that a slot is served elsewhere."""
        ...

    async def refresh(self) -> None:
        """Find out afresh which node serves what, after a connection was lost.

        Raises:
            one of `LOST`.
        """
        ...

    async def close(self) -> None:
        """Close what is open besides the callers' connections."""
        ...


class OneNode:
    """A single Redis, or the primary that Sentinels name (asked afresh for every new connection)."""

    several = False

    def __init__(self, client: Redis) -> None:
        self._client = client
        self._sentinels = getattr(client.connection_pool, "sentinel_manager", None)

    def node_of(self, key: str) -> str:
        """Always the same one."""
        return "primary"

    async def connect(self, node: str) -> Connection:
        """A connection to it."""
        try:
            return await _connected(cast("Any", self._client.connection_pool).make_connection())
        except LOST:
            if self._sentinels is not None:
                # They are asked in this order, and only one that answers is put first: where so many are silent that
                # time is up before that, it must not be the same ones again.
                random.shuffle(self._sentinels.sentinels)
            raise

    async def moved(self, error: MovedError) -> None:
        """Not a Cluster's client."""
        raise NoConnection("the store is a Cluster: its address begins with redis+cluster://") from error

    async def refresh(self) -> None:
        """Nothing to find out."""

    async def close(self) -> None:
        """Close the client, and the Sentinels' clients."""
        await self._client.aclose(close_connection_pool=True)
        if self._sentinels is not None:
            await self._sentinels.aclose()


class ClusterNodes:
    """The primaries of a Cluster."""

    several = True

    def __init__(self, client: RedisCluster) -> None:
        self._client = client
        self._refreshing = asyncio.Lock()

    def node_of(self, key: str) -> str:
        """The primary of the key's slot."""
        nodes = self._client.nodes_manager.slots_cache.get(key_slot(key.encode()))
        return nodes[0].name if nodes else UNKNOWN

    async def connect(self, node: str) -> Connection:
        """A connection to one of the primaries."""
        known: ClusterNode | None = self._client.nodes_manager.nodes_cache.get(node)
        if known is None:
            raise NoConnection(f"the Cluster has no node {node}")
        return await _connected(known.connection_class(**known.connection_kwargs))

    async def moved(self, error: MovedError) -> None:
        """Note where one slot is served now."""
        await self._client.nodes_manager.move_slot(error)

    async def refresh(self) -> None:
        """Ask the nodes for the present map of slots."""
        async with self._refreshing:
            await _apart(self._client.nodes_manager.initialize())

    async def close(self) -> None:
        """Close the client."""
        await self._client.nodes_manager.aclose()
        await self._client.nodes_manager.aclose("startup_nodes")


async def _connected(connection: Any) -> Connection:
    given_up = False

    async def connect() -> None:
        await connection.connect()
        if given_up:
            await connection.disconnect(nowait=True)

    try:
        await _apart(connect())
    except BaseException:
        given_up = True
        raise
    # From here on its owner watches the clock; a limit of redis-py's own would also mean its `wait_for`, see below.
    connection.socket_timeout = None
    return cast("Connection", connection)


async def _apart(work: Coroutine[Any, Any, None]) -> None:
    """Await something of redis-py's in a task of its own, for a limited time.

    It uses `asyncio.wait_for`, which before Python 3.12 may swallow a cancellation; here it swallows none of ours.

    Raises:
        TimeoutError: not done in time.
        whatever the work raises.
    """
    task = asyncio.create_task(work)
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    try:
        await asyncio.wait([task], timeout=WITHIN)
        if not task.done():
            raise TimeoutError(f"no answer within {WITHIN:.0f} s")
    finally:
        task.cancel()
    try:
        await task
    except RuntimeError as error:  # see `send`
        raise ConnectionResetError(str(error)) from error


def nodes_of(client: Client) -> Nodes:
    """The nodes behind a client that `connect` made."""
    return ClusterNodes(client) if isinstance(client, RedisCluster) else OneNode(client)
