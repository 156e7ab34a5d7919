import pytest

from gameserver.backgammon import Position, game_points, is_race, match_winner, pip_counts, points_away, with_game


@pytest.mark.parametrize(
    ("position", "points"),
    [
        ("a-----------------------n-", 3),
        ("-a----------------------n-", 3),
        ("------a-----------------n-", 3),
        ("-------a----------------n-", 2),
        ("------------------------o-", 2),
        ("a-----------------------m-", 1),
        ("-A----------------------n-", 0),
    ],
)
def test_points_of_a_finished_game(position: str, points: int) -> None:
    assert game_points(Position.parse(position)) == points


def test_pips_count_the_distance_to_go_and_25_on_the_bar() -> None:
    assert pip_counts(Position.start()) == (167, 167)
    assert pip_counts(Position.parse("a-----------------------BA")) == (73, 25)
    assert pip_counts(Position.parse("-A----------------------a-")) == (1, 1)


@pytest.mark.parametrize(
    ("position", "race"),
    [
        ("-b----E-C---eE---c-e----B-", False),
        ("-----A-a------------------", True),
        ("-----a-A------------------", False),
        ("-----aA-------------------", False),
        ("-----Aa-------------------", True),
        ("a----A--------------------", False),
        ("-------a-----------------A", False),
        ("-----A--------------------", True),
        ("-----a--------------------", True),
    ],
)
def test_a_race_is_when_the_sides_have_passed(position: str, race: bool) -> None:
    assert is_race(Position.parse(position)) is race
    assert is_race(Position.parse(position).flipped()) is race


def test_a_match_is_won_by_the_first_with_enough_points() -> None:
    score = (0, 0)
    for winner, points in ((0, 2), (1, 1), (0, 1), (1, 3)):
        score = with_game(score, winner, points)
        assert match_winner(score, 5) is None
    assert score == (3, 4)
    assert points_away(score, 5) == (2, 1)
    assert match_winner(with_game(score, 0, 3), 5) == 0
    assert match_winner(with_game(score, 1, 1), 5) == 1
    assert points_away((6, 4), 5) == (0, 1)


def test_any_win_decides_a_single_game() -> None:
    assert match_winner(with_game((0, 0), 1, 3), 1) == 1


@pytest.mark.parametrize(("winner", "points"), [(2, 1), (0, 0), (0, 4)])
def test_no_game_is_won_like_that(winner: int, points: int) -> None:
    with pytest.raises(ValueError, match=r"the sides are|a game is won for"):
        with_game((0, 0), winner, points)


@pytest.mark.parametrize(("score", "length"), [((0, 0), 0), ((5, 5), 5)])
def test_no_match_has_that_score(score: tuple[int, int], length: int) -> None:
    with pytest.raises(ValueError, match=r"a match is|cannot come up"):
        match_winner(score, length)
