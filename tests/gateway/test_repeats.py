"""A call that was made before: answered from the journal, refused, or made once more because that was decided."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from tallystick import Journal
from tallystick.gateway.calls.results import classify_result
from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for, text_of
from tests.interfaces.mcp.line_client import JOURNAL, request


def test_a_repeated_effect_is_answered_from_the_journal_and_says_so(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        first, second = client.result("echo", a=1), client.result("echo", a=1)
        (action,) = client.actions()
        client.result("echo", a=2)
        client.result("look", a=1)
        client.result("look", a=1)
        client.result("put", a=1)
        client.result("put", a=1)
    assert second["structuredContent"] == first["structuredContent"]
    assert second["_meta"]["tallystick/recorded"] == {"action_id": action.id}
    assert f"recorded result of {action.id}" in text_of(second)
    assert len(server.calls("echo")) == 2
    assert len(server.calls("look")) == 2
    assert len(server.calls("put")) == 2


@pytest.mark.parametrize("repeat", ["answer", "refuse"])
def test_a_repetition_that_was_decided_on_is_made_once(tmp_path: Path, repeat: str) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server, repeat=repeat)) as client:
        client.result("echo", a=1)
        client.ask("tools/call", {"name": "echo", "arguments": {"a": 1}})
        assert len(server.calls("echo")) == 1
        client.call("record_decision", decision="retry", why="a second ticket is wanted")
        assert "tallystick/recorded" not in client.result("echo", a=1).get("_meta", {})
        client.ask("tools/call", {"name": "echo", "arguments": {"a": 1}})
        reasons = [action.begin_body.get("again") for action in client.actions()]
    assert len(server.calls("echo")) == 2
    assert sorted(filter(None, reasons)) == ["a second ticket is wanted"]


def test_one_decision_to_retry_lets_one_call_through(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        for number in (1, 2, 3):
            client.result("echo", a=number)
        client.call("record_decision", decision="retry", why="the second is wanted again")
        for number in (2, 1, 2, 3):
            client.result("echo", a=number)
        assert [each["arguments"]["a"] for each in server.calls("echo")] == [1, 2, 3, 2]
        client.call("record_decision", decision="retry", why="and the third")
        for number in (3, 1):
            client.result("echo", a=number)
    assert [each["arguments"]["a"] for each in server.calls("echo")] == [1, 2, 3, 2, 3]


def test_a_decision_to_retry_stays_valid_until_it_is_used(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        for number in (1, 2):
            client.result("echo", a=number)
        for decision in ("retry", "continue", "retry", "pause", "resume"):
            client.call("record_decision", decision=decision, why="it is meant")
        for number in (1, 1, 2, 2):
            client.result("echo", a=number)
        assert [each["arguments"]["a"] for each in server.calls("echo")] == [1, 2, 1, 2]
        client.call("record_decision", decision="retry", why="the first is wanted again")
        client.call("record_decision", decision="skip", why="it is not")
        client.result("echo", a=1)
    assert len(server.calls("echo")) == 4


def test_the_repetition_of_a_step_has_its_undo_and_can_be_approved_again(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    step = {"id": "s1", "title": "Say it", "tool": "echo", "arguments": {"a": 1}, "cancellable": "reversible"}
    with GatewayClient(tmp_path, config_for(server)) as client:
        plan = client.call("record_plan", title="Say", steps=[{**step, "undo": "unsay it", "needs_approval": True}])
        client.call("record_execution_start", plan_id=plan["id"])
        for round in range(3):
            if round:
                client.call("record_decision", decision="retry", step="s1", why="once more")
            client.call("record_decision", decision="ask_human", step="s1", why="costly", question="May I?")
            client.decide(client.approvals()[0].id, "approve")
            client.result("echo", a=1)
        actions = client.actions()
        with client.journal() as journal:
            owed = journal.get_undo_list(limit=10).items
    assert len(server.calls("echo")) == 3
    assert [each.step for each in actions] == ["s1"] * 3
    assert [each.undo.words for each in owed if each.undo] == ["unsay it"] * 3


@pytest.mark.parametrize(("named", "steps"), [({}, ["s1", "s2"]), ({"step": "s1"}, ["s1", "s1"])])
def test_a_repetition_is_the_step_that_is_due_with_the_same_call_unless_the_decision_names_the_one_before(
    named: dict[str, Any], steps: list[str], tmp_path: Path
) -> None:
    server = ScriptedServer(tmp_path, "one")
    step = {"title": "Say it", "tool": "echo", "arguments": {"a": 1}, "cancellable": "reversible"}
    twice = [{**step, "id": "s1", "undo": "unsay it"}, {**step, "id": "s2", "undo": "unsay it once more"}]
    with GatewayClient(tmp_path, config_for(server)) as client:
        client.call("record_plan", title="Say it twice", steps=twice, start=True)
        client.result("echo", a=1)
        client.call("record_decision", decision="retry", why="the plan wants it twice", **named)
        client.result("echo", a=1)
        actions = client.actions()
    assert len(server.calls("echo")) == 2
    assert [each.step for each in actions] == steps


def test_a_permitted_repetition_of_a_removed_step_belongs_to_no_step(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    step = {"id": "s1", "title": "Say it", "tool": "echo", "arguments": {"a": 1}, "cancellable": "irreversible"}
    other = {**step, "id": "s2", "arguments": {"a": 2}}
    with GatewayClient(tmp_path, config_for(server)) as client:
        plan = client.call("record_plan", title="Say", steps=[step, other], start=True)
        client.result("echo", a=1)
        client.call("record_plan", plan_id=plan["id"], title="Say", steps=[other], reason="the first is done")
        client.call("record_decision", decision="replan", why="the first is done")
        client.call("record_decision", decision="retry", why="once more")
        client.result("echo", a=1)
        actions = client.actions()
    assert len(server.calls("echo")) == 2
    assert [each.step for each in actions] == ["s1", ""]


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ('"isError":true,', "in_doubt"),
        ('"\\u0069sError":true,', "in_doubt"),
        ('"resultType":"input_required",', "in_doubt"),
        ('"task":{"taskId":"t1","status":"working"},', "in_doubt"),
        ("", "ok"),
    ],
)
def test_a_result_nested_too_deeply_is_ok_only_without_outcome_fields(fields: str, state: str) -> None:
    deep = "[" * 2000 + "]" * 2000
    outcome, _ = classify_result(Raw(f'{{{fields}"content":[],"structuredContent":{{"a":{deep}}}}}'.encode()), "modern")
    assert outcome == {"in_doubt": "invalid", "ok": "ok"}[state]


def test_two_decisions_to_retry_let_two_calls_through_that_come_at_once(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        for number in (1, 2):
            client.result("echo", a=number)
        for why in ("the first", "the second"):
            client.call("record_decision", decision="retry", why=why)
        begin = len(client.lines)
        lines = [request(id, "tools/call", {"name": "echo", "arguments": {"a": 1 + id % 2}}) for id in range(4)]
        client.send(*(json.dumps(line).encode() for line in lines))
        for id in range(4):
            client.until(lambda m, id=id: m.get("id") == id, since=begin)  # type: ignore[misc]
        reasons = [action.begin_body.get("again", "") for action in client.actions()]
    assert sorted(each["arguments"]["a"] for each in server.calls("echo")) == [1, 1, 2, 2]
    assert sorted(filter(None, reasons)) == ["the first", "the second"]


def test_a_tool_that_is_named_like_a_read_is_asked_each_time(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        for tool in ("get_status", "get_and_clear"):
            client.result(tool)
            client.result(tool)
        with client.journal() as journal:
            owed = [item.tool for item in journal.get_undo_list().items]
    assert (len(server.calls("get_status")), len(server.calls("get_and_clear"))) == (2, 1)
    assert "mcp__one__get_status" in owed


def test_a_repeated_effect_is_refused_if_configured(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server, repeat="refuse")) as client:
        client.result("echo", a=1)
        error = client.refusal("echo", a=1)
        (action,) = client.actions()
    assert error["code"] == "already_done"
    assert action.id in error["message"]
    assert len(server.calls("echo")) == 1


def test_a_masked_or_erased_result_is_never_answered_again(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        assert "AKIA" in text_of(client.result("secret"))
        (action,) = client.actions()
        assert "AKIAIOSFODNN7EXAMPLE" not in json.dumps(action.end_body)
        assert client.refusal("secret")["code"] == "already_done"
        client.result("echo", a=1)
        with client.journal() as journal:
            end = journal.read_entries(kind="action_ended", newest_first=True, limit=1).entries[0]
            secret = journal.add_credential(name="eraser", scopes=("admin",)).secret
        _erase(client, secret, end.seq)
        assert client.refusal("echo", a=1)["code"] == "already_done"
    assert len(server.calls("secret")) == 1
    assert len(server.calls("echo")) == 1


def _erase(client: GatewayClient, credential: str, seq: int) -> None:
    with Journal.open(client.url, journal=JOURNAL, credential=credential) as journal:
        journal.erase(seqs=(seq,), reason="asked for")


def test_one_decision_to_retry_lets_one_of_several_equal_calls_through(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        client.result("echo", k=1)
        client.call("record_decision", decision="retry", why="it is meant")
        begin = len(client.lines)
        lines = [request(id, "tools/call", {"name": "echo", "arguments": {"k": 1}}) for id in range(5)]
        client.send(*(json.dumps(line).encode() for line in lines))
        results = [client.until(lambda m, id=id: m.get("id") == id, since=begin)["result"] for id in range(5)]  # type: ignore[misc]
        actions = client.actions()
    assert len(server.calls("echo")) == len(actions) == 2
    assert sum("tallystick/recorded" in each.get("_meta", {}) for each in results) == 4


def test_a_call_that_is_under_way_is_waited_for_and_the_hint_says_how(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        client.start("first", "tools/call", {"name": "hang", "arguments": {}})
        while not server.calls("hang"):
            client.result("look")
        error = client.refusal("hang")
        (action,) = (each.id for each in client.actions() if each.tool == "mcp__one__hang")
    assert error["code"] == "wrong_state"
    assert "`again`" not in error["hint"]
    assert f"is under way as {action}" in error["message"]


def test_a_call_in_doubt_is_not_repeated_until_it_is_settled(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        client.ask("tools/call", {"name": "break", "arguments": {}})
        error = client.refusal("break")
        assert error["code"] == "in_doubt_open"
        assert "`again`" not in error["hint"]
        assert "settled as failed" in error["hint"]
        action = client.actions()[0].id
        client.call("record_action", phase="end", action_id=action, outcome="failed", evidence="looked")
        client.ask("tools/call", {"name": "break", "arguments": {}})
    assert len(server.calls("break")) == 2
