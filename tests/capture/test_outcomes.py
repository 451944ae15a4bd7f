"""Outcomes that clients do not report: from transcripts, of calls without an end, of events reported twice."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tallystick.capture.setup.hook_events import HOOKS
from tests.capture.harness import Client, Watched
from tests.stores import Home

SHELL = {"tool_name": "Bash", "tool_input": {"command": "false"}, "tool_use_id": "c1"}


def _item(code: int) -> str:
    item = {"type": "CommandExecution", "id": "c1", "aggregated_output": "", "exit_code": code}
    return json.dumps({"type": "event_msg", "payload": {"type": "item_completed", "item": item}}) + "\n"


@pytest.mark.parametrize(("code", "state"), [(1, "failed"), (0, "ok")])
def test_a_command_of_codex_ends_as_its_transcript_says(
    watched: Watched, tmp_path: Path, code: int, state: str
) -> None:
    rollout = tmp_path / "rollout.jsonl"
    rollout.write_text(_item(code))
    agent = watched.client("codex", "told")
    agent.send("PreToolUse", **SHELL)
    agent.send("PostToolUse", **SHELL, tool_response="", transcript_path=str(rollout))
    watched.drain()
    assert [each.state for each in watched.calls()] == [state]
    assert [each.error for each in watched.calls()] == ["Exit code 1" if code else ""]


def test_an_id_that_was_used_again_counts_only_with_its_command(watched: Watched, tmp_path: Path) -> None:
    def lines(command: str, code: int) -> str:
        item = {"type": "CommandExecution", "id": "c1", "command": ["bash", "-lc", command], "exit_code": code}
        begun = {"type": "response_item", "payload": {"type": "function_call", "call_id": "c1"}}
        ended = {"type": "event_msg", "payload": {"type": "item_completed", "item": item}}
        return f"{json.dumps(begun)}\n{json.dumps(ended)}\n"

    rollout = tmp_path / "rollout.jsonl"
    rollout.write_text(lines("false", 1) + lines("make", 0) + lines("flaky", 1) + lines("flaky", 0))
    agent = watched.client("codex", "counts")
    for command in ("false", "make", "flaky", "flaky"):
        agent.claude_call("Bash", "c1", {"command": command}, tool_response="", transcript_path=str(rollout))
    agent.send("UserPromptSubmit", prompt="go on", transcript_path=str(rollout))
    watched.drain()
    assert [each.state for each in watched.calls()] == ["failed", "ok", "in_doubt", "in_doubt"]


def test_a_transcript_that_is_written_later_is_asked_when_the_turn_ends(watched: Watched, tmp_path: Path) -> None:
    rollout = tmp_path / "rollout.jsonl"
    agent = watched.client("codex", "late")
    agent.send("PreToolUse", **SHELL)
    agent.send("PostToolUse", **SHELL, tool_response="some output", transcript_path=str(rollout))
    watched.drain()
    [action] = watched.actions()
    assert [each.state for each in watched.calls()] == ["open"]
    assert "action_noted" in watched.kinds()  # its end and its output are noted
    rollout.write_text(_item(1))
    agent.send("Stop", transcript_path=str(rollout))
    watched.drain()
    assert [each.state for each in watched.calls()] == ["failed"]
    assert watched.actions()[0].id == action.id


def test_a_call_with_a_transcript_is_in_doubt_only_from_the_next_prompt_on(watched: Watched, tmp_path: Path) -> None:
    rollout = tmp_path / "rollout.jsonl"
    rollout.write_text("")
    agent = watched.client("codex", "behind")
    states = []
    agent.send("PreToolUse", **SHELL)
    for event in ("Stop", "UserPromptSubmit"):
        agent.send(event, transcript_path=str(rollout))
        watched.drain()
        states.append(watched.calls()[0].state)
    rollout.write_text(_item(1))
    agent.send("Stop", transcript_path=str(rollout))
    watched.drain()
    assert [*states, watched.calls()[0].state] == ["open", "in_doubt", "failed"]


@pytest.mark.parametrize("named", [None, "nowhere/rollout.jsonl"])
def test_without_a_transcript_an_open_codex_call_is_in_doubt_from_the_stop_on(
    watched: Watched, named: str | None, tmp_path: Path
) -> None:
    agent = watched.client("codex", "no transcript")
    agent.send("PreToolUse", **SHELL)
    agent.send("Stop", transcript_path=named and str(tmp_path / named))
    watched.drain()
    assert [each.state for each in watched.calls()] == ["in_doubt"]
    assert "without a reported end" in watched.calls()[0].error


@pytest.mark.parametrize("over", ["UserPromptSubmit", "SessionEnd"])
def test_a_missing_outcome_is_never_ok(watched: Watched, over: str) -> None:
    agent = watched.client("codex", "silent")
    agent.send("PreToolUse", **SHELL)
    agent.send("PostToolUse", **SHELL, tool_response="Exit code: 0\nWall time: 1 seconds\nOutput:\nfine")
    agent.send("Stop")
    agent.send(over)
    watched.drain()
    assert [each.state for each in watched.calls()] == ["in_doubt"]


def test_a_call_that_copilot_neither_ends_nor_fails_is_in_doubt_from_the_next_stop_or_prompt(watched: Watched) -> None:
    """A read that is not permitted: only a PreToolUse is sent."""
    for over in ("Stop", "UserPromptSubmit"):
        agent = watched.client("copilot", over)
        agent.send("PreToolUse", tool_name="Read", tool_input={"path": "/nowhere"})
        agent.send(over)
    watched.drain()
    assert [(each.tool, each.state) for each in watched.calls()] == [("Read", "in_doubt")] * 2
    assert all("without a reported end" in each.error for each in watched.calls())


def test_an_interrupted_call_of_claude_code_is_in_doubt_from_the_next_prompt_or_the_end_on(watched: Watched) -> None:
    """The real client reports no interrupt: no failure, no batch, no stop."""
    for over in ("UserPromptSubmit", "SessionEnd"):
        agent = watched.client("claude-code", over)
        agent.send("PreToolUse", **{**SHELL, "tool_use_id": over})
        watched.drain()
        assert watched.calls()[-1].state == "open"
        agent.send(over)
        watched.drain()
        assert watched.calls()[-1].state == "in_doubt"
    assert [row.state for row in watched.actions()] == ["unknown", "doubted"]


def test_an_interrupted_call_is_in_doubt_when_the_process_dies_without_another_event(
    shared_home: Home, tmp_path: Path
) -> None:
    watched = Watched(shared_home.open(), tmp_path)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        watched.client("claude-code", "dies", process.pid).send("PreToolUse", **SHELL)
        watched.drain()
        assert [each.state for each in watched.calls()] == ["open"]
        process.kill()
    assert [each.state for each in watched.calls()] == ["in_doubt"]


def test_pieces_of_a_models_answer_are_not_recorded(watched: Watched) -> None:
    agent = watched.client("gemini-cli", "pieces")
    agent.send("BeforeAgent", prompt="go")
    for number in range(5):
        agent.send("BeforeModel", llm_request={})
        agent.send("AfterModel", llm_response={"candidates": [number]})
    watched.drain()
    assert watched.kinds() == ["session_opened", "prompt"]
    assert not {"BeforeModel", "AfterModel", "BeforeToolSelection"} & {each.name for each in HOOKS["gemini-cli"].events}


def _turn(line: Client, **more: Any) -> None:
    """One turn of Copilot, reported to one hook line: the same command is run twice at once."""
    hook_input = {"session_id": "twins", **more}
    command = {"tool_name": "Bash", "tool_input": {"command": "echo >> x"}}
    line.send("UserPromptSubmit", **hook_input, timestamp="2026-11-16T08:54:33.420Z", prompt="go")
    for _ in range(2):
        line.send("PreToolUse", **hook_input, timestamp="2026-11-16T08:54:34.437Z", **command)
    for number in range(2):
        result = {"result_type": "success", "text_result_for_llm": f"\n<shellId: {number} completed with exit code 0>"}
        line.send(
            "PostToolUse", **hook_input, timestamp=f"2026-11-16T08:54:35.{number}00Z", **command, tool_result=result
        )
    line.send("Stop", **hook_input, timestamp="2026-11-16T08:54:36.567Z")


@pytest.mark.parametrize("lines", [("copilot",), ("claude-code",), ("copilot", "claude-code")])
@pytest.mark.parametrize("in_one", [True, False])
def test_an_event_that_copilot_reports_by_two_lines_is_recorded_once(
    watched: Watched, lines: tuple[str, ...], in_one: bool
) -> None:
    """By either line, in one drain or two; and with one line alone nothing is missing."""
    for name in lines:
        line = watched.client(name, "twins")
        line._base = {"session_id": "twins"}
        _turn(line)
        if not in_one:
            watched.drain()
    watched.drain()
    assert [each.state for each in watched.calls()] == ["ok", "ok"]
    assert [watched.kinds().count(word) for word in ("prompt", "stopped")] == [1, 1]


SECRETIVE = (("gemini-cli", "BeforeTool", "AfterTool"), ("copilot", "PreToolUse", "PostToolUse"))
_SECOND = "password=otherpass99x"
_DONE = {"result_type": "success", "text_result_for_llm": "wrote"}


def _write(agent: Client, event: str, arguments: dict[str, Any] | None, **response: Any) -> None:
    agent.send(event, tool_name="write_file", **({"tool_input": arguments} if arguments else {}), **response)


def test_an_end_that_names_no_arguments_is_that_of_the_only_call(watched: Watched) -> None:
    agent = watched.client("gemini-cli", "one")
    _write(agent, "BeforeTool", {"file_path": "/a", "content": "1"})
    _write(agent, "AfterTool", None, tool_response={"llmContent": "wrote"})
    watched.drain()
    assert [each.state for each in watched.calls()] == ["ok"]


def test_an_end_that_may_be_of_several_calls_settles_none_of_them(watched: Watched) -> None:
    agent = watched.client("gemini-cli", "several")
    for path in ("/a", "/b"):
        _write(agent, "BeforeTool", {"file_path": path, "content": "1"})
    for _ in range(2):
        _write(agent, "AfterTool", None, tool_response={"llmContent": "wrote"})
        watched.drain()
    assert [each.state for each in watched.calls()] == ["in_doubt", "in_doubt"]
    _write(agent, "AfterTool", {"file_path": "/b", "content": "1"}, tool_response={"llmContent": "wrote"})
    watched.drain()
    assert [each.state for each in watched.calls()] == ["in_doubt", "ok"]


@pytest.mark.parametrize(("client", "before", "after"), SECRETIVE)
@pytest.mark.parametrize("differs", ["/y", "/x"])
def test_equal_calls_before_the_first_key_stay_separate(
    watched: Watched, client: str, before: str, after: str, differs: str
) -> None:
    """The first drain publishes the key: begins before it have only masked arguments, ends have the effect key."""
    agent = watched.client(client, "secrets")
    inputs = [{"file_path": "/x", "content": "password=hunter2hunter2"}, {"file_path": differs, "content": _SECOND}]
    response = {"gemini-cli": {"tool_response": {"llmContent": "wrote"}}, "copilot": {"tool_result": _DONE}}[client]
    for arguments in inputs:
        _write(agent, before, arguments)
    watched.drain()
    for arguments in inputs:
        _write(agent, after, arguments, **response)
        watched.drain()
    assert [each.state for each in watched.calls()] == ["ok" if differs == "/y" else "in_doubt"] * 2
    for arguments in (inputs[0], inputs[0]):  # with the key, equal calls are matched in order
        _write(agent, before, arguments)
    watched.drain()
    for arguments in (inputs[0], inputs[0]):
        _write(agent, after, arguments, **response)
    watched.drain()
    assert [each.state for each in watched.calls()][2:] == ["ok", "ok"]


def test_calls_that_differ_in_a_masked_secret_do_not_exchange_their_outcomes(watched: Watched) -> None:
    """No hook has the journal's key before the first drain: the masked arguments are equal."""
    agent = watched.client("gemini-cli", "secrets")
    inputs = [{"file_path": "/x", "content": f"token ghp_{letter}{'1b2C3d4E5f6G7h8I9j' * 2}"[:46]} for letter in "AB"]
    for arguments in inputs:
        _write(agent, "BeforeTool", arguments)
    _write(
        agent, "AfterTool", inputs[1], tool_response={"error": {"message": "disk full", "type": "file_write_failure"}}
    )
    _write(agent, "AfterTool", inputs[0], tool_response={"llmContent": "wrote"})
    watched.drain()
    assert [each.state for each in watched.calls()] == ["in_doubt", "in_doubt"]
    assert all("ghp_" not in str(each.arguments) for each in watched.calls())
    for arguments in inputs:  # now hooks have the key
        _write(agent, "BeforeTool", arguments)
    _write(
        agent, "AfterTool", inputs[1], tool_response={"error": {"message": "disk full", "type": "file_write_failure"}}
    )
    _write(agent, "AfterTool", inputs[0], tool_response={"llmContent": "wrote"})
    watched.drain()
    assert [each.state for each in watched.calls()][2:] == ["ok", "failed"]


SAYS_NO = [
    ("Write", "Claude requested permissions to write to /w.txt, but you haven't granted it yet."),
    ("Read", "Claude requested permissions to read from /etc/hosts, but you haven't granted it yet."),
    ("WebFetch", "Claude requested permissions to use WebFetch, but you haven't granted it yet."),
    (
        "Bash",
        "touch in '/x' was blocked. For security, Claude Code may only create or modify files in the allowed working "
        "directories for this session: '/shop'.",
    ),
    (
        "Bash",
        "Output redirection to '/x' was blocked. For security, Claude Code may only write to files in the allowed "
        "working directories for this session: '/shop'.",
    ),
    ("Bash", "This command requires approval"),
    (
        "Bash",
        "This Bash command contains multiple operations. The following parts require approval: cat a, rm -rf /srv",
    ),
    ("Bash", "Permission to use Bash with command touch q has been denied."),
    ("Bash", "The user doesn't want to proceed with this tool use. The tool use was rejected."),
]


def _batched(watched: Watched, tool: str, shown: str) -> str:
    """The state of a call that is reported only by what the model was shown."""
    agent = watched.client("claude-code", "unpermitted")
    call = {"tool_name": tool, "tool_input": {"command": "touch x"}, "tool_use_id": "t1"}
    agent.send("PreToolUse", **call)
    agent.send("PostToolBatch", tool_calls=[{**call, "tool_response": shown}])
    agent.send("Stop")
    watched.drain()
    [done] = watched.calls()
    return done.state


@pytest.mark.parametrize(("tool", "shown"), SAYS_NO)
def test_a_call_refused_by_claude_code_is_skipped(watched: Watched, tool: str, shown: str) -> None:
    assert _batched(watched, tool, shown) == "skipped"


@pytest.mark.parametrize(
    "shown",
    [
        "It says: Claude requested permissions to write to /w.txt, but you haven't granted it yet.",
        "Claude requested permissions to use WebFetch, but you haven't granted it yet.",
        "This command requires approval\ntouched",
        "Permission denied (publickey).",
        "Permission to use, copy, modify and distribute this software is granted.",
    ],
)
def test_output_of_a_tool_about_permissions_is_no_refusal(watched: Watched, shown: str) -> None:
    assert _batched(watched, "Bash", shown) == "in_doubt"


def test_a_finished_call_is_not_refused_by_its_output(watched: Watched) -> None:
    agent = watched.client("claude-code", "prints")
    text = SAYS_NO[0][1]
    call = {"tool_name": "Bash", "tool_input": {"command": "cat log"}, "tool_use_id": "t1"}
    agent.claude_call("Bash", "t1", {"command": "cat log"}, tool_response={"stdout": text})
    agent.send("PostToolBatch", tool_calls=[{**call, "tool_response": text}])
    watched.drain()
    assert [each.state for each in watched.calls()] == ["ok"]


@pytest.mark.parametrize("failed", [False, True])
def test_a_call_that_another_hook_has_changed_is_recorded_as_it_was_made(watched: Watched, failed: bool) -> None:
    agent = watched.client("claude-code", "c1")
    payload = {"tool_name": "Bash", "tool_use_id": "toolu_1"}
    agent.send("PreToolUse", **payload, tool_input={"command": "rm -r all", "timeout": 5})
    response = {"error": "Exit code 1"} if failed else {"tool_response": {"stdout": ""}}
    end = {**payload, "tool_input": {"command": "trash all", "run_in_background": False}, **response}
    agent.send("PostToolUseFailure" if failed else "PostToolUse", **end)
    watched.drain()
    assert [(each.arguments["command"], each.state) for each in watched.calls()] == [
        ("rm -r all", "skipped"),
        ("trash all", "failed" if failed else "ok"),
    ]
    assert [item.tool for item in watched.journal.get_undo_list().items] == ["Bash"]
