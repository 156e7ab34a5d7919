"""What a page shows that is told of a session by MessagePack only, and patches as docs/protocol.md says."""

from typing import Any

import msgspec

from gameserver.session.events import Commit
from gameserver.session.state import State
from gameserver.session.view import change, frames, view

Shown = dict[str, Any]


def snapshot(state: State) -> Shown:
    """The view as it comes over the wire."""
    return _over_the_wire(view(state))


def diff(before: State, commit: Commit, after: State) -> Shown:
    """The diff as it comes over the wire."""
    changed = change(view(before), view(after))
    return _over_the_wire(
        {
            "from": before.version,
            "version": after.version,
            "last": commit.id,
            "frames": frames(before, commit),
            "set": changed.fields,
            "board": changed.board,
            "record": changed.record,
        }
    )


def patched(shown: Shown, told: Shown) -> Shown:
    """Replace what is in ``set``, set the cells in ``board``, append ``record``."""
    now = {**shown, **told["set"]}
    now["board"] = list(shown["board"])
    for index, count in told["board"]:
        now["board"][index] = count
    now["record"] = now["record"] + told["record"]
    return now


def _over_the_wire(value: Any) -> Shown:
    decoded: Shown = msgspec.msgpack.decode(msgspec.msgpack.encode(value))
    return decoded
