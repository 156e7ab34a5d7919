"""The referee's process: reads one position a line, as JSON, and answers each with a line.

GNU Backgammon's binding names its moves only up to the first checker borne off, so it is asked for more than names:
`moves` (as far as named) and `scores` of every play it knows, and `scores_of_results`, what it gives for each of the
positions it is told.
"""

import json
import sys

import gnubg


def main() -> None:
    cube = gnubg.cubeinfo()
    at_sight = gnubg.evalcontext(0, 0, 1, 0, 0.0)
    for line in sys.stdin:
        question = json.loads(line)
        found = gnubg.find_best_moves(question["board"], cube, at_sight, tuple(question["roll"]))
        answer = {
            "moves": [play["move"] for play in found],
            "scores": [play["score"] for play in found],
            "scores_of_results": [
                result if isinstance(result, float) else -gnubg.evaluate(result, cube, at_sight)[5]
                for result in question["results"]
            ],
        }
        print(json.dumps(answer))


if __name__ == "__main__":
    main()
