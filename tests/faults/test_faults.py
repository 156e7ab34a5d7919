"""Nothing is lost, whatever fails: the short form of the fault runs (`make test-faults` is the long one)."""

from __future__ import annotations

from pathlib import Path

import pytest

from .runs import ALWAYS, KINDS, Setting, run, set_stage

COMMANDS = 300
EVERY = 100
TABLES = 8
SETTINGS = [setting for setting in dict.fromkeys(kind.setting for kind in KINDS) if setting != ALWAYS]


@pytest.mark.parametrize(
    "setting", SETTINGS, ids=["one", "network", "sentinels", "sentinels replicated", "cluster", "cluster replicated"]
)
async def test_nothing_acknowledged_is_lost_doubled_or_changed(setting: Setting, tmp_path: Path) -> None:
    async with set_stage(setting, tmp_path) as stage:
        for kind in KINDS:
            if kind.setting == setting:
                report = await run(kind, stage, tmp_path, commands=COMMANDS, tables=TABLES, every=EVERY)
                assert not report.wrong(), "\n".join([kind.name, *report.wrong()])
                assert report.faults >= 1
                assert len(report.ledger.acknowledged) > COMMANDS // 2
