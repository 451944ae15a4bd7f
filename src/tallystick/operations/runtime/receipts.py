"""Receipts: the answer to a record, with its position in the journal and what the caller needs next."""

from typing import Any

from msgspec import Struct

from tallystick.core.entries import Entry
from tallystick.core.plans import Advice
from tallystick.core.types import Undo, UndoState
from tallystick.core.undo import FilledUndo


class Receipt(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """`seq` and `hash` are the entry's, `id` is what the entry is about. `repeated`: it was recorded before."""

    seq: int
    id: str
    hash: str
    repeated: bool = False


class UndoListItem(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """An action that is not undone, and how to undo it. `certain` is false when it only may have been done.

    `error` is that of the undo that failed, `why` the reason to keep it.
    """

    action_id: str
    state: UndoState
    execution_id: str = ""
    step: str = ""
    tool: str = ""
    summary: str = ""
    certain: bool = True
    undo: FilledUndo | None = None
    way: str = ""
    deadline: str = ""
    undone_by: str = ""
    temporary: bool = False
    error: str = ""
    why: str = ""


class DoubtItem(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """An action with an unknown outcome, and how to find it out. `repeated_by`: calls of the same effect since then."""

    action_id: str
    execution_id: str = ""
    step: str = ""
    tool: str = ""
    summary: str = ""
    kind: str = "do"
    since: str = ""
    why: str = ""
    session: str = ""
    probe: str | Undo | None = None
    arguments: Any = None
    repeated_by: tuple[str, ...] = ()


class PlanReceipt(Receipt, frozen=True, kw_only=True):
    """`execution_id` is the execution that was started with the plan, if one was."""

    revision: int
    steps: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    execution_id: str = ""
    in_doubt: tuple[str, ...] = ()
    open_executions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class ExecutionReceipt(Receipt, frozen=True, kw_only=True):
    """`in_doubt` and `open_executions` are of other executions of the same plan, or of the same title and task."""

    status: str
    plan_id: str = ""
    next_steps: tuple[str, ...] = ()
    in_doubt: tuple[str, ...] = ()
    open_executions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class ActionReceipt(Receipt, frozen=True, kw_only=True):
    """`step` and `undoes` are also given where the caller named none, and the call is exactly that step or undo."""

    execution_id: str = ""
    step: str = ""
    undoes: str = ""
    attempt: int = 1
    state: str = ""
    notes: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()


class DecisionReceipt(Receipt, frozen=True, kw_only=True):
    """`step` is also given where the caller named none, and the decision can be about one step only.

    `due` counts what can still be undone; `owed` has the first of it, after unwind, stop and fail.

    `unfinished` counts what was not finished when the execution ended, by kind. `kept` counts what was kept. `state` is
    that of the action that was settled, whose id is `id`. `action_id` is the action that was given its step, or what it
    undid.
    """

    execution_id: str
    status: str
    step: str = ""
    approval_id: str = ""
    unfinished: dict[str, int] = {}
    next_steps: tuple[str, ...] = ()
    due: int = 0
    kept: int = 0
    state: str = ""
    action_id: str = ""
    notes: tuple[str, ...] = ()
    owed: tuple[UndoListItem, ...] = ()


class ContextReceipt(Receipt, frozen=True, kw_only=True):
    version: int


class ApprovalReceipt(Receipt, frozen=True, kw_only=True):
    status: str
    execution_id: str = ""
    arguments: dict[str, Any] | None = None
    notes: tuple[str, ...] = ()


class SessionReceipt(Receipt, frozen=True, kw_only=True):
    expires: int = 0
    in_doubt: int = 0


class EraseReceipt(Receipt, frozen=True, kw_only=True):
    """`state` is done, or pending while a reader still holds old bytes in the store's files."""

    erased: int
    state: str


class BatchReceipt(Receipt, frozen=True, kw_only=True):
    """`seq`, `id` and `hash` are those of the last record."""

    receipts: tuple[Receipt, ...]


def receipt_of(entry: Entry) -> Receipt:
    return Receipt(seq=entry.seq, id=entry.id, hash=entry.hash)
