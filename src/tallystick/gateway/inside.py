"""Tallystick's own tools as one more server: in this process, with no pipe between."""

from collections import deque
from collections.abc import Callable

from tallystick.gateway.loop import Loop
from tallystick.gateway.parts import OwnServer


class Inside:
    """Lines to and from a server in this process. What takes it long, it answers from another thread."""

    def __init__(
        self, loop: Loop, make: Callable[[Callable[[bytes], None]], OwnServer], take: Callable[[bytes], None]
    ) -> None:
        self._loop = loop
        self._take = take
        self._came: deque[bytes] = deque()
        self._server = make(self._put)

    def send(self, line: bytes) -> bool:
        self._server.take(line)
        return True

    def flush(self) -> bool:
        return False

    def pause(self) -> None:
        """It has no pipe to fill."""

    def resume(self) -> None:
        """It was never paused."""

    def close(self) -> None:
        self._server.close()

    end = close

    def _put(self, line: bytes) -> None:
        self._came.append(line)
        self._loop.post(self._deliver)

    def _deliver(self) -> None:
        while self._came:
            self._take(self._came.popleft())
