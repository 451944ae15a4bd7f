"""A client in this process: lines go directly to a real connection, without a pipe."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any, BinaryIO, cast

from tallystick import Journal
from tallystick.interfaces.mcp.transport.stdio import StdioConnection
from tallystick.protocol import CAPABILITIES_KEY, CLIENT_KEY, VERSION_KEY
from tallystick.sdk.local import Local

HANDSHAKE, MODERN = "2025-11-25", "2026-07-28"
TIMEOUT_SECONDS = 30
CLIENT = {"name": "lines", "version": "1"}


class Lines:
    """One connection, with one version of the protocol."""

    def __init__(self, url: str, journal: Journal, era: str, profile: str) -> None:
        self.url = url
        self.journal = journal
        self.secret = ""
        self._era = era
        self._output = _Output()
        self._connection = StdioConnection(cast(Local, journal.caller), profile, {}, cast(BinaryIO, self._output))
        self._asked = 0
        if era == HANDSHAKE:
            self.hello = self.ask("initialize", protocolVersion=era, capabilities={}, clientInfo=CLIENT)
        else:
            self.hello = self.ask("server/discover")

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of a request."""
        self._asked += 1
        if self._era == MODERN:
            params["_meta"] = {VERSION_KEY: MODERN, CAPABILITIES_KEY: {}, CLIENT_KEY: CLIENT}
        line = json.dumps({"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params})
        self._connection.take(line.encode())
        answer = json.loads(self._output.lines.get(timeout=TIMEOUT_SECONDS))
        assert answer["id"] == self._asked
        result: dict[str, Any] = answer["result"]
        return result

    def send_line(self, line: str) -> dict[str, Any]:
        """The response to a line as it is."""
        self._connection.take(line.encode())
        answer: dict[str, Any] = json.loads(self._output.lines.get(timeout=TIMEOUT_SECONDS))
        return answer

    def close(self) -> None:
        self._connection.close()

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The whole result of a tool, which may be an error."""
        return self.ask("tools/call", name=tool, arguments=arguments)

    def result_of(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The structured result of a tool. Fails for a tool error."""
        result = self.call(tool, **arguments)
        assert not result["isError"], result["content"]
        structure: dict[str, Any] = result["structuredContent"]
        return structure


@contextmanager
def lines(url: str = "memory:", era: str = MODERN, profile: str = "all") -> Iterator[Lines]:
    with Journal.open(url, journal="tests") as journal:
        client = Lines(url, journal, era, profile)
        yield client
        client.close()


class _Output:
    """Collects whole lines, also from the threads that answer long reads."""

    def __init__(self) -> None:
        self.lines: SimpleQueue[bytes] = SimpleQueue()

    def write(self, line: bytes) -> int:
        self.lines.put(line)
        return len(line)
