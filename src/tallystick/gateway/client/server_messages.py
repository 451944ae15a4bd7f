"""Messages that servers send by themselves: requests to the client, notifications, and that a server is ready again."""

from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import Raw, UnsetType

from tallystick.gateway.client import tasks
from tallystick.gateway.client.subscriptions import Streams
from tallystick.gateway.upstream.server import Upstream
from tallystick.protocol.jsonrpc import Id, Message

if TYPE_CHECKING:
    from tallystick.gateway.client.connection import ClientConnection

MAX_QUESTIONS = 1000
"""How many requests of servers may wait for the client's answer."""
MAX_SUBSCRIPTIONS = 1000
MAX_HELD_MESSAGES = 1000
MAX_HELD_BYTES = 8 << 20
"""How many messages may wait until the client is ready."""
CHANGES = {
    "tools": "notifications/tools/list_changed",
    "prompts": "notifications/prompts/list_changed",
    "resources": "notifications/resources/list_changed",
}
Emit = Callable[[bytes, Id | None], None]
"""Sends a line to the client. The id is that of the client's request that the line belongs to, if any."""


class ServerQuestion(NamedTuple):
    """A server's request to the client, which the client has under another id."""

    upstream: Upstream
    life: int
    id: Id
    token: Id | None


class ServerMessages:
    """The messages of all servers to one client."""

    def __init__(self, connection: "ClientConnection") -> None:
        self._connection = connection
        self._questions: dict[Id, ServerQuestion] = {}
        self._own_questions: dict[Id, Callable[[Raw | None], None]] = {}
        """Requests of the gateway itself, each with what takes the result: None if there is none."""
        self._numbers = count(1)
        self._subscribed: dict[str, Upstream] = {}
        self.level: dict[str, Any] | None = None
        """The log level that the client has set, as params of logging/setLevel."""
        self._streams = Streams(connection)

    def on_request(self, upstream: Upstream, message: Message, line: bytes) -> None:
        """Pass a server's request on to the client: elicitation, sampling, roots. Only the handshake era has them."""
        assert isinstance(message.id, str | int)
        if message.method == "ping":
            upstream.respond(message.id, Message(result=Raw(b"{}")))
            return
        is_full = self._connection.notifications.is_full or len(self._questions) >= MAX_QUESTIONS
        if self._connection.is_modern or is_full:
            error = b'{"code":-32601,"message":"The client behind this gateway cannot be asked."}'
            upstream.respond(message.id, Message(error=Raw(error)))
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
        self._questions[id] = ServerQuestion(upstream, upstream.life, message.id, token)
        self._connection.ask(id, str(message.method), params, upstream.newest_related())

    def ask_client(
        self, method: str, params: dict[str, Any], related: Id, on_answer: Callable[[Raw | None], None]
    ) -> Callable[[], None]:
        """Send a request of the gateway itself to the client. Returns what takes it back, if it is not answered."""
        if len(self._own_questions) >= MAX_QUESTIONS:
            on_answer(None)
            return lambda: None
        id = f"tallystick-{next(self._numbers)}"
        self._own_questions[id] = on_answer
        self._connection.ask(id, method, params, related)

        def withdraw() -> None:
            if self._own_questions.pop(id, None) is not None:
                reason = "The call no longer waits for it."
                self._connection.notify("notifications/cancelled", {"requestId": id, "reason": reason}, related)

        return withdraw

    def on_input_end(self) -> None:
        """The client answers no more."""
        questions, self._own_questions = self._own_questions, {}
        for on_answer in questions.values():
            on_answer(None)

    def on_notification(self, upstream: Upstream, method: str, params: dict[str, Any]) -> None:
        """Pass a server's notification on to the client."""
        connection = self._connection
        if method == "notifications/progress":
            pending = upstream.pending(params.get("progressToken"))
            if pending is not None and pending.token is not None:
                connection.notify(method, {**params, "progressToken": pending.token}, pending.related)
            return
        if method == "notifications/cancelled":
            self._on_question_cancelled(upstream, params)
            return
        if method == tasks.STATUS:
            params = connection.tasks.on_status(upstream, params)
        if method == CHANGES["tools"]:
            connection.learnt.discard((upstream.name, upstream.life))
            connection.schemas.clear()
        if connection.is_modern and self._streams.on_notification(upstream, method, params):
            return
        connection.notify(method, params, upstream.newest_related())

    def on_ready(self, upstream: Upstream) -> None:
        """Repeat to a restarted server what the client has subscribed to and set, and announce its lists."""
        connection = self._connection
        was_missed = upstream.name in connection.missed or upstream.lives > 1
        connection.missed.discard(upstream.name)
        for uri, owner in self._subscribed.items():
            if was_missed and owner is upstream and upstream.era == "handshake":
                upstream.request("resources/subscribe", {"uri": uri}, lambda answer: None)
        if self.level is not None and "logging" in upstream.capabilities:
            upstream.request("logging/setLevel", self.level, lambda answer: None)
        self._streams.open_at(upstream)
        if was_missed:
            self.announce(upstream)

    def announce(self, upstream: Upstream) -> None:
        """Tell the client that lists which lacked this server have changed."""
        connection = self._connection
        if connection.hello is not None:
            for name, method in CHANGES.items():
                if name in upstream.capabilities:
                    if not connection.is_modern:
                        connection.notify(method, {})
                    else:
                        self._streams.on_notification(upstream, method, {})

    def on_client_answer(self, message: Message) -> None:
        """Pass the client's answer on to the gateway, or to the server that asked if it is still in the same life."""
        own = self._own_questions.pop(message.id, None) if isinstance(message.id, str | int) else None
        if own is not None:
            own(None if isinstance(message.result, UnsetType) else message.result)
            return
        question = self._questions.pop(message.id, None) if isinstance(message.id, str | int) else None
        if question is not None and question.life == question.upstream.life:
            question.upstream.respond(question.id, message)

    def on_client_progress(self, params: dict[str, Any]) -> None:
        """Pass the client's progress with a question on to the server that asked."""
        try:
            question = self._questions.get(msgspec.json.decode(params.get("progressToken", Raw(b"0"))))
        except (msgspec.DecodeError, TypeError, RecursionError, UnicodeDecodeError):
            return
        if question is not None and question.token is not None:
            question.upstream.notify("notifications/progress", {**params, "progressToken": question.token})

    def on_subscription(self, method: str, uri: str, owner: Upstream) -> None:
        """Remember a subscription of the handshake era, to repeat it when the server restarts."""
        if method == "resources/subscribe" and len(self._subscribed) < MAX_SUBSCRIPTIONS:
            self._subscribed[uri] = owner
        elif method == "resources/unsubscribe":
            self._subscribed.pop(uri, None)

    def open_stream(self, id: Id, params: dict[str, Any]) -> None:
        self._streams.open(id, params)

    def close_stream(self, id: Id) -> bool:
        """Close a stream of changes. Returns whether there was one under this id."""
        return self._streams.close(id)

    def is_stream(self, id: Id) -> bool:
        """Whether a request is a stream of changes, which has no answer to wait for."""
        return self._streams.has(id)

    def _on_question_cancelled(self, upstream: Upstream, params: dict[str, Any]) -> None:
        for id, question in self._questions.items():
            if question.upstream is upstream and question.id == params.get("requestId"):
                self._connection.notify("notifications/cancelled", {**params, "requestId": id})
                return


class HoldUntilReady:
    """Holds notifications and requests of servers until the client is ready, then sends them in order.

    A client of the handshake era must get nothing but answers before it has sent notifications/initialized.
    """

    def __init__(self, emit: Emit, log: Callable[[str], None]) -> None:
        self._emit = emit
        self._log = log
        self._awaited = {"greeted", "ready"}
        self._held: list[tuple[bytes, Id | None]] = []
        self._held_bytes = 0
        self._dropped = 0

    @property
    def is_full(self) -> bool:
        """Whether nothing more can be held: a server's request is rejected then."""
        return len(self._held) >= MAX_HELD_MESSAGES or self._held_bytes >= MAX_HELD_BYTES

    def emit(self, line: bytes, related: Id | None) -> None:
        if not self._awaited:
            self._emit(line, related)
        elif self.is_full:
            self._dropped += 1
        else:
            self._held.append((line, related))
            self._held_bytes += len(line)

    def on_greeted(self) -> None:
        """The client has its first answer. A client of the modern era needs no greeting."""
        self._on("greeted")

    def on_ready(self) -> None:
        """The client has said that it is ready, or has sent a request, which only a ready client does."""
        self._on("ready")

    def _on(self, event: str) -> None:
        if not self._awaited:
            return
        self._awaited.discard(event)
        if self._awaited:
            return
        held, self._held, self._held_bytes = self._held, [], 0
        for line, related in held:
            self._emit(line, related)
        if self._dropped:
            self._log(f"{self._dropped:,} notifications came before the client was ready, and too many to be kept")
