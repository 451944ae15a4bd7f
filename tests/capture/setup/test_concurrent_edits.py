"""The files are those of the clients and of people, who write to them too: before, meanwhile and afterwards."""

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
def test_what_others_wrote_while_the_question_was_open_stays(
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


def test_a_file_that_changes_between_two_replacements_gives_the_first_one_back(tmp_path: Path) -> None:
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
def test_a_difference_is_the_same_whether_or_not_all_of_the_file_is_compared(length: int, changed: list[int]) -> None:
    old = [f"line {number}\n" for number in range(length)]
    new = [f"new {number}\n" if number in changed else line for number, line in enumerate(old)] + ["}\n"] * len(changed)
    before, after = "".join(old).encode(), "".join(new).encode()
    change = Change(client="cursor", path=Path("/x"), before=before, after=after, notes=Notes())
    assert change.diff() == "".join(unified_diff(old, new, "/x", "/x", n=2))


LONG = b'"history": "%b"' % (b"x" * 9000)


@pytest.mark.parametrize(
    "before", [None, b"{}\n", b"{%b}" % LONG, b"{\n %b\n}\n" % LONG], ids=["", "{}", "line", "lines"]
)
def test_a_difference_shows_all_that_is_written_and_little_of_what_is_long_and_stays(
    home: Home, before: bytes | None
) -> None:
    if before:
        home.write(SETTINGS, before)
    told = home.setup("claude-code", "--strict", "--dry-run", "--no-mcp")
    for shown in ('"onFailure": "block"', "--strict || exit 2", '"timeout": 10', '"timeout": 30', '"timeout": 3}'):
        assert shown in told
    assert told.count("run.py") == len(HOOKS["claude-code"].events)
    assert "x" * 200 not in told


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("client", ["claude-code", "codex", "gemini-cli", "cursor", "copilot"])
def test_a_file_that_we_made_and_others_edited_is_repaired_and_given_back(home: Home, client: str, edit: str) -> None:
    home.put(client)
    path = home.folder / hooks_file(client)
    wanted = path.read_text()
    path.write_text(EDITS[edit](wanted))
    home.put(client)
    assert json.loads(path.read_text()) == json.loads(wanted)
    path.write_text(EDITS[edit](path.read_text()))
    home.take()
    assert not path.exists()


def test_without_any_record_of_it_what_is_ours_comes_out_of_every_file(home: Home) -> None:
    home.write(SETTINGS, b'{"model": "a"}')
    home.write(".codex/config.toml", b'model = "x"\n')
    mine = b'{"version": 1, "hooks": {"stop": [{"command": "lint"}]}}'
    home.write(".cursor/hooks.json", mine)
    for client in HOOKS:
        home.put(client)
    home.put("cursor", scope="project")
    home.put("vscode")
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
    home.put("cursor")
    assert len(json.loads(path.read_text())["hooks"]["stop"]) == 1
    assert home.put("cursor") == 0
    home.take()
    assert path.read_bytes() == before
