"""Hooks beside the gateway: one call is one action, even if the client gives the two no common id."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tallystick.capture.hook.main import HookEvent
from tallystick.capture.spool import file as spool_file
from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for, text_of
from tests.interfaces.mcp.line_client import JOURNAL

THREAD = {"threadId": "s1"}


class Hooks:
    """The hooks of one client, run by this process, which starts the gateway too."""

    def __init__(self, folder: Path, name: str, entry: str = "tallystick") -> None:
        self.name = name
        self.entry = entry
        self.env = {
            "TALLYSTICK_SPOOL": str(folder / "spool"),
            "TALLYSTICK_URL": f"sqlite:///{folder / 'journal.db'}",
            "TALLYSTICK_JOURNAL": JOURNAL,
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_DATA_HOME": str(folder / "data"),
        }
        self._place = spool_file.path(spool_file.folder(self.env), JOURNAL)

    def tell(self, event: str, payload: dict[str, Any]) -> None:
        record = HookEvent([self.name, "--event", event], json.dumps(payload).encode(), self.env).record()
        spool_file.append(self._place, {**record, "pid": os.getpid()})

    def before(self, tool: str, arguments: dict[str, Any], id: str) -> None:
        self.tell(BEFORE.get(self.name, "PreToolUse"), self._call(tool, arguments, id))

    def after(self, tool: str, arguments: dict[str, Any], id: str, text: str, failed: bool = False) -> None:
        event = AFTER.get(self.name, "PostToolUse")
        if failed and self.name == "claude-code":
            self.tell("PostToolUseFailure", {**self._call(tool, arguments, id), "error": text})
            return
        if failed and self.name == "cursor":
            self.tell("postToolUseFailure", {**self._call(tool, arguments, id), "error_message": text})
            return
        error = {"error": {"message": text, "type": "mcp_tool_error"}} if failed else {}
        kind = "failure" if failed else "success"
        results: dict[str, dict[str, Any]] = {
            "gemini-cli": {"tool_response": {"llmContent": text, "returnDisplay": text, **error}},
            "copilot": {"tool_result": {"result_type": kind, "text_result_for_llm": text}},
            "cursor": {"tool_output": text},
            "claude-code": {"tool_response": [{"type": "text", "text": text}]},
            "codex": {"tool_response": {"content": [{"type": "text", "text": text}], "isError": failed}},
        }
        self.tell(event, {**self._call(tool, arguments, id), **results[self.name]})

    def _call(self, tool: str, arguments: dict[str, Any], id: str) -> dict[str, Any]:
        shown = {"gemini-cli": f"mcp_{self.entry}_", "cursor": "MCP:", "copilot": f"{self.entry}-"}
        named: dict[str, Any] = {
            "session_id": "s1",
            "tool_name": shown.get(self.name, f"mcp__{self.entry}__") + tool,
            "tool_input": arguments,
        }
        if self.name in ("cursor", "codex", "claude-code"):
            named["tool_use_id"] = id
        if self.name == "cursor":
            named |= {"conversation_id": "s1", "cursor_version": "2"}
        if self.name == "gemini-cli":
            named["mcp_context"] = {"server_name": self.entry, "tool_name": tool}
        return named


BEFORE = {"gemini-cli": "BeforeTool", "cursor": "preToolUse"}
AFTER = {"gemini-cli": "AfterTool", "cursor": "postToolUse"}
CLIENTS = ("gemini-cli", "cursor", "copilot", "codex")


def _drained(client: GatewayClient) -> list[Any]:
    """All actions, after the gateway has drained the spool of the hooks."""
    client.call("query_ledger", view="status")
    return client.actions()


def _meta(name: str) -> dict[str, Any] | None:
    return THREAD if name == "codex" else None


@pytest.mark.parametrize("name", CLIENTS)
def test_a_call_with_no_common_id_is_one_action(name: str, tmp_path: Path) -> None:
    hooks, one = Hooks(tmp_path, name), ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(one), env=hooks.env) as client:
        for number in (1, 2):
            hooks.before("echo", {"a": number}, f"t{number}")
            client.result("echo", a=number, meta=_meta(name))
            hooks.after("echo", {"a": number}, f"t{number}", "fine")
        actions = _drained(client)
        with client.journal() as journal:
            owed = journal.get_undo_list(limit=100).items
    assert [(each.state, each.tool) for each in actions] == [("ok", "mcp__one__echo")] * 2
    assert len({each.execution_id for each in actions}) == 1
    assert len(owed) == 2


@pytest.mark.parametrize("name", [*CLIENTS, "claude-code"])
@pytest.mark.parametrize(
    ("entry", "server", "prefix", "shown"),
    [
        ("tallystick", "one", "t", "t__"),
        ("tallystick", "my.one", True, "my_one__"),
        ("my-tools", "one", False, ""),
        ("my-tools", "one", True, "one__"),
    ],
    ids=["a prefix", "a name that is changed", "under another name", "both"],
)
def test_a_call_is_one_action_however_the_client_shows_its_tool(
    name: str, entry: str, server: str, prefix: str | bool, shown: str, tmp_path: Path
) -> None:
    hooks, one = Hooks(tmp_path, name, entry), ScriptedServer(tmp_path, server)
    config = config_for(one, servers={server: {"prefix": prefix, "tools": {"fail": "refuse"}}})
    with GatewayClient(tmp_path, config, env=hooks.env) as client:
        for number, (tool, arguments) in enumerate((("echo", {"a": 1}), ("echo", {"a": 1}), ("fail", {}), ("die", {}))):
            meta = {"claudecode/toolUseId": f"t{number}"} if name == "claude-code" else _meta(name)
            hooks.before(shown + tool, arguments, f"t{number}")
            answer = client.result(shown + tool, meta=meta, **arguments)
            hooks.after(shown + tool, arguments, f"t{number}", text_of(answer), failed=bool(answer.get("isError")))
        actions = _drained(client)
        with client.journal() as journal:
            owed = journal.get_undo_list(limit=100).items
    assert [(each.tool.partition("__")[2], each.state) for each in actions if each.state != "skipped"] == [
        (f"{server}__echo", "ok"),
        (f"{server}__die", "in_doubt"),
    ]
    assert [each.state for each in actions] == ["ok", "skipped", "skipped", "in_doubt"]
    assert len(owed) == 2
    assert len(one.calls()) == 2


@pytest.mark.parametrize("name", CLIENTS)
def test_with_several_servers_a_call_is_one_action_too(name: str, tmp_path: Path) -> None:
    hooks, one, other = Hooks(tmp_path, name), ScriptedServer(tmp_path, "one"), ScriptedServer(tmp_path, "other")
    with GatewayClient(tmp_path, config_for(one, other), env=hooks.env) as client:
        for number, tool in enumerate(("one__echo", "other__echo", "one__die")):
            hooks.before(tool, {"a": 1}, f"t{number}")
            answer = client.result(tool, meta=_meta(name), a=1)
            hooks.after(tool, {"a": 1}, f"t{number}", text_of(answer), failed=bool(answer.get("isError")))
        actions = _drained(client)
    assert [(each.tool, each.state) for each in actions] == [
        ("mcp__one__echo", "ok"),
        ("mcp__other__echo", "ok"),
        ("mcp__one__die", "in_doubt"),
    ]


@pytest.mark.parametrize("name", CLIENTS)
def test_hooks_record_a_refused_call_as_not_done(name: str, tmp_path: Path) -> None:
    hooks, one = Hooks(tmp_path, name), ScriptedServer(tmp_path, "one")
    config = config_for(one, servers={"one": {"tools": {"echo": "ask", "fail": "refuse"}}})
    with GatewayClient(tmp_path, config, env=hooks.env) as client:
        for tool in ("echo", "fail"):
            hooks.before(tool, {"a": 1}, tool)
            answer = text_of(client.result(tool, a=1, meta=_meta(name)))
            hooks.after(tool, {"a": 1}, tool, answer, failed=True)
        actions = _drained(client)
        with client.journal() as journal:
            assert journal.get_undo_list(limit=100).items == ()
            (approval,) = journal.list_approvals().approvals
    assert [each.state for each in actions] == ["skipped", "skipped"]
    assert {each.execution_id for each in actions} == {approval.execution_id}
    assert not one.calls()


def test_two_equal_calls_at_once_stay_two(tmp_path: Path) -> None:
    hooks, one = Hooks(tmp_path, "gemini-cli"), ScriptedServer(tmp_path, "one")
    config = config_for(one, servers={"one": {"tools": {"echo": {"effect": "idempotent"}}}})
    with GatewayClient(tmp_path, config, env=hooks.env) as client:
        for id in ("1", "2"):
            hooks.before("echo", {"a": 1}, id)
        for _ in range(2):
            client.result("echo", a=1)
        for id in ("1", "2"):
            hooks.after("echo", {"a": 1}, id, "fine")
        hooks.before("echo", {"a": 1}, "3")  # this one never comes to the gateway
        actions = _drained(client)
    assert [each.state for each in actions] == ["ok", "ok", "open"]


@pytest.mark.parametrize("name", ["gemini-cli", "copilot"])
def test_calls_with_secrets_that_began_before_there_was_a_key_are_one_action_each(name: str, tmp_path: Path) -> None:
    hooks, one = Hooks(tmp_path, name), ScriptedServer(tmp_path, "one")
    inputs: list[dict[str, Any]] = [{"password": f"hunter{number}-correct-horse", "a": 1} for number in (2, 3)]
    with GatewayClient(tmp_path, config_for(one), env=hooks.env) as client:
        for arguments in inputs:
            hooks.before("echo", arguments, "")
        for arguments in reversed(inputs):
            client.result("echo", **arguments)
        for arguments in inputs:
            hooks.after("echo", arguments, "", "fine")
        actions = _drained(client)
    assert [(each.state, each.tool) for each in actions] == [("ok", "mcp__one__echo")] * 2


@pytest.mark.parametrize("name", ["gemini-cli", "copilot"])
@pytest.mark.parametrize("arguments", [{"content": "lorem ipsum " * 30_000}, {"z": "a\0b"}], ids=["long", "nul"])
def test_a_call_of_which_only_a_part_is_recorded_is_one_action(
    name: str, arguments: dict[str, Any], tmp_path: Path
) -> None:
    hooks, one = Hooks(tmp_path, name), ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(one), env=hooks.env) as client:
        hooks.before("echo", {"a": 1}, "")  # with it comes the key
        client.result("echo", a=1)
        hooks.after("echo", {"a": 1}, "", "fine")
        for number in (1, 2):
            hooks.before("echo", {**arguments, "n": number}, "")
        for number in (2, 1):
            client.result("echo", **arguments, n=number)
            hooks.after("echo", {**arguments, "n": number}, "", "fine")
        actions = _drained(client)
    assert [(each.state, each.tool) for each in actions] == [("ok", "mcp__one__echo")] * 3


def test_a_hook_that_comes_second_joins_the_action_of_the_gateway(tmp_path: Path) -> None:
    hooks, one = Hooks(tmp_path, "gemini-cli"), ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(one), env=hooks.env) as client:
        client.result("echo", a=1)
        hooks.before("echo", {"a": 1}, "")
        hooks.after("echo", {"a": 1}, "", "fine")
        (action,) = _drained(client)
        hooks.before("echo", {"a": 2}, "")
        assert len(_drained(client)) == 2
    assert (action.state, action.tool) == ("ok", "mcp__one__echo")


@pytest.mark.parametrize("name", CLIENTS)
def test_a_hooks_report_does_not_settle_a_call_in_doubt(name: str, tmp_path: Path) -> None:
    hooks, one = Hooks(tmp_path, name), ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(one), env=hooks.env) as client:
        hooks.before("die", {}, "t1")
        answer = text_of(client.result("die", meta=_meta(name)))
        hooks.after("die", {}, "t1", answer)
        (action,) = _drained(client)
        assert action.state == "in_doubt"
        hooks.before("die", {}, "t2")
        again = client.result("die", meta=_meta(name))
    assert again["isError"]
    assert len(one.calls("die")) == 1


def test_equal_calls_to_two_servers_are_two_actions(tmp_path: Path) -> None:
    hooks, one = Hooks(tmp_path, "codex", "my-tools"), ScriptedServer(tmp_path, "one")
    direct = {"session_id": "s1", "tool_name": "mcp__direct__die", "tool_input": {"a": 1}, "tool_use_id": "t1"}
    with GatewayClient(tmp_path, config_for(one), env=hooks.env) as client:
        hooks.tell("PreToolUse", direct)
        hooks.before("die", {"a": 1}, "t2")
        answer = text_of(client.result("die", a=1, meta=THREAD))
        hooks.after("die", {"a": 1}, "t2", answer, failed=True)
        hooks.tell("PostToolUse", {**direct, "tool_response": {"content": [{"type": "text", "text": "fine"}]}})
        states = {each.tool: each.state for each in _drained(client)}
    assert states["mcp__direct__die"] == "ok"
    assert states["mcp__one__die"] == "in_doubt"


def test_another_servers_tool_of_the_same_name_is_another_call(tmp_path: Path) -> None:
    hooks, one = Hooks(tmp_path, "codex"), ScriptedServer(tmp_path, "one")
    with GatewayClient(tmp_path, config_for(one), env=hooks.env) as client:
        call = {"session_id": "s1", "tool_name": "mcp__other__echo", "tool_input": {"a": 1}, "tool_use_id": "t1"}
        hooks.tell("PreToolUse", call)
        hooks.before("echo", {"a": 1}, "t2")
        client.result("echo", a=1, meta=THREAD)
        hooks.after("echo", {"a": 1}, "t2", "fine")
        assert [(each.tool, each.state) for each in _drained(client)] == [
            ("mcp__other__echo", "open"),
            ("mcp__one__echo", "ok"),
        ]
