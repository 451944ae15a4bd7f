"""Reads a client's payload tolerantly, and the outcome of a shell command by its exit code.

Fields may be missing, of another type, or under an older name.
"""

from typing import Any

from tallystick.capture.hook import event as hook_event
from tallystick.capture.hook import exit_codes
from tallystick.capture.hook.event import UNKNOWN_TOOL
from tallystick.core.formats.fast_json import parse

NO_RESULT = "The client reported the end without a result."
TASK_ACCEPTED = "Accepted as a task; no outcome was reported."
NO_EXIT_CODE = "The client reported no exit code."
STILL_RUNNING = "It was still running when its call was over."


class Payload:
    """The fields of one event. Each is looked up by all the names it ever had; the first that fits is taken."""

    __slots__ = ("event", "fields")

    def __init__(self, fields: object, event: str = "") -> None:
        self.fields: dict[str, Any] = fields if isinstance(fields, dict) else {}
        self.event = event or self.text("hook_event_name", "hookEventName", "hookName")

    def text(self, *names: str) -> str:
        """The first that is text, or a number in its place."""
        return hook_event.text_field(self.fields, *names)

    def value(self, *names: str) -> Any:
        """The first that is present and not null."""
        return next((self.fields[name] for name in names if self.fields.get(name) is not None), None)

    def flag(self, *names: str) -> bool:
        return any(self.fields.get(name) is True for name in names)

    def part(self, *names: str) -> "Payload":
        """An object field; empty if there is none."""
        return Payload(next((self.fields[name] for name in names if isinstance(self.fields.get(name), dict)), None))

    def parts(self, *names: str) -> "list[Payload]":
        """The objects in a list field."""
        items: list[Any] = next((self.fields[name] for name in names if isinstance(self.fields.get(name), list)), [])
        return [Payload(item) for item in items if isinstance(item, dict)]

    def call(self) -> dict[str, Any]:
        """The tool and the arguments of the call, as the hook computed the effect key over them."""
        tool, arguments = hook_event.tool_call(self.event, self.fields) or (
            UNKNOWN_TOOL,
            hook_event.call_arguments(self.fields),
        )
        return {"tool": tool, "arguments": arguments}

    def seconds(self, milliseconds: str, plain: str = "") -> float | None:
        """A duration in seconds, from a field in milliseconds or one in seconds (`plain`)."""
        for name, scale in ((milliseconds, 0.001), (plain, 1.0)):
            value = self.fields.get(name) if name else None
            if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 3.2e9:
                return round(value * scale, 6)
        return None


def decode_json(text: str) -> Any:
    """The value in a text that is a JSON object or list; else the text."""
    if text[:1] in ("{", "["):
        try:
            return parse(text)
        except (ValueError, RecursionError):
            pass
    return text


def is_task(result: dict[str, Any]) -> bool:
    """Whether an MCP result says only that the server works on the call."""
    task = result.get("task")
    return (isinstance(task, dict) and "taskId" in task) or result.get("resultType") == "task"


def as_text(value: Any) -> str:
    """The text in MCP content, an error object, or a list of those."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(filter(None, map(as_text, value)))
    if isinstance(value, dict):
        for name in ("message", "text", "error", "content", "stderr", "output", "reason"):
            text = as_text(value.get(name))
            if text:
                return text
    return ""


def shell_outcome(payload: Payload, result: Any) -> dict[str, Any]:
    """The outcome of a shell command, by what its client wrote after the output.

    It is `ok` only with an exit code of 0. Without an exit code it is `unknown`: a wrong `ok` hides work that was not
    done, a doubt costs one look. A command in the background was started, and no more is known of it.
    """
    how = exit_codes.find_exit(payload.fields)
    if how == "0":
        return {"outcome": "ok", "result": result}
    if not how:
        return {"outcome": "unknown", "result": result, "error": NO_EXIT_CODE}
    if how == exit_codes.RUNNING:
        return {"outcome": "unknown", "result": result, "error": STILL_RUNNING}
    if how == exit_codes.CANCELLED:
        return {"outcome": "unknown", "result": result, "error": "It was cancelled."}
    return {"outcome": "failed", "result": result, "error": describe_exit(how)}


def describe_exit(how: str | int) -> str:
    """How a command failed, in words."""
    return f"It ended with {how}." if isinstance(how, str) and not how.lstrip("-").isdigit() else f"Exit code {how}"
