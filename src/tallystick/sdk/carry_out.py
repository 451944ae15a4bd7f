"""Carrying out a plan with a function of the user's, one step after the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import convert, field, structs

from tallystick import operations
from tallystick.core.errors import (
    AlreadyDone,
    ApprovalPending,
    InDoubtOpen,
    InvalidArgument,
    Refused,
    TallystickError,
    WrongState,
)
from tallystick.core.redaction.jsonable import describe_error, to_json
from tallystick.core.types import FINAL_STATUSES, Step
from tallystick.operations.runtime.doubts import REPEATABLE
from tallystick.operations.views.execution_status import Status, StepView
from tallystick.sdk.current import CurrentExecution
from tallystick.sdk.earlier_calls import enter_execution
from tallystick.sdk.requests import CallOutcome, OperationRequest, UserCall, Work, id_of, require_function
from tallystick.sdk.scopes import (
    AGAIN,
    ASKS_FOR_REASON,
    LEFT_BY,
    check_not_undone,
    describe_interruption,
    end_unsettled,
    end_unused,
    is_interruption,
    raise_or_note,
)

if TYPE_CHECKING:
    from tallystick.operations.runtime.receipts import ActionReceipt, ExecutionReceipt, PlanReceipt

PER_PAGE = 100
"""How many steps or entries one read returns."""


class PlanResult(Status, frozen=True, kw_only=True):
    """What came of a plan: the status of its execution, and more.

    `results` are the results of the steps that are done: of this run as the executor returned them, of an earlier run
    as they were recorded. `errors` are the exceptions of the executor, with `go_on`.
    """

    results: dict[str, Any] = field(default_factory=dict)
    errors: dict[str, Exception] = field(default_factory=dict)


R = TypeVar("R", bound=Refused)


class PlanCarrier:
    """One call of `carry_out`. `work` returns the result, and an exception of the executor that is to be raised."""

    def __init__(
        self,
        plan: PlanReceipt | str,
        executor: Callable[[Step], Any],
        owner: object,
        go_on: bool,
        arguments: dict[str, Any],
    ) -> None:
        self._plan_id = id_of(plan, "a plan")
        require_function(executor, "executor", "Give a function that takes a step.")
        self._executor = executor
        self._owner = owner
        self._go_on = go_on
        self._arguments = arguments
        self._execution = ""
        self._steps: dict[tuple[int, str], Step] = {}
        self._waiting: set[str] = set()
        self._results: dict[str, Any] = {}
        self._errors: dict[str, Exception] = {}

    def work(self) -> Work[tuple[PlanResult, BaseException | None]]:
        """Carry out what can be: done steps are left out, one in doubt raises InDoubtOpen, failed ones are tried again
        once."""
        started: ExecutionReceipt = yield OperationRequest(
            operations.executions.record_execution_start, {"plan_id": self._plan_id, **self._arguments}
        )
        self._execution = started.id
        check_not_undone(started)
        try:
            return (yield from self._all_steps(started))
        except TallystickError as refusal:
            if not self._arguments.get("key"):
                yield from end_unused(started.id, f"{LEFT_BY}{describe_error(refusal)}")
            raise

    def _all_steps(self, started: ExecutionReceipt) -> Work[tuple[PlanResult, BaseException | None]]:
        here = yield from enter_execution(started, self._owner)
        first: deque[str] = deque()
        if started.repeated:
            before = yield from whole_status(started.id)
            yield from self._read_results(before)
            first.extend(_to_resume(before))
        status: Status = yield status_request(started.id)
        while step := self._next_step(status, first):
            error = yield from self._carry_out(step, status.execution.revision, here)
            if error is not None and not (self._go_on and isinstance(error, Exception)):
                return (yield from self._result()), error
            if not self._go_on and self._waiting:
                break
            status = yield status_request(started.id)
        if status.execution.status == "unwinding":
            raise WrongState(f"{started.id} is being undone.", hint="Finish it with journal.unwind.")
        yield from self._end(status)
        result = yield from self._result()
        if not self._waiting and not self._errors:
            _check_none_under_way(result)
        return result, None

    def _next_step(self, status: Status, first: deque[str]) -> str:
        if status.execution.status in FINAL_STATUSES:
            return ""
        if first:
            return first.popleft()
        return next((step for step in status.next_steps if step not in self._waiting), "")

    def _carry_out(self, name: str, revision: int, here: CurrentExecution) -> Work[BaseException | None]:
        """Begin a step, call the executor with it, and record the outcome; returns what the executor raised."""
        step = yield from self._step(name, revision)
        try:
            begun: ActionReceipt = yield from self._begin(step)
        except ApprovalPending:
            self._waiting.add(name)
            return None
        outcome: CallOutcome = yield UserCall(self._executor, (step,), {}, here)
        try:
            end = {"phase": "end", "action_id": begun.id, **end_arguments(outcome)}
            yield OperationRequest(operations.actions.record_action, end)
        except TallystickError as problem:
            raise_or_note(outcome.error, problem)
        if outcome.error is None:
            self._results[name] = outcome.value
            if begun.attempt > 1 and step.effect in REPEATABLE:
                yield from settle_superseded(self._execution, name, begun.id, step.effect)
        elif isinstance(outcome.error, Exception):
            outcome.error.add_note(f'tallystick: in step "{name}" of {self._execution}')
            self._errors[name] = outcome.error
        return outcome.error

    def _begin(self, step: Step) -> Work[ActionReceipt]:
        """Begin a step, with the approval of a person where there is one."""
        arguments = {"phase": "begin", "execution_id": self._execution, "step": step.id, "summary": step.title}
        try:
            begun: ActionReceipt = yield OperationRequest(operations.actions.record_action, arguments)
        except WrongState as refusal:
            approval = refusal.next_call[1].get("approval_id") if refusal.next_call else None
            if not approval or refusal.next_call is None or refusal.next_call[0] != "record_action":
                raise _without_again(refusal)  # noqa: B904
            begun = yield OperationRequest(operations.actions.record_action, {**arguments, "approval_id": approval})
        except (AlreadyDone, InDoubtOpen) as refusal:
            raise _without_again(refusal)  # noqa: B904
        return begun

    def _step(self, name: str, revision: int) -> Work[Step]:
        """The step of the revision that the execution follows."""
        if (revision, name) not in self._steps:
            history = yield OperationRequest(operations.plans.get_plan, {"plan_id": self._plan_id})
            for each in history.revisions:
                self._steps.update({(each.revision, step["id"]): convert(step, Step) for step in each.steps})
        if (revision, name) not in self._steps:
            raise InvalidArgument(
                f"The steps of {self._plan_id} were erased: they cannot be carried out.", hint="Record a new plan."
            )
        return self._steps[revision, name]

    def _read_results(self, status: Status) -> Work[None]:
        """Read the results of the steps that are done."""
        steps = {step.action_id: step.id for step in status.steps if step.actual in ("done", "undone")}
        after, more = 0, bool(steps)
        while more:
            filters = {"execution_id": self._execution, "kind": "action_ended", "limit": PER_PAGE}
            page = yield OperationRequest(operations.entries.read_entries, {**filters, "after": after})
            for entry in page.entries:
                if entry.id in steps:
                    self._results[steps[entry.id]] = (entry.body or {}).get("result")
            after, more = page.last_seq, page.more

    def _end(self, status: Status) -> Work[None]:
        execution = status.execution
        if execution.done_steps + execution.skipped_steps < execution.total_steps or execution.status in FINAL_STATUSES:
            return
        try:
            yield OperationRequest(
                operations.decisions.record_decision, {"execution_id": execution.id, "decision": "done"}
            )
        except WrongState as refusal:
            if refusal.field not in ASKS_FOR_REASON:
                raise
            yield from end_unsettled(execution.id, refusal)

    def _result(self) -> Work[PlanResult]:
        status = yield from whole_status(self._execution)
        return PlanResult(**structs.asdict(status), results=self._results, errors=self._errors)


WAIT = "Wait until it has ended, then call carry_out with the same key."


def _check_none_under_way(status: Status) -> None:
    """Raise if somebody else is doing a step that is to be carried out."""
    if status.execution.status in FINAL_STATUSES:
        return
    for step in status.steps:
        if step.actual == "running":
            raise WrongState(
                f'Step "{step.id}" of {status.execution.id} is under way as {step.action_id}.', hint=WAIT, field="step"
            )


def _without_again(refusal: R) -> R:
    """The refusal of a begin with a hint for callers of `carry_out`, which cannot say `again`."""
    if AGAIN not in refusal.hint:
        return refusal
    if isinstance(refusal, InDoubtOpen):
        refusal.hint = (
            "Look, then settle it: as ok, or as skipped if it did not happen. Then call carry_out with the same key:"
            " a step that did not happen is tried again."
        )
    elif isinstance(refusal, AlreadyDone):
        refusal.hint = "Decide skip for this step, or plan another call. Then call carry_out with the same key."
        refusal.field = None
    else:
        refusal.hint = WAIT
    return refusal


def status_request(execution: str, limit: int = 1, cursor: str = "") -> OperationRequest:
    """Asks for the status of an execution, with this many of its steps."""
    arguments = {"execution_id": execution, "limit": limit, "cursor": cursor or None}
    return OperationRequest(operations.execution_status.get_status, arguments)


def whole_status(execution: str) -> Work[Status]:
    """The status of an execution with all of its steps."""
    status: Status = yield status_request(execution, PER_PAGE)
    steps, cursor = list(status.steps), status.next_cursor
    while cursor:
        page: Status = yield status_request(execution, PER_PAGE, cursor)
        steps += page.steps
        cursor = page.next_cursor
    return structs.replace(status, steps=tuple(steps), next_cursor="")


def _to_resume(status: Status) -> list[str]:
    """The steps with which a resumed execution goes on: those in doubt, and those that failed with nothing decided."""
    return [step.id for step in status.steps if step.actual == "in_doubt" or _is_to_retry(step)]


def _is_to_retry(step: StepView) -> bool:
    return step.actual == "failed" and not step.decided and not step.dropped


def settle_superseded(execution: str, step: str, done: str, effect: str) -> Work[None]:
    """Settle earlier attempts at a step that may be repeated, now that it is done: all attempts are one effect, and the
    last stands for it. So it is undone once."""
    page = yield OperationRequest(operations.owed.list_in_doubt, {"execution_id": execution})
    evidence = f"{done} repeated it and succeeded; its effect is {effect}, so both are one effect"
    settled = {"phase": "end", "outcome": "failed", "without_effect": True, "evidence": evidence}
    for doubt in page.in_doubt:
        if (doubt.step, doubt.kind) == (step, "do") and doubt.action_id != done:
            with suppress(Refused):  # somebody else has settled it meanwhile
                yield OperationRequest(operations.actions.record_action, {**settled, "action_id": doubt.action_id})


def end_arguments(outcome: CallOutcome) -> dict[str, Any]:
    """The arguments that record the end of an action, by what came of the user's function."""
    if outcome.error is None:
        return {"outcome": "ok", "result": to_json(outcome.value)}
    if is_interruption(outcome.error):
        return {"outcome": "unknown", "error": describe_interruption(outcome.error)}
    return {"outcome": "failed", "error": describe_error(outcome.error)}
