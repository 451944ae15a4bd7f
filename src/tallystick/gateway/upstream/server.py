"""One server behind the gateway: its handshake, requests and restarts, and the repair of invalid lines."""

import codecs
import re
from collections import OrderedDict
from collections.abc import Callable, Mapping
from itertools import count
from time import monotonic
from typing import Any, Literal, Protocol

import msgspec
from msgspec import Raw, Struct, UnsetType

from tallystick import protocol
from tallystick.gateway.io.loop import Future, Loop, Timer, describe_unexpected
from tallystick.protocol.jsonrpc import Id, Message, decode, decode_object, encode, one_line, scan_answered_id

PIECE_BYTES = 1 << 20
"""How much of a long line is decoded at once, so that it is never in memory twice."""
_BOM = codecs.BOM_UTF8
_ESCAPES = re.compile(rb"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u[dD][89a-fA-F]..|\\.", re.DOTALL)
"""Matches escaped surrogate pairs, single surrogates, and the first two bytes of other escapes, such as a backslash."""


def is_utf8(line: bytes) -> bool:
    """Whether a line is UTF-8. A result passes through undecoded, so nothing else would check it."""
    if line.isascii():
        return True
    decoder, whole = codecs.getincrementaldecoder("utf-8")(), memoryview(line)
    try:
        for start in range(0, len(line), PIECE_BYTES):
            decoder.decode(whole[start : start + PIECE_BYTES], final=start + PIECE_BYTES >= len(line))
    except UnicodeDecodeError:
        return False
    return True


def replace_invalid_bytes(line: bytes) -> bytes:
    """The line with U+FFFD for bytes that are not UTF-8."""
    return line.decode(errors="replace").encode()


def split_messages(line: bytes) -> list[bytes]:
    """The messages in a line that is no message itself: those of a batch, or one after a byte order mark."""
    if line.startswith(_BOM):
        return [line.removeprefix(_BOM)]
    if line.lstrip()[:1] != b"[":
        return []
    try:
        batch = msgspec.json.decode(line, type=list[Raw])
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return []
    return [bytes(each) for each in batch if bytes(each).lstrip()[:1] != b"["]


def replace_surrogates(line: bytes) -> bytes:
    """The line with U+FFFD for single surrogates. Servers make them when they truncate a text in a character."""
    return _ESCAPES.sub(lambda found: b"\\ufffd" if len(found[0]) == 6 else found[0], line)


Era = Literal["modern", "handshake"]

PROBE_SECONDS = 5.0
"""How long the first greeting may stay unanswered before the server is greeted in the other era."""
FIRST_RESTART_SECONDS = 0.25
MAX_RESTART_SECONDS = 30.0
MAX_FAILED_STARTS = 2
"""After so many lives in a row in which the server was never ready, no request waits for the next."""
MAX_DUPLICATES_WATCHED = 1000
"""How many answered calls are remembered, to notice a second answer."""
STABLE_SECONDS = 10.0
"""A server that was ready for this long is restarted with the first delay again."""
_ENVELOPE = (protocol.VERSION_KEY, protocol.CAPABILITIES_KEY, protocol.CLIENT_KEY)


class Hello(Struct, frozen=True, kw_only=True):
    """The client's greeting: its era, version, capabilities and name."""

    era: Era
    version: str
    capabilities: dict[str, Any]
    client: dict[str, Any]


class UpstreamAnswer(Struct, frozen=True, kw_only=True):
    """The answer to a request: a result, a JSON-RPC error, or the reason why there is neither."""

    result: Raw | None = None
    error: Raw | None = None
    lost: str = ""
    """Why there is no answer."""
    left: bool = True
    """Whether a lost request may have reached the server."""
    refused: bool = False
    """Whether the server has said that it did not take a lost request."""
    unread: bool = False
    """Whether the server has answered, with a line that cannot be read."""


class Pending(Struct, kw_only=True):
    """A request without an answer yet."""

    on_answer: Callable[[UpstreamAnswer], None]
    related: Id | None = None
    """The client's request that it belongs to."""
    token: Id | None = None
    """The client's progress token."""
    on_progress: Callable[[], None] | None = None


class Transport(Protocol):
    """Carries lines to a server. Received lines and the connection's end go to the callbacks it was made with."""

    def send(self, line: bytes) -> bool: ...
    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def close(self) -> None: ...
    def end(self) -> None: ...


OnUnanswered = Callable[[Id, UpstreamAnswer], None]
"""Called with the id of a request that will never be answered, and the reason."""
MakeTransport = Callable[[Callable[[bytes], None], Callable[[str], None], OnUnanswered], Transport]
"""Makes a transport from the callbacks for a line, for the end of the connection, and for an unanswered request."""


class Listener(Protocol):
    """Receives the messages that a server sends by itself."""

    def on_request(self, upstream: "Upstream", message: Message, line: bytes) -> None: ...
    def on_notification(self, upstream: "Upstream", method: str, params: dict[str, Any]) -> None: ...
    def on_ready(self, upstream: "Upstream") -> None: ...


class Upstream:
    """A server, over all lives of its process or connection."""

    def __init__(
        self,
        loop: Loop,
        name: str,
        make_transport: MakeTransport,
        listener: Listener,
        start_seconds: float,
        log: Callable[[str], None],
    ) -> None:
        self.name = name
        self.own = False
        """Whether it is the server of our own tools."""
        self.era: Era = "handshake"
        self.version = ""
        self.capabilities: dict[str, Any] = {}
        self.instructions = ""
        self.info: dict[str, Any] = {}
        self.life = 0
        """Changes with each start and each end, so that a late callback of an earlier life is recognised."""
        self.lives = 0
        """How often it has become ready."""
        self.state: Literal["idle", "starting", "ready", "resting", "closed"] = "idle"
        self.problem = ""
        self._loop = loop
        self._make_transport = make_transport
        self._listener = listener
        self._start_seconds = start_seconds
        self._log = log
        self._hello: Hello | None = None
        self._transport: Transport | None = None
        self._ids = count(1)
        self._pending: dict[Id, Pending] = {}
        self._answered_once: OrderedDict[Id, Callable[[UpstreamAnswer], None]] = OrderedDict()
        self._waiting: list[Callable[[str], None]] = []
        self._timer: Timer | None = None
        self._failures = 0
        self._failed_starts = 0
        self._since = 0.0

    def start(self) -> None:
        """Start a life. The server is greeted as soon as the client's era is known."""
        if self.state in ("starting", "ready", "closed"):
            return
        self.state, self._since = "starting", monotonic()
        self.life += 1
        life = self.life
        try:
            self._transport = self._make_transport(
                self.receive, lambda reason: self.on_lost(reason) if life == self.life else None, self._give_up
            )
        except OSError as error:
            self._failed_starts = MAX_FAILED_STARTS  # a missing program will hardly exist in a moment
            self.on_lost(f"could not be started: {error.strerror or error}")
            return
        seconds = self._start_seconds
        self._after(seconds, lambda: self.on_lost(f"did not answer within {seconds:.0f} seconds"))
        if self._hello is not None:
            self._greet()

    def greet(self, hello: Hello) -> None:
        """Greet the server in the era of the client, which is known now."""
        if self._hello is None:
            self._hello = hello
            if self.state == "starting":
                self._greet()
            else:
                self.start()

    def when_ready(self, seconds: float, on_ready: Callable[[str], None]) -> None:
        """Call back with "" when requests can be sent, or with the problem if that takes too long."""
        if self.state == "ready":
            on_ready("")
            return
        if self.state == "idle":
            self.start()
        if self.state == "resting" and self._failed_starts >= MAX_FAILED_STARTS:
            on_ready(self.problem)
            return
        timer: Timer | None = None

        def once(problem: str) -> None:
            if once in self._waiting:
                self._waiting.remove(once)
                if timer is not None:
                    timer.cancel()
                on_ready(problem)

        self._waiting.append(once)
        timer = self._loop.later(seconds, lambda: once(self.problem or "is still starting"))

    async def wait_ready(self, seconds: float) -> str:
        """Wait until requests can be sent. Returns "", or the problem if that takes too long."""
        ready: Future[str] = Future()
        self.when_ready(seconds, ready.resolve)
        return await ready

    def request(
        self,
        method: str,
        params: Mapping[str, Any],
        on_answer: Callable[[UpstreamAnswer], None],
        *,
        related: Id | None = None,
        token: Id | None = None,
        on_progress: Callable[[], None] | None = None,
    ) -> int:
        """Send a request. Returns its id, or 0 if it could not be sent: then `on_answer` is never called."""
        id = next(self._ids)
        fields = dict(params)
        meta = self._meta(fields.pop("_meta", None) or {})
        if token is not None:
            meta["progressToken"] = id
        if meta:
            fields["_meta"] = meta
        if not self._send({"jsonrpc": "2.0", "id": id, "method": method, "params": fields}):
            return 0
        self._pending[id] = Pending(on_answer=on_answer, related=related, token=token, on_progress=on_progress)
        return id

    def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
        if params:
            message["params"] = params
        self._send(message)

    def respond(self, id: Id, message: Message) -> None:
        """Pass the client's answer to a request of the server on."""
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": id}
        if not isinstance(message.error, UnsetType):
            answer["error"] = message.error
        else:
            answer["result"] = {} if isinstance(message.result, UnsetType) else message.result
        self._send(answer)

    def cancel(self, id: int, reason: str) -> None:
        """Tell the server that nobody waits for an answer. An answer that still comes is delivered."""
        if id in self._pending:
            self.notify("notifications/cancelled", {"requestId": id, "reason": reason} if reason else {"requestId": id})

    def on_duplicate_response(self, id: int, callback: Callable[[UpstreamAnswer], None]) -> None:
        """Call back if the server answers an answered request a second time."""
        self._answered_once[id] = callback
        if len(self._answered_once) > MAX_DUPLICATES_WATCHED:
            self._answered_once.popitem(last=False)

    def pending(self, id: object) -> Pending | None:
        return self._pending.get(_as_sent(id)) if isinstance(id, str | int) else None

    def newest_related(self) -> Id | None:
        """The client's newest request under way. A message that the server sends by itself likely belongs to it."""
        return next((each.related for each in reversed(self._pending.values()) if each.related is not None), None)

    def pause(self) -> None:
        if self._transport:
            self._transport.pause()

    def resume(self) -> None:
        if self._transport:
            self._transport.resume()

    def close(self, *, wait: bool) -> None:
        """Close for good. Requests under way are lost."""
        self.state = "closed"
        self._fail_pending("was stopped")
        if self._timer:
            self._timer.cancel()
        if self._transport and wait:
            self._transport.end()
        elif self._transport:
            self._transport.close()

    def receive(self, line: bytes) -> None:
        """Handle a line from the server, whatever is in it."""
        line = one_line(line)
        if not is_utf8(line):
            self._log(
                f"{self.name} sent a line of {len(line):,} bytes that is not valid UTF-8; "
                "invalid bytes were replaced by U+FFFD"
            )
            line = replace_invalid_bytes(line)
        try:
            message = decode(line)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            self._receive_unreadable(line)
            return
        try:
            self._received(message, line)
        except Exception as error:  # the lines after this one are still handled
            self._log(describe_unexpected(error))

    def _received(self, message: Message, line: bytes) -> None:
        if isinstance(message.method, UnsetType):
            self._on_answer(message)
        elif isinstance(message.id, UnsetType):
            self._on_notification(message.method, message.params)
        elif message.id is not None:
            self._listener.on_request(self, message, line)

    def on_lost(self, reason: str) -> None:
        """End this life: requests under way are lost, and the server is restarted after a delay."""
        if self.state in ("closed", "resting", "idle"):
            return
        self._failed_starts += self.state == "starting"
        was_stable = self.state == "ready" and monotonic() - self._since > STABLE_SECONDS
        self.state, self.problem = "resting", reason
        self.life += 1
        if self._transport:
            self._transport.close()
            self._transport = None
        self._answered_once.clear()
        self._failures = 0 if was_stable else self._failures + 1
        delay = min(MAX_RESTART_SECONDS, FIRST_RESTART_SECONDS * 2 ** min(self._failures, 10))
        self._log(f"{self.name} {reason}; it is started again in {delay:.1f} s")
        self._after(delay, self._restart)
        self._fail_pending(reason)
        for once in list(self._waiting) if self._failed_starts >= MAX_FAILED_STARTS else ():
            once(reason)

    def _restart(self) -> None:
        self.state = "idle"
        self.start()

    def _fail_pending(self, reason: str) -> None:
        pending, self._pending = self._pending, {}
        for each in pending.values():
            each.on_answer(UpstreamAnswer(lost=reason))

    def _after(self, seconds: float, callback: Callable[[], None]) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = self._loop.later(seconds, callback)

    def _send(self, message: dict[str, Any]) -> bool:
        return self._transport is not None and self._transport.send(encode(message) + b"\n")

    def _meta(self, client_meta: Mapping[str, Any]) -> dict[str, Any]:
        """`_meta` as the era of this server requires it."""
        meta = {name: value for name, value in client_meta.items() if name not in ("progressToken", *_ENVELOPE)}
        if self.era == "modern" and self._hello is not None:
            is_modern = self._hello.era == "modern"
            meta[protocol.VERSION_KEY] = client_meta.get(protocol.VERSION_KEY, protocol.MODERN_VERSIONS[-1])
            meta[protocol.CAPABILITIES_KEY] = client_meta.get(
                protocol.CAPABILITIES_KEY, self._hello.capabilities if is_modern else {}
            )
            meta[protocol.CLIENT_KEY] = client_meta.get(protocol.CLIENT_KEY, self._hello.client)
        return meta

    def _greet(self) -> None:
        assert self._hello is not None
        (self._discover if self._hello.era == "modern" else self._shake_hands)(first=True)

    def _discover(self, *, first: bool) -> None:
        self.era = "modern"
        timer: Timer | None = None

        def answered(answer: UpstreamAnswer) -> None:
            if timer is not None:
                timer.cancel()
            found = decode_object(answer.result)
            if protocol.MODERN_VERSIONS[-1] in (found.get("supportedVersions") or ()):
                self._on_ready(protocol.MODERN_VERSIONS[-1], found)
            elif answer.lost and not answer.unread:
                return
            elif first:
                self._shake_hands(first=False)
            else:
                self.on_lost("speaks no version of the protocol that is known here")

        id = self.request("server/discover", {}, answered)
        if first and id:
            timer = self._loop.later(PROBE_SECONDS, lambda: self._give_up(id, UpstreamAnswer(error=Raw(b"{}"))))

    def _shake_hands(self, *, first: bool) -> None:
        assert self._hello is not None
        self.era = "handshake"
        is_same_era = self._hello.era == "handshake"

        def answered(answer: UpstreamAnswer) -> None:
            found = decode_object(answer.result)
            if isinstance(found.get("protocolVersion"), str):
                self.notify("notifications/initialized")
                self._on_ready(found["protocolVersion"], found)
            elif answer.lost and not answer.unread:
                return
            elif first:
                self._discover(first=False)
            else:
                self.on_lost("speaks no version of the protocol that is known here")

        hello = {
            "protocolVersion": self._hello.version if is_same_era else protocol.HANDSHAKE_VERSIONS[-1],
            # A client of the modern era cannot receive requests of a server.
            "capabilities": self._hello.capabilities if is_same_era else {},
            "clientInfo": self._hello.client,
        }
        self.request("initialize", hello, answered)

    def _give_up(self, id: Id, answer: UpstreamAnswer) -> None:
        pending = self._pending.pop(id, None)
        if pending:
            pending.on_answer(answer)

    def _on_ready(self, version: str, found: dict[str, Any]) -> None:
        self.state, self.problem, self._since = "ready", "", monotonic()
        self.lives += 1
        self._failed_starts = 0
        if self._timer:
            self._timer.cancel()
        self.version = version
        capabilities, info = found.get("capabilities"), found.get("serverInfo")
        meta = found.get("_meta")
        if info is None and isinstance(meta, dict):
            info = meta.get(protocol.SERVER_KEY)
        self.capabilities = capabilities if isinstance(capabilities, dict) else {}
        self.info = info if isinstance(info, dict) else {"name": self.name, "version": ""}
        self.instructions = found["instructions"] if isinstance(found.get("instructions"), str) else ""
        self._listener.on_ready(self)
        waiting, self._waiting = self._waiting, []
        for once in waiting:
            self._waiting.append(once)  # each removes itself
            once("")

    def _on_answer(self, message: Message) -> None:
        if not isinstance(message.id, str | int):
            return
        id = _as_sent(message.id)
        pending = self._pending.pop(id, None)
        deliver = pending.on_answer if pending else self._answered_once.pop(id, None)
        if deliver is None:
            return
        if not isinstance(message.error, UnsetType):
            deliver(UpstreamAnswer(error=message.error))
        elif isinstance(message.result, UnsetType):
            deliver(
                UpstreamAnswer(
                    error=Raw(b'{"code":-32603,"message":"The response has neither a result nor an error."}')
                )
            )
        else:
            deliver(UpstreamAnswer(result=message.result))

    def _on_notification(self, method: str, raw: Raw | UnsetType) -> None:
        params = decode_object(None if isinstance(raw, UnsetType) else raw)
        pending = self.pending(params.get("progressToken")) if method == "notifications/progress" else None
        if pending is not None and pending.on_progress:
            pending.on_progress()
        self._listener.on_notification(self, method, params)

    def _receive_unreadable(self, line: bytes) -> None:
        """Handle a line that is not a JSON-RPC message. If the id in it can be read, that request is given up."""
        found, repaired = split_messages(line), replace_surrogates(line)
        if not found and repaired != line:
            self._log(f"{self.name} sent a line of {len(line):,} bytes with a lone surrogate; replaced by U+FFFD")
            found = [repaired]
        for each in found:
            self.receive(each)
        if not found:
            self._log(f"{self.name} sent a line of {len(line):,} bytes that is not a JSON-RPC message; ignored")
            if (id := scan_answered_id(line)) is not None:
                self._give_up(_as_sent(id), UpstreamAnswer(lost="sent an answer that could not be read", unread=True))


def _as_sent(id: Id) -> Id:
    """An id as the gateway sent it, a number: some servers answer with its digits as text, and most clients accept
    that."""
    return int(id) if isinstance(id, str) and id.isascii() and id.isdecimal() and len(id) < 16 else id
