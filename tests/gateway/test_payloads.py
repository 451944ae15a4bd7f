"""Stored responses of servers: masked before they are truncated, and answered again only if they are complete."""

import json
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec import Raw

from tallystick import Journal
from tallystick.gateway.config import checked, describe
from tallystick.gateway.recording.payloads import stored_result
from tallystick.sdk.local import Local
from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for, text_of
from tests.interfaces.mcp.line_client import JOURNAL, Era

TOKEN = "ghp_" + "a1B2" * 9


@pytest.mark.parametrize("kind", ["result", "error"])
def test_truncation_leaves_no_half_of_a_secret(kind: str, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        for at in range(1900, 2000, 9):
            text = f"{'x ' * (at // 2)}{TOKEN} {'y ' * 50_000}"
            result = {"content": [{"type": "text", "text": text}]}
            sent = json.dumps(result if kind == "result" else {"code": -32603, "message": text})
            client.ask("tools/call", {"name": "raw", "arguments": {"answer": f'"{kind}":{sent}'}})
        results = [json.dumps(action.end_body) for action in client.actions()]
    assert all("x x x" in each for each in results)
    assert not any("ghp_" in each for each in results)


def test_the_digest_of_a_long_result_is_that_of_its_text_however_it_falls_into_pieces(tmp_path: Path) -> None:
    text = 'é"\\n' + "aé€😀\t" * 300_000
    raw = Raw(json.dumps({"content": [{"type": "text", "text": text}]}, ensure_ascii=False).encode())
    with Journal.open(f"sqlite:///{tmp_path / 'journal.db'}", journal=JOURNAL) as journal:
        context = cast(Local, journal.caller).context
        found = stored_result(context, raw)
        assert found["digest"] == context.digest(bytes(raw).decode())
    assert found["bytes"] == len(bytes(raw)) > 3 << 20
    assert bytes(raw).decode().startswith(found["beginning"])


def test_the_standard_error_of_servers_is_masked(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        client.result("raw", answer='"result":{"content":[]}', complaint=f"cannot log in with {TOKEN} there")
        client.result("look")
        sent = client.last_words()
    assert "cannot log in with" in sent
    assert TOKEN not in sent


def test_an_address_is_shown_without_its_secrets() -> None:
    urls = ("https://ada:hunter2@host.example:81/key-hunter2/mcp?k=hunter2", "https://host.example:81?k=hunter2")
    for url in urls:
        (line,) = describe(checked({"mcpServers": {"a": {"url": url}}}, {}))
        assert "https://host.example:81/" in line
        assert "hunter2" not in line


@pytest.mark.parametrize(("meta", "again"), [({"x": "plain"}, True), ({"token": TOKEN}, False)])
def test_a_result_with_masked_meta_is_not_answered_again(meta: dict[str, Any], again: bool, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    sent = json.dumps({"content": [{"type": "text", "text": "done"}], "_meta": meta})
    with GatewayClient(tmp_path, config_for(server)) as client:
        first = client.result("raw", answer=f'"result":{sent}')
        assert first["_meta"].items() >= meta.items()
        second = client.result("raw", answer=f'"result":{sent}')
    assert ("tallystick/recorded" in second.get("_meta", {})) is again
    assert bool(second.get("isError")) is not again
    assert "[masked" not in text_of(second)
    assert len(server.calls("raw")) == 1


@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_a_result_with_half_a_character_is_passed_on_and_kept(era: Era, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    halves = r"a\ud83d b\ude00 c\ud83d\ude00 d\\ud83d"
    with GatewayClient(tmp_path, config_for(server), era) as client:
        sent = f'"result":{{"isError":true,"content":[{{"type":"text","text":"{halves}"}}]}}'
        result = client.result("raw", answer=sent)
        (action,) = client.actions()
    assert text_of(result) == "a\ufffd b\ufffd c\U0001f600 d\\ud83d"
    assert action.state == "failed"
    assert text_of(action.end_body["result"]) == text_of(result)


@pytest.mark.parametrize(
    "sent",
    [
        {"task": {"taskId": "t-1", "status": "working"}},
        {"resultType": "task", "task": {"taskId": "t-1", "status": "working"}},
    ],
)
def test_a_call_that_was_only_accepted_as_a_task_is_in_doubt(sent: dict[str, Any], tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        result = client.result("raw", answer=f'"result":{json.dumps(sent)}')
        (action,) = client.actions()
        assert "accepted as a task" in client.last_words()
    assert result["task"]["taskId"] == "t-1"
    assert action.state == "in_doubt"
    assert "t-1" in action.end_body["error"]


def test_only_a_tool_that_a_whole_list_lacks_has_surely_not_run(tmp_path: Path) -> None:
    server, partly = ScriptedServer(tmp_path, "one"), ScriptedServer(tmp_path, "two", "unlisted")
    with GatewayClient(tmp_path, config_for(server, partly, unlisted="record"), "legacy") as client:
        for name in ("one__raw", "one__nowhere", "two__nowhere"):
            error = {"code": -32602, "message": "bad params"}
            sent = {"name": name, "arguments": {"answer": f'"error":{json.dumps(error)}'}}
            assert client.ask("tools/call", sent)["error"]["code"] == -32602
        states = {action.tool: action.state for action in client.actions()}
    assert states == {"mcp__one__raw": "in_doubt", "mcp__one__nowhere": "failed", "mcp__two__nowhere": "in_doubt"}
