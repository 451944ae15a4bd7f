"""Repetitions that are meant: each decision to retry lets one call through."""

import json
from pathlib import Path

import pytest

from tests.doors.mcp.lines import request
from tests.gateway.through import Behind, Through, configured


@pytest.mark.parametrize("repeat", ["answer", "refuse"])
def test_a_repetition_that_was_decided_on_is_made_once(tmp_path: Path, repeat: str) -> None:
    behind = Behind(tmp_path, "one")
    with Through(tmp_path, configured(behind, repeat=repeat)) as client:
        client.result("echo", a=1)
        client.ask("tools/call", {"name": "echo", "arguments": {"a": 1}})
        assert len(behind.calls("echo")) == 1
        client.call("record_decision", decision="retry", why="a second ticket is wanted")
        assert "tallystick/recorded" not in client.result("echo", a=1).get("_meta", {})
        client.ask("tools/call", {"name": "echo", "arguments": {"a": 1}})
        said = [action.said.get("again") for action in client.actions()]
    assert len(behind.calls("echo")) == 2
    assert sorted(filter(None, said)) == ["a second ticket is wanted"]


def test_one_decision_to_retry_lets_one_call_through(tmp_path: Path) -> None:
    behind = Behind(tmp_path, "one")
    with Through(tmp_path, configured(behind)) as client:
        for number in (1, 2, 3):
            client.result("echo", a=number)
        client.call("record_decision", decision="retry", why="the second is wanted again")
        for number in (2, 1, 2, 3):
            client.result("echo", a=number)
        assert [each["arguments"]["a"] for each in behind.calls("echo")] == [1, 2, 3, 2]
        client.call("record_decision", decision="retry", why="and the third")
        for number in (3, 1):
            client.result("echo", a=number)
    assert [each["arguments"]["a"] for each in behind.calls("echo")] == [1, 2, 3, 2, 3]


def test_a_decision_to_retry_stands_until_it_is_used_whatever_is_decided_after_it(tmp_path: Path) -> None:
    behind = Behind(tmp_path, "one")
    with Through(tmp_path, configured(behind)) as client:
        for number in (1, 2):
            client.result("echo", a=number)
        for decision in ("retry", "continue", "retry", "pause", "resume"):
            client.call("record_decision", decision=decision, why="it is meant")
        for number in (1, 1, 2, 2):
            client.result("echo", a=number)
        assert [each["arguments"]["a"] for each in behind.calls("echo")] == [1, 2, 1, 2]
        client.call("record_decision", decision="retry", why="the first is wanted again")
        client.call("record_decision", decision="skip", why="it is not")
        client.result("echo", a=1)
    assert len(behind.calls("echo")) == 4


def test_two_decisions_to_retry_let_two_calls_through_that_come_at_once(tmp_path: Path) -> None:
    behind = Behind(tmp_path, "one")
    with Through(tmp_path, configured(behind)) as client:
        for number in (1, 2):
            client.result("echo", a=number)
        for why in ("the first", "the second"):
            client.call("record_decision", decision="retry", why=why)
        begin = len(client.lines)
        lines = [request(id, "tools/call", {"name": "echo", "arguments": {"a": 1 + id % 2}}) for id in range(4)]
        client.send(*(json.dumps(line).encode() for line in lines))
        for id in range(4):
            client.until(lambda m, id=id: m.get("id") == id, since=begin)  # type: ignore[misc]
        said = [action.said.get("again", "") for action in client.actions()]
    assert sorted(each["arguments"]["a"] for each in behind.calls("echo")) == [1, 1, 2, 2]
    assert sorted(filter(None, said)) == ["the first", "the second"]


def test_one_decision_to_retry_lets_one_of_several_equal_calls_through(tmp_path: Path) -> None:
    behind = Behind(tmp_path, "one")
    with Through(tmp_path, configured(behind)) as client:
        client.result("echo", k=1)
        client.call("record_decision", decision="retry", why="it is meant")
        begin = len(client.lines)
        lines = [request(id, "tools/call", {"name": "echo", "arguments": {"k": 1}}) for id in range(5)]
        client.send(*(json.dumps(line).encode() for line in lines))
        told = [client.until(lambda m, id=id: m.get("id") == id, since=begin)["result"] for id in range(5)]  # type: ignore[misc]
        actions = client.actions()
    assert len(behind.calls("echo")) == len(actions) == 2
    assert sum("tallystick/recorded" in each.get("_meta", {}) for each in told) == 4
