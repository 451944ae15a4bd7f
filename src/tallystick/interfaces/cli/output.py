"""Prints an operation's result as JSON, ids or text, and chooses the formatter of the text."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from tallystick.core.formats.visible import escape_block, escape_line
from tallystick.interfaces.cli import journal_text, tables
from tallystick.interfaces.cli.shell_words import brief_as_commands, note_as_command, with_store
from tallystick.interfaces.cli.terminal import Terminal
from tallystick.operations.audit import Export, Verification
from tallystick.operations.credentials import CredentialReceipt
from tallystick.operations.notifications.webhooks import WebhookReceipt
from tallystick.operations.plans import PlanHistory
from tallystick.operations.reports import Report
from tallystick.operations.runtime.receipts import ActionReceipt, Receipt
from tallystick.operations.views.brief import Brief
from tallystick.operations.views.entries import EntryPage, EntryView
from tallystick.operations.views.execution_status import Status
from tallystick.operations.views.owed import OwedPage, UndoPage

_ID_FIELDS = ("id", "action_id", "key", "name", "seq")
_FIRST_LINE_FIELDS = {"seq", "id", "hash", "repeated"}
MAX_NOTE_CHARACTERS = 400


def show(terminal: Terminal, result: Any) -> None:
    """Print a result in the form that the options ask for."""
    if terminal.json:
        terminal.print_json(msgspec.to_builtins(result))
    elif terminal.quiet:
        for id in _ids(result):
            terminal.print(escape_line(id))
    elif isinstance(result, Report):
        terminal.print(result.text.rstrip("\n"), verbatim=True)  # a document: it is often redirected to a file
    else:
        terminal.print(format_result(terminal, result))


def format_result(terminal: Terminal, result: Any) -> str:
    """A result as text for people."""
    for kind, formatter in _FORMATTERS:
        if isinstance(result, kind):
            return formatter(terminal, result)
    return _fields_or_table(terminal, result)


def _format_brief(terminal: Terminal, brief: Brief) -> str:
    return with_store(brief_as_commands(escape_block(brief.text), brief.execution_id), terminal.store)


def _format_export(terminal: Terminal, export: Export) -> str:
    return "\n".join(export.lines)


def _format_entries(terminal: Terminal, page: EntryPage) -> str:
    """A page of the journal, one line for each entry."""
    lines = journal_text.EntryLines(terminal)
    rows = [lines.format(entry) for entry in page.entries]
    more = [f"More: --after {page.last_seq}"] if page.more else []
    return "\n".join([*(rows or ["No entries."]), *more])


def _format_verification(terminal: Terminal, result: Verification) -> str:
    counts = f"{result.entries:,} entries and {result.bodies:,} bodies, {result.erased:,} erased"
    if result.ok:
        kept = f"\nas they were written, but not readable: {', '.join(map(str, result.unreadable))}"
        unreadable = kept if result.unreadable else ""
        rows = ", and the rows follow from it" if result.not_checked and "rows" not in result.not_checked else ""
        left = f"\nnot checked: {', '.join(result.not_checked)}" if result.not_checked else ""
        state = terminal.style("ok", "green")
        return f"{state}: {counts}; the chain holds{rows}.{unreadable}\nhead {result.head}{left}"
    return f"{terminal.style('problem', 'red')}: {escape_line(result.problem)}\n{counts} hold before it."


def _format_receipt(terminal: Terminal, receipt: Receipt) -> str:
    again = " already," if receipt.repeated else ""
    fields: list[str] = []
    blocks: list[str] = []
    for name in receipt.__struct_fields__:
        value = getattr(receipt, name)
        if name in _FIRST_LINE_FIELDS or not value or (name, value) == ("attempt", 1):
            continue
        if name == "advice" and isinstance(receipt, ActionReceipt):
            blocks += [f"  {journal_text.format_advice(terminal, each, receipt.execution_id)}" for each in value]
        elif name in _RECEIPT_BLOCKS:
            blocks += _RECEIPT_BLOCKS[name](terminal, value)
        else:
            fields.append(name)
    if isinstance(receipt, CredentialReceipt | WebhookReceipt) and receipt.secret:
        blocks.append("  The secret is shown only once. Store it where no agent can read it.")
    first = f"{terminal.style(receipt.id, bold=True)} recorded{again} as entry {receipt.seq}"
    return "\n".join(part for part in (first, tables.view_fields(receipt, fields), *blocks) if part)


_RECEIPT_BLOCKS: dict[str, Callable[[Terminal, Any], list[str]]] = {
    "owed": lambda terminal, items: [
        "  owed, to undo in this order:",
        journal_text.undo_checklist(terminal, items),
    ],
    "warnings": lambda terminal, texts: _labelled(terminal, "warning", texts),
    "notes": lambda terminal, texts: _labelled(
        terminal, "note", [with_store(note_as_command(each), terminal.store) for each in texts]
    ),
    "receipts": lambda terminal, receipts: [f"  {each.id} as entry {each.seq}" for each in receipts],
}
"""Fields of receipts that are shown below the others, each in its own form."""


def _labelled(terminal: Terminal, label: str, texts: Sequence[str]) -> list[str]:
    return [f"  {terminal.style(label, 'yellow')}: {tables.format_value(each, MAX_NOTE_CHARACTERS)}" for each in texts]


def _format_plan(terminal: Terminal, plan: PlanHistory) -> str:
    fields = ("goal", "type", "task_id", "reasoning", "reason", "actor", "at", "retired_reason", "erased", "altered")
    columns = ("id", "title", "tool", "cancellable", "undo", "after", "effect")
    parts: list[str] = []
    for view in plan.revisions:
        title = terminal.style(tables.format_value(view.title) or "(no title)", bold=True)
        parts.append(f"{view.id} revision {view.revision}, {view.status}: {title}")
        parts.append(tables.view_fields(view, [name for name in fields if getattr(view, name)]))
        rows = [[tables.format_value(step.get(name)) for name in columns] for step in view.steps]
        parts.append(tables.draw_table(terminal, ["step", *columns[1:]], rows))
        parts += _labelled(terminal, "warning", view.warnings)
        parts.append("")
    return "\n".join(parts[:-1])


_FORMATTERS: tuple[tuple[type[Struct], Callable[[Terminal, Any], str]], ...] = (
    (Receipt, _format_receipt),
    (Brief, _format_brief),
    (EntryPage, _format_entries),
    (UndoPage, journal_text.undo_page),
    (OwedPage, journal_text.owed_page),
    (Status, journal_text.status_account),
    (PlanHistory, _format_plan),
    (Export, _format_export),
    (Verification, _format_verification),
)
"""How results with a form of their own are shown. All others are shown as fields and tables."""


def _fields_or_table(terminal: Terminal, result: Struct) -> str:
    names = result.__struct_fields__
    lists = [name for name in names if _is_list_of_views(getattr(result, name))]
    if not lists:
        return _format_fields(result)
    parts = [tables.view_table(terminal, getattr(result, name)) for name in lists]
    others = tables.view_fields(result, [name for name in names if name not in (*lists, "next_cursor")], indent=0)
    parts += [others] if others else []
    cursor = getattr(result, "next_cursor", "")
    if cursor:
        parts.append(f"More: --cursor {tables.format_value(cursor)}")
    return "\n".join(parts)


def _format_fields(result: Struct) -> str:
    """Fields one below another; a sentence when there is nothing to show."""
    names = result.__struct_fields__
    empty = next((name for name in names if getattr(result, name) == () and name != "options"), "")
    fields = tables.view_fields(result, names, indent=0)
    if empty and (len(names) <= 2 or not fields):
        return "Nothing is in doubt." if empty == "in_doubt" else f"No {tables.column_heading(empty)}."
    return fields


def _is_list_of_views(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and isinstance(value[0], Struct)


def _ids(result: Any) -> Sequence[str]:
    """The ids in a result, for --quiet. Of a new credential or webhook, its secret."""
    if isinstance(result, CredentialReceipt | WebhookReceipt):
        return [result.secret]
    if isinstance(result, Export):
        return result.lines
    if isinstance(result, EntryView | Receipt):
        return [result.id]
    values = (getattr(result, name) for name in result.__struct_fields__)
    views = next(filter(_is_list_of_views, values), ())
    return [str(_id(view)) for view in views]


def _id(view: Struct) -> object:
    return next((getattr(view, name) for name in _ID_FIELDS if hasattr(view, name)), "")
