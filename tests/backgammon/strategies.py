"""Hypothesis strategies: positions that games come to, and any that the rules can hold."""

import random

from hypothesis import strategies as st

from gameserver.backgammon import Dice, NotAPosition, Position, dice_of
from tests.backgammon.self_play import game

dice: st.SearchStrategy[Dice] = st.builds(dice_of, st.integers(1, 6), st.integers(1, 6))
unused_dice: st.SearchStrategy[Dice] = st.one_of(
    dice,
    st.just(()),
    st.integers(1, 6).map(lambda die: (die,)),
    st.builds(lambda die, count: (die,) * count, st.integers(1, 6), st.integers(1, 4)),
)


def _played(seed: int, turns: int) -> Position:
    position = Position.start()
    for position, _ in game(random.Random(seed), turns):  # noqa: B007 - the last is wanted
        pass
    return position


def _scattered(mine: list[int], theirs: list[int]) -> Position | None:
    points = [0] * 26
    for place in mine:
        if place:
            points[place] += 1
    for place in theirs:
        if place < 25 and points[place] <= 0:
            points[place] -= 1
    try:
        return Position(tuple(points))
    except NotAPosition:
        return None


played_positions = st.builds(_played, st.integers(0, 2**32), st.integers(1, 120))
_places = st.one_of(
    st.lists(st.integers(0, 25), min_size=15, max_size=15),
    st.lists(st.integers(0, 6), min_size=15, max_size=15),
    st.lists(st.sampled_from([0, 0, 0, 1, 2, 3, 4, 5, 6, 13, 25]), min_size=15, max_size=15),
)
_opposing_places = st.one_of(
    st.lists(st.integers(0, 25), min_size=15, max_size=15),
    st.lists(st.sampled_from([2, 2, 4, 5, 16, 18, 20, 21, 22, 25]), min_size=15, max_size=15),
)
scattered_positions = (
    st.builds(_scattered, _places, _opposing_places).filter(bool).map(lambda found: found or Position.start())
)
positions: st.SearchStrategy[Position] = st.one_of(played_positions, scattered_positions)
