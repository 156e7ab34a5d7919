"""The kept files: `NAME.log`, a line `id payload` in hex for each commit; `NAME.json`, the last state and view."""

import json
from pathlib import Path
from typing import Any

import msgspec

from gameserver.backgammon import Position
from gameserver.session.events import Commit, decode_commit
from gameserver.session.state import State
from gameserver.session.view import view

FOLDER = Path(__file__).parent
NAMES = sorted(path.stem for path in FOLDER.glob("*.log"))


def entries(name: str) -> list[tuple[bytes, bytes]]:
    """The stored entries: (id, payload)."""
    lines = (FOLDER / f"{name}.log").read_text().splitlines()
    return [(bytes.fromhex(commit_id), bytes.fromhex(payload)) for commit_id, payload in map(str.split, lines)]


def commits(name: str) -> list[Commit]:
    return [decode_commit(commit_id, payload) for commit_id, payload in entries(name)]


def outcome(name: str) -> dict[str, Any]:
    """The state and view that were kept."""
    kept: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text())
    return kept


def written(state: State) -> dict[str, Any]:
    """State and view in JSON's terms: a value of ours with its kind, bytes in hex, a position as its text."""
    return {"state": _plain(state), "view": _plain(view(state))}


def _plain(value: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        fields = {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
        if isinstance(value, State):
            fields["commands"] = [value.commands[at : at + 16].hex() for at in range(0, len(value.commands), 16)]
        return {"kind": type(value).__name__, **fields}
    if isinstance(value, Position):
        return value.text
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value
