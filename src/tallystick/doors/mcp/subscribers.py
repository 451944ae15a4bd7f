"""Who wants to know of changes over HTTP: streams of both eras, told by one watching thread for each journal."""

import asyncio
from collections.abc import Callable
from typing import Any

import mcp_types as types
from anyio import to_thread
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourcesListChanged, ResourceUpdated
from mcp.shared.exceptions import MCPError

from tallystick import protocol
from tallystick.calls import Local
from tallystick.core.errors import TallystickError
from tallystick.doors.mcp.resources import is_one, relists
from tallystick.doors.mcp.stdio import SUBSCRIPTIONS, URI_LENGTH
from tallystick.doors.mcp.watching import Watch

Context = ServerRequestContext[Any, Any]


class Subscribers:
    """Those who follow one journal, as much of it as `caller` is shown. `left` is called when the last one is gone."""

    def __init__(self, caller: Local, loop: asyncio.AbstractEventLoop, left: Callable[[], None]) -> None:
        self._watch = Watch(caller)
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
