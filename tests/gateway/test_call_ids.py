"""The ids that clients give their calls: some models restart the count in each conversation, or with each answer."""

from pathlib import Path
from typing import Any

from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for, text_of


def _in(conversation: str, folder: Path, server: ScriptedServer, **ours: Any) -> GatewayClient:
    env = {"CLAUDE_CODE_SESSION_ID": conversation, "TALLYSTICK_SPOOL": str(folder / "spool")}
    return GatewayClient(folder, config_for(server, **ours), env=env)


def test_an_id_that_another_conversation_has_used_is_of_another_call(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    for conversation in ("s1", "s2"):
        with _in(conversation, tmp_path, server) as client:
            for number, tool in enumerate(("look", "echo", "fail")):
                result = client.result(tool, meta={"callId": f"call_{number}"}, a=1)
                assert "tallystick/recorded" not in result.get("_meta", {})
            actions = client.actions()
    assert [len(server.calls(tool)) for tool in ("look", "echo", "fail")] == [2, 2, 2]
    assert [each.state for each in actions] == ["ok", "ok", "failed"] * 2
    assert len({each.execution_id for each in actions}) == 2


def test_reads_and_failed_calls_are_made_again_under_a_used_id(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with _in("s1", tmp_path, server) as client:
        for tool in ("look", "put", "fail", "echo"):
            for _ in range(2):
                last = client.result(tool, meta={"callId": f"of_{tool}"}, a=1)
        assert "recorded result" in text_of(last)
        client.call("record_decision", decision="retry", why="it is meant")
        assert "recorded result" not in text_of(client.result("echo", meta={"callId": "of_echo"}, a=1))
    assert [len(server.calls(tool)) for tool in ("look", "put", "fail", "echo")] == [2, 2, 2, 2]
