"""The computer's turn takes the time of its pace, however many checkers it moves."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gameserver.computer.pacing import DRAWS, LEAST_GAP, Ease, turn_times
from gameserver.session.events import Pace

draws = st.lists(st.floats(0.0, 1.0, exclude_max=True), min_size=DRAWS, max_size=DRAWS)
moves = st.integers(0, 4)
eases = st.sampled_from(Ease)


@pytest.mark.parametrize(("pace", "shortest", "longest"), [("real", 2000, 5000), ("fast", 1000, 2000)])
@given(moves=moves, ease=eases, draws=draws)
def test_the_whole_turn_is_within_the_range_and_every_step_is_seen(
    pace: Pace, shortest: int, longest: int, moves: int, ease: Ease, draws: list[float]
) -> None:
    times = turn_times(pace, moves, ease, draws)
    assert len(times) == moves + 2
    assert shortest <= times[-1] <= longest
    assert times[0] >= LEAST_GAP
    assert all(later - earlier >= LEAST_GAP for earlier, later in pairwise(times))


@given(moves=moves, ease=eases, draws=draws)
def test_instant_takes_no_time(moves: int, ease: Ease, draws: list[float]) -> None:
    assert turn_times("instant", moves, ease, draws) == (0,) * (moves + 2)


@given(draws=draws)
def test_forced_turns_are_quick_and_shut_out_turns_quicker(draws: list[float]) -> None:
    slowest_forced = turn_times("real", 2, Ease.FORCED, draws)[-1]
    slowest_shut_out = turn_times("real", 0, Ease.SHUT_OUT, draws)[-1]
    assert slowest_shut_out <= 2150
    assert slowest_forced <= 2600
    assert slowest_shut_out <= slowest_forced


def test_a_choice_uses_most_of_the_range() -> None:
    ends = [turn_times("real", 2, Ease.CHOICE, (part / 100, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5))[-1] for part in range(100)]
    assert max(ends) - min(ends) > 2000


def test_ease_is_read_from_the_number_of_plays() -> None:
    assert [Ease.of(plays) for plays in (0, 1, 2, 40)] == [Ease.SHUT_OUT, Ease.FORCED, Ease.CHOICE, Ease.CHOICE]


@pytest.mark.parametrize(
    ("moves", "draws"), [(5, (0.5,) * DRAWS), (-1, (0.5,) * DRAWS), (2, (0.5,)), (2, (1.0,) * DRAWS)]
)
def test_a_bad_request_says_what_was_wrong(moves: int, draws: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match=r"needed|0 to 4"):
        turn_times("real", moves, Ease.CHOICE, draws)
