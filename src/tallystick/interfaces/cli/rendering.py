"""An execution as a person reads it: what was planned against what was done, in doubt, owed, decided."""

from collections.abc import Sequence
from typing import Any

from tallystick.interfaces.cli import text
from tallystick.interfaces.cli import text as cli_text
from tallystick.interfaces.cli.terminal import Terminal
from tallystick.interfaces.cli.text import COLOURS
from tallystick.operations.entries import EntryView
from tallystick.operations.executions import ExecutionView, Status
from tallystick.operations.runtime.progress import DoubtItem, OwedItem
from tallystick.operations.views.brief_text import clip
from tallystick.operations.views.owed import OwedPage

# ----------------------------------------------------------------------------------------------------------------------
# What is owed, as a list to tick off: in the order to undo it, each with its way.

_BOXES = {"owed": "[ ]", "undoing": "[~]", "in_doubt": "[?]", "failed": "[!]", "partly": "[/]", "not_possible": "[-]"}
_NOTES = {
    "undoing": "being undone",
    "in_doubt": "its undo is in doubt: look before you repeat it",
    "failed": "its undo failed",
    "partly": "undone as far as it can be",
    "not_possible": "cannot be undone",
}


def of_page(terminal: Terminal, page: OwedPage) -> str:
    """A page of owed things, by execution."""
    if not page.owed:
        return "Nothing is owed."
    groups: dict[str, list[OwedItem]] = {}
    for item in page.owed:
        groups.setdefault(item.execution_id, []).append(item)
    parts = [f"{page.due} owed. Nothing is undone for you; undo in this order, and record each as an undo."]
    for execution, items in groups.items():
        parts += ["", terminal.painted(execution or "no execution", bold=True), of_items(terminal, items)]
    if page.next_cursor:
        parts += ["", f"More: --cursor {page.next_cursor}"]
    return "\n".join(parts)


def of_items(terminal: Terminal, items: Sequence[OwedItem]) -> str:
    return "\n".join(_item(terminal, place, item) for place, item in enumerate(items, 1))


def _item(terminal: Terminal, place: int, item: OwedItem) -> str:
    what = " ".join(part for part in (text.said(item.step or item.tool, 40), text.said(item.summary)) if part)
    sure = "" if item.certain else "  (it may have happened)"
    colour = {"failed": "red", "in_doubt": "yellow", "owed": "", "undoing": "cyan"}.get(item.state, "")
    first = f" {terminal.painted(_BOXES.get(item.state, '[ ]'), colour)} {place:>2}  {item.action_id}  {what}{sure}"
    notes = [_NOTES.get(item.state, ""), f"before {text.said(item.deadline)}" if item.deadline else ""]
    if item.state != "not_possible":
        notes.insert(0, f"undo: {text.way_out(item.undo, item.way)}")
    else:
        notes = [f"{_NOTES[item.state]}: {text.said(item.way)}"]
    return "\n         ".join([first, *(note for note in notes if note)])


# ----------------------------------------------------------------------------------------------------------------------
# An entry in one line: its place, when, what, about which thing, and who says so.

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
_TEXTS = ("summary", "title", "question", "answer", "value", "why", "reason", "error", "evidence")
"""Texts of the body, in this order."""
_MARKS = ("undoes", "settles", "contradicts", "without_effect", "late", "out_of_order", "again", "forced")
_REVISED = frozenset({"plan_recorded", "execution_started", "decision_recorded"})
_KIND_WIDTH = 18


class Days:
    """Lines of entries in order. On a terminal the date stands once, above its first entry; in a pipe in each line."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._day = ""

    def lines(self, entry: EntryView) -> str:
        if not self._terminal.out_tty:
            return line_of(self._terminal, entry)
        day, before = cli_text.said(entry.at).partition(" ")[0], self._day
        self._day = day
        above = "" if day == before else self._terminal.painted(f"      {day} (UTC)", dim=True) + "\n"
        return above + line_of(self._terminal, entry, dated=False)


def line_of(terminal: Terminal, entry: EntryView, *, dated: bool = True) -> str:
    """The line of an entry. What is only claimed is not marked, what was observed is."""
    date, _, time = cli_text.said(entry.at).partition(" ")
    when = f"{date} {time}" if dated else time
    start = f"{entry.seq:>5} {when} {cli_text.said(entry.kind):{_KIND_WIDTH}} {entry.id} "
    seen = ", observed" if entry.witness == "observed" else ""
    end = f" ({cli_text.said(entry.actor, 30)}{seen})" if entry.actor else ""
    room = max(terminal.width - len(start) - len(end), 10)
    return f"{terminal.painted(start, dim=True)}{_painted(terminal, entry, clip(content(entry), room))}" + (
        terminal.painted(end, dim=True)
    )


def content(entry: EntryView) -> str:
    """What the entry says, in a line."""
    facts = entry.facts
    body: dict[str, Any] = entry.body if isinstance(entry.body, dict) else {}
    parts = [cli_text.said(facts[name]) for name in _FACTS if facts.get(name)]
    parts += [cli_text.said(body[name]) for name in _TEXTS if body.get(name) is not None]
    if facts.get("revision") and entry.kind in _REVISED:
        parts.append(f"{cli_text.said(facts.get('plan_id'))} revision {facts['revision']}".lstrip())
    if facts.get("left"):
        parts.append(f"left {cli_text.said(facts['left'])}")
    if facts.get("attempt", 1) > 1:
        parts.append(f"attempt {facts['attempt']}")
    if facts.get("seqs"):
        parts.append(f"entries {', '.join(map(str, facts['seqs'][:5]))}{' ...' if len(facts['seqs']) > 5 else ''}")
    parts += [_mark(name, facts[name]) for name in _MARKS if facts.get(name)]
    if entry.erased:
        parts.append("[erased]")
    return " ".join(part for part in parts if part)


def _mark(name: str, value: Any) -> str:
    spaced = name.replace("_", " ")
    return f"[{spaced} {cli_text.said(value)}]" if isinstance(value, str) else f"[{spaced}]"


def _painted(terminal: Terminal, entry: EntryView, text: str) -> str:
    outcome = entry.facts.get("outcome") or ("doubted" if entry.kind == "action_doubted" else "")
    return terminal.painted(text, COLOURS.get(outcome, ""), bold=entry.kind == "decision_recorded")


# ----------------------------------------------------------------------------------------------------------------------


def account(terminal: Terminal, status: Status) -> str:
    """The header, the steps, what the plan advises and what comes next."""
    parts = [header(terminal, status.execution)]
    if status.steps:
        parts += ["", section(terminal, "Plan against actual"), text.of_views(terminal, status.steps)]
    if status.execution.unplanned:
        parts.append(f"and {status.execution.unplanned} unplanned")
    parts += [f"advice: {text.said(each.step)}: {text.said(each.text, 400)}" for each in status.advice]
    if status.next_steps:
        parts.append(f"next: {text.said(status.next_steps)}")
    if status.in_doubt:
        parts.append(f"{terminal.painted('in doubt', 'yellow')}: {text.said(status.in_doubt)}")
    if status.approvals:
        parts.append(f"waiting for a person: {text.said(status.approvals)}")
    return "\n".join(parts)


def header(terminal: Terminal, execution: ExecutionView) -> str:
    title = text.said(execution.title) or "(no title)"
    state = terminal.painted(execution.status, text.COLOURS.get(execution.status, ""), bold=True)
    steps = f", {execution.done_steps} of {execution.total_steps} steps done" if execution.total_steps else ""
    plan = f"{execution.plan_id} revision {execution.revision}" if execution.plan_id else "no plan"
    details = [
        ("plan", plan),
        ("task_id", execution.task_id),
        ("started", execution.started),
        ("last", execution.last if not execution.ended else ""),
        ("ended", execution.ended),
        ("actor", execution.actor),
        ("actions", execution.actions or None),
        ("undos", execution.undos or None),
        ("in_doubt", execution.in_doubt),
        ("owed", execution.owed),
        ("late", execution.late),
        ("ended_with", execution.left or None),
    ]
    return f"{execution.id}  {terminal.painted(title, bold=True)}\n{state}{steps}\n{text.card(details)}"


def decisions(terminal: Terminal, entries: Sequence[EntryView]) -> str:
    """What was decided, with why and what was not chosen."""
    return "\n".join(_decision(terminal, entry) for entry in entries)


def doubts(items: Sequence[DoubtItem]) -> str:
    """What nobody knows the end of, and how to look."""
    rows: list[str] = []
    for item in items:
        what = " ".join(part for part in (text.said(item.step or item.tool), text.said(item.summary)) if part)
        rows.append(f" [?] {item.action_id}  {what}  since {text.said(item.since)}")
        rows.append(f"     {text.said(item.why)}")
        if item.probe:
            rows.append(f"     look: {text.said(item.probe)}")
    return "\n".join(rows)


def owed(terminal: Terminal, items: Sequence[OwedItem]) -> str:
    return of_items(terminal, items)


def timeline(terminal: Terminal, entries: Sequence[EntryView]) -> str:
    """Entries, a line each."""
    days = Days(terminal)
    return "\n".join(days.lines(entry) for entry in entries)


def section(terminal: Terminal, title: str) -> str:
    return terminal.painted(title, bold=True)


def _decision(terminal: Terminal, entry: EntryView) -> str:
    body = entry.body if isinstance(entry.body, dict) else {}
    step = f" {text.said(entry.facts['step'])}" if entry.facts.get("step") else ""
    why = text.said(body.get("why"), 600) or ("[erased]" if entry.erased else "no reason given")
    rows = [f"{entry.seq:>5} {terminal.painted(text.said(entry.facts.get('decision')), bold=True)}{step}: {why}"]
    if body.get("alternatives"):
        rows.append(f"      instead of: {text.said(body['alternatives'], 600)}")
    if body.get("rejected"):
        rows.append(f"      because: {text.said(body['rejected'], 600)}")
    return "\n".join(rows)
