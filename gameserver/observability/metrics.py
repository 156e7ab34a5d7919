"""Counters, gauges and histograms, and their text for Prometheus (exposition format 0.0.4).

Names follow Prometheus' customs: base units (seconds, bytes), ``_total`` for what only grows. One label at most, of few
values: a session or a player is never a label.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Generic, Protocol, TypeVar

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

# What a person notices, and what a store's round trip takes: 0.5 ms to 10 s.
LATENCY_SECONDS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)

Sample = tuple[str, str, float]
"""Suffix of the name, labels in braces or nothing, value."""


class Metric(Protocol):
    """What can be shown under a name."""

    kind: str

    def samples(self, labels: str) -> Iterator[Sample]:
        """The present values; ``labels`` (``name="value"``, or nothing) are to stand in each."""
        ...


M = TypeVar("M", bound=Metric)


class Counter:
    """Only grows."""

    __slots__ = ("value",)
    kind = "counter"

    def __init__(self) -> None:
        self.value: float = 0

    def inc(self) -> None:
        self.value += 1

    def samples(self, labels: str) -> Iterator[Sample]:
        yield "", _braced(labels), self.value


class Gauge:
    """Goes up and down."""

    __slots__ = ("value",)
    kind = "gauge"

    def __init__(self) -> None:
        self.value = 0.0

    def samples(self, labels: str) -> Iterator[Sample]:
        yield "", _braced(labels), self.value


class Histogram:
    """How often which times came, in seconds; ``bounds`` are the buckets' upper ends.

    >>> waits = Histogram((0.1, 1.0))
    >>> for seconds in (0.05, 0.1, 0.7, 30.0):
    ...     waits.observe(seconds)
    >>> [value for suffix, _, value in waits.samples("") if suffix == "_bucket"]
    [2, 3, 4]
    """

    __slots__ = ("_bounds", "_counts", "_sum")
    kind = "histogram"

    def __init__(self, bounds: Sequence[float] = LATENCY_SECONDS) -> None:
        self._bounds = tuple(bounds)
        self._counts = [0] * (len(self._bounds) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum += seconds

    @property
    def count(self) -> int:
        """How many were observed."""
        return sum(self._counts)

    def samples(self, labels: str) -> Iterator[Sample]:
        so_far = 0
        for bound, count in zip((*self._bounds, math.inf), self._counts, strict=True):
            so_far += count
            end = f'le="{_number(bound)}"'
            yield "_bucket", _braced(f"{labels},{end}" if labels else end), so_far
        yield "_sum", _braced(labels), self._sum
        yield "_count", _braced(labels), so_far


class Labelled(dict[str, M], Generic[M]):
    """One metric for each value of a label, made when it is first asked for: ``refusals["stale"].inc()``.

    ``known``: values that are shown from the start, so that the first increase is seen as one.
    """

    def __init__(self, label: str, make: Callable[[], M], known: Sequence[str] = ()) -> None:
        super().__init__((value, make()) for value in known)
        self._label = label
        self._make = make
        self.kind = make().kind

    def __missing__(self, value: str) -> M:
        made: M = self._make()
        self[value] = made
        return made

    def samples(self, labels: str) -> Iterator[Sample]:
        for value, metric in self.items():
            own = f'{self._label}="{_escaped(value)}"'
            yield from metric.samples(f"{labels},{own}" if labels else own)


class Registry:
    """The metrics of one process by their names, in the order in which they were declared."""

    def __init__(self) -> None:
        self._metrics: dict[str, tuple[Metric, str]] = {}

    def counter(self, name: str, text: str) -> Counter:
        return self._add(name, text, Counter())

    def gauge(self, name: str, text: str) -> Gauge:
        return self._add(name, text, Gauge())

    def histogram(self, name: str, text: str, bounds: Sequence[float] = LATENCY_SECONDS) -> Histogram:
        return self._add(name, text, Histogram(bounds))

    def counters(self, name: str, text: str, label: str, known: Sequence[str] = ()) -> Labelled[Counter]:
        return self._add(name, text, Labelled(label, Counter, known))

    def histograms(
        self,
        name: str,
        text: str,
        label: str,
        known: Sequence[str] = (),
        bounds: Sequence[float] = LATENCY_SECONDS,
    ) -> Labelled[Histogram]:
        return self._add(name, text, Labelled(label, lambda: Histogram(bounds), known))

    def names(self) -> frozenset[str]:
        """Every name that a query can ask for, the histograms' ``_bucket``, ``_sum`` and ``_count`` among them."""
        return frozenset(
            name + suffix
            for name, (metric, _) in self._metrics.items()
            for suffix in (("_bucket", "_sum", "_count") if metric.kind == "histogram" else ("",))
        )

    def text(self) -> bytes:
        """All present values in Prometheus' text format."""
        lines: list[str] = []
        for name, (metric, text) in self._metrics.items():
            lines.append(f"# HELP {name} {text}\n# TYPE {name} {metric.kind}")
            lines += [f"{name}{suffix}{labels} {_number(value)}" for suffix, labels, value in metric.samples("")]
        return ("\n".join(lines) + "\n").encode()

    def _add(self, name: str, text: str, metric: M) -> M:
        if name in self._metrics:
            raise ValueError(f"there is a metric {name} already")
        self._metrics[name] = (metric, text)
        return metric


def _braced(labels: str) -> str:
    return f"{{{labels}}}" if labels else ""


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _number(value: float) -> str:
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return str(int(value)) if value == int(value) else repr(value)
