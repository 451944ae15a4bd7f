"""`tallystick setup --check`: the made-up call goes through real shells and a real Python, or the reason is told."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tallystick.capture.clients import observe
from tallystick.capture.observed import CallBegun, CallEnded, Other
from tallystick.capture.setup.events import HOOKS, Event
from tallystick.capture.setup.synthetic import Call
from tests.capture.setup.homes import Home, hooks_file
from tests.gateway.scripted import TOOLS
from tests.gateway.through import Behind, configured

COMMAND = Path(sys.executable).with_name("tallystick")
EVENTS = [(client, event) for client, hooks in HOOKS.items() for event in hooks.events]


def test_what_the_command_set_up_the_command_proves(home: Home) -> None:
    """All through processes, as a person types it."""
    for words in (["--yes", *HOOKS], ["--check"]):
        done = subprocess.run([COMMAND, "setup", *words], capture_output=True, text=True, env=os.environ, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    proved = [line for line in done.stdout.splitlines() if ": ok, " in line]
    trust = {"codex": " Codex was NOT told to trust it yet (type /hooks there),"}
    assert proved == [
        f"{client}: ok, the call is in the journal, begun and ended,{trust.get(client, '')} the server offers 3 tools"
        for client in HOOKS
    ]
    assert "Not proved" in done.stdout
    assert not [*(home.folder / "data/tallystick/spool").iterdir()]
    assert not (home.folder / "data/tallystick/journal.db").exists()


def test_a_gateway_that_was_set_up_is_proved_with_the_servers_behind_it(home: Home, tmp_path: Path) -> None:
    behind = Behind(tmp_path, "one")
    (tmp_path / "mcp.json").write_text(json.dumps(configured(behind)))
    home.setup("cursor", "--yes", "--gateway", str(tmp_path / "mcp.json"))
    told = home.setup("cursor", "--check")
    assert f"the server offers {6 + len(TOOLS) // 2} tools" in told  # the first page of its own, and ours


def test_where_nothing_is_set_up_there_is_nothing_to_prove(home: Home) -> None:
    (home.folder / ".codex").mkdir()
    assert "run `tallystick setup` first" in home.setup("--check", code=1)
    assert "has no hook of ours" in home.setup("codex", "--check", code=1)
    assert "has no server of ours" in home.setup("vscode", "--check", code=1)


def test_a_check_fails_where_the_program_is_gone(home: Home) -> None:
    home.setup("codex", "--yes")
    (home.folder / "data/tallystick/hook/run.py").unlink()
    assert "the hook of PreToolUse failed" in home.setup("codex", "--check", code=1)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("true # /tallystick/hook/run.py", "the call did not arrive: 0 records"),
        ("echo hello # /tallystick/hook/run.py", "answered what no client understands"),
        ("exit 3 # /tallystick/hook/run.py", r"the hook of postToolUse failed (3)"),
        ("", "the event postToolUse has no hook of ours"),
    ],
)
def test_a_check_says_what_is_wrong_with_a_line(home: Home, line: str, told: str) -> None:
    home.setup("cursor", "--yes", "--no-mcp")
    path = home.folder / hooks_file("cursor")
    value = json.loads(path.read_text())
    for event in ("preToolUse", "postToolUse") if line.startswith("true") else ("postToolUse",):
        value["hooks"][event] = [{"command": line}] if line else []
    path.write_text(json.dumps(value))
    assert told in home.setup("cursor", "--check", code=1)


def test_a_check_says_when_the_call_is_not_ended(home: Home) -> None:
    home.setup("cursor", "--yes", "--no-mcp")
    path = home.folder / hooks_file("cursor")
    value = json.loads(path.read_text())
    value["hooks"]["postToolUse"] = [{"command": "echo '{}' # /tallystick/hook/run.py"}]
    path.write_text(json.dumps(value))
    assert "begun, and not ended" in home.setup("cursor", "--check", code=1)


def test_a_check_says_whether_codex_was_told_to_trust_the_hooks(home: Home) -> None:
    home.setup("codex", "--yes", "--no-mcp")
    key = f"{home.folder / hooks_file('codex')}:pre_tool_use:0:0"
    home.write(".codex/config.toml", f'[hooks.state."{key}"]\ntrusted_hash = "sha256:1"\n'.encode())
    assert "Codex was told to trust it" in home.setup("codex", "--check")


def test_a_check_says_when_the_server_does_not_start(home: Home) -> None:
    home.write(
        ".cursor/mcp.json", b'{"mcpServers": {"tallystick": {"command": "/nowhere/tallystick", "args": ["mcp"]}}}'
    )
    home.setup("cursor", "--yes", "--no-mcp")
    assert "the MCP server does not work: /nowhere/tallystick cannot be run" in home.setup("cursor", "--check", code=1)


@pytest.mark.parametrize("client", HOOKS)
def test_the_made_up_call_is_one_that_the_client_could_have_made(client: str) -> None:
    call = Call(client, "0123456789abcdef", "/nowhere")
    names = {event.call: event.name for event in HOOKS[client].events}
    begun = observe(client, names["before"], call.payload("before"))
    ended = observe(client, names["after"], call.payload("after"))
    assert [type(each) for each in (*begun, *ended)] == [CallBegun, CallEnded]


@pytest.mark.parametrize(("client", "event"), EVENTS, ids=lambda each: each.name if isinstance(each, Event) else each)
def test_every_event_that_is_hooked_is_one_that_we_understand(client: str, event: Event) -> None:
    told = observe(client, event.name, {"session_id": "s", "conversation_id": "s", "hook_event_name": event.name})
    assert not isinstance(told[0], Other)
