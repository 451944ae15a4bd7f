"""Nothing reaches a server unrecorded: unknown methods, calls without an id, misspelt and unlisted tools."""

import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tallystick import Journal
from tallystick.core.errors import InvalidArgument
from tallystick.gateway.config import checked
from tallystick.protocol import MODERN_VERSIONS
from tests.gateway.bypass import Trial, attack
from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for, refusal_of
from tests.gateway.test_client_isolation import sharing
from tests.interfaces.mcp.line_client import ENVELOPE, JOURNAL, Era

CALL = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "drop", "arguments": {}}}
HIDDEN = b'{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":"echo","arguments":{"hidden":1}}}'


@pytest.fixture
def journal() -> Iterator[Journal]:
    with Journal.open("memory:", journal=JOURNAL) as journal:
        yield journal


def _sent(**fields: Any) -> bytes:
    return json.dumps({name: value for name, value in {**CALL, **fields}.items() if value != "absent"}).encode()


@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_every_execution_has_its_entry_and_no_policy_is_circumvented(era: Era) -> None:
    seed = secrets.token_hex(4)
    print(f"seed {seed}")
    met = attack(seed, 1500, era)
    assert met["executed"] > 100, met


@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_a_connection_serves_the_era_in_which_it_began_whatever_greeting_comes_later(
    era: Era, journal: Journal
) -> None:
    trial = Trial(journal, era, Random(1), ("one",))
    (greeted,) = trial.send(_sent(method="initialize", params={"_meta": ENVELOPE}))
    assert greeted["error"]["message"] == "This connection has begun already."
    (plain,) = trial.send(_sent(params={"name": "echo", "arguments": {"n": 1}}))
    assert "tallystick/error" not in plain["result"].get("_meta", {})
    (modern,) = trial.send(_sent(params={"name": "echo", "arguments": {"n": 2}, "_meta": ENVELOPE}))
    assert ("result" in modern) == (era == "modern"), modern
    assert trial.check()["recorded"] == (2 if era == "modern" else 1)


@pytest.mark.parametrize(
    "line",
    [
        _sent(id="absent"),
        _sent(method="Tools/Call"),
        _sent(method="tools/call "),
        _sent(method="tools/call\0"),
        _sent(method="tools/\u200bcall"),
        _sent(method="vendor/run"),
        _sent(method="resources/delete", params={"uri": "test://x"}),
        _sent(method="tasks/create", params={"taskId": "t"}),
        _sent(method="notifications/tools/call", id="absent"),
        _sent(id=None),
        _sent(id=1.0),
        _sent(id=True),
        _sent(id={}),
        _sent(jsonrpc="1.0", id="absent", method="notifications/roots/list_changed"),
        _sent(params=[CALL["params"]]),
        _sent(params={"name": "echo", "Name": "drop"}),
        _sent(params={"name": "echo", "ARGUMENTS": {"a": 1}}),
        _sent(params={"name": ["echo"]}),
        b"[" + _sent(params={"name": "echo"}) + b"]",
        b'{"jsonrpc":"2.0","id":7,"method":"ping","method":"tools/call","params":{"name":"echo"}}',
        b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"drop","name":"echo"}}',
        b'{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"a","arguments":{"b":1,"b":2}}}',
        b'{"jsonrpc":"2.0","id":"tallystick-1","result":{},"method":"tools/run","params":{"name":"echo"}}',
    ],
)
def test_a_message_that_the_protocol_does_not_have_is_not_passed_on(line: bytes, journal: Journal) -> None:
    trial = Trial(journal, "legacy", Random(1), ("one",))
    before = trial.servers["one"].received
    answers = trial.send(line)
    assert trial.servers["one"].received == before
    is_notification = b'"id"' not in line and b'"2.0"' in line
    assert len(answers) == (0 if is_notification else 1)
    assert all("error" in each or each["result"]["isError"] for each in answers)


@pytest.mark.parametrize("name", ["Delete_All", "delete_all ", "delete\u200b_all", "\uff44rop", "lo\u043ek", "nothing"])
@pytest.mark.parametrize("unlisted", ["refuse", "ask", "record"])
def test_a_tool_that_is_not_listed_is_called_only_if_the_configuration_says_so(
    name: str, unlisted: str, journal: Journal
) -> None:
    trial = Trial(journal, "legacy", Random(1), ("one",), unlisted=unlisted)
    (answer,) = trial.send(_sent(params={"name": name, "arguments": {}}))
    calls = trial.servers["one"].calls
    is_other = name in ("lo\u043ek", "nothing")  # and no spelling of a tool that is listed or has a rule
    assert [tool for tool, _ in calls[:1]] == ([name] if unlisted == "record" and is_other else [])
    if not calls:
        code = "approval_pending" if unlisted == "ask" and is_other else "unknown_handle"
        assert refusal_of(answer["result"])["code"] == code
    trial.check()


def test_a_refusal_names_the_tools_that_may_be_meant(journal: Journal) -> None:
    trial = Trial(journal, "legacy", Random(1), ("one",))
    (answer,) = trial.send(_sent(params={"name": "Delete_All"}))
    error = refusal_of(answer["result"])
    assert '"delete_all"' in error["message"]
    (note,) = journal.read_entries(kind="session_noted").entries
    assert "mcp__one__Delete_All was not called" in note.body["summary"]
    (answer,) = trial.send(_sent(method="Tools/Call"))
    assert '"tools/call"' in answer["error"]["message"]


def test_the_refusal_of_a_name_that_no_record_can_hold_is_recorded(journal: Journal) -> None:
    Trial(journal, "legacy", Random(1), ("one",)).send(_sent(params={"name": "drop\0"}))
    (note,) = journal.read_entries(kind="session_noted").entries
    assert note.body["details"]["tool"].endswith("drop\\x00")


def test_the_gateway_lists_again_before_it_refuses(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    trial = Trial(journal, "legacy", Random(1), ("one",))
    (refused,) = trial.send(_sent(params={"name": "brand_new"}))
    assert refused["result"]["isError"]
    monkeypatch.setattr("tests.gateway.bypass.TOOLS", ("brand_new",))
    (made,) = trial.send(_sent(params={"name": "brand_new"}))
    (gone,) = trial.send(_sent(params={"name": "echo"}))
    assert "tallystick/error" not in made["result"].get("_meta", {})
    assert refusal_of(gone["result"])["code"] == "unknown_handle"
    assert trial.check()["recorded"] == 1


def test_a_method_of_a_vendor_passes_where_the_configuration_names_it(journal: Journal) -> None:
    servers = {"one": {"methods": ["vendor/run"]}}
    trial = Trial(journal, "legacy", Random(1), ("one", "two"), servers=servers)
    trial.send(_sent(method="vendor/run"), _sent(method="Vendor/Run", id=8), _sent(method="vendor/other", id=9))
    assert len(trial.servers["one"].others) == 2  # it is read twice, with the first and with the last of equal names
    assert not trial.servers["two"].others


@pytest.mark.parametrize("method", ["tools/call", "Tools/Call ", "notifications/cancelled"])
def test_a_method_of_the_protocol_cannot_be_configured_as_a_vendors(method: str) -> None:
    ours = {"servers": {"one": {"methods": [method]}}}
    with pytest.raises(InvalidArgument, match="stands for a method of MCP"):
        checked({"mcpServers": {"one": {"command": "x"}}, "tallystick": ours}, {})


def test_a_line_is_not_split_by_the_whitespace_in_it(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")  # it reads lines as Python does, which end at CR too
    with GatewayClient(tmp_path, config_for(server), "legacy") as client:
        client.send(
            b'{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"test://one/x","y":[\r%s\r]}}' % HIDDEN
        )
        assert "result" in client.until(lambda message: message.get("id") == 5)
    assert server.calls() == []


def test_over_http_a_message_is_not_split_either(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    meta = json.dumps(ENVELOPE).encode()
    body = b'{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"test://one/x","y":[\n%s\n],"_meta":%s}}'
    headers = {"content-type": "application/json", "mcp-protocol-version": MODERN_VERSIONS[0]}
    headers |= {"mcp-method": "resources/read", "mcp-name": "test://one/x"}
    with (
        sharing(tmp_path, config_for(server)) as shared,
        urlopen(Request(shared.url, body % (HIDDEN, meta), headers), timeout=30) as answer,
    ):
        assert b"read by one" in answer.read()
    assert server.calls() == []
