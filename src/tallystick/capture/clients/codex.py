"""Codex CLI: its hooks by the JSON Schemas that it publishes. The fields are those of Claude Code, with `turn_id`.

It tells no failure: an end that is missing is looked up in the transcript, see `transcripts`.
"""

import re
from typing import Any

from tallystick.capture.clients import claude
from tallystick.capture.observed import CallEnded, Observed, Stopped
from tallystick.capture.payloads import Payload, as_text, decoded

_EXIT = re.compile(r"^(?:\AExit code:|Process exited with code) (-?[0-9]{1,9})$", re.MULTILINE | re.IGNORECASE)
"""How Codex begins what it shows the model of a command that has ended."""


def read(told: Payload) -> tuple[Observed, ...]:
    if told.event == "PostToolUse":
        result = told.value("tool_response", "tool_result")
        return (CallEnded(**claude.call(told), **came(result), duration=told.seconds("duration_ms")),)
    if told.event == "Interrupt":
        return (
            Stopped(
                **claude.of(told),
                text=told.text("last_assistant_message"),
                interrupted=True,
                transcript=told.text("transcript_path"),
            ),
        )
    if told.event in ("PostToolUseFailure", "PostToolBatch", "PermissionDenied", "StopFailure", "Notification"):
        return ()  # Codex has none of these yet, and what they would hold is not known
    return claude.read(told)


def came(result: Any) -> dict[str, Any]:
    """What came of a call: a result may hold the exit code of a command, in an object, as JSON or in words."""
    inner = decoded(result) if isinstance(result, str) else result
    code = exit_code(inner)
    if code:
        return {"outcome": "failed", "result": result, "error": as_text(inner) or f"It ended with exit code {code}."}
    return claude.came(result)


def exit_code(result: Any) -> int:
    """The exit code that a result tells; 0 where it tells none."""
    if isinstance(result, str):
        told = _EXIT.search(result[:400])
        return int(told[1]) if told else 0
    if not isinstance(result, dict):
        return 0
    metadata = result.get("metadata")
    found = result.get("exit_code", metadata.get("exit_code") if isinstance(metadata, dict) else None)
    return found if isinstance(found, int) and not isinstance(found, bool) else 0
