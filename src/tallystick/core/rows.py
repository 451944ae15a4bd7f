"""Where a fold keeps what it knows: rows by their table and id."""

from typing import Protocol, TypeVar

from tallystick.core.state import Row

R = TypeVar("R", bound=Row)


class Rows(Protocol):
    """Some store of rows."""

    def get(self, table: type[R], id: str) -> R | None:
        """The row as it is now, with all that was put."""

    def put(self, row: Row) -> None:
        """Add a row, or replace the one with its id."""
