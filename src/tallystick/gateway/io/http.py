"""Serves HTTP/1.1 in the gateway's loop: requests are read whole, responses are sent at the end of a turn.

A request is read strictly. What two readers could take for different requests is refused, and its connection closed.
"""

import re
import socket
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from http import HTTPStatus
from time import monotonic

from msgspec import Struct

from tallystick.gateway.io.log import LOG
from tallystick.gateway.io.loop import Loop, describe_unexpected
from tallystick.gateway.io.pipes import CHUNK_BYTES, LineWriter

MAX_CONNECTIONS = 1000
MAX_HEAD_BYTES = 64 << 10
"""The longest request line with its headers, and the longest trailers of a body."""
MAX_UNSENT_BYTES = 32 << 20
"""If more waits for a client that does not read, its connection is closed. One message may be larger."""
IDLE_SECONDS = 60.0
"""How long a connection may stay silent: between two requests, or in the middle of one."""
LINGER_SECONDS = 5.0
"""How long a closed connection is still read, so that its last response is not lost."""
SWEEP_SECONDS = 5.0
ACCEPT_PAUSE_SECONDS = 0.5
"""How long no connection is accepted after one could not be: this process has too many files open."""
_REQUEST = re.compile(r"([A-Z]{1,20}) (/[!-~]*) HTTP/1\.([01])")
_FIELD = re.compile(r"([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([\t -~\x80-\xff]*)")
_LENGTH = re.compile(r"[0-9]{1,15}")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[\t -~\x80-\xff]*)?")
_BLANK_LINE = b"\r\n\r\n"
Fields = Sequence[tuple[str, str]]


class BadRequest(Exception):
    """A request that is refused before anybody looks at it."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class HttpRequest(Struct, kw_only=True):
    """A request. Names of headers are in small letters."""

    method: str
    path: str
    """Without the query."""
    fields: Fields
    """All headers in order."""
    headers: dict[str, str]
    """The first header of each name."""
    keeps_connection: bool
    has_chunks: bool
    """Whether its client understands a response in chunks."""
    body: bytes = b""


def read_head(head: str) -> HttpRequest:
    """Read a request line and headers. Raises BadRequest."""
    first, *lines = head.split("\r\n")
    request = _REQUEST.fullmatch(first)
    if request is None:
        raise BadRequest(400, "The request line cannot be read.")
    fields: list[tuple[str, str]] = []
    for line in lines:
        field = _FIELD.fullmatch(line)
        if field is None:
            raise BadRequest(400, "A header cannot be read.")
        fields.append((field[1].lower(), field[2].strip(" \t")))
    headers = dict(reversed(fields))
    connection = {each.strip().lower() for each in headers.get("connection", "").split(",")}
    is_newest = request[3] == "1"
    return HttpRequest(
        method=request[1],
        path=request[2].partition("?")[0],
        fields=fields,
        headers=headers,
        keeps_connection=is_newest and "close" not in connection,
        has_chunks=is_newest,
    )


def body_length(request: HttpRequest) -> int | None:
    """How many bytes the body of a request has; None if it comes in chunks. Raises BadRequest."""
    lengths = [value for name, value in request.fields if name == "content-length"]
    codings = [value.lower() for name, value in request.fields if name == "transfer-encoding"]
    if codings:
        if lengths or not request.has_chunks:
            raise BadRequest(400, "The length of the body is not clear.")
        if codings != ["chunked"]:
            raise BadRequest(501, "Only the transfer coding chunked is known here.")
        return None
    if len(lengths) > 1 or not all(map(_LENGTH.fullmatch, lengths)):
        raise BadRequest(400, "The length of the body is not clear.")
    return int(lengths[0]) if lengths else 0


class Body:
    """Collects the body of a request."""

    def __init__(self, length: int | None, max_bytes: int) -> None:
        self._left = length
        """Bytes that are still to come; None while a chunk's length is to come."""
        self._is_chunked = length is None
        self._in_trailers = False
        self._budget = max_bytes
        self._parts: list[bytes] = []
        self._reserve(length or 0)

    @property
    def content(self) -> bytes:
        return b"".join(self._parts)

    def take(self, received: bytearray) -> bool:
        """Take what belongs to the body. Returns whether it is complete. Raises BadRequest."""
        if not self._is_chunked:
            return self._take_bytes(received)
        while not self._in_trailers:
            if self._left is None:
                if not self._begin_chunk(received):
                    return False
            elif not (self._take_bytes(received) and self._end_chunk(received)):
                return False
        return self._take_trailers(received)

    def _take_bytes(self, received: bytearray) -> bool:
        if self._left and received:
            self._parts.append(bytes(received[: self._left]))
            del received[: self._left]
            self._left -= len(self._parts[-1])
        return not self._left

    def _begin_chunk(self, received: bytearray) -> bool:
        line, end, _ = received[: 1 + MAX_HEAD_BYTES].partition(b"\r\n")
        if not end:
            _check_length(received)
            return False
        size = _CHUNK.fullmatch(line)
        if size is None:
            raise BadRequest(400, "A chunk of the body cannot be read.")
        del received[: len(line) + 2]
        self._left = int(size[1], 16)
        self._in_trailers = not self._left
        self._reserve(self._left)
        return True

    def _end_chunk(self, received: bytearray) -> bool:
        if len(received) < 2:
            return False
        if not received.startswith(b"\r\n"):
            raise BadRequest(400, "A chunk of the body is longer than it says.")
        del received[:2]
        self._left = None
        return True

    def _take_trailers(self, received: bytearray) -> bool:
        """Drop the headers behind a body: they end with a blank line."""
        if received.startswith(b"\r\n"):
            del received[:2]
            return True
        end = received.find(_BLANK_LINE, 0, MAX_HEAD_BYTES)
        if end < 0:
            _check_length(received)
            return False
        del received[: end + len(_BLANK_LINE)]
        return True

    def _reserve(self, size: int) -> None:
        self._budget -= size
        if self._budget < 0:
            raise BadRequest(413, "The body is too large.")


def _check_length(received: bytearray) -> None:
    if len(received) > MAX_HEAD_BYTES:
        raise BadRequest(431, "The headers are too long.")


class HttpResponse:
    """The response to one request: sent whole, or as a stream of parts."""

    def __init__(self, connection: "HttpConnection", request: HttpRequest) -> None:
        self.is_stream = False
        self.is_over = False
        """Whether nothing more can be sent: it is complete, or the client has disconnected."""
        self.on_disconnect: Callable[[], None] | None = None
        """Called if the client disconnects before the response is complete."""
        self._connection = connection
        self._keeps_connection = request.keeps_connection
        self._has_chunks = request.has_chunks
        self._is_head_only = request.method == "HEAD"

    def send(self, status: int, fields: Fields, body: bytes = b"") -> None:
        """Send a whole response."""
        if not self.is_over:
            head = self._head(status, (*fields, ("content-length", str(len(body)))))
            self._connection.put(head if self._is_head_only else head + body)
            self._end()

    def begin_stream(self, fields: Fields) -> None:
        """Begin a response of which nobody knows how long it gets."""
        if not self.is_over:
            self.is_stream = True
            self._keeps_connection &= self._has_chunks
            coding = (("transfer-encoding", "chunked"),) if self._has_chunks else ()
            self._connection.put(self._head(200, (*fields, *coding)))

    def send_part(self, part: bytes) -> None:
        if not self.is_over:
            self._connection.put(b"%x\r\n%b\r\n" % (len(part), part) if self._has_chunks else part)

    def end_stream(self) -> None:
        if not self.is_over:
            if self._has_chunks:
                self._connection.put(b"0\r\n\r\n")
            self._end()

    def lose(self) -> None:
        """The client has disconnected."""
        if not self.is_over:
            self.is_over = True
            if self.on_disconnect is not None:
                self.on_disconnect()

    def _head(self, status: int, fields: Iterable[tuple[str, str]]) -> bytes:
        lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", *(f"{name}: {value}" for name, value in fields)]
        if not self._keeps_connection:
            lines.append("connection: close")
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    def _end(self) -> None:
        self.is_over = True
        self._connection.on_response_end(keeps=self._keeps_connection)


OnRequest = Callable[[HttpRequest, HttpResponse], None]


class HttpConnection:
    """One connection of a client. It has one request at a time."""

    def __init__(self, server: "HttpServer", connected: socket.socket) -> None:
        connected.setblocking(False)
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._server = server
        self._socket = connected
        self._received = bytearray()
        self._searched = 0
        self._request: HttpRequest | None = None
        self._body: Body | None = None
        self._response: HttpResponse | None = None
        self._state = "open"
        """`ending`: closed once everything is sent; `lingering`: then, while the client may still send."""
        self._last_seen = monotonic()
        self._writer = LineWriter(server.loop, socket.dup(connected.fileno()), self.close, self._on_sent)
        server.loop.watch_readable(connected.fileno(), self._on_readable)

    def put(self, data: bytes) -> None:
        """Queue a part of a response."""
        if self._writer.waiting_bytes and self._writer.waiting_bytes + len(data) > MAX_UNSENT_BYTES:
            self._server.loop.post(self.close)  # not at once: the caller is about to send more
            return
        self._writer.put(data)

    def on_response_end(self, *, keeps: bool) -> None:
        self._last_seen = monotonic()
        if keeps and self._state == "open":
            self._response = self._request = self._body = None
            if self._received:
                self._server.loop.post(self._advance)  # the next request has arrived already
        else:
            self._response, self._state = None, "ending"

    def close_if_silent(self, now: float) -> None:
        seconds = LINGER_SECONDS if self._state == "lingering" else IDLE_SECONDS
        if self._response is None and not self._writer.waiting_bytes and now - self._last_seen > seconds:
            self.close()

    def close(self) -> None:
        if self._state != "closed":
            self._state = "closed"
            self._server.loop.unwatch(self._socket.fileno())
            self._writer.close()
            self._socket.close()
            self._server.forget(self)
            if self._response is not None:
                self._response.lose()

    def _on_readable(self) -> None:
        try:
            received = self._socket.recv(CHUNK_BYTES)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            received = b""
        if not received:
            self.close()
        elif self._state == "open":
            self._last_seen = monotonic()
            self._received += received
            self._advance()

    def _advance(self) -> None:
        """Read on, and hand a complete request over. One that comes early waits for the response before it."""
        if self._response is not None or self._state != "open":
            if len(self._received) > MAX_HEAD_BYTES:
                self.close()  # nobody sends so much ahead
            return
        try:
            if not self._read_request():
                return
        except BadRequest as error:
            self._refuse(error)
            return
        request, body = self._request, self._body
        assert request is not None
        assert body is not None
        request.body = body.content
        self._response = response = HttpResponse(self, request)
        try:
            self._server.take(request, response)
        except Exception as error:  # this request fails, and nothing else
            LOG.log(describe_unexpected(error))
            response.end_stream() if response.is_stream else response.send(500, ())

    def _read_request(self) -> bool:
        """Read on. Returns whether a request is complete. Raises BadRequest."""
        if self._request is None:
            end = self._received.find(_BLANK_LINE, self._searched, MAX_HEAD_BYTES)
            if end < 0:
                _check_length(self._received)
                self._searched = max(0, len(self._received) - len(_BLANK_LINE))
                return False
            self._searched = 0
            request = read_head(self._received[:end].decode("latin-1"))
            del self._received[: end + len(_BLANK_LINE)]
            self._body = Body(body_length(request), self._server.max_body_bytes)
            self._request = request
            if not self._received and request.headers.get("expect", "").lower() == "100-continue":
                self.put(b"HTTP/1.1 100 Continue\r\n\r\n")
        assert self._body is not None
        return self._body.take(self._received)

    def _refuse(self, error: BadRequest) -> None:
        refused = HttpRequest(method="", path="", fields=(), headers={}, keeps_connection=False, has_chunks=False)
        self._response = HttpResponse(self, refused)
        self._response.send(error.status, [("content-type", "text/plain")], f"{error}\n".encode())

    def _on_sent(self) -> None:
        """Close our direction after the last response: one that still sends might lose it if all was closed."""
        if self._state == "ending":
            self._state, self._last_seen = "lingering", monotonic()
            self._received.clear()
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_WR)


class HttpServer:
    """Accepts connections, and hands their requests over."""

    def __init__(self, loop: Loop, listening: socket.socket, take: OnRequest, max_body_bytes: int) -> None:
        self.loop = loop
        self.take = take
        self.max_body_bytes = max_body_bytes
        self._listening = listening
        self._connections: set[HttpConnection] = set()
        self._is_listening = True
        listening.setblocking(False)
        listening.listen(128)
        loop.watch_readable(listening.fileno(), self._accept)
        loop.later(SWEEP_SECONDS, self._sweep)

    def stop_listening(self) -> None:
        if self._is_listening:
            self._is_listening = False
            self.loop.unwatch(self._listening.fileno())
            self._listening.close()

    def close(self) -> None:
        self.stop_listening()
        for each in list(self._connections):
            each.close()

    def forget(self, connection: HttpConnection) -> None:
        self._connections.discard(connection)

    def _accept(self) -> None:
        try:
            connected, _ = self._listening.accept()
        except (BlockingIOError, InterruptedError, ConnectionError):
            return
        except OSError:
            self.loop.unwatch(self._listening.fileno())
            self.loop.later(ACCEPT_PAUSE_SECONDS, self._listen_again)
            return
        if len(self._connections) >= MAX_CONNECTIONS:
            connected.close()
            return
        try:
            self._connections.add(HttpConnection(self, connected))
        except OSError:  # there is no descriptor for it, or the client is gone
            connected.close()

    def _listen_again(self) -> None:
        if self._is_listening:
            self.loop.watch_readable(self._listening.fileno(), self._accept)

    def _sweep(self) -> None:
        now = monotonic()
        for each in list(self._connections):
            each.close_if_silent(now)
        self.loop.later(SWEEP_SECONDS, self._sweep)
