"""A player's devices: which there are, which were signed out, and whose games came along.

A player who has one device, as nearly all have, has no entry here: entries are made when a second one joins. A device
that was signed out keeps an entry that says so. Whoever holds a signed cookie is let in unless such an entry stands
against it, so what a failover loses can let a device back in, but can never cost a player the games.
"""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple, cast

import msgspec

from gameserver.store import keys, scripts
from gameserver.store.batching import Batcher
from gameserver.store.errors import StoreError
from gameserver.store.follow import Follower

MAX_DEVICES: Final = 20
MAX_EVER: Final = 500
"""Entries of one player, those of signed-out devices among them."""
MAX_OTHER_PLAYERS: Final = 64
KEEP_SECONDS: Final = 400 * 24 * 3600
"""How long entries outlive the last visit: as long as browsers keep the cookie."""
_SIGNED_OUT: Final = b""


class Device(msgspec.Struct, frozen=True, array_like=True):
    """What is told of a device. ``seen``: when it last came, ms since 1970."""

    name: str
    seen: int


class Standing(NamedTuple):
    """What the store says of a device that shows a player's cookie."""

    valid: bool
    linked: bool
    """The player has, or had, several devices."""
    others: frozenset[bytes]
    """Further players whose sessions this player may play: they came along when their devices joined."""


class TooManyDevices(StoreError):
    """A player has reached the bound of devices, or of players whose games came along."""


class Devices:
    """The devices of all players. Raises `StoreUnavailable` and `Overloaded` as `SessionLog` does."""

    def __init__(self, commands: Batcher, follower: Follower) -> None:
        self._commands = commands
        self._follower = follower

    async def standing(self, player: bytes, device: bytes) -> Standing:
        """Whether a device may still act for the player, and whose sessions it may play."""
        keys.check_ids((player, device))
        valid, linked, others = await self._commands.run(scripts.DEVICE_STANDING, self._keys(player), (device,))
        return Standing(bool(valid), bool(linked), frozenset(cast("list[bytes]", others)))

    async def seen(self, player: bytes, device: bytes, told: Device) -> None:
        """Note that a device has come. Nothing happens where it was signed out, or where the player has but one."""
        keys.check_ids((player, device))
        await self._commands.run(
            scripts.DEVICE_SEEN, self._keys(player), (device, msgspec.msgpack.encode(told), KEEP_SECONDS)
        )

    async def listed(self, player: bytes) -> dict[bytes, Device]:
        """The devices that are signed in, by id, the one that came last first; empty where there never was a second."""
        keys.check_ids((player,))
        found = await self._entries(player)
        there = {device: msgspec.msgpack.decode(told, type=Device) for device, told in found.items() if told}
        return dict(sorted(there.items(), key=lambda entry: -entry[1].seen))

    async def may_grow(self, player: bytes) -> bool:
        """Whether there is room for another device."""
        keys.check_ids((player,))
        found = await self._entries(player)
        return len(found) < MAX_EVER and sum(told != _SIGNED_OUT for told in found.values()) < MAX_DEVICES

    async def join(self, player: bytes, devices: dict[bytes, Device], others: Iterable[bytes]) -> None:
        """Enter devices, and the players whose sessions come along, and tell every server. Safe to repeat.

        An entry that is there already stays as it is: a device that was signed out stays so.

        Raises:
            TooManyDevices: too many players' games have come along already; nothing was entered.
        """
        come = sorted(set(others) - {player})
        keys.check_ids((player, *devices, *come))
        entered: list[bytes | int] = [KEEP_SECONDS, MAX_OTHER_PLAYERS, len(devices)]
        for device, told in devices.items():
            entered += (device, msgspec.msgpack.encode(told))
        if not await self._commands.run(scripts.DEVICES_JOIN, self._keys(player), (*entered, *come)):
            raise TooManyDevices(f"the games of {MAX_OTHER_PLAYERS} players have come along already")
        await self._tell(player)

    async def sign_out(self, player: bytes, device: bytes) -> bool:
        """Sign a device out for good and tell every server; False where the player has no such device."""
        keys.check_ids((player, device))
        found = await self._commands.run(scripts.DEVICE_SIGN_OUT, self._keys(player), (device,))
        if found:
            await self._tell(player)
        return bool(found)

    def listen(self, changed: Callable[[bytes], None], resync: Callable[[], None]) -> None:
        """Hear, until the store is closed, of every player whose devices have changed.

        `resync` is called when some of this may have been missed. Neither may block.
        """
        self._follower.listen_for_good(keys.DEVICES_CHANNEL, changed, resync)

    async def _tell(self, player: bytes) -> None:
        channel = keys.DEVICES_CHANNEL
        await self._commands.call(channel, "SPUBLISH", channel, player)

    async def _entries(self, player: bytes) -> dict[bytes, bytes]:
        key = keys.devices_key(player)
        flat = cast("list[bytes]", await self._commands.call(key, "HGETALL", key))
        return dict(zip(flat[::2], flat[1::2], strict=True))

    @staticmethod
    def _keys(player: bytes) -> tuple[str, str]:
        return keys.devices_key(player), keys.others_key(player)
