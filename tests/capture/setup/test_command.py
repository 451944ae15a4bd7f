"""The command `tallystick setup`."""

import errno
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tallystick.capture.setup import desired, files, health, hook_bundle
from tallystick.capture.setup.clients import CLIENTS
from tallystick.capture.setup.files import FileWrite
from tallystick.capture.setup.hook_events import HOOKS, handler_command, handlers_of
from tallystick.core.errors import InvalidArgument, StorageUnavailable, TallystickError
from tests.capture.setup.homes import Home

SETTINGS = ".claude/settings.json"


def test_the_clients_are_found_by_their_folders_and_their_commands(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    (home.folder / ".cursor").mkdir()
    (home.folder / ".config" / "Code").mkdir(parents=True)
    command = home.write("bin/gemini", b"#!/bin/sh\n")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(command.parent))
    listed = [line.split()[:2] for line in home.setup("--list").splitlines()[1:]]
    found = {"cursor", "vscode", "gemini-cli"}
    assert listed == [[name, "yes" if name in found else "no"] for name in CLIENTS]
    home.setup("--yes")
    assert {"cursor/hooks.json", "cursor/mcp.json", "gemini/settings.json"} <= {
        name.lstrip(".") for name in home.contents()
    }
    assert not (home.folder / ".claude.json").exists()


def test_without_an_installed_client_one_has_to_be_named(home: Home) -> None:
    with pytest.raises(InvalidArgument, match="Name the clients to set up"):
        home.setup("--yes")
    with pytest.raises(InvalidArgument, match="is not a client"):
        home.setup("emacs", "--yes")


def test_the_list_is_shown_also_without_an_installed_client(home: Home) -> None:
    output = home.setup("--list")
    assert [line.split()[:2] for line in output.splitlines()[1:]] == [[name, "no"] for name in CLIENTS]
    with pytest.raises(InvalidArgument, match="is not a client"):
        home.setup("emacs", "--list")


@pytest.mark.parametrize("way", ["--list", "--check", "--print"])
def test_remove_cannot_be_combined_with_list_check_or_print(home: Home, way: str) -> None:
    home.set_up("claude-code")
    before = home.contents()
    with pytest.raises(InvalidArgument, match="--remove cannot be combined"):
        home.setup("--remove", way, "--yes")
    assert home.contents() == before


def test_a_data_folder_that_is_not_utf8_is_refused(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(home.folder / os.fsdecode(b"d\xff")))
    with pytest.raises(InvalidArgument, match=r"is not UTF-8.*XDG_DATA_HOME moves"):
        home.setup("claude-code", "--yes")
    assert home.contents() == {"project": None}


def test_setup_and_removal_restore_every_file(home: Home) -> None:
    home.write(SETTINGS, b'{"theme": "dark"}')
    before = home.contents()
    output = home.setup("claude-code", "codex", "--yes")
    assert f"+++ {home.folder / SETTINGS}" in output
    assert "Wrote 4 files" in output
    assert "type /hooks" in output
    there = home.contents()
    assert "Nothing to change" in home.setup("claude-code", "codex", "--yes")
    assert home.contents() == there
    assert "Restored 2 files" in home.setup("codex", "--remove", "--yes")
    assert (home.folder / "data/tallystick/hook/run.py").exists()
    assert "Restored 2 files" in home.setup("--remove", "--yes")
    assert home.contents() == before
    assert not (home.folder / "data/tallystick").exists()
    assert "Nothing to do" in home.setup("--remove", "--yes")


@pytest.mark.parametrize("way", ["--dry-run", "--print", "--list"])
def test_dry_run_print_and_list_write_nothing(home: Home, way: str) -> None:
    home.write(SETTINGS, b"{}")
    before = home.contents()
    output = home.setup("claude-code", way)
    assert "settings.json" in output
    assert home.contents() == before
    assert not (home.folder / "data").exists()


def test_print_shows_what_setup_would_write(home: Home) -> None:
    output = home.setup("cursor", "--print", "--strict")
    home.setup("cursor", "--yes", "--strict")
    for name in (".cursor/hooks.json", ".cursor/mcp.json"):
        printed = json.JSONDecoder().raw_decode(output.partition(f"{name}:")[2].lstrip())[0]
        assert printed == json.loads((home.folder / name).read_text())


def test_without_a_terminal_and_without_a_yes_nothing_is_written(home: Home) -> None:
    with pytest.raises(InvalidArgument, match="Use --yes"):
        home.setup("cursor")
    assert not (home.folder / ".cursor").exists()


@pytest.mark.parametrize(("answer", "written"), [("y\n", True), ("\n", False), ("no\n", False)])
def test_at_a_terminal_it_asks(home: Home, monkeypatch: pytest.MonkeyPatch, answer: str, written: bool) -> None:
    mine, theirs = os.openpty()
    os.write(mine, answer.encode())
    with open(theirs) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        home.setup("cursor")
    os.close(mine)
    assert (home.folder / ".cursor/hooks.json").exists() == written


def test_a_project_gets_files_of_its_own(home: Home) -> None:
    home.setup("claude-code", "codex", "gemini-cli", "cursor", "copilot", "vscode", "--scope", "project", "--yes")
    assert {name for name, content in home.contents().items() if content is not None} == {
        "project/.claude/settings.local.json",
        "project/.mcp.json",
        "project/.codex/hooks.json",
        "project/.codex/config.toml",
        "project/.gemini/settings.json",
        "project/.cursor/hooks.json",
        "project/.cursor/mcp.json",
        "project/.github/hooks/tallystick.json",
        "project/.github/mcp.json",
        "project/.vscode/mcp.json",
    }
    assert "has no project files" in home.setup("claude-desktop", "--scope", "project", "--yes")
    home.setup("--remove", "--yes")
    assert home.contents() == {"project": None}


def test_variables_of_the_clients_move_their_files(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.setenv(name, str(home.folder / name))
    for client in ("claude-code", "codex", "copilot", "gemini-cli"):
        home.set_up(client)
    assert {name for name, content in home.contents().items() if content is not None} == {
        "CLAUDE_CONFIG_DIR/settings.json",
        "CLAUDE_CONFIG_DIR/.claude.json",
        "CODEX_HOME/hooks.json",
        "CODEX_HOME/config.toml",
        "COPILOT_HOME/hooks/tallystick.json",
        "COPILOT_HOME/mcp-config.json",
        "GEMINI_CLI_HOME/.gemini/settings.json",
    }


def test_strict_applies_only_before_a_call_and_only_where_supported(home: Home) -> None:
    home.setup("claude-code", "cursor", "--strict", "--yes", "--no-mcp")
    assert "without --strict" in home.setup("codex", "--strict", "--yes", "--no-mcp")
    claude = json.loads((home.folder / SETTINGS).read_text())["hooks"]
    cursor = json.loads((home.folder / ".cursor/hooks.json").read_text())["hooks"]
    assert claude["PreToolUse"][0]["hooks"][0]["onFailure"] == "block"
    assert cursor["preToolUse"][0]["failClosed"] is True
    strict = [name for name, groups in claude.items() if "--strict" in groups[0]["hooks"][0]["command"]]
    assert strict == ["PreToolUse"]
    assert [name for name, groups in cursor.items() if "failClosed" in groups[0]] == ["preToolUse"]
    assert "--strict" not in (home.folder / ".codex/hooks.json").read_text()


@pytest.mark.parametrize("client", [name for name, hooks in HOOKS.items() if hooks.strict_fields is not None])
def test_a_strict_line_exits_with_2_whenever_the_program_does_not_answer(home: Home, client: str) -> None:
    """Gemini CLI refuses a call only on 2: the 127 of a shell that finds no Python, or a signal, would let it pass."""
    event = next(each for each in HOOKS[client].events if each.call == "before")
    element = desired.desired_hooks(client, os.environ, strict=True)[event.name]
    [line] = [handler_command(client, each) for each in handlers_of(client, element)]
    python = hook_bundle.base_python()
    assert line.startswith(f"{python} ")
    killed = f"sh -c 'kill -9 $$' {line.removeprefix(python)}"
    for broken in (line.replace(python, "/nowhere/python3"), killed, line):  # the program was never written
        done = subprocess.run(["sh", "-c", broken], input=b"{}", capture_output=True, check=False)
        assert done.returncode == 2
    plain = desired.desired_hooks(client, os.environ)[event.name]
    [line] = [handler_command(client, each) for each in handlers_of(client, plain)]
    assert subprocess.run(["sh", "-c", line], input=b"{}", capture_output=True, check=False).returncode == 0


def test_strict_hooks_stay_strict_until_no_strict(home: Home) -> None:
    home.setup("claude-code", "--strict", "--yes", "--no-mcp")
    settings = home.folder / ".claude/settings.json"
    strict = settings.read_text()
    assert "stay strict" in home.setup("claude-code", "--yes", "--no-mcp")
    assert settings.read_text() == strict
    assert "of 15, strict" in home.setup("--list")
    assert ", strict" in home.setup("claude-code", "--check")
    home.setup("claude-code", "--no-strict", "--yes", "--no-mcp")
    assert "--strict" not in settings.read_text()
    assert ", strict" not in home.setup("--list") + home.setup("claude-code", "--check")


def test_the_repair_command_names_the_clients_and_options_that_are_set_up(home: Home) -> None:
    home.setup("claude-code", "codex", "--strict", "--yes", "--no-mcp")
    home.setup("gemini-cli", "--scope", "project", "--yes", "--no-mcp")
    assert health.repair_command(home.locations) == (
        "tallystick setup claude-code codex --yes && tallystick setup gemini-cli --scope project --yes"
    )
    (hook_bundle.program_folder(os.environ) / "run.py").unlink()
    assert health.repair_command(home.locations) in home.setup("--list")
    home.setup("gemini-cli", "--yes", "--no-mcp")
    assert "claude-code codex gemini-cli --yes" in health.repair_command(home.locations)


def test_an_older_strict_line_is_replaced_and_stays_strict(home: Home) -> None:
    home.setup("gemini-cli", "--strict", "--yes", "--no-mcp")
    settings = home.folder / ".gemini/settings.json"
    now = settings.read_text()
    settings.write_text(now.replace(" || exit 2", ""))
    assert "`tallystick setup gemini-cli --yes --strict`" in home.setup("gemini-cli", "--check", code=1)
    home.setup("gemini-cli", "--strict", "--yes", "--no-mcp")
    assert settings.read_text() == now
    home.setup("--remove", "--yes")
    assert not settings.exists()


def test_the_server_lists_minimal_tools_only_beside_hooks(home: Home) -> None:
    home.setup("claude-code", "--yes")
    home.setup("cursor", "--yes", "--no-hooks")
    home.set_up("vscode")
    for name, key, words in (
        (".claude.json", "mcpServers", ["mcp", "--tools=minimal"]),
        (".cursor/mcp.json", "mcpServers", ["mcp"]),
        (".config/Code/User/mcp.json", "servers", ["mcp"]),
    ):
        arguments = json.loads((home.folder / name).read_text())[key]["tallystick"]["args"]
        assert arguments[-len(words) :] == words
        assert ("--tools=minimal" in arguments) == ("--tools=minimal" in words)


@pytest.mark.parametrize(
    ("name", "content", "output"),
    [
        (SETTINGS, b'{\n"a": 1\n"b": 2}', r"settings.json, line 3: expected a comma or }"),
        (SETTINGS, b"\xff\xfe{}", r"settings.json, line 1: this is not UTF-8"),
        (SETTINGS, b'{"hooks": []}', r"settings.json: hooks is not an object"),
        (SETTINGS, b"[1]", r"settings.json: the whole file is not an object"),
        (SETTINGS, b'{"hooks": {"PreToolUse": {}}}', r"hooks.PreToolUse is not a list"),
        (".claude.json", b'{"mcpServers": "x"}', r"\.claude.json: mcpServers is not an object"),
        (".codex/config.toml", b"a = 1\nb = \n", r"config.toml, line 2: Invalid value"),
        (".codex/config.toml", b"mcp_servers = 3\n", r"config.toml: mcp_servers is not a table"),
    ],
)
def test_an_unreadable_file_stops_setup_before_anything_is_written(
    home: Home, name: str, content: bytes, output: str
) -> None:
    home.write(name, content)
    before = home.contents()
    with pytest.raises(TallystickError, match=output):
        home.setup("cursor", "claude-code", "codex", "--yes")
    assert home.contents() == before


def test_a_read_only_file_stops_setup_before_anything_is_written(home: Home) -> None:
    path = home.write(".cursor/mcp.json", b"{}")
    path.chmod(0o444)
    before = home.contents()
    with pytest.raises(StorageUnavailable, match=r"mcp.json is read-only.*chmod u\+w"):
        home.setup("cursor", "--yes")
    assert home.contents() == before


@pytest.mark.parametrize("fails", ["lock", "_replace_file"])
def test_a_full_data_folder_stops_setup_before_a_client_file_is_written(
    home: Home, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    home.write(SETTINGS, b"{}")
    before = home.contents()
    if fails == "lock":
        home.write("data", b"")
    else:
        monkeypatch.setattr(hook_bundle, "_replace_file", _no_room)
    with pytest.raises(
        StorageUnavailable, match=r"data.* cannot be written \(.*\). The clients' files were not changed"
    ):
        home.setup("claude-code", "--yes")
    assert {name: home.contents().get(name) for name in before} == before
    assert not (home.folder / "data/tallystick/hook").exists()


def _no_room(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))


@pytest.mark.parametrize("words", [["claude-code"], ["--remove"]])
def test_staged_files_of_a_killed_setup_are_deleted(
    home: Home, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    home.write(SETTINGS, b"{}")
    home.write(SETTINGS.replace("settings", ".settings") + ".tallystick-backup", b"what somebody else keeps there")
    before = home.contents()
    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", _killed)
        with pytest.raises(KeyboardInterrupt):
            home.set_up("claude-code")
    assert len(home.contents()) > len(before)
    home.setup(*words, "--yes")
    home.setup("--remove", "--yes")
    assert home.contents() == before


def _killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_link_stays_a_link_and_a_mode_stays_a_mode(home: Home) -> None:
    stored = home.write("dotfiles/claude.json", b'{"a": 1}')
    stored.chmod(0o640)
    link = home.folder / SETTINGS
    link.parent.mkdir()
    link.symlink_to(stored)
    home.set_up("claude-code")
    assert link.is_symlink()
    assert "hooks" in json.loads(stored.read_text())
    assert stat.S_IMODE(stored.stat().st_mode) == 0o640
    home.remove()
    assert link.is_symlink()
    assert stored.read_bytes() == b'{"a": 1}'
    assert stat.S_IMODE(stored.stat().st_mode) == 0o640


@pytest.mark.parametrize("leads", ["nowhere/claude.json", "../dotfiles/of/claude.json"])
def test_folders_made_for_a_dangling_link_are_deleted_again(home: Home, leads: str) -> None:
    link = home.folder / SETTINGS
    link.parent.mkdir()
    link.symlink_to(leads)
    before = {*home.folder.rglob("*")}
    home.set_up("claude-code")
    assert "hooks" in json.loads((link.parent / leads).read_text())
    home.remove()
    assert link.is_symlink()
    assert {*home.folder.rglob("*")} <= before | {home.folder / "data", *(home.folder / "data").rglob("*")}


def test_a_new_file_is_private(home: Home) -> None:
    home.set_up("claude-code")
    assert stat.S_IMODE((home.folder / SETTINGS).stat().st_mode) == 0o600


def test_a_missing_gateway_file_is_refused(home: Home) -> None:
    with pytest.raises(InvalidArgument, match="There is no file"):
        home.setup("claude-code", "--yes", "--gateway", "nowhere.json")
    assert not (home.folder / SETTINGS).exists()


def test_a_settings_file_that_is_a_pipe_is_refused(home: Home) -> None:
    path = home.folder / ".cursor/hooks.json"
    path.parent.mkdir()
    os.mkfifo(path)
    with pytest.raises(StorageUnavailable, match="not a regular file"):
        home.setup("cursor", "--yes")


def test_setting_up_neither_hooks_nor_server_is_refused(home: Home) -> None:
    with pytest.raises(InvalidArgument, match="leave nothing to set up"):
        home.setup("cursor", "--yes", "--no-hooks", "--no-mcp")


def test_writing_that_fails_in_the_middle_leaves_every_file_as_it_was(tmp_path: Path) -> None:
    first = tmp_path / "first"
    first.write_bytes(b"old")
    folder = tmp_path / "new" / "folder"
    with pytest.raises(StorageUnavailable, match="Nothing was changed"):
        files.write_all(
            [FileWrite(first, b"new"), FileWrite(folder / "second", b"x"), FileWrite(tmp_path / ("n" * 250), b"")]
        )
    assert first.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["first"]


def test_manifest_and_copies_are_private(home: Home) -> None:
    home.write(SETTINGS, b'{"env": {"KEY": "secret"}}')
    home.set_up("claude-code")
    room = home.folder / "data/tallystick/setup"
    assert stat.S_IMODE(room.stat().st_mode) == 0o700
    assert [path.read_bytes() for path in (room / "before").iterdir()] == [b'{"env": {"KEY": "secret"}}']


def test_the_line_in_a_file_does_not_depend_on_the_version_or_the_environment(home: Home) -> None:
    home.set_up("codex")
    lines = {
        handler["command"]
        for groups in json.loads((home.folder / ".codex/hooks.json").read_text())["hooks"].values()
        for group in groups
        for handler in group["hooks"]
    }
    assert lines == {f"{hook_bundle.base_python()} -I -S {home.folder}/data/tallystick/hook/run.py codex || true"}
    assert len(HOOKS["codex"].events) == 12


def test_the_gateway_replaces_our_server_and_stays_when_setup_is_repeated(home: Home) -> None:
    home.setup("cursor", "--yes", "--no-hooks")
    home.write("project/mcp.json", b'{"mcpServers": {}}')
    home.setup("cursor", "--yes", "--no-hooks", "--gateway", "mcp.json")
    path = home.folder / ".cursor/mcp.json"
    entry = json.loads(path.read_text())["mcpServers"]["tallystick"]
    assert entry["args"][-3:] == ["gateway", "--config", str(home.folder / "project/mcp.json")]
    assert "was not changed" in home.setup("cursor", "--yes", "--no-hooks")
    assert json.loads(path.read_text())["mcpServers"]["tallystick"] == entry
    home.setup("--remove", "--yes")
    assert not path.exists()


def test_a_server_entry_of_the_user_survives_every_removal(home: Home) -> None:
    theirs = b'{"mcpServers": {"tallystick": {"command": "tallystick", "args": ["mcp"], "env": {"NOTE": "mine"}}}}'
    home.write(".cursor/mcp.json", theirs)
    home.setup("cursor", "--yes", "--no-hooks", "--gateway", str(home.write("mcp.json", b'{"mcpServers": {}}')))
    there = home.contents()[".cursor/mcp.json"]
    assert there != theirs
    home.setup("--remove", "--yes")
    assert home.contents()[".cursor/mcp.json"] == theirs
    assert "Nothing to do" in home.setup("--remove", "--yes")
    assert home.contents()[".cursor/mcp.json"] == theirs


@pytest.mark.parametrize("client", ["claude-code", "gemini-cli"])
def test_setup_warns_if_our_plugin_is_installed_too(home: Home, client: str) -> None:
    home.write(SETTINGS, b'{"enabledPlugins": {"tallystick@tallystick": true}}')
    home.write(".gemini/extensions/tallystick/gemini-extension.json", b"{}")
    assert "every hook would run twice" in home.setup(client, "--dry-run")
    assert "twice" not in home.setup("codex", "--dry-run")
