"""The record of a session that its player can take away, and the check of its dice.

A record is JSON: ``{"record": 1, "session": hex, "commits": [{"id", "by", "at", "events": [{"event": name, ...}]}]}``;
bytes are hex. It holds the whole log, so the check repeats everything: order of commitment, seed and rolls, each
roll, and every move.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from gameserver.backgammon import legal_moves
from gameserver.session import dice
from gameserver.session.events import (
    Commit,
    Event,
    GameStarted,
    GameWon,
    Moved,
    OpeningRolled,
    Rolled,
    SessionDropped,
    SessionStarted,
    Side,
    TurnEnded,
)
from gameserver.session.ids import SessionId, command_id_from_hex, session_id_from_hex
from gameserver.session.state import BrokenLog, Playing, State, evolve_event, position_of, sealed

RECORD_VERSION = 1

_EVENTS: dict[str, type[Event]] = {kind.__name__: kind for kind in Event.__args__}
_SIDES = {side.name.lower(): side for side in Side}


class UnreadableRecord(ValueError):
    """Not a record of a session."""


class DiceDoNotFit(ValueError):
    """The record's dice are not those that its secrets and seeds give, or its log breaks the rules."""


class Verified(msgspec.Struct, frozen=True):
    """What was checked."""

    games: int
    rolls: int


def write_record(session: SessionId, commits: Sequence[Commit]) -> bytes:
    """The record of these commits, as JSON."""
    return msgspec.json.format(
        msgspec.json.encode(
            {
                "record": RECORD_VERSION,
                "session": session.hex(),
                "commits": [
                    {
                        "id": commit.id.hex(),
                        "by": commit.by.name.lower(),
                        "at": commit.at,
                        "events": [_write_event(event) for event in commit.events],
                    }
                    for commit in commits
                ],
            }
        ),
        indent=1,
    )


def read_record(text: bytes) -> tuple[SessionId, list[Commit]]:
    """Read a record. Raises UnreadableRecord naming what is wrong."""
    try:
        written = msgspec.json.decode(text, type=_Record)
        if written.record != RECORD_VERSION:
            raise UnreadableRecord(f"a record of version {written.record}; this release reads {RECORD_VERSION}")
        commits = [
            Commit(
                command_id_from_hex(commit.id),
                _SIDES[commit.by],
                commit.at,
                tuple(_read_event(event) for event in commit.events),
            )
            for commit in written.commits
        ]
        return session_id_from_hex(written.session), commits
    except UnreadableRecord:
        raise
    except KeyError as error:
        raise UnreadableRecord(f"not a record of a session: there is no side {error}") from error
    except (ValueError, RecursionError) as error:
        raise UnreadableRecord(f"not a record of a session: {error}") from error


def verify(session: SessionId, commits: Sequence[Commit]) -> Verified:
    """Check every die and every move of a record.

    Raises DiceDoNotFit naming the first thing that does not fit; a game whose secret was not revealed does not fit.
    """
    secrets = _revealed_secrets(commits)
    check = _Check(session, secrets)
    for number, commit in enumerate(commits, start=1):
        for event in commit.events:
            check.event(number, event)
        check.seal(commit)
    if check.state is None:
        raise DiceDoNotFit("the record is empty")
    return Verified(check.state.game, check.rolls)


class _CommitJson(msgspec.Struct):
    id: str
    by: str
    at: int
    events: list[dict[str, Any]]


class _Record(msgspec.Struct):
    record: int
    session: str
    commits: list[_CommitJson]


def _write_event(event: Event) -> dict[str, Any]:
    written: dict[str, Any] = {"event": type(event).__name__}
    for name in event.__struct_fields__:
        value = getattr(event, name)
        if isinstance(value, Side):
            value = value.name.lower()
        written[name] = value.hex() if isinstance(value, bytes) else value
    return written


def _read_event(written: dict[str, Any]) -> Event:
    kind = _EVENTS.get(str(written.get("event")))
    if kind is None:
        raise UnreadableRecord(f"no such event: {written.get('event')!r}")
    fields = {name: value for name, value in written.items() if name != "event"}
    hints = msgspec.structs.fields(kind)
    values: list[Any] = []
    for field in hints:
        if field.name not in fields:
            raise UnreadableRecord(f"{kind.__name__} lacks {field.name}")
        value = fields[field.name]
        if field.type is Side:
            value = _SIDES[str(value)]
        elif field.type in {bytes, bytes | None} and value is not None:
            value = bytes.fromhex(str(value))
        values.append(value)
    if len(fields) > len(values):
        unknown = sorted(fields.keys() - {field.name for field in hints})
        raise UnreadableRecord(f"{kind.__name__} has no field {unknown[0]!r}")
    tag = kind.__struct_config__.tag
    return msgspec.convert([tag, *values], type=kind)


def _revealed_secrets(commits: Sequence[Commit]) -> dict[int, bytes]:
    secrets: dict[int, bytes] = {}
    game = 0
    for commit in commits:
        for event in commit.events:
            if isinstance(event, GameStarted):
                game = event.game
            elif isinstance(event, GameWon) or (isinstance(event, SessionDropped) and event.secret is not None):
                secrets[game] = event.secret or b""
    return secrets


class _Check:
    """Folds the log once more, and holds each event against the secrets and the rules."""

    def __init__(self, session: SessionId, secrets: dict[int, bytes]) -> None:
        self.session = session
        self.secrets = secrets
        self.state: State | None = None
        self.rolls = 0

    def event(self, number: int, event: Event) -> None:
        where = f"commit {number}"
        match event:
            case SessionStarted():
                if event.session != self.session:
                    raise DiceDoNotFit(f"{where}: the log is of another session")
            case GameStarted():
                self._commitment(where, event)
            case OpeningRolled(player=first, computer=second) | Rolled(first=first, second=second):
                self._roll(where, (first, second))
            case Moved():
                self._move(where, event)
            case TurnEnded():
                self._end(where)
        try:
            self.state = evolve_event(self.state, event)
        except BrokenLog as error:
            raise DiceDoNotFit(f"{where}: {error}") from error

    def seal(self, commit: Commit) -> None:
        if self.state is not None:
            self.state = sealed(self.state, commit)

    def _commitment(self, where: str, event: GameStarted) -> None:
        secret = self.secrets.get(event.game)
        if secret is None:
            raise DiceDoNotFit(f"{where}: the secret of game {event.game} is not revealed (is the game unfinished?)")
        if dice.commitment(secret) != event.commitment:
            raise DiceDoNotFit(f"{where}: game {event.game}: the secret revealed is not the one committed to")

    def _roll(self, where: str, rolled: tuple[int, int]) -> None:
        state = self.state
        if state is None or state.seed is None:
            raise DiceDoNotFit(f"{where}: a roll before the player's seed")
        number = state.rolls + 1
        right = dice.roll(self.secrets[state.game], self.session, state.game, number, state.seed)
        if rolled != right:
            raise DiceDoNotFit(
                f"{where}: game {state.game}, roll {number} is {rolled[0]}-{rolled[1]}, must be {right[0]}-{right[1]}"
            )
        self.rolls += 1

    def _move(self, where: str, event: Moved) -> None:
        state = self.state
        turn = None if state is None else state.phase
        if state is None or not isinstance(turn, Playing) or turn.side is not event.side:
            raise DiceDoNotFit(f"{where}: a move out of turn")
        legal = legal_moves(position_of(event.side, state.position), turn.unused)
        if (event.source, event.die, event.target, event.hit) not in legal:
            raise DiceDoNotFit(f"{where}: the move {event.source}/{event.target} by {event.die} is not legal")

    def _end(self, where: str) -> None:
        state = self.state
        turn = None if state is None else state.phase
        if state is None or not isinstance(turn, Playing):
            raise DiceDoNotFit(f"{where}: an end of turn out of turn")
        if legal_moves(position_of(turn.side, state.position), turn.unused):
            raise DiceDoNotFit(f"{where}: the turn ends with dice that can still be played")
