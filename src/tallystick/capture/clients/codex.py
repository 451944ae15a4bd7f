"""Codex CLI: its hooks by the JSON Schemas that it publishes. The fields are those of Claude Code, with `turn_id`.

It tells no failure. A command that ends with exit code 1 is told like one that ends with 0, by its output alone; an end
may also be missing. What came of such a call is looked up in the transcript, see `transcripts`.
"""

import re
from typing import Any

from tallystick.capture.clients import claude_code, payload
from tallystick.capture.clients.events import CallEnded, Observed, Stopped
from tallystick.capture.clients.payload import Payload, as_text
from tallystick.core.tools import SHELLS

_SHOWN = re.compile(
    r"(?:Chunk ID: [^\n]*\n)?(?:Wall time: [^\n]*\n)?"
    r"(?:(?:Exit code:|Process exited with code) (?P<code>-?[0-9]{1,9})"
    r"|(?P<running>Process running with session ID) \S+)"
    r"(?:\n|\Z)"
)
"""How Codex begins what it shows the model of a command; what the command printed comes behind `Output:`."""
RUNNING = "running"


def read(told: Payload) -> tuple[Observed, ...]:
    if told.event == "PostToolUse":
        return (_ended(told),)
    if told.event == "Interrupt":
        return (
            Stopped(
                **claude_code.of(told),
                text=told.text("last_assistant_message"),
                interrupted=True,
                transcript=told.text("transcript_path"),
            ),
        )
    if told.event in ("PostToolUseFailure", "PostToolBatch", "PermissionDenied", "StopFailure", "Notification"):
        return ()  # Codex has none of these yet, and what they would hold is not known
    return claude_code.read(told)


def _ended(told: Payload) -> Observed:
    """Tools other than shells are told only when they succeeded. MCP results say themselves whether they are errors."""
    call, result = claude_code.call(told), told.value("tool_response", "tool_result")
    duration = told.seconds("duration_ms")
    code = exit_code(result)  # a text is what the command has printed, and may say anything
    if code is not None and code != 0:
        error = as_text(result) or payload.describe_exit(code)
        return CallEnded(**call, outcome="failed", result=result, error=error, duration=duration)
    if code is None and call["tool"] in SHELLS:
        transcript = told.text("transcript_path")
        return CallEnded(
            **call, outcome="unknown", outcome_missing=True, result=result, transcript=transcript, duration=duration
        )
    return CallEnded(**call, **claude_code.came(result), duration=duration)


def shown_code(text: str) -> int | str | None:
    """The exit code in what the model was shown, or that the command was running still; None where it tells neither."""
    found = _SHOWN.match(text)
    if found is None:
        return None
    return RUNNING if found["running"] else int(found["code"])


def exit_code(result: Any) -> int | None:
    """The exit code that an object tells; None where it tells none."""
    if not isinstance(result, dict):
        return None
    metadata = result.get("metadata")
    found = result.get("exit_code", metadata.get("exit_code") if isinstance(metadata, dict) else None)
    return found if isinstance(found, int) and not isinstance(found, bool) else None
