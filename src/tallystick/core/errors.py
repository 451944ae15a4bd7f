"""Every error a caller can meet. Look once at the tree, and you know what to catch.

    TallystickError
    ├── InvalidArgument        invalid_argument     a value that is not allowed; names the field
    │   └── TooLarge           too_large            over a limit; says the limit
    ├── UnknownHandle          unknown_handle       no such id; names up to five that exist
    ├── AmbiguousExecution     ambiguous_execution  several are open; names up to five
    ├── Refused                (never raised itself)
    │   ├── WrongState         wrong_state          not in this state; says the state and what may follow
    │   ├── AlreadyDone        already_done         this effect succeeded before; `again` repeats it
    │   ├── InDoubtOpen        in_doubt_open        this effect may have happened; settle it first
    │   ├── MissingUndo        missing_undo         an owed undo would be lost
    │   ├── ApprovalPending    approval_pending     a person has not said yes
    │   └── Conflict           conflict             the same key, other content
    ├── NotPermitted           not_permitted        needs a credential that was not given
    ├── StorageUnavailable     storage_unavailable  nothing was recorded; says what to do
    │   ├── Busy               busy                 too much was asked for at once; says when to come again
    │   └── Unsupported        unsupported_store    this store or version cannot be used
    └── Tampered               tampered             an entry does not verify; says the first

Interfaces translate `code`; one table, in `tallystick.interfaces.problems`, maps each to a status and an exit code.
"""

import re
from collections.abc import Iterable
from errno import EMFILE, ENFILE
from typing import Any, ClassVar

from tallystick.core.formats.visible import escape_block


class TallystickError(Exception):
    """The base of all errors: it says what is wrong, what is allowed, and what to do next."""

    code: ClassVar[str] = "failure"

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        field: str | None = None,
        allowed: Iterable[str] = (),
        next_call: tuple[str, dict[str, Any]] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.field = field
        self.allowed = tuple(allowed)
        self.next_call = next_call

    def __str__(self) -> str:
        return escape_block(f"{self.message} {self.hint}".rstrip())

    def as_dict(self) -> dict[str, Any]:
        """The error as structured data, the same at every interface."""
        data: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.hint:
            data["hint"] = self.hint
        if self.field:
            data["field"] = self.field
        if self.allowed:
            data["allowed"] = list(self.allowed)
        if self.next_call:
            data["next"] = {"operation": self.next_call[0], "arguments": self.next_call[1]}
        return data


class InvalidArgument(TallystickError):
    """A value that is not allowed. `matches_schema`: each value is, but not all of them together."""

    code = "invalid_argument"
    matches_schema = False
    is_in_file = False
    """Whether the value stands in a file, where fields have the same names at every interface."""


class TooLarge(InvalidArgument):
    """A value over a limit."""

    code = "too_large"


class UnknownHandle(TallystickError):
    """An id that this journal does not hold."""

    code = "unknown_handle"


class AmbiguousExecution(TallystickError):
    """The execution was left out and several are open."""

    code = "ambiguous_execution"


class Refused(TallystickError):
    """A rule says no to this intention."""


class WrongState(Refused):
    """Not allowed in the state that the thing is in."""

    code = "wrong_state"


class AlreadyDone(Refused):
    """The same effect has already succeeded. `result` is what was recorded of it, where the library looked it up."""

    code = "already_done"
    result: Any = None


class InDoubtOpen(Refused):
    """The same effect may have happened; nobody knows yet."""

    code = "in_doubt_open"


class MissingUndo(Refused):
    """The request would lose the way to undo something that is owed."""

    code = "missing_undo"


class ApprovalPending(Refused):
    """A person has to say yes first, and has not."""

    code = "approval_pending"


class Conflict(Refused):
    """The same key was used before with other content."""

    code = "conflict"


class NotPermitted(TallystickError):
    """The caller lacks the credential."""

    code = "not_permitted"


class StorageUnavailable(TallystickError):
    """The store could not do it; nothing of the call was recorded."""

    code = "storage_unavailable"


def journal_closed_error() -> StorageUnavailable:
    """The error for any use of a journal after `close`."""
    return StorageUnavailable("This journal is closed.", hint="Open it again.")


def journal_in_use_error(journal: str) -> WrongState:
    """The error for a copy into a journal that exists."""
    return WrongState(
        f'The journal "{journal}" exists in this store already.', hint="Copy it into a new file or database."
    )


def system_error(error: OSError) -> StorageUnavailable:
    """The error for a refusal of the operating system. Modules are loaded late, so any call may need a file."""
    if error.errno in (EMFILE, ENFILE):
        return StorageUnavailable(
            "No file descriptors are left. Nothing of this call was recorded.",
            hint="Close files, or raise the limit with `ulimit -n`; then call again.",
        )
    return StorageUnavailable(
        f"The system refused: {error.strerror or error}. Nothing of this call was recorded.",
        hint="Correct that, then call again.",
    )


def lost_secret_error(journal: str) -> StorageUnavailable:
    """The error for calls that need the key of digests, which stands in no entry."""
    return StorageUnavailable(
        f'The store is damaged: the key of digests of the journal "{journal}" cannot be read. Nothing was recorded.',
        hint="Reading, `verify` and `export` work. Restore a backup to record actions again.",
    )


LOST_RECORDS_HINT = (
    "Stop the programs that use it, look at it with `tallystick doctor`, and restore the newest backup with "
    "`tallystick restore FILE --replace`. To go on with what is there, start this program again."
)


def lost_records_error(place: str, journal: str, known: tuple[int, str], end: int) -> StorageUnavailable:
    """The error for a journal that lacks an entry which this program has read or was told to be stored."""
    seq, hash = known
    return StorageUnavailable(
        f'{place} has lost records: entry {seq} of the journal "{journal}" ({hash}) was acknowledged to this program, '
        f"and is not there any more; the journal ends at entry {end}. An older copy may have been put in its place. "
        "Nothing was read or recorded.",
        hint=LOST_RECORDS_HINT,
    )


def damaged_error(what: str) -> StorageUnavailable:
    """The error for stored data that cannot be read and that is not an entry."""
    return StorageUnavailable(
        f"The store is damaged: {what}.",
        hint="Keep a copy of it as it is. `tallystick rebuild` makes damaged rows anew; otherwise restore a backup.",
    )


def missing_row_error(journal: str) -> StorageUnavailable:
    """The error for a journal that has entries, and no row that says its number."""
    return damaged_error(f'the row of the journal "{journal}" is missing, and its entries are there')


class Busy(StorageUnavailable):
    """Too much was asked for at once, of a server that others ask too."""

    code = "busy"


class Unsupported(StorageUnavailable):
    """The store is of a version or kind that cannot be used."""

    code = "unsupported_store"


def newer_version_error(version: str) -> Unsupported:
    """The error for writing after entries that only a newer version can read; `version` is a number, or "newer"."""
    is_named = version[:1].isdigit()
    return Unsupported(
        f"{f'Tallystick {version}' if is_named else 'A newer Tallystick'} wrote entries that this version cannot read. "
        "Nothing was recorded; reading still works.",
        hint=f"Install tallystick {f'{version} or newer' if is_named else 'in its newest version'}, and call again.",
    )


class Tampered(TallystickError):
    """The stored entries do not verify."""

    code = "tampered"


_PLAIN_WORD = re.compile(r"[\w.:@/+#-]{1,80}")


def quote_words(words: Iterable[str]) -> str:
    """Words separated by commas. Free text among them stands in quotes."""
    return ", ".join(word if _PLAIN_WORD.fullmatch(word) else _quoted(word) for word in words)


def _quoted(word: str) -> str:
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'


def not_one_of(value: str, field: str, allowed: Iterable[str], *, what: str | None = None) -> InvalidArgument:
    """The error for a word that is not among the allowed ones."""
    words = tuple(allowed)
    return InvalidArgument(
        f'{field} "{value[:80]}" is not {what or "allowed"}.',
        hint=f"Use one of: {', '.join(words)}.",
        field=field,
        allowed=words,
    )
