"""Legal or not, said without the product's rules: on the brute force's board, with what was found kept."""

from functools import lru_cache

from gameserver.backgammon import Position
from tests.backgammon import brute_force
from tests.backgammon.brute_force import Side, Step

Dice = tuple[int, ...]


@lru_cache(maxsize=200_000)
def _most(mine: Side, theirs: Side, dice: Dice) -> int:
    """How many of these dice can be played at most; none once the game is over."""
    if max(mine) == 0:
        return 0
    most = 0
    for die in set(dice):
        rest = _without(dice, die)
        for step in brute_force.steps(mine, theirs, die):
            most = max(most, 1 + _most(*brute_force.after(mine, theirs, step), rest))
            if most == len(dice):
                return most
    return most


@lru_cache(maxsize=20_000)
def legal_steps(position: Position, dice: Dice) -> frozenset[Step]:
    """Every (source, die, target, hit) that the rules allow now."""
    mine, theirs = brute_force.sides(position)
    if max(mine) == 0 or min(theirs) == 25:
        return frozenset()
    most = _most(mine, theirs, dice)
    playable = []
    ending = []
    for die in set(dice):
        rest = _without(dice, die)
        for step in brute_force.steps(mine, theirs, die):
            after = brute_force.after(mine, theirs, step)
            if max(after[0]) == 0:
                ending.append(step)
            elif 1 + _most(*after, rest) == most:
                playable.append(step)
    if most == 1 and len(set(dice)) == 2:
        larger = [step for step in playable if step[1] == max(dice)]
        playable = larger or playable
    return frozenset(playable + ending)


def _without(dice: Dice, die: int) -> Dice:
    rest = list(dice)
    rest.remove(die)
    return tuple(rest)
