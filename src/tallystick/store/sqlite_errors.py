"""What SQLite says, in words that name the file and the way out."""

from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from tallystick.core.errors import StorageUnavailable, TallystickError, Unsupported

_KEPT = "What was acknowledged before is kept; this call was not recorded."


@contextmanager
def explained(path: str) -> Iterator[None]:
    """Turn the driver's errors into ours."""
    try:
        yield
    except TallystickError:
        raise
    except (apsw.Error, OSError) as error:
        raise explain(error, path) from error


def moved(path: str) -> StorageUnavailable:
    """Whoever writes on after its file is gone writes where nobody will ever look."""
    return StorageUnavailable(
        f"{path} was deleted, moved or replaced while it was open. This call was not recorded.",
        hint="Put the file back, or restore a backup; then start this program again.",
    )


def explain(error: apsw.Error | OSError, path: str) -> TallystickError:
    if isinstance(error, OSError):
        return StorageUnavailable(
            f"{path} cannot be used: {error.strerror or error}.",
            hint="Check that the folder exists and may be written, or choose another place with TALLYSTICK_URL.",
        )
    if isinstance(error, apsw.FullError):
        return StorageUnavailable(f"The disk that holds {path} is full. {_KEPT}", hint="Free some space and try again.")
    if isinstance(error, apsw.ReadOnlyError | apsw.PermissionsError):
        return StorageUnavailable(
            f"{path} may not be written. {_KEPT}", hint="Check the rights of the file and of its folder."
        )
    if isinstance(error, apsw.CantOpenError):
        return StorageUnavailable(
            f"{path} cannot be opened.",
            hint="Check the path and its rights, or choose another place with TALLYSTICK_URL.",
        )
    if isinstance(error, apsw.NotADBError):
        return Unsupported(
            f"{path} is not a journal: it is another kind of file.", hint="Choose another path; it was not touched."
        )
    if isinstance(error, apsw.CorruptError):
        return StorageUnavailable(
            f"{path} is damaged: {error}.",
            hint="Keep a copy of the file as it is, then restore a backup or run `tallystick verify` on an export.",
        )
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return StorageUnavailable(
            f"Another program holds {path} for writing. {_KEPT}", hint="Try again, or end that program."
        )
    if isinstance(error, apsw.IOError):
        # A commit whose sync failed may yet be found whole, should this process die before it writes on.
        return StorageUnavailable(
            f"The disk that holds {path} failed: {error}. What was acknowledged before is kept; "
            "nobody knows whether this call was recorded.",
            hint="Check the disk; then look, or ask again with the same key.",
        )
    return StorageUnavailable(f"{path} could not be used: {error}. {_KEPT}", hint="Run `tallystick doctor`.")
