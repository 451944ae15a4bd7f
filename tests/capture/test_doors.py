"""Whoever answers is up to date with what hooks have seen; and the command that hooks and people ask."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from msgspec.structs import replace

from tallystick import Journal
from tallystick.capture import slice, spool
from tallystick.capture.drain import Lookout
from tallystick.core.tokens import cost
from tallystick.doors import capturing, upkeep
from tallystick.doors.cli import run
from tests.capture.harness import Client, Watched
from tests.doors.mcp.lines import JOURNAL, Lines
from tests.stores import open_store

COMMAND = [sys.executable, "-m", "tallystick"]


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    """A user's own store and spool, where the environment says that they are."""
    url = f"sqlite://{tmp_path / 'journal.db'}"
    store = open_store(url)
    watched = Watched(store, tmp_path)
    watched.env |= {"TALLYSTICK_URL": url, "XDG_DATA_HOME": str(tmp_path / "data")}
    watched.place = spool.path(spool.folder(watched.env), watched.name)  # of this store
    for name, value in watched.env.items():
        monkeypatch.setenv(name, value)
    yield watched
    store.close()


def test_a_command_is_up_to_date_with_what_hooks_have_seen(at_home: Watched) -> None:
    _leave_open(at_home.client("claude-code", "c"))
    said = run(["status"], env=at_home.env)
    assert "npm publish" in said.stdout
    assert spool.waiting(at_home.place) == 0


def test_what_hooks_could_not_keep_is_mentioned_while_it_matters(
    at_home: Watched, capsys: pytest.CaptureFixture[str]
) -> None:
    _leave_open(at_home.client("claude-code", "c"))
    assert "could not keep" not in run(["status"], env=at_home.env).stdout
    for _ in range(5):
        spool.miss(at_home.place)
    assert "could not be kept, as on a full disk: 5." in run(["status"], env=at_home.env).stdout
    assert capturing.main(["health"]) == 0
    assert "could not be kept: 5," in capsys.readouterr().out
    assert json.loads(run(["get", "coverage", "--json"], env=at_home.env).stdout)["missed"] == 5
    os.utime(spool.beside(at_home.place, "missed"), (1, 1))  # long before this execution
    assert "could not keep" not in run(["status"], env=at_home.env).stdout


def test_who_looks_into_another_store_carries_nothing_off(at_home: Watched, tmp_path: Path) -> None:
    _leave_open(at_home.client("claude-code", "c"))
    waiting = spool.waiting(at_home.place)
    for url in (f"sqlite://{tmp_path / 'other.db'}", "memory:"):
        assert "npm publish" not in run(["--url", url, "status"], env=at_home.env).stdout
        at = {**at_home.env, "TALLYSTICK_URL": url} if url == "memory:" else at_home.env
        run(["status"] if url == "memory:" else ["--url", url, "status"], env=at)
    assert spool.waiting(at_home.place) == waiting
    there = run(["--url", f"sqlite://{tmp_path / 'other.db'}", "status"])
    assert f"{waiting} bytes wait in {os.path.dirname(at_home.place)}" in there.stderr, "what it does not see is named"


def test_each_store_takes_in_what_hooks_saw_for_it(at_home: Watched, tmp_path: Path) -> None:
    """Hooks of two clients in one folder, each with a store of its own, and of one with the user's own."""
    envs = [{**at_home.env, "TALLYSTICK_URL": f"sqlite://{tmp_path / name}"} for name in ("a.db", "b.db")]
    envs += [{**at_home.env, "TALLYSTICK_URL": ""}]
    for number, env in enumerate(envs):
        at_home.place = spool.path(spool.folder(env), at_home.name)
        _leave_open(at_home.client("claude-code", f"c{number}"), f"by {number}")
    for number, env in enumerate(envs):
        said = run(["export"], env=env).stdout
        assert [f"by {each}" in said for each in range(3)] == [each == number for each in range(3)]
    assert not any(spool.waiting(spool.path(spool.folder(env), at_home.name)) for env in envs)


def test_a_server_drains_before_it_answers(at_home: Watched) -> None:
    agent = at_home.client("claude-code", "c")
    with subprocess.Popen([*COMMAND, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin
        assert server.stdout

        def ask(number: int, method: str, **params: Any) -> Any:
            line = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
            server.stdin.write(line.encode() + b"\n")  # type: ignore[union-attr]
            server.stdin.flush()  # type: ignore[union-attr]
            return json.loads(server.stdout.readline())["result"]  # type: ignore[union-attr]

        ask(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "t", "version": "1"})
        before = ask(2, "tools/call", name="query_ledger", arguments={"view": "brief"})
        _leave_open(agent)
        after = ask(3, "tools/call", name="query_ledger", arguments={"view": "brief"})
        server.stdin.close()
        server.wait()
    assert "npm publish" not in json.dumps(before)
    assert "npm publish" in json.dumps(after)


def test_a_server_that_nobody_asks_drains_now_and_then(at_home: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    _leave_open(at_home.client("claude-code", "c"))
    done = Event()
    bring_up_to_date = upkeep.upkeep(at_home.local, at_home.env)

    def work() -> None:
        bring_up_to_date()
        if at_home.actions():
            done.set()

    monkeypatch.setattr(
        at_home.local.desk, "settings", replace(at_home.local.desk.settings, url=at_home.env["TALLYSTICK_URL"])
    )
    with upkeep.now_and_then(work, 0.001):
        assert done.wait(60)


def test_the_brief_for_a_conversation_is_of_its_own_work_and_short(
    at_home: Watched, capsys: pytest.CaptureFixture[str]
) -> None:
    for conversation in ("mine", "other"):
        agent = at_home.client("claude-code", conversation)
        for number in range(30):
            id = f"{conversation}-{number}"
            agent.claude_call("Bash", id, {"command": f"touch {id} " + "x" * 300}, tool_response={})
    asked = ["brief", "--client", "claude-code", "--conversation", "claude-code:mine"]
    assert capturing.main(asked) == 0
    text = capsys.readouterr().out
    assert "mine-29" in text
    assert "other-29" not in text
    assert cost(text) <= 400
    assert capturing.main([*asked[:-1], "mine"]) == 0
    assert "mine-29" in capsys.readouterr().out


def test_an_agent_that_stops_is_told_of_its_own_calls_in_doubt(
    at_home: Watched, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = at_home.client("claude-code", "c")
    asked = ["stop", "--client", "claude-code", "--conversation", "claude-code:c"]
    agent.claude_call("Bash", "t0", {"command": "make"}, tool_response={})
    agent.tell("Stop")
    assert capturing.main(asked) == 0
    assert capsys.readouterr().out == ""
    for number in range(5):
        _leave_open(agent, str(number))
    agent.tell("Stop")
    assert capturing.main(asked) == 0
    told = capsys.readouterr().out
    first = Journal(at_home.local).list_in_doubt().in_doubt[0].action_id
    assert told.count("npm publish") == 3
    assert "and 2 more" in told
    assert f"--action-id {first} --outcome OK_OR_FAILED --evidence" in told
    assert capturing.main([*asked[:-1], "claude-code:another"]) == 0
    assert capsys.readouterr().out == ""


def test_health_tells_how_complete_the_record_is(at_home: Watched, capsys: pytest.CaptureFixture[str]) -> None:
    assert capturing.main(["health"]) == 0
    assert "No hook has been heard" in capsys.readouterr().out
    agent = at_home.client("claude-code", "c")
    agent.claude_call("Bash", "t0", {"command": "make"}, tool_response={})
    _leave_open(agent)
    agent.tell("Stop")
    assert capturing.main(["health"]) == 0
    assert "2 begun, 1 ended, 1 in doubt" in capsys.readouterr().out
    assert capturing.main(["health", "--json"]) == 0
    seen = json.loads(capsys.readouterr().out)["seen"]
    assert [(each["begun"], each["ended"], each["observer"]["client"]) for each in seen] == [(2, 1, "claude-code")]


def test_health_and_doctor_count_what_was_torn(at_home: Watched, capsys: pytest.CaptureFixture[str]) -> None:
    agent = at_home.client("claude-code", "c")
    _leave_open(agent)
    with open(at_home.place, "ab") as file:
        file.write(b"\0" * 300 + b"\nts1 9 00000000 {}\n")
    assert at_home.drain().torn == 2
    assert at_home.kinds().count("other") == 2
    exported = run(["export"], env=at_home.env).stdout
    assert "a record of 300 bytes was torn" in exported
    assert "could not be recorded" not in exported
    assert capturing.main(["health"]) == 0
    assert "2 records could not be read or recorded" in capsys.readouterr().out
    said = run(["doctor"], env=at_home.env)
    assert "2 records could not be read or recorded" in said.stdout
    assert "2 records of hooks could not be read or recorded" in run(["status"], env=at_home.env).stderr


def test_what_was_torn_makes_nobody_who_watches(at_home: Watched) -> None:
    _leave_open(at_home.client("claude-code", "c"))
    with open(at_home.place, "ab") as file:
        file.write(b"ts1 9 00000000 {}\n" * 2 + b"ts1 8 00000000 {}\n")
    at_home.drain()
    page = at_home.journal.get_coverage()
    assert [each.observer.client for each in page.seen] == ["claude-code"]
    assert [*at_home.journal.get_stats().coverage] == ["claude-code"]
    sessions = at_home.journal.list_sessions().sessions
    assert [(each.client, each.alive) for each in sessions] == [("", False), ("claude-code", True)]
    before = at_home.kinds()
    with open(at_home.place, "ab") as file:
        file.write(b"ts1 9 00000000 {}\n")  # a drainer was killed before it cleared
    at_home.drain()
    assert at_home.kinds() == before


@pytest.mark.parametrize("kind", ["fifo", "folder", "file above"])
def test_a_spool_that_cannot_be_used_is_said(at_home: Watched, capsys: pytest.CaptureFixture[str], kind: str) -> None:
    place = Path(at_home.place)
    if kind == "file above":
        place.parent.parent.mkdir()
        place.parent.write_text("")
    else:
        place.parent.mkdir(parents=True)
        os.mkfifo(place) if kind == "fifo" else place.mkdir()
    assert capturing.main(["health"]) == 0
    assert "NOT RECORDING" in capsys.readouterr().out
    assert capturing.main(["drain"]) == 1
    assert "cannot be used" in run(["status"], env=at_home.env).stderr
    assert run(["doctor"], env=at_home.env).exit_code == 1


FULL = os.statvfs_result((4096, 4096, 256, 0, 0, 10, 10, 10, 0, 255))
READ_ONLY = os.statvfs_result((4096, 4096, 256, 100, 100, 10, 10, 10, os.ST_RDONLY, 255))


@pytest.mark.parametrize(("disk", "why"), [(FULL, "its disk is full"), (READ_ONLY, "its disk can only be read")])
def test_whoever_looks_is_told_when_hooks_cannot_write_now(
    at_home: Watched,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    disk: os.statvfs_result,
    why: str,
) -> None:
    _leave_open(at_home.client("claude-code", "c"))
    assert at_home.drain().recorded
    assert "cannot be used" not in run(["status"], env=at_home.env).stderr
    monkeypatch.setattr(os, "statvfs", lambda place: disk)
    assert f"nothing that hooks see is recorded: {why}" in run(["status"], env=at_home.env).stderr
    assert capturing.main(["health"]) == 0
    assert "NOT RECORDING" in capsys.readouterr().out
    assert capturing.main(["health", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["spool_problem"] == why
    said = run(["doctor"], env=at_home.env)
    assert "what hooks see can be recorded" not in said.stdout
    assert f"{at_home.place} cannot be used: {why}" in said.stdout
    assert said.exit_code == 1


def test_what_waits_is_taken_in_though_the_disk_is_full(at_home: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    _leave_open(at_home.client("claude-code", "c"))
    monkeypatch.setattr(os, "statvfs", lambda place: FULL)
    assert "npm publish" in run(["status"], env=at_home.env).stdout


def test_a_server_tells_within_a_second_that_hooks_cannot_write(
    at_home: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    _leave_open(at_home.client("claude-code", "c"))
    lookout = Lookout(at_home.local, at_home.env)
    assert not lookout.keep_up().problem
    monkeypatch.setattr(os, "statvfs", lambda place: READ_ONLY)
    monkeypatch.setattr("tallystick.capture.drain.LOOK_SECONDS", -1.0)
    assert "can only be read" in lookout.keep_up().problem
    assert "can only be read" in at_home.local.desk.asker.spool_problem
    monkeypatch.undo()
    monkeypatch.setattr("tallystick.capture.drain.LOOK_SECONDS", -1.0)
    lookout.keep_up()
    assert not at_home.local.desk.asker.spool_problem


def test_a_spool_without_a_folder_is_not_amiss(at_home: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "statvfs", lambda place: READ_ONLY)
    assert spool.unusable(at_home.place) == ""
    os.makedirs(os.path.dirname(at_home.place))
    assert spool.unusable(at_home.place) == "its disk can only be read"


def test_doctor_counts_what_hooks_could_not_keep(at_home: Watched) -> None:
    _leave_open(at_home.client("claude-code", "c"))
    spool.miss(at_home.place)
    said = run(["doctor"], env=at_home.env)
    assert "1 events could not be kept, the last at" in said.stdout
    assert "what hooks see can be recorded" not in said.stdout


def test_drain_says_what_it_did_and_what_it_could_not(at_home: Watched, capsys: pytest.CaptureFixture[str]) -> None:
    _leave_open(at_home.client("claude-code", "c"))
    assert capturing.main(["drain"]) == 0
    assert capsys.readouterr().out == "1 recorded.\n"
    _leave_open(at_home.client("claude-code", "c"), "more")
    Path(spool.beside(at_home.place, "lock")).unlink()
    Path(spool.beside(at_home.place, "lock")).mkdir()
    assert capturing.main(["drain"]) == 1
    said = capsys.readouterr()
    assert "the spool cannot be used" in said.err
    assert capturing.main(["drain", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["problem"]


def test_the_installed_hook_hands_on_what_the_last_agent_left_and_says_so_once_at_its_end(
    at_home: Watched, tmp_path: Path
) -> None:
    run = slice.write(slice.folder(at_home.env), COMMAND)

    def told(event: str, **payload: Any) -> Any:
        given = {
            "session_id": payload.pop("session", "first"),
            "hook_event_name": event,
            "cwd": str(tmp_path),
            **payload,
        }
        done = subprocess.run(
            [slice.base_python(), "-I", "-S", str(run), "claude-code"],
            input=json.dumps(given).encode(),
            env={**os.environ, **at_home.env},
            capture_output=True,
            check=True,
        )
        return json.loads(done.stdout).get("hookSpecificOutput", {}).get("additionalContext", "")

    assert "Nothing has been started" in told("SessionStart", source="startup")
    call = {"tool_name": "Bash", "tool_input": {"command": "npm publish"}, "tool_use_id": "t1"}
    assert told("PreToolUse", **call) == ""
    reminded = told("Stop", stop_hook_active=False)
    assert "npm publish" in reminded
    assert "--action-id ac_" in reminded
    assert told("Stop", stop_hook_active=False) == ""
    current = next(run.parent.glob("*/tallystick")).parent
    shutil.copytree(current, run.parent / "older")
    run.write_text(slice.RUN.format(slice="older"))
    assert not slice.is_current(run.parent)
    assert "npm publish" in told("SessionStart", session="second", source="startup")
    assert slice.is_current(run.parent), "the brief brings an older hook up to date"
    assert [each.state for each in at_home.done()] == ["in_doubt"]


def test_the_command_loads_no_more_than_it_needs() -> None:
    script = "import sys; from tallystick.doors import capturing; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert not {"click", "rich", "mcp", "asyncio", "psycopg"} & set(loaded)


def _leave_open(agent: Client, id: str = "t1") -> None:
    agent.tell("PreToolUse", tool_name="Bash", tool_input={"command": "npm publish", "n": id}, tool_use_id=id)


def test_what_waits_for_a_journal_that_nobody_opens_is_named_with_the_command_that_takes_it_in(
    at_home: Watched, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = Watched(at_home.store, tmp_path, "gone elsewhere")
    other.place = spool.path(spool.folder(at_home.env), other.name)
    _leave_open(other.client("claude-code", "o"))
    command = "tallystick capture drain --journal 'gone elsewhere'"
    assert command in run(["status"], env=at_home.env).stderr
    assert command in run(["doctor"], env=at_home.env).stdout
    assert capturing.main(["health"]) == 0
    assert command in capsys.readouterr().out
    assert capturing.main(["drain", "--journal", "gone elsewhere"]) == 0
    assert [each.tool for each in other.actions()] == ["Bash"]
    assert command not in run(["status"], env=at_home.env).stderr


STEPS = (
    {"id": "build", "title": "Build", "tool": "Bash", "arguments": {"command": "make build"}},
    {"id": "push", "title": "Push", "tool": "Bash", "arguments": {"command": "docker push img"}},
)


def _carried_out(agent: Client) -> None:
    for number, command in enumerate(("make build", "rm -rf /srv/data", "docker push img")):
        agent.claude_call("Bash", f"t{number}", {"command": command}, tool_response={"stdout": ""})


def _plan_against_actual(watched: Watched, execution: str) -> tuple[list[str], int]:
    status = watched.journal.get_status(execution_id=execution)
    return [step.actual for step in status.steps], status.execution.unplanned


def test_with_what_setup_installs_a_plan_is_carried_out_by_what_is_seen(at_home: Watched) -> None:
    env = {"CLAUDE_CODE_SESSION_ID": "c"}
    with Lines(at_home.env["TALLYSTICK_URL"], era="legacy", env=env, command=("mcp", "--tools=minimal")) as mcp:
        steps = [{**step, "cancellable": "reversible", "undo": f"undo {step['id']}"} for step in STEPS]
        execution = mcp.call("record_plan", title="Deploy", steps=steps)["execution_id"]
        watched = Watched(at_home.store, Path(at_home.env["TALLYSTICK_SPOOL"]).parent, journal=JOURNAL)
        _carried_out(watched.client("claude-code", "c"))
        watched.drain()
    assert _plan_against_actual(watched, execution) == (["done", "done"], 1)
    ways = [getattr(item.undo, "words", "") for item in watched.journal.list_owed(execution_id=execution).owed]
    assert ways == ["undo push", "", "undo build"]


def test_what_an_agent_starts_by_command_is_carried_out_by_what_is_seen(at_home: Watched) -> None:
    steps = json.dumps([{**step, "cancellable": "reversible", "undo": "take it back"} for step in STEPS])
    env = {**at_home.env, "CLAUDE_CODE_SESSION_ID": "c"}
    at_home.client("claude-code", "c").tell("SessionStart", source="startup")
    plan = json.loads(run(["record", "plan", "--title", "Deploy", "--steps", steps, "--json"], env=env).stdout)["id"]
    started = run(["record", "execution-start", "--plan-id", plan, "--json"], env=env).stdout
    _carried_out(at_home.client("claude-code", "c"))
    at_home.drain()
    assert _plan_against_actual(at_home, json.loads(started)["id"]) == (["done", "done"], 1)


def test_a_doubt_is_not_forgotten_by_the_sessions_that_follow(at_home: Watched) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    _leave_open(at_home.client("claude-code", "first", process=gone.pid))
    for later in ("second", "third"):
        agent = at_home.client("claude-code", later)
        agent.claude_call("Bash", later, {"command": f"touch {later}"}, tool_response={"stdout": ""})
        agent.tell("SessionEnd", reason="other")
        at_home.drain()
        text = run(["status"], env=at_home.env).stdout
        assert "In doubt elsewhere (1):" in text
        assert "npm publish" in text


def test_what_waits_in_the_spool_is_told_before_anything_is_recorded(at_home: Watched) -> None:
    asker = at_home.local.desk.asker
    at_home.local.desk.asker = replace(asker, spool_behind=99, missed=2, missed_at=1)
    empty = at_home.journal.get_brief().text
    assert "99 bytes that hooks saw are not recorded yet" in empty
    at_home.journal.record_context(key="k", value=1)
    planless = at_home.journal.get_brief().text
    assert "Nothing has been started yet" in planless
    assert "99 bytes that hooks saw are not recorded yet" in planless
    assert "could not be kept, as on a full disk: 2" in planless


def test_who_watched_an_execution_is_not_who_watches_another(at_home: Watched) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    _leave_open(at_home.client("claude-code", "first", process=gone.pid))
    at_home.drain()
    at_home.client("claude-code", "second").tell("SessionStart", source="startup")
    at_home.drain()
    at_home.journal.record_context(key="k", value=1)
    text = at_home.journal.get_brief().text
    assert "is gone" in text
    assert "is watched" not in text


def test_the_text_of_coverage_says_what_its_data_says(at_home: Watched) -> None:
    _leave_open(at_home.client("claude-code", "c"))
    for _ in range(5):
        spool.miss(at_home.place)
    text = run(["get", "coverage"], env=at_home.env).stdout
    assert re.search(r"^missed +5$", text, re.MULTILINE)
    assert "claude-code" in text
    assert "{" not in text


def test_an_agent_is_told_when_hooks_can_keep_nothing(at_home: Watched) -> None:
    asker = at_home.local.desk.asker
    at_home.local.desk.asker = replace(asker, spool_problem="the disk is read-only", torn=1)
    assert "What hooks see cannot be spooled now: the disk is read-only" in at_home.journal.get_brief().text
    at_home.journal.record_execution_start(title="work")
    assert "What hooks see cannot be spooled now: the disk is read-only" in at_home.journal.get_brief().text
    coverage = at_home.journal.get_coverage()
    assert (coverage.spool_problem, coverage.torn) == ("the disk is read-only", 1)
