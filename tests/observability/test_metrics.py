"""Prometheus' own reader understands what is shown, and reads the values that were counted."""

import math

import pytest
from prometheus_client.parser import text_string_to_metric_families

from gameserver.observability.metrics import Histogram, Registry


def read(registry: Registry) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    families = text_string_to_metric_families(registry.text().decode())
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in families
        for sample in family.samples
    }


def test_a_counter_and_a_gauge_show_their_values() -> None:
    registry = Registry()
    registry.counter("cuts_total", "Cuts.").inc()
    registry.gauge("open", "Open.").value = 2.5
    assert read(registry) == {("cuts_total", ()): 1, ("open", ()): 2.5}


def test_a_histogram_counts_each_bucket_up_to_its_bound() -> None:
    registry = Registry()
    waits = registry.histogram("wait_seconds", "Waits.", (0.1, 1.0))
    for seconds in (0.05, 0.1, 0.1001, 0.9, 7.0):
        waits.observe(seconds)
    assert read(registry) == {
        ("wait_seconds_bucket", (("le", "0.1"),)): 2,
        ("wait_seconds_bucket", (("le", "1"),)): 4,
        ("wait_seconds_bucket", (("le", "+Inf"),)): 5,
        ("wait_seconds_sum", ()): pytest.approx(8.1501),
        ("wait_seconds_count", ()): 5,
    }


def test_known_values_of_a_label_are_shown_from_the_start_and_others_when_they_come() -> None:
    registry = Registry()
    refusals = registry.counters("refusals_total", "Refusals.", "code", ("stale",))
    refusals["too-fast"].inc()
    refusals["too-fast"].inc()
    assert read(registry) == {
        ("refusals_total", (("code", "stale"),)): 0,
        ("refusals_total", (("code", "too-fast"),)): 2,
    }


def test_labels_and_buckets_stand_side_by_side() -> None:
    registry = Registry()
    registry.histograms("thinking_seconds", "Thinking.", "level", bounds=(1.0,))["expert"].observe(0.5)
    assert read(registry)["thinking_seconds_bucket", (("le", "1"), ("level", "expert"))] == 1


def test_a_value_of_a_label_may_hold_quotes_and_line_ends() -> None:
    registry = Registry()
    registry.counters("odd_total", "Odd.", "value")['a"b\\c\nd'].inc()
    assert read(registry) == {("odd_total", (("value", 'a"b\\c\nd'),)): 1}


def test_a_name_is_given_once() -> None:
    registry = Registry()
    registry.gauge("open", "Open.")
    with pytest.raises(ValueError, match="open"):
        registry.counter("open", "Again.")


def test_the_names_of_a_registry_are_those_that_a_query_finds() -> None:
    registry = Registry()
    registry.gauge("open", "Open.")
    registry.histogram("wait_seconds", "Waits.", (1.0,)).observe(math.pi)
    assert registry.names() == {name for name, _ in read(registry)}


def test_a_histogram_knows_how_many_it_has_seen() -> None:
    waits = Histogram((1.0,))
    waits.observe(0.5)
    waits.observe(5)
    assert waits.count == 2
