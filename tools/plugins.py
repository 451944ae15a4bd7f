"""`python -m tools.plugins`: write dist/claude (a marketplace with one plugin) and dist/gemini (an extension).

Both are for people who let their client install plugins, instead of running `tallystick setup`. They configure the same
as setup, from the same tables, and contain the hook program. The command `tallystick` has to be on the PATH. They have
no commands: both clients show the prompts of the MCP server as commands already.
"""

import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tallystick.capture.hook import pattern_cache
from tallystick.capture.setup import hook_bundle
from tallystick.capture.setup.clients import SERVER_NAME, server_entry
from tallystick.capture.setup.hook_events import event_elements
from tallystick.interfaces.mcp.server import instructions
from tallystick.version import __version__
from tools.project_metadata import ROOT, project

FOLDER = ROOT / "dist"
START = ("tallystick", "mcp", "--tools=minimal")
AUTHOR = {"name": "The Tallystick contributors"}
PYTHON = "python3"
"""An installed plugin cannot know a path: the client's PATH decides."""

Files = Iterator[tuple[str, bytes]]


def claude() -> Files:
    """A plugin of Claude Code, in a marketplace of its own, since that is what plugins are installed from."""
    about = {"name": SERVER_NAME, "version": __version__, "description": project()["description"]}
    listed = {**about, "source": f"./{SERVER_NAME}"}
    yield (
        ".claude-plugin/marketplace.json",
        _json({"name": SERVER_NAME, "description": listed["description"], "owner": AUTHOR, "plugins": [listed]}),
    )
    more = {"author": AUTHOR, "license": project()["license"], "keywords": ["journal", "audit", "undo", "hooks"]}
    yield f"{SERVER_NAME}/.claude-plugin/plugin.json", _json({**about, **more})
    yield f"{SERVER_NAME}/hooks/hooks.json", _json({"description": about["description"], **_hooks("claude-code")})
    yield f"{SERVER_NAME}/.mcp.json", _json({"mcpServers": {SERVER_NAME: server_entry("claude-code", START)}})
    yield from _program(f"{SERVER_NAME}/hook")


def gemini() -> Files:
    """An extension of Gemini CLI. Its folder has to have its name."""
    entry = {key: value for key, value in server_entry("gemini-cli", START).items() if key != "trust"}
    about = {"name": SERVER_NAME, "version": __version__, "description": project()["description"]}
    yield (
        f"{SERVER_NAME}/gemini-extension.json",
        _json({**about, "mcpServers": {SERVER_NAME: entry}, "contextFileName": "GEMINI.md"}),
    )
    yield f"{SERVER_NAME}/hooks/hooks.json", _json(_hooks("gemini-cli"))
    yield f"{SERVER_NAME}/GEMINI.md", f"# Tallystick\n\n{instructions('minimal')}\n".encode()
    yield from _program(f"{SERVER_NAME}/hook")


PLUGINS: dict[str, Callable[[], Files]] = {"claude": claude, "gemini": gemini}
ROOTS = {"claude-code": "${CLAUDE_PLUGIN_ROOT}", "gemini-cli": "${extensionPath}"}
"""Each client replaces this with the folder that it installed the plugin into."""


def write(folder: Path = FOLDER) -> list[Path]:
    """Write both, and return their folders."""
    for name, files in PLUGINS.items():
        shutil.rmtree(folder / name, ignore_errors=True)
        for path, content in files():
            file = folder / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    return [folder / name / SERVER_NAME for name in PLUGINS]


def _hooks(client: str) -> dict[str, Any]:
    """The hooks of a client, with the program in the plugin's own folder."""
    line = f'{PYTHON} -I -S "{ROOTS[client]}/hook/run.py" {client} || true'
    return {
        "hooks": {event: [element] for event, element in event_elements(client, lambda event, strict: line).items()}
    }


def _program(folder: str) -> Files:
    """The hook program, without files that are compiled for this Python."""
    with tempfile.TemporaryDirectory() as temporary:
        hook_bundle.write(Path(temporary), START[:1])
        for path in sorted(Path(temporary).rglob("*")):
            if path.is_file() and path.suffix not in (".pyc", pattern_cache.SUFFIX):
                yield f"{folder}/{path.relative_to(temporary).as_posix()}", path.read_bytes()


def _json(value: dict[str, Any]) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


if __name__ == "__main__":
    for written in write(*map(Path, sys.argv[1:2])):
        print(written)
