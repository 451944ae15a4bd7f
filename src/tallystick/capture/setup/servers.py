"""How each client writes an MCP server down: said once, for `setup`, for `serve` and for the documents."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

NAME = "tallystick"
NO_SETTINGS: Mapping[str, str] = MappingProxyType({})
DESKTOP = "claude-desktop"
"""The journal of a client that is started in no project."""

UNDER = {"vscode": "servers", "codex": "mcp_servers"}
"""The key that servers stand under, where it is not `mcpServers`."""


def under(client: str) -> str:
    """The key that a client has its servers under."""
    return UNDER.get(client, "mcpServers")


def server(client: str, start: Sequence[str], env: Mapping[str, str] = NO_SETTINGS) -> dict[str, Any]:
    """The entry for a server that is started with these words, the first an absolute path, and these settings."""
    command, *arguments = start
    plain: dict[str, Any] = {"command": command, "args": arguments, **({"env": dict(env)} if env else {})}
    match client:
        case "claude-code":
            return {"type": "stdio", **plain, "alwaysLoad": True}
        case "claude-desktop" if "--journal" not in arguments:
            return {**plain, "args": [*arguments, "--journal", DESKTOP]}
        case "gemini-cli":
            return {**plain, "trust": True}
        case "vscode":
            return {"type": "stdio", **plain}
        case "copilot":
            return {"type": "local", **plain, "tools": ["*"]}
        case _:
            return plain
