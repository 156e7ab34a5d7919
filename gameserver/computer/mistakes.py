"""Names for the mistakes that people make: what a play did that a better one did not."""

from enum import StrEnum
from typing import Final

from gameserver.backgammon import Position, is_race
from gameserver.computer import features
from gameserver.computer.shots import shots

LEAST_LOSS: Final = 0.02
"""Points of equity; less is a matter of taste and has no name."""
MORE_SHOTS: Final = 4


class Mistake(StrEnum):
    """Kinds of mistake; one play may be several."""

    NEEDLESS_BLOT = "needless-blot"
    BROKE_ANCHOR = "broke-anchor"
    BROKE_PRIME = "broke-prime"
    MISSED_POINT = "missed-point"
    MISSED_HIT = "missed-hit"
    RAN_EARLY = "ran-early"


def mistakes(before: Position, played: Position, better: Position, loss: float) -> frozenset[Mistake]:
    """What was wrong with a play, next to a better one from the same position; `loss` is what it costs, in points."""
    if loss < LEAST_LOSS or is_race(before):
        return frozenset()
    return frozenset(mistake for mistake, made in _comparisons(before, played, better).items() if made)


def _comparisons(before: Position, played: Position, better: Position) -> dict[Mistake, bool]:
    anchors, prime = features.anchors(before), features.prime(before)
    new = {after: features.points_made(after) - features.points_made(before) for after in (played, better)}
    return {
        Mistake.NEEDLESS_BLOT: (
            features.danger(played).blots > features.danger(better).blots
            and shots(played) >= shots(better) + MORE_SHOTS
        ),
        Mistake.BROKE_ANCHOR: bool(anchors & features.anchors(better)) and not anchors & features.anchors(played),
        Mistake.BROKE_PRIME: prime >= 3 and features.prime(better) >= prime > features.prime(played),
        Mistake.MISSED_POINT: len(new[better]) > len(new[played]),
        Mistake.MISSED_HIT: features.hits(before, better) > 0 and features.hits(before, played) == 0,
        Mistake.RAN_EARLY: features.back_checkers(played) < features.back_checkers(better),
    }
