"""Formats executions, entries, decisions and undo lists as text for people."""

from collections.abc import Sequence
from typing import Any

from tallystick.core.plans import Advice
from tallystick.core.types import DUE
from tallystick.interfaces.cli import tables
from tallystick.interfaces.cli.shell_words import (
    advice_as_command,
    placed_command,
    settle_command,
    undo_command,
    unplanned_command,
    with_store,
)
from tallystick.interfaces.cli.tables import COLOURS, format_value
from tallystick.interfaces.cli.terminal import Terminal
from tallystick.interfaces.fields import PROGRAM
from tallystick.operations.actions import PERMISSION_NOTES
from tallystick.operations.executions import ExecutionView
from tallystick.operations.runtime.receipts import DoubtItem, UndoListItem
from tallystick.operations.views.brief_text import clip
from tallystick.operations.views.entries import EntryView
from tallystick.operations.views.execution_status import Status
from tallystick.operations.views.owed import OwedPage, UndoPage

MAX_REASON_CHARACTERS = 600
MAX_ADVICE_CHARACTERS = 400

# ----------------------------------------------------------------------------------------------------------------------
# Undo lists: a checklist in the order to undo it, each item with its undo.

_BOXES = {
    "not_undone": "[ ]",
    "undoing": "[~]",
    "in_doubt": "[?]",
    "failed": "[!]",
    "partly": "[/]",
    "not_possible": "[-]",
    "may_be_undo": "[.]",
    "undone": "[x]",
    "kept": "[=]",
}
_BOX_COLOURS = {"failed": "red", "in_doubt": "yellow", "undoing": "cyan"}
_STATE_NOTES = {
    "undoing": "being undone",
    "in_doubt": "its undo is in doubt: look at the real system before you repeat it",
    "failed": "its undo failed",
    "partly": "undone as far as it can be",
    "not_possible": "cannot be undone",
    "kept": "kept",
}


def undo_page(terminal: Terminal, page: UndoPage) -> str:
    """A page of the undo list of one execution."""
    counts = ", ".join(f"{count} {state.replace('_', ' ')}" for state, count in page.counts.items())
    if not page.items and not page.next_cursor:
        return f"{page.execution_id}: the undo list is empty{f' ({counts})' if counts else ''}."
    how = f"Nothing is undone for you; undo from top to bottom, and record each{_as_undo(terminal, page.items)}"
    if page.runner_undoes:
        how = _by_runner(terminal, page.execution_id)
    first = f"{counts}. {_extent(page)} {how}"
    parts = [terminal.style(page.execution_id, bold=True), first, undo_checklist(terminal, page.items)]
    if page.next_cursor:
        parts += ["", f"More: --cursor {page.next_cursor}"]
    return "\n".join(parts)


def _extent(page: UndoPage) -> str:
    """How much of an undo list somebody still has to undo."""
    if page.owed != "some":
        return f"{page.owed.capitalize()} of it is owed."
    return f"{'more than ' if page.more_due else ''}{page.due} of it {'is' if page.due == 1 else 'are'} owed."


def owed_page(terminal: Terminal, page: OwedPage) -> str:
    """A page of owed items, grouped by execution."""
    if not page.owed and not page.next_cursor:
        return "Nothing is owed."
    groups: dict[str, list[UndoListItem]] = {}
    for item in page.owed:
        groups.setdefault(item.execution_id, []).append(item)
    due = f"more than {page.due}" if page.more_due else page.due
    by_hand = [item for item in page.owed if item.execution_id not in page.runner_undoes and item.state in DUE]
    how = f" Nothing is undone for you; undo in this order, and record each{_as_undo(terminal, by_hand)}"
    lost = next((item.action_id for item in page.owed if item.state == "not_possible"), "")
    if lost and not page.due:
        keep = with_store(f'{PROGRAM} record decision keep --action-id {lost} --why "..."', terminal.store)
        how = f" These stay listed until they are kept:\n  {keep}"
    parts = [f"{due} owed.{how if by_hand or not page.owed or (lost and not page.due) else ''}"]
    for execution, items in groups.items():
        note = [_by_runner(terminal, execution)] if execution in page.runner_undoes else []
        parts += ["", terminal.style(execution or "no execution", bold=True), *note, undo_checklist(terminal, items)]
    if page.next_cursor:
        parts += ["", f"More: --cursor {page.next_cursor}"]
    return "\n".join(parts)


def _by_runner(terminal: Terminal, execution_id: str) -> str:
    undoes = "The runner undoes what it can of these, and asks a person about the rest"
    return with_store(f"{undoes}: {PROGRAM} run --resume {execution_id}", terminal.store)


def _as_undo(terminal: Terminal, items: Sequence[UndoListItem]) -> str:
    """The command that records the next undo, below a sentence about it: not one that is under way or in doubt."""
    due = next((item.action_id for item in items if item.state in ("not_undone", "failed")), "")
    return f":\n  {with_store(undo_command(due), terminal.store)}" if due else " as an undo."


def undo_checklist(terminal: Terminal, items: Sequence[UndoListItem]) -> str:
    return "\n".join(_undo_item(terminal, number, item) for number, item in enumerate(items, 1))


def _undo_item(terminal: Terminal, number: int, item: UndoListItem) -> str:
    maybe = ("  temporary" if item.temporary else "") + ("" if item.certain else "  (it may have happened)")
    box = terminal.style(_BOXES.get(item.state, "[ ]"), _BOX_COLOURS.get(item.state, ""))
    first = f" {box} {number:>2}  {item.action_id}  {_describe(item, 40)}{maybe}"
    note = ": ".join(filter(None, (_STATE_NOTES.get(item.state, ""), format_value(item.error or item.why))))
    if item.state == "not_possible":
        notes = [f"{note}: {format_value(item.way)}"]
    elif item.state == "may_be_undo":
        notes = [f"if it undid something: {with_store(placed_command(item.action_id), terminal.store)}"]
    else:
        deadline = f"before {format_value(item.deadline)}" if item.deadline else ""
        notes = [*_undo_lines(terminal, item), note, deadline]
    return "\n         ".join([first, *filter(None, notes)])


def _undo_lines(terminal: Terminal, item: UndoListItem) -> list[str]:
    """How to undo an action. What a shell can run is a command to copy, in a line of its own."""
    undo, shown = item.undo, tables.format_undo(item.undo, item.way)
    if undo is None or not undo.command:
        return [f"undo: {shown}" if undo else shown]
    words = f"{format_value(undo.words)}, " if undo.words else ""
    return [f"undo: {words}in a shell:", f"  {terminal.keep_whole(undo.command)}"]


def _describe(item: UndoListItem | DoubtItem, max_characters: int = tables.MAX_CELL_CHARACTERS) -> str:
    """The step or the tool of an action, and its summary."""
    return " ".join(filter(None, (format_value(item.step or item.tool, max_characters), format_value(item.summary))))


# ----------------------------------------------------------------------------------------------------------------------
# Entries, one line each: number, time, kind, id, content and actor.

_FACTS = (
    "outcome",
    "event",
    "decision",
    "verdict",
    "status",
    "session_kind",
    "scope",
    "key",
    "step",
    "tool",
    "name",
    "scopes",
    "reason",
    "task_id",
)
"""Facts that a line shows, in this order."""
_TEXTS = ("summary", "title", "question", "answer", "why", "reason", "error", "evidence")
"""Texts of the body that a line shows, in this order."""
_MARKS = (
    "action_id",
    "undoes",
    "settles",
    "contradicts",
    "without_effect",
    "late",
    "out_of_order",
    "repeats",
    "again",
    "forced",
)
_KINDS_WITH_REVISION = frozenset({"plan_recorded", "execution_started", "decision_recorded"})
_KIND_COLUMNS = 18
MAX_SEQS_SHOWN = 5


class EntryLines:
    """Formats entries in order. At a terminal a new date has a line of its own; in a pipe each line has the date."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._date = ""

    def format(self, entry: EntryView) -> str:
        if not self._terminal.out_tty:
            return _entry_line(self._terminal, entry)
        date, previous = format_value(entry.at).partition(" ")[0], self._date
        self._date = date
        above = "" if date == previous else self._terminal.style(f"      {date} (UTC)", dim=True) + "\n"
        return above + _entry_line(self._terminal, entry, has_date=False)


def _entry_line(terminal: Terminal, entry: EntryView, *, has_date: bool = True) -> str:
    """The line of an entry. An observed entry is marked; a claimed one is not."""
    date, _, time = format_value(entry.at).partition(" ")
    when = f"{date} {time}" if has_date else time
    start = f"{entry.seq:>5} {when} {format_value(entry.kind):{_KIND_COLUMNS}} {entry.id} "
    observed = ", observed" if entry.witness == "observed" else ""
    end = f" ({format_value(entry.by, 30)}{observed})" if entry.by else ""
    room = max(terminal.width - len(start) - len(end), 10)
    outcome = entry.facts.get("outcome") or ("doubted" if entry.kind == "action_doubted" else "")
    content = terminal.style(
        clip(_entry_content(entry), room), COLOURS.get(outcome, ""), bold=entry.kind == "decision_recorded"
    )
    return terminal.style(start, dim=True) + content + terminal.style(end, dim=True)


def _entry_content(entry: EntryView) -> str:
    """The facts and texts of an entry, in one line."""
    facts = entry.facts
    body: dict[str, Any] = entry.body if isinstance(entry.body, dict) else {}
    parts = [format_value(facts[name]) for name in _FACTS if facts.get(name)]
    parts += [tables.format_json(body["value"])] if entry.kind == "context_recorded" and "value" in body else []
    parts += [format_value(body[name]) for name in _TEXTS if body.get(name) is not None]
    parts += _numbers(entry)
    parts += [_format_mark(name, facts[name]) for name in _MARKS if facts.get(name)]
    if (permission := facts.get("permission")) in PERMISSION_NOTES:
        parts.append(f"[{PERMISSION_NOTES[permission]}]")
    if facts.get("channel") == "client":
        parts.append("[in a client that could have answered by itself]")
    if mark := _missing_text(entry):
        parts.append(mark)
    if entry.behind:
        parts.append(f"[clock {entry.behind:,.0f} s behind]")
    return " ".join(filter(None, parts))


def _missing_text(entry: EntryView) -> str:
    if entry.kind == "unreadable":
        return f"[cannot be read: {format_value(entry.facts.get('problem'))}]"
    return "[erased]" if entry.erased else "[altered]" if entry.altered else ""


def _numbers(entry: EntryView) -> list[str]:
    """The revision, what was left, the attempt and the erased entries, where an entry has them."""
    facts, parts = entry.facts, []
    if facts.get("revision") and entry.kind in _KINDS_WITH_REVISION:
        parts.append(f"{format_value(facts.get('plan_id'))} revision {facts['revision']}".lstrip())
    if facts.get("left"):
        parts.append(f"left {tables.format_counts(facts['left'])}")
    if facts.get("attempt", 1) > 1:
        parts.append(f"attempt {facts['attempt']}")
    seqs = facts.get("seqs", ())
    if seqs:
        more = " ..." if len(seqs) > MAX_SEQS_SHOWN else ""
        parts.append(f"entries {', '.join(map(str, seqs[:MAX_SEQS_SHOWN]))}{more}")
    return parts


def _format_mark(name: str, value: Any) -> str:
    label = name.replace("_", " ")
    return f"[{label} {format_value(value)}]" if isinstance(value, str) else f"[{label}]"


# ----------------------------------------------------------------------------------------------------------------------
# One execution: its header, its steps, its decisions and its doubts.


def status_account(terminal: Terminal, status: Status) -> str:
    """The header, the steps, the plan's advice and the next steps of an execution."""
    parts = [_header(terminal, status.execution)]
    if status.steps:
        parts += ["", section_title(terminal, "Plan against actual"), tables.view_table(terminal, status.steps)]
    if status.execution.unplanned:
        listed = with_store(unplanned_command(status.execution.id), terminal.store)
        parts.append(f"and {status.execution.unplanned} unplanned: {listed}")
    parts += [f"{format_value(step.id)} is {format_value(step.silent, 1000)}" for step in status.steps if step.silent]
    parts += [format_advice(terminal, each, status.execution.id) for each in status.advice]
    if status.next_steps:
        parts.append(f"next: {format_value(status.next_steps)}")
    if status.in_doubt:
        parts.append(f"{terminal.style('in doubt', 'yellow')}: {format_value(status.in_doubt)}")
    if status.approvals:
        parts.append(f"waiting for a person: {format_value(status.approvals)}")
    return "\n".join(parts)


def _header(terminal: Terminal, execution: ExecutionView) -> str:
    title = format_value(execution.title) or "(no title)"
    shown = execution.shown_status
    state = terminal.style(shown, COLOURS.get(shown, ""), bold=True)
    if execution.interrupted:
        state += f" ({execution.status}) since {format_value(execution.interrupted)}, left by {_last_worker(execution)}"
    elif execution.only_waits:
        state += f" for a person ({execution.status})"
    steps = f", {execution.steps_text}" if execution.total_steps else ""
    plan = f"{execution.plan_id} revision {execution.revision}" if execution.plan_id else "no plan"
    details = [
        ("plan", plan),
        ("task_id", execution.task_id),
        ("started", execution.started),
        ("last", execution.last if not execution.ended else ""),
        ("ended", execution.ended),
        ("actor", execution.actor),
        ("actions", tables.format_counts(execution.actions)),
        ("undos", tables.format_counts(execution.undos)),
        ("in_doubt", execution.in_doubt),
        ("owed", execution.owed),
        ("late", execution.late),
        ("ended_with", format_value(execution.unfinished_text)),
    ]
    return f"{execution.id}  {terminal.style(title, bold=True)}\n{state}{steps}\n{tables.field_list(details)}"


def _last_worker(execution: ExecutionView) -> str:
    return f"{format_value(execution.interrupted_by) or 'a session'} ({execution.last_session})"


def format_advice(terminal: Terminal, advice: Advice, execution_id: str) -> str:
    step = format_value(advice.step)
    text = advice_as_command(format_value(advice.text, MAX_ADVICE_CHARACTERS), execution_id, step)
    return f"advice: {step}: {with_store(text, terminal.store)}"


def decision_list(terminal: Terminal, entries: Sequence[EntryView]) -> str:
    """Decisions, each with its reason and the alternatives that were rejected."""
    return "\n".join(_decision(terminal, entry) for entry in entries)


def _decision(terminal: Terminal, entry: EntryView) -> str:
    body = entry.body if isinstance(entry.body, dict) else {}
    step = f" {format_value(entry.facts['step'])}" if entry.facts.get("step") else ""
    why = format_value(body.get("why"), MAX_REASON_CHARACTERS) or _missing_text(entry) or "no reason given"
    rows = [f"{entry.seq:>5} {terminal.style(format_value(entry.facts.get('decision')), bold=True)}{step}: {why}"]
    if body.get("alternatives"):
        rows.append(f"      instead of: {format_value(body['alternatives'], MAX_REASON_CHARACTERS)}")
    if body.get("rejected"):
        rows.append(f"      because: {format_value(body['rejected'], MAX_REASON_CHARACTERS)}")
    return "\n".join(rows)


def doubt_list(terminal: Terminal, items: Sequence[DoubtItem]) -> str:
    """Actions in doubt, each with the reason, the probe and the command that settles it."""
    rows: list[str] = []
    for item in items:
        rows.append(f" [?] {item.action_id}  {_describe(item)}  since {format_value(item.since)}")
        rows.append(f"     {format_value(item.why)}")
        if item.probe:
            rows.append(f"     look: {format_value(item.probe)}")
        rows.append(f"     {with_store(settle_command(item.action_id), terminal.store)}")
    return "\n".join(rows)


def timeline(terminal: Terminal, entries: Sequence[EntryView]) -> str:
    """Entries, one line each."""
    lines = EntryLines(terminal)
    return "\n".join(lines.format(entry) for entry in entries)


def section_title(terminal: Terminal, title: str) -> str:
    return terminal.style(title, bold=True)
