"""Nothing is lost, whatever fails: the short form of the fault runs (`make test-faults` is the long one)."""

from __future__ import annotations

from pathlib import Path

import pytest

from .runs import KINDS, Kind, run

COMMANDS = 300
FAULTS = 2
TABLES = 6


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
async def test_nothing_acknowledged_is_lost_doubled_or_changed(kind: Kind, tmp_path: Path) -> None:
    report = await run(kind, tmp_path, commands=COMMANDS, tables=TABLES, every=COMMANDS // (FAULTS + 1))
    assert not report.wrong(), "\n".join(report.wrong())
    assert report.faults >= 1
    assert len(report.ledger.acknowledged) > COMMANDS // 2
