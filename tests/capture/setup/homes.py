"""A user's home in a temporary folder, and `tallystick setup` typed in it."""

import os
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from tallystick.capture.setup import command
from tallystick.capture.setup.changes import SetupOptions, restore_change, setup_changes
from tallystick.capture.setup.clients import CLIENTS, Locations
from tallystick.capture.setup.manifest import ManifestFolder
from tallystick.interfaces.cli.commands.setup import command as setup_command
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.interfaces.cli.terminal import Terminal
from tallystick.paths import data_folder


class Home(Struct, frozen=True):
    """A home, with a project in it where commands are typed."""

    folder: Path
    out: pytest.CaptureFixture[str]

    @property
    def locations(self) -> Locations:
        return Locations(self.folder, self.folder / "project", os.environ)

    def setup(self, *words: str, code: int = 0) -> str:
        """Type the command; what it printed."""
        self.out.readouterr()
        invocation = Invocation(Terminal(StringIO(), StringIO(), lambda: "", os.environ))
        with setup_command().make_context("setup", list(words), obj=invocation) as ctx:
            assert ctx.command.invoke(ctx) == code
        return self.out.readouterr().out

    def put(self, client: str, **more: Any) -> int:
        """What the command does to a client's files, without the hook program, which takes a while; how many files."""
        room = self._room()
        manifest = room.load()
        options = SetupOptions(**{"scope": "user", "command": ["/opt/bin/tallystick"], **more})
        changes = [
            each for each in setup_changes(CLIENTS[client], options, self.locations, manifest) if not each.is_empty
        ]
        if changes:
            command.write(changes, room, manifest)
        return len(changes)

    def take(self) -> None:
        """What `--remove` does to all files."""
        room = self._room()
        manifest = room.load()
        command.restore([restore_change(each, room) for each in manifest.files], room, manifest)

    def _room(self) -> ManifestFolder:
        return ManifestFolder(data_folder(os.environ))

    def write(self, name: str, content: bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    def contents(self) -> dict[str, bytes | None]:
        """Every file and folder but our own, each file with its bytes."""
        found = sorted(self.folder.rglob("*"))
        return {
            str(path.relative_to(self.folder)): path.read_bytes() if path.is_file() else None
            for path in found
            if not path.is_relative_to(self.folder / "data")
        }


def hooks_file(client: str) -> str:
    """Where a client has its hooks, below the home."""
    return _named(CLIENTS[client].hooks["user"], client)


def servers_file(client: str) -> str:
    """Where a client has its servers, below the home."""
    return _named(CLIENTS[client].servers["user"], client)


def _named(name: str, client: str) -> str:
    locations = Locations(Path("/"), Path("/"), {})
    beside = client == "claude-code" and name == ".claude.json"
    return str((Path("/") if beside else CLIENTS[client].home(locations)) / name).lstrip("/")
