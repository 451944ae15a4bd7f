"""MCP over streamable HTTP, with the official SDK: it handles the sessions, streams and headers of both protocols.

The same `McpServer` as over stdio answers the requests. This process starts once, so the SDK's cost is paid once;
nothing else imports this module.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager, suppress
from functools import partial
from threading import Event
from typing import Any

import anyio
import mcp_types as types
from anyio import to_thread
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.session import ServerSession
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourcesListChanged, ResourceUpdated
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from tallystick import protocol
from tallystick.core.errors import TallystickError
from tallystick.interfaces.journals import JournalContexts
from tallystick.interfaces.mcp.resources import changes_list, is_resource
from tallystick.interfaces.mcp.server import McpServer, unexpected_error
from tallystick.interfaces.mcp.sessions import CallInfo, Cancelled
from tallystick.interfaces.mcp.transport.bodies import BodyCheck
from tallystick.interfaces.mcp.transport.changes import ChangeWatch
from tallystick.interfaces.mcp.transport.stdio import MAX_LONG_READS, MAX_SUBSCRIPTIONS, MAX_URI_CHARACTERS
from tallystick.operations.runtime.access import Access
from tallystick.protocol import ProtocolError
from tallystick.protocol.jsonrpc import MAX_LINE_BYTES
from tallystick.sdk.local import Local

Context = ServerRequestContext[Any, Any]

PATH = "/mcp"
SESSION_HEADER = "mcp-session-id"

PROGRESS_WAIT_SECONDS = 1.0
"""How long a read waits until the client has taken its progress."""
MAX_WATCHED_JOURNALS = 256
"""How many journals, or parts of one that a reader is limited to, are watched at the same time."""


class Subscribers:
    """The subscribers of one journal, or of the part of it that `caller` may see.

    One thread watches the journal for streams of both protocols. `on_empty` is called when the last subscriber is gone.
    """

    def __init__(self, caller: Local, loop: asyncio.AbstractEventLoop, on_empty: Callable[[], None]) -> None:
        self._watch = ChangeWatch(caller)
        self._bus = InMemorySubscriptionBus()
        self._listen = ListenHandler(self._bus, max_subscriptions=4 * MAX_SUBSCRIPTIONS)
        self._listeners = 0
        self._loop = loop
        self._on_empty = on_empty
        self._subscribed: dict[str, tuple[ServerSession, set[str]]] = {}

    def close(self) -> None:
        """End the streams and the watching thread."""
        self._listen.close()
        self._watch.close()

    async def listen(
        self, context: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        self._listeners += 1
        try:
            await self._start_watching()
            return await self._listen(context, params)
        finally:
            self._listeners -= 1
            self._stop_if_empty()

    async def subscribe(self, context: Context, id: str, uri: str) -> None:
        if len(uri) > MAX_URI_CHARACTERS:
            raise MCPError(protocol.INVALID_PARAMS, f"uri is not text of up to {MAX_URI_CHARACTERS} characters.")
        if not is_resource(uri):
            raise MCPError(protocol.RESOURCE_NOT_FOUND, f'There is no resource "{uri[:200]}".')
        connection = context.session._connection  # the SDK offers no other way to learn of its end
        if connection.state.get("watched") is not self:
            connection.state["watched"] = self
            connection.exit_stack.callback(self._remove, id)
        _, uris = self._subscribed.setdefault(id, (context.session, set()))
        if len(uris) >= MAX_SUBSCRIPTIONS:
            raise MCPError(protocol.INVALID_PARAMS, f"There are {MAX_SUBSCRIPTIONS} subscriptions already.")
        uris.add(uri)
        await self._start_watching()

    def unsubscribe(self, id: str, uri: str) -> None:
        _, uris = self._subscribed.get(id, (None, set[str]()))
        if uris:
            uris.discard(uri)
            if not uris:
                self._remove(id)

    async def _start_watching(self) -> None:
        try:
            await to_thread.run_sync(self._watch.add, "http", self._on_change)
        except TallystickError as error:
            raise MCPError(protocol.INTERNAL_ERROR, str(error)[:400]) from None

    def _stop_if_empty(self) -> None:
        if not self._listeners and not self._subscribed:
            self._watch.remove("http")
            self._on_empty()

    def _remove(self, id: str) -> None:
        self._subscribed.pop(id, None)
        self._stop_if_empty()

    def _on_change(self, uris: set[str]) -> None:
        """Called by the watching thread."""
        if not self._loop.is_closed():
            asyncio.run_coroutine_threadsafe(self._publish(uris), self._loop)

    async def _publish(self, uris: set[str]) -> None:
        for uri in sorted(uris):
            await self._bus.publish(ResourceUpdated(uri=uri))
        if changes_list(uris):
            await self._bus.publish(ResourcesListChanged())
        for id, (session, wanted) in list(self._subscribed.items()):
            try:
                for uri in sorted(wanted & uris):
                    await session.send_resource_updated(uri)
            except Exception:  # its connection is gone
                self._remove(id)


class McpHttpTransport:
    """The SDK's server, which passes requests to our `McpServer`.

    The authentication around `route` has put the access and the journal of each request into its scope.
    """

    def __init__(self, server: McpServer, contexts: JournalContexts) -> None:
        self._server = server
        self._contexts = contexts
        self._subscribers: dict[tuple[str, tuple[str, ...]], Subscribers] = {}
        self._long_reads = anyio.CapacityLimiter(MAX_LONG_READS)
        self._stopping = Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.sdk_server: Server[Any] = Server(
            protocol.SERVER["name"],
            version=protocol.SERVER["version"],
            title=protocol.SERVER["title"],
            instructions=server.instructions,
            on_subscribe_resource=self._subscribe,
            on_unsubscribe_resource=self._unsubscribe,
            on_subscriptions_listen=self._listen,
        )
        self.sdk_server.add_request_handler("server/discover", types.RequestParams, self._discover)
        for method in server.methods:
            self.sdk_server.add_request_handler(method, types.RequestParams, partial(self._answer, method))
        self._manager = StreamableHTTPSessionManager(
            self.sdk_server,
            max_request_body_size=MAX_LINE_BYTES,
            security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )

    def route(self) -> Route:
        """The route to mount in a web application."""
        return Route(PATH, endpoint=BodyCheck(self._serve))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Answer requests inside this context."""
        self._loop = asyncio.get_running_loop()
        async with self._manager.run():
            try:
                yield
            finally:
                self.close()

    def close(self) -> None:
        """End the streams of changes and the long reads, which would stay open."""
        self._stopping.set()
        for subscribers in list(self._subscribers.values()):
            subscribers.close()

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one HTTP request. A stream that is open when the server stops is ended properly."""
        is_open = False

        async def send_and_track(message: Message) -> None:
            nonlocal is_open
            if message["type"].startswith("http.response."):
                is_open = message["type"] == "http.response.start" or message.get("more_body", False)
            if scope["method"] == "DELETE" and message.get("status") == 200:
                await self._end_session(scope)  # before the client hears of it
            await send(message)

        access: Access = scope["state"]["access"]
        # The SDK then lets a session of the handshake be used only with the same credential and for the same journal.
        owner = AccessToken(token="", client_id=f"{access.name} {scope['state']['journal']}", scopes=[])
        await self._manager.handle_request({**scope, "user": AuthenticatedUser(owner)}, receive, send_and_track)
        if is_open:
            await send({"type": "http.response.body", "body": b""})

    async def _end_session(self, scope: Scope) -> None:
        """End the journal's session of a transport session that its client has deleted."""
        id = dict(scope["headers"]).get(SESSION_HEADER.encode(), b"").decode()
        info = CallInfo(connection=id, access=scope["state"]["access"], journal=scope["state"]["journal"])
        try:
            await to_thread.run_sync(self._server.end_connection, info)
        except Exception as error:  # the transport's session is over all the same
            unexpected_error("DELETE", error)

    async def _answer(self, method: str, context: Context, params: types.RequestParams) -> dict[str, Any]:
        """Answer a request in a thread, because operations block."""
        arguments = dict(context.params or {})
        cancelled = Event()
        report = partial(self._report_progress, ProgressReporter(context.session), cancelled)
        info = _call_info(context, arguments, report)
        limiter = self._long_reads if self._server.is_long(method, arguments) else None
        try:
            work = partial(self._server.answer, method, arguments, info)
            result = await to_thread.run_sync(work, abandon_on_cancel=True, limiter=limiter)
            return protocol.add_modern_fields(method, result) if info.modern else result
        except ProtocolError as error:
            raise MCPError(code=error.code, message=error.message, data=error.data) from None
        except Cancelled:
            raise MCPError(code=protocol.INTERNAL_ERROR, message="The server is being stopped.") from None
        except anyio.get_cancelled_exc_class():
            cancelled.set()
            raise
        except Exception as error:
            message = str(unexpected_error(method, error))
            raise MCPError(code=protocol.INTERNAL_ERROR, message=message) from None

    def _report_progress(self, reporter: "ProgressReporter", cancelled: Event, done: int, total: int) -> None:
        """Report the progress of a long read. Raises Cancelled, to end the read, when no client waits for it."""
        if cancelled.is_set() or self._stopping.is_set():
            raise Cancelled
        if self._loop is not None:
            reporter.report(self._loop, done, total)

    async def _discover(self, context: Context, params: types.RequestParams) -> dict[str, Any]:
        return protocol.add_modern_fields("server/discover", protocol.discover_result(self._server.instructions))

    async def _listen(
        self, context: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        return await self._subscribers_of(context).listen(context, params)

    async def _subscribe(self, context: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        await self._subscribers_of(context).subscribe(context, _session_of(context), str(params.uri))
        return types.EmptyResult()

    async def _unsubscribe(self, context: Context, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        self._subscribers_of(context).unsubscribe(_session_of(context), str(params.uri))
        return types.EmptyResult()

    def _subscribers_of(self, context: Context) -> Subscribers:
        """The subscribers of the same journal that may see the same part of it."""
        access, journal = _access_of(context)
        key = (journal, access.tasks)
        subscribers = self._subscribers.get(key)
        if subscribers is None:
            if len(self._subscribers) >= MAX_WATCHED_JOURNALS:
                message = f"{MAX_WATCHED_JOURNALS} journals are watched already. Try again later."
                raise MCPError(protocol.INTERNAL_ERROR, message)
            on_empty = partial(self._remove_subscribers, key)
            subscribers = Subscribers(self._contexts.local(access, journal), asyncio.get_running_loop(), on_empty)
            self._subscribers[key] = subscribers
        return subscribers

    def _remove_subscribers(self, key: tuple[str, tuple[str, ...]]) -> None:
        self._subscribers.pop(key, None)


class ProgressReporter:
    """Reports the progress of one long read. A client that does not listen delays it by PROGRESS_WAIT_SECONDS."""

    def __init__(self, session: ServerSession) -> None:
        self._session = session
        self._report: Future[None] | None = None

    def report(self, loop: asyncio.AbstractEventLoop, done: int, total: int) -> None:
        if self._report is None or self._report.done():
            sending = self._session.report_progress(float(done), float(total))
            self._report = asyncio.run_coroutine_threadsafe(sending, loop)
        with suppress(Exception):  # it is not sent yet, or its stream is gone: the read goes on
            self._report.result(PROGRESS_WAIT_SECONDS)


def _call_info(context: Context, params: dict[str, Any], progress: Callable[[int, int], None]) -> CallInfo:
    meta = params.get("_meta")
    meta = meta if isinstance(meta, dict) else {}
    client = context.session.client_params
    access, journal = _access_of(context)
    return CallInfo(
        request_id=context.request_id,
        meta=meta,
        client=client.client_info.name if client else "",
        connection=_session_of(context),
        modern=context.protocol_version in protocol.MODERN_VERSIONS,
        progress=progress,
        access=access,
        journal=journal,
    )


def _access_of(context: Context) -> tuple[Access, str]:
    """The access that the token of a request grants, and its journal."""
    assert context.request is not None
    state = context.request.scope["state"]
    return state["access"], state["journal"]


def _session_of(context: Context) -> str:
    """The id of the transport's session, if the protocol has a handshake."""
    return str(context.request.headers.get(SESSION_HEADER, "")) if context.request is not None else ""
