"""The dice of a turn that are still to be played."""

from gameserver.backgammon.errors import NotDice

Dice = tuple[int, ...]
"""Unused dice: two different ones (larger first), up to four equal ones, one, or none."""


def dice_of(first: int, second: int) -> Dice:
    """What a roll gives to play: both dice, the larger first, or the same die four times for a double (R3).

    Raises `NotDice`.

    >>> dice_of(2, 6), dice_of(3, 3)
    ((6, 2), (3, 3, 3, 3))
    """
    for die in (first, second):
        if type(die) is not int or not 1 <= die <= 6:
            raise NotDice(f"a die shows 1 to 6, not {die!r}")
    if first == second:
        return (first,) * 4
    return (max(first, second), min(first, second))


def dice_left(unused: Dice, die: int) -> Dice:
    """The dice that are left when `die` has been played. Raises `NotDice` when it is not among them.

    >>> dice_left((6, 2), 6), dice_left((3, 3, 3, 3), 3)
    ((2,), (3, 3, 3))
    """
    if die not in unused:
        raise NotDice(f"{die} is not among the unused dice {unused}")
    at = unused.index(die)
    return unused[:at] + unused[at + 1 :]


def larger_first(unused: Dice) -> Dice:
    """The same dice in the order that the rules count on. Raises `NotDice` for dice that no turn can have left."""
    for die in unused:
        if type(die) is not int or not 1 <= die <= 6:
            raise NotDice(f"a die shows 1 to 6, not {die!r}")
    if len(unused) > 4 or (len(unused) > 2 and min(unused) != max(unused)):
        raise NotDice(f"no turn can have the dice {unused} left")
    return tuple(sorted(unused, reverse=True))
