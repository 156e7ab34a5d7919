"""How fast a sender may go, and how much one player and one address may have.

An address is one IPv4 address or one /64 of IPv6. Many people can share one (a school, a mobile network), so its bounds
are wide, and can be set. This machine's own addresses have none: behind them stands a proxy, or a test.
"""

import ipaddress
from collections import OrderedDict
from typing import Final

from starlette.requests import HTTPConnection

from gameserver.store.quotas import HOUR_MS, Quotas

STARTS_AN_HOUR: Final = 600
STARTS_PER_CONNECTION: Final = 6
"""So many sessions an hour, for each connection that an address may have."""


REQUESTS_A_SECOND: Final = 20
REQUESTS_AT_ONCE: Final = 120
PLAYERS_KNOWN: Final = 10_000
"""Of whom the last requests are remembered: who was not heard of for longest is as if never seen."""


class Exhausted(Exception):
    """A bound is reached; the message says which. ``seconds``: when to try again."""

    def __init__(self, text: str, wait_ms: int) -> None:
        super().__init__(text)
        self.seconds = -(-wait_ms // 1000)


class Starts:
    """Bounds the sessions that are started, on all servers together, by hour.

    Args:
        quotas: counts.
        address_connections: connections that an address may have on a server; 0 for no bound on addresses.
    """

    def __init__(self, quotas: Quotas, address_connections: int) -> None:
        self._quotas = quotas
        self._of_address = address_connections * STARTS_PER_CONNECTION

    async def count(self, player: bytes, address: str | None) -> None:
        """Count one. Raises Exhausted, StoreUnavailable, Overloaded."""
        bounds = [(f"starts:{player.hex()}", STARTS_AN_HOUR, "one player")]
        if address is not None and self._of_address:
            bounds.append((f"starts:{address}", self._of_address, "one address"))
        for what, bound, whose in bounds:
            if wait := await self._quotas.take(what, bound, HOUR_MS):
                raise Exhausted(f"more than {bound} sessions an hour from {whose}", wait)


def address_of(connection: HTTPConnection) -> str | None:
    """The address that bounds apply to; None where none do."""
    client = connection.client
    try:
        address = ipaddress.ip_address("" if client is None else client.host)
    except ValueError:  # a unix socket, or a proxy that says what it likes
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if address.is_loopback:
        return None
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(ipaddress.ip_network((address, 64), strict=False))


class Requests:
    """Bounds what one player asks of this server over HTTP, where much is read of the store for little that is sent."""

    def __init__(self) -> None:
        self._buckets: OrderedDict[bytes, TokenBucket] = OrderedDict()

    def count(self, player: bytes, now: float) -> None:
        """Count one; ``now`` in seconds. Raises Exhausted."""
        bucket = self._buckets.setdefault(player, TokenBucket(REQUESTS_A_SECOND, REQUESTS_AT_ONCE, now))
        self._buckets.move_to_end(player)
        if len(self._buckets) > PLAYERS_KNOWN:
            self._buckets.popitem(last=False)
        if not bucket.take(now):
            raise Exhausted(f"more than {REQUESTS_A_SECOND} requests a second from one player", 1000)


class TokenBucket:
    """At most ``rate`` a second in the long run, and ``burst`` at once. The caller brings the time, in seconds.

    >>> bucket = TokenBucket(rate=2, burst=1, now=0.0)
    >>> bucket.take(0.0), bucket.take(0.1), bucket.take(0.6)
    (True, False, True)
    """

    __slots__ = ("_burst", "_rate", "_since", "_tokens")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = burst
        self._since = now

    def take(self, now: float) -> bool:
        """Take one if there is one."""
        self._tokens = min(self._burst, self._tokens + (now - self._since) * self._rate)
        self._since = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True
