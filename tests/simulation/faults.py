"""What goes wrong in a run, and when: drawn from the seed, between any two steps."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from .programs import Program

if TYPE_CHECKING:
    from .run import Run


class Faults:
    """Strikes again and again from ``begin`` to ``end``; then everything is put right."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._chance = Random(run.chance.getrandbits(64))
        self._over = False
        # Some runs are rough, some nearly quiet.
        self._every = self._chance.choice((0.3, 1.0, 3.0))
        self._kinds: list[Callable[[], None]] = [
            *[self._page_loses_its_link] * 4,
            *[self._link_goes_dead] * 2,
            *[self._server_is_killed] * 2,
            *[self._worker_is_killed] * 2,
            *[self._connection_to_the_store_breaks] * 5,
            *[self._store_is_out_of_reach] * 2,
            self._store_is_restarted,
            self._store_is_slow,
            self._store_is_full,
            self._store_is_read_only,
            self._a_clock_jumps,
        ]
        # Where it is not waited for, a replica is often behind, so that there is something to lose.
        self._usual_lag = run.redis.lag = 0.5 if run.outcome.mode == "failover" else 0.001
        if run.outcome.mode != "faults":
            self._kinds += [*[self._replica_lags] * 2, *[self._fail_over] * 2]

    def begin(self) -> None:
        self._soon()

    def end(self) -> None:
        """No more faults, and those that last are over."""
        self._over = True
        run = self._run
        run.redis.start()
        run.redis.slow = 0.0
        run.redis.lag = 0.001
        run.redis.commands.full = run.redis.commands.read_only = False
        for program in (*run.servers, *run.computers):
            if program is not None:
                self._reaches_the_store(program)
        for place, server in enumerate(run.servers):
            if server is None:
                run.start_server(place)
        for place, computer in enumerate(run.computers):
            if computer is None:
                run.start_computer(place)
        for link in run.links:
            link.release()

    def _soon(self) -> None:
        self._run.loop.call_later(self._chance.expovariate(1 / self._every), self._wait_for_a_step)

    def _wait_for_a_step(self) -> None:
        # Not just when time moves on: in the middle of what happens at one moment.
        self._run.loop.after_steps(1 + int(60 * self._chance.random() ** 2), self._strike)

    def _strike(self) -> None:
        if self._over:
            return
        kind = self._chance.choice(self._kinds)
        self._run.outcome.faults[kind.__name__.strip("_").replace("_", " ")] += 1
        self._run.note(kind.__name__.strip("_").replace("_", " "))
        kind()
        self._soon()

    def _later(self, most: float, call: Callable[[], None]) -> None:
        def unless_over() -> None:
            if not self._over:
                call()

        self._run.loop.call_later(most * self._chance.random() ** 2, unless_over)

    # --- Between pages and servers

    def _page_loses_its_link(self) -> None:
        link = self._chance.choice(self._run.pages).link
        if link is not None:
            link.break_off()

    def _link_goes_dead(self) -> None:
        link = self._chance.choice(self._run.pages).link
        if link is not None:
            link.hold(self._run.loop.time() + 30 * self._chance.random() ** 2)

    # --- Processes

    def _server_is_killed(self) -> None:
        run = self._run
        place = self._chance.randrange(len(run.servers))
        server, run.servers[place] = run.servers[place], None
        if server is not None:
            run.note(f"killed {server.process.name}")
            server.kill()
            self._later(3.0, lambda: run.start_server(place) if run.servers[place] is None else None)

    def _worker_is_killed(self) -> None:
        run = self._run
        place = self._chance.randrange(len(run.computers))
        computer, run.computers[place] = run.computers[place], None
        if computer is not None:
            run.note(f"killed {computer.process.name}")
            computer.kill()
            self._later(5.0, lambda: run.start_computer(place) if run.computers[place] is None else None)

    # --- Between processes and the store

    def _some_program(self) -> Program | None:
        running = [each for each in (*self._run.servers, *self._run.computers) if each is not None]
        return self._chance.choice(running) if running else None

    def _connection_to_the_store_breaks(self) -> None:
        program = self._some_program()
        if program is None:
            return
        for line in program.lines:
            if self._chance.random() < 0.5:
                line.break_off(
                    requests=self._chance.choice((0.0, 0.5, 1.0)),
                    replies=self._chance.choice((0.0, 0.5)),
                    after=self._chance.choice((0.0, 0.0, 0.5, 8.0)),
                )

    def _store_is_out_of_reach(self) -> None:
        program = self._some_program()
        if program is not None:
            until = self._run.loop.time() + 8 * self._chance.random() ** 2
            program.nodes.cut_off_until = until
            for line in program.lines:
                line.hold(until)

    @staticmethod
    def _reaches_the_store(program: Program) -> None:
        program.nodes.cut_off_until = 0.0
        for line in program.lines:
            line.release()

    # --- The store

    def _store_is_restarted(self) -> None:
        redis = self._run.redis
        if not redis.down:
            redis.stop()
            self._later(3.0, redis.start)

    def _store_is_slow(self) -> None:
        self._run.redis.slow = 3 * self._chance.random() ** 2
        self._later(5.0, lambda: setattr(self._run.redis, "slow", 0.0))

    def _store_is_full(self) -> None:
        self._run.redis.commands.full = True
        self._later(3.0, lambda: setattr(self._run.redis.commands, "full", False))

    def _store_is_read_only(self) -> None:
        self._run.redis.commands.read_only = True
        self._later(3.0, lambda: setattr(self._run.redis.commands, "read_only", False))

    def _replica_lags(self) -> None:
        self._run.redis.lag = 3 * self._chance.random() ** 2
        self._later(6.0, lambda: setattr(self._run.redis, "lag", self._usual_lag))

    def _fail_over(self) -> None:
        redis = self._run.redis
        if not redis.down:
            redis.fail_over()
            self._run.audit.failed_over()
            self._run.note(f"{self._run.audit.lost} commits lost so far")
            # What takes a primary along often takes links along, too: pages come back with what nobody knows any more.
            for page in self._run.pages:
                if page.link is not None and self._chance.random() < 0.4:
                    page.link.break_off()
            self._later(3.0, redis.start)

    def _a_clock_jumps(self) -> None:
        program = self._some_program()
        by = int(20_000 * (self._chance.random() - 0.5))
        if self._chance.random() < 0.3:
            self._run.redis.clock_jumped += by
        elif program is not None and hasattr(program, "skew"):
            program.skew += by
