"""An entry in one line: its place, when, what, about which thing, and who says so."""

from typing import Any

from tallystick.core.brief import clip
from tallystick.doors.cli import words
from tallystick.doors.cli.tables import COLOURS
from tallystick.doors.cli.terminal import Terminal
from tallystick.operations.entries import EntryView

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
        day, before = words.said(entry.at).partition(" ")[0], self._day
        self._day = day
        above = "" if day == before else self._terminal.painted(f"      {day} (UTC)", dim=True) + "\n"
        return above + line_of(self._terminal, entry, dated=False)


def line_of(terminal: Terminal, entry: EntryView, *, dated: bool = True) -> str:
    """The line of an entry. What is only claimed is not marked, what was observed is."""
    date, _, time = words.said(entry.at).partition(" ")
    when = f"{date} {time}" if dated else time
    start = f"{entry.seq:>5} {when} {words.said(entry.kind):{_KIND_WIDTH}} {entry.id} "
    seen = ", observed" if entry.witness == "observed" else ""
    end = f" ({words.said(entry.actor, 30)}{seen})" if entry.actor else ""
    room = max(terminal.width - len(start) - len(end), 10)
    return f"{terminal.painted(start, dim=True)}{_painted(terminal, entry, clip(content(entry), room))}" + (
        terminal.painted(end, dim=True)
    )


def content(entry: EntryView) -> str:
    """What the entry says, in a line."""
    facts = entry.facts
    body: dict[str, Any] = entry.body if isinstance(entry.body, dict) else {}
    parts = [words.said(facts[name]) for name in _FACTS if facts.get(name)]
    parts += [words.said(body[name]) for name in _TEXTS if body.get(name) is not None]
    if facts.get("revision") and entry.kind in _REVISED:
        parts.append(f"{words.said(facts.get('plan_id'))} revision {facts['revision']}".lstrip())
    if facts.get("left"):
        parts.append(f"left {words.said(facts['left'])}")
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
    return f"[{spaced} {words.said(value)}]" if isinstance(value, str) else f"[{spaced}]"


def _painted(terminal: Terminal, entry: EntryView, text: str) -> str:
    outcome = entry.facts.get("outcome") or ("doubted" if entry.kind == "action_doubted" else "")
    return terminal.painted(text, COLOURS.get(outcome, ""), bold=entry.kind == "decision_recorded")
