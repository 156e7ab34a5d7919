"""How many of the 36 rolls hit a blot: exact, by the rules for using dice, yet fast enough to compare plays with."""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Final

from gameserver.backgammon import Dice, Position, complete_plays, dice_of

_BAR: Final = 25
ROLLS: Final = tuple(combinations_with_replacement(range(1, 7), 2))
"""The 21 different rolls; doubles come up once in 36, the others twice."""


def shots(after: Position) -> int:
    """Rolls out of 36 with which the other side can hit after a play; `after` is seen by the side that played."""
    if not exposed(after):
        return 0
    shooter = after.flipped()
    return sum((1 if a == b else 2) for a, b in ROLLS if _can_hit(shooter, a, b))


def exposed(after: Position) -> tuple[int, ...]:
    """Own blots that an enemy checker is still behind, by point, farthest from home first."""
    cells = after.points
    if cells[0] < 0:
        return tuple(point for point in range(24, 0, -1) if cells[point] == 1)
    rearmost = next((point for point in range(1, 25) if cells[point] < 0), 25)
    return tuple(point for point in range(24, rearmost, -1) if cells[point] == 1)


def _can_hit(shooter: Position, a: int, b: int) -> bool:
    """Whether this roll has a legal play that hits. Cheap tests settle nearly all; the rules settle the rest."""
    cells = list(shooter.points)
    steps = _doubles(cells, a) if a == b else _two_dice(cells, a, b)
    possible = False
    for surely_legal in steps:
        if surely_legal:
            return True
        possible = True
    return possible and _by_the_rules(shooter, dice_of(a, b))


def _by_the_rules(shooter: Position, dice: Dice) -> bool:
    """By every complete play: one that hits leaves more of the other side's checkers on the bar."""
    already = shooter.points[0]
    return any(result.points[0] < already for result in complete_plays(shooter, dice))


def _two_dice(cells: list[int], a: int, b: int) -> Iterator[bool]:
    """Each way to hit with two different dice: True where it is legal for sure, False where the rules must be asked."""
    waiting = cells[_BAR]
    for first, second in ((a, b), (b, a)):
        for source in (_BAR,) if waiting else range(24, first, -1):
            target = source - first
            if cells[source] <= 0 or cells[target] < -1:
                continue
            if cells[target] == -1:
                yield _another_moves(cells, source, target, second)
            elif waiting < 2:
                yield from _second_hits(cells, source, target, second, waiting)


def _second_hits(cells: list[int], source: int, target: int, die: int, waiting: int) -> Iterator[bool]:
    """Hits with the second die after source/target without a hit: with the same checker, or with any after entering."""
    if target > die and cells[target - die] == -1:
        yield True
    if waiting:
        for other in range(24, die, -1):
            if cells[other] > 0 and cells[other - die] == -1:
                yield True


def _another_moves(cells: list[int], source: int, target: int, die: int) -> bool:
    """Whether after source/target the other die moves some checker on the board; if so, both dice are used."""
    if source == _BAR and cells[_BAR] > 1:
        return cells[_BAR - die] >= -1
    if target > die and cells[target - die] >= -1:
        return True
    return any(cells[other] > (other == source) and cells[other - die] >= -1 for other in range(24, die, -1))


def _doubles(cells: list[int], die: int) -> Iterator[bool]:
    """Each checker that comes to a blot by one to four equal steps after all on the bar have entered."""
    waiting = cells[_BAR]
    entry = _BAR - die
    left = 4 - waiting
    if waiting:
        if cells[entry] == -1:
            yield True
        if cells[entry] < 0 or left <= 0:
            return
        cells[_BAR] = 0
        cells[entry] += waiting
    for source in range(24, die, -1):
        if cells[source] <= 0:
            continue
        for steps in range(1, left + 1):
            target = source - steps * die
            if target < 1 or cells[target] < -1:
                break
            if cells[target] == -1:
                yield _plays_on(cells, source, target, die, left - steps)
                break


def _plays_on(cells: list[int], source: int, target: int, die: int, dice: int) -> bool:
    """Whether after source/target the remaining equal dice can be played on the board; if so, all are used."""
    cells = cells.copy()
    cells[source] -= 1
    cells[target] = 1
    while dice:
        mover = next((point for point in range(24, die, -1) if cells[point] > 0 and cells[point - die] >= -1), 0)
        if not mover:
            return False
        cells[mover] -= 1
        cells[mover - die] = max(cells[mover - die], 0) + 1
        dice -= 1
    return True
