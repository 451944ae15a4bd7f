"""`python -m tools.bundle [FILE]`: writes the bundle for hosts that install servers from one file (Claude Desktop).

It is a zip of the sources with a manifest. The host's uv installs the dependencies for its machine, so one bundle fits
all of them. The same sources always give the same bytes.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from tallystick.capture.setup.clients import DESKTOP_JOURNAL
from tallystick.interfaces.mcp.prompts import PROMPTS
from tallystick.interfaces.mcp.tools import PROFILES, tools
from tallystick.version import __version__
from tools.project_metadata import ROOT, project
from tools.reference_pages import MEANINGS

FILE = ROOT / "dist" / "tallystick.mcpb"
MANIFEST = "0.4"
"""The first version of the format that has the server type `uv`."""
ENTRY = "server.py"
HERE = "${__dirname}"
"""A host replaces this with the folder that it unpacked the bundle into."""
EXTRA_FILES = ("README.md", "LICENSE")
"""Files that pyproject.toml refers to: without them the project cannot be built."""
BUILT_WITH = re.compile(r"build-system|project(\..*)?|tool\.hatch\..*")
"""The tables of pyproject.toml that are needed to build and run the project; the others are for its developers."""
ZIP_TIME = (1980, 1, 1, 0, 0, 0)
SERVER_PROGRAM = '''\
"""The program that the host starts: the MCP server on standard input and output."""

import sys

from tallystick.__main__ import main

sys.argv[1:1] = ["mcp"]
sys.exit(main())
'''


def manifest() -> dict[str, Any]:
    """The manifest for the host, with the tools and prompts of the MCP server."""
    offered = tools()
    return {
        "manifest_version": MANIFEST,
        "name": project()["name"],
        "display_name": "Tallystick",
        "version": __version__,
        "description": project()["description"],
        "author": {"name": "The Tallystick contributors"},
        "license": project()["license"],
        "keywords": ["journal", "audit", "undo", "plan", "approval", "memory"],
        "server": {
            "type": "uv",
            "entry_point": ENTRY,
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--no-dev", "--extra", "postgres", "--project", HERE, f"{HERE}/{ENTRY}"],
                "env": {"TALLYSTICK_URL": "${user_config.url}", "TALLYSTICK_JOURNAL": "${user_config.journal}"},
            },
        },
        "tools": [{"name": name, "description": offered[name].description} for name in PROFILES["all"]],
        "prompts": [_prompt(name) for name in PROMPTS],
        "compatibility": {
            "platforms": ["linux", "darwin"],
            "runtimes": {"python": project()["requires-python"]},
        },
        "user_config": {
            "url": _user_setting("TALLYSTICK_URL", "Store", "", "Empty: a file in your data folder.")
            | {"sensitive": True},
            "journal": _user_setting(
                "TALLYSTICK_JOURNAL", "Journal", DESKTOP_JOURNAL, "A desktop is in no project, so it is named."
            ),
        },
    }


def write(file: Path = FILE) -> Path:
    """Write the bundle."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(file, "w") as bundle:
        for name, content in _contents():
            entry = ZipInfo(name, ZIP_TIME)
            entry.compress_type = ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            bundle.writestr(entry, content)
    return file


def _contents() -> Iterator[tuple[str, bytes]]:
    yield "manifest.json", (json.dumps(manifest(), indent=2, ensure_ascii=False) + "\n").encode()
    yield "pyproject.toml", _needed_tables((ROOT / "pyproject.toml").read_text()).encode()
    yield ENTRY, SERVER_PROGRAM.encode()
    for name in EXTRA_FILES:
        yield name, (ROOT / name).read_bytes()
    source = ROOT / "src"
    for path in sorted((source / "tallystick").rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(ROOT).as_posix(), path.read_bytes()


def _needed_tables(text: str) -> str:
    """The pyproject.toml with only the needed tables. A table starts with its name at the start of a line."""
    tables = re.split(r"(?m)^(?=\[)", text)
    needed = [table for table in tables if BUILT_WITH.fullmatch(table.partition("]")[0].strip("["))]
    return "".join(needed).rstrip() + "\n"


def _prompt(name: str) -> dict[str, Any]:
    """A prompt in the form of a bundle. The server itself appends the current state to the text."""
    prompt = PROMPTS[name]
    names = [argument.name for argument in prompt.arguments]
    text = prompt.text.format(**{name: f"${{arguments.{name}}}" for name in names})
    return {"name": name, "description": prompt.description, "arguments": names, "text": text}


def _user_setting(variable: str, title: str, default: str, more: str) -> dict[str, Any]:
    about = f"{MEANINGS[variable].replace('`', '')} {more}"
    return {"type": "string", "title": title, "description": about, "required": False, "default": default}


if __name__ == "__main__":
    print(write(*map(Path, sys.argv[1:2])))
