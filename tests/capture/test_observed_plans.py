"""Views of observed work: plan against actual, calls in doubt, and missed events."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from tallystick.capture.spool import file as spool_file
from tallystick.interfaces.cli import run
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


def test_a_command_that_only_looks_takes_no_step_that_names_just_the_shell(at_home: Watched) -> None:
    env = {"CLAUDE_CODE_SESSION_ID": "c"}
    with Lines(at_home.env["TALLYSTICK_URL"], era="legacy", env=env, command=("mcp", "--tools=minimal")) as mcp:
        steps = [{"id": name, "title": name, "tool": "Bash", "undo": f"undo {name}"} for name in ("write", "check")]
        execution = mcp.call("record_plan", title="Notes", steps=steps)["execution_id"]
        watched = Watched(at_home.store, Path(at_home.env["TALLYSTICK_SPOOL"]).parent, journal=JOURNAL)
        agent = watched.client("claude-code", "c")
        for number, command in enumerate(("ls -la && git status", "echo hello > notes.txt")):
            agent.claude_call("Bash", f"t{number}", {"command": command}, tool_response={"stdout": ""})
        watched.drain()
    assert _plan_against_actual(watched, execution) == (["done", "planned"], 1)
    (item,) = watched.journal.get_undo_list(execution_id=execution).items
    assert (item.step, getattr(item.undo, "words", "")) == ("write", "undo write")


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
