"""A real server process with hostile clients: its memory stays bounded, and other clients are served."""

import asyncio
import json
import resource
import signal
import socket
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from tallystick import Journal
from tests import impatient
from tests.interfaces.mcp.http_client import Served, served
from tests.server.web_server import TIMEOUT_SECONDS, Answer, ask

IMPATIENT = impatient.program(
    {"tallystick.server.connections.HEAD_SECONDS": 2, "tallystick.server.request_limits.BODY_SECONDS": 2}
)
STREAMS = 1000
MIB = 1 << 20
HEAD = b"POST /v1/executions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"sqlite:///{tmp_path_factory.mktemp('abuse') / 'journal.db'}"


@pytest.fixture(scope="module")
def server(url: str) -> Iterator[Served]:
    with TemporaryFile() as errors:
        with served(url, errors=errors) as found:
            yield found
        errors.seek(0)
        assert b"Traceback" not in (output := errors.read()), output.decode()[-4000:]


def _memory(server: Served) -> int:
    """The resident memory of the process in bytes."""
    assert server.process
    words = Path(f"/proc/{server.process.pid}/statm").read_text().split()
    return int(words[1]) * resource.getpagesize()


def _is_served(server: Served) -> bool:
    started: Answer = ask(server.port, "/v1/executions", {"title": "somebody else's"})
    return started.status == 201 and ask(server.port, "/v1/executions?limit=1").status == 200


def test_a_slow_request_is_disconnected_and_others_are_served(url: str) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(served(url, program=(*IMPATIENT, "serve")))
        slow = []
        for number in range(300):
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), TIMEOUT_SECONDS))
            connection.sendall((b"", HEAD[:70], HEAD + b"\r\n", HEAD + b'\r\n{"title":')[number % 4])
            slow.append(connection)
        assert _is_served(server)
        met = Counter(connection.recv(100)[:12] for connection in slow)
        assert met == {b"": 150, b"HTTP/1.1 408": 150}
        assert _is_served(server)


@pytest.mark.parametrize("path", ["/v1/executions", "/mcp", "/login"])
def test_bodies_that_are_too_large_are_refused_and_forgotten(server: Served, path: str) -> None:
    assert _is_served(server)
    before = _memory(server)
    body = b'{"title":"' + b"x" * (12 * MIB) + b'"}'
    with ThreadPoolExecutor(24) as threads:
        met = Counter(threads.map(lambda _: _sent(server, path, body), range(96)))
    assert set(met) <= {403, 413, 429, 503}, met
    assert _is_served(server)
    assert _memory(server) < before + 400 * MIB


def _sent(server: Served, path: str, body: bytes) -> int:
    """The status of a request that is sent as far as it is taken."""
    with socket.create_connection(("127.0.0.1", server.port), TIMEOUT_SECONDS) as connection:
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        with suppress(ConnectionResetError, BrokenPipeError):  # it may be refused before it is whole
            connection.sendall(f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
        try:
            data = connection.recv(12)
        except ConnectionResetError:
            return 413
        return int(data[9:12]) if data else 413


@pytest.mark.parametrize("opened", [b"[", b'{"a":', b'{"title":['])
def test_json_that_is_nested_without_end_is_refused(server: Served, opened: bytes) -> None:
    for path in ("/v1/executions", "/mcp", "/login", "/v1/batches"):
        answer = ask(server.port, path, opened * 200_000, headers={"content-type": "application/json"})
        assert answer.status in (400, 403, 413, 429), (path, answer.status)
        json.loads(answer.body)
    deep = "%5B" * 5000
    assert ask(server.port, f"/v1/entries?limit={deep}").status in (400, 413)
    assert _is_served(server)


def test_heads_without_end_are_refused(server: Served) -> None:
    for more in (b"X: " + b"y" * 100_000, b"".join(b"X-%d: y\r\n" % number for number in range(20_000))):
        with socket.create_connection(("127.0.0.1", server.port), TIMEOUT_SECONDS) as connection:
            try:
                connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + more)
                assert connection.recv(12) in (b"HTTP/1.1 400", b"HTTP/1.1 431")
            except (ConnectionResetError, BrokenPipeError):
                pass  # it was refused before it was whole
    assert _is_served(server)


async def _listener(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    await reader.readuntil(b"caught_up\n")
    return reader, writer


async def _until_end(reader: asyncio.StreamReader) -> bool:
    """Whether a stream ends as it should: with its last chunk, and not torn."""
    return (await reader.read()).endswith(b"0\r\n\r\n")


def test_excess_uploads_get_503_and_aborted_ones_harm_no_other(server: Served) -> None:
    large = b"x" * (2 << 20)
    with ThreadPoolExecutor(12) as threads:
        halves = [threads.submit(_half_an_upload, server.port, large) for _ in range(12)]
        answers = [
            threads.submit(ask, server.port, "/v1/imports", large, headers={"content-type": "application/x-ndjson"})
            for _ in range(12)
        ]
        for each in halves:
            each.result()
        responses = [each.result() for each in answers]
    assert {answer.status for answer in responses} <= {400, 413, 429, 503}
    assert {answer.headers["content-type"] for answer in responses} == {"application/problem+json"}
    assert _is_served(server)


def _half_an_upload(port: int, body: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_SECONDS) as connection:
        head = f"POST /v1/imports HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/x-ndjson\r\n"
        connection.sendall(f"{head}Content-Length: {2 * len(body)}\r\n\r\n".encode() + body)


def test_a_thousand_idle_streams_cost_little_and_end_when_the_server_does(url: str, server: Served) -> None:
    """The last one: it stops the server."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    assert _is_served(server)
    before = _memory(server)

    async def listen() -> None:
        streams = [await _listener(server.port) for _ in range(STREAMS)]
        held = _memory(server) - before
        assert held < STREAMS * 100_000, f"{held / STREAMS:,.0f} bytes for each"
        assert await asyncio.to_thread(_is_served, server)
        with Journal.open(url, journal="test") as journal:
            key = journal.record_context(key="news", value="for all").id
        for reader, _ in streams:
            await asyncio.wait_for(reader.readuntil(key.encode()), TIMEOUT_SECONDS)
        assert server.process
        server.process.send_signal(signal.SIGTERM)
        assert await asyncio.gather(*(_until_end(reader) for reader, _ in streams)) == [True] * STREAMS
        assert await asyncio.to_thread(server.process.wait, TIMEOUT_SECONDS) == 0
        for _, writer in streams:
            writer.close()

    asyncio.run(asyncio.wait_for(listen(), TIMEOUT_SECONDS * 3))
