"""Decisions are graded by a fixed judge, and mistakes get the names that people give them."""

import pytest

from gameserver.backgammon import Position, apply, dice_of, parse_play
from gameserver.computer.mistakes import Mistake, mistakes
from gameserver.computer.player import Player

START = Position.start()


def after(position: Position, dice: tuple[int, int], play: str) -> Position:
    for move in parse_play(play, position, dice_of(*dice)):
        position = apply(position, move)
    return position


def test_the_best_play_loses_nothing(player: Player) -> None:
    graded = player.grade(START, (3, 1), after(START, (3, 1), "8/5 6/5"))
    assert (graded.loss, graded.mistakes) == (0.0, frozenset())
    assert graded.best == graded.played
    assert graded.distinct == 16


def test_a_poor_play_is_measured_as_deep_as_the_best(player: Player) -> None:
    graded = player.grade(START, (3, 1), after(START, (3, 1), "13/10 6/5"))
    assert graded.best.after == after(START, (3, 1), "8/5 6/5")
    assert 0.1 < graded.loss < 0.4
    assert graded.played.plies == graded.best.plies == 3
    assert {Mistake.MISSED_POINT, Mistake.NEEDLESS_BLOT} <= graded.mistakes


def test_a_forced_play_is_graded_too(player: Player) -> None:
    forced = Position.parse("----b-M-A-------b-cdd---A-")
    graded = player.grade(forced, (6, 2), after(forced, (6, 2), "24/22 8/2"))
    assert (graded.distinct, graded.loss) == (1, 0.0)


def test_what_cannot_have_been_played_is_refused(player: Player) -> None:
    with pytest.raises(ValueError, match="no play of 3-1 leads from"):
        player.grade(START, (3, 1), after(START, (6, 5), "24/13"))


@pytest.mark.parametrize(
    ("text", "dice", "played", "better", "mistake"),
    [
        ("-b----E-C---eE---c-e----B-", (3, 1), "24/20", "8/5 6/5", Mistake.MISSED_POINT),
        ("-b----E-C---eE---c-e----B-", (3, 1), "24/20", "8/5 6/5", Mistake.NEEDLESS_BLOT),
        ("-b--a-E-C---dE---c-e----B-", (4, 2), "13/7", "8/4* 6/4", Mistake.MISSED_HIT),
        ("-b---BD-B---eE---c-eB-----", (6, 5), "20/9", "13/2", Mistake.BROKE_ANCHOR),
        ("-b---BD-B---eE---c-eB-----", (6, 5), "20/9", "13/2", Mistake.RAN_EARLY),
        ("-b--BBBB----bCA-----c-cb--", (3, 1), "7/3", "13/9", Mistake.BROKE_PRIME),
    ],
)
def test_each_kind_of_mistake_has_its_name(
    text: str, dice: tuple[int, int], played: str, better: str, mistake: Mistake
) -> None:
    position = Position.parse(text)
    made, best = after(position, dice, played), after(position, dice, better)
    assert mistake in mistakes(position, made, best, loss=0.1)
    assert mistakes(position, made, best, loss=0.01) == frozenset()
    assert mistakes(position, best, best, loss=0.1) == frozenset()
