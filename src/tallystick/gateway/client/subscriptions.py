"""Streams of changes in the modern era: one stream of a client is one stream at each server, identified by its id."""

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from tallystick import protocol
from tallystick.gateway.upstream.server import Upstream, UpstreamAnswer
from tallystick.protocol.jsonrpc import Id, decode_raw, error_object

if TYPE_CHECKING:
    from tallystick.gateway.client.connection import ClientConnection

MAX_STREAMS = 256
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
ACKNOWLEDGE_SECONDS = 5.0
"""How long the acknowledgement waits for servers that do not acknowledge."""
FLAGS = {
    "notifications/tools/list_changed": ("toolsListChanged", "tools"),
    "notifications/prompts/list_changed": ("promptsListChanged", "prompts"),
    "notifications/resources/list_changed": ("resourcesListChanged", "resources"),
}
UPDATED = "notifications/resources/updated"


class ChangeStream(Struct, kw_only=True):
    """One stream of a client."""

    id: Id
    wanted: dict[str, Any]
    server_ids: dict[str, int] = {}
    """The id of its request at each server."""
    unacknowledged: set[str] = set()
    """The servers that have not acknowledged it yet."""
    honoured: dict[str, Any] = {}
    held: list[tuple[str, dict[str, Any]]] = []
    """Notifications that wait for the acknowledgement."""
    is_acknowledged: bool = False


class Streams:
    """The streams of one client."""

    def __init__(self, connection: "ClientConnection") -> None:
        self._connection = connection
        self._streams: dict[Id, ChangeStream] = {}

    def open(self, id: Id, params: dict[str, Any]) -> None:
        """Open a stream for a client's subscriptions/listen."""
        wanted = decode_raw(params.get("notifications"))
        if not isinstance(wanted, dict) or len(self._streams) >= MAX_STREAMS:
            too_many = f"There are {MAX_STREAMS} subscriptions already."
            message = too_many if isinstance(wanted, dict) else "notifications is missing."
            self._connection.fail(id, error_object(protocol.INVALID_PARAMS, message))
            return
        stream = ChangeStream(id=id, wanted=wanted)
        self._streams[id] = stream
        ready = [each for each in self._connection.upstreams if each.state == "ready"]
        stream.unacknowledged = {each.name for each in ready if each.era == "modern"}
        for upstream in ready:
            self._open_at(stream, upstream)
        self._connection.gateway.loop.later(ACKNOWLEDGE_SECONDS, lambda: self._acknowledge(stream))
        if not stream.unacknowledged:
            self._acknowledge(stream)

    def open_at(self, upstream: Upstream) -> None:
        """Open the streams at a server that has become ready."""
        for stream in self._streams.values():
            self._open_at(stream, upstream)

    def close(self, id: Id) -> bool:
        """Close a stream at all servers. Returns whether there was one."""
        stream = self._streams.pop(id, None)
        if stream is None:
            return False
        for upstream in self._connection.upstreams:
            if upstream.name in stream.server_ids:
                upstream.cancel(stream.server_ids[upstream.name], "")
        return True

    def has(self, id: Id) -> bool:
        return id in self._streams

    def on_notification(self, upstream: Upstream, method: str, params: dict[str, Any]) -> bool:
        """Pass a notification to the streams that want it. Returns whether it belongs to streams at all."""
        meta = params.get("_meta")
        number = meta.get(protocol.SUBSCRIPTION_KEY) if isinstance(meta, dict) else None
        if number is not None:
            for stream in list(self._streams.values()):
                if stream.server_ids.get(upstream.name) == number:
                    self._on_stream_notification(stream, upstream, method, params)
            return True
        if method not in FLAGS and method != UPDATED:
            return False
        for stream in list(self._streams.values()):  # from a server of the handshake era
            uris = stream.wanted.get("resourceSubscriptions") or ()
            if stream.wanted.get(FLAGS[method][0]) is True if method in FLAGS else params.get("uri") in uris:
                self._send(stream, method, params)
        return True

    def _on_stream_notification(
        self, stream: ChangeStream, upstream: Upstream, method: str, params: dict[str, Any]
    ) -> None:
        if method != ACKNOWLEDGED:
            self._send(stream, method, params)
            return
        honoured = params.get("notifications")
        for name, value in honoured.items() if isinstance(honoured, dict) else ():
            before = stream.honoured.get(name)
            are_lists = isinstance(before, list) and isinstance(value, list)
            stream.honoured[name] = [*before, *value] if are_lists else value  # type: ignore[misc]
        stream.unacknowledged.discard(upstream.name)
        if not stream.unacknowledged:
            self._acknowledge(stream)

    def _open_at(self, stream: ChangeStream, upstream: Upstream) -> None:
        uris = [uri for uri in stream.wanted.get("resourceSubscriptions") or () if self._may_own(upstream, uri)]
        if upstream.era == "modern":
            self._open_at_modern(stream, upstream, uris)
            return
        for flag, capability in FLAGS.values():
            supported = upstream.capabilities.get(capability)
            if stream.wanted.get(flag) is True and isinstance(supported, dict) and supported.get("listChanged"):
                stream.honoured[flag] = True
        supported = upstream.capabilities.get("resources")
        if uris and isinstance(supported, dict) and supported.get("subscribe"):
            stream.honoured["resourceSubscriptions"] = [*stream.honoured.get("resourceSubscriptions", ()), *uris]
            for uri in uris:
                upstream.request("resources/subscribe", {"uri": uri}, lambda answer: None)

    def _open_at_modern(self, stream: ChangeStream, upstream: Upstream, uris: list[Any]) -> None:
        wanted = {name: value for name, value in stream.wanted.items() if name != "resourceSubscriptions"}
        if uris:
            wanted["resourceSubscriptions"] = uris

        def on_end(answer: UpstreamAnswer) -> None:
            stream.server_ids.pop(upstream.name, None)
            self._on_stream_notification(stream, upstream, ACKNOWLEDGED, {})
            if stream.id in self._streams and not stream.server_ids and not answer.lost:
                self._streams.pop(stream.id)
                self._connection.answer(stream.id, "subscriptions/listen", {})

        sent = upstream.request("subscriptions/listen", {"notifications": wanted}, on_end, related=stream.id)
        if sent:
            stream.server_ids[upstream.name] = sent

    def _may_own(self, upstream: Upstream, uri: Any) -> bool:
        owner = self._connection.owner(uri) if isinstance(uri, str) else None
        return owner is upstream or (owner is None and not upstream.own)

    def _acknowledge(self, stream: ChangeStream) -> None:
        if stream.is_acknowledged or stream.id not in self._streams:
            return
        stream.is_acknowledged = True
        self._send(stream, ACKNOWLEDGED, {"notifications": stream.honoured})
        for method, params in stream.held:
            self._send(stream, method, params)
        stream.held = []

    def _send(self, stream: ChangeStream, method: str, params: dict[str, Any]) -> None:
        if not stream.is_acknowledged:
            stream.held.append((method, params))
            return
        meta = params.get("_meta")
        meta = {**(meta if isinstance(meta, dict) else {}), protocol.SUBSCRIPTION_KEY: stream.id}
        self._connection.notify(method, {**params, "_meta": meta}, stream.id)
