"""What a player prefers, on every device: kept in the store as JSON, sent over HTTP as such."""

from typing import Literal

import msgspec

from gameserver.session.events import Pace


class Preferences(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``Settings`` of docs/protocol.md. The defaults are what a new player gets."""

    pace: Pace = "real"
    auto_end: bool = True
    auto_forced: bool = False
    auto_bear_off: bool = False
    numbers: bool = True
    pips: bool = True
    sound: bool = True
    mirrored: bool = False
    large: bool = False
    theme: Literal["wood", "ink", "contrast"] = "wood"
    mode: Literal["auto", "light", "dark"] = "auto"
    language: Literal["auto", "zh", "en"] = "auto"


_NAMES = frozenset(Preferences.__struct_fields__)


def read_put(body: bytes) -> Preferences:
    """The preferences that a page puts: every field, and no other. Raises ValueError naming what is wrong."""
    try:
        given = msgspec.json.decode(body, type=dict[str, object])
        missing = sorted(_NAMES - given.keys())
        if missing:
            raise ValueError(f"the field {missing[0]} is missing")
        return msgspec.convert(given, Preferences)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(str(error)) from None


def read_stored(stored: bytes | None) -> Preferences:
    """The preferences as the store has them; what this release does not know, field or value, gets its default."""
    if stored is None:
        return Preferences()
    given = msgspec.json.decode(stored, type=dict[str, object])
    known = {name: value for name, value in given.items() if name in _NAMES and _is_known(name, value)}
    return msgspec.convert(known, Preferences)


def _is_known(name: str, value: object) -> bool:
    try:
        msgspec.convert({name: value}, Preferences)
    except msgspec.ValidationError:
        return False
    return True


def write(preferences: Preferences) -> bytes:
    return msgspec.json.encode(preferences)
