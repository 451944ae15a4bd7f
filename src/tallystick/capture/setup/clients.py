"""The clients that can be set up: what they are called, how one sees that they are there, which files are theirs."""

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from msgspec import Struct

Scope = Literal["user", "project"]


class Places(Struct, frozen=True):
    """Where to look: the user's home, the project's folder, and the variables that move things."""

    home: Path
    project: Path
    env: Mapping[str, str]

    def moved(self, variable: str, default: str) -> Path:
        """A folder of the user, where the client's own variable can say another."""
        said = self.env.get(variable, "")
        return Path(said) if said else self.home / default

    def application(self, name: str) -> Path:
        """The folder in which a desktop application keeps the user's settings."""
        if sys.platform == "darwin":
            return self.home / "Library" / "Application Support" / name
        return self.moved("XDG_CONFIG_HOME", ".config") / name


class Client(Struct, frozen=True):
    """A client. Files are by scope, relative to `folder` for the user and to the project's root for a project."""

    name: str
    title: str
    commands: tuple[str, ...]
    folder: tuple[str, str]
    hooks: Mapping[Scope, str] = {}
    servers: Mapping[Scope, str] = {}
    after: str = ""

    def home(self, places: Places) -> Path:
        """The folder that shows that the client was used here."""
        variable, default = self.folder
        if variable == APPLICATION:
            return places.application(default)
        # Gemini's variable names what stands for the home folder; the others name the folder itself.
        return places.moved(variable, "") / default if variable == GEMINI else places.moved(variable, default)

    def found(self, places: Places) -> bool:
        """Whether the client is on this machine, by its folder or by its command."""
        paths = places.env.get("PATH", os.defpath)
        return self.home(places).is_dir() or any(shutil.which(each, path=paths) for each in self.commands)

    def hooks_file(self, scope: Scope, places: Places) -> Path | None:
        return self._file(self.hooks, scope, places)

    def servers_file(self, scope: Scope, places: Places) -> Path | None:
        # Claude Code keeps the user's servers beside its folder, not in it, unless the folder was moved.
        if self.name == "claude-code" and scope == "user" and not places.env.get(self.folder[0]):
            return places.home / self.servers["user"]
        return self._file(self.servers, scope, places)

    def _file(self, files: Mapping[Scope, str], scope: Scope, places: Places) -> Path | None:
        if scope not in files:
            return None
        return (self.home(places) if scope == "user" else places.project) / files[scope]


APPLICATION = "application"
"""In place of a variable: the folder is that of a desktop application."""

GEMINI = "GEMINI_CLI_HOME"

CLIENTS: dict[str, Client] = {
    each.name: each
    for each in (
        Client(
            "claude-code",
            "Claude Code",
            ("claude",),
            ("CLAUDE_CONFIG_DIR", ".claude"),
            # The local file, which is not committed: the commands name paths of this machine.
            {"user": "settings.json", "project": ".claude/settings.local.json"},
            {"user": ".claude.json", "project": ".mcp.json"},
            "A session that runs already goes on without: start a new one.",
        ),
        Client(
            "codex",
            "Codex",
            ("codex",),
            ("CODEX_HOME", ".codex"),
            {"user": "hooks.json", "project": ".codex/hooks.json"},
            {"user": "config.toml", "project": ".codex/config.toml"},
            "It runs no hook before you said that you trust it: start codex, type /hooks, and trust these.",
        ),
        Client(
            "gemini-cli",
            "Gemini CLI",
            ("gemini",),
            (GEMINI, ".gemini"),
            {"user": "settings.json", "project": ".gemini/settings.json"},
            {"user": "settings.json", "project": ".gemini/settings.json"},
            "It runs hooks only in folders that it was told to trust.",
        ),
        Client(
            "cursor",
            "Cursor",
            ("cursor", "cursor-agent"),
            ("", ".cursor"),
            {"user": "hooks.json", "project": ".cursor/hooks.json"},
            {"user": "mcp.json", "project": ".cursor/mcp.json"},
            "Start Cursor again; its settings list the hooks under Hooks.",
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
            after="Quit it wholly and start it again.",
        ),
    )
}


# ----------------------------------------------------------------------------------------------------------------------
# How each client writes an MCP server down: said once, for `setup`, for `serve` and for the documents.

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
