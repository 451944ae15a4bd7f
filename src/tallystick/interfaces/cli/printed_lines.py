"""Takes what tools print while a live block is shown, line by line, so that it can be shown above the block."""

import os
from collections.abc import Callable
from tempfile import TemporaryFile
from threading import Event, Thread

STREAMS = (1, 2)
LOOK_SECONDS = 0.1
READ_BYTES = 65536
MAX_FILE_BYTES = 16 << 20
"""A file that is larger, and was read, is replaced by a new one."""


class PrintedLines:
    """Takes standard output and standard error of this process and its children; `show` gets each line.

    A file takes them, not a pipe: a process that a tool leaves in the background may print on after the run.
    """

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self._rest = b""
        self._saved = {stream: os.dup(stream) for stream in STREAMS}
        self._open_file()
        self._stopping = Event()
        self._thread = Thread(target=self._follow, name="tallystick-printed", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Show nothing more until it is closed."""
        self._stopping.set()
        self._thread.join()

    def close(self) -> None:
        """Give the streams back, and show what was printed last."""
        for stream, saved in self._saved.items():
            os.dup2(saved, stream)
            os.close(saved)
        self._read()
        if self._rest:
            self._show(_last_part(self._rest))
        self._file.close()

    def _open_file(self) -> None:
        # All streams share the place in the file, so that nobody overwrites what another one wrote.
        self._file, self._place = TemporaryFile(), 0  # noqa: SIM115  # it is closed with the streams
        for stream in STREAMS:
            os.dup2(self._file.fileno(), stream)

    def _follow(self) -> None:
        while not self._stopping.wait(LOOK_SECONDS):
            self._read()
            if self._place > MAX_FILE_BYTES:
                before, place = self._file, self._place
                self._open_file()
                self._take(before.fileno(), place)
                before.close()

    def _read(self) -> None:
        self._place = self._take(self._file.fileno(), self._place)

    def _take(self, file: int, place: int) -> int:
        """Show the lines of a file behind a place; returns the place behind them."""
        while piece := os.pread(file, READ_BYTES, place):
            place += len(piece)
            *lines, self._rest = (self._rest + piece).split(b"\n")
            for line in lines:
                self._show(_last_part(line))
        return place


def _last_part(line: bytes) -> str:
    """What a terminal would show of a line that was written over."""
    return line.rstrip(b"\r").rpartition(b"\r")[2].decode(errors="replace")
