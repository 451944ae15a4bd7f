"""Agents that use the journal with the official SDK's client, over each transport."""

import os
import signal
import subprocess
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Literal

from mcp import Client, StdioServerParameters
from mcp.client.session import MessageHandlerFnT

from tallystick import Journal
from tests.interfaces.mcp.line_client import COMMAND, JOURNAL, TIMEOUT_SECONDS, environment

Mode = Literal["auto", "legacy"]


class Agent:
    """One conversation with the server."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, /, *, meta: Mapping[str, Any] | None = None, **arguments: Any) -> Any:
        """The structured result of a tool. Fails for a tool error."""
        result = await self.client.call_tool(tool, arguments, meta=dict(meta) if meta else None)  # type: ignore[arg-type]
        assert not result.is_error, result.content
        return result.structured_content

    async def query(self, view: str, /, **arguments: Any) -> Any:
        return await self.call("query_ledger", view=view, **arguments)


class OverStdio:
    """Each client starts its own server."""

    doubts = True
    """Whether the session ends with the server."""

    def __init__(self, url: str) -> None:
        self.url = url

    @asynccontextmanager
    async def agent(self, mode: Mode, answer: MessageHandlerFnT | None = None) -> AsyncIterator[Agent]:
        command, *arguments = [*COMMAND, "mcp", "--url", self.url, "--journal", JOURNAL]
        server = StdioServerParameters(command=command, args=arguments, env=environment())
        async with Client(server, mode=mode, message_handler=answer, read_timeout_seconds=TIMEOUT_SECONDS) as client:
            yield Agent(client)

    def kill(self) -> None:
        """Kill the server. The journal has its process id in the newest session."""
        with Journal.open(self.url, journal=JOURNAL) as journal:
            opened = journal.read_entries(kind="session_opened", newest_first=True, limit=1).entries[0]
        os.kill(opened.facts["process"], signal.SIGKILL)

    def close(self) -> None:
        """Nothing to close: the servers end with their clients."""


class OverHttp:
    """One server for all clients, restarted after it was killed. Its sessions are handles with a lease."""

    doubts = False

    def __init__(self, url: str) -> None:
        self.url = url
        self._process: subprocess.Popen[str] | None = None
        self._address = ""

    def _serve(self) -> str:
        if self._process is None:
            command = [*COMMAND, "serve", "--url", self.url, "--journal", JOURNAL, "--port", "0"]
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment())
            assert self._process.stdout
            for line in self._process.stdout:
                if line.startswith("MCP over HTTP:"):
                    self._address = line.split()[-1]
                if line.startswith("Ready."):
                    break
        return self._address

    @asynccontextmanager
    async def agent(self, mode: Mode, answer: MessageHandlerFnT | None = None) -> AsyncIterator[Agent]:
        async with Client(
            self._serve(), mode=mode, message_handler=answer, read_timeout_seconds=TIMEOUT_SECONDS
        ) as client:
            yield Agent(client)

    def kill(self) -> None:
        assert self._process
        assert self._process.stdout
        self._process.kill()
        self._process.wait(TIMEOUT_SECONDS)
        self._process.stdout.close()
        self._process = None

    def close(self) -> None:
        if self._process:
            self.kill()


TRANSPORTS: dict[str, Callable[[str], OverStdio | OverHttp]] = {"stdio": OverStdio, "http": OverHttp}
