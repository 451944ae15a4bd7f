"""Formats cells, tables and field lists: escaped, clipped, each value in one line."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from io import StringIO
from operator import attrgetter
from typing import Any, get_origin

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from tallystick.core.formats import canonical_json, times
from tallystick.core.formats.visible import escape_line
from tallystick.interfaces.cli.terminal import Terminal
from tallystick.operations.approvals import ApprovalView
from tallystick.operations.context import ContextView
from tallystick.operations.executions import ExecutionView
from tallystick.operations.plans import PlanView
from tallystick.operations.runtime.receipts import DoubtItem, SessionReceipt
from tallystick.operations.sessions import SessionView
from tallystick.operations.views.brief_text import clip
from tallystick.operations.views.coverage import SessionCoverage
from tallystick.operations.views.execution_status import StepView
from tallystick.operations.views.figures.series import Day
from tallystick.operations.views.timeline import ActionLine

MAX_CELL_CHARACTERS = 200
"""Longer values are cut in tables and lines; --json shows all of them."""
MAX_FIELD_CHARACTERS = 2000
TIME_FIELDS = {(SessionReceipt, "expires")}
"""Fields with a time in microseconds."""
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?Z")


def format_value(value: Any, max_characters: int = MAX_CELL_CHARACTERS) -> str:
    """A value as a person reads it."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        time = _TIME.fullmatch(value)
        return f"{time[1]} {time[2]}" if time else _escape_clipped(value, max_characters)
    if isinstance(value, int | float):
        return f"{value:g}" if isinstance(value, float) else str(value)
    if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
        return _escape_clipped(", ".join(value), max_characters)
    return format_json(value, max_characters)


def format_counts(counts: Mapping[str, int], max_characters: int = MAX_CELL_CHARACTERS) -> str:
    return _escape_clipped(", ".join(f"{count} {name}" for name, count in counts.items()), max_characters)


def format_field(view: Struct, name: str, max_characters: int = MAX_CELL_CHARACTERS) -> str:
    """A field as its definition says: counts by name, any JSON value as JSON, anything else as a person reads it."""
    value, kind = getattr(view, name), _field_types(type(view))[name]
    if (type(view), name) in TIME_FIELDS:
        return format_value(times.iso(value)) if value else ""
    if kind is Any:
        return "" if value is None else format_json(value, max_characters)
    if kind == dict[str, int]:
        return format_counts(value, max_characters)
    return "" if get_origin(kind) is dict and not value else format_value(value, max_characters)


@cache
def _field_types(view: type[Struct]) -> dict[str, Any]:
    return {field.name: field.type for field in fields(view)}


@cache
def _json_fields(view: type[Struct]) -> frozenset[str]:
    return frozenset(name for name, kind in _field_types(view).items() if kind is Any)


def format_json(value: Any, max_characters: int = MAX_CELL_CHARACTERS) -> str:
    """A structure as JSON in one line."""
    return _escape_clipped(canonical_json.to_readable(msgspec.to_builtins(value)), max_characters)


def _escape_clipped(text: str, max_characters: int) -> str:
    return escape_line(clip(text, max_characters))


def column_heading(name: str) -> str:
    """The heading of a column or a field, by the field's name."""
    return (name.removesuffix("_id") if name != "id" else name).replace("_", " ")


def format_undo(undo: Any, way: str) -> str:
    """How to undo something: in words, or the call to make. `way` says why there is no undo."""
    if undo is None:
        if way in ("erased", "altered"):
            return f"the undo was {way}"
        return "no undo recorded" if way == "unknown" else format_value(way)
    call = ""
    if undo.tool:
        call = f"call {format_value(undo.tool)} {format_json(undo.arguments) if undo.arguments else ''}".rstrip()
    missing = f" (not recorded: {format_value(undo.missing)})" if undo.missing else ""
    return ", ".join(part for part in (format_value(undo.words), call) if part) + missing


# ----------------------------------------------------------------------------------------------------------------------
# Tables

COLUMNS: dict[type[Struct], tuple[str, ...]] = {
    PlanView: ("id", "revision", "status", "title", "step_count", "task_id", "at"),
    ExecutionView: ("id", "status", "title", "done_steps", "in_doubt", "owed", "last"),
    StepView: ("id", "actual", "title", "tool", "cancellable", "attempts", "decided", "dropped", "permission"),
    ActionLine: ("id", "state", "tool", "summary", "step", "actor", "begun", "undo_state"),
    Day: (
        "date",
        "started",
        "completed",
        "failed",
        "cancelled",
        "closed",
        "p50",
        "p95",
        "retries",
        "waited",
        "in_doubt",
    ),
    DoubtItem: ("action_id", "step", "tool", "summary", "since", "why"),
    ApprovalView: ("id", "status", "question", "tool", "arguments", "answer", "asked"),
    ContextView: ("key", "value", "scope", "type", "at"),
    SessionCoverage: (
        *("observer.session", "observer.client", "observer.alive", "observer.last_event", "observer.silent"),
        *("begun", "ended", "joined", "in_doubt", "unplanned"),
    ),
    SessionView: ("id", "alive", "name", "actor", "opened", "over_because", "open_actions"),
}
"""The columns that fit a terminal of 80, for views that have more fields.

`done_steps` counts all steps, `a.b` is a field of a field. A column without values is left out.
"""

COLOURS = {
    **dict.fromkeys(("ok", "done", "completed", "active", "approve", "yes", "kept"), "green"),
    **dict.fromkeys(("running", "open", "undoing", "undone", "unwinding", "used", "edit"), "cyan"),
    **dict.fromkeys(("in doubt", "in_doubt", "unknown", "doubted", "paused", "blocked", "pending", "warn"), "yellow"),
    **dict.fromkeys(("interrupted", "waiting"), "yellow"),
    **dict.fromkeys(("failed", "reject", "expired", "fail", "cancelled", "owed"), "red"),
}
"""The colour of each word for a state, in every command."""
_EMPTY_CELLS = ("", "0", "0/0")
_SHOWN_IF_TRUE = {"observer.silent"}
"""Boolean columns that stay blank where they are false."""
_WRAPPED_COLUMNS = {"title", "summary", "question", "answer", "value", "why", "name", "undo", "text", "task"}
"""Columns of free text. They are wrapped when a table is too wide; the others are not."""


def view_table(terminal: Terminal, views: Sequence[Struct]) -> str:
    """A table of views of one type."""
    names = COLUMNS.get(type(views[0]), type(views[0]).__struct_fields__)
    rows = [[_cell(view, name) for name in names] for view in views]
    headings = ["steps" if name == "done_steps" else column_heading(name.rpartition(".")[2]) for name in names]
    return draw_table(terminal, headings, rows, json_columns=_json_fields(type(views[0])))


def _cell(view: Struct, name: str) -> str:
    if name == "status" and isinstance(view, ExecutionView):
        return view.shown_status
    if name == "status" and isinstance(view, ApprovalView) and view.answered_in:
        return f"{view.status} (in a client)"
    if name == "done_steps" and isinstance(view, ExecutionView):
        return _steps(view)
    owner, _, field = name.rpartition(".")
    holder = attrgetter(owner)(view) if owner else view
    return "" if name in _SHOWN_IF_TRUE and not getattr(holder, field) else format_field(holder, field)


def _steps(execution: ExecutionView) -> str:
    counts = {"undone": execution.undone_steps, "skipped": execution.skipped_steps}
    notes = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    return f"{execution.done_steps}/{execution.total_steps}{f' ({notes})' if notes else ''}"


def draw_table(
    terminal: Terminal,
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    json_columns: Collection[str] = (),
) -> str:
    """A table of escaped texts, at most as wide as the terminal. A column without values is left out; in columns of
    JSON, 0 is a value."""
    from rich.console import Console  # loaded only when a table is drawn
    from rich.table import Table
    from rich.text import Text

    empty = [("",) if heading in json_columns else _EMPTY_CELLS for heading in headings]
    columns = [index for index in range(len(headings)) if any(row[index] not in empty[index] for row in rows)]
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for index in columns:
        table.add_column(headings[index], no_wrap=headings[index] not in _WRAPPED_COLUMNS, overflow="fold")
    for row in rows:
        table.add_row(*(Text(row[index], style=COLOURS.get(row[index].partition(" (")[0], "")) for index in columns))
    file = StringIO()
    Console(
        file=file,
        width=terminal.width,
        color_system="standard" if terminal.uses_colour else None,
        force_terminal=terminal.uses_colour,
        no_color=not terminal.uses_colour,
        highlight=False,
        markup=False,
        emoji=False,
        _environ={},
    ).print(table)
    return "\n".join(line.rstrip() for line in file.getvalue().rstrip("\n").split("\n"))


def field_list(pairs: Sequence[tuple[str, Any]], *, indent: int = 2) -> str:
    """Names and values, one pair on each line. Pairs without a value are left out."""
    texts = [(name, format_value(value, MAX_FIELD_CHARACTERS)) for name, value in pairs]
    return _draw_fields([(name, text) for name, text in texts if text != "0"], indent)


def view_fields(view: Struct, names: Sequence[str], *, indent: int = 2) -> str:
    """The fields of a view, one on each line. Those without a value are left out; a JSON value of 0 is one."""
    texts = [(name, format_field(view, name, MAX_FIELD_CHARACTERS)) for name in names]
    return _draw_fields([pair for pair in texts if pair[1] != "0" or pair[0] in _json_fields(type(view))], indent)


def _draw_fields(rows: Sequence[tuple[str, str]], indent: int) -> str:
    shown = [(column_heading(name), text) for name, text in rows if text]
    width = max((len(name) for name, _ in shown), default=0)
    return "\n".join(f"{'':{indent}}{name:{width}}  {text}" for name, text in shown)
