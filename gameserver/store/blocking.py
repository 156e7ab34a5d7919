"""A connection for commands that wait inside the store for something to come."""

import asyncio
import math
from typing import Final

from redis.exceptions import MovedError, ReadOnlyError, ResponseError

from gameserver.store.batching import Reply
from gameserver.store.errors import StoreError, StoreUnavailable
from gameserver.store.nodes import LOST, UNKNOWN, Argument, Connection, Nodes, error_code, packed, send

GRACE: Final = 2.0
"""Seconds that an answer may take after the waiting is over."""


class BlockingConnection:
    """Runs one waiting command at a time, on a connection of its own.

    Nothing is repeated here: whoever waits does so in a loop. After an error, or when the caller is cancelled, the
    connection is closed, so that no late reply can meet another command.
    """

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._connection: Connection | None = None
        self._node = UNKNOWN
        self._busy = asyncio.Lock()

    async def call(self, key: str, *args: Argument, wait: float) -> Reply:
        """Run a command on the node that serves `key`, which answers within `wait` seconds.

        Raises:
            StoreUnavailable: no answer; whether it was carried out is not known.
            StoreError: the store refused it.
        """
        if self._busy.locked():
            raise RuntimeError("this connection waits already")
        async with self._busy:
            try:
                return await self._exchange(key, args, wait + GRACE)
            except MovedError as error:
                await self.close()
                await self._nodes.moved(error)
                raise StoreUnavailable("the key has moved to another node") from error
            except ReadOnlyError as error:
                await self.close()
                raise StoreUnavailable("the node is no longer a primary") from error
            except ResponseError as error:
                await self.close()
                raise StoreError(f"the store refused a command: {error}", code=error_code(error)) from error
            except LOST as error:
                await self.close()
                raise StoreUnavailable(f"the store cannot be reached: {str(error) or 'no answer in time'}") from error
            except BaseException:
                await self.close()
                raise

    async def close(self) -> None:
        """Close the connection; the next call opens another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.disconnect(nowait=True)

    async def _exchange(self, key: str, args: tuple[Argument, ...], within: float) -> Reply:
        node = self._nodes.node_of(key)
        if node == UNKNOWN:
            await self._nodes.refresh()
            node = self._nodes.node_of(key)
        if self._connection is None or node != self._node:
            await self.close()
            self._connection, self._node = await self._nodes.connect(node), node
        connection = self._connection
        async with asyncio.timeout(within):
            await send(connection, packed(*args))
            return await connection.read_response(timeout=math.inf)
