"""What the gateway says on standard error, and what it passes on there: the one place that writes to it.

Nobody may read there, the disk may be full, and the reader may be gone: none of that is a reason to hold up a call, or
to end. So a thread writes, and what it cannot get rid of waits up to a bound; the oldest goes then, and it is said how
much has gone. The descriptor itself is never made non-blocking: others may share it.
"""

import io
import os
import select
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Condition, Thread

WAITING_BYTES = 256 << 10
"""How much may wait for a reader."""
LAST_SECONDS = 0.5
"""How long the end of the process waits for what is still to be said."""


class StderrLog:
    """One descriptor, and the lines that wait for it."""

    def __init__(self, descriptor: int, most: int = WAITING_BYTES) -> None:
        self._descriptor = descriptor
        self._most = most
        self._lines: deque[bytes] = deque()
        self._size = 0
        self._lost = 0
        self._writing = False
        self._news = Condition()
        self._thread: Thread | None = None

    def say(self, text: str) -> None:
        """In our own name."""
        self.put(f"tallystick gateway: {text}".encode(errors="backslashreplace"))

    def put(self, line: bytes) -> None:
        """Have a line written, without waiting for that."""
        with self._news:
            self._lines.append(line + b"\n")
            self._size += len(line) + 1
            while self._size > self._most:
                self._size -= len(self._lines.popleft())
                self._lost += 1
            self._news.notify_all()
            if self._thread is None:
                thread = Thread(target=self._run, name="tallystick-log", daemon=True)
                with suppress(RuntimeError):  # the system gives no more threads: the next line tries again
                    thread.start()
                    self._thread = thread

    def finish(self, seconds: float = LAST_SECONDS) -> None:
        """Wait for what is still to be said, but for no reader that does not read."""
        with self._news:
            self._news.wait_for(lambda: not self._lines and not self._writing, seconds)

    def _run(self) -> None:
        while True:
            with self._news:
                self._writing = False
                self._news.notify_all()
                self._news.wait_for(lambda: bool(self._lines))
                said, lost = list(self._lines), self._lost
                self._lines.clear()
                self._size = self._lost = 0
                self._writing = True
            if lost:
                said.insert(0, f"tallystick gateway: {lost:,} lines could not be said here\n".encode())
            try:
                self._write(b"".join(said))
            except OSError:  # full, or gone: it may be otherwise for the next line
                with self._news:
                    self._lost += lost + len(said) - bool(lost)

    def _write(self, said: bytes) -> None:
        left = memoryview(said)
        while left:
            try:
                left = left[os.write(self._descriptor, left) :]
            except BlockingIOError:  # somebody who shares it has made it so
                looking = select.poll()
                looking.register(self._descriptor, select.POLLOUT)
                looking.poll()


class LogStream(io.TextIOBase):
    """The log in the place of `sys.stderr`, for whoever prints there."""

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
"""That of this process: it has one standard error."""


@contextmanager
def replace_stderr() -> Iterator[None]:
    """Whoever prints to standard error meanwhile, holds up nothing either; and nothing else is opened as that."""
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
