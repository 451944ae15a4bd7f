"""End to end: the Claude Code that comes with the SDK, its real tools in a real folder, and a scripted model."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, ResultMessage

from tallystick import Journal
from tallystick.integrations.claude_agent_sdk import journal_hooks
from tests.integrations.scripted_api import Turn, call, scripted_api
from tests.integrations.world import TIMEOUT_SECONDS, actions_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def _options(folder: Path, address: str, hooks: Any) -> ClaudeAgentOptions:
    """An empty home with only our settings, and no network access except the scripted API."""
    home = folder.parent / "home"
    env = {
        "HOME": str(home),
        "CLAUDE_CONFIG_DIR": str(home / "claude"),
        "ANTHROPIC_BASE_URL": address,
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "IS_SANDBOX": "1",  # it refuses to skip its questions for root otherwise
    }
    return ClaudeAgentOptions(
        cwd=folder, env=env, hooks=hooks, permission_mode="bypassPermissions", model="scripted", setting_sources=[]
    )


async def _play(folder: Path, hooks: Any, *turns: Turn) -> None:
    with scripted_api(*turns) as address:
        async with asyncio.timeout(TIMEOUT_SECONDS), ClaudeSDKClient(_options(folder, address, hooks)) as client:
            await client.query("go")
            messages = [message async for message in client.receive_response()]
    assert isinstance(messages[-1], ResultMessage)


def test_the_journal_has_the_calls_of_claude_code(journal: Journal, folder: Path) -> None:
    written = str(folder / "written.txt")
    turns = (
        [call("Bash", "toolu_1", command="echo hello > made.txt", description="make")],
        [call("Bash", "toolu_2", command="cat missing.txt", description="look")],
        [call("Write", "toolu_3", file_path=written, content="x"), call("Read", "toolu_4", file_path="/missing")],
    )
    asyncio.run(_play(folder, journal_hooks(journal, agent="clerk"), *turns))
    assert sorted(os.listdir(folder)) == ["made.txt", "written.txt"]
    assert [(each.tool, each.call, each.outcome, each.actor) for each in actions_of(journal)] == [
        ("Bash", "toolu_1", "ok", "clerk"),
        ("Bash", "toolu_2", "failed", "clerk"),
        ("Write", "toolu_3", "ok", "clerk"),
        ("Read", "toolu_4", "failed", "clerk"),
    ]
    assert [each.arguments for each in actions_of(journal)] == [made["input"] for turn in turns for made in turn]
    assert [item.tool for item in journal.get_undo_list().items] == ["Write", "Bash"]  # what only read is not owed


def test_claude_code_makes_no_call_that_strict_hooks_cannot_record(unwritable: Journal, folder: Path) -> None:
    turn = [call("Bash", "toolu_1", command="echo hello > made.txt", description="make")]
    asyncio.run(_play(folder, journal_hooks(unwritable, strict=True), turn))
    assert os.listdir(folder) == []


def test_a_call_that_is_interrupted_is_in_doubt_from_the_next_prompt_on(journal: Journal, folder: Path) -> None:
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    turn = [call("Bash", "toolu_1", command="echo up > pipe; tail -f /dev/null", description="hang")]

    async def run() -> None:
        """Claude Code does not report an interrupt to hooks, and tells the model that the call was rejected."""
        with scripted_api(turn) as address:
            options = _options(folder, address, journal_hooks(journal))
            async with asyncio.timeout(TIMEOUT_SECONDS), ClaudeSDKClient(options) as client:
                await client.query("go")
                assert await asyncio.to_thread(pipe.read_text) == "up\n"
                await client.interrupt()
                async for _ in client.receive_response():
                    pass
                assert [each.outcome for each in actions_of(journal)] == ["open"]
                await client.query("go on")
                async for _ in client.receive_response():
                    pass

    asyncio.run(run())
    assert [(each.tool, each.outcome) for each in actions_of(journal)] == [("Bash", "unknown")]
