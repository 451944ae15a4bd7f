"""Outcomes that arrive while the journal cannot be written: they are written later, whatever their content."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests import impatient
from tests.gateway.gateway_client import GatewayClient, ScriptedServer, cancellation, config_for, text_of
from tests.gateway.test_locked_journal import _transaction
from tests.interfaces.mcp.line_client import TIMEOUT_SECONDS, request

IMPATIENT = impatient.program(impatient.GATEWAY)
NUL = '"result":{"content":[{"type":"text","text":"a NUL: \\u0000"}]}'
PLAIN = '"result":{"content":[{"type":"text","text":"done"}]}'


def _under_way(client: GatewayClient, server: ScriptedServer) -> None:
    client.start("call", "tools/call", {"name": "wait", "arguments": {}})
    _until(lambda: bool(server.calls("wait")))


def _until(seen: Callable[[], Any]) -> Any:
    """The final state of the actions, after waiting for it."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not (found := seen()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return found


def _answered(client: GatewayClient, raw_answer: str) -> dict[str, Any]:
    begin = len(client.lines)
    client.start("tell", "custom/tell", {"answer": raw_answer})
    result: dict[str, Any] = client.until(lambda m: m.get("id") == "call", since=begin)["result"]
    return result


@pytest.mark.parametrize("raw_answer", [PLAIN, NUL])
def test_an_outcome_that_could_not_be_written_is_written_later_without_invalid_text(
    raw_answer: str, tmp_path: Path
) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server), program=IMPATIENT) as client:
        client.result("look")
        _under_way(client, server)
        with _transaction(tmp_path):
            text = text_of(_answered(client, raw_answer))
        action = _until(lambda: next((each for each in client.actions()[1:] if each.state == "ok"), None))
    assert "counts as open" in text
    assert ".." not in text
    assert ("The result could not be kept" in action.end_body.get("error", "")) is (raw_answer == NUL)


def test_an_error_text_that_no_journal_takes_does_not_lose_the_outcome(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server), program=IMPATIENT) as client:
        client.result("look")
        _under_way(client, server)
        client.cancel("call", "a NUL: \0")
        action = _until(lambda: next((each for each in client.actions() if each.state == "in_doubt"), None))
    assert action.end_body["error"]


@pytest.mark.parametrize("policy", ["refuse", "spool"])
def test_an_outcome_that_was_seen_is_written_before_the_gateway_ends(policy: str, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    env = {"TALLYSTICK_SPOOL": str(tmp_path / "spool")}
    with GatewayClient(tmp_path, config_for(server, on_journal_failure=policy), program=IMPATIENT, env=env) as client:
        client.result("look")
        _under_way(client, server)
        with _transaction(tmp_path):
            _answered(client, PLAIN)
        assert client.close() == 0
        assert [each.state for each in client.actions()] == ["ok", "ok"]


@pytest.mark.parametrize("raw_answer", [PLAIN, NUL])
def test_an_outcome_that_cannot_be_written_at_the_end_is_spooled_if_configured(raw_answer: str, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    config, env = config_for(server, on_journal_failure="spool"), {"TALLYSTICK_SPOOL": str(tmp_path / "spool")}
    with GatewayClient(tmp_path, config, program=IMPATIENT, env=env) as client:
        client.result("look")
        _under_way(client, server)
        with _transaction(tmp_path):
            _answered(client, raw_answer)
            assert client.close() == 0
    with GatewayClient(tmp_path, config, program=IMPATIENT, env=env) as client:
        client.result("look")
        assert [each.state for each in client.actions()][:2] == ["ok", "ok"]


def test_an_outcome_that_cannot_be_written_before_the_end_is_logged(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server), program=IMPATIENT) as client:
        client.result("look")
        _under_way(client, server)
        with _transaction(tmp_path):
            _answered(client, PLAIN)
            assert client.close() == 0
        [_, action] = client.actions()
        assert action.state == "in_doubt"
        assert f"{action.id} is in doubt: its outcome ok was seen but could not be recorded" in json.dumps(
            client.complaints()
        )


@pytest.mark.parametrize(("policy", "tool"), [("spool", "echo"), ("refuse", "look")])
def test_a_call_that_is_cancelled_before_it_leaves_is_not_made_without_a_record_either(
    policy: str, tool: str, tmp_path: Path
) -> None:
    server = ScriptedServer(tmp_path, "one")
    env = {"TALLYSTICK_SPOOL": str(tmp_path / "spool")}
    with GatewayClient(tmp_path, config_for(server, on_journal_failure=policy), program=IMPATIENT, env=env) as client:
        client.result("look")
        with _transaction(tmp_path):
            assert "Warning" in text_of(client.result(tool, a=1))
            call = request("call", "tools/call", {"name": tool, "arguments": {"a": 2}})
            client.send(json.dumps(call).encode(), cancellation("call", "not needed"))
            assert "Warning" in text_of(client.result(tool, a=3))
    assert [each["arguments"]["a"] for each in server.calls(tool) if each["arguments"]] == [1, 3]
