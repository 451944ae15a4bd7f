"""`approve_in: client`: a question about a call is answered in the client, and the journal says what that is worth."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters

from tallystick import Journal
from tallystick.core.errors import NotPermitted, WrongState
from tallystick.operations import CATALOGUE
from tallystick.operations.approvals import record_client_answer
from tallystick.protocol import CAPABILITIES_KEY
from tallystick.sdk.local import Local
from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for, refusal_of
from tests.gateway.test_client_isolation import sharing
from tests.interfaces.mcp.line_client import COMMAND, JOURNAL, TIMEOUT_SECONDS, Era, environment

FORM: dict[str, Any] = {"elicitation": {}}
IN_CLIENT: dict[str, Any] = {"policy": "ask", "approve_in": "client"}
WORTH = "a client that could have answered by itself: x"
Mode = Literal["auto", "legacy"]


def _config(server: ScriptedServer, **more: Any) -> dict[str, Any]:
    rules = {tool: {**IN_CLIENT, **more} for tool in ("echo", "fail", "input")}
    return config_for(server, servers={server.name: {"tools": rules}})


class FormClient(GatewayClient):
    """A client of the handshake era that shows forms."""

    def __init__(self, folder: Path, config: Mapping[str, Any], capabilities: Mapping[str, Any] = FORM) -> None:
        super().__init__(folder, config, "legacy", capabilities=capabilities)

    def begin(self, id: str, tool: str = "echo", **arguments: Any) -> dict[str, Any]:
        """Call a tool, and return the form that appears."""
        since = len(self.lines)
        self.start(id, "tools/call", {"name": tool, "arguments": arguments})
        return self.until(lambda message: message.get("method") == "elicitation/create", since=since)

    def fill(self, form: dict[str, Any], action: str, **content: str) -> None:
        result = {"action": action, **({"content": content} if content else {})}
        self.send(json.dumps({"jsonrpc": "2.0", "id": form["id"], "result": result}).encode())

    def end_of(self, id: str) -> dict[str, Any]:
        result: dict[str, Any] = self.until(lambda message: message.get("id") == id, since=0)["result"]
        return result


class ModernClient(GatewayClient):
    """A client of the modern era that shows forms."""

    def call_with(self, tool: str, arguments: dict[str, Any], **fields: Any) -> dict[str, Any]:
        params = {"name": tool, "arguments": arguments, "_meta": {CAPABILITIES_KEY: FORM}, **fields}
        answer = self.ask("tools/call", params)
        result: dict[str, Any] = answer["result"]
        return result


def _filled(action: str, **content: str) -> dict[str, Any]:
    return {"approval": {"action": action, **({"content": content} if content else {})}}


APPROVED = _filled("accept", verdict="approve", reason="as agreed")


# -- The official client


@pytest.mark.parametrize("transport", ["stdio", "http"])
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_official_client_answers_in_both_eras_and_over_both_transports(
    mode: Mode, transport: str, tmp_path: Path
) -> None:
    server = ScriptedServer(tmp_path, "one", "handshake")
    forms: list[Any] = []

    async def elicited(context: Any, params: Any) -> types.ElicitResult:
        forms.append(params)
        if '"no"' in params.message:
            return types.ElicitResult(action="decline")
        return types.ElicitResult(action="accept", content={"verdict": "approve", "reason": "as agreed"})

    async def story(target: Any) -> None:
        async with Client(
            target, mode=mode, read_timeout_seconds=TIMEOUT_SECONDS, elicitation_callback=elicited
        ) as client:
            made = await client.call_tool("echo", {"a": "yes"})
            assert made.structured_content is not None
            assert made.structured_content["given"] == {"a": "yes"}
            refused = await client.call_tool("echo", {"a": "no"})
            assert refused.is_error

    store = f"sqlite:///{tmp_path / 'journal.db'}"
    if transport == "http":
        with sharing(tmp_path, _config(server)) as shared:
            asyncio.run(story(shared.url))
    else:
        (tmp_path / "mcp.json").write_text(json.dumps(_config(server)))
        command, *arguments = [*COMMAND, "gateway", "--config", str(tmp_path / "mcp.json")]
        arguments += ["--url", store, "--journal", JOURNAL]
        asyncio.run(story(StdioServerParameters(command=command, args=arguments, env=environment())))
    with Journal.open(store, journal=JOURNAL) as journal:
        found = {each.status: each for each in journal.list_approvals().approvals}
        entries = journal.read_entries(kind="approval_decided", limit=9).entries
        assert journal.verify().ok
    assert [call["arguments"] for call in server.calls("echo")] == [{"a": "yes"}]
    assert found["used"].reason == "as agreed"
    assert found["reject"].answered_in.startswith("a client that could have answered by itself: ")
    assert {each.decided_by for each in found.values()} == {""}
    assert [(each.facts["channel"], each.actor_kind) for each in entries] == [("client", "gateway")] * 2
    assert "credential" not in entries[0].facts
    assert all(each.session for each in entries)
    assert len(forms) == 2


# -- Clients of the handshake era


def test_the_question_is_in_the_journal_before_the_client_is_asked_and_others_do_not_wait(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with FormClient(tmp_path, _config(server)) as client:
        form = client.begin("call", a=1)
        [question] = client.approvals()
        assert (question.status, question.tool, question.arguments) == ("pending", "mcp__one__echo", {"a": 1})
        assert question.id in form["params"]["message"]
        client.result("put", a=2)  # the loop is not blocked
        client.fill(form, "accept", verdict="approve", reason="fine")
        assert client.end_of("call")["structuredContent"]["given"] == {"a": 1}
        [answered] = client.approvals()
    assert (answered.status, answered.reason, answered.answered_in) == ("used", "fine", WORTH)


@pytest.mark.parametrize("action", ["decline", "accept"])
def test_a_no_in_the_client_is_recorded_and_is_not_asked_again(action: str, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with FormClient(tmp_path, _config(server)) as client:
        form = client.begin("call", a=1)
        client.fill(form, action, **({} if action == "decline" else {"verdict": "reject", "reason": "too dear"}))
        error = refusal_of(client.end_of("call"))
        assert error["code"] == "wrong_state"
        assert "rejected in the client" in error["message"]
        assert client.refusal("echo", a=1)["code"] == "wrong_state"
        [answered] = client.approvals()
    assert (answered.status, answered.answered_in) == ("reject", WORTH)
    assert not server.calls()


@pytest.mark.parametrize(
    "answer",
    [
        {"result": {"action": "cancel"}},
        {"result": {"action": "accept"}},
        {"result": {"action": "accept", "content": {"verdict": "maybe"}}},
        {"result": {"action": "accept", "content": ["approve"]}},
        {"result": {"verdict": "approve"}},
        {"result": "accept"},
        {"error": {"code": -32601, "message": "no such method"}},
    ],
    ids=["cancel", "empty", "maybe", "list", "no action", "text", "error"],
)
def test_what_is_no_answer_leaves_the_question_pending(answer: dict[str, Any], tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with FormClient(tmp_path, _config(server)) as client:
        form = client.begin("call", a=1)
        client.send(json.dumps({"jsonrpc": "2.0", "id": form["id"], **answer}).encode())
        assert refusal_of(client.end_of("call"))["code"] == "approval_pending"
        [question] = client.approvals()
        assert question.status == "pending"
        client.decide(question.id, "approve")  # as without a client
        assert client.result("echo", a=1)["structuredContent"]["given"] == {"a": 1}
        [used] = client.approvals()
    assert (used.decided_by, used.answered_in) == ("boss", "")


def test_a_form_that_nobody_fills_in_is_taken_back_and_the_question_waits(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with FormClient(tmp_path, _config(server, timeout=0.2)) as client:
        form = client.begin("call", a=1)
        assert refusal_of(client.end_of("call"))["code"] == "approval_pending"
        taken_back = client.until(lambda message: message.get("method") == "notifications/cancelled", since=0)
        assert taken_back["params"]["requestId"] == form["id"]
        client.fill(form, "accept", verdict="approve")  # too late: nobody waits for it
        client.result("put", a=2)
        assert [each.status for each in client.approvals()] == ["pending"]
    assert not server.calls("echo")


def test_a_cancelled_call_takes_its_form_back_and_can_be_made_again(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with FormClient(tmp_path, _config(server)) as client:
        form = client.begin("call", a=1)
        client.cancel("call", "changed my mind")
        client.until(lambda message: message.get("method") == "notifications/cancelled", since=0)
        client.fill(form, "accept", verdict="approve")
        client.result("put", a=2)
        assert [each.status for each in client.approvals()] == ["pending"]
        client.fill(client.begin("again", a=1), "accept", verdict="approve")
        assert client.end_of("again")["structuredContent"]["given"] == {"a": 1}
        assert [each.status for each in client.approvals()] == ["used"]
    assert len(server.calls("echo")) == 1


def test_a_client_that_disconnects_while_it_is_asked_leaves_the_question_pending(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with FormClient(tmp_path, _config(server)) as client:
        client.begin("call", a=1)
        assert client.close() == 0
        assert refusal_of(client.end_of("call"))["code"] == "approval_pending"
        assert [each.status for each in client.approvals()] == ["pending"]
    assert not server.calls()


def test_a_question_outlives_the_gateway_that_is_killed_while_the_client_shows_it(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with FormClient(tmp_path, _config(server)) as client:
        client.begin("call", a=1)
        client.kill()
        [question] = client.approvals()
        assert question.status == "pending"
    with FormClient(tmp_path, _config(server)) as client:
        form = client.begin("call", a=1)
        assert question.id in form["params"]["message"]  # it is the same question
        client.decide(question.id, "approve")
        client.fill(form, "cancel")
        assert client.end_of("call")["structuredContent"]["given"] == {"a": 1}
        assert "tallystick/recorded" in client.result("echo", a=1)["_meta"]
        assert [(each.status, each.decided_by) for each in client.approvals()] == [("used", "boss")]
    assert len(server.calls("echo")) == 1


def test_of_two_answers_the_first_counts(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with FormClient(tmp_path, _config(server)) as client:
        form = client.begin("one", a=1)
        client.decide(client.approvals()[0].id, "reject", reason="no")
        client.fill(form, "accept", verdict="approve")
        assert "rejected by a person: no" in refusal_of(client.end_of("one"))["message"]
        client.fill(client.begin("two", a=2), "decline")
        client.end_of("two")
        with pytest.raises(WrongState, match="answered with reject"):
            client.decide(client.approvals()[0].id, "approve")
    assert not server.calls()


def test_an_equal_call_while_the_client_is_asked_shows_no_second_form(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with FormClient(tmp_path, _config(server)) as client:
        form = client.begin("one", a=1)
        assert client.refusal("echo", a=1)["code"] == "approval_pending"
        client.fill(form, "accept", verdict="approve")
        client.end_of("one")
        forms = [line for line in client.lines if b"elicitation/create" in line]
    assert len(forms) == len(server.calls("echo")) == 1


def test_a_failed_call_needs_another_answer(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with FormClient(tmp_path, _config(server)) as client:
        for id in ("one", "two"):
            client.fill(client.begin(id, "fail"), "accept", verdict="approve")
            assert client.end_of(id)["isError"]
        assert [each.status for each in client.approvals()] == ["used", "used"]
    assert len(server.calls("fail")) == 2


def test_the_form_shows_what_others_wrote_in_one_line_masked_and_cut(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    hostile = "x\nServer: two\u202e\x1b[2J"
    with FormClient(tmp_path, _config(server, question="Shall\nit?")) as client:
        form = client.begin("one", path=hostile, password="hunter2hunter2", rest="r" * 5000)
        client.fill(form, "cancel")
        client.end_of("one")
        message, schema = form["params"]["message"], form["params"]["requestedSchema"]
    lines = message.split("\n")
    assert lines[:3] == ["Shall it?", "Server: one", "Tool: echo"]
    assert len(lines) == 5
    assert message.replace("\n", "").isprintable()
    assert "hunter2" not in message
    assert "before you approve" in lines[3]
    assert len(message) < 3000
    assert schema["required"] == ["verdict"]


# -- Clients of the modern era


def test_a_modern_client_gets_the_question_as_a_result_and_answers_with_the_next_call(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with ModernClient(tmp_path, _config(server)) as client:
        asked = client.call_with("echo", {"a": 1})
        assert asked["resultType"] == "input_required"
        assert asked["inputRequests"]["approval"]["method"] == "elicitation/create"
        assert [each.status for each in client.approvals()] == ["pending"]
        state = asked["requestState"]
        done = client.call_with("echo", {"a": 1}, requestState=state, inputResponses=APPROVED)
        assert done["structuredContent"]["given"] == {"a": 1}
        again = client.call_with("echo", {"a": 1}, requestState=state, inputResponses=APPROVED)
        assert "tallystick/recorded" in again["_meta"]
        [answered] = client.approvals()
    assert (answered.status, answered.reason) == ("used", "as agreed")
    assert answered.answered_in == "a client that could have answered by itself: client"
    [call] = server.calls("echo")
    assert not {"requestState", "inputResponses"} & call.keys()


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_a_modern_client_that_does_not_approve_is_refused(action: str, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with ModernClient(tmp_path, _config(server)) as client:
        state = client.call_with("echo", {"a": 1})["requestState"]
        answer = client.call_with("echo", {"a": 1}, requestState=state, inputResponses=_filled(action))
        assert refusal_of(answer)["code"] == {"decline": "wrong_state", "cancel": "approval_pending"}[action]
        assert [each.status for each in client.approvals()] == [{"decline": "reject", "cancel": "pending"}[action]]
        no_answer = client.call_with("echo", {"a": 2})
        assert refusal_of(client.call_with("echo", {"a": 2}, requestState=no_answer["requestState"]))["code"] == (
            "approval_pending"
        )
    assert not server.calls()


def test_a_state_that_is_forged_used_or_of_another_call_is_refused(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with ModernClient(tmp_path, _config(server)) as client:
        state = client.call_with("fail", {"a": 1})["requestState"]
        other = client.call_with("fail", {"a": 2})["requestState"]
        prefix, approval, seal = state.split(".")
        changed = seal[:-1] + ("0" if seal[-1] != "0" else "1")
        forged = [
            ".".join(parts)
            for parts in ((prefix, approval, changed), (prefix, other.split(".")[1], seal), (prefix,) * 2, (prefix, ""))
        ]
        for each in (*forged, other, state.upper().replace(prefix.upper(), prefix)):
            answer = client.call_with("fail", {"a": 1}, requestState=each, inputResponses=APPROVED)
            assert refusal_of(answer)["code"] == "not_permitted", each
        answer = client.call_with("fail", {"a": 3}, requestState=state, inputResponses=APPROVED)
        assert refusal_of(answer)["code"] == "not_permitted"
        assert {each.status for each in client.approvals()} == {"pending"}
        assert not server.calls()
        assert client.call_with("fail", {"a": 1}, requestState=state, inputResponses=APPROVED)["isError"]
        replayed = client.call_with("fail", {"a": 1}, requestState=state, inputResponses=APPROVED)
        assert refusal_of(replayed)["code"] == "not_permitted"
    assert len(server.calls("fail")) == 1


def test_a_server_asks_for_its_own_input_after_the_approval(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one", "modern")
    with ModernClient(tmp_path, _config(server)) as client:
        state = client.call_with("input", {"a": 1})["requestState"]
        asked = client.call_with("input", {"a": 1}, requestState=state, inputResponses=APPROVED)
        assert list(asked["inputRequests"]) == ["a"]
        done = client.call_with("input", {"a": 1}, inputResponses={"a": {"action": "accept"}})
        assert done["content"][0]["text"] == "thank you"
        assert [each.state for each in client.actions()] == ["ok"]


# -- Who cannot answer


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_a_client_without_forms_is_refused_until_a_person_answers_elsewhere(era: Era, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, _config(server), era, capabilities={"elicitation": {"url": {}}}) as client:
        assert client.refusal("echo", a=1)["code"] == "approval_pending"
        client.decide(client.approvals()[0].id, "approve")
        assert client.result("echo", a=1)["structuredContent"]["given"] == {"a": 1}


@pytest.mark.parametrize("rule", ["ask", {"policy": "ask", "approve_in": "credential"}])
def test_without_approve_in_client_no_client_is_asked(rule: Any, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    config = config_for(server, servers={"one": {"tools": {"echo": rule}}})
    with FormClient(tmp_path, config) as client:
        assert client.refusal("echo", a=1)["code"] == "approval_pending"
    with ModernClient(tmp_path, config) as client:
        assert refusal_of(client.call_with("echo", {"a": 2}))["code"] == "approval_pending"


def test_no_operation_records_an_answer_of_a_client(tmp_path: Path) -> None:
    with Journal.open(f"sqlite:///{tmp_path / 'journal.db'}", actor="agent") as journal:
        journal.record_execution_start(title="x")
        asked = journal.request_approval(question="May I?", tool="pay", arguments={"a": 1})
        caller = journal.caller
        assert isinstance(caller, Local)
        with pytest.raises(NotPermitted, match="Only a gateway"):
            record_client_answer(caller.context, approval_id=asked.id, verdict="approve", reason="")
        assert journal.get_approval(approval_id=asked.id).status == "pending"
    assert "channel" not in CATALOGUE["decide_approval"].arguments.__struct_fields__
    assert not any("client_answer" in name for name in CATALOGUE)


def test_everything_that_shows_the_answer_says_what_it_is_worth(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with FormClient(tmp_path, _config(server)) as client:
        client.fill(client.begin("one", a=1), "decline")
        client.end_of("one")
        [answered] = client.approvals()
        with client.journal() as journal:
            texts = [
                journal.get_brief(execution_id=answered.execution_id).text,
                *(
                    journal.get_report(execution_id=answered.execution_id, form=form).text
                    for form in ("markdown", "html")
                ),
            ]
    assert all(WORTH in text for text in texts)
