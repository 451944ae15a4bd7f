"""A client that goes on with another conversation in the same process: from then on its calls are of that one."""

import os
from contextlib import closing
from pathlib import Path

from tallystick import Actor, Journal
from tallystick.operations.attribution.conversations import ClientConversation
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.settings import Settings
from tallystick.store.sqlite.store import SqliteStore
from tests.gateway.gateway_client import GatewayClient, ScriptedServer, config_for
from tests.interfaces.mcp.line_client import JOURNAL

HOOK = Actor(kind="hook", name="claude-code")


def test_calls_are_held_to_the_plan_of_the_conversation_that_their_client_is_in_now(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    config = config_for(server, servers={"one": {"tools": {"*": "plan"}}})
    with GatewayClient(tmp_path, config, env={"CLAUDE_CODE_SESSION_ID": "first"}) as client:
        first = _opens(client.url, "first")
        before = _plans(client, 1)
        client.result("echo", a=1)
        _leaves(client.url, first)
        _opens(client.url, "second")
        assert "no execution of one is open" in client.refusal("echo", a=1)["message"]
        after = _plans(client, 2)
        client.result("echo", a=2)
        done = [(each.execution_id, each.step) for each in client.actions()]
    assert done == [(before, "say_it"), (after, "say_it")]


def test_a_journal_that_cannot_be_read_leaves_a_client_in_the_conversation_that_was_known_last(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'journal.db'}"
    parent = os.getppid()
    first = _opens(url, "first", parent)
    with closing(SqliteStore(tmp_path / "journal.db")) as store:
        context = OperationContext(store, Settings(url=url, journal=JOURNAL, actor="ada"), Principal())
        client = ClientConversation({"CLAUDE_CODE_SESSION_ID": "first"})
        assert client.current(context) == "claude-code:first"
        _leaves(url, first)
        _opens(url, "second", parent)
        assert client.current(context) == "claude-code:second"
    assert client.current(context) == "claude-code:second"


def _plans(client: GatewayClient, value: int) -> str:
    step = {"title": "Say it", "cancellable": "irreversible", "tool": "echo", "arguments": {"a": value}}
    result = client.call("record_plan", title=f"Say {value}", steps=[step, {**step, "id": "again"}], start=True)
    return str(result["execution_id"])


def _opens(url: str, conversation: str, process: int = os.getpid()) -> str:
    """A hook reports a conversation in the process that started the gateway: this one by default."""
    with Journal.open(url, journal=JOURNAL, actor=HOOK, witness="observed") as hook:
        named = f"claude-code:{conversation}"
        return hook.open_session(kind="client", name=named, client="claude-code", process=process).id


def _leaves(url: str, session: str) -> None:
    with Journal.open(url, journal=JOURNAL, actor=HOOK, witness="observed") as hook:
        hook.end_session(session_id=session, reason="clear")
