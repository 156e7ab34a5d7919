"""What must hold of a session at every step, whatever was done."""

from typing import Any

import msgspec

from gameserver.backgammon import Move, format_play
from gameserver.session.commands import Command, MoveChecker
from gameserver.session.decide import Decision, decide
from gameserver.session.events import Commit, GameStarted, Moved, Side, decode_commit, encode_commit
from gameserver.session.state import GameOver, Playing, State, fold
from gameserver.session.view import change, frames, patched, view
from tests.session.shadow import Shadow, moved, moved_back
from tests.session.table import Table


class Watch:
    """Follows a table: ``look`` after every command holds what came of it against all the rules."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.shadow = Shadow()
        self.stored: list[tuple[bytes, bytes]] = []
        self.states: list[State] = []
        self._offers_seen: set[object] = set()
        self.look()

    def look(self) -> None:
        for commit in self.table.log[len(self.stored) :]:
            self._follow(commit)
        assert self.states[-1] == self.table.state
        self._options_and_commands_are_what_is_accepted()

    def fold_again(self) -> None:
        """The whole log once more, from what is stored."""
        assert fold(decode_commit(commit_id, payload) for commit_id, payload in self.stored) == self.table.state

    def _follow(self, commit: Commit) -> None:
        payload = encode_commit(commit)
        assert decode_commit(commit.id, payload) == commit
        self.stored.append((commit.id, payload))
        before = self.states[-1] if self.states else None
        after = fold([commit], before)
        assert after is not None
        self.states.append(after)
        assert after.version == len(self.stored)
        assert after.last == commit.id
        self.shadow.follow(commit, self.table.secret(after.game))
        self.shadow.agrees_with(after)
        if before is not None:
            dice_stay(before, after)
            assert patched(view(before), change(view(before), view(after))) == view(after)
            frames_show_what_changed(before, commit, after)

    def _options_and_commands_are_what_is_accepted(self) -> None:
        state = self.table.state
        turn = state.phase if isinstance(state.phase, Playing) else None
        unused, moves = (turn.unused, bool(turn.moves)) if turn else ((), False)
        key = (state.position, type(state.phase), unused, moves, state.conduct, state.is_match_over)
        if key not in self._offers_seen:
            self._offers_seen.add(key)
            options_are_what_is_accepted(self.table)
            commands_are_what_is_accepted(self.table)


def dice_stay(before: State, after: State) -> None:
    """The roll of a turn in progress is the same until the turn ends."""
    if (
        isinstance(before.phase, Playing)
        and isinstance(after.phase, Playing)
        and (before.game, before.turns) == (after.game, after.turns)
    ):
        assert (after.phase.side, after.phase.dice) == (before.phase.side, before.phase.dice)
        assert after.rolls == before.rolls
    assert after.game > before.game or after.rolls >= before.rolls


def frames_show_what_changed(before: State, commit: Commit, after: State) -> None:
    """Whoever plays the frames on the board of before has the board of after, and has seen the dice and the result."""
    shown = frames(before, commit)
    times = [frame[0] for frame in shown]
    assert times == sorted(times)
    if commit.by is Side.PLAYER:
        assert not any(times)
    if any(isinstance(event, GameStarted) for event in commit.events):
        assert shown == ()
        return
    board = before.position.points
    openings = list(before.opening)
    for _, kind, *told in shown:
        match kind:
            case "move":
                side, source, die, target, hit = told
                assert target == max(source - die, 0)
                board = moved(board, side, source, target, bool(hit))
            case "undo":
                side, source, die, target, hit = told
                assert side == Side.PLAYER
                board = moved_back(board, side, source, target, bool(hit))
            case "opening":
                openings.append((told[0], told[1]))
            case "dice":
                side, first, second = told
                turn = after.phase if isinstance(after.phase, Playing) else after.turns[-1]
                assert (turn.side, turn.dice) == (side, (first, second))
            case "end" | "pass":
                assert len(after.turns) == len(before.turns) + 1
                assert after.turns[-1].side == told[0]
                assert bool(after.turns[-1].moves) == (kind == "end")
            case "win":
                assert after.phase == GameOver(told[0], told[1])
            case _:
                raise AssertionError(f"no such frame: {kind}")
    assert board == after.position.points
    assert openings == list(after.opening)
    kinds = [frame[1] for frame in shown]
    ended = len(after.turns) - len(before.turns)
    assert kinds.count("end") + kinds.count("pass") + kinds.count("win") == ended
    assert kinds.count("win") == (isinstance(after.phase, GameOver) and not isinstance(before.phase, GameOver))
    assert kinds.count("dice") + len(after.opening) - len(before.opening) == (
        after.rolls - before.rolls + (1 if _is_set_roll(before, after) else 0)
    )


def _is_set_roll(before: State, after: State) -> bool:
    given = after.practice is not None and after.practice[1] is not None
    return given and before.seed is None and after.seed is not None


def options_are_what_is_accepted(table: Table) -> None:
    """Every offered option is accepted and leads to what it says is next; what is not offered is refused."""
    state = table.state
    turn = state.phase
    if not isinstance(turn, Playing) or turn.side is not Side.PLAYER:
        assert table.view.options == ()
        assert table.refused(table.a_move(24, 1)) == "wrong-phase"
        return
    offered: tuple[Any, ...] = table.view.options
    entropy = table.entropy
    base = table.base
    for source, path, following in offered:
        steps = list(zip(path[::2], path[1::2], strict=True))
        outcome = decide(state, MoveChecker(bytes(16), base, source, tuple(die for die, _ in steps)), entropy)
        assert isinstance(outcome, Decision), (outcome, source, path)
        made = [event for event in outcome.events if isinstance(event, Moved)]
        assert [(event.die, -event.target if event.hit else event.target) for event in made] == steps
        assert made[0].source == source
        after = outcome.state
        goes_on = isinstance(after.phase, Playing) and after.turns == state.turns
        assert [tuple(option[:2]) for option in view(after).options if goes_on] == [tuple(then) for then in following]
    singles = {(source, path[0]) for source, path, _ in offered if len(path) == 2}
    absent = next(die for die in range(1, 7) if die not in turn.unused)
    for source in range(1, 26):
        for die in {*turn.unused, absent}:
            outcome = decide(state, MoveChecker(bytes(16), base, source, (die,)), entropy)
            assert isinstance(outcome, Decision) == ((source, die) in singles), (source, die)


def commands_are_what_is_accepted(table: Table) -> None:
    """``may`` names the commands that are accepted now, and no other."""
    shown = table.view
    source, dice, text = 6, (1,), "6/5"
    if shown.options:
        source, path, _ = shown.options[0]
        dice = path[::2]
        target = abs(path[-1])
        text = format_play([Move(source, dice[0], target, path[1] < 0)])
    commands: dict[str, Command] = {
        "seed": table.a_seed(),
        "roll": table.a_roll(),
        "move": table.a_move(source, *dice),
        "play": table.a_play(text),
        "undo": table.an_undo(),
        "end": table.an_end(),
        "next": table.a_next(),
        "leave": table.a_leave(),
        "restart": table.a_restart(),
        "options": table.options(),
    }
    accepted = {kind for kind, command in commands.items() if isinstance(table.offered(command), Decision)}
    assert accepted == set(shown.may) - {"hint"}
    assert ("hint" in shown.may) == (shown.phase == "moving")


def without_commits(state: State) -> State:
    """The state but for its place in the log: what two states that stand alike have in common."""
    return msgspec.structs.replace(state, version=0, commands=(), at=0)
