"""A client of the legacy tools, over a journal in a file, and a second journal that reads the same file."""

import io
import json
from pathlib import Path
from typing import Any, cast

import jsonschema

from tallystick import Journal
from tallystick.core.tools import snake_case
from tallystick.interfaces.mcp import legacy
from tallystick.interfaces.mcp.transport.stdio import StdioConnection
from tallystick.operations.views.entries import EntryView
from tallystick.sdk.local import Local

HANDSHAKE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "older", "version": "1"},
}


class Older:
    """Sends JSON lines to a server in this process. `journal` reads the same file."""

    def __init__(self, path: Path, profile: str = "all") -> None:
        url = f"sqlite:///{path}"
        self._server = Journal.open(url, journal="older")
        self.journal = Journal.open(url, journal="older")
        self._output = io.BytesIO()
        self._connection = StdioConnection(cast(Local, self._server.caller), profile, {}, self._output)
        self._number = 0
        self.ask("initialize", **HANDSHAKE)
        self._answers = {name: tool.output_schema for name, tool in legacy.all_tools().items()}
        self._answers |= {tool["name"]: tool["outputSchema"] for tool in self.ask("tools/list")["tools"]}

    def close(self) -> None:
        self._server.close()
        self.journal.close()

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self._connection.take(json.dumps(message).encode() + b"\n")
        answer = json.loads(self._output.getvalue().splitlines()[-1])
        assert answer["id"] == self._number
        found: dict[str, Any] = answer.get("result", answer)
        return found

    def call(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        return self.ask("tools/call", name=name, arguments=arguments)

    def result_of(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """The structured result of a call. Fails for a tool error."""
        result = self.call(name, arguments)
        assert result["isError"] is False, result["content"]
        found: dict[str, Any] = result["structuredContent"]
        jsonschema.validate(found, self._answers[snake_case(name)])  # as clients do
        return found

    def refused(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """The error of a call that fails."""
        result = self.call(name, arguments)
        assert result["isError"] is True, result["structuredContent"]
        error: dict[str, Any] = result["structuredContent"]["error"]
        return error

    def entries(self, *kinds: str) -> list[EntryView]:
        """The entries of these kinds, in order; of all kinds by default."""
        found = self.journal.read_entries(limit=100).entries
        return [entry for entry in found if not kinds or entry.kind in kinds]

    def last(self, kind: str) -> EntryView:
        return self.entries(kind)[-1]
