import pytest

from gameserver.backgammon import XGID, NotAPosition, Position, from_gnu_position_id, gnu_position_id

ON_THE_BAR = "XGID=aa----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
START = "XGID=-b----E-C---eE---c-e----B-"


@pytest.mark.parametrize(
    "text",
    [
        ON_THE_BAR,
        f"{START}:0:0:1:62:0:0:0:0:10",
        f"{START}:0:0:1:26:0:0:0:0:10",
        f"{START}:1:1:1:33:2:4:0:5:10",
        f"{START}:0:-1:1:11:4:3:1:5:10",
        f"{START}:0:0:1:00:0:0:3:0:6",
    ],
)
def test_what_is_read_is_written_back_unchanged(text: str) -> None:
    assert XGID.parse(text).text == text


def test_the_fields_are_read() -> None:
    given = XGID.parse(f"{START}:1:-1:1:62:2:4:1:5:10")
    assert given.position == Position.start()
    assert given.dice == (6, 2)
    assert given.unused == (6, 2)
    assert (given.score, given.match_length, given.crawford) == ((2, 4), 5, True)
    assert (given.cube, given.cube_owner, given.largest_cube) == (1, -1, 10)
    assert (given.jacoby, given.beavers) == (False, False)
    assert XGID.parse(ON_THE_BAR).dice is None
    assert XGID.parse(ON_THE_BAR).unused == ()


def test_the_other_side_on_roll_is_turned_to_the_view_of_the_roller() -> None:
    given = XGID.parse("XGID=-A------a----------------B:1:1:-1:62:1:3:0:5:10")
    assert given.position.text == "b----------------A------a-"
    assert (given.score, given.cube_owner, given.dice) == ((3, 1), -1, (6, 2))
    assert given.text == "XGID=b----------------A------a-:1:-1:1:62:3:1:0:5:10"


def test_the_prefix_and_spaces_around_may_be_left_out_or_in() -> None:
    assert XGID.parse(f"  {START[5:]}:0:0:1:62:0:0:0:0:10\n") == XGID.parse(f"{START}:0:0:1:62:0:0:0:0:10")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "10 fields"),
        (START, "10 fields with colons between them, not 1"),
        (f"{START}:0:0:1:62:0:0:0:0", "not 9"),
        (f"{START}:0:0:1:62:0:0:0:0:10:1", "not 11"),
        ("XGID=-b----E-C---eE---c-e----B:0:0:1:62:0:0:0:0:10", "26 characters"),
        ("XGID=-b----E-C---eE---c-e----C-:0:0:1:62:0:0:0:0:10", "16 checkers"),
        (f"{START}:x:0:1:62:0:0:0:0:10", "cube is a whole number"),
        (f"{START}:99:0:1:62:0:0:0:0:10", "cube is a whole number from 0 to 12, not '99'"),
        (f"{START}:0:2:1:62:0:0:0:0:10", "cube's owner"),
        (f"{START}:0:0:0:62:0:0:0:0:10", "turn is 1 or -1"),
        (f"{START}:0:0:2:62:0:0:0:0:10", "turn"),
        (f"{START}:0:0:1:70:0:0:0:0:10", "two digits from 1 to 6"),
        (f"{START}:0:0:1:60:0:0:0:0:10", "two digits from 1 to 6"),
        (f"{START}:0:0:1:6:0:0:0:0:10", "two digits from 1 to 6"),
        (f"{START}:0:0:1:662:0:0:0:0:10", "two digits from 1 to 6"),
        (f"{START}:0:0:1:D:0:0:0:0:10", "cube decision"),
        (f"{START}:0:0:1:B:0:0:0:0:10", "cube decision"),
        (f"{START}:0:0:1:62:5:0:0:5:10", "score is a whole number from 0 to 4"),
        (f"{START}:0:0:1:62:0:-1:0:5:10", "score"),
        (f"{START}:0:0:1:62:0:0:1:5:10", "names the Crawford game"),
        (f"{START}:0:0:1:62:4:0:2:5:10", "Crawford and Jacoby field"),
        (f"{START}:0:0:1:62:0:0:0:-5:10", "match length"),
        (f"{START}:0:0:1:62:0:0:0:0:", "largest cube"),
        (f"{START}:0:0:1:\u0666\u0662:0:0:0:0:10", "two digits"),
        (f"{START}:" + "0" * 200, "at most 100 characters"),
    ],
)
def test_a_faulty_xgid_is_refused_with_the_field(text: str, fault: str) -> None:
    with pytest.raises(NotAPosition, match=fault):
        XGID.parse(text)


def test_a_gnu_position_id_and_an_xgid_name_the_same_position() -> None:
    position = XGID.parse(ON_THE_BAR).position
    assert gnu_position_id(position) == "4HPwAVDgc/ABMA"
    assert from_gnu_position_id("4HPwAVDgc/ABMA") == position
    assert gnu_position_id(Position.start()) == "4HPwATDgc/ABMA"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "14 characters, not 0"),
        ("4HPwATDgc/ABM", "not 13"),
        ("4HPwATDgc/ABMA==", "not 16"),
        ("4HPwATDgc/AB-A", "its characters are"),
        ("4HPwATDgc/AB\u00e9A", "its characters are"),
        ("//////////////", "checkers; a side has 15"),
        ("4HPwATDgc/ABMB", "bits set after"),
        ("4HPwATDgc/ABMC", "bits set after"),
        ("AAAAAAAAAAAAAA", "both sides have borne off all"),
    ],
)
def test_a_faulty_position_id_is_refused(text: str, fault: str) -> None:
    with pytest.raises(NotAPosition, match=fault):
        from_gnu_position_id(text)
