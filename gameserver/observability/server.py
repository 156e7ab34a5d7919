"""The figures of a web server. One process, one set: they are declared here and counted where things happen."""

from collections.abc import Awaitable, Callable
from typing import Final

from gameserver.observability.metrics import Registry
from gameserver.observability.process import watch_process
from gameserver.session.refusals import Code

registry: Final = Registry()

connections = registry.gauge("shuanglu_connections", "Open websockets.")
sessions = registry.gauge("shuanglu_sessions_watched", "Sessions that at least one page of this server has open.")
commands = registry.histograms(
    "shuanglu_command_seconds",
    "From a command's arrival until it is answered, by kind: waiting for the session, deciding, appending, showing.",
    "kind",
    ("seed", "roll", "move", "play", "undo", "end", "next", "leave", "restart", "options"),
)
appends = registry.histogram(
    "shuanglu_append_seconds", "One append to a session's log, the wait for the batch included."
)
refusals = registry.counters(
    "shuanglu_refusals_total", "Frames that were refused, by code.", "code", tuple(code.value for code in Code)
)
hellos = registry.counters(
    "shuanglu_hellos_total",
    "Sessions opened by a page, by what it knew: nothing, something from another connection, or a gap to fill.",
    "after",
    ("nothing", "reconnect", "gap"),
)
started = registry.counters(
    "shuanglu_sessions_started_total",
    "Sessions started here, by the computer's level.",
    "level",
    ("beginner", "normal", "expert"),
)
pages_cut = registry.counter("shuanglu_pages_cut_total", "Pages that read too slowly and were cut off.")
turns_due = registry.gauge(
    "shuanglu_turns_due", "Turns of the computer that wait or are being thought out, in the store."
)
oldest_turn = registry.gauge("shuanglu_oldest_turn_seconds", "Age of the oldest of these turns; 0 when there is none.")
store_up = registry.gauge("shuanglu_store_up", "1 where the store answered when these figures were asked for.")

_update_process: Final = watch_process(registry)


async def exposition(followed: int, backlog: Callable[[], Awaitable[tuple[int, float] | None]]) -> bytes:
    """The server's figures as text.

    Args:
        followed: sessions that pages of this server watch.
        backlog: asks the store for the number of the turns due and the age of the oldest (s); None: it doesn't answer.
    """
    sessions.value = followed
    waiting = await backlog()
    store_up.value = 0 if waiting is None else 1
    turns_due.value, oldest_turn.value = (0, 0.0) if waiting is None else waiting
    _update_process()
    return registry.text()
