"""The terminal: one line for an entry, a block for what is asked. Plain text in a pipe, colours on a terminal."""

import textwrap
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from tallystick.demo import messages
from tallystick.demo.lines import Lines, doubt_line, owed_line, steps_of
from tallystick.operations.audits import Verification
from tallystick.operations.entries import EntryView
from tallystick.operations.standing import OwedItem

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

    def message(self, actor: str, message: messages.AnyMessage) -> None:
        """What an agent asked and was answered, or saw."""
        match message:
            case messages.GotBrief(text=text):
                self.block(f"{actor} asks for the brief (get_brief)", text.splitlines())
            case messages.GotDoubts(items=doubts):
                self.block(f"{actor} asks what is in doubt (list_in_doubt)", map(doubt_line, doubts))
            case messages.Looked(tool=tool, seen=seen):
                self.block(f"{actor} looks at the world ({tool})", [seen])
            case messages.GotAdvice(items=advice):
                self.block(f"{actor} asks what the plan says about it (get_status)", (item.text for item in advice))
            case messages.GotOwed(items=owed):
                self.owed(f"{actor} asks what is owed, in the order to undo it (list_owed)", owed)
            case messages.InTheMiddle(step=step, seen=seen):
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
