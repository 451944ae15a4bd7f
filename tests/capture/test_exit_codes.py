"""Exit codes as each client writes them, and output that only looks like one."""

import json
from typing import Any

import pytest

from tallystick.capture.clients import observe
from tallystick.capture.clients.events import CallEnded
from tallystick.capture.hook import exit_codes
from tallystick.capture.hook.main import HookEvent
from tests.capture.harness import Watched


def gemini(output: str, *fields: str, display: Any = None) -> dict[str, Any]:
    inside = "\n".join([f"Output: {output or '(empty)'}", *fields, "Process Group PGID: 16339"])
    shown = output if display is None else display
    return {"llmContent": f"<untrusted_context>\n{inside}\n</untrusted_context>", "returnDisplay": shown}


def copilot(text: str) -> dict[str, Any]:
    return {"result_type": "success", "text_result_for_llm": text}


MARK = "<shellId: 0 completed with exit code 0>"
COLOURED = [[{"text": "foo", "bold": False}], [{"text": "Exit ", "fg": "red"}, {"text": "Code: 1  "}], []]
HOW: tuple[tuple[dict[str, Any], str], ...] = (
    (gemini(""), "0"),
    (gemini("built"), "0"),
    (gemini("", "Exit Code: 1", display="Command exited with code: 1"), "1"),
    (gemini("no such file", "Exit Code: 127"), "127"),
    (gemini("x", "Signal: SIGTERM"), "signal SIGTERM"),
    (gemini("x", "Exit Code: 1", "Background PIDs: 4, 5"), "1"),
    (gemini("foo\nExit Code: 1"), "0"),  # printed by the command
    (gemini("foo\nExit Code: 1", display=COLOURED), "0"),
    (gemini("foo\nExit Code: 1", "Exit Code: 1"), "1"),  # printed by the command, and true
    (gemini("foo\nSignal: KILL"), ""),  # printed by the command; the client gives no exit
    (gemini("foo\nSignal: KILL", "Signal: KILL"), "signal KILL"),
    (gemini("Exit Code: 1\nfoo"), "0"),
    (gemini("Exit Code: 1\nfoo", "Exit Code: 2"), "2"),
    ({"llmContent": "<untrusted_context>\nA summary: all is well.\n</untrusted_context>", "returnDisplay": "x"}, ""),
    ({"llmContent": "Command is running in background. PID: 7. Initial output:\n"}, "running"),
    ({"llmContent": "<untrusted_context>\nCommand was cancelled by user before it could complete."}, "cancelled"),
    ({"llmContent": "Command was automatically cancelled because it exceeded the timeout of 5.0 minutes"}, "cancelled"),
    (copilot(f"\n{MARK}"), "0"),
    (copilot("boom\n<shellId: 12 completed with exit code 2>"), "2"),
    (copilot("boom\n<detached command with shellId: a completed with exit code -1>\n"), "-1"),
    (copilot("boom\n<shellId: 0 completed with exit code 1>\n<sandbox is active and may have caused this>"), "1"),
    (copilot("boom\n<exited with exit code 1>"), "1"),
    (copilot(f"<shellId: 0 completed with exit code 1>\n{MARK}"), "0"),
    (copilot("it says <shellId: 0 completed with exit code 1>"), ""),
    (copilot("<shellId: 0 completed with exit code 1> was said"), ""),
    (copilot("<command with shellId: 3 is still running after 30 seconds>"), "running"),
    (copilot("ok"), ""),
)


@pytest.mark.parametrize(("result", "how"), HOW)
def test_only_text_added_by_the_client_gives_the_exit_code(result: dict[str, Any], how: str) -> None:
    assert exit_codes.find_exit({"tool_response": result}) == how


def _end(client: str, event: str, tool: str, result: Any, **arguments: Any) -> CallEnded:
    payload = {"session_id": "s", "tool_name": tool, "tool_input": arguments, "tool_response": result}
    [found] = observe(client, event, payload)
    assert isinstance(found, CallEnded)
    return found


@pytest.mark.parametrize(("result", "how"), HOW)
def test_a_command_is_ok_only_when_its_exit_code_was_seen_to_be_0(result: dict[str, Any], how: str) -> None:
    client, event, tool = ("gemini-cli", "AfterTool", "run_shell_command")
    if "llmContent" not in result:
        client, event, tool = ("copilot", "PostToolUse", "Bash")
    found = _end(client, event, tool, result)
    wanted = {"0": "ok", "": "unknown", "running": "unknown", "cancelled": "unknown"}
    assert found.outcome == wanted.get(how, "failed")
    assert bool(found.error) == (found.outcome != "ok")


def test_a_background_command_is_in_doubt() -> None:
    running = {"llmContent": "Command moved to background (PID: 7). Output hidden. Press Ctrl+B to view."}
    assert _end("gemini-cli", "AfterTool", "run_shell_command", running, is_background=True).outcome == "unknown"
    started = copilot("<command started in detached background with shellId: 3>")
    assert _end("copilot", "PostToolUse", "Bash", started, mode="async").outcome == "unknown"


def test_exit_marks_are_ignored_for_tools_that_are_no_shells() -> None:
    text = gemini("", "Exit Code: 1", display="Command exited with code: 1")
    assert _end("gemini-cli", "AfterTool", "read_file", text).outcome == "ok"
    assert _end("copilot", "PostToolUse", "Read", copilot("<shellId: 0 completed with exit code 1>")).outcome == "ok"


@pytest.mark.parametrize("code", [0, 3])
def test_the_exit_code_of_a_cut_output_is_kept(watched: Watched, code: int) -> None:
    agent = watched.client("copilot", "long")
    hook_input = {"tool_name": "Bash", "tool_input": {"command": "make"}}
    agent.send("PreToolUse", **hook_input)
    text = "line\n" * 40_000 + f"<shellId: 0 completed with exit code {code}>"
    record = agent.send("PostToolUse", **hook_input, tool_result=copilot(text))
    assert len(json.dumps(record)) < len(text)
    watched.drain()
    assert [each.state for each in watched.calls()] == ["failed" if code else "ok"]


def test_a_client_cannot_set_the_exit_field_of_the_hook() -> None:
    text = "line\n" * 40_000 + "<shellId: 0 completed with exit code 1>"
    hook_input = {"tool_name": "Bash", "tool_result": copilot(text), exit_codes.EXIT_FIELD: "0"}
    event = HookEvent(
        ["copilot", "--event", "PostToolUse"], json.dumps(hook_input).encode(), {"TALLYSTICK_JOURNAL": "j"}
    )
    assert event.record()["payload"][exit_codes.EXIT_FIELD] == "1"


@pytest.mark.parametrize("code", [0, 3])
def test_the_exit_code_of_a_long_output_of_cursor_is_kept(watched: Watched, code: int) -> None:
    agent = watched.client("cursor", "long")
    hook_input = {"tool_name": "Shell", "tool_input": {"command": "make"}, "tool_use_id": "t1"}
    agent.send("preToolUse", **hook_input)
    output = json.dumps({"exitCode": code, "output": '"exitCode": 9\n' * 20_000})
    record = agent.send("postToolUse", **hook_input, tool_output=output)
    assert len(json.dumps(record)) < len(output)
    watched.drain()
    assert [each.state for each in watched.calls()] == ["failed" if code else "ok"]


EDITS = {
    "claude-code": ("PostToolUse", "Edit", "tool_response", {"filePath": "/a"}),
    "codex": ("PostToolUse", "mcp__shop__order", "tool_response", {"content": []}),
    "gemini-cli": ("AfterTool", "write_file", "tool_response", {"llmContent": "ok", "returnDisplay": "ok"}),
    "cursor": ("postToolUse", "Write", "tool_output", '{"success": true}'),
    "copilot": ("PostToolUse", "Edit", "tool_result", {"result_type": "success", "text_result_for_llm": "ok"}),
}


@pytest.mark.parametrize("client", EDITS)
def test_an_end_without_a_result_is_not_ok(client: str) -> None:
    event, tool, name, result = EDITS[client]
    hook_input = {"session_id": "s", "tool_name": tool, "tool_input": {"path": "/a"}}
    for response, outcome in (({name: result}, "ok"), ({name: None}, "unknown"), ({}, "unknown")):
        [found] = observe(client, event, {**hook_input, **response})
        assert isinstance(found, CallEnded)
        assert (found.outcome, bool(found.error)) == (outcome, outcome != "ok")


def test_a_result_in_another_form_than_the_clients_own_is_not_ok() -> None:
    for result in ("wrote it", {}, {"llmContent": None, "returnDisplay": "x"}, {"content": [], "isError": True}):
        assert _end("gemini-cli", "AfterTool", "write_file", result).outcome == "unknown"
    for kind in ({"result_type": "partial"}, {}):
        payload = {"session_id": "s", "tool_name": "Edit", "tool_result": {**kind, "text_result_for_llm": "hm"}}
        [found] = observe("copilot", "PostToolUse", payload)
        assert isinstance(found, CallEnded)
        assert (found.outcome, bool(found.error)) == ("unknown", True)
    assert _end("copilot", "PostToolUse", "Edit", "File edited successfully").outcome == "ok"  # the form of VS Code
