"""Makes the kept logs: `python -m tests.session.golden.make`.

A log that is there already is never written again: it stands for the games that are in players' stores, and what a
newer release would write is another log under another name. `--outcomes` folds all of them and writes their
states and views anew, for a release that knows more of a session than the one before; look at the difference.
"""

import json
import sys
from collections.abc import Callable
from random import Random

from gameserver.session.events import MoveUndone, PlayerLeft, Side, encode_commit
from gameserver.session.state import fold
from tests.session.fair_dice import secret_that_rolls
from tests.session.golden.kept import FOLDER, NAMES, commits, written
from tests.session.playing import any_command, dances, next_command, wins
from tests.session.table import SEED, Table, session_of, set_up


def opening_with_two_ties() -> Table:
    """4-4, 6-6, then 5-2; then a game by chance with undo and leaving, a dance of each side, and other options."""
    name = "two ties"
    secret = secret_that_rolls(session_of(name), SEED, ((4, 4), (6, 6), (5, 2)))
    for number in range(1_000):
        table = Table(name, secrets={1: secret})
        table.accepted(table.a_seed())
        chance = Random(number)
        while not table.state.is_finished:
            table.accepted(any_command(table, chance))
        kinds = {type(event) for commit in table.log for event in commit.events}
        if {MoveUndone, PlayerLeft} <= kinds and set(dances(table)) == {Side.PLAYER, Side.COMPUTER}:
            return table
    raise AssertionError("no such game was found")


def gammon() -> Table:
    """A game that the player wins by a gammon."""
    for number in range(1_000):
        table = _straight_on(Table(f"gammon {number}", level="expert", pace="instant"), number)
        if [(won.side, won.points) for won in wins(table)] == [(Side.PLAYER, 2)]:
            return table
    raise AssertionError("no such game was found")


def match_to_5() -> Table:
    """A match that the computer wins, with games of different worth."""
    for number in range(1_000):
        table = _straight_on(Table(f"match {number}", level="beginner", length=5, pace="fast"), number)
        if wins(table)[-1].side is Side.COMPUTER and {won.points for won in wins(table)} >= {1, 2}:
            return table
    raise AssertionError("no such match was found")


def restarted() -> Table:
    """Dropped in the middle of a turn."""
    table = Table("restarted", length=7)
    chance = Random("restarted")
    while len(table.log) < 12 or not table.view.moves:
        table.accepted(next_command(table, chance))
    table.accepted(table.a_restart())
    return table


def practice_of_a_forced_play() -> Table:
    """From a set position: a forced play by itself, then waiting with a die left over."""
    table = Table("practice", position="----------B---------b-a--B", dice=(5, 3), auto_forced=True)
    table.accepted(table.a_seed())
    assert table.view.phase == "confirm"
    return table


def practice_of_bearing_off() -> Table:
    """From a set position before the roll, borne off by itself to the end."""
    table = Table(
        "bearing off", position=set_up({1: 4, 2: 2}, {24: 4, 19: 2}), auto_bear_off=True, auto_end=False, pace="instant"
    )
    return _straight_on(table, 1)


def _straight_on(table: Table, number: int) -> Table:
    chance = Random(number)
    while not table.state.is_finished:
        table.accepted(next_command(table, chance))
    return table


LOGS: tuple[Callable[[], Table], ...] = (
    opening_with_two_ties,
    gammon,
    match_to_5,
    restarted,
    practice_of_a_forced_play,
    practice_of_bearing_off,
)


def main() -> None:
    for make in LOGS:
        name = make.__name__.replace("_", "-")
        if name not in NAMES:
            lines = [f"{commit.id.hex()} {encode_commit(commit).hex()}\n" for commit in make().log]
            (FOLDER / f"{name}.log").write_text("".join(lines))
            _keep_outcome(name)
    if "--outcomes" in sys.argv:
        for name in NAMES:
            _keep_outcome(name)


def _keep_outcome(name: str) -> None:
    state = fold(commits(name))
    assert state is not None
    parts = [f"{json.dumps(part)}: {_lines(fields)}" for part, fields in written(state).items()]
    (FOLDER / f"{name}.json").write_text("{\n" + ",\n".join(parts) + "\n}\n")


def _lines(fields: dict[str, object]) -> str:
    """A JSON object with one field a line."""
    return "{\n" + ",\n".join(f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in fields.items()) + "\n}"


if __name__ == "__main__":
    main()
