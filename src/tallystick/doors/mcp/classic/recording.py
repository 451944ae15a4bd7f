"""What an old call comes to: records in one commit, in the execution of a plan, and the answer to them."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tallystick import operations
from tallystick.core.advice import Advice
from tallystick.doors.mcp.answers import Answer, of_record
from tallystick.doors.mcp.calling import Calling
from tallystick.operations.executions import ExecutionView, StepView
from tallystick.operations.handles import OPEN
from tallystick.operations.receipts import ActionReceipt, DecisionReceipt, ExecutionReceipt, PlanReceipt, Receipt
from tallystick.operations.standing import OwedItem

Record = tuple[str, dict[str, Any]]
"""The name of an operation, and its arguments."""
_LOOKED = 100
"""How many of the newest entries are looked through for those of a request that is sent again."""


class Recorded(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What was recorded, with the handles that later calls need. `seq` is that of the last entry."""

    seq: int
    plan_id: str = ""
    execution_id: str = ""
    action_id: str = ""
    status: str = ""
    state: str = ""
    steps: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()
    owed: tuple[OwedItem, ...] = ()
    left: dict[str, int] = {}
    notes: tuple[str, ...] = ()
    repeated: bool = False


class Place(Struct, frozen=True, kw_only=True):
    """Where in the journal a call about a plan belongs. With no open execution of it, one is started on the way."""

    execution_id: str
    status: str = "running"
    first: tuple[Record, ...] = ()
    steps: dict[str, StepView] = {}


def recorded(
    calling: Calling,
    records: Sequence[Record],
    key: str | None,
    following: Callable[[Recorded], str] = lambda found: "",
    notes: tuple[str, ...] = (),
) -> Answer:
    """Make the records, and answer with what they came to; `following` is the call that usually comes next."""
    found = _described(made(calling, records, key))
    return of_record(replace(found, notes=(*found.notes, *notes)), following(found))


def made(calling: Calling, records: Sequence[Record], key: str | None) -> Sequence[Receipt]:
    """Make the records in one commit, all or none."""
    asked: dict[str, Any] = {"records": [{"operation": name, "arguments": stated(given)} for name, given in records]}
    if key:
        asked["key"] = key
    receipts: Sequence[Receipt] = calling.call(operations.CATALOGUE["record_batch"], asked).receipts
    return receipts


def stated(arguments: dict[str, Any]) -> dict[str, Any]:
    """What was said: an argument that is None was not."""
    return {name: value for name, value in arguments.items() if value is not None}


def place_of(calling: Calling, plan_id: Any) -> Place:
    """The newest open execution of a plan, and how far its steps are; else one that is started."""
    open_now = [found for status in OPEN for found in _executions(calling, plan_id, status)]
    if not open_now:
        plan = calling.call(operations.CATALOGUE["get_plan"], {"plan_id": plan_id}).revisions[0]
        steps = {
            each["id"]: StepView(id=each["id"], actual="planned", after=tuple(each["after"])) for each in plan.steps
        }
        return Place(execution_id="@0", first=(("record_execution_start", {"plan_id": plan_id}),), steps=steps)
    newest = max(open_now, key=lambda execution: (execution.started, execution.id))
    return Place(execution_id=newest.id, status=newest.status, steps=steps_of(calling, newest.id))


def newest_of(calling: Calling, plan_id: Any) -> ExecutionView | None:
    """The newest execution of a plan, be it over."""
    return next(iter(_executions(calling, plan_id)), None)


def steps_of(calling: Calling, execution_id: Any) -> dict[str, StepView]:
    """How far the steps of an execution are."""
    asked = {"limit": 10_000, **({"execution_id": execution_id} if execution_id else {})}
    status = calling.call(operations.CATALOGUE["get_status"], asked)
    return {step.id: step for step in status.steps}


def made_before(calling: Calling) -> Answer | None:
    """The answer to a request that is sent again.

    A call is translated by how things stand, and they stand otherwise since it was first made: so it is not
    translated again, and what it recorded is found by its key.
    """
    request = calling.caller.desk.asker.request
    if not request:
        return None
    asked = {"newest_first": True, "limit": _LOOKED}
    entries = calling.call(operations.CATALOGUE["read_entries"], asked).entries
    mine = [entry for entry in entries if entry.key == request or entry.key.startswith(f"{request}#")]
    if not mine:
        return None
    ids = {entry.id[:2]: entry.id for entry in reversed(mine)}
    found = Recorded(
        seq=mine[0].seq,
        plan_id=ids.get("pl", ""),
        execution_id=mine[0].execution_id or ids.get("ex", ""),
        action_id=ids.get("ac", ""),
        repeated=True,
    )
    return of_record(found, "")


def _executions(calling: Calling, plan_id: Any, status: str | None = None) -> tuple[ExecutionView, ...]:
    asked = {"plan_id": plan_id, "limit": 1, **({"status": [status]} if status else {})}
    found: tuple[ExecutionView, ...] = calling.call(operations.CATALOGUE["list_executions"], asked).executions
    return found


def _described(receipts: Sequence[Receipt]) -> Recorded:
    found: dict[str, Any] = {"seq": receipts[-1].seq, "repeated": all(each.repeated for each in receipts)}
    for receipt in receipts:
        match receipt:
            case PlanReceipt():
                found |= {"plan_id": receipt.id, "steps": receipt.steps, "warnings": receipt.warnings}
            case ExecutionReceipt():
                found |= {"execution_id": receipt.id, "plan_id": receipt.plan_id}
                found |= {"status": receipt.status, "next_steps": receipt.next_steps}
            case ActionReceipt():
                found |= {"execution_id": receipt.execution_id, "state": receipt.state}
                found |= {"advice": receipt.advice, "notes": receipt.notes}
                if receipt.id != receipt.execution_id:
                    found["action_id"] = receipt.id
            case DecisionReceipt():
                found |= {"execution_id": receipt.execution_id, "status": receipt.status, "left": receipt.left}
                found |= {"owed": receipt.owed, "next_steps": receipt.next_steps}
            case _:
                found.setdefault("plan_id", receipt.id)
    return Recorded(**found)
