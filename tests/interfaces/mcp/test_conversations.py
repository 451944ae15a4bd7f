"""The session of a stdio server: how long it lives, which conversation it belongs to, and what a request is."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tallystick import Journal
from tests.interfaces.mcp.line_client import JOURNAL, TIMEOUT_SECONDS, Era, Lines, request

ERAS: tuple[Era, Era] = ("modern", "legacy")
WORK: dict[str, Any] = {"phase": "begin", "tool": "rm", "summary": "clean up"}


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite://{tmp_path / 'journal.db'}"


@pytest.fixture
def journal(url: str) -> Iterator[Journal]:
    """The same journal, in another process than any server."""
    with Journal.open(url, journal=JOURNAL) as opened:
        yield opened


def test_an_action_that_a_killed_server_left_open_is_in_doubt_once_its_process_is_gone(
    url: str, journal: Journal
) -> None:
    with Lines(url) as server:
        server.call("record_execution_start", title="x")
        action = server.call("record_action", **WORK)["id"]
        assert journal.list_in_doubt().in_doubt == ()
        server.kill()
        assert [item.action_id for item in journal.list_in_doubt().in_doubt] == [action]


def test_a_closed_input_ends_the_session_and_records_why(url: str, journal: Journal) -> None:
    with Lines(url) as server:
        server.call("record_execution_start", title="x")
        action = server.call("record_action", **WORK)["id"]
        assert server.close() == 0
    assert [entry.kind for entry in journal.read_entries().entries][-2:] == ["session_ended", "action_doubted"]
    assert [item.action_id for item in journal.list_in_doubt().in_doubt] == [action]


@pytest.mark.parametrize("era", ERAS)
def test_a_subscriber_does_not_delay_the_end_of_a_server(url: str, era: Era) -> None:
    with Lines(url, era=era) as server:
        if era == "legacy":
            server.ask("resources/subscribe", {"uri": "journal://brief"})
        else:
            wanted = {"notifications": {"resourceSubscriptions": ["journal://brief"]}}
            server.send(json.dumps(request("l", "subscriptions/listen", wanted)).encode())
            server.until(lambda message: message.get("method") == "notifications/subscriptions/acknowledged")
        server.call("record_context", key="k", value=1)
        assert server.process.stdin
        server.process.stdin.close()
        assert server.process.wait(TIMEOUT_SECONDS / 6) == 0  # a watcher waits for news for longer than that
        server.process.stdin = None


def test_sigterm_ends_the_session_like_a_closed_input(url: str, journal: Journal) -> None:
    with Lines(url) as server:
        server.call("record_context", key="k", value=1)
        server.process.terminate()
        assert server.process.wait(TIMEOUT_SECONDS) == 0
    assert journal.read_entries(kind="session_ended").entries


def test_a_conversation_of_claude_code_continues_in_a_new_server(url: str) -> None:
    env = {"CLAUDE_CODE_SESSION_ID": "c-1"}
    with Lines(url, env=env) as first:
        execution = first.call("record_execution_start", title="x")["id"]
        first.kill()
    with Lines(url, env=env) as second:
        assert second.call("record_action", **WORK)["execution_id"] == execution
    with Lines(url, env={"CLAUDE_CODE_SESSION_ID": "c-2"}) as other:
        answer = other.ask("tools/call", {"name": "record_action", "arguments": WORK})["result"]
        assert answer["isError"]
        assert execution in answer["content"][0]["text"]


@pytest.mark.parametrize("era", ERAS)
def test_a_conversation_that_the_client_names_continues_in_a_new_server(url: str, era: Era) -> None:
    with Lines(url, era=era) as first:
        execution = first.call("record_execution_start", title="x", meta={"threadId": "t-1"})["id"]
        assert first.close() == 0
    with Lines(url, era=era) as second:
        assert second.call("record_action", meta={"threadId": "t-1"}, **WORK)["execution_id"] == execution
        params = {"name": "record_action", "arguments": WORK, "_meta": {"threadId": "t-2"}}
        assert second.ask("tools/call", params)["result"]["isError"]


@pytest.mark.parametrize("era", ERAS)
def test_a_repeated_request_is_one_entry_and_gets_the_same_response(url: str, journal: Journal, era: Era) -> None:
    with Lines(url, era=era) as server:
        server.call("record_execution_start", title="x")
        params = {"name": "record_action", "arguments": {"phase": "note", "summary": "once"}}
        first, second = (server.ask("tools/call", params, id=77) for _ in range(2))
        assert first == second
        other = server.ask("tools/call", params, id=78)
        assert other["result"]["structuredContent"]["seq"] > first["result"]["structuredContent"]["seq"]
    assert len(journal.read_entries(kind="action_noted").entries) == 2


@pytest.mark.parametrize("era", ERAS)
def test_the_same_id_with_another_content_is_another_request(url: str, journal: Journal, era: Era) -> None:
    with Lines(url, era=era) as server:
        for value in (1, 2):
            server.call("record_context", id=5, key="k", value=value)
    assert journal.get_context(key="k", limit=9).values[0].value == 2
    assert len(journal.get_context(key="k", limit=9).values) == 2


@pytest.mark.parametrize("era", ERAS)
def test_the_trace_of_a_call_is_kept_on_its_entry(url: str, journal: Journal, era: Era) -> None:
    trace = "0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331"
    with Lines(url, era=era) as server:
        seq = server.call("record_context", meta={"traceparent": f"00-{trace}-01"}, key="k", value=1)["seq"]
        bare = server.call("record_context", meta={"traceparent": "nonsense"}, key="k", value=2)["seq"]
    stored = {entry.seq: entry.trace for entry in journal.read_entries().entries}
    assert (stored[seq], stored[bare]) == (trace, "")


def test_a_reader_in_another_conversation_sees_its_own_work(url: str) -> None:
    with Lines(url) as server:
        first = server.call("record_execution_start", title="one", meta={"threadId": "t-1"})["id"]
        assert server.call("query_ledger", meta={"threadId": "t-2"})["execution_id"] == first  # there is no other yet
        second = server.call("record_execution_start", title="two", meta={"threadId": "t-2"})["id"]
        for thread, execution in (("t-1", first), ("t-2", second), ("t-1", first)):
            assert server.call("query_ledger", meta={"threadId": thread})["execution_id"] == execution
