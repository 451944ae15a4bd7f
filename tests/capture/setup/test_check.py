"""`tallystick setup --check`: a test call goes through real shells and a real Python, or the reason is reported."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tallystick.capture.clients import observe
from tallystick.capture.clients.events import CallBegun, CallEnded, Other
from tallystick.capture.setup import hook_bundle
from tallystick.capture.setup.check import SyntheticCall
from tallystick.capture.setup.hook_events import HOOKS, Event
from tests.capture.setup.homes import Home, hooks_file
from tests.gateway.gateway_client import ScriptedServer, config_for
from tests.gateway.scripted_server import TOOLS

COMMAND = Path(sys.executable).with_name("tallystick")
EVENTS = [(client, event) for client, hooks in HOOKS.items() for event in hooks.events]


def test_a_check_passes_after_setup_for_every_client(home: Home) -> None:
    """In processes, as a person runs it."""
    for words in (["--yes", *HOOKS], ["--check"]):
        done = subprocess.run([COMMAND, "setup", *words], capture_output=True, text=True, env=os.environ, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    proved = [line for line in done.stdout.splitlines() if ": ok, " in line]
    trust = {"codex": " Codex does NOT trust it yet (type /hooks there),"}
    assert proved == [
        f"{client}: ok, the call is in the journal, begun and ended,{trust.get(client, '')} the server offers 3 tools"
        for client in HOOKS
    ]
    assert "Not checked" in done.stdout
    assert not [*(home.folder / "data/tallystick/spool").iterdir()]
    assert not (home.folder / "data/tallystick/journal.db").exists()


def test_a_check_of_a_gateway_lists_the_tools_of_its_servers(home: Home, tmp_path: Path) -> None:
    behind = ScriptedServer(tmp_path, "one")
    (tmp_path / "mcp.json").write_text(json.dumps(config_for(behind)))
    home.setup("cursor", "--yes", "--gateway", str(tmp_path / "mcp.json"))
    output = home.setup("cursor", "--check")
    assert f"the server offers {6 + len(TOOLS) // 2} tools" in output  # the first page of its own, and ours


def test_a_check_without_setup_says_to_run_setup(home: Home) -> None:
    (home.folder / ".codex").mkdir()
    assert "run `tallystick setup` first" in home.setup("--check", code=1)
    assert "has no hook of ours" in home.setup("codex", "--check", code=1)
    assert "has no server of ours" in home.setup("vscode", "--check", code=1)


def test_a_check_fails_where_the_program_is_gone(home: Home) -> None:
    home.setup("codex", "--yes")
    (home.folder / "data/tallystick/hook/run.py").unlink()
    assert "hook/run.py, which does not exist" in home.setup("codex", "--check", code=1)


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("true # /tallystick/hook/run.py", "the call did not arrive: 0 records"),
        ("echo hello # /tallystick/hook/run.py", "gave a response that no client understands"),
        ("exit 3 # /tallystick/hook/run.py", r"the hook of postToolUse failed (3)"),
        ("", "the event postToolUse has no hook of ours"),
    ],
)
def test_a_check_says_what_is_wrong_with_a_line(home: Home, line: str, output: str) -> None:
    home.setup("cursor", "--yes", "--no-mcp")
    path = home.folder / hooks_file("cursor")
    value = json.loads(path.read_text())
    for event in ("preToolUse", "postToolUse") if line.startswith("true") else ("postToolUse",):
        value["hooks"][event] = [{"command": line}] if line else []
    path.write_text(json.dumps(value))
    assert output in home.setup("cursor", "--check", code=1)


def test_a_check_says_when_the_call_is_not_ended(home: Home) -> None:
    home.setup("cursor", "--yes", "--no-mcp")
    path = home.folder / hooks_file("cursor")
    value = json.loads(path.read_text())
    value["hooks"]["postToolUse"] = [{"command": "echo '{}' # /tallystick/hook/run.py"}]
    path.write_text(json.dumps(value))
    assert "begun, but not as ended" in home.setup("cursor", "--check", code=1)


def test_a_check_says_whether_codex_trusts_the_hooks(home: Home) -> None:
    home.setup("codex", "--yes", "--no-mcp")
    key = f"{home.folder / hooks_file('codex')}:pre_tool_use:0:0"
    home.write(".codex/config.toml", f'[hooks.state."{key}"]\ntrusted_hash = "sha256:1"\n'.encode())
    assert "Codex trusts it" in home.setup("codex", "--check")


def test_a_check_says_when_the_server_does_not_start(home: Home) -> None:
    home.write(
        ".cursor/mcp.json", b'{"mcpServers": {"tallystick": {"command": "/nowhere/tallystick", "args": ["mcp"]}}}'
    )
    home.setup("cursor", "--yes", "--no-mcp")
    assert "the MCP server does not work: /nowhere/tallystick cannot be run" in home.setup("cursor", "--check", code=1)


def test_a_check_says_when_another_server_has_our_name(home: Home) -> None:
    home.write(".claude.json", b'{"mcpServers": {"tallystick": {"command": "other-thing"}}}')
    home.setup("claude-code", "--yes")
    output = home.setup("claude-code", "--check", code=1)
    assert 'another server has the name "tallystick"' in output
    assert "Checked:" not in output
    assert "another's" in home.setup("--list").splitlines()[1]


def test_a_check_does_not_ask_a_server_at_a_url(home: Home) -> None:
    home.write(".claude.json", b'{"mcpServers": {"tallystick": {"type": "http", "url": "http://127.0.0.1:7331/mcp"}}}')
    home.setup("claude-code", "--yes")
    assert "the server at http://127.0.0.1:7331/mcp was NOT asked" in home.setup("claude-code", "--check")


def _edited(value: dict[str, Any], event: str, key: str, other: Any) -> None:
    group = value["hooks"][event][0]
    (group if key == "matcher" else group["hooks"][0])[key] = other


BROKEN: dict[str, tuple[str, Callable[[dict[str, Any]], object], str]] = {
    "matcher": (
        "claude-code",
        lambda v: _edited(v, "PostToolUseFailure", "matcher", "Bash"),
        "PostToolUseFailure is not",
    ),
    "timeout": (
        "claude-code",
        lambda v: _edited(v, "PreToolUse", "timeout", 0.001),
        "PreToolUse is not as it was set up",
    ),
    "all off": ("claude-code", lambda v: v.update(disableAllHooks=True), "disableAllHooks in .* turns all hooks off"),
    "hooks off": (
        "gemini-cli",
        lambda v: v.update(hooksConfig={"enabled": False}),
        "hooksConfig.enabled in .* turns all",
    ),
    "ours off": (
        "gemini-cli",
        lambda v: v.update(hooksConfig={"disabled": ["others", "tallystick"]}),
        "hooksConfig.disabled in .* names our hooks",
    ),
}


@pytest.mark.parametrize("name", ["hooks", "codex_hooks"])
def test_a_check_finds_the_switch_of_codex_in_its_other_file(home: Home, name: str) -> None:
    home.setup("codex", "--yes", "--no-mcp")
    (home.folder / ".codex/config.toml").write_text(f"[features]\n{name} = false\n")
    assert f"features.{name} in " in home.setup("codex", "--check", code=1)


@pytest.mark.parametrize("case", BROKEN)
def test_a_check_looks_at_all_that_keeps_hooks_from_running(home: Home, case: str) -> None:
    client, edit, output = BROKEN[case]
    home.setup(client, "--yes", "--no-mcp")
    path = home.folder / hooks_file(client)
    value = json.loads(path.read_text())
    edit(value)
    path.write_text(json.dumps(value))
    assert re.search(output, home.setup(client, "--check", code=1))


def test_a_check_runs_the_command_that_hooks_start_and_tries_the_spools_of_the_user(home: Home) -> None:
    home.setup("cursor", "--yes", "--no-mcp")
    data = home.folder / "data/tallystick"
    assert "cursor: ok" in home.setup("cursor", "--check")
    (data / "spool/mine.spool").mkdir()
    assert "the spool cannot be written" in home.setup("cursor", "--check", code=1)
    (data / "spool/mine.spool").rmdir()
    stored = json.loads((data / "hook/home.json").read_text())
    (data / "hook/home.json").write_text(json.dumps({**stored, "command": ["/gone/tallystick"]}))
    assert "hooks start /gone/tallystick, which cannot be run" in home.setup("cursor", "--check", code=1)
    (data / "hook/home.json").unlink()
    assert "does not name the command" in home.setup("cursor", "--check", code=1)
    home.setup("cursor", "--yes", "--no-mcp")
    assert "cursor: ok" in home.setup("cursor", "--check")


def test_a_missing_interpreter_is_reported_everywhere_and_setup_repairs_it(home: Home) -> None:
    home.setup("cursor", "--yes")
    path = home.folder / hooks_file("cursor")
    wanted = path.read_text()
    path.write_text(wanted.replace(hook_bundle.base_python(), "/opt/gone/python3"))
    output = "its hooks name /opt/gone/python3, which does not exist"
    assert output in home.setup("cursor", "--check", code=1)
    assert output in home.setup("--list")
    doctor = [sys.executable, "-m", "tallystick", "doctor"]
    assert output in subprocess.run(doctor, capture_output=True, text=True, check=False).stdout
    home.setup("--yes")
    assert path.read_text() == wanted
    assert "does not exist" not in home.setup("--list")
    assert (
        "hooks        cursor: their hooks are installed"
        in subprocess.run(doctor, capture_output=True, text=True, check=False).stdout
    )


def test_a_file_that_cannot_be_read_does_not_hide_the_others(home: Home) -> None:
    home.setup("cursor", "codex", "--yes", "--no-mcp")
    home.write(hooks_file("codex"), b"{,}")
    output = home.setup("--check", code=1)
    assert "hooks.json, line 1" in output
    assert "cursor: ok" in output
    listed = home.setup("--list")
    assert "hooks.json, line 1" in listed
    assert "10 of 10" in listed


@pytest.mark.parametrize("client", HOOKS)
def test_the_test_call_has_the_form_of_a_real_call_of_the_client(client: str) -> None:
    call = SyntheticCall(client, "0123456789abcdef", "/nowhere")
    names = {event.call: event.name for event in HOOKS[client].events}
    begun = observe(client, names["before"], call.payload("before"))
    ended = observe(client, names["after"], call.payload("after"))
    assert [type(each) for each in (*begun, *ended)] == [CallBegun, CallEnded]


@pytest.mark.parametrize(("client", "event"), EVENTS, ids=lambda each: each.name if isinstance(each, Event) else each)
def test_every_hooked_event_is_understood(client: str, event: Event) -> None:
    output = observe(client, event.name, {"session_id": "s", "conversation_id": "s", "hook_event_name": event.name})
    assert not isinstance(output[0], Other)
