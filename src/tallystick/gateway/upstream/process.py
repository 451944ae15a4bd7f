"""A server that is a process of ours, spoken to over its standard input and output."""

import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress

from tallystick.gateway.config import Server
from tallystick.gateway.io.log import LOG
from tallystick.gateway.io.loop import Loop
from tallystick.gateway.io.pipes import Reader, Writer

WAITING_BYTES = 32 << 20
"""How much may wait for a server that does not read. One call may be larger than that, if nothing else waits."""
LAST_WORDS_SECONDS = 0.5
"""What a process that is gone has written is read for so long; a child of its own may hold the pipe open."""
GOING_SECONDS = 2.0
"""After its input was closed, and again after SIGTERM."""
_NOT_THEIRS = ("TALLYSTICK_CREDENTIAL", "TALLYSTICK_TOKEN", "TALLYSTICK_SESSION")
"""What the journal lets do is not for the servers behind."""
_HIDDEN = 6
"""Values of at least so many letters are taken out of what a server says on standard error."""


class ServerProcess:
    """One life of the process."""

    def __init__(
        self,
        loop: Loop,
        name: str,
        server: Server,
        env: Mapping[str, str],
        mask: Callable[[str], str],
        take: Callable[[bytes], None],
        lost: Callable[[str], None],
    ) -> None:
        self._loop = loop
        self._name = name
        self._hidden = [value.encode() for value in server.env.values() if len(value) >= _HIDDEN]
        self._mask = mask
        self._lost = lost
        self._ended = False
        self._process = subprocess.Popen(
            [server.command, *server.args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=server.cwd or None,
            env={**{name: value for name, value in env.items() if name not in _NOT_THEIRS}, **server.env},
            start_new_session=True,  # Ctrl-C is for the client; and a wrapper's own children go with it
        )
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._writer = Writer(loop, os.dup(process.stdin.fileno()), lambda: self._gone("closed its input"))
        self._reader = Reader(
            loop,
            os.dup(process.stdout.fileno()),
            take,
            self._silent,
            overlong=lambda: self._gone("sent a line that is too long"),
        )
        self._stderr_reader = Reader(loop, os.dup(process.stderr.fileno()), self._on_stderr_line, _nothing, 1 << 16)
        for pipe in (process.stdin, process.stdout, process.stderr):
            pipe.close()
        self._life = os.pidfd_open(process.pid)
        loop.reads(self._life, self._died)

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, line: bytes) -> bool:
        """Whether it is on its way. A server that has stopped reading gets nothing more."""
        if not self._writer.open or (self._writer.size and self._writer.size + len(line) > WAITING_BYTES):
            return False
        self._writer.put(line)
        return True

    def flush(self) -> bool:
        return self._writer.flush()

    def pause(self) -> None:
        self._reader.pause()

    def resume(self) -> None:
        self._reader.resume()

    def close(self) -> None:
        """Let it end by itself, then make it."""
        self._writer.close()
        self._reader.close()
        if self._process.poll() is None:
            self._loop.later(GOING_SECONDS, lambda: self._end(signal.SIGTERM))
            self._loop.later(2 * GOING_SECONDS, lambda: self._end(signal.SIGKILL))
        else:
            self._stderr_reader.close()

    def end(self) -> None:
        """Now: this process is about to end itself, and waits for nobody long."""
        self.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GOING_SECONDS / 4)
            return
        self._end(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GOING_SECONDS / 2)
            return
        self._end(signal.SIGKILL)
        self._process.wait()

    def _end(self, number: signal.Signals) -> None:
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)

    def _died(self) -> None:
        self._loop.forget(self._life)
        os.close(self._life)
        self._process.wait()
        self._loop.later(0 if self._ended else LAST_WORDS_SECONDS, lambda: self._gone(""))
        self._loop.later(LAST_WORDS_SECONDS, self._stderr_reader.close)

    def _silent(self) -> None:
        """Its output has ended. Mostly it is dying: how it died is known in a moment."""
        self._ended = True
        self._loop.later(LAST_WORDS_SECONDS if self._process.poll() is None else 0, lambda: self._gone(""))

    def _gone(self, why: str) -> None:
        if not why:
            code = self._process.poll()
            why = "ended its output" if code is None else _ending(code)
        self._lost(why)

    def _on_stderr_line(self, line: bytes) -> None:
        for value in self._hidden:
            line = line.replace(value, b"***")
        line = self._mask(line.decode(errors="surrogateescape")).encode(errors="surrogateescape")
        LOG.put(b"[%s] %s" % (self._name.encode(), line))


def _nothing() -> None:
    """What is done about the end of standard error."""


def _ending(code: int) -> str:
    return f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
