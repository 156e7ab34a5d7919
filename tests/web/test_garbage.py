"""Rings of garbage are found in time: young ones soon, old ones before they have doubled what there is."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from gameserver.web.garbage import YOUNG, Collector

A_SECOND = 50
"""Rings that are made between two looks."""


class Ring:
    """Refers to itself, and is of some weight."""

    def __init__(self) -> None:
        self.itself = self
        self.weight = [str(number) for number in range(1_000)]


@pytest.fixture
def collector() -> Iterator[Collector]:
    thresholds = gc.get_threshold()
    collector = Collector()
    collector.begin()
    yield collector
    gc.set_threshold(*thresholds)
    gc.unfreeze()


def test_a_young_ring_is_found_before_it_is_set_aside(collector: Collector) -> None:
    ring = weakref.ref(Ring())
    others = [[] for _ in range(2 * YOUNG)]  # type: list[list[int]]
    assert ring() is None
    assert others


def test_what_was_set_aside_is_not_looked_through_while_nothing_grows(collector: Collector) -> None:
    ring = weakref.ref(Ring())
    collector.every_second()
    for _ in range(20):
        collector.every_second()
        gc.collect()
    assert ring() is not None


def test_old_rings_are_found_before_there_is_twice_as_much(collector: Collector) -> None:
    rings = []
    for _ in range(2_000):
        rings += [weakref.ref(Ring()) for _ in range(A_SECOND)]
        collector.every_second()
        if sum(ring() is None for ring in rings) > A_SECOND:
            return
    raise AssertionError(f"{len(rings)} rings and none was found")
