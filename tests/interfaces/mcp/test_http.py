"""MCP over HTTP: who may ask, in which session a call is made, and what is refused."""

import socket
import subprocess
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tallystick import Journal
from tests.interfaces.mcp.http_client import COMMAND, Served, served


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"sqlite:///{tmp_path_factory.mktemp('served') / 'journal.db'}"


@pytest.fixture(scope="module")
def server(url: str) -> Iterator[Served]:
    with served(url) as found:
        yield found


@pytest.fixture(scope="module")
def journal(url: str, server: Served) -> Iterator[Journal]:
    with Journal.open(url, journal="test") as opened:
        yield opened


def _begin(**more: Any) -> dict[str, Any]:
    return {"phase": "begin", "tool": "mkdir", "summary": "make it", **more}


def test_an_unknown_host_name_is_rejected_with_the_option_that_allows_it(server: Served) -> None:
    answer = server.modern("tools/list", {}, headers={"host": "evil.example"})
    assert answer.status == 421
    assert "--allow-host evil.example" in answer.message["hint"]


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1.evil.example"])
def test_a_page_of_another_origin_is_rejected(server: Served, origin: str) -> None:
    assert server.modern("tools/list", {}, headers={"origin": origin}).status == 403


@pytest.mark.parametrize("origin", ["http://localhost:4747", "http://127.0.0.1", "http://[::1]:99"])
def test_a_page_of_this_machine_is_accepted(server: Served, origin: str) -> None:
    assert server.modern("tools/list", {}, headers={"origin": origin}).status == 200


def test_on_a_public_address_a_token_is_needed(tmp_path: Path) -> None:
    env = {"TALLYSTICK_TOKEN": "tally-0123456789"}
    with served(f"sqlite:///{tmp_path / 'j.db'}", "--host", "0.0.0.0", env=env) as server:
        assert "tally-0123456789" in server.greeting
        refused = server.modern("tools/list", {})
        assert (refused.status, refused.headers["www-authenticate"]) == (401, "Bearer")
        wrong = server.modern("tools/list", {}, headers={"authorization": "Bearer tally-012345678"})
        assert wrong.status == 401
        assert server.modern("tools/list", {}, headers={"authorization": "Bearer tally-0123456789"}).status == 200
        named = {"authorization": "Bearer tally-0123456789", "host": "journal.example"}
        assert server.modern("tools/list", {}, headers=named).status == 421


def test_a_configured_token_is_required_on_loopback_too(tmp_path: Path) -> None:
    with served(f"sqlite:///{tmp_path / 'j.db'}", env={"TALLYSTICK_TOKEN": "tally-0123456789"}) as server:
        assert server.modern("tools/list", {}).status == 401
        assert server.modern("tools/list", {}, headers={"authorization": "Bearer tally-0123456789"}).status == 200


def test_another_host_name_is_accepted_when_it_is_allowed(tmp_path: Path) -> None:
    env = {"TALLYSTICK_TOKEN": "tally-0123456789"}
    with served(f"sqlite:///{tmp_path / 'j.db'}", "--allow-host", "journal.example", env=env) as server:
        arguments = {"host": "journal.example:80", "authorization": "Bearer tally-0123456789"}
        assert server.modern("tools/list", {}, headers=arguments).status == 200
        assert server.modern("tools/list", {}, headers={"host": "other.example"}).status == 421


def test_a_port_in_use_is_an_error_with_a_fix(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [str(COMMAND), "serve", "--port", port, "--url", f"sqlite:///{tmp_path / 'j.db'}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 4
    assert "--port" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unusable_store_is_an_error_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "j.db").write_bytes(b"this is no database" * 100)
    command = [str(COMMAND), "serve", "--port", "0", "--url", f"sqlite:///{tmp_path / 'j.db'}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 4
    assert done.stderr.startswith("tallystick: ")
    assert "Traceback" not in done.stderr


def test_json_that_most_parsers_accept_is_rejected_as_a_tool_error(server: Served) -> None:
    twice = b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"record_context","arguments":{"key":"a",'
    answer = server.post(twice + b'"key":"b","value":1}}}')
    assert answer.message["id"] == 7
    assert answer.message["result"]["isError"]
    assert '"key" occurs twice' in answer.message["result"]["content"][0]["text"]
    assert "NaN is not JSON" in server.post(twice + b'"value":NaN}}}').message["result"]["content"][0]["text"]


def test_a_request_that_is_too_large_is_refused(server: Served) -> None:
    answer = server.post(b'{"a":"' + b"x" * (9 << 20) + b'"}')
    assert answer.status == 413
    assert server.call("query_ledger")["isError"] is False


def test_a_request_that_is_nested_too_deeply_is_refused_under_its_id(server: Served) -> None:
    answer = server.post(
        b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":' + b"[" * 50_000 + b"]" * 50_000
    )
    assert answer.message["id"] == 7
    assert "nested too deeply" in str(answer.message)


def test_the_same_request_after_the_end_of_its_execution_is_a_new_one(server: Served) -> None:
    def run() -> tuple[str, str, dict[str, Any]]:
        result = [
            server.call("record_execution_start", id=2, meta={"threadId": "t"}, title="deploy"),
            server.call("record_action", id=3, meta={"threadId": "t"}, phase="note", summary="deploying"),
            server.call("record_decision", id=4, meta={"threadId": "t"}, decision="done", why="deployed"),
        ]
        start, note, done = (each["structuredContent"] for each in result)
        return start["id"], note["execution_id"], done

    first = run()
    again = server.call("record_decision", id=4, meta={"threadId": "t"}, decision="done", why="deployed")
    assert again["structuredContent"] == {**first[2], "repeated": True}
    second = run()
    assert first[0] == first[1]
    assert second[0] == second[1]
    assert first[0] != second[0]
    assert second[2]["status"] == "completed"


def test_a_client_that_sends_nothing_never_gets_an_execution_by_chance(server: Served) -> None:
    execution = server.call("record_execution_start", title="mine")["structuredContent"]["id"]
    refused = server.call("record_action", **_begin())
    assert refused["isError"]
    assert execution in refused["structuredContent"]["error"]["allowed"]
    assert server.call("record_action", **_begin(execution_id=execution))["isError"] is False


def test_a_client_that_sends_nothing_is_identified_by_the_execution_it_names(server: Served, journal: Journal) -> None:
    execution = server.call("record_execution_start", title="mine")["structuredContent"]["id"]
    action = server.call("record_action", **_begin(execution_id=execution))["structuredContent"]["id"]
    ended = server.call("record_action", phase="end", action_id=action, outcome="ok", summary="made")
    assert ended["structuredContent"]["state"] == "ok"
    session = journal.get_status(execution_id=execution).execution.session
    assert journal.get_action(action_id=action).session == session


def test_a_conversation_that_the_client_names_has_its_own_execution(server: Served, journal: Journal) -> None:
    codex = {"x-codex-turn-metadata": {"thread_id": "t-1"}}
    first = server.call("record_execution_start", title="one", meta={"threadId": "t-1"})["structuredContent"]["id"]
    second = server.call("record_execution_start", title="two", meta={"threadId": "t-2"})["structuredContent"]["id"]
    expected = server.call("record_action", **_begin(), meta=codex)["structuredContent"]
    assert expected["execution_id"] == first
    assert server.call("record_decision", decision="done", why="", meta={"threadId": "t-2"})["isError"] is False
    assert journal.get_status(execution_id=second).execution.status == "completed"


def test_a_session_can_be_named_with_each_call(server: Served, journal: Journal) -> None:
    session = journal.open_session(name="named").id
    started = server.call("record_execution_start", title="one", session_id=session)["structuredContent"]["id"]
    expected = server.call("record_action", **_begin(), meta={"tallystick/session": session})["structuredContent"]
    assert expected["execution_id"] == started
    for call in (("record_action", _begin()), ("query_ledger", {}), ("query_ledger", {"view": "plans"})):
        unknown = server.call(call[0], **call[1], session_id="se_none")
        assert unknown["structuredContent"]["error"]["code"] == "unknown_handle"


def test_a_request_that_is_sent_again_is_one_entry(server: Served, journal: Journal) -> None:
    meta = {"threadId": "again"}
    execution = server.call("record_execution_start", title="one", meta=meta)["structuredContent"]["id"]
    note = {"phase": "note", "summary": "the same words", "execution_id": execution}
    first = server.call("record_action", **note, meta=meta, id=900)["structuredContent"]
    again = server.call("record_action", **note, meta=meta, id=900)["structuredContent"]
    other = server.call("record_action", **note, meta=meta, id=901)["structuredContent"]
    assert (again["seq"], again["repeated"]) == (first["seq"], True)
    assert other["seq"] > first["seq"]
    notes = journal.read_entries(execution_id=execution, kind="action_noted").entries
    assert len(notes) == 2


def test_the_model_s_own_id_of_a_call_makes_it_one_entry_too(server: Served) -> None:
    meta = {"claudecode/toolUseId": "toolu_01"}
    first = server.call("record_context", key="where", value="eu", meta=meta)["structuredContent"]
    again = server.call("record_context", key="where", value="eu", meta=meta)["structuredContent"]
    assert (again["seq"], again["repeated"]) == (first["seq"], True)


def test_a_trace_is_kept_on_the_entry(server: Served, journal: Journal) -> None:
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    seq = server.call("record_context", key="traced", value=1, meta={"traceparent": trace})["structuredContent"]["seq"]
    assert journal.read_entries(after=seq - 1, limit=1).entries[0].trace == trace[3:-3]


def test_the_handshake_s_session_is_one_conversation(server: Served) -> None:
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "old", "version": "1"}}
    opened = server.post({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})
    result = {"mcp-session-id": opened.headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25"}
    server.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, result)

    def call(id: int, tool: str, /, **arguments: Any) -> Any:
        params = {"name": tool, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}
        return server.post(message, result).message["result"]["structuredContent"]

    execution = call(2, "record_execution_start", title="old")["id"]
    assert call(3, "record_action", **_begin())["execution_id"] == execution
    assert call(4, "query_ledger")["execution_id"] == execution


def test_deleting_the_transport_s_session_ends_the_journal_s(server: Served, journal: Journal) -> None:
    headers = server.handshake()
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    start = {**message, "params": {"name": "record_execution_start", "arguments": {"title": "old"}}}
    execution = server.post(start, headers).message["result"]["structuredContent"]["id"]
    action = server.post({**message, "id": 2, "params": {"name": "record_action", "arguments": _begin()}}, headers)
    assert server.delete(headers) == 200
    session = journal.get_status(execution_id=execution).execution.session
    (ended,) = journal.read_entries(kind="session_ended", id=session).entries
    assert ended.facts["reason"] == "closed by its client"
    assert journal.get_action(action_id=action.message["result"]["structuredContent"]["id"]).state == "in_doubt"
    assert server.delete(headers) == 404
    reader = server.handshake()  # its client has only read: there is nothing to end
    assert server.delete(reader) == 200
    assert journal.read_entries(newest_first=True, limit=1).entries[0].seq == ended.seq + 1


def test_an_older_name_that_starts_an_execution_does_so_in_a_session_of_its_own(server: Served) -> None:
    steps = [{"id": "1", "title": "Copy", "cancellable": "reversible", "undo": "delete it"}]
    plan = server.call("record_plan", title="Move", steps=steps)["structuredContent"]["id"]
    logged = server.call("add_log", plan_id=plan, step_number=1, action_type="start_step", description="copy")
    assert logged["isError"] is False
    assert server.call("record_action", **_begin())["isError"]


def test_a_continued_conversation_shows_its_own_work_first(url: str, server: Served) -> None:
    mine = server.call("record_execution_start", title="mine", meta={"threadId": "own"})["structuredContent"]["id"]
    server.call("record_execution_start", title="theirs", meta={"threadId": "other"})
    with served(url) as another:  # a server that has not heard of either
        assert another.call("query_ledger", meta={"threadId": "own"})["structuredContent"]["execution_id"] == mine


def test_a_read_renews_the_lease_of_its_session(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'j.db'}"
    with served(url, env={"TALLYSTICK_LEASE_SECONDS": "2"}) as server, Journal.open(url, journal="test") as journal:
        meta = {"threadId": "reader"}
        server.call("record_execution_start", title="one", meta=meta)
        action = server.call("record_action", **_begin(), meta=meta)["structuredContent"]["id"]
        begun = now = journal.read_entries(newest_first=True, limit=1).entries[0].at
        while now <= _later(begun, 3):
            server.call("query_ledger", meta=meta)
            journal.record_context(key="clock", value=1)
            now = journal.get_context(key="clock").values[0].at
        assert journal.get_action(action_id=action).state == "open"


def _later(at: str, seconds: int) -> str:
    return (datetime.fromisoformat(at) + timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")
