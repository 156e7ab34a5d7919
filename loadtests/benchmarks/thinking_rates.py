"""How often games at expert play end in a gammon or a backgammon: what the match equity table is made from.

    python -m loadtests.benchmarks.thinking_rates --games 1000

`±` is one standard error. About a second a game. The rates stand in `gameserver/computer/match_equity.py`.
"""

import argparse
import random

from gameserver.backgammon import Position, game_points
from gameserver.computer.player import Choice, Player
from gameserver.computer.sage import Sage
from loadtests.benchmarks.thinking_decisions import Mean, Roll, turns


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    player = Player(Sage())

    def choose(before: Position, dice: Roll) -> Choice:
        return player.choose("expert", before, dice)

    won: list[int] = []
    for _, _, choice, _ in turns(choose, random.Random(args.seed)):
        points = game_points(choice.after)
        if points:
            won.append(points)
            if len(won) % 100 == 0 or len(won) == args.games:
                gammons, backgammons = (Mean([float(each == points) for each in won]) for points in (2, 3))
                print(f"{len(won)} games: gammons {gammons}, backgammons {backgammons}", flush=True)
            if len(won) == args.games:
                break


if __name__ == "__main__":
    main()
