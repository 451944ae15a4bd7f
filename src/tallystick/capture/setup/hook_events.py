"""The hook events of each client, and the form in which a client writes a hook down.

Every client has its own names for the same moments. Some have two events for one call: Cursor has one for every tool
and another for shells, files and MCP. Setup uses the general one, since both would record the call twice.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal

from msgspec import Struct

RECORD_SECONDS = 10
"""Time limit of a hook that appends one record."""
BRIEF_SECONDS = 30
"""Time limit of a hook that asks for the brief, or for calls in doubt."""
FINAL_SECONDS = 3
"""Time limit of a hook while the client is about to end."""

Shape = Literal["grouped", "flat"]


class Event(Struct, frozen=True):
    """One event: its time limit, whether it takes a matcher of tools, and whether it comes before or after a call.

    `needs_name`: the payload does not contain the event's name, so the command line does.
    """

    name: str
    seconds: int = RECORD_SECONDS
    has_matcher: bool = False
    call: Literal["before", "after"] | None = None
    needs_name: bool = False


class ClientHooks(Struct, frozen=True):
    """The hooks of a client.

    - `shape`: `grouped` is `{Event: [{matcher, hooks: [handler]}]}`, `flat` is `{Event: [handler]}`.
    - `command_key`, `timeout_key`: the keys of a handler's command and of its time limit.
    - `units_per_second`: the unit of the time limit.
    - `handler_fields`: what every handler contains.
    - `strict_fields`: what the handler before a call contains if it is strict. None: the client cannot refuse a call.
    - `file_fields`: what a hooks file contains at its top.
    """

    shape: Shape
    events: tuple[Event, ...]
    command_key: str = "command"
    timeout_key: str = "timeout"
    units_per_second: int = 1
    matcher: str = "*"
    handler_fields: Mapping[str, Any] = MappingProxyType({"type": "command"})
    strict_fields: Mapping[str, Any] | None = MappingProxyType({})
    file_fields: Mapping[str, Any] = MappingProxyType({})


def _before(name: str) -> Event:
    return Event(name, has_matcher=True, call="before")


def _after(name: str) -> Event:
    return Event(name, has_matcher=True, call="after")


HOOKS: dict[str, ClientHooks] = {
    "claude-code": ClientHooks(
        "grouped",
        (
            Event("SessionStart", BRIEF_SECONDS),
            Event("UserPromptSubmit"),
            _before("PreToolUse"),
            Event("PermissionRequest", has_matcher=True),
            Event("PermissionDenied", has_matcher=True),
            _after("PostToolUse"),
            Event("PostToolUseFailure", has_matcher=True),
            Event("PostToolBatch"),
            Event("SubagentStart"),
            Event("SubagentStop"),
            Event("PreCompact"),
            Event("PostCompact"),
            Event("Stop", BRIEF_SECONDS),
            Event("StopFailure"),
            Event("SessionEnd", FINAL_SECONDS),
        ),
        strict_fields={"onFailure": "block"},
    ),
    "codex": ClientHooks(
        "grouped",
        (
            Event("SessionStart", BRIEF_SECONDS),
            Event("UserPromptSubmit"),
            _before("PreToolUse"),
            Event("PermissionRequest", has_matcher=True),
            _after("PostToolUse"),
            Event("SubagentStart"),
            Event("SubagentStop"),
            Event("PreCompact"),
            Event("PostCompact"),
            Event("Interrupt", FINAL_SECONDS),
            Event("Stop", BRIEF_SECONDS),
            Event("SessionEnd", FINAL_SECONDS),
        ),
        strict_fields=None,
    ),
    "gemini-cli": ClientHooks(
        "grouped",
        (
            Event("SessionStart", BRIEF_SECONDS),
            Event("BeforeAgent"),
            _before("BeforeTool"),
            _after("AfterTool"),
            Event("Notification"),
            Event("PreCompress"),
            Event("AfterAgent", BRIEF_SECONDS),
            Event("SessionEnd", FINAL_SECONDS),
        ),
        units_per_second=1000,
        handler_fields={"name": "tallystick", "type": "command"},
    ),
    "cursor": ClientHooks(
        "flat",
        (
            Event("sessionStart", BRIEF_SECONDS),
            Event("beforeSubmitPrompt"),
            Event("preToolUse", call="before"),
            Event("postToolUse", call="after"),
            Event("postToolUseFailure"),
            Event("subagentStart"),
            Event("subagentStop"),
            Event("preCompact"),
            Event("stop", BRIEF_SECONDS),
            Event("sessionEnd", FINAL_SECONDS),
        ),
        handler_fields={},
        strict_fields={"failClosed": True},
        file_fields={"version": 1},
    ),
    "copilot": ClientHooks(
        "flat",
        (
            Event("SessionStart", BRIEF_SECONDS),
            Event("UserPromptSubmit"),
            Event("PreToolUse", call="before"),
            Event("permissionRequest", needs_name=True),
            Event("PostToolUse", call="after"),
            Event("PostToolUseFailure"),
            Event("subagentStart", needs_name=True),
            Event("SubagentStop"),
            Event("PreCompact"),
            Event("Stop", BRIEF_SECONDS),
            Event("SessionEnd", FINAL_SECONDS),
        ),
        command_key="bash",
        timeout_key="timeoutSec",
        file_fields={"version": 1},
    ),
}
"""By client. Copilot sends an event that is written with a capital letter in the format of Claude Code, with the
event's own name. The two events without such a form need their name on the command line."""


CommandLine = Callable[[str, bool], str]
"""Makes the command line from the event's name (empty unless the event needs it) and whether it is strict."""


def event_elements(client: str, command_line: CommandLine, *, strict: bool = False) -> dict[str, dict[str, Any]]:
    """Our element for the list of each event. Only the one before a call is strict, if the client supports that."""
    hooks = HOOKS[client]
    can_refuse = strict and hooks.strict_fields is not None
    return {
        event.name: _element(hooks, event, command_line, can_refuse and event.call == "before")
        for event in hooks.events
    }


def handlers_of(client: str, element: Any) -> list[dict[str, Any]]:
    """The handlers in one element of an event's list, ours and others'."""
    found = element.get("hooks") if HOOKS[client].shape == "grouped" and isinstance(element, dict) else [element]
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def handler_command(client: str, handler: dict[str, Any]) -> str:
    """The command line of a handler; empty for a handler of another type."""
    return str(handler.get(HOOKS[client].command_key) or handler.get("command") or "")


def _element(hooks: ClientHooks, event: Event, command_line: CommandLine, strict: bool) -> dict[str, Any]:
    handler = {
        **hooks.handler_fields,
        hooks.command_key: command_line(event.name if event.needs_name else "", strict),
        hooks.timeout_key: event.seconds * hooks.units_per_second,
        **((hooks.strict_fields or {}) if strict else {}),
    }
    if hooks.shape == "flat":
        return handler
    return {**({"matcher": hooks.matcher} if event.has_matcher else {}), "hooks": [handler]}
