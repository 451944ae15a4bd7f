"""Reading each client's events: golden payloads with the documented fields, and payloads of any other form."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.capture.clients import CLIENTS, observe
from tallystick.capture.clients.events import AnyObserved, CallObserved, PermissionAsked, UnreadablePayload
from tallystick.capture.hook.event import call_arguments, conversation_name, detect_client, tool_call

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*/*.json"))
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)


def _read(path: Path) -> tuple[str, str, dict[str, Any], Any]:
    golden = json.loads(path.read_text())
    return path.parent.name, golden["event"], golden["payload"], golden["observed"]


@pytest.mark.parametrize("path", GOLDEN, ids=[f"{path.parent.name}/{path.stem}" for path in GOLDEN])
def test_each_documented_event_is_read_as_documented(path: Path) -> None:
    client, event, payload, expected = _read(path)
    assert msgspec.json.decode(msgspec.json.encode(observe(client, event, payload))) == expected


def test_every_client_has_golden_events_from_a_sessions_start_to_its_end() -> None:
    kinds = {
        client: {each["seen"] for path in GOLDEN if path.parent.name == client for each in _read(path)[3]}
        for client in CLIENTS
    }
    for client, found in kinds.items():
        wanted = {"session_started", "prompted", "call_begun", "call_ended", "compacting", "stopped", "session_ended"}
        assert wanted <= found, client


@given(data=st.data())
def test_a_field_that_is_missing_new_or_of_another_type_still_gives_an_observation(data: st.DataObject) -> None:
    client, event, payload, _ = _read(data.draw(st.sampled_from(GOLDEN)))
    for name in data.draw(st.lists(st.sampled_from(sorted(payload)), max_size=4)):
        payload.pop(name, None)
    payload.update(data.draw(st.dictionaries(st.sampled_from([*sorted(payload), "new_field"]) | st.text(), _JSON)))
    found = observe(client, data.draw(st.just(event) | st.text(max_size=10)), payload)
    assert found
    for each in found:
        assert isinstance(each, AnyObserved)
        assert not isinstance(each, CallObserved) or (each.tool and isinstance(each.arguments, dict))


@given(client=st.sampled_from([*CLIENTS, "", "someone"]), event=st.text(max_size=20), payload=_JSON)
def test_input_that_is_no_payload_is_recorded_as_unreadable(client: str, event: str, payload: Any) -> None:
    found = observe(client, event, payload)
    assert found
    assert isinstance(payload, dict) or isinstance(found[0], UnreadablePayload)


def test_hooks_of_claude_code_that_another_client_runs_are_that_clients() -> None:
    cursor = {"conversation_id": "c1", "cursor_version": "2.4", "tool_name": "Shell", "tool_use_id": "t1"}
    copilot = {"session_id": "c2", "timestamp": "2026-11-16T07:00:00Z", "tool_name": "Bash", "tool_input": {}}
    assert detect_client("claude-code", cursor) == "cursor"
    assert detect_client("claude-code", copilot) == "copilot"
    assert detect_client("claude-code", {"session_id": "c3", "transcript_path": "/t"}) == "claude-code"
    for own in ({"permission_mode": "plan"}, {"transcript_path": "/x/.claude/p/t"}, {"tool_use_id": "toolu_1"}):
        timed = {"session_id": "c3", "timestamp": "2026-01-01T00:00:00Z", **own}
        assert detect_client("claude-code", timed) == "claude-code"
    assert [each.conversation for each in observe("claude-code", "preToolUse", cursor)] == ["c1"]
    assert [each.conversation for each in observe("claude-code", "PreToolUse", copilot)] == ["c2"]


def test_the_hook_line_names_the_client_unless_the_payload_has_fields_of_another() -> None:
    """Claude Code names its transcript in every event, though it may be empty; it may give a time some day."""
    timed = {"session_id": "c3", "timestamp": "2026-01-01T00:00:00Z", "tool_name": "Bash", "tool_use_id": "call_1"}
    for path in ("", None, "/elsewhere/projects/p/c3.jsonl"):
        assert detect_client("claude-code", {**timed, "transcript_path": path}) == "claude-code"
    stopped = {"transcript_path": "/elsewhere/s/events.jsonl", "stop_reason": "end_turn"}
    for theirs in (
        {},
        stopped,
        {"transcript_path": "/ana/.copilot/session-state/1/events.jsonl"},
        {"transcript_path": "/t", "sessionId": "c3"},
    ):
        assert detect_client("claude-code", {**timed, **theirs}) == "copilot"
    assert detect_client("codex", timed) == "codex"


def test_the_sessions_of_a_conversation_share_the_name_that_mcp_servers_give_it() -> None:
    names = {client: conversation_name(client, "x") for client in CLIENTS}
    assert names == {
        "claude-code": "claude-code:x",
        "codex": "thread:x",
        "gemini-cli": "gemini-cli:x",
        "cursor": "cursor:x",
        "copilot": "copilot:x",
    }


_ARGUMENTS = st.sampled_from([{"a": 1}, '{"a":1}', "[1]", "x", None, 5])
_SERVER = st.sampled_from(["s", "tallystick", ""])
_SHAPES = st.fixed_dictionaries(
    {},
    optional={
        "tool_name": st.sampled_from(["Bash", "mcp__s__t", "mcp_s_t", "MCP:t", "a/b", 5, "mcp__tallystick__s__t", ""]),
        "toolName": st.sampled_from(["bash", "t"]),
        **dict.fromkeys(("tool_input", "toolArgs", "tool_args", "toolInput"), _ARGUMENTS),
        **dict.fromkeys(("mcp_server_name", "server_name", "mcpServerName"), _SERVER),
        "mcp_server": st.fixed_dictionaries({}, optional={"name": _SERVER}),
        "mcp_context": st.fixed_dictionaries({}, optional={"server_name": _SERVER, "tool_name": st.just("t")}),
        "command": st.sampled_from(["ls", 5]),
        "cwd": st.just("/x"),
        "file_path": st.just("/f"),
        "edits": st.sampled_from([[1], None]),
    },
)
_OF_CALLS = {
    "claude-code": ("PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionDenied"),
    "codex": ("PreToolUse", "PostToolUse"),
    "gemini-cli": ("BeforeTool", "AfterTool"),
    "cursor": (
        *("preToolUse", "postToolUse", "postToolUseFailure", "beforeShellExecution", "afterShellExecution"),
        *("beforeMCPExecution", "afterMCPExecution", "afterFileEdit"),
    ),
    "copilot": ("PreToolUse", "preToolUse", "postToolUse", "postToolUseFailure"),
}


@given(
    st.sampled_from([(client, event) for client, events in _OF_CALLS.items() for event in events]),
    _SHAPES,
)
def test_a_call_is_recorded_with_the_tool_and_arguments_of_its_effect_key(
    case: tuple[str, str], payload: dict[str, Any]
) -> None:
    client, event = case
    [fact] = observe(client, event, payload)
    assert isinstance(fact, CallObserved)
    assert not isinstance(fact, PermissionAsked)
    assert (fact.tool, fact.arguments) == (tool_call(event, payload) or ("unknown", call_arguments(payload)))
