"""Why a move is not legal, in words that the player can be told."""

from gameserver.backgammon.dice import Dice, dice_left, larger_first
from gameserver.backgammon.errors import IllegalMove
from gameserver.backgammon.moves import Move, do, is_over, legal_on, moves_with, undo
from gameserver.backgammon.position import BAR, OFF, Position


def checked_move(position: Position, unused: Dice, source: int, die: int) -> Move:
    """The legal move of a checker on `source` (25 is the bar) by one of the unused dice.

    Raises `IllegalMove`, whose words give the reason, and `NotDice`.

    >>> checked_move(Position.start(), (6, 2), 24, 6)
    Move(source=24, die=6, target=18, hit=False)
    >>> checked_move(Position.start(), (6, 5), 24, 5)
    Traceback (most recent call last):
    gameserver.backgammon.errors.IllegalMove: 24/19: point 19 is blocked
    """
    board = list(position.points)
    dice = larger_first(unused)
    for move in legal_on(board, dice):
        if move.source == source and move.die == die:
            return move
    raise IllegalMove(why_not(board, dice, source, die))


def why_not(board: list[int], dice: Dice, source: int, die: int) -> str:
    """Why the checker on `source` may not move by `die`, given that it may not. `dice` in falling order."""
    target = max(source - die, OFF)
    name = f"{place_name(source)}/{place_name(target)}"
    if is_over(board):
        reason = "the game is over"
    elif die not in dice:
        reason = f"there is no {die} to play; {dice_in_words(dice)}"
    elif not 1 <= source <= BAR or board[source] <= 0:
        reason = f"there is no checker to move on {place_name(source)}"
    elif board[BAR] and source != BAR:
        reason = "a checker on the bar must enter first"
    elif target and board[target] < -1:
        reason = f"{name}: point {target} is blocked"
    elif not target and max(board[7:]) > 0:
        reason = f"{name}: not all checkers are in the home board"
    elif not any(move.source == source for move in moves_with(board, die)):
        reason = f"{name}: a {die} bears off from {source} only when no checker stands further back"
    else:
        reason = f"{name} {_what_it_would_waste(board, dice, source, die)}"
    return reason


def _what_it_would_waste(board: list[int], dice: Dice, source: int, die: int) -> str:
    other = dice_left(dice, die)[0]
    if other > die and not _both_can_be_played(board, dice):
        return f"with the {die} is not allowed: only one die can be played, and then it must be the {other}"
    return f"would leave the {other} without a move; both dice can be played, so both must be"


def _both_can_be_played(board: list[int], dice: Dice) -> bool:
    first = legal_on(board, dice)[0]
    do(board, first)
    both = bool(legal_on(board, dice_left(dice, first.die)))
    undo(board, first)
    return both


def why_no_way(board: list[int], dice: Dice, source: int, target: int) -> str:
    """Why no checker goes from `source` to `target` by one or more of the dice, given that none does."""
    name = f"{place_name(source)}/{place_name(target)}"
    if not dice:
        return f"the dice are used up before {name}"
    distance = source - target
    for order in (dice, dice[::-1]):
        for count in range(1, len(order) + 1):
            total = sum(order[:count])
            if total == distance or (target == OFF and total > distance):
                return _first_failure(board, dice, source, order[:count])
    return f"{name} cannot be played; {dice_in_words(dice)}"


def _first_failure(board: list[int], dice: Dice, source: int, order: Dice) -> str:
    at = source
    done: list[Move] = []
    reason = f"a checker on {place_name(source)} cannot go that far"
    for die in order:
        move = next((move for move in legal_on(board, dice) if move.source == at and move.die == die), None)
        if move is None:
            reason = why_not(board, dice, at, die)
            break
        do(board, move)
        done.append(move)
        dice = dice_left(dice, die)
        at = move.target
    for move in reversed(done):
        undo(board, move)
    return reason


def dice_in_words(dice: Dice) -> str:
    """`the dice left are 6 2`."""
    if not dice:
        return "no dice are left"
    return f"the die left is {dice[0]}" if len(dice) == 1 else f"the dice left are {' '.join(map(str, dice))}"


def place_name(place: int) -> str:
    """`bar` for 25, `off` for 0, else the point's number."""
    return {BAR: "bar", OFF: "off"}.get(place, str(place))
