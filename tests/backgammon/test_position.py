import pickle
from dataclasses import FrozenInstanceError

import pytest

from gameserver.backgammon import Position
from gameserver.backgammon.errors import NotAPosition


def test_the_start_has_fifteen_checkers_a_side() -> None:
    start = Position.start()
    assert start.text == "-b----E-C---eE---c-e----B-"
    assert (start.off, start.their_off) == (0, 0)
    assert start.flipped() == start


def test_missing_checkers_are_borne_off() -> None:
    position = Position.parse("-C----b---b----------abbf-")
    assert (position.off, position.their_off) == (12, 0)
    assert (position.flipped().off, position.flipped().their_off) == (0, 12)


def test_the_bars_change_places_when_the_board_is_turned() -> None:
    position = Position.parse("a-----------------------BA")
    assert position.flipped().text == "ab-----------------------A"


def test_a_position_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Position.start().points = ()  # type: ignore[misc]


def test_a_position_is_a_value() -> None:
    again = Position.parse(Position.start().text)
    assert again == Position.start()
    assert len({again, Position.start()}) == 1
    assert pickle.loads(pickle.dumps(again)) == again


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "26 characters, not 0"),
        ("-b----E-C---eE---c-e----B", "26 characters, not 25"),
        ("-b----E-C---eE---c-e----B--", "26 characters, not 27"),
        ("-b----E-C---eE---c-e----P-", "character 24 of the position is 'P'"),
        ("-b----E-C---eE---c-e----2-", "character 24 of the position is '2'"),
        ("-b----E-C---eE---c-e----\u00c5-", "character 24"),
        ("Ab----E-C---eE---c-e----B-", "opponent's bar"),
        ("-b----E-C---eE---c-e----Ba", "the last place is the bar of the side on roll"),
        ("-b----E-C---eE---c-e----C-", "the side on roll has 16 checkers"),
        ("-c----E-C---eE---c-e----B-", "the opponent has 16 checkers"),
        ("-" * 26, "both sides have borne off all"),
        ("aBBBBBB------------bbbbbbA", "closed board"),
    ],
)
def test_what_is_no_position_is_refused_with_its_fault(text: str, fault: str) -> None:
    with pytest.raises(NotAPosition, match=fault):
        Position.parse(text)


@pytest.mark.parametrize(
    ("points", "fault"),
    [
        ((0,) * 25, "26 counts, not 25"),
        ((1, *[0] * 25), "opponent's bar"),
        ((*[0] * 25, -1), "bar of the side on roll"),
        ((0, 16, *[0] * 24), "16 checkers"),
        ((0, 1.0, *[0] * 24), "integers"),
        ((0, True, *[0] * 24), "integers"),
    ],
)
def test_what_are_no_points_is_refused_with_its_fault(points: tuple[int, ...], fault: str) -> None:
    with pytest.raises(NotAPosition, match=fault):
        Position(points)
