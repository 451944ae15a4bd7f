"""Which tool an event is about, and with which arguments: what an effect key is taken over.

The same call has the same name and arguments here, in what the drainer makes of the record, and at the gateway.
Standard library only: the hook takes this file along.
"""

from __future__ import annotations

from tallystick.capture.tools import mcp, named
from tallystick.core.quickjson import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SHELL = ("beforeshellexecution", "aftershellexecution")
_ARGUMENTS = ("tool_input", "toolArgs", "tool_args", "toolInput")
_MCP = ("beforemcpexecution", "aftermcpexecution")


def called(event: str, payload: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """The tool and the arguments, or None when the event is not about one call. Events of all clients are told apart
    by their fields: some clients run hooks that were made for another."""
    if event.lower() in _SHELL:
        return "Shell", {name: payload[name] for name in ("command", "cwd") if isinstance(payload.get(name), str)}
    if event.lower() == "afterfileedit":
        return "Write", {"file_path": text(payload, "file_path"), "edits": payload.get("edits") or []}
    tool = text(payload, "tool_name", "toolName")
    if not tool:
        return None
    server = _server(payload)
    if server and not tool.startswith("mcp__"):
        context = payload.get("mcp_context")
        inner = text(context, "tool_name") if isinstance(context, dict) else ""
        tool = mcp(server, inner or tool.removeprefix(f"mcp_{server}_").removeprefix("MCP:"))
    elif event.lower() in _MCP and not tool.startswith(("mcp__", "MCP:")):
        tool = f"MCP:{tool}"
    return named(tool), arguments_of(payload)


def _server(payload: dict[str, Any]) -> str:
    for name, inner in (("mcp_context", "server_name"), ("mcp_server", "name")):
        part = payload.get(name)
        if isinstance(part, dict) and (found := text(part, inner)):
            return found
    return text(payload, "mcp_server_name", "server_name", "mcpServerName")


def text(payload: dict[str, Any], *names: str) -> str:
    """The first of these that is text, or a number that stands where text should."""
    for name in names:
        found = payload.get(name)
        if isinstance(found, str) and found:
            return found
        if isinstance(found, int) and not isinstance(found, bool):
            return str(found)
    return ""


def arguments_of(payload: dict[str, Any]) -> dict[str, Any]:
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
