"""Choosing among rows in memory: the reference that SQL is held to."""

from collections.abc import Iterable, Mapping
from typing import Any

from tallystick.core.state import Row
from tallystick.store.port import Select, Wanted


def pick(rows: Iterable[Row], select: Select) -> list[Row]:
    """What `select` asks for."""
    return in_order((row for row in rows if fits_all(row, select)), select)


def in_order(rows: Iterable[Row], select: Select) -> list[Row]:
    return sorted(rows, key=lambda row: row.id, reverse=select.newest_first)[: select.limit]


def fits_all(row: Row, select: Select) -> bool:
    if select.after and (row.id >= select.after if select.newest_first else row.id <= select.after):
        return False
    if select.until_id and (row.id <= select.until_id if select.newest_first else row.id >= select.until_id):
        return False
    at: Any = getattr(row, "at", 0)
    if select.since is not None and at < select.since:
        return False
    if select.until is not None and at >= select.until:
        return False
    return all(fits(getattr(row, column), wanted) for column, wanted in select.where.items())


def fits(value: Any, wanted: Wanted) -> bool:
    return value in wanted if isinstance(wanted, tuple) else value == wanted


def recount(
    counts: dict[str, int], changes: Iterable[tuple[Row | None, Row]], column: str, where: Mapping[str, Wanted]
) -> dict[str, int]:
    """Counts by the value of a column, after rows changed: each as it was counted, and as it is."""
    for before, after in changes:
        for version, step in ((before, -1), (after, 1)):
            if version and all(fits(getattr(version, name), wanted) for name, wanted in where.items()):
                value = str(getattr(version, column))
                counts[value] = counts.get(value, 0) + step
    return {value: many for value, many in counts.items() if many}
