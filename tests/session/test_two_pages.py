"""Random sessions with two pages at once, each as far behind as it likes, and everything that can cross on the way."""

from typing import Any

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from gameserver.backgammon import Move
from gameserver.session.commands import Base, Leave, MoveChecker, PlayerCommand, PlayText, Restart, SetConduct, Undo
from gameserver.session.decide import Decision, Repeated, head
from gameserver.session.refusals import Code, Refusal
from tests.session.checks import Watch
from tests.session.pages import Page
from tests.session.screen import Shown, diff, patched, snapshot
from tests.session.table import Table

# The standard start; positions of all kinds; and the ends of games, so that some come to their end.
POSITIONS = (
    *(None,) * 5,
    "----b-M-A-------b-cdd---A-",
    "--bb--EC-b---E-----cb-bbB-",
    "-bBa---b-------A---A------",
    "------a---A---------------",
    "--b-A-a---Ab---A-c--b-b--A",
    "----------B---------b-a--B",
    "-bb---B-A-----------------",
    "-C----b---b----------abbf-",
    "----A-------------------o-",
    "-A----------------------a-",
    "-B---------------------bb-",
    "-BBB----a--------------bb-",
    "aCCC----------------cccbb-",
)
ROLLS = st.one_of(st.none(), st.tuples(st.integers(1, 6), st.integers(1, 6)))
DICE = st.lists(st.integers(1, 6), min_size=1, max_size=4).map(tuple)
PICKS = st.integers(0, 2**20)
PACES = st.sampled_from(("real", "fast", "instant"))
TYPED = ("8/5 6/5", "24/18*", "bar/22", "6/off(2)", "13/7", "(no play)", "6", "nonsense", "", "10/8/4", "24/23(4)")


class TwoPages(RuleBasedStateMachine):
    """Commands go to the server by each page's outbox, diffs come back by its inbox; the rules say what moves when."""

    table: Table
    watch: Watch
    truths: list[Shown]
    accepted: dict[bytes, int]
    ever_sent: list[tuple[Page, PlayerCommand]]
    pages: tuple[Page, Page]
    sessions = 0

    @initialize(
        position=st.sampled_from(POSITIONS),
        roll=ROLLS,
        length=st.sampled_from((1, 5, 7)),
        auto_end=st.booleans(),
        auto_forced=st.booleans(),
        auto_bear_off=st.booleans(),
        salt=st.integers(0, 2**16),
    )
    def start(self, position: str | None, roll: tuple[int, int] | None, salt: int, **options: Any) -> None:
        if position is None:
            roll = None
        self.table = Table(f"two pages {salt} {self.sessions}", position=position, dice=roll, **options)
        self.watch = Watch(self.table)
        self.truths = [snapshot(self.table.state)]
        self.accepted = {self.table.started.id: 1}
        self.ever_sent = []
        state = self.table.state
        self.pages = (
            Page(state.version, state.last, snapshot(state)),
            Page(state.version, state.last, snapshot(state)),
        )

    # --- The server

    def _handle(self, page: Page, command: PlayerCommand) -> None:
        before, base = self.table.state, head(self.table.state)
        outcome = self.table.submit(command)
        if command.id in self.accepted:
            assert outcome == Repeated(self.accepted[command.id])
        elif command.base != base:
            assert isinstance(outcome, Refusal)
            assert outcome.code is Code.STALE
        elif isinstance(outcome, Decision):
            self._sender_had_seen_the_board(page)
            self.accepted[command.id] = self.table.state.version
            self._publish()
            return
        assert self.table.state is before
        if isinstance(outcome, Refusal):
            page.take_snapshot(before.version, before.last, snapshot(before))

    def _sender_had_seen_the_board(self, page: Page) -> None:
        """All commits before the command's were read by its page, or came from it."""
        log = self.table.log
        assert log[page.version - 1].id == page.last
        assert {commit.id for commit in log[page.version :]} <= page.sent

    def _publish(self) -> None:
        self.watch.look()
        state = self.table.state
        self.truths.append(snapshot(state))
        told = diff(self.watch.states[-2], self.table.log[-1], state)
        assert patched(self.truths[-2], told) == self.truths[-1]
        for page in self.pages:
            page.inbox.append(told)

    # --- The pages

    @rule(which=st.integers(0, 1), pick=PICKS)
    def a_page_sends(self, which: int, pick: int) -> None:
        page = self.pages[which]
        self._send(page, page.play(self.table.new_id(), pick))

    @rule(which=st.integers(0, 1), times=st.integers(1, 3))
    def commands_arrive(self, which: int, times: int) -> None:
        page = self.pages[which]
        for command in [page.outbox.popleft() for _ in range(min(times, len(page.outbox)))]:
            self._handle(page, command)

    @rule(which=st.integers(0, 1), times=st.integers(1, 3))
    def a_page_reads(self, which: int, times: int) -> None:
        page = self.pages[which]
        for _ in range(min(times, len(page.inbox))):
            page.read()

    @rule(which=st.integers(0, 1), picks=st.lists(PICKS, min_size=1, max_size=8))
    def the_game_goes_on(self, which: int, picks: list[int]) -> None:
        page = self._caught_up(which)
        for pick in picks:
            if self.table.state.computer_is_due:
                self.the_computer_takes_its_turn(pick, [pick % 5_000] * 6)
            elif not self.table.state.is_finished:
                self._send(page, page.play(self.table.new_id(), pick))
                self.commands_arrive(which, 1)
            page.read_all()

    @precondition(lambda self: self.table.state.is_finished)
    @rule(
        position=st.sampled_from(POSITIONS), roll=ROLLS, length=st.sampled_from((1, 5, 7)), salt=st.integers(0, 2**16)
    )
    def another_session_starts(self, position: str | None, roll: tuple[int, int] | None, **options: Any) -> None:
        conduct = self.table.state.conduct
        kept = {
            "auto_end": conduct.auto_end,
            "auto_forced": conduct.auto_forced,
            "auto_bear_off": conduct.auto_bear_off,
        }
        self.start(position, roll, **options, **kept)

    @rule(which=st.integers(0, 1), pick=PICKS, undo=st.booleans())
    def a_page_plays_two_steps_in_a_row(self, which: int, pick: int, undo: bool) -> None:
        page = self._caught_up(which)
        self._send(page, page.play(self.table.new_id(), pick))
        following = Undo(self.table.new_id(), page.base) if undo else page.play(self.table.new_id(), pick + 1)
        self._send(page, following)
        self.commands_arrive(which, 2)

    @rule(which=st.integers(0, 1))
    def a_page_undoes(self, which: int) -> None:
        page = self.pages[which]
        self._send(page, Undo(self.table.new_id(), page.base))

    @rule(which=st.integers(0, 1))
    def a_page_leaves(self, which: int) -> None:
        page = self.pages[which]
        self._send(page, Leave(self.table.new_id(), page.base))

    @rule(which=st.integers(0, 1), pick=st.integers(0, 7))
    def a_page_restarts(self, which: int, pick: int) -> None:
        if pick == 0:
            page = self.pages[which]
            self._send(page, Restart(self.table.new_id(), page.base))

    @rule(which=st.integers(0, 1), pace=PACES, switches=st.tuples(st.booleans(), st.booleans(), st.booleans()))
    def a_page_sets_options(self, which: int, pace: Any, switches: tuple[bool, bool, bool]) -> None:
        page = self.pages[which]
        self._send(page, SetConduct(self.table.new_id(), page.base, pace, *switches))

    @rule(which=st.integers(0, 1), wish=st.one_of(st.sampled_from(TYPED), st.tuples(st.integers(1, 25), DICE)))
    def a_page_moves_as_it_likes(self, which: int, wish: str | tuple[int, tuple[int, ...]]) -> None:
        page = self._caught_up(which)
        new_id, base = self.table.new_id(), page.base
        self._send(page, PlayText(new_id, base, wish) if isinstance(wish, str) else MoveChecker(new_id, base, *wish))
        self.commands_arrive(which, 1)

    @rule(which=st.integers(0, 1))
    def a_page_comes_back(self, which: int) -> None:
        """What it had not sent is lost; it says what it has seen and is told the rest."""
        page = self.pages[which]
        page.outbox.clear()
        page.inbox.clear()
        page.take_snapshot(page.version, page.last, page.shown)
        for version in range(page.version, len(self.table.log)):
            before, after = self.watch.states[version - 1 : version + 1]
            page.inbox.append(diff(before, self.table.log[version], after))
        page.read_all()

    # --- What crosses on the way

    @precondition(lambda self: self.ever_sent)
    @rule(pick=PICKS)
    def a_command_comes_again(self, pick: int) -> None:
        self._handle(*self.ever_sent[pick % len(self.ever_sent)])

    @precondition(lambda self: self.ever_sent)
    @rule(which=st.integers(0, 1), pick=PICKS)
    def a_command_comes_again_with_a_new_base(self, which: int, pick: int) -> None:
        page = self._caught_up(which)
        _, command = self.ever_sent[pick % len(self.ever_sent)]
        page.sent.add(command.id)
        self._handle(page, msgspec.structs.replace(command, base=page.base))

    @rule(which=st.integers(0, 1), pick=PICKS, last=st.one_of(st.none(), st.binary(min_size=16, max_size=16)))
    def commands_come_with_an_old_base_and_with_that_of_another_log(
        self, which: int, pick: int, last: bytes | None
    ) -> None:
        log = self.table.log
        version = pick % len(log)
        for base in (Base(version, log[version - 1].id if version else None), Base(len(log), last)):
            self._handle(self.pages[which], Leave(self.table.new_id(), base))

    # --- The computer

    @precondition(lambda self: self.table.state.computer_is_due)
    @rule(pick=PICKS, times=st.lists(st.integers(0, 5_000), min_size=6, max_size=6))
    def the_computer_takes_its_turn(self, pick: int, times: list[int]) -> None:
        plays = self.table.computers_plays()
        play = plays[pick % len(plays)] if plays else ()
        self.table.accepted(self.table.a_turn(play, tuple(sorted(times)[: len(play) + 2])))
        self._publish()

    @rule(source=st.integers(1, 25), die=st.integers(1, 6), hit=st.booleans())
    def the_computer_tries_what_may_be_half_a_turn(self, source: int, die: int, hit: bool) -> None:
        play = (Move(source, die, max(source - die, 0), hit),)
        if not self.table.state.computer_is_due:
            assert self.table.refused(self.table.a_turn(play)) == "wrong-phase"
            return
        plays = self.table.computers_plays()
        outcome = self.table.offered(self.table.a_turn(play))
        if isinstance(outcome, Decision):
            assert any(len(whole) == 1 for whole in plays)
        else:
            assert self.table.refused(self.table.a_turn(play)) == "illegal-move"

    # --- What always holds

    @invariant()
    def the_log_folds_to_the_live_state(self) -> None:
        self.watch.fold_again()

    @invariant()
    def each_page_shows_the_truth_of_its_version(self) -> None:
        for page in self.pages:
            assert page.shown == self.truths[page.version - 1]

    def _send(self, page: Page, command: PlayerCommand) -> None:
        page.send(command)
        self.ever_sent.append((page, command))

    def _caught_up(self, which: int) -> Page:
        """The page when all that it sent has arrived and all that it was told has been read."""
        page = self.pages[which]
        self.commands_arrive(which, len(page.outbox))
        page.read_all()
        assert not page.chain
        return page


TestTwoPages = TwoPages.TestCase
TestTwoPages.settings = settings(max_examples=100, stateful_step_count=60, deadline=None)
