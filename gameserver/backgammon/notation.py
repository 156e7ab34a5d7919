"""Plays in words, as players write them: `24/18*/13`, `bar/22`, `6/off`, `8/4(2)`."""

from collections.abc import Iterable

from gameserver.backgammon.dice import Dice
from gameserver.backgammon.moves import Move
from gameserver.backgammon.position import Position


def parse_play(text: str, position: Position, unused: Dice) -> tuple[Move, ...]:
    """Read a complete or partial play. Raises `UnreadablePlay`, `AmbiguousPlay`, `IllegalMove`."""
    raise NotImplementedError


def format_play(moves: Iterable[Move], position: Position | None = None) -> str:
    """Write a play as players do. `position`: where it starts."""
    raise NotImplementedError
