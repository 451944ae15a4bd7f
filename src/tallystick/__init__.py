"""Tallystick: an execution journal for AI agents.

from tallystick import Journal, Step

with Journal.open() as journal:
    with journal.execution("Move the site") as execution:
        with execution.action("copy the files", tool="cp", undo="delete the copy") as copy:
            copy.result = ...
"""

# ruff: noqa: E402  # the code before the imports makes them quick

import sys as _sys
from _thread import get_ident as _thread_id
from typing import TYPE_CHECKING

if _sys.platform == "win32":
    raise ImportError(
        "Tallystick does not support Windows: it needs POSIX file locks and process signals. "
        "It is tested on Linux. On Windows, use WSL or a Linux container."
    )


class _WithoutTypingExtensions:
    """Keeps msgspec from importing `typing_extensions`, which loads `inspect` and costs a fifth of the start time.

    msgspec uses it only if it is installed, for names that Python 3.11 has in `typing`. Imports in other threads are
    not affected.
    """

    def __init__(self) -> None:
        self._thread = _thread_id()

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name == "typing_extensions" and _thread_id() == self._thread:
            raise ModuleNotFoundError(name)


# Here, since this package is imported before any of its modules can import msgspec.
_finder = _WithoutTypingExtensions()
_sys.meta_path.insert(0, _finder)
try:
    import msgspec as _msgspec
finally:
    _sys.meta_path.remove(_finder)

from tallystick import wiring as _wiring  # lets Journal.open find its stores
from tallystick.core.errors import (
    AlreadyDone,
    AmbiguousExecution,
    ApprovalPending,
    Busy,
    Conflict,
    InDoubtOpen,
    InvalidArgument,
    MissingUndo,
    NotPermitted,
    Refused,
    StorageUnavailable,
    TallystickError,
    Tampered,
    TooLarge,
    UnknownHandle,
    Unsupported,
    WrongState,
)
from tallystick.core.types import Actor, FailurePolicy, Record, Retry, Step, Undo
from tallystick.sdk.journal import AsyncJournal, Journal
from tallystick.version import __version__

__all__ = [
    "Actor",
    "AlreadyDone",
    "AmbiguousExecution",
    "ApprovalPending",
    "AsyncJournal",
    "Busy",
    "Conflict",
    "FailurePolicy",
    "InDoubtOpen",
    "InvalidArgument",
    "Journal",
    "MissingUndo",
    "NotPermitted",
    "Record",
    "Refused",
    "Retry",
    "Step",
    "StorageUnavailable",
    "TallystickError",
    "Tampered",
    "TooLarge",
    "ToolError",
    "Undo",
    "UnknownHandle",
    "Unsupported",
    "WrongState",
    "__version__",
    "tool",
]

if TYPE_CHECKING:
    from tallystick.runner.tools.python import tool
    from tallystick.runner.tools.tool import ToolError
else:  # a type checker would take any name from a module with a __getattr__

    def __getattr__(name: str) -> object:
        """Load the names of the runner when they are asked for: recording needs none of it."""
        if name == "tool":
            from tallystick.runner.tools.python import tool as found
        elif name == "ToolError":
            from tallystick.runner.tools.tool import ToolError as found
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


del TYPE_CHECKING, _finder, _msgspec, _wiring
