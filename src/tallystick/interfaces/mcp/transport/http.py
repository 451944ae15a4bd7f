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
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.session import ServerSession
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from tallystick import protocol
from tallystick.doors.desks import Desks
from tallystick.doors.mcp.bodies import Bodies
from tallystick.doors.mcp.calling import Asking, Cancelled
from tallystick.doors.mcp.offer import Offer
from tallystick.doors.mcp.stdio import LONG_READS
from tallystick.doors.mcp.subscribers import Subscribers
from tallystick.operations.access import Access
from tallystick.protocol import ProtocolError
from tallystick.protocol.messages import LINE_BYTES

PATH = "/mcp"
SESSION_HEADER = "mcp-session-id"

LISTENING_SECONDS = 1.0
"""How long a read waits for its progress to be taken."""
FOLLOWED = 256
"""How many journals, or parts of one that a reader is limited to, are followed at the same time."""

Context = ServerRequestContext[Any, Any]


class Carrier:
    """The SDK's server, with our answers in it. Who asks, and for which journal, stands in the request's scope: who
    wraps `route` has put it there."""

    def __init__(self, offer: Offer, desks: Desks) -> None:
        self._offer = offer
        self._desks = desks
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
            max_request_body_size=LINE_BYTES,
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
            found = Subscribers(self._desks.local(access, journal), asyncio.get_running_loop(), left)
            self._subscribers[key] = found
        return found

    def _forget(self, key: tuple[str, tuple[str, ...]]) -> None:
        self._subscribers.pop(key, None)


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
    access, journal = _access_of(context)
    return Asking(
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
