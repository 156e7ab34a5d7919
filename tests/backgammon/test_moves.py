import pytest

from gameserver.backgammon import (
    IllegalMove,
    Move,
    NotDice,
    Position,
    apply,
    dice_left,
    dice_of,
    legal_moves,
    take_back,
)

START = Position.start()


def test_a_hit_sends_the_blot_to_the_bar_and_undo_brings_it_back() -> None:
    before = Position.parse("------a---A---------------")
    hit = Move(10, 4, 6, hit=True)
    after = apply(before, hit)
    assert after.text == "a-----A-------------------"
    assert take_back(after, hit) == before


def test_undo_after_two_moves_to_one_point_leaves_the_first_there() -> None:
    # 8/4* 6/4, then twice back.
    before = Position.parse("-b--a-E-C---eE---c-d----B-")
    first, second = Move(8, 4, 4, hit=True), Move(6, 2, 4, hit=False)
    between = apply(before, first)
    after = apply(between, second)
    assert take_back(after, second) == between
    assert take_back(between, first) == before


@pytest.mark.parametrize(
    ("move", "fault"),
    [
        (Move(23, 1, 22, hit=False), "no checker of the side on roll stands on 23"),
        (Move(19, 1, 18, hit=False), "no checker of the side on roll stands on 19"),
        (Move(24, 5, 19, hit=False), "point 19 is blocked"),
        (Move(24, 6, 18, hit=True), "does not hit"),
        (Move(24, 6, 17, hit=False), "a 6 does not move a checker from 24 to 17"),
        (Move(26, 6, 20, hit=False), "from 26"),
        (Move(6, 7, 0, hit=False), "a 7 does not"),
    ],
)
def test_a_move_that_the_board_does_not_allow_is_refused(move: Move, fault: str) -> None:
    with pytest.raises(IllegalMove, match=fault):
        apply(START, move)


def test_a_move_onto_a_blot_must_say_that_it_hits() -> None:
    with pytest.raises(IllegalMove, match="hits"):
        apply(Position.parse("------a---A---------------"), Move(10, 4, 6, hit=False))


@pytest.mark.parametrize(
    "move", [Move(24, 2, 22, hit=False), Move(8, 2, 6, hit=True), Move(6, 6, 0, hit=False), Move(20, 1, 19, hit=False)]
)
def test_a_move_that_was_not_the_last_cannot_be_taken_back(move: Move) -> None:
    with pytest.raises(IllegalMove, match="the last move was not"):
        take_back(START, move)


def test_moves_are_in_the_order_of_preference() -> None:
    moves = legal_moves(Position.parse("----AB------------------b-"), (6, 5))
    assert [(move.source, move.die) for move in moves] == [(5, 5), (5, 6)]
    moves = legal_moves(START, (6, 1))
    assert [(move.source, move.die) for move in moves] == [(24, 6), (24, 1), (13, 6), (8, 6), (8, 1), (6, 1)]


def test_dice() -> None:
    assert dice_of(2, 5) == dice_of(5, 2) == (5, 2)
    assert dice_of(4, 4) == (4, 4, 4, 4)
    assert dice_left((6, 2), 6) == (2,)
    assert dice_left((4, 4), 4) == (4,)
    assert legal_moves(START, (2, 6)) == legal_moves(START, (6, 2))
    assert legal_moves(START, ()) == ()


@pytest.mark.parametrize("unused", [(0,), (7, 1), (3, 3, 3, 3, 3), (6, 5, 4), (6, 5, 5), (-1, 2)])
def test_dice_that_no_turn_has_left_are_refused(unused: tuple[int, ...]) -> None:
    with pytest.raises(NotDice):
        legal_moves(START, unused)


@pytest.mark.parametrize("die", [0, 7, -1, True, 2.0, "3", None])
def test_what_is_no_die_is_refused(die: object) -> None:
    with pytest.raises(NotDice, match="a die shows 1 to 6"):
        dice_of(die, 1)  # type: ignore[arg-type]
    with pytest.raises(NotDice, match="not among the unused dice"):
        dice_left((6, 5), 4)
