"""The evaluator for machines where the network `bgsage` can't run: one hidden layer of our own, on numpy alone.

Its weights (`fallback.npz`) have been fitted to what bgsage sees at first look; `python -m
loadtests.benchmarks.thinking_fit_fallback` makes them again.
"""

from collections.abc import Sequence
from importlib import resources
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gameserver.backgammon import Position, game_points
from gameserver.computer.outcome import Outcome, game_over

Floats = NDArray[np.float32]

_ON_A_POINT: Final = np.array(
    [[count >= 1, count >= 2, count >= 3, max(count - 3, 0) / 2] for count in range(16)], dtype=np.float32
)
"""How a number of checkers on a point is shown to the network: blot, point made, spare, further spares."""

INPUTS: Final = 2 * 24 * 4 + 4


def encode(positions: Sequence[Position]) -> Floats:
    """Rows of `INPUTS` numbers: both sides' points (24 x 4 each), bars in halves, checkers borne off in fifteenths."""
    cells = np.array([position.points for position in positions], dtype=np.int64)
    on_points = cells[:, 1:25]
    mine, theirs = np.maximum(on_points, 0), np.maximum(-on_points, 0)
    bars = np.stack([cells[:, 25], -cells[:, 0]], axis=1)
    off = 15 - np.stack([mine.sum(axis=1), theirs.sum(axis=1)], axis=1) - bars
    rows = len(positions)
    on_points_encoded = (_ON_A_POINT[side].reshape(rows, -1) for side in (mine, theirs))
    return np.concatenate((*on_points_encoded, bars / 2, off / 15), axis=1).astype(np.float32)


class Fallback:
    """Looks at the position itself only; deeper thought is asked for in vain."""

    name = "fallback"
    deepest = 1

    def __init__(self) -> None:
        with resources.files(__package__).joinpath("fallback.npz").open("rb") as file, np.load(file) as weights:
            self._layers = [weights[name].astype(np.float32) for name in ("w1", "b1", "w2", "b2")]

    def outcomes(self, before: Position, afters: Sequence[Position], plies: int) -> list[Outcome]:
        """See `Evaluator.outcomes`."""
        del before, plies
        rows = forward(self._layers, encode(afters))[1].astype(np.float64).tolist()
        return [
            game_over(game_points(after)) or Outcome.consistent(row) for after, row in zip(afters, rows, strict=True)
        ]


def forward(layers: Sequence[Floats], inputs: Floats) -> tuple[Floats, Floats]:
    """The hidden layer and the five chances of `Outcome`, row by row."""
    w1, b1, w2, b2 = layers
    hidden = np.maximum(inputs @ w1 + b1, 0.0)
    return hidden, 1.0 / (1.0 + np.exp(-(hidden @ w2 + b2)))
