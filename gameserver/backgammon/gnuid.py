"""GNU Backgammon's position ID: 14 characters of base64 for 80 bits.

The bits, from the lowest of the first byte on: for each side, the opponent of the side on roll first, for each of its
points from its own 1 to 24 and then its bar, as many ones as it has checkers there and a zero; zeros fill up the rest.
(GNU Backgammon manual, "A technical description of the Position ID".)
"""

import base64
import binascii

from gameserver.backgammon.errors import NotAPosition
from gameserver.backgammon.position import BAR, CHECKERS, Position

_LENGTH = 14
_BYTES = 10
_BITS = 8 * _BYTES


def gnu_position_id(position: Position) -> str:
    """The position ID of a position seen by the side on roll.

    >>> gnu_position_id(Position.start())
    '4HPwATDgc/ABMA'
    """
    bits = 0
    at = 0
    for side in (position.flipped(), position):
        for count in side.points[1:]:
            checkers = max(count, 0)
            bits |= ((1 << checkers) - 1) << at
            at += checkers + 1
    return base64.b64encode(bits.to_bytes(_BYTES, "little")).decode().rstrip("=")


def from_gnu_position_id(text: str) -> Position:
    """Read a position ID. Raises `NotAPosition`.

    >>> from_gnu_position_id("4HPwATDgc/ABMA") == Position.start()
    True
    """
    if len(text) != _LENGTH:
        raise NotAPosition(f"a GNU Backgammon position ID has {_LENGTH} characters, not {len(text)}")
    try:
        data = base64.b64decode(text + "==", validate=True)
    except (binascii.Error, ValueError) as error:
        raise NotAPosition(
            f"{text!r} is no GNU Backgammon position ID: its characters are A-Z, a-z, 0-9, + and /"
        ) from error
    bits = int.from_bytes(data, "little")
    at = 0
    sides = []
    for _ in range(2):
        counts = [0]
        for _ in range(BAR):
            checkers = 0
            while bits >> at & 1:
                checkers += 1
                at += 1
            at += 1
            counts.append(checkers)
        if sum(counts) > CHECKERS:
            raise NotAPosition(f"the position ID {text!r} gives a side {sum(counts)} checkers; a side has {CHECKERS}")
        sides.append(counts)
    theirs, mine = sides
    points = []
    for point in range(BAR + 1):
        opposing = theirs[BAR - point]
        if mine[point] and opposing:
            raise NotAPosition(f"the position ID {text!r} puts both sides on point {point}")
        points.append(mine[point] - opposing)
    position = Position(tuple(points))
    if gnu_position_id(position) != text:
        raise NotAPosition(f"the position ID {text!r} has bits set after the last checker")
    return position
