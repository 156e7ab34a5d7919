"""The devices that are connected to this server: let in, bounded, and cut off when they are signed out.

Whether a device may still act for its player is asked once for a connection. After that the store's word that a
player's devices have changed, heard by every server, has it asked again; nothing is asked while a game is played.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterable
from typing import Final, Protocol, TypeVar

from gameserver.session.ids import PlayerId
from gameserver.store import Overloaded, Store, StoreError, StoreUnavailable
from gameserver.store.devices import Device, Standing
from gameserver.web.identity import Visitor
from gameserver.web.limits import Starts, TokenBucket

log = logging.getLogger(__name__)

PLAYER_CONNECTIONS: Final = 32
PLAYER_FRAMES_A_SECOND: Final = 60
AT_ONCE: Final = 200
"""So many connections are asked about at a time when word may have been missed."""
AGAIN_SECONDS: Final = 1.0

Name = TypeVar("Name", PlayerId, str)


class Connected(Protocol):
    """A connection of a device."""

    visitor: Visitor

    def stands(self, standing: Standing) -> None:
        """Take what the store says of the device; where it is no longer valid, end."""
        ...


class TooManyConnections(Exception):
    """The player, or the address, has reached its bound; the message says which."""


class _Group:
    """The connections of one player, or of one address, and how many frames they may send together."""

    def __init__(self, frames_a_second: float) -> None:
        self.connections: set[Connected] = set()
        self.bucket = TokenBucket(frames_a_second, frames_a_second, time.monotonic())


class Online:
    """Which devices are connected here.

    Args:
        store: knows the devices.
        now: ms since 1970.
        address_connections: how many connections one address may have here; 0 for no bound.
    """

    def __init__(self, store: Store, now: Callable[[], int], address_connections: int) -> None:
        self.starts = Starts(store.quotas, address_connections)
        self._devices = store.devices
        self._now = now
        self._of_address = address_connections
        self._players: dict[PlayerId, _Group] = {}
        self._addresses: dict[str, _Group] = {}
        self._asking: set[asyncio.Task[None]] = set()
        self._devices.listen(self._changed, self._resync)

    def arrive(self, connection: Connected, address: str | None) -> list[TokenBucket]:
        """Count a connection; the buckets of frames that it shares with others. Raises TooManyConnections."""
        player = connection.visitor.player
        groups = [self._players.setdefault(player, _Group(PLAYER_FRAMES_A_SECOND))]
        if len(groups[0].connections) >= PLAYER_CONNECTIONS:
            raise TooManyConnections(f"more than {PLAYER_CONNECTIONS} connections of one player")
        if address is not None and self._of_address:
            of_address = self._addresses.setdefault(address, _Group(self._of_address))
            if len(of_address.connections) >= self._of_address:
                if not groups[0].connections:
                    del self._players[player]
                raise TooManyConnections(f"more than {self._of_address} connections of one address")
            groups.append(of_address)
        for group in groups:
            group.connections.add(connection)
        return [group.bucket for group in groups]

    def leave(self, connection: Connected, address: str | None) -> None:
        """Count a connection no more."""
        _leave(self._players, connection.visitor.player, connection)
        if address is not None:
            _leave(self._addresses, address, connection)

    async def admit(self, connection: Connected, name: str) -> None:
        """Tell a connection how its device stands, and note that the device has come.

        Raises StoreUnavailable, Overloaded.
        """
        standing = await self._devices.standing(*connection.visitor)
        connection.stands(standing)
        if standing.valid and standing.linked:
            self._ask(self._note(connection.visitor, Device(name, self._now())))

    async def close(self) -> None:
        """Ask nothing any more."""
        for task in self._asking:
            task.cancel()
        await asyncio.gather(*self._asking, return_exceptions=True)

    # --- Heard from the store

    def _changed(self, message: bytes) -> None:
        group = self._players.get(PlayerId(message))
        if group is not None:
            self._ask(self._ask_again(group.connections))

    def _resync(self) -> None:
        """Word may have been missed: ask about everybody."""
        self._ask(self._ask_again(connection for group in self._players.values() for connection in group.connections))

    async def _ask_again(self, connections: Iterable[Connected]) -> None:
        left = list(connections)
        while left:
            some = left[-AT_ONCE:]
            try:
                standings = await asyncio.gather(*(self._devices.standing(*each.visitor) for each in some))
            except StoreError as error:
                log.warning("whether devices were signed out can't be asked; trying again: %s", error)
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            del left[-AT_ONCE:]
            for connection, standing in zip(some, standings, strict=True):
                connection.stands(standing)

    async def _note(self, visitor: Visitor, told: Device) -> None:
        try:
            await self._devices.seen(*visitor, told)
        except (StoreUnavailable, Overloaded) as error:
            log.warning("that a device has come could not be noted: %s", error)

    def _ask(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)


def _leave(groups: dict[Name, _Group], name: Name, connection: Connected) -> None:
    group = groups.get(name)
    if group is not None:
        group.connections.discard(connection)
        if not group.connections:
            del groups[name]
