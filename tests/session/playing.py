"""Sessions played by chance from a fixed seed."""

from hashlib import sha256
from random import Random

from gameserver.session.commands import Command
from gameserver.session.events import GameStarted, GameWon, Moved, Side, TurnEnded
from tests.session.table import Table


def next_command(table: Table, chance: Random) -> Command:
    """A command that the session is waiting for."""
    shown = table.view
    match shown.phase:
        case "seed":
            return table.a_seed(sha256(f"{table.session.hex()} {table.state.game}".encode()).digest())
        case "to-roll":
            return table.a_roll()
        case "moving":
            source, path, _ = chance.choice(shown.options)
            return table.a_move(source, *path[::2])
        case "confirm":
            return table.an_end()
        case "computer":
            plays = table.computers_plays()
            return table.a_turn(chance.choice(plays) if plays else ())
        case "game-over":
            return table.a_next()
        case _:
            raise AssertionError(f"nothing more can be done in phase {shown.phase}")


def any_command(table: Table, chance: Random) -> Command:
    """Mostly what the session is waiting for; sometimes an undo, a leave or other options."""
    what = chance.random()
    may = table.view.may
    if what < 0.12 and "undo" in may:
        return table.an_undo()
    if what < 0.14:
        return table.a_leave()
    if what < 0.17:
        return table.options(
            pace=chance.choice(("real", "fast", "instant")),
            auto_end=chance.random() < 0.7,
            auto_forced=chance.random() < 0.5,
            auto_bear_off=chance.random() < 0.5,
        )
    return next_command(table, chance)


def dances(table: Table) -> list[Side]:
    """The sides of all turns in which nothing was moved."""
    found = []
    moves = 0
    for commit in table.log:
        for event in commit.events:
            if isinstance(event, Moved):
                moves += 1
            elif isinstance(event, TurnEnded):
                if not moves:
                    found.append(event.side)
                moves = 0
            elif isinstance(event, GameStarted):
                moves = 0
    return found


def wins(table: Table) -> list[GameWon]:
    return [event for commit in table.log for event in commit.events if isinstance(event, GameWon)]
