"""The MCP Inspector's command line against our servers: a client that we did not write, one process for each call.

Over stdio it starts a server for each call, and ends it: what a call began is in doubt with the next one.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from tallystick.interfaces.mcp.tools import PROFILES
from tests import node
from tests.interfaces.mcp.http_client import COMMAND, served

CONNECT_MS = 30_000
PLAN = [
    {"id": "copy", "title": "Copy the files", "tool": "cp", "cancellable": "reversible", "undo": "delete the copy"},
    {"id": "tell", "title": "Tell the customers", "tool": "mail", "cancellable": "irreversible"},
]


IN_DOUBT_WITH = {"stdio": True, "http": False}
"""Whether what a call began is in doubt with the next: over stdio its server is gone by then."""


class Inspector:
    """The Inspector with one server as its target, in one era of the protocol."""

    def __init__(self, home: Path, era: str, target: list[str], after: list[str]) -> None:
        self._home = home
        self._before = ["--cli", "--protocol-era", era, "--format", "json", "--quiet", *target]
        self._after = after

    def run(self, method: str, *options: str) -> CompletedProcess[str]:
        program = node.program(node.INSPECTOR, "mcp-inspector")
        result = [*self._before, "--connect-timeout", str(CONNECT_MS), "--method", method, *options, *self._after]
        return node.run(program, *result, cwd=self._home, env={"HOME": str(self._home)})

    def ask(self, method: str, *options: str) -> Any:
        """The result of a request that is answered."""
        done = self.run(method, *options)
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)["result"]

    def result_of(self, tool: str, /, **arguments: Any) -> Any:
        """The structure that a tool answers which succeeds. The Inspector itself fails with one that does not."""
        result = self.ask("tools/call", "--tool-name", tool, "--tool-args-json", json.dumps(arguments))
        return result["structuredContent"]


@contextmanager
def _inspector(way: str, era: str, tmp_path: Path) -> Iterator[Inspector]:
    url = f"sqlite:///{tmp_path / 'journal.db'}"
    if way == "stdio":
        yield Inspector(tmp_path, era, [], ["--", str(COMMAND), "mcp", "--url", url, "--journal", "test"])
    else:
        with served(url) as server:
            yield Inspector(tmp_path, era, ["--transport", "http", "--server-url", server.url], [])


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("way", ["stdio", "http"])
def test_the_inspector_calls_each_of_the_six_tools(way: str, era: str, tmp_path: Path) -> None:
    with _inspector(way, era, tmp_path) as inspector:
        plan = inspector.result_of("record_plan", title="Move the site", steps=PLAN)["id"]
        execution = inspector.result_of("record_execution_start", plan_id=plan)["id"]
        of = {"execution_id": execution}
        action = inspector.result_of("record_action", phase="begin", step="copy", summary="copying", **of)["id"]
        status = inspector.result_of("query_ledger", view="status", **of)
        assert (action in status.get("in_doubt", ())) is IN_DOUBT_WITH[way]
        seen = {"evidence": "the files are there", "result": {"path": "new/site"}}
        ended = inspector.result_of(
            "record_action", phase="end", action_id=action, outcome="ok", summary="copied", **seen
        )
        assert ended["state"] == "ok"
        assert (
            inspector.result_of("record_context", key="host", value={"name": "new"}, scope="project")["seq"]
            > ended["seq"]
        )
        owed = inspector.result_of("record_decision", decision="unwind", why="it is the wrong host", **of)["owed"]
        assert [item["action_id"] for item in owed] == [action]


@pytest.mark.parametrize(("way", "era"), [("stdio", "legacy"), ("http", "modern")])
def test_the_inspector_lists_and_reads_everything(way: str, era: str, tmp_path: Path) -> None:
    with _inspector(way, era, tmp_path) as inspector:
        listed = inspector.run("tools/list", "--strict")
        assert listed.returncode == 0, listed.stderr  # 6 would be an error in a schema
        assert "0 errors" in listed.stderr
        assert [tool["name"] for tool in json.loads(listed.stdout)["result"]["tools"]] == list(PROFILES["all"])
        uris = [resource["uri"] for resource in inspector.ask("resources/list")["resources"]]
        assert {"journal://guide", "journal://brief", "journal://approvals", "journal://context/project"} <= set(uris)
        (guide,) = inspector.ask("resources/read", "--uri", "journal://guide")["contents"]
        assert (guide["mimeType"], guide["text"][:2]) == ("text/markdown", "# ")
        arguments = ("--prompt-name", "plan", "--prompt-args", "goal=move the site")
        (message,) = inspector.ask("prompts/get", *arguments)["messages"]
        assert "before you act: move the site" in message["content"]["text"]
        refused = inspector.run("tools/call", "--tool-name", "query_ledger", "--tool-args-json", '{"view": "nope"}')
        assert json.loads(refused.stdout)["result"]["isError"] is True
        assert json.loads(refused.stdout)["result"]["content"][0]["text"].startswith("invalid_argument: view")
