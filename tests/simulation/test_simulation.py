"""A few dozen simulated runs, and that a run can be played again."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from .__main__ import mode_of
from .run import Outcome, Run

SEEDS = range(24)
COMMANDS = 80


def play(seed: int) -> Outcome:
    outcome = Run(seed, mode_of(seed), COMMANDS).play()
    again = f"python -m tests.simulation --seed {seed} --a-run {COMMANDS}"
    assert not outcome.failures, "\n".join([*outcome.history, *outcome.failures, again])
    return outcome


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_fails_nothing_is_lost_doubled_or_shown_wrong(seed: int) -> None:
    outcome = play(seed)
    assert outcome.counts["commands"] >= COMMANDS
    assert outcome.counts["acknowledged"] > 0
    assert outcome.counts["computer's turns"] > 0


def test_a_seed_replays_exactly_in_another_process_too() -> None:
    told = "from tests.simulation.test_simulation import play; print(play(2).digest)"
    elsewhere = subprocess.run(
        [sys.executable, "-c", told],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    here = play(2)
    assert elsewhere.stdout.split() == [here.digest]
    assert here.counts["packed"] > 0, "logs are packed while others still read them"
