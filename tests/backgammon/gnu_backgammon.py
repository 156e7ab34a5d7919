"""Asking GNU Backgammon, the referee, which runs in a process of its own: what crashes or hangs there ends there."""

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from gameserver.backgammon import Position, game_points

PROGRAM = Path(__file__).with_name("gnu_backgammon_process.py")
TIME_LIMIT = 120
"""Seconds for one batch; a usual one takes less than one."""

Board = list[list[int]]


class Question(NamedTuple):
    """`results`: what we hold to be the positions after complete plays; `moves`: how many moves such a play has."""

    position: Position
    roll: tuple[int, int]
    results: tuple[Position, ...]
    moves: int


class Answer(NamedTuple):
    """`moves`: of every play that the referee knows, as pairs of places, cut at the first checker borne off.

    `scores_of_results` is empty where no checker is borne off, so that all plays are named in full.
    """

    moves: list[list[int]]
    scores: list[float]
    scores_of_results: list[float]


class RefereeLost(Exception):
    """The referee's process crashed or did not answer in time."""


def ask(questions: list[Question]) -> list[Answer]:
    """The referee's answers, in order. Raises `RefereeLost`."""
    lines = [
        json.dumps(
            {
                "board": _board(question.position),
                "roll": question.roll,
                "results": [_result(result) for result in question.results] if _bears_off(question) else [],
            }
        )
        for question in questions
    ]
    try:
        done = subprocess.run(
            [sys.executable, str(PROGRAM)],
            input="\n".join(lines),
            capture_output=True,
            text=True,
            timeout=TIME_LIMIT,
            check=True,
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
        raise RefereeLost(f"{error}: {(error.stderr or b'')[-500:]!r}") from error
    answers = [Answer(**json.loads(line)) for line in done.stdout.splitlines()]
    if len(answers) != len(questions):
        raise RefereeLost(f"{len(answers)} answers to {len(questions)} questions")
    return answers


def _board(position: Position) -> Board:
    """The opponent's checkers, then those of the side on roll: each on its own points 1 to 24 and its bar."""
    return [[max(count, 0) for count in side.points[1:]] for side in (position.flipped(), position)]


def _bears_off(question: Question) -> bool:
    return max((result.off for result in question.results), default=0) > question.position.off


def _result(result: Position) -> Board | float:
    points = game_points(result)
    return float(points) if points else _board(result.flipped())
