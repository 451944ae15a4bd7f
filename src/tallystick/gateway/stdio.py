"""The client on standard input and output: it has started this process, and is gone when its input ends."""

import os
import signal
import sys
from types import FrameType

from tallystick.gateway.front import Front
from tallystick.gateway.hub import Hub
from tallystick.gateway.pipes import Reader, Writer
from tallystick.gateway.servers import behind
from tallystick.protocol.messages import Id

CONGESTED = 32 << 20
"""When so much waits for a client that does not read, the servers are not read either."""
GRACE_SECONDS = 1.5
"""How long calls that have left may still end when the client is gone: what came of them is better known."""
LOOK_SECONDS = 0.05


def serve(hub: Hub) -> None:
    """Until the client's input ends. Nothing but the protocol ever reaches standard output."""
    private = os.dup(1)
    os.dup2(2, 1)  # a stray print goes to standard error, whoever makes it
    sys.stdout = sys.stderr
    over = Stdio(hub, os.dup(0), private)

    def leave(number: int, frame: FrameType | None) -> None:
        hub.loop.post(over.ended)

    signal.signal(signal.SIGTERM, leave)
    over.run()


class Stdio:
    """One client, for the whole life of this process."""

    def __init__(self, hub: Hub, source: int, target: int) -> None:
        self._hub = hub
        self._writer = Writer(hub.loop, target, self.ended)
        self._front = Front(hub, self._emit)
        self._front.attach(*behind(hub, self._front.voices))
        self._paused = False
        self._ending = False
        hub.loop.turn_ends.append(self._send)
        self._reader = Reader(hub.loop, source, self._front.take, self.ended, overlong=self._overlong)
        for upstream in self._front.upstreams:
            upstream.start()

    def run(self) -> None:
        try:
            self._hub.loop.run()
        finally:
            self._hub.end_calls("The gateway ended while the call was under way.")
            self._front.close()

    def ended(self) -> None:
        """The client is gone: nobody waits for an answer any more."""
        if not self._ending:
            self._ending = True
            self._reader.close()
            self._hub.loop.later(GRACE_SECONDS, self._hub.loop.stop)
            self._wait()

    def _wait(self) -> None:
        if self._hub.busy:
            self._hub.loop.later(LOOK_SECONDS, self._wait)
        else:
            self._hub.loop.stop()

    def _emit(self, line: bytes, related: Id | None) -> None:
        self._writer.put(line)

    def _overlong(self) -> None:
        self._front.fail(None, {"code": -32600, "message": "A line is too long."})

    def _send(self) -> bool:
        sent = self._writer.flush()
        if (self._writer.size > CONGESTED) is not self._paused:
            self._paused = not self._paused
            for upstream in self._front.upstreams:
                upstream.pause() if self._paused else upstream.resume()
        return sent
