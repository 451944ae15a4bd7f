"""Every interface drains before it answers; and the command `tallystick capture`."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from msgspec.structs import replace

from tallystick import Journal
from tallystick.capture.ingest.drain import SpoolWatcher
from tallystick.capture.setup import hook_bundle
from tallystick.capture.spool import file as spool_file
from tallystick.core.formats.tokens import cost
from tallystick.interfaces import capture_command, journals
from tallystick.interfaces.cli import run
from tests.capture.harness import Watched

COMMAND = [sys.executable, "-m", "tallystick"]


def test_a_command_drains_before_it_answers(at_home: Watched) -> None:
    at_home.client("claude-code", "c").leave_open()
    output = run(["status"], env=at_home.env)
    assert "npm publish" in output.stdout
    assert spool_file.waiting_bytes(at_home.spool) == 0


def test_missed_events_are_mentioned_while_they_matter(at_home: Watched, capsys: pytest.CaptureFixture[str]) -> None:
    at_home.client("claude-code", "c").leave_open()
    assert "events were lost" not in run(["status"], env=at_home.env).stdout
    for _ in range(5):
        spool_file.add_missed(at_home.spool)
    assert " 5 events were lost" in run(["status"], env=at_home.env).stdout
    assert capture_command.main(["health"]) == 0
    assert "could not be kept: 5," in capsys.readouterr().out
    assert json.loads(run(["get", "coverage", "--json"], env=at_home.env).stdout)["missed"] == 5
    os.utime(spool_file.sibling(at_home.spool, "missed"), (1, 1))  # long before this execution
    assert "events were lost" not in run(["status"], env=at_home.env).stdout


def test_the_spool_of_another_store_is_not_drained(at_home: Watched, tmp_path: Path) -> None:
    at_home.client("claude-code", "c").leave_open()
    waiting = spool_file.waiting_bytes(at_home.spool)
    for url in (f"sqlite://{tmp_path / 'other.db'}", "memory:"):
        assert "npm publish" not in run(["--url", url, "status"], env=at_home.env).stdout
        at = {**at_home.env, "TALLYSTICK_URL": url} if url == "memory:" else at_home.env
        run(["status"] if url == "memory:" else ["--url", url, "status"], env=at)
    assert spool_file.waiting_bytes(at_home.spool) == waiting
    there = run(["--url", f"sqlite://{tmp_path / 'other.db'}", "status"])
    assert f"{waiting} bytes wait in {os.path.dirname(at_home.spool)}" in there.stderr, "what it does not see is named"


def test_each_store_drains_its_own_spool(at_home: Watched, tmp_path: Path) -> None:
    """Hooks of two clients in one folder, each with a store of its own, and of one with the user's own."""
    envs = [{**at_home.env, "TALLYSTICK_URL": f"sqlite://{tmp_path / name}"} for name in ("a.db", "b.db")]
    envs += [{**at_home.env, "TALLYSTICK_URL": ""}]
    for number, env in enumerate(envs):
        at_home.spool = spool_file.path(spool_file.folder(env), at_home.name)
        at_home.client("claude-code", f"c{number}").leave_open(f"by {number}")
    for number, env in enumerate(envs):
        output = run(["export"], env=env).stdout
        assert [f"by {each}" in output for each in range(3)] == [each == number for each in range(3)]
    assert not any(spool_file.waiting_bytes(spool_file.path(spool_file.folder(env), at_home.name)) for env in envs)


def test_a_server_drains_before_it_answers(at_home: Watched) -> None:
    agent = at_home.client("claude-code", "c")
    with _server("t") as brief:
        before = brief()
        agent.leave_open()
        after = brief()
    assert "npm publish" not in before
    assert "npm publish" in after


def test_an_agent_that_was_told_of_hooks_learns_that_none_report_its_conversation(at_home: Watched) -> None:
    unobserved = "No events from codex-mcp-client in this conversation: its calls are not recorded."
    with _server("codex-mcp-client", "--tools=minimal") as brief:
        assert unobserved in brief(), "of an empty journal"
        at_home.journal.record_execution_start(title="work")
        assert unobserved in brief()
    with _server("codex-mcp-client") as brief:
        assert unobserved not in brief(), "it has the tools to record its calls itself"
    at_home.client("codex", "c", process=os.getpid()).send("SessionStart", source="startup")
    with _server("codex-mcp-client", "--tools=minimal") as brief:
        assert unobserved not in brief()


@contextmanager
def _server(client: str, *options: str) -> Iterator[Callable[[], str]]:
    """A server of a client; yields a function that asks it for the brief."""
    number = count(1)
    with subprocess.Popen([*COMMAND, "mcp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin
        assert server.stdout

        def ask(method: str, **params: Any) -> Any:
            line = json.dumps({"jsonrpc": "2.0", "id": next(number), "method": method, "params": params})
            server.stdin.write(line.encode() + b"\n")  # type: ignore[union-attr]
            server.stdin.flush()  # type: ignore[union-attr]
            return json.loads(server.stdout.readline())["result"]  # type: ignore[union-attr]

        ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": client, "version": "1"})
        yield lambda: json.dumps(ask("tools/call", name="query_ledger", arguments={"view": "brief"}))
        server.stdin.close()


def test_an_idle_server_drains_periodically(at_home: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    at_home.client("claude-code", "c").leave_open()
    done = Event()
    bring_up_to_date = journals.spool_upkeep(at_home.local, at_home.env)

    def work() -> None:
        bring_up_to_date()
        if at_home.actions():
            done.set()

    monkeypatch.setattr(
        at_home.local.context, "settings", replace(at_home.local.context.settings, url=at_home.env["TALLYSTICK_URL"])
    )
    with journals.run_periodically(work, 0.001):
        assert done.wait(60)


def test_the_brief_for_a_conversation_is_of_its_own_work_and_short(
    at_home: Watched, capsys: pytest.CaptureFixture[str]
) -> None:
    for conversation in ("mine", "other"):
        agent = at_home.client("claude-code", conversation)
        for number in range(30):
            id = f"{conversation}-{number}"
            agent.claude_call("Bash", id, {"command": f"touch {id} " + "x" * 300}, tool_response={})
        command = {"command": f"touch {conversation}-30"}
        agent.send("PreToolUse", tool_name="Bash", tool_input=command, tool_use_id=f"{conversation}-30")
    asked = ["brief", "--client", "claude-code", "--conversation", "claude-code:mine"]
    assert capture_command.main(asked) == 0
    text = capsys.readouterr().out
    assert "mine-30" in text
    assert "other-30" not in text
    assert cost(text) <= 400
    assert capture_command.main([*asked[:-1], "mine"]) == 0
    assert "mine-30" in capsys.readouterr().out


def test_an_agent_that_stops_is_reminded_of_its_own_calls_in_doubt(
    at_home: Watched, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = at_home.client("claude-code", "c")
    command = ["stop", "--client", "claude-code", "--conversation", "claude-code:c"]
    agent.claude_call("Bash", "t0", {"command": "make"}, tool_response={})
    agent.send("Stop")
    assert capture_command.main(command) == 0
    assert capsys.readouterr().out == ""
    for number in range(5):
        agent.leave_open(str(number))
    agent.send("Stop")
    assert capture_command.main(command) == 0
    output = capsys.readouterr().out
    newest = Journal(at_home.local).list_in_doubt().in_doubt[-1].action_id
    assert output.count("npm publish") == 3
    assert "and 2 more" in output
    assert f"--action-id {newest} --outcome OK_FAILED_OR_SKIPPED --evidence" in output
    assert capture_command.main([*command[:-1], "claude-code:another"]) == 0
    assert capsys.readouterr().out == ""


def test_health_shows_how_complete_the_record_is(at_home: Watched, capsys: pytest.CaptureFixture[str]) -> None:
    assert capture_command.main(["health"]) == 0
    assert "No hook has reported" in capsys.readouterr().out
    agent = at_home.client("claude-code", "c")
    agent.claude_call("Bash", "t0", {"command": "make"}, tool_response={})
    agent.leave_open()
    agent.send("Stop")
    assert capture_command.main(["health"]) == 0
    assert "2 begun, 1 ended, 1 in doubt" in capsys.readouterr().out
    assert capture_command.main(["health", "--json"]) == 0
    seen = json.loads(capsys.readouterr().out)["seen"]
    assert [(each["begun"], each["ended"], each["observer"]["client"]) for each in seen] == [(2, 1, "claude-code")]


def test_health_and_doctor_count_torn_records(at_home: Watched, capsys: pytest.CaptureFixture[str]) -> None:
    agent = at_home.client("claude-code", "c")
    agent.leave_open()
    with open(at_home.spool, "ab") as file:
        file.write(b"\0" * 300 + b"\nts1 9 00000000 {}\n")
    assert at_home.drain().torn == 2
    assert at_home.kinds().count("other") == 2
    exported = run(["export"], env=at_home.env).stdout
    assert "a record of 300 bytes was torn" in exported
    assert "could not be recorded" not in exported
    assert capture_command.main(["health"]) == 0
    assert "2 records could not be read or recorded" in capsys.readouterr().out
    output = run(["doctor"], env=at_home.env)
    assert "2 records could not be read or recorded" in output.stdout
    assert "2 records of hooks could not be read or recorded" in run(["status"], env=at_home.env).stderr


def test_a_torn_record_adds_no_observer(at_home: Watched) -> None:
    at_home.client("claude-code", "c").leave_open()
    with open(at_home.spool, "ab") as file:
        file.write(b"ts1 9 00000000 {}\n" * 2 + b"ts1 8 00000000 {}\n")
    at_home.drain()
    page = at_home.journal.get_coverage()
    assert [each.observer.client for each in page.seen] == ["claude-code"]
    assert [*at_home.journal.get_stats().coverage] == ["claude-code"]
    sessions = at_home.journal.list_sessions().sessions
    assert [(each.client, each.alive) for each in sessions] == [("", False), ("claude-code", True)]
    before = at_home.kinds()
    with open(at_home.spool, "ab") as file:
        file.write(b"ts1 9 00000000 {}\n")  # a drainer was killed before it cleared
    at_home.drain()
    assert at_home.kinds() == before


@pytest.mark.parametrize("kind", ["fifo", "folder", "file above"])
def test_a_spool_that_cannot_be_used_is_reported(
    at_home: Watched, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    folder = Path(at_home.spool)
    if kind == "file above":
        folder.parent.parent.mkdir()
        folder.parent.write_text("")
    else:
        folder.parent.mkdir(parents=True)
        os.mkfifo(folder) if kind == "fifo" else folder.mkdir()
    assert capture_command.main(["health"]) == 0
    assert "NOT RECORDING" in capsys.readouterr().out
    assert capture_command.main(["drain"]) == 1
    assert "cannot be used" in run(["status"], env=at_home.env).stderr
    assert run(["doctor"], env=at_home.env).exit_code == 1


FULL = os.statvfs_result((4096, 4096, 256, 0, 0, 10, 10, 10, 0, 255))
READ_ONLY = os.statvfs_result((4096, 4096, 256, 100, 100, 10, 10, 10, os.ST_RDONLY, 255))


@pytest.mark.parametrize(("disk", "why"), [(FULL, "its disk is full"), (READ_ONLY, "its disk can only be read")])
def test_commands_report_that_hooks_cannot_write(
    at_home: Watched,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    disk: os.statvfs_result,
    why: str,
) -> None:
    at_home.client("claude-code", "c").leave_open()
    assert at_home.drain().recorded
    assert "cannot be used" not in run(["status"], env=at_home.env).stderr
    monkeypatch.setattr(os, "statvfs", lambda path: disk)
    assert f"the spool cannot be used ({why}), so hooks record nothing: " in run(["status"], env=at_home.env).stderr
    assert capture_command.main(["health"]) == 0
    assert "NOT RECORDING" in capsys.readouterr().out
    assert capture_command.main(["health", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["spool_problem"] == why
    output = run(["doctor"], env=at_home.env)
    assert "hooks can record" not in output.stdout
    assert f"{at_home.spool} cannot be used: {why}" in output.stdout
    assert output.exit_code == 1


def test_waiting_records_are_drained_though_the_disk_is_full(at_home: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    at_home.client("claude-code", "c").leave_open()
    monkeypatch.setattr(os, "statvfs", lambda path: FULL)
    assert "npm publish" in run(["status"], env=at_home.env).stdout


def test_a_server_reports_within_a_second_that_hooks_cannot_write(
    at_home: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_home.client("claude-code", "c").leave_open()
    watcher = SpoolWatcher(at_home.local, at_home.env)
    assert not watcher.catch_up().problem
    monkeypatch.setattr(os, "statvfs", lambda path: READ_ONLY)
    monkeypatch.setattr("tallystick.capture.ingest.drain.LOOK_SECONDS", -1.0)
    assert "can only be read" in watcher.catch_up().problem
    assert "can only be read" in at_home.local.context.principal.spool_problem
    monkeypatch.undo()
    monkeypatch.setattr("tallystick.capture.ingest.drain.LOOK_SECONDS", -1.0)
    watcher.catch_up()
    assert not at_home.local.context.principal.spool_problem


def test_a_spool_without_a_folder_is_no_problem(at_home: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "statvfs", lambda path: READ_ONLY)
    assert spool_file.spool_problem(at_home.spool) == ""
    os.makedirs(os.path.dirname(at_home.spool))
    assert spool_file.spool_problem(at_home.spool) == "its disk can only be read"


def test_doctor_counts_missed_events(at_home: Watched) -> None:
    at_home.client("claude-code", "c").leave_open()
    spool_file.add_missed(at_home.spool)
    output = run(["doctor"], env=at_home.env)
    assert "1 events could not be kept, the last at" in output.stdout
    assert "hooks can record" not in output.stdout


def test_drain_prints_its_count_and_its_problem(at_home: Watched, capsys: pytest.CaptureFixture[str]) -> None:
    at_home.client("claude-code", "c").leave_open()
    assert capture_command.main(["drain"]) == 0
    assert capsys.readouterr().out == "1 recorded.\n"
    at_home.client("claude-code", "c").leave_open("more")
    Path(spool_file.sibling(at_home.spool, "lock")).unlink()
    Path(spool_file.sibling(at_home.spool, "lock")).mkdir()
    assert capture_command.main(["drain"]) == 1
    output = capsys.readouterr()
    assert "the spool cannot be used" in output.err
    assert capture_command.main(["drain", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["problem"]


def test_the_installed_hook_briefs_the_next_agent_and_reminds_it_once(at_home: Watched, tmp_path: Path) -> None:
    run = hook_bundle.write(hook_bundle.program_folder(at_home.env), COMMAND)

    def send_event(event: str, **payload: Any) -> Any:
        arguments = {
            "session_id": payload.pop("session", "first"),
            "hook_event_name": event,
            "cwd": str(tmp_path),
            **payload,
        }
        done = subprocess.run(
            [hook_bundle.base_python(), "-I", "-S", str(run), "claude-code"],
            input=json.dumps(arguments).encode(),
            env={**os.environ, **at_home.env},
            capture_output=True,
            check=True,
        )
        return json.loads(done.stdout).get("hookSpecificOutput", {}).get("additionalContext", "")

    assert "No execution has been started" in send_event("SessionStart", source="startup")
    call = {"tool_name": "Bash", "tool_input": {"command": "npm publish"}, "tool_use_id": "t1"}
    assert send_event("PreToolUse", **call) == ""
    reminded = send_event("Stop", stop_hook_active=False)
    assert "npm publish" in reminded
    assert "--action-id ac_" in reminded
    assert send_event("Stop", stop_hook_active=False) == ""
    current = next(run.parent.glob("*/tallystick")).parent
    shutil.copytree(current, run.parent / "older")
    run.write_text(hook_bundle.RUN.format(bundle="older", packages=()))
    assert not hook_bundle.is_current(run.parent)
    assert "npm publish" in send_event("SessionStart", session="second", source="startup")
    assert hook_bundle.is_current(run.parent), "the brief brings an older hook up to date"
    assert [each.state for each in at_home.calls()] == ["in_doubt"]


def test_the_command_loads_no_more_than_it_needs() -> None:
    script = "import sys; from tallystick.interfaces import capture_command; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert not {"click", "rich", "mcp", "asyncio", "psycopg"} & set(loaded)


def test_an_unclaimed_spool_is_listed_with_the_command_that_drains_it(
    at_home: Watched, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = Watched(at_home.store, tmp_path, "gone elsewhere")
    other.spool = spool_file.path(spool_file.folder(at_home.env), other.name)
    command = "tallystick capture drain --journal 'gone elsewhere'"
    for event in ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"):
        other.client("claude-code", "before").send(event)
    assert command not in run(["status"], env=at_home.env).stderr, "what every session leaves waits for no one"
    other.client("claude-code", "o").leave_open()
    assert command in run(["status"], env=at_home.env).stderr
    assert command in run(["doctor"], env=at_home.env).stdout
    assert capture_command.main(["health"]) == 0
    assert command in capsys.readouterr().out
    assert capture_command.main(["drain", "--journal", "gone elsewhere"]) == 0
    assert [each.tool for each in other.actions()] == ["Bash"]
    assert command not in run(["status"], env=at_home.env).stderr
