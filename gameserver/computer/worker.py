"""The process that thinks: takes the computer's turns and the players' hints from the store's queues.

It also packs the logs of finished sessions, so that the processes that hold the websockets need not.

A turn is one commit, decided and appended at once, with the times at which its parts are to be seen. So there is
nothing half made that a crash could lose: a turn that was taken and not done is given to another worker, and a turn
that is played twice is refused by its base.
"""

import asyncio
import logging
import os
import random
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from gameserver.backgammon import points_away
from gameserver.computer.hint import encode_hint
from gameserver.computer.match_equity import Away
from gameserver.computer.pacing import DRAWS, Ease, turn_times
from gameserver.computer.player import Player
from gameserver.observability import worker as figures
from gameserver.observability.logs import about
from gameserver.observability.metrics import Histogram
from gameserver.session.commands import TakeTurn
from gameserver.session.decide import Decision, Entropy, computers_dice, decide, head
from gameserver.session.dice import commitment
from gameserver.session.events import Commit, Side, encode_commit
from gameserver.session.ids import ID_BYTES, CommandId
from gameserver.session.state import Playing, State
from gameserver.store import Appended, Head, HintRequest, Overloaded, Store, StoreError, StoreUnavailable, Turn
from gameserver.store.replay import replay

log = logging.getLogger(__name__)

T = TypeVar("T")

CACHED_STATES: Final = 2_000
ATTEMPTS: Final = 5
BLOCK_MS: Final = 1_000
RETRY_SECONDS: Final = 0.5
SET_ASIDE_AFTER: Final = 60
"""So many times a turn may fail, which takes five minutes or more."""
PACK_EVERY_SECONDS: Final = 10.0


class Worker:
    """Plays the turns that are due, ``threads`` at a time."""

    def __init__(self, store: Store, player: Player, threads: int) -> None:
        self._store = store
        self._player = player
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="thinking")
        self._free = asyncio.Semaphore(2 * threads)
        self._states: OrderedDict[bytes, State] = OrderedDict()
        self._busy: set[asyncio.Task[None]] = set()
        self._name = f"{os.uname().nodename if hasattr(os, 'uname') else 'worker'}-{os.getpid()}-{secrets.token_hex(4)}"

    async def run(self) -> None:
        """Work until cancelled. What was begun is finished."""
        await self._when_reachable(self._store.turns.sweep)
        # Not a TaskGroup: one of Python 3.11 loses a cancellation that comes as one of its tasks fails.
        loops = [asyncio.create_task(self._forever(take)) for take in (self._take_turns, self._take_hints, self._pack)]
        try:
            await asyncio.gather(*loops)
        finally:
            for loop in loops:
                loop.cancel()
            await asyncio.gather(*loops, *self._busy, return_exceptions=True)
            self._pool.shutdown(wait=True)

    async def _forever(self, take: Callable[[], Coroutine[Any, Any, None]]) -> None:
        while True:
            await self._when_reachable(take)

    @staticmethod
    async def _when_reachable(take: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        try:
            await take()
        except StoreError as error:
            figures.store_errors.inc()
            log.warning("the store can't be used now, trying again: %s", error)
            await asyncio.sleep(RETRY_SECONDS)

    # --- Turns

    async def _take_turns(self) -> None:
        for turn in await self._store.turns.take(self._name, self._threads, BLOCK_MS):
            await self._begin(self._play, turn)

    async def _begin(self, work: Callable[[T], Coroutine[Any, Any, None]], item: T) -> None:
        """Start a piece of work when there is room for it."""
        await self._free.acquire()
        figures.working.value += 1
        task = asyncio.create_task(self._carry_out(work, item))
        self._busy.add(task)
        task.add_done_callback(self._ended)

    @staticmethod
    async def _carry_out(work: Callable[[T], Coroutine[Any, Any, None]], item: T) -> None:
        try:
            await work(item)
        except (StoreUnavailable, Overloaded) as error:
            # A turn stays in the queue and comes round again; a hint is asked for again.
            figures.store_errors.inc()
            log.warning("the store can't be used now, a piece of work is left: %s", error)
        except Exception:
            # The turn stays in the queue and comes round again; a defect must not stop the others.
            figures.failed.inc()
            log.exception("a piece of work failed")

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._busy.discard(task)
        self._free.release()
        figures.working.value -= 1

    async def _play(self, turn: Turn) -> None:
        """Play this turn, unless it has been played, and take it off the queue."""
        about(turn.session)
        figures.waits.observe(max(0.0, time.time() - turn.since / 1000))
        if turn.taken_over:
            figures.taken_over.inc()
        try:
            for _ in range(ATTEMPTS):
                state = await self._state(turn.session)
                if state is None:
                    await self._store.turns.done(turn)
                    return
                seen = await self._played(state) if state.computer_is_due else _head_of(state)
                if seen is not None:
                    await self._store.turns.done(turn, seen)
                    return
        except (LookupError, ValueError, RuntimeError):
            # It will not get better by itself; a page that asks for the session has the turn queued again.
            if await self._store.turns.set_aside(turn, SET_ASIDE_AFTER):
                log.error("this turn has failed too often and is set aside")  # noqa: TRY400 - the cause follows
            raise
        log.warning("the session moved on faster than its turn could be played")

    async def _played(self, state: State) -> Head | None:
        """Decide and append the turn; the head of the log after it, or None where another commit came in between."""
        secret = await self._store.log.secret(state.session, state.game)
        if secret is None or commitment(secret) != state.commitment:
            now = await self._state(state.session)
            if now != state:  # a failover has lost the game that was read a moment ago
                return None
            raise LookupError(f"session {state.session.hex()}: the secret of game {state.game} is missing")
        dice = computers_dice(state, secret)
        position = state.position.flipped()
        salt = state.session + state.version.to_bytes(8, "big")
        choice = await self._thinking(
            lambda: self._player.choose(state.level, position, dice, away_of(state), salt),
            figures.thinking[state.level],
        )
        draws = [random.random() for _ in range(DRAWS)]  # noqa: S311 - only the pace hangs on it
        times = turn_times(state.conduct.pace, len(choice.play), Ease.of(choice.distinct), draws)
        command = TakeTurn(CommandId(secrets.token_bytes(ID_BYTES)), head(state), choice.play, times)
        decision = decide(state, command, Entropy(secret))
        if not isinstance(decision, Decision):
            raise RuntimeError(f"session {state.session.hex()}: the computer's turn was not accepted: {decision}")
        about(state.session, command.id)
        commit = Commit(command.id, Side.COMPUTER, time.time_ns() // 1_000_000, decision.events)
        result = await self._store.log.append(
            state.session,
            state.version,
            state.last,
            commit.id,
            encode_commit(commit),
            computer_due=decision.state.computer_is_due,
            finished=decision.state.is_finished,
        )
        if not isinstance(result, Appended):
            return None
        if decision.state.is_finished:
            await self._store.players.finish(state.player, state.session, time.time_ns() // 1_000_000)
        return Head(result.version, commit.id)

    async def _state(self, session: bytes) -> State | None:
        """The session as its log has it now."""
        found = await replay(self._store.log, session, self._states.pop(session, None))
        if found is None:
            return None
        self._states[session] = found.state
        if len(self._states) > CACHED_STATES:
            self._states.popitem(last=False)
        return found.state

    async def _thinking(self, think: Callable[[], T], took: Histogram) -> T:
        def timed() -> tuple[T, float]:
            began = time.perf_counter()
            return think(), time.perf_counter() - began

        thought, seconds = await asyncio.get_running_loop().run_in_executor(self._pool, timed)
        took.observe(seconds)
        return thought

    # --- Hints

    async def _take_hints(self) -> None:
        for request in await self._store.hints.take(self._threads, BLOCK_MS):
            await self._begin(self._advise, request)

    async def _advise(self, request: HintRequest) -> None:
        """Answer a hint, if the session still stands where it was asked for; else the next one may be asked at once."""
        about(request.session)
        state = await self._state(request.session)
        if state is None or state.version != request.version or state.last != request.commit_id:
            await self._store.hints.drop(request)
            return
        turn = state.phase
        if not isinstance(turn, Playing) or turn.side is not Side.PLAYER:
            await self._store.hints.drop(request)
            return
        advice = await self._thinking(
            lambda: self._player.advise(state.position, turn.unused, turn.moves, away_of(state)), figures.advising
        )
        await self._store.hints.answer(request, encode_hint(advice))

    # --- Packing

    async def _pack(self) -> None:
        if not await self._store.packing.pack_some():
            await asyncio.sleep(PACK_EVERY_SECONDS)


def _head_of(state: State) -> Head | None:
    return None if state.last is None else Head(state.version, state.last)


def away_of(state: State) -> Away | None:
    """How many points each side still needs, the side on roll first; None in a single game."""
    if state.format == 1:
        return None
    mine, theirs = points_away(state.score, state.format)
    player_on_roll = isinstance(state.phase, Playing) and state.phase.side is Side.PLAYER
    return Away.of(mine, theirs) if player_on_roll else Away.of(theirs, mine)
