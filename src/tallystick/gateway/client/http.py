"""Serves clients over HTTP, in both eras of MCP (see `protocol`). A session of the handshake era has its own servers.

The MCP SDK's transport handles the sessions and streams of the handshake era, and its rules check the headers of the
modern era. The web server runs in one thread and the gateway's loop in another. Only `--http` imports this module.
"""

import asyncio
import math
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from threading import Thread
from typing import Any
from uuid import uuid4

import msgspec
import uvicorn
from anyio import ClosedResourceError
from mcp.server.streamable_http import StreamableHTTPServerTransport
from mcp.shared.inbound import (
    ERROR_CODE_HTTP_STATUS,
    InboundLadderRejection,
    classify_inbound_request,
    find_duplicated_routing_header,
    validate_mcp_param_headers,
)
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import jsonrpc_message_adapter
from msgspec import Raw
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tallystick import protocol
from tallystick.core.errors import StorageUnavailable
from tallystick.gateway.client.connection import ClientConnection
from tallystick.gateway.gateway import Gateway
from tallystick.gateway.upstream_factory import make_upstreams
from tallystick.protocol.jsonrpc import Id, decode, encode, is_id

PATH = "/mcp"
MAX_SESSIONS = 100
"""How many sessions of the handshake era may be open at once."""
MODERN_CLIENT_KEY = "modern"
"""Clients of the modern era have no session: their name and conversation distinguish them."""
HEADER_MISMATCH = -32020
SCHEMA_SECONDS = 10.0
"""How long a call waits for its tool's schema. Without it, headers are not compared with arguments."""
IDLE_SECONDS = 3600.0
"""A session without a request or an open stream ends after this time."""
PING_SECONDS = 15.0
"""How often a silent stream sends a comment, so that it is not taken for dead."""
_STREAM_HEADERS = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-cache, no-transform")]


class Exchange:
    """One request of the modern era, and the messages that answer it."""

    def __init__(self, id: Id, events: asyncio.AbstractEventLoop) -> None:
        self.id = id
        self._events = events
        self.messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    def put(self, line: bytes) -> None:
        """Add a message, with the client's own id. Called in the gateway's thread."""
        message: dict[str, Any] = msgspec.json.decode(line, type=dict[str, Raw])  # a result is not decoded
        if "id" in message:
            message["id"] = self.id
        if protocol.SUBSCRIPTION_KEY.encode() in line and "params" in message:
            params = msgspec.json.decode(message["params"], type=dict[str, Any])
            params["_meta"] = {**params.get("_meta", {}), protocol.SUBSCRIPTION_KEY: self.id}
            message["params"] = params
        with suppress(RuntimeError):
            self._events.call_soon_threadsafe(self.messages.put_nowait, message)


class HttpFrontend:
    """The web application."""

    def __init__(self, gateway: Gateway, idle_seconds: float = IDLE_SECONDS) -> None:
        self._gateway = gateway
        self._idle_seconds = idle_seconds
        self._open_requests: dict[str, int] = {}
        """The number of open requests of each session."""
        self._finished_requests: dict[str, int] = {}
        self._active_ids: set[tuple[str, Id | None]] = set()
        self._sessions: dict[str, StreamableHTTPServerTransport] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._exchanges: dict[Id, Exchange] = {}
        self._numbers = count(1)
        self._modern: ClientConnection | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        if request.url.path != PATH:
            await Response(status_code=404)(scope, receive, send)
            return
        version = request.headers.get("mcp-protocol-version")
        if version is not None and version not in protocol.HANDSHAKE_VERSIONS:
            await self._handle_modern(request, scope, receive, send)
            return
        session = request.headers.get("mcp-session-id")
        if session is not None and session not in self._sessions:
            await _error_response(404, None, protocol.INVALID_REQUEST, "Session not found")(scope, receive, send)
        elif session is not None:
            await self._handle_in_session(session, scope, receive, send)
        elif len(self._sessions) >= MAX_SESSIONS:
            await _error_response(503, None, protocol.INTERNAL_ERROR, "Too many sessions")(scope, receive, send)
        else:
            await self._open_session(scope, receive, send)

    async def _handle_in_session(self, session: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request in a session. A session without open requests ends after a while."""
        id, receive = await _read_id(scope, receive)
        if (session, id) in self._active_ids:  # the SDK would send the first answer to the second request
            message = "A request with this id is under way."
            await _error_response(400, id, protocol.INVALID_REQUEST, message)(scope, receive, send)
            return
        if session not in self._sessions:  # it ended while the request arrived
            await _error_response(404, id, protocol.INVALID_REQUEST, "Session not found")(scope, receive, send)
            return
        self._open_requests[session] = self._open_requests.get(session, 0) + 1
        if id is not None:
            self._active_ids.add((session, id))
        try:
            await self._sessions[session].handle_request(scope, receive, send)
        finally:
            self._active_ids.discard((session, id))
            if session in self._open_requests:  # else the session has ended meanwhile
                self._open_requests[session] -= 1
                finished = self._finished_requests[session] = self._finished_requests.get(session, 0) + 1
                asyncio.get_running_loop().call_later(self._idle_seconds, self._end_if_idle, session, finished)

    def _end_if_idle(self, session: str, finished: int) -> None:
        """End a session if no request was open since the one with this number."""
        if (
            session in self._sessions
            and self._finished_requests.get(session) == finished
            and not self._open_requests.get(session)
        ):
            task = asyncio.ensure_future(self._sessions[session].terminate())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        for transport in list(self._sessions.values()):
            await transport.terminate()
        for task in list(self._tasks):
            task.cancel()

    async def _open_session(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request without a session: only a handshake opens one."""
        transport = StreamableHTTPServerTransport(uuid4().hex)
        id = str(transport.mcp_session_id)
        ready = asyncio.Event()
        self._sessions[id] = transport
        task = asyncio.create_task(self._run_session(transport, ready))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        status = 500

        async def send_and_note_status(message: Any) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        await ready.wait()
        try:
            await transport.handle_request(scope, receive, send_and_note_status)
        finally:
            if status >= 400:
                self._sessions.pop(id, None)
                await transport.terminate()

    async def _run_session(self, transport: StreamableHTTPServerTransport, ready: asyncio.Event) -> None:
        """Carry messages between one client and its connection in the gateway."""
        events = asyncio.get_running_loop()
        outgoing: asyncio.Queue[tuple[bytes, Id | None]] = asyncio.Queue()

        def emit(line: bytes, related: Id | None) -> None:
            with suppress(RuntimeError):
                events.call_soon_threadsafe(outgoing.put_nowait, (line, related))

        connection: ClientConnection | None = None
        async with transport.connect() as (incoming, back):
            ready.set()
            sending = asyncio.create_task(_send_outgoing(outgoing, back))
            with suppress(ClosedResourceError):  # the client has ended its session
                async for item in incoming:
                    if isinstance(item, SessionMessage):
                        connection = connection or await self._connect(emit, str(transport.mcp_session_id))
                        if (error := _reject_not_finite(item.message)) is not None:
                            emit(error, getattr(item.message, "id", None))
                            continue
                        line = item.message.model_dump_json(by_alias=True, exclude_unset=True).encode()
                        self._gateway.loop.post(lambda line=line, connection=connection: connection.take(line))  # type: ignore[misc]
            sending.cancel()
            id = str(transport.mcp_session_id)
            for held in (self._sessions, self._open_requests, self._finished_requests):
                held.pop(id, None)
            if connection is not None:
                self._gateway.loop.post(connection.on_client_gone)

    async def _connect(self, emit: Callable[[bytes, Id | None], None], client_key: str) -> ClientConnection:
        """Make the connection of one client, in the gateway's thread."""
        events = asyncio.get_running_loop()
        made: asyncio.Future[ClientConnection] = events.create_future()

        def make() -> None:
            connection = ClientConnection(self._gateway, emit, client_key)
            connection.attach(*make_upstreams(self._gateway, connection.server_messages))
            for upstream in connection.upstreams:
                upstream.start()
            events.call_soon_threadsafe(made.set_result, connection)

        self._gateway.loop.post(make)
        return await made

    async def _handle_modern(self, request: Request, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request of the modern era, which needs no session."""
        raw = await request.body() if request.method == "POST" else b""
        response = _check_modern(request, raw)
        if response is not None:
            await response(scope, receive, send)
            return
        body, fields = msgspec.json.decode(raw), msgspec.json.decode(raw, type=dict[str, Raw])
        problem = classify_inbound_request(body, headers=dict(request.headers))
        if not isinstance(problem, InboundLadderRejection):
            if self._modern is None:
                self._modern = await self._connect(self._emit, MODERN_CLIENT_KEY)
            problem = await self._check_argument_headers(body, request) or problem
        if isinstance(problem, InboundLadderRejection):
            status = ERROR_CODE_HTTP_STATUS.get(problem.code, 400)
            error = _error_response(status, body["id"], problem.code, problem.message, problem.data)
            await error(scope, receive, send)
            return
        if not await request.is_disconnected():  # the request of a client that is gone is not carried out
            await self._exchange(body["id"], fields, receive, send)

    async def _check_argument_headers(self, body: dict[str, Any], request: Request) -> InboundLadderRejection | None:
        """Compare the headers that a tool requires with its arguments."""
        params = body.get("params") or {}
        arguments = params.get("arguments")
        connection = self._modern
        if body.get("method") != "tools/call" or not isinstance(arguments, dict | None) or connection is None:
            return None
        if not arguments and not any(name.startswith("mcp-param-") for name in request.headers):
            return None
        events = asyncio.get_running_loop()
        known: asyncio.Future[Any] = events.create_future()

        def on_schema(schema: Any) -> None:
            events.call_soon_threadsafe(_set_result, known, schema)

        def fetch() -> None:
            connection.fetch_schema(str(params.get("name")), {"_meta": params.get("_meta")}, on_schema)

        self._gateway.loop.post(fetch)
        schema = None
        with suppress(TimeoutError):
            schema = await asyncio.wait_for(known, SCHEMA_SECONDS)
        return validate_mcp_param_headers(schema, arguments or {}, request.headers) if schema else None

    async def _exchange(self, id: Id, fields: dict[str, Raw], receive: Receive, send: Send) -> None:
        """Send a request to the gateway under another id, and answer it, or cancel it if the client disconnects."""
        number = f"http-{next(self._numbers)}"
        exchange = Exchange(id, asyncio.get_running_loop())
        self._exchanges[number] = exchange
        connection = self._modern
        assert connection is not None
        line = encode({**fields, "id": number})
        self._gateway.loop.post(lambda: connection.take(line))
        answering = asyncio.create_task(_answer(exchange, send))
        disconnecting = asyncio.create_task(_wait_disconnected(receive))
        try:
            await asyncio.wait((answering, disconnecting), return_when=asyncio.FIRST_COMPLETED)
            if not answering.done():
                params = {"requestId": number, "reason": "the client has closed the stream"}
                cancelled = encode({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
                self._gateway.loop.post(lambda: connection.take(cancelled))
        finally:
            self._exchanges.pop(number, None)
            answering.cancel()
            disconnecting.cancel()

    def _emit(self, line: bytes, related: Id | None) -> None:
        """Add a line to its request's exchange, in the gateway's thread. Other lines have no stream in this era."""
        exchange = self._exchanges.get(related) if related is not None else None
        if exchange is not None:
            exchange.put(line)


def _check_modern(request: Request, raw: bytes) -> Response | None:
    """The response to a request that cannot be handled in the modern era, or needs no answer; else None."""
    if request.method != "POST":
        return Response(status_code=405, headers={"Allow": "POST"})
    accepted = request.headers.get("accept", "*/*")
    if "json" not in accepted and "*/*" not in accepted:
        return Response(status_code=406)
    try:
        body = msgspec.json.decode(raw)  # the guard has checked that it is a message
        msgspec.json.decode(raw, type=dict[str, Raw])
    except (msgspec.DecodeError, RecursionError) as error:  # JSON that no journal takes, such as 1e999
        return _error_response(400, None, protocol.PARSE_ERROR, str(error))
    if "id" not in body:
        return Response(status_code=202)
    if body.get("method") == "initialize":
        message = "There is no handshake in this version."
        return _error_response(404, body["id"], protocol.METHOD_NOT_FOUND, message)
    duplicated = find_duplicated_routing_header(request.headers.items())
    if duplicated is not None:
        return _error_response(400, body["id"], HEADER_MISMATCH, f"{duplicated} header appears more than once")
    return None


async def _read_id(scope: Scope, receive: Receive) -> tuple[Id | None, Receive]:
    """Return the id of a posted request, if it has one, and a `receive` that delivers its body again."""
    if scope["method"] != "POST":
        return None, receive
    pieces: list[bytes] = []
    more = True
    while more:
        message = await receive()
        if message["type"] != "http.request":  # the client has disconnected before the body was complete
            return None, _replay([message], receive)
        pieces.append(message.get("body", b""))
        more = message.get("more_body", False)
    body = b"".join(pieces)
    id: Any = None
    with suppress(msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        decoded = decode(body)
        id = decoded.id if isinstance(decoded.method, str) and is_id(decoded.id) else None
    return id, _replay([{"type": "http.request", "body": body, "more_body": False}], receive)


def _replay(messages: list[Any], receive: Receive) -> Receive:
    async def again() -> Any:
        return messages.pop(0) if messages else await receive()

    return again


async def _send_outgoing(outgoing: "asyncio.Queue[tuple[bytes, Id | None]]", back: Any) -> None:
    while True:
        line, related = await outgoing.get()
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        await back.send(SessionMessage(message, metadata=ServerMessageMetadata(related_request_id=related)))


async def _answer(exchange: Exchange, send: Send) -> None:
    """Send one answer as JSON, or a stream of events if notifications come before it."""
    message = None
    with suppress(TimeoutError):
        message = await asyncio.wait_for(exchange.messages.get(), PING_SECONDS)
    if message is not None and "method" not in message:
        error = msgspec.json.decode(message["error"], type=dict[str, Raw]) if "error" in message else {}
        status = ERROR_CODE_HTTP_STATUS.get(msgspec.json.decode(error["code"]), 200) if "code" in error else 200
        body = encode(message)
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})
        return
    await send({"type": "http.response.start", "status": 200, "headers": _STREAM_HEADERS})
    while True:
        event = b": ping\r\n\r\n" if message is None else b"event: message\r\ndata: " + encode(message) + b"\r\n\r\n"
        is_last = message is not None and "method" not in message
        await send({"type": "http.response.body", "body": event, "more_body": not is_last})
        if is_last:
            return
        message = None
        with suppress(TimeoutError):
            message = await asyncio.wait_for(exchange.messages.get(), PING_SECONDS)


async def _wait_disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _error_response(status: int, id: Any, code: int, message: str, data: Any = None) -> Response:
    error = protocol.ProtocolError(code, message, data).as_dict()
    return Response(encode({"jsonrpc": "2.0", "id": id, "error": error}), status, media_type="application/json")


def _set_result(future: "asyncio.Future[Any]", value: Any) -> None:
    if not future.done():  # it is done if the wait has timed out
        future.set_result(value)


def _reject_not_finite(message: Any) -> bytes | None:
    """The error for a request with a number that JSON does not have: encoded again, it would be another value."""
    waiting: list[Any] = [getattr(message, "params", None), getattr(message, "result", None)]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict | list):
            waiting += each.values() if isinstance(each, dict) else each
        elif isinstance(each, float) and not math.isfinite(each):
            error = {"code": protocol.INVALID_PARAMS, "message": "A number is too large."}
            return encode({"jsonrpc": "2.0", "id": getattr(message, "id", None), "error": error})
    return None


class AnnouncingServer(uvicorn.Server):
    """The web server: prints its address when it is ready, and closes all sessions before it stops."""

    def __init__(self, config: uvicorn.Config, frontend: HttpFrontend, port: int) -> None:
        super().__init__(config)
        self._frontend = frontend
        self._port = port

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            print(f"MCP over HTTP: http://127.0.0.1:{self._port}{PATH}")
            print("Ready. Stop it with Ctrl-C.", flush=True)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._frontend.close()
        await super().shutdown(sockets)


def serve(gateway: Gateway, port: int) -> None:
    """Serve until interrupted. Only programs of this machine may connect."""
    # The protocol is given, or asyncio would not turn off Nagle's algorithm: 40 ms for each answer of two packets.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", port))
    except OSError as error:
        hint = "Use another port, or 0 for a free one."
        raise StorageUnavailable(f"Port {port} cannot be used: {error.strerror}.", hint=hint) from None
    frontend = HttpFrontend(gateway)
    assert gateway.dependencies.guard_http is not None
    # uvicorn raises the signal again after it has stopped: that must not end the process before outcomes are written.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    loop_thread = Thread(target=gateway.loop.run, name="tallystick-gateway", daemon=True)
    loop_thread.start()

    config = uvicorn.Config(
        gateway.dependencies.guard_http(frontend), log_level="warning", access_log=False, timeout_graceful_shutdown=3
    )
    try:
        AnnouncingServer(config, frontend, listening.getsockname()[1]).run([listening])
    finally:
        gateway.loop.post(gateway.loop.stop)
        loop_thread.join(5)
        gateway.end_calls("The gateway ended while the call was under way.")
        for connection in list(gateway.clients):
            connection.close()
