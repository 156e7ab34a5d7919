"""The computer as the rest of the server knows it."""

from hashlib import blake2b
from typing import NamedTuple

from gameserver.backgammon import Move, Position, complete_plays, dice_of
from gameserver.computer.candidates import Candidate, first_look, safest, think
from gameserver.computer.evaluator import Evaluator
from gameserver.computer.match_equity import Away
from gameserver.computer.temper import NORMAL, waver
from gameserver.session.events import Level


class Choice(NamedTuple):
    """What a level plays."""

    play: tuple[Move, ...]
    """Empty when nothing can be played."""
    after: Position
    """The position after the play, seen by the side that played."""
    equity: float
    """Mean points of the game, or in a match the winning chance on the scale of `outcome.equity`, from its own view."""
    distinct: int
    """How many different positions the roll could have led to: 0 shut out, 1 forced."""


class Player:
    """The computer at all its levels. Calls may come from several threads; they block while it thinks."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    @property
    def name(self) -> str:
        """Which evaluator it thinks with."""
        return self._evaluator.name

    def choose(
        self, level: Level, position: Position, dice: tuple[int, int], away: Away | None = None, salt: bytes = b""
    ) -> Choice:
        """The play of this level for the roll.

        `position` is seen by the side that plays, before its play. `away`: the match score, None where points count.
        `salt`: what the weaker levels draw their errors from; the same arguments always give the same play.
        Raises `NotDice`.
        """
        plays = complete_plays(position, dice_of(*dice))
        if not plays:
            return Choice((), position, self._standing(position, away), 0)
        candidates = first_look(self._evaluator, position, plays, away)
        draws = blake2b(bytes(sorted(dice)) + position.text.encode() + salt, digest_size=32).digest()
        chosen = self._chosen(level, position, candidates, away=away, draws=draws)
        return Choice(chosen.play, chosen.after, chosen.equity, len(plays))

    def _chosen(
        self, level: Level, position: Position, candidates: list[Candidate], *, away: Away | None, draws: bytes
    ) -> Candidate:
        if level == "expert":
            thought = think(self._evaluator, position, candidates, away)
            return safest(thought, thought[0])
        return safest(candidates, waver(NORMAL, candidates, draws))

    def _standing(self, position: Position, away: Away | None) -> float:
        """The equity of a position in which the turn passes."""
        return first_look(self._evaluator, position, {position: ()}, away)[0].equity
