"""What a page sees of a session: the view (a snapshot), the diff between two views, and the frames to be shown.

The shapes are those of docs/protocol.md; ``patched`` is the rule by which a page applies a diff, kept here so that a
test can hold the two together.
"""

from functools import lru_cache
from typing import Any, assert_never

import msgspec
from msgspec.structs import astuple

from gameserver.backgammon import Move, Option, format_play, is_race, move_of, options, pip_counts
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
from gameserver.session.state import (
    IDLE_LIMIT,
    LOG_LIMIT,
    AwaitingSeed,
    Dropped,
    GameOver,
    Playing,
    State,
    ToRoll,
    TurnPlayed,
)

WireMove = tuple[int, int, int, int]
WireTurn = tuple[int, int, int, str]
Frame = tuple[Any, ...]


class DiceView(msgspec.Struct, frozen=True, gc=False):
    side: Side
    values: tuple[int, int]
    unused: tuple[int, ...]


class TurnView(msgspec.Struct, frozen=True, gc=False):
    side: Side
    dice: tuple[int, int]
    moves: tuple[WireMove, ...]


class ResultView(msgspec.Struct, frozen=True, gc=False):
    winner: Side
    points: int


class FairnessView(msgspec.Struct, frozen=True, gc=False):
    commitment: bytes
    seed: bytes | None
    secret: bytes | None


class View(msgspec.Struct, frozen=True, gc=False):
    """A session as its player's page is shown it. Field by field in docs/protocol.md."""

    level: Level
    format: Format
    practice: bool
    game: int
    score: tuple[int, int]
    phase: str
    board: tuple[int, ...]
    off: tuple[int, int]
    pips: tuple[int, int]
    race: bool
    dice: DiceView | None
    opening: tuple[tuple[int, int], ...]
    moves: tuple[WireMove, ...]
    options: tuple[Any, ...]
    may: tuple[str, ...]
    last: TurnView | None
    record: tuple[WireTurn, ...]
    result: ResultView | None
    fairness: FairnessView
    options_set: Conduct
    successor: bytes | None


class Change(msgspec.Struct, frozen=True):
    """What one commit changed: ``fields`` whole, ``board`` by cell, ``record`` by what was appended."""

    fields: dict[str, Any]
    board: tuple[tuple[int, int], ...]
    record: tuple[WireTurn, ...]


def view(state: State, earlier: View | None = None) -> View:
    """The view of this state. ``earlier``: of an earlier state of the session; what is still true of it is shared."""
    phase = state.phase
    turn = phase if isinstance(phase, Playing) else None
    on_move = turn if turn is not None and turn.side is Side.PLAYER else None
    offered = () if on_move is None else options(state.position, on_move.unused)
    name = _phase_name(state, can_move=bool(offered))
    position = state.position
    if earlier is not None and earlier.board is position.points:
        off, pips, race = earlier.off, earlier.pips, earlier.race
    else:
        off, pips, race = (position.off, position.their_off), pip_counts(position), is_race(position)
    record = _record(state, earlier)
    return View(
        level=state.level,
        format=state.format,
        practice=state.practice is not None,
        game=state.game,
        score=state.score,
        phase=name,
        board=position.points,
        off=off,
        pips=pips,
        race=race,
        dice=None if turn is None else DiceView(turn.side, turn.dice, turn.unused),
        opening=state.opening,
        moves=() if on_move is None else tuple([wire_move(move) for move in on_move.moves]),
        options=tuple([_wire_option(option) for option in offered]),
        may=_may(state, name, on_move),
        last=earlier.last if earlier is not None and earlier.record is record else _last_turn(state),
        record=record,
        result=ResultView(phase.winner, phase.points) if isinstance(phase, GameOver) else None,
        fairness=_fairness(state, earlier),
        options_set=state.conduct,
        successor=phase.successor if isinstance(phase, Dropped) else None,
    )


def change(before: View, after: View) -> Change:
    """What a page that shows ``before`` must change to show ``after``."""
    fields = {
        name: new
        for name, old, new in zip(View.__struct_fields__, astuple(before), astuple(after), strict=True)
        if new is not old and new != old and name not in _BY_PARTS
    }
    board: tuple[tuple[int, int], ...] = ()
    if after.board is not before.board:
        both = enumerate(zip(before.board, after.board, strict=True))
        board = tuple([(index, count) for index, (old, count) in both if old != count])
    if after.record is before.record:
        return Change(fields, board, ())
    known = len(before.record)
    if before.game == after.game and after.record[:known] == before.record:
        return Change(fields, board, after.record[known:])
    fields["record"] = after.record
    return Change(fields, board, ())


def patched(before: View, changed: Change) -> View:
    """The view of a page that applies ``changed``: ``change`` undone, so to say."""
    board = list(before.board)
    for index, count in changed.board:
        board[index] = count
    record = changed.fields.get("record", before.record) + changed.record
    return msgspec.structs.replace(before, **{**changed.fields, "board": tuple(board), "record": record})


_BY_PARTS = frozenset({"board", "record"})


def frames(before: State, commit: Commit) -> tuple[Frame, ...]:
    """What is to be seen of a commit that follows ``before``, in order: ``(at, kind, ...)``."""
    shown: list[Frame] = []
    turn = before.phase if isinstance(before.phase, Playing) else None
    moves = list(turn.moves) if turn is not None else []
    for event in commit.events:
        if isinstance(event, Moved):
            moves.append(move_of(event.source, event.die, event.target, hit=event.hit))
        shown.extend(_frames_of(event, moves))
    return tuple(shown)


def _frames_of(event: Event, moves: list[Move]) -> list[Frame]:  # noqa: PLR0911 - one branch for each kind of event
    """The frames of one event; ``moves`` of the turn so far are kept up to date."""
    match event:
        case Moved(side=side, source=source, die=die, target=target, hit=hit, at=at):
            return [(at, "move", side, source, die, target, int(hit))]
        case Rolled(side=side, first=first, second=second, at=at):
            return [(at, "dice", side, max(first, second), min(first, second))]
        case DiceSet(first=first, second=second):
            return [(0, "dice", Side.PLAYER, max(first, second), min(first, second))]
        case OpeningRolled(player=player, computer=computer):
            return [(0, "opening", player, computer)]
        case MoveUndone():
            return [_undo_frame(moves.pop())]
        case PlayerLeft():
            taken_back = [_undo_frame(move) for move in reversed(moves)]
            moves.clear()
            return taken_back
        case TurnEnded(side=side, at=at):
            kind = "end" if moves else "pass"
            moves.clear()
            return [(at, kind, side)]
        case GameWon(side=side, points=points, at=at):
            return [(at, "win", side, points)]
        case SessionStarted() | GameStarted() | SeedGiven() | ConductSet() | SessionDropped():
            return []
        case _:
            assert_never(event)


def _undo_frame(move: Move) -> Frame:
    return (0, "undo", Side.PLAYER, *wire_move(move))


def wire_move(move: Move) -> WireMove:
    return (move.source, move.die, move.target, int(move.hit))


def _wire_option(option: Option) -> tuple[Any, ...]:
    return (*option.brief, tuple([then.brief for then in option.then]))


def _last_turn(state: State) -> TurnView | None:
    if not state.turns:
        return None
    turn = state.turns[-1]
    return TurnView(turn.side, turn.dice, tuple(map(wire_move, turn.moves)))


def _fairness(state: State, earlier: View | None) -> FairnessView:
    if earlier is not None:
        shown = earlier.fairness
        if shown.commitment is state.commitment and shown.seed is state.seed and shown.secret is state.secret:
            return shown
    return FairnessView(state.commitment, state.seed, state.secret)


def _record(state: State, earlier: View | None) -> tuple[WireTurn, ...]:
    """The finished turns; within a game they only grow."""
    known = earlier.record if earlier is not None and earlier.game == state.game else ()
    if known and len(known) == len(state.turns):
        return known
    return (*known, *map(_wire_turn, state.turns[len(known) :]))


@lru_cache(maxsize=8192)
def _wire_turn(turn: TurnPlayed) -> WireTurn:
    """Shared by all sessions: each keeps dozens, and many are the same."""
    return (turn.side, *turn.dice, format_play(turn.moves))


def _phase_name(state: State, *, can_move: bool) -> str:
    phase = state.phase
    match phase:
        case Playing(side=Side.PLAYER):
            return "moving" if can_move else "confirm"
        case ToRoll():
            return "to-roll"
        case AwaitingSeed():
            return "seed"
        case GameOver():
            return "match-over" if state.is_match_over else "game-over"
        case Dropped():
            return "dropped"
        case _:
            return "computer"


def _may(state: State, name: str, turn: Playing | None) -> tuple[str, ...]:
    if state.is_finished or state.version >= LOG_LIMIT:
        return ()
    allowed: list[str] = []
    if name == "to-roll":
        allowed.append("roll")
    elif name == "seed":
        allowed.append("seed")
    elif name == "game-over":
        allowed.append("next")
    elif name == "moving":
        allowed += ("move", "play", "hint")
    elif name == "confirm":
        allowed.append("end")
    if state.version >= IDLE_LIMIT:
        return (*allowed, "restart")
    if turn is not None and turn.moves:
        allowed.append("undo")
    return (*allowed, "leave", "restart", "options")
