"""Calls that never left, as hooks see them that know the client's id of each: nothing was done, and nothing is owed."""

from pathlib import Path
from typing import Any

import pytest

from tests.gateway.gateway_client import GatewayClient, ScriptedServer, cancellation, config_for, text_of
from tests.gateway.test_beside_hooks import Hooks

NO_CONVERSATION: dict[str, str] = {}
CONVERSATION = {"CLAUDE_CODE_SESSION_ID": "s1"}
RULED = {"one": {"tools": {"fail": "refuse"}}}


class Both:
    """Claude Code: its hooks and its gateway see each call, and both know its id."""

    def __init__(self, folder: Path, client: GatewayClient, hooks: Hooks) -> None:
        self.client, self.hooks = client, hooks

    def call(self, tool: str, id: str, **arguments: Any) -> dict[str, Any]:
        self.hooks.before(tool, arguments, id)
        params = {"name": tool, "arguments": arguments, "_meta": {"claudecode/toolUseId": id}}
        answer = self.client.ask("tools/call", params)
        result: dict[str, Any] = answer.get("result", {})
        failed = "error" in answer or bool(result.get("isError"))
        text = text_of(result) if result else str(answer["error"]["message"])
        self.hooks.after(tool, arguments, id, text, failed=failed)
        return answer

    def states(self) -> list[str]:
        self.client.call("query_ledger", view="status")  # drains the spool of the hooks
        return [each.state for each in self.client.actions()]

    def not_undone(self) -> list[str]:
        with self.client.journal() as journal:
            pages = [journal.get_undo_list(execution_id=each.id) for each in journal.list_executions().executions]
            return [item.action_id for page in pages for item in page.items]


@pytest.mark.parametrize("env", [NO_CONVERSATION, CONVERSATION])
def test_a_call_answered_from_the_journal_or_refused_is_recorded_as_not_done(
    env: dict[str, str], tmp_path: Path
) -> None:
    hooks, one = Hooks(tmp_path, "claude-code"), ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(one, servers=RULED), env={**hooks.env, **env}) as client:
        both = Both(tmp_path, client, hooks)
        both.call("echo", "t1", a=1)
        assert "recorded result" in text_of(both.call("echo", "t2", a=1)["result"])
        both.call("fail", "t3", a=1)
        assert both.states() == ["ok", "skipped", "skipped"]
        assert len(both.not_undone()) == 1
    assert len(one.calls()) == 1


@pytest.mark.parametrize("env", [NO_CONVERSATION, CONVERSATION])
def test_a_call_that_no_server_could_take_is_recorded_as_not_done(env: dict[str, str], tmp_path: Path) -> None:
    hooks, one = Hooks(tmp_path, "claude-code"), ScriptedServer(tmp_path, "one")
    config = config_for(one)
    config["mcpServers"]["gone"] = {"command": str(tmp_path / "nothing-here")}
    with GatewayClient(tmp_path, config, env={**hooks.env, **env}) as client:
        both = Both(tmp_path, client, hooks)
        assert "was not made" in text_of(both.call("gone__echo", "t1", a=1)["result"])
        assert both.call("nobodys", "t2", a=1)["error"]["code"] == -32602
        assert both.states() == ["skipped", "skipped"]
        assert both.not_undone() == []


def test_a_late_hook_finds_the_call_recorded_as_not_done(tmp_path: Path) -> None:
    hooks, one = Hooks(tmp_path, "claude-code"), ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(one, servers=RULED), env=hooks.env) as client:
        both = Both(tmp_path, client, hooks)
        both.call("echo", "t1", a=1)
        client.result("fail", meta={"claudecode/toolUseId": "t2"}, a=1)
        hooks.before("fail", {"a": 1}, "t2")
        hooks.after("fail", {"a": 1}, "t2", "refused", failed=True)
        assert both.states() == ["ok", "skipped"]
        assert len(both.not_undone()) == 1


def test_calls_without_a_server_are_noted_like_refusals(tmp_path: Path) -> None:
    config = config_for(ScriptedServer(tmp_path, "one"))
    config["mcpServers"]["gone"] = {"command": str(tmp_path / "nothing-here")}
    with GatewayClient(tmp_path, config) as client:
        client.refusal("gone__echo", a=1)
        assert client.ask("tools/call", {"name": "nobodys"})["error"]["message"] == 'There is no tool "nobodys".'
        assert client.actions() == []
        assert _noted(client) == ["mcp__gone__echo was not called: ", "nobodys was not called: "]


def test_a_call_that_is_cancelled_while_its_server_starts_is_noted(tmp_path: Path) -> None:
    silent = {"command": "sh", "args": ["-c", "exec sleep 1000"]}
    with GatewayClient(tmp_path, {"mcpServers": {"silent": silent}}) as client:
        client.start("c1", "tools/call", {"name": "echo", "arguments": {"a": 1}})
        client.send(cancellation("c1", "no more"))
        client.call("query_ledger", view="brief")
        assert _noted(client) == ["mcp__silent__echo was not called. "]
        assert client.actions() == []


def test_a_cancelled_call_that_a_hook_saw_is_skipped(tmp_path: Path) -> None:
    hooks = Hooks(tmp_path, "claude-code")
    silent = {"command": "sh", "args": ["-c", "exec sleep 1000"]}
    with GatewayClient(tmp_path, {"mcpServers": {"silent": silent}}, env=hooks.env) as client:
        both = Both(tmp_path, client, hooks)
        hooks.before("echo", {"a": 1}, "t1")
        meta = {"claudecode/toolUseId": "t1"}
        client.start("c1", "tools/call", {"name": "echo", "arguments": {"a": 1}, "_meta": meta})
        client.send(cancellation("c1", "no more"))
        assert both.states() == ["skipped"]
        assert both.not_undone() == []


@pytest.mark.parametrize("policy", ["ask", "plan"])
def test_a_step_with_a_call_that_waits_for_a_person_is_not_skipped(policy: str, tmp_path: Path) -> None:
    hooks, one = Hooks(tmp_path, "claude-code"), ScriptedServer(tmp_path, "one")
    config = config_for(one, servers={"one": {"tools": {"echo": policy, "put": "plan"}}})
    step = {"id": "first", "title": "Say it", "tool": "echo", "arguments": {"a": 1}, "cancellable": "irreversible"}
    then = {"id": "then", "title": "Put it", "tool": "put", "cancellable": "irreversible"}
    with GatewayClient(tmp_path, config, env={**hooks.env, **CONVERSATION}) as client:
        both = Both(tmp_path, client, hooks)
        steps = [{**step, "needs_approval": policy == "plan"}, then]
        execution = client.call("record_plan", title="Say", steps=steps, start=True)["execution_id"]
        assert "approval_pending" in text_of(both.call("echo", "t1", a=1)["result"])
        assert 'comes after "first", which is not begun' in text_of(both.call("put", "t2", a=1)["result"])
        with client.journal() as journal:
            waiting = journal.list_approvals(status="pending").approvals
            request = {"question": "May it?", "execution_id": execution, "step": "first"}
            approval = waiting[0].id if waiting else journal.request_approval(**request).id
            assert journal.get_status(execution_id=execution).steps[0].actual == (
                "waiting" if policy == "plan" or not waiting else "planned"
            )
        client.decide(approval, "approve")
        for tool, id in (("echo", "t3"), ("put", "t4")):
            assert not both.call(tool, id, a=1)["result"].get("isError")
        assert both.states() == ["skipped", "skipped", "ok", "ok"]
        assert [each.step for each in client.actions()][2:] == ["first", "then"]
        with client.journal() as journal:
            assert [each.actual for each in journal.get_status(execution_id=execution).steps] == ["done", "done"]


def _noted(client: GatewayClient) -> list[str]:
    """The beginnings of what was noted, up to the reason."""
    with client.journal() as journal:
        entries = journal.read_entries(kind="session_noted", limit=100).entries
        summaries = [str(entry.body["summary"]) for entry in entries if entry.body]
    return [text.partition("called")[0] + "called" + text.partition("called")[2][:2] for text in summaries]
