"""Views of observed work: plan against actual, calls in doubt, and missed events."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tallystick import Actor, Journal
from tallystick.capture.spool import file as spool_file
from tallystick.interfaces.cli import run
from tallystick.operations.runtime.operation_context import Principal
from tallystick.sdk.local import Local
from tests.capture.harness import Client, Watched
from tests.interfaces.mcp.line_client import JOURNAL, Lines

STEPS = (
    {"id": "build", "title": "Build", "tool": "Bash", "arguments": {"command": "make build"}},
    {"id": "push", "title": "Push", "tool": "Bash", "arguments": {"command": "docker push img"}},
)


def _carried_out(agent: Client) -> None:
    for number, command in enumerate(("make build", "rm -rf /srv/data", "docker push img")):
        agent.claude_call("Bash", f"t{number}", {"command": command}, tool_response={"stdout": ""})


def _plan_against_actual(watched: Watched, execution: str) -> tuple[list[str], int]:
    status = watched.journal.get_status(execution_id=execution)
    return [step.actual for step in status.steps], status.execution.unplanned


def test_a_plan_is_carried_out_by_observed_calls_after_setup(at_home: Watched) -> None:
    env = {"CLAUDE_CODE_SESSION_ID": "c"}
    with Lines(at_home.env["TALLYSTICK_URL"], era="legacy", env=env, command=("mcp", "--tools=minimal")) as mcp:
        steps = [{**step, "cancellable": "reversible", "undo": f"undo {step['id']}"} for step in STEPS]
        execution = mcp.call("record_plan", title="Deploy", steps=steps)["execution_id"]
        watched = Watched(at_home.store, Path(at_home.env["TALLYSTICK_SPOOL"]).parent, journal=JOURNAL)
        _carried_out(watched.client("claude-code", "c"))
        watched.drain()
    assert _plan_against_actual(watched, execution) == (["done", "done"], 1)
    ways = [getattr(item.undo, "words", "") for item in watched.journal.get_undo_list(execution_id=execution).items]
    assert ways == ["undo push", "", "undo build"]


class Minimal:
    """An agent after setup: hooks see its calls, and its model has the three minimal tools."""

    def __init__(self, at_home: Watched, mcp: Lines) -> None:
        self.mcp = mcp
        self.watched = Watched(at_home.store, Path(at_home.env["TALLYSTICK_SPOOL"]).parent, journal=JOURNAL)
        self._client = self.watched.client("claude-code", "c")
        self._calls = 0

    def plan(self, **steps: dict[str, Any]) -> str:
        made = [{"id": name, "title": name, "tool": "Bash", **more} for name, more in steps.items()]
        return str(self.mcp.call("record_plan", title="Notes", steps=made)["execution_id"])

    def shell(self, command: str) -> None:
        self._calls += 1
        call = {"command": command, "description": f"Run {command}"}
        self._client.claude_call("Bash", f"t{self._calls}", call, tool_response={"stdout": ""})
        self.watched.drain()

    def brief(self) -> str:
        return str(
            self.mcp.ask("tools/call", {"name": "query_ledger", "arguments": {}})["result"]["content"][0]["text"]
        )


@pytest.fixture
def minimal(at_home: Watched) -> Iterator[Minimal]:
    env = {"CLAUDE_CODE_SESSION_ID": "c"}
    with Lines(at_home.env["TALLYSTICK_URL"], era="legacy", env=env, command=("mcp", "--tools=minimal")) as mcp:
        yield Minimal(at_home, mcp)


def test_a_step_that_names_just_the_shell_is_taken_by_no_command_until_the_agent_says_so(minimal: Minimal) -> None:
    guarded = {"cancellable": "irreversible", "needs_approval": True}
    execution = minimal.plan(build={"undo": "undo build"}, deploy=guarded, tell={"undo": "undo tell"})
    minimal.shell("ls -la && git status")
    minimal.shell("mkdir -p build")
    minimal.shell("touch scratch.txt")
    assert _plan_against_actual(minimal.watched, execution) == (["planned"] * 3, 3)
    (call,) = re.findall(r"record_decision\((.*)\):", minimal.brief())
    said = dict(part.split("=", 1) for part in call.split(", "))
    assert (said["decision"], said["step"]) == ("continue", "build")
    made = minimal.watched.actions()[1].id
    minimal.mcp.call("record_decision", **{**said, "action_id": made, "why": "it is built"})
    assert _plan_against_actual(minimal.watched, execution) == (["done", "planned", "planned"], 2)
    (first, *_, last) = minimal.watched.journal.get_undo_list(execution_id=execution).items
    assert (first.step, last.step, getattr(last.undo, "words", "")) == ("", "build", "undo build")


def test_an_undo_in_other_words_is_recorded_with_the_minimal_tools(minimal: Minimal) -> None:
    undo = {"tool": "Bash", "arguments": {"command": "rm copy.db"}}
    execution = minimal.plan(
        copy={"arguments": {"command": "cp a copy.db"}, "undo": undo},
        report={"arguments": {"command": "echo > report.txt"}, "undo": "delete report.txt"},
    )
    for command in ("cp a copy.db", "echo > report.txt"):
        minimal.shell(command)
    minimal.mcp.call("record_decision", decision="unwind", why="wrong data", execution_id=execution)
    first = minimal.watched.actions()[1].id
    for number, command in enumerate(("rm report.txt", "rm -f copy.db")):
        minimal.shell(command)
        assert f"Owed ({2 - number})" in minimal.brief()
        (call,) = re.findall(r"record_decision\((decision=continue.*)\):", minimal.brief())
        said = dict(part.split("=", 1) for part in call.replace("undoes=...", f"undoes={first}").split(", "))
        assert minimal.mcp.call("record_decision", **{**said, "why": "the file is gone"})["status"] == "unwinding"
    assert "Nothing is left to undo" in minimal.brief()
    assert minimal.watched.journal.list_owed(execution_id=execution).owed == ()


@pytest.mark.parametrize("more", [{}, {"temporary": True}])
def test_the_planned_undo_is_known_as_such_after_done(minimal: Minimal, more: dict[str, Any]) -> None:
    undo = {"tool": "Bash", "arguments": {"command": "rm copy.db"}}
    execution = minimal.plan(copy={"arguments": {"command": "cp a copy.db"}, "undo": undo, **more})
    minimal.shell("cp a copy.db")
    left: dict[str, Any] = {"incomplete": True} if more else {}
    minimal.mcp.call("record_decision", decision="done", why="it is copied", execution_id=execution, **left)
    minimal.shell("ls -la")
    minimal.shell("rm -rf other")
    minimal.shell("rm copy.db")
    journal = minimal.watched.journal
    assert journal.get_undo_list(execution_id=execution).items == ()
    assert journal.list_owed().owed == ()
    assert [each.undoes for each in journal.list_actions(execution_id=execution).actions if each.kind == "undo"]


def test_an_approved_call_is_simply_carried_out_and_uses_its_approval(minimal: Minimal) -> None:
    guarded = {"cancellable": "irreversible", "needs_approval": True, "arguments": {"command": "dropdb old"}}
    execution = minimal.plan(drop=guarded)
    asked = minimal.mcp.call("record_decision", decision="ask_human", step="drop", question="Drop?", why="risky")
    approval = asked["approval_id"]
    secret = minimal.watched.journal.add_credential(name="ada").secret
    ada = Principal(actor=Actor(kind="person", name="ada"), credential=secret)
    person = Journal(Local(minimal.watched.local.context.for_principal(ada)))
    person.decide_approval(approval_id=approval, verdict="approve")
    minimal.watched.client("claude-code", "c").send("UserPromptSubmit", prompt="go on")
    minimal.watched.drain()
    answer = minimal.mcp.call("query_ledger", view="approvals", filter=f"id:{approval}")
    assert answer["next"].startswith("carry it out")
    assert "drop with Bash, approved: carry it out." in minimal.brief()
    minimal.shell("dropdb old")
    assert minimal.watched.journal.get_approval(approval_id=approval).status == "used"
    assert "out_of_order" not in minimal.watched.journal.read_entries(kind="action_begun").entries[-1].facts
    assert "ermitted" not in minimal.brief()
    assert _plan_against_actual(minimal.watched, execution) == (["done"], 0)


def test_conversations_of_a_client_that_names_none_keep_their_own_plans(at_home: Watched) -> None:
    """One server for all conversations of Cursor: its hooks show which one called it."""
    steps = [{**step, "cancellable": "reversible", "undo": f"undo {step['id']}"} for step in STEPS]
    watched = Watched(at_home.store, Path(at_home.env["TALLYSTICK_SPOOL"]).parent, journal=JOURNAL)
    with Lines(at_home.env["TALLYSTICK_URL"], era="legacy", command=("mcp", "--tools=minimal")) as mcp:
        agents = [watched.client("cursor", name) for name in ("one", "two")]
        executions = []
        for agent, planned in zip(agents, (steps[:1], steps[1:]), strict=True):
            call = {"tool_name": "MCP:record_plan", "tool_input": {"title": "Deploy", "steps": planned}}
            agent.send("preToolUse", **call, tool_use_id=f"plan-{agent.name}")
            answer = mcp.ask("tools/call", {"name": "record_plan", "arguments": call["tool_input"]})["result"]
            agent.send("postToolUse", **call, tool_use_id=f"plan-{agent.name}", tool_output=json.dumps(answer))
            executions.append(answer["structuredContent"]["execution_id"])
        for number, agent in enumerate((agents[1], agents[0])):  # each first does what the other has planned
            for step in (STEPS[number], STEPS[1 - number]):
                call = {"tool_name": "Bash", "tool_input": step["arguments"], "tool_use_id": f"{number}{step['id']}"}
                agent.send("preToolUse", **call)
                agent.send("postToolUse", **call, tool_output=json.dumps({"exitCode": 0, "stdout": ""}))
        watched.drain()
        assert [_plan_against_actual(watched, each) for each in executions] == [(["done"], 1), (["done"], 1)]
    assert {action.tool for action in watched.actions()} == {"Bash"}  # the journal's own tools are not recorded


def test_an_execution_started_by_command_is_carried_out_by_observed_calls(at_home: Watched) -> None:
    steps = json.dumps([{**step, "cancellable": "reversible", "undo": "take it back"} for step in STEPS])
    env = {**at_home.env, "CLAUDE_CODE_SESSION_ID": "c"}
    at_home.client("claude-code", "c").send("SessionStart", source="startup")
    plan = json.loads(run(["record", "plan", "--title", "Deploy", "--steps", steps, "--json"], env=env).stdout)["id"]
    started = run(["record", "execution-start", "--plan-id", plan, "--json"], env=env).stdout
    _carried_out(at_home.client("claude-code", "c"))
    at_home.drain()
    assert _plan_against_actual(at_home, json.loads(started)["id"]) == (["done", "done"], 1)


def test_a_doubt_is_not_forgotten_by_the_sessions_that_follow(at_home: Watched) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    at_home.client("claude-code", "first", process=gone.pid).leave_open()
    for later in ("second", "third"):
        agent = at_home.client("claude-code", later)
        agent.claude_call("Bash", later, {"command": f"touch {later}"}, tool_response={"stdout": ""})
        agent.send("SessionEnd", reason="other")
        at_home.drain()
        text = run(["status"], env=at_home.env).stdout
        assert "In doubt" in text
        assert "npm publish" in text


def test_waiting_bytes_are_reported_before_anything_is_recorded(at_home: Watched) -> None:
    principal = at_home.local.context.principal
    at_home.local.context.principal = replace(principal, spool_behind=99, missed=2, missed_at=1)
    empty = at_home.journal.get_brief().text
    assert "99 bytes of hook events are not recorded yet" in empty
    at_home.journal.record_context(key="k", value=1)
    planless = at_home.journal.get_brief().text
    assert "No execution has been started yet" in planless
    assert "99 bytes of hook events are not recorded yet" in planless
    assert " 2 events were lost" in planless


def test_observers_of_one_execution_are_not_those_of_another(at_home: Watched) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    at_home.client("claude-code", "first", process=gone.pid).leave_open()
    at_home.drain()
    at_home.client("claude-code", "second").send("SessionStart", source="startup")
    at_home.drain()
    at_home.journal.record_context(key="k", value=1)
    text = at_home.journal.get_brief().text
    assert "has ended" in text
    assert "is observed" not in text


def test_an_unobserved_conversation_is_warned_though_its_client_was_observed_before(
    at_home: Watched,
) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    at_home.client("claude-code", "first", process=gone.pid).leave_open()
    at_home.drain()
    for number in range(25):
        at_home.journal.open_session(name=f"other:{number}")
    at_home.local.context.principal = replace(at_home.local.context.principal, conversation="claude-code:second")
    at_home.journal.record_execution_start(title="work")
    assert "No events from claude-code in this conversation" in at_home.journal.get_brief().text


def test_the_text_of_coverage_agrees_with_its_data(at_home: Watched) -> None:
    at_home.client("claude-code", "c").leave_open()
    for _ in range(5):
        spool_file.add_missed(at_home.spool)
    text = run(["get", "coverage"], env=at_home.env).stdout
    assert re.search(r"^missed +5$", text, re.MULTILINE)
    assert "claude-code" in text
    assert "{" not in text


def test_the_brief_says_that_hooks_cannot_spool(at_home: Watched) -> None:
    principal = at_home.local.context.principal
    at_home.local.context.principal = replace(principal, spool_problem="the disk is read-only", torn=1)
    assert "Hooks cannot store events now: the disk is read-only" in at_home.journal.get_brief().text
    at_home.journal.record_execution_start(title="work")
    assert "Hooks cannot store events now: the disk is read-only" in at_home.journal.get_brief().text
    coverage = at_home.journal.get_coverage()
    assert (coverage.spool_problem, coverage.torn) == ("the disk is read-only", 1)


@pytest.mark.parametrize(
    ("tool", "arguments", "shown"),
    [
        (
            "Bash",
            {"command": "rm -rf /srv && git push --force", "description": "List files"},
            "rm -rf /srv && git push",
        ),
        ("Bash", {"command": "# list files\nrm -rf /srv"}, "# list files rm -rf /srv"),
        ("mcp__db__run", {"sql": "drop table orders", "description": "List the orders"}, ""),
        ("Agent", {"description": "Look around", "prompt": "Delete the branch"}, "Delete the branch"),
    ],
)
def test_an_observed_call_is_summarised_by_its_arguments_not_by_its_description(
    watched: Watched, tool: str, arguments: dict[str, str], shown: str
) -> None:
    watched.client("claude-code", "c").claude_call(tool, "t1", arguments, tool_response={"stdout": ""})
    watched.drain()
    [action] = watched.actions()
    recorded = watched.journal.get_action(action_id=action.id).begin_body
    assert recorded.get("summary", "").startswith(shown)
    assert "List" not in recorded.get("summary", "")
    assert recorded["arguments"] == arguments


def test_open_calls_of_a_killed_agent_are_in_doubt_before_it_is_reaped(at_home: Watched) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as agent:
        at_home.client("claude-code", "c", agent.pid).leave_open()
        at_home.drain()
        before = at_home.calls()
        agent.kill()
        os.waitid(os.P_PID, agent.pid, os.WEXITED | os.WNOWAIT)
        assert [each.state for each in (*before, *at_home.calls())] == ["open", "in_doubt"]


def test_a_brief_names_calls_in_doubt_and_only_counts_reads(
    watched: Watched,
) -> None:
    agent = watched.client("claude-code", "c")
    for number in range(2):
        agent.send("PreToolUse", tool_name="Read", tool_input={"file_path": f"/{number}"}, tool_use_id=f"r{number}")
    agent.leave_open()
    agent.send("Stop")
    watched.drain()
    *reads, publish = (row.id for row in watched.actions())
    brief = watched.journal.get_brief()
    assert brief.in_doubt == (publish,)
    assert "In doubt (1): look first" in brief.text
    assert "The outcome of 2 reads is unknown too." in brief.text
    assert not any(read in brief.text for read in reads)
    assert len(watched.journal.list_in_doubt().in_doubt) == 3
