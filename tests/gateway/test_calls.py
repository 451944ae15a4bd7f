"""A call through the gateway: its intent is in the journal before it leaves, its outcome before the answer is back."""

import json
import time
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec.structs import replace

from tallystick import operations
from tallystick.core.types import Actor
from tallystick.operations.runtime.operation_context import Principal
from tallystick.sdk.local import Local
from tests.gateway.gateway_client import GatewayClient, ScriptedServer, cancellation, config_for, text_of
from tests.interfaces.mcp.line_client import TIMEOUT_SECONDS, Era, request

ERAS = ("modern", "legacy")


@pytest.mark.parametrize("era", ERAS)
def test_a_call_is_an_observed_action_with_its_arguments_and_its_result(era: Era, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server), era) as client:
        result = client.result("echo", path="a", n=1.5)
        (action,) = client.actions()
    assert (action.tool, action.state, action.witness) == ("mcp__one__echo", "ok", "observed")
    assert action.begin_body["arguments"] == {"path": "a", "n": 1.5}
    assert action.end_body["result"]["structuredContent"] == result["structuredContent"]
    assert result["structuredContent"]["key"].startswith(action.id)


@pytest.mark.parametrize("era", ERAS)
def test_the_action_key_and_the_clients_meta_reach_the_server(era: Era, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server), era) as client:
        client.result("echo", meta={"claudecode/toolUseId": "toolu_1", "traceparent": "00-ab-cd-01", "x": {"y": 1}})
        (action,) = client.actions()
    (call,) = server.calls()
    assert call["_meta"]["tallystick/key"].startswith(action.id)
    assert call["_meta"]["claudecode/toolUseId"] == "toolu_1"
    assert call["_meta"]["x"] == {"y": 1}


def test_arguments_pass_through_byte_for_byte(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    odd = '{"a" : 1.50,  "b":"\\u00e9",\t"c":[ ],"d":123456789012345678901234567890}'
    with GatewayClient(tmp_path, config_for(server), "legacy") as client:
        call = '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"echo","arguments":' + odd + "}}"
        client.send(call.encode())
        client.until(lambda message: message.get("id") == 9)
    assert odd in server.log.read_text()


@pytest.mark.parametrize(
    ("tool", "state"), [("fail", "failed"), ("break", "in_doubt"), ("die", "in_doubt"), ("die_after", "ok")]
)
@pytest.mark.parametrize("era", ERAS)
def test_the_outcome_of_a_call_is_answered_and_recorded(tool: str, state: str, era: Era, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server), era) as client:
        answer = client.ask("tools/call", {"name": tool, "arguments": {}})
        (action,) = client.actions()
    assert action.state == state
    assert ("error" in answer) is (tool == "break")
    if tool == "break":
        assert answer["error"] == {"code": -32603, "message": "broken inside", "data": {"more": 1}}
        assert "broken inside" in action.end_body["error"]
    if tool == "die":
        assert action.id in text_of(answer["result"])
        assert "signal 9" in action.end_body["error"]


def test_a_call_that_takes_too_long_is_in_doubt_and_a_late_answer_settles_it(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    rules = {"late": {"timeout": 0.2}}
    with GatewayClient(tmp_path, config_for(server, servers={"one": {"tools": rules}})) as client:
        error = client.refusal("late", seconds=1.5)
        assert error["code"] == "in_doubt_open"
        assert client.actions()[0].state == "in_doubt"
        client.result("look")  # is answered behind the late one
        late = client.actions()[0]
    assert late.state == "ok"
    assert any(each.get("method") == "notifications/cancelled" for each in server.received)


@pytest.mark.parametrize("era", ERAS)
def test_a_cancelled_call_that_has_left_is_in_doubt(era: Era, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server), era) as client:
        client.start(7, "tools/call", {"name": "hang", "arguments": {}})
        client.result("look")  # comes behind it
        client.cancel(7, "enough")
        client.result("look")
        states = {each.tool: each for each in client.actions()}
    assert states["mcp__one__hang"].state == "in_doubt"
    assert "enough" in states["mcp__one__hang"].end_body["error"]
    (sent,) = [each for each in server.received if each.get("method") == "notifications/cancelled"]
    hung = next(each for each in server.received if each.get("params", {}).get("name") == "hang")
    assert sent["params"]["requestId"] == hung["id"]


def test_a_call_that_is_cancelled_before_it_leaves_is_skipped(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server), "legacy") as client:
        client.result("look")
        call = json.dumps(request(7, "tools/call", {"name": "echo", "arguments": {}}, "legacy")).encode()
        client.send(call, cancellation(7, "enough"))  # both in one turn
        client.result("look")
        states = {each.tool: each.state for each in client.actions()}
    assert states["mcp__one__echo"] == "skipped"
    assert not server.calls("echo")


def test_a_large_result_passes_unchanged_and_is_stored_truncated_with_its_digest(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        result = client.result("large", size=1_000_000)
        (action,) = client.actions()
        again = client.refusal("large", size=1_000_000)
    assert text_of(result) == "x" * 1_000_000
    stored = action.end_body["result"]
    assert stored["truncated"] is True
    assert stored["bytes"] > 1_000_000
    assert stored["digest"]
    assert len(json.dumps(stored)) < 5_000
    assert again["code"] == "already_done"


def test_json_that_no_journal_takes_is_passed_on_and_stored_as_text(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        result = client.result("echo", text="a\0b")
        (action,) = client.actions()
    assert result["structuredContent"]["given"] == {"text": "a\0b"}
    assert server.calls("echo")[0]["arguments"] == {"text": "a\0b"}
    assert action.state == "ok"
    assert action.begin_body["arguments"]["digest"]


def test_a_call_that_a_server_asks_more_about_is_one_action(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        assert client.result("input", a=1)["resultType"] == "input_required"
        assert client.actions()[0].state == "open"
        more = {"name": "input", "arguments": {"a": 1}, "inputResponses": {"a": {"action": "accept"}}}
        answer = client.ask("tools/call", more)
        (action,) = client.actions()
    assert text_of(answer["result"]) == "thank you"
    assert action.state == "ok"


MORE = {"inputResponses": {"a": {"action": "accept"}}}


def test_a_call_with_unanswered_questions_can_begin_again_as_the_same_action(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one", "modern")
    with GatewayClient(tmp_path, config_for(server)) as client:
        for _ in range(2):
            assert client.result("input", a=1)["resultType"] == "input_required"
        for _ in range(2):
            answer = client.ask("tools/call", {"name": "input", "arguments": {"a": 1}, **MORE})
            assert text_of(answer["result"]).startswith("thank you")
        (action,) = client.actions()
    assert action.state == "ok"
    assert len(server.calls("input")) == 3


def test_a_call_without_the_requested_input_is_in_doubt_and_settled_by_a_later_continuation(
    tmp_path: Path,
) -> None:
    server = ScriptedServer(tmp_path, "one", "modern")
    with GatewayClient(tmp_path, config_for(server, timeouts={"call": 1})) as client:
        client.result("input", a=1)
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while client.actions()[0].state == "open" and time.monotonic() < deadline:
            pass
        assert client.actions()[0].state == "in_doubt"
        assert client.refusal("input", a=1)["code"] == "in_doubt_open"
        client.ask("tools/call", {"name": "input", "arguments": {"a": 1}, **MORE})
        (action,) = client.actions()
    assert action.state == "ok"


def test_equal_calls_that_may_be_made_twice_and_are_asked_about_are_each_an_action(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one", "modern")
    config = config_for(server, servers={"one": {"tools": {"input": {"effect": "idempotent"}}}})
    with GatewayClient(tmp_path, config) as client:
        for more in ({}, {}, MORE, MORE):
            client.ask("tools/call", {"name": "input", "arguments": {"a": 1}, **more})
        states = [each.state for each in client.actions()]
    assert states == ["ok", "ok"]


def test_a_modern_field_name_in_the_result_of_an_older_server_is_ignored(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one", "handshake")
    with GatewayClient(tmp_path, config_for(server), era="legacy") as client:
        client.result("raw", answer='"result":{"resultType":"table","content":[]}')
        (action,) = client.actions()
    assert action.state == "ok"


@pytest.mark.parametrize(
    "raw_result",
    ["null", '"text"', "[1]", '{"content":"text"}', '{"content":[],"isError":"yes"}', '{"resultType":"new"}'],
)
def test_an_answer_that_is_no_result_of_a_tool_leaves_the_call_in_doubt(raw_result: str, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one", "modern")
    with GatewayClient(tmp_path, config_for(server)) as client:
        error = client.refusal("raw", answer=f'"result":{raw_result}')
        (action,) = client.actions()
    assert error["code"] == "in_doubt_open"
    assert "invalid tool result" in error["message"]
    assert action.state == "in_doubt"


def test_the_same_call_id_is_one_call_and_the_same_call_seen_by_a_hook_is_joined(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        client.result("echo", meta={"claudecode/toolUseId": "toolu_1"}, a=1)
        again = client.result("echo", meta={"claudecode/toolUseId": "toolu_1"}, a=1)
        assert "tallystick/recorded" in again["_meta"]
        _hook_begins(client, "toolu_2", {"a": 2})
        client.result("echo", meta={"claudecode/toolUseId": "toolu_2"}, a=2)
        actions = client.actions()
    assert len(server.calls("echo")) == 2
    assert [each.state for each in actions] == ["ok", "ok"]


@pytest.mark.parametrize("drained", ["before", "after"])
def test_a_call_that_was_never_sent_is_skipped_though_a_hook_saw_it(tmp_path: Path, drained: str) -> None:
    server = ScriptedServer(tmp_path, "one")
    config = config_for(server, servers={"one": {"tools": {"put": "refuse"}}})
    with GatewayClient(tmp_path, config, env={"CLAUDE_CODE_SESSION_ID": "c"}) as client, client.journal() as journal:
        context = cast(Local, journal.caller).context
        seen = Principal(actor=Actor(kind="hook", name="claude-code"), witness="observed", client="claude-code")
        opening = {"kind": "client", "name": "claude-code:c", "client": "claude-code"}
        session = operations.CATALOGUE["open_session"](context.for_principal(seen), opening).id
        hook = context.for_principal(replace(seen, session=session))

        def tell(phase: str, call: str, **more: Any) -> None:
            operations.CATALOGUE["record_action"](hook, {"phase": phase, "call_id": call, **more})

        client.result("echo", meta={"claudecode/toolUseId": "t0"}, a=1)
        for call, tool in (("t1", "put"), ("t2", "echo")):  # one is refused, one answered from the journal
            begin = {"tool": f"mcp__tallystick__{tool}", "arguments": {"a": 1}}
            if drained == "before":
                tell("begin", call, **begin)
            client.ask("tools/call", {"name": tool, "arguments": {"a": 1}, "_meta": {"claudecode/toolUseId": call}})
            if drained == "after":
                tell("begin", call, **begin)
            tell("end", call, outcome="ok" if tool == "echo" else "failed")
        states = [each.state for each in client.actions()]
        owed = [item.tool for item in journal.get_undo_list().items]
    assert states == ["ok", "skipped", "skipped"]
    assert owed == ["mcp__one__echo"]
    assert [call["name"] for call in server.calls()] == ["echo"]


@pytest.mark.parametrize("name", ["claudecode/toolUseId", "vscode.requestId"])
def test_an_id_that_several_calls_share_never_answers_one_with_the_result_of_another(name: str, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        received = [client.result("echo", meta={name: "turn-1"}, n=n)["structuredContent"]["given"] for n in range(3)]
        client.result("put", meta={name: "turn-1"}, n=0)
        actions = client.actions()
    assert received == [{"n": 0}, {"n": 1}, {"n": 2}]
    assert len(server.calls("echo")) == 3
    assert len(server.calls("put")) == 1
    assert [each.state for each in actions] == ["ok"] * 4


def _hook_begins(client: GatewayClient, call_id: str, arguments: dict[str, Any]) -> None:
    with client.journal() as journal:
        context = cast(Local, journal.caller).context
        seen = Principal(actor=Actor(kind="hook", name="claude-code"), witness="observed", client="claude-code")
        begin = {"phase": "begin", "tool": "mcp__one__echo", "arguments": arguments, "call_id": call_id}
        execution = journal.list_executions(limit=1).executions[0].id
        operations.CATALOGUE["record_action"](context.for_principal(seen), {**begin, "execution_id": execution})


def test_sixteen_calls_at_once_are_sixteen_actions(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        client.result("look")
        begin = len(client.lines)
        for number in range(16):
            client.start(number, "tools/call", {"name": "echo", "arguments": {"n": number}})
        for number in range(16):
            client.until(lambda message, number=number: message.get("id") == number, since=begin)  # type: ignore[misc]
        actions = [each for each in client.actions() if each.tool == "mcp__one__echo"]
    assert sorted(each.begin_body["arguments"]["n"] for each in actions) == list(range(16))
    assert {each.state for each in actions} == {"ok"}


def test_requests_before_the_end_of_input_are_answered(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        client.start("a", "tools/list", {})
        client.start("b", "tools/call", {"name": "late", "arguments": {"seconds": 2}})
        client.start("c", "tools/call", {"name": "echo", "arguments": {"a": 1}})
        assert client.close() == 0
        answered = {json.loads(line).get("id") for line in client.lines}
        states = {each.tool: each.state for each in client.actions()}
    assert answered == {"a", "b", "c"}
    assert states == {"mcp__one__late": "ok", "mcp__one__echo": "ok"}
