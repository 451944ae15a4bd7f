"""The gateway's log on standard error: the only module that writes there.

Standard error may have no reader, and its disk may be full. Neither may hold up a call or end the gateway. So a thread
writes, and unwritten lines are queued up to a bound. Beyond it the oldest are dropped, and their number is logged. The
descriptor is never made non-blocking, because other processes may share it.
"""

import io
import json
import os
import select
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Condition, Thread

from tallystick.core.formats.visible import escape_line
from tallystick.logs import iso_time

MAX_QUEUED_BYTES = 256 << 10
"""How much may wait for a reader."""
LAST_SECONDS = 0.5
"""How long the end of the process waits until the queue is written."""


class StderrLog:
    """Writes lines to a descriptor from a thread."""

    def __init__(self, descriptor: int, max_bytes: int = MAX_QUEUED_BYTES) -> None:
        self.is_json = False
        self.logs_calls = False
        self._descriptor = descriptor
        self._max_bytes = max_bytes
        self._lines: deque[bytes] = deque()
        self._queued_bytes = 0
        self._dropped = 0
        self._is_writing = False
        self._changed = Condition()
        self._thread: Thread | None = None

    def log(self, text: str) -> None:
        """Write a line of the gateway itself: something that an operator may have to look at."""
        self.put(self._own_line(text, "warning"))

    def log_call(self, outcome: str, **fields: str | float) -> None:
        """Write what came of a call, without its arguments and its result, if calls are logged."""
        if self.logs_calls:
            known = {name: value for name, value in fields.items() if value}
            self.put(self._own_line("call", "info", outcome=outcome, **known))

    def log_server(self, server: str, line: bytes) -> None:
        """Write a line that a server wrote to its standard error."""
        if self.is_json:
            self.put(_json_line(line.decode(errors="backslashreplace"), "info", server=server))
        else:
            self.put(b"[%s] %s" % (server.encode(), line))

    def _own_line(self, event: str, level: str, **fields: str | float) -> bytes:
        if self.is_json:
            return _json_line(event, level, **fields)
        text = " ".join([event, *(f"{name}={value}" for name, value in fields.items())])
        return f"tallystick gateway: {escape_line(text)}".encode(errors="backslashreplace")

    def put(self, line: bytes) -> None:
        """Queue a line; returns without waiting until it is written."""
        with self._changed:
            self._lines.append(line + b"\n")
            self._queued_bytes += len(line) + 1
            while self._queued_bytes > self._max_bytes:
                self._queued_bytes -= len(self._lines.popleft())
                self._dropped += 1
            self._changed.notify_all()
            if self._thread is None:
                thread = Thread(target=self._run, name="tallystick-log", daemon=True)
                with suppress(RuntimeError):  # the system has no more threads: the next line tries again
                    thread.start()
                    self._thread = thread

    def finish(self, seconds: float = LAST_SECONDS) -> None:
        """Wait until the queue is written, but not longer for a reader that does not read."""
        with self._changed:
            self._changed.wait_for(lambda: not self._lines and not self._is_writing, seconds)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._is_writing = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: bool(self._lines))
                lines, dropped = list(self._lines), self._dropped
                self._lines.clear()
                self._queued_bytes = self._dropped = 0
                self._is_writing = True
            if dropped:
                lines.insert(0, self._own_line(f"{dropped:,} lines could not be written here", "warning") + b"\n")
            try:
                self._write(b"".join(lines))
            except OSError:  # the disk is full or the reader is gone; that may change before the next line
                with self._changed:
                    self._dropped += dropped + len(lines) - bool(dropped)

    def _write(self, text: bytes) -> None:
        rest = memoryview(text)
        while rest:
            try:
                rest = rest[os.write(self._descriptor, rest) :]
            except BlockingIOError:  # another process that shares the descriptor made it non-blocking
                poll = select.poll()
                poll.register(self._descriptor, select.POLLOUT)
                poll.poll()


def _json_line(event: str, level: str, **fields: str | float) -> bytes:
    line = {"at": iso_time(time.time()), "level": level, "event": event, "logger": "tallystick.gateway"}
    return json.dumps({**line, **fields}).encode()


class LogStream(io.TextIOBase):
    """A replacement for `sys.stderr` that writes to the log."""

    def __init__(self, log: StderrLog) -> None:
        self._log = log
        self._rest = ""

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return 2

    def write(self, text: str) -> int:
        *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            self._log.put(line.encode(errors="backslashreplace"))
        return len(text)


LOG = StderrLog(2)
"""The log of this process."""


@contextmanager
def replace_stderr() -> Iterator[None]:
    """Send prints to `sys.stderr` to the log, so that they block nothing. Keeps descriptor 2 from being reused."""
    before = sys.stderr
    if not _is_open(2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    sys.stderr = LogStream(LOG)
    try:
        yield
    finally:
        sys.stderr = before
        LOG.finish()


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True
