"""Advice for a player's turn: the best plays, what they are worth, and why."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

from gameserver.backgammon import Dice, Move, Position, complete_plays, format_play, take_back
from gameserver.computer.candidates import EQUAL, Candidate, first_look, look_closer, safest
from gameserver.computer.deepening import think
from gameserver.computer.evaluator import Evaluator
from gameserver.computer.match_equity import Away
from gameserver.computer.outcome import Outcome
from gameserver.computer.reasons import Reason, reasons

SHOWN: Final = 3
PLIES: Final = 3


class AdvisedPlay(NamedTuple):
    """One play of the hint."""

    moves: tuple[Move, ...]
    text: str
    equity: float
    """As in `outcome.equity`."""
    loss: float
    """How much worse than the first play, in the same measure; at least 0."""
    outcome: Outcome
    reasons: tuple[Reason, ...]


class Advice(NamedTuple):
    """A hint: up to three plays, the best first; none when nothing can be played."""

    plays: tuple[AdvisedPlay, ...]
    undo_better: float | None
    """In mid-play: how much better the best play of the whole turn is, if what was moved does not belong to it."""


def advise(evaluator: Evaluator, position: Position, unused: Dice, played: Sequence[Move], away: Away | None) -> Advice:
    """The best ways to go on from `position` with the `unused` dice, after the moves of this turn `played` so far.

    The plays are thought through equally deep. Raises `NotDice`; `IllegalMove` when `played` cannot have led here.
    """
    start = position
    for move in reversed(played):
        start = take_back(start, move)
    rest = complete_plays(position, unused)
    best = _best(evaluator, start, rest or {position: ()}, away)
    plays = tuple(_advised(position, candidate, best) for candidate in best) if rest else ()
    if not played:
        return Advice(plays, None)
    whole = complete_plays(start, (*unused, *(move.die for move in played)))
    missed = _best(evaluator, start, whole, away, count=1)[0].equity - best[0].equity
    return Advice(plays, missed if missed > EQUAL else None)


def _best(
    evaluator: Evaluator,
    before: Position,
    plays: dict[Position, tuple[Move, ...]],
    away: Away | None,
    count: int = SHOWN,
) -> list[Candidate]:
    """The best `count` plays; of equal ones the safest comes first. What the expert would play is among them."""
    seen = first_look(evaluator, before, plays, away)
    thought = think(evaluator, before, seen, away)
    if thought[0].plies < PLIES:
        thought = thought[:count]
    known = {candidate.after for candidate in thought}
    others = [candidate for candidate in seen if candidate.after not in known]
    field = look_closer(evaluator, before, [*thought, *others[: max(count - len(thought), 0)]], PLIES, away)
    first = safest(field, field[0])
    return [first, *(candidate for candidate in field if candidate is not first)][:count]


def _advised(position: Position, candidate: Candidate, best: Sequence[Candidate]) -> AdvisedPlay:
    others = [other.after for other in best if other is not candidate]
    return AdvisedPlay(
        candidate.play,
        format_play(candidate.play, position),
        candidate.equity,
        max(best[0].equity - candidate.equity, 0.0),
        candidate.outcome,
        reasons(position, candidate.after, others),
    )


def encode_hint(advice: Advice) -> bytes:
    """The advice as the page gets it: MessagePack of `plays` and `undo_better`, as docs/protocol.md says."""
    plays = [_on_the_wire(play) for play in advice.plays]
    return msgspec.msgpack.encode({"plays": plays, "undo_better": advice.undo_better})


def _on_the_wire(play: AdvisedPlay) -> dict[str, Any]:
    outcome = play.outcome
    return {
        "moves": [[move.source, move.die, move.target, int(move.hit)] for move in play.moves],
        "text": play.text,
        "equity": play.equity,
        "loss": play.loss,
        "win": outcome.win,
        "gammon": outcome.gammon,
        "backgammon": outcome.backgammon,
        "lose_gammon": outcome.lose_gammon,
        "reasons": [list(reason) for reason in play.reasons],
    }
