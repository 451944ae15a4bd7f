"""The files for operators in examples/operations: their figures are in /metrics, their commands are ours."""

import json
import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from tallystick.interfaces.rest.run_figures import STEP_STATES
from tallystick.operations.runtime.lookup import OPEN_STATUSES
from tests.docs.test_deployment import parse
from tests.docs.test_examples import ROOT
from tests.server.web_server import RunningServer

FOLDER = ROOT / "examples" / "operations"
ONLY_WITH_A_QUEUE = {"tallystick_queue_work", "tallystick_queue_oldest_wait_seconds"}
"""Figures of the engine `queue`, which tests/runner/test_queue_engine.py reads."""
LABELS = {
    "status": {*OPEN_STATUSES, "interrupted", "started"},
    "state": {*STEP_STATES, "due", "later", "delivered", "paused|disabled"},
}
_METRIC = re.compile(r"\b(tallystick_\w+)(?:\{(.*?)\})?")
_MATCHER = re.compile(r'(\w+)\s*(=~|!=|=)\s*"([^"]*)"')


def rules() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load((FOLDER / "alerts.yaml").read_text())["groups"]
    return list(group["rules"])


def panels() -> list[dict[str, Any]]:
    return list(json.loads((FOLDER / "grafana.json").read_text())["panels"])


def expressions() -> Iterator[str]:
    yield from (rule["expr"] for rule in rules())
    yield from (target["expr"] for panel in panels() for target in panel["targets"])


@pytest.fixture(scope="module")
def names() -> set[str]:
    """All series that a server which was used has."""
    with RunningServer() as server:
        server.ask("/v1/executions", {"title": "x"})
        families = list(text_string_to_metric_families(server.ask("/metrics").body.decode()))
    return {sample.name for family in families for sample in family.samples} | {each.name for each in families}


def test_rules_and_dashboard_ask_for_figures_that_exist(names: set[str]) -> None:
    asked = {found[1] for each in expressions() for found in _METRIC.finditer(each)}
    assert len(asked) > 12
    counters = {name.removesuffix("_total") for name in asked}
    assert asked - names - ONLY_WITH_A_QUEUE - {f"{name}_total" for name in counters & names} == set()


def test_rules_and_dashboard_ask_for_labels_that_exist() -> None:
    matchers = [
        found for each in expressions() for part in _METRIC.finditer(each) for found in _MATCHER.findall(part[2] or "")
    ]
    assert len(matchers) > 4
    assert [found for found in matchers if found[2] not in LABELS[found[0]] and found != ("status", "=~", "5..")] == []


def test_each_rule_says_what_is_wrong_and_what_to_do_with_commands_of_ours() -> None:
    for rule in rules():
        assert rule["annotations"]["summary"].endswith(".")
        found = re.search(r"(tallystick [a-z].*?)\.(?: |$)", rule["annotations"]["description"])
        if found:
            parse(shlex.split(found[1].partition(" on that")[0]))
    assert len(rules()) == len({rule["alert"] for rule in rules()}) >= 10


def test_panels_have_their_own_places() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in panels():
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert at["x"] + at["w"] <= 24
        assert not cells & taken
        taken |= cells


def test_services_start_commands_of_ours() -> None:
    line = re.search(r"^ExecStart=(.*)$", (FOLDER / "tallystick.service").read_text(), re.MULTILINE)
    assert line is not None
    assert parse(shlex.split(line[1]))["login"]
    services = yaml.safe_load((FOLDER / "compose.yaml").read_text())["services"]
    assert parse(services["server"]["command"])["host"] == "0.0.0.0"
    scraped = yaml.safe_load((FOLDER / "prometheus.yaml").read_text())["scrape_configs"][0]
    assert scraped["static_configs"][0]["targets"] == ["server:4747"]
    assert "server" in parse(services["server"]["command"])["allow_host"]
