"""The lobby by HTTP, on the real servers."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from ..conftest import Site
from ..processes.programs import ended
from .client import Visitor

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:61:0:0:0:0:10"
LAST_CHECKER = "XGID=-A----------------------b-:0:0:1:00:0:0:0:0:10"


@pytest.fixture
async def visitor(site: Site) -> Visitor:
    return await Visitor.arrive(site.origin)


async def test_settings_are_kept_and_are_the_defaults_at_first(visitor: Visitor) -> None:
    first = (await visitor.lobby())["settings"]
    assert first["pace"] == "real"
    await visitor.set_settings(pace="fast", theme="ink", language="zh", auto_end=False)
    expected = {**first, "pace": "fast", "theme": "ink", "language": "zh", "auto_end": False}
    assert (await visitor.lobby())["settings"] == expected
    seat = await visitor.open(await visitor.start())
    assert seat.view["options_set"]["pace"] == "fast"
    assert seat.view["options_set"]["auto_end"] is False
    await seat.close()


@pytest.mark.parametrize(
    ("changes", "named"),
    [({"pace": "slow"}, "pace"), ({"auto_end": 1}, "auto_end"), ({"more": 1}, "more"), ({"theme": None}, "theme")],
)
async def test_settings_that_cannot_be_are_refused_by_name(
    visitor: Visitor, changes: dict[str, Any], named: str
) -> None:
    settings = {**(await visitor.lobby())["settings"], **changes}
    status, _, body = await visitor.request("PUT", "/api/settings", settings)
    assert status == 400
    error = json.loads(body)["error"]
    assert error["code"] == "malformed"
    assert named in error["text"]


async def test_settings_with_a_field_missing_are_refused_by_its_name(visitor: Visitor) -> None:
    settings = (await visitor.lobby())["settings"]
    del settings["sound"]
    status, _, body = await visitor.request("PUT", "/api/settings", settings)
    assert (status, json.loads(body)["error"]["text"]) == (400, "the field sound is missing")


async def test_the_lobby_lists_unfinished_sessions_latest_first_and_finished_ones_no_more(visitor: Visitor) -> None:
    await visitor.set_settings(pace="instant")
    sessions = [await visitor.start(position=LAST_CHECKER) for _ in range(3)]
    listed = (await visitor.lobby())["unfinished"]
    assert [each["session"] for each in listed] == [session.hex() for session in reversed(sessions)]
    assert listed[0]["phase"] == "seed"
    assert listed[0]["off"] == [14, 13]
    assert listed[0]["practice"] is True
    seat = await visitor.open(sessions[1])
    await seat.play_on(random.Random(1))
    await seat.close()
    listed = (await visitor.lobby())["unfinished"]
    assert [each["session"] for each in listed] == [sessions[2].hex(), sessions[0].hex()]


async def test_the_same_start_again_is_the_same_session(visitor: Visitor) -> None:
    command = os.urandom(16)
    first = await visitor.start(length=5, command=command)
    assert await visitor.start(length=5, command=command) == first
    assert await visitor.start("expert", length=1, command=command) == first
    assert len((await visitor.lobby())["unfinished"]) == 1
    stranger = await Visitor.arrive(visitor.origin)
    assert await stranger.start(length=5, command=command) != first
    seat = await visitor.open(first)
    assert seat.view["format"] == 5
    await seat.close()


async def test_a_start_answers_all_that_the_seed_needs_before_the_session_is_seen(visitor: Visitor) -> None:
    command = os.urandom(16)
    wanted = {"id": command.hex(), "level": "normal", "format": 1}
    answers = [json.loads((await visitor.request("POST", "/api/sessions", wanted))[2]) for _ in range(2)]
    assert answers[0] == answers[1], "the commitment is the first one's, not of a secret made anew"
    seat = await visitor.open(bytes.fromhex(answers[0]["session"]))
    assert (seat.version, seat.last) == (1, command)
    assert seat.view["fairness"]["commitment"].hex() == answers[0]["commitment"]
    await seat.close()


async def test_a_start_that_is_repeated_after_the_session_was_played_on_changes_nothing(visitor: Visitor) -> None:
    command = os.urandom(16)
    session = await visitor.start(command=command)
    seat = await visitor.open(session)
    await seat.do("seed", seed=os.urandom(32))
    version = seat.version
    assert await visitor.start(command=command) == session
    assert await seat.ping() >= version
    await seat.close()


async def test_practice_begins_with_the_position_and_the_roll_of_the_xgid(visitor: Visitor) -> None:
    seat = await visitor.open(await visitor.start(position=OPENING))
    assert seat.view["practice"] is True
    await seat.do("seed", seed=os.urandom(32))
    assert seat.view["dice"] == {"side": 0, "values": [6, 1], "unused": [6, 1]}
    assert seat.view["phase"] == "moving"
    await seat.close()


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"level": "normal", "format": 1}, "id"),
        ({"id": "00" * 15, "level": "normal", "format": 1}, "32 hex digits"),
        ({"id": "zz" * 16, "level": "normal", "format": 1}, "hex digits"),
        ({"id": 5, "level": "normal", "format": 1}, "id"),
        ({"id": "00" * 16, "level": "best", "format": 1}, "level"),
        ({"id": "00" * 16, "level": "normal", "format": 3}, "format"),
        ({"id": "00" * 16, "level": "normal", "format": True}, "format"),
        ({"id": "00" * 16, "level": "normal", "format": 1, "more": 1}, "more"),
        ({"id": "00" * 16, "level": "normal", "format": 1, "position": "XGID=nonsense"}, ""),
        ({"id": "00" * 16, "level": "normal", "format": 5, "position": OPENING}, "single game"),
        (
            {
                "id": "00" * 16,
                "level": "normal",
                "format": 1,
                "position": "XGID=-o" + "-" * 24 + ":0:0:1:00:0:0:0:0:10",
            },
            "borne off",
        ),
        ([], "object"),
        ("text", "object"),
    ],
)
async def test_a_start_that_cannot_be_is_refused_by_name(visitor: Visitor, body: Any, named: str) -> None:
    status, _, answer = await visitor.request("POST", "/api/sessions", body)
    assert status == 400
    error = json.loads(answer)["error"]
    assert error["code"] == "malformed"
    assert named in error["text"]
    assert (await visitor.lobby())["unfinished"] == []


async def test_a_record_is_downloaded_and_verified_and_a_changed_die_is_named(visitor: Visitor, tmp_path: Path) -> None:
    await visitor.set_settings(pace="instant")
    session = await visitor.start("beginner", position=LAST_CHECKER)
    path = tmp_path / "record.json"
    path.write_bytes(await visitor.record(session))
    unfinished = ended(["verify", str(path)])
    assert unfinished.returncode == 1
    assert "not revealed" in unfinished.stderr
    seat = await visitor.open(session)
    await seat.play_on(random.Random(2))
    await seat.close()
    status, headers, body = await visitor.request("GET", f"/api/sessions/{session.hex()}/record")
    assert status == 200
    assert headers["content-disposition"] == f'attachment; filename="shuanglu-{session.hex()[:8]}.json"'
    assert headers["cache-control"] == "no-store"
    path.write_bytes(body)
    assert ended(["verify", str(path)]).stdout == "the dice fit: 1 game(s), 1 rolls\n"
    record = json.loads(body)
    for commit in record["commits"]:
        for event in commit["events"]:
            if event["event"] == "Rolled":
                event["first"] = event["first"] % 6 + 1
    path.write_text(json.dumps(record))
    forged = ended(["verify", str(path)])
    assert forged.returncode == 1
    assert "roll 1 is" in forged.stderr


async def test_the_log_of_a_session_is_shown_without_the_secret(site: Site, visitor: Visitor) -> None:
    session = await visitor.start("beginner")
    seat = await visitor.open(session)
    await seat.do("seed", seed=b"s" * 32)
    shown = ended(["log", session.hex()], **site.variables)
    assert shown.returncode == 0, shown.stderr
    first, second = shown.stdout.splitlines()[:2]
    assert "SessionStarted(" in first
    assert seat.view["fairness"]["commitment"].hex() in first
    assert f"SeedGiven(seed={(b's' * 32).hex()})" in second
    assert "secret" not in shown.stdout
    unknown = ended(["log", os.urandom(16).hex()], **site.variables)
    assert (unknown.returncode, unknown.stderr) == (1, "gameserver: there is no such session\n")
    await seat.close()
