"""Writes the entries of a report as CSV for spreadsheets, or as JSON lines for programs."""

import csv
from io import StringIO
from typing import Any

from msgspec import json

from tallystick.core.formats import fast_json
from tallystick.core.formats.visible import escape_block
from tallystick.operations.reports.content import Account, truncate
from tallystick.operations.views.entries import EntryView

COLUMNS = ("seq", "at", "kind", "id", "execution_id", "actor_kind", "actor", "witness", "session")
BODY_COLUMNS = ("tool", "step", "outcome", "decision", "summary", "why", "error")
"""Names that are looked up in the body and the facts of an entry."""
CELL_CHARACTERS = 32_000
"""A spreadsheet accepts at most 32,767 characters in a cell."""
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""The last four are the full-width forms of the first four, which spreadsheets in some languages treat alike."""


def write(account: Account) -> str:
    """Return one row per entry for a spreadsheet. Text that begins like a formula stays text."""
    file = StringIO()
    rows = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    rows.writerow((*COLUMNS, *BODY_COLUMNS, "facts", "body", "hash"))
    for entry in account.entries:
        rows.writerow([cell(value) for value in _row(entry)])
    return file.getvalue()


def write_lines(account: Account) -> str:
    """Return one entry per line, as `read_entries` gives it; invisible characters become JSON escapes."""
    return "".join(_escape_unprintable(json.encode(entry).decode()) + "\n" for entry in account.entries)


def _escape_unprintable(line: str) -> str:
    return line if line.isprintable() else "".join(c if c.isprintable() else fast_json.dump(c)[1:-1] for c in line)


def cell(value: object) -> str:
    """Return a value that no spreadsheet reads as a formula, not even behind spaces or a quote."""
    text = truncate(escape_block(str(value)), CELL_CHARACTERS)
    return f"'{text}" if text.lstrip(" '\"").startswith(_FORMULA_STARTS) else text


def _row(entry: EntryView) -> list[object]:
    body: dict[str, Any] = entry.body if isinstance(entry.body, dict) else {}
    values = [_text(body.get(name) or entry.facts.get(name) or "") for name in BODY_COLUMNS]
    encoded_body = "" if entry.body is None else json.encode(entry.body).decode()
    return [
        *(getattr(entry, name) for name in COLUMNS),
        *values,
        json.encode(entry.facts).decode(),
        encoded_body,
        entry.hash,
    ]


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.encode(value).decode()
