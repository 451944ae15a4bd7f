"""Shows the progress of a run on standard error: one live block at a terminal, a line for each event elsewhere.

It reads the entries of the execution, so it also shows what agents and people do in the same plan.
"""

import os
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from time import time
from typing import TYPE_CHECKING

from msgspec import Struct

from tallystick.core.formats.visible import escape_line
from tallystick.interfaces.cli.printed_lines import PrintedLines
from tallystick.interfaces.cli.tables import COLOURS, format_value
from tallystick.interfaces.cli.terminal import Terminal
from tallystick.operations.views.entries import EntryView

if TYPE_CHECKING:
    from rich.console import RenderableType

MAX_NOTE_CHARACTERS = 200
MAX_NAME_CHARACTERS = 40
ROWS_LEFT_FREE = 4
"""Rows of the terminal that the live block leaves to other lines."""
REFRESHES_PER_SECOND = 8
_STATES = {"ok": "done"}
_NOT_SHOWN = ("done", "fail", "continue", "ask_human")
"""Decisions that the summary or their question shows, or that move nothing."""


class StepEvent(Struct, frozen=True, kw_only=True):
    """One thing that happened to a step, or with an empty `step` to the execution."""

    at: str
    step: str
    state: str
    seconds: float | None = None
    note: str = ""

    @property
    def is_news(self) -> bool:
        """Whether it stays on the screen at a terminal: anything but a step that begins or goes well."""
        return self.state not in ("begun", "done")


class RunningStep(Struct, frozen=True):
    """An action that has begun. `since` in seconds."""

    step: str
    since: float
    tool: str = ""


class RunProgress:
    """Follows an execution. `states` has the last state of each step, `running` the actions under way."""

    def __init__(self, show: Callable[[StepEvent], None], after: int = 0) -> None:
        self.states: dict[str, str] = {}
        self.running: dict[str, RunningStep] = {}
        self._begun: dict[str, RunningStep] = {}
        self._show = show
        self._after = after

    def take(self, entry: EntryView) -> None:
        """Take over an entry, and show it if it is newer than the run."""
        reader = _READERS.get(entry.kind)
        event = reader(self, entry) if reader else None
        if event is None:
            return
        if event.step:
            self.states[event.step] = event.state
        if entry.seq > self._after:
            self._show(event)

    def _on_begin(self, entry: EntryView) -> StepEvent | None:
        facts = entry.facts
        name = str(facts.get("step") or facts.get("tool") or entry.id)
        if facts.get("action_kind") == "undo":
            undone = self._begun.get(str(facts.get("undoes")))
            name = f"undo of {undone.step if undone else facts.get('undoes')}"
        begun = RunningStep(name, _seconds(entry.at), str(facts.get("tool", "")))
        self._begun[entry.id] = self.running[entry.id] = begun
        attempt = facts.get("attempt", 1)
        notes = (begun.tool if begun.tool != name else "", f"attempt {attempt}" if attempt > 1 else "")
        note = ", ".join(filter(None, notes))
        return None if facts.get("after_the_fact") else StepEvent(at=entry.at, step=name, state="begun", note=note)

    def _on_end(self, entry: EntryView) -> StepEvent | None:
        begun = self._begun.get(entry.id)
        self.running.pop(entry.id, None)
        outcome = str(entry.facts.get("outcome", "unknown"))
        body = entry.body if isinstance(entry.body, dict) else {}
        seconds = _seconds(entry.at) - begun.since if begun and not entry.facts.get("settles") else None
        return StepEvent(
            at=entry.at,
            step=begun.step if begun else entry.id,
            state=_STATES.get(outcome, outcome),
            seconds=seconds,
            note=str(body.get("error") or (body.get("evidence") if entry.facts.get("settles") else "") or ""),
        )

    def _on_question(self, entry: EntryView) -> StepEvent:
        body = entry.body if isinstance(entry.body, dict) else {}
        note = f"{entry.id}: {body.get('question', '')}"
        step = str(entry.facts.get("step") or entry.facts.get("about", ""))
        return StepEvent(at=entry.at, step=step, state="waiting", note=note)

    def _on_answer(self, entry: EntryView) -> StepEvent:
        note = f"{entry.facts.get('verdict', '')} by {_who(entry)}"
        return StepEvent(at=entry.at, step="", state="answered", note=f"{entry.id}: {note}")

    def _on_note(self, entry: EntryView) -> StepEvent | None:
        begun = self._begun.get(str(entry.facts.get("about", "")))
        body = entry.body if isinstance(entry.body, dict) else {}
        if begun is None or entry.actor_kind != "runner":
            return None
        return StepEvent(at=entry.at, step=begun.step, state="waiting", note=str(body.get("summary", "")))

    def _on_decision(self, entry: EntryView) -> StepEvent | None:
        decision, step = str(entry.facts.get("decision")), str(entry.facts.get("step", ""))
        body = entry.body if isinstance(entry.body, dict) else {}
        if decision == "skip":
            return StepEvent(at=entry.at, step=step, state="skipped", note=str(body.get("why", "")))
        if decision in _NOT_SHOWN:
            return None
        note = f"{decision} {step}".rstrip() + f" by {_who(entry)}: {body.get('why', '')}"
        return StepEvent(at=entry.at, step="", state="decided", note=note.rstrip(": "))

    def counts(self, total: int) -> str:
        """How many steps are in each state, in one line."""
        counted = Counter(self.states.values())
        others = ("skipped", "failed", "unknown", "waiting")
        shown = [f"{counted[state]} {state}" for state in others if counted[state]]
        return ", ".join([f"{counted['done']} of {total:,} done", *shown, f"{len(self.running)} running"])


def _who(entry: EntryView) -> str:
    """The name of the credential that was checked; without one, what the actor calls itself."""
    return str(entry.facts.get("credential") or entry.actor)


_READERS: dict[str, Callable[[RunProgress, EntryView], StepEvent | None]] = {
    "action_begun": RunProgress._on_begin,
    "action_ended": RunProgress._on_end,
    "action_doubted": RunProgress._on_end,
    "action_noted": RunProgress._on_note,
    "approval_requested": RunProgress._on_question,
    "approval_decided": RunProgress._on_answer,
    "decision_recorded": RunProgress._on_decision,
}


def _seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()


def format_seconds(seconds: float) -> str:
    """A duration: `0.3 s`, `42.0 s`, `3 min 20 s`, `2 h 5 min`."""
    if seconds < 60:
        return f"{max(seconds, 0.0):.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def format_event(event: StepEvent) -> str:
    """An event as one line of a log."""
    took = format_seconds(event.seconds) if event.seconds is not None else ""
    name, note = format_value(event.step, MAX_NAME_CHARACTERS) or "-", format_value(event.note, MAX_NOTE_CHARACTERS)
    return f"{format_value(event.at)}  {name:16} {event.state:8} {took:>9}  {note}".rstrip()


# ----------------------------------------------------------------------------------------------------------------------
# Where it is shown


class LogLines:
    """Prints a line for each event. A log that cannot be written does not stop the run."""

    def __init__(self, terminal: Terminal, after: int) -> None:
        self._terminal = terminal
        self._is_open = not (terminal.quiet or terminal.json)
        self.progress = RunProgress(lambda event: self.say(format_event(event)), after)

    def say(self, text: str) -> None:
        if not self._is_open:
            return
        try:
            self._terminal.print_stderr(text)
        except (OSError, ValueError):
            self._is_open = False

    def close(self) -> None:
        """Nothing is left to take away."""


class LiveBlock:
    """One block at a terminal: a line for each running step, and counts. News, and what tools print, stays above it."""

    def __init__(self, terminal: Terminal, after: int, total: int) -> None:
        from rich.console import Console  # loaded only at a terminal
        from rich.live import Live

        colour = not terminal.no_colour
        self._err = os.fdopen(os.dup(2), "w", encoding=terminal.err.encoding, errors=terminal.err.errors)
        self._console: Console = Console(
            file=self._err, highlight=False, markup=False, emoji=False, no_color=not colour, force_terminal=True
        )
        self._total = total
        self._start = time()
        self.progress = RunProgress(self._show, after)
        self._live: Live = Live(
            get_renderable=self._block,
            console=self._console,
            refresh_per_second=REFRESHES_PER_SECOND,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._live.start()
        self._printed = PrintedLines(lambda line: self.say(escape_line(line)))

    def _show(self, event: StepEvent) -> None:
        if event.is_news:
            from rich.text import Text

            self._console.print(Text(format_event(event), style=COLOURS.get(event.state, "")))

    def say(self, text: str) -> None:
        self._console.print(text, soft_wrap=True)

    def _block(self) -> "RenderableType":
        from rich.text import Text

        rows = max(self._console.height - ROWS_LEFT_FREE, 1)
        running = list(self.progress.running.values())
        block = Text()
        for each in running[:rows]:
            name = format_value(each.step, MAX_NAME_CHARACTERS)
            block.append(
                f"  {name:24} {format_seconds(time() - each.since):>9}  {format_value(each.tool, 30)}\n", "cyan"
            )
        if len(running) > rows:
            block.append(f"  and {len(running) - rows} more\n")
        block.append(f"{self.progress.counts(self._total)}; {format_seconds(time() - self._start)}")
        return block

    def close(self) -> None:
        self._printed.stop()
        self._live.stop()
        self._printed.close()
        self._err.close()


def show_progress(terminal: Terminal, *, after: int, total: int) -> LogLines | LiveBlock:
    """The display that fits the terminal. Entries up to `after` are from before the run."""
    is_live = terminal.is_process and terminal.err_tty and not (terminal.quiet or terminal.json or terminal.verbose)
    return (
        LiveBlock(terminal, after, total)
        if is_live and terminal.env.get("TERM") != "dumb"
        else LogLines(terminal, after)
    )
