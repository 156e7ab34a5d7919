"""Set positions to start from, by what they are for. X is the player; the notation is XGID."""

from __future__ import annotations

from typing import Final


def xgid(position: str, dice: str = "00") -> str:
    """The player on roll in this position; dice `00` are still to be rolled."""
    return f"XGID={position}:0:0:1:{dice}:0:0:0:0:10"


START: Final = "-b----E-C---eE---c-e----B-"

FREE_TO_PLAY: Final = xgid(START, "64")
"""The start with 6-4: several checkers and both dice are free to play, in any order."""

ONE_PLAY: Final = xgid("----b-M-A-------b-cdd---A-", "62")
"""24/22 8/2 is the only play: 8/6 with the 2 would kill the 6."""

TWO_PATHS: Final = xgid("------a---A---------------", "42")
"""10/6*/4 and 10/8/4 reach the same point; only the first hits."""

LAST_CHECKER: Final = xgid("----A-------------------o-", "62")
"""The player's last checker on its 4 point: the 6 bears it off and ends the game."""

HIT_AND_COVER: Final = xgid("-b--a-E-C---eE---c-d----B-", "42")
"""8/4* 6/4 is possible."""

ONLY_THE_ONE: Final = xgid("-bb---B-A-----------------", "61")
"""Only the 1 can be played, but 8/7 or 6/5 is a choice."""

LEFT_OVER: Final = xgid("----------B---------b-a--B", "53")
"""bar/22* is all that can be played: one checker stays on the bar and the 5 is lost."""

SHUT_OUT: Final = xgid("-c-----------------bbbbbbA", "00")
"""On the bar against six points: whatever is rolled, nothing enters."""

BEARING_OFF: Final = xgid("-CCCB-------------------e-", "32")
"""Eleven checkers at home and nobody in the way."""

FOUR_OF_A_KIND: Final = xgid(START, "33")
"""A double: one checker may go up to twelve pips in one drag."""
