"""When each part of the computer's turn is to be seen: a human pace, whatever the thinking cost."""

from collections.abc import Sequence
from enum import Enum
from typing import Final

from gameserver.session.events import Pace

LEAST_GAP: Final = 140
"""Milliseconds; two checkers closer together than this are not seen one by one."""

DRAWS: Final = 7
"""How many random numbers `turn_times` wants."""

_WHOLE_TURN: Final[dict[Pace, tuple[int, int]]] = {"real": (2000, 5000), "fast": (1000, 2000)}


class Ease(Enum):
    """How much there is to think about; the easier, the quicker. The value: which part of the pace's range is used."""

    CHOICE = (0.15, 1.0)
    FORCED = (0.0, 0.2)
    SHUT_OUT = (0.0, 0.05)

    @classmethod
    def of(cls, distinct_plays: int) -> "Ease":
        """By the number of different positions that the turn may end in; 0 when nothing can be played."""
        return (cls.SHUT_OUT, cls.FORCED)[distinct_plays] if distinct_plays < 2 else cls.CHOICE


def turn_times(pace: Pace, moves: int, ease: Ease, draws: Sequence[float]) -> tuple[int, ...]:
    """The time table of one turn: milliseconds from its start to the dice, to each checker, and to the end.

    `moves`: checkers to be seen moving, 0-4. `draws`: `DRAWS` random numbers in [0, 1). The whole turn takes 2-5 s at
    the real pace and 1-2 s at the fast one; forced and shut-out turns take the shortest times. No two steps are closer
    than 140 ms. Instant: all zeros. Raises ValueError for a wrong number of moves or draws.
    """
    if not 0 <= moves <= 4:
        raise ValueError(f"a turn has 0 to 4 moves, not {moves}")
    if len(draws) != DRAWS or not all(0.0 <= draw < 1.0 for draw in draws):
        raise ValueError(f"{DRAWS} numbers in [0, 1) are needed, not {list(draws)}")
    if pace == "instant":
        return (0,) * (moves + 2)
    shortest, longest = _WHOLE_TURN[pace]
    low, high = ease.value
    whole = shortest + int((longest - shortest) * (low + (high - low) * draws[0]))
    spans = _spans(moves, ease, draws)
    spare = whole - LEAST_GAP * len(spans)
    now, times = 0, []
    for span in spans[:-1]:
        now += LEAST_GAP + int(spare * span / sum(spans))
        times.append(now)
    return (*times, whole)


def _spans(moves: int, ease: Ease, draws: Sequence[float]) -> list[float]:
    """Relative lengths: reach for the dice, think, one checker after the other, look once more."""
    thinking = 1.5 + 2.5 * draws[1] if ease is Ease.CHOICE else 0.8
    between = [0.7 + 0.5 * draw for draw in draws[3 : 2 + moves]]
    return [0.6 + 0.5 * draws[2], *([thinking] if moves else []), *between, 0.6 + 0.4 * draws[6]]
