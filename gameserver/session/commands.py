"""What a sender may ask for.

The player's commands carry their wire names; the computer's turn never comes by the wire.
"""

from typing import Annotated

import msgspec

from gameserver.backgammon import Move
from gameserver.session.events import Format, Level, Pace
from gameserver.session.ids import ID_BYTES, CommandId, PlayerId, SessionId

_Id = Annotated[bytes, msgspec.Meta(min_length=ID_BYTES, max_length=ID_BYTES)]
_Die = Annotated[int, msgspec.Meta(ge=1, le=6)]


class Base(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """The version and last commit that a command's sender has seen, or has itself sent."""

    version: Annotated[int, msgspec.Meta(ge=0, le=2**31)]
    last: _Id | None


class _PlayerCommand(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", gc=False):
    id: _Id
    base: Base


class GiveSeed(_PlayerCommand, frozen=True, tag="seed"):
    seed: Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]


class Roll(_PlayerCommand, frozen=True, tag="roll"):
    pass


class MoveChecker(_PlayerCommand, frozen=True, tag="move"):
    """One checker by one or more dice in this order; ``source`` in the player's numbers, 25 = bar."""

    source: Annotated[int, msgspec.Meta(ge=1, le=25)] = msgspec.field(name="from")
    dice: Annotated[tuple[_Die, ...], msgspec.Meta(min_length=1, max_length=4)]


class PlayText(_PlayerCommand, frozen=True, tag="play"):
    """A typed play, whole or in part."""

    text: Annotated[str, msgspec.Meta(max_length=64)]


class Undo(_PlayerCommand, frozen=True, tag="undo"):
    pass


class EndTurn(_PlayerCommand, frozen=True, tag="end"):
    pass


class NextGame(_PlayerCommand, frozen=True, tag="next"):
    pass


class Leave(_PlayerCommand, frozen=True, tag="leave"):
    pass


class Restart(_PlayerCommand, frozen=True, tag="restart"):
    pass


class SetConduct(_PlayerCommand, frozen=True, tag="options"):
    pace: Pace
    auto_end: bool
    auto_forced: bool
    auto_bear_off: bool


PlayerCommand = GiveSeed | Roll | MoveChecker | PlayText | Undo | EndTurn | NextGame | Leave | Restart | SetConduct


class StartSession(msgspec.Struct, frozen=True, gc=False):
    """Start a session. ``position``, ``dice``: a set position (26 characters, the player on roll) to practise from."""

    id: CommandId
    player: PlayerId
    session: SessionId
    level: Level
    format: Format
    pace: Pace
    auto_end: bool
    auto_forced: bool
    auto_bear_off: bool
    position: str | None = None
    dice: tuple[int, int] | None = None


class TakeTurn(msgspec.Struct, frozen=True, gc=False):
    """The computer's whole turn. ``times``: ms at which the roll, each move, and the end are to be seen."""

    id: CommandId
    base: Base
    play: tuple[Move, ...]
    times: tuple[int, ...]


Command = PlayerCommand | TakeTurn
