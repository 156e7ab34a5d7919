"""One checker, one die: what is allowed now, and doing and undoing it.

The functions that take a `board` (a list of 26 counts, as in `Position.points`) work in place and trust their
caller; they are what makes looking ahead cheap. The others take and give values.
"""

from typing import NamedTuple

from gameserver.backgammon.dice import Dice, larger_first
from gameserver.backgammon.errors import IllegalMove
from gameserver.backgammon.position import BAR, OFF, Position


class Move(NamedTuple):
    """One checker moved by one die, numbered along the mover's way.

    `source`: 25 (the bar) to 1. `target`: 24 to 1, or 0 (borne off). `die` is kept because more than one can bear a
    checker off. `hit`: it sends an opposing blot to the bar.
    """

    source: int
    die: int
    target: int
    hit: bool


MOVES: tuple[tuple[tuple[Move, Move], ...], ...] = tuple(
    tuple(
        (Move(source, die, max(source - die, OFF), hit=False), Move(source, die, max(source - die, OFF), hit=True))
        for source in range(BAR + 1)
    )
    for die in range(7)
)
"""`MOVES[die][source][hit]`: every move there is, made once and shared."""


def move_of(source: int, die: int, target: int, *, hit: bool) -> Move:
    """The shared move with these fields; where there is no such move, a new one, which `apply` will refuse.

    >>> move_of(24, 6, 18, hit=False) is MOVES[6][24][False]
    True
    """
    if 1 <= die <= 6 and 1 <= source <= BAR:
        known = MOVES[die][source][hit]
        if known.target == target:
            return known
    return Move(source, die, target, hit)


def moves_with(board: list[int], die: int) -> list[Move]:
    """Every move of this one die that the board allows, from the furthest checker to the nearest."""
    moves = MOVES[die]
    if board[BAR]:
        entry = board[BAR - die]
        return [moves[BAR][entry < 0]] if entry >= -1 else []
    found = [
        moves[source][board[source - die] < 0]
        for source in range(24, die, -1)
        if board[source] > 0 and board[source - die] >= -1
    ]
    if found and found[0].source > 6:  # not all are at home
        return found
    bearing_off = _borne_off_by(board, die)
    if bearing_off:
        found.append(moves[bearing_off][0])
    return found


def can_move(board: list[int], die: int) -> bool:
    """Whether `moves_with` would find any move; stops at the first."""
    if board[BAR]:
        return board[BAR - die] >= -1
    for source in range(24, die, -1):
        if board[source] > 0 and board[source - die] >= -1:
            return True
    return _borne_off_by(board, die) > 0


def _borne_off_by(board: list[int], die: int) -> int:
    """The point from which this die bears a checker off, 0 for none. There is never more than one."""
    if max(board[7:]) > 0:
        return 0
    if board[die] > 0:
        return die
    for source in range(6, 0, -1):
        if board[source] > 0:
            return source if source < die else 0
    return 0


def do(board: list[int], move: Move) -> None:
    """Make a move that the board allows, in place."""
    source, _, target, hit = move
    board[source] -= 1
    if hit:
        board[target] = 1
        board[0] -= 1
    elif target:
        board[target] += 1


def undo(board: list[int], move: Move) -> None:
    """The exact inverse of `do`."""
    source, _, target, hit = move
    board[source] += 1
    if hit:
        board[target] = -1
        board[0] += 1
    elif target:
        board[target] -= 1


def is_over(board: list[int] | tuple[int, ...]) -> bool:
    """Whether a side has no checker left, which ends the game."""
    return max(board) <= 0 or min(board) >= 0


def legal_on(board: list[int], dice: Dice) -> list[Move]:
    """The legal moves as in `legal_moves`, for dice in falling order; the board is left as it was."""
    if not dice or is_over(board):
        return []
    if len(dice) == 1 or dice[0] == dice[1]:
        # The dice of a double cannot lead into a dead end: a move that is possible stays possible until it is made,
        # whatever is moved before it, so every order uses the same number of dice.
        return moves_with(board, dice[0])
    large, small = dice
    with_large = moves_with(board, large)
    with_small = moves_with(board, small)
    if min(len(with_large), len(with_small)) < 2:
        with_large, with_small = _both_if_possible(board, with_large, with_small, large, small)
    # Otherwise each move leaves, for the other die, the move of another checker that was there before: all are legal.
    moves = sorted(with_large + with_small, reverse=True)
    for index in range(len(moves) - 1):
        if moves[index].source == moves[index + 1].source and moves[index].target == moves[index + 1].target:
            # Both dice bear this checker off: the smaller is preferred.
            moves[index], moves[index + 1] = moves[index + 1], moves[index]
            break
    return moves


def _both_if_possible(
    board: list[int], with_large: list[Move], with_small: list[Move], large: int, small: int
) -> tuple[list[Move], list[Move]]:
    """Leave out what the rules forbid: wasting a die, or playing the smaller one where either could be played."""
    large_first = [move for move in with_large if _leaves_a_move(board, move, small)]
    small_first = [move for move in with_small if _leaves_a_move(board, move, large)]
    both = bool(large_first or small_first)
    if not both:
        large_first = with_large
        small_first = [] if with_large else with_small
    ending = [move for move in with_large + with_small if _ends_the_game(board, move)]
    for move in ending:
        same_die = large_first if move.die == large else small_first
        if move not in same_die:
            same_die.append(move)
    return large_first, small_first


def _leaves_a_move(board: list[int], move: Move, die: int) -> bool:
    do(board, move)
    found = can_move(board, die)
    undo(board, move)
    return found


def _ends_the_game(board: list[int], move: Move) -> bool:
    return move.target == OFF and sum([count for count in board if count > 0]) == 1


def legal_moves(position: Position, unused: Dice) -> tuple[Move, ...]:
    """Every single move that is legal now with the dice that are still unused.

    A move after which fewer dice could be played than is possible is not legal, so following legal moves always
    ends in a complete play; a move that ends the game is always legal. The order is that of preference: the furthest
    checker first; for one checker the larger die first, but the smaller of two dice that both bear it off. Empty when
    nothing can be played or the game is over. Raises `NotDice`.

    >>> legal_moves(Position.parse("----b-M-A-------b-cdd---A-"), (6, 2))
    (Move(source=24, die=2, target=22, hit=False), Move(source=8, die=6, target=2, hit=False))
    """
    return tuple(legal_on(list(position.points), larger_first(unused)))


def apply(position: Position, move: Move) -> Position:
    """The position after the move.

    Raises `IllegalMove` when there is no such checker, the point is blocked, or `hit` is wrong. Whether the move is
    legal in its turn is for `legal_moves` to say.
    """
    points = position.points
    source, die, target, hit = move
    if not (1 <= source <= BAR and target == max(source - die, OFF) and 1 <= die <= 6):
        raise IllegalMove(f"a {die} does not move a checker from {source} to {target}")
    if points[source] <= 0:
        raise IllegalMove(f"no checker of the side on roll stands on {source}")
    if target and points[target] < -1:
        raise IllegalMove(f"point {target} is blocked")
    if hit != (target > 0 and points[target] == -1):
        raise IllegalMove(f"a move from {source} to {target} {'does not hit' if hit else 'hits'}")
    board = list(points)
    do(board, move)
    return Position.trusted(board)


def take_back(position: Position, move: Move) -> Position:
    """The position before the move: the exact inverse of `apply`.

    Raises `IllegalMove` when the move cannot have been the last.
    """
    points = position.points
    source, _, target, hit = move
    if target and (points[target] <= 0 or (hit and (points[target] != 1 or points[0] == 0))):
        raise IllegalMove(f"the last move was not from {source} to {target}")
    if points[source] < 0 or (not target and position.off == 0):
        raise IllegalMove(f"the last move was not from {source} to {target}")
    board = list(points)
    undo(board, move)
    return Position.trusted(board)
