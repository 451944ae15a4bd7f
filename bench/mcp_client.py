"""A client of MCP over stdio that takes almost no time, so that only the server is measured.

It uses the handshake of 2025-11-25, which every server here supports. A request is encoded before the clock starts, and
its response is decoded after the clock has stopped.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, NamedTuple

import msgspec

NAME = "bench"
"""The name of the client; continuum-agent lets only clients write that are named in its settings."""
HANDSHAKE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": NAME, "version": "1"},
}
EXIT_SECONDS = 10.0


class ServerFailed(Exception):
    """A server ended before it answered, or returned an error."""


class Answer(NamedTuple):
    seconds: float
    result: dict[str, Any]


class Resident(NamedTuple):
    """Bytes of a process and all its children: RSS, and PSS, which counts shared pages in parts."""

    rss: int
    pss: int


class Client:
    """The process of one server. `seconds_to_tools` is the time from its start to its first tool list."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str], folder: Path) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  closed by close()
        self._id = 0
        started = time.perf_counter()
        self._process = subprocess.Popen(
            command, cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        self.instructions: str = self._request("initialize", HANDSHAKE).result.get("instructions", "")
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.tool_list: list[dict[str, Any]] = self._request("tools/list", {}).result["tools"]
        self.tools = [tool["name"] for tool in self.tool_list]
        self.seconds_to_tools = time.perf_counter() - started

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool. Raises ServerFailed for a tool error."""
        answer = self._request("tools/call", {"name": tool, "arguments": arguments})
        if answer.result.get("isError"):
            raise ServerFailed(f"{tool} was refused: {answer.result['content']}"[:1000])
        return answer

    def call_many(self, tool: str, argument_sets: Sequence[Mapping[str, Any]], concurrency: int) -> None:
        """Call a tool once with each of the arguments, `concurrency` calls at a time."""
        lines = []
        for arguments in argument_sets:
            self._id += 1
            call = {"name": tool, "arguments": arguments}
            lines.append(
                msgspec.json.encode({"jsonrpc": "2.0", "id": self._id, "method": "tools/call", "params": call})
            )
        waiting = {self._id - number for number in range(len(lines))}
        self._write(b"".join(line + b"\n" for line in lines[:concurrency]))
        unsent = lines[concurrency:][::-1]
        while waiting:
            received = self._output.readline()
            if not received:
                raise ServerFailed(f"the server ended early:\n{self._stderr_tail()}")
            message = msgspec.json.decode(received)
            if message.get("id") in waiting:
                if "error" in message or message["result"].get("isError"):
                    raise ServerFailed(f"{tool} was refused: {received[:1000]!r}")
                waiting.discard(message["id"])
                if unsent:
                    self._write(unsent.pop() + b"\n")

    def resident(self) -> Resident:
        found = [_resident(process) for process in _with_children(self._process.pid)]
        return Resident(sum(each.rss for each in found), sum(each.pss for each in found))

    def kill(self) -> None:
        """End the server with no chance to say anything."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """End the server by closing its input, as clients do; then by its process id."""
        self._input.close()
        try:
            self._process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._output.close()
        self._errors.close()

    def _request(self, method: str, params: Mapping[str, Any]) -> Answer:
        self._id += 1
        line = msgspec.json.encode({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}) + b"\n"
        started = time.perf_counter()
        self._write(line)
        while True:
            received = self._output.readline()
            seconds = time.perf_counter() - started
            if not received:
                raise ServerFailed(f"the server ended early:\n{self._stderr_tail()}")
            message = msgspec.json.decode(received)
            if message.get("id") == self._id:
                break
        if "error" in message:
            raise ServerFailed(f"{method} was refused: {message['error']}"[:1000])
        return Answer(seconds, message["result"])

    def _send(self, message: Mapping[str, Any]) -> None:
        self._write(msgspec.json.encode(message) + b"\n")

    def _write(self, line: bytes) -> None:
        while line:  # a pipe may take only a part
            line = line[os.write(self._input.fileno(), line) :]

    def _stderr_tail(self) -> str:
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace")[-2000:]


def _with_children(pid: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue  # it ended meanwhile
        parents.setdefault(parent, []).append(int(path.parent.name))
    found = [pid]
    for each in found:
        found += parents.get(each, [])
    return found


def _resident(pid: int) -> Resident:
    values = {}
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]:
        name, size, *_ = line.split()
        values[name] = int(size) * 1024
    return Resident(values["Rss:"], values["Pss:"])
