"""GNU Backgammon's position ID."""

from gameserver.backgammon.position import Position


def gnu_position_id(position: Position) -> str:
    """The 14 characters that GNU Backgammon calls the position ID."""
    raise NotImplementedError


def from_gnu_position_id(text: str) -> Position:
    """Read a position ID, seen by the side on roll. Raises `NotAPosition`."""
    raise NotImplementedError
