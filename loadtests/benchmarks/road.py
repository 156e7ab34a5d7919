"""The road of a command, stage by stage, in one process and without the network: microseconds of each.

    python -m loadtests.benchmarks.road

Real sessions played by chance; every stage is timed on the same commits. Times depend on the
machine, the shares hardly.
"""

from __future__ import annotations

import random
import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

import msgspec

from gameserver.backgammon import complete_plays, dice_of
from gameserver.session.commands import (
    Command,
    EndTurn,
    GiveSeed,
    MoveChecker,
    NextGame,
    Roll,
    StartSession,
    TakeTurn,
    Undo,
)
from gameserver.session.decide import Decision, Entropy, computers_dice, decide, head, start
from gameserver.session.events import Commit, Side, decode_commit, encode_commit
from gameserver.session.ids import CommandId, PlayerId, SessionId
from gameserver.session.state import State, evolve, fold
from gameserver.session.view import View, change, frames, view
from gameserver.web.messages import Diff, decode, encode

SESSIONS: Final = 6
P = ParamSpec("P")
T = TypeVar("T")


class Clock:
    """Collects the time of each stage, in microseconds."""

    def __init__(self) -> None:
        self.times: defaultdict[str, list[float]] = defaultdict(list)

    def timed(self, stage: str, work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        began = time.perf_counter_ns()
        result = work(*given, **named)
        self.times[stage].append((time.perf_counter_ns() - began) / 1000)
        return result


def next_command(state: State, seen: View, choose: random.Random, secret: bytes) -> tuple[Command, Entropy]:
    """Something that the session takes now."""
    command, base, entropy = CommandId(choose.randbytes(16)), head(state), Entropy(secret)
    if seen.phase == "seed":
        return GiveSeed(command, base, choose.randbytes(32)), entropy
    if seen.phase == "to-roll":
        return Roll(command, base), entropy
    if seen.phase == "moving":
        if seen.moves and choose.random() < 0.1:
            return Undo(command, base), entropy
        source, path, *_ = choose.choice(seen.options)
        return MoveChecker(command, base, source, tuple(path[::2])), entropy
    if seen.phase == "confirm":
        return EndTurn(command, base), entropy
    if seen.phase == "game-over":
        return NextGame(command, base), Entropy(secret, fresh=choose.randbytes(32))
    plays = complete_plays(state.position.flipped(), dice_of(*computers_dice(state, secret)))
    play = choose.choice(list(plays.values())) if plays else ()
    return TakeTurn(command, base, play, (0,) * (len(play) + 2)), entropy


def on_the_wire(command: Command) -> bytes:
    """The frame of a player's command."""
    return msgspec.msgpack.encode(command)


def play(clock: Clock, choose: random.Random) -> None:
    """One match to 7, every stage of every command timed."""
    player, command = PlayerId(choose.randbytes(16)), CommandId(choose.randbytes(16))
    secret = choose.randbytes(32)
    starting = StartSession(
        command, player, SessionId(choose.randbytes(16)), "normal", 7, "real", choose.random() < 0.5, False, False
    )
    first = Commit(command, Side.PLAYER, 0, start(starting, secret))
    state = fold([first])
    assert state is not None
    seen = view(state)
    while not state.is_finished:
        wanted, entropy = next_command(state, seen, choose, secret)
        secret = entropy.fresh or secret
        if not isinstance(wanted, TakeTurn):
            clock.timed("decode the frame", decode, on_the_wire(wanted))
        stage = "decide" if not isinstance(wanted, TakeTurn) else "decide the computer's turn"
        before, before_view = state, seen
        decision = clock.timed(stage, decide, before, wanted, entropy)
        assert isinstance(decision, Decision), decision
        commit = Commit(CommandId(wanted.id), Side.PLAYER, 0, decision.events)
        payload = clock.timed("encode the commit", encode_commit, commit)
        clock.timed("decode the commit", decode_commit, commit.id, payload)
        state = clock.timed("evolve", evolve, before, commit)
        seen = clock.timed("view", view, state, before_view)
        changed = clock.timed("change", change, before_view, seen)
        shown = clock.timed("frames", frames, before, commit)
        diff = Diff(
            from_=before.version,
            version=state.version,
            last=commit.id,
            by=commit.by,
            frames=shown,
            set=changed.fields,
            board=changed.board,
            record=changed.record,
        )
        clock.timed("encode the diff", encode, diff)


def main() -> None:
    clock = Clock()
    for number in range(SESSIONS):
        play(clock, random.Random(number))
    commits = len(clock.times["evolve"])
    print(f"{commits} commits of {SESSIONS} matches to 7; microseconds")
    print(f"{'stage':28}{'median':>10}{'mean':>10}{'p99':>10}")
    total = 0.0
    for stage, times in clock.times.items():
        times.sort()
        total += sum(times)
        late = times[int(0.99 * len(times))]
        print(f"{stage:28}{statistics.median(times):10.1f}{statistics.mean(times):10.1f}{late:10.1f}")
    print(f"{'all of it, a commit':28}{'':10}{total / commits:10.1f}")


if __name__ == "__main__":
    main()
