"""The sections of the brief on what is outstanding: in doubt, in progress and owed, in its execution and in others."""

import re
from collections.abc import Sequence
from itertools import islice

from tallystick.core.formats import times
from tallystick.core.state import UNSETTLED, Action, Execution, Progress, count_due, progress_id
from tallystick.core.types import DUE, FINAL_STATUSES
from tallystick.core.undo import UndoItem
from tallystick.operations.executions import ExecutionView
from tallystick.operations.runtime.progress import (
    describe_doubts,
    describe_undo_list,
    doubts_of,
    newest_owed,
    steps_of,
)
from tallystick.operations.runtime.receipts import UndoListItem
from tallystick.operations.runtime.session_lifecycle import find_silence, is_in_doubt
from tallystick.operations.views.brief_text import Section, quoted, word
from tallystick.operations.views.owed import owed_elsewhere
from tallystick.store.interface import Select, View, WhereValue

MAX_LINES = 3
"""Items shown in each section."""
MAX_OWED_SCANNED = 100
"""How many owed actions are read, so that the cost of the brief is bounded."""
MAX_UNSETTLED_SCANNED = 500
"""How many unsettled actions are read to find doubts in other executions."""
MAX_COMMAND_CHARACTERS = 100
"""The length up to which the command of an undo is shown."""
MAX_COUNTED = 100
"""Doubts are counted up to this; more are shown as 100+."""
SETTLE = "look first, then record_decision(decision=settle, action_id, outcome, evidence), skipped if it never happened"


def doubts_section(view: View, doubts: Sequence[Action]) -> Section:
    lines = tuple(
        f"{_action_label(item.action_id, item.step or item.tool, item.summary)}: {item.why}"
        for item in describe_doubts(view, doubts[:MAX_LINES])
    )
    count = f"{len(doubts)}{'+' if len(doubts) == MAX_COUNTED else ''}"
    return Section(f"In doubt ({count}): {SETTLE}:", lines, len(doubts))


def reads_in_doubt_section(view: View, execution: Execution) -> Section:
    """Count the reads in doubt, so that no doubt is hidden; `list_in_doubt` names each."""
    count = len(doubts_of(view, execution.id, limit=MAX_COUNTED, wanted=lambda action: not action.needs_check))
    reads = f"{count} read{'s' if count > 1 else ''}"
    return Section(f"The outcome of {reads} is unknown too." if count else "")


def doubts_elsewhere_section(view: View, execution: Execution) -> Section:
    """The doubts of other executions, the oldest first: nothing else shows those of a conversation that has ended.

    Actions in progress elsewhere are skipped, and hide no doubt up to the scan limit.
    """
    unsettled = _unsettled(view, MAX_UNSETTLED_SCANNED)
    doubts = [row for row, doubtful in unsettled if doubtful and row.execution != execution.id and row.needs_check]
    lines = tuple(
        f"{_action_label(item.action_id, item.step or item.tool, item.summary)} in {item.execution_id}: {item.why}"
        for item in describe_doubts(view, doubts[:MAX_LINES])
    )
    more = "+" if len(unsettled) == MAX_UNSETTLED_SCANNED else ""
    return Section(f"In doubt in other executions ({len(doubts)}{more}): {SETTLE}:", lines, len(doubts))


def in_progress_section(view: View, execution: Execution) -> Section:
    """Open actions whose session is alive: they may still end by themselves."""
    if not execution.actions.get("open") and not execution.undos.get("open"):
        return Section("")
    rows = [row for row, doubtful in _unsettled(view, MAX_COUNTED, execution.id) if not doubtful]
    labels = zip(action_labels(view, rows), rows, strict=False)
    lines = tuple(f"{label}{_silent(view, row)}" for label, row in labels)
    return Section(f"In progress ({len(rows)}{'+' if len(rows) == MAX_COUNTED else ''}):", lines, len(rows))


def _silent(view: View, action: Action) -> str:
    silence = find_silence(view, action)
    age = times.age(view.now() - silence.since) if silence else ""
    who = f"{word(silence.name)} (process {silence.process})" if silence else ""
    return f": no sign of life from {who} for {age}; nothing repeats it" if silence else ""


def _unsettled(view: View, limit: int, execution: str = "") -> list[tuple[Action, bool]]:
    """Return actions without a settled end, the oldest first, and whether each is in doubt now."""
    where: dict[str, WhereValue] = {"state": UNSETTLED, **({"execution": execution} if execution else {})}
    over: dict[str, bool] = {}
    found = view.find(Action, Select(where=where, newest_first=False, limit=limit))
    return [(row, is_in_doubt(view, row, over)) for row in found]


_UNNAMED = re.compile(r"(record_action\(phase=begin, |record_decision\(decision=\w+, )")


def name_execution(call: str, execution_id: str) -> str:
    """A call to make next with the execution, for a session that has no part in it."""
    if "execution_id=" in call:
        return call
    return _UNNAMED.sub(rf"\1execution_id={execution_id}, ", call)


def settle_call(action: Action) -> str:
    return f"Look first, then record_decision(decision=settle, action_id={action.id}, outcome=..., evidence=...)."


def end_call(action: Action) -> str:
    return f"End {action.id}, which is under way: record_action(phase=end, action_id={action.id}, outcome=...)."


def next_undo(view: View, due: list[UndoItem]) -> str:
    """What to do about the first item: an undo in doubt is not repeated, and what is under way ends first."""
    item = due[0]
    undo = view.get(Action, item.action.undone_by) if item.state in ("in_doubt", "undoing") else None
    if undo and item.state == "in_doubt":
        return settle_call(undo)
    first = undo or item.action
    if first.state == "open" and not is_in_doubt(view, first):
        return f"Next: e{end_call(first)[1:]}"
    return f"Next: undo {_due_lines(view, due[:1])[0]}."


def owed_section(view: View, due: list[UndoItem], shown: ExecutionView) -> Section:
    """What is owed. Of interrupted work that goes forward, that is so only while nobody takes it up."""
    lines = _due_lines(view, due[:MAX_LINES])
    count = shown.owed if shown.owed > MAX_OWED_SCANNED else len(due)
    condition = " if nobody takes it up" if shown.interrupted and shown.status == "running" else ""
    return Section(f"Owed{condition} ({count}), undo in this order:", lines, count)


def put_back(view: View, execution: Execution) -> list[UndoItem]:
    """What is to be undone before an open execution is done and no step of its plan will put back, the newest first."""
    if execution.status in FINAL_STATUSES or execution.unwound or not count_due(execution.to_put_back):
        return []
    undoing = [step for step in steps_of(view, execution) if step.undoes]
    to_come = {step.undoes for step in undoing if not _is_over(view.get(Progress, progress_id(execution.id, step.id)))}
    items = islice(newest_owed(view, execution), MAX_OWED_SCANNED)
    return [item for item in items if item.state in DUE and (item.action.step or item.action.id) not in to_come]


def _is_over(progress: Progress | None) -> bool:
    return progress is not None and progress.status in ("done", "skipped")


def put_back_section(view: View, items: list[UndoItem]) -> Section:
    return Section(f"To put back before done ({len(items)}):", _due_lines(view, items[:MAX_LINES]), len(items))


def owed_elsewhere_section(view: View, execution: Execution) -> Section:
    """What other executions owe, the newest first: nothing else shows that of one that has ended."""
    found = owed_elsewhere(view, execution.id, limit=MAX_LINES)
    lines = tuple(
        f"{_undo_label(item)} in {item.execution_id}: {_undo_text(item.undo, item.way)}"
        for item in describe_undo_list(view, found.items)
    )
    if not found.due and not found.more:
        return Section("")
    heading = f"Owed in other executions ({found.due}{'+' if found.more else ''}), see view=owed"
    return Section(f"{heading}:" if lines else f"{heading}.", lines, found.due)


def _due_lines(view: View, due: list[UndoItem]) -> tuple[str, ...]:
    return tuple(f"{_undo_label(item)}: {_undo_text(item.undo, item.way)}" for item in describe_undo_list(view, due))


def _undo_label(item: UndoListItem) -> str:
    """An item, and what is special about it: the state of its undo, and whether it happened at all."""
    state = {
        "not_undone": "",
        "failed": "its undo failed",
        "in_doubt": "its undo is in doubt",
        "undoing": "being undone",
    }
    notes = [note for note in (state.get(item.state, ""), "" if item.certain else "may have happened") if note]
    label = _action_label(item.action_id, item.step or item.tool, item.summary)
    return f"{label} ({', '.join(notes)})" if notes else label


def _undo_text(undo: object, way: str) -> str:
    words, tool = getattr(undo, "words", ""), getattr(undo, "tool", "")
    if words or tool:
        return quoted(words) if words else f"call {word(tool)}{_command(undo)}"
    return f"the undo was {way}" if way in ("erased", "altered") else "no undo recorded"


def _command(undo: object) -> str:
    """The command of an undo by a shell, which tells more than its tool; a longer one is whole in view=undo_list."""
    command = (getattr(undo, "arguments", None) or {}).get("command")
    if not isinstance(command, str) or len(command) > MAX_COMMAND_CHARACTERS or getattr(undo, "missing", False):
        return ""
    return f": {quoted(command)}"


def action_labels(view: View, rows: Sequence[Action]) -> tuple[str, ...]:
    items = describe_doubts(view, rows[:MAX_LINES])
    return tuple(_action_label(item.action_id, item.step or item.tool, item.summary) for item in items)


def _action_label(id: str, name: str, summary: str) -> str:
    return " ".join(filter(None, (id, word(name) if name else "", quoted(summary) if summary else "")))
