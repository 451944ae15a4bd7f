"""One call of an earlier design: its arguments, the execution that it is about, and the records that it makes."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from tallystick import operations
from tallystick.core.errors import Refused
from tallystick.operations.runtime.lookup import OPEN_STATUSES
from tallystick.operations.views.execution_status import StepView
from tallystick.sdk.local import Caller

MAX_ITEMS = 100
OVER = ("done", "undone", "skipped")
"""The states of a step about which nothing is left to do."""
_STORED = {
    "begin": "tool arguments cancellable undo undo_until effect again approval_id entity_type entity_id summary before "
    "confidence",
    "end": "summary result error before after confidence evidence without_effect duration",
    "note": "summary tool arguments error before after confidence entity_type entity_id",
}
"""The fields that each phase stores. All others are stored as data in one of them."""
_COPIED = ("status", "steps", "warnings", "revision", "next_steps", "state", "advice", "owed", "unfinished", "version")
"""Fields of receipts that an answer has too."""


def pairs(text: str) -> dict[str, str]:
    """`a=b c=d` as a mapping."""
    return dict(pair.split("=") for pair in text.split())


class Answer(dict[str, Any]):
    """An answer, whose fields are attributes too. `next` is the call that usually comes next."""

    def __getattr__(self, name: str) -> Any:
        if name not in self:
            raise AttributeError(name)
        return self[name]

    def then(self, call: str = "") -> "Answer":
        return Answer(self, next=call or f"status(execution_id={self.execution_id}) shows what is left")


class Request:
    """One legacy call with its arguments by their current names. Those that nothing takes are recorded as they are."""

    def __init__(self, caller: Caller, arguments: Mapping[str, Any], main: str, request: str = "") -> None:
        self.rest = dict(arguments)
        self.key = self.rest.pop("key", None)
        self.without_effect: list[str] = []
        self.records: list[dict[str, Any]] = []
        self.execution_id, self.execution_status = "", "running"
        self.steps: dict[str, StepView] = {}
        self._caller, self._main, self._request = caller, main, request

    @property
    def may_run(self) -> bool:
        """Whether a server is asked that carries out plans for this caller."""
        return bool(getattr(self._caller, "may_run", False))

    def take(self, name: str, default: Any = None) -> Any:
        return self.rest.pop(name, default)

    def known(self, operation: str) -> dict[str, Any]:
        """The arguments that an operation takes."""
        fields = operations.CATALOGUE[operation].arguments.__struct_fields__
        return {name: self.rest.pop(name) for name in fields if name in self.rest}

    def with_rest(self, text: Any, **more: Any) -> Any:
        """The text with all arguments that are left after it: what has no field of its own is recorded too."""
        extra = {**self.rest, **{name: value for name, value in more.items() if value}}
        if not extra or not isinstance(text, str):
            return text
        self.without_effect += self.rest
        return f"{text}\n\nAlso given: {msgspec.json.encode(extra).decode()}".strip()

    def ask(self, operation: str, /, **arguments: Any) -> Any:
        return self._caller.call(operations.CATALOGUE[operation], _without_none(arguments))

    def find_execution(self, execution_id: Any) -> None:
        found = self.ask("get_status", execution_id=execution_id or None, limit=10_000)
        self.execution_id, self.execution_status = found.execution.id, found.execution.status
        self.steps = {step.id: step for step in found.steps}

    def find_plan(self, plan_id: Any, *, or_ended: bool = False) -> None:
        """Find the newest open execution of a plan; else, if wanted, one that has ended; else start one."""
        found = self.newest_execution(plan_id, *OPEN_STATUSES) or (self.newest_execution(plan_id) if or_ended else None)
        if found:
            self.find_execution(found.id)
        else:
            self.start(plan_id)

    def newest_execution(self, plan_id: Any, *statuses: str) -> Any:
        found = self.ask("list_executions", plan_id=plan_id, status=list(statuses), limit=1).executions
        return found[0] if found else None

    def start(self, plan_id: Any, steps: Sequence[Mapping[str, Any]] | None = None, **arguments: Any) -> None:
        steps = self.ask("get_plan", plan_id=plan_id).revisions[0].steps if steps is None else steps
        self.execution_id = self.add("record_execution_start", plan_id=plan_id, **arguments)
        planned = (StepView(id=each["id"], actual="planned", after=tuple(each.get("after", ()))) for each in steps)
        self.steps = {step.id: step for step in planned}

    def open_steps(self) -> list[StepView]:
        return [step for step in self.steps.values() if step.actual in ("running", "in_doubt")]

    def steps_left(self, done: Collection[str] = ()) -> list[StepView]:
        """The steps that are neither done nor skipped, once `done` are done."""
        return [each for each in self.steps.values() if each.actual not in OVER and each.id not in done]

    def ready_steps(self, done: Collection[str] = ()) -> list[StepView]:
        """The steps that were not begun and may begin, once `done` are done."""
        waiting = {step.id for step in self.steps_left(done)}
        return [each for each in self.steps_left(done) if each.actual == "planned" and waiting.isdisjoint(each.after)]

    def scope(self, task: Any, plan_id: Any) -> dict[str, Any]:
        """The scope of a task's context. A plan without a task is a task of its own."""
        if not task and plan_id:
            task = self.ask("get_plan", plan_id=plan_id).revisions[0].task_id or plan_id
        return {"scope": "task", "task_id": task} if task else {"scope": "project"}

    def add(self, operation: str, /, **arguments: Any) -> str:
        """Add a record to the batch; returns the reference to its id."""
        self.records.append({"operation": operation, "arguments": _without_none(arguments)})
        return f"@{len(self.records) - 1}"

    def decide(self, decision: str, why: Any, step: Any = None) -> None:
        """Add a decision. These calls need no reason: one that is given for `done` says that it may end as it is."""
        about = {"execution_id": self.execution_id, **({"incomplete": True} if decision == "done" and why else {})}
        self.add("record_decision", **about, decision=decision, why=why, step=step)

    def act(self, phase: str, given: Mapping[str, Any], **ids: Any) -> str:
        """Add one phase of an action."""
        taken = {name: value for name, value in given.items() if name in _STORED[phase].split()}
        rest = {name: value for name, value in given.items() if name not in taken}
        self.without_effect += [name for name in rest if name in self.rest]
        data = "result" if phase == "end" else "arguments"
        if rest:
            taken[data] = {**(taken[data] if isinstance(taken.get(data), dict) else {}), **rest}
        return self.add("record_action", phase=phase, **ids, **taken)

    def move(self, step: Any, meaning: str, given: Mapping[str, Any]) -> None:
        """Begin a step, add a note to it, or end it, after its begin if it is not under way; none is unplanned work."""
        view, about = self.steps.get(step), {"execution_id": self.execution_id, "step": step}
        under_way = view.action_id if view and view in self.open_steps() else None
        if meaning == "note":
            self.act("note", given, **about, action_id=under_way)
        elif under_way and meaning != "begin":
            self.act("end", given, action_id=under_way, outcome=meaning)
        else:
            title = {"summary": view.title} if view and view.title else {}
            self.act_whole({**title, **given}, "" if meaning == "begin" else meaning, **about)

    def act_whole(self, given: Mapping[str, Any], outcome: str, **ids: Any) -> None:
        """Add the begin of an action, and its end if it has an outcome."""
        first = {name: value for name, value in given.items() if not outcome or name in _STORED["begin"].split()}
        begun = self.act("begin", first, **ids)
        if outcome:
            last = {name: value for name, value in given.items() if name not in first or name == "confidence"}
            self.act("end", last, action_id=begun, outcome=outcome)

    def record(self, notes: Sequence[str] = (), *, first_optional: int = 0, **fields: Any) -> Answer:
        """Make the records in one commit. The `first_optional` is left out if a rule refuses it; a note says why. With
        `notes`, those of the receipts are left out."""
        is_noted = bool(notes)
        try:
            receipts = self.ask("record_batch", records=self.records, key=self.key).receipts
        except Refused as error:
            if not first_optional or not error.message.startswith(f"records[{first_optional}]: "):
                raise
            receipts = self.ask("record_batch", records=self.records[:first_optional], key=self.key).receipts
            notes = (*notes, f"Not begun: {error.message.partition(': ')[2]} {error.hint}")
        if self.without_effect:
            notes = (*notes, f"Recorded as text or data, without any effect: {', '.join(self.without_effect[:10])}.")
        ids: dict[str, str] = {}
        copied: dict[str, Any] = {}
        for receipt in receipts:
            values: dict[str, Any] = msgspec.to_builtins(receipt)
            ids |= {id[:2]: id for id in (values.get("plan_id"), values.get("execution_id"), receipt.id) if id}
            copied |= {name: values[name] for name in _COPIED if values.get(name)}
            notes = notes if is_noted else (*(each for each in values.get("notes", ()) if each not in notes), *notes)
        is_repeated = all(each.repeated for each in receipts)
        return self._answer(ids, receipts[-1], **{**copied, "repeated": is_repeated, "notes": notes, **fields})

    def find_earlier(self) -> Answer | None:
        """The answer to a request that is sent again, by its key: translating it again would meet another state."""
        key = self.key or self._request
        if not isinstance(key, str) or not key:
            return None
        entries = self.ask("read_entries", newest_first=True, limit=MAX_ITEMS).entries
        own = [entry for entry in entries if entry.key == key or entry.key.startswith(f"{key}#")]
        ids = {entry.id[:2]: entry.id for entry in reversed(own)}
        ids |= {"ex": own[0].execution_id} if own and own[0].execution_id else {}
        return self._answer(ids, own[0], repeated=True) if own else None

    def _answer(self, ids: Mapping[str, str], last: Any, **more: Any) -> Answer:
        """An answer with its handles; its `id` is the one with the call's own prefix."""
        handles = {"id": ids.get(self._main, last.id), "plan_id": ids.get("pl"), "execution_id": ids.get("ex")}
        fields = {**handles, "action_id": ids.get("ac"), "seq": last.seq, "hash": last.hash, **more}
        return Answer({name: value for name, value in fields.items() if value})


def _without_none(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if value is not None or name == "value"}  # null is a value
