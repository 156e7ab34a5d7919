"""One run from a seed: servers, workers, pages and faults; then the faults stop, and all must come to its end."""

from __future__ import annotations

import asyncio
import gc
import hashlib
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import zip_longest
from random import Random
from typing import Any, Final, Literal

from gameserver.session.events import decode_commit
from gameserver.session.ids import CommandId, PlayerId, session_started_by
from gameserver.session.state import fold
from gameserver.store import Overloaded, Policy, StoreUnavailable
from gameserver.store.keys import SHARDS, turns_key
from gameserver.store.packed import is_commit
from gameserver.web.identity import DeviceId, Visitor

from .audit import Audit, log_in
from .faults import Faults
from .loop import NothingLeft, SimulatedLoop, is_of_the_dead
from .page import Page, Table
from .programs import Computer, Link, Server, cookie_of
from .store import SimulatedRedis
from .surroundings import simulated

Mode = Literal["faults", "failover", "replicated"]
MODES: Final[tuple[Mode, ...]] = ("faults", "faults", "failover", "replicated")
"""By the seed: one store that never loses; a replica that lags behind; and one that is waited for."""

POSITIONS: Final = (
    "----b-M-A-------b-cdd---A-",
    "--bb--EC-b---E-----cb-bbB-",
    "-bBa---b-------A---A------",
    "------a---A---------------",
    "--b-A-a---Ab---A-c--b-b--A",
    "----------B---------b-a--B",
    "-bb---B-A-----------------",
    "-C----b---b----------abbf-",
    "-B---------------------bb-",
    "-BBB----a--------------bb-",
    "aCCC----------------cccbb-",
)
FINISHED_WITHIN: Final = 7_200.0
STALLED_AFTER: Final = 120.0
"""Once no fault lasts, something must happen within so many seconds until all is finished."""
FINISHED: Final = "the end of all sessions"
QUIET_WITHIN: Final = 300.0


@dataclass
class Outcome:
    """What came of a run. ``failures`` is empty where all was well."""

    seed: int
    mode: Mode
    failures: list[str] = field(default_factory=list)
    history: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    """Simulated."""
    digest: str = ""
    """Of everything that happened: the same for the same seed."""


class Failed(Exception):
    """Something was not as it must be; it has been written down."""


class Run:
    """A run in progress (`page.World`).

    Args:
        commands: how many the pages send before the faults stop.
    """

    def __init__(self, seed: int, mode: Mode, commands: int) -> None:
        chance = Random(f"{seed} {mode}")
        self.chance = chance
        self.outcome = Outcome(seed, mode)
        self.loop = SimulatedLoop(Random(chance.getrandbits(64)))
        self.audit = Audit(self.fail, may_lose=mode == "failover")
        self.redis = SimulatedRedis(
            self.loop, Random(chance.getrandbits(64)), self._committed, replicated=mode != "faults"
        )
        self.audit.keyspace = lambda: self.redis.keyspace
        self.policy = Policy(replicas=1 if mode == "replicated" else 0)
        self.servers: list[Server | None] = [None] * chance.randint(1, 3)
        self.computers: list[Computer | None] = [None] * chance.randint(1, 2)
        self.pages: list[Page] = []
        self.links: dict[Link, None] = {}
        self.tables = [Table(chance.randbytes(16)) for _ in range(chance.randint(2, 5))]
        self._commands = commands
        self._generation = 0
        self._last_commit = 0.0
        self._history: deque[str] = deque(maxlen=80)
        self._digest = hashlib.blake2b(digest_size=8)
        self._main: asyncio.Task[None] | None = None
        self._cookies = {table.player: cookie_of(_visitor(table)) for table in self.tables}
        self._starts: dict[bytes, CommandId] = {}
        self._faults = Faults(self)

    def play(self) -> Outcome:
        """Run to the end, or to the first failure."""
        self.loop.set_exception_handler(self._complained)
        # When the collector finds a lost task must not depend on what ran before.
        gc.collect()
        gc.disable()
        try:
            self._play_in_simulation()
        finally:
            gc.enable()
        return self._told()

    def _play_in_simulation(self) -> None:
        with simulated(self.loop.time, self.chance, lambda text: self.fail(f"the product logs an error: {text}")):
            self._main = self.loop.create_task(self._play())
            try:
                self.loop.run_until_complete(self._main)
            except (asyncio.CancelledError, Failed, NothingLeft) as error:
                self.fail(f"the run came to no end: {error!r}")
            self._clear_away()
            self.loop.close()

    def _told(self) -> Outcome:
        outcome = self.outcome
        outcome.history = list(self._history)
        outcome.seconds = self.loop.time()
        outcome.counts["steps"] = self.loop.steps
        outcome.counts["commits"] = self.audit.commits
        outcome.counts["computer's turns"] = self.audit.computer_turns
        outcome.counts["acknowledged"] = len(self.audit.acknowledged)
        outcome.counts["refused"] = len(self.audit.refused)
        outcome.counts["pictures"] = self.audit.pictures
        outcome.counts["lost"] = self.audit.lost
        self._digest.update(f"{self.loop.steps} {self.loop.time()} {sorted(outcome.counts.items())}".encode())
        outcome.digest = self._digest.hexdigest()
        return outcome

    def _clear_away(self) -> None:
        """End what a failure has left behind."""
        self.loop.set_exception_handler(lambda *_: None)
        for program in (*self.servers, *self.computers):
            if program is not None:
                program.process.kill()
        left = asyncio.all_tasks(self.loop)
        if left:
            self.loop.run_until_complete(asyncio.wait(left))

    # --- What the parts tell (`page.World` among them)

    def fail(self, text: str) -> None:
        """Something is not as it must be."""
        if not self.outcome.failures:
            self.note(f"FAILED: {text}")
        self.outcome.failures.append(text)
        if self._main is not None:
            self._main.cancel()

    def note(self, text: str) -> None:
        """Remember for the history that is shown with a failure."""
        self._history.append(f"{self.loop.time():10.4f} {text}")

    def counted(self, kind: str) -> None:
        self.outcome.counts[kind] += 1
        if kind not in {"sent", "hint"}:
            self.outcome.counts["commands"] += 1

    def connect(self, page: Page) -> Link:
        link = Link(self.loop, Random(self.chance.getrandbits(64)), page, self._cookies[page.table.player])
        server = self._some_server()
        self.links[link] = None
        if len(self.links) > 500:
            self.links = {each.link: None for each in self.pages if each.link is not None} | {link: None}

        def arrive() -> None:
            if server is None or not server.process.alive:
                link.server_is_gone()
            else:
                server.accept(link)

        self.loop.call_later(0.002 + 0.05 * self.chance.random(), arrive)
        return link

    def start_session(self, table: Table) -> None:
        server = self._some_server()
        if table.starting or server is None:
            return
        table.starting = True
        command = self._starts.setdefault(table.player, CommandId(self.chance.randbytes(16)))
        work = server.process.spawn(
            server.begin(PlayerId(table.player), command, _wanted(command, matches=self._commands >= 1_000))
        )
        reply_is_lost = self.chance.random() < 0.05

        def begun(task: asyncio.Task[None]) -> None:
            table.starting = False
            if task.cancelled():
                return
            error = task.exception()
            if error is None and reply_is_lost:
                return
            if error is None:
                table.session = session_started_by(PlayerId(table.player), command)
                del self._starts[table.player]
                self.audit.acknowledge(table.session, command, 1)
            elif not isinstance(error, StoreUnavailable | Overloaded):
                self.fail(f"a session could not be started: {error!r}")

        work.add_done_callback(begun)

    def _some_server(self) -> Server | None:
        running = [server for server in self.servers if server is not None]
        return self.chance.choice(running) if running else None

    def _committed(self, key: bytes, version: int, commit_id: bytes, payload: bytes) -> None:
        self._digest.update(key + commit_id)
        self._last_commit = self.loop.time()
        self._history.append(f"{self.loop.time():10.4f} log {key[-32:-24].decode()} {version} {commit_id.hex()[:8]}")
        self.audit.committed(key, version, commit_id, payload)

    def _complained(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if not is_of_the_dead(context):
            self.fail(
                f"{context['message']}: {context.get('exception')!r} {context.get('task') or context.get('future')}"
            )

    # --- The programs

    def start_server(self, place: int) -> None:
        self._generation += 1
        name = f"server {place}.{self._generation}"
        self.servers[place] = Server(self.loop, self.redis, name, self.policy, Random(self.chance.getrandbits(64)))

    def start_computer(self, place: int) -> None:
        self._generation += 1
        self.computers[place] = Computer(self.loop, self.redis, f"computer {place}.{self._generation}", self.policy)

    # --- The run

    async def _play(self) -> None:
        chance = self.chance
        for place in range(len(self.servers)):
            self.start_server(place)
        for place in range(len(self.computers)):
            self.start_computer(place)
        for table in self.tables:
            self.pages += [
                Page(self, table, Random(chance.getrandbits(64)), chance.choice((0.06, 0.1, 0.2)))
                for _ in range(chance.choice((1, 1, 2, 3)))
            ]
        self._faults.begin()
        await self._until(lambda: self.outcome.counts["commands"] >= self._commands, 36_000.0, "enough commands")
        self._faults.end()
        self.note("no more faults")
        for table in self.tables:
            table.finishing = True
        await self._until(self._all_finished, FINISHED_WITHIN, FINISHED)
        await self._until(lambda: all(page.is_up_to_date for page in self.pages), QUIET_WITHIN, "all pages up to date")
        await self._until(self._no_turn_waits, QUIET_WITHIN, "an empty queue")
        for page in self.pages:
            page.leave()
        await self._stop_programs()
        self._compare()

    async def _until(self, reached: Callable[[], bool], seconds: float, what: str) -> None:
        began = self.loop.time()
        until = began + seconds
        while not reached():
            stalled = what == FINISHED and self.loop.time() - max(self._last_commit, began) > STALLED_AFTER
            if self.loop.time() > until or stalled:
                standing = [
                    f"{page.session.hex()[:8]} {page.head[0]} {page.picture.get('phase')}" for page in self.pages
                ]
                self.fail(f"{what}: not within {self.loop.time() - began:.0f} s; {standing}")
                raise Failed
            await asyncio.sleep(0.5)

    def _all_finished(self) -> bool:
        for table in self.tables:
            trail = self.audit.trails.get(table.session)
            if trail is None or not trail.heads or not trail.truths[trail.head].state.is_finished:
                return False
            if trail.truths[trail.head].view.successor is not None:
                return False
        return True

    def _no_turn_waits(self) -> bool:
        values = self.redis.keyspace.values
        return not any(values[key].ids for shard in range(SHARDS) if (key := turns_key(shard).encode()) in values)

    async def _stop_programs(self) -> None:
        programs = [each for each in (*self.servers, *self.computers) if each is not None]
        await asyncio.gather(*(program.process.spawn(program.stop()) for program in programs))
        for program in programs:
            left = program.process.unfinished()
            if left:
                self.fail(f"{program.process.name} has stopped, and still does {left}")

    def _compare(self) -> None:
        self.audit.finish()
        for session, trail in self.audit.trails.items():
            entries = log_in(self.redis.keyspace, session)
            self.outcome.counts["packed"] += isinstance(entries, tuple)
            ids = [
                # A packed log's may be shortened.
                head[1] if head is not None and is_commit(stored, head[1]) else stored
                for (stored, _), head in zip_longest(entries, trail.heads[: len(entries)])
            ]
            state = fold(decode_commit(each, contents) for each, (_, contents) in zip(ids, entries, strict=True))
            if state != (trail.truths[trail.head].state if trail.heads else None):
                self.fail(f"{session.hex()[:8]}: the log, folded again, gives another state")
        for page in self.pages:
            if page.picture != self.audit.trails[page.session].truths[page.head].picture:
                self.fail(f"{page.session.hex()[:8]}: a page does not show the fold of the log")


def _visitor(table: Table) -> Visitor:
    return Visitor(PlayerId(table.player), DeviceId(table.player))


def _wanted(command: bytes, *, matches: bool) -> dict[str, Any]:
    """What is asked for with this command: the same each time that it is asked. Matches take long."""
    choose = Random(command)
    practice = choose.random() < 0.75
    return {
        "level": choose.choice(("beginner", "normal", "expert")),
        "format": 5 if matches and not practice and choose.random() < 0.2 else 1,
        "pace": choose.choice(("real", "fast", "instant")),
        "auto_end": choose.random() < 0.7,
        "auto_forced": choose.random() < 0.3,
        "auto_bear_off": choose.random() < 0.3,
        "position": choose.choice(POSITIONS) if practice else None,
    }
