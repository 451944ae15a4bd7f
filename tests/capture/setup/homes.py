"""A user's home in a temporary folder, and `tallystick setup` typed in it."""

import os
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from tallystick.capture.setup import command
from tallystick.capture.setup.changes import Wish, to_remove, to_set_up
from tallystick.capture.setup.clients import CLIENTS, Places
from tallystick.capture.setup.command import main
from tallystick.capture.setup.manifest import ManifestFolder
from tallystick.paths import data_folder


class Home(Struct, frozen=True):
    """A home, with a project in it where commands are typed."""

    folder: Path
    out: pytest.CaptureFixture[str]

    @property
    def places(self) -> Places:
        return Places(self.folder, self.folder / "project", os.environ)

    def setup(self, *words: str, code: int = 0) -> str:
        """Type the command; what it printed."""
        self.out.readouterr()
        assert main(words) == code
        return self.out.readouterr().out

    def put(self, client: str, **more: Any) -> int:
        """What the command does to a client's files, without the hook program, which takes a while; how many files."""
        room = self._room()
        manifest = room.load()
        wish = Wish(**{"scope": "user", "start": ["/opt/bin/tallystick"], **more})
        changes = [each for each in to_set_up(CLIENTS[client], wish, self.places, manifest) if not each.empty]
        if changes:
            command.write(changes, room, manifest)
        return len(changes)

    def take(self) -> None:
        """What `--remove` does to all files."""
        room = self._room()
        manifest = room.load()
        command.give_back([to_remove(each, room) for each in manifest.touched], room, manifest)

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
    places = Places(Path("/"), Path("/"), {})
    beside = client == "claude-code" and name == ".claude.json"
    return str((Path("/") if beside else CLIENTS[client].home(places)) / name).lstrip("/")
