"""An entry of the journal in one line for people, and the other things that the demonstration shows as text."""

from typing import Any

from msgspec import Struct

from tallystick.core.brief import clip
from tallystick.operations.entries import EntryView
from tallystick.operations.standing import DoubtItem, OwedItem

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
