"""Malformed requests and unexpected errors: one request fails, and the gateway goes on."""

import json
from pathlib import Path

import pytest

from tallystick import Journal
from tallystick.gateway.io.log import LOG
from tallystick.gateway.io.loop import Loop
from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for, text_of
from tests.gateway.test_policy import LockedJournal
from tests.interfaces.mcp.line_client import JOURNAL

BAD: dict[str, bytes] = {
    "a number that is none": b'{"a":1e400}',
    "a byte that is no text": b'{"a":"x\xffy"}',
    "half a character": rb'{"a":"\ud83d"}',
}


def _call(id: int, arguments: bytes, tool: bytes = b"echo") -> bytes:
    params = b'{"name":"%s","arguments":%s}' % (tool, arguments)
    return b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}' % (id, params)


@pytest.mark.parametrize("kind", BAD)
def test_arguments_that_cannot_be_read_fail_one_call(kind: str, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server), "legacy") as client:
        client.send(_call(9, BAD[kind]))
        answer = client.until(lambda message: message.get("id") == 9)
        assert "error" in answer or answer["result"]["isError"], answer
        assert text_of(client.result("echo", a=1)) == '{"a": 1}'
        assert client.process.poll() is None


def test_an_unreadable_cancellation_is_ignored(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server), "legacy") as client:
        for text in (b'{"requestId":"\xff"}', rb'{"requestId":"\ud83d"}', b'{"requestId":1,"reason":"\xff"}'):
            client.send(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":%s}' % text)
        client.send(b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"\xff"}}')
        assert text_of(client.result("echo", a=1)) == '{"a": 1}'


def test_an_error_in_one_unit_of_work_does_not_end_the_others(capfd: pytest.CaptureFixture[str]) -> None:
    loop = Loop()
    done: list[str] = []

    def fail(secret: str = "hunter2hunter2") -> None:
        raise KeyError(secret)

    def end() -> bool:
        if "later" in done:
            loop.stop()
        return False

    loop.post(fail)
    loop.later(0, fail)
    loop.turn_ends += [lambda: bool(fail()), end]  # type: ignore[func-returns-value]
    loop.post(lambda: done.append("posted"))
    loop.later(0.01, lambda: done.append("later"))
    loop.run()
    loop.close()
    assert done == ["posted", "later"]
    LOG.finish()
    text = capfd.readouterr().err
    assert "KeyError at test_malformed_requests.py" in text
    assert "hunter2" not in text


@pytest.mark.parametrize("failure", ["refuse", "spool"])
@pytest.mark.parametrize("policy", ["ask", "plan"])
def test_without_a_journal_no_call_that_needs_approval_is_sent(policy: str, failure: str, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    rules = {"echo": policy, "look": policy}
    config = config_for(server, servers={"one": {"tools": rules}}, on_journal_failure=failure)
    with GatewayClient(tmp_path, config, env={"TALLYSTICK_SPOOL": str(tmp_path / "spool")}) as client:
        client.result("put")
        with LockedJournal(tmp_path):
            codes = [client.refusal(tool, a=1)["code"] for tool in ("echo", "look")]
        assert text_of(client.result("put")) == "{}"
    assert codes == ["storage_unavailable"] * 2 or policy == "plan"
    assert not server.calls("echo")
    assert not server.calls("look")


def _grant(client: GatewayClient) -> None:
    """Approve the only pending approval."""
    with client.journal() as journal:
        (approval,) = journal.list_approvals(status="pending").approvals
        secret = journal.add_credential(name="boss", scopes=("approve", "admin")).secret
    with Journal.open(client.url, journal=JOURNAL, credential=secret) as journal:
        journal.decide_approval(approval_id=approval.id, verdict="approve")


def test_a_granted_call_does_not_leave_when_its_use_cannot_be_written(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    config = config_for(server, servers={"one": {"tools": {"echo": "ask"}}}, on_journal_failure="spool")
    with GatewayClient(tmp_path, config, env={"TALLYSTICK_SPOOL": str(tmp_path / "spool")}) as client:
        assert client.refusal("echo", a=1)["code"] == "approval_pending"
        _grant(client)
        with LockedJournal(tmp_path):
            assert client.refusal("echo", a=1)["code"] == "storage_unavailable"
        assert not server.calls("echo")
        client.result("echo", a=1)
    assert len(server.calls("echo")) == 1


@pytest.mark.parametrize("policy", ["ask", "plan"])
def test_a_granted_call_can_be_finished_with_the_input_that_the_server_asked_for(policy: str, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server, servers={"one": {"tools": {"input": policy}}})) as client:
        if policy == "ask":
            assert client.refusal("input", a=1)["code"] == "approval_pending"
            _grant(client)
        else:
            step = {"id": "s", "title": "ask", "tool": "mcp__one__input", "arguments": {"a": 1}}
            step["cancellable"] = "irreversible"
            plan = client.call("record_plan", title="P", steps=[step])["id"]
            client.call("record_execution_start", plan_id=plan)
        assert client.result("input", a=1)["resultType"] == "input_required"
        more = {"name": "input", "arguments": {"a": 1}, "inputResponses": {"a": {"action": "accept"}}}
        assert text_of(client.ask("tools/call", more)["result"]) == "thank you"
        (action,) = client.actions()
    assert action.state == "ok"


def test_a_request_is_answered_once(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    rules = {"late": {"timeout": 0.2}}
    with GatewayClient(tmp_path, config_for(server, servers={"one": {"tools": rules}}), "legacy") as client:
        client.start("slow", "tools/call", {"name": "late", "arguments": {"seconds": 1.0}})
        client.until(lambda message: message.get("id") == "slow")
        client.result("look")  # is answered behind the late one
        client.result("look")
        assert client.actions()[0].state == "ok"
        answers = [line for line in client.lines if b'"slow"' in line]
    assert len(answers) == 1


def test_an_id_that_is_used_again_after_a_cancellation_gets_its_own_answer(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server), "legacy") as client:
        client.start(5, "tools/call", {"name": "late", "arguments": {"seconds": 0.5}})  # the server reads on behind it
        client.start(7, "custom/thing", {"x": "first"})
        client.cancel(7, "")
        client.start(7, "custom/thing", {"x": "second"})
        client.until(lambda message: message.get("id") == 7)
        client.result("look")
        answers = [json.loads(line) for line in client.lines if json.loads(line).get("id") == 7]
    assert [each["result"]["custom"] for each in answers] == ["second"]


def test_a_message_that_is_nested_too_deeply_is_refused_under_its_own_id(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    deep = b"[" * 100_000 + b"]" * 100_000
    with GatewayClient(tmp_path, config_for(server), "legacy") as client:
        client.send(
            b'{"method":"tools/call","params":{"id":1,"a":"\\"}","b":' + deep + b'},"id":"deep","jsonrpc":"2.0"}'
        )
        answer = client.until(lambda message: "error" in message)
        assert (answer["id"], "nested too deeply" in answer["error"]["message"]) == ("deep", True)
        assert not client.result("look").get("isError")
