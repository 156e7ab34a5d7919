"""GNU Backgammon as a referee for the computer: an evaluator in a process of its own.

It may be slow to answer or never do so, so each question has a time limit. It is used by benchmarks only.
"""

import multiprocessing
from collections.abc import Iterable, Sequence
from multiprocessing.connection import Connection
from typing import Self

from gameserver.backgammon import Position, game_points
from gameserver.computer.candidates import Candidate, contenders, first_look, look_closer
from gameserver.computer.outcome import Outcome, game_over

SECONDS = 60.0


class GnuBackgammon:
    """Answers as an `Evaluator`. Its plies count as ours: 1 is what GNU calls 0-ply, 3 its 2-ply."""

    name = "GNU Backgammon"
    deepest = 3

    def __init__(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._questions, theirs = spawn.Pipe()
        self._process = spawn.Process(target=_answer, args=(theirs,), daemon=True)
        self._process.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._questions.send(None)
        self._process.join(5)
        if self._process.is_alive():
            self._process.kill()

    def outcomes(self, before: Position, afters: Sequence[Position], plies: int) -> list[Outcome]:
        """See `Evaluator.outcomes`. Raises TimeoutError."""
        del before
        self._questions.send(([_board(after.flipped()) for after in afters], plies - 1))
        if not self._questions.poll(SECONDS):
            raise TimeoutError(f"GNU Backgammon did not answer within {SECONDS:.0f} s")
        chances = self._questions.recv()
        return [
            game_over(game_points(after)) or Outcome.consistent(row).flipped()
            for after, row in zip(afters, chances, strict=True)
        ]

    def play(self, before: Position, plays: Iterable[Position]) -> Candidate:
        """What GNU Backgammon plays at 2-ply with its normal filter: the best 8 within 0.16 at 0-ply are looked at."""
        seen = first_look(self, before, dict.fromkeys(plays, ()), None)
        field = contenders(seen, 0.16, 8)
        return field[0] if len(field) == 1 else look_closer(self, before, field, 3, None)[0]


Board = tuple[list[int], list[int]]


def _board(position: Position) -> Board:
    """The other side's and the roller's checkers on points 1-24 and the bar, each numbered along its own way."""
    cells = position.points
    return [max(-cells[25 - place], 0) for place in range(1, 26)], [max(cells[place], 0) for place in range(1, 26)]


def _answer(questions: Connection) -> None:
    import gnubg  # noqa: PLC0415 - only this process has it

    cube = gnubg.cubeinfo()
    while (question := questions.recv()) is not None:
        boards, plies = question
        context = gnubg.evalcontext(0, plies, 1, 1, 0.0)
        questions.send([gnubg.evaluate(board, cube, context)[:5] for board in boards])
