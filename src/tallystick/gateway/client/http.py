"""Clients over HTTP, in both eras; each session of the older one has servers of its own behind it.

The SDK's transport knows the sessions and streams of the handshake era, and its rules the headers of the modern one.
Nothing but `--http` imports this module.
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
from tallystick.gateway.servers import behind
from tallystick.protocol.jsonrpc import Id, decode, encode, is_id

PATH = "/mcp"
SESSIONS = 100
"""How many sessions of the handshake era are held at once."""
MODERN = "modern"
"""Clients of the modern era have no session: what they tell of themselves keeps them apart."""
HEADER_MISMATCH = -32020
SCHEMA_SECONDS = 10.0
"""How long a call waits for what its server says of its arguments; without it, headers are not compared with them."""
IDLE_SECONDS = 3600.0
"""After which a session whose client asks nothing, and holds no stream open, is taken for left."""
SILENCE_SECONDS = 15.0
"""After which a stream says that it lives."""
_STREAM = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-cache, no-transform")]


class Exchange:
    """One request of the modern era, and what comes back for it."""

    def __init__(self, id: Id, events: asyncio.AbstractEventLoop) -> None:
        self.id = id
        self._events = events
        self.came: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    def put(self, line: bytes) -> None:
        """From the gateway's thread: under the id that the client has given it."""
        message: dict[str, Any] = msgspec.json.decode(line, type=dict[str, Raw])  # a result stays as it came
        if "id" in message:
            message["id"] = self.id
        if protocol.SUBSCRIPTION_KEY.encode() in line and "params" in message:
            params = msgspec.json.decode(message["params"], type=dict[str, Any])
            params["_meta"] = {**params.get("_meta", {}), protocol.SUBSCRIPTION_KEY: self.id}
            message["params"] = params
        with suppress(RuntimeError):
            self._events.call_soon_threadsafe(self.came.put_nowait, message)


class HttpFrontend:
    """The web application."""

    def __init__(self, gateway: Gateway, idle: float = IDLE_SECONDS) -> None:
        self._gateway = gateway
        self._idle = idle
        self._open: dict[str, int] = {}
        self._turns: dict[str, int] = {}
        self._asking: set[tuple[str, Id | None]] = set()
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
            await self._alone(request, scope, receive, send)
            return
        session = request.headers.get("mcp-session-id")
        if session is not None and session not in self._sessions:
            await _refused(404, None, protocol.INVALID_REQUEST, "Session not found")(scope, receive, send)
        elif session is not None:
            await self._asked(session, scope, receive, send)
        elif len(self._sessions) >= SESSIONS:
            await _refused(503, None, protocol.INTERNAL_ERROR, "Too many sessions")(scope, receive, send)
        else:
            await self._opened(scope, receive, send)

    async def _asked(self, session: str, scope: Scope, receive: Receive, send: Send) -> None:
        """A request in a session; while none is open, the session may be left, and ends after a while."""
        id, receive = await _named(scope, receive)
        if (session, id) in self._asking:  # the SDK would give the stream of the first to the second
            said = "A request with this id is under way."
            await _refused(400, id, protocol.INVALID_REQUEST, said)(scope, receive, send)
            return
        if session not in self._sessions:  # it has ended while the request came in
            await _refused(404, id, protocol.INVALID_REQUEST, "Session not found")(scope, receive, send)
            return
        self._open[session] = self._open.get(session, 0) + 1
        if id is not None:
            self._asking.add((session, id))
        try:
            await self._sessions[session].handle_request(scope, receive, send)
        finally:
            self._asking.discard((session, id))
            if session in self._open:  # else it has ended meanwhile
                self._open[session] -= 1
                turn = self._turns[session] = self._turns.get(session, 0) + 1
                asyncio.get_running_loop().call_later(self._idle, self._left, session, turn)

    def _left(self, session: str, turn: int) -> None:
        if session in self._sessions and self._turns.get(session) == turn and not self._open.get(session):
            task = asyncio.ensure_future(self._sessions[session].terminate())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        for transport in list(self._sessions.values()):
            await transport.terminate()
        for task in list(self._tasks):
            task.cancel()

    async def _opened(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A request with no session: only a handshake makes one."""
        transport = StreamableHTTPServerTransport(uuid4().hex)
        id = str(transport.mcp_session_id)
        ready = asyncio.Event()
        self._sessions[id] = transport
        task = asyncio.create_task(self._session(transport, ready))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        status = 500

        async def sent(message: Any) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        await ready.wait()
        try:
            await transport.handle_request(scope, receive, sent)
        finally:
            if status >= 400:
                self._sessions.pop(id, None)
                await transport.terminate()

    async def _session(self, transport: StreamableHTTPServerTransport, ready: asyncio.Event) -> None:
        """Carry messages between one client and its side of the gateway."""
        events = asyncio.get_running_loop()
        outgoing: asyncio.Queue[tuple[bytes, Id | None]] = asyncio.Queue()

        def emit(line: bytes, related: Id | None) -> None:
            with suppress(RuntimeError):
                events.call_soon_threadsafe(outgoing.put_nowait, (line, related))

        connection: ClientConnection | None = None
        async with transport.connect() as (incoming, back):
            ready.set()
            telling = asyncio.create_task(_tell(outgoing, back))
            with suppress(ClosedResourceError):  # the client has ended its session
                async for item in incoming:
                    if isinstance(item, SessionMessage):
                        connection = connection or await self._connection(emit, str(transport.mcp_session_id))
                        if (refusal := _not_finite(item.message)) is not None:
                            emit(refusal, getattr(item.message, "id", None))
                            continue
                        line = item.message.model_dump_json(by_alias=True, exclude_unset=True).encode()
                        self._gateway.loop.post(lambda line=line, connection=connection: connection.take(line))  # type: ignore[misc]
            telling.cancel()
            id = str(transport.mcp_session_id)
            for held in (self._sessions, self._open, self._turns):
                held.pop(id, None)
            if connection is not None:
                self._gateway.loop.post(connection.leave)

    async def _connection(self, emit: Callable[[bytes, Id | None], None], apart: str) -> ClientConnection:
        """A side of the gateway for one client, made in the gateway's own thread."""
        events = asyncio.get_running_loop()
        made: asyncio.Future[ClientConnection] = events.create_future()

        def make() -> None:
            connection = ClientConnection(self._gateway, emit, apart)
            connection.attach(*behind(self._gateway, connection.voices))
            for upstream in connection.upstreams:
                upstream.start()
            events.call_soon_threadsafe(made.set_result, connection)

        self._gateway.loop.post(make)
        return await made

    async def _alone(self, request: Request, scope: Scope, receive: Receive, send: Send) -> None:
        """A request of the modern era, which stands alone."""
        if request.method != "POST":
            await Response(status_code=405, headers={"Allow": "POST"})(scope, receive, send)
            return
        accepted = request.headers.get("accept", "*/*")
        if "json" not in accepted and "*/*" not in accepted:
            await Response(status_code=406)(scope, receive, send)
            return
        raw = await request.body()
        try:
            body = msgspec.json.decode(raw)  # whether it is a message was checked by who let it in
            parts = msgspec.json.decode(raw, type=dict[str, Raw])
        except (msgspec.DecodeError, RecursionError) as error:  # JSON that no journal takes, such as 1e999
            await _refused(400, None, protocol.PARSE_ERROR, str(error))(scope, receive, send)
            return
        if "id" not in body:
            await Response(status_code=202)(scope, receive, send)
            return
        if body.get("method") == "initialize":
            said = "There is no handshake in this version."
            await _refused(404, body["id"], protocol.METHOD_NOT_FOUND, said)(scope, receive, send)
            return
        twice = find_duplicated_routing_header(request.headers.items())
        problem = classify_inbound_request(body, headers=dict(request.headers))
        if twice is not None:
            said = f"{twice} header appears more than once"
            await _refused(400, body["id"], HEADER_MISMATCH, said)(scope, receive, send)
            return
        if not isinstance(problem, InboundLadderRejection):
            if self._modern is None:
                self._modern = await self._connection(self._emit, MODERN)
            problem = await self._declared(body, request) or problem
        if isinstance(problem, InboundLadderRejection):
            status = ERROR_CODE_HTTP_STATUS.get(problem.code, 400)
            await _refused(status, body["id"], problem.code, problem.message, problem.data)(scope, receive, send)
            return
        if not await request.is_disconnected():  # who is gone already has nothing done
            await self._exchanged(body["id"], parts, receive, send)

    async def _declared(self, body: dict[str, Any], request: Request) -> InboundLadderRejection | None:
        """Whether the headers that a tool wants of its arguments agree with them."""
        params = body.get("params") or {}
        arguments = params.get("arguments")
        if body.get("method") != "tools/call" or not isinstance(arguments, dict | None) or self._modern is None:
            return None
        if not arguments and not any(name.startswith("mcp-param-") for name in request.headers):
            return None
        events = asyncio.get_running_loop()
        known: asyncio.Future[Any] = events.create_future()
        connection = self._modern

        def tell(schema: Any) -> None:
            events.call_soon_threadsafe(_settle, known, schema)

        def look() -> None:
            connection.schema_of(str(params.get("name")), {"_meta": params.get("_meta")}, tell)

        self._gateway.loop.post(look)
        schema = None
        with suppress(TimeoutError):
            schema = await asyncio.wait_for(known, SCHEMA_SECONDS)
        return validate_mcp_param_headers(schema, arguments or {}, request.headers) if schema else None

    async def _exchanged(self, id: Id, parts: dict[str, Raw], receive: Receive, send: Send) -> None:
        """Pass it on as it came, but for its id."""
        number = f"http-{next(self._numbers)}"
        exchange = Exchange(id, asyncio.get_running_loop())
        self._exchanges[number] = exchange
        connection = self._modern
        assert connection is not None
        line = encode({**parts, "id": number})
        self._gateway.loop.post(lambda: connection.take(line))
        answering = asyncio.create_task(_answer(exchange, send))
        leaving = asyncio.create_task(_disconnected(receive))
        try:
            await asyncio.wait((answering, leaving), return_when=asyncio.FIRST_COMPLETED)
            if not answering.done():
                said = {"requestId": number, "reason": "the client has closed the stream"}
                told = encode({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": said})
                self._gateway.loop.post(lambda: connection.take(told))
        finally:
            self._exchanges.pop(number, None)
            answering.cancel()
            leaving.cancel()

    def _emit(self, line: bytes, related: Id | None) -> None:
        """Called in the gateway's thread. What belongs to no request has no stream in this era."""
        exchange = self._exchanges.get(related) if related is not None else None
        if exchange is not None:
            exchange.put(line)


async def _named(scope: Scope, receive: Receive) -> tuple[Id | None, Receive]:
    """The id of a request that is posted, if it has one, and a way to read it once more."""
    if scope["method"] != "POST":
        return None, receive
    pieces: list[bytes] = []
    more = True
    while more:
        message = await receive()
        if message["type"] != "http.request":  # it has gone; what has come so far is no message
            return None, _replay([message], receive)
        pieces.append(message.get("body", b""))
        more = message.get("more_body", False)
    body = b"".join(pieces)
    id: Any = None
    with suppress(msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        found = decode(body)
        id = found.id if isinstance(found.method, str) and is_id(found.id) else None
    return id, _replay([{"type": "http.request", "body": body, "more_body": False}], receive)


def _replay(messages: list[Any], receive: Receive) -> Receive:
    async def again() -> Any:
        return messages.pop(0) if messages else await receive()

    return again


async def _tell(outgoing: "asyncio.Queue[tuple[bytes, Id | None]]", back: Any) -> None:
    while True:
        line, related = await outgoing.get()
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        await back.send(SessionMessage(message, metadata=ServerMessageMetadata(related_request_id=related)))


async def _answer(exchange: Exchange, send: Send) -> None:
    """One answer as JSON; a stream of events when something is told before it."""
    message = None
    with suppress(TimeoutError):
        message = await asyncio.wait_for(exchange.came.get(), SILENCE_SECONDS)
    if message is not None and "method" not in message:
        error = msgspec.json.decode(message["error"], type=dict[str, Raw]) if "error" in message else {}
        status = ERROR_CODE_HTTP_STATUS.get(msgspec.json.decode(error["code"]), 200) if "code" in error else 200
        body = encode(message)
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})
        return
    await send({"type": "http.response.start", "status": 200, "headers": _STREAM})
    while True:
        event = b": ping\r\n\r\n" if message is None else b"event: message\r\ndata: " + encode(message) + b"\r\n\r\n"
        over = message is not None and "method" not in message
        await send({"type": "http.response.body", "body": event, "more_body": not over})
        if over:
            return
        message = None
        with suppress(TimeoutError):
            message = await asyncio.wait_for(exchange.came.get(), SILENCE_SECONDS)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _refused(status: int, id: Any, code: int, message: str, data: Any = None) -> Response:
    error = protocol.ProtocolError(code, message, data).as_dict()
    return Response(encode({"jsonrpc": "2.0", "id": id, "error": error}), status, media_type="application/json")


def _settle(known: "asyncio.Future[Any]", value: Any) -> None:
    if not known.done():  # nobody waits for it any more
        known.set_result(value)


def _not_finite(message: Any) -> bytes | None:
    """The refusal of a request with a number that JSON does not have: written anew, it would be another value."""
    waiting: list[Any] = [getattr(message, "params", None), getattr(message, "result", None)]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict | list):
            waiting += each.values() if isinstance(each, dict) else each
        elif isinstance(each, float) and not math.isfinite(each):
            error = {"code": protocol.INVALID_PARAMS, "message": "A number is too large."}
            return encode({"jsonrpc": "2.0", "id": getattr(message, "id", None), "error": error})
    return None


# ----------------------------------------------------------------------------------------------------------------------
# The gateway over HTTP: the web server in one thread, the gateway's own turns in another.


def serve(gateway: Gateway, port: int) -> None:
    """Until interrupted. Only programs of this machine may ask."""
    # The protocol is named, or asyncio would not turn off Nagle's algorithm: 40 ms for each answer of two packets.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", port))
    except OSError as error:
        hint = "Take another port, or 0 for a free one."
        raise StorageUnavailable(f"Port {port} cannot be used: {error.strerror}.", hint=hint) from None
    site = HttpFrontend(gateway)
    assert gateway.parts.guard is not None
    # uvicorn sends itself once more what has ended it: that must end nothing before what was seen is written.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    turning = Thread(target=gateway.loop.run, name="tallystick-gateway", daemon=True)
    turning.start()

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                print(f"MCP over HTTP: http://127.0.0.1:{listening.getsockname()[1]}{PATH}")
                print("Ready. Stop it with Ctrl-C.", flush=True)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            await site.close()
            await super().shutdown(sockets)

    config = uvicorn.Config(
        gateway.parts.guard(site), log_level="warning", access_log=False, timeout_graceful_shutdown=3
    )
    try:
        Server(config).run([listening])
    finally:
        gateway.loop.post(gateway.loop.stop)
        turning.join(5)
        gateway.end_calls("The gateway ended while the call was under way.")
        for connection in list(gateway.fronts):
            connection.close()
