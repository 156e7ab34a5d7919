import json
from pathlib import Path

import pytest

from gameserver.backgammon import NotAPosition, NotDice, answer_line, describe_plays

LINES = (Path(__file__).parent / "data" / "legal_plays.jsonl").read_text().splitlines()


def test_every_play_is_listed_with_its_position() -> None:
    lines = describe_plays("XGID=------a---A---------------:0:0:1:42:0:0:0:0:10")
    assert lines == ["10/6*/4  a---A---------------------", "10/8/4   ----A-a-------------------"]


def test_the_other_side_on_roll_is_listed_in_its_own_view() -> None:
    assert describe_plays("XGID=---------------a---A------:0:0:-1:42:0:0:0:0:10") == describe_plays(
        "XGID=------a---A---------------:0:0:1:42:0:0:0:0:10"
    )


def test_no_play_is_listed_as_that() -> None:
    assert describe_plays("XGID=-------------------bbbbbbA:0:0:1:62:0:0:0:0:10") == [
        "(no play)  -------------------bbbbbbA"
    ]


def test_a_position_before_the_roll_has_no_plays() -> None:
    with pytest.raises(NotDice, match="before the roll"):
        describe_plays("XGID=------a---A---------------:0:0:1:00:0:0:0:0:10")
    with pytest.raises(NotAPosition):
        describe_plays("nonsense")


@pytest.mark.parametrize("line", LINES[::40])
def test_a_line_is_answered_with_all_results_sorted(line: str) -> None:
    case = json.loads(line)
    assert json.loads(answer_line(line)) == {"results": sorted(case["results"])}


def test_a_dance_is_an_empty_list() -> None:
    assert answer_line('{"position": "-------------------bbbbbbA", "dice": [6, 2]}') == '{"results": []}'


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("9" * 10_000, "not JSON"),
        ("[]", "not a JSON object"),
        ("null", "not a JSON object"),
        ("{}", "'position' is missing"),
        ('{"position": "-b----E-C---eE---c-e----B-"}', "'dice' is missing"),
        ('{"position": 5, "dice": [6, 2]}', "'position' is not a text"),
        ('{"position": "-b----E", "dice": [6, 2]}', "26 characters, not 7"),
        ('{"position": "-b----E-C---eE---c-e----C-", "dice": [6, 2]}', "16 checkers"),
        ('{"position": "-b----E-C---eE---c-e----B-", "dice": [7, 2]}', "a die shows 1 to 6, not 7"),
        ('{"position": "-b----E-C---eE---c-e----B-", "dice": [true, 2]}', "a die shows 1 to 6, not True"),
        ('{"position": "-b----E-C---eE---c-e----B-", "dice": ["6", 2]}', "a die shows 1 to 6, not '6'"),
        ('{"position": "-b----E-C---eE---c-e----B-", "dice": [[1], 2]}', "a die shows 1 to 6, not [1]"),
        ('{"position": "-b----E-C---eE---c-e----B-", "dice": [6]}', "list of two numbers"),
        ('{"position": "-b----E-C---eE---c-e----B-", "dice": 62}', "list of two numbers"),
        ('{"position": "\\ud800----E-C---eE---c-e----B-", "dice": [6, 2]}', "26 characters"),
        (" " * 1_000_001, "more than 1000000 characters"),
    ],
)
def test_a_bad_line_is_answered_with_its_fault(line: str, fault: str) -> None:
    answer = json.loads(answer_line(line))
    assert list(answer) == ["error"]
    assert fault in answer["error"]
