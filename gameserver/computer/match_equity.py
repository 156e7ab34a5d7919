"""Match-winning chances at a score, for matches without a doubling cube.

The usual tables assume a cube, which makes every game worth more than it is here. Ours is computed by recursion over
the result of the next game: both sides are equally likely to win it, and the winner scores 2 or 3 at the rates measured
at expert play (`python -m loadtests.benchmarks.thinking_rates`; the games of `thinking_duel` agree).
"""

from functools import cache
from typing import NamedTuple

# Shares of all won games; a backgammon is not counted as a gammon here.
GAMMON_RATE = 0.265
BACKGAMMON_RATE = 0.014

LONGEST_MATCH = 25


class Away(NamedTuple):
    """Points that each side still needs to win the match, from the view of the side on roll; at least 1."""

    mine: int
    theirs: int

    @classmethod
    def of(cls, mine: int, theirs: int) -> "Away":
        """Checked. Raises ValueError for anything but whole numbers from 1 to 25."""
        for away in (mine, theirs):
            if type(away) is not int or not 1 <= away <= LONGEST_MATCH:
                raise ValueError(f"points away must be whole numbers from 1 to {LONGEST_MATCH}, not {away!r}")
        return cls(mine, theirs)


@cache
def winning_chance(mine: int, theirs: int) -> float:
    """Chance (0-1) of winning the match before its next game, by points away; 0 or less has won."""
    if mine <= 0:
        return 1.0
    if theirs <= 0:
        return 0.0
    if mine == theirs:
        return 0.5
    rates = ((1, 1.0 - GAMMON_RATE - BACKGAMMON_RATE), (2, GAMMON_RATE), (3, BACKGAMMON_RATE))
    return 0.5 * sum(
        rate * (winning_chance(mine - points, theirs) + winning_chance(mine, theirs - points)) for points, rate in rates
    )
