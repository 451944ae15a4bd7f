"""Approvals that a gateway requested before it was killed.

Its client reports no conversation, so the next gateway knows only that the same client makes the same call.
"""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tallystick import Journal
from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for, refusal_of, text_of
from tests.gateway.test_client_isolation import sharing
from tests.interfaces.mcp.line_client import JOURNAL, Era


def _gateway(folder: Path, server: ScriptedServer, era: Era = "legacy", **rule: Any) -> GatewayClient:
    rules = {name: {"policy": "ask", **rule} for name in ("echo", "fail", "hang")}
    return GatewayClient(folder, config_for(server, servers={server.name: {"tools": rules}}), era)


def _left(folder: Path, server: ScriptedServer, tool: str = "echo", verdict: str = "", **more: Any) -> str:
    """The question about `tool` with a=1 of a gateway that was killed, and answered after that."""
    with _gateway(folder, server) as client:
        client.refusal(tool, a=1)
        approval_id: str = client.approvals()[0].id
        client.kill()
        if verdict:
            client.decide(approval_id, verdict, **more)
    return approval_id


def test_a_pending_question_is_reported_again_and_its_approval_is_used_once(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    approval_id = _left(tmp_path, server)
    with _gateway(tmp_path, server) as client:
        pending = client.refusal("echo", a=1)
        assert (pending["code"], approval_id in pending["message"]) == ("approval_pending", True)
        client.kill()
        assert [each.id for each in client.approvals()] == [approval_id]
        client.decide(approval_id, "approve")
    with _gateway(tmp_path, server) as client:
        assert client.refusal("echo", a=2)["code"] == "approval_pending"  # other arguments are another call
        assert client.result("echo", a=1)["structuredContent"]["given"] == {"a": 1}
        assert "tallystick/recorded" in client.result("echo", a=1)["_meta"]
        (action,) = client.actions()
        used = next(each for each in client.approvals() if each.id == approval_id)
        assert (used.status, used.used_by, used.execution_id) == ("used", action.id, action.execution_id)
    with _gateway(tmp_path, server) as client:
        assert client.refusal("echo", a=1)["code"] == "approval_pending"
        assert len(client.approvals()) == 3
    assert len(server.calls("echo")) == 1


def test_an_approval_given_meanwhile_needs_no_new_execution(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    _left(tmp_path, server, verdict="approve")
    with _gateway(tmp_path, server) as client:
        client.result("echo", a=1)
        with client.journal() as journal:
            assert len(journal.list_executions().executions) == 1
            assert journal.verify().ok


@pytest.mark.parametrize("verdict", ["reject", "respond"])
def test_a_denial_given_meanwhile_is_reported_by_one_gateway_which_does_not_ask_again(
    verdict: str, tmp_path: Path
) -> None:
    server = ScriptedServer(tmp_path, "one")
    details = {"reason": "too dear"} if verdict == "reject" else {"answer": "too dear"}
    approval_id = _left(tmp_path, server, verdict=verdict, **details)
    with _gateway(tmp_path, server) as client:
        for _ in range(2):
            error = client.refusal("echo", a=1)
            assert (error["code"], approval_id in error["message"]) == ("wrong_state", True)
            assert "too dear" in error["message"]
        assert len(client.approvals()) == 1
    with _gateway(tmp_path, server) as client:  # another day, another question
        assert client.refusal("echo", a=1)["code"] == "approval_pending"
        assert len(client.approvals()) == 2
    assert not server.calls("echo")


def test_an_edit_given_meanwhile_is_reported_and_grants_the_edited_call(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    approval_id = _left(tmp_path, server, verdict="edit", arguments={"a": 3})
    with _gateway(tmp_path, server) as client:
        assert f"{approval_id} grants this call with other arguments" in client.refusal("echo", a=1)["message"]
        assert client.result("echo", a=3)["structuredContent"]["given"] == {"a": 3}
        assert "tallystick/recorded" in client.result("echo", a=3)["_meta"]
        assert "it was made as" in client.refusal("echo", a=1)["message"]
        assert len(client.approvals()) == 1
    assert len(server.calls("echo")) == 1


def test_the_question_of_a_living_gateway_is_not_taken(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _gateway(tmp_path, server) as first, _gateway(tmp_path, server) as second:
        first.refusal("echo", a=1)
        approval_id = first.approvals()[0].id
        first.decide(approval_id, "approve")
        assert approval_id not in second.refusal("echo", a=1)["message"]
        own = second.approvals()[0].id
        first.kill()
        assert own in second.refusal("echo", a=1)["message"]  # it has asked itself, and waits for that answer
        second.decide(own, "reject")
        assert own in second.refusal("echo", a=1)["message"]
    assert not server.calls("echo")


def test_the_question_of_another_client_is_not_taken(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    approval_id = _left(tmp_path, server, verdict="approve")
    with _gateway(tmp_path, server, "modern") as client:  # which tells no name
        assert approval_id not in client.refusal("echo", a=1)["message"]
    assert not server.calls("echo")


def test_two_gateways_at_once_use_one_grant_once_and_neither_is_answered_with_the_others_result(
    tmp_path: Path,
) -> None:
    server = ScriptedServer(tmp_path, "one")
    _left(tmp_path, server, verdict="approve")
    with _gateway(tmp_path, server) as first, _gateway(tmp_path, server) as second, ThreadPoolExecutor(2) as pool:
        for client in (first, second):
            client.result("look")
        results = list(pool.map(lambda client: client.result("echo", a=1), (first, second)))
        waits = [refusal_of(each) for each in results if each.get("isError")]
        assert len(server.calls("echo")) == 1
        assert not any("recorded result" in text_of(each) for each in results)
        newest = first.approvals()[0]
        assert [(each["code"], newest.id in each["message"]) for each in waits] == [("approval_pending", True)]
        assert newest.status == "pending"


def test_a_granted_call_that_a_second_gateway_was_killed_in_is_in_doubt_and_not_made_again(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    _left(tmp_path, server, "hang", verdict="approve")
    with _gateway(tmp_path, server) as client:
        client.start("h", "tools/call", {"name": "hang", "arguments": {"a": 1}})
        client.result("look")  # which is answered behind it
        assert server.calls("hang")
        client.kill()
    with _gateway(tmp_path, server) as client:
        assert client.refusal("hang", a=1)["code"] == "in_doubt_open"
        assert len(client.approvals()) == 1
    assert len(server.calls("hang")) == 1


def test_a_granted_call_that_failed_is_asked_about_again(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    approval_id = _left(tmp_path, server, "fail", verdict="approve")
    with _gateway(tmp_path, server) as client:
        assert "it failed" in text_of(client.result("fail", a=1))
        error = client.refusal("fail", a=1)
        assert (error["code"], approval_id in error["message"]) == ("approval_pending", False)
    assert len(server.calls("fail")) == 1


def test_an_approval_that_expired_or_lost_its_execution_is_requested_again(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _gateway(tmp_path, server, expires="1s") as client:
        client.refusal("echo", a=1)
        lapsed = client.approvals()[0]
        client.decide(lapsed.id, "approve")
        client.result("late", seconds=1.1)  # so long has passed
        client.kill()
    ended = _left(tmp_path, server, verdict="approve")
    with _gateway(tmp_path, server) as client:
        [row] = [each for each in client.approvals() if each.id == ended]
        client.call("record_decision", execution_id=row.execution_id, decision="stop", why="enough")
        error = client.refusal("echo", a=1)
        assert error["code"] == "approval_pending"
        assert not any(id in error["message"] for id in (lapsed.id, ended))
    assert not server.calls("echo")


def test_a_call_that_is_a_step_of_the_agents_execution_is_asked_about_there(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    approval_id = _left(tmp_path, server, verdict="approve")
    step = {"id": "say", "title": "Echo", "tool": "echo", "arguments": {"a": 1}, "cancellable": "irreversible"}
    with _gateway(tmp_path, server) as client:
        plan = client.call("record_plan", title="One echo", steps=[step])["id"]
        execution = client.call("record_execution_start", plan_id=plan)["id"]
        assert approval_id not in client.refusal("echo", a=1)["message"]
        assert client.approvals()[0].execution_id == execution
    assert not server.calls("echo")


def test_the_question_of_an_http_client_outlives_its_gateway(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    config = config_for(server, servers={"one": {"tools": {"echo": "ask"}}})
    with sharing(tmp_path, config) as shared:
        assert shared.modern("ann").call("echo", a=1)["isError"]
    with Journal.open(shared.store, journal=JOURNAL) as journal:
        secret = journal.add_credential(name="boss", scopes=("approve", "admin")).secret
        [approval] = journal.list_approvals().approvals
    with Journal.open(shared.store, journal=JOURNAL, credential=secret) as journal:
        journal.decide_approval(approval_id=approval.id, verdict="approve")
    with sharing(tmp_path, config) as shared:
        assert shared.modern("bob").call("echo", a=1)["isError"]
        assert not shared.modern("ann").call("echo", a=1).get("isError")
    assert len(server.calls("echo")) == 1
