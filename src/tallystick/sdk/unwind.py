"""Working off the undo list of an execution with functions of the user's."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from tallystick import operations
from tallystick.core.errors import AlreadyDone, InvalidArgument, TallystickError
from tallystick.core.types import FINAL_STATUSES
from tallystick.core.undo import steps_before
from tallystick.operations.runtime.receipts import UndoListItem
from tallystick.sdk.carry_out import PER_PAGE, end_arguments, status_request, whole_status
from tallystick.sdk.current import CurrentExecution
from tallystick.sdk.requests import CallOutcome, OperationRequest, UserCall, Work, id_of, require_function
from tallystick.sdk.scopes import raise_or_note

if TYPE_CHECKING:
    from tallystick.operations.plans import PlanHistory
    from tallystick.operations.runtime.receipts import ActionReceipt
    from tallystick.operations.views.execution_status import Status


class HasId(Protocol):
    """An execution as scopes and receipts show it."""

    @property
    def id(self) -> str: ...


class LeftItem(Struct, frozen=True, kw_only=True):
    """An action that was not undone, and why."""

    item: UndoListItem
    reason: str


class Unwound(Struct, frozen=True, kw_only=True):
    """What came of unwinding: the actions that were undone now, in order, and what is left.

    `errors` are the exceptions of undos by action, with `go_on`. `status` is that of the execution afterwards.
    """

    execution_id: str
    status: str
    undone: tuple[str, ...] = ()
    left: tuple[LeftItem, ...] = ()
    errors: dict[str, Exception] = {}


class UndoOptions(Struct, frozen=True, kw_only=True):
    """How to undo: the tools by name, and a function for undos in words."""

    tools: Mapping[str, Callable[..., Any]]
    by_hand: Callable[[UndoListItem], Any] | None = None
    include_failed: bool = False
    go_on: bool = False
    why: str = ""

    def functions(self) -> Iterator[tuple[str, Callable[..., Any] | None]]:
        """The functions that undo, each with the name of its argument."""
        yield "by_hand", self.by_hand
        yield from ((f'tools["{name}"]', function) for name, function in self.tools.items())


class LeftItems:
    """One pass over an undo list: what is left, each item with its reason. What a left item depends on stays too.

    `parents`: by step, the steps that it comes after. `doubtful`: the actions that are in doubt. `open_actions`: those
    under way. `tools`: the names of the undo tools that can be called; `by_hand`: undos in words can be carried out.
    `include_failed`: an action that failed is undone, although nobody knows whether it had an effect.
    """

    def __init__(
        self,
        parents: Mapping[str, tuple[str, ...]],
        doubtful: Container[str],
        open_actions: Container[str],
        *,
        tools: Container[str],
        by_hand: bool = False,
        include_failed: bool = False,
    ) -> None:
        self.items: list[LeftItem] = []
        self._parents = parents
        self._doubtful = doubtful
        self._open_actions = open_actions
        self._tools = tools
        self._by_hand = by_hand
        self._include_failed = include_failed
        self._held: dict[str, str] = {}
        """Steps that must not be undone yet, each with the step after it that is not undone."""

    def add(self, item: UndoListItem, reason: str, *, holds: bool) -> None:
        """Leave an item; `holds`: what it depends on stays too."""
        self.items.append(LeftItem(item=item, reason=reason))
        todo = list(self._parents.get(item.step, ())) if holds else []
        while todo:
            parent = todo.pop()
            if parent not in self._held:
                self._held[parent] = item.step
                todo += self._parents.get(parent, ())

    def is_under_way(self, item: UndoListItem) -> bool:
        """Whether the action itself has not ended, so that nobody knows yet what there is to undo."""
        return item.action_id in self._open_actions

    def is_held(self, item: UndoListItem) -> bool:
        """Whether a left item depends on it, so that it cannot be undone yet."""
        return item.step in self._held

    def reason(self, item: UndoListItem) -> tuple[str, bool]:
        """Why an action is not undone, empty if it is; and whether what it depends on then has to stay too."""
        if self.is_under_way(item):
            return f"it is under way as {item.action_id}", True
        state = {
            "not_possible": item.way,
            "partly": "it can only be undone in part, and was",
            "may_be_undo": item.way,
            "undoing": f"it is being undone as {item.undone_by}",
            "in_doubt": f"its undo {item.undone_by} is in doubt: settle that first",
        }.get(item.state, "")
        if state:
            return state, item.state in ("undoing", "in_doubt")
        if item.action_id in self._doubtful:
            return "it is in doubt: settle it first", True
        if not item.certain and not self._include_failed:
            return "it failed: look whether it had an effect", False
        if self.is_held(item):
            return f'step "{self._held[item.step]}" comes after it and is not undone', True
        return self._reason_without_way(item), True

    def _reason_without_way(self, item: UndoListItem) -> str:
        undo = item.undo
        if undo is None:
            return "no undo is recorded" if item.way == "unknown" else f"its undo is {item.way}"
        if undo.missing:
            return f"its undo refers to what is not recorded: {', '.join(undo.missing)}"
        if undo.tool:
            return "" if undo.tool in self._tools else f'there is no tool "{undo.tool}"'
        return "" if self._by_hand else "its undo is in words: somebody has to carry it out"


class Unwinder:
    """One call of `unwind`. `work` returns the result, and an exception of an undo that is to be raised."""

    def __init__(self, execution: str | HasId, owner: object, options: UndoOptions) -> None:
        self._execution = id_of(execution, "an execution")
        self._here = CurrentExecution(self._execution, owner)
        self._options = options
        self._undone: list[str] = []
        self._errors: dict[str, Exception] = {}
        _check_options(options)

    def work(self) -> Work[tuple[Unwound, BaseException | None]]:
        status = yield from whole_status(self._execution)
        if status.execution.status not in (*FINAL_STATUSES, "unwinding"):
            yield self._decision("unwind", self._options.why or "journal.unwind was called")
        items, parents = yield from self._undo_list(status)
        options, doubtful = self._options, (yield from self._doubtful())
        left = LeftItems(
            parents,
            doubtful,
            (yield from self._open_actions()),
            tools=options.tools,
            by_hand=options.by_hand is not None,
            include_failed=options.include_failed,
        )
        for item in items:
            error = yield from self._work_off(item, left)
            if error is not None:
                return (yield from self._result(left)), error
        yield from self._end(left)
        return (yield from self._result(left)), None

    def _work_off(self, item: UndoListItem, left: LeftItems) -> Work[BaseException | None]:
        """Undo an action, or leave it. Returns an exception to be raised."""
        reason, holds = left.reason(item)
        error: BaseException | None = None
        if not reason:
            try:
                error = yield from self._undo(item)
            except AlreadyDone:  # by somebody else, meanwhile
                return None
            if error is None:
                self._undone.append(item.action_id)
                return None
            reason, holds = f"its undo failed: {type(error).__name__}", True
            if isinstance(error, Exception):
                self._errors[item.action_id] = error
        left.add(item, reason, holds=holds)
        return None if self._options.go_on and isinstance(error, Exception) else error

    def _undo(self, item: UndoListItem) -> Work[BaseException | None]:
        """Call the undo of an action, recorded before and after; returns what it raised."""
        undo = item.undo
        assert undo is not None
        begin = {"phase": "begin", "kind": "undo", "undoes": item.action_id, "execution_id": self._execution}
        stated = {"tool": undo.tool or None, "arguments": undo.arguments or None, "summary": undo.words}
        begun: ActionReceipt = yield OperationRequest(operations.actions.record_action, begin | stated)
        if undo.tool:
            call = UserCall(self._options.tools[undo.tool], (), undo.arguments, self._here)
        else:
            assert self._options.by_hand is not None
            call = UserCall(self._options.by_hand, (item,), {}, self._here)
        outcome: CallOutcome = yield call
        try:
            end = {"phase": "end", "action_id": begun.id, **end_arguments(outcome)}
            yield OperationRequest(operations.actions.record_action, end)
        except TallystickError as problem:
            raise_or_note(outcome.error, problem)
        if isinstance(outcome.error, Exception):
            outcome.error.add_note(f"tallystick: while {item.action_id} of {self._execution} was undone")
        return outcome.error

    def _undo_list(self, status: Status) -> Work[tuple[list[UndoListItem], dict[str, tuple[str, ...]]]]:
        """The undo list of the execution, in its order; and by step, the steps that it comes after."""
        items: list[UndoListItem] = []
        numbers: set[int] = set()
        cursor: str | None = None
        while cursor is None or cursor:
            arguments = {"execution_id": self._execution, "limit": PER_PAGE, "cursor": cursor}
            page = yield OperationRequest(operations.owed.get_undo_list, arguments)
            items += page.items
            numbers.update(page.revisions)
            cursor = page.next_cursor
        revisions: list[Iterable[tuple[str, Sequence[str]]]] = []
        for number in sorted(numbers):
            about = {"plan_id": status.execution.plan_id, "revision": number}
            revisions.append(planned_order((yield OperationRequest(operations.plans.get_plan, about))))
        current = [(step.id, step.after) for step in status.steps if not step.dropped]
        return items, steps_before([*revisions, current])

    def _doubtful(self) -> Work[set[str]]:
        """The actions of the execution that are in doubt."""
        found: set[str] = set()
        cursor: str | None = None
        while True:
            arguments = {"execution_id": self._execution, "limit": PER_PAGE, "cursor": cursor}
            page = yield OperationRequest(operations.owed.list_in_doubt, arguments)
            found.update(item.action_id for item in page.in_doubt)
            if not page.next_cursor:
                return found
            cursor = page.next_cursor

    def _open_actions(self) -> Work[set[str]]:
        """The actions of the execution that are under way."""
        found: set[str] = set()
        cursor: str | None = None
        while cursor is None or cursor:
            arguments = {"execution_id": self._execution, "state": "open", "limit": PER_PAGE, "cursor": cursor}
            page = yield OperationRequest(operations.timeline.list_actions, arguments)
            found.update(action.id for action in page.actions)
            cursor = page.next_cursor
        return found

    def _end(self, left: LeftItems) -> Work[None]:
        """End the execution if it is unwinding and nothing is left that can be undone."""
        status: Status = yield status_request(self._execution)
        final = all(
            each.item.state in ("not_possible", "partly", "may_be_undo") and not left.is_under_way(each.item)
            for each in left.items
        )
        if status.execution.status == "unwinding" and final:
            yield self._decision("done", "everything that can be undone is undone", incomplete=True)

    def _result(self, left: LeftItems) -> Work[Unwound]:
        status: Status = yield status_request(self._execution)
        return Unwound(
            execution_id=self._execution,
            status=status.execution.status,
            undone=tuple(self._undone),
            left=tuple(left.items),
            errors=self._errors,
        )

    def _decision(self, decision: str, why: str, **more: Any) -> OperationRequest:
        arguments = {"execution_id": self._execution, "decision": decision, "why": why, **more}
        return OperationRequest(operations.decisions.record_decision, arguments)


def planned_order(plan: PlanHistory) -> list[tuple[str, Sequence[str]]]:
    """The steps of one revision of a plan, each with those that it comes after."""
    return [(step["id"], step.get("after", ())) for step in plan.revisions[0].steps]


def _check_options(options: UndoOptions) -> None:
    tools: object = options.tools
    if not isinstance(tools, Mapping) or not all(map(callable, tools.values())):
        raise InvalidArgument(
            "tools is not a mapping of functions.",
            hint='Give the functions by the names of their tools: {"rm": remove}.',
            field="tools",
        )
    if options.by_hand is not None:
        require_function(options.by_hand, "by_hand", "Give a function that takes an item of the undo list.")
