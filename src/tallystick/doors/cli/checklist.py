"""What is owed, as a list to tick off: in the order to undo it, each with its way."""

from collections.abc import Sequence

from tallystick.doors.cli import words
from tallystick.doors.cli.terminal import Terminal
from tallystick.operations.debts import OwedPage
from tallystick.operations.standing import OwedItem

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
    what = " ".join(part for part in (words.said(item.step or item.tool, 40), words.said(item.summary)) if part)
    sure = "" if item.certain else "  (it may have happened)"
    colour = {"failed": "red", "in_doubt": "yellow", "owed": "", "undoing": "cyan"}.get(item.state, "")
    first = f" {terminal.painted(_BOXES.get(item.state, '[ ]'), colour)} {place:>2}  {item.action_id}  {what}{sure}"
    notes = [_NOTES.get(item.state, ""), f"before {words.said(item.deadline)}" if item.deadline else ""]
    if item.state != "not_possible":
        notes.insert(0, f"undo: {words.way_out(item.undo, item.way)}")
    else:
        notes = [f"{_NOTES[item.state]}: {words.said(item.way)}"]
    return "\n         ".join([first, *(note for note in notes if note)])
