"""End to end: `tallystick setup claude-code`, then the real Claude Code, then the journal."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, ResultMessage

from tallystick import Journal
from tallystick.paths import journal_name
from tests.integrations.scripted_api import call, scripted_api
from tests.integrations.world import TIMEOUT_SECONDS, actions_of

COMMAND = Path(sys.executable).with_name("tallystick")


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """An empty home with a project."""
    for name in ("home", "project"):
        (tmp_path / name).mkdir()
    home = tmp_path / "home"
    stored = {
        name: value for name, value in os.environ.items() if not name.startswith(("TALLYSTICK_", "CLAUDE", "XDG_"))
    }
    return {
        **stored,
        "HOME": str(home),
        "CLAUDE_CONFIG_DIR": str(home / ".claude"),
        "XDG_DATA_HOME": str(home / "data"),
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "IS_SANDBOX": "1",
    }


def _tallystick(env: dict[str, str], folder: Path, *words: str) -> str:
    done = subprocess.run([COMMAND, *words], cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_after_setup_the_journal_has_everything_that_claude_code_does(env: dict[str, str], tmp_path: Path) -> None:
    project = tmp_path / "project"
    _tallystick(env, project, "setup", "claude-code", "--yes")
    turn = [
        call("Bash", "toolu_1", command="echo hello > made.txt", description="make"),
        call("Bash", "toolu_2", command="exit 3", description="fail"),
        call("mcp__tallystick__query_ledger", "toolu_3", view="brief"),
    ]

    async def play() -> None:
        with scripted_api(turn) as address:
            options = ClaudeAgentOptions(
                cwd=project,
                env={**env, "ANTHROPIC_BASE_URL": address},
                permission_mode="bypassPermissions",
                model="scripted",
                setting_sources=["user"],
            )
            async with asyncio.timeout(TIMEOUT_SECONDS), ClaudeSDKClient(options) as client:
                await client.query("go")
                messages = [message async for message in client.receive_response()]
        assert isinstance(messages[-1], ResultMessage)

    asyncio.run(play())
    assert os.listdir(project) == ["made.txt"]
    _tallystick(env, project, "capture", "drain")
    with Journal.open(
        f"sqlite://{env['XDG_DATA_HOME']}/tallystick/journal.db", journal=journal_name(project)
    ) as journal:
        found = actions_of(journal)
        noted = [each.kind for each in journal.read_entries(limit=100).entries]
    assert [(each.tool, each.call, each.outcome, each.actor) for each in found] == [
        ("Bash", "toolu_1", "ok", "claude-code"),
        ("Bash", "toolu_2", "failed", "claude-code"),
    ]
    assert [each.arguments for each in found] == [made["input"] for made in turn[:2]]
    assert noted.count("session_noted") >= 2  # the prompt and the stop
