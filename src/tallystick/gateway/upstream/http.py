"""A server over HTTP, through the transport of the official MCP SDK: it handles sessions, streams and headers.

The SDK's event loop runs in a thread of its own. This module is imported only for such a server, because loading the
SDK takes a second.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from threading import Thread
from typing import Any

import httpx2
import msgspec
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    NAME_BEARING_METHODS,
    X_MCP_HEADER_KEY,
    encode_header_value,
    mcp_param_headers,
    x_mcp_header_map,
)
from mcp.shared.message import ClientMessageMetadata, SessionMessage
from mcp_types import CONNECTION_CLOSED, PARSE_ERROR, JSONRPCError, jsonrpc_message_adapter
from msgspec import UnsetType

from tallystick import protocol
from tallystick.gateway.config import ServerConfig
from tallystick.gateway.io.log import LOG
from tallystick.gateway.io.loop import Loop
from tallystick.gateway.io.pipes import MAX_LINE_BYTES
from tallystick.gateway.upstream.server import OnUnanswered, UpstreamAnswer
from tallystick.protocol.jsonrpc import Id, Message, decode_object

ACCEPTED = 202
NOT_FOUND = 404
REDIRECTS = (301, 302, 303, 307, 308)
_JSON = "application/json"
_MESSAGES = (_JSON, "text/event-stream")


def is_message(status: int, headers: Mapping[str, str]) -> bool:
    """Whether a response may hold a result."""
    return 200 <= status < 300 and status != ACCEPTED and _content_type(headers).startswith(_MESSAGES)


def may_hold_error(status: int, headers: Mapping[str, str]) -> bool:
    """Whether a response may hold a JSON-RPC error: servers send these with error statuses too."""
    return status >= 400 and _content_type(headers).startswith(_JSON)


def is_error(body: bytes) -> bool:
    try:
        return "code" in decode_object(msgspec.json.decode(body, type=dict[str, msgspec.Raw]).get("error"))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return False


def was_not_processed(status: int, headers: Mapping[str, str]) -> bool:
    """Whether RFC 9110 says that a server with this status has not carried out the request.

    - 401 and 403 count only with the challenge that MCP requires there, since a tool may fail with the bare status.
    - 405 counts if the server lists its methods, and POST is not among them.
    - 307 and 308 redirect the same request. 301 to 303, and any other status, may follow work that was done.
    """
    if status in (401, 403):
        return "www-authenticate" in headers
    if status == 405:
        return "POST" not in headers.get("allow", "POST").upper()
    return status in (307, 308)


def _content_type(headers: Mapping[str, str]) -> str:
    return headers.get("content-type", "").lower()


CONNECT_SECONDS = 30.0
SESSION_HEADER = "mcp-session-id"
SESSION_LOST = "has forgotten the session"
DRAIN_SECONDS = 2.0
"""How long the other requests of a lost session are waited for."""
MAX_WAITING = 1000
"""How many messages may wait for a server that takes none."""
_HEADER_KEY = X_MCP_HEADER_KEY.encode()


class SdkLogHandler(logging.Handler):
    """Logs the SDK's messages without the text of errors, which quotes the server's data."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        text = record.msg if isinstance(record.msg, str) else type(record.msg).__name__
        kind = f" ({type(error).__name__})" if error else ""
        LOG.log(f"{record.name}: {text}{kind}")


if not logging.getLogger("mcp").handlers:
    logging.getLogger("mcp").addHandler(SdkLogHandler(logging.WARNING))
    logging.getLogger("mcp").propagate = False


ResponseHook = Callable[[httpx2.Request, httpx2.Response], Awaitable[None]]


class HttpClient(httpx2.AsyncClient):
    """Reports requests that were never sent, and responses without a result.

    As long as there is no connection, no byte of a request has left.
    """

    def __init__(
        self,
        on_leaving: Callable[[bytes], None],
        on_not_sent: Callable[[bytes, str], None],
        on_no_result: ResponseHook,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self._on_leaving = on_leaving
        self._on_not_sent = on_not_sent
        self._on_no_result = on_no_result
        self._under_way = 0
        self.idle = asyncio.Event()

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        if request.method != "POST":
            return await super().send(request, **options)
        await request.aread()  # the request of a redirect has not read its own content yet
        has_begun = False

        async def trace(event: str, info: Mapping[str, Any]) -> None:
            nonlocal has_begun
            if event.endswith("send_request_headers.started") and not has_begun:
                has_begun = True
                self._on_leaving(request.content)

        request.extensions = {**request.extensions, "trace": trace}
        self._under_way += 1
        self.idle.clear()
        try:
            answer = await super().send(request, **options)
        except BaseException as error:  # also a cancellation because another request has failed
            if not has_begun:
                is_own = isinstance(error, httpx2.TransportError)
                self._on_not_sent(request.content, type(error).__name__ if is_own else "another call has failed")
            raise
        finally:
            self._under_way -= 1
            if not self._under_way:
                self.idle.set()
        if not is_message(answer.status_code, answer.headers):
            await self._on_no_result(request, answer)
        return answer


class HttpTransport:
    """One connection with a server over HTTP."""

    def __init__(
        self,
        loop: Loop,
        name: str,
        server: ServerConfig,
        on_line: Callable[[bytes], None],
        on_lost: Callable[[str], None],
        on_unanswered: OnUnanswered,
    ) -> None:
        self._loop = loop
        self._server = server
        self._on_line = on_line
        self._on_lost = on_lost
        self._on_unanswered = on_unanswered
        self._version = ""
        self._argument_headers: dict[str, dict[tuple[str, ...], str]] = {}
        """The arguments of each tool that go into headers."""
        self._events = asyncio.new_event_loop()
        self._sending: asyncio.Queue[bytes | None] = asyncio.Queue(MAX_WAITING)
        self._redirected: dict[Id, UpstreamAnswer] = {}
        """The answers for redirected calls, used if the redirect is not followed."""
        self._stale: list[Id | UnsetType | None] = []
        """Requests that the server rejected because it has lost the session."""
        self._unsent: dict[Id | UnsetType | None, None] = {}
        self._idle = asyncio.Event()
        self._was_reached = False
        self._is_closed = False
        self._thread = Thread(target=self._run, name=f"tallystick-{name}", daemon=True)
        self._thread.start()

    def send(self, line: bytes) -> bool:
        if self._is_closed or self._sending.qsize() >= MAX_WAITING:
            return False
        self._unsent[_message(line).id] = None
        with suppress(RuntimeError):  # its thread has ended, and has reported that
            self._events.call_soon_threadsafe(self._sending.put_nowait, line)
        return True

    def pause(self) -> None:
        """Do nothing: the loop's queue holds what arrives, and a client that does not read is bounded by its calls."""

    def resume(self) -> None:
        """Do nothing: it is never paused."""

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            with suppress(RuntimeError):
                self._events.call_soon_threadsafe(self._sending.put_nowait, None)

    def end(self) -> None:
        self.close()
        self._thread.join(2.0)

    def _run(self) -> None:
        reason = "closed the connection"
        try:
            self._events.run_until_complete(self._run_connection())
        except BaseException as error:
            reason = f"{'broke the connection' if self._was_reached else 'could not be reached'}: {_cause(error)}"
        finally:
            self._events.close()
        if not self._is_closed:
            self._loop.post(lambda: self._end_connection(reason))

    async def _run_connection(self) -> None:
        async with self._streams() as (incoming, outgoing):
            both = [asyncio.ensure_future(self._receive(incoming)), asyncio.ensure_future(self._send_all(outgoing))]
            try:
                ended, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
                for each in ended:
                    each.result()  # raises if it failed
            finally:
                for each in both:
                    each.cancel()

    async def _send_all(self, outgoing: Any) -> None:
        while (line := await self._sending.get()) is not None:
            if not self._stale:
                await outgoing.send(self._with_headers(line))

    @asynccontextmanager
    async def _streams(self) -> AsyncIterator[tuple[Any, Any]]:
        server = self._server
        if server.type == "sse":
            async with sse_client(
                server.url, headers=dict(server.headers), httpx_client_factory=self._make_sse_client
            ) as streams:
                yield streams
            return
        timeout = httpx2.Timeout(CONNECT_SECONDS, read=None)
        async with (
            HttpClient(
                self._on_leaving, self._on_not_sent, self._on_no_result, headers=server.headers, timeout=timeout
            ) as client,
            streamable_http_client(server.url, http_client=client, max_sse_event_size=MAX_LINE_BYTES) as streams,
        ):
            self._idle = client.idle
            yield streams

    def _make_sse_client(
        self,
        headers: dict[str, str] | None = None,
        timeout: httpx2.Timeout | None = None,
        auth: httpx2.Auth | None = None,
    ) -> httpx2.AsyncClient:
        """Make a client for the older SSE transport: any success accepts a message, and its result comes separately."""

        async def on_no_result(request: httpx2.Request, answer: httpx2.Response) -> None:
            if not answer.is_success:
                await self._on_no_result(request, answer)

        return HttpClient(
            self._on_leaving, self._on_not_sent, on_no_result, headers=headers, timeout=timeout, auth=auth
        )

    def _on_not_sent(self, body: bytes, reason: str) -> None:
        """No connection could be made for a message."""
        self._unsent.pop(_message(body).id, None)
        self._give_up(_message(body).id, UpstreamAnswer(lost=f"could not be reached: {reason}", left=False))

    def _on_leaving(self, body: bytes) -> None:
        """A message is being sent: from now on it may have arrived."""
        self._was_reached = True
        self._unsent.pop(_message(body).id, None)

    async def _on_no_result(self, request: httpx2.Request, answer: httpx2.Response) -> None:
        """Give up a call that was answered without a result, or open another session if the server has lost ours.

        The SDK would turn the status into an error, and the client would not learn that the call is in doubt. A
        redirected call is given up only if the redirect is not followed.
        """
        message, status = _message(request.content), answer.status_code
        if status == NOT_FOUND and SESSION_HEADER in request.headers:
            await self._on_session_lost(message.id)
            return
        if message.method != "tools/call" or not isinstance(message.id, str | int):
            return
        may_be_done = not was_not_processed(status, answer.headers)
        what = "and no result" if may_be_done else "and did not take it"
        lost = UpstreamAnswer(
            lost=f"answered with HTTP status {status} {what}", left=may_be_done, refused=not may_be_done
        )
        if status in REDIRECTS:
            self._redirected[message.id] = lost
        elif not (may_be_done and may_hold_error(status, answer.headers) and is_error(await answer.aread())):
            self._give_up(message.id, lost)

    async def _on_session_lost(self, id: Id | UnsetType | None) -> None:
        """End the connection, after waiting for the other requests of the lost session.

        All of them are answered in one turn: the client's next request must not use the lost session.
        """
        self._stale.append(id)
        if len(self._stale) > 1:
            return
        with suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), DRAIN_SECONDS)

        self._loop.post(lambda: self._end_connection(SESSION_LOST))

    def _end_connection(self, reason: str) -> None:
        """Report the end of this connection. Requests that were never sent, or not accepted, have not left."""
        for id in (*self._stale, *self._unsent):
            if isinstance(id, str | int):
                self._on_unanswered(id, UpstreamAnswer(lost=reason, left=False))
        self._on_lost(reason)

    def _give_up(self, id: Id | UnsetType | None, lost: UpstreamAnswer) -> None:
        if isinstance(id, str | int):
            self._loop.post(lambda: self._on_unanswered(id, lost))

    async def _receive(self, incoming: Any) -> None:
        async for message in incoming:
            if isinstance(message, Exception):
                continue
            if isinstance(message.message, JSONRPCError) and (lost := self._read_sdk_error(message.message)):
                self._give_up(message.message.id, lost)
                continue
            line = message.message.model_dump_json(by_alias=True, exclude_unset=True).encode()
            if _HEADER_KEY in line or b"protocolVersion" in line:
                self._learn_headers(msgspec.json.decode(line))
            self._loop.post(lambda line=line: self._on_line(line))  # type: ignore[misc]

    def _read_sdk_error(self, message: JSONRPCError) -> UpstreamAnswer | None:
        """The reason of an error that the SDK made, or None if the server sent it.

        A server may use the same codes, so the text decides.
        """
        code, text = message.error.code, message.error.message
        redirected = self._redirected.pop(message.id, None) if message.id is not None else None
        if redirected is not None and text.startswith("Redirect to "):
            return redirected
        if code == CONNECTION_CLOSED and text.startswith("SSE stream "):
            return UpstreamAnswer(lost="closed the connection")
        if code == PARSE_ERROR and text.startswith("Failed to parse "):
            return UpstreamAnswer(lost="answered with what is no message")
        return None

    def _with_headers(self, line: bytes) -> SessionMessage:
        """A message with the headers that its era requires."""
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        method, params = getattr(message, "method", None), getattr(message, "params", None) or {}
        meta = params.get("_meta") or {}
        version = meta.get(protocol.VERSION_KEY)
        headers: dict[str, str] = {}
        if version:
            headers = {MCP_PROTOCOL_VERSION_HEADER: version, MCP_METHOD_HEADER: str(method)}
            name = params.get(NAME_BEARING_METHODS.get(str(method), ""))
            if isinstance(name, str):
                headers[MCP_NAME_HEADER] = encode_header_value(name)
            if method == "tools/call" and params.get("name") in self._argument_headers:
                headers.update(mcp_param_headers(self._argument_headers[params["name"]], params.get("arguments") or {}))
        elif self._version and method != "initialize":
            headers = {MCP_PROTOCOL_VERSION_HEADER: self._version}
        return SessionMessage(message, metadata=ClientMessageMetadata(headers=headers) if headers else None)

    def _learn_headers(self, message: dict[str, Any]) -> None:
        """Remember what goes into headers: the version of a handshake, and arguments of tools that require it."""
        result = message.get("result")
        if not isinstance(result, dict):
            return
        if isinstance(result.get("protocolVersion"), str) and "capabilities" in result:
            self._version = result["protocolVersion"]
        tools = result.get("tools")
        for tool in tools if isinstance(tools, list) else ():
            if isinstance(tool, dict) and (found := x_mcp_header_map(tool.get("inputSchema"))):
                self._argument_headers[str(tool.get("name"))] = found


def _message(body: bytes) -> Message:
    """Decode a sent message."""
    try:
        return msgspec.json.decode(body, type=Message)
    except msgspec.DecodeError:
        return Message()


def _cause(error: BaseException) -> str:
    """The type of the first error in a group. Its text may hold an address with a secret in it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return type(error).__name__
