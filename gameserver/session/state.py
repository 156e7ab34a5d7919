"""Where a session stands: the fold of its log, and ``evolve``, the one function that folds.

Positions are kept from the player's side of the board whoever is to play.
"""

from collections.abc import Iterable
from typing import Final, assert_never, cast

import msgspec

from gameserver.backgammon import (
    IllegalMove,
    Move,
    NotAPosition,
    NotDice,
    Position,
    apply,
    dice_of,
    game_points,
    move_of,
    take_back,
)
from gameserver.session.events import (
    Commit,
    Conduct,
    ConductSet,
    DiceSet,
    Event,
    Format,
    GameStarted,
    GameWon,
    Level,
    Moved,
    MoveUndone,
    OpeningRolled,
    PlayerLeft,
    Rolled,
    SeedGiven,
    SessionDropped,
    SessionStarted,
    Side,
    TurnEnded,
)
from gameserver.session.ids import ID_BYTES, CommandId, PlayerId, SessionId

REMEMBERED_COMMANDS: Final = 256

# What costs nothing in the game (undo, leave, options) is refused from here on, so that no log grows for ever; a match
# to 7 needs some 3,000 commits. What the game itself needs may go on until LOG_LIMIT.
IDLE_LIMIT: Final = 12_000
LOG_LIMIT: Final = 20_000


class _Value(msgspec.Struct, frozen=True, gc=False):
    pass


class AwaitingSeed(_Value, frozen=True):
    """The secret is committed to; the player's half of the dice is awaited."""


class ToRoll(_Value, frozen=True):
    """The player may roll."""


class Playing(_Value, frozen=True):
    """A side has rolled and moves. ``dice``: larger first."""

    side: Side
    dice: tuple[int, int]
    unused: tuple[int, ...]
    moves: tuple[Move, ...] = ()


class ComputerToRoll(_Value, frozen=True):
    """The computer's turn is due."""


class GameOver(_Value, frozen=True):
    winner: Side
    points: int


class Dropped(_Value, frozen=True):
    successor: SessionId


Phase = AwaitingSeed | ToRoll | Playing | ComputerToRoll | GameOver | Dropped


class TurnPlayed(_Value, frozen=True):
    """A finished turn. ``moves`` is empty where no play was possible."""

    side: Side
    dice: tuple[int, int]
    moves: tuple[Move, ...]


class State(msgspec.Struct, frozen=True):
    """A session at one version of its log. ``commands``: ids of the last commits, oldest first, end to end."""

    session: SessionId
    player: PlayerId
    level: Level
    format: Format
    conduct: Conduct
    practice: tuple[str, tuple[int, int] | None] | None
    version: int
    commands: bytes
    at: int
    game: int
    score: tuple[int, int]
    position: Position
    phase: Phase
    rolls: int
    commitment: bytes
    seed: bytes | None
    secret: bytes | None
    opening: tuple[tuple[int, int], ...]
    turns: tuple[TurnPlayed, ...]

    @property
    def last(self) -> CommandId | None:
        """The id of the last commit."""
        return CommandId(self.commands[-ID_BYTES:]) if self.commands else None

    @property
    def is_match_over(self) -> bool:
        return isinstance(self.phase, GameOver) and max(self.score) >= self.format

    @property
    def is_finished(self) -> bool:
        """Nothing more can happen in this session."""
        return isinstance(self.phase, Dropped) or self.is_match_over

    @property
    def computer_is_due(self) -> bool:
        """The next commit is the computer's."""
        return isinstance(self.phase, ComputerToRoll) or (
            isinstance(self.phase, Playing) and self.phase.side is Side.COMPUTER
        )

    def accepted_as(self, command: CommandId) -> int | None:
        """The version that this command became, or None if it is not among the last 256."""
        index = self.commands.find(command)
        while index % ID_BYTES:  # the end of one id and the beginning of the next, or -1: not found
            if index < 0:
                return None
            index = self.commands.find(command, index + 1)
        return self.version - (len(self.commands) - index) // ID_BYTES + 1


class BrokenLog(ValueError):
    """The events of a log contradict each other: the log is damaged, and is not folded further."""


def fold(commits: Iterable[Commit], state: State | None = None) -> State | None:
    """The state after these commits on top of ``state``. Raises BrokenLog."""
    for commit in commits:
        state = evolve(state, commit)
    return state


def evolve(state: State | None, commit: Commit) -> State:
    """The state after one more commit. Raises BrokenLog."""
    for event in commit.events:
        state = evolve_event(state, event)
    if state is None or not commit.events:
        raise BrokenLog("a commit without events")
    return sealed(state, commit)


def sealed(state: State, commit: Commit) -> State:
    """``state``, to which the commit's events have been applied, as the next version of the log."""
    commands = state.commands[-(REMEMBERED_COMMANDS - 1) * ID_BYTES :] + commit.id
    return msgspec.structs.replace(state, version=state.version + 1, commands=commands, at=commit.at)


def evolve_event(state: State | None, event: Event) -> State:  # noqa: C901, PLR0911, PLR0912 - one branch for each kind of event
    """The state after one event, within a commit. Raises BrokenLog."""
    if isinstance(event, SessionStarted):
        if state is not None:
            raise BrokenLog("a session starts twice")
        return _started(event)
    if state is None:
        raise BrokenLog("a log that does not begin with the session's start")
    replace = msgspec.structs.replace
    match event:
        case Moved():
            return _moved(state, event)
        case Rolled():
            return _turn_rolled(state, event)
        case TurnEnded():
            return _turn_ended(state, event.side)
        case MoveUndone():
            return _last_move_undone(state)
        case GameStarted():
            return _game_started(state, event)
        case SeedGiven():
            _require(isinstance(state.phase, AwaitingSeed) and state.game > 0, "a seed that was not asked for")
            return replace(state, seed=event.seed, phase=ToRoll())
        case OpeningRolled():
            return _opening_rolled(state, event)
        case DiceSet():
            given = None if state.practice is None else state.practice[1]
            first_roll = isinstance(state.phase, ToRoll) and not state.turns
            _require(
                first_roll and given == (event.first, event.second), "set dice that the session does not start with"
            )
            return replace(state, phase=_rolled(Side.PLAYER, event.first, event.second))
        case GameWon():
            return _game_won(state, event)
        case PlayerLeft():
            _require(not state.is_finished, "a leave after the end")
            return _left(state)
        case ConductSet():
            _require(not state.is_finished, "options set after the end")
            conduct = Conduct(event.pace, event.auto_end, event.auto_forced, event.auto_bear_off)
            return replace(state, conduct=conduct)
        case SessionDropped():
            _require(not state.is_finished, "a restart after the end")
            return replace(state, phase=Dropped(SessionId(event.successor)), secret=event.secret or state.secret)
        case _:
            assert_never(event)


def _require(holds: bool, broken: str) -> None:
    if not holds:
        raise BrokenLog(broken)


def position_of(side: Side, position: Position) -> Position:
    """The player's view turned to the side's own view, or the other way round."""
    return position if side is Side.PLAYER else position.flipped()


def _started(event: SessionStarted) -> State:
    practice = None if event.position is None else (event.position, event.dice)
    return State(
        session=SessionId(event.session),
        player=PlayerId(event.player),
        level=event.level,
        format=event.format,
        conduct=Conduct(event.pace, event.auto_end, event.auto_forced, event.auto_bear_off),
        practice=practice,
        version=0,
        commands=b"",
        at=0,
        game=0,
        score=(0, 0),
        position=_first_position(practice),
        phase=AwaitingSeed(),
        rolls=0,
        commitment=b"",
        seed=None,
        secret=None,
        opening=(),
        turns=(),
    )


def _game_started(state: State, event: GameStarted) -> State:
    between_games = isinstance(state.phase, GameOver) and not state.is_match_over
    _require(event.game == state.game + 1 and (state.game == 0 or between_games), "a game begins out of turn")
    return msgspec.structs.replace(
        state,
        game=event.game,
        commitment=event.commitment,
        seed=None,
        secret=None,
        position=_first_position(state.practice),
        phase=AwaitingSeed(),
        rolls=0,
        opening=(),
        turns=(),
    )


def _first_position(practice: tuple[str, tuple[int, int] | None] | None) -> Position:
    if practice is None:
        return Position.start()
    try:
        return Position.parse(practice[0])
    except NotAPosition as error:
        raise BrokenLog(f"a session from a set position: {error}") from error


def _rolled(side: Side, first: int, second: int) -> Playing:
    try:
        unused = dice_of(first, second)
    except NotDice as error:
        raise BrokenLog(f"a roll: {error}") from error
    dice = (unused[0], unused[1]) if len(unused) > 2 else cast("tuple[int, int]", unused)
    return Playing(side, dice, unused)


def _turn_rolled(state: State, event: Rolled) -> State:
    due = ToRoll if event.side is Side.PLAYER else ComputerToRoll
    _require(isinstance(state.phase, due), "a roll by a side that is not to roll")
    _require(state.practice is not None or bool(state.turns), "a roll in place of the opening")
    return msgspec.structs.replace(state, phase=_rolled(event.side, event.first, event.second), rolls=state.rolls + 1)


def _opening_rolled(state: State, event: OpeningRolled) -> State:
    undecided = isinstance(state.phase, ToRoll) and not state.turns and state.practice is None
    _require(undecided, "a roll of the opening out of its place")
    starter = Side.PLAYER if event.player > event.computer else Side.COMPUTER
    rolled = _rolled(starter, event.player, event.computer)
    phase = state.phase if event.player == event.computer else rolled
    opening = (*state.opening, (event.player, event.computer))
    return msgspec.structs.replace(state, phase=phase, rolls=state.rolls + 1, opening=opening)


def _playing(state: State, what: str) -> Playing:
    if not isinstance(state.phase, Playing):
        raise BrokenLog(f"{what} outside of a turn")
    return state.phase


def _moved(state: State, event: Moved) -> State:
    turn = _playing(state, "a move")
    if turn.side is not event.side or event.die not in turn.unused:
        raise BrokenLog("a move by the wrong side, or with a die that is not there")
    move = move_of(event.source, event.die, event.target, hit=event.hit)
    unused = list(turn.unused)
    unused.remove(event.die)
    try:
        position = position_of(turn.side, apply(position_of(turn.side, state.position), move))
    except IllegalMove as error:
        raise BrokenLog(f"a move that the board does not allow: {error}") from error
    phase = Playing(turn.side, turn.dice, tuple(unused), (*turn.moves, move))
    return msgspec.structs.replace(state, position=position, phase=phase)


def _last_move_undone(state: State) -> State:
    turn = _playing(state, "an undo")
    if turn.side is not Side.PLAYER or not turn.moves:
        raise BrokenLog("an undo without a move of the player")
    move = turn.moves[-1]
    unused = tuple(sorted((*turn.unused, move.die), reverse=True))
    phase = Playing(turn.side, turn.dice, unused, turn.moves[:-1])
    return msgspec.structs.replace(state, position=take_back(state.position, move), phase=phase)


def _turn_ended(state: State, side: Side) -> State:
    turn = _playing(state, "an end of turn")
    if turn.side is not side:
        raise BrokenLog("an end of the other side's turn")
    phase: Phase = ComputerToRoll() if side is Side.PLAYER else ToRoll()
    return msgspec.structs.replace(state, phase=phase, turns=(*state.turns, TurnPlayed(side, turn.dice, turn.moves)))


def _game_won(state: State, event: GameWon) -> State:
    turn = _playing(state, "a win")
    won = game_points(position_of(turn.side, state.position))
    _require(turn.side is event.side and won > 0 and won == event.points, "a win that the board does not show")
    score = (
        state.score[0] + (event.points if event.side is Side.PLAYER else 0),
        state.score[1] + (event.points if event.side is Side.COMPUTER else 0),
    )
    return msgspec.structs.replace(
        state,
        phase=GameOver(event.side, event.points),
        score=score,
        secret=event.secret,
        turns=(*state.turns, TurnPlayed(turn.side, turn.dice, turn.moves)),
    )


def _left(state: State) -> State:
    while isinstance(state.phase, Playing) and state.phase.side is Side.PLAYER and state.phase.moves:
        state = _last_move_undone(state)
    return state
