"""A client of JSON lines: it sends exact bytes, and stores every line that the server writes.

Each wait has a timeout, and fails when it is over.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryFile
from threading import Thread
from types import TracebackType
from typing import Any, Literal, Self

from tallystick.protocol import CAPABILITIES_KEY, VERSION_KEY

Era = Literal["modern", "legacy"]
"""The version of MCP that a client speaks: 2026-07-28, or the 2025 versions with a handshake."""
JOURNAL = "tests"
TIMEOUT_SECONDS = 60.0
"""Seconds to wait for a response."""
CLIENT = {"name": "x", "version": "1"}
ENVELOPE = {VERSION_KEY: "2026-07-28", CAPABILITIES_KEY: {}}
COMMAND = (sys.executable, "-m", "tallystick")


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of this process, without the variables that name a conversation."""
    return {**{k: v for k, v in os.environ.items() if not k.startswith(("CLAUDE", "TALLYSTICK_"))}, **(more or {})}


def request(id: Any, method: str, params: Mapping[str, Any] | None = None, era: Era = "modern") -> dict[str, Any]:
    """A request in the form of each protocol."""
    text = dict(params or {})
    if era == "modern":
        text["_meta"] = {**deepcopy(ENVELOPE), **text.get("_meta", {})}
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": text}


class Lines:
    """One process that serves stdio, by default `tallystick mcp`, and every line that it wrote."""

    def __init__(
        self,
        url: str,
        *,
        era: Era = "modern",
        env: Mapping[str, str] | None = None,
        program: Sequence[str] = (),
        command: Sequence[str] = ("mcp",),
        capabilities: Mapping[str, Any] | None = None,
        stderr: int | None = None,
    ) -> None:
        self.era: Era = era
        self.lines: list[bytes] = []
        self._ids = count(1)
        self._received: SimpleQueue[bytes] = SimpleQueue()
        self._stderr_reader = TemporaryFile()  # noqa: SIM115  # closed with the process
        self.process = subprocess.Popen(
            [*(program or COMMAND), *command, "--url", url, "--journal", JOURNAL],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr_reader if stderr is None else stderr,
            env=environment(env),
            bufsize=0,
        )
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()
        if era == "legacy":
            text = {"protocolVersion": "2025-11-25", "capabilities": capabilities or {}, "clientInfo": CLIENT}
            self.hello = self.ask("initialize", text)
            self.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.kill()
        self._stderr_reader.close()

    def _read(self) -> None:
        assert self.process.stdout
        for line in iter(self.process.stdout.readline, b""):
            self._received.put(line)
        self._received.put(b"")

    def send(self, *lines: bytes) -> None:
        self.write(b"".join(line + b"\n" for line in lines))

    def write(self, raw: bytes) -> None:
        assert self.process.stdin
        view = memoryview(raw)
        while view:
            view = view[self.process.stdin.write(view) :]

    def ask(self, method: str, params: Mapping[str, Any] | None = None, *, id: Any = None) -> dict[str, Any]:
        """Send a request and wait for its response."""
        id = f"ask-{next(self._ids)}" if id is None else id
        begin = len(self.lines)
        self.send(json.dumps(request(id, method, params, self.era)).encode())
        return self.until(lambda message: message.get("id") == id and "method" not in message, since=begin)

    def call(self, name: str, /, *, meta: Mapping[str, Any] | None = None, id: Any = None, **arguments: Any) -> Any:
        """The structured result of a tool. Fails for a protocol error or a tool error."""
        params = {"name": name, "arguments": arguments, **({"_meta": dict(meta)} if meta else {})}
        answer = self.ask("tools/call", params, id=id)
        assert "result" in answer, answer
        assert not answer["result"]["isError"], answer
        return answer["result"]["structuredContent"]

    def until(self, fits: Callable[[dict[str, Any]], bool], since: int | None = None) -> dict[str, Any]:
        """The first message that fits: of those received since line `since`, or of later ones."""
        for line in self.lines[len(self.lines) if since is None else since :]:
            if fits(message := json.loads(line)):
                return message  # type: ignore[no-any-return]  # whatever is not an object fails at `fits`
        while True:
            try:
                line = self._received.get(timeout=TIMEOUT_SECONDS)
            except Empty:
                raise AssertionError(f"no answer in {TIMEOUT_SECONDS:.0f} seconds; last: {self.lines[-1:]!r}") from None
            assert line, f"the server ended with {self.process.wait(TIMEOUT_SECONDS)}: {self.complaints()}"
            self.lines.append(line)
            if fits(message := json.loads(line)):
                return message  # type: ignore[no-any-return]

    def complaints(self) -> str:
        """The end of what the process wrote to standard error."""
        self._stderr_reader.seek(0)
        return self._stderr_reader.read().decode(errors="replace")[-4000:]

    def resident(self) -> int:
        """The process's memory in bytes, as the system counts it."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")) * 1024

    def close(self) -> int:
        """Close its input, read the rest of its output, and wait for its end."""
        assert self.process.stdin
        self.process.stdin.close()
        code = self.process.wait(TIMEOUT_SECONDS)
        self._reader.join(TIMEOUT_SECONDS)
        while line := self._received.get(timeout=TIMEOUT_SECONDS):
            self.lines.append(line)
        return code

    def kill(self) -> None:
        """SIGKILL, if it still lives."""
        self.process.kill()
        self.process.wait(TIMEOUT_SECONDS)
        self._reader.join(TIMEOUT_SECONDS)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                pipe.close()
