"""What earlier runs of a resumed execution did and the journal would let it repeat: reads, and idempotent calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tallystick import operations
from tallystick.core.formats.canonical_json import canonical
from tallystick.core.redaction.jsonable import to_json
from tallystick.operations.runtime.doubts import REPEATABLE
from tallystick.sdk.current import CurrentExecution
from tallystick.sdk.requests import OperationRequest, Work

if TYPE_CHECKING:
    from tallystick.operations.runtime.receipts import ExecutionReceipt

PER_PAGE = 100
"""How many actions or entries one read returns."""


def enter_execution(receipt: ExecutionReceipt, owner: object) -> Work[CurrentExecution]:
    """The requests that make a started execution the current one, with what its earlier runs did."""
    earlier = (yield from _earlier_calls(receipt.id)) if receipt.repeated else {}
    return CurrentExecution(receipt.id, owner, receipt.repeated, set(), earlier)


def take_earlier(here: CurrentExecution | None, arguments: Mapping[str, Any]) -> str:
    """The action of an earlier run that made the call of this begin, else empty. Each action is returned once, in
    their order: a call that was made twice is not made twice again, and the third time it is made."""
    if here is None or not here.earlier or arguments["execution_id"] != here.execution:
        return ""
    if arguments.get("again") or arguments.get("key") or arguments.get("kind", "do") != "do":
        return ""
    found = here.earlier.get(_call_of(arguments, arguments))
    return found.pop(0) if found else ""


def _earlier_calls(execution: str) -> Work[dict[bytes, list[str]]]:
    """The actions that succeeded, and whose effect may be repeated, by their call."""
    done: set[str] = set()
    cursor: str | None = None
    while cursor is None or cursor:
        arguments = {"execution_id": execution, "state": "ok", "limit": PER_PAGE, "cursor": cursor}
        lines = yield OperationRequest(operations.timeline.list_actions, arguments)
        done.update(line.id for line in lines.actions if line.kind == "do" and line.undo_state != "undone")
        cursor = lines.next_cursor
    earlier: dict[bytes, list[str]] = {}
    after, more = 0, bool(done)
    while more:
        filters = {"execution_id": execution, "kind": "action_begun", "limit": PER_PAGE, "after": after}
        page = yield OperationRequest(operations.entries.read_entries, filters)
        for entry in page.entries:
            if entry.id in done and entry.facts.get("effect") in REPEATABLE:
                earlier.setdefault(_call_of(entry.facts, entry.body or {}), []).append(entry.id)
        after, more = page.last_seq, page.more
    return earlier


def _call_of(facts: Mapping[str, Any], body: Mapping[str, Any]) -> bytes:
    """What tells a call from others: its step; else its tool and its arguments, or its summary if it has none."""
    given, step = body.get("arguments"), facts.get("step")
    summary = body.get("summary") if given is None else ""
    return canonical(to_json([step] if step else [facts.get("tool") or "", given, summary or ""]))
