"""Following sessions: what is appended anywhere is heard by every server that has a page on it.

Sharded pub/sub, one connection for each node. Messages are lost while a connection is down, so each time that a
subscription comes into force again its watcher is told to read on from the last version that it has.
"""

import asyncio
import logging
import math
import random
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol, cast

from redis.exceptions import MovedError

from gameserver.store import keys
from gameserver.store.batching import PATIENCE
from gameserver.store.errors import StoreUnavailable
from gameserver.store.hints import HintAnswer, unpack_answer
from gameserver.store.log import Entry, unpack_commit
from gameserver.store.nodes import LOST, UNKNOWN, Connection, Nodes, packed, send
from gameserver.store.watching import KIND as WATCHED
from gameserver.store.watching import Watched, unpack_watched

PING_EVERY: Final = 5.0
_log = logging.getLogger(__name__)


class Watcher(Protocol):
    """Who follows a session. Called from the event loop, in the order of the messages; must not block."""

    def appended(self, entry: Entry, after: bytes | None) -> None:
        """A commit was appended on top of the commit `after`.

        It may be one that was read already; a gap means that a message was lost, and another commit before it than
        the one that is known there, that the store has lost entries.
        """
        ...

    def hint_answered(self, answer: HintAnswer) -> None:
        """A hint of the session was answered."""
        ...

    def watched(self, told: Watched) -> None:
        """A server, perhaps this one, said how many of its pages watch the session."""
        ...

    def resync(self) -> None:
        """Messages may have been lost; all from now on are heard: read on from the last version."""
        ...


class Follower:
    """Follows any number of sessions.

    Args:
        nodes: what is behind the store's address.
        patience: seconds within which `follow` must succeed.
        ping_every: a node that is silent for twice this time (seconds) in spite of a ping is taken for lost.
    """

    def __init__(self, nodes: Nodes, *, patience: float = PATIENCE, ping_every: float = PING_EVERY) -> None:
        self._nodes = nodes
        self._patience = patience
        self.ping_every = ping_every
        self._followed: dict[str, _Subscription] = {}
        self._ears: dict[str, _Ear] = {}
        self._no_sessions = 0
        self._closed = False

    def __len__(self) -> int:
        """How many sessions are followed."""
        return len(self._followed) - self._no_sessions

    async def follow(self, session: bytes, watcher: Watcher) -> None:
        """Hear of everything that is appended to a session from now on.

        Returns once the subscription is in force: what is read after that leaves no gap to what is heard. Whenever it
        has been lost and is in force again, `watcher.resync` is called.

        Raises:
            StoreUnavailable: not in force in time; the session is not followed.
            ValueError: the session is followed already.
        """
        keys.check_ids((session,))
        subscription = self._subscribed(keys.channel(session), _Teller(watcher).heard, watcher.resync)
        try:
            async with asyncio.timeout(self._patience):
                self.listen(subscription)
                await subscription.first
        except TimeoutError as error:
            self.unfollow(session)
            raise StoreUnavailable("the session cannot be followed: the store does not answer") from error
        except BaseException:
            self.unfollow(session)
            raise

    def listen_for_good(self, channel: str, heard: Callable[[bytes], None], resync: Callable[[], None]) -> None:
        """Hear a channel that is no session's, until the store is closed; the store need not be there yet.

        `resync` is called each time that the subscription comes into force, the first time included. Neither may block.

        Raises:
            ValueError: the channel is heard already.
        """
        subscription = self._subscribed(channel, heard, resync)
        self._no_sessions += 1

        def first_time(first: asyncio.Future[None]) -> None:
            if not first.cancelled() and first.exception() is None:
                resync()

        subscription.first.add_done_callback(first_time)
        self.listen(subscription)

    def _subscribed(self, channel: str, heard: Callable[[bytes], None], resync: Callable[[], None]) -> "_Subscription":
        if channel in self._followed:
            raise ValueError(f"{channel} is heard already")
        if self._closed:
            raise StoreUnavailable("the store was closed")
        subscription = self._followed[channel] = _Subscription(channel, heard, resync)
        return subscription

    def unfollow(self, session: bytes) -> None:
        """Hear no more of a session; nothing happens where it is not followed."""
        subscription = self._followed.pop(keys.channel(session), None)
        if subscription is not None:
            subscription.active = False
            if subscription.ear is not None:
                subscription.ear.leave(subscription)

    async def close(self) -> None:
        """Follow nothing any more."""
        self._closed = True
        for subscription in self._followed.values():
            subscription.active = False
            subscription.fail(StoreUnavailable("the store was closed"))
        self._followed.clear()
        ears, self._ears = self._ears, {}
        await asyncio.gather(*(ear.close() for ear in ears.values()))

    def listen(self, subscription: "_Subscription") -> None:
        """Hand a subscription to the ear at the node that serves its channel."""
        if self._closed or not subscription.active:
            return
        node = self._nodes.node_of(subscription.channel)
        ear = self._ears.get(node)
        if ear is None:
            ear = self._ears[node] = _Ear(node, self._nodes, self)
        ear.join(subscription)

    def heard(self, channel: str, message: bytes) -> None:
        """Pass a message on to whoever hears its channel."""
        subscription = self._followed.get(channel)
        if subscription is not None and subscription.listening:
            subscription.tell(subscription.heard, message)


class _Teller:
    """Tells a session's watcher what a message says."""

    __slots__ = ("_watcher",)

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher

    def heard(self, message: bytes) -> None:
        if message[:1] == b"c":
            self._watcher.appended(*unpack_commit(message))
        elif message[:1] == b"h":
            self._watcher.hint_answered(unpack_answer(message[1:]))
        elif message[:1] == WATCHED:
            self._watcher.watched(unpack_watched(message))
        else:
            _log.error("a message of an unknown kind %r about a session", message[:1])


class _Subscription:
    """One channel that is heard."""

    def __init__(self, channel: str, heard: Callable[[bytes], None], resync: Callable[[], None]) -> None:
        self.channel = channel
        self.heard = heard
        self.resync = resync
        self.active = True
        self.listening = False
        self.ear: _Ear | None = None
        self.first: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def in_force(self) -> None:
        self.listening = True
        if not self.first.done():
            self.first.set_result(None)
        else:
            self.tell(self.resync)

    def fail(self, error: StoreUnavailable) -> None:
        if not self.first.done():
            self.first.set_exception(error)

    def tell(self, callback: Callable[..., None], *args: object) -> None:
        if not self.active:
            return
        try:
            callback(*args)
        except Exception as error:  # noqa: BLE001 - told with its traceback
            # A watcher that fails must harm neither the others nor the connection.
            told = {"message": f"a watcher of {self.channel} failed", "exception": error}
            asyncio.get_running_loop().call_exception_handler(told)


class _Ear:
    """The connection to one node on which messages are heard, and the task that reads it.

    The node answers each subscribing and unsubscribing in order, between the messages: `_unanswered` tells which one
    an answer, or a refusal that names no channel, belongs to.
    """

    def __init__(self, node: str, nodes: Nodes, follower: Follower) -> None:
        self._node = node
        self._nodes = nodes
        self._follower = follower
        self._subscriptions: dict[str, _Subscription] = {}
        self._unsent: deque[tuple[str, _Subscription]] = deque()
        self._unanswered: deque[tuple[str, _Subscription]] = deque()
        self._something_to_say = asyncio.Event()
        self._failures = 0
        self._heard_something = False
        self._task = asyncio.create_task(self._run(), name=f"store ear {node}")

    def join(self, subscription: _Subscription) -> None:
        subscription.ear = self
        self._subscriptions[subscription.channel] = subscription
        self._say("SSUBSCRIBE", subscription)

    def leave(self, subscription: _Subscription) -> None:
        if self._subscriptions.get(subscription.channel) is subscription:
            del self._subscriptions[subscription.channel]
            self._say("SUNSUBSCRIBE", subscription)

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.wait([self._task])

    def _say(self, verb: str, subscription: _Subscription) -> None:
        self._unsent.append((verb, subscription))
        self._something_to_say.set()

    async def _run(self) -> None:
        while True:
            if not self._subscriptions:
                self._unsent.clear()
                self._something_to_say.clear()
                await self._something_to_say.wait()
            try:
                await self._listen()
            except LOST as error:
                await self._recover(error)
            except Exception as error:  # noqa: BLE001 - told with its traceback
                # A defect; but an ear that ended would leave every follower deaf.
                _log.exception("the store (%s) could not be followed", self._node)
                await self._recover(error)

    async def _listen(self) -> None:
        if self._node == UNKNOWN:
            raise ConnectionResetError("the node that serves this channel is not known")
        connection = await self._nodes.connect(self._node)
        # No TaskGroup: before Python 3.13 it swallows a cancellation that comes while one of its tasks fails.
        beside = [asyncio.create_task(self._speak(connection)), asyncio.create_task(self._listen_for_life(connection))]
        try:
            await self._hear(connection)
        finally:
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)

    async def _speak(self, connection: Connection) -> None:
        """Say what there is to say; however this ends, the connection ends with it, and so does the hearing."""
        try:
            while True:
                await self._something_to_say.wait()
                self._something_to_say.clear()
                await send(connection, self._words())
        finally:
            await connection.disconnect(nowait=True)

    def _words(self) -> bytes:
        """What there is to say, on the wire; from now on it is unanswered."""
        said = list(self._unsent)
        self._unsent.clear()
        self._unanswered.extend(said)
        return b"".join([packed(verb, subscription.channel) for verb, subscription in said])

    async def _listen_for_life(self, connection: Connection) -> None:
        """Ping where nothing is heard; the connection ends where that is not answered either."""
        pinged = False
        try:
            while True:
                self._heard_something = False
                await asyncio.sleep(self._follower.ping_every)
                if self._heard_something:
                    pinged = False
                elif pinged:
                    return
                else:
                    pinged = True
                    await send(connection, packed("PING"))
        finally:
            await connection.disconnect(nowait=True)

    async def _hear(self, connection: Connection) -> None:
        while True:
            try:
                # A limit of time for each message would cost more than to read it.
                message = await connection.read_response(timeout=math.inf, disconnect_on_error=False)
            except MovedError as error:
                _, subscription = self._unanswered.popleft()
                await self._nodes.moved(error)
                self._move(subscription)
                continue
            self._heard_something = True
            await self._understand(message)

    async def _understand(self, message: object) -> None:
        if not isinstance(message, list) or message[0] == b"pong":
            return
        kind, channel = message[0], cast("bytes", message[1]).decode()
        if kind == b"smessage":
            self._follower.heard(channel, message[2])
        elif kind == b"ssubscribe":
            _, subscription = self._unanswered.popleft()
            self._failures = 0
            if self._subscriptions.get(channel) is subscription:
                subscription.in_force()
        elif (
            self._unanswered and self._unanswered[0][0] == "SUNSUBSCRIBE" and self._unanswered[0][1].channel == channel
        ):
            self._unanswered.popleft()
        elif channel in self._subscriptions:
            # Unasked for: the slot went to another node.
            await self._nodes.refresh()
            self._move(self._subscriptions[channel])

    def _move(self, subscription: _Subscription) -> None:
        if self._subscriptions.get(subscription.channel) is subscription:
            del self._subscriptions[subscription.channel]
            subscription.listening = False
            self._follower.listen(subscription)

    async def _recover(self, error: Exception) -> None:
        self._unsent.clear()
        self._unanswered.clear()
        self._failures += 1
        if self._failures == 2:
            _log.warning("the store (%s) cannot be followed, trying again: %s", self._node or "Cluster", error)
        if self._failures > 1:
            await asyncio.sleep(min(0.5, 0.01 * 2 ** min(self._failures, 8)) * (0.5 + random.random()))  # noqa: S311
        try:
            await self._nodes.refresh()
        except LOST as refresh_error:
            _log.debug("the map of the store's slots cannot be had: %s", refresh_error)
        # What was said while this waited is contained in the subscriptions themselves.
        self._unsent.clear()
        subscriptions, self._subscriptions = self._subscriptions, {}
        for subscription in subscriptions.values():
            subscription.listening = False
            self._follower.listen(subscription)
