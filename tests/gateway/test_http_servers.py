"""Servers over HTTP that die: what had left is in doubt, and what could not leave has not happened."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw, json

from tallystick.gateway.calls.results import classify_result
from tests.gateway.gateway_client import GatewayClient, text_of

WEBSITE = Path(__file__).with_name("http_server.py")


class Website:
    def __init__(self, log: Path, *options: str) -> None:
        self._log = log
        self._options = options
        self.port = 0
        self.start()

    def start(self) -> None:
        command = [sys.executable, str(WEBSITE), str(self.port), str(self._log), *self._options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())

    def end(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=30)


@pytest.fixture
def website(tmp_path: Path) -> Iterator[Website]:
    site = Website(tmp_path / "web.log")
    yield site
    site.end()


@pytest.mark.parametrize("way", ["die_streaming", "die_silent"])
def test_a_server_that_dies_during_a_call_leaves_it_in_doubt_and_the_agent_gets_an_error(
    way: str, website: Website, tmp_path: Path
) -> None:
    config = {"mcpServers": {"web": {"url": f"http://127.0.0.1:{website.port}/mcp"}}}
    with GatewayClient(tmp_path, config, era="legacy") as client:
        error = client.refusal(way)
        (action,) = client.actions()
    assert error["code"] == "in_doubt_open"
    assert action.id in error["message"]
    assert "could not be reached" not in error["message"]
    assert action.state == "in_doubt"


def test_a_call_for_which_no_connection_can_be_made_has_failed_without_effect_and_may_be_made_again(
    website: Website, tmp_path: Path
) -> None:
    config = {"mcpServers": {"web": {"url": f"http://127.0.0.1:{website.port}/mcp"}}}
    with GatewayClient(tmp_path, config, era="legacy") as client:
        client.result("echo", a=0)
        website.end()
        assert client.refusal("echo", a=1)["code"] == "wrong_state"
        states = [(each.state, each.undo_state) for each in client.actions()]
        website.start()
        assert text_of(client.result("echo", a=1)) == "done"
    assert states == [("ok", "not_undone"), ("failed", "")]


def test_a_server_that_restarted_between_two_calls_gets_another_session(website: Website, tmp_path: Path) -> None:
    config = {"mcpServers": {"web": {"url": f"http://127.0.0.1:{website.port}/mcp"}}}
    with GatewayClient(tmp_path, config, era="legacy") as client:
        client.result("echo", a=0)
        website.end()
        website.start()
        assert "forgotten the session" in client.refusal("echo", a=1)["message"]
        assert text_of(client.result("echo", a=1)) == "done"
        states = [(each.state, each.undo_state) for each in client.actions()]
    assert states == [("ok", "not_undone"), ("failed", ""), ("ok", "not_undone")]


def test_calls_at_once_to_a_server_that_is_gone_have_all_failed_without_effect(
    website: Website, tmp_path: Path
) -> None:
    config = {"mcpServers": {"web": {"url": f"http://127.0.0.1:{website.port}/mcp"}}}
    with GatewayClient(tmp_path, config, era="legacy") as client:
        client.result("echo", a=0)
        website.end()
        begin = len(client.lines)
        for number in range(1, 9):
            client.start(f"c{number}", "tools/call", {"name": "echo", "arguments": {"a": number}})
        for number in range(1, 9):
            client.until(lambda message, id=f"c{number}": message.get("id") == id, since=begin)  # type: ignore[misc]
        states = [(each.state, each.undo_state) for each in client.actions()]
    assert states == [("ok", "not_undone"), *[("failed", "")] * 8]


def test_a_server_that_sends_elsewhere_is_followed_there(website: Website, tmp_path: Path) -> None:
    config = {"mcpServers": {"web": {"url": f"http://127.0.0.1:{website.port}/moved"}}}
    with GatewayClient(tmp_path, config, era="legacy") as client:
        assert text_of(client.result("echo", a=0)) == "done"
        error = client.refusal("status", status=500, body="", headers={})
        assert text_of(client.result("echo", a=1)) == "done"
        states = [each.state for each in client.actions()]
    assert (error["code"], states) == ("in_doubt_open", ["ok", "in_doubt", "ok"])


CHALLENGE = {"www-authenticate": 'Bearer error="invalid_token"'}
ELSEWHERE = {"location": "http://127.0.0.1:1/mcp"}
SAY_NOTHING: dict[str, dict[str, Any]] = {
    "a server's failure": {"status": 500},
    "a server that is busy": {"status": 503},
    "a failure in words": {"status": 500, "body": '{"oops":1}'},
    "a request that is called bad": {"status": 400},
    "a place that is not there": {"status": 404},
    "too many requests": {"status": 429},
    "accepted, and no more": {"status": 202},
    "nothing": {"status": 204},
    "a page": {"status": 200, "body": "<html>", "headers": {"content-type": "text/html"}},
    "half a message": {"status": 200, "body": '{"jsonrpc":'},
    "a refusal without a challenge": {"status": 401},
    "a prohibition of its own": {"status": 403},
    "a method that is not allowed, and not which are": {"status": 405},
    "see another place, as after what was done": {"status": 303, "headers": ELSEWHERE},
    "found elsewhere, which may be a login": {"status": 302, "headers": ELSEWHERE},
}
NOT_TAKEN: dict[str, dict[str, Any]] = {
    "credentials are wanted": {"status": 401, "headers": CHALLENGE},
    "other credentials are wanted": {"status": 403, "headers": CHALLENGE},
    "nothing can be posted there": {"status": 405, "headers": {"allow": "GET, HEAD"}},
    "it is to be asked elsewhere": {"status": 307, "headers": ELSEWHERE},
    "it is to be asked elsewhere for good": {"status": 308, "headers": ELSEWHERE},
}


def _answering(website: Website, tmp_path: Path, answer: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    """The message to the agent about a call with this response, and its action."""
    config = {"mcpServers": {"web": {"url": f"http://127.0.0.1:{website.port}/mcp"}}}
    with GatewayClient(tmp_path, config, era="legacy") as client:
        error = client.refusal("status", **{"body": "", "headers": {}} | answer)
        (action,) = client.actions()
        assert text_of(client.result("echo")) == "done"
    return error, action


@pytest.mark.parametrize("kind", SAY_NOTHING)
def test_an_inconclusive_http_status_leaves_the_call_in_doubt_and_tells_the_agent(kind: str, tmp_path: Path) -> None:
    website = Website(tmp_path / "web.log", "sessionless")
    try:
        error, action = _answering(website, tmp_path, SAY_NOTHING[kind])
    finally:
        website.end()
    assert error["code"] == "in_doubt_open"
    assert action.id in error["message"]
    assert error["next"]["arguments"]["action_id"] == action.id
    assert action.state == "in_doubt"


@pytest.mark.parametrize("kind", NOT_TAKEN)
def test_an_http_status_of_an_unprocessed_call_is_a_failure_without_effect(
    kind: str, website: Website, tmp_path: Path
) -> None:
    error, action = _answering(website, tmp_path, NOT_TAKEN[kind])
    assert error["code"] == "wrong_state"
    assert f"HTTP status {NOT_TAKEN[kind]['status']}" in error["message"]
    assert "by itself" not in error["hint"]
    assert (action.state, action.undo_state) == ("failed", "")


def test_an_error_of_the_protocol_is_passed_on_with_any_status(website: Website, tmp_path: Path) -> None:
    config = {"mcpServers": {"web": {"url": f"http://127.0.0.1:{website.port}/mcp"}}}
    value = {"code": -32602, "message": "not like this"}
    response = {
        "status": 400,
        "headers": {},
        "body": json.encode({"jsonrpc": "2.0", "id": None, "error": value}).decode(),
    }
    with GatewayClient(tmp_path, config, era="legacy") as client:
        answer = client.ask("tools/call", {"name": "status", "arguments": response})
        (action,) = client.actions()
    assert answer["error"] == value
    assert action.state == "in_doubt"


@pytest.mark.parametrize("value", [0, 1, "yes", []])
def test_an_is_error_that_is_not_a_boolean_is_not_a_result(value: Any) -> None:
    result = Raw(json.encode({"content": [], "isError": value}))
    assert classify_result(result, "modern")[0] == "invalid"
