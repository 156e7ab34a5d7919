from gameserver.backgammon import Option, Position, options


def ways(found: tuple[Option, ...]) -> list[str]:
    return [
        "/".join([str(option.source)] + [f"{move.target}{'*' * move.hit}" for move in option.path]) for option in found
    ]


def test_single_moves_come_first_then_one_checker_by_both_dice() -> None:
    found = options(Position.start(), (6, 5))
    assert ways(found) == ["24/18", "13/7", "13/8", "8/2", "8/3", "24/18/13", "13/7/2"]
    assert ways(found[0].then) == ["18/13", "13/8", "8/3"]
    assert found[-1].then == ()


def test_of_two_paths_the_one_that_hits_is_kept() -> None:
    assert ways(options(Position.parse("------a---A---------------"), (4, 2)))[-1] == "10/6*/4"
    assert ways(options(Position.parse("--------a-A---------------"), (4, 2)))[-1] == "10/8*/4"


def test_of_two_paths_alike_the_larger_die_goes_first() -> None:
    assert ways(options(Position.parse("b---------A---------------"), (4, 2)))[-1] == "10/6/4"
    assert ways(options(Position.parse("------a-a-A---------------"), (4, 2)))[-1] == "10/6*/4"


def test_a_checker_that_one_die_bears_off_is_not_borne_off_by_two() -> None:
    assert ways(options(Position.parse("----A-------------------b-"), (6, 2))) == ["4/0", "4/2"]
    assert ways(options(Position.parse("-A-----A----------------b-"), (6, 5))) == ["7/1", "7/2", "7/1/0"]


def test_of_two_dice_that_bear_off_the_smaller_comes_first() -> None:
    found = options(Position.parse("----AB------------------b-"), (6, 5))
    assert [(option.source, option.path[0].die) for option in found] == [(5, 5), (5, 6)]


def test_a_checker_goes_as_far_as_the_four_dice_of_a_double_take_it() -> None:
    found = options(Position.parse("-----------------------bA-"), (6, 6, 6, 6))
    assert ways(found) == ["24/18", "24/18/12", "24/18/12/6", "24/18/12/6/0"]
    assert [ways(option.then) for option in found] == [
        ["18/12", "18/12/6", "18/12/6/0"],
        ["12/6", "12/6/0"],
        ["6/0"],
        [],
    ]


def test_a_larger_die_of_a_double_bears_off_only_from_the_furthest_point() -> None:
    found = options(Position.parse("---A--A-----------------b-"), (5, 5, 5, 5))
    assert ways(found) == ["6/1"]
    assert ways(found[0].then) == ["3/0"]


def test_a_hit_on_the_way_is_no_hit_for_the_next() -> None:
    found = options(Position.parse("----------a-B-------------"), (2, 2, 2, 2))
    assert ways(found)[0] == "12/10*"
    assert ways(found[0].then) == ["12/10", "10/8", "12/10/8", "12/10/8/6", "10/8/6", "10/8/6/4"]


def test_two_on_the_bar_enter_one_after_the_other() -> None:
    found = options(Position.parse("b------------------------B"), (4, 4, 4, 4))
    assert ways(found) == ["25/21"]
    assert ways(found[0].then) == ["25/21", "25/21/17", "25/21/17/13"]
