"""Background calls are in doubt until the client reports their end."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.capture.harness import Client, Watched

COMMAND = {"command": "sleep 1; exit 7", "run_in_background": True}
RUNNING = {"stdout": "", "stderr": "", "interrupted": False, "backgroundTaskId": "b0s48bv6i"}


def _notification(status: str, how: str, call: str = "toolu_896431458", task: str = "b0s48bv6i", kind: str = "") -> str:
    summary = f'{kind or "Background command"} "sleep 1; exit 7" {how}'
    return (
        f"<task-notification>\n<task-id>{task}</task-id>\n<tool-use-id>{call}</tool-use-id>\n"
        f"<output-file>/tmp/tasks/{task}.output</output-file>\n<status>{status}</status>\n"
        f"<summary>{summary}</summary>\n</task-notification>"
    )


FAILED = _notification("failed", "failed with exit code 7")


@pytest.fixture
def agent(watched: Watched) -> Client:
    """Claude Code, with a command that goes on after its turn."""
    client = watched.client("claude-code", "c")
    client.claude_call("Bash", "toolu_896431458", COMMAND, tool_response=RUNNING)
    client.send("Stop")
    watched.drain()
    return client


def _state(watched: Watched) -> tuple[str, str]:
    watched.drain()
    [done] = watched.calls()
    return done.state, done.error


def test_a_command_in_the_background_is_in_doubt_until_its_end_is_reported(watched: Watched, agent: Client) -> None:
    assert _state(watched) == ("in_doubt", "It was still running when its call was over.")


def test_a_command_that_cursor_put_in_the_background_is_in_doubt_though_it_has_an_exit_code(watched: Watched) -> None:
    agent = watched.client("cursor", "c")
    call = {"tool_name": "Shell", "tool_input": {"command": "npm publish", "is_background": True}, "tool_use_id": "t1"}
    agent.send("preToolUse", **call)
    agent.send("postToolUse", **call, tool_output=json.dumps({"output": "", "exitCode": 0}))
    assert _state(watched)[0] == "in_doubt"


@pytest.mark.parametrize(
    ("prompt", "state"),
    [
        (FAILED, "failed"),
        (_notification("completed", "completed (exit code 0)"), "ok"),
        (_notification("completed", "completed"), "in_doubt"),
        (_notification("killed", "was stopped"), "in_doubt"),
    ],
    ids=["failed", "exit code 0", "no exit code", "killed"],
)
def test_a_notification_of_claude_code_settles_a_background_call(
    watched: Watched, agent: Client, prompt: str, state: str
) -> None:
    agent.send("UserPromptSubmit", prompt=prompt)
    assert _state(watched)[0] == state
    assert watched.kinds()[-2:] == ["notified", "action_noted" if state == "in_doubt" else "action_ended"]
    agent.send("UserPromptSubmit", prompt=prompt)
    assert _state(watched)[0] == state
    assert watched.journal.verify().ok


@pytest.mark.parametrize(
    "prompt",
    [
        f"Claude Code wrote: {FAILED}",
        f"{FAILED}\nWhat does that mean?",
        FAILED.replace("toolu_896431458", "toolu_1"),
        FAILED.replace("b0s48bv6i", "b1"),
        FAILED.replace("<status>failed</status>\n", ""),
    ],
    ids=["quoted", "asked about", "another call", "another task", "no status"],
)
def test_a_prompt_that_only_resembles_a_notification_settles_nothing(
    watched: Watched, agent: Client, prompt: str
) -> None:
    agent.send("UserPromptSubmit", prompt=prompt)
    assert _state(watched)[0] == "in_doubt"


def test_a_call_that_was_not_put_in_the_background_is_not_settled_by_a_prompt(watched: Watched) -> None:
    agent = watched.client("claude-code", "c")
    agent.send("PreToolUse", tool_name="Bash", tool_input={"command": "make"}, tool_use_id="toolu_896431458")
    agent.send("UserPromptSubmit", prompt=_notification("completed", "completed (exit code 0)"))
    assert _state(watched)[0] == "in_doubt"


def test_another_conversations_prompt_settles_nothing(watched: Watched, agent: Client) -> None:
    watched.client("claude-code", "another").send("UserPromptSubmit", prompt=FAILED)
    assert _state(watched)[0] == "in_doubt"


def test_an_agent_that_was_launched_and_not_waited_for_is_in_doubt_until_it_has_finished(watched: Watched) -> None:
    agent = watched.client("claude-code", "c")
    launched = {"isAsync": True, "status": "async_launched", "agentId": "a03735b9d"}
    agent.claude_call("Agent", "toolu_2", {"prompt": "Look"}, tool_response=launched)
    assert _state(watched)[0] == "in_doubt"
    agent.send("UserPromptSubmit", prompt=_notification("completed", "finished", "toolu_2", "a03735b9d", "Agent"))
    assert _state(watched)[0] == "ok"


@pytest.mark.parametrize("shown", ["Async agent launched.", [{"type": "text", "text": "Async agent launched."}]])
def test_the_first_result_of_a_launched_agent_is_not_its_end(watched: Watched, shown: object) -> None:
    agent = watched.client("claude-code", "c")
    call = {"tool_name": "Agent", "tool_input": {"prompt": "Look"}, "tool_use_id": "toolu_2"}
    agent.send("PreToolUse", **call)
    agent.send("PostToolUse", **call, tool_response={"isAsync": True, "status": "async_launched", "agentId": "a1"})
    agent.send("PostToolBatch", tool_calls=[{**call, "tool_response": shown}])
    assert _state(watched) == ("in_doubt", "It was still running when its call was over.")
    agent.send("UserPromptSubmit", prompt=_notification("completed", "finished", "toolu_2", "a1", "Agent"))
    assert _state(watched)[0] == "ok"


def _line(**more: Any) -> str:
    return json.dumps(more) + "\n"


QUEUED = {"type": "queued_command", "prompt": FAILED}
REPORTED_IN_A_TURN = [
    (_line(type="attachment", attachment={**QUEUED, "commandMode": "task-notification"}), "failed"),
    (_line(type="user", message={"content": FAILED}, origin={"kind": "task-notification"}), "failed"),
    (_line(type="attachment", attachment={**QUEUED, "commandMode": "prompt"}), "in_doubt"),
    (_line(type="user", message={"content": FAILED}, origin={"kind": "human"}), "in_doubt"),
    (_line(type="queue-operation", operation="enqueue", content=FAILED), "in_doubt"),
    (_line(type="user", message={"content": [{"type": "tool_result", "content": FAILED}]}), "in_doubt"),
]


def test_open_calls_of_a_sub_agent_are_in_doubt_after_a_new_prompt(watched: Watched) -> None:
    """An interrupt ends both, and Claude Code reports neither."""
    agent = watched.client("claude-code", "c")
    agent.send("PreToolUse", tool_name="Agent", tool_input={"prompt": "look"}, tool_use_id="t1")
    agent.send("PreToolUse", tool_name="Bash", tool_input={"command": "make"}, tool_use_id="t2", agent_id="a1")
    watched.drain()
    assert [done.state for done in watched.calls()] == ["open", "open"]
    agent.send("UserPromptSubmit", prompt="do something else")
    watched.drain()
    assert [done.state for done in watched.calls()] == ["in_doubt", "in_doubt"]


def test_calls_of_a_background_sub_agent_stay_open_after_a_prompt(watched: Watched) -> None:
    agent = watched.client("claude-code", "c")
    launched = {"isAsync": True, "status": "async_launched", "agentId": "a1"}
    agent.claude_call("Agent", "t1", {"prompt": "look"}, tool_response=launched)
    agent.send("PreToolUse", tool_name="Bash", tool_input={"command": "make"}, tool_use_id="t2", agent_id="a1")
    agent.send("UserPromptSubmit", prompt="do something else")
    watched.drain()
    assert [done.state for done in watched.calls()] == ["in_doubt", "open"]


@pytest.mark.parametrize(("line", "state"), REPORTED_IN_A_TURN)
def test_a_notification_during_a_turn_is_read_from_the_transcript(
    watched: Watched, agent: Client, tmp_path: Path, line: str, state: str
) -> None:
    transcript = tmp_path / "c.jsonl"
    transcript.write_text(_line(type="last-prompt") + line)
    agent.send("Stop", transcript_path=str(transcript))
    assert _state(watched)[0] == state


@pytest.mark.parametrize("reported", [True, False])
def test_an_agent_that_was_only_started_is_not_done_when_its_batch_is(watched: Watched, reported: bool) -> None:
    client = watched.client("claude-code", "c")
    payload = {"tool_name": "Agent", "tool_input": {"prompt": "look"}, "tool_use_id": "toolu_1"}
    client.send("PreToolUse", **payload)
    if reported:
        client.send("PostToolUse", **payload, tool_response={"status": "async_launched", "agentId": "a1"})
    shown = [{"type": "text", "text": "Async agent launched successfully."}]
    client.send("PostToolBatch", tool_calls=[{**payload, "tool_response": shown}])
    assert _state(watched)[0] == "in_doubt"
    client.send(
        "UserPromptSubmit", prompt=_notification("completed", "finished", call="toolu_1", task="a1", kind="Agent")
    )
    assert _state(watched)[0] == ("ok" if reported else "in_doubt")
