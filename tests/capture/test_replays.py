"""Whole sessions of three clients: the journal equals the transcript, though the model never calls us."""

import json
from pathlib import Path

from tests.capture.harness import Client, RecordedCall, Watched
from tests.stores import Home


def _first_turn(agent: Client) -> None:
    """Calls that succeed, fail, run at once, are interrupted, refused by the client and denied by a person."""
    agent.send("SessionStart", source="startup", model="claude-opus-4-8")
    agent.send("UserPromptSubmit", prompt="Release it")
    agent.claude_call("Bash", "t1", {"command": "make"}, tool_response={"stdout": "built"})
    agent.claude_call("Bash", "t2", {"command": "make test"}, error="Exit code 2")
    for id in ("t3", "t4"):  # two calls at once, the same one twice, ended in the other order
        agent.send("PreToolUse", tool_name="Bash", tool_input={"command": "curl -X POST a"}, tool_use_id=id)
    agent.send("PostToolUse", tool_name="Bash", tool_use_id="t4", tool_input={}, tool_response={"stdout": "4"})
    agent.send(
        "PostToolUseFailure", tool_name="Bash", tool_use_id="t3", tool_input={}, error="stopped", is_interrupt=True
    )
    agent.send("PreToolUse", tool_name="Edit", tool_input={"file_path": "/a"}, tool_use_id="t5")
    agent.send(
        "PostToolBatch",
        tool_calls=[
            {"tool_name": "Bash", "tool_use_id": "t4", "tool_input": {}, "tool_response": {"stdout": "4"}},
            {"tool_name": "Edit", "tool_use_id": "t5", "tool_response": "<tool_use_error>not read</tool_use_error>"},
        ],
    )
    agent.send("PreToolUse", tool_name="Bash", tool_input={"command": "npm publish"}, tool_use_id="t6")
    agent.send("PermissionRequest", tool_name="Bash", tool_input={"command": "npm publish"})
    agent.send("PermissionDenied", tool_name="Bash", tool_input={}, tool_use_id="t6", reason="not allowed")


def _second_turn(agent: Client) -> None:
    """A sub-agent that leaves a call open, a compaction, our own tools, and a call without an end."""
    agent.send("SubagentStart", agent_id="sub", agent_type="Explore")
    agent.send("PreToolUse", tool_name="Read", tool_input={"file_path": "/b"}, tool_use_id="t7", agent_id="sub")
    agent.send("PostToolUse", tool_name="Read", tool_use_id="t7", tool_response="text", agent_id="sub")
    agent.send("PreToolUse", tool_name="Bash", tool_input={"command": "sleep 9"}, tool_use_id="t8", agent_id="sub")
    agent.send("SubagentStop", agent_id="sub", agent_type="Explore", last_assistant_message="gone")
    agent.send("PreCompact", trigger="auto")
    agent.send("PostCompact", trigger="auto", compact_summary="short")
    agent.send("SessionStart", source="compact")
    agent.claude_call("mcp__tallystick__query_ledger", "t9", {"view": "brief"}, tool_response={})
    agent.claude_call(
        "mcp__github__create_issue", "t10", {"title": "A"}, tool_response={"isError": True, "content": []}
    )
    agent.send("PreToolUse", tool_name="Bash", tool_input={"command": "git push"}, tool_use_id="t11")
    agent.send("Stop", last_assistant_message="Released")
    agent.send("SessionEnd", reason="prompt_input_exit")


def test_a_session_of_claude_code_is_in_the_journal_call_by_call(home: Home, tmp_path: Path) -> None:
    watched = Watched(home.open(), tmp_path)
    agent = watched.client("claude-code", "5d7c")
    _first_turn(agent)
    watched.drain()  # a drain in the middle changes nothing
    _second_turn(agent)
    watched.drain()
    no_end = "without a reported end"
    transcript = [
        RecordedCall("Bash", {"command": "make"}, "ok"),
        RecordedCall("Bash", {"command": "make test"}, "failed", error="Exit code 2"),
        RecordedCall("Bash", {"command": "curl -X POST a"}, "in_doubt", error="stopped"),
        RecordedCall("Bash", {"command": "curl -X POST a"}, "ok"),
        RecordedCall("Edit", {"file_path": "/a"}, "failed", error="<tool_use_error>not read</tool_use_error>"),
        RecordedCall("Bash", {"command": "npm publish"}, "skipped", error="Denied: not allowed"),
        RecordedCall("Read", {"file_path": "/b"}, "ok", by="sub"),
        RecordedCall("Bash", {"command": "sleep 9"}, "in_doubt", by="sub", error=no_end),
        RecordedCall("mcp__github__create_issue", {"title": "A"}, "failed"),
        RecordedCall("Bash", {"command": "git push"}, "in_doubt", error=no_end),
    ]
    assert [
        each._replace(error=no_end if no_end in each.error else each.error) for each in watched.calls()
    ] == transcript
    kinds = watched.kinds()
    wanted = ("prompt", "permission_asked", "subagent_started", "subagent_ended", "compacting", "compacted", "stopped")
    assert [kinds.count(word) for word in (*wanted, "session_opened", "session_ended")] == [1] * 9
    assert watched.journal.verify().ok


def test_a_session_of_codex_is_completed_from_its_transcript(home: Home, tmp_path: Path) -> None:
    watched = Watched(home.open(), tmp_path)
    agent = watched.client("codex", "0199")
    rollout = tmp_path / "rollout.jsonl"
    done = {"type": "CommandExecution", "status": "completed", "exit_code": 0}
    shown = {"c2": "Exit code: 1", "c4": "aborted by user", "c5": "exec command rejected by user"}
    lines = [
        {"type": "session_meta", "payload": {"id": "0199"}},
        *(
            {"type": "response_item", "payload": {"type": "function_call_output", "call_id": id, "output": output}}
            for id, output in shown.items()
        ),
        {"type": "event_msg", "payload": {"type": "exec_command_end", "call_id": "c2", "exit_code": 1, "stderr": "no"}},
        {"type": "event_msg", "payload": {"type": "mcp_tool_call_end", "call_id": "c3", "result": {"Err": "gone"}}},
        {"type": "event_msg", "payload": {"type": "item_completed", "item": {**done, "id": "c1"}}},
        {"type": "event_msg", "payload": {"type": "item_completed", "item": {**done, "id": "c7"}}},
    ]
    rollout.write_text("not JSON\n" + "\n".join(map(json.dumps, lines)) + '\n{"type": "response_item", "payl')
    agent.send("SessionStart", source="startup")
    agent.send("UserPromptSubmit", prompt="Deploy", turn_id="1")
    agent.claude_call("Bash", "c1", {"command": "make"}, tool_response="built", transcript_path=str(rollout))
    for id, tool in (("c2", "Bash"), ("c3", "mcp__shop__order"), ("c4", "Bash"), ("c5", "Bash"), ("c6", "apply_patch")):
        agent.send("PreToolUse", tool_name=tool, tool_input={"n": id}, tool_use_id=id)
    agent.send("PermissionRequest", tool_name="Bash", tool_input={"n": "c5"})
    agent.send("PreToolUse", tool_name="Bash", tool_input={"n": "c7"}, tool_use_id="c7", agent_id="worker")
    ended = {"tool_use_id": "c7", "tool_response": "x", "agent_id": "worker", "transcript_path": str(rollout)}
    agent.send("PostToolUse", tool_name="Bash", tool_input={}, **ended)
    agent.send("Stop", last_assistant_message="RecordedCall", transcript_path=str(rollout))
    watched.drain()
    states = [each.state for each in watched.calls()]
    assert states == ["ok", "failed", "failed", "in_doubt", "skipped", "open", "ok"], "the patch may end later"
    agent.send("PreCompact", trigger="auto")
    agent.send("PostCompact", trigger="auto")
    agent.send("UserPromptSubmit", prompt="Go on", transcript_path=str(rollout))
    agent.send("SessionEnd", reason="other")
    watched.drain()
    found = watched.calls()
    assert [each.state for each in found] == ["ok", "failed", "failed", "in_doubt", "skipped", "in_doubt", "ok"]
    assert [each.error for each in found[1:4]] == ["no", "gone", "aborted by user"]
    assert "A new prompt arrived" in found[5].error
    assert found[6].by == "worker"
    assert [each.arguments for each in found[1:6]] == [{"n": f"c{number}"} for number in range(2, 7)]


def test_a_session_of_gemini_is_joined_without_any_id(home: Home, tmp_path: Path) -> None:
    watched = Watched(home.open(), tmp_path)
    agent = watched.client("gemini-cli", "gem")

    def begin(path: str, tool: str = "write_file") -> None:
        agent.send("BeforeTool", tool_name=tool, tool_input={"path": path})

    def end(path: str, tool: str = "write_file", **response: object) -> None:
        agent.send("AfterTool", tool_name=tool, tool_input={"path": path}, tool_response=response)

    agent.send("SessionStart", source="startup")
    agent.send("BeforeAgent", prompt="Write")
    for path in ("a", "b", "a"):  # at once, and one of them twice
        begin(path)
    watched.drain()
    end("b", llmContent="b")
    end("a", llmContent="first a")
    end("a", error={"message": "second a", "type": "file_write_failure"})
    begin("c")
    end("c", error={"message": "Cancelled", "type": "execution_cancelled"})
    agent.send("Notification", notification_type="ToolPermission", message="Allow?", details={"tool_name": "run"})
    begin("d", "run")  # the person refuses: no end is reported
    agent.send("PreCompress", trigger="auto")
    agent.send("AfterAgent", prompt="Write", prompt_response="RecordedCall")
    agent.send("BeforeAgent", prompt="Again")
    begin("a")
    end("a", llmContent="third a")
    end("never begun", llmContent="but ended")
    agent.send("SessionEnd", reason="exit")
    watched.drain()
    assert [(each.arguments["path"], each.state) for each in watched.calls()] == [
        ("a", "ok"),
        ("b", "ok"),
        ("a", "failed"),
        ("c", "in_doubt"),
        ("d", "in_doubt"),
        ("a", "ok"),
        ("never begun", "ok"),
    ]
    results = [watched.journal.get_action(action_id=row.id).end_body.get("result") for row in watched.actions()]
    assert results[0] == {"llmContent": "first a"}
    assert results[5] == {"llmContent": "third a"}
    assert "refused, interrupted" in watched.calls()[4].error
