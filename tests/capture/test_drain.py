"""Draining the spool: exactly once and in order, with several drainers and after a kill at any point."""

import json
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tallystick.capture.ingest import spool_drainer
from tallystick.capture.ingest.drain import Drained
from tallystick.capture.spool import file as spool_file
from tallystick.core.formats.canonical_json import Limits
from tests.capture.harness import JOURNAL, Client, Watched
from tests.crash.fork_server import ForkServer
from tests.stores import Home

DONE = {"llmContent": "done", "returnDisplay": "done"}
POINTS = (
    ("read", 1),
    *(("before_commit", nth) for nth in (1, 2, 5)),
    *(("after_commit", nth) for nth in (1, 4, 8)),
    ("committed", 1),
    ("cleared", 1),
)
"""Where a drainer is killed, and at which passing: there are eight commits."""


def test_when_nothing_waits_nothing_is_opened_or_written(watched: Watched) -> None:
    assert watched.drain() == Drained()
    assert not Path(spool_file.folder(watched.env)).exists()
    assert watched.kinds() == []


def test_hundreds_of_records_take_a_few_commits(watched: Watched) -> None:
    agent = watched.client("gemini-cli", "many")
    records = 2 * spool_drainer.RECORDS_PER_COMMIT
    for number in range(records // 2):
        agent.send("BeforeTool", tool_name="write_file", tool_input={"path": str(number)})
        agent.send("AfterTool", tool_name="write_file", tool_input={"path": str(number)}, tool_response=DONE)
    commits: list[str] = []
    assert watched.drain(on_crash_point=commits.append).recorded == records
    assert commits.count("before_commit") <= records / spool_drainer.RECORDS_PER_COMMIT + 1
    assert [each.state for each in watched.calls()] == ["ok"] * (records // 2)


def test_a_drainer_that_is_killed_leaves_nothing_lost_and_nothing_twice(
    fork_server: ForkServer, shared_home: Home, tmp_path: Path
) -> None:
    store = shared_home.open()
    for point, nth in POINTS:
        _kill_and_drain_again(fork_server, shared_home.url, Watched(store, tmp_path, f"{point}-{nth}"), point, nth)


def _kill_and_drain_again(fork_server: ForkServer, url: str, watched: Watched, point: str, nth: int) -> None:
    _whole_session(watched.client("claude-code", "one"), "PreToolUse", "PostToolUse", ids=True)
    _whole_session(watched.client("gemini-cli", "two"), "BeforeTool", "AfterTool", ids=False)
    folder = str(Path(watched.spool).parents[1])
    child = fork_server.start("drain", url=url, folder=folder, journal=watched.name, point=point, nth=nth)
    assert child.receive() == "ready"
    child.resume()
    assert child.receive() is None, "it was to be killed"
    child.wait()
    child.close()
    watched.drain()
    assert spool_file.waiting_bytes(watched.spool) == 0
    assert [each.state for each in watched.calls()] == ["ok", "failed", "in_doubt", "open"] * 2
    kinds = watched.kinds()
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "session_opened": 2,
        "execution_started": 2,
        "action_begun": 8,
        "action_ended": 6,
        "prompt": 4,
        "stopped": 2,
        "other": 2,
        "notified": 2,
    }
    assert watched.journal.verify().ok


def test_two_drainers_at_once_record_each_call_once(fork_server: ForkServer, shared_home: Home, tmp_path: Path) -> None:
    watched = Watched(shared_home.open(), tmp_path)
    for number in range(4):
        _whole_session(watched.client("gemini-cli", str(number)), "BeforeTool", "AfterTool", ids=False)
    children = [
        fork_server.start("drain", url=shared_home.url, folder=str(tmp_path), journal=JOURNAL) for _ in range(3)
    ]
    for child in children:
        assert child.receive() == "ready"
    for child in children:
        child.resume()
    counts = [child.receive() for child in children]
    for child in children:
        child.close()
    assert sum(recorded for recorded, _ in counts) == 4 * RECORDS
    assert [waiting for _, waiting in counts] == [0, 0, 0]
    assert [each.state for each in watched.calls()] == ["ok", "failed", "in_doubt", "open"] * 4


def test_records_that_arrive_during_a_drain_are_recorded_after_it(watched: Watched) -> None:
    agent = watched.client("gemini-cli", "busy")
    agent.send("BeforeTool", tool_name="run", tool_input={"n": 0})
    more = iter(range(1, 4))

    def meanwhile(point: str) -> None:
        if point == "committed" and (number := next(more, 0)):
            agent.send(
                "AfterTool", tool_name="run", tool_input={"n": number - 1}, tool_response={**DONE, "was": number}
            )
            agent.send("BeforeTool", tool_name="run", tool_input={"n": number})

    assert watched.drain(on_crash_point=meanwhile).recorded == 7
    assert spool_file.waiting_bytes(watched.spool) == 0
    assert [(each.arguments["n"], each.state) for each in watched.calls()] == [
        (0, "ok"),
        (1, "ok"),
        (2, "ok"),
        (3, "open"),
    ]


def test_a_torn_record_is_kept_aside_and_noted_in_the_journal_once(watched: Watched) -> None:
    agent = watched.client("claude-code", "torn")
    agent.claude_call("Bash", "t1", {"command": "a"}, tool_response={})
    with open(watched.spool, "ab") as file:
        file.write(b'ts1 400 00000000 {"v":1,"id":"cut sho')
    agent.claude_call("Bash", "t2", {"command": "b"}, tool_response={})

    def die(point: str) -> None:
        if point == "committed":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        watched.drain(on_crash_point=die)
    assert watched.drain().torn == 1
    assert b"cut sho" in Path(spool_file.sibling(watched.spool, "torn")).read_bytes()
    assert [each.state for each in watched.calls()] == ["ok", "ok"]
    assert watched.kinds().count("other") == 1


def test_a_refused_record_does_not_stop_those_behind_it(home: Home, tmp_path: Path) -> None:
    watched = Watched(home.open(), tmp_path, limits=Limits(body_bytes=4000, depth=8))
    agent = watched.client("claude-code", "odd")
    deep: object = "end"
    for _ in range(30):
        deep = {"in": deep}
    for number, odd in enumerate(("nul\0", "half \ud800", "x" * 60_000, {"nan": float("nan")}, deep, ["y" * 99] * 500)):
        agent.claude_call("Bash", f"t{number}", {"command": "c", "odd": odd}, tool_response={"odd": odd})
    agent.claude_call("Bash", "last", {"command": "c"}, tool_response={})
    drained = watched.drain()
    assert (drained.recorded, drained.torn, drained.waiting) == (14, 0, 0)
    assert [(each.arguments["command"], each.state) for each in watched.calls()] == [("c", "ok")] * 7


ODD: tuple[dict[str, Any], ...] = (
    {},
    {"v": 1, "id": "x" * 5000, "client": "claude-code", "event": "PreToolUse", "payload": []},
    {"id": None, "at": "noon", "pid": -3, "client": 7, "event": {}, "payload": {"tool_name": "Bash"}},
    {"id": "a", "client": "nobody", "event": "\0", "payload": {"session_id": "\x07" * 400}},
    {"id": "b", "client": "claude-code", "event": "PreToolUse", "payload": {"tool_name": "x" * 900}},
    {"id": "c", "client": "claude-code", "event": "SessionEnd", "payload": {"reason": "r" * 900, "session_id": "s"}},
    {
        "id": "d",
        "client": "claude-code",
        "event": "PostToolUse",
        "effect_key": "e1:nonsense",
        "payload": {"tool_name": "Bash", "tool_use_id": "i" * 900, "agent_id": "g" * 900, "duration_ms": 1e300},
    },
)


def test_a_record_of_any_shape_leaves_something_in_the_journal_once(home: Home, tmp_path: Path) -> None:
    store = home.open()
    for number, record in enumerate(ODD):
        watched = Watched(store, tmp_path, f"odd-{number}")
        spool_file.append(watched.spool, record)
        spool_file.append(watched.spool, record)
        drained = watched.drain()
        assert (drained.torn, drained.waiting, drained.problem) == (0, 0, "")
        kinds = watched.kinds()
        assert [kinds.count(kind) for kind in ("other", "action_begun", "session_ended")].count(1) == 1, kinds
        watched.client("claude-code", "well").claude_call("Bash", "t1", {"command": "b"}, tool_response={})
        watched.drain()
        assert watched.calls()[-1].arguments == {"command": "b"}


def test_a_full_store_keeps_everything_in_the_spool_until_there_is_room(tmp_path: Path) -> None:
    home = Home("sqlite", f"sqlite://{tmp_path / 'journal.db'}")
    store = home.open()
    watched = Watched(store, tmp_path)
    watched.drain()
    agent = watched.client("claude-code", "full")
    agent.claude_call("Bash", "t0", {"command": "small"}, tool_response={})
    assert watched.drain().recorded == 2
    for number in range(1, 30):
        agent.claude_call("Bash", f"t{number}", {"command": "x" * 4000, "n": number}, tool_response={"n": number})
    store._writer.rows("pragma max_page_count = 60")  # type: ignore[union-attr]
    drained = watched.drain()
    assert drained.waiting
    assert "disk" in drained.problem.lower() or "full" in drained.problem.lower()
    assert watched.journal.get_brief().text, "questions are still answered"
    store._writer.rows("pragma max_page_count = 1000000")  # type: ignore[union-attr]
    assert watched.drain().waiting == 0
    found = watched.calls()
    assert [each.arguments.get("n", 0) for each in found] == list(range(30))
    assert {each.state for each in found} == {"ok"}
    home.close()


def test_a_drain_publishes_the_key_and_the_brief_for_hooks(watched: Watched) -> None:
    agent = watched.client("claude-code", "ready")
    assert "effect_key" not in agent.send("PreToolUse", tool_name="Bash", tool_input={"a": 1}, tool_use_id="t1")
    watched.drain()
    later = agent.send("PreToolUse", tool_name="Bash", tool_input={"a": 1}, tool_use_id="t2")
    watched.drain()
    assert {row.effect_key for row in watched.actions()} == {later["effect_key"]}
    agent.send("PreCompact", trigger="auto")
    watched.drain()
    prepared = Path(spool_file.sibling(watched.spool, "brief"))
    brief = json.loads(prepared.read_text())
    assert brief["open"]
    assert "0 of 2 actions finished" in brief["text"]
    for id in ("t1", "t2"):
        agent.send("PostToolUse", tool_name="Bash", tool_input={"a": 1}, tool_use_id=id, tool_response={})
    watched.drain()
    assert not json.loads(prepared.read_text())["open"]
    assert prepared.stat().st_mode & 0o777 == 0o600


def test_a_drained_call_changes_the_flag_of_the_prepared_brief_and_only_a_turn_its_text(watched: Watched) -> None:
    agent = watched.client("claude-code", "turns")
    agent.send("SessionStart", source="startup")
    agent.send("UserPromptSubmit", prompt="go")
    watched.drain()
    prepared = Path(spool_file.sibling(watched.spool, "brief"))
    before = json.loads(prepared.read_text())
    assert not before["open"]
    agent.leave_open("t1")
    watched.drain()
    assert json.loads(prepared.read_text()) == {**before, "open": True}
    agent.send("PostToolUse", tool_name="Bash", tool_use_id="t1", tool_response={})
    agent.send("PostToolBatch", tool_calls=[])
    watched.drain()
    assert json.loads(prepared.read_text()) == before
    agent.leave_open("t2")
    agent.send("Stop")
    watched.drain()
    after = json.loads(prepared.read_text())
    assert after["open"]
    assert after["seq"] > before["seq"]
    assert after["text"] != before["text"]


def test_two_calls_with_different_secrets_stay_two_effects(watched: Watched) -> None:
    agent = watched.client("claude-code", "secret")
    agent.send("SessionStart", source="startup")
    watched.drain()
    for number, token in enumerate(("ghp_" + "a1B2" * 9, "ghp_" + "c3D4" * 9)):
        agent.claude_call("Bash", f"t{number}", {"command": f"curl -H 'Authorization: Bearer {token}' x"})
    watched.drain()
    rows = watched.actions()
    assert len({row.effect_key for row in rows}) == 2
    assert all("ghp_" not in str(each.arguments) for each in watched.calls())


def test_threads_of_one_process_may_drain_at_once(watched: Watched) -> None:
    _whole_session(watched.client("gemini-cli", "threads"), "BeforeTool", "AfterTool", ids=False)
    found: list[int] = []
    crowd = [Thread(target=lambda: found.append(watched.drain().recorded)) for _ in range(4)]
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join()
    assert sum(found) == RECORDS
    assert [each.state for each in watched.calls()] == ["ok", "failed", "in_doubt", "open"]


RECORDS = 12
"""How many records `_whole_session` spools."""


def _whole_session(agent: Client, before: str, after: str, *, ids: bool) -> None:
    """A turn with an end of each kind, then the begin of a second one, the same call as the first."""

    def id(number: int) -> dict[str, str]:
        return {"tool_use_id": f"{agent.name}-{number}"} if ids else {}

    stop, prompt = ("Stop", "UserPromptSubmit") if ids else ("AfterAgent", "BeforeAgent")
    send: Callable[..., object] = agent.send
    send("SessionStart", source="startup")
    send(prompt, prompt="one")
    send(before, tool_name="run", tool_input={"n": 1}, **id(1))
    send(after, tool_name="run", tool_input={"n": 1}, tool_response=DONE, **id(1))
    send(before, tool_name="run", tool_input={"n": 2}, **id(2))
    failed = {"isError": True, "error": {"message": "no"}}
    send(after, tool_name="run", tool_input={"n": 2}, tool_response=failed, **id(2))
    send(before, tool_name="run", tool_input={"n": 1}, **id(3))
    send("SessionStart", source="resume")
    send(stop, prompt_response="done")
    send(prompt, prompt="two")
    send(before, tool_name="run", tool_input={"n": 1}, **id(4))
    send("Notification", message="waits")
