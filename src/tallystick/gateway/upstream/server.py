"""One server behind the gateway: greeted in the client's era where it speaks that, and started anew when it dies."""

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
from tallystick.gateway.io.loop import Loop, Timer, trouble
from tallystick.protocol.jsonrpc import Id, Message, decode, decode_object, encode, scan_answered_id

# ----------------------------------------------------------------------------------------------------------------------
# Lines of servers that are not as they should be: what can still be made of them.
#
# A client's connection must not break because a server of several writes bytes that are no text.

PIECE = 1 << 20
"""Bytes of a long line that are read at once, so that there is never a second one of it."""
_MARK = codecs.BOM_UTF8
_ESCAPES = re.compile(rb"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u[dD][89a-fA-F]..|\\.", re.DOTALL)
"""Pairs of halves, halves alone, and other escapes, of which two bytes are taken: a backslash may be escaped itself."""


def is_text(line: bytes) -> bool:
    """Whether it is UTF-8. What is inside a result is not read elsewhere, and passes through as it is."""
    if line.isascii():
        return True
    decoder, whole = codecs.getincrementaldecoder("utf-8")(), memoryview(line)
    try:
        for start in range(0, len(line), PIECE):
            decoder.decode(whole[start : start + PIECE], final=start + PIECE >= len(line))
    except UnicodeDecodeError:
        return False
    return True


def as_text(line: bytes) -> bytes:
    """The line with U+FFFD for bytes that are no text."""
    return line.decode(errors="replace").encode()


def messages(line: bytes) -> list[bytes]:
    """What a line that is no message holds all the same: the messages of a batch, or one behind a mark that editors
    write."""
    if line.startswith(_MARK):
        return [line.removeprefix(_MARK)]
    if line.lstrip()[:1] != b"[":
        return []
    try:
        batch = msgspec.json.decode(line, type=list[Raw])
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return []
    return [bytes(each) for each in batch if bytes(each).lstrip()[:1] != b"["]


def mended(line: bytes) -> bytes:
    """The line with U+FFFD for escaped halves of characters, which servers make that cut a text in the middle."""
    return _ESCAPES.sub(lambda found: b"\\ufffd" if len(found[0]) == 6 else found[0], line)


# ----------------------------------------------------------------------------------------------------------------------

Era = Literal["modern", "handshake"]

PROBE_SECONDS = 5.0
"""How long a server of the other era may leave a greeting unanswered before it is greeted in its own."""
FIRST_DELAY = 0.25
LONGEST_DELAY = 30.0
MAX_FAILED_STARTS = 2
"""After so many lives in a row in which it could never be asked, nobody waits for the next."""
HEARD_AGAIN = 1000
"""How many calls that have ended are remembered, for a second answer that says otherwise."""
SETTLED_SECONDS = 10.0
"""A server that lived for so long is started again at once."""
_ENVELOPE = (protocol.VERSION_KEY, protocol.CAPABILITIES_KEY, protocol.CLIENT_KEY)


class Hello(Struct, frozen=True, kw_only=True):
    """What the client said of itself."""

    era: Era
    version: str
    capabilities: dict[str, Any]
    client: dict[str, Any]


class UpstreamAnswer(Struct, frozen=True, kw_only=True):
    """What came of a request: a result, an error of the protocol, or the reason why there is none; and then whether
    it may have been done, whether the server itself has said that it was not, and whether it has answered all the same,
    with what cannot be read."""

    result: Raw | None = None
    error: Raw | None = None
    lost: str = ""
    left: bool = True
    refused: bool = False
    unread: bool = False


class Pending(Struct, kw_only=True):
    """A request that is under way. `token` is the client's name for its progress."""

    done: Callable[[UpstreamAnswer], None]
    related: Id | None = None
    token: Id | None = None
    seen: Callable[[], None] | None = None


class Transport(Protocol):
    """How lines go to a server; those that come back, and its end, are told to the callbacks it was made with."""

    def send(self, line: bytes) -> bool: ...
    def flush(self) -> bool: ...
    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def close(self) -> None: ...
    def end(self) -> None: ...


Unanswered = Callable[[Id, UpstreamAnswer], None]
"""Told of one request that will never be answered, and why."""
Make = Callable[[Callable[[bytes], None], Callable[[str], None], Unanswered], Transport]


class Listener(Protocol):
    """Who hears what a server says by itself."""

    def asked(self, upstream: "Upstream", message: Message, line: bytes) -> None: ...
    def told(self, upstream: "Upstream", method: str, params: dict[str, Any]) -> None: ...
    def changed(self, upstream: "Upstream") -> None: ...


class Upstream:
    """A server, over all its lives."""

    def __init__(
        self, loop: Loop, name: str, make: Make, listener: Listener, seconds: float, say: Callable[[str], None]
    ) -> None:
        self.name = name
        self.own = False
        self.era: Era = "handshake"
        self.version = ""
        self.capabilities: dict[str, Any] = {}
        self.instructions = ""
        self.info: dict[str, Any] = {}
        self.life = 0
        self.lives = 0
        self.state: Literal["idle", "starting", "ready", "resting", "closed"] = "idle"
        self.problem = ""
        self._loop = loop
        self._make = make
        self._listener = listener
        self._seconds = seconds
        self._say = say
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
        """Begin a life. It is greeted as soon as the client has said what it speaks."""
        if self.state in ("starting", "ready", "closed"):
            return
        self.state, self._since = "starting", monotonic()
        self.life += 1
        life = self.life
        try:
            self._transport = self._make(
                self.receive, lambda why: self.lost(why) if life == self.life else None, self._give_up
            )
        except OSError as error:
            self._failed_starts = MAX_FAILED_STARTS  # what is not there will hardly be there in a moment
            self.lost(f"could not be started: {error.strerror or error}")
            return
        self._after(self._seconds, lambda: self.lost(f"did not answer within {self._seconds:.0f} seconds"))
        if self._hello is not None:
            self._greet()

    def greet(self, hello: Hello) -> None:
        """The client is known: be spoken to in its era."""
        if self._hello is None:
            self._hello = hello
            if self.state == "starting":
                self._greet()
            else:
                self.start()

    def when_ready(self, seconds: float, done: Callable[[str], None]) -> None:
        """Tell when it can be asked, or what is wrong when that takes too long."""
        if self.state == "ready":
            done("")
            return
        if self.state == "idle":
            self.start()
        if self.state == "resting" and self._failed_starts >= MAX_FAILED_STARTS:
            done(self.problem)
            return
        timer: Timer | None = None

        def once(problem: str) -> None:
            if once in self._waiting:
                self._waiting.remove(once)
                if timer is not None:
                    timer.cancel()
                done(problem)

        self._waiting.append(once)
        timer = self._loop.later(seconds, lambda: once(self.problem or "is still starting"))

    def request(
        self,
        method: str,
        params: Mapping[str, Any],
        done: Callable[[UpstreamAnswer], None],
        *,
        related: Id | None = None,
        token: Id | None = None,
        seen: Callable[[], None] | None = None,
    ) -> int:
        """Send a request; 0 when it could not be sent, and then nothing is told."""
        id = next(self._ids)
        said = dict(params)
        meta = self._meta(said.pop("_meta", None) or {})
        if token is not None:
            meta["progressToken"] = id
        if meta:
            said["_meta"] = meta
        if not self._send({"jsonrpc": "2.0", "id": id, "method": method, "params": said}):
            return 0
        self._pending[id] = Pending(done=done, related=related, token=token, seen=seen)
        return id

    def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
        if params:
            message["params"] = params
        self._send(message)

    def respond(self, id: Id, message: Message) -> None:
        """Hand back what the client answered to the server's own request."""
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": id}
        if not isinstance(message.error, UnsetType):
            answer["error"] = message.error
        else:
            answer["result"] = {} if isinstance(message.result, UnsetType) else message.result
        self._send(answer)

    def cancel(self, id: int, reason: str) -> None:
        """Tell the server that nobody waits for an answer any more. One that comes all the same is still told."""
        if id in self._pending:
            self.notify("notifications/cancelled", {"requestId": id, "reason": reason} if reason else {"requestId": id})

    def on_duplicate_response(self, id: int, said: Callable[[UpstreamAnswer], None]) -> None:
        """Have told what it still answers to a request that it has answered."""
        self._answered_once[id] = said
        if len(self._answered_once) > HEARD_AGAIN:
            self._answered_once.popitem(last=False)

    def pending(self, id: object) -> Pending | None:
        return self._pending.get(_ours(id)) if isinstance(id, str | int) else None

    def related(self) -> Id | None:
        """The client's request that what a server says by itself most likely belongs to: the newest under way."""
        return next((each.related for each in reversed(self._pending.values()) if each.related is not None), None)

    def flush(self) -> bool:
        return self._transport.flush() if self._transport else False

    def pause(self) -> None:
        if self._transport:
            self._transport.pause()

    def resume(self) -> None:
        if self._transport:
            self._transport.resume()

    def close(self, *, wait: bool) -> None:
        """For good. What is under way is lost."""
        self.state = "closed"
        self._fail("was stopped")
        if self._timer:
            self._timer.cancel()
        if self._transport and wait:
            self._transport.end()
        elif self._transport:
            self._transport.close()

    def receive(self, line: bytes) -> None:
        """Take a line from the server, whatever is in it."""
        if not is_text(line):
            self._say(
                f"{self.name} sent a line of {len(line):,} bytes that is not UTF-8; U+FFFD stands where it is not"
            )
            line = as_text(line)
        try:
            message = decode(line)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            self._misread(line)
            return
        try:
            self._received(message, line)
        except Exception as error:  # the lines behind this one are taken all the same
            self._say(trouble(error))

    def _received(self, message: Message, line: bytes) -> None:
        if isinstance(message.method, UnsetType):
            self._answered(message)
        elif isinstance(message.id, UnsetType):
            self._notified(message.method, message.params)
        elif message.id is not None:
            self._listener.asked(self, message, line)

    def lost(self, why: str) -> None:
        """This life is over: what was under way is lost, and another life begins after a while."""
        if self.state in ("closed", "resting", "idle"):
            return
        self._failed_starts += self.state == "starting"
        lived = self.state == "ready" and monotonic() - self._since > SETTLED_SECONDS
        self.state, self.problem = "resting", why
        self.life += 1
        if self._transport:
            self._transport.close()
            self._transport = None
        self._answered_once.clear()
        self._failures = 0 if lived else self._failures + 1
        delay = min(LONGEST_DELAY, FIRST_DELAY * 2 ** min(self._failures, 10))
        self._say(f"{self.name} {why}; it is started again in {delay:.1f} s")
        self._after(delay, self._again)
        self._fail(why)
        for once in list(self._waiting) if self._failed_starts >= MAX_FAILED_STARTS else ():
            once(why)

    def _again(self) -> None:
        self.state = "idle"
        self.start()

    def _fail(self, why: str) -> None:
        pending, self._pending = self._pending, {}
        for each in pending.values():
            each.done(UpstreamAnswer(lost=why))

    def _after(self, seconds: float, work: Callable[[], None]) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = self._loop.later(seconds, work)

    def _send(self, message: dict[str, Any]) -> bool:
        return self._transport is not None and self._transport.send(encode(message) + b"\n")

    def _meta(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """`_meta` as this server's era has it."""
        meta = {name: value for name, value in given.items() if name not in ("progressToken", *_ENVELOPE)}
        if self.era == "modern" and self._hello is not None:
            modern = self._hello.era == "modern"
            meta[protocol.VERSION_KEY] = given.get(protocol.VERSION_KEY, protocol.MODERN_VERSIONS[-1])
            meta[protocol.CAPABILITIES_KEY] = given.get(
                protocol.CAPABILITIES_KEY, self._hello.capabilities if modern else {}
            )
            meta[protocol.CLIENT_KEY] = given.get(protocol.CLIENT_KEY, self._hello.client)
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
                self._ready(protocol.MODERN_VERSIONS[-1], found)
            elif answer.lost and not answer.unread:
                return
            elif first:
                self._shake_hands(first=False)
            else:
                self.lost("speaks no version of the protocol that is known here")

        id = self.request("server/discover", {}, answered)
        if first and id:
            timer = self._loop.later(PROBE_SECONDS, lambda: self._give_up(id, UpstreamAnswer(error=Raw(b"{}"))))

    def _shake_hands(self, *, first: bool) -> None:
        assert self._hello is not None
        self.era = "handshake"
        same = self._hello.era == "handshake"

        def answered(answer: UpstreamAnswer) -> None:
            found = decode_object(answer.result)
            if isinstance(found.get("protocolVersion"), str):
                self.notify("notifications/initialized")
                self._ready(found["protocolVersion"], found)
            elif answer.lost and not answer.unread:
                return
            elif first:
                self._discover(first=False)
            else:
                self.lost("speaks no version of the protocol that is known here")

        hello = {
            "protocolVersion": self._hello.version if same else protocol.HANDSHAKE_VERSIONS[-1],
            # What the server asks the client by itself cannot reach one of the modern era.
            "capabilities": self._hello.capabilities if same else {},
            "clientInfo": self._hello.client,
        }
        self.request("initialize", hello, answered)

    def _give_up(self, id: Id, answer: UpstreamAnswer) -> None:
        pending = self._pending.pop(id, None)
        if pending:
            pending.done(answer)

    def _ready(self, version: str, found: dict[str, Any]) -> None:
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
        self._listener.changed(self)
        waiting, self._waiting = self._waiting, []
        for done in waiting:
            self._waiting.append(done)  # each takes itself out
            done("")

    def _answered(self, message: Message) -> None:
        if not isinstance(message.id, str | int):
            return
        id = _ours(message.id)
        pending = self._pending.pop(id, None)
        done = pending.done if pending else self._answered_once.pop(id, None)
        if done is None:
            return
        if not isinstance(message.error, UnsetType):
            done(UpstreamAnswer(error=message.error))
        elif isinstance(message.result, UnsetType):
            done(UpstreamAnswer(error=Raw(b'{"code":-32603,"message":"The server answered with nothing."}')))
        else:
            done(UpstreamAnswer(result=message.result))

    def _notified(self, method: str, raw: Raw | UnsetType) -> None:
        params = decode_object(None if isinstance(raw, UnsetType) else raw)
        pending = self.pending(params.get("progressToken")) if method == "notifications/progress" else None
        if pending is not None and pending.seen:
            pending.seen()
        self._listener.told(self, method, params)

    def _misread(self, line: bytes) -> None:
        """A line that is no message. Where it answers a request all the same, nobody is left waiting for that."""
        found, whole = messages(line), mended(line)
        if not found and whole != line:
            self._say(f"{self.name} sent half a character in a line of {len(line):,} bytes; U+FFFD stands for it now")
            found = [whole]
        for each in found:
            self.receive(each)
        if not found:
            self._say(f"{self.name} sent a line of {len(line):,} bytes that is no message; it is passed over")
            if (id := scan_answered_id(line)) is not None:
                self._give_up(_ours(id), UpstreamAnswer(lost="sent an answer that could not be read", unread=True))


def _ours(id: Id) -> Id:
    """An id as we gave it, which is a number: some servers answer with its digits as text, and most clients take it."""
    return int(id) if isinstance(id, str) and id.isascii() and id.isdecimal() and len(id) < 16 else id
