"""Following the journal from outside, and running the agents that write it."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Condition, Thread
from types import TracebackType
from typing import Protocol

from tallystick.core.errors import TallystickError
from tallystick.demo import messages
from tallystick.journal import Journal
from tallystick.operations.entries import EntryView

PATIENCE_SECONDS = 60.0
"""How long an entry that an agent has recorded may take to be seen here before the story counts as broken."""


class Broken(Exception):
    """The story did not go as it should."""


class Shows(Protocol):
    def entry(self, entry: EntryView) -> None: ...


class Watcher:
    """Shows each entry as it lands, from a thread of its own."""

    def __init__(self, journal: Journal, screen: Shows) -> None:
        self._journal = journal
        self._screen = screen
        self._changed = Condition()
        self._over = False
        self.entries: list[EntryView] = []
        self._thread = Thread(target=self._follow, name="tallystick-demo", daemon=True)
        self._thread.start()

    def wait_for(self, seq: int) -> None:
        """Until the entry at `seq` has been shown."""
        with self._changed:
            self._changed.wait_for(lambda: len(self.entries) >= seq or self._over, PATIENCE_SECONDS)
            if len(self.entries) < seq:
                raise Broken(f"entry {seq} was recorded and did not turn up for those who follow the journal")

    def stop(self) -> None:
        """Closing the journal ends the following."""
        self._journal.close()
        self._thread.join(PATIENCE_SECONDS)

    def _follow(self) -> None:
        try:
            for entry in self._journal.follow(after=0):
                with self._changed:
                    self._screen.entry(entry)
                    self.entries.append(entry)
                    self._changed.notify_all()
        except TallystickError:
            pass  # closed, or a store that is gone: whoever waits for an entry will say so
        finally:
            with self._changed:
                self._over = True
                self._changed.notify_all()


class AgentProcess:
    """One agent as a real child process. Its standard input stays open until `let_go`, even when it is dead."""

    def __init__(self, role: str, name: str, *, url: str, journal: str, pace: float, folder: Path) -> None:
        self.name = name
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tallystick.demo.agents", role, name, url, journal, str(pace), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    @property
    def number(self) -> int:
        return self._process.pid

    def messages(self) -> Iterator[messages.AnyMessage]:
        """What it tells, until it ends."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            yield messages.read(line)

    def answer(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(b"\n")
        self._process.stdin.flush()

    def kill(self) -> int:
        """SIGKILL: it gets no chance to say anything. Returns how the system says that it ended."""
        self._process.send_signal(signal.SIGKILL)
        return self._process.wait()

    def wait(self) -> int:
        return self._process.wait()

    def let_go(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None and not stream.closed:
                stream.close()

    def __enter__(self) -> "AgentProcess":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self.kill()
        self.let_go()
