"""Notifications of changed resources: who gets them, from when, and for how long."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from threading import enumerate as threads
from typing import Any, cast

import pytest

from tallystick import Journal
from tallystick.interfaces.mcp.transport.changes import ChangeWatch
from tallystick.sdk.local import Local
from tests.interfaces.mcp.http_client import VERSION, served
from tests.interfaces.mcp.line_client import JOURNAL, TIMEOUT_SECONDS, Era, Lines, request

Notified = SimpleQueue[set[str]]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(f"sqlite://{tmp_path / 'journal.db'}", journal=JOURNAL) as opened:
        yield opened


@pytest.fixture
def watch(journal: Journal) -> Iterator[ChangeWatch]:
    made = ChangeWatch(cast(Local, journal.caller))
    yield made
    made.close()
    _join()


def _join() -> None:
    """Wait until the watching thread has ended."""
    for thread in threads():
        if thread.name == "tallystick-watch":
            thread.join(TIMEOUT_SECONDS)
            assert not thread.is_alive()


def test_the_thread_ends_with_the_last_subscriber_and_begins_with_the_next(
    journal: Journal, watch: ChangeWatch
) -> None:
    result: Notified = SimpleQueue()
    watch.add("a", result.put)
    watch.add("b", lambda uris: None)
    watch.remove("a")
    watch.remove("b")
    _join()
    journal.record_context(key="k", value=1, scope="task", task_id="t")
    watch.add("a", result.put)
    journal.record_context(key="k", value=1, scope="project")
    assert result.get(timeout=TIMEOUT_SECONDS) == {"journal://brief", "journal://context/project"}
    assert result.empty()


def test_a_subscriber_that_fails_does_not_keep_changes_from_the_others(journal: Journal, watch: ChangeWatch) -> None:
    result: Notified = SimpleQueue()

    def fail(uris: set[str]) -> None:
        raise BrokenPipeError

    watch.add("a", fail)
    watch.add("b", result.put)
    for value in range(2):
        journal.record_context(key="k", value=value)
        assert result.get(timeout=TIMEOUT_SECONDS)


def test_watching_resumes_after_an_outage_and_reports_every_change(
    journal: Journal, watch: ChangeWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    result: Notified = SimpleQueue()
    failed: SimpleQueue[bool] = SimpleQueue()
    store = cast(Local, journal.caller).context.store
    real = store.wait

    def away(*arguments: Any, **more: Any) -> int:
        failed.put(True)
        raise OSError("the disk is gone")

    monkeypatch.setattr(store, "wait", away)
    watch.add("a", result.put)
    assert failed.get(timeout=TIMEOUT_SECONDS)
    journal.record_context(key="k", value=1)
    monkeypatch.setattr(store, "wait", real)
    assert "journal://context/project" in result.get(timeout=TIMEOUT_SECONDS)


def _dying(url: str) -> tuple[Lines, str]:
    """An agent that has begun something."""
    agent = Lines(url)
    execution = agent.call("record_execution_start", title="dies")["id"]
    agent.call("record_action", phase="begin", tool="cp", summary="copy")
    return agent, execution


def _subscribed(uri: str, era: Era) -> dict[str, Any]:
    if era == "legacy":
        return request(1, "resources/subscribe", {"uri": uri}, era)
    return request(1, "subscriptions/listen", {"notifications": {"resourceSubscriptions": [uri]}}, era)


def _tells(uri: str) -> Callable[[dict[str, Any]], bool]:
    return lambda message: (
        message.get("method") == "notifications/resources/updated" and message["params"]["uri"] == uri
    )


@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_a_dead_session_that_leaves_an_action_in_doubt_is_notified_over_stdio(tmp_path: Path, era: Era) -> None:
    url = f"sqlite://{tmp_path / 'journal.db'}"
    agent, execution = _dying(url)
    uri = f"journal://executions/{execution}"
    with agent, Lines(url, era=era) as server:
        server.send(json.dumps(_subscribed(uri, era)).encode())
        server.until(lambda message: message.get("id") == 1 or "acknowledged" in message.get("method", ""))
        begin = len(server.lines)
        agent.kill()
        server.until(_tells(uri), since=begin)
        assert server.call("query_ledger", view="in_doubt")["in_doubt"]


@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_a_dead_session_that_leaves_an_action_in_doubt_is_notified_over_http(tmp_path: Path, era: Era) -> None:
    url = f"sqlite://{tmp_path / 'journal.db'}"
    agent, execution = _dying(url)
    uri = f"journal://executions/{execution}"
    with agent, served(url, "--journal", JOURNAL) as server:
        if era == "legacy":
            result = server.handshake()
            assert "result" in server.post(_subscribed(uri, era), result).message
            opening = server.stream(headers=result)
        else:
            result = {"mcp-protocol-version": VERSION, "mcp-method": "subscriptions/listen"}
            opening = server.stream(_subscribed(uri, era), result)
        with opening as messages:
            if era == "modern":
                assert "acknowledged" in next(messages)["method"]
            agent.kill()
            assert next(message for message in messages if _tells(uri)(message))
