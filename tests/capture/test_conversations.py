"""Client and conversation of an event: the same for the hook and the drain."""

import json
from pathlib import Path
from typing import Any

import pytest

from tallystick.capture.clients import observe
from tallystick.capture.hook.event import conversation_name, detect_client
from tallystick.capture.hook.main import HookEvent

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*/*.json"))
LINES = [(path.parent.name, path) for path in GOLDEN]
LINES += [("claude-code", path) for path in GOLDEN if path.parent.name in ("cursor", "copilot")]
"""Each event by its client's own line, and by Claude Code's where the client runs that too."""
VSCODE = "/ana/.config/Code/User/workspaceStorage/1f/GitHub.copilot-chat/transcripts/v1.jsonl"


@pytest.mark.parametrize(
    ("line", "path"), LINES, ids=[f"{line}-{path.parent.name}-{path.stem}" for line, path in LINES]
)
def test_the_hook_names_the_conversation_as_the_drainer_does(line: str, path: Path) -> None:
    golden = json.loads(path.read_text())
    event, payload = golden["event"], golden["payload"]
    hook_event = HookEvent([line, "--event", event], json.dumps(payload).encode(), {"TALLYSTICK_JOURNAL": "j"})
    [id] = {fact.conversation for fact in observe(line, event, payload)}
    assert hook_event.conversation == conversation_name(detect_client(line, payload), id) != ""


@pytest.mark.parametrize(
    "names",
    [
        {"sessionId": "v1", "hookEventName": "PreToolUse", "transcript_path": "/t"},
        {"session_id": "v1", "hook_event_name": "PreToolUse", "transcript_path": VSCODE},
    ],
)
def test_events_of_vs_code_are_copilots_despite_a_claude_call_id(names: dict[str, Any]) -> None:
    hook_input = {
        "timestamp": "2026-11-16T07:00:00Z",
        "tool_name": "editFiles",
        "tool_use_id": "toolu_bdrk_01",
        **names,
    }
    assert detect_client("claude-code", hook_input) == "copilot"
    [fact] = observe("claude-code", "PreToolUse", hook_input)
    assert fact.conversation == "v1"


def test_an_unknown_event_keeps_its_conversation() -> None:
    hook_input = {
        "conversation_id": "c1",
        "session_id": "s1",
        "cursor_version": "2.4.0",
        "hook_event_name": "afterThought",
    }
    for line in ("cursor", "claude-code"):
        assert [fact.conversation for fact in observe(line, "afterThought", hook_input)] == ["c1"]
