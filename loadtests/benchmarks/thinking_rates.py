"""How often a game at expert play ends in a gammon or a backgammon: what the match equity table is made from.

    python -m loadtests.benchmarks.thinking_rates

The mean over the fifteen openings of what the expert expects at three plies after its play: the same as counting the
ends of its games, with far less noise. `thinking_duel` counts them too. Takes a few seconds.
"""

import argparse
from itertools import combinations

from gameserver.backgammon import Position
from gameserver.computer.player import Player
from gameserver.computer.sage import Sage


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    network, start = Sage(), Position.start()
    openings = list(combinations(range(1, 7), 2))
    plays = [Player(network).choose("expert", start, dice).after for dice in openings]
    outcomes = network.outcomes(start, plays, 3)
    backgammons = sum(each.backgammon + each.lose_backgammon for each in outcomes) / len(openings)
    gammons = sum(each.gammon + each.lose_gammon for each in outcomes) / len(openings) - backgammons
    print(f"of all games: gammons {gammons:.3f}, backgammons {backgammons:.3f}")


if __name__ == "__main__":
    main()
