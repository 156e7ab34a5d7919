"""The programs of a run, on the simulated store: web servers and workers, as `gameserver serve` and `computer` are."""

from __future__ import annotations

import asyncio
import hashlib
from collections import deque
from collections.abc import Sequence
from random import Random
from typing import Any

from starlette.datastructures import Headers
from starlette.websockets import WebSocketState

from gameserver.backgammon import Dice, Move, Position, complete_plays, dice_of
from gameserver.computer.hint import Advice
from gameserver.computer.match_equity import Away
from gameserver.computer.player import Choice
from gameserver.computer.worker import Worker
from gameserver.session.commands import StartSession
from gameserver.session.events import Level
from gameserver.session.ids import CommandId, PlayerId, session_started_by
from gameserver.store import Policy, Store
from gameserver.web.devices_online import Online
from gameserver.web.hints import Hints
from gameserver.web.identity import COOKIE, Identity, Visitor
from gameserver.web.protocol import LINE
from gameserver.web.rooms import Rooms
from gameserver.web.socket import GameSocket

from .loop import Process, SimulatedLoop
from .pipe import Pipe
from .store import SimulatedNodes, SimulatedRedis

IDENTITY = Identity(["a key of the simulation's"])
ORIGIN = "https://simulated.example"
SENT_FRAMES = 32
"""So many fit into the network; more of them wait in the server."""
UNREAD_BYTES_A_FRAME = 1024
CLOSED = 1006


class Program:
    """A process with its store."""

    def __init__(self, loop: SimulatedLoop, redis: SimulatedRedis, name: str, policy: Policy) -> None:
        self.process = Process(loop, name)
        self.nodes = SimulatedNodes(redis, self.process)
        self.redis = redis
        self.store: Store = self.process.run(Store, self.nodes, policy)  # see `surroundings`

    @property
    def lines(self) -> list[Any]:
        """Its connections to the store."""
        return [line for line in self.redis.lines if line.owner is self.process]

    def kill(self) -> None:
        self.process.kill()
        for line in self.lines:
            line.break_off(requests=self.redis.chance.random(), replies=0.0)


class Server(Program):
    """A web server, from the handshake of its websockets on. ``skew``: ms by which its clock is wrong."""

    def __init__(self, loop: SimulatedLoop, redis: SimulatedRedis, name: str, policy: Policy, chance: Random) -> None:
        super().__init__(loop, redis, name, policy)
        self.skew = 0
        self._links: dict[Link, None] = {}
        self.process.run(self._set_up, chance)

    def _set_up(self, chance: Random) -> None:
        self.rooms = Rooms(self.store, self._now, lambda: chance.randbytes(32))
        self.online = Online(self.store, self._now, 0)
        self.socket = GameSocket(self.rooms, Hints(self.store), IDENTITY, self.online, (ORIGIN,))

    def _now(self) -> int:
        return self.redis.now() - self.redis.clock_jumped + self.skew

    def accept(self, link: Link) -> None:
        """Somebody connects."""
        self._links[link] = None
        self.process.spawn(self._serve(link))

    async def _serve(self, link: Link) -> None:
        try:
            await self.socket.serve(link.socket)  # type: ignore[arg-type] # has what is used of Starlette's
        finally:
            self._links.pop(link, None)
            link.server_is_gone()

    async def begin(self, player: PlayerId, command: CommandId, wanted: dict[str, Any]) -> None:
        """What the lobby does for ``POST /api/sessions``. Raises StoreUnavailable, Overloaded."""
        session = session_started_by(player, command)
        await self.rooms.begin(StartSession(id=command, player=player, session=session, **wanted))

    def kill(self) -> None:
        super().kill()
        for link in tuple(self._links):
            link.server_is_gone()
        self._links.clear()

    async def stop(self) -> None:
        """Close as the program does when it is told to."""
        for link in tuple(self._links):
            link.server_is_gone()
        while self._links:  # noqa: ASYNC110 - simulated time
            await asyncio.sleep(0.1)
        await self.online.close()
        await self.store.close()


class RandomPlayer:
    """Plays what chance, or rather a hash of the question, picks; thinks nothing."""

    def choose(
        self, level: Level, position: Position, dice: tuple[int, int], away: Away | None = None, salt: bytes = b""
    ) -> Choice:
        plays = list(complete_plays(position, dice_of(*dice)).items())
        if not plays:
            return Choice((), position, 0.0, 0)
        after, play = plays[hashlib.blake2b(salt).digest()[0] % len(plays)]
        return Choice(play, after, 0.0, len(plays))

    def advise(self, position: Position, unused: Dice, played: Sequence[Move] = (), away: Away | None = None) -> Advice:
        return Advice((), None)


class Computer(Program):
    """A worker."""

    def __init__(self, loop: SimulatedLoop, redis: SimulatedRedis, name: str, policy: Policy) -> None:
        super().__init__(loop, redis, name, policy)
        self.process.run(self._start)

    def _start(self) -> None:
        worker = Worker(self.store, RandomPlayer(), 2)  # type: ignore[arg-type] # the player's two questions are all it is asked
        self.work = self.process.spawn(worker.run())

    async def stop(self) -> None:
        self.work.cancel()
        await asyncio.wait([self.work])
        await self.store.close()


class Link:
    """A websocket between a page and a server.

    Args:
        page: told of ``opened``, ``frame`` and ``closed``.
    """

    def __init__(self, loop: SimulatedLoop, chance: Random, page: Any, cookie: str) -> None:
        self.chance = chance
        self.socket = _Socket(self, cookie, loop)
        self.up = Pipe(loop, self.socket.arrived, _across_the_world, chance)
        self.down = Pipe(loop, self._told, _across_the_world, chance)
        self._page = page

    def _told(self, frame: bytes | None) -> None:
        if frame is None:
            self._page.closed(self)
        elif frame == b"":
            self._page.opened(self)
        else:
            self._page.frame(self, frame)

    # --- What happens to it

    def hold(self, until: float) -> None:
        """Nothing comes through: the link looks open, and is dead."""
        self.up.hold(until)
        self.down.hold(until)

    def release(self) -> None:
        self.up.release()
        self.down.release()

    def break_off(self) -> None:
        """Lost for both: some of what is on its way still arrives."""
        self.up.close(keeps=self.chance.random(), after=self.chance.choice((0.0, 0.0, 1.0, 20.0)))
        self.down.close(keeps=self.chance.random(), after=self.chance.choice((0.0, 0.0, 1.0)))

    def server_is_gone(self) -> None:
        self.up.close(keeps=0.0)
        self.down.close(keeps=self.chance.choice((0.0, 0.5, 1.0)))

    def page_leaves(self) -> None:
        """What the page had sent may still arrive, much later."""
        self.up.close(keeps=self.chance.choice((0.0, 0.8, 1.0, 1.0)))
        self.down.close(keeps=0.0)


def _across_the_world(chance: Random) -> float:
    return 0.002 + 0.1 * chance.random() ** 3


class _Socket:
    """The server's end: what `gameserver.web.socket` uses of Starlette's WebSocket, and the line below it."""

    client = None

    def __init__(self, link: Link, cookie: str, loop: SimulatedLoop) -> None:
        self._link = link
        self._loop = loop
        self.headers = Headers({"origin": ORIGIN, "cookie": f"{COOKIE}={cookie}"})
        self.application_state = WebSocketState.CONNECTING
        self.scope = {"extensions": {LINE: self}}
        self._unread: deque[bytes | None] = deque()
        self._reader: asyncio.Future[None] | None = None
        self._lost = False

    async def accept(self) -> None:
        self.application_state = WebSocketState.CONNECTED
        self._link.down.send(b"")

    async def receive(self) -> dict[str, Any]:
        while not self._unread:
            self._reader = self._loop.create_future()
            await self._reader
        data = self._unread.popleft()
        if data is None:
            return {"type": "websocket.disconnect", "code": CLOSED}
        return {"type": "websocket.receive", "bytes": data}

    def write(self, data: bytes) -> None:
        if not self._lost:
            self._link.down.send(data)

    @property
    def unread(self) -> int:
        return UNREAD_BYTES_A_FRAME * max(0, len(self._link.down) - SENT_FRAMES)

    def abort(self) -> None:
        self._link.server_is_gone()

    async def close(self, code: int, reason: str) -> None:
        self.application_state = WebSocketState.DISCONNECTED
        self.abort()

    async def send_denial_response(self, response: Any) -> None:
        raise AssertionError(f"a page of the simulation was turned away: {response.body!r}")

    # --- The network's side

    def arrived(self, data: bytes | None) -> None:
        if data is None:
            self._lost = True
        self._unread.append(data)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)


def cookie_of(visitor: Visitor) -> str:
    """The cookie that this visitor's browser has."""
    return IDENTITY.sign(visitor)
