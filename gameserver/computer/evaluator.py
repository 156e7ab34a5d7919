"""What every level of the computer rests on: something that can estimate how a game ends from a position."""

from collections.abc import Sequence
from typing import Protocol

from gameserver.backgammon import Position
from gameserver.computer.outcome import Outcome


class Evaluator(Protocol):
    """Estimates outcomes. Implementations are safe to call from several threads and give the same answer every time."""

    name: str
    deepest: int
    """The greatest number of plies that makes a difference."""

    def outcomes(self, before: Position, afters: Sequence[Position], plies: int) -> list[Outcome]:
        """For each position that a play leads to (seen by the side that played), how the game ends for that side.

        `before` is the position before the play, `plies` the depth: 1 looks at the position itself, 2 at all rolls
        of the other side, and so on; more than `deepest` counts as `deepest`. Game ends are exact.
        """
        ...
