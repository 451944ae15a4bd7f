"""Lines over pipes that never block: one end that is read, one that is written."""

import os
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from tallystick.gateway.io.loop import Loop

CHUNK = 1 << 18
LONGEST = 64 << 20
"""The longest line that is passed on; a result may be many times what the journal keeps of it."""


class Reader:
    """Takes lines from a descriptor. A line over the bound, and the end, are told once each."""

    def __init__(
        self,
        loop: Loop,
        descriptor: int,
        take: Callable[[bytes], None],
        ended: Callable[[], None],
        longest: int = LONGEST,
        overlong: Callable[[], None] | None = None,
    ) -> None:
        self._loop = loop
        self._descriptor = descriptor
        self._take = take
        self._ended = ended
        self._longest = longest
        self._overlong = overlong
        self._parts: list[bytes] = []
        self._size = 0
        self._skipping = False
        self._open = True
        loop.reads(descriptor, self._ready)

    def close(self) -> None:
        if self._open:
            self._open = False
            self._loop.forget(self._descriptor)
            os.close(self._descriptor)

    def pause(self) -> None:
        """Read nothing for a while: whoever writes has to wait."""
        if self._open:
            self._loop.forget(self._descriptor)

    def resume(self) -> None:
        if self._open:
            self._loop.forget(self._descriptor)
            self._loop.reads(self._descriptor, self._ready)

    def _ready(self) -> None:
        try:
            chunk = os.read(self._descriptor, CHUNK)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            chunk = b""
        if not chunk:
            self.close()
            self._ended()
            return
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            if self._parts:
                self._parts.append(line)
                line = b"".join(self._parts)
                self._parts, self._size = [], 0
            if self._skipping:
                self._skipping = False
            elif line.strip():
                self._take(line)
            if not self._open:
                return
        if rest:
            self._keep(rest)

    def _keep(self, rest: bytes) -> None:
        """The beginning of a line whose end has not come yet."""
        if self._skipping:
            return
        self._parts.append(rest)
        self._size += len(rest)
        if self._size > self._longest:
            self._parts, self._size, self._skipping = [], 0, True
            if self._overlong:
                self._overlong()


class Writer:
    """Sends lines to a descriptor; what it does not take at once waits, up to a bound."""

    def __init__(self, loop: Loop, descriptor: int, broken: Callable[[], None]) -> None:
        self._loop = loop
        self._descriptor = descriptor
        self._broken = broken
        self._waiting: deque[bytes | memoryview] = deque()
        self._registered = False
        self.size = 0
        self.open = True
        os.set_blocking(descriptor, False)

    def put(self, line: bytes) -> None:
        """Send a line, which ends with a newline. It leaves with the end of this turn."""
        if self.open:
            self._waiting.append(line)
            self.size += len(line)

    def flush(self) -> bool:
        """Whether there was anything to send, and no earlier one waits."""
        if not self._waiting or self._registered:
            return False
        self._write()
        return True

    def close(self) -> None:
        if self.open:
            self.open = False
            self._loop.forget(self._descriptor)
            with suppress(OSError):
                os.close(self._descriptor)
            self._waiting.clear()
            self.size = 0

    def _write(self) -> None:
        try:
            while self._waiting:
                first = self._waiting[0]
                if len(self._waiting) > 1 and len(first) < CHUNK:  # several small ones leave together
                    first = b"".join(self._waiting)
                    self._waiting.clear()
                    self._waiting.append(first)
                sent = os.write(self._descriptor, first)
                self.size -= sent
                if sent < len(first):
                    self._waiting[0] = memoryview(first)[sent:]  # what is left of a long line is not copied
                else:
                    self._waiting.popleft()
        except (BlockingIOError, InterruptedError):
            pass
        except OSError:
            self.close()
            self._broken()
            return
        self._watch(bool(self._waiting))

    def _watch(self, waiting: bool) -> None:
        if waiting and not self._registered:
            self._loop.writes(self._descriptor, self._write)
        elif not waiting and self._registered:
            self._loop.forget(self._descriptor)
        self._registered = waiting
