"""XGID, the one-line description of a position that players exchange."""

from dataclasses import dataclass

from gameserver.backgammon.position import Position


@dataclass(frozen=True, slots=True)
class XGID:
    """A position seen by the side on roll, with its dice and the score.

    `dice`: the roll as written, None before the roll. `match_length` 0: money play. `score`: (side on roll, opponent).
    """

    position: Position
    dice: tuple[int, int] | None = None
    score: tuple[int, int] = (0, 0)
    match_length: int = 0
    crawford: bool = False

    @classmethod
    def parse(cls, text: str) -> "XGID":
        """Read an XGID; with the other side on roll it is turned to the roller's view. Raises `NotAPosition`."""
        raise NotImplementedError

    @property
    def text(self) -> str:
        raise NotImplementedError
