"""The terminal: one line for an entry, a block for what is asked. Plain text in a pipe, colours on a terminal."""

import textwrap
from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from rich.console import Console
from rich.text import Text

from tallystick.demo import agents
from tallystick.operations.audit import Verification
from tallystick.operations.entries import EntryView
from tallystick.operations.runtime.progress import DoubtItem, OwedItem
from tallystick.operations.views.brief_text import clip

# ----------------------------------------------------------------------------------------------------------------------
# An entry of the journal in one line for people, and the other things that the demonstration shows as text.

SHORT = 32
"""How much of a value is shown inside a line."""


class Line(Struct, frozen=True):
    """What happened, to what, and the rest. `mark` names a symbol and a colour."""

    mark: str
    what: str
    about: str = ""
    detail: str = ""


class Lines:
    """Turns entries into lines. It remembers what each action is, since an end names only its id."""

    def __init__(self) -> None:
        self._actions: dict[str, str] = {}

    def of(self, entry: EntryView) -> Line:
        facts, body = entry.facts, entry.body or {}
        match entry.kind:
            case "session_opened":
                return Line("quiet", "session opened", entry.id, f"process {facts['process']}")
            case "session_ended":
                return Line("quiet", "session ended", entry.id, facts["reason"])
            case "plan_recorded":
                return Line("plan", "plan recorded", entry.id, f'"{body["title"]}", {len(facts["steps"])} steps')
            case "execution_started":
                return Line("start", "started", entry.id, f"an execution of {facts['plan_id']}")
            case "execution_ended":
                return Line("stop", "ended", entry.id, f"the execution is {facts['status']}")
            case "decision_recorded":
                return Line("decision", f"decided {facts['decision']}", "", body.get("why", ""))
            case "context_recorded":
                return Line("context", "remembered", facts["key"], str(body.get("value", "")))
            case _:
                return self._action(entry, facts, body)

    def _action(self, entry: EntryView, facts: dict[str, Any], body: dict[str, Any]) -> Line:
        if entry.kind == "action_begun":
            undo = facts.get("action_kind") == "undo"
            name = self._actions.get(facts.get("undoes", ""), "") if undo else facts.get("step", "")
            self._actions[entry.id] = name
            call = call_of(facts.get("tool", ""), body.get("arguments"))
            return Line("undo" if undo else "begun", "undo begun" if undo else "begun", name, call)
        name = self._actions.get(entry.id, entry.id)
        if entry.kind == "action_doubted":
            return Line("doubt", "in doubt", name, f"{facts['reason']}, and no end is recorded")
        if entry.kind == "action_ended":
            settled = "settled " if facts.get("settles") else "ended "
            said = body.get("evidence") or body.get("error") or call_of("", body.get("result"))
            return Line(facts["outcome"], settled + facts["outcome"], name, said)
        return Line("quiet", entry.kind.replace("_", " "), entry.id)


def steps_of(entry: EntryView) -> list[str]:
    """The steps of a recorded plan, one a line: what each does and how it would be undone."""
    rows = [
        (str(number), step["id"], step["title"], way_of(step.get("undo"), step.get("effect", "")))
        for number, step in enumerate(entry.body["steps"], 1)
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def way_of(undo: Any, effect: str) -> str:
    if isinstance(undo, dict) and undo.get("tool"):
        return f"undo: {undo['tool']}"
    return "changes nothing" if effect == "read" else "no undo"


def doubt_line(item: DoubtItem) -> str:
    probe = getattr(item.probe, "tool", item.probe)
    return f"{item.action_id} {item.step}: {item.why}" + (f"; to find out: {probe}" if probe else "")


def owed_line(item: OwedItem) -> str:
    way = call_of(item.undo.tool, item.undo.arguments) if item.undo and item.undo.tool else item.way
    doubt = "" if item.certain else " (may have been done)"
    return f"{item.step} [{item.state}]{doubt}: {way}"


def call_of(tool: str, arguments: Any) -> str:
    """A call or a result as short text; long values are cut."""
    if not isinstance(arguments, dict):
        return tool or clip(str(arguments or ""), 60)
    return " ".join([*([tool] if tool else []), *(f"{name}={_short(value)}" for name, value in arguments.items())])


def _short(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_short, value))}]"
    if isinstance(value, dict):  # of long texts only the names
        pairs = (name if len(str(inner)) > SHORT else f"{name}: {_short(inner)}" for name, inner in value.items())
        return "{" + ", ".join(pairs) + "}"
    return clip(str(value), SHORT)


# ----------------------------------------------------------------------------------------------------------------------

PIPE_WIDTH = 120
WIDEST = 130
BLOCK_INDENT = 10
DETAIL_INDENT = 48

# The symbol, its stand-in where the terminal has no such letters, and the style.
_MARKS = {
    "quiet": ("·", ".", "dim"),
    "plan": ("≡", "#", "cyan"),
    "start": ("▸", ">", "cyan"),
    "stop": ("■", "=", "bold cyan"),
    "begun": ("○", "o", ""),
    "undo": ("↶", "<", ""),
    "ok": ("✔", "+", "green"),
    "failed": ("✖", "x", "bold red"),
    "skipped": ("-", "-", "dim"),
    "unknown": ("?", "?", "yellow"),
    "doubt": ("?", "?", "bold yellow"),
    "decision": ("◆", "*", "magenta"),
    "context": ("◇", "*", "blue"),
    "killed": ("✖", "X", "bold red"),
}


class Screen:
    """Writes to standard output."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(highlight=False, soft_wrap=True)
        terminal = self._console.is_terminal
        self._width = min(self._console.width, WIDEST) if terminal else PIPE_WIDTH
        self._letters = self._console.encoding.lower().startswith("utf")
        self._lines = Lines()
        self._empty = False

    def title(self, text: str) -> None:
        self._gap()
        self._print(Text(text, style="bold"))
        self._print(Text(("─" if self._letters else "-") * len(text), style="dim"))

    def narrate(self, text: str) -> None:
        """A remark of the demonstration itself."""
        self._gap()
        self._print(Text(textwrap.fill(text, self._width), style="italic"))
        self._gap()

    def entry(self, entry: EntryView) -> None:
        """The line of an entry: its place, who wrote it, what happened."""
        line = self._lines.of(entry)
        symbol, style = self._mark(line.mark)
        detail, *rest = self._folded(line.detail, self._width - DETAIL_INDENT)
        self._print(
            Text.assemble(
                (f"{entry.seq:4}  ", "dim"),
                f"{entry.actor:<11}",
                (f"{symbol} {line.what:<14} ", style),
                (f"{line.about:<12}", "bold" if line.mark in ("begun", "undo") else ""),
                f"  {detail}",
            )
        )
        for part in rest:
            self._print(Text(" " * DETAIL_INDENT + part))
        if entry.kind == "plan_recorded":
            for step in steps_of(entry):
                self._print(Text(f"      {step}", style="dim"))

    def killed(self, text: str) -> None:
        symbol, style = self._mark("killed")
        self._gap()
        self._print(Text(f"      {symbol} {text}", style=style))

    def message(self, actor: str, message: agents.AnyMessage) -> None:
        """What an agent asked and was answered, or saw."""
        match message:
            case agents.GotBrief(text=text):
                self.block(f"{actor} asks for the brief (get_brief)", text.splitlines())
            case agents.GotDoubts(items=doubts):
                self.block(f"{actor} asks what is in doubt (list_in_doubt)", map(doubt_line, doubts))
            case agents.Looked(tool=tool, seen=seen):
                self.block(f"{actor} looks at the world ({tool})", [seen])
            case agents.GotAdvice(items=advice):
                self.block(f"{actor} asks what the plan says about it (get_status)", (item.text for item in advice))
            case agents.GotOwed(items=owed):
                self.owed(f"{actor} asks what is owed, in the order to undo it (list_owed)", owed)
            case agents.InTheMiddle(step=step, seen=seen):
                self.block(f"{actor} is in the middle of {step}: done in the world, its end not recorded", [seen])

    def owed(self, heading: str, items: Iterable[OwedItem]) -> None:
        lines = [f"{number}. {owed_line(item)}" for number, item in enumerate(items, 1)]
        self.block(heading, lines or ["nothing is owed"])

    def verification(self, found: Verification) -> None:
        held = "every hash and every body holds" if found.ok else found.problem
        self.block("verify", [f"{found.entries} entries, {found.bodies} bodies: {held}", f"head {found.head}"])

    def block(self, heading: str, lines: Iterable[str]) -> None:
        """A heading, and lines behind a bar."""
        bar = "│" if self._letters else "|"
        self._gap()
        self._print(Text(f"      {heading}", style="bold blue"))
        for line in lines:
            for part in textwrap.wrap(line, self._width - BLOCK_INDENT, subsequent_indent="  ") or [""]:
                self._print(Text.assemble((f"      {bar} ", "dim"), part))
        self._gap()

    def checks(self, checked: Iterable[tuple[str, bool]]) -> None:
        for sentence, held in checked:
            symbol, style = self._mark("ok" if held else "failed")
            self._print(Text.assemble((f"  {symbol} ", style), sentence if held else f"NOT SO: {sentence}"))

    def say(self, text: str = "") -> None:
        self._print(Text(text))

    def _mark(self, name: str) -> tuple[str, str]:
        symbol, stand_in, style = _MARKS[name]
        return (symbol if self._letters else stand_in), style

    def _folded(self, text: str, width: int) -> list[str]:
        """As lines of a terminal; in a pipe a line stays whole, for those who search it."""
        return (textwrap.wrap(text, width, break_long_words=False) if self._console.is_terminal else []) or [text]

    def _gap(self) -> None:
        """An empty line, and never two."""
        if not self._empty:
            self._print(Text(""))

    def _print(self, text: Text) -> None:
        self._console.print(text)
        self._empty = not text.plain
