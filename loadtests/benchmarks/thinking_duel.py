"""The expert against GNU Backgammon 2-ply: points a game, with the luck of the dice taken out.

    python -m loadtests.benchmarks.thinking_duel --pairs 300

Each pair of games has the same dice, with the sides changed. Luck is taken out by subtracting, for every roll, how much
better its best play is than the mean over all rolls (by a first look); that does not bias the result, whatever the
first look is worth. `±` is one standard error over the pairs. A pair takes about 5 seconds.

The shares of gammons and backgammons check those that the match equity table is made from.
"""

import argparse
import random
from typing import NamedTuple

from gameserver.backgammon import Position, complete_plays, dice_of, game_points
from gameserver.computer.evaluator import Evaluator
from gameserver.computer.outcome import points
from gameserver.computer.player import Player
from gameserver.computer.sage import Sage
from gameserver.computer.shots import ROLLS
from loadtests.benchmarks.thinking_decisions import Mean, Roll, roll
from loadtests.benchmarks.thinking_gnu import GnuBackgammon


class Result(NamedTuple):
    """Points that the expert won in a game, as played and without luck."""

    played: float
    adjusted: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    player = Player(Sage())
    pairs: list[tuple[Result, Result]] = []
    with GnuBackgammon() as gnu:
        for number in range(args.pairs):
            first, second = (_game(player, gnu, f"{args.seed}/{number}", starts) for starts in (True, False))
            pairs.append((first, second))
            if len(pairs) % 10 == 0 or len(pairs) == args.pairs:
                _report(pairs)


def _game(player: Player, gnu: GnuBackgammon, dice_of_pair: str, expert_starts: bool) -> Result:
    chance = random.Random(dice_of_pair)
    position, experts_turn, luck, first = Position.start(), expert_starts, 0.0, True
    while True:
        dice = roll(chance, opening=first)
        sign = 1.0 if experts_turn else -1.0
        luck += sign * _luck(player.evaluator, position, dice, opening=first)
        after = _play(player, gnu, position, dice, experts_turn)
        won = game_points(after)
        if won:
            return Result(sign * won, sign * won - luck)
        position, experts_turn, first = after.flipped(), not experts_turn, False


def _play(player: Player, gnu: GnuBackgammon, position: Position, dice: Roll, experts_turn: bool) -> Position:
    if experts_turn:
        return player.choose("expert", position, dice).after
    plays = complete_plays(position, dice_of(*dice))
    return gnu.play(position, plays).after if plays else position


def _luck(evaluator: Evaluator, position: Position, dice: Roll, *, opening: bool) -> float:
    values = {(a, b): _best(evaluator, position, (a, b)) for a, b in ROLLS if not opening or a != b}
    weights = {each: 1 if each[0] == each[1] else 2 for each in values}
    mean = sum(weights[each] * value for each, value in values.items()) / sum(weights.values())
    return values[min(dice), max(dice)] - mean


def _best(evaluator: Evaluator, position: Position, dice: Roll) -> float:
    plays = list(complete_plays(position, dice_of(*dice))) or [position]
    return max(map(points, evaluator.outcomes(position, plays, 1)))


def _report(pairs: list[tuple[Result, Result]]) -> None:
    adjusted = Mean([(first.adjusted + second.adjusted) / 2 for first, second in pairs])
    played = Mean([(first.played + second.played) / 2 for first, second in pairs])
    print(f"{2 * len(pairs)} games: {adjusted} points a game without luck, {played} as played")
    worth = [abs(game.played) for pair in pairs for game in pair]
    gammons, backgammons = (Mean([100.0 * (each == points) for each in worth]) for points in (2, 3))
    print(f"  of 100 games: gammons {gammons}, backgammons {backgammons}", flush=True)


if __name__ == "__main__":
    main()
