"""The human side of the weaker levels: how unsteady they are, and which habits lead them astray.

Chance comes in as a value: it is drawn from a digest of position, dice and salt, so that the same question always gets
the same answer.
"""

import math
from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, NamedTuple

from gameserver.computer.candidates import Candidate


class Temper(NamedTuple):
    """How a level errs, in points of equity."""

    unsteady: float
    """Scale of the random error in the judgement of each play (the temperature of a softmax over them)."""
    never: float
    """A play that it sees to be worse than the best by this much is never made."""


NORMAL: Final = Temper(unsteady=0.04, never=0.30)


def waver(temper: Temper, candidates: Sequence[Candidate], salt: bytes) -> Candidate:
    """The play that a level of this temper makes. `candidates`: the best first; `salt`: what chance is drawn from."""
    best = candidates[0].equity
    open_to_it = [candidate for candidate in candidates if best - candidate.equity < temper.never]
    return max(open_to_it, key=lambda each: each.equity + temper.unsteady * _gumbel(salt, each))


def _gumbel(salt: bytes, candidate: Candidate) -> float:
    """A draw of the Gumbel distribution; the greatest of equity + T * Gumbel is a softmax choice at temperature T."""
    return -math.log(-math.log(_draw(salt, candidate.after.text.encode())))


def _draw(salt: bytes, about: bytes) -> float:
    """A number in (0, 1)."""
    return (int.from_bytes(blake2b(about, digest_size=6, key=salt).digest(), "big") + 0.5) / 2**48
