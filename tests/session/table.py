"""A table to play at: one session with its log and its live state, and what a server would bring to it.

Everything is a function of the table's arguments: ids, secrets and times are made from its name and counters.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from gameserver.backgammon import Move, Position, complete_plays
from gameserver.session import dice
from gameserver.session.commands import (
    Base,
    Command,
    EndTurn,
    GiveSeed,
    Leave,
    MoveChecker,
    NextGame,
    PlayText,
    Restart,
    Roll,
    SetConduct,
    StartSession,
    TakeTurn,
    Undo,
)
from gameserver.session.decide import Decision, Entropy, Repeated, computers_dice, decide, head, start
from gameserver.session.events import Commit, Event, Format, Level, Pace, Side
from gameserver.session.ids import CommandId, PlayerId, SessionId, session_started_by
from gameserver.session.refusals import Code, Refusal
from gameserver.session.state import Playing, State, evolve, sealed
from gameserver.session.view import View, view

FIRST_AT = 1_700_000_000_000
PLAYER = PlayerId(sha256(b"the player").digest()[:16])
SEED = sha256(b"the player's seed").digest()


class Table:
    """``position``, ``dice``: a set position to practise from. ``secrets``: by game, for a test that needs its dice."""

    def __init__(
        self,
        name: str = "table",
        *,
        level: Level = "normal",
        length: Format = 1,
        pace: Pace = "real",
        auto_end: bool = True,
        auto_forced: bool = False,
        auto_bear_off: bool = False,
        position: str | None = None,
        dice: tuple[int, int] | None = None,
        secrets: Mapping[int, bytes] | None = None,
    ) -> None:
        self._name = name
        self._ids = 0
        first = self.new_id()
        self.session = session_of(name)
        self._secrets = dict(secrets or {})
        self.started = StartSession(
            id=first,
            player=PLAYER,
            session=self.session,
            level=level,
            format=length,
            pace=pace,
            auto_end=auto_end,
            auto_forced=auto_forced,
            auto_bear_off=auto_bear_off,
            position=position,
            dice=dice,
        )
        commit = Commit(first, Side.PLAYER, FIRST_AT, start(self.started, self.secret(1)))
        self.log: list[Commit] = [commit]
        self.state: State = evolve(None, commit)

    # --- What a server brings

    def new_id(self) -> CommandId:
        self._ids += 1
        return _id_of(self._name, self._ids)

    def secret(self, game: int) -> bytes:
        if game not in self._secrets:
            self._secrets[game] = sha256(f"{self._name}: the secret of game {game}".encode()).digest()
        return self._secrets[game]

    @property
    def entropy(self) -> Entropy:
        game = self.state.game
        successor = SessionId(sha256(self.session).digest()[:16])
        return Entropy(secret=self.secret(game), fresh=self.secret(game + 1), successor=successor)

    # --- Commands

    @property
    def base(self) -> Base:
        return head(self.state)

    def offered(self, command: Command) -> Decision | Repeated | Refusal:
        """What would come of the command; nothing is changed."""
        return decide(self.state, command, self.entropy)

    def submit(self, command: Command) -> Decision | Repeated | Refusal:
        outcome = self.offered(command)
        if isinstance(outcome, Decision):
            by = Side.COMPUTER if isinstance(command, TakeTurn) else Side.PLAYER
            commit = Commit(CommandId(command.id), by, FIRST_AT + 1_000 * self.state.version, outcome.events)
            self.state = sealed(outcome.state, commit)
            self.log.append(commit)
        return outcome

    def refused(self, command: Command) -> Code:
        """The code of a refusal, which must be what comes of the command."""
        before, version = self.state, self.state.version
        outcome = self.submit(command)
        assert isinstance(outcome, Refusal), outcome
        assert self.state is before
        assert self.state.version == version
        assert outcome.text
        return outcome.code

    def accepted(self, command: Command) -> tuple[Event, ...]:
        """The events of a command that must be accepted."""
        outcome = self.submit(command)
        assert isinstance(outcome, Decision), outcome
        return outcome.events

    def a_seed(self, seed: bytes = SEED) -> GiveSeed:
        return GiveSeed(self.new_id(), self.base, seed)

    def a_roll(self) -> Roll:
        return Roll(self.new_id(), self.base)

    def a_move(self, source: int, *dice: int) -> MoveChecker:
        return MoveChecker(self.new_id(), self.base, source, dice)

    def a_play(self, text: str) -> PlayText:
        return PlayText(self.new_id(), self.base, text)

    def an_undo(self) -> Undo:
        return Undo(self.new_id(), self.base)

    def an_end(self) -> EndTurn:
        return EndTurn(self.new_id(), self.base)

    def a_next(self) -> NextGame:
        return NextGame(self.new_id(), self.base)

    def a_leave(self) -> Leave:
        return Leave(self.new_id(), self.base)

    def a_restart(self) -> Restart:
        return Restart(self.new_id(), self.base)

    def options(self, **changed: Any) -> SetConduct:
        conduct = self.state.conduct
        fields = {name: getattr(conduct, name) for name in ("pace", "auto_end", "auto_forced", "auto_bear_off")}
        return SetConduct(self.new_id(), self.base, **{**fields, **changed})

    def a_turn(self, play: tuple[Move, ...] | None = None, times: tuple[int, ...] | None = None) -> TakeTurn:
        """The computer's turn: by default its first complete play."""
        if play is None:
            play = next(iter(self.computers_plays()), ())
        if times is None:
            times = tuple(range(500, 500 * (len(play) + 3), 500))
        return TakeTurn(self.new_id(), self.base, play, times)

    def computers_plays(self) -> list[tuple[Move, ...]]:
        from_dice = computers_dice(self.state, self.secret(self.state.game))
        return list(complete_plays(self.state.position.flipped(), _unused(from_dice)).values())

    # --- What is to be seen

    @property
    def view(self) -> View:
        return view(self.state)

    @property
    def turn(self) -> Playing:
        assert isinstance(self.state.phase, Playing), self.state.phase
        return self.state.phase


def practice(position: str, roll: tuple[int, int] | None, **options: Any) -> Table:
    """A table at which the seed has been given: the player is to play this roll from this position."""
    table = Table(position=position, dice=roll, **options)
    table.accepted(table.a_seed())
    return table


def session_of(name: str) -> SessionId:
    return session_started_by(PLAYER, _id_of(name, 1))


def set_up(mine: Mapping[int, int], theirs: Mapping[int, int]) -> str:
    """The text of a position: checkers by point, all on the player's points (25 the player's bar, 0 the computer's)."""
    counts = [0] * 26
    for point, checkers in mine.items():
        counts[point] = checkers
    for point, checkers in theirs.items():
        counts[point] = -checkers
    return Position(tuple(counts)).text


def commitment_of(secret: bytes) -> bytes:
    return dice.commitment(secret)


def _id_of(name: str, number: int) -> CommandId:
    return CommandId(sha256(f"{name}: command {number}".encode()).digest()[:16])


def _unused(values: tuple[int, int]) -> tuple[int, ...]:
    return values * 2 if values[0] == values[1] else values
