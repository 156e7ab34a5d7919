"""The evaluators under test, opened once."""

import pytest

from gameserver.computer import sage
from gameserver.computer.fallback import Fallback
from gameserver.computer.player import Player


@pytest.fixture(scope="session")
def network() -> sage.Sage:
    reason = sage.why_not()
    if reason is not None:
        pytest.skip(f"bgsage does not run here: {reason}")
    return sage.Sage()


@pytest.fixture(scope="session")
def player(network: sage.Sage) -> Player:
    return Player(network)


@pytest.fixture(scope="session")
def fallback_player() -> Player:
    return Player(Fallback())
