"""The policies of the gateway: record, ask first, refuse, or hold to the plan."""

import json
from pathlib import Path
from typing import Any, cast

import apsw
import pytest

from tallystick.capture.ingest.drain import drain
from tallystick.capture.spool import file as spool_file
from tallystick.sdk.local import Local
from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for, refusal_of, text_of
from tests.interfaces.mcp.line_client import JOURNAL, request


def _ruled(folder: Path, server: ScriptedServer, rules: dict[str, Any], **ours: Any) -> GatewayClient:
    return GatewayClient(folder, config_for(server, servers={server.name: {"tools": rules}}, **ours))


def _newest_approval(client: GatewayClient) -> Any:
    return client.approvals()[0]


def test_a_refused_tool_is_never_called_and_the_refusal_is_in_the_journal(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _ruled(tmp_path, server, {"ec*": "refuse"}) as client:
        assert client.refusal("echo", a=1)["code"] == "not_permitted"
        client.result("put", a=1)
        with client.journal() as journal:
            notes = journal.read_entries(kind="session_noted", limit=10).entries
    assert [note.facts["event"] for note in notes] == ["denied"]
    assert "mcp__one__echo" in json.dumps(notes[0].body)
    assert [call["name"] for call in server.calls()] == ["put"]


def test_a_rule_that_matches_no_tool_is_reported_once(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _ruled(tmp_path, server, {"ehco": "refuse", "one__*": "refuse", "ec*": "record"}) as client:
        client.result("echo", a=1)
        client.result("echo", a=2)
        text = client.last_words()
    assert text.count('"ehco" fits none') == text.count('"one__*" fits none') == 1
    assert '"ec*"' not in text


def test_an_asked_call_waits_for_a_person_and_goes_through_once(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _ruled(tmp_path, server, {"echo": "ask", "fail": "ask"}) as client:
        pending = client.refusal("echo", a=1)
        assert pending["code"] == "approval_pending"
        approval = _newest_approval(client)
        assert approval.id in pending["message"]
        assert (approval.tool, approval.arguments) == ("mcp__one__echo", {"a": 1})
        assert client.refusal("echo", a=1)["code"] == "approval_pending"
        assert _newest_approval(client).id == approval.id  # it is one question, however often it is asked
        client.decide(approval.id, "approve")
        assert not server.calls()
        assert client.refusal("echo", a=2)["code"] == "approval_pending"  # other arguments are another question
        assert client.result("echo", a=1)["structuredContent"]["given"] == {"a": 1}
        assert "tallystick/recorded" in client.result("echo", a=1)["_meta"]
        assert len(server.calls("echo")) == 1
        client.refusal("fail")
        client.decide(_newest_approval(client).id, "approve")
        assert client.result("fail")["isError"]
        assert client.refusal("fail")["code"] == "approval_pending"  # what was granted once was used


def test_a_question_in_one_conversation_does_not_affect_another(tmp_path: Path) -> None:
    one = ScriptedServer(tmp_path, "one")
    with _ruled(tmp_path, one, {"fail": "ask"}) as client:
        first, second = {"threadId": "A"}, {"threadId": "B"}
        for meta in (first, second):
            client.result("fail", meta=meta, x=1)
            client.decide(_newest_approval(client).id, "approve")
        for _ in range(2):  # made, and asked about again, since it failed
            client.result("fail", meta=second, x=1)
        client.result("fail", meta=first, x=1)
        with client.journal() as journal:
            found = [each.status for each in journal.list_approvals().approvals]
    assert len(one.calls("fail")) == 2
    assert found == ["pending", "used", "used"]


def test_equal_concurrent_calls_on_one_approval_run_once_without_a_second_approval(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _ruled(tmp_path, server, {"echo": "ask"}) as client:
        client.refusal("echo", a=1)
        client.decide(_newest_approval(client).id, "approve")
        begin = len(client.lines)
        lines = [request(id, "tools/call", {"name": "echo", "arguments": {"a": 1}}) for id in range(3)]
        client.send(*(json.dumps(line).encode() for line in lines))
        results = [client.until(lambda m, id=id: m.get("id") == id, since=begin)["result"] for id in range(3)]  # type: ignore[misc]
        errors = [refusal_of(each) for each in results if each.get("isError")]
        assert "tallystick/recorded" in client.result("echo", a=1)["_meta"]
        with client.journal() as journal:
            approvals = journal.list_approvals().approvals
    assert len(server.calls("echo")) == len(approvals) == 1
    assert all("is under way as ac_" in each["message"] for each in errors)


@pytest.mark.parametrize("verdict", ["reject", "respond"])
def test_a_call_that_a_person_does_not_grant_is_refused_with_the_reason(verdict: str, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _ruled(tmp_path, server, {"echo": "ask"}) as client:
        client.refusal("echo", a=1)
        verdict_text = {"reason": "too dear"} if verdict == "reject" else {"answer": "too dear"}
        client.decide(_newest_approval(client).id, verdict, **verdict_text)
        error = client.refusal("echo", a=1)
    assert error["code"] == "wrong_state"
    assert "too dear" in error["message"]
    assert not server.calls()


def test_an_edited_grant_is_for_the_edited_call_only(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _ruled(tmp_path, server, {"echo": "ask"}) as client:
        client.refusal("echo", amount=40)
        client.decide(_newest_approval(client).id, "edit", arguments={"amount": 30})
        error = client.refusal("echo", amount=40)
        assert "other arguments" in error["message"]
        assert client.result("echo", amount=30)["structuredContent"]["given"] == {"amount": 30}
    assert [call["arguments"] for call in server.calls()] == [{"amount": 30}]


def test_an_edit_with_a_secret_is_used_once_and_only_for_itself(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _ruled(tmp_path, server, {"echo": "ask"}) as client:
        client.refusal("echo", password="first1first1")
        approval = _newest_approval(client)
        client.decide(approval.id, "edit", arguments={"password": "second2second2"})
        assert client.refusal("echo", password="third3third3")["code"] == "approval_pending"
        client.result("echo", password="second2second2")
        repeated = client.refusal("echo", password="second2second2")  # its result is masked: it is not answered again
        assert repeated["code"] == "already_done"
        original = client.refusal("echo", password="first1first1")
        assert "edited arguments" in original["message"]
        with client.journal() as journal:
            execution = journal.list_executions().executions[0].id
            journal.record_decision(execution_id=execution, decision="retry", why="It got lost on the way.")
        assert client.refusal("echo", password="second2second2")["code"] == "approval_pending"
        client.decide(_newest_approval(client).id, "approve")
        client.result("echo", password="second2second2")
    assert [call["arguments"] for call in server.calls()] == [{"password": "second2second2"}] * 2


def test_an_expired_question_is_asked_again(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _ruled(tmp_path, server, {"echo": {"policy": "ask", "expires": "1s", "question": "Really?"}}) as client:
        client.refusal("echo", a=1)
        first = _newest_approval(client)
        assert first.question == "Really?"
        client.result("late", seconds=1.1)  # so long has passed
        assert client.refusal("echo", a=1)["code"] == "approval_pending"
        assert _newest_approval(client).id != first.id
    assert not server.calls("echo")


def test_an_expired_approval_is_requested_again_at_once(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _ruled(tmp_path, server, {"echo": {"policy": "ask", "expires": "1s"}}) as client:
        client.refusal("echo", a=1)
        first = _newest_approval(client)
        client.decide(first.id, "approve")
        client.result("late", seconds=1.1)  # so long has passed
        error = client.refusal("echo", a=1)
        assert error["code"] == "approval_pending"
        assert _newest_approval(client).id in error["message"] != first.id
        client.decide(_newest_approval(client).id, "approve")
        assert not client.result("echo", a=1).get("isError")
    assert len(server.calls("echo")) == 1


STEPS = [
    {
        "id": "first",
        "title": "Echo one",
        "tool": "mcp__one__echo",
        "arguments": {"a": 1},
        "cancellable": "irreversible",
    },
    {"id": "then", "title": "Echo two", "tool": "echo", "arguments": {"a": 2}, "cancellable": "irreversible"},
]


def test_an_unplanned_call_is_refused_with_the_steps_that_are_due(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _ruled(tmp_path, server, {"look": "record", "*": "plan"}) as client:
        assert "no execution" in client.refusal("echo", a=1)["message"]
        plan = client.call("record_plan", title="Two echoes", steps=STEPS)["id"]
        client.call("record_execution_start", plan_id=plan)
        departing = client.refusal("echo", a=3)
        assert '"first"' in departing["message"]
        assert "comes after" in client.refusal("echo", a=2)["message"]
        client.result("echo", a=1)
        client.result("echo", a=2)
        client.result("look")
        assert {each.step for each in client.actions() if each.tool == "mcp__one__echo"} == {"first", "then"}
    assert [call["arguments"] for call in server.calls("echo")] == [{"a": 1}, {"a": 2}]


def test_policies_follow_from_the_annotations_of_tools(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    annotated = {"destructive": "refuse", "idempotent": "ask", "read": "record"}
    with GatewayClient(tmp_path, config_for(server, annotated=annotated)) as client:
        assert client.refusal("echo")["code"] == "not_permitted"
        assert client.refusal("put")["code"] == "approval_pending"
        client.result("look")
        effects = {each.tool: each.effect for each in client.actions()}
    assert effects == {"mcp__one__look": "read"}


def test_an_effect_in_a_rule_overrides_annotations_for_the_policy_too(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    rules = {"look": {"effect": "unsafe"}, "echo": {"effect": "read"}, "fail": {"effect": "idempotent"}}
    annotated = {"destructive": "refuse", "read": "record", "idempotent": "ask", "other": "ask"}
    with _ruled(tmp_path, server, rules, annotated=annotated) as client:
        assert client.refusal("look")["code"] == "not_permitted"  # it claims to read
        assert client.refusal("fail")["code"] == "approval_pending"
        assert not client.result("echo").get("isError")  # it claims to destroy
    assert [call["name"] for call in server.calls()] == ["echo"]


def test_a_call_that_cannot_be_recorded_is_not_made_unless_it_only_reads(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        client.result("look")
        with LockedJournal(tmp_path):
            error = client.refusal("echo", a=1)
            assert error["code"] == "storage_unavailable"
            assert "was not made" in error["message"]
            warned = client.result("look", a=1)
        assert "not recorded" in text_of(warned)
        client.result("echo", a=1)
        assert "could not be recorded" in client.last_words()
    assert len(server.calls("echo")) == 1
    assert len(server.calls("look")) == 2


def test_a_call_that_cannot_be_recorded_is_spooled_if_configured(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    config = config_for(server, on_journal_failure="spool")
    with GatewayClient(tmp_path, config, env={"TALLYSTICK_SPOOL": str(tmp_path / "spool")}) as client:
        client.result("look")
        with LockedJournal(tmp_path):
            warned = client.result("echo", a=1, password="hunter2hunter2")
            [spool_path] = (tmp_path / "spool").glob("of-*")  # the store is not that of the hooks
            begin, end = spool_file.read(spool_file.path(str(spool_path), JOURNAL)).records
    assert "kept in the spool" in text_of(warned)
    assert len(server.calls("echo")) == 1
    assert (begin["event"], end["event"]) == ("begin", "end")
    assert begin["payload"]["action"]["call_id"] == end["payload"]["action"]["call_id"]
    assert begin["payload"]["action"]["tool"] == "mcp__one__echo"
    assert end["payload"]["action"]["outcome"] == "ok"
    assert "hunter2" not in json.dumps(begin)
    with client.journal() as journal:
        drain(cast(Local, journal.caller), {"TALLYSTICK_SPOOL": str(spool_path)})
    (action,) = (each for each in client.actions() if each.tool == "mcp__one__echo")
    assert (action.state, action.witness) == ("ok", "observed")


def test_a_spooled_call_is_not_repeated_and_keeps_its_execution(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    env = {"TALLYSTICK_SPOOL": str(tmp_path / "spool")}
    config = config_for(server, on_journal_failure="spool", servers={"one": {"tools": {"echo": "plan"}}})
    password: dict[str, Any] = {"a": 1, "password": "hunter2hunter2"}
    with GatewayClient(tmp_path, config, env=env) as client:
        step = {"id": "first", "title": "Echo", "tool": "echo", "arguments": {"a": 1}, "cancellable": "irreversible"}
        plan = client.call("record_plan", title="One echo", steps=[step])["id"]
        execution = client.call("record_execution_start", plan_id=plan)["id"]
        with LockedJournal(tmp_path):
            client.result("echo", **password)
            assert client.refusal("echo", **password)["code"] == "already_done"
            assert client.result("fail", b=1)["isError"]
            client.result("fail", b=1)  # what failed may be tried again
        assert client.refusal("echo", **password)["code"] == "already_done"
        (action,) = (each for each in client.actions() if each.tool == "mcp__one__echo")
        assert (action.execution_id, action.step, action.state, action.effect) == (execution, "first", "ok", "unsafe")
        with client.journal() as journal:
            begun = journal.read_entries(kind="action_begun", limit=10).entries
            keys = [entry.facts["effect_key"] for entry in begun if entry.id == action.id]
            raw = cast(Local, journal.caller).context.effect_key("mcp__one__echo", password)
        assert keys == [raw]  # taken before the secret was masked: the journal knows the same call by it
    assert len(server.calls("echo")) == 1
    assert len(server.calls("fail")) == 2


def test_a_call_that_can_be_neither_recorded_nor_spooled_is_not_made(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    (tmp_path / "spool").write_text("no folder")
    config = config_for(server, on_journal_failure="spool")
    with GatewayClient(tmp_path, config, env={"TALLYSTICK_SPOOL": str(tmp_path / "spool")}) as client:
        client.result("look")
        with LockedJournal(tmp_path):
            assert client.refusal("echo", a=1)["code"] == "storage_unavailable"
    assert not server.calls("echo")


def test_a_decision_to_retry_is_used_by_a_call_that_was_let_through_and_by_no_other(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server, servers={"one": {"tools": {"echo": "ask"}}})) as client:
        client.result("large", size=1)
        execution = client.actions()[0].execution_id
        client.refusal("echo", a=1)
        client.decide(_newest_approval(client).id, "approve")
        client.result("echo", a=1)
        client.call("record_decision", execution_id=execution, decision="retry", why="once more")
        assert client.refusal("echo", a=1)["code"] == "approval_pending"
        assert "recorded result" not in text_of(client.result("large", size=1))
        assert "recorded result" in text_of(client.result("large", size=1))
        client.decide(_newest_approval(client).id, "approve")
        assert "recorded result" in text_of(client.result("echo", a=1))
    assert (len(server.calls("large")), len(server.calls("echo"))) == (2, 1)


class LockedJournal:
    """Replace the journal's file so that it cannot be written."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "journal.db"

    def __enter__(self) -> None:
        self._connection = apsw.Connection(str(self._path))
        self._connection.setbusytimeout(10_000)  # the gateway may be writing
        self._connection.execute(
            "create trigger no_more before insert on entries begin select raise(abort, 'the disk is full'); end"
        )

    def __exit__(self, *of: object) -> None:
        self._connection.execute("drop trigger no_more")
        self._connection.close()


def test_a_refusal_is_short_enough_to_keep_its_ids_and_its_next_step(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _ruled(tmp_path, server, {"echo": "ask", "fail": "plan"}) as client:
        pending = text_of(client.result("echo", a=1))
        doubtful = [text_of(client.result("die", a=1)) for _ in range(2)]
        plan = client.call("record_plan", title="Steps", steps=STEPS)["id"]
        execution = client.call("record_execution_start", plan_id=plan)["id"]
        departs = text_of(client.result("fail", a=1))
        doubted = client.actions()[0].id
        approval_id = _newest_approval(client).id
    assert f"{approval_id} waits" in pending
    assert "make the same call again." in pending
    assert all(f"{doubted} is" in each and f"action_id={doubted}," in each for each in doubtful)
    assert all("first." in each for each in doubtful)
    assert 'Due: "first".' in departs
    assert "decide replan." in departs
    assert f"execution_id={execution})" in departs
