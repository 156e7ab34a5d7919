"""The two evaluators: what bgsage says in the pinned version, and that the fallback is worth playing against."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path

import pytest

from gameserver.backgammon import Position, complete_plays, dice_of
from gameserver.computer import engine, sage
from gameserver.computer.fallback import INPUTS, Fallback, encode
from gameserver.computer.outcome import points
from gameserver.computer.player import Player
from gameserver.computer.sage import Sage

GOLDEN = [
    json.loads(line) for line in Path(__file__).with_name("data").joinpath("golden.jsonl").read_text().splitlines()
]


def test_the_golden_decisions_are_of_the_installed_version(network: Sage) -> None:
    del network
    assert len(GOLDEN) >= 36
    assert {row["bgsage"] for row in GOLDEN} == {version("bgsage")}, "run python -m tests.computer.golden, and say why"


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: f"{row['position']} {row['dice']}")
def test_decisions_and_equities_of_the_pinned_version(player: Player, network: Sage, row: dict[str, object]) -> None:
    position, dice = Position.parse(str(row["position"])), row["dice"]
    assert isinstance(dice, list)
    choice = player.choose("expert", position, (dice[0], dice[1]))
    assert choice.after.text == row["expert"]
    for plies in (1, 2, 3):
        (outcome,) = network.outcomes(position, [choice.after], plies)
        assert points(outcome) == pytest.approx(row[f"equity-{plies}"], abs=2e-4)


def test_several_threads_get_the_answers_of_one() -> None:
    alone, shared = Sage(), Sage()
    asked = [(Position.parse(row["position"]), Position.parse(row["expert"])) for row in GOLDEN[:12]]
    expected = [alone.outcomes(before, [after], 2) for before, after in asked]
    with ThreadPoolExecutor(4) as threads:
        for _ in range(3):
            assert list(threads.map(lambda pair: shared.outcomes(pair[0], [pair[1]], 2), asked)) == expected


def test_chances_are_consistent(network: Sage) -> None:
    for evaluator in (network, Fallback()):
        for row in GOLDEN:
            before = Position.parse(row["position"])
            for outcome in evaluator.outcomes(before, list(complete_plays(before, dice_of(*row["dice"]))), 1):
                assert 0 <= outcome.backgammon <= outcome.gammon <= outcome.win <= 1
                assert 0 <= outcome.lose_backgammon <= outcome.lose_gammon <= 1 - outcome.win + 1e-9


@pytest.mark.parametrize(
    ("after", "worth"),
    [("-o------------------------", 3.0), ("---------------------o----", 2.0), ("---------------------n----", 1.0)],
)
def test_a_game_that_is_won_needs_no_estimate(network: Sage, after: str, worth: float) -> None:
    position = Position.parse(after)
    assert [points(each.outcomes(position, [position], 1)[0]) for each in (network, Fallback())] == [worth, worth]


def test_the_fallback_sees_every_checker() -> None:
    start = encode([Position.start()])
    assert start.shape == (1, INPUTS)
    moved = encode([Position.parse("-b----E-C---eE---c-e---AA-")])
    assert (start != moved).any()


def test_the_fallback_agrees_with_the_network_about_most_of_what_matters(network: Sage) -> None:
    fallback = Fallback()
    lost = []
    for row in GOLDEN:
        before = Position.parse(row["position"])
        plays = list(complete_plays(before, dice_of(*row["dice"])))
        true = [points(outcome) for outcome in network.outcomes(before, plays, 1)]
        seen = [points(outcome) for outcome in fallback.outcomes(before, plays, 1)]
        lost.append(max(true) - true[seen.index(max(seen))])
    assert 500 * sum(lost) / len(lost) < 25


def test_where_the_network_cannot_run_the_fallback_plays_and_says_so_once(caplog: pytest.LogCaptureFixture) -> None:
    player = engine.open_player(lambda: "this processor lacks AVX2 or FMA")
    assert player.evaluator.name == "fallback"
    assert player.choose("expert", Position.start(), (3, 1)).after.text == "-b---BD-B---eE---c-e----B-"
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "AVX2" in caplog.text


def test_a_missing_network_is_a_reason_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bgbot_cpp.py").write_text("raise ImportError('no wheel for this machine')")
    monkeypatch.syspath_prepend(tmp_path)
    assert sage.why_not() == "ImportError: no wheel for this machine"


def test_a_network_that_kills_its_process_is_a_reason_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bgbot_cpp.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGILL)")
    monkeypatch.syspath_prepend(tmp_path)
    assert sage.why_not() == "this processor lacks AVX2 or FMA"


def test_opening_the_fallback_never_loads_the_network() -> None:
    code = (
        "import sys\n"
        "from gameserver.computer.engine import open_player\n"
        "open_player(lambda: 'told not to')\n"
        "sys.exit('bgbot_cpp' in sys.modules or 'bgsage' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
