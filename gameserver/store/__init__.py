"""The event log in Redis: append at an expected version, read, follow; the queue of computer turns; players.

`Store` holds all of it behind one address; `EmbeddedStore` is the server of one-machine use. A commit is opaque here.
"""

from gameserver.store.embedded import AlreadyRunning, EmbeddedStore, EmbeddedStoreError
from gameserver.store.errors import (
    BadAddress,
    HintPending,
    OtherSecret,
    Overloaded,
    StoreError,
    StoreUnavailable,
    TooManySessions,
)
from gameserver.store.follow import Follower, Watcher
from gameserver.store.hints import HintAnswer, HintDesk, HintRequest
from gameserver.store.log import Appended, Conflict, Entry, Head, SessionLog
from gameserver.store.players import Players
from gameserver.store.policy import DEFAULT_POLICY, Policy
from gameserver.store.store import Store
from gameserver.store.turns import Turn, TurnQueue

__all__ = [
    "DEFAULT_POLICY",
    "AlreadyRunning",
    "Appended",
    "BadAddress",
    "Conflict",
    "EmbeddedStore",
    "EmbeddedStoreError",
    "Entry",
    "Follower",
    "Head",
    "HintAnswer",
    "HintDesk",
    "HintPending",
    "HintRequest",
    "OtherSecret",
    "Overloaded",
    "Players",
    "Policy",
    "SessionLog",
    "Store",
    "StoreError",
    "StoreUnavailable",
    "TooManySessions",
    "Turn",
    "TurnQueue",
    "Watcher",
]
