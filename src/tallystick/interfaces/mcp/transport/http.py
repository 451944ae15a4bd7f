"""MCP over streamable HTTP, carried by the official SDK: it knows the sessions, streams and headers of both eras.

What is answered is decided by the same `McpServer` as over stdio. This process starts once, so the SDK's cost is paid
once; nothing else imports this module.
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
from tallystick.interfaces.mcp.resources import is_one, relists
from tallystick.interfaces.mcp.server import McpServer
from tallystick.interfaces.mcp.sessions import CallInfo, Cancelled
from tallystick.interfaces.mcp.transport.bodies import Bodies
from tallystick.interfaces.mcp.transport.changes import ChangeWatch
from tallystick.interfaces.mcp.transport.stdio import LONG_READS, SUBSCRIPTIONS, URI_LENGTH
from tallystick.operations.runtime.access import Access
from tallystick.protocol import ProtocolError
from tallystick.protocol.jsonrpc import MAX_LINE_BYTES
from tallystick.sdk.local import Local

# ----------------------------------------------------------------------------------------------------------------------
# Who wants to know of changes over HTTP: streams of both eras, told by one watching thread for each journal.

Context = ServerRequestContext[Any, Any]


class Subscribers:
    """Those who follow one journal, as much of it as `caller` is shown. `left` is called when the last one is gone."""

    def __init__(self, caller: Local, loop: asyncio.AbstractEventLoop, left: Callable[[], None]) -> None:
        self._watch = ChangeWatch(caller)
        self._bus = InMemorySubscriptionBus()
        self._listen = ListenHandler(self._bus, max_subscriptions=4 * SUBSCRIPTIONS)
        self._listeners = 0
        self._loop = loop
        self._left = left
        self._subscribed: dict[str, tuple[ServerSession, set[str]]] = {}

    def end(self) -> None:
        """End the streams, and the watching."""
        self._listen.close()
        self._watch.close()

    async def listen(
        self, context: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        self._listeners += 1
        try:
            await self._watched()
            return await self._listen(context, params)
        finally:
            self._listeners -= 1
            self._rest()

    async def subscribe(self, context: Context, id: str, uri: str) -> None:
        if len(uri) > URI_LENGTH:
            raise MCPError(protocol.INVALID_PARAMS, f"uri is not text of up to {URI_LENGTH} letters.")
        if not is_one(uri):
            raise MCPError(protocol.RESOURCE_NOT_FOUND, f'There is no resource "{uri[:200]}".')
        connection = context.session._connection  # there is no other way to learn of its end
        if connection.state.get("watched") is not self:
            connection.state["watched"] = self
            connection.exit_stack.callback(self._forget, id)
        _, uris = self._subscribed.setdefault(id, (context.session, set()))
        if len(uris) >= SUBSCRIPTIONS:
            raise MCPError(protocol.INVALID_PARAMS, f"There are {SUBSCRIPTIONS} subscriptions already.")
        uris.add(uri)
        await self._watched()

    def unsubscribe(self, id: str, uri: str) -> None:
        known = self._subscribed.get(id)
        if known:
            known[1].discard(uri)
            if not known[1]:
                self._forget(id)

    async def _watched(self) -> None:
        try:
            await to_thread.run_sync(self._watch.add, "http", self._changed)
        except TallystickError as error:
            raise MCPError(protocol.INTERNAL_ERROR, str(error)[:400]) from None

    def _rest(self) -> None:
        """Nothing is watched for nobody."""
        if not self._listeners and not self._subscribed:
            self._watch.remove("http")
            self._left()

    def _forget(self, id: str) -> None:
        self._subscribed.pop(id, None)
        self._rest()

    def _changed(self, uris: set[str]) -> None:
        """Called by the watching thread."""
        if not self._loop.is_closed():
            asyncio.run_coroutine_threadsafe(self._publish(uris), self._loop)

    async def _publish(self, uris: set[str]) -> None:
        for uri in sorted(uris):
            await self._bus.publish(ResourceUpdated(uri=uri))
        if relists(uris):
            await self._bus.publish(ResourcesListChanged())
        for id, (session, wanted) in list(self._subscribed.items()):
            try:
                for uri in sorted(wanted & uris):
                    await session.send_resource_updated(uri)
            except Exception:  # its connection is gone
                self._forget(id)


# ----------------------------------------------------------------------------------------------------------------------

PATH = "/mcp"
SESSION_HEADER = "mcp-session-id"

LISTENING_SECONDS = 1.0
"""How long a read waits for its progress to be taken."""
FOLLOWED = 256
"""How many journals, or parts of one that a reader is limited to, are followed at the same time."""


class Carrier:
    """The SDK's server, with our answers in it. Who asks, and for which journal, stands in the request's scope: who
    wraps `route` has put it there."""

    def __init__(self, offer: McpServer, contexts: JournalContexts) -> None:
        self._offer = offer
        self._contexts = contexts
        self._subscribers: dict[tuple[str, tuple[str, ...]], Subscribers] = {}
        self._long_reads = anyio.CapacityLimiter(LONG_READS)
        self._ending = Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.server: Server[Any] = Server(
            protocol.SERVER["name"],
            version=protocol.SERVER["version"],
            title=protocol.SERVER["title"],
            instructions=offer.instructions,
            on_subscribe_resource=self._subscribe,
            on_unsubscribe_resource=self._unsubscribe,
            on_subscriptions_listen=self._listening,
        )
        self.server.add_request_handler("server/discover", types.RequestParams, self._discover)
        for method in offer.methods:
            self.server.add_request_handler(method, types.RequestParams, partial(self._answer, method))
        self._manager = StreamableHTTPSessionManager(
            self.server,
            max_request_body_size=MAX_LINE_BYTES,
            security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )

    def route(self) -> Route:
        """Where it is asked."""
        return Route(PATH, endpoint=Bodies(self._serve))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """As long as it answers."""
        self._loop = asyncio.get_running_loop()
        async with self._manager.run():
            try:
                yield
            finally:
                self.end()

    def end(self) -> None:
        """End what would stay open: streams of changes, and long reads."""
        self._ending.set()
        for subscribers in list(self._subscribers.values()):
            subscribers.end()

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A stream that the server breaks off when it is stopped ends as any other."""
        is_open = False

        async def sent(message: Message) -> None:
            nonlocal is_open
            if message["type"].startswith("http.response."):
                is_open = message["type"] == "http.response.start" or message.get("more_body", False)
            await send(message)

        access: Access = scope["state"]["access"]
        # A session of the handshake is for whoever opened it, with the same credential and for the same journal.
        owner = AccessToken(token="", client_id=f"{access.name} {scope['state']['journal']}", scopes=[])
        await self._manager.handle_request({**scope, "user": AuthenticatedUser(owner)}, receive, sent)
        if is_open:
            await send({"type": "http.response.body", "body": b""})

    async def _answer(self, method: str, context: Context, params: types.RequestParams) -> dict[str, Any]:
        """Answer in a thread: what an operation does, it does waiting."""
        given = dict(context.params or {})
        cancelled = Event()
        asking = _asking(context, given, partial(self._tell, ProgressReporter(context.session), cancelled))
        threads = self._long_reads if self._offer.is_long(method, given) else None
        try:
            work = partial(self._offer.answer, method, given, asking)
            result = await to_thread.run_sync(work, abandon_on_cancel=True, limiter=threads)
            return protocol.add_modern_fields(method, result) if asking.modern else result
        except ProtocolError as error:
            raise MCPError(code=error.code, message=error.message, data=error.data) from None
        except Cancelled:
            raise MCPError(code=protocol.INTERNAL_ERROR, message="The server is being stopped.") from None
        except anyio.get_cancelled_exc_class():
            cancelled.set()
            raise
        except Exception as error:
            from tallystick.interfaces.mcp.server import unforeseen

            said = str(unforeseen(method, error))
            raise MCPError(code=protocol.INTERNAL_ERROR, message=said) from None

    def _tell(self, progress: "ProgressReporter", cancelled: Event, done: int, total: int) -> None:
        """How far a long read is; it also ends the read when nobody waits for it any more."""
        if cancelled.is_set() or self._ending.is_set():
            raise Cancelled
        if self._loop is not None:
            progress.tell(self._loop, done, total)

    async def _discover(self, context: Context, params: types.RequestParams) -> dict[str, Any]:
        return protocol.add_modern_fields("server/discover", protocol.discover_result(self._offer.instructions))

    async def _listening(
        self, context: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        return await self._following(context).listen(context, params)

    async def _subscribe(self, context: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        await self._following(context).subscribe(context, _session_of(context), str(params.uri))
        return types.EmptyResult()

    async def _unsubscribe(self, context: Context, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        self._following(context).unsubscribe(_session_of(context), str(params.uri))
        return types.EmptyResult()

    def _following(self, context: Context) -> Subscribers:
        """Those who follow the same journal, and see the same of it."""
        access, journal = _access_of(context)
        key = (journal, access.tasks)
        found = self._subscribers.get(key)
        if found is None:
            if len(self._subscribers) >= FOLLOWED:
                raise MCPError(protocol.INTERNAL_ERROR, f"{FOLLOWED} journals are followed already. Try again later.")
            left = partial(self._forget, key)
            found = Subscribers(self._contexts.local(access, journal), asyncio.get_running_loop(), left)
            self._subscribers[key] = found
        return found

    def _forget(self, key: tuple[str, tuple[str, ...]]) -> None:
        self._subscribers.pop(key, None)


class ProgressReporter:
    """How far one long read is. A client that does not listen holds nobody up for longer than a moment."""

    def __init__(self, session: ServerSession) -> None:
        self._session = session
        self._told: Future[None] | None = None

    def tell(self, loop: asyncio.AbstractEventLoop, done: int, total: int) -> None:
        if self._told is None or self._told.done():
            said = self._session.report_progress(float(done), float(total))
            self._told = asyncio.run_coroutine_threadsafe(said, loop)
        with suppress(Exception):  # it is still on its way, or its stream is gone: the read goes on
            self._told.result(LISTENING_SECONDS)


def _asking(context: Context, params: dict[str, Any], progress: Callable[[int, int], None]) -> CallInfo:
    meta = params.get("_meta")
    meta = meta if isinstance(meta, dict) else {}
    told = context.session.client_params
    access, journal = _access_of(context)
    return CallInfo(
        request_id=context.request_id,
        meta=meta,
        client=told.client_info.name if told else "",
        connection=_session_of(context),
        modern=context.protocol_version in protocol.MODERN_VERSIONS,
        progress=progress,
        access=access,
        journal=journal,
    )


def _access_of(context: Context) -> tuple[Access, str]:
    """What the asker may do, and in which journal."""
    assert context.request is not None
    state = context.request.scope["state"]
    return state["access"], state["journal"]


def _session_of(context: Context) -> str:
    """The transport's session, of the handshake era."""
    return str(context.request.headers.get(SESSION_HEADER, "")) if context.request is not None else ""
