"""Prints entries, messages and checks of the demo: colours on a terminal, plain text in a pipe."""

import shutil
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import click

from tallystick.operations.runtime.receipts import UndoListItem
from tallystick.operations.views.brief_text import clip
from tallystick.operations.views.entries import EntryView
from tallystick.sdk.journal import Journal

WIDTH = min(shutil.get_terminal_size((120, 24)).columns, 130)
VALUE_CHARACTERS = 32  # of a value inside a line
MARKS = {"begun": "○", "undo begun": "↶", "in doubt": "?", "ended ok": "✔", "settled ok": "✔", "ended failed": "✖"}
COLOURS = {"?": "yellow", "✔": "green", "✖": "red", "·": "cyan"}


class EntryPrinter:
    """Prints entries, each once. It skips the first `after` entries, which were printed before."""

    def __init__(self, after: int = 0) -> None:
        self.after, self.read = after, 0
        self.names: dict[str, str] = {}  # the steps of actions by their ids: the end of an action has only its id

    def print_new(self, journal: Journal) -> None:
        for entry in journal.read_entries(after=self.read, limit=100).entries:
            self.read = entry.seq
            what, about, detail = _describe(entry, self.names)
            if entry.seq > self.after:
                _print_entry(entry, MARKS.get(what, "·"), what, f"{about:<14}{detail}")


def _print_entry(entry: EntryView, mark: str, what: str, detail: str) -> None:
    styled = click.style(f"{mark} {what:<15}", fg=COLOURS.get(mark))
    click.echo(f"{entry.seq:4}  {entry.actor:<11}{styled}{detail}".rstrip())
    if entry.kind == "plan_recorded":
        for number, step in enumerate(entry.body["steps"], 1):
            undo = f"undo: {step['undo']['tool']}" if step.get("undo") else "changes nothing"
            click.secho(f"      {number}  {step['id']:<14}{step['title']:<33}{undo}", dim=True)


def _describe(entry: EntryView, names: dict[str, str]) -> tuple[str, str, str]:
    """The event, its subject, and details."""
    facts, body = entry.facts, entry.body or {}
    match entry.kind:
        case "plan_recorded":
            return "plan recorded", entry.id, f'"{body["title"]}", {len(facts["steps"])} steps'
        case "decision_recorded":
            return f"decided {facts['decision']}", "", body.get("why", "")
        case "context_recorded":
            return "remembered", facts["key"], f" {body.get('value', '')}"
        case "action_begun":
            is_undo = facts.get("action_kind") == "undo"
            names[entry.id] = names.get(facts.get("undoes", ""), "") if is_undo else facts.get("step", "")
            call = format_call(facts.get("tool", ""), body.get("arguments"))
            return "undo begun" if is_undo else "begun", names[entry.id], call
        case "action_doubted":
            return "in doubt", names[entry.id], f"{facts['reason']}, and no end is recorded"
        case "action_ended":
            result = body.get("evidence") or body.get("error") or format_call("", body.get("result"))
            return f"{'settled' if facts.get('settles') else 'ended'} {facts['outcome']}", names[entry.id], result
        case _:
            what = entry.kind.replace("execution_", "").replace("_", " ")
            return what, entry.id, str(facts.get("reason") or facts.get("status") or facts.get("plan_id") or "")


def describe_owed(items: Sequence[UndoListItem]) -> list[str]:
    """One line for each owed item, with the call that undoes it."""
    ways = (format_call(each.undo.tool, each.undo.arguments) if each.undo else each.way for each in items)
    return [f"{item.step} [{item.state}]: {way}" for item, way in zip(items, ways, strict=True)]


def format_call(tool: str, arguments: Any) -> str:
    """A call, or a result, as short text."""
    values = arguments.items() if isinstance(arguments, dict) else ()
    return " ".join(filter(None, [tool, *(f"{name}={_shorten(value)}" for name, value in values)]))


def _shorten(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_shorten, value))}]"
    return "{" + ", ".join(value) + "}" if isinstance(value, dict) else clip(str(value), VALUE_CHARACTERS)


def print_title(text: str, introduction: str = "") -> None:
    click.secho(f"\n{text}\n{'─' * len(text)}\n", bold=True)
    if introduction:
        click.echo(textwrap.fill(introduction, WIDTH) + "\n")


def print_block(heading: str, lines: Iterable[str]) -> None:
    click.secho(f"      {heading}", fg="blue", bold=True)
    for line in lines:
        for part in textwrap.wrap(line, WIDTH - 10, subsequent_indent="  "):
            click.echo(f"      │ {part}")
    click.echo()
