"""Calls that become tasks: each is polled at its own server, and settled by its result."""

from pathlib import Path
from typing import Any

import pytest

from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for, text_of
from tests.gateway.test_policy import LockedJournal


def _two(folder: Path) -> GatewayClient:
    return GatewayClient(folder, config_for(ScriptedServer(folder, "one"), ScriptedServer(folder, "two")), "legacy")


def _begun(client: GatewayClient, tool: str = "task", id: str = "t-1", **more: Any) -> str:
    """The id of a task that was made of a call, as the client sees it."""
    arguments = {"id": id, **more}
    params = {"name": tool, "arguments": arguments, "task": {"ttl": 60_000}}
    task = client.ask("tools/call", params)["result"]["task"]["taskId"]
    assert isinstance(task, str)
    return task


@pytest.mark.parametrize(("status", "outcome"), [("working", "ok"), ("failed", "failed")])
def test_the_result_of_a_task_settles_its_call(status: str, outcome: str, tmp_path: Path) -> None:
    with GatewayClient(tmp_path, config_for(ScriptedServer(tmp_path, "one")), "legacy") as client:
        task = _begun(client, status=status)
        assert [each.state for each in client.actions()] == ["in_doubt"]
        result = client.ask("tasks/result", {"taskId": task})["result"]
        (action,) = client.actions()
        client.ask("tasks/result", {"taskId": task})
        with client.journal() as journal:
            ends = len(journal.read_entries(kind="action_ended").entries)
    assert task == "t-1"
    assert text_of(result) == "done by one"
    assert action.state == outcome
    assert text_of(action.end_body["result"]) == "done by one"
    assert ends == 2


@pytest.mark.parametrize(
    ("status", "state"), [("working", "in_doubt"), ("completed", "ok"), ("failed", "failed"), ("cancelled", "in_doubt")]
)
def test_the_status_of_a_task_settles_its_call_if_it_has_the_outcome(status: str, state: str, tmp_path: Path) -> None:
    with GatewayClient(tmp_path, config_for(ScriptedServer(tmp_path, "one")), "legacy") as client:
        task = _begun(client, status=status)
        assert client.ask("tasks/get", {"taskId": task})["result"]["status"] == status
        assert [each.state for each in client.actions()] == [state]
        if status == "completed":
            client.ask("tasks/result", {"taskId": task})
            assert text_of(client.actions()[0].end_body["result"]) == "done by one"


def test_a_task_is_asked_about_at_its_own_server_of_several(tmp_path: Path) -> None:
    with _two(tmp_path) as client:
        first, second = _begun(client, "one__task"), _begun(client, "two__task", "t-2")
        listed = client.ask("tasks/list")["result"]["tasks"]
        cancelled = client.ask("tasks/cancel", {"taskId": first})["result"]
        result = client.ask("tasks/result", {"taskId": second})["result"]
        assert client.ask("tasks/get", {"taskId": "nobody's"})["error"]["code"] == -32602
        states = [each.state for each in client.actions()]
    assert (first, second) == ("t-1", "t-2")
    assert [each["taskId"] for each in listed] == [first, second]
    assert cancelled["statusMessage"] == "of one"
    assert text_of(result) == "done by two"
    assert states == ["in_doubt", "ok"]


def test_two_tasks_with_one_id_are_distinguished_by_their_servers(tmp_path: Path) -> None:
    with _two(tmp_path) as client:
        first, second = _begun(client, "one__task"), _begun(client, "two__task")
        listed = [each["taskId"] for each in client.ask("tasks/list")["result"]["tasks"]]
        found = client.ask("tasks/get", {"taskId": second})["result"]
        results = [client.ask("tasks/result", {"taskId": each})["result"] for each in (first, second)]
        states = [each.state for each in client.actions()]
    assert (first, second) == ("t-1", "two__t-1")
    assert listed == [first, second]
    assert (found["taskId"], found["statusMessage"]) == (second, "of two")
    assert [text_of(each) for each in results] == ["done by one", "done by two"]
    assert [each["_meta"]["io.modelcontextprotocol/related-task"]["taskId"] for each in results] == [first, second]
    assert states == ["ok", "ok"]


def test_the_result_of_a_task_that_was_spooled_is_spooled_too(tmp_path: Path) -> None:
    config = config_for(ScriptedServer(tmp_path, "one"), on_journal_failure="spool")
    with GatewayClient(tmp_path, config, "legacy", env={"TALLYSTICK_SPOOL": str(tmp_path / "spool")}) as client:
        client.result("look")
        with LockedJournal(tmp_path):
            task = _begun(client)
            client.ask("tasks/result", {"taskId": task})
        client.result("look")
        states = {each.tool: each.state for each in client.actions()}
    assert states["mcp__one__task"] == "ok"


def test_task_methods_fail_if_no_server_has_tasks(tmp_path: Path) -> None:
    with GatewayClient(
        tmp_path, config_for(ScriptedServer(tmp_path, "one"), ScriptedServer(tmp_path, "two"))
    ) as client:
        for method in ("tasks/list", "tasks/get"):
            assert client.ask(method, {"taskId": "t"})["error"]["code"] == -32601
