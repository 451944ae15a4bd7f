"""Normalizes an event: tool name, arguments, client and conversation, equal for hook, drain and gateway.

Effect keys are computed over the tool name and the arguments, so both must be the same everywhere for one call.
Standard library only.
"""

from __future__ import annotations

from tallystick.core.formats.fast_json import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

UNKNOWN_TOOL = "unknown"
"""The name of a tool that a client did not name."""
COPILOT_PREFIX = "tallystick-"
"""How Copilot begins the name of one of our tools: `<server>-<tool>`. With other servers it is not known where the
server's name ends, since both parts may contain dashes: such a name stays as it is."""
MAX_TOOL_NAME = 200
"""Characters of a tool's name in the journal."""
MAX_CONVERSATION_NAME = 180
_SHELL_EVENTS = ("beforeshellexecution", "aftershellexecution")
_MCP_EVENTS = ("beforemcpexecution", "aftermcpexecution")
_ARGUMENT_FIELDS = ("tool_input", "toolArgs", "tool_args", "toolInput")
_CONVERSATION_FIELDS = {"cursor": ("conversation_id", "session_id"), "copilot": ("sessionId", "session_id")}
"""The fields in which a client puts its id of a conversation; the others have one field for it."""
_CONVERSATION_PREFIXES = {"codex": "thread"}
"""Codex names a conversation to MCP servers as a thread; the others use the client's name."""


def mcp_tool_name(server: str, tool: str) -> str:
    """`mcp__<server>__<tool>`. A tool behind our gateway has the name of its upstream server."""
    if is_own_server(server) and "__" in tool:
        return f"mcp__{tool}"
    return f"mcp__{server}__{tool}"


def journal_tool_name(tool: str) -> str:
    """A tool's name for the journal, from the name that the client shows."""
    parts = tool.split("__", 2)
    name = mcp_tool_name(parts[1], parts[2]) if len(parts) == 3 and parts[0] == "mcp" else tool
    if tool.startswith(COPILOT_PREFIX):
        name = mcp_tool_name("tallystick", tool.removeprefix(COPILOT_PREFIX))
    return "".join(letter for letter in name if letter.isprintable()).strip()[:MAX_TOOL_NAME] or UNKNOWN_TOOL


def is_own_server(server: str) -> bool:
    """Whether a server's name is ours, alone or as a plugin's: `plugin_tallystick_tallystick`."""
    return server == "tallystick" or (server.startswith("plugin_") and server.endswith("_tallystick"))


def tool_call(event: str, payload: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """The tool and the arguments of a call; None if the event is not about one call.

    The fields distinguish the clients' events, since some clients run hooks that were made for another.
    """
    if event.lower() in _SHELL_EVENTS:
        return "Shell", {name: payload[name] for name in ("command", "cwd") if isinstance(payload.get(name), str)}
    if event.lower() == "afterfileedit":
        return "Write", {"file_path": text_field(payload, "file_path"), "edits": payload.get("edits") or []}
    tool = text_field(payload, "tool_name", "toolName")
    if not tool:
        return None
    server = _mcp_server(payload)
    if server and not tool.startswith("mcp__"):
        context = payload.get("mcp_context")
        name = text_field(context, "tool_name") if isinstance(context, dict) else ""
        tool = mcp_tool_name(server, name or tool.removeprefix(f"mcp_{server}_").removeprefix("MCP:"))
    elif event.lower() in _MCP_EVENTS and not tool.startswith(("mcp__", "MCP:")):
        tool = f"MCP:{tool}"
    return journal_tool_name(tool), call_arguments(payload)


def _mcp_server(payload: dict[str, Any]) -> str:
    for name, inner in (("mcp_context", "server_name"), ("mcp_server", "name")):
        part = payload.get(name)
        if isinstance(part, dict) and (server := text_field(part, inner)):
            return server
    return text_field(payload, "mcp_server_name", "server_name", "mcpServerName")


def text_field(payload: dict[str, Any], *names: str) -> str:
    """The first of these fields that is text, or a number in its place."""
    for name in names:
        value = payload.get(name)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return ""


def call_arguments(payload: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call. Some clients send them as JSON in a text; another value becomes the argument `input`."""
    value = next((payload[name] for name in _ARGUMENT_FIELDS if payload.get(name) is not None), None)
    if isinstance(value, str) and value[:1] in ("{", "["):
        value = _parse_or_text(value)
    if isinstance(value, dict):
        return value
    return {} if value is None else {"input": value}


def _parse_or_text(text: str) -> Any:
    try:
        return parse(text)
    except (ValueError, RecursionError):
        return text


def detect_client(client: str, fields: dict[str, Any]) -> str:
    """The client that sent an event: that of the hook line, unless the payload has fields of another client only.

    Cursor, Copilot and VS Code run the hooks in Claude Code's settings too.
    """
    if client == "claude-code":
        if fields.get("cursor_version") is not None or fields.get("workspace_roots") is not None:
            return "cursor"
        if fields.get("timestamp") is not None and not _is_claude(fields):  # Copilot always sends one
            return "copilot"
    return client


def _is_claude(fields: dict[str, Any]) -> bool:
    """Whether a payload with a timestamp is Claude Code's all the same: it sends none yet, and may some day.

    Claude Code names its transcript in every event, Copilot in few: then with a reason for a stop, or in a folder of
    its own. In VS Code, Copilot writes field names as JavaScript does, and passes on the model's id of a call.
    """
    path = text_field(fields, "transcript_path")
    if "/.copilot/" in path or "GitHub.copilot-chat" in path or text_field(fields, "sessionId", "hookEventName"):
        return False
    has_claude_id = text_field(fields, "tool_use_id").startswith("toolu_")
    if text_field(fields, "permission_mode") or "/.claude/" in path or has_claude_id:
        return True
    has_copilot_fields = fields.get("stop_reason") is not None or fields.get("agent_name") is not None
    return "transcript_path" in fields and not has_copilot_fields


def conversation_id(client: str, fields: dict[str, Any]) -> str:
    """A client's own id of a conversation."""
    return text_field(fields, *_CONVERSATION_FIELDS.get(client, ("session_id",)))


def conversation_name(client: str, id: str) -> str:
    """The name that all sessions of one conversation share, whichever process opens them."""
    name = "".join(letter for letter in id if letter.isprintable())[:MAX_CONVERSATION_NAME]
    if client == "gateway":  # it spools the whole name
        return name
    return f"{_CONVERSATION_PREFIXES.get(client, client)}:{name}" if name else ""
