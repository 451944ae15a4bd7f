"""A real `tallystick serve` over a store, which can be stopped and started again under the same address."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tallystick import Journal

COMMAND = Path(sys.executable).with_name("tallystick")
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)")
LINK = re.compile(r"http://\S*/login\?\S+")
PATIENCE = 30
"""For a process that does not end: no test waits for it longer."""


class Serving:
    """The process, and the journals of its store. `said` is what it printed before it listened."""

    def __init__(self, url: str, journal: str, *options: str) -> None:
        self.url = url
        self._options = options
        self.journal = journal
        self.said = ""
        self._port = 0
        self._process: subprocess.Popen[str] | None = None
        self.start()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def link(self) -> str:
        """The link that logs a person in, once."""
        found = LINK.search(self.said)
        assert found, self.said
        return found.group()

    def start(self) -> None:
        where = ["--url", self.url, "--journal", self.journal, "--port", str(self._port)]
        self._process = subprocess.Popen(
            [COMMAND, "serve", *where, *self._options],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "NO_COLOR": "1"},
        )
        self.said = self._greeting()
        found = ADDRESS.search(self.said)
        assert found, f"`tallystick serve` said no address:\n{self.said}"
        self._port = int(found.group(1))

    def stop(self) -> None:
        """As if the machine went away: nobody is told."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(PATIENCE)
            if self._process.stdout:
                self._process.stdout.close()
            self._process = None

    def open(self, journal: str = "") -> Journal:
        """A journal of the store, written by this process: to the server it is another one's."""
        return Journal.open(self.url, journal=journal or self.journal)

    def _greeting(self) -> str:
        """What is printed up to the address. It listens before it says so."""
        assert self._process is not None
        assert self._process.stdout is not None
        lines: list[str] = []
        for line in self._process.stdout:
            lines.append(line)
            if LINK.search(line):
                break
        return "".join(lines)
