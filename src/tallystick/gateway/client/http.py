"""Serves clients over HTTP, in both eras of MCP (see `protocol`), in the gateway's loop. Only `--http` imports it.

A session of the handshake era has its own servers. Requests of the modern era need no session and share theirs.
"""

import signal
import socket
from collections.abc import Callable
from itertools import count
from time import monotonic
from types import FrameType
from typing import Any
from uuid import uuid4

import msgspec
from msgspec import Raw, UnsetType

from tallystick import protocol
from tallystick.core.errors import StorageUnavailable
from tallystick.gateway.client.connection import ClientConnection
from tallystick.gateway.client.server_messages import Emit
from tallystick.gateway.dependencies import HttpGuard
from tallystick.gateway.gateway import Gateway
from tallystick.gateway.io.http import HttpRequest, HttpResponse, HttpServer
from tallystick.gateway.io.loop import Future, describe_unexpected, start
from tallystick.gateway.upstream_factory import make_upstreams
from tallystick.protocol import request_headers
from tallystick.protocol.jsonrpc import Id, Message, decode, encode

PATH = "/mcp"
MAX_BODY_BYTES = 64 << 20
MAX_SESSIONS = 100
"""How many sessions of the handshake era may be open at once."""
MODERN_CLIENT_KEY = "modern"
"""Clients of the modern era have no session: their name and conversation distinguish them."""
SCHEMA_SECONDS = 10.0
"""How long a call waits for its tool's schema. Without it, headers are not compared with arguments."""
IDLE_SECONDS = 3600.0
"""A session without a request or an open stream ends after this time."""
PING_SECONDS = 15.0
"""After how long a silent stream gets a comment, so that it is not taken for dead."""
TICK_SECONDS = 5.0
STOP_SECONDS = 3.0
"""How long requests are still answered after the signal to stop."""
POLL_SECONDS = 0.05
_BOM = b"\xef\xbb\xbf"
_JSON = ("content-type", "application/json")
_EVENTS = (("content-type", "text/event-stream"), ("cache-control", "no-cache, no-transform"))
_SESSION = "mcp-session-id"


class Exchange:
    """A request that waits for its answer, or a stream of messages."""

    def __init__(self, response: HttpResponse, fields: tuple[tuple[str, str], ...] = ()) -> None:
        self.response = response
        self.silent_since = monotonic()
        self._fields = fields
        """Headers that the response gets in any case."""

    def begin_stream(self) -> None:
        if not self.response.is_stream:
            self.response.begin_stream((*_EVENTS, *self._fields))

    def send(self, line: bytes) -> None:
        """Send a message that does not end the exchange."""
        self.begin_stream()
        self.silent_since = monotonic()
        self.response.send_part(b"event: message\r\ndata: %b\r\n\r\n" % line.rstrip(b"\n"))

    def answer(self, line: bytes, status: int = 200) -> None:
        """Send the last message: as JSON, unless others came before it."""
        if self.response.is_stream:
            self.send(line)
            self.response.end_stream()
        else:
            self.response.send(status, (_JSON, *self._fields), line)

    def end(self) -> None:
        """End a stream without an answer; a request that waits for one is told that its session is over."""
        if self.response.is_stream:
            self.response.end_stream()
        else:
            self.answer(_error(None, protocol.INVALID_REQUEST, "Session not found"), 404)

    def ping(self, now: float) -> None:
        if now - self.silent_since >= PING_SECONDS:
            self.silent_since = now
            self.begin_stream()
            self.response.send_part(b": ping\r\n\r\n")


class HttpSession:
    """A session of the handshake era: one client with servers of its own."""

    def __init__(self, gateway: Gateway) -> None:
        self.id = uuid4().hex
        self.fields = ((_SESSION, self.id),)
        self.last_seen = monotonic()
        self._exchanges: dict[Id, Exchange] = {}
        self._standalone: Exchange | None = None
        """The stream for messages that belong to no request."""
        self._connection = _connect(gateway, self._emit, self.id)

    @property
    def exchanges(self) -> list[Exchange]:
        return [*self._exchanges.values(), *([self._standalone] if self._standalone else ())]

    def take(self, request: HttpRequest, response: HttpResponse) -> None:
        self.last_seen = monotonic()
        problem = _unsuitable(request)
        if problem is not None:
            response.send(problem[0], (_JSON, *self.fields), _error(None, protocol.INVALID_REQUEST, problem[1]))
        elif request.method == "GET":
            self._open_stream(response)
        else:
            self._take_message(decode(request.body), request.body, response)

    def end(self) -> None:
        """End the session: its client is gone."""
        for each in self.exchanges:
            each.end()
        self._connection.on_client_gone()

    def _open_stream(self, response: HttpResponse) -> None:
        if self._standalone is not None:
            text = "Conflict: Only one SSE stream is allowed per session"
            response.send(409, (_JSON, *self.fields), _error(None, protocol.INVALID_REQUEST, text))
            return
        self._standalone = Exchange(response, self.fields)
        self._standalone.begin_stream()
        response.on_disconnect = self._on_stream_closed

    def _on_stream_closed(self) -> None:
        self._standalone, self.last_seen = None, monotonic()

    def _take_message(self, message: Message, line: bytes, response: HttpResponse) -> None:
        if not isinstance(message.id, str | int) or not isinstance(message.method, str):
            response.send(202, (_JSON, *self.fields))
        elif message.id in self._exchanges:
            text = "A request with this id is under way."
            response.send(400, (_JSON, *self.fields), _error(message.id, protocol.INVALID_REQUEST, text))
            return
        else:
            id = message.id
            self._exchanges[id] = Exchange(response, self.fields)
            response.on_disconnect = lambda: self._on_disconnect(id)
        self._connection.take(line)

    def _on_disconnect(self, id: Id) -> None:
        """The client waits for no answer any more. That cancels nothing in this era."""
        self._exchanges.pop(id, None)
        self.last_seen = monotonic()

    def _emit(self, line: bytes, related: Id | None) -> None:
        message = decode(line)
        if isinstance(message.method, UnsetType) and isinstance(message.id, str | int):
            if (exchange := self._exchanges.pop(message.id, None)) is not None:
                self.last_seen = monotonic()
                exchange.answer(line)
            return
        receiver = self._standalone if related is None else self._exchanges.get(related)
        if receiver is not None:
            receiver.send(line)


class ModernClients:
    """All clients of the modern era: each request is on its own, and gets an id that no other has."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        self._exchanges: dict[Id, tuple[Exchange, Id]] = {}
        """The requests under way, each with the client's own id."""
        self._numbers = count(1)
        self._connection: ClientConnection | None = None

    @property
    def exchanges(self) -> list[Exchange]:
        return [exchange for exchange, _ in self._exchanges.values()]

    @property
    def is_busy(self) -> bool:
        """Whether a request waits for its answer. A stream of changes does not count."""
        return self._connection is not None and self._connection.is_busy

    def take(self, request: HttpRequest, response: HttpResponse) -> None:
        """Check a request, and hand it over under an id of the gateway."""
        problem = _unsuitable(request, is_modern=True)
        if problem is not None:
            response.send(problem[0], (("allow", "POST"),) if problem[0] == 405 else ())
            return
        try:
            body = msgspec.json.decode(request.body)  # the guard has checked that it is a message
            fields = msgspec.json.decode(request.body, type=dict[str, Raw])
        except (msgspec.DecodeError, RecursionError) as error:  # JSON that no journal takes, such as 1e999
            response.send(400, (_JSON,), _error(None, protocol.PARSE_ERROR, str(error)))
            return
        if "id" not in body:
            response.send(202, ())
            return
        start(
            self._take(body, fields, request, response), lambda error: self._on_unexpected(body["id"], response, error)
        )

    async def _take(
        self, body: dict[str, Any], fields: dict[str, Raw], request: HttpRequest, response: HttpResponse
    ) -> None:
        try:
            _check_modern(body, request)
            if self._connection is None:
                self._connection = _connect(self._gateway, self._emit, MODERN_CLIENT_KEY)
            await self._check_arguments(self._connection, body, request)
        except protocol.ProtocolError as error:
            status = request_headers.STATUS_OF_CODE.get(error.code, 400)
            response.send(status, (_JSON,), encode({"jsonrpc": "2.0", "id": body["id"], "error": error.as_dict()}))
            return
        if not response.is_over:  # the request of a client that is gone is not carried out
            self._exchange(self._connection, body["id"], fields, response)

    def _on_unexpected(self, id: Id, response: HttpResponse, error: Exception) -> None:
        self._gateway.log(describe_unexpected(error))
        text = "The gateway has failed here; its log says where."
        response.send(200, (_JSON,), _error(id, protocol.INTERNAL_ERROR, text))

    async def _check_arguments(self, connection: ClientConnection, body: dict[str, Any], request: HttpRequest) -> None:
        """Compare the headers that a tool requires with its arguments."""
        params = body.get("params") or {}
        arguments = params.get("arguments")
        if body.get("method") != "tools/call" or not isinstance(arguments, dict | None):
            return
        if not arguments and not any(name.startswith("mcp-param-") for name in request.headers):
            return
        for is_last in (False, True):
            declared = request_headers.declared_headers(await self._schema(connection, params))
            try:
                request_headers.check_arguments(declared, arguments or {}, request.fields)
                return
            except protocol.ProtocolError:
                if is_last:
                    raise
                connection.schemas.clear()  # the schema may have changed since it was asked for

    async def _schema(self, connection: ClientConnection, params: dict[str, Any]) -> Any:
        """The schema of the called tool's arguments; None if it is not known."""
        known: Future[Any] = Future()
        timer = self._gateway.loop.later(SCHEMA_SECONDS, lambda: known.resolve(None))
        connection.fetch_schema(str(params.get("name")), {"_meta": params.get("_meta")}, known.resolve)
        schema = await known
        timer.cancel()
        return schema

    def _exchange(self, connection: ClientConnection, id: Id, fields: dict[str, Raw], response: HttpResponse) -> None:
        number = f"http-{next(self._numbers)}"
        self._exchanges[number] = Exchange(response), id
        response.on_disconnect = lambda: self._cancel(connection, number)
        connection.take(encode({**fields, "id": number}))

    def _cancel(self, connection: ClientConnection, number: Id) -> None:
        """The client has closed the stream of a request: in this era, that cancels it."""
        if self._exchanges.pop(number, None) is not None:
            params = {"requestId": number, "reason": "the client has closed the stream"}
            connection.take(encode({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}))

    def _emit(self, line: bytes, related: Id | None) -> None:
        """Send a line to its request's client, with the client's own id. Other lines have no stream in this era."""
        if related is None or related not in self._exchanges:
            return
        exchange, id = self._exchanges[related]
        message: dict[str, Any] = msgspec.json.decode(line, type=dict[str, Raw])  # a result is not decoded
        is_last = "method" not in message
        if "id" in message:
            message["id"] = id
        if protocol.SUBSCRIPTION_KEY.encode() in line and "params" in message:
            params = msgspec.json.decode(message["params"], type=dict[str, Any])
            params["_meta"] = {**params.get("_meta", {}), protocol.SUBSCRIPTION_KEY: id}
            message["params"] = params
        if not is_last:
            exchange.send(encode(message))
            return
        del self._exchanges[related]
        error = msgspec.json.decode(message["error"], type=dict[str, Any]) if "error" in message else {}
        exchange.answer(encode(message), request_headers.STATUS_OF_CODE.get(error.get("code", 0), 200))


class HttpFrontend:
    """The web server's part of the gateway."""

    def __init__(self, gateway: Gateway, guard: HttpGuard, idle_seconds: float = IDLE_SECONDS) -> None:
        self._gateway = gateway
        self._guard = guard
        self._idle_seconds = idle_seconds
        self._sessions: dict[str, HttpSession] = {}
        self._modern = ModernClients(gateway)
        gateway.loop.later(TICK_SECONDS, self._tick)

    @property
    def is_busy(self) -> bool:
        return self._modern.is_busy

    def take(self, request: HttpRequest, response: HttpResponse) -> None:
        """Answer a request of any program: of this machine, as the guard has to find."""
        version = request.headers.get(request_headers.VERSION_HEADER)
        is_modern = version is not None and version not in protocol.HANDSHAKE_VERSIONS
        if (rejection := self._guard.check_headers(request.fields)) is not None:
            response.send(rejection[0], (("content-type", rejection[1]),), rejection[2])
        elif request.path != PATH:
            response.send(404, ())
        elif request.method == "POST" and (rejection := self._guard.check_body(request.body, modern=is_modern)):
            response.send(rejection[0], (("content-type", rejection[1]),), rejection[2])
        else:
            request.body = request.body.removeprefix(_BOM)
            (self._modern.take if is_modern else self._take_in_session)(request, response)

    def end_sessions(self) -> None:
        for each in list(self._sessions.values()):
            self._end_session(each)

    def _take_in_session(self, request: HttpRequest, response: HttpResponse) -> None:
        id = request.headers.get(_SESSION)
        session = self._sessions.get(id) if id is not None else None
        if session is None:
            self._take_without_session(request, response, was_named=id is not None)
        elif request.method == "DELETE":
            self._end_session(session)
            response.send(200, (_JSON, *session.fields))
        else:
            session.take(request, response)

    def _take_without_session(self, request: HttpRequest, response: HttpResponse, *, was_named: bool) -> None:
        """Answer a request without a session: only a handshake opens one."""
        problem = (404, "Session not found") if was_named else _unsuitable(request)
        if problem is None and (request.method != "POST" or decode(request.body).method != "initialize"):
            problem = 400, "Bad Request: Missing session ID"
        if problem is None and len(self._sessions) >= MAX_SESSIONS:
            problem = 503, "Too many sessions"
        if problem is not None:
            code = protocol.INTERNAL_ERROR if problem[0] == 503 else protocol.INVALID_REQUEST
            response.send(problem[0], (_JSON,), _error(None, code, problem[1]))
            return
        session = HttpSession(self._gateway)
        self._sessions[session.id] = session
        session.take(request, response)

    def _end_session(self, session: HttpSession) -> None:
        del self._sessions[session.id]
        session.end()

    def _tick(self) -> None:
        """Keep silent streams alive, and end sessions that nobody uses."""
        now = monotonic()
        for exchange in self._modern.exchanges:
            exchange.ping(now)
        for session in list(self._sessions.values()):
            for exchange in session.exchanges:
                exchange.ping(now)
            if not session.exchanges and now - session.last_seen >= self._idle_seconds:
                self._end_session(session)
        self._gateway.loop.later(TICK_SECONDS, self._tick)


def _connect(gateway: Gateway, emit: Emit, client_key: str) -> ClientConnection:
    connection = ClientConnection(gateway, emit, client_key)
    connection.attach(*make_upstreams(gateway, connection.server_messages))
    for upstream in connection.upstreams:
        upstream.start()
    return connection


def _unsuitable(request: HttpRequest, *, is_modern: bool = False) -> tuple[int, str] | None:
    """Status and reason if a request's method or media types do not suit its era, else None."""
    if is_modern and request.method != "POST":
        return 405, "Method Not Allowed"
    if request.method not in ("GET", "POST", "DELETE"):
        return 405, "Method Not Allowed"
    accepted = [each.partition(";")[0].strip().lower() for each in request.headers.get("accept", "").split(",")]
    has_events = not {"*/*", "text/*", "text/event-stream"}.isdisjoint(accepted)
    has_json = not {"*/*", "application/*", "application/json"}.isdisjoint(accepted)
    if is_modern:
        return None if has_json or accepted == [""] else (406, "Not Acceptable")
    if request.method == "POST" and not _is_json(request.headers.get("content-type", "")):
        return 400, "Invalid Content-Type header"
    if request.method == "POST" and not (has_json and has_events):
        return 406, "Not Acceptable: Client must accept both application/json and text/event-stream"
    if request.method == "GET" and not has_events:
        return 406, "Not Acceptable: Client must accept text/event-stream"
    return None


def _is_json(content_type: str) -> bool:
    return content_type.partition(";")[0].strip().lower() == _JSON[1]


def _check_modern(body: dict[str, Any], request: HttpRequest) -> None:
    """Raise ProtocolError for a request whose headers and body do not agree."""
    if body.get("method") == "initialize":
        raise protocol.ProtocolError(protocol.METHOD_NOT_FOUND, "There is no handshake in this version.")
    if repeated := request_headers.find_repeated(request.fields):
        raise protocol.ProtocolError(request_headers.HEADER_MISMATCH, f"The header {repeated} is there twice.")
    request_headers.check_request(body, request.headers)


def _error(id: Id | None, code: int, message: str) -> bytes:
    return encode({"jsonrpc": "2.0", "id": id, "error": protocol.ProtocolError(code, message).as_dict()})


def serve(gateway: Gateway, port: int) -> None:
    """Serve until interrupted. Only programs of this machine may connect."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", port))
    except OSError as error:
        hint = "Use another port, or 0 for a free one."
        raise StorageUnavailable(f"Port {port} cannot be used: {error.strerror}.", hint=hint) from None
    assert gateway.dependencies.http_guard is not None
    frontend = HttpFrontend(gateway, gateway.dependencies.http_guard)
    server = HttpServer(gateway.loop, listening, frontend.take, MAX_BODY_BYTES)
    stop = _stopper(gateway, frontend, server)

    def on_signal(number: int, frame: FrameType | None) -> None:
        gateway.loop.post(stop)

    signal.signal(signal.SIGTERM, on_signal)
    signal.signal(signal.SIGINT, on_signal)
    print(f"MCP over HTTP: http://127.0.0.1:{listening.getsockname()[1]}{PATH}")
    print("Ready. Stop it with Ctrl-C.", flush=True)
    try:
        gateway.loop.run()
    finally:
        gateway.end_calls("The gateway ended while the call was under way.")
        for connection in list(gateway.clients):
            connection.close()
        server.close()


def _stopper(gateway: Gateway, frontend: HttpFrontend, server: HttpServer) -> Callable[[], None]:
    """Returns what stops the loop: at once if it is called again, else when the requests under way are answered."""
    deadline = 0.0

    def stop_when_idle() -> None:
        if frontend.is_busy and monotonic() < deadline:
            gateway.loop.later(POLL_SECONDS, stop_when_idle)
        else:
            gateway.loop.stop()

    def stop() -> None:
        nonlocal deadline
        is_first, deadline = not deadline, monotonic() + STOP_SECONDS if not deadline else 0.0
        if is_first:
            server.stop_listening()
            frontend.end_sessions()
            stop_when_idle()

    return stop
