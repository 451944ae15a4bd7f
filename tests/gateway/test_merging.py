"""Several servers as one: names, lists, requests, and notifications from servers, in both eras."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for, text_of
from tests.gateway.scripted_server import TOOLS
from tests.interfaces.mcp.line_client import Era

ERAS = ("modern", "legacy")
OURS = {"record_plan", "record_execution_start", "record_action", "record_decision", "record_context", "query_ledger"}


def _names(client: GatewayClient, method: str, field: str, key: str = "name") -> list[str]:
    """Of all pages."""
    found: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        result = client.ask(method, cursor)["result"]
        found += [each[key] for each in result[field]]
        if "nextCursor" not in result:
            return found
        cursor = {"cursor": result["nextCursor"]}


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("version", ["both", "handshake", "modern"])
def test_tools_of_all_servers_are_listed_and_called_in_any_era(version: str, era: Era, tmp_path: Path) -> None:
    one, two = ScriptedServer(tmp_path, "one"), ScriptedServer(tmp_path, "two", version)
    with GatewayClient(tmp_path, config_for(one, two), era) as client:
        names = _names(client, "tools/list", "tools")
        result = client.result("two__echo", a=1)
        failed = client.result("one__fail")
        assert client.ask("custom/thing")["error"]["code"] == -32601  # it could be meant for either
    assert len(names) == len(set(names))
    assert set(names) == OURS | {f"{server}__{tool}" for server in ("one", "two") for tool in TOOLS}
    assert result["structuredContent"]["given"] == {"a": 1}
    assert ("resultType" in result) is (era == "modern" and version == "handshake") or version != "handshake"
    assert failed["isError"]
    assert not one.calls("echo")


@pytest.mark.parametrize("era", ERAS)
def test_resources_and_prompts_go_to_their_server(era: Era, tmp_path: Path) -> None:
    one, two = ScriptedServer(tmp_path, "one"), ScriptedServer(tmp_path, "two")
    with GatewayClient(tmp_path, config_for(one, two), era) as client:
        uris = _names(client, "resources/list", "resources", "uri")
        _names(client, "resources/templates/list", "resourceTemplates", "uriTemplate")
        assert {"test://one/one", "test://two/one"} <= set(uris)
        for name in ("one", "two"):
            read = client.ask("resources/read", {"uri": f"test://{name}/any"})["result"]["contents"][0]
            assert read["text"] == f"read by {name}"
            got = client.ask("prompts/get", {"name": f"{name}__greet"})["result"]["messages"][0]["content"]
            assert got["text"] == f"{name}: greet"
        assert "two__greet" in _names(client, "prompts/list", "prompts")
        assert client.ask("resources/read", {"uri": "journal://guide"})["result"]["contents"][0]["text"]


def test_one_server_keeps_its_names_and_configured_methods_pass_through(tmp_path: Path) -> None:
    one = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(one, timeouts={"greeting": 30}), "legacy") as client:
        assert set(_names(client, "tools/list", "tools")) == OURS | TOOLS.keys()
        assert client.ask("custom/thing", {"x": [1, {"y": 2}]})["result"] == {"custom": [1, {"y": 2}]}
        assert "Use one well." in client.hello["result"]["instructions"]
        assert "logging" in client.hello["result"]["capabilities"]
        assert client.ask("logging/setLevel", {"level": "info"})["result"] == {}


def test_a_level_for_logs_is_set_though_one_server_hangs(tmp_path: Path) -> None:
    one, two = ScriptedServer(tmp_path, "one"), ScriptedServer(tmp_path, "two")
    with GatewayClient(tmp_path, config_for(one, two), "legacy") as client:
        client.result("one__echo")
        client.result("two__echo")
        os.kill(one.pid, signal.SIGSTOP)
        try:
            assert client.ask("logging/setLevel", {"level": "info"})["result"] == {}
        finally:
            os.kill(one.pid, signal.SIGCONT)


@pytest.mark.parametrize(("prefix", "name"), [(True, "one__echo"), ("files", "files__echo"), (False, "echo")])
def test_the_prefix_is_as_configured(prefix: bool | str, name: str, tmp_path: Path) -> None:
    one = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(one, servers={"one": {"prefix": prefix}})) as client:
        assert name in _names(client, "tools/list", "tools")
        client.result(name)
        assert client.actions()[0].tool == "mcp__one__echo"


def test_names_that_collide_are_made_distinct(tmp_path: Path) -> None:
    one, two = ScriptedServer(tmp_path, "one"), ScriptedServer(tmp_path, "two")
    with GatewayClient(tmp_path, config_for(one, two, prefix=False)) as client:
        names = _names(client, "tools/list", "tools")
        assert {"echo", "two__echo"} <= set(names)
        client.result("two__echo")
        client.result("echo")
    assert len(one.calls("echo")) == len(two.calls("echo")) == 1


def test_our_own_tools_can_be_left_out(tmp_path: Path) -> None:
    one = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(one, tools="none")) as client:
        assert set(_names(client, "tools/list", "tools")) == TOOLS.keys()
        client.result("echo", a=1)
        assert client.actions()[0].state == "ok"


def test_the_own_tools_and_the_calls_share_a_session_and_an_execution(tmp_path: Path) -> None:
    one = ScriptedServer(tmp_path, "one")
    env = {"CLAUDE_CODE_SESSION_ID": "abc"}
    with GatewayClient(tmp_path, config_for(one), env=env) as client:
        execution = client.call("record_execution_start", title="Mine")["id"]
        client.result("echo", a=1)
        (action,) = client.actions()
        with client.journal() as journal:
            (session,) = journal.list_sessions(status="open").sessions
    assert action.execution_id == execution
    assert (session.kind, session.name) == ("process", "claude-code:abc")


@pytest.mark.parametrize("era", ERAS)
def test_progress_and_logs_come_under_the_clients_names(era: Era, tmp_path: Path) -> None:
    one = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(one), era) as client:
        client.result("progress", meta={"progressToken": "mine"})
        results = [json.loads(line) for line in client.lines]
    progress = [each["params"] for each in results if each.get("method") == "notifications/progress"]
    assert [(each["progressToken"], each["progress"]) for each in progress] == [("mine", 1), ("mine", 2)]
    assert [each["params"]["data"] for each in results if each.get("method") == "notifications/message"] == ["working"]
    assert one.calls("progress")[0]["_meta"]["progressToken"] != "mine"


@pytest.mark.parametrize("method", ["elicitation/create", "sampling/createMessage", "roots/list"])
def test_requests_of_a_server_reach_the_client_and_its_answer_goes_back(method: str, tmp_path: Path) -> None:
    one, two = ScriptedServer(tmp_path, "one"), ScriptedServer(tmp_path, "two")
    able: dict[str, Any] = {"elicitation": {}, "sampling": {}, "roots": {}}
    with GatewayClient(tmp_path, config_for(one, two), "legacy", capabilities=able) as client:
        for name in ("one", "two"):
            begin = len(client.lines)
            client.start(name, "tools/call", {"name": f"{name}__ask", "arguments": {"method": method}})
            question = client.until(lambda message: message.get("method") == method, since=begin)
            assert question["params"] == {"message": "Sure?"}
            answer = {"jsonrpc": "2.0", "id": question["id"], "result": {"said": f"yes, {name}"}}
            client.send(json.dumps(answer).encode())
            done = client.until(lambda message, name=name: message.get("id") == name, since=begin)  # type: ignore[misc]
            assert json.loads(text_of(done["result"])) == {"said": f"yes, {name}"}
    hello = next(each for each in one.received if each["method"] == "initialize")
    assert hello["params"]["capabilities"] == able
    assert hello["params"]["clientInfo"]["name"] == "x"


@pytest.mark.parametrize("next_page", ["null", "1e999"])
def test_a_list_ends_where_a_server_names_no_next_page_or_one_that_cannot_be_read(
    next_page: str, tmp_path: Path
) -> None:
    one, odd = ScriptedServer(tmp_path, "one"), ScriptedServer(tmp_path, next_page)
    with GatewayClient(tmp_path, config_for(one, odd, servers={next_page: {"prefix": "odd"}}, tools="none")) as client:
        listed = client.ask("prompts/list")["result"]
    assert [each["name"] for each in listed["prompts"]] == ["one__greet", "odd__greet"]
    assert "nextCursor" not in listed


@pytest.mark.parametrize("era", ERAS)
def test_a_changed_list_is_announced_and_its_new_tools_can_be_called(era: Era, tmp_path: Path) -> None:
    one = ScriptedServer(tmp_path, "one", "handshake")
    changed = "notifications/tools/list_changed"
    with GatewayClient(tmp_path, config_for(one), era) as client:
        _names(client, "tools/list", "tools")
        if era == "modern":
            client.start("stream", "subscriptions/listen", {"notifications": {"toolsListChanged": True}})
            ack = client.until(lambda message: message.get("method", "").endswith("acknowledged"))
            assert ack["params"]["notifications"]["toolsListChanged"] is True
        begin = len(client.lines)
        client.result("change")
        notification = client.until(lambda message: message.get("method") == changed, since=begin)
        if era == "modern":
            assert notification["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == "stream"
        assert "new_one" in _names(client, "tools/list", "tools")


def test_our_own_changes_are_announced_on_the_same_stream(tmp_path: Path) -> None:
    one = ScriptedServer(tmp_path, "one", "handshake")
    with GatewayClient(tmp_path, config_for(one)) as client:
        client.call("record_execution_start", title="Mine")
        wanted = {"resourceSubscriptions": ["journal://brief"]}
        client.start(5, "subscriptions/listen", {"notifications": wanted})
        client.until(lambda message: message.get("method", "").endswith("acknowledged"))
        client.result("echo", a=1)
        notification = client.until(lambda message: message.get("method") == "notifications/resources/updated", since=0)
    assert notification["params"]["uri"] == "journal://brief"
    assert notification["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == 5


def test_a_server_that_does_not_list_its_tools_delays_a_list_briefly_and_is_announced_later(
    tmp_path: Path,
) -> None:
    config = config_for(
        ScriptedServer(tmp_path, "one"), ScriptedServer(tmp_path, "held"), timeouts={"list": 1}, unlisted="record"
    )
    with GatewayClient(tmp_path, config, "legacy") as client:
        names = {tool["name"] for tool in client.ask("tools/list")["result"]["tools"]}
        assert "one__echo" in names
        assert "held__echo" not in names
        client.result("held__echo", a=1)
        client.until(lambda message: message.get("method") == "notifications/tools/list_changed", since=0)
        assert "held__echo" in {tool["name"] for tool in client.ask("tools/list")["result"]["tools"]}
