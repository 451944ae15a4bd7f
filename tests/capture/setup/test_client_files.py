"""Client files in many shapes: setup writes what it should, and removal restores every byte."""

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallystick.capture.setup import desired
from tallystick.capture.setup.edit.json import JsonText, WrongKind
from tallystick.capture.setup.edit.json_positions import parse
from tallystick.capture.setup.hook_events import HOOKS
from tests.capture.setup.config_files import JSON, THEIRS, TOML
from tests.capture.setup.homes import Home, hooks_file, servers_file
from tests.capture.setup.json_documents import documents

COMMAND_WORDS = ["/opt/tallystick", "mcp", "--tools=minimal"]


@pytest.mark.parametrize("shape", JSON)
@pytest.mark.parametrize("client", HOOKS)
def test_a_json_file_of_any_shape_is_set_up_once_and_restored_byte_for_byte(
    home: Home, client: str, shape: str
) -> None:
    content = JSON[shape]
    for name in {hooks_file(client), servers_file(client)}:
        if content is not None and not name.endswith(".toml"):
            home.write(name, content)
    before = home.contents()
    home.set_up(client)
    assert _events(home, client) == {event.name: 1 for event in HOOKS[client].events}
    there = home.contents()
    assert home.set_up(client) == 0
    assert home.contents() == there
    _keeps(content, home, client)
    home.remove()
    assert home.contents() == before
    room = home.folder / "data" / "tallystick" / "setup"
    if shape == "ours of old":  # it marks the content as older than ours, so that it is not removed
        assert json.loads((room / "manifest.json").read_text()).keys() == {"theirs"}
    else:
        assert not room.exists()


@pytest.mark.parametrize("shape", TOML)
def test_a_toml_file_of_any_shape_is_set_up_once_and_restored_byte_for_byte(home: Home, shape: str) -> None:
    content = TOML[shape]
    if content is not None:
        home.write(".codex/config.toml", content)
    before = home.contents()
    home.set_up("codex")
    there = home.contents()
    entry = tomllib.loads((home.folder / ".codex/config.toml").read_text())["mcp_servers"]["tallystick"]
    assert entry["args"][-2:] == ["mcp", "--tools=minimal"]
    assert entry.get("env") == ({"A": "1"} if shape == "ours of old" else None)
    assert home.set_up("codex") == 0
    assert home.contents() == there
    home.remove()
    assert home.contents() == before


@pytest.mark.parametrize("client", HOOKS)
@pytest.mark.parametrize("shape", [name for name in JSON if name != "ours of old"])
def test_changes_of_others_stay_when_ours_are_removed(home: Home, client: str, shape: str) -> None:
    name, content = hooks_file(client), JSON[shape]
    path = home.write(name, content) if content is not None else home.folder / name
    home.set_up(client, servers=False)
    theirs = JsonText(path.read_text("utf-8-sig"))
    event = HOOKS[client].events[-1].name
    theirs.append(("hooks", event), {"command": "theirs"})
    theirs.put(("later",), True)
    path.write_text(theirs.text, newline="")
    home.remove()
    expected = JsonText((content or b"").decode("utf-8-sig"))
    expected.append(("hooks", event), {"command": "theirs"})
    expected.put(("later",), True)
    left = JsonText(path.read_text("utf-8-sig")).get(())
    stored = {key: value for key, value in left.items() if key != "version"}  # theirs needs it as ours did
    assert stored == expected.get(())


def test_removal_from_a_file_that_the_client_rewrote_removes_only_ours(home: Home) -> None:
    """Claude Code rewrites its file all the time, in its own layout."""
    path = home.write(".claude.json", b'{"numStartups": 1}')
    home.set_up("claude-code")
    value = json.loads(path.read_text()) | {"numStartups": 2}
    path.write_text(json.dumps(value, indent=4))
    home.remove()
    assert json.loads(path.read_text()) == {"numStartups": 2}


def test_removal_from_a_changed_toml_file_removes_only_ours(home: Home) -> None:
    path = home.write(".codex/config.toml", b"model = 'x'")
    home.set_up("codex")
    path.write_text(path.read_text() + "enabled = true\n\n# theirs\n[other]\na = 1\n")
    home.remove()
    assert path.read_text() == "model = 'x'\n\n# theirs\n[other]\na = 1\n"


def test_after_two_setups_a_file_is_restored_as_before_the_first(home: Home) -> None:
    path = home.write(".claude/settings.json", THEIRS)
    home.set_up("claude-code")
    first = path.read_bytes()
    home.set_up("claude-code", strict=True)
    assert path.read_bytes() != first
    home.remove()
    assert path.read_bytes() == THEIRS


def test_changes_of_others_between_two_setups_are_restored_too(home: Home) -> None:
    path = home.write(".claude/settings.json", b'{"a": 1}\n')
    home.set_up("claude-code")
    path.write_bytes(path.read_bytes().replace(b'"a": 1', b'"a": 2 /* more */'))
    home.set_up("claude-code", strict=True)
    home.remove()
    assert path.read_bytes() == b'{"a": 2 /* more */}\n'


def test_another_server_with_our_name_is_not_changed(home: Home) -> None:
    home.write(".cursor/mcp.json", b'{"mcpServers": {"tallystick": {"url": "http://127.0.0.1:4747/mcp"}}}')
    before = home.contents()
    assert "was not changed" in home.setup("cursor", "--yes", "--no-hooks")
    assert home.contents() == before


@settings(max_examples=25)  # each writes and reads some forty texts
@given(documents(), st.sampled_from([*HOOKS]), st.booleans())
def test_hooks_and_server_can_be_added_to_any_document_and_removed(
    document: tuple[str, dict[str, Any]], client: str, strict: bool
) -> None:
    text, value = document
    edited = JsonText(text)
    try:
        desired.put_hooks(edited, client, desired.desired_hooks(client, {"XDG_DATA_HOME": "/d"}, strict=strict))
        desired.put_server(edited, client, COMMAND_WORDS)
    except WrongKind:
        assert any(not isinstance(value.get(key, {}), dict) for key in ("hooks", "mcpServers"))
        return
    again = JsonText(edited.text, edited.notes)
    desired.put_hooks(again, client, desired.desired_hooks(client, {"XDG_DATA_HOME": "/d"}, strict=strict))
    desired.put_server(again, client, COMMAND_WORDS)
    assert again.text == edited.text
    assert len(desired.our_command_lines(again, client)) == len(HOOKS[client].events)
    desired.remove_all(again, client)
    assert again.text == text


def _events(home: Home, client: str) -> dict[str, int]:
    text = JsonText((home.folder / hooks_file(client)).read_text("utf-8-sig"))
    return {event: len(lines) for event, lines in desired.our_command_lines(text, client).items()}


def _keeps(content: bytes | None, home: Home, client: str) -> None:
    """Check that all former values are still there."""
    after = (home.folder / hooks_file(client)).read_text("utf-8-sig")
    root = parse((content or b"").decode("utf-8-sig"))
    old = root.to_python() if root else {}
    new = JsonText(after).get(())
    for key, value in old.items():
        if key not in ("hooks", "mcpServers"):
            assert new[key] == value
    hooks = old.get("hooks", {})
    for event, listed in hooks.items() if content != JSON["ours of old"] else ():
        assert new["hooks"][event][: len(listed)] == listed
