"""What `tallystick run` refuses or finds before anything is done: missing tools, other engines, the same run."""

import json
import re
import sys
from collections.abc import Callable
from threading import Thread
from time import sleep
from typing import Any

import pytest

from tallystick import Journal
from tallystick.interfaces.cli.commands import run
from tallystick.interfaces.cli.commands.same_runs import OPEN_PER_PAGE, SameRuns
from tallystick.operations.runs import WORKER_CLIENT
from tallystick.operations.runtime.operation_context import Principal
from tallystick.sdk.local import Local, local_caller
from tests.interfaces.cli.conftest import Shell
from tests.interfaces.cli.test_run import Folder, command, folder, step

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
    assert f"tallystick worker --engine temporal --tools {folder.path / 'tools.py'}\n" in left.stdout
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


@pytest.mark.parametrize("outcome", ["ok", "failed"])
def test_a_run_that_workers_carry_out_can_be_waited_for(folder: Folder, outcome: Any) -> None:
    journal = folder.shell.journal

    def carry_out() -> None:
        while not (found := journal.list_executions().executions):
            sleep(0.01)
        execution = found[0].id
        error = "" if outcome == "ok" else "not_done: no paper"
        journal.record_action(phase="done", execution_id=execution, step="a", outcome=outcome, error=error)
        journal.record_decision(
            decision="done" if outcome == "ok" else "fail", execution_id=execution, why="it is over"
        )

    worker = Thread(target=carry_out)
    worker.start()
    over = folder.run(folder.plan(step("a")), "--engine", "temporal", "--wait")
    worker.join()
    assert over.exit_code == (0 if outcome == "ok" else 1)
    assert ("completed, 1 of 1 steps done" in over.stdout) == (outcome == "ok")
    assert ("no paper" in over.stdout) == (outcome == "failed")
    assert folder.effects == []


def start_elsewhere(folder: Folder, *steps: dict[str, Any]) -> tuple[str, str]:
    """Start a run for workers; returns its plan's file and its handle."""
    plan = folder.plan(*steps)
    return plan, re.findall(r"ex_\w+", folder.run(plan, "--engine", "temporal").stdout)[0]


def hold(journal: Journal, execution: str, step: str) -> str:
    done: dict[str, Any] = {"phase": "done", "outcome": "unknown", "execution_id": execution, "step": step}
    return str(journal.record_action(**done).id)


@pytest.mark.parametrize("way", ["file", "resume"])
def test_a_run_of_workers_that_is_held_or_waits_says_so_with_its_commands(folder: Folder, way: str) -> None:
    person = {"id": "ask", "by": "person", "after": []}
    user = step("use", after=["a"], arguments={"name": "{{ steps.a.result }}"})
    plan, execution = start_elsewhere(folder, step("a"), user, person)
    action = hold(folder.shell.journal, execution, "a")
    again = ("run", plan, "--engine", "temporal") if way == "file" else ("run", "--resume", execution)
    tools = ("--tools", str(folder.path / "tools.py"))
    said = folder.shell(*again, *tools)
    assert (said.exit_code, folder.effects) == (0, [])
    assert said.stdout.startswith(f"Going on with {execution}. Workers carry it out: ")
    assert f"Held: nobody knows whether it happened, and nothing repeats it (1):\n  a  {action}  " in said.stdout
    assert "Waiting for somebody (1):\n  ask  to be done by the person\n" in said.stdout
    summary = json.loads(folder.shell(*again, *tools, "--json").stdout)
    assert [[each["step"] for each in summary[name]] for name in ("held", "waiting")] == [["a"], ["ask"]]
    folder.shell.output(*command(said.stdout, "when it is done"))
    folder.shell.output(*command(said.stdout.replace('--result "..."', "--result 1"), "if it happened"))
    settled = folder.shell(*again, *tools).stdout
    assert "Held" not in settled
    assert "Waiting" not in settled


def test_a_run_of_workers_names_the_question_about_its_failure(folder: Folder) -> None:
    journal = folder.shell.journal
    plan, execution = start_elsewhere(folder, step("a"))
    journal.record_action(phase="done", execution_id=execution, step="a", outcome="failed", error="not_done: no paper")
    journal.record_decision(
        decision="ask_human", execution_id=execution, question="Again?", options=("retry", "stop"), why="it failed"
    )
    said = folder.run(plan, "--engine", "temporal").stdout
    assert "Failed (1):\n  a  ac_" in said
    assert "Waiting for somebody (1):\n  failure  ap_" in said
    assert "--verdict respond --answer retry" in said


@pytest.mark.parametrize(("steps", "times"), [("a", 1), ("ab", 0)])
def test_a_wait_for_workers_says_once_that_a_run_is_held_when_nothing_else_is_due(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, steps: str, times: int
) -> None:
    monkeypatch.setattr(run, "WAIT_SECONDS", 0.05)
    journal = folder.shell.journal
    plan, execution = start_elsewhere(folder, *map(step, steps))
    action = hold(journal, execution, "a")

    def settle_late() -> None:
        sleep(1)
        journal.record_decision(decision="settle", action_id=action, outcome="ok", evidence="seen")
        journal.record_decision(decision="stop", execution_id=execution, why="it is over")

    worker = Thread(target=settle_late)
    worker.start()
    over = folder.run(plan, "--engine", "temporal", "--wait")
    worker.join()
    assert over.exit_code == 1
    assert over.stderr.count(f"record decision settle --action-id {action} --outcome ok") == times
    assert "Held" not in over.stdout


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
    for _ in range(OPEN_PER_PAGE + 1):
        journal.record_execution_start(title="ad hoc")
    assert "Going on with" in folder.run(plan).stderr
    assert folder.effects == ["a"]


def start_during(monkeypatch: pytest.MonkeyPatch, other: Callable[[], Any]) -> None:
    """Let somebody else start something between the look of a command and its start."""
    find = SameRuns.find

    def find_and_wait(same: SameRuns) -> str:
        found = find(same)
        monkeypatch.setattr(SameRuns, "find", find)
        other()
        return found

    monkeypatch.setattr(SameRuns, "find", find_and_wait)


@pytest.mark.parametrize("is_over", [False, True])
def test_of_the_same_command_started_at_the_same_time_one_run_goes_on(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, is_over: bool
) -> None:
    journal = folder.shell.journal
    plan = folder.plan(step("a"), *([] if is_over else [{"id": "b", "by": "person", "after": ["a"]}]))
    start_during(monkeypatch, lambda: folder.run(plan))
    late = folder.run(plan)
    (first,) = journal.list_executions().executions
    assert f'{first.id} "' in late.stdout
    assert (folder.effects, late.exit_code) == (["a"], 0 if is_over else 5)
    assert len(journal.list_plans(status="active").plans) == 1


def test_other_runs_that_are_started_at_the_same_time_stay_others(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = folder.plan(step("a", arguments={"name": "${parameters.who}"}))
    start_during(monkeypatch, lambda: folder.run(plan, "--set", "who=Ada"))
    assert folder.run(plan, "--set", "who=Eve").exit_code == 0
    assert folder.effects == ["Ada", "Eve"]
    start_during(monkeypatch, lambda: folder.run(plan, "--set", "who=Ada"))
    assert folder.run(plan, "--set", "who=Ada", "--new").exit_code == 0
    assert folder.effects == ["Ada", "Eve", "Ada"]


def test_where_no_worker_serves_the_journal_those_of_other_journals_are_named(shell: Shell) -> None:
    start = "No worker serves this journal: tallystick worker --tools tools.py"
    assert shell.output("workers").splitlines() == [start]
    other = Journal(Local(local_caller(shell.journal.caller).context.for_journal("work", Principal())))
    worker = other.open_session(name="w", client=WORKER_CLIENT).id
    assert shell.output("workers").splitlines() == [start, "Workers serve another journal: --journal work"]
    other.end_session(session_id=worker)
    assert shell.output("workers").splitlines() == [start]
