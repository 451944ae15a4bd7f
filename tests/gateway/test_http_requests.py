"""HTTP at the gateway: what is no clear request is refused, and a request is the same however it arrives."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from threading import Thread
from urllib.parse import urlsplit

import pytest

from tallystick.gateway.io import http
from tallystick.gateway.io.http import HttpRequest, HttpResponse, HttpServer
from tallystick.gateway.io.loop import Loop
from tests.gateway.gateway_client import ScriptedServer, config_for
from tests.gateway.test_client_isolation import TIMEOUT_SECONDS, sharing

HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "ann", "version": "1"}}
MAX_BODY = 1 << 20


class Echo:
    """A server that answers each request with its parts, and has no part in MCP."""

    def __init__(self) -> None:
        listening = socket.socket()
        listening.bind(("127.0.0.1", 0))
        self.port = listening.getsockname()[1]
        self.lost = 0
        self._loop = Loop()
        self._server = HttpServer(self._loop, listening, self._take, MAX_BODY)
        self._thread = Thread(target=self._loop.run)
        self._thread.start()

    def close(self) -> None:
        self._loop.post(self._loop.stop)
        self._thread.join()
        self._server.close()
        self._loop.close()

    def send(self, *pieces: bytes) -> bytes:
        """Everything that is answered to these pieces, until the connection is closed."""
        with socket.create_connection(("127.0.0.1", self.port), TIMEOUT_SECONDS) as connected:
            for piece in pieces:
                connected.sendall(piece)
            return b"".join(iter(lambda: connected.recv(1 << 16), b""))

    def _take(self, request: HttpRequest, response: HttpResponse) -> None:
        if request.path == "/stream":
            response.on_disconnect = self._on_lost
            response.begin_stream(())
            for part in (b"one", b"two"):
                response.send_part(part)
            response.end_stream()
        elif request.path == "/flood":
            response.on_disconnect = self._on_lost
            response.begin_stream(())
            self._flood(response)
        elif request.path == "/fail":
            raise RuntimeError
        elif request.path != "/never":
            parts = [request.method, request.path, request.fields, request.body.decode()]
            response.send(200, [("content-type", "application/json")], json.dumps(parts).encode())

    def _flood(self, response: HttpResponse) -> None:
        if not response.is_over:
            response.send_part(b"x" * (1 << 20))
            self._loop.post(lambda: self._flood(response))

    def _on_lost(self) -> None:
        self.lost += 1


@pytest.fixture
def echo() -> Iterator[Echo]:
    echo = Echo()
    yield echo
    echo.close()


def _body(response: bytes) -> list[object]:
    found: list[object] = json.loads(response.partition(b"\r\n\r\n")[2])
    return found


CLOSE = b"Host: here\r\nConnection: close\r\n"


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"POST /x HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n", 400),
        (b"POST /x HTTP/1.1\r\nContent-Length: 1, 1\r\n", 400),
        (b"POST /x HTTP/1.1\r\nContent-Length: +1\r\n", 400),
        (b"POST /x HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n", 400),
        (b"POST /x HTTP/1.0\r\nTransfer-Encoding: chunked\r\n", 400),
        (b"POST /x HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n", 501),
        (b"POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", 501),
        (b"POST /x HTTP/1.1\r\nContent-Length : 1\r\n", 400),
        (b"POST /x HTTP/1.1\r\nHost: here\r\n folded\r\n", 400),
        (b"POST /x HTTP/1.1\r\nHost: he\0re\r\n", 400),
        (b"POST /x HTTP/1.1\nHost: here\r\n", 400),
        (b"POST /x HTTP/1.1\r\nHost: here\nEvil: 1\r\n", 400),
        (b"POST /x HTTP/1.1\r\nHost: here\rEvil: 1\r\n", 400),
        (b"POST  /x HTTP/1.1\r\n", 400),
        (b"POST /x HTTP/2.0\r\n", 400),
        (b"POST http://here/x HTTP/1.1\r\n", 400),
        (b"post /x HTTP/1.1\r\n", 400),
        (b"POST /x HTTP/1.1\r\nContent-Length: 1048577\r\n", 413),
        (b"POST /x HTTP/1.1\r\nLong: " + b"x" * http.MAX_HEAD_BYTES + b"\r\n", 431),
    ],
)
def test_a_request_that_two_readers_could_take_for_different_ones_is_refused(
    head: bytes, status: int, echo: Echo
) -> None:
    response = echo.send(head + b"\r\n0")
    assert response.startswith(b"HTTP/1.1 %d " % status)
    assert b"connection: close" in response


@pytest.mark.parametrize(
    "body",
    [b"4\r\nabcdX\r\n0\r\n\r\n", b"g\r\n", b"-1\r\n\r\n", b"4 4\r\nabcd\r\n", b"\r\n", b"100001\r\n", b"fffff\r\n" * 2],
)
def test_a_damaged_body_in_chunks_is_refused(body: bytes, echo: Echo) -> None:
    response = echo.send(b"POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + body + b"\r\n" * 600_000)
    assert response.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 413 "))


@pytest.mark.parametrize("seed", range(20))
def test_a_request_is_the_same_however_it_arrives(seed: int, echo: Echo) -> None:
    chance = Random(seed)
    content = bytes(chance.choices(b'{}"\r\n0a', k=chance.choice((0, 1, 7, 3000))))
    head = b"POST /x?y=1 HTTP/1.1\r\nOne:  a b \r\none:\r\n" + CLOSE
    chunks = b""
    for at in range(0, len(content), size := chance.randrange(1, 900)):
        part = content[at : at + size]
        chunks += b"%X;n=v\r\n%b\r\n" % (len(part), part)
    chunked = head + b"Transfer-Encoding: Chunked\r\n\r\n" + chunks + b"0\r\nTrailer: 1\r\n\r\n"
    whole = head + b"Content-Length: %d\r\n\r\n" % len(content) + content
    for sent in (whole, chunked):
        cuts = sorted(chance.randrange(len(sent)) for _ in range(chance.randrange(9)))
        pieces = [sent[start:end] for start, end in zip([0, *cuts], [*cuts, len(sent)], strict=True)]
        method, path, fields, body = _body(echo.send(*pieces))
        assert (method, path, body) == ("POST", "/x", content.decode())
        assert isinstance(fields, list)
        assert fields[:2] == [["one", "a b"], ["one", ""]]


def test_requests_that_arrive_together_are_answered_in_their_order(echo: Echo) -> None:
    names = [b"/%d" % number for number in range(500)]
    response = echo.send(
        *(b"GET %b HTTP/1.1\r\n\r\n" % name for name in names), b"GET /z HTTP/1.1\r\n" + CLOSE + b"\r\n"
    )
    answered = [part.split(b'"')[3] for part in response.split(b"HTTP/1.1 200 OK")[1:]]
    assert answered == [*names, b"/z"]


def test_a_stream_has_chunks_for_a_client_that_knows_them(echo: Echo) -> None:
    newer = echo.send(b"GET /stream HTTP/1.1\r\n" + CLOSE + b"\r\n")
    older = echo.send(b"GET /stream HTTP/1.0\r\n\r\n")
    assert newer.endswith(b"\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n")
    assert older.endswith(b"\r\n\r\nonetwo")
    assert b"transfer-encoding" not in older


def test_a_client_that_asks_first_may_send_its_body(echo: Echo) -> None:
    head = b"POST /x HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n" + CLOSE + b"\r\n"
    with socket.create_connection(("127.0.0.1", echo.port), TIMEOUT_SECONDS) as connected:
        connected.sendall(head)
        assert connected.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connected.sendall(b"ab")
        assert b'"ab"' in connected.recv(1 << 16)


def test_a_client_that_reads_nothing_is_disconnected(echo: Echo) -> None:
    with socket.create_connection(("127.0.0.1", echo.port), TIMEOUT_SECONDS) as connected:
        connected.sendall(b"GET /flood HTTP/1.1\r\n\r\n")
        while not echo.lost:
            assert b'"/x"' in echo.send(b"GET /x HTTP/1.1\r\n" + CLOSE + b"\r\n")  # others are answered meanwhile
    assert echo.lost == 1


def test_a_request_that_cannot_be_handled_fails_alone(echo: Echo) -> None:
    response = echo.send(b"GET /fail HTTP/1.1\r\n\r\nGET /x HTTP/1.1\r\n" + CLOSE + b"\r\n")
    assert response.startswith(b"HTTP/1.1 500 ")
    assert b'"/x"' in response


def test_a_silent_connection_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "IDLE_SECONDS", 0.0)
    monkeypatch.setattr(http, "SWEEP_SECONDS", 0.01)
    with closing(Echo()) as echo:
        assert echo.send(b"GET /x HTTP/1.1\r\n") == b""  # its end never comes


def test_every_connection_above_the_limit_is_closed_at_once(echo: Echo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MAX_CONNECTIONS", 1)
    with socket.create_connection(("127.0.0.1", echo.port), TIMEOUT_SECONDS) as first:
        first.sendall(b"GET /x HTTP/1.1\r\n\r\n")
        assert first.recv(1 << 16)
        with socket.create_connection(("127.0.0.1", echo.port), TIMEOUT_SECONDS) as second:
            assert second.recv(1) == b""
        first.sendall(b"GET /x HTTP/1.1\r\n\r\n")
        assert first.recv(1 << 16)


def test_the_bytes_of_a_number_pass_unchanged(tmp_path: Path) -> None:
    server = ScriptedServer(tmp_path, "one")
    with sharing(tmp_path, config_for(server)) as shared:
        ann = shared.handshake("ann")
        ann.call("echo", big=12345678901234567890, one=1.0)
    [call] = server.calls("echo")
    assert json.dumps(call["arguments"]) == '{"big": 12345678901234567890, "one": 1.0}'


def test_a_session_has_one_stream_and_ends_with_its_client(tmp_path: Path) -> None:
    with sharing(tmp_path, config_for(ScriptedServer(tmp_path, "one"))) as shared, ExitStack() as stack:
        address = urlsplit(shared.url)

        def ask(method: str, session: str = "", body: object = None) -> socket.socket:
            content = b"" if body is None else json.dumps(body).encode()
            head = f"{method} /mcp HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Type: application/json\r\n"
            head += "Accept: application/json, text/event-stream\r\n"
            head += f"Mcp-Session-Id: {session}\r\n" if session else ""
            connected = socket.create_connection((str(address.hostname), address.port or 0), TIMEOUT_SECONDS)
            stack.enter_context(connected)
            connected.sendall(head.encode() + b"Content-Length: %d\r\n\r\n" % len(content) + content)
            return connected

        opened = ask("POST", body={"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}).recv(1 << 16)
        session = opened.partition(b"mcp-session-id: ")[2].partition(b"\r\n")[0].decode()
        stream = ask("GET", session)
        assert b"text/event-stream" in stream.recv(1 << 16)
        assert b" 409 " in ask("GET", session).recv(1 << 16)
        assert b" 202 " in ask("POST", session, {"jsonrpc": "2.0", "method": "notifications/initialized"}).recv(1 << 16)
        assert b" 405 " in ask("PUT", session).recv(1 << 16)
        assert b" 200 " in ask("DELETE", session).recv(1 << 16)
        assert stream.recv(1 << 16) == b"0\r\n\r\n"
        assert b" 404 " in ask("GET", session).recv(1 << 16)
        assert b" 400 " in ask("GET").recv(1 << 16)
