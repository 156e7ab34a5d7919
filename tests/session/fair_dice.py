"""The dice once more, from the words of docs/protocol.md; shares nothing with gameserver.session.dice."""

import hashlib
import hmac
from collections.abc import Iterator
from itertools import count


def dice_bytes(secret: bytes, session: bytes, game: int, number: int, seed: bytes) -> Iterator[int]:
    for block in count():
        message = b"".join(
            [
                b"shuanglu-dice-v1",
                session,
                game.to_bytes(4, "big"),
                number.to_bytes(8, "big"),
                block.to_bytes(4, "big"),
                seed,
            ]
        )
        yield from hmac.new(secret, message, hashlib.sha256).digest()


def fair_roll(secret: bytes, session: bytes, game: int, number: int, seed: bytes) -> tuple[int, int]:
    faces = (1 + byte % 6 for byte in dice_bytes(secret, session, game, number, seed) if byte < 252)
    return next(faces), next(faces)


def secret_that_rolls(session: bytes, seed: bytes, wanted: tuple[tuple[int, int] | None, ...], game: int = 1) -> bytes:
    """The first of a fixed row of secrets that gives these rolls, number 1 first; None stands for any."""
    for attempt in count():
        secret = hashlib.sha256(b"a secret to try %d" % attempt).digest()
        if all(
            roll is None or fair_roll(secret, session, game, number, seed) == roll
            for number, roll in enumerate(wanted, start=1)
        ):
            return secret
    raise AssertionError
