"""The computer as the rest of the server knows it."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

from gameserver.backgammon import Dice, Move, Position, complete_plays, dice_of
from gameserver.computer.candidates import first_look
from gameserver.computer.evaluator import Evaluator
from gameserver.computer.grading import Grade, grade
from gameserver.computer.hint import Advice, advise
from gameserver.computer.levels import chosen
from gameserver.computer.match_equity import Away
from gameserver.session.events import Level


class Choice(NamedTuple):
    """What a level plays."""

    play: tuple[Move, ...]
    """Empty when nothing can be played."""
    after: Position
    """The position after the play, seen by the side that played."""
    equity: float
    """What it expects: mean points of the game, or in a match the winning chance on the scale of `outcome.equity`."""
    distinct: int
    """How many different positions the roll could have led to: 0 shut out, 1 forced."""


class Player:
    """The computer at all its levels. Calls may come from several threads; they block while it thinks."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator

    def choose(
        self, level: Level, position: Position, dice: tuple[int, int], away: Away | None = None, salt: bytes = b""
    ) -> Choice:
        """The play of this level for the roll.

        `position` is seen by the side that plays, before its play. `away`: the match score, None where points count.
        `salt`: what the weaker levels draw their errors from; the same arguments always give the same play.
        Raises `NotDice`.
        """
        plays = complete_plays(position, dice_of(*dice))
        candidates = first_look(self.evaluator, position, plays or {position: ()}, away)
        mine = candidates[0]
        if len(plays) > 1:
            question = blake2b(bytes(sorted(dice)) + position.text.encode() + salt).digest()
            mine = chosen(level, self.evaluator, position, candidates, away=away, salt=question)
        return Choice(mine.play, mine.after, mine.equity, len(plays))

    def advise(self, position: Position, unused: Dice, played: Sequence[Move] = (), away: Away | None = None) -> Advice:
        """The best plays for what is left of a turn; see `hint.advise`."""
        return advise(self.evaluator, position, unused, played, away)

    def grade(self, position: Position, dice: tuple[int, int], after: Position, away: Away | None = None) -> Grade:
        """Judge a play that was made; see `grading.grade`."""
        return grade(self.evaluator, position, dice, after, away=away)
