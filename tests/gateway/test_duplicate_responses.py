"""Servers that answer one call twice."""

from pathlib import Path

from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for


def test_a_different_second_answer_puts_the_action_back_in_doubt(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(server)) as client:
        for otherwise in (False, True):
            assert not client.result("twice", otherwise=otherwise).get("isError")
        client.result("look")  # reads the messages behind the response
        assert [each.state for each in client.actions()] == ["ok", "in_doubt", "ok"]
        assert client.refusal("twice", otherwise=True)["code"] == "in_doubt_open"
        assert "first ok, then failed" in client.last_words()
    assert len(server.calls("twice")) == 2
