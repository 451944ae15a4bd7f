"""A call of an earlier design: its arguments as they were, and how they become arguments of ours."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tallystick import operations
from tallystick.core.errors import InvalidArgument, TallystickError, not_one_of
from tallystick.core.plans import Advice
from tallystick.interfaces.mcp.legacy import snake
from tallystick.interfaces.mcp.responses import Detail, McpResponse, of_record
from tallystick.interfaces.mcp.schemas import Schema, output_schema
from tallystick.interfaces.mcp.sessions import Calling
from tallystick.interfaces.mcp.tools import Tool
from tallystick.operations.executions import ExecutionView
from tallystick.operations.runtime.lookup import OPEN_STATUSES
from tallystick.operations.runtime.progress import OwedItem
from tallystick.operations.runtime.receipts import (
    ActionReceipt,
    DecisionReceipt,
    ExecutionReceipt,
    PlanReceipt,
    Receipt,
)
from tallystick.operations.views.execution import StepView

# ----------------------------------------------------------------------------------------------------------------------
# What an old call comes to: records in one commit, in the execution of a plan, and the answer to them.

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


class PlanTarget(Struct, frozen=True, kw_only=True):
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
) -> McpResponse:
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


def place_of(calling: Calling, plan_id: Any) -> PlanTarget:
    """The newest open execution of a plan, and how far its steps are; else one that is started."""
    open_now = [found for status in OPEN_STATUSES for found in _executions(calling, plan_id, status)]
    if not open_now:
        plan = calling.call(operations.CATALOGUE["get_plan"], {"plan_id": plan_id}).revisions[0]
        steps = {
            each["id"]: StepView(id=each["id"], actual="planned", after=tuple(each["after"])) for each in plan.steps
        }
        return PlanTarget(execution_id="@0", first=(("record_execution_start", {"plan_id": plan_id}),), steps=steps)
    newest = max(open_now, key=lambda execution: (execution.started, execution.id))
    return PlanTarget(execution_id=newest.id, status=newest.status, steps=steps_of(calling, newest.id))


def newest_of(calling: Calling, plan_id: Any) -> ExecutionView | None:
    """The newest execution of a plan, be it over."""
    return next(iter(_executions(calling, plan_id)), None)


def steps_of(calling: Calling, execution_id: Any) -> dict[str, StepView]:
    """How far the steps of an execution are."""
    asked = {"limit": 10_000, **({"execution_id": execution_id} if execution_id else {})}
    status = calling.call(operations.CATALOGUE["get_status"], asked)
    return {step.id: step for step in status.steps}


def made_before(calling: Calling) -> McpResponse | None:
    """The answer to a request that is sent again.

    A call is translated by how things stand, and they stand otherwise since it was first made: so it is not
    translated again, and what it recorded is found by its key.
    """
    request = calling.caller.context.principal.request
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


# ----------------------------------------------------------------------------------------------------------------------

MOST = 100
"""Items in one answer."""
DETAILS = ("concise", "detailed")
NO_REASON = "No reason was given."
_NULLABLE = ("context_value",)
"""Where null is a value, and not an argument that was left out."""
_OF_BATCH = re.compile(r"records\[[0-9]+\]: ")
_TEXT: Schema = {"type": "string"}
_WHETHER: Schema = {"type": "boolean"}
_COUNT: Schema = {"type": "integer", "minimum": 1, "maximum": MOST}
_ANY: Schema = {}
ARGUMENTS: dict[str, Schema] = {
    **dict.fromkeys(("include_step_details", "include_events", "include_logs", "include_context"), _WHETHER),
    "parameters": {"type": "object"},
    "metadata": {"type": "object"},
    "details": _ANY,
    "result": _ANY,
    "before_state": _ANY,
    "after_state": _ANY,
    "context_value": _ANY,
    "agent_confidence": {"type": "number", "minimum": 0, "maximum": 1},
    "step_number": {"type": "integer"},
    "current_step": {"type": "integer"},
    "older_than_days": {"type": "integer"},
    "dry_run": _WHETHER,
    "limit": _COUNT,
    "offset": {"type": "integer", "minimum": 0},
}
"""What the old arguments look like; all others are text."""


class Said:
    """The arguments of one call. What is taken is translated; the rest is kept."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._rest = {name: value for name, value in given.items() if value is not None or name in _NULLABLE}
        self.key: str | None = self._rest.pop("key", None)

    def __contains__(self, name: str) -> bool:
        return name in self._rest

    @property
    def rest(self) -> dict[str, Any]:
        """What nobody took."""
        return dict(self._rest)

    def take(self, name: str, default: Any = None) -> Any:
        return self._rest.pop(name, default)

    def need(self, name: str) -> Any:
        if name not in self._rest:
            raise InvalidArgument(f"{name} is missing.", hint=f"Give {name}.", field=name)
        return self._rest.pop(name)

    def need_text(self, name: str) -> str:
        value = self.need(name)
        if not isinstance(value, str) or not value:
            raise InvalidArgument(f"{name} is not text.", hint=f"Give {name} as text.", field=name)
        return value

    def word(self, name: str, allowed: Collection[str], default: str | None = None) -> str:
        """One of some words, or the error that names them."""
        value = self.need(name) if default is None else self.take(name, default)
        if not isinstance(value, str) or value not in allowed:
            raise not_one_of(str(value)[:80], name, allowed)
        return value

    def whether(self, name: str, default: bool) -> bool:
        value = self.take(name, default)
        if not isinstance(value, bool):
            raise InvalidArgument(f"{name} is not true or false.", hint="Give true or false.", field=name)
        return value

    def count(self, name: str, default: int) -> int:
        value = self.take(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MOST:
            hint = f"Give a number from 1 to {MOST}."
            raise InvalidArgument(f"{name} {str(value)[:40]} cannot be used.", hint=hint, field=name)
        return value

    def detail(self) -> Detail:
        """How much an answer tells, as with `query_ledger`."""
        return "detailed" if self.word("detail", DETAILS, "concise") == "detailed" else "concise"

    def some(self, names: Iterable[str]) -> dict[str, Any]:
        """Those of the names that were said."""
        return {name: self._rest.pop(name) for name in names if name in self._rest}

    def known(self, operation: str) -> dict[str, Any]:
        """What was said in our own words already, as an operation takes it."""
        return self.some(operations.CATALOGUE[operation].arguments.__struct_fields__)

    def nothing_else(self, takes: Iterable[str]) -> None:
        """Refuse what is left: an answer that passed over a filter would be a wrong one."""
        for name in self._rest:
            raise InvalidArgument(
                f'There is no argument "{name}".', hint=f"It takes: {', '.join(takes)}.", field=name, allowed=takes
            )


class Old(Struct, frozen=True, kw_only=True):
    """One call of an earlier design. `ours` is what we call its arguments, so that an error can name them as it did.

    `stands_for` is the current tool that it comes to: in which session a call is made hangs on that.
    """

    name: str
    description: str
    takes: tuple[str, ...]
    run: Callable[[Calling, Said], McpResponse]
    stands_for: str
    requires: tuple[str, ...] = ()
    schemas: dict[str, Schema] = {}
    within: dict[str, Collection[str]] = {}
    ours: dict[str, str] = {}
    result: type[Struct] | None = None


def tool_of(old: Old) -> Tool:
    """The call as a tool like any other."""
    schema: Schema = {
        "type": "object",
        "properties": {name: old.schemas.get(name) or ARGUMENTS.get(name, _TEXT) for name in old.takes},
    }
    if old.requires:
        schema["required"] = list(old.requires)
    return Tool(
        name=old.name,
        description=old.description,
        input_schema=schema,
        output_schema=_answered(old.result),
        reads=old.stands_for == "query_ledger",
        run=lambda calling, given: _run(old, calling, given),
        spelt=lambda given: spelt(given, old),
        stands_for=old.stands_for,
    )


def spelt(given: Mapping[str, Any], old: Old) -> dict[str, Any]:
    """The arguments in snake_case, as far as they are known: what else a caller says is left as it is."""
    found = snaked(given, old.takes)
    for name, known in old.within.items():
        items = found.get(name)
        if isinstance(items, list):
            found[name] = [snaked(item, known) if isinstance(item, dict) else item for item in items]
    return found


def also(text: Any, rest: Mapping[str, Any]) -> Any:
    """A text with what else was given behind it: what has no place of its own stays in the body all the same."""
    if not rest or not isinstance(text, str):
        return text
    given = f"Also given: {msgspec.json.encode(rest).decode()}"
    return f"{text}\n\n{given}" if text else given


def as_text(value: Any) -> Any:
    """A number that names something, as the text that it is here; anything else as it is."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def snaked(given: Mapping[str, Any], known: Collection[str]) -> dict[str, Any]:
    """The names that are known, in snake_case."""
    return {snake(name) if snake(name) in known and snake(name) not in given else name: given[name] for name in given}


def _run(old: Old, calling: Calling, given: dict[str, Any]) -> McpResponse:
    before = made_before(calling) if old.result is Recorded else None
    if before is not None:
        return before
    try:
        return old.run(calling, Said(given))
    except TallystickError as error:
        _reword(error, {ours: theirs for ours, theirs in old.ours.items() if ours not in given})
        raise


def _reword(error: TallystickError, names: Mapping[str, str]) -> None:
    """Name the field as the caller did: a hint that asks for an argument by a name it never used helps nobody."""
    error.message = _OF_BATCH.sub("", error.message, count=1)
    field = error.field or ""
    said = re.sub(r"[a-z_]+", lambda found: names.get(found[0], found[0]), field)
    if said == field:
        return
    error.field = said
    if error.message.startswith(field):
        error.message = said + error.message.removeprefix(field)
    error.hint = error.hint.replace(f"Give {field}.", f"Give {said}.")


def _answered(result: type[Struct] | None) -> Schema:
    if result is None:
        return {
            "type": "object",
            "properties": {"view": _TEXT, "notice": _TEXT, "next_cursor": _TEXT},
            "required": ["view", "notice"],
        }
    schema = output_schema(result)
    schema["properties"]["next"] = _TEXT
    return schema
