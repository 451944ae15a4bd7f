"""Reads and writes lines over pipes without blocking."""

import os
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from tallystick.gateway.io.loop import Loop

CHUNK_BYTES = 1 << 18
MAX_LINE_BYTES = 64 << 20
"""The longest line that is passed on; a result may be many times larger than what the journal keeps of it."""


class LineReader:
    """Calls back with each line of a descriptor, once at its end, and once for each line that is too long."""

    def __init__(
        self,
        loop: Loop,
        descriptor: int,
        on_line: Callable[[bytes], None],
        on_end: Callable[[], None],
        max_bytes: int = MAX_LINE_BYTES,
        on_overlong: Callable[[], None] | None = None,
    ) -> None:
        self._loop = loop
        self._descriptor = descriptor
        self._on_line = on_line
        self._on_end = on_end
        self._max_bytes = max_bytes
        self._on_overlong = on_overlong
        self._parts: list[bytes] = []
        self._part_bytes = 0
        self._is_skipping = False
        self._is_open = True
        loop.watch_readable(descriptor, self._on_readable)

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._loop.unwatch(self._descriptor)
            os.close(self._descriptor)

    def pause(self) -> None:
        """Stop reading: the writer has to wait when the pipe is full."""
        if self._is_open:
            self._loop.unwatch(self._descriptor)

    def resume(self) -> None:
        if self._is_open:
            self._loop.unwatch(self._descriptor)
            self._loop.watch_readable(self._descriptor, self._on_readable)

    def _on_readable(self) -> None:
        try:
            chunk = os.read(self._descriptor, CHUNK_BYTES)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            chunk = b""
        if not chunk:
            self.close()
            self._on_end()
            return
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            if self._parts:
                self._parts.append(line)
                line = b"".join(self._parts)
                self._parts, self._part_bytes = [], 0
            if self._is_skipping:
                self._is_skipping = False
            elif line.strip():
                self._on_line(line)
            if not self._is_open:
                return
        if rest:
            self._keep(rest)

    def _keep(self, rest: bytes) -> None:
        """Keep the beginning of a line until its end arrives."""
        if self._is_skipping:
            return
        self._parts.append(rest)
        self._part_bytes += len(rest)
        if self._part_bytes > self._max_bytes:
            self._parts, self._part_bytes, self._is_skipping = [], 0, True
            if self._on_overlong:
                self._on_overlong()


class LineWriter:
    """Sends lines to a descriptor, and queues what it does not take at once."""

    def __init__(
        self,
        loop: Loop,
        descriptor: int,
        on_broken: Callable[[], None],
        on_sent: Callable[[], None] | None = None,
    ) -> None:
        self._loop = loop
        self._descriptor = descriptor
        self._on_broken = on_broken
        self._on_sent = on_sent
        """Called whenever nothing waits any more."""
        self._queue: deque[bytes | memoryview] = deque()
        self._is_watched = False
        self.waiting_bytes = 0
        self.is_open = True
        os.set_blocking(descriptor, False)

    def put(self, line: bytes) -> None:
        """Queue a line, which ends with a newline. It is sent at the end of this turn."""
        if self.is_open:
            self._queue.append(line)
            self.waiting_bytes += len(line)
            self._loop.unsent.add(self)

    def flush(self) -> bool:
        """Send the queue, unless the descriptor is full. Returns whether anything was sent."""
        if not self._queue or self._is_watched:
            return False
        self._write()
        return True

    def close(self) -> None:
        if self.is_open:
            self.is_open = False
            self._loop.unwatch(self._descriptor)
            with suppress(OSError):
                os.close(self._descriptor)
            self._queue.clear()
            self.waiting_bytes = 0

    def _write(self) -> None:
        try:
            while self._queue:
                first = self._queue[0]
                if len(self._queue) > 1 and len(first) < CHUNK_BYTES:  # one system call for several short lines
                    first = b"".join(self._queue)
                    self._queue.clear()
                    self._queue.append(first)
                sent = os.write(self._descriptor, first)
                self.waiting_bytes -= sent
                if sent < len(first):
                    self._queue[0] = memoryview(first)[sent:]  # the rest of a long line is not copied
                else:
                    self._queue.popleft()
        except (BlockingIOError, InterruptedError):
            pass
        except OSError:
            self.close()
            self._on_broken()
            return
        self._watch(bool(self._queue))
        if not self._queue and self._on_sent is not None:
            self._on_sent()

    def _watch(self, is_waiting: bool) -> None:
        if is_waiting and not self._is_watched:
            self._loop.watch_writable(self._descriptor, self._write)
        elif not is_waiting and self._is_watched:
            self._loop.unwatch(self._descriptor)
        self._is_watched = is_waiting
