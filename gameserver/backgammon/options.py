"""What a page that knows no rules is told: where each checker may go now, and what may be done after that."""

from typing import NamedTuple

from gameserver.backgammon.dice import Dice, larger_first
from gameserver.backgammon.moves import MOVES, Move, do, is_over, legal_on, moves_with, undo
from gameserver.backgammon.position import BAR, OFF, Position


class Option(NamedTuple):
    """One checker moved by one die or more.

    `path`: its moves in order, each stop allowed. `then`: the options after it, whose own `then` is empty. `brief`: the
    source, and of each move the die and the target, which is negative where it hits.
    """

    source: int
    path: tuple[Move, ...]
    then: "tuple[Option, ...]"
    brief: tuple[int, tuple[int, ...]]


def options(position: Position, unused: Dice) -> tuple[Option, ...]:
    """Everything that one drag may do now with the unused dice, and what each leaves to be done next.

    The order is that of preference: whoever looks for a way from one point to another takes the first that fits. Moves
    of one die come first, in the order of `legal_moves`; then one checker moved by several dice. Of several paths
    between two points only the preferred is kept: the one that hits more, else the larger die first; and none that
    bears off a checker which one die bears off. Empty when nothing can be played. Raises `NotDice`.

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
        then = tuple([_SINGLE[move] for move in seconds])
        singles.append(Option(first.source, (first,), then, _SINGLE[first].brief))
        for second in seconds:
            if second.source == first.target:
                ends = (first.source, second.target)
                known = longer.get(ends)
                if known is None or first.hit > known[0].hit:
                    longer[ends] = (first, second)
    borne_off = {move.source for move in legal if move.target == OFF}
    for (source, target), path in longer.items():
        if target != OFF or source not in borne_off:
            singles.append(Option(source, path, (), _brief(path)))
    return tuple(singles)


def _options_of_a_double(board: list[int], die: int, count: int) -> tuple[Option, ...]:
    found = []
    for source, path, _, brief in _alone(board, die, count):
        for move in path:
            do(board, move)
        then = _alone(board, die, count - len(path))
        for move in reversed(path):
            undo(board, move)
        found.append(Option(source, path, tuple(then), brief))
    return tuple(found)


def _alone(board: list[int], die: int, count: int) -> list[Option]:
    """What each checker can do alone with `count` equal dice, its `then` left empty; single moves come first."""
    if board[BAR]:
        sources = [BAR]
        count = min(count, 1) if board[BAR] > 1 else count
    else:
        sources = [point for point in range(24, 0, -1) if board[point] > 0]
    singles: list[Option] = []
    longer: list[Option] = []
    for source in sources:
        # Bearing off asks where the furthest of the other checkers is; from the bar four dice do not reach that far.
        others = sources[0] if source != sources[0] or board[source] > 1 else max(sources[1:], default=0)
        at = source
        ways = _WAYS[die][source]
        for step in range(count):
            target = at - die
            if target > 0:
                if board[target] < -1:
                    break
                option, ways = ways[board[target] < 0]
            elif others <= 6 and (target == 0 or others <= at):
                option, ways = ways[0]
            else:
                break
            (longer if step else singles).append(option)
            if target <= 0:
                break
            at = target
    return singles + longer


class _Way(NamedTuple):
    """A checker's path so far as an option, and the two ways on from there: without a hit and with one."""

    option: Option
    further: "tuple[_Way, ...]"


def _ways(die: int, source: int, path: tuple[Move, ...]) -> tuple[_Way, ...]:
    """The ways on from the end of the path, up to four moves in all."""
    at = path[-1].target if path else source
    if at == OFF or len(path) == 4:
        return ()
    longer = [(*path, move) for move in MOVES[die][at]]
    return tuple(_Way(Option(source, moves, (), _brief(moves)), _ways(die, source, moves)) for moves in longer)


def _brief(path: tuple[Move, ...]) -> tuple[int, tuple[int, ...]]:
    steps: list[int] = []
    for move in path:
        steps += (move.die, -move.target if move.hit else move.target)
    return path[0].source, tuple(steps)


# Made once and shared: a double has hundreds of options, and making them anew would take most of the time.
_WAYS = [[_ways(die, source, ()) for source in range(BAR + 1)] if die else [] for die in range(7)]
_SINGLE = {way.option.path[0]: way.option for of_die in _WAYS for ways in of_die for way in ways}
