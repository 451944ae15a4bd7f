"""Reads the hook events of Codex CLI, by its published JSON Schemas: the fields of Claude Code, with `turn_id`.

Codex reports no failures. A command that ends with exit code 1 is reported like one that ends with 0, by its output
alone, and an end may be missing. The outcome of such a call is looked up in the transcript (`ingest/transcripts`).
"""

import re
from typing import Any

from tallystick.capture.clients import claude_code
from tallystick.capture.clients.events import CallEnded, Observed, Stopped
from tallystick.capture.clients.payload import Payload, as_text, describe_exit
from tallystick.core.tools import SHELLS

_SHOWN = re.compile(
    r"(?:Chunk ID: [^\n]*\n)?(?:Wall time: [^\n]*\n)?"
    r"(?:(?:Exit code:|Process exited with code) (?P<code>-?[0-9]{1,9})"
    r"|(?P<running>Process running with session ID) \S+)"
    r"(?:\n|\Z)"
)
"""The beginning of what Codex shows the model of a command. The command's own output follows after `Output:`."""
RUNNING = "running"


def read(payload: Payload) -> tuple[Observed, ...]:
    """Read an event; empty if it is unknown."""
    if payload.event == "PostToolUse":
        return (_ended(payload),)
    if payload.event == "Interrupt":
        return (
            Stopped(
                **claude_code.agent_fields(payload),
                text=payload.text("last_assistant_message"),
                interrupted=True,
                transcript=payload.text("transcript_path"),
            ),
        )
    if payload.event in ("PostToolUseFailure", "PostToolBatch", "PermissionDenied", "StopFailure", "Notification"):
        return ()  # Codex has none of these yet: their fields are not known
    return claude_code.read(payload)


def _ended(payload: Payload) -> Observed:
    """The end of a call. Other tools than shells are reported only on success; MCP results have a flag for errors."""
    call, result = claude_code.call_fields(payload), payload.value("tool_response", "tool_result")
    duration = payload.seconds("duration_ms")
    code = exit_code(result)  # not from a text: that is the command's own output
    if code is not None and code != 0:
        error = as_text(result) or describe_exit(code)
        return CallEnded(**call, outcome="failed", result=result, error=error, duration=duration)
    if code is None and call["tool"] in SHELLS:
        transcript = payload.text("transcript_path")
        return CallEnded(
            **call, outcome="unknown", outcome_missing=True, result=result, transcript=transcript, duration=duration
        )
    return CallEnded(**call, **claude_code.result_outcome(result), duration=duration)


def shown_code(text: str) -> int | str | None:
    """The exit code in what the model was shown, or `RUNNING`; None if it has neither."""
    found = _SHOWN.match(text)
    if found is None:
        return None
    return RUNNING if found["running"] else int(found["code"])


def exit_code(result: Any) -> int | None:
    """The exit code in a result object; None if it has none."""
    if not isinstance(result, dict):
        return None
    metadata = result.get("metadata")
    found = result.get("exit_code", metadata.get("exit_code") if isinstance(metadata, dict) else None)
    return found if isinstance(found, int) and not isinstance(found, bool) else None
