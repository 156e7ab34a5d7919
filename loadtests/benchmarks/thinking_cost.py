"""What thinking costs: processor time of each level, the hint's, memory; and what the expert's haste loses.

    python -m loadtests.benchmarks.thinking_cost --decisions 400

Times are those of one thread's processor time over all decisions of games of the level against itself, forced ones and
shut-out ones included. The expert's staged thinking is compared with always three plies on the same unforced decisions,
both with and without the preference for safe plays, as judged at four plies. About 15 minutes for 400 decisions.
"""

import argparse
import random
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice

from gameserver.backgammon import Position, complete_plays, dice_of
from gameserver.computer.candidates import Candidate, contenders, first_look, look_closer, safest
from gameserver.computer.deepening import think
from gameserver.computer.evaluator import Evaluator
from gameserver.computer.grading import grade
from gameserver.computer.player import Choice, Player
from gameserver.computer.sage import Sage
from gameserver.session.events import Level
from loadtests.benchmarks.thinking_decisions import Decision, Mean, Roll, decisions, turns
from loadtests.benchmarks.thinking_strength import LEVELS, STRONGER

THREADS = 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    player = Player(Sage())
    player.advise(Position.start(), (2, 1))  # warms up: the first looks fill the tables
    for level in LEVELS:
        _spread(f"{level}, per decision", _times(player, level, args.seed, 3 * args.decisions))
    taken = list(islice(decisions(player, "expert", args.seed, share=0.2), args.decisions))
    _spread("hint", [_timed(partial(player.advise, each.before, dice_of(*each.dice))) for each in taken])
    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(lambda each: player.choose("expert", each.before, each.dice), taken[: 25 * THREADS]))
    print(
        f"memory with {THREADS} threads: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB", flush=True
    )
    _compare(player.evaluator, Sage(deepest=4), taken)


def _timed(work: Callable[[], object]) -> float:
    start = time.thread_time()
    work()
    return 1000 * (time.thread_time() - start)


def _spread(name: str, times: Sequence[float]) -> None:
    cuts = statistics.quantiles(times, n=100)
    print(
        f"{name}: mean {statistics.mean(times):.2f} ms, median {cuts[49]:.2f}, p95 {cuts[94]:.1f}, p99 {cuts[98]:.1f}, "
        f"most {max(times):.1f} ({len(times)} measured)",
        flush=True,
    )


def _times(player: Player, level: Level, seed: int, count: int) -> list[float]:
    chance, times = random.Random(seed), []

    def choose(before: Position, dice: Roll) -> Choice:
        salt = chance.randbytes(8)
        start = time.thread_time()
        choice = player.choose(level, before, dice, salt=salt)
        times.append(1000 * (time.thread_time() - start))
        return choice

    list(islice(turns(choose, chance), count))
    return times


def _always_three_plies(evaluator: Evaluator, before: Position, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Without stages: the best 12 within 0.12 at two plies, the best 5 of them within 0.08 at three."""
    second = look_closer(evaluator, before, contenders(candidates, 0.12, 12), 2, None)
    return look_closer(evaluator, before, contenders(second, 0.08, 5), 3, None)


def _compare(evaluator: Evaluator, judge: Evaluator, taken: Sequence[Decision]) -> None:
    staged: list[list[float]] = []
    always: list[list[float]] = []
    for each in taken:
        plays = complete_plays(each.before, dice_of(*each.dice))
        candidates = first_look(evaluator, each.before, plays, None)
        for losses, thought in (
            (staged, think(evaluator, each.before, candidates, None)),
            (always, _always_three_plies(evaluator, each.before, candidates)),
        ):
            made = thought[0], safest(thought, thought[0])
            graded = {
                one: grade(judge, each.before, each.dice, one, looks=STRONGER).loss
                for one in {candidate.after for candidate in made}
            }
            losses.append([graded[candidate.after] for candidate in made])
    for index, name in enumerate(("best by equity", "safest of equals")):
        ours, theirs = ([each[index] for each in losses] for losses in (staged, always))
        more = Mean([500 * (mine - other) for mine, other in zip(ours, theirs, strict=True)])
        print(
            f"{name}: PR staged {Mean(ours).times(500)}, always three plies {Mean(theirs).times(500)}, "
            f"paired difference {more}",
            flush=True,
        )


if __name__ == "__main__":
    main()
