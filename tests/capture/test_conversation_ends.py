"""What hooks alone recorded of a conversation: titled by its prompt, closed at its end, its looks known as reads."""

from pathlib import Path

import pytest

from tallystick.core.formats import times
from tests.capture.harness import Watched
from tests.stores import Clock, open_store

CLIENTS = {
    "claude-code": ("UserPromptSubmit", "PreToolUse", "PostToolUse", "SessionEnd"),
    "codex": ("UserPromptSubmit", "PreToolUse", "PostToolUse", "SessionEnd"),
    "gemini-cli": ("BeforeAgent", "BeforeTool", "AfterTool", "SessionEnd"),
    "cursor": ("beforeSubmitPrompt", "preToolUse", "postToolUse", "sessionEnd"),
    "copilot": ("userPromptSubmitted", "preToolUse", "postToolUse", "sessionEnd"),
}
"""The events of each client: a prompt, the begin and the end of a call, the end of the conversation."""
LOOK = {"command": "cd src && cat a.py | head; git log --oneline | wc -l"}


@pytest.mark.parametrize("client", CLIENTS)
def test_a_conversation_that_only_looked_is_closed_and_its_calls_are_reads(watched: Watched, client: str) -> None:
    prompt, begin, end, over = CLIENTS[client]
    agent = watched.client(client, "c1")
    agent.send(prompt, prompt="Why does the import fail?\nUse ghp_" + "a1B2" * 9)
    agent.send(begin, tool_name="Bash", tool_input=LOOK, toolName="bash", toolArgs=LOOK, tool_use_id="t1")
    agent.send(
        end, tool_name="Bash", tool_input=LOOK, toolName="bash", toolArgs=LOOK, tool_use_id="t1", tool_response="3"
    )
    watched.drain()
    [execution] = watched.journal.list_executions().executions
    assert execution.title == "Why does the import fail? Use [masked:github_token]"
    assert execution.status == "running"
    agent.send(over, reason="exit")
    watched.drain()
    [execution] = watched.journal.list_executions().executions
    assert execution.status == "closed"
    assert [row.effect for row in watched.actions()] == ["read"]


def test_a_prompt_that_the_client_wrote_is_no_title(watched: Watched) -> None:
    agent = watched.client("claude-code", "c1")
    agent.send("UserPromptSubmit", prompt="wake up", source="schedule_wakeup")
    agent.claude_call("Bash", "t1", LOOK, tool_response="3")
    watched.drain()
    assert [each.title for each in watched.journal.list_executions().executions] == ["Observed: claude-code"]


@pytest.mark.parametrize("watched", ["sqlite"], indirect=True)  # the memory store sees no other process
def test_a_conversation_whose_process_is_gone_is_closed_by_the_next_writer(watched: Watched) -> None:
    agent = watched.client("claude-code", "c1", process=2**22 + 1)
    agent.send("UserPromptSubmit", prompt="Publish it")
    agent.leave_open()
    watched.drain()
    watched.client("claude-code", "c2").send("SessionStart", source="startup")
    watched.drain()
    [execution] = watched.journal.list_executions().executions
    assert (execution.title, execution.status, execution.unfinished) == ("Publish it", "closed", {"in_doubt": 1})


@pytest.mark.parametrize("watched", ["sqlite"], indirect=True)  # the memory store sees no other process
@pytest.mark.parametrize("how", ["ended", "killed", "killed in a call"])
def test_a_conversation_that_was_over_before_anybody_read_its_events_is_closed(watched: Watched, how: str) -> None:
    agent = watched.client("claude-code", "c1", process=2**22 + 1)
    agent.send("SessionStart", source="startup")
    agent.send("UserPromptSubmit", prompt="Tidy up")
    agent.claude_call("Bash", "t0", {"command": "touch z"}, tool_response={"stdout": ""})
    if how == "killed in a call":
        agent.leave_open()
    if how == "ended":
        agent.send("SessionEnd", reason="prompt_input_exit")
    watched.drain()
    [execution] = watched.journal.list_executions().executions
    left = {"in_doubt": 1} if how == "killed in a call" else {}
    assert (execution.title, execution.status, execution.unfinished) == ("Tidy up", "closed", left)
    assert len(watched.journal.list_in_doubt().in_doubt) == len(left)
    assert watched.kinds().count("action_doubted") == len(left)
    assert watched.kinds().count("session_ended") == 1


@pytest.mark.parametrize("watched", ["sqlite"], indirect=True)
def test_a_conversation_whose_drain_was_killed_before_it_was_closed_is_closed_by_the_next(watched: Watched) -> None:
    agent = watched.client("claude-code", "c1", process=2**22 + 1)
    agent.send("UserPromptSubmit", prompt="Tidy up")
    agent.claude_call("Bash", "t0", {"command": "touch z"}, tool_response={"stdout": ""})

    def die(point: str) -> None:
        if point == "after_commit":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        watched.drain(on_crash_point=die)
    watched.drain()
    assert [each.status for each in watched.journal.list_executions().executions] == ["closed"]


@pytest.mark.parametrize("how", ["ended", "killed"])
def test_work_is_as_old_as_its_last_event_and_not_as_the_drain(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    watched = Watched(open_store(f"sqlite://{tmp_path / 'journal.db'}", clock=clock), tmp_path)
    monkeypatch.setattr("tallystick.capture.hook.main.time_ns", lambda: clock() * 1000)
    agent = watched.client("claude-code", "c1", process=2**22 + 1)
    execution = watched.journal.record_execution_start(title="mine").id
    plan = {"decision": "continue", "why": "so", "execution_id": execution}
    agent.claude_call("mcp__tallystick__record_decision", "t1", plan, tool_response={"stdout": ""})
    clock.advance(60)
    agent.leave_open("t2")
    if how == "ended":
        agent.send("SessionEnd", reason="prompt_input_exit")
    watched.journal.end_session()
    seen = clock()
    clock.advance(3600)
    watched.drain()
    shown = watched.journal.get_execution(execution_id=execution)
    since = {item.need: item.since for item in watched.journal.get_inbox().items}
    (doubt,) = watched.journal.list_in_doubt(execution_id=execution).in_doubt
    assert shown.interrupted_by == "claude-code"
    assert since == {"interrupted": shown.interrupted, "in_doubt": doubt.since}
    assert all(abs(times.parse_time(each, "since") - seen) < 1_000_000 for each in since.values())
    watched.store.close()
