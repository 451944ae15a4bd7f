"""What servers say before their client can hear it: a client of the older era is told nothing but answers until it has
said that it is ready. What came meanwhile is told then, in its order."""

from collections.abc import Callable

from tallystick.protocol.messages import Id

MOST = 1000
MOST_BYTES = 8 << 20
"""How much may wait so."""
Emit = Callable[[bytes, Id | None], None]
"""Sends a line to the client; the id is that of the client's request that it belongs to, if to any."""


class Early:
    """The way to one client for what is no answer to it."""

    def __init__(self, emit: Emit, say: Callable[[str], None]) -> None:
        self._emit = emit
        self._say = say
        self._left = {"greeted", "ready"}
        self._held: list[tuple[bytes, Id | None]] = []
        self._size = 0
        self._lost = 0

    @property
    def full(self) -> bool:
        """Whether nothing more can wait: who asks something is better told so at once."""
        return len(self._held) >= MOST or self._size >= MOST_BYTES

    def emit(self, line: bytes, related: Id | None) -> None:
        if not self._left:
            self._emit(line, related)
        elif self.full:
            self._lost += 1
        else:
            self._held.append((line, related))
            self._size += len(line)

    def greeted(self) -> None:
        """The client has been answered for the first time; one of the modern era is not greeted."""
        self._await("greeted")

    def ready(self) -> None:
        """The client has said that it is ready, or asks something, as only who is ready does."""
        self._await("ready")

    def _await(self, what: str) -> None:
        if not self._left:
            return
        self._left.discard(what)
        if self._left:
            return
        held, self._held, self._size = self._held, [], 0
        for line, related in held:
            self._emit(line, related)
        if self._lost:
            self._say(f"{self._lost:,} notifications came before the client was ready, and too many to be kept")
