"""The dashboard and the alerts ask for figures that exist."""

import json
import re
from pathlib import Path

from gameserver.observability import server, worker

MONITORING = Path(__file__).parents[2] / "deploy" / "monitoring"
OF_PROMETHEUS = {"up"}
WORDS = {
    *("sum", "min", "max", "by", "le", "rate", "increase", "absent", "histogram_quantile"),
    *("kind", "code", "level", "after"),
}

dashboard = json.loads((MONITORING / "dashboard.json").read_text())
dashboard_queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
alert_queries = re.findall(r"^ *expr: (.*)$", (MONITORING / "alerts.yaml").read_text(), re.MULTILINE)


def asked_for(query: str) -> set[str]:
    """The names of the metrics in a query: what is outside of braces and brackets and no word of the language."""
    bare = re.sub(r"\{.*?\}|\[.*?\]", "", query)
    return set(re.findall(r"[a-z_]{2,}", bare)) - WORDS


def test_the_names_are_found_in_a_query() -> None:
    query = 'histogram_quantile(0.9, sum by (le, kind) (rate(a_seconds_bucket{job="b"}[5m]))) > max(c_total)'
    assert asked_for(query) == {"a_seconds_bucket", "c_total"}


def test_every_query_names_metrics_that_exist() -> None:
    known = server.registry.names() | worker.registry.names() | OF_PROMETHEUS
    assert len(dashboard_queries) > 12
    assert len(alert_queries) > 5
    for query in dashboard_queries + alert_queries:
        assert asked_for(query), query
        assert asked_for(query) <= known, query


def test_everything_that_is_measured_is_shown_to_the_host() -> None:
    shown = set[str]().union(*map(asked_for, dashboard_queries))
    measured = {
        re.sub(r"_(bucket|sum|count)$", "", name)
        for name in server.registry.names() | worker.registry.names()
        if name.startswith("shuanglu_")
    }
    assert {re.sub(r"_(bucket|sum|count)$", "", name) for name in shown} >= measured
