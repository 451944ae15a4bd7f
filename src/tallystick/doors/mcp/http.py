"""MCP over streamable HTTP, carried by the official SDK: it knows the sessions, streams and headers of both eras.

What is answered is decided by the same `Offer` as over stdio. This process starts once, so the SDK's cost is paid
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
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourcesListChanged, ResourceUpdated
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from starlette.applications import Starlette
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tallystick import protocol
from tallystick.calls import Local
from tallystick.core.errors import TallystickError
from tallystick.doors.mcp.calling import Asking, Cancelled
from tallystick.doors.mcp.offer import Offer
from tallystick.doors.mcp.resources import relists
from tallystick.doors.mcp.stdio import LONG_READS, SUBSCRIPTIONS, URI_LENGTH
from tallystick.doors.mcp.watching import Watch
from tallystick.protocol import ProtocolError
from tallystick.protocol.messages import LINE_BYTES

PATH = "/mcp"
SESSION_HEADER = "mcp-session-id"

LISTENING_SECONDS = 1.0
"""How long a read waits for its progress to be taken."""

Context = ServerRequestContext[Any, Any]


def application(carrier: "Carrier") -> ASGIApp:
    """The web application that answers at `/mcp`. Who may ask, and by which names, is for who wraps it to check."""
    app = carrier.server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=LINE_BYTES,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    manager = carrier.server.session_manager

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        carrier.begin(asyncio.get_running_loop())
        async with manager.run():
            try:
                yield
            finally:
                carrier.end()

    app.router.lifespan_context = lifespan
    return _completed(app)


def _completed(app: ASGIApp) -> ASGIApp:
    """A stream that the server breaks off when it is stopped ends as any other."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        is_open = False

        async def sent(message: Message) -> None:
            nonlocal is_open
            if message["type"].startswith("http.response."):
                is_open = message["type"] == "http.response.start" or message.get("more_body", False)
            await send(message)

        await app(scope, receive, sent)
        if is_open:
            await send({"type": "http.response.body", "body": b""})

    return serve


class Carrier:
    """The SDK's server, with our answers in it."""

    def __init__(self, offer: Offer, caller: Local) -> None:
        self._offer = offer
        self._watch = Watch(caller)
        self._bus = InMemorySubscriptionBus()
        self._listen = ListenHandler(self._bus, max_subscriptions=4 * SUBSCRIPTIONS)
        self._listeners = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._subscribed: dict[str, tuple[ServerSession, set[str]]] = {}
        self._long_reads = anyio.CapacityLimiter(LONG_READS)
        self._ending = Event()
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

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def end(self) -> None:
        """End what would stay open: streams of changes, and long reads."""
        self._ending.set()
        self._listen.close()
        self._watch.close()

    async def _answer(self, method: str, context: Context, params: types.RequestParams) -> dict[str, Any]:
        """Answer in a thread: what an operation does, it does waiting."""
        given = dict(context.params or {})
        cancelled = Event()
        asking = _asking(context, given, partial(self._tell, Progress(context.session), cancelled))
        threads = self._long_reads if self._offer.is_long(method, given) else None
        try:
            work = partial(self._offer.answer, method, given, asking)
            result = await to_thread.run_sync(work, abandon_on_cancel=True, limiter=threads)
            return protocol.stamped(method, result) if asking.modern else result
        except ProtocolError as error:
            raise MCPError(code=error.code, message=error.message, data=error.data) from None
        except Cancelled:
            raise MCPError(code=protocol.INTERNAL_ERROR, message="The server is being stopped.") from None
        except anyio.get_cancelled_exc_class():
            cancelled.set()
            raise
        except Exception as error:
            from tallystick.doors.mcp.log import unforeseen

            said = str(unforeseen(method, error))
            raise MCPError(code=protocol.INTERNAL_ERROR, message=said) from None

    def _tell(self, progress: "Progress", cancelled: Event, done: int, total: int) -> None:
        """How far a long read is; it also ends the read when nobody waits for it any more."""
        if cancelled.is_set() or self._ending.is_set():
            raise Cancelled
        if self._loop is not None:
            progress.tell(self._loop, done, total)

    async def _discover(self, context: Context, params: types.RequestParams) -> dict[str, Any]:
        return protocol.stamped("server/discover", protocol.discovered(self._offer.instructions))

    async def _listening(
        self, context: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        self._listeners += 1
        try:
            await self._watched()
            return await self._listen(context, params)
        finally:
            self._listeners -= 1
            self._rest()

    async def _subscribe(self, context: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        id, uri = _session_of(context), str(params.uri)
        if len(uri) > URI_LENGTH:
            raise MCPError(protocol.INVALID_PARAMS, f"uri is not text of up to {URI_LENGTH} letters.")
        connection = context.session._connection  # there is no other way to learn of its end
        if not connection.state.get("watched"):
            connection.state["watched"] = True
            connection.exit_stack.callback(self._forget, id)
        _, uris = self._subscribed.setdefault(id, (context.session, set()))
        if len(uris) >= SUBSCRIPTIONS:
            raise MCPError(protocol.INVALID_PARAMS, f"There are {SUBSCRIPTIONS} subscriptions already.")
        uris.add(uri)
        await self._watched()
        return types.EmptyResult()

    async def _watched(self) -> None:
        try:
            await to_thread.run_sync(self._watch.add, "http", self._changed)
        except TallystickError as error:
            raise MCPError(protocol.INTERNAL_ERROR, str(error)[:400]) from None

    def _rest(self) -> None:
        """Nothing is watched for nobody."""
        if not self._listeners and not self._subscribed:
            self._watch.remove("http")

    def _forget(self, id: str) -> None:
        self._subscribed.pop(id, None)
        self._rest()

    async def _unsubscribe(self, context: Context, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        known = self._subscribed.get(_session_of(context))
        if known:
            known[1].discard(str(params.uri))
            if not known[1]:
                self._forget(_session_of(context))
        return types.EmptyResult()

    def _changed(self, uris: set[str]) -> None:
        """Called by the watching thread."""
        if self._loop is not None and not self._loop.is_closed():
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


class Progress:
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


def _asking(context: Context, params: dict[str, Any], progress: Callable[[int, int], None]) -> Asking:
    meta = params.get("_meta")
    meta = meta if isinstance(meta, dict) else {}
    told = context.session.client_params
    return Asking(
        request_id=context.request_id,
        meta=meta,
        client=told.client_info.name if told else "",
        connection=_session_of(context),
        modern=context.protocol_version in protocol.MODERN_VERSIONS,
        progress=progress,
    )


def _session_of(context: Context) -> str:
    """The transport's session, of the handshake era."""
    return str(context.request.headers.get(SESSION_HEADER, "")) if context.request is not None else ""
