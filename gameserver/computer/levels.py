"""Which of the plays of a roll each level chooses."""

from collections.abc import Sequence
from typing import Final

from gameserver.backgammon import Position
from gameserver.computer.candidates import Candidate, look_closer, safest
from gameserver.computer.deepening import think
from gameserver.computer.evaluator import Evaluator
from gameserver.computer.match_equity import Away
from gameserver.computer.temper import BEGINNER, NORMAL, Temper, waver
from gameserver.session.events import Level

# A play that looks this much worse than the best is looked at twice,
DUBIOUS: Final = 0.15
# and not made if it then looks this bad: even a beginner does not throw half a game away in one play.
INSANE: Final = 0.35

_TEMPERS: Final[dict[Level, Temper]] = {"beginner": BEGINNER, "normal": NORMAL}


def chosen(
    level: Level,
    evaluator: Evaluator,
    before: Position,
    candidates: Sequence[Candidate],
    *,
    away: Away | None,
    salt: bytes,
) -> Candidate:
    """The level's choice among all plays of the roll, the best first by the first look.

    The same arguments give the same choice; `salt` (up to 64 bytes) is what the errors of the weaker levels are drawn
    from. Of equal plays all levels take the safest.
    """
    temper = _TEMPERS.get(level)
    if temper is None:
        thought = think(evaluator, before, candidates, away)
        return safest(thought, thought[0])
    mine = waver(temper, before, candidates, salt)
    if candidates[0].equity - mine.equity > DUBIOUS:
        twice = look_closer(evaluator, before, [candidates[0], mine], 2, away)
        if twice[0].equity - next(each.equity for each in twice if each.after == mine.after) > INSANE:
            return candidates[0]
    return safest(candidates, mine)
