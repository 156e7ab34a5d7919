"""One run: clients play throughout while one kind of fault happens again and again, and at the end all is compared."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gameserver.store import Store

from ..protocol.client import Visitor
from .checker import Findings, check
from .ledger import Ledger
from .players import Page, Table
from .proxy import Network
from .site import DRAIN_WITHIN, Site, nginx, site
from .stores import Cluster, OneRedis, Sentinels

LENGTHS = (1, 1, 5, 7)


@dataclass(frozen=True)
class Setting:
    """What a run is played on.

    Args:
        store: ``one``, ``sentinels`` or ``cluster``.
        fsync: of the one Redis.
        network: a network that can fail lies between the servers and the one Redis.
        replicated: with DURABILITY=replicated.
    """

    store: str = "one"
    fsync: str = "everysec"
    network: bool = False
    replicated: bool = False


@dataclass
class Stage:
    """What a fault can get hold of."""

    site: Site
    store_url: str
    """The address of the store without any network in between."""
    one: OneRedis | None = None
    several: Sentinels | Cluster | None = None
    network: Network | None = None
    drained: list[float] = field(default_factory=list)
    """How long each server took to stop, in seconds."""


Fault = Callable[[Stage, random.Random], Awaitable[None]]


@dataclass(frozen=True)
class Kind:
    """A kind of run.

    Args:
        fault: makes one fault and heals it again.
        every: commands between two faults.
        may_lose: a primary is lost whose replicas need not have everything.
    """

    name: str
    fault: Fault
    setting: Setting = Setting()
    every: int = 1_500
    may_lose: bool = False


@dataclass(frozen=True)
class Report:
    """What a run came to."""

    kind: Kind
    ledger: Ledger
    findings: Findings
    faults: int
    seconds: float
    drained: list[float]
    restless: list[str]
    """Pages that waited for something that did not come."""

    def wrong(self) -> list[str]:
        wrong = [*self.restless, *self.findings.wrong(may_lose=self.kind.may_lose)]
        wrong += [f"a server took {took:.1f} s to stop" for took in self.drained if took > DRAIN_WITHIN]
        if self.drained and not self.ledger.closes[1012]:
            wrong.append(f"nobody was told 1012: {dict(self.ledger.closes)}")
        return wrong

    def row(self) -> str:
        ledger, found = self.ledger, self.findings
        counts = (
            *(ledger.commands, self.faults, len(ledger.acknowledged), len(found.lost), found.forgotten),
            *(len(found.doubled), ledger.reconnects, sum(ledger.retries.values()), round(self.seconds)),
        )
        return f"| {self.kind.name} | " + " | ".join(f"{count:,}" for count in counts) + " |"


HEADER = (
    "| kind | commands | faults | acknowledged | lost | told, then lost | doubled | links lost | sent again | s |\n"
    "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |"
)


async def run(kind: Kind, stage: Stage, directory: Path, *, commands: int, tables: int, every: int) -> Report:
    """Play so many commands in all, with a fault after every so many."""
    with contextlib.ExitStack() as stack:
        origins = stage.site.origins
        if kind.fault is replaced_behind_nginx:
            origins = [stack.enter_context(nginx(directory / "nginx", stage.site.ports))]
        stage.drained = []
        began = time.monotonic()
        choose = random.Random(kind.name)
        ledger = Ledger()
        pages = await _seated(origins, ledger, choose, tables)
        faults = 0
        stopped = asyncio.Event()
        async with asyncio.TaskGroup() as playing:
            for page in pages:
                playing.create_task(page.play(stopped.is_set))
            while ledger.commands < commands:
                aim = min(commands, ledger.commands + every)
                while ledger.commands < aim:  # noqa: ASYNC110 - what is waited for is a number of everybody's
                    await asyncio.sleep(0.02)
                if ledger.commands < commands or not faults:
                    await kind.fault(stage, choose)
                    faults += 1
            stopped.set()
        restless = await asyncio.gather(*(page.come_to_rest() for page in pages))
        seconds = time.monotonic() - began
        async with Store(stage.store_url, patience=30) as store:
            findings = await check(ledger, pages, store)
        await asyncio.gather(*(page.close() for page in pages))
    return Report(kind, ledger, findings, faults, seconds, stage.drained, [each for each in restless if each])


async def _seated(origins: Sequence[str], ledger: Ledger, choose: random.Random, tables: int) -> list[Page]:
    pages: list[Page] = []
    for number in range(tables):
        visitor = await Visitor.arrive(origins[0])
        await visitor.set_settings(pace="instant")
        table = Table(visitor.cookie, LENGTHS[number % len(LENGTHS)])
        pages.append(Page(table, origins, ledger, random.Random(choose.random())))
        if number % 3 == 0:  # a second tab, which moves now and then
            pages.append(Page(table, origins, ledger, random.Random(choose.random()), eagerness=0.1))
    return pages


@contextlib.asynccontextmanager
async def set_stage(setting: Setting, directory: Path) -> AsyncIterator[Stage]:
    """The store, servers and workers of a run."""
    async with contextlib.AsyncExitStack() as stack:
        options = ("--min-replicas-to-write", "1", "--min-replicas-max-lag", "5") if setting.replicated else ()
        one: OneRedis | None = None
        several: Sentinels | Cluster | None = None
        store: OneRedis | Sentinels | Cluster
        if setting.store == "one":
            store = one = OneRedis(directory, setting.fsync)
        elif setting.store == "sentinels":
            store = several = Sentinels(directory / "sentinels", *options)
        else:
            store = several = Cluster(directory / "cluster", *options)
        stack.callback(store.stop)
        await asyncio.to_thread(store.start)
        network = None
        url = store.url
        if setting.network:
            assert one is not None
            network = await stack.enter_async_context(Network(one.node.port))
            url = f"redis://127.0.0.1:{network.port}"
        durability = "replicated" if setting.replicated else "primary"
        running = await stack.enter_async_context(site(url, DURABILITY=durability))
        yield Stage(running, store.url, one, several, network)


# --- The faults


async def server_killed(stage: Stage, choose: random.Random) -> None:
    """SIGKILL in mid-move."""
    await asyncio.to_thread(stage.site.kill_server, choose.randrange(len(stage.site.servers)))


async def server_stopped(stage: Stage, choose: random.Random) -> None:
    """SIGTERM in mid-move."""
    number = choose.randrange(len(stage.site.servers))
    stage.drained.append(await asyncio.to_thread(stage.site.replace_server, number))


async def replaced_behind_nginx(stage: Stage, _: random.Random) -> None:
    """Every server is replaced, one after the other; the pages know of nginx only."""
    for number in range(len(stage.site.servers)):
        stage.drained.append(await asyncio.to_thread(stage.site.replace_server, number))


async def worker_killed(stage: Stage, choose: random.Random) -> None:
    await asyncio.to_thread(stage.site.kill_worker, choose.randrange(len(stage.site.workers)))


async def clocks_jump(stage: Stage, choose: random.Random) -> None:
    """A server's and a worker's clock go 400 days ahead or back, each for itself."""
    for program in (choose.choice(stage.site.servers), choose.choice(stage.site.workers)):
        program.process.send_signal(choose.choice([signal.SIGUSR1, signal.SIGUSR2]))


async def redis_killed(stage: Stage, choose: random.Random) -> None:
    """SIGKILL of the store, which is away for a moment and comes back with its append-only file."""
    assert stage.one is not None
    await asyncio.to_thread(stage.one.node.kill_between_syncs)
    await asyncio.sleep(choose.choice([0.0, 0.5, 2.0]))
    await asyncio.to_thread(stage.one.node.start)


async def redis_full(stage: Stage, choose: random.Random) -> None:
    """No memory is left for a while, and nothing may be evicted."""
    assert stage.one is not None
    node = stage.one.node
    node.client.config_set("maxmemory", "1mb")
    await asyncio.sleep(choose.uniform(0.3, 2.0))
    node.client.config_set("maxmemory", "0")


async def partition(stage: Stage, choose: random.Random) -> None:
    """Servers and workers don't reach the store for a while, each time in another way."""
    network = stage.network
    assert network is not None
    way = choose.choice([network.part, network.hold, network.swallow_replies])
    way()
    await asyncio.sleep(choose.choice([0.2, 1.0, 2.5, 6.0]))
    network.heal()


async def redis_slow(stage: Stage, choose: random.Random) -> None:
    """Every answer takes its time: a little, a lot, and longer than is waited for."""
    network = stage.network
    assert network is not None
    network.slow_down(choose.choice([0.05, 0.3, 1.0, 2.2]))
    await asyncio.sleep(choose.uniform(1.0, 3.0))
    network.heal()


async def replies_lost(stage: Stage, choose: random.Random) -> None:
    """The store does the work, and the reply is lost, for the next few."""
    network = stage.network
    assert network is not None
    network.lose_replies(choose.randint(1, 8))
    async with asyncio.timeout(60):
        while network.replies_to_lose:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def primary_killed(stage: Stage, choose: random.Random) -> None:
    """The primary dies, half of the time after its replicas could not hear it for a moment."""
    assert stage.several is not None
    cut_for = choose.choice([0.0, 0.4])
    await asyncio.to_thread(stage.several.kill_primary, cut_for=cut_for, choose=choose)


ONE = Setting()
ALWAYS = Setting(fsync="always")
NETWORK = Setting(network=True)
SENTINELS = Setting("sentinels")
SENTINELS_REPLICATED = Setting("sentinels", replicated=True)
CLUSTER = Setting("cluster")
CLUSTER_REPLICATED = Setting("cluster", replicated=True)

KINDS = (
    Kind("server killed (SIGKILL)", server_killed),
    Kind("server stopped (SIGTERM)", server_stopped),
    Kind("rolling replacement behind nginx", replaced_behind_nginx, every=3_000),
    Kind("worker killed", worker_killed),
    Kind("clocks jump 400 days", clocks_jump, every=500),
    Kind("Redis full (noeviction)", redis_full),
    Kind("Redis killed, AOF everysec", redis_killed),
    Kind("Redis killed, AOF always", redis_killed, ALWAYS),
    Kind("partition from Redis", partition, NETWORK),
    Kind("Redis slow", redis_slow, NETWORK),
    Kind("reply lost after the write", replies_lost, NETWORK, every=300),
    Kind("Sentinel failover", primary_killed, SENTINELS, every=2_500, may_lose=True),
    Kind("Sentinel failover, replicated", primary_killed, SENTINELS_REPLICATED, every=2_500),
    Kind("Cluster, a primary killed", primary_killed, CLUSTER, every=2_500, may_lose=True),
    Kind("Cluster, a primary killed, replicated", primary_killed, CLUSTER_REPLICATED, every=2_500),
)
