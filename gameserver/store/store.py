"""The store as a whole: everything that one process needs of it, behind one address."""

import asyncio
from types import TracebackType
from typing import Final, Self

from gameserver.store.addresses import connect
from gameserver.store.ages import Ages
from gameserver.store.batching import MAX_WAITING, PATIENCE, Batcher
from gameserver.store.devices import Devices
from gameserver.store.follow import Follower
from gameserver.store.hints import HintDesk
from gameserver.store.invitations import Invitations
from gameserver.store.log import SessionLog
from gameserver.store.nodes import nodes_of
from gameserver.store.packing import Packing
from gameserver.store.players import Players
from gameserver.store.policy import DEFAULT_POLICY, Policy
from gameserver.store.quotas import Quotas
from gameserver.store.turns import MIN_IDLE_MS, TurnQueue
from gameserver.store.watching import Watching

_READY_KEYS: Final = tuple(f"{{ready{n}}}" for n in range(8))
"""In slots far apart, so that of a Cluster every part is asked."""


class Store:
    """The sessions' logs, the queues, the players, and a follower.

    Made inside the event loop that uses it; connects when first used, so that a server can start before its store.

        async with Store("redis://localhost") as store:
            await store.log.append(...)

    Args:
        url: see `addresses`.
        policy: how long sessions are kept, and when a commit counts as written.
        patience: seconds during which a command is tried again before `StoreUnavailable`.
        max_waiting: commands that may wait or be on their way; beyond it `Overloaded` is raised.
        min_idle_ms: after this time a turn that was taken and not done is given to another worker.

    Raises:
        BadAddress: the address cannot be used.
    """

    def __init__(
        self,
        url: str,
        policy: Policy = DEFAULT_POLICY,
        *,
        patience: float = PATIENCE,
        max_waiting: int = MAX_WAITING,
        min_idle_ms: int = MIN_IDLE_MS,
    ) -> None:
        self._nodes = nodes_of(connect(url))
        self.commands = Batcher(self._nodes, patience=patience, max_waiting=max_waiting, replicas=policy.replicas)
        self.log = SessionLog(self.commands, policy)
        self.ages = Ages(self.commands)
        self.packing = Packing(self.commands, self.log)
        self.turns = TurnQueue(self.commands, min_idle_ms=min_idle_ms)
        self.hints = HintDesk(self.commands)
        self.players = Players(self.commands)
        self.follower = Follower(self._nodes, patience=patience)
        self.watching = Watching(self.commands)
        self.devices = Devices(self.commands, self.follower)
        self.invitations = Invitations(self.commands)
        self.quotas = Quotas(self.commands)

    async def check(self) -> None:
        """Return if the store answers and takes writes, of a Cluster at least one of its shards; for readiness.

        A store that is full is ready, too: games can be looked at, and no other server could do more. So what is
        written is a deletion, which a full store takes and a replica does not.

        Raises:
            StoreUnavailable, Overloaded: with the reason.
        """
        keys = _READY_KEYS if self._nodes.several else _READY_KEYS[:1]
        asked = {asyncio.create_task(self.commands.call(key, "DEL", key)) for key in keys}
        failures: list[BaseException | None] = []
        try:
            while asked:
                answered, asked = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
                failures += [each.exception() for each in answered]
                if None in failures:
                    return
        finally:
            for each in asked:
                each.cancel()
        raise next(failure for failure in failures if failure is not None)

    async def close(self) -> None:
        """Close all connections; calls that wait fail with `StoreUnavailable`."""
        await self.follower.close()
        await self.turns.close()
        await self.hints.close()
        await self.commands.close()
        await self._nodes.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
