"""Why a play is good, in codes that the page puts into words of its language. All is counted from the positions.

| code | arguments | meaning |
| --- | --- | --- |
| `only-play` | | the roll leaves no choice |
| `hits` | points | sends checkers to the bar |
| `makes-anchor` | points | makes points in the other side's home board |
| `makes-point` | points | makes points elsewhere |
| `prime` | length | a longer wall of points in front of an enemy checker, 4 or more |
| `escapes` | number | back checkers leave the other side's home board |
| `enters` | number | checkers come in from the bar |
| `keeps-anchor` | points | holds the anchor that another play would give up |
| `keeps-prime` | length | holds the wall that another play would break |
| `no-shots` | | no roll hits |
| `safest` | shots | fewest shots, of 36, among the plays worth thinking about |
| `shots` | shots | so many rolls of 36 hit |
| `bears-off` | number | checkers borne off |
| `breaks-contact` | | nothing can be hit any more: a race |
| `comes-home` | number | in a race: checkers that reach the home board |
| `fills-gaps` | | in a race: spreads the checkers so that fewer pips are wasted when bearing off |
"""

from collections.abc import Sequence

from gameserver.backgammon import Position, is_race
from gameserver.computer import features
from gameserver.computer.shots import shots

Reason = tuple[str | int, ...]
"""A code and its whole numbers; points are numbered along the mover's way."""

MOST = 3


def reasons(before: Position, after: Position, others: Sequence[Position]) -> tuple[Reason, ...]:
    """One to three reasons for the play from `before` to `after`, the weightiest first.

    `others`: where the other plays worth thinking about lead; none of them makes it the only play.
    """
    if not others:
        return (("only-play",),)
    if is_race(after):
        return _in_a_race(before, after)
    found = [*_gains(before, after), *_keeps(before, after, others)][: MOST - 1]
    return (*found, _risk(after, others))


def _gains(before: Position, after: Position) -> list[Reason]:
    found: list[Reason] = []
    hit = _hit_points(before, after)
    if hit:
        found.append(("hits", *hit))
    made = sorted(features.points_made(after) - features.points_made(before), reverse=True)
    anchors = [point for point in made if point in features.THEIR_HOME]
    blocks = [point for point in made if point not in features.THEIR_HOME]
    if anchors:
        found.append(("makes-anchor", *anchors))
    length = features.prime(after)
    if length >= 4 and length > features.prime(before):
        found.append(("prime", length))
    if blocks:
        found.append(("makes-point", *blocks))
    entered = before.points[25] - after.points[25]
    escaped = features.back_checkers(before) - features.back_checkers(after)
    if escaped > 0:
        found.append(("escapes", escaped))
    elif entered > 0:
        found.append(("enters", entered))
    off = after.off - before.off
    if off:
        found.append(("bears-off", off))
    return found


def _hit_points(before: Position, after: Position) -> list[int]:
    """Where enemy blots stood that are on the bar now."""
    if not features.hits(before, after):
        return []
    return [point for point in range(24, 0, -1) if before.points[point] == -1 and after.points[point] >= 0]


def _keeps(before: Position, after: Position, others: Sequence[Position]) -> list[Reason]:
    found: list[Reason] = []
    kept = features.anchors(before) & features.anchors(after)
    if kept and any(not kept & features.anchors(other) for other in others):
        found.append(("keeps-anchor", *sorted(kept, reverse=True)))
    wall = features.prime(before)
    if wall >= 4 and features.prime(after) >= wall and any(features.prime(other) < wall for other in others):
        found.append(("keeps-prime", features.prime(after)))
    return found


def _risk(after: Position, others: Sequence[Position]) -> Reason:
    mine = shots(after)
    if not mine:
        return ("no-shots",)
    theirs = [shots(other) for other in others]
    return ("safest", mine) if mine <= min(theirs) and mine < max(theirs) else ("shots", mine)


def _in_a_race(before: Position, after: Position) -> tuple[Reason, ...]:
    found: list[Reason] = []
    if not is_race(before):
        found.append(("breaks-contact",))
    off = after.off - before.off
    if off:
        found.append(("bears-off", off))
    home = sum(max(before.points[point], 0) - max(after.points[point], 0) for point in range(7, 26))
    if home > 0:
        found.append(("comes-home", home))
    return tuple(found or [("fills-gaps",)])
