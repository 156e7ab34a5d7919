"""Identifiers: 16 random bytes on the wire and in the store, 32 hex digits in URLs and text."""

from hashlib import sha256
from typing import NewType

SessionId = NewType("SessionId", bytes)
PlayerId = NewType("PlayerId", bytes)
CommandId = NewType("CommandId", bytes)

ID_BYTES = 16


def session_id_from_hex(text: str) -> SessionId:
    """Read 32 hex digits. Raises ValueError naming what is wrong."""
    return SessionId(_from_hex(text, "a session id"))


def command_id_from_hex(text: str) -> CommandId:
    """Read 32 hex digits. Raises ValueError naming what is wrong."""
    return CommandId(_from_hex(text, "a command id"))


def session_started_by(player: PlayerId, command: CommandId) -> SessionId:
    """The id of the session that this command of this player starts.

    A function of both, so that a repeated start finds the session that the first one made, and nobody can choose an
    id that would be somebody else's.
    """
    return SessionId(sha256(b"shuanglu-session" + player + command).digest()[:ID_BYTES])


def _from_hex(text: str, what: str) -> bytes:
    if len(text) != 2 * ID_BYTES:
        raise ValueError(f"{what} has {2 * ID_BYTES} hex digits, not {len(text)}")
    try:
        found = bytes.fromhex(text)
    except ValueError:
        found = b""
    if len(found) != ID_BYTES:  # fromhex skips spaces
        raise ValueError(f"{what} has hex digits only")
    return found
