"""The entries as rows: CSV for spreadsheets, JSON lines for programs."""

import csv
from io import StringIO
from json import dumps
from typing import Any

from msgspec import json

from tallystick.operations.entries import EntryView
from tallystick.operations.reports.content import Account, cut, shown

COLUMNS = ("seq", "at", "kind", "id", "execution_id", "actor_kind", "actor", "witness", "session")
SAID = ("tool", "step", "outcome", "decision", "summary", "why", "error")
"""What is looked for in the facts and the body, and has a column of its own."""
CELL = 32_000
"""A spreadsheet takes no more than 32,767 characters in a cell."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""The last four are the wide forms of the first four, which spreadsheets of some languages take for the same."""


def write(account: Account) -> str:
    """One row an entry, for a spreadsheet: what begins like a formula is text there."""
    file = StringIO()
    rows = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    rows.writerow((*COLUMNS, *SAID, "facts", "body", "hash"))
    for entry in account.entries:
        rows.writerow([cell(value) for value in _row(entry)])
    return file.getvalue()


def write_lines(account: Account) -> str:
    """One entry a line, as `read_entries` gives it; what cannot be seen is escaped, so that it is the same value."""
    return "".join(_seen(json.encode(entry).decode()) + "\n" for entry in account.entries)


def _seen(line: str) -> str:
    return line if line.isprintable() else "".join(c if c.isprintable() else dumps(c)[1:-1] for c in line)


def cell(value: object) -> str:
    """A value that no spreadsheet takes for a formula, not even behind spaces or a quote."""
    text = cut(shown(str(value)), CELL)
    return f"'{text}" if text.lstrip(" '\"").startswith(_FORMULA) else text


def _row(entry: EntryView) -> list[object]:
    body: dict[str, Any] = entry.body if isinstance(entry.body, dict) else {}
    said = [_text(body.get(name) or entry.facts.get(name) or "") for name in SAID]
    whole = "" if entry.body is None else json.encode(entry.body).decode()
    return [
        *(getattr(entry, name) for name in COLUMNS),
        *said,
        json.encode(entry.facts).decode(),
        whole,
        entry.hash,
    ]


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.encode(value).decode()
