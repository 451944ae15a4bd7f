"""What PostgreSQL says, in words that name the database and the way out. Never the URL: it may hold a password."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from tallystick.core.errors import StorageUnavailable, TallystickError, Unsupported

_KEPT = "What was acknowledged before is kept; this call was not recorded."
_PASSING = ("starting up", "shutting down", "recovery", "too many clients", "connection slots")
"""Words in the refusals that a server gives while it starts, stops or is crowded."""

_KNOWN = {
    "53100": (f"The disk of {{}} is full. {_KEPT}", "Free some space and try again."),
    "53300": ("{} has no connection to spare.", "Try again, or raise max_connections at the server."),
    "25006": (f"{{}} may not be written. {_KEPT}", "It is a standby or set to read only: use the primary."),
    "42501": (
        f"{{}} refuses this to its user. {_KEPT}",
        "Let the user own the tables, or open it once as their owner.",
    ),
    "42P01": ("{} has lost a table of the journal.", "Restore a backup, or use a fresh database."),
    "57014": (f"{{}} broke off the statement. {_KEPT}", "Try again, or raise statement_timeout for this user."),
    "55P03": (f"Another program holds the journal in {{}}. {_KEPT}", "Try again, or end that program."),
    "XX001": ("{} is damaged.", "Keep a copy of its files as they are, then restore a backup."),
    "XX002": ("{} is damaged.", "Keep a copy of its files as they are, then restore a backup."),
}


class Lost(StorageUnavailable):
    """The connection is gone, or there is none. What was sent last may or may not have been done."""

    def __init__(self, database: str, said: str) -> None:
        super().__init__(
            f"{database} cannot be reached: {said}.",
            hint="Check that the server runs and that the address and the user are right, then try again.",
        )
        self.passing = any(words in said for words in _PASSING)
        self.given_up = False


class Unreachable(Lost):
    """There was no connection in the first place."""


class Undecided(Lost):
    """The server went away while it was committing, and did not come back in time to say what came of it."""

    def __init__(self, database: str, said: str) -> None:
        super().__init__(database, said)
        self.message += " It was lost while it was committing: nobody knows whether this call was recorded."
        self.hint = "When the server is back, look, or ask again with the same key."


class Failed(StorageUnavailable):
    """The server refused a statement; `sqlstate` is its code for why."""

    def __init__(self, database: str, sqlstate: str, said: str) -> None:
        message, hint = _KNOWN.get(sqlstate, (f"{{}} could not do it: {said}. {_KEPT}", "Run `tallystick doctor`."))
        super().__init__(message.format(database), hint=hint)
        self.sqlstate = sqlstate


@contextmanager
def explained(database: str) -> Iterator[None]:
    """Turn the driver's errors into ours."""
    try:
        yield
    except TallystickError:
        raise
    except psycopg.Error as error:
        said = first_line(str(error))
        if error.sqlstate is None:
            raise Lost(database, said) from error
        raise Failed(database, error.sqlstate, said) from error


def check_server(database: str, version: int, encoding: str) -> None:
    if version < 130_000:
        raise Unsupported(f"{database} runs PostgreSQL {version // 10_000}.", hint="Use PostgreSQL 13 or newer.")
    if encoding != "UTF8":
        raise Unsupported(
            f"{database} keeps text as {encoding}, which cannot hold every text.",
            hint="Use a database made with encoding 'UTF8'.",
        )


def first_line(said: str) -> str:
    return (said.strip().splitlines() or ["no reason was given"])[0].rstrip(". ")
