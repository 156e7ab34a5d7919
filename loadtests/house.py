"""`gameserver` with two things changed, to measure the server alone at its limit on a machine of two cores.

The computer's turns are played in the server, at once and without thought (the first legal move, again and again),
where the product has a worker: that would want more processor time than the server that is to be measured. And with
``WITHOUT_STORE=1`` logs are kept in a list, and nobody is followed: the same server without the store, to compare with.

    python -m loadtests.house serve
"""

from __future__ import annotations

import os
import secrets
import sys
from collections import defaultdict
from typing import Final

from gameserver.backgammon import Move, apply, dice_left, dice_of, legal_moves
from gameserver.cli import main
from gameserver.session.commands import PlayerCommand, TakeTurn
from gameserver.session.decide import Decision, Entropy, Repeated, computers_dice, decide, head
from gameserver.session.events import Commit, Side, encode_commit
from gameserver.session.ids import CommandId
from gameserver.session.refusals import Refusal
from gameserver.session.state import State, sealed
from gameserver.store import Appended
from gameserver.store.follow import Follower, Watcher
from gameserver.store.log import Conflict, Entry, SessionLog
from gameserver.web import app
from gameserver.web.room import Room
from gameserver.web.rooms import Accepted, Rooms

WITHOUT_STORE: Final = "WITHOUT_STORE"


class HouseRooms(Rooms):
    """Rooms in which the computer answers by itself."""

    async def submit(self, room: Room, command: PlayerCommand) -> Accepted | Repeated | Refusal:
        """Carry out a player's command and, where it is the computer's turn then, that turn."""
        outcome = await super().submit(room, command)
        async with room.lock:
            while room.state.computer_is_due:
                await self._take_turn(room)
        return outcome

    async def _take_turn(self, room: Room) -> None:
        secret = await room.secret()
        assert secret is not None
        base = room.state
        play = first_play(base, secret)
        command = TakeTurn(CommandId(secrets.token_bytes(16)), head(base), play, (0,) * (len(play) + 2))
        decision = decide(base, command, Entropy(secret))
        assert isinstance(decision, Decision), decision
        commit = Commit(CommandId(command.id), Side.COMPUTER, self._now(), decision.events)
        payload, after = encode_commit(commit), sealed(decision.state, commit)
        with room.appending(commit, payload, after):
            result = await self._store.log.append(
                room.session, base.version, base.last, commit.id, payload, computer_due=False
            )
        assert isinstance(result, Appended), result
        if room.state is base:
            room.advance(commit, after)


def first_play(state: State, secret: bytes) -> tuple[Move, ...]:
    """A complete play of the computer's dice: the first legal move each time."""
    position, unused = state.position.flipped(), dice_of(*computers_dice(state, secret))
    play: list[Move] = []
    while moves := legal_moves(position, unused):
        play.append(moves[0])
        position, unused = apply(position, moves[0]), dice_left(unused, moves[0].die)
    return tuple(play)


_entries: defaultdict[bytes, list[Entry]] = defaultdict(list)
_secrets: dict[tuple[bytes, int], bytes] = {}


async def _append(
    log: SessionLog,
    session: bytes,
    base_version: int,
    base_id: bytes | None,
    commit_id: bytes,
    payload: bytes,
    *,
    computer_due: bool,
    finished: bool = False,
    secret: tuple[int, bytes] | None = None,
) -> Appended | Conflict:
    entries = _entries[session]
    last = entries[-1].id if entries else None
    if (len(entries), last) != (base_version, base_id):
        return Conflict(len(entries), last)
    entries.append(Entry(base_version + 1, commit_id, payload))
    if secret is not None:
        _secrets[session, secret[0]] = secret[1]
    return Appended(base_version + 1)


async def _read(log: SessionLog, session: bytes, after: int = 0, limit: int = 1000) -> list[Entry]:
    return _entries[session][after : after + limit]


async def _version(log: SessionLog, session: bytes) -> int:
    return len(_entries[session])


async def _secret(log: SessionLog, session: bytes, game: int) -> bytes | None:
    return _secrets.get((session, game))


async def _follow(follower: Follower, session: bytes, watcher: Watcher) -> None:
    """Nobody else writes."""


def change_the_house() -> None:
    """Put the changes in place, before the server is made."""
    setattr(app, "Rooms", HouseRooms)  # noqa: B010 - an assignment would be no export of that module's
    if os.environ.get(WITHOUT_STORE):
        replaced = {"append": _append, "read": _read, "version": _version, "secret": _secret}
        for name, instead in replaced.items():
            setattr(SessionLog, name, instead)
        Follower.follow = _follow  # type: ignore[assignment]


if __name__ == "__main__":
    change_the_house()
    sys.exit(main(sys.argv[1:]))
