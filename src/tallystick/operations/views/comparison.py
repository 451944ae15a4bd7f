"""Two executions side by side."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, Literal

from msgspec import Struct, json
from msgspec.structs import replace

from tallystick.core.formats import times
from tallystick.core.state import Action, Execution
from tallystick.core.types import Handle
from tallystick.operations.actions import state_of
from tallystick.operations.executions import ExecutionView, describe_executions
from tallystick.operations.runtime.lookup import require_row
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.operations.runtime.progress import step_titles_by_action, steps_of
from tallystick.store.interface import Select, View

# ----------------------------------------------------------------------------------------------------------------------
# Where two JSON values differ, as paths: `$.items[2].name`.

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
MISSING = object()
"""Stands for a value that is not there; null is one that is."""


class Difference(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One place: what stands there in each. `only` names the one that has it at all."""

    path: str
    a: Any = None
    b: Any = None
    only: Literal["", "a", "b"] = ""


def differences(a: Any, b: Any, path: str = "$") -> Iterator[Difference]:
    """Each place at which they differ, in the order of `a`. Items of lists are compared place by place."""
    if a is MISSING or b is MISSING:
        if a is not b:
            given = {"b": b, "only": "b"} if a is MISSING else {"a": a, "only": "a"}
            yield Difference(path=path, **given)
    elif isinstance(a, dict) and isinstance(b, dict):
        for name in dict.fromkeys((*a, *b)):
            yield from differences(a.get(name, MISSING), b.get(name, MISSING), path + _step(name))
    elif isinstance(a, list) and isinstance(b, list):
        for place in range(max(len(a), len(b))):
            one = a[place] if place < len(a) else MISSING
            other = b[place] if place < len(b) else MISSING
            yield from differences(one, other, f"{path}[{place}]")
    elif type(a) is not type(b) or a != b:
        yield Difference(path=path, a=a, b=b)


def _step(name: str) -> str:
    if _PLAIN.fullmatch(name):
        return f".{name}"
    quoted = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"['{quoted}']"


# ----------------------------------------------------------------------------------------------------------------------

ACTIONS = 2000
"""How many actions of each execution are looked at, the oldest ones."""
ROWS = 500
PLACES = 20
"""How many rows are shown, and how many differences of one value."""
TEXT = 500
"""How many characters of a text that differs are shown."""
Key = tuple[str, str, int]


class Side(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What one execution did about it. `attempts` counts; the rest is of the last one."""

    state: str
    action_id: str = ""
    attempts: int = 0
    seconds: float | None = None
    actor: str = ""


class Row(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One step, or one call of a tool that no step planned. `only` names the execution that has it at all.

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
    """`same` and `different` count the rows shown; `left_out` those that are not. `whole` when every action of both was
    looked at."""

    a: ExecutionView
    b: ExecutionView
    rows: tuple[Row, ...]
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
        sides = _Acts(view, one), _Acts(view, other)
        keys = list(dict.fromkeys((*sides[0].keys, *sides[1].keys)))
        texts = _Bodies(view, [side.last.get(key) for key in keys[:ROWS] for side in sides])
        rows = tuple(_row(view, key, sides, texts) for key in keys[:ROWS])
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


class _Acts:
    """What one execution did, by what it can be found again by: its step; or its tool, and which call of it."""

    def __init__(self, view: View, execution: Execution) -> None:
        where = Select(where={"execution": execution.id}, newest_first=False, limit=ACTIONS + 1)
        found = view.find(Action, where)
        self.whole = len(found) <= ACTIONS
        self.last: dict[Key, Action] = {}
        self.attempts: dict[Key, int] = {}
        self.keys: list[Key] = [("step", step.id, 0) for step in steps_of(view, execution)]
        self.planned = set(self.keys)
        self.titles = step_titles_by_action(view, found)
        calls: dict[tuple[str, str], int] = {}
        for action in found[:ACTIONS]:
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
        if action is None:
            return Side(state="planned") if key in self.planned else None
        return Side(
            state=state_of(view, action),
            action_id=action.id,
            attempts=self.attempts[key],
            seconds=round(action.duration, 6) if action.duration is not None else None,
            actor=action.actor,
        )


class _Bodies:
    """What was said and what came of the actions that are compared."""

    def __init__(self, view: View, actions: list[Action | None]) -> None:
        seqs = {seq for action in actions if action for seq in (action.seq, action.end_seq) if seq}
        self._bodies: dict[int, dict[str, Any]] = {seq: json.decode(body) for seq, body in view.bodies(seqs).items()}

    def said(self, action: Action | None, name: str) -> Any:
        return self._bodies.get(action.seq, {}).get(name, MISSING) if action else MISSING

    def came(self, action: Action | None) -> dict[str, Any]:
        body = self._bodies.get(action.end_seq, {}) if action else {}
        return {name: body[name] for name in ("result", "error") if name in body}


def _row(view: View, key: Key, sides: tuple[_Acts, _Acts], texts: _Bodies) -> Row:
    kind, name, number = key
    one, other = (side.last.get(key) for side in sides)
    a, b = (side.side(view, key) for side in sides)
    arguments, results = [], []
    if one and other:
        arguments = list(islice(differences(texts.said(one, "arguments"), texts.said(other, "arguments")), PLACES + 1))
        results = list(islice(differences(texts.came(one), texts.came(other)), PLACES + 1))
    shown = [_cut(each) for each in (*arguments[:PLACES], *results[:PLACES])]
    titles = [side.titles.get(action.id, "") for side, action in zip(sides, (one, other), strict=True) if action]
    said = [texts.said(action, "summary") for action in (one, other)]
    return Row(
        kind=kind,  # type: ignore[arg-type]  # one of the three that `_key` gives
        name=name if number < 2 else f"{name} ({number})",
        summary=next((text for text in (*said, *titles) if isinstance(text, str) and text), ""),
        a=a,
        b=b,
        only="" if a and b else "a" if a else "b",
        same=bool(a and b and a.state == b.state and not arguments and not results),
        arguments=tuple(each for each, _ in shown[: len(arguments[:PLACES])]),
        results=tuple(each for each, _ in shown[len(arguments[:PLACES]) :]),
        cut=len(arguments) > PLACES or len(results) > PLACES or any(cut for _, cut in shown),
    )


def _cut(found: Difference) -> tuple[Difference, bool]:
    """A difference with values that are not too long, and whether one was."""
    long = {side: text for side in ("a", "b") if (text := _text(getattr(found, side))) and len(text) > TEXT}
    return replace(found, **{side: text[:TEXT] + "..." for side, text in long.items()}), bool(long)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.encode(value).decode() if isinstance(value, dict | list) else ""


def _seconds(view: View, execution: Execution) -> float:
    return round(((execution.ended_at or execution.last_at) - execution.at) / times.SECOND, 3)
