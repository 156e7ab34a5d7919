"""Writes the golden decisions again, after a deliberate change of the network or of the expert.

python -m tests.computer.golden
"""

import json
from importlib.metadata import version
from itertools import islice
from pathlib import Path

from gameserver.computer.outcome import points
from gameserver.computer.player import Player
from gameserver.computer.sage import Sage
from loadtests.benchmarks.thinking_decisions import decisions

COUNT = 40


def main() -> None:
    network = Sage()
    player = Player(network)
    lines = []
    for taken in islice(decisions(player, "normal", seed=40, share=0.15), COUNT):
        choice = player.choose("expert", taken.before, taken.dice)
        row: dict[str, object] = {
            "bgsage": version("bgsage"),
            "position": taken.before.text,
            "dice": list(taken.dice),
            "expert": choice.after.text,
        }
        for plies in (1, 2, 3):
            row[f"equity-{plies}"] = round(points(network.outcomes(taken.before, [choice.after], plies)[0]), 5)
        lines.append(json.dumps(row))
    Path(__file__).with_name("data").joinpath("golden.jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
