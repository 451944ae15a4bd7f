"""A journal that cannot be written: what is made meanwhile is spooled, and is never made twice for that reason."""

import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import apsw
import pytest

from tallystick import Journal
from tallystick.core.formats import times
from tests import impatient
from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for, refusal_of, text_of
from tests.gateway.test_client_isolation import sharing
from tests.gateway.test_policy import LockedJournal
from tests.interfaces.mcp.line_client import CLIENT, COMMAND, JOURNAL, TIMEOUT_SECONDS, environment

IMPATIENT = impatient.program(impatient.GATEWAY)


def _through(folder: Path, server: ScriptedServer) -> GatewayClient:
    config = config_for(server, on_journal_failure="spool")
    return GatewayClient(folder, config, env={"TALLYSTICK_SPOOL": str(folder / "spool")})


def test_a_journal_that_was_never_written_delays_neither_reads_nor_spooled_records(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _through(tmp_path, server) as client:
        client.call("query_ledger")
        with LockedJournal(tmp_path):
            looked, put = client.result("look", a=1), client.result("echo", a=1)
    assert [text_of(each).count("kept in the spool") for each in (looked, put)] == [1, 1]
    assert (len(server.calls("look")), len(server.calls("echo"))) == (1, 1)


@pytest.mark.parametrize("policy", ["refuse", "spool"])
def test_a_journal_that_cannot_be_opened_at_the_start_is_one_that_fails_later(policy: str, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    config = config_for(server, on_journal_failure=policy)
    database = tmp_path / "journal.db"
    database.mkdir()  # no file can be opened there
    with GatewayClient(tmp_path, config, env={"TALLYSTICK_SPOOL": str(tmp_path / "spool")}) as client:
        looked, echoed = client.result("look", a=1), client.result("echo", a=1)
        assert text_of(looked).count("Warning: ") == 1
        if policy == "refuse":
            assert refusal_of(echoed)["code"] == "storage_unavailable"
        else:
            assert "kept in the spool" in text_of(echoed)
            assert "waits in the spool" in client.refusal("echo", a=1)["message"]
        database.rmdir()
        client.result("echo", a=1)
        assert [each.state for each in client.actions() if each.tool == "mcp__one__echo"] == ["ok"]
    assert len(server.calls("echo")) == 1


@pytest.mark.parametrize("raw_answer", ['"error":{"code":-32603,"message":"broken"}', '"error":"broken"', '"result":7'])
@pytest.mark.parametrize("tool", ["wait", "wait_reading"])
def test_an_answer_that_is_no_result_carries_the_warning_too(tool: str, raw_answer: str, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    reads = tool == "wait_reading"
    config = config_for(server, on_journal_failure="refuse" if reads else "spool")
    with GatewayClient(tmp_path, config, env={"TALLYSTICK_SPOOL": str(tmp_path / "spool")}) as client:
        client.result("look")
        with LockedJournal(tmp_path):
            client.start("call", "tools/call", {"name": tool, "arguments": {}})
            while not server.calls(tool):
                client.ask("tools/list")
            begin = len(client.lines)
            client.start("tell", "custom/tell", {"answer": raw_answer})
            answer = client.until(lambda m: m.get("id") == "call", since=begin)
    text = text_of(answer["result"]) if "result" in answer else answer["error"]["message"]
    assert ("not recorded in the journal" if reads else "kept in the spool") in text
    assert text.startswith("broken") is ("-32603" in raw_answer)


def test_a_refusal_because_the_server_died_carries_the_spool_warning_too(tmp_path: Path) -> None:
    with _through(tmp_path, ScriptedServer(tmp_path, "one")) as client:
        client.result("look")
        with LockedJournal(tmp_path):
            result = client.result("die")
    assert refusal_of(result)["code"] == "in_doubt_open"
    assert "kept in the spool" in text_of(result)


def test_the_execution_of_spooled_calls_is_named_after_its_client(tmp_path: Path) -> None:
    config = config_for(ScriptedServer(tmp_path, "one"), on_journal_failure="spool")
    with GatewayClient(tmp_path, config, "legacy", env={"TALLYSTICK_SPOOL": str(tmp_path / "spool")}) as client:
        client.call("query_ledger")
        with LockedJournal(tmp_path):
            client.result("echo", a=1)
        assert "recorded result" in text_of(client.result("echo", a=1))
        with client.journal() as journal:
            assert [each.title for each in journal.list_executions().executions] == [f"Observed: {CLIENT['name']}"]


def test_an_ingested_spooled_call_is_answered_from_the_journal(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _through(tmp_path, server) as client:
        client.call("query_ledger")
        with LockedJournal(tmp_path):
            client.result("echo", a=1)
            assert client.refusal("echo", a=1)["code"] == "already_done"
        assert "recorded result" in text_of(client.result("echo", a=1))
        [action] = client.actions()
        client.call("record_decision", execution_id=action.execution_id, decision="retry", why="it is meant")
        assert "recorded result" not in text_of(client.result("echo", a=1))
    assert len(server.calls("echo")) == 2


def test_a_decision_to_retry_waits_for_a_journal_in_which_its_use_can_be_noted(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _through(tmp_path, server) as client:
        for number in range(2):
            client.result("echo", a=number)
        [action, _] = client.actions()
        client.call("record_decision", execution_id=action.execution_id, decision="retry", why="it is meant")
        with LockedJournal(tmp_path):
            for number in range(2):
                assert client.refusal("echo", a=number)["code"] == "storage_unavailable"
        assert "recorded result" not in text_of(client.result("echo", a=0))
        assert "recorded result" in text_of(client.result("echo", a=1))
    assert len(server.calls("echo")) == 3


def test_a_step_is_carried_out_once_while_the_journal_can_only_be_read(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    config = config_for(server, on_journal_failure="spool", servers={"one": {"tools": {"echo": "plan"}}})
    with GatewayClient(tmp_path, config, env={"TALLYSTICK_SPOOL": str(tmp_path / "spool")}) as client:
        step = {"id": "first", "title": "Echo", "tool": "echo", "cancellable": "irreversible"}
        plan = client.call("record_plan", title="One echo", steps=[step])["id"]
        client.call("record_execution_start", plan_id=plan)
        with LockedJournal(tmp_path):
            client.result("echo", a=1)
            assert "the same step" in client.refusal("echo", a=2)["message"]
    assert len(server.calls("echo")) == 1


def test_a_read_only_journal_still_blocks_calls_that_are_done_or_in_doubt(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _through(tmp_path, server) as client:
        client.result("echo", a=1)
        client.result("die", a=1)
        with LockedJournal(tmp_path):
            assert "recorded result" in text_of(client.result("echo", a=1))
            assert client.refusal("die", a=1)["code"] == "in_doubt_open"
            assert "kept in the spool" in text_of(client.result("echo", a=2))
    assert [len(server.calls(name)) for name in ("echo", "die")] == [2, 1]


def test_a_step_that_needs_a_person_is_not_carried_out_while_the_journal_can_only_be_read(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _through(tmp_path, server) as client:
        step = {"id": "one", "title": "Echo", "tool": "echo", "arguments": {"a": 1}, "cancellable": "irreversible"}
        plan = client.call("record_plan", title="One echo", steps=[{**step, "needs_approval": True}])["id"]
        client.call("record_execution_start", plan_id=plan)
        with LockedJournal(tmp_path):
            assert client.refusal("echo", a=1)["code"] == "approval_pending"
    assert server.calls("echo") == []


def test_only_undos_are_made_in_an_unwinding_execution_while_the_journal_can_only_be_read(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    undo = {"tool": "echo", "arguments": {"a": -1}}
    steps = [
        {"id": name, "title": "Echo", "tool": "echo", "arguments": {"a": number}, "undo": undo}
        for number, name in enumerate(("first", "second"), 1)
    ]
    with _through(tmp_path, server) as client:
        plan = client.call("record_plan", title="Echoes", steps=steps)["id"]
        client.call("record_execution_start", plan_id=plan)
        client.result("echo", a=1)
        client.call("record_decision", decision="unwind", why="start over")
        with LockedJournal(tmp_path):
            assert "is unwinding" in client.refusal("echo", a=2)["message"]
            assert "kept in the spool" in text_of(client.result("echo", a=-1))
        client.result("look")
        assert [each.undo_state for each in client.actions() if each.tool == "mcp__one__echo"] == ["undone", ""]
    assert [call["arguments"]["a"] for call in server.calls("echo")] == [1, -1]


def test_reads_and_writes_that_were_spooled_belong_to_the_execution_they_were_made_in(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _through(tmp_path, server) as client:
        client.result("look", a=0)
        with LockedJournal(tmp_path):
            client.result("look", a=1)
            client.result("echo", a=2)
        client.result("echo", a=3)
        actions = client.actions()
    assert [action.state for action in actions] == ["ok"] * 4
    assert len({action.execution_id for action in actions}) == 1


def test_a_new_gateway_knows_the_spooled_calls_of_the_one_before(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _through(tmp_path, server) as client:
        client.result("look")
        with LockedJournal(tmp_path):
            client.result("echo", a=1)
            client.process.kill()
            with _through(tmp_path, server) as another:
                assert another.refusal("echo", a=1)["code"] in ("already_done", "storage_unavailable")
    with _through(tmp_path, server) as another:
        assert "recorded result" in text_of(another.result("echo", a=1))
    assert len(server.calls("echo")) == 1


def test_two_gateways_of_one_conversation_make_a_call_once_while_the_journal_cannot_be_written(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    config = config_for(server, on_journal_failure="spool")
    env = {"TALLYSTICK_SPOOL": str(tmp_path / "spool"), "CLAUDE_CODE_SESSION_ID": "c"}
    with GatewayClient(tmp_path, config, env=env) as ann, GatewayClient(tmp_path, config, env=env) as bob:
        ann.result("look")
        bob.result("look")
        with LockedJournal(tmp_path):
            ann.result("echo", a=1)
            assert bob.refusal("echo", a=1)["code"] == "already_done"
            assert ann.result("fail", a=1)["isError"]
            assert text_of(bob.result("fail", a=1)).startswith("it failed")  # which may be tried again
        assert "recorded result" in text_of(bob.result("echo", a=1))
    assert [len(server.calls(name)) for name in ("echo", "fail")] == [1, 2]


def test_a_spooled_call_of_one_http_client_is_made_for_another(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with sharing(tmp_path, config_for(server, on_journal_failure="spool")) as shared:
        ann, bob = shared.handshake("ann"), shared.handshake("ann")
        for client in (ann, bob):
            client.call("echo", a=0)
        with LockedJournal(tmp_path):
            results = [text_of(client.call("echo", a=1)) for client in (ann, bob)]
            assert "waits in the spool" in text_of(bob.call("echo", a=1))
            results.append(text_of(ann.call("echo", a=2)))
        results.append(text_of(bob.call("echo", a=2)))
        assert "recorded result" in text_of(ann.call("echo", a=2))
        with Journal.open(shared.store, journal=JOURNAL) as journal:
            executions = {each.execution_id for each in journal.list_actions().actions}
    assert not [each for each in results if "recorded result" in each or "waits in the spool" in each]
    assert len(server.calls("echo")) == 6
    assert len(executions) == 2


def test_a_spooled_call_shows_when_it_was_made_and_its_entry_when_it_was_recorded(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _through(tmp_path, server) as client:
        client.result("look")
        with LockedJournal(tmp_path):
            before = times.iso(time.time_ns() // 1000)
            client.result("echo", a=1)
            after = times.iso(time.time_ns() // 1000)
        client.result("look")
        action = client.actions()[1]
        with client.journal() as journal:
            [line] = [each for each in journal.list_actions().actions if each.id == action.id]
            [entry] = [each for each in journal.read_entries(limit=100).entries if each.seq == line.seq]
    assert before <= action.begun <= action.ended <= after <= entry.at
    assert (line.begun, line.ended) == (action.begun, action.ended)


def test_calls_that_are_spooled_under_one_id_are_all_taken_in(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _through(tmp_path, server) as client:
        client.result("echo", meta={"callId": "call_1"}, a=0)
        with LockedJournal(tmp_path):
            for number in (1, 2):
                client.result("echo", meta={"callId": "call_1"}, a=number)
        client.result("look")
        actions = client.actions()
    assert [each.state for each in actions] == ["ok"] * 4
    assert [each.begin_body["arguments"] for each in actions[:3]] == [{"a": 0}, {"a": 1}, {"a": 2}]


def test_while_another_program_locks_the_journal_others_are_answered_and_nothing_is_lost(tmp_path: Path) -> None:
    one, two = ScriptedServer(tmp_path, "one"), ScriptedServer(tmp_path, "two")
    rules = {"one": {"tools": {"put": "ask"}}}
    config = config_for(one, two, on_journal_failure="spool", servers=rules)
    env = {"TALLYSTICK_SPOOL": str(tmp_path / "spool")}
    with GatewayClient(tmp_path, config, program=IMPATIENT, env=env, era="legacy") as client:
        client.result("one__look")
        client.result("two__look")
        other = apsw.Connection(str(tmp_path / "journal.db"))
        other.execute("begin immediate")
        begin = len(client.lines)
        for number in range(8):
            client.start(number, "tools/call", {"name": "one__put", "arguments": {"n": number}})
        client.start("made", "tools/call", {"name": "two__echo", "arguments": {}})
        client.start("read", "resources/read", {"uri": "test://two/one"})
        client.start("ping", "ping", {})
        answers: dict[Any, Any] = {}
        for id in (*range(8), "made", "ping"):
            answers[id] = client.until(lambda m, id=id: m.get("id") == id, since=begin)  # type: ignore[misc]
        other.execute("rollback")
        other.close()
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while len(client.actions()) < 3 and time.monotonic() < deadline:
            client.ask("ping")
            time.sleep(0.2)  # opening the journal again and again would keep the gateway from its turn
        states = [each.state for each in client.actions()]
    assert all(refusal_of(answers[number]["result"])["code"] == "storage_unavailable" for number in range(8))
    assert "Warning" in text_of(answers["made"]["result"])
    assert states == ["ok"] * 3
    assert not one.calls("put")


def test_spooled_calls_are_listed_by_the_doctor_and_ingested_when_their_store_is_opened(
    tmp_path: Path,
) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _through(tmp_path, server) as client:
        client.result("look")
        with LockedJournal(tmp_path):
            client.result("echo", a=1)
            client.process.kill()
    elsewhere = {"TALLYSTICK_SPOOL": str(tmp_path / "spool"), "TALLYSTICK_URL": f"sqlite:///{tmp_path / 'other.db'}"}
    [folder] = (tmp_path / "spool").glob("of-*")
    result = _tallystick("doctor", env=elsewhere)
    assert f"bytes wait in {folder} for tests in another store" in result
    assert "tallystick capture drain --journal tests --url ITS_STORE" in result
    _tallystick("capture", "drain", "--url", client.url, "--journal", "tests", env=elsewhere)
    assert [(action.tool, action.state) for action in client.actions()] == [
        ("mcp__one__look", "ok"),
        ("mcp__one__echo", "ok"),
    ]
    assert "that a gateway saw" not in _tallystick("doctor", env=elsewhere)


def _tallystick(*words: str, env: Mapping[str, str]) -> str:
    return subprocess.run([*COMMAND, *words], env=environment(env), capture_output=True, text=True, check=False).stdout
