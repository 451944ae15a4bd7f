"""Measures the time that a gateway adds to a direct call: ours with durable records, and two that record nothing.

All use the same server, which answers at once. Over stdio ours is compared with fastmcp's proxy. mcp-proxy bridges HTTP
and stdio, so ours is compared with it over HTTP. Each call has other arguments, so that none is answered from the
journal.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import IO

from bench import peers_python, start
from bench.figure import Aim, Bench, Figure
from bench.mcp_client import HANDSHAKE, Client
from bench.recording import url_of
from bench.rounds import Samples, interleave, percentile, spread

AIMS = {"fastmcp's proxy": Aim(bound=0.6, target=0.4), "mcp-proxy": Aim(bound=1.6, target=1.2)}
HERE = Path(__file__).resolve().parent
BACKEND = [sys.executable, "-I", str(HERE / "gateway_backend.py")]
AT_ONCE = 16
CALLS = (96, 32)
ROUNDS = (15, 4)
PORTS = count(18_431)
DURABILITY = "SQLite, WAL, synchronous=FULL: the intent before the call leaves, the outcome before its answer goes back"


class OverStdio:
    """A server or gateway over pipes."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._tool = client.tools[-1]
        self._numbers = count()

    def one_by_one(self, calls: int) -> float:
        """The median wait of a call, in seconds."""
        return percentile([self._client.call(self._tool, self._arguments()).seconds for _ in range(calls)], 0.5)

    def at_once(self, calls: int) -> float:
        """The mean time of a call in seconds, with 16 calls under way at any time."""
        arguments = [self._arguments() for _ in range(calls)]
        started = perf_counter()
        self._client.call_many(self._tool, arguments, AT_ONCE)
        return (perf_counter() - started) / calls

    def _arguments(self) -> dict[str, int]:
        return {"amount": 40, "number": next(self._numbers)}


class OverHttp:
    """A gateway over HTTP, in a session of the handshake era."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._numbers = count(1)
        self._tool = "pay"
        self._session = ""
        self._session = self._ask(HTTPConnection("127.0.0.1", port), "initialize", HANDSHAKE)
        self._ask(HTTPConnection("127.0.0.1", port), "notifications/initialized", None)
        self._connections = [HTTPConnection("127.0.0.1", port) for _ in range(AT_ONCE)]

    def one_by_one(self, calls: int) -> float:
        return percentile([self._call(self._connections[0]) for _ in range(calls)], 0.5)

    def at_once(self, calls: int) -> float:
        def call_repeatedly(connection: HTTPConnection) -> None:
            for _ in range(calls // AT_ONCE):
                self._call(connection)

        started = perf_counter()
        with ThreadPoolExecutor(AT_ONCE) as threads:
            list(threads.map(call_repeatedly, self._connections))
        return (perf_counter() - started) / (calls // AT_ONCE * AT_ONCE)

    def _call(self, connection: HTTPConnection) -> float:
        params = {"name": self._tool, "arguments": {"amount": 40, "number": next(self._numbers)}}
        started = perf_counter()
        self._ask(connection, "tools/call", params)
        return perf_counter() - started

    def _ask(self, connection: HTTPConnection, method: str, params: object) -> str:
        message = {"jsonrpc": "2.0", "method": method, **({"params": params} if params else {})}
        if not method.startswith("notifications/"):
            message["id"] = next(self._numbers)
        headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        if self._session:
            headers |= {"mcp-session-id": self._session, "mcp-protocol-version": "2025-11-25"}
        connection.request("POST", "/mcp", json.dumps(message), headers)
        response = connection.getresponse()
        body = response.read()
        if response.status >= 400 or b'"error"' in body:
            raise RuntimeError(f"{method} was refused with {response.status}: {body[:400]!r}")
        return response.headers.get("mcp-session-id", "")


def figures(bench: Bench) -> list[Figure]:
    folder = bench.folder / "gateway"
    folder.mkdir()
    config = folder / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"backend": {"command": BACKEND[0], "args": BACKEND[1:]}}}))
    program = str(Path(start.environment(bench.folder)).with_name("tallystick"))
    ours = [program, "gateway", "--config", str(config), "--journal", "bench", "--url"]
    fastmcp = [peers_python.interpreter(bench.log, "peers-fastmcp"), "-I", str(HERE / "gateway_fastmcp.py"), *BACKEND]
    proxy = str(Path(peers_python.interpreter(bench.log, "peers-mcp-proxy")).with_name("mcp-proxy"))
    bench.durability["gateway: tallystick"] = DURABILITY
    env = {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(folder)}
    with ExitStack() as stack:
        commands = {"direct": BACKEND, "ours": [*ours, url_of(folder / "stdio.db")], "peer": fastmcp}
        piped = {
            name: OverStdio(stack.enter_context(Client(command, env, folder))) for name, command in commands.items()
        }
        found = _compare(bench, piped, "fastmcp's proxy")
        port = next(PORTS)
        served = _start_http(stack, [*ours, url_of(folder / "http.db"), "--http", str(port)], port, env)
        other = next(PORTS)
        bridged = _start_http(stack, [proxy, "--port", str(other), "--", *BACKEND], other, env)
        return [*found, *_compare(bench, {"direct": piped["direct"], "ours": served, "peer": bridged}, "mcp-proxy")]


def _compare(bench: Bench, gateways: Mapping[str, OverStdio | OverHttp], peer: str) -> list[Figure]:
    calls, rounds = bench.amount(*CALLS), bench.amount(*ROUNDS)
    transport = "HTTP" if peer == "mcp-proxy" else "stdio"
    found = []
    for method, how in (("one_by_one", "one call at a time"), ("at_once", f"{AT_ONCE} calls at once")):
        turns = {name: partial(getattr(each, method), calls) for name, each in gateways.items()}
        for turn in turns.values():
            turn()
        samples = interleave(turns, rounds)
        found += _figures(samples, peer, f"{transport}, {how}", f"gateway_{transport.lower()}_{method}")
    return found


def _figures(samples: Samples, peer: str, how: str, name: str) -> list[Figure]:
    """The ratio of the added times, round by round, and the added time of each."""
    added = {
        each: [own - direct for own, direct in zip(samples[each], samples["direct"], strict=True)]
        for each in ("ours", "peer")
    }
    times = spread([own / other for own, other in zip(added["ours"], added["peer"], strict=True)])
    figures = [
        Figure(
            name,
            f"Time that our gateway adds to a call ({how}), compared with {peer}",
            times.median,
            aim=AIMS[peer],
            low=times.low,
            high=times.high,
        )
    ]
    for each, gateway in (("ours", "our gateway"), ("peer", peer)):
        found = spread([1000 * value for value in added[each]])
        what = f"Time that {gateway} adds to a call ({how})"
        figures.append(Figure(f"{name}_{each}", what, found.median, "ms", low=found.low, high=found.high))
    return figures


def _start_http(stack: ExitStack, command: Sequence[str], port: int, env: dict[str, str]) -> OverHttp:
    """Start a gateway, and wait until it answers at its port."""
    errors: IO[bytes] = stack.enter_context((Path(env["HOME"]) / f"{port}.log").open("wb"))
    process = subprocess.Popen(command, env=env, stdout=errors, stderr=errors)
    stack.callback(process.wait)
    stack.callback(process.terminate)
    ending = perf_counter() + 60
    while True:
        try:
            return OverHttp(port)
        except ConnectionError:
            if process.poll() is not None or perf_counter() > ending:
                raise
