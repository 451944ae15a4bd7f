"""The conversation of a server: Claude Code names one at the server's start, and goes on with others."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from tallystick import Actor, Journal
from tallystick.core.errors import StorageUnavailable
from tallystick.interfaces.mcp.server import McpServer
from tallystick.interfaces.mcp.sessions import CallInfo, ProcessSessions
from tallystick.operations.attribution.conversations import ClientConversation
from tallystick.sdk.local import Local
from tests.interfaces.mcp import line_client

HOOK = Actor(kind="hook", name="claude-code")
FORWARD = "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]))"
STEPS = [{"title": "Copy", "cancellable": "reversible", "undo": "delete it"}]


class Claude:
    """A client with our server, and with hooks that see which conversation it is in: in the process above this one."""

    def __init__(self, url: str, conversation: str) -> None:
        self._url = url
        self._journal = Journal.open(url, journal="tests")
        caller = cast(Local, self._journal.caller)
        self._offer = McpServer(ProcessSessions(caller, {"CLAUDE_CODE_SESSION_ID": conversation}), "minimal")
        self._seen: dict[str, str] = {}

    def opens(self, conversation: str, kind: str = "claude-code") -> None:
        with Journal.open(self._url, journal="tests", actor=HOOK, witness="observed") as hook:
            opened = hook.open_session(kind="client", name=f"{kind}:{conversation}", client=kind, process=os.getppid())
        self._seen[conversation] = opened.id

    def works(self, conversation: str, kind: str) -> None:
        """A call that hooks see, which opens an execution."""
        session = self._seen[conversation]
        with Journal.open(self._url, journal="tests", actor=HOOK, witness="observed", session=session) as hook:
            hook.record_action(phase="done", tool="make", summary="make", outcome="ok")

    def leaves(self, conversation: str) -> None:
        with Journal.open(self._url, journal="tests", actor=HOOK, witness="observed") as hook:
            hook.end_session(session_id=self._seen.pop(conversation), reason="clear")

    def call(self, tool: str, client: str = "claude-code", **arguments: Any) -> Any:
        answer = self._offer.answer("tools/call", {"name": tool, "arguments": arguments}, CallInfo(client=client))
        return answer["structuredContent"]

    def plans(self, title: str) -> str:
        return str(self.call("record_plan", title=title, steps=STEPS)["execution_id"])

    def is_done(self) -> str:
        """The execution that a decision without an id ends; the error where it ends none."""
        result = self.call("record_decision", decision="done", why="that was all", incomplete=True)
        return str(result.get("execution_id") or result["error"]["code"])

    def close(self) -> None:
        self._journal.close()


@pytest.fixture
def claude(tmp_path: Path) -> Iterator[Claude]:
    client = Claude(f"sqlite:///{tmp_path / 'j.db'}", "one")
    yield client
    client.close()


def test_a_second_conversation_in_one_process_ends_and_shows_only_its_own_work(claude: Claude) -> None:
    claude.opens("one")
    claude.plans("FIRST")
    claude.leaves("one")
    claude.opens("two")
    assert claude.is_done() == "unknown_handle"
    assert "Another conversation works on it" in claude.call("query_ledger")["text"]
    second = claude.plans("SECOND")
    assert claude.is_done() == second


def test_returning_to_a_conversation_does_not_end_the_plan_of_the_one_between(claude: Claude) -> None:
    claude.opens("one")
    claude.leaves("one")
    claude.opens("two")
    second = claude.plans("SECOND")
    claude.leaves("two")
    claude.opens("one")
    assert claude.is_done() == "unknown_handle"
    first = claude.plans("FIRST")
    assert claude.is_done() == first
    claude.leaves("one")
    claude.opens("two")
    assert claude.is_done() == second


def test_a_continued_conversation_keeps_its_plan_though_its_server_was_given_another_id(tmp_path: Path) -> None:
    """As `claude -p --continue` does."""
    url = f"sqlite:///{tmp_path / 'j.db'}"
    before = Claude(url, "one")
    before.opens("one")
    plan = before.plans("FIRST")
    before.leaves("one")
    before.close()
    now = Claude(url, "made up")
    now.opens("one")
    assert "Another conversation" not in now.call("query_ledger")["text"]
    assert now.is_done() == plan
    now.close()


def test_without_hooks_or_with_several_conversations_seen_the_id_of_the_start_counts(claude: Claude) -> None:
    first = claude.plans("FIRST")
    claude.opens("two")
    claude.opens("three")
    assert claude.is_done() == first


def test_while_the_store_is_away_the_last_conversation_counts(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'j.db'}"
    claude, at_start = Claude(url, "one"), ClientConversation({"CLAUDE_CODE_SESSION_ID": "one"})
    claude.opens("two")
    with Journal.open(url, journal="tests") as journal:
        context = cast(Local, journal.caller).context
        assert at_start.current(context) == "claude-code:two"
    with pytest.raises(StorageUnavailable):
        context.read(lambda view: view.now())
    assert at_start.current(context) == "claude-code:two"
    claude.close()


def test_another_client_started_by_claude_code_does_not_use_its_conversation(tmp_path: Path) -> None:
    """Its shell hands on the environment, and Gemini CLI does so with its servers."""
    url = f"sqlite:///{tmp_path / 'j.db'}"
    claude, gemini = Claude(url, "one"), Claude(url, "one")
    claude.opens("one")
    claude.plans("FIRST")
    result = gemini.call("record_decision", "gemini-cli-mcp-client", decision="done", why="that was all")
    assert result["error"]["code"] == "unknown_handle"
    gemini.close()
    claude.close()


@pytest.mark.parametrize("seen", [(), ("inner",)])
def test_an_agent_started_by_an_observed_agent_has_its_own_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seen: tuple[str, ...]
) -> None:
    """Whether hooks see it, too, or were switched off for it."""
    url, claude = f"sqlite:///{tmp_path / 'j.db'}", tmp_path / "claude"
    claude.symlink_to(os.path.realpath(sys.executable))
    starts = (str(claude), "-I", "-S", "-c", FORWARD)
    monkeypatch.setattr(line_client, "COMMAND", (*starts, *starts, *line_client.COMMAND))
    with (
        line_client.Lines(url, env={"CLAUDE_CODE_SESSION_ID": "told"}) as server,
        Journal.open(url, journal=line_client.JOURNAL, actor=HOOK, witness="observed") as hook,
    ):
        server.call("query_ledger")  # all of them run
        outer = server.process.pid
        for name, process in (("outer", outer), *((name, _child(outer)) for name in seen)):
            hook.open_session(kind="client", name=f"claude-code:{name}", client="claude-code", process=process)
        server.call("record_plan", title="INNER", steps=STEPS)
        opened = [row.name for row in hook.list_sessions().sessions if not row.name.endswith("outer")]
        assert server.close() == 0
    assert set(opened) == {f"claude-code:{seen[0] if seen else 'told'}"}


def _child(process: int) -> int:
    """The only one."""
    return int(Path(f"/proc/{process}/task/{process}/children").read_text())


def test_a_client_that_names_no_conversation_is_in_the_only_one_that_hooks_see(tmp_path: Path) -> None:
    gemini = Claude(f"sqlite:///{tmp_path / 'j.db'}", "")
    name = "gemini-cli-mcp-client"
    gemini.opens("one", "gemini-cli")
    gemini.works("one", "gemini-cli")
    done = gemini.call("record_decision", name, decision="done", why="that was all")
    shown = gemini.call("query_ledger", name)
    assert (done.get("status"), shown["execution_id"]) == ("completed", done.get("execution_id"))
    gemini.opens("two", "gemini-cli")
    gemini.works("two", "gemini-cli")
    refused = gemini.call("record_decision", name, decision="done", why="that was all")
    assert refused["error"]["code"] == "unknown_handle"  # it may be in either
    gemini.close()
