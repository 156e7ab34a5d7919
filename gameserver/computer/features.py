"""What a player sees in a position: anchors, primes, blots, back checkers. Plain counting, no judgement.

All functions take the position after a play as the side that played sees it, or the position before it.
"""

from typing import Final, NamedTuple

from gameserver.backgammon import Position

THEIR_HOME: Final = range(19, 25)


def points_made(position: Position) -> frozenset[int]:
    """Points that hold two or more own checkers."""
    cells = position.points
    return frozenset(point for point in range(1, 25) if cells[point] >= 2)


def anchors(position: Position) -> frozenset[int]:
    """Points made in the other side's home board."""
    cells = position.points
    return frozenset(point for point in THEIR_HOME if cells[point] >= 2)


def prime(position: Position) -> int:
    """The longest run of own points made in front of an enemy checker, 0-6 or more."""
    cells = position.points
    rearmost = 0 if cells[0] < 0 else next((point for point in range(1, 25) if cells[point] < 0), 25)
    longest = run = 0
    for point in range(rearmost + 1, 25):
        run = run + 1 if cells[point] >= 2 else 0
        longest = max(longest, run)
    return longest


def back_checkers(position: Position) -> int:
    """Own checkers in the other side's home board or on the bar."""
    cells = position.points
    return sum(cells[point] for point in range(19, 26) if cells[point] > 0)


def hits(before: Position, after: Position) -> int:
    """Enemy checkers that the play sent to the bar."""
    return before.points[0] - after.points[0]


class Danger(NamedTuple):
    """A rough measure of risk, for comparing dozens of plays in a moment; `shots` is exact."""

    blots: int
    direct: int
    """Pairs of a blot and an enemy checker 1-6 pips behind it."""


def danger(after: Position) -> Danger:
    """Blots that can be hit at all, and how directly."""
    cells = after.points
    on_bar = cells[0] < 0
    seen = -cells[0]
    blots = direct = 0
    for point in range(1, 25):
        count = cells[point]
        if count == 1 and seen:
            blots += 1
            direct += sum(cells[near] < 0 for near in range(max(point - 6, 1), point)) + (on_bar and point <= 6)
        elif count < 0:
            seen -= count
    return Danger(blots, direct)
