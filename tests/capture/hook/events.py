"""One payload for each event of each client, by the fields that the clients document. Values are ours."""

import json
from typing import Any

CALL = {"tool_name": "Bash", "tool_input": {"command": "ls -la"}, "tool_use_id": "toolu_01"}
_CLAUDE = {"session_id": "s-1", "transcript_path": "/tmp/t.jsonl", "cwd": "/tmp", "permission_mode": "default"}
_CODEX = {**_CLAUDE, "model": "gpt-5.5", "turn_id": "t-1"}
_GEMINI = {
    "session_id": "s-1",
    "transcript_path": "/tmp/t.json",
    "cwd": "/tmp",
    "timestamp": "2026-01-01T00:00:00.000Z",
}
_GEMINI_CALL = {
    "tool_name": "mcp_files_write",
    "tool_input": {"path": "a"},
    "mcp_context": {"server_name": "files", "tool_name": "write", "command": "npx"},
}
_CURSOR = {
    "conversation_id": "s-1",
    "generation_id": "g-1",
    "model": "m",
    "cursor_version": "2.4.0",
    "workspace_roots": ["/tmp"],
    "user_email": "a@example.com",
    "transcript_path": None,
}
_COPILOT = {"sessionId": "s-1", "timestamp": 1704614400000, "cwd": "/tmp"}
_COPILOT_CALL = {"toolName": "bash", "toolArgs": '{"command":"ls"}'}
_VSCODE = {"session_id": "s-1", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/tmp"}

EVENTS: dict[str, dict[str, dict[str, Any]]] = {
    "claude-code": {
        "SessionStart": {"source": "startup", "model": "claude"},
        "UserPromptSubmit": {"prompt": "do it"},
        "PreToolUse": CALL,
        "PostToolUse": {**CALL, "tool_response": {"stdout": "a"}, "duration_ms": 12},
        "PostToolUseFailure": {**CALL, "error": "no", "is_interrupt": False},
        "PostToolBatch": {"tool_calls": [CALL]},
        "PermissionRequest": {"tool_name": "Bash", "tool_input": {"command": "ls"}},
        "PermissionDenied": {**CALL, "reason": "no"},
        "SubagentStart": {"agent_id": "a-1", "agent_type": "Explore"},
        "SubagentStop": {"agent_id": "a-1", "agent_type": "Explore", "stop_hook_active": False},
        "PreCompact": {"trigger": "auto", "custom_instructions": ""},
        "PostCompact": {"trigger": "auto", "compact_summary": "so far"},
        "Stop": {"stop_hook_active": False, "last_assistant_message": "done"},
        "StopFailure": {"error": "rate_limit"},
        "SessionEnd": {"reason": "other"},
        "Notification": {"message": "waiting"},
    },
    "codex": {
        "SessionStart": {"source": "compact"},
        "UserPromptSubmit": {"prompt": "do it"},
        "PreToolUse": CALL,
        "PermissionRequest": {"tool_name": "Bash", "tool_input": {"command": "ls"}},
        "PostToolUse": {**CALL, "tool_response": "a"},
        "PreCompact": {"trigger": "manual"},
        "PostCompact": {"trigger": "manual"},
        "SubagentStart": {"agent_id": "a-1", "agent_type": "worker"},
        "SubagentStop": {"agent_id": "a-1", "agent_type": "worker", "stop_hook_active": False},
        "Stop": {"stop_hook_active": False, "last_assistant_message": None},
        "SessionEnd": {"reason": "other"},
    },
    "gemini-cli": {
        "SessionStart": {"source": "startup"},
        "BeforeAgent": {"prompt": "do it"},
        "BeforeTool": _GEMINI_CALL,
        "AfterTool": {**_GEMINI_CALL, "tool_response": {"llmContent": "ok", "returnDisplay": "ok"}},
        "AfterAgent": {"prompt": "do it", "prompt_response": "done", "stop_hook_active": False},
        "PreCompress": {"trigger": "auto"},
        "Notification": {"notification_type": "ToolPermission", "message": "may I", "details": {}},
        "SessionEnd": {"reason": "exit"},
    },
    "cursor": {
        "sessionStart": {"session_id": "s-1", "is_background_agent": False, "composer_mode": "agent"},
        "beforeSubmitPrompt": {"prompt": "do it"},
        "preToolUse": {**CALL, "cwd": "/tmp"},
        "postToolUse": {**CALL, "tool_output": "a", "duration": 5},
        "postToolUseFailure": {**CALL, "error_message": "no", "failure_type": "error", "is_interrupt": False},
        "beforeShellExecution": {"command": "ls", "cwd": "/tmp"},
        "afterShellExecution": {"command": "ls", "output": "a", "duration": 5},
        "beforeMCPExecution": {"tool_name": "write", "tool_input": '{"path":"a"}', "command": "npx"},
        "afterMCPExecution": {"tool_name": "write", "tool_input": '{"path":"a"}', "result_json": "{}"},
        "afterFileEdit": {"file_path": "/tmp/a", "edits": [{"old_string": "a", "new_string": "b"}]},
        "preCompact": {"trigger": "auto", "context_usage_percent": 90},
        "stop": {"status": "completed", "loop_count": 0},
        "sessionEnd": {"reason": "completed", "duration_ms": 5},
    },
    "copilot": {
        "sessionStart": {"source": "new", "initialPrompt": "do it"},
        "userPromptSubmitted": {"prompt": "do it"},
        "preToolUse": _COPILOT_CALL,
        "permissionRequest": _COPILOT_CALL,
        "postToolUse": {**_COPILOT_CALL, "toolResult": {"resultType": "success", "textResultForLlm": "a"}},
        "postToolUseFailure": {**_COPILOT_CALL, "error": "no"},
        "agentStop": {"transcriptPath": "/tmp/t", "stopReason": "end_turn", "stop_hook_active": False},
        "errorOccurred": {"error": {"message": "no", "name": "Error"}},
        "preCompact": {"trigger": "auto", "customInstructions": ""},
        "sessionEnd": {"reason": "complete"},
        "SessionStart": {"source": "new"},
        "PreToolUse": CALL,
        "PostToolUse": {**CALL, "tool_result": {"result_type": "success", "text_result_for_llm": "a"}},
        "PreCompact": {"trigger": "auto", "transcript_path": "/ana/.copilot/s/events.jsonl"},
        "Stop": {"stop_reason": "end_turn", "stop_hook_active": False},
    },
}
_BASES: dict[str, dict[str, Any]] = {
    "claude-code": _CLAUDE,
    "codex": _CODEX,
    "gemini-cli": _GEMINI,
    "cursor": _CURSOR,
}
CASES = [(client, event) for client, events in EVENTS.items() for event in events]


def payload(client: str, event: str, **more: Any) -> dict[str, Any]:
    """The payload that the client sends. Copilot's camelCase events have no name: it is in the command."""
    named = {"hook_event_name": event}
    base = _BASES.get(client) or (_VSCODE if event[0].isupper() else _COPILOT)
    return {**base, **({} if base is _COPILOT else named), **EVENTS[client][event], **more}


def encoded(client: str, event: str, **more: Any) -> bytes:
    return json.dumps(payload(client, event, **more)).encode()


def options(client: str, event: str) -> list[str]:
    """The options that the configured command adds for an event."""
    return ["--event", event] if client == "copilot" and event[0].islower() else []


def silence(client: str, event: str) -> dict[str, str] | None:
    """The answer of a hook that has nothing to report.

    Only Cursor's gate for all tools takes silence for failure. Where it compacts, Claude Code passes any output to
    the model that writes the summary, so the hook prints nothing there.
    """
    if client == "claude-code" and event in ("PreCompact", "PostCompact"):
        return None
    return {"permission": "allow"} if (client, event) == ("cursor", "preToolUse") else {}
