"""Clients that come while the journal cannot be written: what each has spooled is its own, then and afterwards."""

from pathlib import Path
from typing import Any

import pytest

from tallystick import Journal
from tallystick.gateway.recording.payloads import RECORDED
from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for, text_of
from tests.gateway.test_client_isolation import Shared, sharing
from tests.gateway.test_policy import LockedJournal
from tests.interfaces.mcp.line_client import JOURNAL


def _actions(shared: Shared) -> list[Any]:
    with Journal.open(shared.store, journal=JOURNAL) as journal:
        begun = journal.read_entries(kind="action_begun", limit=100).entries
        return [journal.get_action(action_id=entry.id) for entry in begun]


@pytest.mark.parametrize("era", ["handshake", "modern"])
def test_clients_that_come_while_the_journal_cannot_be_written_have_an_execution_each(era: str, tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with sharing(tmp_path, config_for(server, on_journal_failure="spool")) as shared:
        shared.handshake("before").call("look")
        with LockedJournal(tmp_path):
            ann, bob = (getattr(shared, era)(name) for name in ("ann", "bob"))
            for client in (ann, bob):
                assert "kept in the spool" in text_of(client.call("echo", who="both"))
            ann.call("die")
        again = [client.call("echo", who="both")["_meta"][RECORDED]["action_id"] for client in (ann, bob)]
        for client in (ann, bob):
            client.call("echo", who=client.name)
        actions = _actions(shared)
    made = {each.id: each for each in actions}
    of = {each.begin_body.get("arguments", {}).get("who", each.tool): each.execution_id for each in actions}
    assert [made[id].execution_id for id in again] == [of["ann"], of["bob"]]
    assert of["ann"] != of["bob"]
    assert of["mcp__one__die"] == of["ann"]
    assert len({each.session for each in actions}) == 3
    assert len(server.calls("echo")) == 4


def test_a_client_continues_in_the_execution_of_its_spooled_calls(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    config = config_for(server, on_journal_failure="spool")
    with GatewayClient(tmp_path, config, env={"TALLYSTICK_SPOOL": str(tmp_path / "spool")}) as client:
        client.call("query_ledger")
        with LockedJournal(tmp_path):
            client.result("echo", a=1)
        client.result("echo", a=2)
        client.result("echo", a=3)
        actions = client.actions()
    assert [each.begin_body["arguments"] for each in actions] == [{"a": 1}, {"a": 2}, {"a": 3}]
    assert len({each.execution_id for each in actions}) == 1


def test_a_conversation_begun_without_a_journal_is_kept_apart(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    config = config_for(server, on_journal_failure="spool")
    with GatewayClient(tmp_path, config, env={"TALLYSTICK_SPOOL": str(tmp_path / "spool")}) as client:
        client.result("echo", meta={"threadId": "first"}, a=1)
        with LockedJournal(tmp_path):
            assert "recorded result" not in text_of(client.result("echo", meta={"threadId": "second"}, a=1))
        assert "recorded result" in text_of(client.result("echo", meta={"threadId": "second"}, a=1))
        client.result("echo", meta={"threadId": "second"}, a=2)
        first, *second = client.actions()
    assert len({each.execution_id for each in second}) == 1
    assert first.execution_id != second[0].execution_id


def test_spooled_calls_of_several_clients_are_ingested_separately(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    config = config_for(server, on_journal_failure="spool")
    with sharing(tmp_path, config) as shared:
        shared.handshake("before").call("look")
        with LockedJournal(tmp_path):
            for client in (shared.handshake("ann"), shared.handshake("ann")):
                client.call("echo", a=1)
            shared.end()
    with sharing(tmp_path, config) as shared:
        shared.handshake("ann").call("echo", a=1)
        actions = [each for each in _actions(shared) if each.tool == "mcp__one__echo"]
    assert len({each.execution_id for each in actions}) == len(actions) == len(server.calls("echo")) == 3
