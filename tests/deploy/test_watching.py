"""Alerts and dashboard: what they ask for is measured, what is measured is shown, and each alert says what to do."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from prometheus_client import Counter, Gauge, Histogram, Info
from prometheus_client.metrics import MetricWrapperBase

from bot import metrics
from tests.deploy.dockerfile import Dockerfile
from tests.deploy.reading import DEPLOY, document

ALERTS = [rule for group in document(DEPLOY / "prometheus" / "alerts.yaml")["groups"] for rule in group["rules"]]
SCRAPED = document(DEPLOY / "prometheus" / "prometheus.yaml")
BOARD = json.loads((DEPLOY / "grafana" / "quizbot.json").read_text("utf-8"))
PANELS = [panel for panel in BOARD["panels"] if panel["type"] != "row"]
QUERIES = [target["expr"] for panel in PANELS for target in panel["targets"]]
RUNBOOK = (DEPLOY / "RUNBOOK.md").read_text("utf-8")
SUFFIXES = {
    Counter: ("_total",),
    Gauge: ("",),
    Histogram: ("_bucket", "_count", "_sum"),
    Info: ("_info",),
}
ELSEWHERE = re.compile(r"up|node_filesystem_\w+|kubelet_volume_stats_\w+|process_\w+")
"""Of Prometheus, the machine, the cluster and the client library."""
ADDED = {"job", "instance", "le", "mountpoint", "namespace", "version", "schema"}
"""Labels that come with the scraping, with a histogram or with what is not ours."""

every_alert = pytest.mark.parametrize("rule", ALERTS, ids=[rule["alert"] for rule in ALERTS])
every_expression = pytest.mark.parametrize("expression", [*(rule["expr"] for rule in ALERTS), *QUERIES])


def measured() -> Iterator[tuple[str, set[str]]]:
    """Every series that a process tells, with its labels."""
    for each in vars(metrics).values():
        if isinstance(each, MetricWrapperBase):
            (family,) = each.describe()
            for suffix in SUFFIXES[type(each)]:
                yield family.name + suffix, set(each._labelnames)


MEASURED = dict(measured())


def asked_for(expression: str) -> set[str]:
    """The series in a query."""
    bare = re.sub(r"\{[^}]*\}|\[[^]]*\]|\"[^\"]*\"", "", expression)
    bare = re.sub(r"\bby\s*\([^)]*\)", "", bare)
    return set(re.findall(r"\b[a-z_]+\b(?!\s*\()", bare)) - {"or", "and", "by", "e"}


def labels(expression: str) -> set[str]:
    """The labels that a query selects or groups by."""
    named = {label for part in re.findall(r"\{([^}]*)\}", expression) for label in re.findall(r"(\w+)\s*[=!]", part)}
    return named | {label for part in re.findall(r"by\s*\(([^)]*)\)", expression) for label in re.findall(r"\w+", part)}


def test_the_series_of_this_bot_are_known() -> None:
    assert {
        "quizbot_responses_total",
        "quizbot_turn_seconds_bucket",
        "quizbot_info",
        "quizbot_ready",
    } <= MEASURED.keys()


@every_expression
def test_what_is_asked_for_is_measured(expression: str) -> None:
    names = asked_for(expression)
    assert names
    assert not {name for name in names if name not in MEASURED and not ELSEWHERE.fullmatch(name)}
    known = set().union(ADDED, *(MEASURED.get(name, set()) for name in names))
    assert labels(expression) <= known


@every_expression
def test_what_is_opened_is_closed(expression: str) -> None:
    for opening, closing in ("()", "[]", "{}"):
        assert expression.count(opening) == expression.count(closing)


@pytest.mark.parametrize("name", sorted({re.sub("_(total|bucket|count|sum)$", "", name) for name in MEASURED}))
def test_what_is_measured_is_shown(name: str) -> None:
    assert any(re.search(rf"\b{name}(_total|_bucket)?\b", query) for query in QUERIES)


@every_alert
def test_an_alert_says_how_much_it_matters_and_what_happened(rule: dict[str, Any]) -> None:
    assert rule["labels"]["severity"] in ("page", "ticket")
    assert rule["annotations"]["summary"]
    assert set(re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"])) <= {"platform", "role", "instance"}


def test_each_alert_has_a_section_of_the_runbook_and_each_section_its_alert() -> None:
    section = RUNBOOK.split("\n## Alerts\n", 1)[1].split("\n## ", 1)[0]
    assert re.findall(r"^### (\w+)$", section, re.MULTILINE) == [rule["alert"] for rule in ALERTS]


@every_alert
def test_the_section_of_an_alert_says_something(rule: dict[str, Any]) -> None:
    section = RUNBOOK.split(f"\n### {rule['alert']}\n", 1)[1].split("\n#", 1)[0]
    assert section.strip()


def test_prometheus_looks_where_a_process_answers() -> None:
    assert all((DEPLOY / "prometheus" / each).is_file() for each in SCRAPED["rule_files"])
    (job,) = SCRAPED["scrape_configs"]
    (found,) = job["dns_sd_configs"]
    assert job["job_name"] == "quizbot"
    assert found["names"] == ["quizbot"]
    assert found["port"] in Dockerfile().ports


def test_the_panels_have_numbers_of_their_own_and_do_not_overlap() -> None:
    assert len({panel["id"] for panel in BOARD["panels"]}) == len(BOARD["panels"])
    for one, other in combinations((panel["gridPos"] for panel in BOARD["panels"]), 2):
        apart = (one[a] + one[s] <= other[a] or other[a] + other[s] <= one[a] for a, s in (("x", "w"), ("y", "h")))
        assert any(apart)


def test_the_dashboard_works_with_any_source_of_data() -> None:
    variables = {each["name"] for each in BOARD["templating"]["list"]}
    used = set(re.findall(r"\$\{?(\w+)", json.dumps(BOARD, ensure_ascii=False))) - {"__rate_interval", "__all"}
    assert used == variables
    sources = [target["datasource"] for panel in PANELS for target in panel["targets"]]
    assert all(each == {"type": "prometheus", "uid": "${datasource}"} for each in sources)


@pytest.mark.parametrize("panel", PANELS, ids=[f"{panel['id']}" for panel in PANELS])
def test_the_queries_of_a_panel_have_letters_of_their_own(panel: dict[str, Any]) -> None:
    assert len({target["refId"] for target in panel["targets"]}) == len(panel["targets"])
