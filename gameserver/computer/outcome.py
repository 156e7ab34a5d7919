"""How a game may end, as chances, and what that is worth in points or in match-winning chance."""

from collections.abc import Sequence
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

    @classmethod
    def consistent(cls, chances: Sequence[float]) -> "Outcome":
        """From five estimates that know nothing of each other: each is kept between 0 and what it is a part of."""
        win = min(max(chances[0], 0.0), 1.0)
        gammon = min(max(chances[1], 0.0), win)
        lose_gammon = min(max(chances[3], 0.0), 1.0 - win)
        backgammon, lose_backgammon = max(chances[2], 0.0), max(chances[4], 0.0)
        return cls(win, gammon, min(backgammon, gammon), lose_gammon, min(lose_backgammon, lose_gammon))

    def flipped(self) -> "Outcome":
        """The same for the other side."""
        return Outcome(1.0 - self.win, self.lose_gammon, self.lose_backgammon, self.gammon, self.backgammon)


def game_over(points_won: int) -> Outcome | None:
    """The outcome of a game that the side that has just played has won with 1, 2 or 3 points; None for 0."""
    return Outcome(1.0, float(points_won >= 2), float(points_won >= 3), 0.0, 0.0) if points_won else None


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
