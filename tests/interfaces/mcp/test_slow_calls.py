"""Long reads over HTTP: they delay no other call, and end when no client waits for them."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, Event, Thread
from typing import Any, cast

import uvicorn

from tallystick import Journal
from tallystick.interfaces.mcp.responses import McpResponse
from tallystick.interfaces.mcp.sessions import Cancelled, RequestCaller
from tallystick.interfaces.mcp.tools import Tool
from tallystick.interfaces.mcp.transport.stdio import MAX_LONG_READS
from tallystick.sdk.local import Local
from tallystick.server.application import Application
from tallystick.server.command import open_listener
from tallystick.server.options import ServerOptions
from tests.interfaces.mcp.http_client import VERSION, Served
from tests.interfaces.mcp.line_client import TIMEOUT_SECONDS, Era, request

MANY = 60
"""More than the threads that answer what is short."""
LONG: dict[str, Any] = {"view": "verify"}


class Reads:
    """A tool with calls that take as long as the test wants: a real one would be done before it is looked at."""

    def __init__(self) -> None:
        self.begun = self.running = self.most = 0
        self.changed = Condition()
        self.may_end = Event()
        self.cancelled = Event()

    def wait(self, caller: RequestCaller, arguments: dict[str, Any]) -> McpResponse:
        with self.changed:
            self.begun += 1
            self.running += 1
            self.most = max(self.most, self.running)
            self.changed.notify_all()
        assert self.may_end.wait(TIMEOUT_SECONDS)
        with self.changed:
            self.running -= 1
        return McpResponse(text="done", content={})

    def go_on(self, caller: RequestCaller, arguments: dict[str, Any]) -> McpResponse:
        """Tell progress until that is not wanted any more."""
        assert caller.progress
        done = 0
        try:
            while not self.may_end.is_set():
                done += 1
                caller.progress(done, done + 1)
        except Cancelled:
            self.cancelled.set()
            raise
        return McpResponse(text="done", content={})


def _tool(name: str, run: Any) -> Tool:
    schema = {"type": "object"}
    return Tool(name=name, description=name, input_schema=schema, output_schema=schema, is_read_only=True, run=run)


@contextmanager
def _serving(reads: Reads) -> Iterator[Served]:
    """The real application, with tools that wait."""
    with Journal.open("memory:", journal="test") as journal, open_listener("127.0.0.1", 0) as listening:
        caller = cast(Local, journal.caller)
        more = (_tool("wait", reads.wait), _tool("go_on", reads.go_on))
        app = Application(caller, ServerOptions(more=more))
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=3)
        server = uvicorn.Server(config)
        thread = Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield Served(f"MCP over HTTP: http://127.0.0.1:{listening.getsockname()[1]}/mcp")
        finally:
            reads.may_end.set()
            app.end()
            server.should_exit = True
            thread.join(TIMEOUT_SECONDS)


def test_a_record_does_not_wait_however_many_long_reads_are_under_way() -> None:
    reads = Reads()
    with _serving(reads) as server:
        results: list[Any] = []
        asking = [Thread(target=lambda: results.append(server.call("wait", **LONG))) for _ in range(MANY)]
        for thread in asking:
            thread.start()
        with reads.changed:
            assert reads.changed.wait_for(lambda: reads.begun >= MAX_LONG_READS, TIMEOUT_SECONDS)
        for number in range(5):
            assert server.call("record_context", key="k", value=number)["isError"] is False
        assert results == []
        reads.may_end.set()
        for thread in asking:
            thread.join(TIMEOUT_SECONDS)
    assert len(results) == MANY
    assert reads.most == MAX_LONG_READS


def _calling(era: Era) -> dict[str, Any]:
    params = {"name": "go_on", "arguments": LONG, "_meta": {"progressToken": "t"}}
    return request(77, "tools/call", params, era)


def test_a_long_read_ends_when_a_modern_client_goes_away() -> None:
    reads = Reads()
    result = {"mcp-protocol-version": VERSION, "mcp-method": "tools/call", "mcp-name": "go_on"}
    with _serving(reads) as server:
        with server.stream(_calling("modern"), result) as messages:
            assert next(messages)["method"] == "notifications/progress"
        assert reads.cancelled.wait(TIMEOUT_SECONDS)
        assert server.call("record_context", key="k", value=1)["isError"] is False


def test_a_long_read_ends_when_a_client_of_the_handshake_cancels_it() -> None:
    reads = Reads()
    with _serving(reads) as server:
        result = server.handshake()
        with server.stream(_calling("legacy"), result) as messages:
            assert next(messages)["method"] == "notifications/progress"
            cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 77}}
            assert server.post(cancel, result).status == 202
            assert reads.cancelled.wait(TIMEOUT_SECONDS)
            last = next(message for message in messages if "id" in message)
        assert "result" not in last
        assert server.call("record_context", key="k", value=1)["isError"] is False
