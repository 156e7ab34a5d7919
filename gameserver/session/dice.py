"""Dice that anyone can check.

For every game the server makes a 32-byte secret and commits to it (SHA-256) before the player gives a 32-byte seed. A
roll is then a function of secret, session, game, roll number and seed alone: HMAC (RFC 2104) with SHA-256 over a
message of fixed layout. Bytes of 252 and more are skipped (252 = 42 x 6), so every face is equally likely.
"""

import hmac
from hashlib import sha256
from struct import Struct
from typing import Final

SECRET_BYTES: Final = 32
SEED_BYTES: Final = 32

_TAG: Final = b"shuanglu-dice-v1"
_NUMBERS: Final = Struct(">IQI")  # game u32, roll u64, block u32
_FAIR_BYTES: Final = 252


def commitment(secret: bytes) -> bytes:
    """SHA-256 of the secret: shown before the first roll, so that the secret can't be changed afterwards."""
    return sha256(secret).digest()


def roll(secret: bytes, session: bytes, game: int, number: int, seed: bytes) -> tuple[int, int]:
    """The two dice of roll ``number`` (from 1) of ``game`` (from 1), each 1-6.

    >>> roll(bytes(32), bytes(16), 1, 1, bytes(32)) == roll(bytes(32), bytes(16), 1, 1, bytes(32))
    True
    """
    dice: list[int] = []
    block = 0
    while True:
        message = _TAG + session + _NUMBERS.pack(game, number, block) + seed
        for byte in hmac.digest(secret, message, "sha256"):
            if byte < _FAIR_BYTES:
                dice.append(1 + byte % 6)
                if len(dice) == 2:
                    return dice[0], dice[1]
        block += 1
