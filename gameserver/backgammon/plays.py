"""Whole turns: every position that a roll can lead to."""

from gameserver.backgammon.dice import Dice, larger_first
from gameserver.backgammon.moves import Move, do, is_over, legal_on, moves_with, undo
from gameserver.backgammon.position import Position

_Plays = dict[tuple[int, ...], tuple[Move, ...]]


def complete_plays(position: Position, unused: Dice) -> dict[Position, tuple[Move, ...]]:
    """Every distinct position after a complete play of the unused dice, each with one play that leads there.

    Empty when nothing can be played or the game is over. Of several plays to the same position the first by the order
    of `legal_moves` is kept. Raises `NotDice`.

    >>> [play for play in complete_plays(Position.parse("----b-M-A-------b-cdd---A-"), (6, 2)).values()]
    [(Move(source=24, die=2, target=22, hit=False), Move(source=8, die=6, target=2, hit=False))]
    """
    dice = larger_first(unused)
    board = list(position.points)
    found: _Plays = {}
    if len(dice) >= 2 and dice[0] == dice[1]:
        count = _playable(board, dice)
        if count:
            _plays_of_a_double(board, dice[0], count, (), found)
    else:
        _plays_of_different_dice(board, dice, found)
    return {Position.trusted(points): play for points, play in found.items()}


def _plays_of_different_dice(board: list[int], dice: Dice, found: _Plays) -> None:
    for first in legal_on(board, dice):
        do(board, first)
        others = dice[1:] if first.die == dice[0] else dice[:1]
        seconds = moves_with(board, others[0]) if others else []
        if not seconds or is_over(board):
            found.setdefault(tuple(board), (first,))
        else:
            for second in seconds:
                do(board, second)
                found.setdefault(tuple(board), (first, second))
                undo(board, second)
        undo(board, first)


def _playable(board: list[int], dice: Dice) -> int:
    """How many dice of a double can be played: the same in every order (see `legal_on`), so the first order will do."""
    if is_over(board):
        return 0
    played: list[Move] = []
    for die in dice:
        moves = moves_with(board, die)
        if not moves:
            break
        do(board, moves[0])
        played.append(moves[0])
    for move in reversed(played):
        undo(board, move)
    return len(played)


def _plays_of_a_double(board: list[int], die: int, count: int, played: tuple[Move, ...], found: _Plays) -> None:
    """Plays of `count` more moves, each from no further back than the one before.

    What can be moved does not depend on the order otherwise, so this meets every resulting position, and each once.
    """
    for move in moves_with(board, die):
        if played and move.source > played[-1].source:
            continue
        do(board, move)
        play = (*played, move)
        if count == 1:
            found[tuple(board)] = play
        else:
            _plays_of_a_double(board, die, count - 1, play, found)
        undo(board, move)
