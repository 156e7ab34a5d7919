"""How strong each level is, and how human its mistakes are.

    python -m loadtests.benchmarks.thinking_strength --decisions 500

PR is 500 times the mean equity (cubeless, points a game) lost per unforced decision, here in games of the level against
itself. Two judges: the computer's own evaluator deeper than the level looks (three plies; four for the expert), and GNU
Backgammon at what it calls 2-ply. `±` is one standard error. 500 decisions take about 10 minutes, nearly all of it for
the judges.
"""

import argparse
from collections import Counter, defaultdict
from itertools import islice

from gameserver.computer.engine import open_player
from gameserver.computer.fallback import Fallback
from gameserver.computer.grading import JUDGE, Grade, Look, grade
from gameserver.computer.mistakes import Mistake
from gameserver.computer.player import Player
from gameserver.computer.sage import Sage
from gameserver.session.events import Level
from loadtests.benchmarks.thinking_decisions import Decision, Mean, decisions
from loadtests.benchmarks.thinking_gnu import GnuBackgammon

LEVELS: tuple[Level, ...] = ("beginner", "normal", "expert")
STRONGER = (*JUDGE, Look(4, 4, 0.04))
GNU_TWO_PLY = (Look(3, 8, 0.16),)
KINDS: dict[str, tuple[Mistake, ...]] = {
    "needless blot": (Mistake.NEEDLESS_BLOT,),
    "early break of an anchor or prime": (Mistake.BROKE_ANCHOR, Mistake.BROKE_PRIME),
    "missed point or hit": (Mistake.MISSED_POINT, Mistake.MISSED_HIT),
    "running too early": (Mistake.RAN_EARLY,),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=int, default=500, help="of each level")
    parser.add_argument("--levels", nargs="+", choices=LEVELS, default=LEVELS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fallback", action="store_true", help="play with the fallback evaluator")
    parser.add_argument("--no-gnu", action="store_true", help="leave out the second judge")
    args = parser.parse_args()
    player = Player(Fallback()) if args.fallback else open_player()
    judge = Sage(deepest=4)
    found: dict[str, list[Grade]] = {}
    with GnuBackgammon() as gnu:
        for level in args.levels:
            # Every fifth decision: neighbours have much in common.
            taken = list(islice(decisions(player, level, args.seed, share=0.2), args.decisions))
            looks = STRONGER if level == "expert" else JUDGE
            found[level] = [grade(judge, each.before, each.dice, each.choice.after, looks=looks) for each in taken]
            _report(level, taken, found[level], f"bgsage {looks[-1].plies}-ply")
            if not args.no_gnu:
                graded = [grade(gnu, each.before, each.dice, each.choice.after, looks=GNU_TWO_PLY) for each in taken]
                losses = Mean([each.loss for each in graded])
                print(
                    f"  judged by GNU 2-ply: PR {losses.times(500)}, worst choice {max(losses.values):.3f}", flush=True
                )
    if "beginner" in found and "normal" in found:
        _compare_mistakes(found["beginner"], found["normal"])


def _report(level: str, taken: list[Decision], grades: list[Grade], judge: str) -> None:
    losses = Mean([each.loss for each in grades])
    print(f"{level}: {len(grades)} unforced decisions")
    print(f"  judged by {judge}: PR {losses.times(500)}, worst choice {max(losses.values):.3f}")
    phases: dict[str, list[float]] = defaultdict(list)
    for each, graded in zip(taken, grades, strict=True):
        phases[each.phase].append(graded.loss)
    for name, values in sorted(phases.items()):
        print(f"    {name}: {len(values)} decisions, PR {Mean(values).times(500)}")


def _compare_mistakes(beginner: list[Grade], normal: list[Grade]) -> None:
    print("mistakes (0.02 points or more), per 100 unforced decisions")
    for name, kinds in KINDS.items():
        rates = [Mean([100.0 * bool(each.mistakes & set(kinds)) for each in grades]) for grades in (beginner, normal)]
        ratio = rates[0].value / rates[1].value if rates[1].value else float("inf")
        print(f"  {name}: beginner {rates[0]}, normal {rates[1]}, ratio {ratio:.2f}")
    single = [Counter(kind for each in grades for kind in each.mistakes) for grades in (beginner, normal)]
    for kind in Mistake:
        beginners, normals = (
            100 * count[kind] / len(grades) for count, grades in zip(single, (beginner, normal), strict=True)
        )
        print(f"    {kind.value}: beginner {beginners:.1f}, normal {normals:.1f}")


if __name__ == "__main__":
    main()
