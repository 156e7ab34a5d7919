import pytest

from gameserver.backgammon import Dice, IllegalMove, Position, checked_move, legal_moves


def test_a_legal_move_is_found_by_its_checker_and_die() -> None:
    for move in legal_moves(Position.start(), (6, 2)):
        assert checked_move(Position.start(), (6, 2), move.source, move.die) == move


@pytest.mark.parametrize(
    ("position", "unused", "source", "die", "reason"),
    [
        (Position.start().text, (6, 5), 24, 4, "there is no 4 to play; the dice left are 6 5"),
        (Position.start().text, (6,), 24, 4, "there is no 4 to play; the die left is 6"),
        (Position.start().text, (), 24, 4, "there is no 4 to play; no dice are left"),
        (Position.start().text, (6, 5), 24, 5, "24/19: point 19 is blocked"),
        (Position.start().text, (6, 5), 23, 5, "there is no checker to move on 23"),
        (Position.start().text, (6, 5), 25, 5, "there is no checker to move on bar"),
        (Position.start().text, (6, 5), 77, 5, "there is no checker to move on 77"),
        (Position.start().text, (6, 5), 6, 6, "6/off: not all checkers are in the home board"),
        ("b----AA-A---aA----a------A", (5, 2), 8, 2, "a checker on the bar must enter first"),
        ("b----AA-A---aA------b----A", (5, 2), 25, 5, "bar/20: point 20 is blocked"),
        ("-CBAAAA-----------------b-", (5, 1), 4, 5, "4/off: a 5 bears off from 4 only when no checker stands further"),
        ("----b-M-A-------b-cdd---A-", (6, 2), 8, 2, "8/6 would leave the 6 without a move; both dice can be played"),
        ("--b----------A------------", (6, 5), 13, 5, "13/8 with the 5 is not allowed: only one die can be played"),
        ("-A------------------------", (6, 5), 1, 5, "the game is over"),
    ],
)
def test_an_illegal_move_is_refused_with_the_reason(
    position: str, unused: Dice, source: int, die: int, reason: str
) -> None:
    with pytest.raises(IllegalMove) as refused:
        checked_move(Position.parse(position), unused, source, die)
    assert reason in str(refused.value)
