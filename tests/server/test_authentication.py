"""Authentication: by a token, as a program on this machine, and neither from elsewhere."""

from typing import Any

import pytest

from tests.server.web_server import NAME, OTHER, Browser, RunningServer, running_server

READ = {"name": "query_ledger", "arguments": {"view": "executions"}}
RECORD = {"name": "record_execution_start", "arguments": {"title": "Deploy"}}
VERSION = "2026-07-28"


def _call(found: RunningServer, params: dict[str, Any], **who: Any) -> dict[str, Any]:
    """The result of a tool over MCP."""
    envelope = {
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "tester", "version": "1"},
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {**params, "_meta": envelope}}
    headers = {
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": VERSION,
        "mcp-method": "tools/call",
        "mcp-name": params["name"],
        **who.pop("headers", {}),
    }
    answer = found.ask("/mcp", message, headers=headers, **who)
    assert answer.status == 200, answer.body
    result: dict[str, Any] = answer.json["result"]
    return result


def test_an_agent_s_token_records_in_its_own_journal_under_its_own_name() -> None:
    with running_server(login=True) as found:
        here, there = found.token("agent", name="builder"), found.token("agent", journal=OTHER, name="tester")
        for token in (here, there):
            assert _call(found, RECORD, token=token)["isError"] is False
            assert found.ask("/v1/executions", {"title": "by REST"}, token=token).status == 201
        for name, actor in ((NAME, "builder"), (OTHER, "tester")):
            started = found.journal(name).read_entries(kind="execution_started").entries
            assert [entry.actor for entry in started] == [actor, actor]


def test_a_reader_s_token_records_nothing_over_mcp_and_opens_no_session() -> None:
    with running_server(login=True) as found:
        token = found.token("read")
        before = found.journal().read_entries(newest_first=True, limit=1).last_seq
        refused = _call(found, RECORD, token=token)
        assert refused["isError"]
        error = refused["structuredContent"]["error"]
        assert (error["code"], error["message"]) == (
            "not_permitted",
            "This needs the scope `agent`; your access grants: read.",
        )
        assert _call(found, READ, token=token)["isError"] is False
        assert found.journal().read_entries(newest_first=True, limit=1).last_seq == before


def test_an_approver_s_token_records_a_person_s_decisions_over_mcp_in_a_session_of_its_own() -> None:
    with running_server(login=True) as found:
        token = found.token("approve", name="bob")
        execution = _call(found, RECORD, token=found.token("agent"))["structuredContent"]["id"]
        agent = found.journal().get_execution(execution_id=execution).session
        for decision, status in (("pause", "paused"), ("retry", ""), ("resume", "running")):
            decided = {"decision": decision, "why": "so it is", "execution_id": execution}
            result = _call(found, {"name": "record_decision", "arguments": decided}, token=token)
            assert result["structuredContent"].get("status", "") == status
        for tool, arguments in (("record_execution_start", {}), ("record_action", {"phase": "begin", "tool": "rm"})):
            assert _call(found, {"name": tool, "arguments": arguments}, token=token)["isError"]
        entries = found.journal().read_entries(kind="decision_recorded").entries
        assert [(each.actor_kind, each.actor, each.facts["credential"]) for each in entries] == [
            ("person", "bob", "bob")
        ] * 2
        assert agent not in {each.session for each in entries}


def test_a_reader_of_a_task_sees_that_task_alone_over_mcp() -> None:
    with running_server(login=True) as found:
        journal = found.journal()
        mine = journal.record_execution_start(title="mine", task_id="T-1").id
        theirs = journal.record_execution_start(title="theirs", task_id="T-2").id
        shown = str(_call(found, READ, token=found.token("read", tasks=("T-1",))))
        assert mine in shown
        assert theirs not in shown


def test_a_handshake_session_is_only_for_its_opener() -> None:
    with running_server() as found:
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
        opening = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
        listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}
        accept = {"accept": "application/json, text/event-stream"}
        one, two = found.token("agent"), found.token("agent")
        opened = found.ask("/mcp", opening, token=one, headers=accept)
        sent = {**accept, "mcp-session-id": opened.headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25"}
        assert found.ask("/mcp", listing, token=one, headers=sent).status == 200
        assert found.ask("/mcp", listing, token=two, headers=sent).status == 404
        assert found.ask("/mcp", listing, headers=sent).status == 404


def test_a_token_is_for_one_journal() -> None:
    with running_server() as found:
        found.journal(OTHER).record_context(key="where", value="there")
        token = found.token("read")
        assert found.ask("/v1/context", token=token).json["values"] == []
        for path, headers in ((f"/v1/context?journal={OTHER}", {}), ("/v1/context", {"tallystick-journal": OTHER})):
            assert found.ask(path, token=token, headers=headers).status == 403
        assert found.ask("/v1/journals", token=token).json == {"journals": [NAME]}


def test_on_this_machine_every_journal_of_the_store_can_be_looked_at() -> None:
    with running_server() as found:
        found.journal(OTHER).record_context(key="where", value="there")
        assert found.ask("/v1/journals").json == {"journals": [OTHER, NAME]}
        assert found.ask(f"/v1/context/where?journal={OTHER}").json["values"][0]["value"] == "there"
        recorded = _call(found, RECORD, headers={"tallystick-journal": OTHER})["structuredContent"]["id"]
        assert recorded in {each.id for each in found.journal(OTHER).list_executions().executions}
        assert found.ask("/v1/context", headers={"tallystick-journal": "a\tb"}).status == 400


def test_the_shared_token_and_the_link_are_for_the_served_journal() -> None:
    with running_server(token="shared-0123456789") as found:
        found.journal(OTHER).record_context(key="where", value="there")
        browser = Browser()
        found.ask(f"/login?once={found.app.logins.link()}", browser=browser)
        for who in ({"token": "shared-0123456789"}, {"browser": browser}):
            assert found.ask("/v1/journals", **who).json == {"journals": [NAME]}
            assert found.ask(f"/v1/context?journal={OTHER}", **who).status == 403


@pytest.mark.parametrize("header", ["forwarded", "via", "x-forwarded-for", "x-real-ip"])
def test_a_forwarded_request_does_not_count_as_local(header: str) -> None:
    with running_server() as found:
        assert found.ask("/v1/executions").status == 200
        assert found.ask("/v1/executions", headers={header: "203.0.113.9"}).status == 401


def test_a_request_with_another_host_name_does_not_count_as_local() -> None:
    with running_server(hosts=("127.0.0.1", "journal.example")) as found:
        named = {"host": "journal.example"}
        assert found.ask("/v1/executions", headers=named).status == 401
        assert found.ask("/v1/executions", token=found.token("read"), headers=named).status == 200


@pytest.mark.parametrize("authorization", ["Bearer", "Bearer ", "Basic YTpi", "ts_x", "Bearer ts_wrong"])
def test_an_invalid_token_is_rejected_on_this_machine_too(authorization: str) -> None:
    with running_server() as found:
        answer = found.ask("/v1/executions", headers={"authorization": authorization})
        assert (answer.status, answer.headers["content-type"]) == (401, "application/problem+json")
        assert answer.headers["www-authenticate"].startswith("Bearer")


def test_the_server_s_own_credential_is_not_used_for_clients() -> None:
    with running_server() as found:
        found.context.principal = type(found.context.principal)(credential=found.token("approve", "admin"))
        answer = found.ask("/v1/credentials", {"name": "mallory", "scopes": ["approve"]})
        assert answer.status == 401


def test_every_response_has_the_security_headers() -> None:
    with running_server(login=True) as found:
        for path in ("/v1/executions", "/login", "/static/styles/base.css", "/nowhere", "/session"):
            headers = found.ask(path).headers
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["x-frame-options"] == "DENY"
            assert headers["referrer-policy"] == "same-origin"
            assert "default-src 'none'" in headers["content-security-policy"]
            assert "cache-control" in headers
            assert "server" not in headers


def test_a_path_that_leads_nowhere_is_a_page_to_a_browser_and_a_problem_to_a_program() -> None:
    with running_server() as found:
        page = found.ask("/nowhere/at/all", headers={"accept": "text/html,*/*"})
        assert (page.status, page.headers["content-type"].partition(";")[0]) == (404, "text/html")
        problem = found.ask("/v1/nowhere")
        assert (problem.status, problem.json["code"]) == (404, "unknown_handle")
        assert "There is nothing at" in problem.json["detail"]
