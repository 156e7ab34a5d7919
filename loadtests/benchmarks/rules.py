"""How fast the rules are, and how large what a page is told after a roll is.

    python -m loadtests.benchmarks.rules [--positions 2000] [--seed 1]

Positions come from crude self-play: the sixth to the thirtieth turn, in contact, nobody bearing off; each with
one roll, doubles with their natural share. Times are of one call in microseconds, the best of three; sizes are of
MessagePack, in bytes.
"""

import argparse
import gc
import random
import statistics
import time
from collections.abc import Callable, Sequence

import msgpack

from gameserver.backgammon import Dice, Option, Position, complete_plays, dice_of, is_race, legal_moves, options

Case = tuple[Position, tuple[int, int]]


def mid_game(count: int, seed: int) -> list[Case]:
    """Positions of self-play, each with the roll to play: after five turns, before the race and before bearing off."""
    chance = random.Random(seed)
    cases: list[Case] = []
    while len(cases) < 4 * count:
        position = Position.start()
        for turn in range(30):
            roll = (chance.randint(1, 6), chance.randint(1, 6))
            if turn >= 5 and not is_race(position):
                cases.append((position, roll))
            results = list(complete_plays(position, dice_of(*roll))) or [position]
            after = max(results, key=lambda result: sense(result) + chance.gauss(0, 1))
            if after.off:
                break
            position = after.flipped()
    return chance.sample(cases, count)


def sense(result: Position) -> float:
    """A crude liking for made points and hits and against blots, so that the games look like games."""
    made = sum(1 for point in range(3, 9) if result.points[point] >= 2)
    blots = sum(1 for count in result.points[1:25] if count == 1)
    return 1.5 * made - blots - 1.5 * result.points[0] + 0.2 * result.off


def wire_path(option: Option) -> list[int]:
    """`[die, to, die, to, ...]` as docs/protocol.md has it."""
    return [number for move in option.path for number in (move.die, -move.target if move.hit else move.target)]


def wire_options(found: Sequence[Option]) -> list[object]:
    """The view's field `options` as docs/protocol.md has it."""
    return [
        [option.source, wire_path(option), [[then.source, wire_path(then)] for then in option.then]] for option in found
    ]


def diff_after_a_roll(roll: tuple[int, int], unused: Dice, found: Sequence[Option]) -> bytes:
    """The whole diff that a page gets for its roll, as docs/protocol.md has it."""
    changed = {
        "phase": "moving",
        "dice": {"side": 0, "values": list(roll), "unused": list(unused)},
        "options": wire_options(found),
        "may": ["move", "play", "hint", "leave", "restart", "options"],
    }
    frames = [[0, "dice", 0, *roll]]
    diff = {"t": "diff", "from": 99, "version": 100, "last": bytes(16), "by": 0, "frames": frames, "set": changed}
    packed: bytes = msgpack.packb(diff)
    return packed


def microseconds(call: Callable[[Position, Dice], object], cases: Sequence[tuple[Position, Dice]]) -> list[float]:
    """The time of the call for each case."""
    times = []
    for position, dice in cases:
        best = float("inf")
        for _ in range(3):
            start = time.perf_counter_ns()
            call(position, dice)
            best = min(best, time.perf_counter_ns() - start)
        times.append(best / 1000)
    return times


def line(name: str, values: Sequence[float]) -> str:
    """Median, 99th percentile and maximum, ready to print."""
    ordered = sorted(values)
    return (
        f"{name:<34}{statistics.median(ordered):>10.1f}{ordered[len(ordered) * 99 // 100]:>10.1f}{ordered[-1]:>10.1f}"
        f"   n={len(ordered)}"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="micro-benchmark of gameserver.backgammon")
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rolled = mid_game(arguments.positions, arguments.seed)
    every = [(position, dice_of(*roll)) for position, roll in rolled]
    kinds = {
        "": every,
        ", two dice": [case for case in every if len(case[1]) == 2],
        ", doubles": [case for case in every if len(case[1]) == 4],
    }
    print(f"{'':<34}{'median':>10}{'p99':>10}{'max':>10}")
    gc.collect()
    for name, call in (("legal_moves", legal_moves), ("options", options), ("complete_plays", complete_plays)):
        for kind, cases in kinds.items():
            print(line(f"{name}{kind} [us]", microseconds(call, cases)))
    for kind, cases in kinds.items():
        sizes = [len(msgpack.packb(wire_options(options(position, dice)))) for position, dice in cases]
        print(line(f"options{kind} [bytes]", sizes))
    diffs = [
        len(diff_after_a_roll(roll, dice_of(*roll), options(position, dice_of(*roll)))) for position, roll in rolled
    ]
    print(line("diff after a roll [bytes]", diffs))


if __name__ == "__main__":
    main()
