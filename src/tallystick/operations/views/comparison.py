"""The operation compare_executions: two executions side by side, with the differences of arguments and results."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, Literal

from msgspec import Struct, json
from msgspec.structs import replace

from tallystick.core.formats import times
from tallystick.core.state import Action, Execution, Progress, progress_id
from tallystick.core.types import Handle
from tallystick.operations.actions import state_of
from tallystick.operations.executions import ExecutionView, describe_executions
from tallystick.operations.runtime.lookup import require_row
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.operations.runtime.progress import steps_of
from tallystick.operations.views.timeline import step_titles_by_action
from tallystick.store.interface import Select, View

MAX_ACTIONS_SCANNED = 2000
"""How many actions of each execution are compared, the oldest ones."""
MAX_ROWS = 500
MAX_DIFFERENCES = 20
"""Differences shown of one value."""
TEXT_CHARACTERS = 500
"""Characters shown of a text that differs."""
MISSING = object()
"""Stands for a value that is not there, unlike null."""
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
Key = tuple[str, str, int]
"""Identifies an action in both executions: its kind, its step or tool, and which call of the tool."""


class Difference(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One difference, at a path such as `$.items[2].name`. `only` names the side that has a value there at all."""

    path: str
    a: Any = None
    b: Any = None
    only: Literal["", "a", "b"] = ""


class Side(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The action of one execution. `attempts` counts all; the other fields are those of the last attempt.

    `state` is that of the action; of a step it is also planned, skipped, or undone if its work was undone.
    """

    state: str
    action_id: str = ""
    attempts: int = 0
    seconds: float | None = None
    actor: str = ""


class ComparisonRow(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One step, or one call of a tool without a step. `only` names the execution that has it at all.

    `same` when both have it, in the same state, with the same arguments and results. `cut` when there are more
    differences than shown, or values that are shown in part.
    """

    kind: Literal["step", "call", "undo"]
    name: str
    same: bool
    summary: str = ""
    a: Side | None = None
    b: Side | None = None
    only: Literal["", "a", "b"] = ""
    arguments: tuple[Difference, ...] = ()
    results: tuple[Difference, ...] = ()
    cut: bool = False


class Comparison(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """`same` and `different` count the rows shown, `left_out` the others: of more than 500 rows, those that ended
    otherwise are shown first. `whole` when every action was compared."""

    a: ExecutionView
    b: ExecutionView
    rows: tuple[ComparisonRow, ...]
    same: int
    different: int
    seconds_a: float
    seconds_b: float
    left_out: int = 0
    whole: bool = True


@operation("read", "GET /v1/comparison", example={"a": "ex_a2v7", "b": "ex_b1fq7"})
def compare_executions(context: OperationContext, *, a: Handle, b: Handle) -> Comparison:
    """Two executions side by side: each step, or call in its order, with how it went and where its values differ."""

    def work(view: View) -> Comparison:
        one, other = require_row(view, Execution, a, "a"), require_row(view, Execution, b, "b")
        sides = _Actions(view, one), _Actions(view, other)
        keys = list(dict.fromkeys((*sides[0].keys, *sides[1].keys)))
        shown = _shown(keys, sides)
        bodies = _Bodies(view, [side.last.get(key) for key in shown for side in sides])
        rows = tuple(_row(view, key, sides, bodies) for key in shown)
        same = sum(row.same for row in rows)
        views = describe_executions(view, [one, other])
        return Comparison(
            a=views[0],
            b=views[1],
            rows=rows,
            same=same,
            different=len(rows) - same,
            seconds_a=_seconds(view, one),
            seconds_b=_seconds(view, other),
            left_out=len(keys) - len(rows),
            whole=all(side.whole for side in sides),
        )

    return context.read(work)


def _shown(keys: list[Key], sides: tuple["_Actions", "_Actions"]) -> list[Key]:
    """Return as many keys as are shown, in their order: those that only one side has or that ended otherwise first."""
    if len(keys) <= MAX_ROWS:
        return keys
    states = {
        key: tuple(action.state if action else "" for action in (side.last.get(key) for side in sides)) for key in keys
    }
    first = sorted(keys, key=lambda key: states[key][0] == states[key][1])[:MAX_ROWS]
    wanted = set(first)
    return [key for key in keys if key in wanted]


class _Actions:
    """The actions of one execution by key, so that the other execution's can be matched."""

    def __init__(self, view: View, execution: Execution) -> None:
        where = Select(where={"execution": execution.id}, newest_first=False, limit=MAX_ACTIONS_SCANNED + 1)
        found = view.find(Action, where)
        self._execution = execution.id
        self.whole = len(found) <= MAX_ACTIONS_SCANNED
        self.last: dict[Key, Action] = {}
        self.attempts: dict[Key, int] = {}
        self.keys: list[Key] = [("step", step.id, 0) for step in steps_of(view, execution)]
        self.planned = set(self.keys)
        self.titles = step_titles_by_action(view, found)
        calls: dict[tuple[str, str], int] = {}
        for action in found[:MAX_ACTIONS_SCANNED]:
            key = self._key(action, calls)
            if key not in self.planned and key not in self.last:
                self.keys.append(key)
            self.last[key] = action
            self.attempts[key] = self.attempts.get(key, 0) + 1

    def _key(self, action: Action, calls: dict[tuple[str, str], int]) -> Key:
        if action.action_kind == "do" and action.step:
            return ("step", action.step, 0)
        kind = "undo" if action.action_kind == "undo" else "call"
        calls[kind, action.tool] = calls.get((kind, action.tool), 0) + 1
        return (kind, action.tool, calls[kind, action.tool])

    def side(self, view: View, key: Key) -> Side | None:
        action = self.last.get(key)
        step = view.get(Progress, progress_id(self._execution, key[1])) if key[0] == "step" else None
        if action is None:
            skipped = step is not None and step.status == "skipped"
            return Side(state="skipped" if skipped else "planned") if key in self.planned else None
        return Side(
            state="undone" if step and step.undone else state_of(view, action),
            action_id=action.id,
            attempts=self.attempts[key],
            seconds=round(action.duration, 6) if action.duration is not None else None,
            actor=action.actor,
        )


class _Bodies:
    """The recorded arguments, summaries and results of the compared actions."""

    def __init__(self, view: View, actions: list[Action | None]) -> None:
        seqs = {seq for action in actions if action for seq in (action.seq, action.end_seq) if seq}
        self._bodies: dict[int, dict[str, Any]] = {seq: json.decode(body) for seq, body in view.bodies(seqs).items()}

    def begun_with(self, action: Action | None, name: str) -> Any:
        """Return a field of the begin's body, or MISSING."""
        return self._bodies.get(action.seq, {}).get(name, MISSING) if action else MISSING

    def ended_with(self, action: Action | None) -> dict[str, Any]:
        """Return the result or error of an action."""
        body = self._bodies.get(action.end_seq, {}) if action else {}
        return {name: body[name] for name in ("result", "error") if name in body}


def _row(view: View, key: Key, sides: tuple[_Actions, _Actions], bodies: _Bodies) -> ComparisonRow:
    kind, name, number = key
    one, other = (side.last.get(key) for side in sides)
    a, b = (side.side(view, key) for side in sides)
    arguments = results = _NO_DIFFERENCES
    if one and other:
        arguments = _compare(bodies.begun_with(one, "arguments"), bodies.begun_with(other, "arguments"))
        results = _compare(bodies.ended_with(one), bodies.ended_with(other))
    return ComparisonRow(
        kind=kind,  # type: ignore[arg-type]  # one of the three that `_key` gives
        name=name if number < 2 else f"{name} ({number})",
        summary=_summary(sides, (one, other), bodies),
        a=a,
        b=b,
        only="" if a and b else "a" if a else "b",
        same=bool(a and b and a.state == b.state and not arguments.shown and not results.shown),
        arguments=arguments.shown,
        results=results.shown,
        cut=arguments.is_cut or results.is_cut,
    )


def _summary(sides: tuple[_Actions, _Actions], actions: tuple[Action | None, Action | None], bodies: _Bodies) -> str:
    """Return the first summary that an action has, else the first title of a step."""
    texts = [bodies.begun_with(action, "summary") for action in actions]
    texts += [side.titles.get(action.id, "") for side, action in zip(sides, actions, strict=True) if action]
    return next((text for text in texts if isinstance(text, str) and text), "")


class _Differences(Struct, frozen=True):
    """The differences shown of one value. `is_cut` when there are more, or when a value is shown in part."""

    shown: tuple[Difference, ...] = ()
    is_cut: bool = False


_NO_DIFFERENCES = _Differences()


def _compare(a: Any, b: Any) -> _Differences:
    found = list(islice(differences(a, b), MAX_DIFFERENCES + 1))
    shown = [_truncate(each) for each in found[:MAX_DIFFERENCES]]
    is_cut = len(found) > MAX_DIFFERENCES or any(truncated for _, truncated in shown)
    return _Differences(tuple(each for each, _ in shown), is_cut)


def differences(a: Any, b: Any, path: str = "$") -> Iterator[Difference]:
    """Yield each difference of two JSON values, in the order of `a`. Lists are compared index by index."""
    if a is MISSING or b is MISSING:
        if a is not b:
            present = {"b": b, "only": "b"} if a is MISSING else {"a": a, "only": "a"}
            yield Difference(path=path, **present)
    elif isinstance(a, dict) and isinstance(b, dict):
        for name in dict.fromkeys((*a, *b)):
            yield from differences(a.get(name, MISSING), b.get(name, MISSING), path + _path_step(name))
    elif isinstance(a, list) and isinstance(b, list):
        for index in range(max(len(a), len(b))):
            one = a[index] if index < len(a) else MISSING
            other = b[index] if index < len(b) else MISSING
            yield from differences(one, other, f"{path}[{index}]")
    elif type(a) is not type(b) or a != b:
        yield Difference(path=path, a=a, b=b)


def _path_step(name: str) -> str:
    if _PLAIN_NAME.fullmatch(name):
        return f".{name}"
    quoted = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"['{quoted}']"


def _truncate(difference: Difference) -> tuple[Difference, bool]:
    """Return a difference with values of bounded length, and whether one was longer."""
    long = {side: text for side in ("a", "b") if len(text := _text(getattr(difference, side))) > TEXT_CHARACTERS}
    shortened = {side: text[:TEXT_CHARACTERS] + "..." for side, text in long.items()}
    return replace(difference, **shortened), bool(long)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.encode(value).decode() if isinstance(value, dict | list) else ""


def _seconds(view: View, execution: Execution) -> float:
    return round(max((execution.ended_at or execution.last_at) - execution.at, 0) / times.SECOND, 3)
