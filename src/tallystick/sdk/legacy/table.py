"""The table of the legacy calls, and how one of them is carried out."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from tallystick.core.errors import InvalidArgument, TallystickError
from tallystick.core.formats.json_schema import check_value
from tallystick.sdk.legacy import reading, recording
from tallystick.sdk.legacy.request import MAX_ITEMS, Reply, Request, pairs, words
from tallystick.sdk.legacy.steps import to_snake_case
from tallystick.sdk.local import Caller

TABLE = """
record_plan, save_plan | save_plan pl record_plan | name! description steps! | Save a plan before acting: for each
  step what it depends on, whether it can be cancelled, and how to undo it.
record_execution_start | record_execution_start ex record_execution_start | plan_id notes | Record that an execution
  of a plan starts. Nothing is run.
execute_plan | execute_plan ex record_execution_start | plan_id notes task_id plan_type steps reasoning | Start a
  saved plan, or steps for a task, and begin its first step. Nothing is run: carry it out yourself.
control | control ex record_action | execution_id action! step_id reason plan_id | Complete or fail a step, which
  begins the next; start, pause, resume or cancel an execution. Nothing is run.
record_decision | record_decision de record_decision | execution_id action! reason! details | Record a decision to
  stop or to continue, with the reason.
record_action | record_action ac record_action | execution_id step_id action_type! description | Record what was done
  about a step: stopped fails it, rolled_back or cleaned_up undoes it, notified or other is a note, any other word
  ends it as done.
record_compensation | record_compensation ac record_action | execution_id step_id description tool parameters result
  status | Record that a step was undone, or that its undo began (status in_progress).
status | status status query_ledger | execution_id include_step_details include_events | How far an execution is: its
  steps, what is in doubt, what is owed.
query_ledger, query_history | query_history executions query_ledger | execution_id include_step_details include_events
  query_type status_filter limit offset | Read the journal: one execution, or a list of executions, plans or events.
cleanup_history | cleanup_history none query_ledger | older_than_days dry_run | Refused: an agent deletes nothing from
  an audit record. It says who can erase, and how.
create_plan | create_plan plan record_execution_start | task_id plan_type steps! reasoning | Save a plan for a task,
  and start an execution of it.
update_plan | update_plan plan record_action | plan_id! current_step status agent_reasoning | Say where a plan is: the
  step reached (behind the last: all are done), its status, and why.
add_log | add_log ac record_action | plan_id! step_number action_type! description entity_id entity_type before_state
  after_state agent_confidence error_message | Log what is done on a plan: start_step before a step, complete_step
  after it (with error_message when it failed), or any other type as a note.
set_context | set_context cx record_context | task_id plan_id context_type context_key! context_value! metadata |
  Remember a value for a task. The newest wins, old values stay in history.
get_context, query_context | get_context context query_ledger | task_id plan_id context_type context_key query | Read
  what is remembered for a task: one value by its key, or all, by type or words.
get_plan | get_plan plan query_ledger | plan_id! include_logs include_context | Read a plan and how far it is, with
  its logs and context if wanted.
query_plans | query_plans plans query_ledger | task_id status plan_type limit | List plans, by task, status or type.
query_logs | query_logs logs query_ledger | plan_id task_id action_type start_date end_date limit | List what was
  logged, the newest first, by plan, task, type or time.
"""
"""Of each call: its names; the function; the prefix of the handle that is its answer's `id`, `plan` for the whole plan,
or the view of a read; the current tool that decides its session; its parameters; its description."""
Schema = dict[str, Any]
_TEXT: Schema = {"type": "string"}
_STEPS = (
    "[{id, name, tool, parameters, cancellable: reversible | partially-reversible | irreversible, depends_on, "
    "compensation: words or {tool, parameters}, failure_policy: {action: cancel_all | cancel_dependent | "
    "continue_others | manual_decision, propagate_to, reason}}]"
)
_NUMBERED = "[{step, action, description, estimated_duration in minutes}]"


def _typed(type: Any, names: str, **more: Any) -> dict[str, Schema]:
    return {name: {"type": type, **more} for name in words(names)}


SCHEMAS: dict[str, Schema] = {
    **_typed("boolean", "include_step_details include_events include_logs include_context dry_run"),
    **_typed(["string", "integer"], "step_id step_number current_step task_id entity_id"),
    **_typed("object", "parameters metadata"),
    **{name: {} for name in words("details result before_state after_state context_value older_than_days")},
    **_typed("number", "agent_confidence", minimum=0, maximum=1),
    **_typed("integer", "limit", minimum=1, maximum=MAX_ITEMS),
    **_typed("integer", "offset", minimum=0, maximum=MAX_ITEMS - 1),
    **{f"{name}.steps": {"type": "array", "description": _STEPS} for name in ("record_plan", "save_plan")},
    **{f"{name}.steps": {"type": "array", "description": _NUMBERED} for name in ("create_plan", "execute_plan")},
    **{f"{name}.status": {"enum": [*recording.DECISIONS]} for name in ("update_plan", "query_plans")},
    "control.action": {"enum": ["start", "complete_step", "fail_step", *recording.CONTROLS]},
    "record_decision.action": {"enum": ["stop", "continue"]},
    "record_compensation.status": {"enum": [*recording.COMPENSATIONS]},
    "query_type": {"enum": [*reading.VIEWS]},
}
"""The schemas of parameters that are not text, some for one call only."""
_LEGACY_NAMES = {
    name: legacy.split("|")
    for name, legacy in pairs(
        "title=name|action goal=description arguments=parameters undo=compensation after=depends_on|after_state "
        "why=reason|agent_reasoning reason=agent_reasoning decision=action step=step_id|step_number|current_step "
        "summary=description status=status_filter type=plan_type|context_type estimate=estimated_duration "
        "confidence=agent_confidence before=before_state error=error_message key=context_key value=context_value "
        "text=query tool=action_type since=start_date until=end_date"
    ).items()
}
"""The names that a caller of a legacy call knows, by the current name that an error has."""


class Call(Struct, frozen=True):
    """A row of the table."""

    name: str
    run: Callable[..., Any]
    main: str
    current_name: str
    parameters: tuple[str, ...]
    required: tuple[str, ...]
    description: str

    @property
    def is_read(self) -> bool:
        return self.current_name == "query_ledger"

    @property
    def schema(self) -> Schema:
        """The JSON Schema of its arguments."""
        own = {name: SCHEMAS.get(f"{self.name}.{name}") or SCHEMAS.get(name, _TEXT) for name in self.parameters}
        return {"type": "object", "properties": own, **({"required": [*self.required]} if self.required else {})}

    def normalize(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments with their names in snake_case, without those that are null."""
        given = to_snake_case(arguments, (*self.parameters, "limit", "cursor", "session_id"))
        return {name: value for name, value in given.items() if value is not None or name == "context_value"}

    def carry_out(self, caller: Caller, arguments: Mapping[str, Any], request: str = "", limit: int = 20) -> Reply:
        """Carry out the call; a read returns at most `limit` items. Errors name its arguments as the caller did."""
        try:
            self._check(arguments)
            call, main = Request(caller, arguments, request), "pl" if self.main == "plan" else self.main
            if self.is_read:
                return Reply(self.run(call, limit))
            earlier = call.find_earlier(main)
            reply: Reply = self.run(call) if earlier is None else Reply(earlier)
            reply.answer.setdefault("plan_id", arguments.get("plan_id", ""))
            is_plan = self.main == "plan" or (self.name == "execute_plan" and "steps" in arguments)
            return Reply(reading.with_plan(call, reply.answer), reply.next_call) if is_plan else reply
        except TallystickError as error:
            self._rename(error, arguments)
            raise

    def _check(self, arguments: Mapping[str, Any]) -> None:
        schemas = {**self.schema["properties"], "limit": SCHEMAS["limit"], "cursor": _TEXT}
        for name, value in arguments.items():
            if name in schemas and name != "steps":
                check_value(value, schemas[name], name)
            elif name not in schemas and self.is_read:  # a read that ignored a filter would be wrong
                hint = f"It takes: {', '.join(schemas)}."
                raise InvalidArgument(f'There is no argument "{name}".', hint=hint, field=name, allowed=schemas)
        for name in self.required:
            is_given = name in arguments or any(name in _LEGACY_NAMES.get(each, ()) for each in arguments)
            if not is_given or arguments.get(name) == "":
                raise InvalidArgument(f"{name} is missing.", hint=f"Give {name}.", field=name)

    def _rename(self, error: TallystickError, arguments: Mapping[str, Any]) -> None:
        known = (*self.parameters, *re.findall(r"\w+", str(self.schema["properties"].get("steps"))))

        def legacy(match: re.Match[str]) -> str:
            names = _LEGACY_NAMES.get(match[0], ()) if match[0] not in arguments else ()
            return next((name for name in names if name in known), match[0])

        error.message = re.sub(r"^records\[[0-9]+\]: ", "", error.message)
        field = error.field or ""
        error.field = re.sub(r"[a-z_]+", legacy, field).replace("status_filter[0]", "status_filter") or None
        if error.field and error.message.startswith(field):
            error.message = error.field + error.message.removeprefix(field)
        error.hint = error.hint.replace(f"Give {field}.", f"Give {error.field}.")


def _calls() -> dict[str, Call]:
    calls: dict[str, Call] = {}
    for row in re.split(r"\n(?=\w)", TABLE.strip()):
        names, call, parameters, description = (" ".join(words(part)) for part in row.split("|"))
        function, main, current = words(call)
        run = getattr(recording, function, None) or getattr(reading, function)
        all_names = tuple(word.rstrip("!") for word in words(parameters))
        required = tuple(word[:-1] for word in words(parameters) if word.endswith("!"))
        for name in names.split(", "):
            calls[name] = Call(name, run, main, current, all_names, required, description)
    return calls


CALLS = _calls()
