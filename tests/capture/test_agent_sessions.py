"""Calls of agents that die, come back, share a conversation or are observed twice."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tallystick import Actor
from tallystick.capture.spool import file as spool_file
from tallystick.operations import CATALOGUE
from tallystick.operations.runtime.operation_context import Principal
from tallystick.sdk.local import Local
from tests.capture.harness import Client, Watched
from tests.crash.acknowledged import in_doubt
from tests.stores import Clock, Home

DONE = {"exit_code": 0}


@pytest.mark.parametrize("drained", ["before", "after", "in the middle"])
def test_every_call_that_a_killed_agent_left_open_is_in_doubt_once(
    shared_home: Home, tmp_path: Path, drained: str
) -> None:
    watched = Watched(shared_home.open(), tmp_path)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        agents = [
            watched.client("claude-code", "one", process.pid),
            watched.client("gemini-cli", "two", process.pid),
        ]
        for agent in agents:
            agent.send("SessionStart", source="startup")
            _begin(agent, "a")
            _begin(agent, "b")
        if drained != "after":
            watched.drain()
            assert in_doubt(watched.journal) == []
        for agent in agents:
            _end(agent, "a")
            _begin(agent, "c")
        if drained == "before":
            watched.drain()
        process.send_signal(signal.SIGKILL)
        process.wait()
    watched.drain()
    assert [(each.arguments["n"], each.state) for each in sorted(watched.calls(), key=_by_name)] == [
        *([("a", "ok")] * 2),
        *([("b", "in_doubt")] * 2),
        *([("c", "in_doubt")] * 2),
    ]
    assert sorted(in_doubt(watched.journal)) == sorted(row.id for row in watched.actions() if row.state != "ok")
    _begin(watched.client("claude-code", "another"), "d")  # the next writer records the doubts
    watched.drain()
    assert watched.kinds().count("action_doubted") in (0, 4)


def test_a_process_number_that_another_process_has_by_now_keeps_nothing_alive(home: Home, tmp_path: Path) -> None:
    clock = Clock()
    watched = Watched(home.open(clock=clock), tmp_path)
    agent = watched.client("claude-code", "long ago")
    record = agent.send("PreToolUse", tool_name="Bash", tool_input={"n": 1}, tool_use_id="t1")
    Path(watched.spool).unlink()
    spool_file.append(watched.spool, {**record, "at": 1_000_000})  # long before this very process began
    watched.drain()
    clock.advance(2)
    assert len(in_doubt(watched.journal)) == 1


def test_a_conversation_that_goes_on_in_a_new_process_is_one_conversation(watched: Watched) -> None:
    first = watched.client("claude-code", "long")
    first.send("SessionStart", source="startup")
    _begin(first, "a")
    first.send("SessionEnd", reason="other")
    second = watched.client("claude-code", "long", os.getppid())
    second.send("SessionStart", source="resume")
    _begin(second, "b")
    _end(second, "a")  # the second process ends a call of the first
    watched.drain()
    assert [each.state for each in watched.calls()] == ["ok", "open"]
    assert [each.status for each in watched.journal.list_executions().executions] == ["running", "closed"]
    assert len({row.session for row in watched.actions()}) == 2


def test_observed_calls_belong_to_the_execution_that_the_agent_opened(watched: Watched) -> None:
    principal = Principal(actor=Actor(name="claude"), conversation="claude-code:talk", client="claude-code")
    talking = Local(watched.local.context.for_principal(principal))
    plan = talking.call(
        CATALOGUE["record_plan"],
        {
            "title": "P",
            "steps": [
                {"id": "copy", "title": "copy", "tool": "Bash", "arguments": {"command": "cp a b"}, "undo": "rm b"}
            ],
        },
    )
    started = talking.call(CATALOGUE["record_execution_start"], {"plan_id": plan.id})
    agent = watched.client("claude-code", "talk")
    agent.claude_call("Bash", "t1", {"command": "cp a b"}, tool_response={})
    agent.claude_call("Write", "t2", {"file_path": "c"}, tool_response={})
    watched.drain()
    assert [(row.execution, row.step) for row in watched.actions()] == [(started.id, "copy"), (started.id, "")]


def test_a_call_that_hook_and_gateway_see_is_one_action(watched: Watched) -> None:
    agent = watched.client("claude-code", "both")
    gateway = Local(
        watched.local.context.for_principal(Principal(actor=Actor(kind="gateway", name="gateway"), witness="observed"))
    )
    payload = {"tool_name": "mcp__tallystick__shop__order", "tool_input": {"n": 1}, "tool_use_id": "t1"}
    agent.send("PreToolUse", **payload)
    seen = {"phase": "begin", "tool": "mcp__shop__order", "arguments": {"n": 1}, "call_id": "t1"}
    gateway.call(CATALOGUE["record_action"], seen)
    gateway.call(CATALOGUE["record_action"], {"phase": "end", "call_id": "t1", "outcome": "ok", "result": {"id": 7}})
    agent.send("PostToolUse", **payload, tool_response={"content": []})
    watched.drain()
    agent.send("Stop")
    watched.drain()
    assert [(each.tool, each.state) for each in watched.calls()] == [("mcp__shop__order", "ok")]


def test_an_id_that_a_model_uses_again_is_another_call(watched: Watched) -> None:
    first, second = watched.client("claude-code", "one"), watched.client("codex", "two")
    for agent in (first, second):
        for number in range(3):  # it restarts its count with each answer
            agent.claude_call("Bash", "call_0", {"command": f"make {number}"}, tool_response={"n": number, **DONE})
        agent.claude_call("Bash", "call_0", {"command": "make 2"}, tool_response={"n": "again", **DONE})
        agent.send("PreToolUse", tool_name="Write", tool_input={"path": "a"}, tool_use_id="call_0")
    watched.drain()
    found = [(each.arguments.get("command", "write"), each.state) for each in watched.calls()]
    once = [("make 0", "ok"), ("make 1", "ok"), ("make 2", "ok"), ("make 2", "ok"), ("write", "open")]
    assert found == once * 2
    results = [watched.journal.get_action(action_id=row.id).end_body.get("result") for row in watched.actions()]
    assert results == [*({"n": n, **DONE} for n in (0, 1, 2, "again")), None] * 2


def test_a_call_that_cursor_reports_under_two_events_is_one_action(watched: Watched) -> None:
    agent = watched.client("cursor", "new")
    payload = {"tool_name": "Shell", "tool_input": {"command": "make", "working_directory": "/w"}, "tool_use_id": "u1"}
    agent.send("preToolUse", **payload)
    agent.send("beforeShellExecution", command="make", cwd="/w")
    agent.send("afterShellExecution", command="make", output="2 errors", duration=5)
    agent.send("postToolUseFailure", **payload, error_message="exit 2", failure_type="error")
    edit = {"tool_name": "Write", "tool_input": {"file_path": "/a"}, "tool_use_id": "u2"}
    agent.send("preToolUse", **edit)
    agent.send("afterFileEdit", file_path="/a", edits=[])
    agent.send("postToolUse", **edit, tool_output="{}")
    watched.drain()
    assert [(each.tool, each.state) for each in watched.calls()] == [("Shell", "failed"), ("Write", "ok")]


def test_a_cursor_that_knows_only_the_older_events_is_recorded_by_them(watched: Watched) -> None:
    agent = watched.client("cursor", "old")
    for command in ("make", "make test"):
        agent.send("beforeShellExecution", command=command, cwd="/w")
    for command in ("make test", "make"):
        agent.send("afterShellExecution", command=command, output=command)
    agent.send("beforeMCPExecution", tool_name="order", tool_input='{"n":1}', mcp_server_name="shop")
    agent.send("afterMCPExecution", tool_name="order", tool_input='{"n":1}', result_json='{"isError":true}')
    agent.send("afterFileEdit", file_path="/a", edits=[{"old_string": "x", "new_string": "y"}])
    agent.send("beforeShellExecution", command="sleep 9")
    agent.send("stop", status="aborted")
    watched.drain()
    found = watched.calls()
    assert [(each.tool, each.state) for each in found] == [
        ("Shell", "in_doubt"),  # reported with their output alone
        ("Shell", "in_doubt"),
        ("mcp__shop__order", "failed"),
        ("Write", "ok"),
        ("Shell", "in_doubt"),
    ]
    results = [watched.journal.get_action(action_id=row.id).end_body.get("result") for row in watched.actions()[:2]]
    assert results == ["make", "make test"]
    assert "interrupted" in watched.kinds()


def test_copilot_is_joined_without_ids_in_either_casing(watched: Watched) -> None:
    agent = watched.client("copilot", "pilot")
    made = {"resultType": "success", "textResultForLlm": "\n<shellId: 0 completed with exit code 0>"}
    agent.send("preToolUse", toolName="bash", toolArgs='{"command":"make"}')
    agent.send("preToolUse", toolName="bash", toolArgs='{"command":"rm x"}')
    agent.send("postToolUseFailure", toolName="bash", toolArgs='{"command":"rm x"}', error="no such file")
    agent.send("postToolUse", toolName="bash", toolArgs='{"command":"make"}', toolResult=made)
    agent.send("PreToolUse", session_id="pilot", tool_name="Bash", tool_input={"command": "ls"})
    agent.send("PostToolUse", session_id="pilot", tool_name="Bash", tool_input={"command": "ls"}, tool_result={})
    watched.drain()
    assert [(each.arguments["command"], each.state) for each in watched.calls()] == [
        ("make", "ok"),
        ("rm x", "failed"),
        ("ls", "in_doubt"),  # no exit code was reported
    ]


def test_a_late_end_settles_a_call_that_a_new_prompt_had_put_in_doubt(watched: Watched) -> None:
    agent = watched.client("claude-code", "queue")
    _begin(agent, "a")
    agent.send("UserPromptSubmit", prompt="and another thing")
    watched.drain()
    assert [each.state for each in watched.calls()] == ["in_doubt"]
    _end(agent, "a")
    watched.drain()
    assert [each.state for each in watched.calls()] == ["ok"]


def test_a_transcript_later_settles_a_call_that_a_prompt_during_a_turn_had_put_in_doubt(
    watched: Watched, tmp_path: Path
) -> None:
    rollout = tmp_path / "rollout.jsonl"
    rollout.write_text("")
    agent = watched.client("codex", "steered")
    _begin(agent, "c1")
    agent.send("UserPromptSubmit", prompt="faster", transcript_path=str(rollout))
    watched.drain()
    assert [each.state for each in watched.calls()] == ["in_doubt"]
    rollout.write_text(json.dumps({"payload": {"type": "exec_command_end", "call_id": "c1", "exit_code": 3}}))
    agent.send("Stop", transcript_path=str(rollout))
    watched.drain()
    assert [each.state for each in watched.calls()] == ["failed"]


def test_reading_is_recorded_and_owes_nothing(watched: Watched) -> None:
    agent = watched.client("claude-code", "reads")
    agent.claude_call("Read", "t1", {"file_path": "/a"}, tool_response="text")
    agent.claude_call("Bash", "t2", {"command": "git status"}, tool_response={})
    agent.claude_call("Bash", "t3", {"command": "git push"}, tool_response={})
    watched.drain()
    assert [row.effect for row in watched.actions()] == ["read", "read", "unsafe"]
    assert [item.action_id for item in watched.journal.get_undo_list().items] == [watched.actions()[2].id]


def test_user_rules_apply_and_a_broken_rules_file_loses_nothing(watched: Watched) -> None:
    file = Path(watched.env["XDG_CONFIG_HOME"]) / "tallystick" / "capture.toml"
    file.parent.mkdir(parents=True)
    file.write_text('[calls]\nignore = ["Noise*"]\nread = ["mcp__*__get_*"]\neffects = { "Read" = "idempotent" }\n')
    agent = watched.client("claude-code", "rules")
    for number, tool in enumerate(("NoiseMaker", "mcp__shop__get_order", "Read", "Bash")):
        agent.claude_call(tool, f"t{number}", {"n": number}, tool_response={})
    assert watched.drain().warning == ""
    assert [(row.tool, row.effect) for row in watched.actions()] == [
        ("mcp__shop__get_order", "read"),
        ("Read", "idempotent"),
        ("Bash", "unsafe"),
    ]
    file.write_text('[calls]\nignored = ["Bash"]\n[call]\n')
    agent.claude_call("Bash", "t8", {"n": 8}, tool_response={})
    assert "has unknown names: [call], ignored. Allowed in [calls]: " in watched.drain().warning
    file.write_text('[calls]\nignore = "Bash"\n')
    agent.claude_call("Bash", "t9", {"n": 9}, tool_response={})
    drained = watched.drain()
    assert "capture.toml" in drained.warning
    assert watched.calls()[-1].arguments == {"n": 9}


def _begin(agent: Client, name: str) -> None:
    if agent.name == "gemini-cli":
        agent.send("BeforeTool", tool_name="run", tool_input={"n": name})
    else:
        agent.send("PreToolUse", tool_name="run", tool_input={"n": name}, tool_use_id=name)


def _end(agent: Client, name: str) -> None:
    if agent.name == "gemini-cli":
        agent.send("AfterTool", tool_name="run", tool_input={"n": name}, tool_response={"llmContent": "ran"})
    else:
        agent.send("PostToolUse", tool_name="run", tool_input={"n": name}, tool_use_id=name, tool_response={})


def _by_name(done: object) -> str:
    return str(done.arguments["n"])  # type: ignore[attr-defined]


def test_an_end_under_an_id_that_is_settled_closes_no_other_call(watched: Watched) -> None:
    agent = watched.client("claude-code", "one")
    agent.claude_call("Bash", "call_1", {"command": "A"}, tool_response={"stdout": "a"})
    agent.send("PreToolUse", tool_name="Bash", tool_input={"command": "deploy B"}, tool_use_id="call_1")  # denied
    agent.claude_call("Bash", "call_2", {"command": "C"}, tool_response={"stdout": "c"})
    hook_input = {"tool_name": "Bash", "tool_input": {"command": "C"}, "tool_use_id": "call_2", "tool_response": "c"}
    agent.send("PostToolBatch", tool_calls=[hook_input])
    agent.send("PostToolUse", **{**hook_input, "tool_response": {"stdout": "c"}})
    watched.drain()
    assert [(done.arguments["command"], done.state) for done in watched.calls()] == [
        ("A", "ok"),
        ("deploy B", "open"),
        ("C", "ok"),
    ]


def test_an_end_with_other_arguments_is_another_call_that_lost_its_begin(watched: Watched) -> None:
    agent = watched.client("gemini-cli", "one")
    agent.send("BeforeTool", tool_name="write_file", tool_input={"file_path": "/a"})
    agent.send("AfterTool", tool_name="write_file", tool_input={"file_path": "/b"}, tool_response={"llmContent": "b"})
    watched.drain()
    assert [(done.arguments["file_path"], done.state) for done in watched.calls()] == [("/a", "open"), ("/b", "ok")]


def test_an_end_with_fewer_arguments_belongs_to_the_only_running_call(watched: Watched) -> None:
    agent = watched.client("gemini-cli", "one")
    agent.send("BeforeTool", tool_name="write_file", tool_input={"file_path": "/a", "content": "x"})
    agent.send("AfterTool", tool_name="write_file", tool_input={"file_path": "/a"}, tool_response={"llmContent": "b"})
    watched.drain()
    assert [done.state for done in watched.calls()] == ["ok"]


def test_a_begin_reported_after_its_end_is_no_second_call(watched: Watched) -> None:
    agent = watched.client("claude-code", "one")
    call = {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": "call_1"}
    agent.send("PostToolUse", **call, tool_response={"stdout": "done"})
    agent.send("PreToolUse", **call)
    watched.drain()
    assert [done.state for done in watched.calls()] == ["ok"]
    agent.send("PreToolUse", **call)  # only one begin was late: this id is used again
    watched.drain()
    assert [done.state for done in watched.calls()] == ["ok", "open"]


def test_a_begin_after_the_end_of_another_effect_under_its_id_is_a_call_of_its_own(watched: Watched) -> None:
    agent = watched.client("claude-code", "one")
    call = {"tool_name": "Bash", "tool_use_id": "call_1"}
    agent.send("PostToolUse", **call, tool_input={"command": "make"}, tool_response={"stdout": "done"})
    agent.send("PreToolUse", **call, tool_input={"command": "make install"})
    watched.drain()
    assert [(done.arguments["command"], done.state) for done in watched.calls()] == [
        ("make", "ok"),
        ("make install", "open"),
    ]


def test_a_conversation_that_settles_a_doubt_works_on_that_execution(watched: Watched) -> None:
    principal = Principal(actor=Actor(name="claude"), conversation="claude-code:first", client="claude-code")
    first = Local(watched.local.context.for_principal(principal))
    step = {
        "id": "pub",
        "title": "Publish",
        "tool": "Bash",
        "arguments": {"command": "./publish"},
        "undo": "take it back",
    }
    plan = first.call(CATALOGUE["record_plan"], {"title": "P", "steps": [step]})
    started = first.call(CATALOGUE["record_execution_start"], {"plan_id": plan.id}).id
    begun = first.call(CATALOGUE["record_action"], {"phase": "begin", "step": "pub"}).id
    first.call(CATALOGUE["record_action"], {"phase": "end", "action_id": begun, "outcome": "unknown", "evidence": "?"})
    settled = {"decision": "settle", "action_id": begun, "outcome": "skipped", "evidence": "nothing is there"}
    first.call(CATALOGUE["record_decision"], settled)
    agent = watched.client("claude-code", "second")
    agent.send("SessionStart", source="startup")
    answer = [{"type": "text", "text": "Settled. status=running"}]
    agent.claude_call("mcp__tallystick__record_decision", "t1", settled, tool_response=answer)
    agent.claude_call("Bash", "t2", {"command": "./publish"}, tool_response={"stdout": ""})
    watched.drain()
    status = watched.journal.get_status(execution_id=started)
    assert [(each.id, each.actual) for each in status.steps] == [("pub", "done")]
