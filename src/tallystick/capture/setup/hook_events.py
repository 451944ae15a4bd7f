"""Which events of each client are hooked, and how a client writes a hook down: the capture matrix as tables.

Every client has its own words for the same moments. Where one has two events for a call (Cursor has one for every tool
and one more for shells, files and MCP), the general one is taken: both would show the call twice.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal

from msgspec import Struct

QUICK, SLOW, LAST = 10, 30, 3
"""Seconds: to append one line; to ask for the brief; and what a client that is about to end still waits for."""

Shape = Literal["grouped", "flat"]


class Event(Struct, frozen=True):
    """One event: how long its hook may take, whether it takes a matcher of tools, what it says about a call.

    `told` is for an event whose payload does not carry its name: then the command does.
    """

    name: str
    seconds: int = QUICK
    tools: bool = False
    call: Literal["before", "after"] | None = None
    told: bool = False


class Hooks(Struct, frozen=True):
    """The hooks of a client.

    `grouped`: `{Event: [{matcher, hooks: [handler]}]}`; `flat`: `{Event: [handler]}`. `command` is the handler's key
    for the command, `timeout` that for how long it may take, in units of `second`. `always` stands in every handler,
    `strict` in those of the event before a call (None: this client cannot hold a call back), `top` at the top of a file
    of its own.
    """

    shape: Shape
    events: tuple[Event, ...]
    command: str = "command"
    timeout: str = "timeout"
    second: int = 1
    matcher: str = "*"
    always: Mapping[str, Any] = MappingProxyType({"type": "command"})
    strict: Mapping[str, Any] | None = MappingProxyType({})
    top: Mapping[str, Any] = MappingProxyType({})


def _before(name: str) -> Event:
    return Event(name, tools=True, call="before")


def _after(name: str) -> Event:
    return Event(name, tools=True, call="after")


HOOKS: dict[str, Hooks] = {
    "claude-code": Hooks(
        "grouped",
        (
            Event("SessionStart", SLOW),
            Event("UserPromptSubmit"),
            _before("PreToolUse"),
            Event("PermissionRequest", tools=True),
            Event("PermissionDenied", tools=True),
            _after("PostToolUse"),
            Event("PostToolUseFailure", tools=True),
            Event("PostToolBatch"),
            Event("SubagentStart"),
            Event("SubagentStop"),
            Event("PreCompact"),
            Event("PostCompact"),
            Event("Stop", SLOW),
            Event("StopFailure"),
            Event("SessionEnd", LAST),
        ),
        strict={"onFailure": "block"},
    ),
    "codex": Hooks(
        "grouped",
        (
            Event("SessionStart", SLOW),
            Event("UserPromptSubmit"),
            _before("PreToolUse"),
            Event("PermissionRequest", tools=True),
            _after("PostToolUse"),
            Event("SubagentStart"),
            Event("SubagentStop"),
            Event("PreCompact"),
            Event("PostCompact"),
            Event("Interrupt", LAST),
            Event("Stop", SLOW),
            Event("SessionEnd", LAST),
        ),
        strict=None,
    ),
    "gemini-cli": Hooks(
        "grouped",
        (
            Event("SessionStart", SLOW),
            Event("BeforeAgent"),
            _before("BeforeTool"),
            _after("AfterTool"),
            Event("Notification"),
            Event("PreCompress"),
            Event("AfterAgent", SLOW),
            Event("SessionEnd", LAST),
        ),
        second=1000,
        always={"name": "tallystick", "type": "command"},
    ),
    "cursor": Hooks(
        "flat",
        (
            Event("sessionStart", SLOW),
            Event("beforeSubmitPrompt"),
            Event("preToolUse", call="before"),
            Event("postToolUse", call="after"),
            Event("postToolUseFailure"),
            Event("subagentStart"),
            Event("subagentStop"),
            Event("preCompact"),
            Event("stop", SLOW),
            Event("sessionEnd", LAST),
        ),
        always={},
        strict={"failClosed": True},
        top={"version": 1},
    ),
    "copilot": Hooks(
        "flat",
        (
            Event("SessionStart", SLOW),
            Event("UserPromptSubmit"),
            Event("PreToolUse", call="before"),
            Event("permissionRequest", told=True),
            Event("PostToolUse", call="after"),
            Event("PostToolUseFailure"),
            Event("subagentStart", told=True),
            Event("SubagentStop"),
            Event("PreCompact"),
            Event("Stop", SLOW),
            Event("SessionEnd", LAST),
        ),
        command="bash",
        timeout="timeoutSec",
        top={"version": 1},
    ),
}
"""By client. Copilot gives an event that is written with a capital letter its payload under the names of Claude Code,
with the event's own name; the two that have no such form are told theirs."""


CommandLine = Callable[[str, bool], str]
"""The command line for an event that has to be told its name (else empty), strict or not."""


def elements(client: str, line: CommandLine, *, strict: bool = False) -> dict[str, dict[str, Any]]:
    """What stands in the list of each event of a client. Strict is only what comes before a call, where that can be."""
    hooks = HOOKS[client]
    return {
        event.name: _element(hooks, event, line, strict and event.call == "before" and hooks.strict is not None)
        for event in hooks.events
    }


def handlers(client: str, element: Any) -> list[dict[str, Any]]:
    """The handlers in one element of an event's list, whoever wrote it."""
    found = element.get("hooks") if HOOKS[client].shape == "grouped" and isinstance(element, dict) else [element]
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def command_of(client: str, handler: dict[str, Any]) -> str:
    """The command line of a handler; empty for one of another kind."""
    return str(handler.get(HOOKS[client].command) or handler.get("command") or "")


def _element(hooks: Hooks, event: Event, line: CommandLine, strict: bool) -> dict[str, Any]:
    command = line(event.name if event.told else "", strict)
    more = (hooks.strict or {}) if strict else {}
    handler = {**hooks.always, hooks.command: command, hooks.timeout: event.seconds * hooks.second, **more}
    if hooks.shape == "flat":
        return handler
    return {**({"matcher": hooks.matcher} if event.tools else {}), "hooks": [handler]}
