"""Values in the words of people: harmless, short, in one line."""

import json
import re
from collections.abc import Sequence
from io import StringIO
from operator import attrgetter
from typing import Any

import msgspec
from msgspec import Struct

from tallystick.interfaces.cli import terminal
from tallystick.interfaces.cli.terminal import Terminal
from tallystick.operations.approvals import ApprovalView
from tallystick.operations.context import ContextView
from tallystick.operations.executions import ExecutionView, StepView
from tallystick.operations.plans import PlanView
from tallystick.operations.runtime.progress import DoubtItem
from tallystick.operations.sessions import SessionView
from tallystick.operations.views.brief_text import clip
from tallystick.operations.views.coverage import Seen
from tallystick.operations.views.stats import Day
from tallystick.operations.views.timeline import ActionLine

CELL = 200
"""What is longer is cut in tables and lines; --json shows all of it."""
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?Z")


def said(value: Any, longest: int = CELL) -> str:
    """A value as a person reads it."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        found = _TIME.fullmatch(value)
        return f"{found[1]} {found[2]}" if found else terminal.line(clip(value, longest))
    if isinstance(value, dict) and value and all(isinstance(each, int) for each in value.values()):
        return terminal.line(clip(", ".join(f"{count} {name}" for name, count in value.items()), longest))
    if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
        return terminal.line(clip(", ".join(value), longest))
    if isinstance(value, int | float):
        return f"{value:g}" if isinstance(value, float) else str(value)
    return as_json(value, longest)


def as_json(value: Any, longest: int = CELL) -> str:
    """A structure in one line."""
    return terminal.line(clip(json.dumps(msgspec.to_builtins(value), ensure_ascii=False), longest))


def heading(name: str) -> str:
    """A field's name as people read it."""
    if name == "done_steps/total_steps":
        return "steps"
    return _spaced(name.removesuffix("_id") if name != "id" else name)


def way_out(undo: Any, way: str) -> str:
    """How something is undone: in words, or the call to make."""
    if undo is None:
        return {"unknown": "way unknown", "erased": "the way was erased"}.get(way, said(way))
    call = f"call {said(undo.tool)} {as_json(undo.arguments) if undo.arguments else ''}".rstrip() if undo.tool else ""
    missing = f" (not recorded: {said(undo.missing)})" if undo.missing else ""
    return ", ".join(part for part in (said(undo.words), call) if part) + missing


def _spaced(name: str) -> str:
    return name.replace("_", " ")


# ----------------------------------------------------------------------------------------------------------------------
# Tables for people. The library that draws them is loaded only when one is drawn.

COLUMNS: dict[type[Struct], tuple[str, ...]] = {
    PlanView: ("id", "revision", "status", "title", "step_count", "task_id", "at"),
    ExecutionView: ("id", "status", "title", "done_steps/total_steps", "in_doubt", "owed", "last"),
    StepView: ("id", "actual", "title", "tool", "cancellable", "attempts", "decided", "dropped"),
    ActionLine: ("id", "state", "tool", "summary", "step", "actor", "begun", "owed"),
    Day: ("date", "started", "completed", "failed", "cancelled", "p50", "p95", "retries", "waited", "in_doubt"),
    DoubtItem: ("action_id", "step", "tool", "summary", "since", "why"),
    ApprovalView: ("id", "status", "question", "tool", "answer", "asked"),
    ContextView: ("key", "value", "scope", "type", "at"),
    Seen: (
        *("observer.session", "observer.client", "observer.alive", "observer.heard", "observer.silent"),
        *("begun", "ended", "joined", "in_doubt", "unplanned"),
    ),
    SessionView: ("id", "alive", "name", "actor", "opened", "over_because", "open_actions"),
}
"""What fits a terminal of 80 columns, of views that have more; `a/b` are two in one, `a.b` is within another. One
without values is left out."""

COLOURS = {
    **dict.fromkeys(("ok", "done", "completed", "active", "approve", "yes", "undone"), "green"),
    **dict.fromkeys(("running", "open", "undoing", "unwinding", "used", "edit"), "cyan"),
    **dict.fromkeys(("in doubt", "in_doubt", "unknown", "doubted", "paused", "blocked", "pending", "warn"), "yellow"),
    **dict.fromkeys(("failed", "reject", "expired", "fail", "cancelled", "owed"), "red"),
}
"""Words of state and the colours they have everywhere."""
_NOTHING = ("", "0", "0/0")
_MARKS = {"observer.silent"}
"""Columns of what is worth a word only where it is so."""
_FREE = {"title", "summary", "question", "answer", "value", "why", "name", "undo", "text", "task"}
"""Columns of free text: these are folded when a table is too wide, the others stay whole."""


def of_views(terminal: Terminal, views: Sequence[Struct]) -> str:
    """A table of views of one kind."""
    kind = type(views[0])
    names = COLUMNS.get(kind, kind.__struct_fields__)
    rows = [["/".join(_said(view, part) for part in name.split("/")) for name in names] for view in views]
    return drawn(terminal, [heading(name.rpartition(".")[2]) for name in names], rows)


def _said(view: Struct, name: str) -> str:
    value = attrgetter(name)(view)
    return "" if value is False and name in _MARKS else said(value)


def drawn(terminal: Terminal, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of harmless texts, as wide as the terminal at most."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    shown = [place for place in range(len(headings)) if any(row[place] not in _NOTHING for row in rows)]
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for place in shown:
        table.add_column(headings[place], no_wrap=headings[place] not in _FREE, overflow="fold")
    for row in rows:
        table.add_row(*(Text(row[place], style=COLOURS.get(row[place], "")) for place in shown))
    file = StringIO()
    Console(
        file=file,
        width=terminal.width,
        color_system="standard" if terminal.colour else None,
        force_terminal=terminal.colour,
        no_color=not terminal.colour,
        highlight=False,
        markup=False,
        emoji=False,
        _environ={},
    ).print(table)
    return "\n".join(line.rstrip() for line in file.getvalue().rstrip("\n").split("\n"))


def card(pairs: Sequence[tuple[str, Any]], *, indent: int = 2) -> str:
    """Names and values below each other; what has no value is left out."""
    shown = [(heading(name), said(value, 2000)) for name, value in pairs]
    kept = [(name, text) for name, text in shown if text not in ("", "0")]
    width = max((len(name) for name, _ in kept), default=0)
    return "\n".join(f"{'':{indent}}{name:{width}}  {text}" for name, text in kept)
