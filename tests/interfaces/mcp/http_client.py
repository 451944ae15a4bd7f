"""A real `tallystick serve` process, and a client of raw HTTP for it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from typing import IO, Any

COMMAND = Path(sys.executable).with_name("tallystick")
VERSION = "2026-07-28"
_numbers = count(1)


class Answer:
    """An HTTP response."""

    def __init__(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.status = status
        self.headers = {name.lower(): value for name, value in headers.items()}
        self.body = body

    @property
    def message(self) -> dict[str, Any]:
        """The JSON-RPC message; the last one of an event stream."""
        text = self.body.decode()
        if self.headers.get("content-type", "").startswith("text/event-stream"):
            text = [line.removeprefix("data:") for line in text.splitlines() if line.startswith("data:")][-1]
        found: dict[str, Any] = json.loads(text)
        return found


class Served:
    """A running server."""

    def __init__(self, greeting: str, process: "subprocess.Popen[str] | None" = None) -> None:
        self.greeting = greeting
        self.process = process
        line = next(line for line in greeting.splitlines() if line.startswith("MCP over HTTP:"))
        self.url = line.split()[-1]
        self.host, _, port = self.url.removeprefix("http://").removesuffix("/mcp").rpartition(":")
        self.port = int(port)

    def post(self, body: Any, headers: Mapping[str, str] | None = None) -> Answer:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            result = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
            raw = body if isinstance(body, bytes) else json.dumps(body).encode()
            connection.request("POST", "/mcp", raw, {**result, **(headers or {})})
            response = connection.getresponse()
            return Answer(response.status, dict(response.getheaders()), response.read())
        finally:
            connection.close()

    def raw(self, headers: Sequence[tuple[str, str]], body: bytes = b"{}") -> Answer:
        """A request with exactly these headers, repeated ones included."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.putrequest("POST", "/mcp", skip_host=True, skip_accept_encoding=True)
            for name, value in (*headers, ("content-length", str(len(body)))):
                connection.putheader(name, value)
            connection.endheaders(body)
            response = connection.getresponse()
            return Answer(response.status, dict(response.getheaders()), response.read())
        finally:
            connection.close()

    def handshake(self) -> dict[str, str]:
        """Initialize a session with a handshake. Returns the headers for later requests."""
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "old", "version": "1"}}
        opened = self.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello})
        result = {"mcp-session-id": opened.headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25"}
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, result)
        return result

    def delete(self, headers: Mapping[str, str]) -> int:
        """End a session of the handshake. Returns the status of the response."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("DELETE", "/mcp", headers=dict(headers))
            return connection.getresponse().status
        finally:
            connection.close()

    @contextmanager
    def stream(self, body: Any = None, headers: Mapping[str, str] | None = None) -> Iterator[Iterator[dict[str, Any]]]:
        """The messages of an event stream, as they arrive: of a POST, or of a GET if there is no body."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            result = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
            raw = None if body is None else json.dumps(body).encode()
            connection.request("GET" if raw is None else "POST", "/mcp", raw, {**result, **(headers or {})})
            response = connection.getresponse()
            assert response.status == 200, response.read()
            lines = iter(response.readline, b"")
            yield (json.loads(line.removeprefix(b"data:")) for line in lines if line.startswith(b"data:"))
        finally:
            connection.close()

    def modern(
        self,
        method: str,
        params: dict[str, Any],
        *,
        meta: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        id: int | None = None,
    ) -> Answer:
        """A request of the stateless protocol, 2026-07-28."""
        envelope = {
            "io.modelcontextprotocol/protocolVersion": VERSION,
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "tester", "version": "1"},
            **(meta or {}),
        }
        named = params.get("name") or params.get("uri")
        result = {"mcp-protocol-version": VERSION, "mcp-method": method, **({"mcp-name": named} if named else {})}
        number = next(_numbers) if id is None else id
        body = {"jsonrpc": "2.0", "id": number, "method": method, "params": {**params, "_meta": envelope}}
        return self.post(body, {**result, **(headers or {})})

    def call(
        self, tool: str, /, *, meta: Mapping[str, Any] | None = None, id: int | None = None, **arguments: Any
    ) -> Any:
        """The result of a tool call, by a client that sends no conversation unless `meta` has one."""
        answer = self.modern("tools/call", {"name": tool, "arguments": arguments}, meta=meta, id=id)
        assert answer.status == 200, answer.body
        return answer.message["result"]


@contextmanager
def served(
    url: str,
    *options: str,
    env: Mapping[str, str] | None = None,
    program: Sequence[str] = (str(COMMAND), "serve"),
    errors: IO[bytes] | None = None,
) -> Iterator[Served]:
    """Start a server on a free port, wait until it is ready, and end it."""
    command = [*program, "--url", url, "--journal", "test", "--port", "0", *options]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=errors, text=True, env={**os.environ, **(env or {})}
    )
    try:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if line.strip() == "Ready. Stop it with Ctrl-C.":
                break
        yield Served("".join(lines), process)
    finally:
        process.terminate()
        process.communicate(timeout=30)
