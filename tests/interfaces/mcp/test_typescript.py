"""The client of the TypeScript SDK, which validates results against the schemas of the tools."""

import json
from pathlib import Path
from typing import Any

from tests import node
from tests.interfaces.mcp.http_client import COMMAND


def test_the_typescript_client_gets_responses_and_errors_unchanged(tmp_path: Path) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("query_ledger", {"view": "nope"}),
        ("record_action", {"phase": "begin", "summary": "copying", "tool": "cp"}),
        ("record_execution_start", {"title": "Move the site"}),
        ("record_action", {"phase": "begin", "summary": "copying", "tool": "cp"}),
        ("record_decision", {"decision": "resume", "why": "it runs"}),
        ("query_ledger", {}),
    ]
    received = _called(tmp_path, calls)
    assert [each.get("thrown") for each in received] == [None] * len(calls)
    codes = [each["structuredContent"].get("error", {}).get("code") for each in received]
    assert codes == ["invalid_argument", "unknown_handle", None, None, "wrong_state", None]
    assert [each["isError"] for each in received] == [code is not None for code in codes]


def _called(folder: Path, calls: list[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    server = (str(COMMAND), "mcp", "--url", f"sqlite:///{folder / 'journal.db'}", "--journal", "test")
    call_arguments = json.dumps([{"name": name, "arguments": arguments} for name, arguments in calls])
    done = node.run(node.FOLDER / "typescript_client.mjs", *server, stdin=call_arguments)
    assert done.returncode == 0, done.stderr
    received: list[dict[str, Any]] = json.loads(done.stdout)
    return received
