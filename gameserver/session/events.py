"""What has happened: the entries of the log. This module is the log's format.

A commit is one accepted command. It is stored as MessagePack ``[schema, by, at, [event, ...]]`` beside its id; an event
is ``[tag, field, ...]``. The format is versioned and only grows: a new field goes at the end with a default, a new kind
of event takes a new tag and a new schema number, and readers of it ship one release before its writers. An unknown
schema or event refuses to fold; it is never skipped.
"""

from enum import IntEnum
from typing import Final, Literal

import msgspec

from gameserver.session.ids import CommandId

SCHEMA: Final = 1

Level = Literal["beginner", "normal", "expert"]
Format = Literal[1, 5, 7]
Pace = Literal["real", "fast", "instant"]


class Side(IntEnum):
    """Whose. The player's checkers are ivory, the computer's ink."""

    PLAYER = 0
    COMPUTER = 1

    @property
    def other(self) -> "Side":
        return Side.COMPUTER if self is Side.PLAYER else Side.PLAYER


class Conduct(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a session is played: the player's options that the server itself must know."""

    pace: Pace = "real"
    auto_end: bool = True
    auto_forced: bool = False
    auto_bear_off: bool = False


class _Event(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    pass


class SessionStarted(_Event, frozen=True, tag=1):
    """The first event of every log. ``position``: 26 characters (a practice session) or None."""

    session: bytes
    player: bytes
    level: Level
    format: Format
    pace: Pace
    auto_end: bool
    auto_forced: bool
    auto_bear_off: bool
    position: str | None = None
    dice: tuple[int, int] | None = None


class GameStarted(_Event, frozen=True, tag=2):
    """A game begins; the server is bound to the secret with this SHA-256 before it knows the player's seed."""

    game: int
    commitment: bytes


class SeedGiven(_Event, frozen=True, tag=3):
    seed: bytes


class OpeningRolled(_Event, frozen=True, tag=4):
    """One roll of the opening; equal dice are a tie, and another follows."""

    player: int
    computer: int


class Rolled(_Event, frozen=True, tag=5):
    """A roll in the order in which the dice fell. ``at``: ms after the start of the commit's showing."""

    side: Side
    first: int
    second: int
    at: int = 0


class DiceSet(_Event, frozen=True, tag=6):
    """The first roll of a practice session whose position came with dice."""

    first: int
    second: int


class Moved(_Event, frozen=True, tag=7):
    """One checker by one die, in the mover's numbers (25 = bar, 0 = off)."""

    side: Side
    source: int
    die: int
    target: int
    hit: bool
    at: int = 0


class MoveUndone(_Event, frozen=True, tag=8):
    """The player's last move of this turn is taken back."""


class TurnEnded(_Event, frozen=True, tag=9):
    side: Side
    at: int = 0


class GameWon(_Event, frozen=True, tag=10):
    """The game is over and its dice can be checked: here is the secret."""

    side: Side
    points: int
    secret: bytes
    at: int = 0


class PlayerLeft(_Event, frozen=True, tag=11):
    """Back to the lobby: the moves of an unfinished turn are taken back, the roll stays."""


class ConductSet(_Event, frozen=True, tag=12):
    pace: Pace
    auto_end: bool
    auto_forced: bool
    auto_bear_off: bool


class SessionDropped(_Event, frozen=True, tag=13):
    """Restarted: another session goes on in its place. ``secret``: of the game in progress, None between games."""

    successor: bytes
    secret: bytes | None


Event = (
    SessionStarted
    | GameStarted
    | SeedGiven
    | OpeningRolled
    | Rolled
    | DiceSet
    | Moved
    | MoveUndone
    | TurnEnded
    | GameWon
    | PlayerLeft
    | ConductSet
    | SessionDropped
)


class Commit(msgspec.Struct, frozen=True, gc=False):
    """One accepted command. ``at``: ms since 1970."""

    id: CommandId
    by: Side
    at: int
    events: tuple[Event, ...]


class UnreadableCommit(ValueError):
    """A log entry that this release can't read: written by a newer one, or damaged."""


class _Stored(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    schema: int
    by: Side
    at: int
    events: tuple[Event, ...]


class _SchemaOnly(msgspec.Struct, frozen=True, array_like=True):
    schema: int


# Bytes that nest deeply are a RecursionError to msgspec.
_UNDECODABLE: Final = (msgspec.DecodeError, RecursionError)
_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(_Stored)
_schema_decoder = msgspec.msgpack.Decoder(_SchemaOnly)


def encode_commit(commit: Commit) -> bytes:
    """The stored form, without the id (the store keeps it beside)."""
    return _encoder.encode(_Stored(SCHEMA, commit.by, commit.at, commit.events))


def decode_commit(commit_id: bytes, payload: bytes) -> Commit:
    """Read an entry of any schema up to this release's. Raises UnreadableCommit."""
    try:
        stored = _decoder.decode(payload)
    except _UNDECODABLE as error:
        raise UnreadableCommit(_why(payload, error)) from error
    if not 1 <= stored.schema <= SCHEMA:
        raise UnreadableCommit(f"the entry has schema {stored.schema}; this release reads up to {SCHEMA}")
    return Commit(CommandId(commit_id), stored.by, stored.at, stored.events)


def _why(payload: bytes, error: Exception) -> str:
    try:
        schema = _schema_decoder.decode(payload).schema
    except _UNDECODABLE:
        return f"not a log entry: {error}"
    if schema > SCHEMA:
        return f"the entry has schema {schema}; this release reads up to {SCHEMA}"
    return f"a damaged log entry: {error}"
