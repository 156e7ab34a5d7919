"""A second, simple-minded account of a session, kept from its events alone and by other means than the product's.

It knows the fair dice (from the protocol's words), the legal moves (from the referee) and takes moves back by
remembering the board before them. Whatever breaks its rules fails an assertion.
"""

from hashlib import sha256

from gameserver.backgammon import Position
from gameserver.session.events import (
    Commit,
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
from gameserver.session.state import Playing, State
from tests.session.fair_dice import fair_roll
from tests.session.referee import legal_steps

START = (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)


class Shadow:
    """``board``: in the player's numbers, as on the wire. ``secrets``: by game, the keeper's own."""

    def __init__(self) -> None:
        self.session = b""
        self.practice: tuple[str, tuple[int, int] | None] | None = None
        self.game = 0
        self.commitment = b""
        self.seed: bytes | None = None
        self.rolls: list[tuple[int, int]] = []
        self.board: tuple[int, ...] = START
        self.off = [0, 0]
        self.side: Side | None = None
        self.unused: tuple[int, ...] = ()
        self.before: list[tuple[tuple[int, ...], tuple[int, ...], tuple[int, int]]] = []
        self.score = [0, 0]
        self.over = False

    def follow(self, commit: Commit, secret: bytes) -> None:
        """One more commit of the session, played with this game's ``secret``."""
        assert commit.events
        for event in commit.events:
            self._event(event, secret)

    def agrees_with(self, state: State) -> None:
        """Whether the product's state is this account's."""
        assert state.position.points == self.board
        mine = sum(count for count in state.position.points if count > 0)
        theirs = -sum(count for count in state.position.points if count < 0)
        assert (mine + self.off[0], theirs + self.off[1]) == (15, 15)
        assert [state.position.off, state.position.their_off] == self.off
        assert (state.game, state.rolls, state.score) == (self.game, len(self.rolls), tuple(self.score))
        if isinstance(state.phase, Playing):
            assert state.phase.side is self.side
            assert sorted(state.phase.unused) == sorted(self.unused)
            assert len(state.phase.moves) == len(self.before)
        else:
            assert self.side is None or self.over

    def _event(self, event: Event, secret: bytes) -> None:
        match event:
            case SessionStarted():
                self.session = event.session
                self.practice = None if event.position is None else (event.position, event.dice)
            case GameStarted():
                self._game_started(event, secret)
            case SeedGiven():
                assert self.seed is None
                assert not self.rolls
                self.seed = event.seed
            case OpeningRolled(player=first, computer=second):
                assert self.side is None
                self._fair(first, second, secret)
                if first != second:
                    self._turn(Side.PLAYER if first > second else Side.COMPUTER, first, second)
            case Rolled(side=side, first=first, second=second):
                assert self.side is None
                self._fair(first, second, secret)
                self._turn(side, first, second)
            case DiceSet(first=first, second=second):
                assert self.practice is not None
                assert self.practice[1] == (first, second)
                assert not self.rolls
                self._turn(Side.PLAYER, first, second)
            case Moved():
                self._moved(event)
            case MoveUndone():
                assert self.side is Side.PLAYER
                self._take_back()
            case PlayerLeft():
                while self.side is Side.PLAYER and self.before:
                    self._take_back()
            case TurnEnded(side=side):
                assert self.side is side
                assert not self._legal(), "a turn ended with dice that can be played"
                self.side = None
            case GameWon():
                self._won(event, secret)
            case SessionDropped():
                self.over = True
            case ConductSet():
                pass

    def _game_started(self, event: GameStarted, secret: bytes) -> None:
        assert event.game == self.game + 1
        assert event.commitment == sha256(secret).digest()
        self.game = event.game
        self.commitment = event.commitment
        self.seed = None
        self.rolls = []
        self.board = START if self.practice is None else Position.parse(self.practice[0]).points
        self.off = [15 - sum(n for n in self.board if n > 0), 15 + sum(n for n in self.board if n < 0)]
        self.side = None
        self.before = []

    def _fair(self, first: int, second: int, secret: bytes) -> None:
        assert self.seed is not None
        number = len(self.rolls) + 1
        assert (first, second) == fair_roll(secret, self.session, self.game, number, self.seed)
        self.rolls.append((first, second))

    def _turn(self, side: Side, first: int, second: int) -> None:
        self.side = side
        self.unused = (first,) * 4 if first == second else (max(first, second), min(first, second))
        self.before = []

    def _seen_by_mover(self) -> tuple[int, ...]:
        return self.board if self.side is Side.PLAYER else tuple(-count for count in reversed(self.board))

    def _legal(self) -> frozenset[tuple[int, int, int, bool]]:
        return legal_steps(Position(self._seen_by_mover()), self.unused)

    def _moved(self, event: Moved) -> None:
        assert self.side is event.side
        assert (event.source, event.die, event.target, event.hit) in self._legal()
        self.before.append((self.board, self.unused, (self.off[0], self.off[1])))
        unused = list(self.unused)
        unused.remove(event.die)
        self.unused = tuple(unused)
        self.board = moved(self.board, event.side, event.source, event.target, event.hit)
        self.off[event.side] += event.target == 0

    def _take_back(self) -> None:
        self.board, self.unused, off = self.before.pop()
        self.off = list(off)

    def _won(self, event: GameWon, secret: bytes) -> None:
        assert self.side is event.side
        assert event.secret == secret
        assert sha256(secret).digest() == self.commitment
        assert self.off[event.side] == 15
        winners_home = self.board[:7] if event.side is Side.PLAYER else self.board[19:]
        gammon = 3 if any(winners_home) else 2
        assert event.points == (1 if self.off[event.side.other] else gammon)
        self.score[event.side] += event.points
        self.side = None


def moved(board: tuple[int, ...], side: int, source: int, target: int, hit: bool) -> tuple[int, ...]:
    """The board, in the player's numbers, after a move in the mover's numbers."""
    cells = list(board)
    mine = 1 if side == Side.PLAYER else -1

    def cell(place: int) -> int:
        return place if side == Side.PLAYER else 25 - place

    cells[cell(source)] -= mine
    if target:
        if hit:
            assert cells[cell(target)] == -mine
            cells[cell(target)] = 0
            cells[cell(0)] -= mine
        cells[cell(target)] += mine
    return tuple(cells)


def moved_back(board: tuple[int, ...], side: int, source: int, target: int, hit: bool) -> tuple[int, ...]:
    """The board before such a move."""
    cells = list(board)
    mine = 1 if side == Side.PLAYER else -1

    def cell(place: int) -> int:
        return place if side == Side.PLAYER else 25 - place

    cells[cell(source)] += mine
    if target:
        cells[cell(target)] -= mine
        if hit:
            cells[cell(target)] = -mine
            cells[cell(0)] += mine
    return tuple(cells)
