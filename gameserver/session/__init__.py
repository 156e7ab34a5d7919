"""One player-versus-computer session as an event-sourced state machine. Pure: no I/O, no clock, no randomness.

The road: ``decide(state, command) -> events``, ``evolve(state, event) -> state``. The state is nothing but the fold of
the log; ``view`` and ``diff`` are what a page sees of it.
"""
