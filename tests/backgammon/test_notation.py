import pytest

from gameserver.backgammon import (
    AmbiguousPlay,
    Dice,
    IllegalMove,
    Move,
    Position,
    UnreadablePlay,
    format_play,
    parse_play,
)

START = Position.start()
TWO_WAYS = Position.parse("------a---A---------------")
BEARING_OFF = Position.parse("-CBAAAA-----------------b-")
ON_THE_BAR = Position.parse("b----AA-A---aA----a------A")


def read(text: str, position: Position, unused: Dice) -> list[str]:
    return [f"{move.source}/{move.target}{'*' * move.hit} by {move.die}" for move in parse_play(text, position, unused)]


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ([], "(no play)"),
        ([Move(24, 6, 18, True), Move(18, 5, 13, False)], "24/18*/13"),
        ([Move(25, 3, 22, False)], "bar/22"),
        ([Move(6, 6, 0, False)], "6/off"),
        ([Move(8, 4, 4, False), Move(8, 4, 4, False)], "8/4(2)"),
        ([Move(6, 1, 5, False), Move(8, 3, 5, False)], "8/5 6/5"),
        ([Move(6, 2, 4, True), Move(8, 4, 4, False)], "8/4* 6/4"),
        ([Move(8, 4, 4, True), Move(8, 4, 4, False)], "8/4*(2)"),
        ([Move(1, 1, 0, False)] * 3, "1/off(3)"),
        ([Move(25, 6, 19, False), Move(25, 6, 19, False), Move(19, 6, 13, True)], "bar/13* bar/19"),
        ([Move(13, 3, 10, False)] * 2 + [Move(10, 3, 7, False)] * 2, "13/7(2)"),
        ([Move(13, 3, 10, False), Move(10, 3, 7, False)] * 2, "13/7(2)"),
        ([Move(6, 2, 4, True), Move(4, 2, 2, False), Move(6, 2, 4, False)], "6/2 6/4*"),
    ],
)
def test_plays_are_written_as_players_do(moves: list[Move], text: str) -> None:
    assert format_play(moves, START) == text


def test_a_stop_is_named_where_the_two_ends_would_mean_another_play() -> None:
    round_it = [Move(10, 2, 8, False), Move(8, 4, 4, False)]
    assert format_play(round_it, TWO_WAYS) == "10/8/4"
    assert format_play(round_it, Position.parse("b---------A---------------")) == "10/4"
    assert format_play(round_it) == "10/8/4"
    assert format_play([Move(4, 2, 2, False), Move(2, 6, 0, False)], BEARING_OFF) == "4/2/off"


@pytest.mark.parametrize(
    ("text", "position", "unused", "moves"),
    [
        ("Bar/24/18", "b-----E-C----D-----------A", (6, 1), ["25/24 by 1", "24/18 by 6"]),
        ("bar/24/18*", "b-----E-C----D----a------A", (6, 1), ["25/24 by 1", "24/18* by 6"]),
        ("bar/24/18", "b-----E-C----D----a------A", (6, 1), ["25/24 by 1", "24/18* by 6"]),
        ("24/18(2)", START.text, (6, 6, 6, 6), ["24/18 by 6", "24/18 by 6"]),
        ("6/off", BEARING_OFF.text, (6, 1), ["6/0 by 6"]),
        ("8-5", START.text, (3, 1), ["8/5 by 3"]),
        ("8/5 6/5", START.text, (3, 1), ["8/5 by 3", "6/5 by 1"]),
        ("6/5 8/5", START.text, (3, 1), ["6/5 by 1", "8/5 by 3"]),
        ("  8 / 5 ,6/5; ", START.text, (3, 1), ["8/5 by 3", "6/5 by 1"]),
        ("８／５　６－５", START.text, (3, 1), ["8/5 by 3", "6/5 by 1"]),
        ("8–5 6→5", START.text, (3, 1), ["8/5 by 3", "6/5 by 1"]),
        ("8/5 (2)", START.text, (3, 3, 3, 3), ["8/5 by 3", "8/5 by 3"]),
        ("13/4", START.text, (3, 3, 3, 3), ["13/10 by 3", "10/7 by 3", "7/4 by 3"]),
        ("24/13", START.text, (6, 5), ["24/18 by 6", "18/13 by 5"]),
        ("BAR/20", ON_THE_BAR.text, (5, 2), ["25/20 by 5"]),
        ("25/20", ON_THE_BAR.text, (5, 2), ["25/20 by 5"]),
        ("6/OFF", BEARING_OFF.text, (6, 1), ["6/0 by 6"]),
        ("6/0", BEARING_OFF.text, (6, 1), ["6/0 by 6"]),
        # The checker on the bar comes first whatever was typed first.
        ("8/6 bar/20", ON_THE_BAR.text, (5, 2), ["25/20 by 5", "8/6 by 2"]),
    ],
)
def test_plays_are_read(text: str, position: str, unused: Dice, moves: list[str]) -> None:
    assert read(text, Position.parse(position), unused) == moves


def test_a_place_alone_is_its_only_move() -> None:
    assert read("bar", Position.parse("----------B---------b-a--B"), (5, 3)) == ["25/22* by 3"]
    with pytest.raises(AmbiguousPlay, match="13/7, 13/11"):
        parse_play("13", START, (6, 2))
    with pytest.raises(IllegalMove, match="no checker on 7 can move"):
        parse_play("7", START, (6, 2))


def test_of_two_ways_the_one_that_hits_is_read_unless_the_stop_is_named() -> None:
    assert read("10/4", TWO_WAYS, (4, 2)) == ["10/6* by 4", "6/4 by 2"]
    assert read("10/8/4", TWO_WAYS, (4, 2)) == ["10/8 by 2", "8/4 by 4"]
    assert read("10/6/4", TWO_WAYS, (4, 2)) == ["10/6* by 4", "6/4 by 2"]
    assert read("10/4", Position.parse("--------a-A---------------"), (4, 2)) == ["10/8* by 2", "8/4 by 4"]
    assert read("10/4", Position.parse("b---------A---------------"), (4, 2)) == ["10/6 by 4", "6/4 by 2"]


def test_a_checker_is_borne_off_by_the_smallest_die_that_does_it() -> None:
    assert read("4/off", Position.parse("-A--A-------------------b-"), (5, 4)) == ["4/0 by 4"]
    assert read("3/off", Position.parse("-A-A--------------------b-"), (5, 4)) == ["3/0 by 4"]
    assert read("4/off", Position.parse("-A--A-------------------b-"), (6, 2)) == ["4/0 by 6"]
    assert read("4/2/off", Position.parse("-A--A-------------------b-"), (6, 2)) == ["4/2 by 2", "2/0 by 6"]


def test_a_star_where_nothing_is_hit_is_refused_with_the_reason() -> None:
    with pytest.raises(IllegalMove, match="nothing is hit on 5"):
        parse_play("8/5*", START, (3, 1))
    with pytest.raises(IllegalMove, match="nothing is hit on 4"):
        parse_play("10/4*", TWO_WAYS, (4, 2))
    with pytest.raises(IllegalMove, match="nothing is hit on 8"):
        parse_play("10/8*/4", TWO_WAYS, (4, 2))


def test_no_play_is_read_only_where_there_is_none() -> None:
    shut_out = Position.parse("-------------------bbbbbbA")
    assert parse_play("(no play)", shut_out, (6, 5)) == ()
    assert parse_play("No Play", shut_out, (6, 5)) == ()
    with pytest.raises(IllegalMove, match="must be played"):
        parse_play("(no play)", START, (6, 5))


@pytest.mark.parametrize(
    ("text", "position", "unused", "reason"),
    [
        ("24/19", START.text, (6, 5), "24/19: point 19 is blocked"),
        ("13/2*", START.text, (6, 5), "nothing is hit on 2"),
        ("24/8", START.text, (6, 5), "the dice are used up before 13/8"),
        ("24/21", START.text, (6, 5), "24/21 cannot be played; the dice left are 6 5"),
        ("12/7", START.text, (6, 5), "no checker to move on 12"),
        ("8/3 8/2 13/8", START.text, (6, 5), "the dice are used up before"),
        ("8/6", ON_THE_BAR.text, (5, 2), "a checker on the bar must enter first"),
        ("6/off", START.text, (6, 5), "not all checkers are in the home board"),
        ("4/off", BEARING_OFF.text, (5, 1), "only when no checker stands further back"),
        ("8/6", "----b-M-A-------b-cdd---A-", (6, 2), "would leave the 6 without a move"),
        ("13/8", "--b----------A------------", (6, 5), "it must be the 6"),
        ("6/off", "------A-------------------", (6, 5), "the game is over"),
    ],
)
def test_an_illegal_play_is_refused_with_the_reason(text: str, position: str, unused: Dice, reason: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        parse_play(text, Position.parse(position), unused)
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "hello",
        "8/",
        "/5",
        "8//5",
        "8/5(0)",
        "8/5(5)",
        "8/5(2",
        "8/5(2)(2)",
        "8/5 6/5 4/3 3/2 2/1",
        "26/20",
        "99999999999999999999/1",
        "5/8",
        "8/8",
        "off/6",
        "8/bar",
        "bar*/20",
        "6/off*",
        "8/5*6/5",
        "8/5;DROP TABLE games",
        "\u0000",
        "8/5 " * 20,
        "\ufdfa" * 60,
        "1311/5",
        "0\u001f*",
    ],
)
def test_what_is_no_play_is_told_apart(text: str) -> None:
    with pytest.raises(UnreadablePlay):
        parse_play(text, START, (3, 1))
