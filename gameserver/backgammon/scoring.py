"""What a position is worth on sight: pips, race, and the points of a finished game."""

from gameserver.backgammon.position import BAR, Position


def pip_counts(position: Position) -> tuple[int, int]:
    """The distances that (the side on roll, its opponent) have to go; a checker on the bar counts 25.

    >>> pip_counts(Position.start())
    (167, 167)
    """
    mine = theirs = 0
    for point, count in enumerate(position.points):
        if count > 0:
            mine += point * count
        else:
            theirs -= (BAR - point) * count
    return mine, theirs


def is_race(position: Position) -> bool:
    """Whether the sides have passed each other, so that no checker can be hit or blocked any more."""
    points = position.points
    mine = BAR
    while mine >= 0 and points[mine] <= 0:
        mine -= 1
    return min(points[: mine + 1], default=0) >= 0


def game_points(position: Position) -> int:
    """The points that the side on roll has won, 0 unless it has borne off all its checkers.

    1 when the loser has borne off at least one; else 2 (gammon), or 3 (backgammon) when one of its checkers still
    stands on the bar or in the winner's home board.
    """
    points = position.points
    if max(points) > 0:
        return 0
    if position.their_off:
        return 1
    return 3 if min(points[:7]) < 0 else 2
