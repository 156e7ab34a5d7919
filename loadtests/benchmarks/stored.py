"""What the store keeps for a single game: in progress, finished, and finished and packed.

    python -m loadtests.benchmarks.stored [--games 60]

Real games with all their keys on a store of their own: played by chance with undos, which makes them long, and by the
normal level on both sides. Each key by MEMORY USAGE, as the store tells it; and what its data take in all, for it
allots a stream more than it tells.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import redis

from gameserver.backgammon import Move
from gameserver.computer.fallback import Fallback
from gameserver.computer.pacing import DRAWS, Ease, turn_times
from gameserver.computer.player import Player
from gameserver.session.commands import Command, MoveChecker, StartSession, TakeTurn
from gameserver.session.decide import Decision, Entropy, computers_dice, decide, head, start
from gameserver.session.events import Commit, Side, encode_commit
from gameserver.session.ids import CommandId, PlayerId, SessionId
from gameserver.session.state import Playing, State, evolve
from gameserver.session.view import view
from gameserver.store import EmbeddedStore, Store
from gameserver.store.keys import log_key, secrets_key
from loadtests.benchmarks.road import next_command

BEGAN: Final = 1_790_000_000_000
SECRET: Final = random.Random(0).randbytes(32)
Choose = Callable[[State, bytes], tuple[Command, Entropy]]


def game(chance: random.Random, choose: Choose, secret: bytes) -> Iterator[tuple[State, Commit]]:
    """A single game at the real pace: each commit and the state after it."""
    player, session = PlayerId(chance.randbytes(16)), SessionId(chance.randbytes(16))
    first = StartSession(CommandId(chance.randbytes(16)), player, session, "normal", 1, "real", True, False, False)
    at = BEGAN
    commit = Commit(first.id, Side.PLAYER, at, start(first, secret))
    state = evolve(None, commit)
    yield state, commit
    while not state.is_finished:
        command, entropy = choose(state, secret)
        by = Side.PLAYER
        at += chance.randrange(300, 8_000)
        if isinstance(command, TakeTurn):
            by = Side.COMPUTER
            at += chance.randrange(5, 100)
            draws = [chance.random() for _ in range(DRAWS)]
            times = turn_times("real", len(command.play), Ease.of(9 if command.play else 0), draws)
            command = TakeTurn(command.id, command.base, command.play, times)
        decision = decide(state, command, entropy)
        assert isinstance(decision, Decision), decision
        commit = Commit(CommandId(command.id), by, at, decision.events)
        state = evolve(state, commit)
        yield state, commit


def by_chance(chance: random.Random) -> Choose:
    """Any move of any side, and an undo now and then."""
    return lambda state, secret: next_command(state, view(state), chance, secret)


def by_level(chance: random.Random, player: Player) -> Choose:
    """Both sides choose as the normal level does."""
    plan: list[Move] = []

    def choose(state: State, secret: bytes) -> tuple[Command, Entropy]:
        turn = state.phase
        salt = state.session + state.version.to_bytes(8, "big")
        if state.computer_is_due:
            dice = computers_dice(state, secret)
            play = player.choose(state.level, state.position.flipped(), dice, None, salt).play
            return TakeTurn(CommandId(chance.randbytes(16)), head(state), play, (0,) * (len(play) + 2)), Entropy(secret)
        if isinstance(turn, Playing):
            if not turn.moves:
                plan[:] = player.choose(state.level, state.position, turn.dice, None, salt).play
            if plan:
                move = plan.pop(0)
                return MoveChecker(CommandId(chance.randbytes(16)), head(state), move.source, (move.die,)), Entropy(
                    secret
                )
        return next_command(state, view(state), chance, secret)

    return choose


async def appended(store: Store, played: Sequence[tuple[State, Commit]]) -> None:
    """Write a game as servers and workers do, index included."""
    session, player = played[0][0].session, played[0][0].player
    await store.players.add(player, session, BEGAN)
    for before, (state, commit) in zip([None, *(state for state, _ in played)], played, strict=False):
        await store.log.append(
            session,
            0 if before is None else before.version,
            None if before is None else before.last,
            commit.id,
            encode_commit(commit),
            computer_due=False,
            finished=state.is_finished,
            secret=(1, SECRET) if before is None else None,
        )
    if played[-1][0].is_finished:
        await store.players.finish(player, session, BEGAN)


def measured(client: redis.Redis, sessions: Sequence[bytes]) -> list[int]:
    """Bytes of all keys of each session."""
    return [sum(int(client.memory_usage(key(session)) or 0) for key in (log_key, secrets_key)) for session in sessions]


def in_all(client: redis.Redis) -> int:
    """What the store's data take."""
    return int(client.info("memory")["used_memory"])


def told(what: str, sizes: Sequence[int], in_all: float) -> str:
    ordered = sorted(sizes)
    p90 = ordered[int(0.9 * len(ordered))]
    middle, mean = statistics.median(ordered), statistics.mean(ordered)
    return f"  {what:30}{middle:8.0f}{mean:8.0f}{p90:8}{ordered[-1]:8}{in_all:14.0f}"


async def compare(games: Sequence[list[tuple[State, Commit]]]) -> None:
    """Store these games: all but their ends, then their ends, then packed."""
    sessions = [played[0][0].session for played in games]
    sizes: dict[str, tuple[list[int], int]] = {}
    with tempfile.TemporaryDirectory() as directory, EmbeddedStore(Path(directory)) as embedded:
        async with Store(embedded.url) as store:
            with redis.Redis.from_url(embedded.url) as client:
                for played in games:
                    await appended(store, played[:-1])
                sizes["in progress, near its end"] = measured(client, sessions), in_all(client)
                for played in games:
                    await appended(store, played)
                sizes["finished"] = measured(client, sessions), in_all(client)
                packed = 0
                while packed < len(games):
                    packed += await store.packing.pack_some(after_ms=0)
                sizes["packed"] = measured(client, sessions), in_all(client)
                client.flushall()
                nothing = in_all(client)
    for what, (of_keys, of_all) in sizes.items():
        print(told(what, of_keys, (of_all - nothing) / len(games)))


def report(count: int) -> None:
    """Print the table, of so many games of each kind."""
    player = Player(Fallback())
    print(f"{'bytes of a single game':32}{'median':>8}{'mean':>8}{'p90':>8}{'most':>8}{'in all, each':>14}")
    for kind in ("by chance", "by level"):
        games = []
        for chance in map(random.Random, range(count)):
            choose = by_chance(chance) if kind == "by chance" else by_level(chance, player)
            games.append(list(game(chance, choose, SECRET)))
        commits = statistics.mean(map(len, games))
        print(f"{count} games {kind}: {commits:.0f} commits in the mean")
        asyncio.run(compare(games))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=60)
    report(parser.parse_args().games)


if __name__ == "__main__":
    main()
