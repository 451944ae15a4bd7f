"""A user's home in a temporary folder, and `tallystick setup` in it."""

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
    """A home with a project, in which commands run."""

    folder: Path
    out: pytest.CaptureFixture[str]

    @property
    def locations(self) -> Locations:
        return Locations(self.folder, self.folder / "project", os.environ)

    def setup(self, *words: str, code: int = 0) -> str:
        """Run the command, and return its output."""
        self.out.readouterr()
        invocation = Invocation(Terminal(StringIO(), StringIO(), lambda: "", os.environ))
        with setup_command().make_context("setup", list(words), obj=invocation) as ctx:
            assert ctx.command.invoke(ctx) == code
        return self.out.readouterr().out

    def set_up(self, client: str, **more: Any) -> int:
        """Set a client up without the hook program, which takes a while, and return the number of changed files."""
        folder = self._folder()
        manifest = folder.load()
        options = SetupOptions(**{"scope": "user", "command": ["/opt/bin/tallystick"], **more})
        changes = [
            each for each in setup_changes(CLIENTS[client], options, self.locations, manifest) if not each.is_empty
        ]
        if changes:
            command.write(changes, folder, manifest)
        return len(changes)

    def remove(self) -> None:
        """Restore all files, as `--remove` does."""
        folder = self._folder()
        manifest = folder.load()
        command.restore([restore_change(each, folder) for each in manifest.files], folder, manifest)

    def _folder(self) -> ManifestFolder:
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
    """The path of a client's hooks file below the home."""
    return _named(CLIENTS[client].hooks["user"], client)


def servers_file(client: str) -> str:
    """The path of a client's servers file below the home."""
    return _named(CLIENTS[client].servers["user"], client)


def _named(name: str, client: str) -> str:
    locations = Locations(Path("/"), Path("/"), {})
    beside = client == "claude-code" and name == ".claude.json"
    return str((Path("/") if beside else CLIENTS[client].home(locations)) / name).lstrip("/")
