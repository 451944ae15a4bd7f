"""Clients and people edit the same files: before, during and after a setup."""

import json
import os
import shutil
import sys
from collections.abc import Callable
from difflib import unified_diff
from pathlib import Path

import pytest

from tallystick.capture.setup import command, files
from tallystick.capture.setup.changes import Change
from tallystick.capture.setup.edit.json import Notes
from tallystick.capture.setup.files import FileWrite
from tallystick.capture.setup.hook_events import HOOKS
from tallystick.core.errors import Conflict
from tests.capture.setup.homes import Home, hooks_file

SETTINGS = ".claude/settings.json"
EDITS: dict[str, Callable[[str], str]] = {
    "laid out anew": lambda text: json.dumps(json.loads(text), indent=4),
    "one more line end": lambda text: text + "\n",
    "a line of ours changed": lambda text: text.replace(": 10", ": 20"),
    "another Python": lambda text: text.replace(" -I -S ", "x -I -S "),
}


@pytest.mark.parametrize("words", [["claude-code"], ["--remove"]])
def test_a_file_that_changed_while_setup_asked_is_not_overwritten(
    home: Home, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    settings = home.write(SETTINGS, b'{"model": "a"}')
    servers = home.write(".claude.json", b'{"numStartups": 1}')
    if words == ["--remove"]:
        home.setup("claude-code", "--yes")
    settled = settings.read_bytes()

    def asked(question: str) -> str:
        servers.write_bytes(b'{"numStartups": 2, "projects": {"x": {"history": ["precious"]}}}')
        return "y"

    mine, theirs = os.openpty()
    monkeypatch.setattr(command, "input", asked, raising=False)
    with open(theirs) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        with pytest.raises(Conflict, match=r"claude.json changed meanwhile; nothing was written"):
            home.setup(*words)
    os.close(mine)
    assert b"precious" in servers.read_bytes()
    assert settings.read_bytes() == settled
    home.setup(*words, "--yes")
    home.setup("--remove", "--yes")
    assert json.loads(servers.read_text())["projects"] == {"x": {"history": ["precious"]}}
    assert json.loads(settings.read_text()) == {"model": "a"}


def test_a_conflict_in_the_second_file_restores_the_first(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_bytes(b"1")
    second.write_bytes(b"2")
    with pytest.raises(Conflict, match="second changed meanwhile"):
        files.write_all([FileWrite(first, b"new", b"1"), FileWrite(second, b"new", b"older")])
    with pytest.raises(Conflict, match="appeared changed meanwhile"):
        files.write_all([FileWrite(first, None, b"1"), FileWrite(tmp_path / "appeared", b"", b"it was there")])
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"first": b"1", "second": b"2"}


@pytest.mark.parametrize("length", [0, 1, 3, 40])
@pytest.mark.parametrize("changed", [[], [0], [7, 9], [0, 39], [38, 39]])
def test_a_diff_equals_the_one_of_the_whole_file(length: int, changed: list[int]) -> None:
    old = [f"line {number}\n" for number in range(length)]
    new = [f"new {number}\n" if number in changed else line for number, line in enumerate(old)] + ["}\n"] * len(changed)
    before, after = "".join(old).encode(), "".join(new).encode()
    change = Change(client="cursor", path=Path("/x"), before=before, after=after, notes=Notes())
    assert change.diff() == "".join(unified_diff(old, new, "/x", "/x", n=2))


LONG = b'"history": "%b"' % (b"x" * 9000)


@pytest.mark.parametrize(
    "before", [None, b"{}\n", b"{%b}" % LONG, b"{\n %b\n}\n" % LONG], ids=["", "{}", "line", "lines"]
)
def test_a_diff_shows_all_changes_and_cuts_long_unchanged_lines(home: Home, before: bytes | None) -> None:
    if before:
        home.write(SETTINGS, before)
    output = home.setup("claude-code", "--strict", "--dry-run", "--no-mcp")
    for shown in ('"onFailure": "block"', "--strict || exit 2", '"timeout": 10', '"timeout": 30', '"timeout": 3}'):
        assert shown in output
    assert output.count("run.py") == len(HOOKS["claude-code"].events)
    assert "x" * 200 not in output


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("client", ["claude-code", "codex", "gemini-cli", "cursor", "copilot"])
def test_a_file_of_ours_that_others_edited_is_repaired_and_restored(home: Home, client: str, edit: str) -> None:
    home.set_up(client)
    path = home.folder / hooks_file(client)
    wanted = path.read_text()
    path.write_text(EDITS[edit](wanted))
    home.set_up(client)
    assert json.loads(path.read_text()) == json.loads(wanted)
    path.write_text(EDITS[edit](path.read_text()))
    home.remove()
    assert not path.exists()


def test_without_a_manifest_removal_finds_ours_in_every_file(home: Home) -> None:
    home.write(SETTINGS, b'{"model": "a"}')
    home.write(".codex/config.toml", b'model = "x"\n')
    mine = b'{"version": 1, "hooks": {"stop": [{"command": "lint"}]}}'
    home.write(".cursor/hooks.json", mine)
    for client in HOOKS:
        home.set_up(client)
    home.set_up("cursor", scope="project")
    home.set_up("vscode")
    home.write(".config/Claude/claude_desktop_config.json", b"{,}")
    shutil.rmtree(home.folder / "data")
    assert "Skipped: " in home.setup("--remove", "--yes")
    left = {name: content for name, content in home.contents().items() if content is not None}
    assert not [name for name, content in left.items() if b"tallystick" in content]
    assert left[SETTINGS] == b'{"model": "a"}'
    assert left[".codex/config.toml"].strip() == b'model = "x"'
    assert json.loads(left[".cursor/hooks.json"]) == json.loads(mine)
    assert {json.dumps(json.loads(left[name])) for name in (".claude.json", ".gemini/settings.json")} == {"{}"}
    assert ".copilot/hooks/tallystick.json" not in left
    assert "Nothing to do" in home.setup("--remove", "--yes")


@pytest.mark.parametrize("before", [b'{"a": 1, "hooks": null}', b'{"hooks": {"stop": null}}'])
def test_null_counts_as_missing(home: Home, before: bytes) -> None:
    path = home.write(".cursor/hooks.json", before)
    home.set_up("cursor")
    assert len(json.loads(path.read_text())["hooks"]["stop"]) == 1
    assert home.set_up("cursor") == 0
    home.remove()
    assert path.read_bytes() == before
