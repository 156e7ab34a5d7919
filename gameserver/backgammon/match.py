"""The score of a match: games are won for points until one side has as many as the match is long."""

MATCH_LENGTHS = (1, 5, 7)
"""A single game counts as a match to 1."""

Score = tuple[int, int]
"""The points of (side 0, side 1)."""


def with_game(score: Score, winner: int, points: int) -> Score:
    """The score after side `winner` (0 or 1) has won a game for `points` (1 to 3). Raises `ValueError`.

    >>> with_game((3, 1), 1, 2)
    (3, 3)
    """
    if winner not in (0, 1):
        raise ValueError(f"the sides are 0 and 1, not {winner!r}")
    if points not in (1, 2, 3):
        raise ValueError(f"a game is won for 1, 2 or 3 points, not {points!r}")
    return (score[0] + points, score[1]) if winner == 0 else (score[0], score[1] + points)


def match_winner(score: Score, length: int) -> int | None:
    """The side that has won a match to `length` points, None while it goes on. Raises `ValueError`.

    >>> match_winner((5, 4), 7), match_winner((3, 7), 7), match_winner((3, 0), 1)
    (None, 1, 0)
    """
    if length < 1:
        raise ValueError(f"a match is to 1 point or more, not to {length}")
    if min(score) >= length:
        raise ValueError(f"the score {score[0]}-{score[1]} cannot come up in a match to {length}: both have won")
    for side in (0, 1):
        if score[side] >= length:
            return side
    return None


def points_away(score: Score, length: int) -> Score:
    """The points that each side still needs, 0 for one that has won.

    >>> points_away((3, 0), 5)
    (2, 5)
    """
    return max(length - score[0], 0), max(length - score[1], 0)
