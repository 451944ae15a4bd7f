"""What servers say by themselves: questions to the client, notifications, and that they are there again."""

from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import Raw, UnsetType

from tallystick.gateway.client import tasks
from tallystick.gateway.client.subscriptions import Listening
from tallystick.gateway.upstream.server import Upstream
from tallystick.protocol.jsonrpc import Id, Message

if TYPE_CHECKING:
    from tallystick.gateway.client.connection import ClientConnection

QUESTIONS = 1000
"""How many questions of servers may wait for the client's answer."""
SUBSCRIPTIONS = 1000
CHANGES = {
    "tools": "notifications/tools/list_changed",
    "prompts": "notifications/prompts/list_changed",
    "resources": "notifications/resources/list_changed",
}


class Asked(NamedTuple):
    """A server's own question, which the client has under another id."""

    upstream: Upstream
    life: int
    id: Id
    token: Id | None


class ServerMessages:
    """The servers' part of one client's connection."""

    def __init__(self, connection: "ClientConnection") -> None:
        self._connection = connection
        self._asked: dict[Id, Asked] = {}
        self._numbers = count(1)
        self._subscribed: dict[str, Upstream] = {}
        self.level: dict[str, Any] | None = None
        """What the client wants to be told of the servers' logs."""
        self._listening = Listening(connection)

    def asked(self, upstream: Upstream, message: Message, line: bytes) -> None:
        """A question to the client: elicitation, sampling, roots. Only the handshake era has them."""
        assert isinstance(message.id, str | int)
        if message.method == "ping":
            upstream.respond(message.id, Message(result=Raw(b"{}")))
            return
        if self._connection.modern or self._connection.early.full or len(self._asked) >= QUESTIONS:
            why = b'{"code":-32601,"message":"The client behind this gateway cannot be asked."}'
            upstream.respond(message.id, Message(error=Raw(why)))
            return
        id = f"tallystick-{next(self._numbers)}"
        params: dict[str, Any] = {}
        token = None
        try:
            if not isinstance(message.params, UnsetType):
                params = msgspec.json.decode(message.params, type=dict[str, Raw])
            meta = msgspec.json.decode(params["_meta"], type=dict[str, Any]) if "_meta" in params else {}
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            upstream.respond(message.id, Message(error=Raw(b'{"code":-32602,"message":"params is not an object."}')))
            return
        if isinstance(meta.get("progressToken"), str | int):
            token, params["_meta"] = meta["progressToken"], {**meta, "progressToken": id}
        self._asked[id] = Asked(upstream, upstream.life, message.id, token)
        self._connection.ask(id, str(message.method), params, upstream.related())

    def answered(self, message: Message) -> None:
        """The client's answer goes to whoever asked, if it still lives."""
        asked = self._asked.pop(message.id, None) if isinstance(message.id, str | int) else None
        if asked is not None and asked.life == asked.upstream.life:
            asked.upstream.respond(asked.id, message)

    def progressed(self, params: dict[str, Any]) -> None:
        """How far the client is with a question."""
        try:
            asked = self._asked.get(msgspec.json.decode(params.get("progressToken", Raw(b"0"))))
        except (msgspec.DecodeError, TypeError, RecursionError, UnicodeDecodeError):
            return
        if asked is not None and asked.token is not None:
            asked.upstream.notify("notifications/progress", {**params, "progressToken": asked.token})

    def told(self, upstream: Upstream, method: str, params: dict[str, Any]) -> None:
        """A notification of a server."""
        connection = self._connection
        if method == "notifications/progress":
            pending = upstream.pending(params.get("progressToken"))
            if pending is not None and pending.token is not None:
                connection.notify(method, {**params, "progressToken": pending.token}, pending.related)
            return
        if method == "notifications/cancelled":
            self._withdrawn(upstream, params)
            return
        if method == tasks.STATUS:
            params = connection.tasks.told(upstream, params)
        if method == CHANGES["tools"]:
            connection.learnt.discard((upstream.name, upstream.life))
        if connection.modern and self._listening.told(upstream, method, params):
            return
        connection.notify(method, params, upstream.related())

    def changed(self, upstream: Upstream) -> None:
        """A server can be asked, maybe again: what it was told before its death it is told anew."""
        connection = self._connection
        again = upstream.name in connection.missed or upstream.lives > 1
        connection.missed.discard(upstream.name)
        for uri, owner in self._subscribed.items():
            if again and owner is upstream and upstream.era == "handshake":
                upstream.request("resources/subscribe", {"uri": uri}, lambda answer: None)
        if self.level is not None and "logging" in upstream.capabilities:
            upstream.request("logging/setLevel", self.level, lambda answer: None)
        self._listening.open_at(upstream)
        if again:
            self.announce(upstream)

    def announce(self, upstream: Upstream) -> None:
        """Tell the client that lists which were without this server would be with it now."""
        connection = self._connection
        if connection.hello is not None:
            for name, method in CHANGES.items():
                if name in upstream.capabilities:
                    if not connection.modern:
                        connection.notify(method, {})
                    else:
                        self._listening.told(upstream, method, {})

    def listens(self, id: Id) -> bool:
        """Whether a request is a stream of changes, which has no answer to wait for."""
        return self._listening.has(id)

    def subscribed(self, method: str, uri: str, owner: Upstream) -> None:
        if method == "resources/subscribe" and len(self._subscribed) < SUBSCRIPTIONS:
            self._subscribed[uri] = owner
        elif method == "resources/unsubscribe":
            self._subscribed.pop(uri, None)

    def listen(self, id: Id, params: dict[str, Any]) -> None:
        self._listening.begin(id, params)

    def stop_listening(self, id: Id) -> bool:
        return self._listening.end(id)

    def _withdrawn(self, upstream: Upstream, params: dict[str, Any]) -> None:
        """A server takes back its question."""
        for id, asked in self._asked.items():
            if asked.upstream is upstream and asked.id == params.get("requestId"):
                self._connection.notify("notifications/cancelled", {**params, "requestId": id})
                return


# ----------------------------------------------------------------------------------------------------------------------
# What servers say before their client can hear it: a client of the older era is told nothing but answers until it has
# said that it is ready. What came meanwhile is told then, in its order.

MOST = 1000
MOST_BYTES = 8 << 20
"""How much may wait so."""
Emit = Callable[[bytes, Id | None], None]
"""Sends a line to the client; the id is that of the client's request that it belongs to, if to any."""


class HoldUntilReady:
    """The way to one client for what is no answer to it."""

    def __init__(self, emit: Emit, say: Callable[[str], None]) -> None:
        self._emit = emit
        self._say = say
        self._left = {"greeted", "ready"}
        self._held: list[tuple[bytes, Id | None]] = []
        self._size = 0
        self._lost = 0

    @property
    def full(self) -> bool:
        """Whether nothing more can wait: who asks something is better told so at once."""
        return len(self._held) >= MOST or self._size >= MOST_BYTES

    def emit(self, line: bytes, related: Id | None) -> None:
        if not self._left:
            self._emit(line, related)
        elif self.full:
            self._lost += 1
        else:
            self._held.append((line, related))
            self._size += len(line)

    def greeted(self) -> None:
        """The client has been answered for the first time; one of the modern era is not greeted."""
        self._await("greeted")

    def ready(self) -> None:
        """The client has said that it is ready, or asks something, as only who is ready does."""
        self._await("ready")

    def _await(self, what: str) -> None:
        if not self._left:
            return
        self._left.discard(what)
        if self._left:
            return
        held, self._held, self._size = self._held, [], 0
        for line, related in held:
            self._emit(line, related)
        if self._lost:
            self._say(f"{self._lost:,} notifications came before the client was ready, and too many to be kept")
