"""How a game may end, as chances, and what that is worth in points or in match-winning chance."""

from typing import NamedTuple

from gameserver.computer.match_equity import Away, winning_chance


class Outcome(NamedTuple):
    """Chances (0-1) of how the game ends, for the side that has just played.

    `gammon` counts backgammons too, as `win` counts gammons; likewise for the losses.
    """

    win: float
    gammon: float
    backgammon: float
    lose_gammon: float
    lose_backgammon: float

    def flipped(self) -> "Outcome":
        """The same for the other side."""
        return Outcome(1.0 - self.win, self.lose_gammon, self.lose_backgammon, self.gammon, self.backgammon)


def points(outcome: Outcome) -> float:
    """Mean points won in a game without a cube: -3 to 3 (cubeless money equity)."""
    win, gammon, backgammon, lose_gammon, lose_backgammon = outcome
    return 2.0 * win - 1.0 + gammon + backgammon - lose_gammon - lose_backgammon


def match_chance(outcome: Outcome, away: Away) -> float:
    """Chance (0-1) of winning the match."""
    win, gammon, backgammon, lose_gammon, lose_backgammon = outcome
    mine, theirs = away
    return (
        (win - gammon) * winning_chance(mine - 1, theirs)
        + (gammon - backgammon) * winning_chance(mine - 2, theirs)
        + backgammon * winning_chance(mine - 3, theirs)
        + (1.0 - win - lose_gammon) * winning_chance(mine, theirs - 1)
        + (lose_gammon - lose_backgammon) * winning_chance(mine, theirs - 2)
        + lose_backgammon * winning_chance(mine, theirs - 3)
    )


def equity(outcome: Outcome, away: Away | None) -> float:
    """What plays are ranked by.

    Without a score: points. In a match: its winning chance, on the straight scale that makes a single win +1 and a
    single loss -1, so that losses mean about the same at every score.
    """
    if away is None:
        return points(outcome)
    mine, theirs = away
    won, lost = winning_chance(mine - 1, theirs), winning_chance(mine, theirs - 1)
    return (2.0 * match_chance(outcome, away) - won - lost) / (won - lost)
