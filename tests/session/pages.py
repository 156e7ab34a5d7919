"""Two ends of a wire: a page that shows what it was told, and sends commands in a row without waiting."""

from collections import deque
from typing import Any

from gameserver.backgammon import Move, format_play
from gameserver.session.commands import (
    Base,
    EndTurn,
    GiveSeed,
    MoveChecker,
    NextGame,
    PlayerCommand,
    PlayText,
    Roll,
    Undo,
)
from gameserver.session.ids import CommandId
from tests.session.screen import Shown, patched


class Page:
    """``version``, ``last``: what it has read. ``chain``: its own commands that it has not yet read as done."""

    def __init__(self, version: int, last: bytes | None, shown: Shown) -> None:
        self.inbox: deque[Shown] = deque()
        self.outbox: deque[PlayerCommand] = deque()
        self.sent: set[bytes] = set()
        self.chain: list[PlayerCommand] = []
        self.version = version
        self.last = last
        self.shown = shown
        self._ahead: list[Any] | None = None

    @property
    def base(self) -> Base:
        """What it has seen or has itself sent."""
        if not self.chain:
            return Base(self.version, self.last)
        latest = self.chain[-1]
        return Base(latest.base.version + 1, latest.id)

    def take_snapshot(self, version: int, last: bytes | None, shown: Shown) -> None:
        """The whole truth; replaces everything."""
        self.inbox.clear()
        self.version, self.last, self.shown = version, last, shown
        self.chain = []
        self._ahead = None

    def read(self) -> None:
        """One diff of those that wait."""
        told = self.inbox.popleft()
        assert told["from"] == self.version
        assert told["version"] == self.version + 1
        self.shown = patched(self.shown, told)
        self.version, self.last = told["version"], told["last"]
        if self.chain and self.chain[0].id == self.last:
            self.chain.pop(0)
        if not self.chain:
            self._ahead = None

    def read_all(self) -> None:
        while self.inbox:
            self.read()

    def send(self, command: PlayerCommand) -> None:
        self.outbox.append(command)
        self.chain.append(command)
        self.sent.add(command.id)

    def play(self, new_id: CommandId, pick: int) -> PlayerCommand:
        """What its player does by what the page shows, and after a move of its own by what it was told comes next."""
        base = self.base
        if self.chain:
            if not self._ahead:
                return Undo(new_id, base)
            source, path = self._ahead[pick % len(self._ahead)][:2]
            self._ahead = None
            return MoveChecker(new_id, base, source, tuple(path[::2]))
        match self.shown["phase"]:
            case "seed":
                return GiveSeed(new_id, base, pick.to_bytes(32, "big"))
            case "to-roll":
                return Roll(new_id, base)
            case "moving":
                source, path, self._ahead = self.shown["options"][pick % len(self.shown["options"])]
                if pick % 5 == 0:
                    return PlayText(new_id, base, format_play(_moves(source, path)))
                return MoveChecker(new_id, base, source, tuple(path[::2]))
            case "confirm":
                return EndTurn(new_id, base)
            case "game-over":
                return NextGame(new_id, base)
            case _:
                return Undo(new_id, base)


def _moves(source: int, path: list[int]) -> list[Move]:
    moves = []
    for die, to in zip(path[::2], path[1::2], strict=True):
        moves.append(Move(source, die, abs(to), to < 0))
        source = abs(to)
    return moves
