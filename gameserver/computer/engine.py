"""Opens the computer with the best evaluator that runs on this machine."""

import logging
from collections.abc import Callable

from gameserver.computer import sage
from gameserver.computer.fallback import Fallback
from gameserver.computer.player import Player

_log = logging.getLogger(__name__)


def open_player(why_not: Callable[[], str | None] = sage.why_not) -> Player:
    """The computer, ready to play. Blocks for up to a second; once per process is enough.

    Where the neural network can't run (`why_not` gives the reason), this is said once, as a warning, and a weaker
    evaluator takes its place.
    """
    reason = why_not()
    if reason is None:
        return Player(sage.Sage())
    _log.warning(
        "The neural network bgsage does not run here (%s). The computer plays with its own small evaluator instead: "
        "all levels work, but even the expert is no more than a good club player.",
        reason,
    )
    return Player(Fallback())
