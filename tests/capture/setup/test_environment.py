"""A client starts hooks and servers in an environment of its own: they find the data folder, the store and the journal
that were in force where `setup` was typed."""

import json
import os
import subprocess
from pathlib import Path
from typing import cast

import pytest

from tallystick import paths
from tallystick.capture.ingest.abandoned import find_unclaimed
from tallystick.capture.ingest.drain import catch_up
from tallystick.capture.setup import hook_bundle
from tallystick.capture.spool import file as spool_file
from tallystick.sdk.journal import Journal
from tallystick.sdk.local import Local
from tests.capture.hook.events import encoded
from tests.capture.setup.config_files import TOML
from tests.capture.setup.homes import Home, hooks_file, servers_file
from tests.capture.setup.test_check import COMMAND

BARE = {"PATH": "/usr/bin:/bin"}
SETTINGS = {"TALLYSTICK_URL": "sqlite:///x/y.db", "XDG_DATA_HOME": "/x"}


def test_a_hook_spools_beside_its_program_in_any_client_environment(home: Home) -> None:
    home.setup("cursor", "--yes", "--no-mcp")
    _tell(home, BARE, "preToolUse")
    _tell(home, {**BARE, "XDG_DATA_HOME": str(home.folder / "other")}, "postToolUse")
    [path] = (home.folder / "data/tallystick/spool").glob("*.spool")
    assert [record["event"] for record in spool_file.read(path).records] == ["preToolUse", "postToolUse"]
    _tell(home, {**BARE, "TALLYSTICK_SPOOL": str(home.folder / "output")}, "preToolUse")
    assert len([*(home.folder / "output").glob("*.spool")]) == 1


def test_a_plugin_in_a_folder_of_the_same_name_uses_the_environment(tmp_path: Path) -> None:
    run = hook_bundle.write(tmp_path / "plugins/tallystick/hook", ["tallystick"])
    command = [hook_bundle.base_python(), "-I", "-S", str(run), "cursor"]
    env = {"XDG_DATA_HOME": str(tmp_path / "data")}
    subprocess.run(command, input=encoded("cursor", "preToolUse"), env=env, check=True, capture_output=True)
    assert not (tmp_path / "plugins/tallystick/spool").exists()
    assert len([*(tmp_path / "data/tallystick/spool").glob("*.spool")]) == 1


def test_waiting_records_move_with_the_spool_folder_and_back(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    usual, moved = home.folder / "data/tallystick/spool", home.folder / "moved"
    home.setup("cursor", "--yes", "--no-mcp")
    _tell(home, BARE, "preToolUse")
    monkeypatch.setenv("TALLYSTICK_SPOOL", str(moved))
    home.setup("cursor", "--yes", "--no-mcp")
    _tell(home, BARE, "postToolUse")
    assert (_events(usual), _events(moved)) == ([], ["preToolUse", "postToolUse"])
    monkeypatch.delenv("TALLYSTICK_SPOOL")
    home.setup("--remove", "--yes")
    assert (_events(usual), _events(moved)) == (["preToolUse", "postToolUse"], [])


def test_a_late_record_in_a_former_spool_folder_is_reported(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = home.folder / "data/tallystick/spool"
    home.setup("cursor", "--yes", "--no-mcp")
    _tell(home, BARE, "preToolUse")
    monkeypatch.setenv("TALLYSTICK_SPOOL", str(home.folder / "moved"))
    home.setup("cursor", "--yes", "--no-mcp")
    _tell(home, {**BARE, "TALLYSTICK_SPOOL": str(usual)}, "postToolUse")
    [_, late] = find_unclaimed({"XDG_DATA_HOME": str(home.folder / "data")}, "another")
    assert late.former_folder == str(usual)
    assert late.command.startswith(f"TALLYSTICK_SPOOL={usual} tallystick capture drain")


def _events(folder: Path) -> list[str]:
    return [record["event"] for path in folder.glob("*.spool") for record in spool_file.read(path).records]


def test_hooks_spool_and_mask_with_the_settings_of_setup(home: Home) -> None:
    output = {"TALLYSTICK_SPOOL": str(home.folder / "output"), "TALLYSTICK_SECRET_NAMES": "inner"}
    env = {**os.environ, **output, "TALLYSTICK_SECRET_PATTERNS": "ZZ-[0-9]{6}"}
    subprocess.run([COMMAND, "setup", "cursor", "--yes"], env=env, check=True, capture_output=True)
    payload = {"conversation_id": "c", "tool_name": "Shell", "tool_use_id": "t", "cwd": str(home.folder)}
    hook_input = {**payload, "tool_input": {"command": "use ZZ-123456", "inner": "hello"}}
    [hook] = json.loads((home.folder / hooks_file("cursor")).read_text())["hooks"]["preToolUse"]
    command = ["sh", "-c", hook["command"]]
    subprocess.run(command, input=json.dumps(hook_input).encode(), env=BARE, check=True, capture_output=True)
    [path] = (home.folder / "output").glob("*.spool")
    stored = path.read_text()
    assert "ZZ-123456" not in stored
    assert "hello" not in stored
    assert not (home.folder / "data/tallystick/spool").exists()
    for where in (env, os.environ):  # a terminal that says nothing of it looks there too
        done = subprocess.run(
            [COMMAND, "setup", "cursor", "--check"], env=where, check=False, capture_output=True, text=True
        )
        assert "cursor: ok" in done.stdout, done.stdout
    drained = subprocess.run([COMMAND, "capture", "drain"], cwd=home.folder, check=True, capture_output=True, text=True)
    assert drained.stdout.startswith("1 recorded")


def test_a_check_reports_a_spool_folder_that_is_not_read(home: Home) -> None:
    home.setup("cursor", "--yes")
    env = {**os.environ, "TALLYSTICK_SPOOL": str(home.folder / "since")}
    done = subprocess.run([COMMAND, "setup", "cursor", "--check"], env=env, check=False, capture_output=True, text=True)
    assert (done.returncode, "hooks spool in" in done.stdout) == (1, True), done.stdout


def test_hooks_record_in_the_store_and_journal_of_setup(home: Home) -> None:
    url = f"sqlite:///{home.folder}/shared.db"
    env = {**os.environ, "TALLYSTICK_URL": url, "TALLYSTICK_JOURNAL": "ours"}
    subprocess.run([COMMAND, "setup", "cursor", "--yes"], env=env, check=True, capture_output=True)
    entry = json.loads((home.folder / ".cursor/mcp.json").read_text())["mcpServers"]["tallystick"]
    assert entry["env"] == {**{name: env[name] for name in ("TALLYSTICK_URL", "TALLYSTICK_JOURNAL", "XDG_DATA_HOME")}}
    done = subprocess.run([COMMAND, "setup", "cursor", "--check"], check=False, capture_output=True, text=True)
    assert "cursor: ok" in done.stdout, done.stdout
    _tell(home, BARE, "preToolUse")
    with Journal.open(journal="ours") as journal:  # the user's own store, which hooks were not set up for
        assert catch_up(cast(Local, journal.caller), os.environ).recorded == 0
    _tell(home, BARE, "sessionStart")  # starts the command, which drains
    with Journal.open(url, journal="ours") as journal:
        assert "action_begun" in [each.kind for each in journal.read_entries(limit=100).entries]
        _tell(home, BARE, "postToolUse")
        assert catch_up(cast(Local, journal.caller), os.environ).recorded == 1


OLD_TOML = b"[mcp_servers.tallystick]\ncommand = '/old/tallystick'\nargs = ['mcp']\n"
OTHER_TOML = (
    b"# theirs\n[other]\nb = nan\n",
    b"[mcp_servers.tallystick.env]\nA = '1' # a\n\n# theirs\n[other]\n",
    b"env.A = '1'\n[other]\n[mcp_servers.other]\ncommand = 'x'\n",
    b"[other]\nb = 1\n[mcp_servers.tallystick.env]\nA = '1'\nTALLYSTICK_URL = 'theirs'\n# end",
)
THERE = b'{"mcpServers": {"tallystick": {"command": "/old/tallystick", "args": ["mcp"]%b}}}'


@pytest.mark.parametrize(
    ("client", "before"),
    [
        ("cursor", THERE % b', "env": {"A": "1"}'),
        ("cursor", THERE % b', "env": {"TALLYSTICK_URL": "theirs"}'),
        ("cursor", THERE % b""),
        ("cursor", b"{ }"),
        ("codex", TOML["ours of old"]),
        ("codex", TOML["CRLF"]),
        *(("codex", OLD_TOML + more) for more in OTHER_TOML),
    ],
)
def test_settings_of_the_server_are_removed_with_it(home: Home, client: str, before: bytes) -> None:
    path = home.write(servers_file(client), before)
    home.set_up(client, hooks=False, settings=SETTINGS)
    assert "sqlite:///x/y.db" in path.read_text()
    assert home.set_up(client, hooks=False, settings=SETTINGS) == 0
    path.write_bytes(path.read_bytes() + b"\n")
    home.remove()
    assert path.read_bytes().strip() == before.strip()


def test_a_url_with_a_password_is_not_written_into_project_files(home: Home) -> None:
    settings = {"TALLYSTICK_URL": "postgresql://me:hunter2@db/x"}
    home.set_up("cursor", hooks=False, scope="project", settings=settings)
    assert "hunter2" not in (home.folder / "project/.cursor/mcp.json").read_text()
    home.set_up("cursor", hooks=False, settings=settings)
    assert "hunter2" in (home.folder / ".cursor/mcp.json").read_text()


@pytest.mark.parametrize("words", [["capture", "drain"], ["doctor"]])
def test_drain_and_doctor_update_the_hook(home: Home, words: list[str]) -> None:
    home.set_up("cursor")
    folder = hook_bundle.program_folder(os.environ)
    run = hook_bundle.write(folder, ["/gone/tallystick"])
    run.write_text(run.read_text() + "# of another version\n")
    subprocess.run([COMMAND, *words], check=False, capture_output=True)
    assert json.loads((folder / "home.json").read_text())["command"] == [str(COMMAND)]
    assert hook_bundle.is_current(folder)


def test_a_data_folder_that_is_not_absolute_is_ignored() -> None:
    assert paths.data_folder({"XDG_DATA_HOME": "rel/data"}) == paths.data_folder({})


def _tell(home: Home, env: dict[str, str], event: str) -> None:
    run = home.folder / "data/tallystick/hook/run.py"
    hook_input = encoded(
        "cursor", event, conversation_id="c", tool_use_id="t", workspace_roots=[str(home.folder / "project")]
    )
    done = subprocess.run(
        [hook_bundle.base_python(), "-I", "-S", str(run), "cursor"],
        input=hook_input,
        env=env,
        cwd=home.folder / "project",
        capture_output=True,
        check=True,
    )
    assert done.stderr == b""
