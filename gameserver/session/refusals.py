"""Why something was not done: a code for programs, words for people."""

from enum import StrEnum

import msgspec


class Code(StrEnum):
    """The codes of docs/protocol.md."""

    MALFORMED = "malformed"
    TOO_LARGE = "too-large"
    PROTOCOL = "protocol"
    NOT_OPEN = "not-open"
    NO_SESSION = "no-session"
    STALE = "stale"
    WRONG_PHASE = "wrong-phase"
    ILLEGAL_MOVE = "illegal-move"
    UNREADABLE = "unreadable"
    AMBIGUOUS = "ambiguous"
    NOTHING_TO_UNDO = "nothing-to-undo"
    UNDO_LIMIT = "undo-limit"
    LOG_FULL = "log-full"
    TOO_FAST = "too-fast"
    TOO_MANY = "too-many"
    OVERLOADED = "overloaded"
    UNAVAILABLE = "unavailable"


class Refusal(msgspec.Struct, frozen=True, gc=False):
    """A command that was not carried out."""

    code: Code
    text: str
