"""Streams of changes in the modern era: one that a client opens is one at each server behind, told apart by its id."""

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from tallystick import protocol
from tallystick.gateway.upstream.server import Upstream, UpstreamAnswer
from tallystick.protocol.jsonrpc import Id, decode_raw, error_object

if TYPE_CHECKING:
    from tallystick.gateway.client.connection import ClientConnection

STREAMS = 256
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
WAIT_SECONDS = 5.0
"""How long the acknowledgement waits for servers that do not acknowledge."""
FLAGS = {
    "notifications/tools/list_changed": ("toolsListChanged", "tools"),
    "notifications/prompts/list_changed": ("promptsListChanged", "prompts"),
    "notifications/resources/list_changed": ("resourcesListChanged", "resources"),
}
UPDATED = "notifications/resources/updated"


class Subscription(Struct, kw_only=True):
    """One stream of a client. `behind` are the requests at the servers; `waits` are those not acknowledged yet."""

    id: Id
    wanted: dict[str, Any]
    behind: dict[str, int] = {}
    waits: set[str] = set()
    honoured: dict[str, Any] = {}
    held: list[tuple[str, dict[str, Any]]] = []
    acknowledged: bool = False


class Listening:
    """The streams of one client."""

    def __init__(self, connection: "ClientConnection") -> None:
        self._connection = connection
        self._streams: dict[Id, Subscription] = {}

    def begin(self, id: Id, params: dict[str, Any]) -> None:
        wanted = decode_raw(params.get("notifications"))
        if not isinstance(wanted, dict) or len(self._streams) >= STREAMS:
            many = f"There are {STREAMS} subscriptions already."
            said = many if isinstance(wanted, dict) else "notifications is missing."
            self._connection.fail(id, error_object(protocol.INVALID_PARAMS, said))
            return
        stream = Subscription(id=id, wanted=wanted)
        self._streams[id] = stream
        ready = [each for each in self._connection.upstreams if each.state == "ready"]
        stream.waits = {each.name for each in ready if each.era == "modern"}
        for upstream in ready:
            self._open(stream, upstream)
        self._connection.gateway.loop.later(WAIT_SECONDS, lambda: self._acknowledge(stream))
        if not stream.waits:
            self._acknowledge(stream)

    def open_at(self, upstream: Upstream) -> None:
        """A server is there: streams that were opened before reach it now."""
        for stream in self._streams.values():
            self._open(stream, upstream)

    def end(self, id: Id) -> bool:
        """The client has closed a stream. Whether there was one."""
        stream = self._streams.pop(id, None)
        if stream is None:
            return False
        for upstream in self._connection.upstreams:
            if upstream.name in stream.behind:
                upstream.cancel(stream.behind[upstream.name], "")
        return True

    def has(self, id: Id) -> bool:
        return id in self._streams

    def told(self, upstream: Upstream, method: str, params: dict[str, Any]) -> bool:
        """Pass a notification to the streams that it is for. Whether it belongs to streams at all."""
        meta = params.get("_meta")
        number = meta.get(protocol.SUBSCRIPTION_KEY) if isinstance(meta, dict) else None
        if number is not None:
            for stream in list(self._streams.values()):
                if stream.behind.get(upstream.name) == number:
                    self._told(stream, upstream, method, params)
            return True
        if method not in FLAGS and method != UPDATED:
            return False
        for stream in list(self._streams.values()):  # of a server that knows no streams
            uris = stream.wanted.get("resourceSubscriptions") or ()
            if stream.wanted.get(FLAGS[method][0]) is True if method in FLAGS else params.get("uri") in uris:
                self._send(stream, method, params)
        return True

    def _told(self, stream: Subscription, upstream: Upstream, method: str, params: dict[str, Any]) -> None:
        if method != ACKNOWLEDGED:
            self._send(stream, method, params)
            return
        found = params.get("notifications")
        for name, value in found.items() if isinstance(found, dict) else ():
            held = stream.honoured.get(name)
            stream.honoured[name] = [*held, *value] if isinstance(held, list) and isinstance(value, list) else value
        stream.waits.discard(upstream.name)
        if not stream.waits:
            self._acknowledge(stream)

    def _open(self, stream: Subscription, upstream: Upstream) -> None:
        uris = [uri for uri in stream.wanted.get("resourceSubscriptions") or () if self._goes_to(uri, upstream)]
        if upstream.era == "modern":
            wanted = {name: value for name, value in stream.wanted.items() if name != "resourceSubscriptions"}
            if uris:
                wanted["resourceSubscriptions"] = uris

            def over(answer: UpstreamAnswer) -> None:
                stream.behind.pop(upstream.name, None)
                self._told(stream, upstream, ACKNOWLEDGED, {})
                if stream.id in self._streams and not stream.behind and not answer.lost:
                    self._streams.pop(stream.id)
                    self._connection.answer(stream.id, "subscriptions/listen", {})

            sent = upstream.request("subscriptions/listen", {"notifications": wanted}, over, related=stream.id)
            if sent:
                stream.behind[upstream.name] = sent
            return
        for flag, capability in FLAGS.values():
            can = upstream.capabilities.get(capability)
            if stream.wanted.get(flag) is True and isinstance(can, dict) and can.get("listChanged"):
                stream.honoured[flag] = True
        can = upstream.capabilities.get("resources")
        if uris and isinstance(can, dict) and can.get("subscribe"):
            stream.honoured["resourceSubscriptions"] = [*stream.honoured.get("resourceSubscriptions", ()), *uris]
            for uri in uris:
                upstream.request("resources/subscribe", {"uri": uri}, lambda answer: None)

    def _goes_to(self, uri: Any, upstream: Upstream) -> bool:
        owner = self._connection.owner(uri) if isinstance(uri, str) else None
        return owner is upstream or (owner is None and not upstream.own)

    def _acknowledge(self, stream: Subscription) -> None:
        if stream.acknowledged or stream.id not in self._streams:
            return
        stream.acknowledged = True
        self._send(stream, ACKNOWLEDGED, {"notifications": stream.honoured})
        for method, params in stream.held:
            self._send(stream, method, params)
        stream.held = []

    def _send(self, stream: Subscription, method: str, params: dict[str, Any]) -> None:
        if not stream.acknowledged:
            stream.held.append((method, params))
            return
        meta = params.get("_meta")
        meta = {**(meta if isinstance(meta, dict) else {}), protocol.SUBSCRIPTION_KEY: stream.id}
        self._connection.notify(method, {**params, "_meta": meta}, stream.id)
