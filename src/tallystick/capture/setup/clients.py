"""The clients that setup knows: how to detect each one, where its files are, and how it writes an MCP server down."""

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from msgspec import Struct

Scope = Literal["user", "project"]
SCOPES: tuple[Scope, ...] = ("user", "project")
APPLICATION = "application"
"""In place of a variable: the folder is that of a desktop application."""
GEMINI_HOME = "GEMINI_CLI_HOME"

SERVER_NAME = "tallystick"
NO_SETTINGS: Mapping[str, str] = MappingProxyType({})
DESKTOP_JOURNAL = "claude-desktop"
"""The journal of a client that is started in no project."""
SERVERS_KEYS = {"vscode": "servers", "codex": "mcp_servers"}
"""The key of a client's MCP servers, where it is not `mcpServers`."""


class Locations(Struct, frozen=True):
    """The places to look in: the user's home, the project's folder, and the environment variables that move things."""

    home: Path
    project: Path
    env: Mapping[str, str]

    def folder(self, variable: str, default: str) -> Path:
        """A folder of the user, unless the client's own variable names another."""
        value = self.env.get(variable, "")
        return Path(value) if value else self.home / default

    def application_folder(self, name: str) -> Path:
        """The folder in which a desktop application keeps the user's settings."""
        if sys.platform == "darwin":
            return self.home / "Library" / "Application Support" / name
        return self.folder("XDG_CONFIG_HOME", ".config") / name


class Client(Struct, frozen=True):
    """A client. `folder` is a variable and the default it replaces.

    `hooks` and `servers` are files by scope: relative to the client's folder for the user, to the project's root for a
    project. `next_step` is what the user has to do after setup.
    """

    name: str
    title: str
    commands: tuple[str, ...]
    folder: tuple[str, str]
    hooks: Mapping[Scope, str] = {}
    servers: Mapping[Scope, str] = {}
    next_step: str = ""

    def home(self, locations: Locations) -> Path:
        """The client's folder. It exists if the client was used here."""
        variable, default = self.folder
        if variable == APPLICATION:
            return locations.application_folder(default)
        # Gemini's variable replaces the home folder; the others replace the client's folder.
        return locations.folder(variable, "") / default if variable == GEMINI_HOME else locations.folder(*self.folder)

    def is_installed(self, locations: Locations) -> bool:
        """Whether the client's folder or its command exists on this machine."""
        paths = locations.env.get("PATH", os.defpath)
        return self.home(locations).is_dir() or any(shutil.which(each, path=paths) for each in self.commands)

    def hooks_file(self, scope: Scope, locations: Locations) -> Path | None:
        return self._file(self.hooks, scope, locations)

    def servers_file(self, scope: Scope, locations: Locations) -> Path | None:
        # Claude Code keeps the user's servers beside its folder, not in it, unless the folder was moved.
        if self.name == "claude-code" and scope == "user" and not locations.env.get(self.folder[0]):
            return locations.home / self.servers["user"]
        return self._file(self.servers, scope, locations)

    def _file(self, files: Mapping[Scope, str], scope: Scope, locations: Locations) -> Path | None:
        if scope not in files:
            return None
        return (self.home(locations) if scope == "user" else locations.project) / files[scope]


CLIENTS: dict[str, Client] = {
    each.name: each
    for each in (
        Client(
            "claude-code",
            "Claude Code",
            ("claude",),
            ("CLAUDE_CONFIG_DIR", ".claude"),
            # The local file, which is not committed: the commands contain paths of this machine.
            {"user": "settings.json", "project": ".claude/settings.local.json"},
            {"user": ".claude.json", "project": ".mcp.json"},
            "Start a new session: a running one does not load the hooks.",
        ),
        Client(
            "codex",
            "Codex",
            ("codex",),
            ("CODEX_HOME", ".codex"),
            {"user": "hooks.json", "project": ".codex/hooks.json"},
            {"user": "config.toml", "project": ".codex/config.toml"},
            "It runs only hooks that you trust: start codex, type /hooks, and trust these.",
        ),
        Client(
            "gemini-cli",
            "Gemini CLI",
            ("gemini",),
            (GEMINI_HOME, ".gemini"),
            {"user": "settings.json", "project": ".gemini/settings.json"},
            {"user": "settings.json", "project": ".gemini/settings.json"},
            "It runs hooks only in trusted folders.",
        ),
        Client(
            "cursor",
            "Cursor",
            ("cursor", "cursor-agent"),
            ("", ".cursor"),
            {"user": "hooks.json", "project": ".cursor/hooks.json"},
            {"user": "mcp.json", "project": ".cursor/mcp.json"},
            "Restart Cursor; its settings list the hooks under Hooks.",
        ),
        Client(
            "copilot",
            "GitHub Copilot",
            ("copilot",),
            ("COPILOT_HOME", ".copilot"),
            {"user": "hooks/tallystick.json", "project": ".github/hooks/tallystick.json"},
            {"user": "mcp-config.json", "project": ".github/mcp.json"},
            "It also runs hooks in the project's .claude/settings.json. With ours in both, each event is recorded "
            "once, and a brief is given twice.",
        ),
        Client(
            "vscode",
            "VS Code",
            ("code",),
            (APPLICATION, "Code"),
            servers={"user": "User/mcp.json", "project": ".vscode/mcp.json"},
        ),
        Client(
            "claude-desktop",
            "Claude Desktop",
            (),
            (APPLICATION, "Claude"),
            servers={"user": "claude_desktop_config.json"},
            next_step="Quit it completely and start it again.",
        ),
    )
}


def servers_key(client: str) -> str:
    """The key of the MCP servers in a client's file."""
    return SERVERS_KEYS.get(client, "mcpServers")


def server_entry(client: str, command: Sequence[str], env: Mapping[str, str] = NO_SETTINGS) -> dict[str, Any]:
    """The entry of an MCP server in a client's file. The first word of `command` is an absolute path.

    Used by `setup`, by `serve` and for the documentation.
    """
    program, *arguments = command
    plain: dict[str, Any] = {"command": program, "args": arguments, **({"env": dict(env)} if env else {})}
    match client:
        case "claude-code":
            return {"type": "stdio", **plain, "alwaysLoad": True}
        case "claude-desktop" if "--journal" not in arguments:
            return {**plain, "args": [*arguments, "--journal", DESKTOP_JOURNAL]}
        case "gemini-cli":
            return {**plain, "trust": True}
        case "vscode":
            return {"type": "stdio", **plain}
        case "copilot":
            return {"type": "local", **plain, "tools": ["*"]}
        case _:
            return plain
