"""Translates calls of the earlier designs into operations: their arguments, their records and their responses."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tallystick import operations
from tallystick.core.errors import InvalidArgument, TallystickError, not_one_of
from tallystick.core.plans import Advice
from tallystick.interfaces.mcp.legacy import to_snake
from tallystick.interfaces.mcp.responses import Detail, McpResponse, record_response
from tallystick.interfaces.mcp.schemas import Schema, output_schema
from tallystick.interfaces.mcp.sessions import RequestCaller
from tallystick.interfaces.mcp.tools import Tool
from tallystick.operations.executions import ExecutionView
from tallystick.operations.runtime.lookup import OPEN_STATUSES
from tallystick.operations.runtime.progress import UndoListItem
from tallystick.operations.runtime.receipts import (
    ActionReceipt,
    DecisionReceipt,
    ExecutionReceipt,
    PlanReceipt,
    Receipt,
)
from tallystick.operations.views.execution_status import StepView

# ----------------------------------------------------------------------------------------------------------------------
# Records in one commit, and the response to them

RecordCall = tuple[str, dict[str, Any]]
"""The name of an operation, and its arguments."""
ENTRIES_SEARCHED = 100
"""How many of the newest entries are searched for those of a request that is sent again."""


class Recorded(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The result of a legacy call, with the handles that later calls need. `seq` is that of the last entry."""

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
    owed: tuple[UndoListItem, ...] = ()
    unfinished: dict[str, int] = {}
    notes: tuple[str, ...] = ()
    repeated: bool = False


class PlanTarget(Struct, frozen=True, kw_only=True):
    """The execution in which a call about a plan is recorded, and its steps.

    If no execution of the plan is open, `first` starts one, and `execution_id` refers to its receipt.
    """

    execution_id: str
    status: str = "running"
    first: tuple[RecordCall, ...] = ()
    steps: dict[str, StepView] = {}


def record_all(
    caller: RequestCaller,
    records: Sequence[RecordCall],
    key: str | None,
    next_call: Callable[[Recorded], str] = lambda recorded: "",
    notes: tuple[str, ...] = (),
) -> McpResponse:
    """Make the records in one commit. The response has their handles, and the call that usually comes next."""
    recorded = _summarize(make_records(caller, records, key))
    return record_response(replace(recorded, notes=(*recorded.notes, *notes)), next_call(recorded))


def make_records(caller: RequestCaller, records: Sequence[RecordCall], key: str | None) -> Sequence[Receipt]:
    """Make the records in one commit, all or none."""
    batch: dict[str, Any] = {
        "records": [{"operation": name, "arguments": without_none(arguments)} for name, arguments in records]
    }
    if key:
        batch["key"] = key
    receipts: Sequence[Receipt] = caller.call(operations.CATALOGUE["record_batch"], batch).receipts
    return receipts


def without_none(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments that are not None."""
    return {name: value for name, value in arguments.items() if value is not None}


def find_target(caller: RequestCaller, plan_id: Any) -> PlanTarget:
    """The newest open execution of a plan; else one that is yet to be started."""
    open_executions = [each for status in OPEN_STATUSES for each in _executions(caller, plan_id, status)]
    if not open_executions:
        plan = caller.call(operations.CATALOGUE["get_plan"], {"plan_id": plan_id}).revisions[0]
        steps = {
            each["id"]: StepView(id=each["id"], actual="planned", after=tuple(each["after"])) for each in plan.steps
        }
        return PlanTarget(execution_id="@0", first=(("record_execution_start", {"plan_id": plan_id}),), steps=steps)
    newest = max(open_executions, key=lambda execution: (execution.started, execution.id))
    return PlanTarget(execution_id=newest.id, status=newest.status, steps=read_steps(caller, newest.id))


def newest_execution(caller: RequestCaller, plan_id: Any) -> ExecutionView | None:
    """The newest execution of a plan, open or not."""
    return next(iter(_executions(caller, plan_id)), None)


def read_steps(caller: RequestCaller, execution_id: Any) -> dict[str, StepView]:
    """The steps of an execution, by id."""
    arguments = {"limit": 10_000, **({"execution_id": execution_id} if execution_id else {})}
    status = caller.call(operations.CATALOGUE["get_status"], arguments)
    return {step.id: step for step in status.steps}


def _executions(caller: RequestCaller, plan_id: Any, status: str | None = None) -> tuple[ExecutionView, ...]:
    arguments = {"plan_id": plan_id, "limit": 1, **({"status": [status]} if status else {})}
    executions: tuple[ExecutionView, ...] = caller.call(operations.CATALOGUE["list_executions"], arguments).executions
    return executions


def find_earlier_response(caller: RequestCaller) -> McpResponse | None:
    """The response to a request that is sent again; None if it is new.

    The translation depends on the state of the execution, which the first call has changed. So a repeated request is
    not translated again: its records are found by their key.
    """
    request = caller.local.context.principal.request
    if not request:
        return None
    entries = caller.call(
        operations.CATALOGUE["read_entries"], {"newest_first": True, "limit": ENTRIES_SEARCHED}
    ).entries
    own = [entry for entry in entries if entry.key == request or entry.key.startswith(f"{request}#")]
    if not own:
        return None
    ids = {entry.id[:2]: entry.id for entry in reversed(own)}
    recorded = Recorded(
        seq=own[0].seq,
        plan_id=ids.get("pl", ""),
        execution_id=own[0].execution_id or ids.get("ex", ""),
        action_id=ids.get("ac", ""),
        repeated=True,
    )
    return record_response(recorded, "")


def _summarize(receipts: Sequence[Receipt]) -> Recorded:
    """One summary of the receipts of a batch."""
    fields: dict[str, Any] = {"seq": receipts[-1].seq, "repeated": all(each.repeated for each in receipts)}
    for receipt in receipts:
        match receipt:
            case PlanReceipt():
                fields |= {"plan_id": receipt.id, "steps": receipt.steps, "warnings": receipt.warnings}
            case ExecutionReceipt():
                fields |= {"execution_id": receipt.id, "plan_id": receipt.plan_id}
                fields |= {"status": receipt.status, "next_steps": receipt.next_steps}
            case ActionReceipt():
                fields |= {"execution_id": receipt.execution_id, "state": receipt.state}
                fields |= {"advice": receipt.advice, "notes": receipt.notes}
                if receipt.id != receipt.execution_id:
                    fields["action_id"] = receipt.id
            case DecisionReceipt():
                fields |= {"execution_id": receipt.execution_id, "status": receipt.status}
                fields |= {"owed": receipt.owed, "next_steps": receipt.next_steps, "unfinished": receipt.unfinished}
            case _:
                fields.setdefault("plan_id", receipt.id)
    return Recorded(**fields)


# ----------------------------------------------------------------------------------------------------------------------
# Arguments

MAX_ITEMS = 100
"""Items in one response."""
DETAILS = ("concise", "detailed")
NO_REASON = "No reason was given."
_NULL_IS_A_VALUE = ("context_value",)
"""Arguments for which null is a value. For the others it means that the argument is omitted."""
_TEXT: Schema = {"type": "string"}
_BOOLEAN: Schema = {"type": "boolean"}
_ANY: Schema = {}
PARAMETER_SCHEMAS: dict[str, Schema] = {
    **dict.fromkeys(("include_step_details", "include_events", "include_logs", "include_context"), _BOOLEAN),
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
    "dry_run": _BOOLEAN,
    "limit": {"type": "integer", "minimum": 1, "maximum": MAX_ITEMS},
    "offset": {"type": "integer", "minimum": 0},
}
"""The schemas of legacy parameters that are not text."""


class LegacyArguments:
    """The arguments of one call. Those that are taken are translated; the rest is recorded as it is."""

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        self._rest = {name: value for name, value in arguments.items() if value is not None or name in _NULL_IS_A_VALUE}
        self.key: str | None = self._rest.pop("key", None)

    def __contains__(self, name: str) -> bool:
        return name in self._rest

    @property
    def rest(self) -> dict[str, Any]:
        """The arguments that have not been taken."""
        return dict(self._rest)

    def take(self, name: str, default: Any = None) -> Any:
        return self._rest.pop(name, default)

    def require(self, name: str) -> Any:
        if name not in self._rest:
            raise InvalidArgument(f"{name} is missing.", hint=f"Give {name}.", field=name)
        return self._rest.pop(name)

    def require_text(self, name: str) -> str:
        value = self.require(name)
        if not isinstance(value, str) or not value:
            raise InvalidArgument(f"{name} is not text.", hint=f"Give {name} as text.", field=name)
        return value

    def take_word(self, name: str, allowed: Collection[str], default: str | None = None) -> str:
        """One of the allowed words. The argument is required if there is no default."""
        value = self.require(name) if default is None else self.take(name, default)
        if not isinstance(value, str) or value not in allowed:
            raise not_one_of(str(value)[:80], name, allowed)
        return value

    def take_bool(self, name: str, default: bool) -> bool:
        value = self.take(name, default)
        if not isinstance(value, bool):
            raise InvalidArgument(f"{name} is not true or false.", hint="Give true or false.", field=name)
        return value

    def take_count(self, name: str, default: int) -> int:
        value = self.take(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MAX_ITEMS:
            hint = f"Give a number from 1 to {MAX_ITEMS}."
            raise InvalidArgument(f"{name} {str(value)[:40]} cannot be used.", hint=hint, field=name)
        return value

    def take_detail(self) -> Detail:
        """The detail of a response, as for `query_ledger`."""
        return "detailed" if self.take_word("detail", DETAILS, "concise") == "detailed" else "concise"

    def take_any(self, names: Iterable[str]) -> dict[str, Any]:
        """Those of the named arguments that were given."""
        return {name: self._rest.pop(name) for name in names if name in self._rest}

    def take_known(self, operation: str) -> dict[str, Any]:
        """The arguments that an operation takes by the same name."""
        return self.take_any(operations.CATALOGUE[operation].arguments.__struct_fields__)

    def reject_rest(self, allowed: Iterable[str]) -> None:
        """Raise an error if an argument is left: a response that ignored a filter would be wrong."""
        for name in self._rest:
            raise InvalidArgument(
                f'There is no argument "{name}".', hint=f"It takes: {', '.join(allowed)}.", field=name, allowed=allowed
            )


def append_extra(text: Any, extra: Mapping[str, Any]) -> Any:
    """The text with the extra arguments after it, so that arguments without a field of their own are recorded too."""
    if not extra or not isinstance(text, str):
        return text
    extra_text = f"Also given: {msgspec.json.encode(extra).decode()}"
    return f"{text}\n\n{extra_text}" if text else extra_text


def as_text(value: Any) -> Any:
    """A number that is used as a name, as text; any other value as it is."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def to_snake_case(arguments: Mapping[str, Any], known: Collection[str]) -> dict[str, Any]:
    """The arguments with the known names in snake_case; other names stay as they are."""
    return {
        to_snake(name) if to_snake(name) in known and to_snake(name) not in arguments else name: value
        for name, value in arguments.items()
    }


# ----------------------------------------------------------------------------------------------------------------------
# Tools

_BATCH_PREFIX = re.compile(r"records\[[0-9]+\]: ")


class LegacyCall(Struct, frozen=True, kw_only=True):
    """One call of an earlier design.

    `current_name` is the current tool that it corresponds to, which decides the session of the call. `renamed` maps
    current names of arguments to the legacy names, so that errors use the names that the caller knows.
    """

    name: str
    description: str
    parameters: tuple[str, ...]
    run: Callable[[RequestCaller, LegacyArguments], McpResponse]
    current_name: str
    required: tuple[str, ...] = ()
    schemas: dict[str, Schema] = {}
    nested: dict[str, Collection[str]] = {}
    renamed: dict[str, str] = {}
    result: type[Struct] | None = None


def make_tool(call: LegacyCall) -> Tool:
    """The tool for a legacy call."""
    schema: Schema = {
        "type": "object",
        "properties": {name: call.schemas.get(name) or PARAMETER_SCHEMAS.get(name, _TEXT) for name in call.parameters},
    }
    if call.required:
        schema["required"] = list(call.required)
    return Tool(
        name=call.name,
        description=call.description,
        input_schema=schema,
        output_schema=_result_schema(call.result),
        is_read_only=call.current_name == "query_ledger",
        run=lambda caller, arguments: _run(call, caller, arguments),
        normalize=lambda arguments: _normalize(arguments, call),
        current_name=call.current_name,
    )


def _normalize(arguments: Mapping[str, Any], call: LegacyCall) -> dict[str, Any]:
    """The arguments with all known names in snake_case, also inside lists of objects."""
    normalized = to_snake_case(arguments, call.parameters)
    for name, known in call.nested.items():
        items = normalized.get(name)
        if isinstance(items, list):
            normalized[name] = [to_snake_case(item, known) if isinstance(item, dict) else item for item in items]
    return normalized


def _run(call: LegacyCall, caller: RequestCaller, arguments: dict[str, Any]) -> McpResponse:
    earlier = find_earlier_response(caller) if call.result is Recorded else None
    if earlier is not None:
        return earlier
    try:
        return call.run(caller, LegacyArguments(arguments))
    except TallystickError as error:
        _rename_field(error, {ours: theirs for ours, theirs in call.renamed.items() if ours not in arguments})
        raise


def _rename_field(error: TallystickError, names: Mapping[str, str]) -> None:
    """Use the caller's name of the field in an error: a hint with a name that it never used would not help."""
    error.message = _BATCH_PREFIX.sub("", error.message, count=1)
    field = error.field or ""
    renamed = re.sub(r"[a-z_]+", lambda match: names.get(match[0], match[0]), field)
    if renamed == field:
        return
    error.field = renamed
    if error.message.startswith(field):
        error.message = renamed + error.message.removeprefix(field)
    error.hint = error.hint.replace(f"Give {field}.", f"Give {renamed}.")


def _result_schema(result: type[Struct] | None) -> Schema:
    if result is None:
        return {
            "type": "object",
            "properties": {"view": _TEXT, "notice": _TEXT, "next_cursor": _TEXT},
            "required": ["view", "notice"],
        }
    schema = output_schema(result)
    schema["properties"]["next"] = _TEXT
    return schema
