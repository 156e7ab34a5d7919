"""Whether a command may be carried out, and what then happens.

``decide(state, command, ...) -> Decision | Repeated | Refusal``: pure. Randomness (secrets) and what only the shell can
make (a successor's id) come in as values.
"""

from typing import assert_never

import msgspec

from gameserver.backgammon import (
    AmbiguousPlay,
    IllegalMove,
    Move,
    UnreadablePlay,
    checked_move,
    complete_plays,
    game_points,
    is_race,
    legal_moves,
    parse_play,
)
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
from gameserver.session.events import (
    ConductSet,
    DiceSet,
    Event,
    GameStarted,
    GameWon,
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
from gameserver.session.ids import SessionId
from gameserver.session.refusals import Code, Refusal
from gameserver.session.state import (
    IDLE_LIMIT,
    LOG_LIMIT,
    AwaitingSeed,
    ComputerToRoll,
    Dropped,
    GameOver,
    Playing,
    State,
    ToRoll,
    evolve_event,
    position_of,
)


class Decision(msgspec.Struct, frozen=True):
    """What happens, and the state after it (at the version before: ``sealed`` makes it the next)."""

    events: tuple[Event, ...]
    state: State


class Repeated(msgspec.Struct, frozen=True):
    """The same command was accepted before, as this version; nothing happens."""

    version: int


class Entropy(msgspec.Struct, frozen=True):
    """What the shell must bring.

    ``secret``: of the game in progress; ``fresh``: 32 new random bytes for a next game; ``successor``: the session that
    a restart starts.
    """

    secret: bytes | None = None
    fresh: bytes | None = None
    successor: SessionId | None = None


def start(command: StartSession, fresh: bytes) -> tuple[Event, ...]:
    """The first commit of a session, bound to the secret ``fresh`` of its first game."""
    return (
        SessionStarted(
            session=command.session,
            player=command.player,
            level=command.level,
            format=command.format,
            pace=command.pace,
            auto_end=command.auto_end,
            auto_forced=command.auto_forced,
            auto_bear_off=command.auto_bear_off,
            position=command.position,
            dice=command.dice,
        ),
        GameStarted(1, dice.commitment(fresh)),
    )


def head(state: State) -> Base:
    """The base that a command must name to be applied to this state."""
    return Base(state.version, state.last)


def decide(state: State, command: Command, entropy: Entropy) -> Decision | Repeated | Refusal:
    """Carry out ``command`` on ``state``, or say why not."""
    accepted = state.accepted_as(command.id)  # type: ignore[arg-type] # a wire id is a command's id by its length
    if accepted is not None:
        return Repeated(accepted)
    if command.base != head(state):
        return Refusal(Code.STALE, f"the session is at version {state.version}, the command was made for another")
    if state.version >= LOG_LIMIT or (
        state.version >= IDLE_LIMIT and isinstance(command, Undo | Leave | SetConduct) and not state.is_finished
    ):
        code = Code.UNDO_LIMIT if isinstance(command, Undo) else Code.LOG_FULL
        return Refusal(code, f"the session has {state.version} commits, the bound for this command")
    draft = _Draft(state, entropy)
    refusal = _carry_out(draft, command)
    return refusal or Decision(tuple(draft.events), draft.state)


class _Draft:
    """The events decided so far and the state after them: a later step of a decision sees what the former did."""

    def __init__(self, state: State, entropy: Entropy) -> None:
        self.state = state
        self.entropy = entropy
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        self.state = evolve_event(self.state, event)
        self.events.append(event)

    @property
    def secret(self) -> bytes:
        if self.entropy.secret is None:
            raise ValueError("this command needs the secret of the game in progress")
        return self.entropy.secret

    def roll(self) -> tuple[int, int]:
        """The next roll of this game; what was rolled before can't be rolled again, for its number is taken."""
        state = self.state
        if state.seed is None:
            raise ValueError("a roll before the player's seed")
        return dice.roll(self.secret, state.session, state.game, state.rolls + 1, state.seed)


def _carry_out(draft: _Draft, command: Command) -> Refusal | None:  # noqa: PLR0911 - one branch for each kind of command
    match command:
        case MoveChecker():
            return _move_checker(draft, command)
        case Roll():
            return _roll(draft)
        case EndTurn():
            return _end_turn(draft)
        case Undo():
            return _undo(draft)
        case PlayText():
            return _play_text(draft, command)
        case TakeTurn():
            return _take_turn(draft, command)
        case GiveSeed():
            return _give_seed(draft, command)
        case NextGame():
            return _next_game(draft)
        case Leave():
            return _leave(draft)
        case SetConduct():
            return _set_conduct(draft, command)
        case Restart():
            return _restart(draft)
        case _:
            assert_never(command)


def _wrong_phase(what: str) -> Refusal:
    return Refusal(Code.WRONG_PHASE, what)


def _players_turn(state: State) -> Playing | None:
    phase = state.phase
    return phase if isinstance(phase, Playing) and phase.side is Side.PLAYER else None


# --- The dice


def _give_seed(draft: _Draft, command: GiveSeed) -> Refusal | None:
    if not isinstance(draft.state.phase, AwaitingSeed):
        return _wrong_phase("this game has its seed already")
    draft.emit(SeedGiven(command.seed))
    if draft.state.practice is not None:
        if (given := draft.state.practice[1]) is not None:
            draft.emit(DiceSet(*given))
            _after_roll(draft)
        return None
    while isinstance(draft.state.phase, ToRoll):
        draft.emit(OpeningRolled(*draft.roll()))
    _after_roll(draft)
    return None


def _roll(draft: _Draft) -> Refusal | None:
    if not isinstance(draft.state.phase, ToRoll):
        return _wrong_phase("it is not for the player to roll now")
    draft.emit(Rolled(Side.PLAYER, *draft.roll()))
    _after_roll(draft)
    return None


def _after_roll(draft: _Draft) -> None:
    """What follows the player's roll by itself: forced moves, bearing off in a race, passing where nothing plays."""
    turn = _players_turn(draft.state)
    if turn is None:
        return
    for move in _moves_by_themselves(draft.state, turn):
        _emit_move(draft, Side.PLAYER, move)
        if isinstance(draft.state.phase, GameOver):
            return
    _end_if_automatic(draft)


def _moves_by_themselves(state: State, turn: Playing) -> tuple[Move, ...]:
    conduct = state.conduct
    if not (conduct.auto_forced or conduct.auto_bear_off):
        return ()
    plays = complete_plays(state.position, turn.unused)
    if conduct.auto_forced and len(plays) == 1:
        return next(iter(plays.values()))
    if conduct.auto_bear_off and is_race(state.position):
        left = 15 - state.position.off
        wanted = min(len(turn.unused), left)
        bearing = [play for play in plays.values() if sum(move.target == 0 for move in play) == wanted == len(play)]
        if len(bearing) == 1:
            return bearing[0]
    return ()


def _end_if_automatic(draft: _Draft) -> None:
    """End the turn when the dice are used up, or where nothing could be played at all.

    Dice left over after some move wait for the player, so that undo stays possible.
    """
    turn = _players_turn(draft.state)
    if turn is None or not draft.state.conduct.auto_end:
        return
    if not turn.unused or (not turn.moves and not legal_moves(draft.state.position, turn.unused)):
        draft.emit(TurnEnded(Side.PLAYER))


# --- The player's moves


def _move_checker(draft: _Draft, command: MoveChecker) -> Refusal | None:
    if _players_turn(draft.state) is None:
        return _wrong_phase("it is not for the player to move now")
    source = command.source
    for die in command.dice:
        turn = _players_turn(draft.state)
        if turn is None:
            return Refusal(Code.ILLEGAL_MOVE, f"the game is over; no {die} is left to play")
        try:
            move = checked_move(draft.state.position, turn.unused, source, die)
        except IllegalMove as error:
            return Refusal(Code.ILLEGAL_MOVE, str(error))
        _emit_move(draft, Side.PLAYER, move)
        source = move.target
    _end_if_automatic(draft)
    return None


def _play_text(draft: _Draft, command: PlayText) -> Refusal | None:
    turn = _players_turn(draft.state)
    if turn is None:
        return _wrong_phase("it is not for the player to move now")
    try:
        play = parse_play(command.text, draft.state.position, turn.unused)
    except UnreadablePlay as error:
        return Refusal(Code.UNREADABLE, str(error))
    except AmbiguousPlay as error:
        return Refusal(Code.AMBIGUOUS, str(error))
    except IllegalMove as error:
        return Refusal(Code.ILLEGAL_MOVE, str(error))
    if not play:
        return _wrong_phase("there is nothing to play; end the turn")
    for move in play:
        _emit_move(draft, Side.PLAYER, move)
    _end_if_automatic(draft)
    return None


def _emit_move(draft: _Draft, side: Side, move: Move, at: int = 0) -> None:
    draft.emit(Moved(side, move.source, move.die, move.target, move.hit, at))
    points = game_points(position_of(side, draft.state.position))
    if points:
        draft.emit(GameWon(side, points, draft.secret, at))


def _undo(draft: _Draft) -> Refusal | None:
    turn = _players_turn(draft.state)
    if turn is None or not turn.moves:
        return Refusal(Code.NOTHING_TO_UNDO, "the player has moved nothing in this turn")
    draft.emit(MoveUndone())
    return None


def _end_turn(draft: _Draft) -> Refusal | None:
    turn = _players_turn(draft.state)
    if turn is None:
        return _wrong_phase("the player has no turn to end now")
    if legal_moves(draft.state.position, turn.unused):
        return _wrong_phase("there are dice that can still be played, and must be")
    draft.emit(TurnEnded(Side.PLAYER))
    return None


# --- The computer's turn


def _take_turn(draft: _Draft, command: TakeTurn) -> Refusal | None:
    """One commit: the roll, unless the opening gave it, the moves, the end. Its times come with the command."""
    if not draft.state.computer_is_due:
        return _wrong_phase("the computer's turn is not due")
    if len(command.times) != len(command.play) + 2:
        return Refusal(Code.ILLEGAL_MOVE, "a turn needs a time for the roll, for each move and for its end")
    at, *moves_at, end_at = command.times
    if isinstance(draft.state.phase, ComputerToRoll):
        draft.emit(Rolled(Side.COMPUTER, *draft.roll(), at))
    for move, move_at in zip(command.play, moves_at, strict=True):
        turn = draft.state.phase
        if not isinstance(turn, Playing) or move not in legal_moves(
            position_of(Side.COMPUTER, draft.state.position), turn.unused
        ):
            return Refusal(Code.ILLEGAL_MOVE, f"the computer can't move {move.source}/{move.target} by {move.die}")
        _emit_move(draft, Side.COMPUTER, move, move_at)
    turn = draft.state.phase
    if isinstance(turn, Playing):
        if legal_moves(position_of(Side.COMPUTER, draft.state.position), turn.unused):
            return Refusal(Code.ILLEGAL_MOVE, "the computer has not played all the dice that it can")
        draft.emit(TurnEnded(Side.COMPUTER, end_at))
    return None


def computers_dice(state: State, secret: bytes) -> tuple[int, int]:
    """The dice of the computer's due turn: the opening's, or the next roll. Larger first."""
    if isinstance(state.phase, Playing):
        return state.phase.dice
    first, second = _Draft(state, Entropy(secret)).roll()
    return max(first, second), min(first, second)


# --- The session


def _next_game(draft: _Draft) -> Refusal | None:
    state = draft.state
    if not isinstance(state.phase, GameOver) or state.is_match_over:
        return _wrong_phase("there is no next game to start now")
    if draft.entropy.fresh is None:
        raise ValueError("a new game needs a fresh secret")
    draft.emit(GameStarted(state.game + 1, dice.commitment(draft.entropy.fresh)))
    return None


def _leave(draft: _Draft) -> Refusal | None:
    if draft.state.is_finished:
        return _wrong_phase("the session is over; nothing is kept open")
    draft.emit(PlayerLeft())
    return None


def _set_conduct(draft: _Draft, command: SetConduct) -> Refusal | None:
    if draft.state.is_finished:
        return _wrong_phase("the session is over")
    was_automatic = draft.state.conduct.auto_end
    draft.emit(ConductSet(command.pace, command.auto_end, command.auto_forced, command.auto_bear_off))
    turn = _players_turn(draft.state)
    waits = turn is not None and not legal_moves(draft.state.position, turn.unused)
    if waits and command.auto_end and not was_automatic:
        draft.emit(TurnEnded(Side.PLAYER))
    return None


def _restart(draft: _Draft) -> Refusal | None:
    state = draft.state
    if state.is_finished:
        return _wrong_phase("the session is over; start a new one")
    if draft.entropy.successor is None:
        raise ValueError("a restart needs the id of its successor")
    between_games = isinstance(state.phase, GameOver | Dropped)
    draft.emit(SessionDropped(draft.entropy.successor, None if between_games else draft.secret))
    return None
