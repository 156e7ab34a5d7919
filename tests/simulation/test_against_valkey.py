"""The simulated store against the real one: the same sequences of what the game asks, and the same answers."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from gameserver.store import EmbeddedStore, Policy, Store, StoreError, scripts
from gameserver.store import store as store_module
from gameserver.store.follow import Watcher
from gameserver.store.keys import log_key, packing_key, shard_of
from gameserver.store.packed import pack

from .loop import Process, SimulatedLoop
from .store import SimulatedNodes, SimulatedRedis

GROUP_IDLE_MS = 1_000_000
"""Time passes differently on the two: nothing here may hang on it."""


class Ears:
    """Writes down what a follower is told."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def appended(self, entry: Any, after: bytes | None) -> None:
        self.heard.append((entry, after))

    def hint_answered(self, answer: Any) -> None:
        self.heard.append(answer)

    def watched(self, told: Any) -> None:
        self.heard.append(told.pages)

    def resync(self) -> None:
        self.heard.append("resync")


class Questions:
    """Asks a store at random, by its seed, and writes down what it answers."""

    def __init__(self, store: Store, seed: int) -> None:
        self.answers: list[Any] = []
        self._store = store
        self._chance = Random(seed)
        self._sessions = [self._chance.randbytes(16) for _ in range(3)]
        self._players = [self._chance.randbytes(16) for _ in range(2)]
        self._ids: dict[bytes, list[bytes]] = {session: [] for session in self._sessions}
        self._commits: list[tuple[Any, ...]] = []
        self._turns: list[Any] = []
        self._requests: list[Any] = []
        self._clock = itertools.count(1_700_000_000_000)

    async def ask(self, count: int) -> None:
        ears = Ears()
        watcher: Watcher = ears
        followed = self._sessions[0]
        await self._store.turns.sweep()
        await self._store.follower.follow(followed, watcher)
        kinds: list[Callable[[], Awaitable[Any]]] = [
            *[self._append] * 8,
            self._append_again,
            *[self._read] * 3,
            self._head,
            self._version,
            self._secret,
            *[self._take] * 3,
            *[self._done] * 2,
            self._set_aside,
            self._pack,
            self._to_be_packed,
            self._requeue,
            self._ask_hint,
            self._take_hint,
            self._answer_hint,
            self._add,
            self._finish,
            self._players_sessions,
            self._count,
            self._settings,
        ]
        for _ in range(count):
            kind = self._chance.choice(kinds)
            try:
                answer = await kind()
            except (StoreError, ValueError) as error:
                answer = (type(error).__name__, error.code if isinstance(error, StoreError) else "")
            self.answers.append((kind.__name__, answer))
        due = await self._store.turns.due()
        self.answers.append(("due", due.turns))
        # A message of our own on the channel: whatever was published before has been heard once this is.
        await self._store.watching.tell(followed, 7, asks=False)
        while not ears.heard or ears.heard[-1] != 7:  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        self.answers.append(("heard", ears.heard))

    def _session(self) -> bytes:
        return self._chance.choice(self._sessions)

    async def _append(self) -> Any:
        session = self._session()
        ids = self._ids[session]
        base = len(ids) if self._chance.random() < 0.8 else self._chance.randint(0, len(ids) + 1)
        base_id = None if base == 0 else ids[base - 1] if base <= len(ids) else self._chance.randbytes(16)
        commit = (
            session,
            base,
            base_id,
            self._chance.randbytes(16),
            self._chance.randbytes(self._chance.randint(0, 30)),
        )
        named = {
            "computer_due": self._chance.random() < 0.4,
            "finished": self._chance.random() < 0.1,
            "secret": (self._chance.randint(1, 3), self._chance.randbytes(32)) if self._chance.random() < 0.2 else None,
        }
        self._commits.append((commit, named))
        return self._noted(commit, await self._store.log.append(*commit, **named))  # type: ignore[arg-type]

    async def _append_again(self) -> Any:
        if not self._commits:
            return None
        commit, named = self._chance.choice(self._commits)
        if self._chance.random() < 0.3:
            commit = (*commit[:4], b"the same id, decided elsewhere")
        return self._noted(commit, await self._store.log.append(*commit, **named))

    def _noted(self, commit: tuple[Any, ...], answer: Any) -> Any:
        session, base, _, commit_id, _ = commit
        if type(answer).__name__ == "Appended" and base == len(self._ids[session]):
            self._ids[session].append(commit_id)
        return answer

    async def _read(self) -> Any:
        session = self._session()
        return await self._store.log.read(
            session, self._chance.randint(0, len(self._ids[session]) + 1), self._chance.randint(1, 5)
        )

    async def _head(self) -> Any:
        return await self._store.log.heads(self._sessions)

    async def _version(self) -> Any:
        return await self._store.log.version(self._session())

    async def _secret(self) -> Any:
        return await self._store.log.secret(self._session(), self._chance.randint(1, 3))

    async def _take(self) -> Any:
        consumer = self._chance.choice(("one", "other"))
        # One shard at a time: with which one a queue begins hangs on how often it has looked.
        turns = await self._store.turns.take(consumer, self._chance.randint(1, 3), 1, (shard_of(self._session()),))
        self._turns += turns
        return [(turn.shard, turn.session, turn.version, turn.taken_over) for turn in turns]

    async def _done(self) -> Any:
        if self._turns:
            await self._store.turns.done(self._turns.pop(self._chance.randrange(len(self._turns))))

    async def _set_aside(self) -> Any:
        if self._turns:
            return await self._store.turns.set_aside(self._chance.choice(self._turns), self._chance.randint(1, 2))
        return None

    async def _pack(self) -> Any:
        """Pack a log as it stands, or as it stood: nothing here hangs on what its commits say."""
        session = self._session()
        entries = await self._store.log.read(session)
        if self._chance.random() < 0.7 or not entries:
            return None
        kept = entries[: self._chance.choice((len(entries), len(entries) - 1)) or 1]
        named = (session, kept[-1].version, kept[-1].id, pack([(entry.id, entry.payload) for entry in kept]))
        where = (log_key(session), packing_key(shard_of(session)))
        return await self._store.commands.run(scripts.PACK, where, named)

    async def _to_be_packed(self) -> Any:
        session = self._session()
        if self._chance.random() < 0.3:
            await self._store.packing.enter(session)
        where = packing_key(shard_of(session))
        return await self._store.commands.run(scripts.OVER, (where,), (0, 5, self._chance.choice((-60_000, 0))))

    async def _requeue(self) -> Any:
        return await self._store.turns.requeue(self._session(), self._chance.randint(1, 5))

    async def _ask_hint(self) -> Any:
        session = self._session()
        ids = self._ids[session] or [bytes(16)]
        return await self._store.hints.ask(session, len(ids), self._chance.choice(ids[-2:]), b"?")

    async def _take_hint(self) -> Any:
        requests = await self._store.hints.take(self._chance.randint(1, 2), 1)
        self._requests += requests
        return requests

    async def _answer_hint(self) -> Any:
        if self._requests:
            await self._store.hints.answer(self._requests.pop(0), self._chance.randbytes(9))

    async def _add(self) -> Any:
        return await self._store.players.add(self._chance.choice(self._players), self._session(), next(self._clock))

    async def _finish(self) -> Any:
        return await self._store.players.finish(self._chance.choice(self._players), self._session(), next(self._clock))

    async def _players_sessions(self) -> Any:
        player = self._chance.choice(self._players)
        if self._chance.random() < 0.2:
            await self._store.players.remove(player, self._session())
        return (
            await self._store.players.unfinished(player),
            await self._store.players.finished(player),
            await self._store.players.count_unfinished(player),
        )

    async def _count(self) -> Any:
        return bool(await self._store.quotas.take(self._chance.choice("ab"), 3, 3_600_000))

    async def _settings(self) -> Any:
        player = self._chance.choice(self._players)
        if self._chance.random() < 0.5:
            await self._store.players.put_settings(player, self._chance.randbytes(5))
        return await self._store.players.settings(player), await self._store.devices.standing(player, player)


POLICIES = [Policy(), Policy(archive=True), Policy(finished_ms=5_000_000, abandoned_ms=7_000_000)]


async def real_answers(url: str, seed: int, count: int) -> list[Any]:
    async with Store(url, POLICIES[seed % len(POLICIES)], min_idle_ms=GROUP_IDLE_MS) as store:
        await store.commands.call("{all}", "FLUSHALL")
        questions = Questions(store, seed)
        await questions.ask(count)
        return questions.answers


def simulated_answers(seed: int, count: int, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    with monkeypatch.context() as patched:
        for name in ("connect", "nodes_of"):
            patched.setattr(store_module, name, lambda nodes: nodes)
        loop = SimulatedLoop(Random(seed))
        redis = SimulatedRedis(loop, Random(seed), lambda *_: None)
        nodes: Any = SimulatedNodes(redis, Process(loop, "the only one"))

        async def ask() -> list[Any]:
            async with Store(nodes, POLICIES[seed % len(POLICIES)], min_idle_ms=GROUP_IDLE_MS) as store:
                questions = Questions(store, seed)
                await questions.ask(count)
                return questions.answers

        try:
            return loop.run_until_complete(ask())
        finally:
            loop.close()


def test_the_simulated_store_answers_as_valkey_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with EmbeddedStore(tmp_path / "s") as embedded:
        for seed in range(6):
            real = asyncio.run(real_answers(embedded.url, seed, 250))
            simulated = simulated_answers(seed, 250, monkeypatch)
            for number, (one, other) in enumerate(zip(real, simulated, strict=True)):
                assert one == other, f"seed {seed}, answer {number}"
