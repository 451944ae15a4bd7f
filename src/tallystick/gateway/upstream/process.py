"""A server that the gateway runs as a child process, over its standard input and output."""

import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress

from tallystick.gateway.config import ServerConfig
from tallystick.gateway.io.log import LOG
from tallystick.gateway.io.loop import Loop
from tallystick.gateway.io.pipes import LineReader, LineWriter

MAX_UNREAD_BYTES = 32 << 20
"""How much may wait for a server that does not read. One call may be larger, if nothing else waits."""
LAST_OUTPUT_SECONDS = 0.5
"""How long the output of an ended process is still read. A child of its own may hold the pipe open for ever."""
EXIT_SECONDS = 2.0
"""How long a process may take to exit after its input is closed, and again after SIGTERM."""
MAX_STDERR_LINE_BYTES = 1 << 16
_REMOVED_VARIABLES = ("TALLYSTICK_CREDENTIAL", "TALLYSTICK_TOKEN", "TALLYSTICK_SESSION")
"""Variables that give access to the journal: a server behind the gateway must not have it."""
_MIN_SECRET_CHARACTERS = 6
"""Environment values of at least this length are masked in a server's standard error."""


class ServerProcess:
    """One life of a server's process."""

    def __init__(
        self,
        loop: Loop,
        name: str,
        server: ServerConfig,
        env: Mapping[str, str],
        mask: Callable[[str], str],
        on_line: Callable[[bytes], None],
        on_lost: Callable[[str], None],
    ) -> None:
        self._loop = loop
        self._name = name
        self._secrets = [value.encode() for value in server.env.values() if len(value) >= _MIN_SECRET_CHARACTERS]
        self._mask = mask
        self._on_lost = on_lost
        self._has_output_ended = False
        self._process = subprocess.Popen(
            [server.command, *server.args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=server.cwd or None,
            env={**{name: value for name, value in env.items() if name not in _REMOVED_VARIABLES}, **server.env},
            start_new_session=True,  # Ctrl-C is for the client; and signals reach a wrapper's children too
        )
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._writer = LineWriter(loop, os.dup(process.stdin.fileno()), lambda: self._on_gone("closed its input"))
        self._reader = LineReader(
            loop,
            os.dup(process.stdout.fileno()),
            on_line,
            self._on_output_end,
            on_overlong=lambda: self._on_gone("sent a line that is too long"),
        )
        self._stderr_reader = LineReader(
            loop, os.dup(process.stderr.fileno()), self._on_stderr_line, _ignore, MAX_STDERR_LINE_BYTES
        )
        for pipe in (process.stdin, process.stdout, process.stderr):
            pipe.close()
        self._pidfd = os.pidfd_open(process.pid)
        loop.watch_readable(self._pidfd, self._on_exit)

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, line: bytes) -> bool:
        """Queue a line. Returns false if the server has stopped reading."""
        if not self._writer.is_open or (
            self._writer.waiting_bytes and self._writer.waiting_bytes + len(line) > MAX_UNREAD_BYTES
        ):
            return False
        self._writer.put(line)
        return True

    def pause(self) -> None:
        self._reader.pause()

    def resume(self) -> None:
        self._reader.resume()

    def close(self) -> None:
        """Close its input, so that it exits by itself; signals follow if it does not."""
        self._writer.close()
        self._reader.close()
        if self._process.poll() is None:
            self._loop.later(EXIT_SECONDS, lambda: self._signal(signal.SIGTERM))
            self._loop.later(2 * EXIT_SECONDS, lambda: self._signal(signal.SIGKILL))
        else:
            self._stderr_reader.close()

    def end(self) -> None:
        """End it now, and wait for that: the gateway itself is about to exit."""
        self.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(EXIT_SECONDS / 4)
            return
        self._signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(EXIT_SECONDS / 2)
            return
        self._signal(signal.SIGKILL)
        self._process.wait()

    def _signal(self, number: signal.Signals) -> None:
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)

    def _on_exit(self) -> None:
        self._loop.unwatch(self._pidfd)
        os.close(self._pidfd)
        self._process.wait()
        self._loop.later(0 if self._has_output_ended else LAST_OUTPUT_SECONDS, lambda: self._on_gone(""))
        self._loop.later(LAST_OUTPUT_SECONDS, self._stderr_reader.close)

    def _on_output_end(self) -> None:
        """Its output has ended. Usually the process is exiting, and its exit code is known in a moment."""
        self._has_output_ended = True
        self._loop.later(LAST_OUTPUT_SECONDS if self._process.poll() is None else 0, lambda: self._on_gone(""))

    def _on_gone(self, reason: str) -> None:
        if not reason:
            code = self._process.poll()
            reason = "ended its output" if code is None else _describe_exit(code)
        self._on_lost(reason)

    def _on_stderr_line(self, line: bytes) -> None:
        for value in self._secrets:
            line = line.replace(value, b"***")
        line = self._mask(line.decode(errors="surrogateescape")).encode(errors="surrogateescape")
        LOG.log_server(self._name, line)


def _ignore() -> None:
    """Ignore the end of standard error."""


def _describe_exit(code: int) -> str:
    return f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
