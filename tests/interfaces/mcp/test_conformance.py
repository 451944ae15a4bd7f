"""The official conformance suite against our server over HTTP, for both revisions of the protocol that it knows.

What a revision requires runs at that revision's wire version. Each scenario of the suite is either held to, or stands
in a table with the reason why it does not apply: one that is new with a newer suite is in neither, and fails here.
"""

import json
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests import node
from tests.interfaces.mcp.http_client import served

REVISIONS = ("2025-11-25", "2026-07-28")
SERVER = (sys.executable, "-P", str(Path(__file__).with_name("conformance_server.py")))
SUITE_SECONDS = 120

HELD_TO = {
    "caching",
    "completion-complete",
    "dns-rebinding-protection",
    "http-custom-header-server-validation",
    "http-header-validation",
    "input-required-result-unsupported-methods",
    "json-schema-2020-12",
    "ping",
    "prompts-get-embedded-resource",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-with-image",
    "prompts-list",
    "resources-list",
    "resources-read-binary",
    "resources-read-text",
    "resources-subscribe",
    "resources-templates-read",
    "resources-unsubscribe",
    "sep-2164-resource-not-found",
    "server-initialize",
    "server-session-lifecycle",
    "server-sse-multiple-streams",
    "server-stateless",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-error",
    "tools-call-image",
    "tools-call-mixed-content",
    "tools-call-simple-text",
    "tools-call-with-progress",
    "tools-list",
}

_ASKS = (
    "the journal never asks the client anything: no {}. A question to a person is an approval, which outlives a call"
)
_LOGS = "the server tells the client no log: logging is deprecated, and what goes wrong inside goes to standard error"
_TASKS = "an extension that is not offered: an operation is short, and what takes long (an approval) has its own handle"
_SKILLS = (
    "an extension that is not offered: the guide is a resource, and what to do is said in instructions and prompts"
)
DOES_NOT_APPLY = {
    "elicitation-sep1034-defaults": _ASKS.format("elicitation"),
    "elicitation-sep1330-enums": _ASKS.format("elicitation"),
    "input-required-result-basic-elicitation": _ASKS.format("elicitation"),
    "input-required-result-basic-list-roots": _ASKS.format("roots"),
    "input-required-result-basic-sampling": _ASKS.format("sampling"),
    "input-required-result-capability-check": _ASKS.format("input"),
    "input-required-result-ignore-extra-params": _ASKS.format("input"),
    "input-required-result-missing-input-response": _ASKS.format("input"),
    "input-required-result-multi-round": _ASKS.format("input"),
    "input-required-result-multiple-input-requests": _ASKS.format("input"),
    "input-required-result-non-tool-request": _ASKS.format("input"),
    "input-required-result-request-state": _ASKS.format("input"),
    "input-required-result-result-type": _ASKS.format("input"),
    "input-required-result-tampered-state": _ASKS.format("input"),
    "input-required-result-validate-input": _ASKS.format("input"),
    "logging-set-level": _LOGS,
    "sep-2640-skills-directory": _SKILLS,
    "sep-2640-skills-enumeration": _SKILLS,
    "sep-2640-skills-manifest": _SKILLS,
    "server-sse-polling": "a stream is not resumed: a call that is sent again is one entry, and its answer is the same",
    "tasks-capability-negotiation": _TASKS,
    "tasks-dispatch-and-envelope": _TASKS,
    "tasks-lifecycle": _TASKS,
    "tasks-mrtr-composition": _TASKS,
    "tasks-mrtr-input": _TASKS,
    "tasks-request-headers": _TASKS,
    "tasks-request-state-removal": _TASKS,
    "tasks-required-task-error": _TASKS,
    "tasks-status-notifications": _TASKS,
    "tasks-wire-fields": _TASKS,
    "tools-call-elicitation": _ASKS.format("elicitation"),
    "tools-call-sampling": _ASKS.format("sampling"),
    "tools-call-with-logging": _LOGS,
}
SKIPPED = {
    "sep-2575-server-sends-prompts-list-changed-on-subscription": "the list of prompts never changes",
    "sep-2575-server-sends-tools-list-changed-on-subscription": "the list of tools never changes",
}
"""Checks that the suite leaves out because of a capability that we do not declare, and why we do not."""

Checks = dict[str, list[dict[str, Any]]]


def test_each_scenario_of_the_suite_is_run_or_listed_as_not_applicable() -> None:
    listed = set(re.findall(r"(?m)^ +- (\S+)", _suite("list", "--server")))
    assert len(listed) > 50
    assert not HELD_TO & DOES_NOT_APPLY.keys()
    assert listed == HELD_TO | DOES_NOT_APPLY.keys()


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_server_conforms(revision: str, tmp_path: Path) -> None:
    with served(f"sqlite:///{tmp_path / 'journal.db'}", program=SERVER) as server:
        ran = results(server.url, revision, tmp_path / "results")
    assert required(revision) <= ran.keys() <= HELD_TO | DOES_NOT_APPLY.keys()
    assert not problems(ran), "\n".join(problems(ran))


def problems(ran: Checks) -> list[str]:
    """The failed checks of the scenarios that must pass."""
    found = []
    for scenario in ran.keys() & HELD_TO:
        checks = ran[scenario]
        if not any(check["status"] == "SUCCESS" for check in checks):
            found.append(f"{scenario} checked nothing")
        found += [
            f"{scenario}: {check['id']} {check['status']} {check.get('errorMessage', '')}"
            for check in checks
            if check["status"] not in ("SUCCESS", "INFO") and check["id"] not in SKIPPED
        ]
    return found


def required(revision: str) -> set[str]:
    """The scenarios of servers in the suite's own list of what a revision requires."""
    text = (node.CONFORMANCE / "requirements" / f"{revision}.yaml").read_text()
    section = text.partition("\nserver:\n")[2].partition("\n\n")[0]
    required = set(re.findall(r"(?m)^  - (\S+)$", section))
    assert len(required) > 25
    return required


@cache
def _suite(*arguments: str) -> str:
    done = node.run(node.program(node.CONFORMANCE, "conformance"), *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def results(url: str, revision: str, folder: Path) -> Checks:
    """Each scenario that a revision asks for, with what was checked. The exit code also counts what does not apply."""
    program = node.program(node.CONFORMANCE, "conformance")
    arguments = ("server", "--requirements", revision, "--url", url, "--output-dir", str(folder))
    done = node.run(program, *arguments, timeout=SUITE_SECONDS)
    assert "=== SUMMARY ===" in done.stdout, done.stdout[-2_000:] + done.stderr
    found = {}
    for file in folder.glob("server-*/checks.json"):
        scenario = re.sub(r"^server-(.+)-\d{4}-\d\d-\d\dT.*$", r"\1", file.parent.name)
        found[scenario] = json.loads(file.read_text())
    return found
