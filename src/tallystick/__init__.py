"""Tallystick: an execution journal for AI agents.

from tallystick import Journal, Step

with Journal.open() as journal:
    with journal.execution("Move the site") as execution:
        with execution.action("copy the files", tool="cp", undo="delete the copy") as copy:
            copy.result = ...
"""

from tallystick import wiring as _wiring  # lets Journal.open find its stores
from tallystick.core.errors import (
    AlreadyDone,
    AmbiguousExecution,
    ApprovalPending,
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
from tallystick.core.model import Actor, FailurePolicy, Record, Step, Undo
from tallystick.core.version import __version__
from tallystick.journal import AsyncJournal, Journal

__all__ = [
    "Actor",
    "AlreadyDone",
    "AmbiguousExecution",
    "ApprovalPending",
    "AsyncJournal",
    "Conflict",
    "FailurePolicy",
    "InDoubtOpen",
    "InvalidArgument",
    "Journal",
    "MissingUndo",
    "NotPermitted",
    "Record",
    "Refused",
    "Step",
    "StorageUnavailable",
    "TallystickError",
    "Tampered",
    "TooLarge",
    "Undo",
    "UnknownHandle",
    "Unsupported",
    "WrongState",
    "__version__",
]

del _wiring
