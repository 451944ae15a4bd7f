"""A server at an address, spoken to by the official SDK's transport: it knows the sessions, streams and headers.

The SDK wants an event loop, which runs in a thread of its own. Nothing else imports this module: loading the SDK takes
a second, which only who has such a server pays.
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
from tallystick.gateway.config import Server
from tallystick.gateway.io.log import LOG
from tallystick.gateway.io.loop import Loop
from tallystick.gateway.io.pipes import LONGEST
from tallystick.gateway.upstream.server import Unanswered, UpstreamAnswer
from tallystick.protocol.jsonrpc import Id, Message, decode_object

# ----------------------------------------------------------------------------------------------------------------------
# What the status of an HTTP answer says of a call, where no message of the protocol came with it.

ACCEPTED = 202
NOT_FOUND = 404
REDIRECTS = (301, 302, 303, 307, 308)
_JSON = "application/json"
_MESSAGES = (_JSON, "text/event-stream")


def is_message(status: int, headers: Mapping[str, str]) -> bool:
    """Whether an answer is one in which a result is to be expected."""
    return 200 <= status < 300 and status != ACCEPTED and _kind(headers).startswith(_MESSAGES)


def may_hold_error(status: int, headers: Mapping[str, str]) -> bool:
    """Whether an error of the protocol may come in it: servers send these with statuses of failure too."""
    return status >= 400 and _kind(headers).startswith(_JSON)


def is_error(body: bytes) -> bool:
    try:
        return "code" in decode_object(msgspec.json.decode(body, type=dict[str, msgspec.Raw]).get("error"))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return False


def not_taken(status: int, headers: Mapping[str, str]) -> bool:
    """Whether a server that says this cannot have done what it was asked, by RFC 9110: 401 is that it was not applied,
    403 that it is refused, and both count with the challenge that the protocol wants there, since a tool may fail with
    the status alone; 405 that nothing can be posted, if it tells what can be done instead; 307 and 308 that the
    same is to be asked elsewhere. 301 to 303 may follow upon what was done, and any other status too."""
    if status in (401, 403):
        return "www-authenticate" in headers
    if status == 405:
        return "POST" not in headers.get("allow", "POST").upper()
    return status in (307, 308)


def _kind(headers: Mapping[str, str]) -> str:
    return headers.get("content-type", "").lower()


# ----------------------------------------------------------------------------------------------------------------------

CONNECT_SECONDS = 30.0
SESSION_HEADER = "mcp-session-id"
FORGOTTEN = "has forgotten the session"
OTHERS_SECONDS = 2.0
"""How long others that were sent in a session are waited for when the server says that it knows none such."""
WAITING = 1000
"""How many messages may wait for a server that takes none."""
_MARK = X_MCP_HEADER_KEY.encode()


class Quiet(logging.Handler):
    """What the SDK has to say of a server: its own words, but not the error under them, which quotes what came."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        said = record.msg if isinstance(record.msg, str) else type(record.msg).__name__
        why = f" ({type(error).__name__})" if error else ""
        LOG.say(f"{record.name}: {said}{why}")


if not logging.getLogger("mcp").handlers:
    logging.getLogger("mcp").addHandler(Quiet(logging.WARNING))
    logging.getLogger("mcp").propagate = False


ResponseHook = Callable[[httpx2.Request, httpx2.Response], Awaitable[None]]


class HttpClient(httpx2.AsyncClient):
    """Tells of what never left: as long as there is no connection, no byte has gone. And of answers in which no result
    is."""

    def __init__(
        self,
        leaves: Callable[[bytes], None],
        not_sent: Callable[[bytes, str], None],
        came: ResponseHook,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self._leaves = leaves
        self._not_sent = not_sent
        self._came = came
        self._under_way = 0
        self.idle = asyncio.Event()

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        if request.method != "POST":
            return await super().send(request, **options)
        await request.aread()  # one that follows a redirection does not know its own content yet
        begun = False

        async def trace(event: str, info: Mapping[str, Any]) -> None:
            nonlocal begun
            if event.endswith("send_request_headers.started") and not begun:
                begun = True
                self._leaves(request.content)

        request.extensions = {**request.extensions, "trace": trace}
        self._under_way += 1
        self.idle.clear()
        try:
            answer = await super().send(request, **options)
        except BaseException as error:  # also where it is given up because another one has failed
            if not begun:
                known = isinstance(error, httpx2.TransportError)
                self._not_sent(request.content, type(error).__name__ if known else "another call has failed")
            raise
        finally:
            self._under_way -= 1
            if not self._under_way:
                self.idle.set()
        if not is_message(answer.status_code, answer.headers):
            await self._came(request, answer)
        return answer


class HttpServer:
    """One connection with a server over HTTP."""

    def __init__(
        self,
        loop: Loop,
        name: str,
        server: Server,
        take: Callable[[bytes], None],
        lost: Callable[[str], None],
        unanswered: Unanswered,
    ) -> None:
        self._loop = loop
        self._server = server
        self._take = take
        self._lost = lost
        self._unanswered = unanswered
        self._version = ""
        self._headers: dict[str, dict[tuple[str, ...], str]] = {}
        self._events = asyncio.new_event_loop()
        self._sending: asyncio.Queue[bytes | None] = asyncio.Queue(WAITING)
        self._redirected: dict[Id, UpstreamAnswer] = {}
        self._stale: list[Id | UnsetType | None] = []
        self._unsent: dict[Id | UnsetType | None, None] = {}
        self._idle = asyncio.Event()
        self._met = False
        """Whether something was sent to it: from then on it has been reached."""
        self._closed = False
        self._thread = Thread(target=self._run, name=f"tallystick-{name}", daemon=True)
        self._thread.start()

    def send(self, line: bytes) -> bool:
        if self._closed or self._sending.qsize() >= WAITING:
            return False
        self._unsent[_message(line).id] = None
        with suppress(RuntimeError):  # its thread has ended, and told so
            self._events.call_soon_threadsafe(self._sending.put_nowait, line)
        return True

    def flush(self) -> bool:
        return False

    def pause(self) -> None:
        """What comes is held by the loop's own queue; a client that does not read is bounded by its calls."""

    def resume(self) -> None:
        """It was never paused."""

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            with suppress(RuntimeError):
                self._events.call_soon_threadsafe(self._sending.put_nowait, None)

    def end(self) -> None:
        self.close()
        self._thread.join(2.0)

    def _run(self) -> None:
        why = "closed the connection"
        try:
            self._events.run_until_complete(self._talk())
        except BaseException as error:
            why = f"{'broke the connection' if self._met else 'could not be reached'}: {_cause(error)}"
        finally:
            self._events.close()
        if not self._closed:
            self._loop.post(lambda: self._over(why))

    async def _talk(self) -> None:
        async with self._streams() as (incoming, outgoing):
            both = [asyncio.ensure_future(self._hear(incoming)), asyncio.ensure_future(self._pass_on(outgoing))]
            try:
                ended, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
                for each in ended:
                    each.result()  # or what it failed with
            finally:
                for each in both:
                    each.cancel()

    async def _pass_on(self, outgoing: Any) -> None:
        while (line := await self._sending.get()) is not None:
            if not self._stale:
                await outgoing.send(self._stamped(line))

    @asynccontextmanager
    async def _streams(self) -> AsyncIterator[tuple[Any, Any]]:
        server = self._server
        if server.type == "sse":
            async with sse_client(
                server.url, headers=dict(server.headers), httpx_client_factory=self._of_sse
            ) as streams:
                yield streams
            return
        timeout = httpx2.Timeout(CONNECT_SECONDS, read=None)
        async with (
            HttpClient(
                self._leaves, self._not_sent, self._no_result, headers=server.headers, timeout=timeout
            ) as client,
            streamable_http_client(server.url, http_client=client, max_sse_event_size=LONGEST) as streams,
        ):
            self._idle = client.idle
            yield streams

    def _of_sse(
        self,
        headers: dict[str, str] | None = None,
        timeout: httpx2.Timeout | None = None,
        auth: httpx2.Auth | None = None,
    ) -> httpx2.AsyncClient:
        """A client for the older transport, where a message is taken with any success, and its result comes apart."""

        async def came(request: httpx2.Request, answer: httpx2.Response) -> None:
            if not answer.is_success:
                await self._no_result(request, answer)

        return HttpClient(self._leaves, self._not_sent, came, headers=headers, timeout=timeout, auth=auth)

    def _not_sent(self, body: bytes, why: str) -> None:
        """A message for which no connection could be made."""
        self._unsent.pop(_message(body).id, None)
        self._give_up(_message(body).id, UpstreamAnswer(lost=f"could not be reached: {why}", left=False))

    def _leaves(self, body: bytes) -> None:
        """From here on nobody knows whether a message has arrived."""
        self._met = True
        self._unsent.pop(_message(body).id, None)

    async def _no_result(self, request: httpx2.Request, answer: httpx2.Response) -> None:
        """What a server has answered instead of a result. On a session that it knows no more, as after it has started
        anew, the protocol wants another. A call gets no error that the SDK makes of a status: it would not be told what
        is in doubt; nor does it get one while a redirection may still be followed."""
        message, status = _message(request.content), answer.status_code
        if status == NOT_FOUND and SESSION_HEADER in request.headers:
            await self._forget(message.id)
            return
        if message.method != "tools/call" or not isinstance(message.id, str | int):
            return
        taken = not not_taken(status, answer.headers)
        what = "and no result" if taken else "and did not take it"
        told = UpstreamAnswer(lost=f"answered with HTTP status {status} {what}", left=taken, refused=not taken)
        if status in REDIRECTS:
            self._redirected[message.id] = told
        elif not (taken and may_hold_error(status, answer.headers) and is_error(await answer.aread())):
            self._give_up(message.id, told)

    async def _forget(self, id: Id | UnsetType | None) -> None:
        """The session is over. Who asked in it at the same time is waited for, and answered alike, in one turn: what
        the client asks next must not go where these went."""
        self._stale.append(id)
        if len(self._stale) > 1:
            return
        with suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), OTHERS_SECONDS)

        self._loop.post(lambda: self._over(FORGOTTEN))

    def _over(self, why: str) -> None:
        """This connection is lost. What was never sent on it, or not taken, has not left."""
        for id in (*self._stale, *self._unsent):
            if isinstance(id, str | int):
                self._unanswered(id, UpstreamAnswer(lost=why, left=False))
        self._lost(why)

    def _give_up(self, id: Id | UnsetType | None, told: UpstreamAnswer) -> None:
        if isinstance(id, str | int):
            self._loop.post(lambda: self._unanswered(id, told))

    async def _hear(self, incoming: Any) -> None:
        async for message in incoming:
            if isinstance(message, Exception):
                continue
            if isinstance(message.message, JSONRPCError) and (told := self._made_by_sdk(message.message)):
                self._give_up(message.message.id, told)
                continue
            line = message.message.model_dump_json(by_alias=True, exclude_unset=True).encode()
            if _MARK in line or b"protocolVersion" in line:
                self._learn(msgspec.json.decode(line))
            self._loop.post(lambda line=line: self._take(line))  # type: ignore[misc]

    def _made_by_sdk(self, message: JSONRPCError) -> UpstreamAnswer | None:
        """What an error says that no server has sent. Codes are free for servers too, so the words tell."""
        code, words = message.error.code, message.error.message
        redirected = self._redirected.pop(message.id, None) if message.id is not None else None
        if redirected is not None and words.startswith("Redirect to "):
            return redirected
        if code == CONNECTION_CLOSED and words.startswith("SSE stream "):
            return UpstreamAnswer(lost="closed the connection")
        if code == PARSE_ERROR and words.startswith("Failed to parse "):
            return UpstreamAnswer(lost="answered with what is no message")
        return None

    def _stamped(self, line: bytes) -> SessionMessage:
        """A message with the headers that its era wants beside it."""
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        method, params = getattr(message, "method", None), getattr(message, "params", None) or {}
        meta = params.get("_meta") or {}
        version = meta.get(protocol.VERSION_KEY)
        headers: dict[str, str] = {}
        if version:
            headers = {MCP_PROTOCOL_VERSION_HEADER: version, MCP_METHOD_HEADER: str(method)}
            named = params.get(NAME_BEARING_METHODS.get(str(method), ""))
            if isinstance(named, str):
                headers[MCP_NAME_HEADER] = encode_header_value(named)
            if method == "tools/call" and params.get("name") in self._headers:
                headers.update(mcp_param_headers(self._headers[params["name"]], params.get("arguments") or {}))
        elif self._version and method != "initialize":
            headers = {MCP_PROTOCOL_VERSION_HEADER: self._version}
        return SessionMessage(message, metadata=ClientMessageMetadata(headers=headers) if headers else None)

    def _learn(self, message: dict[str, Any]) -> None:
        """What has to be said in headers: the version of a handshake, and arguments of tools that want it."""
        result = message.get("result")
        if not isinstance(result, dict):
            return
        if isinstance(result.get("protocolVersion"), str) and "capabilities" in result:
            self._version = result["protocolVersion"]
        tools = result.get("tools")
        for tool in tools if isinstance(tools, list) else ():
            if isinstance(tool, dict) and (found := x_mcp_header_map(tool.get("inputSchema"))):
                self._headers[str(tool.get("name"))] = found


def _message(body: bytes) -> Message:
    """What was sent, as far as it has to be known."""
    try:
        return msgspec.json.decode(body, type=Message)
    except msgspec.DecodeError:
        return Message()


def _cause(error: BaseException) -> str:
    """The first error in a group, by its kind: its text may hold an address with a secret in it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return type(error).__name__
