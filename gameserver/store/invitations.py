"""Invitations to other devices: a code is shown on one, asked with on another, and answered on the first.

An invitation stands for ten minutes and is used by the first who asks. The store has no code, only its fingerprint; all
that may be done with an invitation needs the code and, once somebody has asked, being one of the two.
"""

import hashlib
from enum import StrEnum
from typing import Final, NamedTuple, cast

from gameserver.store import keys, scripts
from gameserver.store.batching import Batcher

STANDS_MS: Final = 600_000
_TAG: Final = b"shuanglu-invitation"


class Answer(StrEnum):
    """What the inviting player says."""

    APPROVED = "approved"
    REFUSED = "refused"


class Asker(NamedTuple):
    """Who asks to join. ``check``: two digits that both devices show; ``joins_as``: the id that the device gets."""

    player: bytes
    device: bytes
    name: str
    check: str
    brings_games: bool
    joins_as: bytes


class Invitation(NamedTuple):
    """An invitation as it stands: by which device of which player, who asks, and what was answered."""

    player: bytes
    by: bytes
    asker: Asker | None
    answer: Answer | None


class Invitations:
    """All invitations. Raises `StoreUnavailable` and `Overloaded` as `SessionLog` does."""

    def __init__(self, commands: Batcher, *, stands_ms: int = STANDS_MS) -> None:
        self._commands = commands
        self._stands_ms = stands_ms

    async def open(self, code: str, player: bytes, by: bytes) -> bool:
        """Let this code invite to the player; False where the code is taken. Not safe to repeat with the same code."""
        keys.check_ids((player, by))
        return bool(await self._commands.run(scripts.OPEN_INVITATION, (_key(code),), (player, by, self._stands_ms)))

    async def ask(self, code: str, asker: Asker) -> str | None:
        """Ask to join: the check that both are to see (of the first asking, where this is repeated).

        None where there is no such invitation, or somebody else uses it; ``""`` where the asker is the player who
        invites.
        """
        keys.check_ids((asker.player, asker.device, asker.joins_as))
        reply = await self._commands.run(
            scripts.ASK_TO_JOIN,
            (_key(code),),
            (
                asker.player + asker.device,
                asker.name,
                asker.check,
                "1" if asker.brings_games else "0",
                asker.joins_as,
            ),
        )
        return None if reply is None else cast("bytes", reply).decode()

    async def answer(self, code: str, player: bytes, answer: Answer) -> Answer | None:
        """Answer the asker: the answer that counts, which is the first. None where nobody asks this player with it."""
        keys.check_ids((player,))
        reply = await self._commands.run(scripts.ANSWER_ASKER, (_key(code),), (player, answer))
        return None if reply is None else Answer(cast("bytes", reply).decode())

    async def look(self, code: str) -> Invitation | None:
        """The invitation as it stands."""
        key = _key(code)
        flat = cast("list[bytes]", await self._commands.call(key, "HGETALL", key))
        fields = dict(zip(flat[::2], flat[1::2], strict=True))
        if not fields:
            return None
        answer = fields.get(b"answer")
        return Invitation(
            fields[b"player"], fields[b"by"], _asker(fields), None if answer is None else Answer(answer.decode())
        )


def _asker(fields: dict[bytes, bytes]) -> Asker | None:
    who = fields.get(b"asker")
    if who is None:
        return None
    return Asker(
        who[: keys.ID_BYTES],
        who[keys.ID_BYTES :],
        fields[b"name"].decode(),
        fields[b"check"].decode(),
        fields[b"bring"] == b"1",
        fields[b"device"],
    )


def _key(code: str) -> str:
    return keys.invitation_key(hashlib.sha256(_TAG + code.encode()).digest()[: keys.ID_BYTES])
