"""Operational logs of server, gateway, worker and notifier, on standard error: a line of text or of JSON each.

A line names ids, operations and types of errors. It has no recorded text: the message of an error may quote what a
model wrote, so only its type and its frames are logged.
"""

import json
import logging
import sys
import time
import traceback
from typing import Any, Literal, TextIO

_ESCAPED = {code: f"\\x{code:02x}" for code in (*range(32), 127, *range(128, 160))}


def configure(format: Literal["text", "json"], level: str = "info", stream: TextIO | None = None) -> None:
    """Send the log of this process to standard error. Other packages are logged from `warning` on."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if format == "json" else TextLines())
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    logging.getLogger("tallystick").setLevel(level.upper())


def log_event(logger: logging.Logger, level: int, event: str, **fields: Any) -> None:
    """Log an event with fields, such as ids. Empty fields are left out."""
    if logger.isEnabledFor(level):
        logger.log(level, event, extra={"fields": {name: value for name, value in fields.items() if value != ""}})


class TextLines(logging.Formatter):
    """`at level event name=value`, on one line."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {"logger": record.name, **_fields(record), **_error_fields(record)}
        shown = "".join(f" {name}={_shown(value)}" for name, value in fields.items())
        event = record.getMessage().translate(_ESCAPED)
        return f"{_time(record)} {record.levelname.lower()} {event}{shown}"


class JsonLines(logging.Formatter):
    """One JSON object: at, level, event, logger, the fields of the event, and the type and frames of an error."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": _time(record),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            "logger": record.name,
        }
        return json.dumps({**line, **_fields(record), **_error_fields(record), **line}, default=str)


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    return getattr(record, "fields", {})


def _error_fields(record: logging.LogRecord) -> dict[str, Any]:
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return {}
    frames = traceback.extract_tb(error.__traceback__)
    return {
        "error": type(error).__name__,
        "frames": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    }


def _shown(value: Any) -> str:
    text = " < ".join(reversed(value)) if isinstance(value, list) else str(value)
    text = text.translate(_ESCAPED)
    return f'"{text}"' if " " in text else text


def _time(record: logging.LogRecord) -> str:
    return iso_time(record.created)


def iso_time(seconds: float) -> str:
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{whole}.{int(seconds % 1 * 1000):03d}Z"
