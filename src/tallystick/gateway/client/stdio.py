"""Serves the client that started this process, over standard input and output."""

import os
import select
import signal
import sys
from time import monotonic
from types import FrameType

from tallystick.gateway.client.connection import ClientConnection
from tallystick.gateway.gateway import Gateway
from tallystick.gateway.io.pipes import LineReader, LineWriter
from tallystick.gateway.upstream_factory import make_upstreams
from tallystick.protocol.jsonrpc import Id

MAX_UNREAD_BYTES = 32 << 20
"""If more waits for a client that does not read, the servers are not read either."""
GONE_GRACE_SECONDS = 1.5
"""How long sent calls may still end after the client is gone, so that their outcomes are known."""
EOF_GRACE_SECONDS = 10.0
"""How long requests are still answered after the client's input has ended, while it reads. Clients that end us wait two
seconds, then send a signal."""
POLL_SECONDS = 0.05


def serve(gateway: Gateway) -> None:
    """Serve until the client's input ends. Nothing but the protocol ever reaches standard output."""
    private_stdout = os.dup(1)
    os.dup2(2, 1)  # a stray print of any library goes to standard error
    sys.stdout = sys.stderr
    frontend = StdioFrontend(gateway, os.dup(0), private_stdout)

    def on_sigterm(number: int, frame: FrameType | None) -> None:
        gateway.loop.post(frontend.on_client_gone)

    signal.signal(signal.SIGTERM, on_sigterm)
    frontend.run()


class StdioFrontend:
    """One client, for the whole life of this process."""

    def __init__(self, gateway: Gateway, source: int, target: int) -> None:
        self._gateway = gateway
        self._writer = LineWriter(gateway.loop, target, self.on_client_gone)
        self._connection = ClientConnection(gateway, self._emit)
        self._connection.attach(*make_upstreams(gateway, self._connection.server_messages))
        self._target = target
        self._is_paused = False
        self._ending_since = 0.0
        self._deadline = float("inf")
        gateway.loop.turn_ends.append(self._pause_if_full)
        self._reader = LineReader(
            gateway.loop, source, self._connection.take, self.on_input_end, on_overlong=self._on_overlong
        )
        for upstream in self._connection.upstreams:
            upstream.start()

    def run(self) -> None:
        try:
            self._gateway.loop.run()
        finally:
            self._gateway.end_calls("The gateway ended while the call was under way.")
            self._connection.close()

    def on_input_end(self) -> None:
        """The client sends no more. Its requests are answered, if it still reads."""
        self._connection.on_input_end()
        self._end_within(EOF_GRACE_SECONDS)

    def on_client_gone(self) -> None:
        """The client reads no more, or wants this process to end: nobody waits for an answer."""
        self._end_within(GONE_GRACE_SECONDS)

    def _end_within(self, seconds: float) -> None:
        is_first, now = not self._ending_since, monotonic()
        self._ending_since = self._ending_since or now
        self._deadline = min(self._deadline, max(now, self._ending_since + seconds))
        if is_first:
            self._reader.close()
            self._stop_when_idle()

    def _stop_when_idle(self) -> None:
        if self._deadline > self._ending_since + GONE_GRACE_SECONDS and _has_no_reader(self._target):
            self.on_client_gone()
        has_answers = self._writer.is_open and (self._connection.is_busy or self._writer.waiting_bytes > 0)
        if (self._gateway.is_busy or has_answers) and monotonic() < self._deadline:
            self._gateway.loop.later(POLL_SECONDS, self._stop_when_idle)
        else:
            self._gateway.loop.stop()

    def _emit(self, line: bytes, related: Id | None) -> None:
        self._writer.put(line)

    def _on_overlong(self) -> None:
        self._connection.fail(None, {"code": -32600, "message": "A line is too long."})

    def _pause_if_full(self) -> bool:
        if (self._writer.waiting_bytes > MAX_UNREAD_BYTES) is not self._is_paused:
            self._is_paused = not self._is_paused
            for upstream in self._connection.upstreams:
                upstream.pause() if self._is_paused else upstream.resume()
        return False


def _has_no_reader(descriptor: int) -> bool:
    """Whether the other end of a pipe is closed."""
    poll = select.poll()
    poll.register(descriptor, 0)
    return bool(poll.poll(0))
