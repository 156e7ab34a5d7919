"""The small tools of the command line, and its environment variables."""

from __future__ import annotations

import contextlib
import io
import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from gameserver.cli import main
from gameserver.settings import VARIABLES, BadSetting, describe, read_settings

from .programs import SECRET_KEY, ended, environment, gameserver

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:61:0:0:0:0:10"


def test_plays_lists_every_complete_play_of_an_xgid(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plays", OPENING]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("13/7 8/7") for line in lines)
    assert len(lines) == len(set(lines)) == 10


@pytest.mark.parametrize(
    ("arguments", "named"),
    [(["plays"], "an XGID is needed"), (["plays", "XGID=nonsense"], ""), (["plays", ""], "an XGID is needed")],
)
def test_plays_says_what_is_wrong(capsys: pytest.CaptureFixture[str], arguments: list[str], named: str) -> None:
    assert main(arguments) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("gameserver: ")
    assert named in said.err


def test_plays_answers_lines_and_goes_on_after_a_bad_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    position = "-b----E-C---eE---c-e----B-"
    lines = [
        json.dumps({"position": position, "dice": [6, 1]}),
        "nonsense",
        json.dumps({"position": position}),
        json.dumps({"position": position, "dice": [7, 1]}),
        json.dumps({"position": "-" * 26, "dice": [6, 1]}),
        "",
        json.dumps({"position": position, "dice": [2, 2]}),
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines)))
    assert main(["plays", "--jsonl"]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(answers) == 6
    assert [sorted(answer) for answer in answers] == [["results"], *[["error"]] * 4, ["results"]]
    assert len(answers[0]["results"]) == 10


def test_a_line_that_is_no_text_is_answered_and_the_next_one_too() -> None:
    line = json.dumps({"position": "-b----E-C---eE---c-e----B-", "dice": [2, 1]}).encode()
    said = subprocess.run(
        gameserver("plays", "--jsonl"),
        input=b"\xff\xfe\n" + line + b"\n",
        capture_output=True,
        env=environment(PYTHONIOENCODING="utf-8:strict"),
        timeout=60,
        check=True,
    )
    assert [sorted(json.loads(each)) for each in said.stdout.splitlines()] == [["error"], ["results"]]


def test_a_reader_that_has_had_enough_is_told_nothing() -> None:
    many = json.dumps({"position": "-b----E-C---eE---c-e----B-", "dice": [2, 2]}) + "\n"
    with subprocess.Popen(
        gameserver("plays", "--jsonl"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            program.stdin.write(many * 20)
            program.stdin.close()
        assert program.wait(20) == 1
        assert program.stderr.read() == ""


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["choose", "best", OPENING], ["computer", "--threads", "0"]])
def test_a_command_that_is_not_understood_is_status_2(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: gameserver" in capsys.readouterr().err


def test_log_needs_an_id_and_a_store_that_runs(tmp_path: Path) -> None:
    assert "32 hex digits" in ended(["log", "12"], DATA_DIR=str(tmp_path)).stderr
    away = ended(["log", "0" * 32], DATA_DIR=str(tmp_path))
    assert away.returncode == 1
    assert f"`gameserver play` on {tmp_path} can't be reached" in away.stderr
    assert "Traceback" not in away.stderr


# --- verify


def test_verify_names_what_is_no_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for content, named in (
        (b"", "not a record"),
        (b"{}", "not a record"),
        (b"\xff", "not a record"),
        (b'{"record": 2, "session": "", "commits": []}', "version 2"),
        (b'{"record": 1, "session": "zz", "commits": []}', "not a record"),
        (b'{"record": 1, "session": "00000000000000000000000000000000", "commits": []}', "empty"),
    ):
        (tmp_path / "record").write_bytes(content)
        assert main(["verify", str(tmp_path / "record")]) == 1
        assert named in capsys.readouterr().err
    assert main(["verify", str(tmp_path / "none")]) == 1
    assert "No such file" in capsys.readouterr().err
    assert main(["verify", str(tmp_path)]) == 1


def damaged(choose: random.Random, value: Any) -> Any:
    """The value with one thing in it changed."""
    if isinstance(value, dict) and value:
        name = choose.choice(sorted(value))
        return {**value, name: damaged(choose, value[name])}
    if isinstance(value, list) and value:
        index = choose.randrange(len(value))
        return [*value[:index], damaged(choose, value[index]), *value[index + 1 :]]
    return choose.choice([None, True, -1, 7, 2.5, "", "Moved", "player", "00" * 16, [], {}])


def test_verify_finds_every_damage_that_matters_and_never_breaks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = json.loads((Path(__file__).parent / "data" / "record.json").read_text())
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record))
    assert main(["verify", str(path)]) == 0
    assert capsys.readouterr().out.startswith("the dice fit: 1 game(s)")
    choose = random.Random(8)
    for _ in range(150):
        path.write_text(json.dumps(damaged(choose, record)))
        assert main(["verify", str(path)]) in {0, 1}
        said = capsys.readouterr()
        assert said.out or said.err.startswith("gameserver: ")


# --- Environment variables


def test_config_explains_every_variable_and_shows_no_secret(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_KEY", SECRET_KEY)
    monkeypatch.setenv("REDIS_URL", "redis://:password@localhost")
    monkeypatch.setenv("PORT", "8123")
    assert main(["config"]) == 0
    shown = capsys.readouterr().out
    assert all(f"{variable.name} = " in shown for variable in VARIABLES)
    assert "PORT = 8123" in shown
    assert "SECRET_KEY = (set)" in shown
    assert SECRET_KEY not in shown
    assert "password" not in shown


def test_config_fails_where_a_variable_cannot_be_used(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORT", "70000")
    assert main(["config"]) == 1
    assert "PORT is '70000'" in capsys.readouterr().err


def test_the_defaults() -> None:
    settings = read_settings({})
    assert (settings.host, settings.port, settings.redis_url, settings.secret_keys) == ("127.0.0.1", 8000, None, ())
    assert (settings.allowed_origins, settings.trusted_proxies, settings.log_level) == ((), (), "info")
    assert settings == read_settings({"PORT": " ", "HOST": "", "LOG_LEVEL": "INFO"})


def test_lists_are_read_with_spaces_and_case() -> None:
    settings = read_settings(
        {
            "ALLOWED_ORIGINS": "https://Play.example , http://localhost:5173",
            "TRUSTED_PROXIES": "10.0.0.0/8,::1",
            "SECRET_KEY": f"{'a' * 32}, {'b' * 32}",
        }
    )
    assert settings.allowed_origins == ("https://play.example", "http://localhost:5173")
    assert settings.trusted_proxies == ("10.0.0.0/8", "::1")
    assert settings.secret_keys == ("a" * 32, "b" * 32)


@pytest.mark.parametrize(
    "url",
    [
        "redis://localhost",
        "rediss://user:password@host:6380/2",
        "unix:///run/redis.sock",
        "redis+sentinel://a:26379,b:26379/main/0",
        "redis+cluster://a:6379,b:6379",
        "rediss+cluster://a",
    ],
)
def test_every_form_of_a_store_address_is_taken(url: str) -> None:
    assert read_settings({"REDIS_URL": url, "SECRET_KEY": SECRET_KEY}).redis_url == url


@pytest.mark.parametrize(
    "url", ["localhost", "http://a", "redis+sentinel://a", "redis://a,b", "unix://", "redis://a/x"]
)
def test_another_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(BadSetting, match=r"^REDIS_URL: "):
        read_settings({"REDIS_URL": url, "SECRET_KEY": SECRET_KEY})
    with pytest.raises(BadSetting) as bad:
        read_settings({"REDIS_URL": "redis://:tell-nobody@host:port", "SECRET_KEY": SECRET_KEY})
    assert "tell-nobody" not in str(bad.value)
    assert "tell-nobody" not in repr(read_settings({"REDIS_URL": "redis://:tell-nobody@h", "SECRET_KEY": SECRET_KEY}))


def test_a_key_that_is_too_short_is_not_shown() -> None:
    with pytest.raises(BadSetting) as bad:
        read_settings({"SECRET_KEY": f"{'a' * 32},tell-nobody"})
    assert "tell-nobody" not in str(bad.value)
    assert "tell-nobody" not in describe({"SECRET_KEY": "tell-nobody"})
