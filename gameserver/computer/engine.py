"""Opens the computer with the best evaluator that runs on this machine."""

import logging

from gameserver.computer import sage
from gameserver.computer.player import Player

_log = logging.getLogger(__name__)


def open_player() -> Player:
    """The computer, ready to play. Blocks for about a second; call once per process."""
    reason = sage.why_not()
    if reason is None:
        return Player(sage.Sage())
    raise RuntimeError(reason)
