"""Every operation as a method, for callers that wait and for callers that await.

Two small descriptors give `Verbs` and `AsyncVerbs` exact signatures from the operations themselves, so nothing is
written twice. The two lists are the table of contents of the library; a test holds them equal to the catalogue.

A cancelled `await` does not stop a record that has begun: it will be there or not, whole, and its key tells which.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, overload

from tallystick import operations
from tallystick.current import filled, in_scope
from tallystick.operations import Operation
from tallystick.store.forking import process

if TYPE_CHECKING:
    from tallystick.awaiting import Line
    from tallystick.calls import Caller, GroupCaller

_making_line = Lock()

P = ParamSpec("P")
R = TypeVar("R")


class verb(Generic[P, R]):
    """A method that calls an operation and waits."""

    def __init__(self, find: Callable[[], Operation[P, R]]) -> None:
        self._find = find

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @cached_property
    def operation(self) -> Operation[P, R]:
        return self._find()

    @overload
    def __get__(self, holder: None, owner: type) -> Operation[P, R]: ...
    @overload
    def __get__(self, holder: Verbs, owner: type) -> Callable[P, R]: ...
    def __get__(self, holder: Verbs | None, owner: type) -> Operation[P, R] | Callable[P, R]:
        if holder is None:
            return self.operation
        operation, caller = self.operation, holder.caller

        def call(*args: P.args, **arguments: P.kwargs) -> R:
            if args:
                raise TypeError(f"{operation.name} takes keyword arguments only")
            given = filled(operation.name, arguments, caller) if in_scope() else arguments
            result: R = caller.call(operation, given)
            return result

        holder.__dict__[self._name] = call  # found there from now on: it is made once
        return call


class averb(Generic[P, R]):
    """A method that calls an operation in a worker thread and can be awaited."""

    def __init__(self, find: Callable[[], Operation[P, R]]) -> None:
        self._find = find

    @cached_property
    def operation(self) -> Operation[P, R]:
        return self._find()

    @overload
    def __get__(self, holder: None, owner: type) -> Operation[P, R]: ...
    @overload
    def __get__(self, holder: AsyncVerbs, owner: type) -> Callable[P, Coroutine[Any, Any, R]]: ...
    def __get__(self, holder: AsyncVerbs | None, owner: type) -> Operation[P, R] | Callable[P, Coroutine[Any, Any, R]]:
        if holder is None:
            return self.operation
        operation, in_thread = self.operation, holder.in_thread

        async def call(*args: P.args, **arguments: P.kwargs) -> R:
            if args:
                raise TypeError(f"{operation.name} takes keyword arguments only")
            given = filled(operation.name, arguments, holder) if in_scope() else arguments
            result: R = await in_thread(operation, given)
            return result

        return call


class Verbs:
    """All operations, as methods that wait."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller

    record_plan = verb(lambda: operations.plans.record_plan)
    retire_plan = verb(lambda: operations.plans.retire_plan)
    record_execution_start = verb(lambda: operations.executions.record_execution_start)
    record_action = verb(lambda: operations.actions.record_action)
    record_decision = verb(lambda: operations.decisions.record_decision)
    record_context = verb(lambda: operations.contexts.record_context)
    record_note = verb(lambda: operations.notes.record_note)
    record_batch = verb(lambda: operations.batches.record_batch)
    request_approval = verb(lambda: operations.approvals.request_approval)
    decide_approval = verb(lambda: operations.approvals.decide_approval)
    open_session = verb(lambda: operations.sessions.open_session)
    renew_session = verb(lambda: operations.sessions.renew_session)
    end_session = verb(lambda: operations.sessions.end_session)
    add_credential = verb(lambda: operations.credentials.add_credential)
    revoke_credential = verb(lambda: operations.credentials.revoke_credential)
    erase = verb(lambda: operations.audits.erase)
    get_brief = verb(lambda: operations.briefs.get_brief)
    get_status = verb(lambda: operations.executions.get_status)
    get_action = verb(lambda: operations.acts.get_action)
    get_plan = verb(lambda: operations.plans.get_plan)
    get_context = verb(lambda: operations.contexts.get_context)
    get_approval = verb(lambda: operations.approvals.get_approval)
    get_stats = verb(lambda: operations.stats.get_stats)
    get_report = verb(lambda: operations.reports.get_report)
    compare_executions = verb(lambda: operations.comparisons.compare_executions)
    get_series = verb(lambda: operations.series.get_series)
    get_coverage = verb(lambda: operations.coverage.get_coverage)
    list_plans = verb(lambda: operations.plans.list_plans)
    list_executions = verb(lambda: operations.executions.list_executions)
    list_actions = verb(lambda: operations.timelines.list_actions)
    list_owed = verb(lambda: operations.debts.list_owed)
    list_in_doubt = verb(lambda: operations.debts.list_in_doubt)
    list_approvals = verb(lambda: operations.approvals.list_approvals)
    list_context = verb(lambda: operations.contexts.list_context)
    list_sessions = verb(lambda: operations.sessions.list_sessions)
    list_credentials = verb(lambda: operations.credentials.list_credentials)
    read_entries = verb(lambda: operations.entries.read_entries)
    verify = verb(lambda: operations.audits.verify)
    export = verb(lambda: operations.audits.export)


class AsyncVerbs:
    """All operations, as methods to be awaited."""

    def __init__(self, caller: GroupCaller) -> None:
        self.caller = caller
        self._line: Line | None = None

    async def in_thread(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        line = self._line
        if line is None or line.process != process():
            line = self._new_line()
        return await line.call(operation, arguments)

    def _new_line(self) -> Line:
        from tallystick.awaiting import Line  # a journal that nobody awaits needs no threads

        with _making_line:
            if self._line is None or self._line.process != process():
                self._line = Line(self.caller)
            return self._line

    def close_caller(self) -> None:
        """Begin no call any more, let those that are under way come to their end, and close."""
        line = self._new_line()
        line.refuse()
        self.caller.close()
        line.close()

    record_plan = averb(lambda: operations.plans.record_plan)
    retire_plan = averb(lambda: operations.plans.retire_plan)
    record_execution_start = averb(lambda: operations.executions.record_execution_start)
    record_action = averb(lambda: operations.actions.record_action)
    record_decision = averb(lambda: operations.decisions.record_decision)
    record_context = averb(lambda: operations.contexts.record_context)
    record_note = averb(lambda: operations.notes.record_note)
    record_batch = averb(lambda: operations.batches.record_batch)
    request_approval = averb(lambda: operations.approvals.request_approval)
    decide_approval = averb(lambda: operations.approvals.decide_approval)
    open_session = averb(lambda: operations.sessions.open_session)
    renew_session = averb(lambda: operations.sessions.renew_session)
    end_session = averb(lambda: operations.sessions.end_session)
    add_credential = averb(lambda: operations.credentials.add_credential)
    revoke_credential = averb(lambda: operations.credentials.revoke_credential)
    erase = averb(lambda: operations.audits.erase)
    get_brief = averb(lambda: operations.briefs.get_brief)
    get_status = averb(lambda: operations.executions.get_status)
    get_action = averb(lambda: operations.acts.get_action)
    get_plan = averb(lambda: operations.plans.get_plan)
    get_context = averb(lambda: operations.contexts.get_context)
    get_approval = averb(lambda: operations.approvals.get_approval)
    get_stats = averb(lambda: operations.stats.get_stats)
    get_report = averb(lambda: operations.reports.get_report)
    compare_executions = averb(lambda: operations.comparisons.compare_executions)
    get_series = averb(lambda: operations.series.get_series)
    get_coverage = averb(lambda: operations.coverage.get_coverage)
    list_plans = averb(lambda: operations.plans.list_plans)
    list_executions = averb(lambda: operations.executions.list_executions)
    list_actions = averb(lambda: operations.timelines.list_actions)
    list_owed = averb(lambda: operations.debts.list_owed)
    list_in_doubt = averb(lambda: operations.debts.list_in_doubt)
    list_approvals = averb(lambda: operations.approvals.list_approvals)
    list_context = averb(lambda: operations.contexts.list_context)
    list_sessions = averb(lambda: operations.sessions.list_sessions)
    list_credentials = averb(lambda: operations.credentials.list_credentials)
    read_entries = averb(lambda: operations.entries.read_entries)
    verify = averb(lambda: operations.audits.verify)
    export = averb(lambda: operations.audits.export)
