"""Errors of PostgreSQL as errors that name the database and the remedy, never the URL: it may hold a password."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from tallystick.core.errors import StorageUnavailable, TallystickError, Unsupported

_NOT_RECORDED = "This call was not recorded."
_TEMPORARY = ("starting up", "shutting down", "recovery", "too many clients", "connection slots")
"""Words in the messages of a server that starts, stops or has too many clients."""

_KNOWN = {
    "53100": (f"The disk of {{}} is full. {_NOT_RECORDED}", "Free some space and try again."),
    "53300": ("{} has no connection to spare.", "Try again, or raise max_connections at the server."),
    "25006": (f"{{}} may not be written. {_NOT_RECORDED}", "It is a standby or set to read only: use the primary."),
    "42501": (
        f"{{}} does not permit this to its user. {_NOT_RECORDED}",
        "Make the user the owner of the tables, or open the journal once as their owner.",
    ),
    "42P01": ("{} has lost a table of the journal.", "Restore a backup, or use a fresh database."),
    "57014": (f"{{}} cancelled the statement. {_NOT_RECORDED}", "Try again, or raise statement_timeout for this user."),
    "55P03": (f"Another program holds the journal in {{}}. {_NOT_RECORDED}", "Try again, or end that program."),
    "XX001": ("{} is damaged.", "Keep a copy of its files as they are, then restore a backup."),
    "XX002": ("{} is damaged.", "Keep a copy of its files as they are, then restore a backup."),
}


class ConnectionLost(StorageUnavailable):
    """The connection is gone, or there is none. The last statement may or may not have run.

    `is_temporary`: the server starts, stops or has too many clients. `gave_up`: retrying has timed out.
    """

    def __init__(self, database: str, reason: str) -> None:
        super().__init__(
            f"{database} cannot be reached: {reason}.",
            hint="Check that the server runs and that the address and the user are right, then try again.",
        )
        self.is_temporary = any(words in reason for words in _TEMPORARY)
        self.gave_up = False


class Unreachable(ConnectionLost):
    """No connection could be made."""


class CommitUnknown(ConnectionLost):
    """The server went away during a commit, and was not back in time to check whether it succeeded."""

    def __init__(self, database: str, reason: str) -> None:
        super().__init__(database, reason)
        self.message += " It was lost while it was committing: it is unknown whether this call was recorded."
        self.hint = "When the server is back, repeat the call with the same key: it is recorded once."


class StatementFailed(StorageUnavailable):
    """The server rejected a statement; `sqlstate` is its error code."""

    def __init__(self, database: str, sqlstate: str, reason: str) -> None:
        unknown = (f"{{}} rejected a statement: {reason}. {_NOT_RECORDED}", "Run `tallystick doctor`.")
        message, hint = _KNOWN.get(sqlstate, unknown)
        super().__init__(message.format(database), hint=hint)
        self.sqlstate = sqlstate


@contextmanager
def translated_errors(database: str) -> Iterator[None]:
    """Translate the driver's errors into Tallystick errors."""
    try:
        yield
    except TallystickError:
        raise
    except psycopg.Error as error:
        reason = first_line(str(error))
        if error.sqlstate is None:
            raise ConnectionLost(database, reason) from error
        raise StatementFailed(database, error.sqlstate, reason) from error


def check_server(database: str, version: int, encoding: str) -> None:
    if version < 130_000:
        raise Unsupported(f"{database} runs PostgreSQL {version // 10_000}.", hint="Use PostgreSQL 13 or newer.")
    if encoding != "UTF8":
        raise Unsupported(
            f"{database} stores text as {encoding}, which cannot hold every character.",
            hint="Use a database created with encoding 'UTF8'.",
        )


def first_line(message: str) -> str:
    return (message.strip().splitlines() or ["no reason was given"])[0].rstrip(". ")
