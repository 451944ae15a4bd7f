"""What happened, for whoever runs this: one line each on standard error, as text or as JSON."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Literal

from tallystick.doors.cli import escapes

Level = Literal["debug", "info", "error"]
LEVELS: tuple[Level, ...] = ("debug", "info", "error")


class Log:
    """Lines from `level` upwards; None writes nothing."""

    def __init__(self, write: Callable[[str], None], level: Level | None, form: str) -> None:
        self._write = write
        self._from = LEVELS.index(level) if level else len(LEVELS)
        self._form = form

    def note(self, level: Level, event: str, **details: Any) -> None:
        if LEVELS.index(level) < self._from:
            return
        at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        if self._form == "json":
            self._write(escapes.json_text({"at": at, "level": level, "event": event, **details}))
        else:
            words = " ".join(f"{name}={escapes.line(str(value))}" for name, value in details.items())
            self._write(f"{at} {level} {event} {words}".rstrip())


class Stopwatch:
    """How long something took."""

    def __init__(self) -> None:
        self._start = time.monotonic()

    @property
    def milliseconds(self) -> float:
        return round((time.monotonic() - self._start) * 1000, 1)
