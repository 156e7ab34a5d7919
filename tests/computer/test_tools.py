"""The command line's questions: choices and hints as text and as JSON lines."""

import json

import pytest

from gameserver.computer.tools import choose_line, choose_text, hint_text
from gameserver.session.events import Level

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


def test_a_choice_is_told_with_its_result_and_equity() -> None:
    play, result, equity = choose_text("expert", START).rsplit("  ", 2)
    assert (play, result) == ("8/5 6/5", "-b---BD-B---eE---c-e----B-")
    assert 0.1 < float(equity) < 0.3


def test_the_other_side_on_roll_is_turned() -> None:
    assert choose_text("expert", "XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:0:0:0:0:10") == choose_text("expert", START)


def test_the_score_of_the_xgid_counts() -> None:
    position = "XGID=---B-AD-AA--cDbb-a-c-b-bB-:0:0:1:43"
    assert choose_text("expert", f"{position}:0:0:0:0:10").startswith("13/10 9/5  ")
    assert choose_text("expert", f"{position}:4:4:0:5:10").startswith("24/17*  ")


@pytest.mark.parametrize("level", ["beginner", "normal", "expert"])
def test_a_line_is_answered_with_result_play_and_equity(level: Level) -> None:
    answer = json.loads(choose_line(level, '{"position": "----b-M-A-------b-cdd---A-", "dice": [2, 6]}'))
    assert (answer["result"], answer["play"]) == ("--A-b-M---------b-cdd-A---", "24/22 8/2")
    assert -1.0 < answer["equity"] < 0.0


def test_a_line_may_name_the_score() -> None:
    line = {"position": "---B-AD-AA--cDbb-a-c-b-bB-", "dice": [4, 3]}
    assert json.loads(choose_line("expert", json.dumps(line)))["play"] == "13/10 9/5"
    assert json.loads(choose_line("expert", json.dumps(line | {"away": [1, 1]})))["play"] == "24/17*"
    assert json.loads(choose_line("expert", json.dumps(line | {"away": None})))["play"] == "13/10 9/5"


def test_a_side_that_is_shut_out_keeps_its_position() -> None:
    shut_out = "----AEEC-----------bbbbbbA"
    answer = json.loads(choose_line("normal", json.dumps({"position": shut_out, "dice": [6, 5]})))
    assert (answer["result"], answer["play"]) == (shut_out, "(no play)")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("no json", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[1, 2]", "not a JSON object"),
        ('{"dice": [1, 2]}', "'position'"),
        ('{"position": "-b----E-C---eE---c-e----B-"}', "'dice'"),
        ('{"position": "-b----E-C---eE---c-e----B-", "dice": [1, 2, 3]}', "'dice'"),
        ('{"position": "-b----E-C---eE---c-e----B-", "dice": [0, 2]}', "a die shows 1 to 6"),
        ('{"position": "-b----E-C---eE---c-e----B-", "dice": [[], 2]}', "a die shows 1 to 6"),
        ('{"position": "-b----E-C---eE---c-e----BA", "dice": [1, 2]}', "16 checkers"),
        ('{"position": "-b----E-C---eE---c-e----B-", "dice": [1, 2], "away": [0, 2]}', "whole numbers from 1 to 25"),
        ('{"position": "-b----E-C---eE---c-e----B-", "dice": [1, 2], "away": "5"}', "'away'"),
        ('{"position": "-o------------------------", "dice": [1, 2]}', "the game is over"),
        ('{"position": "-O------------------------", "dice": [1, 2]}', "the game is over"),
    ],
)
def test_a_bad_line_gets_an_error_that_names_the_fault(line: str, reason: str) -> None:
    answer = json.loads(choose_line("normal", line))
    assert list(answer) == ["error"]
    assert reason in answer["error"]


def test_a_hint_is_three_lines_with_chances_and_reasons() -> None:
    lines = hint_text(START).splitlines()
    assert len(lines) == 3
    assert "8/5 6/5" in lines[0]
    assert "makes-point 5" in lines[0]
    assert "win 5" in lines[0]


def test_a_hint_for_nothing_to_play_says_so() -> None:
    assert hint_text("XGID=----AEEC-----------bbbbbbA:0:0:1:65:0:0:0:0:10") == "(no play)"


@pytest.mark.parametrize(
    ("xgid", "reason"), [("XGID=nonsense", "10 fields"), (START.replace("31", "00"), "before the roll")]
)
def test_a_bad_xgid_is_refused_with_the_reason(xgid: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        choose_text("normal", xgid)
    with pytest.raises(ValueError, match=reason):
        hint_text(xgid)
