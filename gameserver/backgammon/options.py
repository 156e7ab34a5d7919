"""What a page that knows no rules is told: where each checker may go now, and what may be done after that."""

from functools import cache
from typing import NamedTuple

from gameserver.backgammon.dice import Dice, larger_first
from gameserver.backgammon.moves import MOVES, Move, do, is_over, legal_on, moves_with, undo
from gameserver.backgammon.position import OFF, Position


class Option(NamedTuple):
    """One checker moved by one die or more.

    `path`: its moves in order, each stop allowed. `then`: the options after it, whose own `then` is empty.
    """

    source: int
    path: tuple[Move, ...]
    then: "tuple[Option, ...]"


def options(position: Position, unused: Dice) -> tuple[Option, ...]:
    """Everything that one drag may do now with the unused dice, and what each leaves to be done next.

    The order is that of preference: whoever looks for a way from one point to another takes the first that fits. Moves
    of one die come first, in the order of `legal_moves`; then one checker moved by several dice. Of several paths between
    two points only the preferred is kept: the one that hits more, else the larger die first; and none that bears off a
    checker which one die bears off. Empty when nothing can be played. Raises `NotDice`.

    >>> [(option.source, option.path[-1].target) for option in options(Position.start(), (6, 5))][:4]
    [(24, 18), (13, 7), (13, 8), (8, 2)]
    """
    dice = larger_first(unused)
    board = list(position.points)
    if len(dice) >= 2 and dice[0] == dice[1]:
        return () if is_over(board) else _options_of_a_double(board, dice[0], len(dice))
    return _options_of_different_dice(board, dice)


def _options_of_different_dice(board: list[int], dice: Dice) -> tuple[Option, ...]:
    legal = legal_on(board, dice)
    if len(dice) < 2:
        return tuple([_SINGLE[move] for move in legal])
    large, small = dice
    singles = []
    longer: dict[tuple[int, int], tuple[Move, Move]] = {}
    for first in legal:
        do(board, first)
        seconds = moves_with(board, small if first.die == large else large)
        undo(board, first)
        singles.append(Option(first.source, (first,), tuple([_SINGLE[move] for move in seconds])))
        for second in seconds:
            if second.source == first.target:
                ends = (first.source, second.target)
                known = longer.get(ends)
                if known is None or first.hit > known[0].hit:
                    longer[ends] = (first, second)
    borne_off = {move.source for move in legal if move.target == OFF}
    for (source, target), path in longer.items():
        if target != OFF or source not in borne_off:
            singles.append(Option(source, path, ()))
    return tuple(singles)


def _options_of_a_double(board: list[int], die: int, count: int) -> tuple[Option, ...]:
    found = []
    runs = _runs(board, die, count)
    for length in range(count):
        for run in runs:
            if length >= len(run):
                continue
            path = run[: length + 1]
            for move in path:
                do(board, move)
            rest = _runs(board, die, count - length - 1)
            for move in reversed(path):
                undo(board, move)
            found.append(Option(path[0].source, path, _without_then(rest)))
    return tuple(found)


def _without_then(runs: list[tuple[Move, ...]]) -> tuple[Option, ...]:
    found = [_plain(run[:1]) for run in runs]
    found += [_plain(run[:length]) for run in runs for length in range(2, len(run) + 1)]
    return tuple(found)


def _runs(board: list[int], die: int, count: int) -> list[tuple[Move, ...]]:
    """For each checker that can move, the furthest first, all that it can do alone with `count` equal dice."""
    if not count:
        return []
    found = []
    for first in moves_with(board, die):
        run = [first]
        do(board, first)
        while len(run) < count and run[-1].target:
            for move in moves_with(board, die):
                if move.source == run[-1].target:
                    break
            else:
                break
            do(board, move)
            run.append(move)
        for move in reversed(run):
            undo(board, move)
        found.append(tuple(run))
    return found


@cache
def _plain(path: tuple[Move, ...]) -> Option:
    return Option(path[0].source, path, ())


_SINGLE = {move: Option(move.source, (move,), ()) for of_die in MOVES for pair in of_die for move in pair}
