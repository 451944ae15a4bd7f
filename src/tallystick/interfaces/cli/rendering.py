"""An execution as a person reads it: what was planned against what was done, in doubt, owed, decided."""

from collections.abc import Sequence

from tallystick.doors.cli import checklist, lines, tables, words
from tallystick.doors.cli.terminal import Terminal
from tallystick.operations.entries import EntryView
from tallystick.operations.executions import ExecutionView, Status
from tallystick.operations.standing import DoubtItem, OwedItem


def account(terminal: Terminal, status: Status) -> str:
    """The header, the steps, what the plan advises and what comes next."""
    parts = [header(terminal, status.execution)]
    if status.steps:
        parts += ["", section(terminal, "Plan against actual"), tables.of_views(terminal, status.steps)]
    if status.execution.unplanned:
        parts.append(f"and {status.execution.unplanned} unplanned")
    parts += [f"advice: {words.said(each.step)}: {words.said(each.text, 400)}" for each in status.advice]
    if status.next_steps:
        parts.append(f"next: {words.said(status.next_steps)}")
    if status.in_doubt:
        parts.append(f"{terminal.painted('in doubt', 'yellow')}: {words.said(status.in_doubt)}")
    if status.approvals:
        parts.append(f"waiting for a person: {words.said(status.approvals)}")
    return "\n".join(parts)


def header(terminal: Terminal, execution: ExecutionView) -> str:
    title = words.said(execution.title) or "(no title)"
    state = terminal.painted(execution.status, tables.COLOURS.get(execution.status, ""), bold=True)
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
    return f"{execution.id}  {terminal.painted(title, bold=True)}\n{state}{steps}\n{tables.card(details)}"


def decisions(terminal: Terminal, entries: Sequence[EntryView]) -> str:
    """What was decided, with why and what was not chosen."""
    return "\n".join(_decision(terminal, entry) for entry in entries)


def doubts(items: Sequence[DoubtItem]) -> str:
    """What nobody knows the end of, and how to look."""
    rows: list[str] = []
    for item in items:
        what = " ".join(part for part in (words.said(item.step or item.tool), words.said(item.summary)) if part)
        rows.append(f" [?] {item.action_id}  {what}  since {words.said(item.since)}")
        rows.append(f"     {words.said(item.why)}")
        if item.probe:
            rows.append(f"     look: {words.said(item.probe)}")
    return "\n".join(rows)


def owed(terminal: Terminal, items: Sequence[OwedItem]) -> str:
    return checklist.of_items(terminal, items)


def timeline(terminal: Terminal, entries: Sequence[EntryView]) -> str:
    """Entries, a line each."""
    days = lines.Days(terminal)
    return "\n".join(days.lines(entry) for entry in entries)


def section(terminal: Terminal, title: str) -> str:
    return terminal.painted(title, bold=True)


def _decision(terminal: Terminal, entry: EntryView) -> str:
    body = entry.body if isinstance(entry.body, dict) else {}
    step = f" {words.said(entry.facts['step'])}" if entry.facts.get("step") else ""
    why = words.said(body.get("why"), 600) or ("[erased]" if entry.erased else "no reason given")
    rows = [f"{entry.seq:>5} {terminal.painted(words.said(entry.facts.get('decision')), bold=True)}{step}: {why}"]
    if body.get("alternatives"):
        rows.append(f"      instead of: {words.said(body['alternatives'], 600)}")
    if body.get("rejected"):
        rows.append(f"      because: {words.said(body['rejected'], 600)}")
    return "\n".join(rows)
