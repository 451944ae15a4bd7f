"""Runs a real `tallystick serve` that can be stopped and restarted at the same address."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tallystick import Journal

COMMAND = Path(sys.executable).with_name("tallystick")
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)")
LINK = re.compile(r"http://\S*/login\?\S+")
TIMEOUT_SECONDS = 30
"""Seconds to wait for the process to end."""


class Serving:
    """The process and its store. `printed` is its output up to the login link."""

    def __init__(self, url: str, journal: str, *options: str) -> None:
        self.url = url
        self._options = options
        self.journal = journal
        self.printed = ""
        self._port = 0
        self._process: subprocess.Popen[str] | None = None
        self.start()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def link(self) -> str:
        """The link that logs a person in once."""
        found = LINK.search(self.printed)
        assert found, self.printed
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
        self.printed = self._read_output()
        found = ADDRESS.search(self.printed)
        assert found, f"`tallystick serve` printed no address:\n{self.printed}"
        self._port = int(found.group(1))

    def stop(self) -> None:
        """Kill the process without a clean shutdown."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(TIMEOUT_SECONDS)
            if self._process.stdout:
                self._process.stdout.close()
            self._process = None

    def open(self, journal: str = "") -> Journal:
        """Open a journal of the store in this process; for the server it is another process."""
        return Journal.open(self.url, journal=journal or self.journal)

    def _read_output(self) -> str:
        """Return the output up to the login link. The server listens before it prints it."""
        assert self._process is not None
        assert self._process.stdout is not None
        lines: list[str] = []
        for line in self._process.stdout:
            lines.append(line)
            if LINK.search(line):
                break
        return "".join(lines)
