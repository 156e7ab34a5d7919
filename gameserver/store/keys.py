"""Names of the keys in the store.

Everything that belongs to one session carries the hash tag of its shard, so that one function can do all of an append
atomically, on a single Redis and in a Cluster alike.
"""

from collections.abc import Iterable

SHARDS = 64
ID_BYTES = 16


def shard_of(session: bytes) -> int:
    """The shard (0 .. 63) of a session: the low bits of the first byte of its random id."""
    return session[0] % SHARDS


def tag(shard: int) -> str:
    """The hash tag by which a shard's keys stay together."""
    return f"{{s{shard}}}"


def log_key(session: bytes) -> str:
    """The session's commits: a stream, where the entry of version 7 has the id ``7-0``; later one value (`packed`)."""
    return f"{tag(shard_of(session))}:log:{session.hex()}"


def secrets_key(session: bytes) -> str:
    """Hash of the session's dice secrets by number of the game."""
    return f"{tag(shard_of(session))}:secrets:{session.hex()}"


def channel(session: bytes) -> str:
    """Sharded channel on which the session's new commits and answered hints are heard."""
    return f"{tag(shard_of(session))}:live:{session.hex()}"


def ages_key(shard: int) -> str:
    """The shard's sessions by the time (ms) from which they may be archived and deleted; kept where archiving is on."""
    return f"{tag(shard)}:ages"


def packing_key(shard: int) -> str:
    """The shard's finished sessions whose logs are still streams, by the time (ms) of their end."""
    return f"{tag(shard)}:packing"


def fence_key(shard: int) -> str:
    """Written to so that what was written before can be waited for: once a replica has this, it has all of that."""
    return f"{tag(shard)}:fence"


def turns_key(shard: int) -> str:
    """Stream of the computer's turns that are due in a shard."""
    return f"{tag(shard)}:turns"


def requeued_key(session: bytes) -> str:
    """Marks that the session's overdue turn was queued again a moment ago."""
    return f"{tag(shard_of(session))}:requeued:{session.hex()}"


def hint_key(session: bytes) -> str:
    """The last answered hint of the session: 16 bytes of the commit's id, then the answer."""
    return f"{tag(shard_of(session))}:hint:{session.hex()}"


HINTS_QUEUE = "{hints}:queue"
"""List of the hints that are asked for."""


def hint_asked_key(session: bytes) -> str:
    """Marks that a hint of this session is waiting or being worked out."""
    return f"{{hints}}:asked:{session.hex()}"


def settings_key(player: bytes) -> str:
    """The player's settings."""
    return f"{{p{player.hex()}}}:settings"


def unfinished_key(player: bytes) -> str:
    """The player's unfinished sessions, scored by the time of their start (ms)."""
    return f"{{p{player.hex()}}}:unfinished"


def finished_key(player: bytes) -> str:
    """The player's finished sessions, scored by the time of their end (ms)."""
    return f"{{p{player.hex()}}}:finished"


def devices_key(player: bytes) -> str:
    """Hash of the player's devices: what is told of each, or nothing where it was signed out."""
    return f"{{p{player.hex()}}}:devices"


def others_key(player: bytes) -> str:
    """Set of the further players whose sessions this player may play."""
    return f"{{p{player.hex()}}}:others"


DEVICES_CHANNEL = "{devices}:changed"
"""Sharded channel on which every server hears of the players whose devices have changed."""


def invitation_key(fingerprint: bytes) -> str:
    """Hash: who invites another device, who asks to be it, and the answer. The code itself is nowhere in the store."""
    return f"{{i{fingerprint.hex()}}}:invitation"


def counter_key(name: str) -> str:
    """How often something limited has happened of late."""
    return f"{{count:{name}}}"


def check_ids(ids: Iterable[bytes]) -> None:
    """Refuse anything but 16 raw bytes.

    Raises:
        ValueError: an id has another length.
    """
    for each in ids:
        if len(each) != ID_BYTES:
            raise ValueError(f"an id is {ID_BYTES} bytes, not {len(each)}")
