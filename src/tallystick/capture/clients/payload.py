"""A client's payload, read tolerantly: fields may be missing, of another type, or under an older name."""

from typing import Any

from tallystick.capture.hook import event as hook_event
from tallystick.capture.hook import exit_codes
from tallystick.capture.hook.event import UNKNOWN_TOOL
from tallystick.core.formats.fast_json import parse


class Payload:
    """The fields of one event. Each is asked for by all the names it ever had; the first that fits is taken."""

    __slots__ = ("event", "fields")

    def __init__(self, fields: object, event: str = "") -> None:
        self.fields: dict[str, Any] = fields if isinstance(fields, dict) else {}
        self.event = event or self.text("hook_event_name", "hookEventName", "hookName")

    def text(self, *names: str) -> str:
        """The first that is text, or a number that stands where text should."""
        return hook_event.text_field(self.fields, *names)

    def value(self, *names: str) -> Any:
        """The first that is there at all."""
        return next((self.fields[name] for name in names if self.fields.get(name) is not None), None)

    def flag(self, *names: str) -> bool:
        return any(self.fields.get(name) is True for name in names)

    def part(self, *names: str) -> "Payload":
        """An object inside; an empty one where there is none."""
        return Payload(next((self.fields[name] for name in names if isinstance(self.fields.get(name), dict)), None))

    def parts(self, *names: str) -> "list[Payload]":
        found: list[Any] = next((self.fields[name] for name in names if isinstance(self.fields.get(name), list)), [])
        return [Payload(each) for each in found if isinstance(each, dict)]

    def call(self) -> dict[str, Any]:
        """The tool and the arguments of the call that it is about: those that the hook took the effect key over."""
        tool, arguments = hook_event.tool_call(self.event, self.fields) or (
            UNKNOWN_TOOL,
            hook_event.call_arguments(self.fields),
        )
        return {"tool": tool, "arguments": arguments}

    def seconds(self, milliseconds: str, plain: str = "") -> float | None:
        """How long something took, in seconds."""
        for name, scale in ((milliseconds, 0.001), (plain, 1.0)):
            found = self.fields.get(name) if name else None
            if isinstance(found, int | float) and not isinstance(found, bool) and 0 <= found < 3.2e9:
                return round(found * scale, 6)
        return None


def decode_json(text: str) -> Any:
    """The JSON in a text, where it is an object or a list; else the text."""
    if text[:1] in ("{", "["):
        try:
            return parse(text)
        except (ValueError, RecursionError):
            pass
    return text


NO_RESULT = "Its end was told, and no result of it."
TASK_ACCEPTED = "It was accepted as a task; what came of it was not told."


def is_task(result: dict[str, Any]) -> bool:
    """Whether a result of MCP says no more than that the server works on it."""
    task = result.get("task")
    return (isinstance(task, dict) and "taskId" in task) or result.get("resultType") == "task"


def as_text(value: Any) -> str:
    """What a tool or client says, as text: MCP content, an error object, a list of those."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(filter(None, map(as_text, value)))
    if isinstance(value, dict):
        for name in ("message", "text", "error", "content", "stderr", "output", "reason"):
            found = as_text(value.get(name))
            if found:
                return found
    return ""


# ----------------------------------------------------------------------------------------------------------------------
# What came of a shell command, by how it ended.
#
# `ok` is said only where that was seen: an exit code of 0, or a client that tells failures under another event and told
# none (Claude Code). An end of which nobody saw the outcome is `unknown`: an `ok` that is wrong hides work that was not
# done, a doubt costs one look.

NO_EXIT_CODE = "How it ended was not told."
STILL_RUNNING = "It was still running when its call was over."


def shell_outcome(told: Payload, result: Any) -> dict[str, Any]:
    """The outcome of a command, by what its client wrote behind the output. One that was to run in the background has
    been started, and no more is known of it."""
    how = exit_codes.find_exit(told.fields)
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
    """In words how a command failed."""
    return f"It ended with {how}." if isinstance(how, str) and not how.lstrip("-").isdigit() else f"Exit code {how}"
