"""What `tallystick run` refuses or finds before anything is done: missing tools, other engines, the same run."""

import json
import re
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tallystick.interfaces.cli.commands import run as run_command
from tests.interfaces.cli.test_run import Folder, folder, step

__all__ = ["folder"]


def test_a_run_does_not_go_on_without_its_tools_and_says_which_are_missing(folder: Folder) -> None:
    plan = folder.plan(step("a"), {"id": "b", "by": "agent", "after": ["a"]}, step("c", after=["b"]))
    waiting = folder.run(plan, "--unwind", "on-failure")
    execution = re.findall(r"ex_\w+", waiting.stdout)[0]
    refused = folder.shell("run", "--resume", execution)
    assert (waiting.exit_code, refused.exit_code) == (5, 2)
    assert 'steps.c.tool: There is no tool "act"' in refused.stderr
    assert "--tools" in refused.stderr
    assert folder.effects == ["a"]


def test_a_run_of_a_shared_engine_is_left_to_workers(folder: Folder) -> None:
    plan = folder.plan(step("a"))
    left = folder.run(plan, "--engine", "temporal")
    assert (left.exit_code, folder.effects) == (0, [])
    assert "tallystick worker --engine temporal --tools tools.py" in left.stdout
    execution = re.findall(r"ex_\w+", left.stdout)[0]
    resumed = folder.shell("run", "--resume", execution)
    assert (resumed.exit_code, "worker --engine temporal" in resumed.stdout) == (0, True)
    refused = folder.run(plan, "--engine", "local")
    assert (refused.exit_code, folder.effects) == (5, [])
    assert f"{execution} was started with the engine temporal, not local" in refused.stderr
    folder.shell("record", "decision", "stop", "--execution-id", execution, "--why", "not needed")
    over = folder.shell("run", "--resume", execution)
    assert over.exit_code == 1
    assert f"{execution} has ended" in over.stderr
    assert "Workers" not in over.stdout


def test_a_run_that_no_worker_could_carry_out_is_refused_and_not_recorded(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = folder.run(folder.plan(step("a")), "--engine", "queue")
    assert (refused.exit_code, "needs a journal in PostgreSQL" in refused.stderr) == (2, True)
    monkeypatch.setitem(sys.modules, "temporalio", None)
    refused = folder.run(folder.plan(step("a")), "--engine", "temporal")
    assert refused.exit_code != 0
    assert "Install tallystick[temporal]" in refused.stderr
    assert json.loads(folder.shell("list", "plans", "--json").stdout)["plans"] == []


def test_the_same_command_goes_on_behind_many_newer_executions(folder: Folder) -> None:
    journal = folder.shell.journal
    plan = folder.plan(step("a"), {"id": "b", "by": "person", "after": ["a"]})
    assert folder.run(plan).exit_code == 5
    for _ in range(run_command.OPEN_PER_PAGE + 1):
        journal.record_execution_start(title="ad hoc")
    assert "Going on with" in folder.run(plan).stderr
    assert folder.effects == ["a"]


def test_of_the_same_command_started_at_the_same_time_one_run_goes_on(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = folder.shell.journal
    plan = folder.plan(step("a"), {"id": "b", "by": "person", "after": ["a"]})
    assert folder.run(plan).exit_code == 5
    first = journal.list_executions().executions[0].id
    find: Callable[..., str] = run_command._find_open

    def find_late(*given: Any, before: str = "") -> str:
        """The other one is started between the look and the start."""
        return find(*given, before=before) if before else ""

    monkeypatch.setattr(run_command, "_find_open", find_late)
    assert f'{first} "' in folder.run(plan).stdout
    assert folder.effects == ["a"]
    assert [each.status for each in journal.list_executions().executions] == ["cancelled", "running"]
