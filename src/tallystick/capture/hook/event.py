"""Which tool an event is about, and with which arguments: what an effect key is taken over.

The same call has the same name and arguments here, in what the drainer makes of the record, and at the gateway.
Standard library only: the hook takes this file along.
"""

from __future__ import annotations

from tallystick.core.formats.fast_json import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


# ----------------------------------------------------------------------------------------------------------------------
# One name for a tool, whoever saw its call: MCP tools are `mcp__<server>__<tool>`, others are as shown.

UNKNOWN_TOOL = "unknown"
"""The name of a tool that a client did not name."""
COPILOT_PREFIX = "tallystick-"
"""How Copilot begins the name of a tool of ours: `<server>-<tool>`. Of another server's tool nobody can tell where the
server's name ends, since both may hold dashes: such a name stays as it is shown."""
MAX_TOOL_NAME = 200
"""How long a name may be in the journal."""


def mcp_tool_name(server: str, tool: str) -> str:
    """The name of an MCP tool. What went through our gateway has the name of its upstream."""
    if is_own_server(server) and "__" in tool:
        return f"mcp__{tool}"
    return f"mcp__{server}__{tool}"


def journal_tool_name(tool: str) -> str:
    """A name as the client shows it, fit for the journal."""
    parts = tool.split("__", 2)
    name = mcp_tool_name(parts[1], parts[2]) if len(parts) == 3 and parts[0] == "mcp" else tool
    if tool.startswith(COPILOT_PREFIX):
        name = mcp_tool_name("tallystick", tool.removeprefix(COPILOT_PREFIX))
    return "".join(letter for letter in name if letter.isprintable()).strip()[:MAX_TOOL_NAME] or UNKNOWN_TOOL


def is_own_server(server: str) -> bool:
    """Whether a server's name is ours, alone or as a plugin's: `plugin_tallystick_tallystick`."""
    return server == "tallystick" or (server.startswith("plugin_") and server.endswith("_tallystick"))


# ----------------------------------------------------------------------------------------------------------------------

_SHELL = ("beforeshellexecution", "aftershellexecution")
_ARGUMENTS = ("tool_input", "toolArgs", "tool_args", "toolInput")
_MCP = ("beforemcpexecution", "aftermcpexecution")


def tool_call(event: str, payload: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """The tool and the arguments, or None when the event is not about one call. Events of all clients are told apart
    by their fields: some clients run hooks that were made for another."""
    if event.lower() in _SHELL:
        return "Shell", {name: payload[name] for name in ("command", "cwd") if isinstance(payload.get(name), str)}
    if event.lower() == "afterfileedit":
        return "Write", {"file_path": text_field(payload, "file_path"), "edits": payload.get("edits") or []}
    tool = text_field(payload, "tool_name", "toolName")
    if not tool:
        return None
    server = _server(payload)
    if server and not tool.startswith("mcp__"):
        context = payload.get("mcp_context")
        inner = text_field(context, "tool_name") if isinstance(context, dict) else ""
        tool = mcp_tool_name(server, inner or tool.removeprefix(f"mcp_{server}_").removeprefix("MCP:"))
    elif event.lower() in _MCP and not tool.startswith(("mcp__", "MCP:")):
        tool = f"MCP:{tool}"
    return journal_tool_name(tool), call_arguments(payload)


def _server(payload: dict[str, Any]) -> str:
    for name, inner in (("mcp_context", "server_name"), ("mcp_server", "name")):
        part = payload.get(name)
        if isinstance(part, dict) and (found := text_field(part, inner)):
            return found
    return text_field(payload, "mcp_server_name", "server_name", "mcpServerName")


def text_field(payload: dict[str, Any], *names: str) -> str:
    """The first of these that is text, or a number that stands where text should."""
    for name in names:
        found = payload.get(name)
        if isinstance(found, str) and found:
            return found
        if isinstance(found, int) and not isinstance(found, bool):
            return str(found)
    return ""


def call_arguments(payload: dict[str, Any]) -> dict[str, Any]:
    """Some clients give them as JSON in a text; what is no object is the argument `input`."""
    found = next((payload[name] for name in _ARGUMENTS if payload.get(name) is not None), None)
    if isinstance(found, str) and found[:1] in ("{", "["):
        found = _decoded(found)
    if isinstance(found, dict):
        return found
    return {} if found is None else {"input": found}


def _decoded(text: str) -> Any:
    try:
        return parse(text)
    except (ValueError, RecursionError):
        return text


# ----------------------------------------------------------------------------------------------------------------------
# Who speaks in an event, and in which conversation: one rule for the hook, which asks about it, and for the drainer.
#
# A line of ours names its client, but Cursor, Copilot and VS Code run the hooks of Claude Code's settings too. Standard
# library only: the hook takes this file along, and loads it when an agent is to be told something.

_ID = {"cursor": ("conversation_id", "session_id"), "copilot": ("sessionId", "session_id")}
"""Where a client puts its id of a conversation; the others have one name for it."""
_PREFIX = {"codex": "thread"}
"""Codex names a conversation to MCP servers as a thread; the others by what they are."""
MAX_CONVERSATION_NAME = 180


def detect_client(client: str, fields: dict[str, Any]) -> str:
    """Which client really speaks. What the line says counts, unless the payload has what only another one gives."""
    if client == "claude-code":
        if fields.get("cursor_version") is not None or fields.get("workspace_roots") is not None:
            return "cursor"
        if fields.get("timestamp") is not None and not _is_claude(fields):  # Copilot always gives one
            return "copilot"
    return client


def _is_claude(fields: dict[str, Any]) -> bool:
    """Whether a payload with a time is Claude Code's all the same: it gives none yet, and may some day.

    Claude Code names its transcript in every event, Copilot in few: then it tells why it stopped, or the file lies in a
    folder of its own. In VS Code, Copilot writes names as JavaScript does, and hands on the model's id of a call.
    """
    path = text_field(fields, "transcript_path")
    if "/.copilot/" in path or "GitHub.copilot-chat" in path or text_field(fields, "sessionId", "hookEventName"):
        return False
    if (
        text_field(fields, "permission_mode")
        or "/.claude/" in path
        or text_field(fields, "tool_use_id").startswith("toolu_")
    ):
        return True
    copilots = fields.get("stop_reason") is not None or fields.get("agent_name") is not None
    return "transcript_path" in fields and not copilots


def conversation_id(client: str, fields: dict[str, Any]) -> str:
    """A client's own id of a conversation."""
    return text_field(fields, *_ID.get(client, ("session_id",)))


def conversation_name(client: str, id: str) -> str:
    """The name that all sessions of one conversation share, whoever opens them."""
    plain = "".join(letter for letter in id if letter.isprintable())[:MAX_CONVERSATION_NAME]
    if client == "gateway":  # it tells the whole name
        return plain
    return f"{_PREFIX.get(client, client)}:{plain}" if plain else ""
