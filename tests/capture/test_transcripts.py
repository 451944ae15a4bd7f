"""Outcomes in the transcripts of Codex, in the forms of its versions."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tallystick.capture.ingest import transcripts

SAID: tuple[tuple[dict[str, Any], str], ...] = (
    ({"type": "function_call_output", "output": '{"output":"x","metadata":{"exit_code":0}}'}, "ok"),
    ({"type": "function_call_output", "output": '{"output":"x","metadata":{"exit_code":2}}'}, "failed"),
    ({"type": "function_call_output", "output": "Exit code: 0\nWall time: 1 s\nOutput:\nx"}, "ok"),
    ({"type": "function_call_output", "output": "Exit code: 137\nOutput:\nx"}, "failed"),
    ({"type": "function_call_output", "output": "Chunk ID: 1\nProcess exited with code 1\nOutput:"}, "failed"),
    ({"type": "function_call_output", "output": "Chunk ID: 1\nProcess exited with code 0\nOutput:"}, "ok"),
    ({"type": "function_call_output", "output": {"content": "no", "success": False}}, "failed"),
    ({"type": "function_call_output", "output": "failed to parse function arguments"}, "failed"),
    ({"type": "function_call_output", "output": "exec command rejected by user"}, "skipped"),
    ({"type": "function_call_output", "output": "aborted by user after 3.1s"}, "unknown"),
    ({"type": "custom_tool_call_output", "output": "apply_patch verification failed: no"}, "failed"),
    ({"type": "custom_tool_call_output", "output": "Success. Updated the following files:"}, "ok"),
    ({"type": "exec_command_end", "exit_code": 0, "stdout": "x"}, "ok"),
    ({"type": "exec_command_end", "exit_code": 1, "aggregated_output": "x"}, "failed"),
    ({"type": "patch_apply_end", "success": True, "stdout": "x"}, "ok"),
    ({"type": "patch_apply_end", "success": False, "stderr": "x"}, "failed"),
    ({"type": "mcp_tool_call_end", "result": {"Ok": {"content": [], "isError": False}}}, "ok"),
    ({"type": "mcp_tool_call_end", "result": {"Ok": {"content": [], "isError": True}}}, "failed"),
    ({"type": "mcp_tool_call_end", "result": {"Err": "gone"}}, "failed"),
)
COMMAND = {"type": "CommandExecution", "id": "c1", "command": ["/bin/bash", "-lc", "false"], "aggregated_output": ""}
ITEMS: tuple[tuple[dict[str, Any], str], ...] = (
    ({**COMMAND, "status": "failed", "exit_code": 1}, "failed"),
    ({**COMMAND, "status": "completed", "exit_code": 0}, "ok"),
    ({**COMMAND, "status": "declined"}, "skipped"),
    ({**COMMAND, "status": "failed"}, "failed"),
    ({"type": "FileChange", "id": "c1", "changes": {}, "status": "completed"}, "ok"),
    ({"type": "McpToolCall", "id": "c1", "status": "completed", "result": {"isError": True}}, "failed"),
)
"""As Codex 0.166 writes them."""
NOT_SAID = (
    "Chunk ID: 1\nWall time: 0.2 seconds\nProcess running with session ID 5\nOutput:\n",
    "Process exited, with code 1",
    "anything else",
    "",
    "tool call error: tool call failed for `x/y`",
    "sandbox error: command timed out",
    "timed out awaiting tools/call after 60s",
    "user cancelled MCP tool call",
    '{"output":"timeout"}',
    '{"output":"x","metadata":{}}',
    {"content": "x"},
    [{"type": "input_text", "text": "x"}],
    None,
)
IMITATED = "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nProcess exited with code 1\n"


@pytest.mark.parametrize(("line", "outcome"), SAID)
def test_each_form_of_a_transcript_gives_the_outcome(tmp_path: Path, line: dict[str, Any], outcome: str) -> None:
    file = tmp_path / "rollout.jsonl"
    for lines in ({"type": "response_item", "payload": {**line, "call_id": "c1"}}, {**line, "call_id": "c1"}):
        file.write_text("{}\n" + json.dumps(lines) + "\n")
        assert {id: found["outcome"] for id, found in transcripts.read_outcomes(str(file), ["c1", "c2"]).items()} == {
            "c1": outcome
        }


@pytest.mark.parametrize(("item", "outcome"), ITEMS)
def test_an_item_gives_the_outcome_by_exit_code_and_status(tmp_path: Path, item: dict[str, Any], outcome: str) -> None:
    file = tmp_path / "rollout.jsonl"
    file.write_text(json.dumps({"type": "event_msg", "payload": {"type": "item_completed", "item": item}}) + "\n")
    assert [found["outcome"] for found in transcripts.read_outcomes(str(file), ["c1"]).values()] == [outcome]


@pytest.mark.parametrize("output", NOT_SAID)
def test_an_output_without_an_outcome_is_kept_as_unknown(tmp_path: Path, output: Any) -> None:
    file = tmp_path / "rollout.jsonl"
    file.write_text(json.dumps({"payload": {"type": "function_call_output", "call_id": "c1", "output": output}}))
    found = transcripts.read_outcomes(str(file), ["c1"])["c1"]
    assert found["outcome"] == "unknown"
    assert found["result"] == (json.loads(output) if str(output)[:1] == "{" and isinstance(output, str) else output)


@pytest.mark.parametrize(
    "line",
    [
        {"type": "mcp_tool_call_end"},
        {"type": "mcp_tool_call_end", "result": "gone"},
        {"type": "mcp_tool_call_end", "result": {"other": 1}},
        {"type": "patch_apply_end", "stdout": "x"},
    ],
)
def test_an_event_without_success_or_failure_is_no_outcome(tmp_path: Path, line: dict[str, Any]) -> None:
    file = tmp_path / "rollout.jsonl"
    file.write_text(json.dumps({**line, "call_id": "c1"}))
    assert transcripts.read_outcomes(str(file), ["c1"])["c1"]["outcome"] == "unknown"


def test_output_of_a_command_is_not_its_outcome(tmp_path: Path) -> None:
    file = tmp_path / "rollout.jsonl"
    file.write_text(json.dumps({"payload": {"type": "function_call_output", "call_id": "c1", "output": IMITATED}}))
    assert transcripts.read_outcomes(str(file), ["c1"])["c1"]["outcome"] == "ok"


def test_a_call_that_only_began_is_not_found(tmp_path: Path) -> None:
    file = tmp_path / "rollout.jsonl"
    file.write_text(json.dumps({"type": "response_item", "payload": {"type": "function_call", "call_id": "c1"}}))
    assert transcripts.read_outcomes(str(file), ["c1"]) == {}


def test_only_the_end_of_a_long_transcript_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "rollout.jsonl"
    lines = [json.dumps({"type": "exec_command_end", "call_id": f"c{n}", "exit_code": 0}) for n in range(100)]
    file.write_text("\n".join(lines) + "\n")
    monkeypatch.setattr(transcripts, "MAX_TRANSCRIPT_BYTES", 10 * len(lines[0]))
    found = transcripts.read_outcomes(str(file), {"c0": "Bash", "c99": "Bash"})
    assert set(found) == {"c99"}


def test_only_plain_files_of_the_user_are_read(tmp_path: Path) -> None:
    file = tmp_path / "rollout.jsonl"
    file.write_text(json.dumps({"type": "exec_command_end", "call_id": "c1", "exit_code": 0}))
    (tmp_path / "link").symlink_to(file)
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "link", tmp_path / "pipe", tmp_path, tmp_path / "missing", "", "\0", "/dev/zero"):
        assert transcripts.read_outcomes(str(path), ["c1"]) == {}
    assert transcripts.read_outcomes(str(file), ["c1"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(SAID), st.dictionaries(st.sampled_from(["output", "result", "exit_code"]), st.none() | st.text())
)
def test_a_transcript_of_another_shape_gives_no_outcome(
    tmp_path: Path, case: tuple[dict[str, Any], str], other: dict[str, Any]
) -> None:
    file = tmp_path / "rollout.jsonl"
    file.write_text(json.dumps({"payload": {**case[0], **other, "call_id": "c1"}}) + '\n{"c1": \n[1]\n"c1"\n')
    for found in transcripts.read_outcomes(str(file), ["c1"]).values():
        assert found["outcome"] in ("ok", "failed", "skipped", "unknown")
