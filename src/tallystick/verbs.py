"""Every operation as a method, for callers that wait and for callers that await.

A `Caller` is how a call reaches its operation: in this process, or one day over a wire. Two small descriptors give
`Verbs` and `AsyncVerbs` exact signatures from the operations themselves, so nothing is written twice. The two lists
are the table of contents of the library; a test holds them equal to the catalogue.

A cancelled `await` does not stop a record that has begun: it will be there or not, whole, and its key tells which.
"""

from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import Any, Generic, ParamSpec, Protocol, TypeVar, overload

from tallystick.operations import (
    Operation,
    actions,
    approvals,
    audits,
    batches,
    briefs,
    contexts,
    credentials,
    debts,
    decisions,
    entries,
    executions,
    plans,
    sessions,
    stats,
)
from tallystick.operations.desk import Desk

P = ParamSpec("P")
R = TypeVar("R")

ASYNC_CALLERS = 64
"""How many calls of one asynchronous journal may wait at the same time; as many share one commit."""


class Caller(Protocol):
    """How a call reaches its operation."""

    def call(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any: ...
    def close(self) -> None: ...


class Local:
    """Calls operations in this process."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def call(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        return operation(self.desk, arguments)

    def close(self) -> None:
        self.desk.store.close()


class verb(Generic[P, R]):
    """A method that calls an operation and waits."""

    def __init__(self, operation: Operation[P, R]) -> None:
        self.operation = operation

    @overload
    def __get__(self, holder: None, owner: type) -> Operation[P, R]: ...
    @overload
    def __get__(self, holder: "Verbs", owner: type) -> Callable[P, R]: ...
    def __get__(self, holder: "Verbs | None", owner: type) -> Operation[P, R] | Callable[P, R]:
        if holder is None:
            return self.operation
        operation, caller = self.operation, holder.caller

        def call(*args: P.args, **arguments: P.kwargs) -> R:
            if args:
                raise TypeError(f"{operation.name} takes keyword arguments only")
            result: R = caller.call(operation, arguments)
            return result

        return call


class averb(Generic[P, R]):
    """A method that calls an operation in a worker thread and can be awaited."""

    def __init__(self, operation: Operation[P, R]) -> None:
        self.operation = operation

    @overload
    def __get__(self, holder: None, owner: type) -> Operation[P, R]: ...
    @overload
    def __get__(self, holder: "AsyncVerbs", owner: type) -> Callable[P, Coroutine[Any, Any, R]]: ...
    def __get__(
        self, holder: "AsyncVerbs | None", owner: type
    ) -> Operation[P, R] | Callable[P, Coroutine[Any, Any, R]]:
        if holder is None:
            return self.operation
        operation, in_thread = self.operation, holder.in_thread

        async def call(*args: P.args, **arguments: P.kwargs) -> R:
            if args:
                raise TypeError(f"{operation.name} takes keyword arguments only")
            result: R = await in_thread(operation, arguments)
            return result

        return call


class Verbs:
    """All operations, as methods that wait."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller

    record_plan = verb(plans.record_plan)
    retire_plan = verb(plans.retire_plan)
    record_execution_start = verb(executions.record_execution_start)
    record_action = verb(actions.record_action)
    record_decision = verb(decisions.record_decision)
    record_context = verb(contexts.record_context)
    record_batch = verb(batches.record_batch)
    request_approval = verb(approvals.request_approval)
    decide_approval = verb(approvals.decide_approval)
    open_session = verb(sessions.open_session)
    renew_session = verb(sessions.renew_session)
    end_session = verb(sessions.end_session)
    add_credential = verb(credentials.add_credential)
    revoke_credential = verb(credentials.revoke_credential)
    erase = verb(audits.erase)
    get_brief = verb(briefs.get_brief)
    get_status = verb(executions.get_status)
    get_plan = verb(plans.get_plan)
    get_context = verb(contexts.get_context)
    get_approval = verb(approvals.get_approval)
    get_stats = verb(stats.get_stats)
    list_plans = verb(plans.list_plans)
    list_executions = verb(executions.list_executions)
    list_owed = verb(debts.list_owed)
    list_in_doubt = verb(debts.list_in_doubt)
    list_approvals = verb(approvals.list_approvals)
    list_context = verb(contexts.list_context)
    list_sessions = verb(sessions.list_sessions)
    list_credentials = verb(credentials.list_credentials)
    read_entries = verb(entries.read_entries)
    verify = verb(audits.verify)
    export = verb(audits.export)


class AsyncVerbs:
    """All operations, as methods to be awaited."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self._threads: ThreadPoolExecutor | None = None

    async def in_thread(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        from asyncio import get_running_loop  # it is loaded already where this is awaited

        if self._threads is None:
            self._threads = ThreadPoolExecutor(ASYNC_CALLERS, thread_name_prefix="tallystick")
        work = partial(copy_context().run, self.caller.call, operation, arguments)
        return await get_running_loop().run_in_executor(self._threads, work)

    def stop_threads(self) -> None:
        if self._threads is not None:
            self._threads.shutdown(wait=True)

    record_plan = averb(plans.record_plan)
    retire_plan = averb(plans.retire_plan)
    record_execution_start = averb(executions.record_execution_start)
    record_action = averb(actions.record_action)
    record_decision = averb(decisions.record_decision)
    record_context = averb(contexts.record_context)
    record_batch = averb(batches.record_batch)
    request_approval = averb(approvals.request_approval)
    decide_approval = averb(approvals.decide_approval)
    open_session = averb(sessions.open_session)
    renew_session = averb(sessions.renew_session)
    end_session = averb(sessions.end_session)
    add_credential = averb(credentials.add_credential)
    revoke_credential = averb(credentials.revoke_credential)
    erase = averb(audits.erase)
    get_brief = averb(briefs.get_brief)
    get_status = averb(executions.get_status)
    get_plan = averb(plans.get_plan)
    get_context = averb(contexts.get_context)
    get_approval = averb(approvals.get_approval)
    get_stats = averb(stats.get_stats)
    list_plans = averb(plans.list_plans)
    list_executions = averb(executions.list_executions)
    list_owed = averb(debts.list_owed)
    list_in_doubt = averb(debts.list_in_doubt)
    list_approvals = averb(approvals.list_approvals)
    list_context = averb(contexts.list_context)
    list_sessions = averb(sessions.list_sessions)
    list_credentials = averb(credentials.list_credentials)
    read_entries = averb(entries.read_entries)
    verify = averb(audits.verify)
    export = averb(audits.export)
