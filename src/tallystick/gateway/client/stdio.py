"""The client on standard input and output: it has started this process, and is gone when its input ends."""

import os
import select
import signal
import sys
from time import monotonic
from types import FrameType

from tallystick.gateway.client.connection import ClientConnection
from tallystick.gateway.gateway import Gateway
from tallystick.gateway.io.pipes import Reader, Writer
from tallystick.gateway.servers import behind
from tallystick.protocol.jsonrpc import Id

CONGESTED = 32 << 20
"""When so much waits for a client that does not read, the servers are not read either."""
GRACE_SECONDS = 1.5
"""How long calls that have left may still end when the client is gone: what came of them is better known."""
LAST_SECONDS = 10.0
"""How long requests are still answered when the client has no more to say, but still reads. Clients that end us wait
two seconds, and then send a signal."""
LOOK_SECONDS = 0.05


def serve(gateway: Gateway) -> None:
    """Until the client's input ends. Nothing but the protocol ever reaches standard output."""
    private = os.dup(1)
    os.dup2(2, 1)  # a stray print goes to standard error, whoever makes it
    sys.stdout = sys.stderr
    over = Stdio(gateway, os.dup(0), private)

    def leave(number: int, frame: FrameType | None) -> None:
        gateway.loop.post(over.gone)

    signal.signal(signal.SIGTERM, leave)
    over.run()


class Stdio:
    """One client, for the whole life of this process."""

    def __init__(self, gateway: Gateway, source: int, target: int) -> None:
        self._gateway = gateway
        self._writer = Writer(gateway.loop, target, self.gone)
        self._connection = ClientConnection(gateway, self._emit)
        self._connection.attach(*behind(gateway, self._connection.voices))
        self._target = target
        self._paused = False
        self._since = 0.0
        self._until = float("inf")
        gateway.loop.turn_ends.append(self._send)
        self._reader = Reader(gateway.loop, source, self._connection.take, self.ended, overlong=self._overlong)
        for upstream in self._connection.upstreams:
            upstream.start()

    def run(self) -> None:
        try:
            self._gateway.loop.run()
        finally:
            self._gateway.end_calls("The gateway ended while the call was under way.")
            self._connection.close()

    def ended(self) -> None:
        """The client says no more. What it has asked is answered, if it still reads."""
        self._end(LAST_SECONDS)

    def gone(self) -> None:
        """The client reads no more, or wants us to end: nobody waits for an answer."""
        self._end(GRACE_SECONDS)

    def _end(self, seconds: float) -> None:
        first, now = not self._since, monotonic()
        self._since = self._since or now
        self._until = min(self._until, max(now, self._since + seconds))
        if first:
            self._reader.close()
            self._wait()

    def _wait(self) -> None:
        if self._until > self._since + GRACE_SECONDS and _is_unread(self._target):
            self.gone()
        waited_for = self._gateway.busy or (self._writer.open and (self._connection.busy or self._writer.size > 0))
        if waited_for and monotonic() < self._until:
            self._gateway.loop.later(LOOK_SECONDS, self._wait)
        else:
            self._gateway.loop.stop()

    def _emit(self, line: bytes, related: Id | None) -> None:
        self._writer.put(line)

    def _overlong(self) -> None:
        self._connection.fail(None, {"code": -32600, "message": "A line is too long."})

    def _send(self) -> bool:
        sent = self._writer.flush()
        if (self._writer.size > CONGESTED) is not self._paused:
            self._paused = not self._paused
            for upstream in self._connection.upstreams:
                upstream.pause() if self._paused else upstream.resume()
        return sent


def _is_unread(descriptor: int) -> bool:
    """Whether nobody has the other end of a pipe any more."""
    looking = select.poll()
    looking.register(descriptor, 0)
    return bool(looking.poll(0))
