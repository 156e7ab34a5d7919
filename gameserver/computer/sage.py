"""The neural network `bgsage` as an evaluator.

The only file that imports it. Facts about the pinned version that shape the code: the compiled part dies with SIGILL
at import where AVX2 or FMA is missing (so `why_not` tries it in a child process first); it accepts nonsense in silence
(so only checked positions go in); one set of its objects serves all threads, and it releases the GIL.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from gameserver.backgammon import Position, game_points
from gameserver.computer.outcome import Outcome, game_over

_PROBE = """
from gameserver.computer.sage import Sage
from gameserver.backgammon import Position
start = Position.start()
Sage().outcomes(start, [start], 2)
"""
_PROBE_SECONDS = 60


def why_not() -> str | None:
    """None if the network runs on this machine, else the reason in a few words. Takes about half a second."""
    try:
        probe = subprocess.run(  # noqa: S603
            [sys.executable, "-c", _PROBE],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            timeout=_PROBE_SECONDS,
            text=True,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"it did not answer within {_PROBE_SECONDS} s"
    if probe.returncode == -signal.SIGILL:
        return "this processor lacks AVX2 or FMA"
    if probe.returncode < 0:
        return f"it was stopped by {signal.Signals(-probe.returncode).name}"
    if probe.returncode > 0:
        return (probe.stderr.strip().splitlines() or [f"exit code {probe.returncode}"])[-1]
    return None


class Sage:
    """The network, 1 to `deepest` plies deep. Construct it only where `why_not()` is None.

    What it has seen it remembers in a table of fixed size (about 40 MB), which changes no answer.
    """

    name = "bgsage"

    def __init__(self, deepest: int = 3) -> None:
        self.deepest = deepest
        # Read at import: no thread pool of its own.
        os.environ["BGBOT_MULTIPLY_THREADS"] = "1"
        import bgbot_cpp  # noqa: PLC0415
        from bgsage.weights import bearoff_db_path, default_weights  # noqa: PLC0415

        weights = default_weights()
        network = weights.strategy_type, weights.weight_paths_list, weights.hidden_sizes_list
        bear_off = bgbot_cpp.BearoffDB()
        if not bear_off.load(bearoff_db_path()):
            raise OSError("bgsage's bear-off database cannot be read")
        self._depths: dict[int, Any] = {1: bgbot_cpp.BearoffStrategy(bgbot_cpp.create_strategy(*network), bear_off)}
        for plies in range(2, deepest + 1):
            search = bgbot_cpp.create_multipy(*network, n_plies=plies, parallel_evaluate=False, parallel_threads=0)
            bgbot_cpp.multipy_set_bearoff_db(search, bear_off)
            self._depths[plies] = search

    def outcomes(self, before: Position, afters: Sequence[Position], plies: int) -> list[Outcome]:
        """See `Evaluator.outcomes`."""
        evaluate = self._depths[min(plies, self.deepest)].evaluate_board
        root = board(before)
        return [
            game_over(game_points(after)) or Outcome.consistent(evaluate(board(after), root)["probs"])
            for after in afters
        ]


def board(position: Position) -> list[int]:
    """The position as the network counts it: the other side's bar is a positive number."""
    cells = list(position.points)
    cells[0] = -cells[0]
    return cells
