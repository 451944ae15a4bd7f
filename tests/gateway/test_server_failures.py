"""Servers that die, hang, start slowly or send invalid messages: one never delays another."""

import json
import sys
from pathlib import Path

import pytest

from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for, text_of
from tests.gateway.hostile_server import SAID

HOSTILE = str(Path(__file__).with_name("hostile_server.py"))


@pytest.mark.parametrize("kind", SAID)
def test_malformed_messages_of_a_server_harm_no_other_request(kind: str, tmp_path: Path) -> None:
    config = {"mcpServers": {"bad": {"command": sys.executable, "args": ["-I", HOSTILE, kind]}}}
    with GatewayClient(tmp_path, config, "legacy") as client:
        result = client.result("go")
        assert text_of(result) == "gone"
        assert not any(b"forged" in line for line in client.lines)
        (action,) = client.actions()
    assert action.state == "ok"


def test_a_server_that_hangs_delays_no_other(tmp_path: Path) -> None:
    one, two = ScriptedServer(tmp_path, "one"), ScriptedServer(tmp_path, "two")
    silent = {"command": sys.executable, "args": ["-c", "import sys; sys.stdin.read()"]}
    config = config_for(one, two, timeouts={"list": 0.3, "start": 0.5})
    config["mcpServers"]["silent"] = silent
    with GatewayClient(tmp_path, config) as client:
        client.start("hung", "tools/call", {"name": "one__hang", "arguments": {}})
        names = [each["name"] for each in client.ask("tools/list")["result"]["tools"]]
        assert "two__echo" in names
        assert client.result("two__echo", a=1)["structuredContent"]["given"] == {"a": 1}
        assert client.result("one__look", a=1)["structuredContent"]["given"] == {"a": 1}
        assert "was not made" in client.refusal("silent__anything")["message"]


def test_a_server_that_does_not_read_delays_no_other(tmp_path: Path) -> None:
    one = ScriptedServer(tmp_path, "one")
    deaf = ScriptedServer(tmp_path, "deaf", "handshake")
    with GatewayClient(tmp_path, config_for(one, deaf), "legacy") as client:
        client.result("deaf__look")
        client.start("busy", "tools/call", {"name": "deaf__late", "arguments": {"seconds": 2}})
        client.start("much", "tools/call", {"name": "deaf__echo", "arguments": {"text": "x" * 400_000}})
        begin = len(client.lines)
        assert client.result("one__echo", a=1)["structuredContent"]["given"] == {"a": 1}
        answered = [json.loads(line).get("id") for line in client.lines[begin:]]
        assert "much" not in answered
        much = client.until(lambda message: message.get("id") == "much", since=begin)
    assert len(much["result"]["structuredContent"]["given"]["text"]) == 400_000


def test_a_server_that_cannot_be_started_is_reported(tmp_path: Path) -> None:
    one = ScriptedServer(tmp_path, "one")
    config = config_for(one, timeouts={"list": 0.2, "start": 0.3})
    config["mcpServers"]["none"] = {"command": str(tmp_path / "nothing-here")}
    with GatewayClient(tmp_path, config) as client:
        assert client.result("one__echo")["structuredContent"]
        error = client.refusal("none__anything")
        assert "could not be started" in error["message"]
        assert "none could not be started" in client.last_words()


@pytest.mark.parametrize("command", [["/nowhere/at/all"], [sys.executable, "-c", "raise SystemExit(3)"]])
def test_no_request_waits_for_a_server_that_never_starts(command: list[str], tmp_path: Path) -> None:
    one = ScriptedServer(tmp_path, "one")
    config = config_for(one, timeouts={"list": 600, "start": 600})  # more than the test waits for anything
    config["mcpServers"]["gone"] = {"command": command[0], "args": command[1:]}
    with GatewayClient(tmp_path, config) as client:
        assert "one__echo" in [each["name"] for each in client.ask("tools/list")["result"]["tools"]]
        assert client.refusal("gone__go")["code"] == "wrong_state"


def test_a_server_that_died_is_back_with_its_subscriptions_and_says_so(tmp_path: Path) -> None:
    one = ScriptedServer(tmp_path, "one", "handshake")
    with GatewayClient(tmp_path, config_for(one), "legacy") as client:
        client.ask("resources/subscribe", {"uri": "test://one/one"})
        client.result("die")
        client.until(lambda message: message.get("method") == "notifications/tools/list_changed", since=0)
        client.result("look")
    subscribed = [each for each in one.received if each.get("method") == "resources/subscribe"]
    assert len(subscribed) == 2


def test_the_standard_error_of_a_server_is_passed_on_without_its_secrets(tmp_path: Path) -> None:
    program = "import os, sys; print('the token is', os.environ['TOKEN'], file=sys.stderr); sys.stdin.read()"
    loud = {"command": sys.executable, "args": ["-c", program], "env": {"TOKEN": "s3cr3t-x"}}
    config = {"mcpServers": {"loud": loud}, "tallystick": {"timeouts": {"list": 0.5}}}
    with GatewayClient(tmp_path, config) as client:
        client.ask("tools/list")
        output = client.last_words()
    assert "[loud] the token is ***" in output
    assert "s3cr3t-x" not in output


def test_servers_never_get_the_credentials_of_the_journal(tmp_path: Path) -> None:
    program = "import os, sys; print(sorted(n for n in os.environ if 'TALLY' in n), file=sys.stderr); sys.stdin.read()"
    nosy = {"command": sys.executable, "args": ["-c", program]}
    config = {"mcpServers": {"nosy": nosy}, "tallystick": {"timeouts": {"list": 0.5}}}
    with GatewayClient(tmp_path, config, env={"TALLYSTICK_CREDENTIAL": "x", "TALLYSTICK_TOKEN": "y"}) as client:
        client.ask("tools/list")
        assert "[nosy] []" in client.last_words()


def test_malformed_messages_of_the_client_are_answered_and_reach_no_server(tmp_path: Path) -> None:
    one = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(one), "legacy") as client:
        client.send(b"not json", b'{"jsonrpc":"2.0","id":1}', b"[]", b'{"jsonrpc":"1.0","id":3,"method":"tools/call"}')
        client.send(
            b'{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"echo","arguments":{"a":1,"a":2}}}'
        )
        answer = client.until(lambda message: message.get("id") == 4, since=0)
        assert answer["result"]["isError"]
        assert client.result("look")["structuredContent"]
        doubled = (
            b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"fail","name":"look","arguments":{}}}'
        )
        client.send(doubled)
        client.until(lambda message: message.get("id") == 5, since=0)
    assert [call["name"] for call in one.calls()] == ["look"]


def test_a_restarted_server_gets_its_log_level_again(tmp_path: Path) -> None:
    one = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(one), "legacy") as client:
        assert "result" in client.ask("logging/setLevel", {"level": "debug"})
        client.refusal("die")
        client.result("look")
    levels = [each["params"]["level"] for each in one.received if each.get("method") == "logging/setLevel"]
    assert levels == ["debug", "debug"]
