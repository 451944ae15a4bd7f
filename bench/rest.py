"""REST of `tallystick serve`: a read and a record with 200 open streams, with none, and compared with a bare route.

Two servers differ only in their streams; each stream receives every entry that its server records. The bare route is
the floor: the same web server, which returns the same bytes without a journal.
"""

from __future__ import annotations

import http.client
import json
import re
import selectors
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread

from bench.figure import Aim, Bench, Figure
from bench.rounds import Samples, interleave, percentile, ratio

STREAMS = 200
CALLS_PER_TURN = 50
ROUNDS = (20, 4)
"""In a full and in a quick run."""
CROWDED_READ_AIM = Aim(bound=1.5)
CROWDED_RECORD_AIM = Aim(bound=2, target=1.5)
"""With streams, the process that records also sends the entry to each of them."""
BARE_READ_AIM = Aim(bound=3, target=2.2)
ENTRIES = 200
READ = "/v1/entries?limit=50"
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")


def figures(bench: Bench) -> list[Figure]:
    with ExitStack() as stack:
        quiet = stack.enter_context(_serving(bench.folder / "quiet"))
        crowded = stack.enter_context(_serving(bench.folder / "crowded"))
        for server in (quiet, crowded):
            server.fill()
        floor = stack.enter_context(_floor(bench.folder / "floor", quiet))
        stack.enter_context(_streams(crowded.address))
        turns = {
            "read": Turn(quiet.read),
            "read, streams": Turn(crowded.read),
            "read, bare": Turn(floor.read),
            "record": Turn(quiet.record),
            "record, streams": Turn(crowded.record),
            "record, bare": Turn(floor.record),
        }
        for turn in turns.values():
            turn()
            turn.waits.clear()
        samples = interleave(dict(turns), bench.amount(*ROUNDS))
    return [figure for what in ("read", "record") for figure in _compared(what, samples, turns)]


def _compared(what: str, samples: Samples, turns: dict[str, Turn]) -> list[Figure]:
    crowd, over = ratio(samples, f"{what}, streams", what), ratio(samples, what, f"{what}, bare")
    waits = {name: turn.waits for name, turn in turns.items()}
    p99 = {name: percentile(found, 0.99) for name, found in waits.items()}
    aim = CROWDED_READ_AIM if what == "read" else CROWDED_RECORD_AIM
    return [
        Figure(
            f"rest.{what}.streams.p50",
            f"REST {what} with {STREAMS} event streams open, compared with none",
            crowd.median,
            aim=aim,
            low=crowd.low,
            high=crowd.high,
        ),
        Figure(
            f"rest.{what}.streams.p99",
            f"p99 of a REST {what} with {STREAMS} event streams open, compared with none",
            p99[f"{what}, streams"] / p99[what],
            notes=f"{p99[f'{what}, streams'] * 1000:.1f} ms against {p99[what] * 1000:.1f} ms",
        ),
        Figure(
            f"rest.{what}.bare.p50",
            f"REST {what}, compared with a bare route that returns the same bytes",
            over.median,
            aim=BARE_READ_AIM if what == "read" else None,
            low=over.low,
            high=over.high,
            notes=f"{percentile(waits[what], 0.5) * 1000:.2f} ms against "
            f"{percentile(waits[f'{what}, bare'], 0.5) * 1000:.2f} ms",
        ),
        Figure(
            f"rest.{what}.bare.p99",
            f"p99 of a REST {what}, compared with a bare route that returns the same bytes",
            p99[what] / p99[f"{what}, bare"],
        ),
    ]


class Turn:
    """Calls of one kind to one server, and how long the caller waited for each."""

    def __init__(self, call: Callable[[], float]) -> None:
        self.waits: list[float] = []
        self._call = call

    def __call__(self) -> float:
        """The median of some more calls. The first does not count: a server closes idle connections."""
        self._call()
        new = [self._call() for _ in range(CALLS_PER_TURN)]
        self.waits += new
        return percentile(new, 0.5)


class Served:
    """A server, and one persistent connection to it."""

    def __init__(self, address: str, read: str, record: str) -> None:
        self.address = address
        self._read = read
        self._record = record
        self._connection = http.client.HTTPConnection(address.removeprefix("http://"))
        self._execution = ""

    def fill(self) -> None:
        self._execution = json.loads(self.request("POST", "/v1/executions", {"title": "bench"}))["id"]
        for _ in range(ENTRIES):
            self.record()

    def read(self) -> float:
        return self._timed(lambda: self.request("GET", self._read))

    def record(self) -> float:
        note = {"phase": "note", "summary": "something was seen", "execution_id": self._execution}
        return self._timed(lambda: self.request("POST", self._record, note))

    def request(self, method: str, path: str, body: dict[str, str] | None = None) -> bytes:
        headers = {"content-type": "application/json"} if body else {}
        content = json.dumps(body) if body else None
        try:
            self._connection.request(method, path, content, headers)
            answer = self._connection.getresponse()
        except (ConnectionError, http.client.RemoteDisconnected):
            self._connection.close()
            self._connection.request(method, path, content, headers)
            answer = self._connection.getresponse()
        received = answer.read()
        if answer.status not in (200, 201):
            raise RuntimeError(f"{method} {path} was answered {answer.status}: {received[:400]!r}")
        return received

    def bytes_of(self) -> tuple[bytes, bytes]:
        """The responses to a read and to a record."""
        note = {"phase": "note", "summary": "something was seen", "execution_id": self._execution}
        return self.request("GET", self._read), self.request("POST", self._record, note)

    @staticmethod
    def _timed(work: Callable[[], bytes]) -> float:
        started = time.perf_counter()
        work()
        return time.perf_counter() - started


@contextmanager
def _serving(folder: Path) -> Iterator[Served]:
    folder.mkdir()
    command = ["-m", "tallystick", "serve", "--port", "0", "--url", f"sqlite:///{folder / 'journal.db'}"]
    with _started([*command, "--journal", "bench"]) as address:
        yield Served(address, READ, "/v1/actions")


@contextmanager
def _floor(folder: Path, like: Served) -> Iterator[Served]:
    folder.mkdir()
    for name, content in zip(("read", "record"), like.bytes_of(), strict=True):
        (folder / name).write_bytes(content)
    with _started(["-m", "bench.rest_floor", str(folder)]) as address:
        yield Served(address, "/", "/")


@contextmanager
def _started(arguments: list[str]) -> Iterator[str]:
    """The address that a server prints."""
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = next(filter(None, map(_ADDRESS.search, process.stdout)))
        Thread(target=process.stdout.read, daemon=True).start()  # a pipe that nobody reads would fill up
        yield found[0]
    finally:
        process.terminate()
        process.wait()


@contextmanager
def _streams(address: str) -> Iterator[None]:
    """Clients of the event stream, all in one thread; the data that they receive is discarded."""
    host, _, port = address.removeprefix("http://").partition(":")
    chosen = selectors.DefaultSelector()
    connections = [socket.create_connection((host, int(port))) for _ in range(STREAMS)]
    for connection in connections:
        connection.sendall(f"GET /events HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        connection.recv(4096)  # it has been answered
        chosen.register(connection, selectors.EVENT_READ)
    over = False

    def read() -> None:
        while not over:
            for key, _ in chosen.select(timeout=0.5):
                key.fileobj.recv(1 << 16)  # type: ignore[union-attr]  # all are sockets

    reading = Thread(target=read, daemon=True)
    reading.start()
    try:
        yield
    finally:
        over = True
        reading.join()
        for connection in connections:
            connection.close()
