"""The table of the legacy calls, and how one of them is carried out."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from tallystick.core.errors import InvalidArgument, TallystickError
from tallystick.core.formats.json_schema import check_value
from tallystick.operations.executions import INCOMPLETE
from tallystick.sdk.legacy import steps
from tallystick.sdk.legacy.calls import WORDS, Calls
from tallystick.sdk.legacy.request import MAX_ITEMS, Answer, pairs
from tallystick.sdk.local import Caller

TABLE = """
record_plan, save_plan | pl record_plan | name!=title description=goal steps!:steps
  | Save a plan before acting: what each step depends on, whether it can be cancelled, and how to undo it.
record_execution_start | ex record_execution_start | plan_id notes | Record that an execution starts. Nothing is run.
execute_plan | ex record_execution_start | plan_id notes task_id:id plan_type=type steps:numbered reasoning
  | Start a saved plan, or steps for a task, and begin its first step. Unless the server runs it, do so yourself.
control | ex record_action | execution_id action!:control step_id:id reason=why plan_id
  | Complete or fail a step, which begins the next; start, pause, resume or cancel an execution. Nothing is run.
record_decision | de record_decision | execution_id action!=decision:decision reason!=why details:any
  | Record a decision to stop or to continue, with the reason.
record_action | ac record_action | execution_id step_id:id action_type! description
  | Record what was done: stopped fails the step, rolled_back undoes it, other is a note, any other word ends it.
record_compensation | ac record_action | execution_id step_id:id description tool parameters:object result:any
  status:compensation | Record that a step was undone, or that its undo began (status in_progress).
status | status query_ledger | execution_id include_step_details:flag include_events:flag
  | How far an execution is: its steps, what is in doubt, what is owed.
query_ledger, query_history | executions query_ledger | execution_id include_step_details:flag include_events:flag
  query_type:query status_filter=status limit:limit offset:offset | Read one execution, or a list of them.
cleanup_history | none query_ledger | older_than_days:any dry_run:flag
  | Refused: an agent deletes nothing from an audit record. It says who can erase, and how.
create_plan | plan record_execution_start | task_id:id plan_type=type steps!:numbered reasoning
  | Save a plan for a task, and start an execution of it.
update_plan | plan record_action | plan_id! current_step=step:id status:plan_status agent_reasoning=why
  | Say where a plan is: the step reached (behind the last: all are done), its status, and why.
add_log | ac record_action | plan_id! step_number=step:id action_type! description entity_id:id entity_type
  before_state:any after_state:any agent_confidence:share error_message | Log what is done on a plan: start_step before
  a step, complete_step after it (with error_message when it failed), or any other type as a note.
set_context | cx record_context | task_id:id plan_id context_type=type context_key! context_value!:any metadata:object
  | Remember a value for a task. The newest wins, old values stay in history.
query_context, get_context | context query_ledger | task_id:id plan_id context_type=type context_key query=text
  | Read what is remembered for a task: one value by its key, or all, by type or words.
get_plan | plan query_ledger | plan_id! include_logs:flag include_context:flag | Read a plan and how far it is.
query_plans | plans query_ledger | task_id:id status:plan_status plan_type=type limit:limit | List plans.
query_logs | logs query_ledger | plan_id task_id:id action_type start_date=since end_date=until limit:limit
  | List what was logged, the newest first, by plan, task, type or time.
"""
"""Of each call: its names, the last of which is its method's; the prefix of its answer's `id` (`plan`: the whole plan)
or the view of a read; the tool that decides its session; its parameters, as `name!=current:type` with ! if required."""
_OF_ACTIONS = pairs(
    "step_id=step description=summary parameters=arguments before_state=before after_state=after error_message=error "
    "agent_confidence=confidence"
)
"""Arguments of all calls that record actions or decisions, and their current names."""
Schema = dict[str, Any]
TYPES: dict[str, Schema] = {
    **{name: {"type": type} for name, type in pairs("text=string flag=boolean object=object").items()},
    "id": {"type": ["string", "integer"]},
    "any": {},
    "share": {"type": "number", "minimum": 0, "maximum": 1},
    "limit": {"type": "integer", "minimum": 1, "maximum": MAX_ITEMS},
    "offset": {"type": "integer", "minimum": 0, "maximum": MAX_ITEMS - 1},
    "steps": {"type": "array", "description": steps.DESCRIPTION},
    "numbered": {"type": "array", "description": steps.NUMBERED_DESCRIPTION},
    "decision": {"enum": ["stop", "continue"]},
    **{name: {"enum": [*words]} for name, words in WORDS.items()},
}
_PARAMETER = re.compile(r"(\w+)(!?)(?:=(\w+))?(?::(\w+))?")


class Call(Struct, frozen=True):
    """A row of the table. `parameters` has their types, `names` the current names of those that have another."""

    name: str
    function: str
    main: str
    current_name: str
    parameters: dict[str, str]
    required: list[str]
    names: dict[str, str]
    description: str

    @property
    def is_read(self) -> bool:
        return self.current_name == "query_ledger"

    @property
    def schema(self) -> Schema:
        """The JSON Schema of its arguments."""
        own = {name: TYPES[type] for name, type in self.parameters.items()}
        return {"type": "object", "properties": own, **({"required": self.required} if self.required else {})}

    def normalize(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments by their current names, or in snake_case; not those that are null. Numbers as ids are text."""
        given = steps.to_snake_case(arguments, (*self.parameters, "limit", "cursor", "session_id"))
        given = {name: value for name, value in given.items() if value is not None or name == "context_value"}
        names = {name: ours for name, ours in self.names.items() if ours not in given}
        ids = [name for name, value in given.items() if self.parameters.get(name) == "id" and type(value) is int]
        return {names.get(name, name): str(value) if name in ids else value for name, value in given.items()}

    def carry_out(self, caller: Caller, arguments: Mapping[str, Any], request: str = "", limit: int = 20) -> Answer:
        """Carry out the call; a read returns at most `limit` items. Errors name its arguments as its design does."""
        try:
            self._check(arguments)
            call = Calls(caller, arguments, "pl" if self.main == "plan" else self.main, request)
            run: Callable[..., Answer] = getattr(call, self.function)
            if self.is_read:
                return run(limit)
            answer = call.find_earlier() or run()
            answer.setdefault("plan_id", arguments.get("plan_id", ""))
            is_plan = self.main == "plan" or (self.name == "execute_plan" and "steps" in arguments)
            return call.with_plan(answer) if is_plan else answer
        except TallystickError as error:
            self._rename(error, arguments)
            raise

    def _check(self, arguments: Mapping[str, Any]) -> None:
        types = {self.names.get(name, name): type for name, type in self.parameters.items()}
        types |= {"limit": "limit", "cursor": "text"}
        for name, value in arguments.items():
            if name not in types and self.is_read:  # a read that ignored a filter would be wrong
                allowed = (*self.parameters, "limit", "cursor")
                hint = f"It takes: {', '.join(allowed)}."
                raise InvalidArgument(f'There is no argument "{name}".', hint=hint, field=name, allowed=allowed)
            if types.get(name, "steps") not in ("steps", "numbered", "decision"):  # the operation checks those
                check_value(value, TYPES[types[name]], name)
        for name in self.required:
            if arguments.get(self.names.get(name, name), "") == "":
                raise InvalidArgument(f"{name} is missing.", hint=f"Give {name}.", field=name)

    def _rename(self, error: TallystickError, arguments: Mapping[str, Any]) -> None:
        field, names = error.field or "", {ours: name for name, ours in self.names.items() if name in self.parameters}
        if field.startswith("steps"):
            names = steps.legacy_names(self.parameters.get("steps", ""), arguments.get("steps"))
        if field == "incomplete" and self.name == "update_plan":
            field, error.hint = "why", error.hint.replace(INCOMPLETE, f"say in {names['why']} why it may end so")
        error.message = re.sub(r"^records\[[0-9]+\]: ", "", error.message)
        legacy = re.sub(r"[a-z_]+", lambda word: names.get(word[0], word[0]), field)
        error.field = legacy.replace("status_filter[0]", "status_filter") or None
        if error.field and error.message.startswith(field):
            error.message = error.field + error.message.removeprefix(field)
        error.hint = error.hint.replace(f"Give {field}.", f"Give {error.field}.")


def _calls() -> Iterator[Call]:
    for row in re.split(r"\n(?=\w)", TABLE.strip()):
        names, call, columns, description = (" ".join(part.split()) for part in row.split("|"))
        main, tool = call.split()
        parsed = _PARAMETER.findall(columns)
        types = {name: type or "text" for name, _, _, type in parsed}
        required = [name for name, mark, _, _ in parsed if mark]
        current = _OF_ACTIONS if tool in ("record_action", "record_decision") else {}
        current = {**current, **{name: ours for name, _, ours, _ in parsed if ours}}
        for name in names.split(", "):
            yield Call(name, names.split(", ")[-1], main, tool, types, required, current, description)


CALLS = {call.name: call for call in _calls()}
