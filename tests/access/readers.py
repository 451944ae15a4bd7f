"""Every way to read a journal: each returns what was requested and what it showed."""

from collections.abc import Callable, Iterator, Sequence
from http.client import HTTPConnection
from threading import Thread
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from msgspec import Struct

from tallystick.interfaces.mcp.query import VIEWS
from tallystick.interfaces.mcp.resources import SCHEME
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.sdk.local import Local
from tallystick.server.application import Application
from tallystick.server.command import open_listener
from tallystick.server.connections import WebServer
from tallystick.server.options import ServerOptions
from tests.access.canaries import Planted
from tests.access.requests import READS, pages, probes
from tests.server.web_server import TIMEOUT_SECONDS, ask

T = TypeVar("T")
VERSION = "2026-07-28"
READER_GROUPS = 10
"""Into how many parts the questions are split among those who are not thorough."""
OTHER_PATHS = ("/session", "/v1/journals", "/metrics", "/readyz", "/version", "/openapi.json", "/")


class Reader(Struct, frozen=True, kw_only=True):
    """A reader of one journal, with a token for it; the tests check that it sees nothing of another journal.

    A `thorough` reader sends every request that can be named. The others share the requests: each sends some of them.
    """

    number: int
    context: OperationContext
    token: str
    port: int
    own: Planted
    other: Planted
    other_journal: str
    thorough: bool

    def some(self, questions: Sequence[T]) -> Sequence[T]:
        return questions if self.thorough else questions[self.number % READER_GROUPS :: READER_GROUPS]

    def calls(self) -> Iterator[tuple[Any, dict[str, Any]]]:
        for operation in self.some(READS):
            probed = [each for planted in (self.own, self.other) for each in probes(operation, planted)]
            yield from ((operation, arguments) for arguments in (probed if self.thorough else probed[:1]))


Shown = Iterator[tuple[str, str]]
ReadPath = Callable[[Reader], Shown]


def operations(reader: Reader) -> Shown:
    """In process, through the operations."""
    for operation, arguments in reader.calls():
        for text in pages(lambda operation, arguments: operation(reader.context, arguments), operation, arguments):
            yield f"{operation.name} {arguments}", text


def searches(reader: Reader) -> Shown:
    """Searches for the other journal's canary, in each operation that searches text."""
    for operation in READS:
        if "text" in operation.arguments.__struct_fields__:
            for text in pages(
                lambda op, arguments: op(reader.context, arguments), operation, {"text": reader.other.canary}
            ):
                yield f"{operation.name} by text", text


def rest(reader: Reader) -> Shown:
    """Over HTTP, with the token; and with the name of another journal beside it."""
    for operation, arguments in reader.calls():
        path = operation.http.removeprefix("GET ")
        left = {name: value for name, value in arguments.items() if f"{{{name}}}" not in path}
        for name in arguments.keys() - left.keys():
            path = path.replace(f"{{{name}}}", quote(arguments[name], safe=""))
        path = path.replace("{execution_id}", "-")
        yield _http_text(reader, f"{path}?{urlencode(left)}", arguments)
    yield _http_text(reader, "/v1/export")
    for path in reader.some(("/v1/executions", "/v1/entries", "/v1/export", *OTHER_PATHS)):
        yield _http_text(reader, path)
        yield _http_text(reader, f"{path}?{urlencode({'journal': reader.other_journal})}")
        yield _http_text(reader, path, headers={"tallystick-journal": quote(reader.other_journal)})


def _http_text(reader: Reader, path: str, arguments: dict[str, Any] | None = None, **more: Any) -> tuple[str, str]:
    headers = {"authorization": f"Bearer {reader.token}", **more.get("headers", {})}
    answer = ask(reader.port, path, headers=headers)
    text = answer.body.decode()
    for value in [*(arguments or {}).values(), reader.other_journal]:  # that it repeats what was asked for is no news
        text = text.replace(f'\\"{value}\\"', "") if answer.status >= 400 else text
    return f"{answer.status} {path} {more}", text


def mcp(reader: Reader) -> Shown:
    """Over MCP: each view, short and detailed, and the resources."""
    for view in reader.some(VIEWS):
        for arguments in (
            {"view": view},
            {"view": view, "detail": "detailed", "filter": {"text": reader.other.canary}},
        ):
            parameters = {"name": "query_ledger", "arguments": arguments}
            yield f"mcp {arguments}", _mcp_text(reader, "tools/call", parameters)
    yield "resources/list", _mcp_text(reader, "resources/list", {})
    for listing in reader.some(("resources/templates/list", "prompts/list", "tools/list")):
        yield listing, _mcp_text(reader, listing, {})
    others = reader.other.handles["execution_id"]
    for what in reader.some(("brief", "approvals", *(f"executions/{id}" for id in others))):
        yield f"resource {what}", _mcp_text(reader, "resources/read", {"uri": f"{SCHEME}{what}"})


def _mcp_text(reader: Reader, method: str, params: dict[str, Any]) -> str:
    envelope = {
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "tester", "version": "1"},
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": envelope}}
    headers = {
        "authorization": f"Bearer {reader.token}",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": VERSION,
        "mcp-method": method,
        "mcp-name": params.get("name") or params.get("uri") or "-",
    }
    answer = ask(reader.port, "/mcp", message, headers=headers)
    return answer.body.decode()


def events(reader: Reader) -> Shown:
    """The event stream, from the first entry until it has caught up."""
    connection = HTTPConnection("127.0.0.1", reader.port, timeout=TIMEOUT_SECONDS)
    try:
        connection.request("GET", "/events?after=0", headers={"authorization": f"Bearer {reader.token}"})
        response = connection.getresponse()
        assert response.status == 200, response.read()
        received: list[str] = []
        while not received or received[-1] != "event: caught_up":
            received.append(response.readline().decode().rstrip())
        yield "/events", "\n".join(received)
    finally:
        connection.close()


PATHS: tuple[ReadPath, ...] = (operations, searches, rest, mcp, events)
"""A new way to read has to be added here."""


class Served:
    """A store behind the whole web application, in a thread of this process."""

    def __init__(self, context: OperationContext) -> None:
        self._listening = open_listener("127.0.0.1", 0)
        self._server = WebServer(Application(Local(context), ServerOptions(login=True, rate=1e9), lambda: None))
        self._thread = Thread(target=self._server.run, args=([self._listening],), name="test-served", daemon=True)
        self.port: int = self._listening.getsockname()[1]

    def __enter__(self) -> "Served":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(TIMEOUT_SECONDS)
        self._listening.close()
