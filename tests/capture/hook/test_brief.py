"""The brief at the start of a session, and the reminder at its stop, in each client's form."""

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from tallystick.capture.hook import brief
from tallystick.capture.spool import file as spool_file
from tests.capture.hook.events import options, payload, silence
from tests.capture.hook.installed_hook import Hook

STARTS = [
    ("claude-code", "SessionStart"),
    ("codex", "SessionStart"),
    ("gemini-cli", "SessionStart"),
    ("cursor", "sessionStart"),
    ("copilot", "sessionStart"),
    ("copilot", "SessionStart"),
]
STOPS = [
    ("claude-code", "Stop"),
    ("codex", "Stop"),
    ("gemini-cli", "AfterAgent"),
    ("cursor", "stop"),
    ("copilot", "agentStop"),
    ("copilot", "Stop"),
]
BORROWED = [
    ("cursor", "preToolUse", "stop"),
    ("copilot", "PreToolUse", "Stop"),
]
"""The events that other clients send to a hook line of Claude Code, which they run too."""
BEGUN = {"claude-code": "PreToolUse", "codex": "PreToolUse", "gemini-cli": "BeforeTool", "cursor": "preToolUse"}
CONVERSATIONS = {
    "claude-code": "claude-code:s-1",
    "codex": "thread:s-1",
    "gemini-cli": "gemini-cli:s-1",
    "cursor": "cursor:s-1",
    "copilot": "copilot:s-1",
}
PROGRAM = """
import json, os, sys
with open({log!r}, "a") as file:
    file.write(json.dumps([sys.argv[1:], os.getcwd()]) + "\\n")
{does}
"""


class Command:
    """A stand-in for `tallystick`: it prints a given text and logs its arguments."""

    def __init__(self, hook: Hook) -> None:
        self.hook = hook
        self.log = hook.folder / "log"
        self.program = hook.folder / "program.py"
        folder = hook.folder / "hook"
        shutil.copytree(hook.run.parent, folder)
        hook.run = folder / "run.py"
        home = {"command": [sys.executable, str(self.program)], "version": "0"}
        (folder / "home.json").write_text(json.dumps(home))
        self.does("print('the brief')")

    def does(self, does: str) -> None:
        self.program.write_text(PROGRAM.format(log=str(self.log), does=does))

    @property
    def calls(self) -> list[Any]:
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []


@pytest.fixture
def command(hook: Hook) -> Command:
    return Command(hook)


def send(hook: Hook, client: str, event: str, line: str = "", **more: Any) -> Any:
    answer = hook.send([line or client, *options(client, event)], payload(client, event, **more))
    assert (answer.code, answer.errors) == (0, "")
    return answer.message


def blocked(client: str, event: str, text: str) -> dict[str, Any]:
    """The answer that blocks a stop in Codex and Copilot. VS Code, which is Copilot too, reads it one level below."""
    details = {"decision": "block", "reason": text}
    below = {"hookSpecificOutput": {"hookEventName": event, **details}}
    return {**details, **(below if (client, event) == ("copilot", "Stop") else {})}


@pytest.mark.parametrize(("client", "event"), STARTS)
def test_a_session_that_starts_is_given_the_brief(hook: Hook, command: Command, client: str, event: str) -> None:
    answer = send(hook, client, event)
    inner = {"hookEventName": event, "additionalContext": "the brief"}
    assert answer == {
        "cursor": {"additional_context": "the brief"},
        "copilot": {"additionalContext": "the brief", **({"hookSpecificOutput": inner} if event[0] == "S" else {})},
    }.get(client, {"hookSpecificOutput": inner})
    command_line = ["--client", client, "--conversation", CONVERSATIONS[client], "--journal", "journal"]
    assert command.calls == [[["capture", "brief", *command_line], "/tmp"]]


def test_the_start_is_spooled_before_the_command_drains(hook: Hook, command: Command) -> None:
    command.does(f"print(open({hook.spool!r}).read().count('SessionStart'))")
    assert int(send(hook, "claude-code", "SessionStart")["hookSpecificOutput"]["additionalContext"]) > 0


@pytest.mark.parametrize(("client", "event"), STARTS)
def test_a_start_that_cannot_be_recorded_is_briefed_all_the_same(
    hook: Hook, command: Command, client: str, event: str
) -> None:
    os.makedirs(hook.spool)  # a folder in its place: nothing can be appended
    answer = hook.send([client, *options(client, event)], payload(client, event))
    assert answer.code == 0
    assert "the brief" in answer.output
    assert "was not recorded" in answer.errors
    assert spool_file.read_missed(hook.spool)[0] == 1


def test_a_stop_that_cannot_be_recorded_is_reminded_all_the_same(hook: Hook, command: Command) -> None:
    spool_file.replace_file(
        spool_file.sibling(hook.spool, "brief"), json.dumps({"seq": 1, "text": "", "open": True}).encode()
    )
    os.makedirs(hook.spool)
    command.does("print('look at ac_1')")
    answer = hook.send(["claude-code"], payload("claude-code", "Stop"))
    assert answer.message["hookSpecificOutput"]["additionalContext"] == "look at ac_1"
    assert "was not recorded" in answer.errors


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_a_session_is_briefed_after_any_kind_of_start(hook: Hook, command: Command, source: str) -> None:
    assert send(hook, "claude-code", "SessionStart", source=source) != {}


@pytest.mark.parametrize(
    "does", ["sys.exit(1)", "raise RuntimeError", "os.kill(os.getpid(), 9)", "import time; time.sleep(3)", None]
)
def test_when_the_journal_cannot_be_read_the_prepared_brief_shows_its_age(
    hook: Hook, command: Command, does: str | None
) -> None:
    if does is None:
        command.program.unlink()
    else:
        command.does(does)
    [module] = hook.run.parent.glob("*/tallystick/capture/hook/brief.py")
    module.write_text(module.read_text().replace(f"COMMAND_SECONDS = {brief.COMMAND_SECONDS}", "COMMAND_SECONDS = 0.5"))
    shutil.rmtree(module.parent / "__pycache__")
    spool_file.replace_file(
        spool_file.sibling(hook.spool, "brief"), json.dumps({"seq": 41, "text": "prepared"}).encode()
    )
    text = send(hook, "claude-code", "SessionStart")["hookSpecificOutput"]["additionalContext"]
    assert text.startswith("prepared\n")
    assert "entry 41" in text
    assert "may be old" in text


@pytest.mark.parametrize("prepared", [b"", b"{", b"[]", b'{"text": 3}', b'{"text": ""}'])
def test_a_session_without_a_brief_starts_all_the_same(hook: Hook, prepared: bytes) -> None:
    spool_file.replace_file(spool_file.sibling(hook.spool, "brief"), prepared)
    assert send(hook, "claude-code", "SessionStart") == {}


def test_a_brief_is_bounded_for_any_output_of_the_command(hook: Hook, command: Command) -> None:
    command.does("print('x' * 100_000)")
    text = send(hook, "claude-code", "SessionStart")["hookSpecificOutput"]["additionalContext"]
    assert len(text) == brief.MAX_CHARACTERS


@pytest.mark.parametrize(
    ("client", "compacting", "event"),
    [
        ("cursor", "preCompact", "postToolUse"),
        ("copilot", "preCompact", "postToolUse"),
    ],
)
def test_a_client_without_an_event_after_compacting_is_briefed_at_the_next_event_once(
    hook: Hook, command: Command, client: str, compacting: str, event: str
) -> None:
    assert send(hook, client, event) == {}
    assert send(hook, client, compacting) == {}
    id = "conversation_id" if client == "cursor" else "sessionId"
    assert send(hook, client, event, **{id: "another"}) == {}
    assert "the brief" in json.dumps(send(hook, client, event))
    assert send(hook, client, event) == {}
    assert len(command.calls) == 1


@pytest.mark.parametrize("event", ["BeforeAgent", "AfterTool"])
def test_gemini_is_briefed_when_its_transcript_shows_that_it_was_compacted_and_not_before_every_answer(
    hook: Hook, command: Command, tmp_path: Path, event: str
) -> None:
    chat = tmp_path / "chat.jsonl"
    anew = '{"$set":{"sessionId":"s-1"}}\n'
    chat.write_text(anew + json.dumps({"type": "user", "content": "hello"}) + "\n")

    def turn(compacted: str = "") -> Any:
        assert send(hook, "gemini-cli", "PreCompress", transcript_path=str(chat)) == {}
        with chat.open("a") as file:
            file.write(compacted + json.dumps({"type": "gemini", "content": f"Is it\n{anew}"}) + "\n")
        return send(hook, "gemini-cli", event, transcript_path=str(chat))

    assert [turn() for _ in range(3)] == [{}] * 3
    assert "the brief" in json.dumps(turn(anew))
    assert turn() == {}
    send(hook, "gemini-cli", "PreCompress", transcript_path=str(chat))
    with chat.open("a") as file:
        file.write(anew)
    assert "the brief" in json.dumps(turn()), "it has not been briefed since"
    assert turn() == {}
    chat.unlink()
    assert turn() == {}
    assert len(command.calls) == 2


def test_a_client_that_starts_its_session_again_after_compacting_is_briefed_then_only(
    hook: Hook, command: Command
) -> None:
    for event in ("PreCompact", "PostCompact", "PostToolUse", "UserPromptSubmit"):
        assert send(hook, "claude-code", event) == silence("claude-code", event)
    assert send(hook, "claude-code", "SessionStart", source="compact") != {}


@pytest.mark.parametrize(("client", "event"), STOPS)
def test_an_agent_that_stops_with_an_open_call_is_reminded_once(
    hook: Hook, command: Command, client: str, event: str
) -> None:
    command.does("print('ac_1 is in doubt')")
    send(hook, client, BEGUN.get(client, "PreToolUse" if event == "Stop" else "preToolUse"))
    answer = send(hook, client, event)
    assert answer == {
        "claude-code": {"hookSpecificOutput": {"hookEventName": "Stop", "additionalContext": "ac_1 is in doubt"}},
        "cursor": {"followup_message": "ac_1 is in doubt"},
        "gemini-cli": {"decision": "deny", "reason": "ac_1 is in doubt"},
    }.get(client, blocked(client, event, "ac_1 is in doubt"))
    assert command.calls[0][0][:2] == ["capture", "stop"]
    assert send(hook, client, event) == {}  # each call is named once
    command.does("print('ac_2 is in doubt')")
    assert send(hook, client, event) != {}


@pytest.mark.parametrize(("client", "passed"), [("codex", ["--transcript", "/tmp/t.jsonl"]), ("claude-code", [])])
def test_only_the_transcript_of_codex_is_passed_on(
    hook: Hook, command: Command, client: str, passed: list[str]
) -> None:
    send(hook, client, "PreToolUse")
    send(hook, client, "Stop")
    assert command.calls[0][0][8:] == passed


@pytest.mark.parametrize(("client", "begun", "event"), BORROWED)
def test_a_client_that_runs_the_line_of_another_is_reminded_of_its_own_calls_in_a_form_that_it_accepts(
    hook: Hook, command: Command, client: str, begun: str, event: str
) -> None:
    command.does("print('ac_1 is in doubt')")
    send(hook, client, begun, line="claude-code")
    answer = send(hook, client, event, line="claude-code")
    text = "ac_1 is in doubt"
    assert answer == {
        "cursor": {"followup_message": text, "decision": "block", "reason": text},
        "copilot": blocked(client, event, text),
    }.get(client)
    command_line = ["--client", client, "--conversation", f"{client}:s-1", "--journal", "journal"]
    assert command.calls == [[["capture", "stop", *command_line], "/tmp"]]
    assert send(hook, client, event) == {}, "its own line has already sent the same"


@pytest.mark.parametrize(("client", "event"), [("cursor", "sessionStart"), ("copilot", "SessionStart")])
def test_a_client_that_runs_the_line_of_another_is_briefed_about_its_own_conversation(
    hook: Hook, command: Command, client: str, event: str
) -> None:
    answer = send(hook, client, event, line="claude-code")
    assert answer["hookSpecificOutput"] == {"hookEventName": "SessionStart", "additionalContext": "the brief"}
    assert answer.get("additionalContext", "") == ("the brief" if client == "copilot" else "")
    assert command.calls[0][0][2:6] == ["--client", client, "--conversation", f"{client}:s-1"]


@pytest.mark.parametrize(
    ("client", "compacting", "event"),
    [("cursor", "preCompact", "postToolUse"), ("copilot", "PreCompact", "PostToolUse")],
)
def test_a_client_that_runs_the_line_of_another_is_briefed_after_compacting_too(
    hook: Hook, command: Command, client: str, compacting: str, event: str
) -> None:
    assert send(hook, client, compacting, line="claude-code") == {}
    assert send(hook, "claude-code", "PostToolUse") == {}, "that is another conversation, and another client"
    assert "the brief" in json.dumps(send(hook, client, event, line="claude-code", tool_use_id="call-1"))
    assert send(hook, client, event) == {}
    assert command.calls[0][0][2:6] == ["--client", client, "--conversation", f"{client}:s-1"]


@pytest.mark.parametrize(
    ("client", "event", "more"),
    [
        ("claude-code", "Stop", {"stop_hook_active": True}),
        ("codex", "Stop", {"stop_hook_active": True}),
        ("gemini-cli", "AfterAgent", {"stop_hook_active": True}),
        ("cursor", "stop", {"loop_count": 1}),
        ("cursor", "stop", {"status": "aborted"}),
        ("copilot", "agentStop", {"stop_hook_active": True}),
    ],
)
def test_an_agent_that_continues_after_a_reminder_is_not_reminded_again(
    hook: Hook, command: Command, client: str, event: str, more: dict[str, Any]
) -> None:
    send(hook, client, BEGUN.get(client, "preToolUse"))
    assert send(hook, client, event, **more) == {}
    assert command.calls == []


def test_the_command_is_not_asked_if_no_call_is_spooled(hook: Hook, command: Command) -> None:
    send(hook, "claude-code", "UserPromptSubmit")
    send(hook, "claude-code", "PreToolUse", session_id="another")
    assert send(hook, "claude-code", "Stop") == {}
    assert command.calls == []


def test_the_command_is_asked_if_the_end_of_a_call_is_spooled(hook: Hook, command: Command) -> None:
    send(hook, "claude-code", "PreToolUse")
    send(hook, "claude-code", "PostToolUse")  # only the command reads its outcome
    send(hook, "claude-code", "Stop")
    assert len(command.calls) == 1


@pytest.mark.parametrize("prepared", [{"open": 1}, {"text": "1 call is in doubt"}])
def test_the_command_is_asked_if_a_call_was_in_doubt_at_the_last_drain(
    hook: Hook, command: Command, prepared: dict[str, Any]
) -> None:
    spool_file.replace_file(spool_file.sibling(hook.spool, "brief"), json.dumps({"seq": 1, **prepared}).encode())
    send(hook, "claude-code", "Stop")
    assert len(command.calls) == 1


def test_an_empty_reminder_blocks_no_stop(hook: Hook, command: Command) -> None:
    command.does("print()")
    send(hook, "codex", "PreToolUse")
    assert send(hook, "codex", "Stop") == {}


def test_a_reminder_that_cannot_be_remembered_is_not_given(hook: Hook, command: Command) -> None:
    send(hook, "codex", "PreToolUse")
    Path(spool_file.sibling(hook.spool, "said")).mkdir()
    assert send(hook, "codex", "Stop") == {}


def test_a_command_that_takes_too_long_continues_in_the_background(hook: Hook, command: Command) -> None:
    [module] = hook.run.parent.glob("*/tallystick/capture/hook/brief.py")
    module.write_text(module.read_text().replace(f"COMMAND_SECONDS = {brief.COMMAND_SECONDS}", "COMMAND_SECONDS = 0.2"))
    shutil.rmtree(module.parent / "__pycache__")
    may, done = hook.folder / "may", hook.folder / "done"
    os.mkfifo(may)
    os.mkfifo(done)
    command.does(f"open({str(may)!r}).read(); open({str(done)!r}, 'w').write(str(os.getsid(0) == os.getpid()))")
    assert send(hook, "claude-code", "SessionStart") == {}  # the hook is gone now
    may.write_text("go on")
    assert done.read_text() == "True"  # a signal to the hook's process group does not reach it
