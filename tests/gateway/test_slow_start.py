"""A client's first request while one server does not answer: it is answered without that server.

The server's tools are announced when it is ready.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tallystick.gateway import config as gateway_config
from tests.gateway.gateway_client import SCRIPTED, GatewayClient, ScriptedServer, config_for
from tests.interfaces.mcp.line_client import CLIENT, Era

GATED = """
import runpy, sys
with open(sys.argv[1]) as gate:  # a pipe: until somebody opens its other end
    gate.read()
sys.argv = sys.argv[2:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_first_answers_do_not_wait_for_a_server_that_hangs(era: Era, tmp_path: Path) -> None:
    one, gate = ScriptedServer(tmp_path, "one"), tmp_path / "gate"
    os.mkfifo(gate)
    config = config_for(one, timeouts={"greeting": 0.2, "list": 0.2, "start": 600})
    late = ["-c", GATED, str(gate), SCRIPTED, str(tmp_path / "late.log"), "both", "late"]
    config["mcpServers"]["late"] = {"command": sys.executable, "args": late}
    config["tallystick"]["servers"] = {"one": {"timeouts": {"greeting": 30, "list": 30}}}
    with GatewayClient(tmp_path, config, era) as client:
        hello = client.hello if era == "legacy" else client.ask("server/discover")
        assert "tools" in hello["result"]["capabilities"]
        names = [each["name"] for each in client.ask("tools/list")["result"]["tools"]]
        assert "one__echo" in names
        assert not any(name.startswith("late__") for name in names)
        if era == "modern":
            client.start("changes", "subscriptions/listen", {"notifications": {"toolsListChanged": True}})
            client.until(lambda message: message.get("method", "").endswith("acknowledged"))
        gate.write_text("now")
        client.until(lambda message: message.get("method") == "notifications/tools/list_changed")
        assert "late__echo" in [each["name"] for each in client.ask("tools/list")["result"]["tools"]]


def test_several_servers_are_waited_for_shortly_unless_configured(tmp_path: Path) -> None:
    one, two = ScriptedServer(tmp_path, "one"), ScriptedServer(tmp_path, "two")
    several, alone = gateway_config.checked(config_for(one, two), {}), gateway_config.checked(config_for(one), {})
    config = gateway_config.checked(config_for(one, two, timeouts={"greeting": 7, "list": 9}), {})
    assert [each.seconds("one", "greeting") for each in (several, alone, config)] == [1, 5, 7]
    assert [each.list_seconds("one") for each in (several, alone, config)] == [2, 10, 9]


@pytest.mark.parametrize("first", ["notifications/initialized", "resources/list"])
def test_a_client_gets_only_responses_before_it_is_ready(first: str, tmp_path: Path) -> None:
    eager, gate = ScriptedServer(tmp_path, "eager"), tmp_path / "gate"
    os.mkfifo(gate)
    config = config_for(eager, timeouts={"greeting": 1, "list": 1})
    config["mcpServers"]["late"] = {"command": sys.executable, "args": ["-c", GATED, str(gate)]}
    with GatewayClient(tmp_path, config) as client:  # the handshake is made here, by hand
        hello = {"protocolVersion": "2025-11-25", "capabilities": {"roots": {}}, "clientInfo": CLIENT}
        client.send(_line("initialize", hello, id=1))
        client.until(lambda message: message.get("id") == 1)
        while not any(each.get("method") == "notifications/initialized" for each in eager.received):
            client.send(_line("ping", {}, id=2))
            client.until(lambda message: message.get("id") == 2)
        assert not [line for line in client.lines if b'"method"' in line]
        client.send(_line(first, {}, **({} if first.startswith("notifications") else {"id": 3})))
        question = client.until(lambda message: "method" in message)
        change = client.until(lambda message: "method" in message)
        client.send(json.dumps({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": []}}).encode())
        while not any(each.get("id") == "r1" for each in eager.received):
            client.send(_line("ping", {}, id=4))
            client.until(lambda message: message.get("id") == 4)
    assert (question["method"], change["method"]) == ("roots/list", "notifications/tools/list_changed")


def _line(method: str, params: dict[str, Any], **id: int) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **id, "method": method, "params": params}).encode()
