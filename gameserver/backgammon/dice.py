"""The dice of a turn that are still to be played."""

from gameserver.backgammon.errors import NotDice

Dice = tuple[int, ...]
"""Unused dice: two different ones (larger first), up to four equal ones, one, or none."""


def dice_of(first: int, second: int) -> Dice:
    """What a roll gives to play: both dice, the larger first, or the same die four times for a double.

    Raises `NotDice`.

    >>> dice_of(2, 6), dice_of(3, 3)
    ((6, 2), (3, 3, 3, 3))
    """
    for die in (first, second):
        if type(die) is not int or not 1 <= die <= 6:
            raise NotDice(f"a die shows 1 to 6, not {die!r}")
    return _ROLLS[first][second]


_ROLLS: tuple[tuple[Dice, ...], ...] = tuple(
    tuple((first,) * 4 if first == second else (max(first, second), min(first, second)) for second in range(7))
    for first in range(7)
)
"""Made once and shared: sessions keep many."""


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
    ordered = _LARGER_FIRST.get(unused)
    if ordered is None:
        raise NotDice(f"no turn can have the dice {unused} left")
    return ordered


_FACES = range(1, 7)
_LARGER_FIRST: dict[Dice, Dice] = {(): ()}
_LARGER_FIRST |= {(die,): (die,) for die in _FACES}
_LARGER_FIRST |= {(one, two): (max(one, two), min(one, two)) for one in _FACES for two in _FACES}
_LARGER_FIRST |= {(die,) * count: (die,) * count for die in _FACES for count in (3, 4)}
