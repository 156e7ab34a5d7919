"""What the clients of a run were told: the one side of the comparison at its end."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Told(NamedTuple):
    """A page was brought to this version, by a snapshot or (`patched`) by a diff on top of the commit `after`."""

    version: int
    id: bytes
    after: bytes | None
    patched: bool


class Roll(NamedTuple):
    """One roll of the dice: by what it is made, the message's session, game and number first."""

    session: bytes
    game: int
    number: int
    seed: bytes
    commitment: bytes


@dataclass
class Ledger:
    """All that the clients of one run have heard."""

    commands: int = 0
    """Commands that clients have sent (each counted once) and got a final answer to."""
    acknowledged: dict[bytes, tuple[bytes, int]] = field(default_factory=dict)
    """By the command's id: its session, and the version that it was told to be."""
    refused: dict[bytes, tuple[bytes, str]] = field(default_factory=dict)
    """By the command's id: its session, and why it was finally refused."""
    stories: list[dict[bytes, list[Told]]] = field(default_factory=list)
    """For each page, by session, everything it was told, in order."""
    rolls: dict[Roll, tuple[int, int]] = field(default_factory=dict)
    changed_rolls: int = 0
    """Rolls that somebody was told twice, differently."""
    closes: Counter[int] = field(default_factory=Counter)
    """Close codes of the websockets (1006 where there was none)."""
    reconnects: int = 0
    retries: Counter[str] = field(default_factory=Counter)
    """Answers after which a command was sent again, by code."""
    gaps: int = 0
    """Pongs that told a page that it had missed something."""
    missing: Counter[str] = field(default_factory=Counter)
    """Sessions that were not there any more when a page came back."""

    def hear_rolls(
        self, session: bytes, before: dict[str, Any], after: dict[str, Any], frames: list[list[Any]]
    ) -> None:
        """Note the rolls that a diff showed, between the views before and after it."""
        fairness = after["fairness"]
        if fairness["seed"] is None:
            return
        rolls: list[tuple[int, tuple[int, int]]] = []
        if any(kind == "opening" for _, kind, *_ in frames):
            rolls += [(number, (one, other)) for number, (one, other) in enumerate(after["opening"], 1)]
        for _, kind, *fields in frames:
            if kind == "dice":
                _, one, other = fields
                rolls.append((len(before["opening"]) + len(before["record"]), (one, other)))
        for number, dice in rolls:
            roll = Roll(session, after["game"], number, fairness["seed"], fairness["commitment"])
            if self.rolls.setdefault(roll, dice) != dice:
                self.changed_rolls += 1
