"""One call of an earlier design: its arguments, what it reads of the journal, and the records that it makes at once."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from tallystick import operations
from tallystick.core.errors import Refused
from tallystick.operations.runtime.lookup import OPEN_STATUSES
from tallystick.operations.runtime.receipts import Receipt
from tallystick.operations.views.execution_status import StepView
from tallystick.sdk.local import Caller

MAX_ITEMS = 100
ENTRIES_SEARCHED = 100
"""How many of the newest entries are searched for those of a request that is sent again."""


def words(text: str) -> list[str]:
    return text.split()


def pairs(text: str) -> dict[str, str]:
    """`a=b c=d` as a mapping."""
    return dict(pair.split("=") for pair in words(text))


ACTION_ARGUMENTS = pairs(
    "description=summary parameters=arguments before_state=before after_state=after error_message=error "
    "agent_confidence=confidence"
)
"""The arguments of actions in the earlier designs, and their current names."""
_BEGIN = "tool arguments cancellable undo undo_until effect again approval_id entity_type entity_id summary before"
_TAKEN = {
    "begin": words(f"{_BEGIN} confidence"),
    "end": words("summary result error before after confidence evidence without_effect duration"),
    "note": words("summary tool arguments error before after confidence entity_type entity_id"),
}
"""The fields that each phase stores. All others are stored as data in one of them."""
_DATA = {"begin": "arguments", "end": "result", "note": "arguments"}
_COPIED = words("status steps warnings revision next_steps state advice owed unfinished version")
"""Fields of receipts that an answer has too."""


class Answer(dict[str, Any]):
    """An answer, whose fields are attributes too."""

    def __getattr__(self, name: str) -> Any:
        if name not in self:
            raise AttributeError(name)
        return self[name]


class Reply(Struct, frozen=True):
    """The answer to a record, and the call that usually comes next."""

    answer: Answer
    next_call: str = ""


class Target(Struct, frozen=True):
    """The execution that a call is about, and its steps."""

    execution_id: str
    status: str
    steps: dict[str, StepView]

    def open_steps(self) -> list[StepView]:
        return [step for step in self.steps.values() if step.actual in ("running", "in_doubt")]

    def steps_left(self, done: Collection[str] = ()) -> list[StepView]:
        """The steps that are neither done nor skipped, once `done` are done."""
        return [each for each in self.steps.values() if each.actual not in ("done", "skipped") and each.id not in done]

    def ready_steps(self, done: Collection[str] = ()) -> list[StepView]:
        """The steps that were not begun and may begin, once `done` are done."""
        waiting = {step.id for step in self.steps_left(done)}
        return [each for each in self.steps_left(done) if each.actual == "planned" and waiting.isdisjoint(each.after)]


class Request:
    """One legacy call. Arguments that are taken are translated; the rest is recorded as it is."""

    def __init__(self, caller: Caller, arguments: Mapping[str, Any], request: str = "") -> None:
        self.rest = dict(arguments)
        self.key = self.rest.pop("key", None)
        self.records: list[tuple[str, dict[str, Any]]] = []
        self._caller = caller
        self._request = request
        self._first_optional = 0

    def take(self, name: str, default: Any = None) -> Any:
        return self.rest.pop(name, default)

    def id(self, name: str) -> Any:
        """An argument that is a name, as text."""
        value = self.take(name)
        return str(value) if isinstance(value, int) else value

    def known(self, operation: str) -> dict[str, Any]:
        """The arguments that an operation takes by the same name."""
        fields = operations.CATALOGUE[operation].arguments.__struct_fields__
        return {name: self.rest.pop(name) for name in fields if name in self.rest}

    def action(self) -> dict[str, Any]:
        """All arguments that are left, with those of an action by their current names."""
        given = {ACTION_ARGUMENTS.get(name, name): value for name, value in self.rest.items()}
        return given | ({"entity_id": str(given["entity_id"])} if "entity_id" in given else {})

    def with_rest(self, text: Any, **more: Any) -> Any:
        """The text with all arguments that are left after it: what has no field of its own is recorded too."""
        extra = {**self.rest, **{name: value for name, value in more.items() if value}}
        if not extra or not isinstance(text, str):
            return text
        written = f"Also given: {msgspec.json.encode(extra).decode()}"
        return f"{text}\n\n{written}" if text else written

    def ask(self, operation: str, /, **arguments: Any) -> Any:
        return self._caller.call(operations.CATALOGUE[operation], _without_none(arguments))

    def steps_of(self, execution_id: Any) -> Target:
        status = self.ask("get_status", execution_id=execution_id or None, limit=10_000)
        return Target(status.execution.id, status.execution.status, {step.id: step for step in status.steps})

    def newest_execution(self, plan_id: Any, *statuses: str) -> Any:
        found = self.ask("list_executions", plan_id=plan_id, status=list(statuses), limit=1).executions
        return found[0] if found else None

    def target(self, plan_id: Any, *, or_ended: bool = False) -> Target:
        """The newest open execution of a plan; else, if wanted, one that has ended; else the call starts one."""
        found = self.newest_execution(plan_id, *OPEN_STATUSES)
        found = found or (self.newest_execution(plan_id) if or_ended else None)
        return self.steps_of(found.id) if found else self.start(plan_id)

    def start(self, plan_id: Any, **arguments: Any) -> Target:
        steps = self.ask("get_plan", plan_id=plan_id).revisions[0].steps
        planned = {each["id"]: StepView(id=each["id"], actual="planned", after=tuple(each["after"])) for each in steps}
        return Target(self.add("record_execution_start", plan_id=plan_id, **arguments), "running", planned)

    def add(self, operation: str, /, **arguments: Any) -> str:
        """Add a record to the batch; returns the reference to its id."""
        self.records.append((operation, _without_none(arguments)))
        return f"@{len(self.records) - 1}"

    def decide(self, target: Target, decision: str, why: Any, step: Any = None) -> None:
        self.add("record_decision", execution_id=target.execution_id, decision=decision, why=why, step=step)

    def act(self, phase: str, given: Mapping[str, Any], **ids: Any) -> str:
        """Add one phase of an action."""
        taken = {name: value for name, value in given.items() if name in _TAKEN[phase]}
        rest = {name: value for name, value in given.items() if name not in taken}
        if rest:
            data = taken.get(_DATA[phase])
            taken[_DATA[phase]] = {**(data if isinstance(data, dict) else {}), **rest}
        return self.add("record_action", phase=phase, **ids, **taken)

    def begin(self, target: Target, step: Any, given: Mapping[str, Any]) -> str:
        title = target.steps[step].title if step in target.steps else ""
        return self.act("begin", {"summary": title or None, **given}, execution_id=target.execution_id, step=step)

    def finish(self, target: Target, step: Any, outcome: str, given: Mapping[str, Any]) -> None:
        """End a step, with its begin before it if it is not under way. Without a step, it is an unplanned action."""
        view = target.steps.get(step)
        if view and view in target.open_steps():
            self.act("end", given, action_id=view.action_id, outcome=outcome)
            return
        first = {name: value for name, value in given.items() if name in _TAKEN["begin"]}
        last = {name: value for name, value in given.items() if name not in first or name == "confidence"}
        self.act("end", last, action_id=self.begin(target, step, first), outcome=outcome)

    def optional_from_here(self) -> None:
        """The record that follows is left out if a rule refuses it; a note says why."""
        self._first_optional = len(self.records)

    def record(self, main: str, **fields: Any) -> Answer:
        """Make the records in one commit. `main` is the prefix of the handle that the answer has as its `id`."""
        notes = fields.pop("notes", ())
        try:
            receipts = self._make(self.records)
        except Refused as error:
            if not self._first_optional or not error.message.startswith(f"records[{self._first_optional}]: "):
                raise
            receipts = self._make(self.records[: self._first_optional])
            notes = (*notes, f"Not begun: {error.message.partition(': ')[2]} {error.hint}")
        ids: dict[str, str] = {}
        copied: dict[str, Any] = {}
        for receipt in receipts:
            values: dict[str, Any] = msgspec.to_builtins(receipt)
            ids |= {id[:2]: id for id in (values.get("plan_id"), values.get("execution_id"), receipt.id) if id}
            copied |= {name: values[name] for name in _COPIED if values.get(name)}
            notes = (*values.get("notes", ()), *notes)
        is_repeated = all(each.repeated for each in receipts)
        return _answer(ids, main, receipts[-1], is_repeated, {**copied, **fields, "notes": notes})

    def _make(self, records: Sequence[tuple[str, dict[str, Any]]]) -> Sequence[Receipt]:
        batch = [{"operation": name, "arguments": arguments} for name, arguments in records]
        receipts: Sequence[Receipt] = self.ask("record_batch", records=batch, key=self.key).receipts
        return receipts

    def find_earlier(self, main: str) -> Answer | None:
        """The answer to a request that is sent again; None if it is new.

        The translation depends on the state of the execution, which the first call has changed. So a repeated request
        is not translated again: its records are found by their key.
        """
        key = self.key or self._request
        if not isinstance(key, str) or not key:
            return None
        entries = self.ask("read_entries", newest_first=True, limit=ENTRIES_SEARCHED).entries
        own = [entry for entry in entries if entry.key == key or entry.key.startswith(f"{key}#")]
        ids = {entry.id[:2]: entry.id for entry in reversed(own)}
        ids |= {"ex": own[0].execution_id} if own and own[0].execution_id else {}
        return _answer(ids, main, own[0], True, {}) if own else None


def _without_none(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if value is not None}


def _answer(ids: Mapping[str, str], main: str, last: Any, repeated: bool, more: Mapping[str, Any]) -> Answer:
    handles = {"id": ids.get(main, last.id), "plan_id": ids.get("pl"), "execution_id": ids.get("ex")}
    fields = {**handles, "action_id": ids.get("ac"), "seq": last.seq, "hash": last.hash, "repeated": repeated, **more}
    return Answer({name: value for name, value in fields.items() if value})
