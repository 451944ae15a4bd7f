"""Every operation as a method, for journals that wait and for journals that await.

Two descriptors give the methods their exact signatures from the operations, so nothing is written twice. A test holds
the two lists equal to the catalogue. The module of an operation is loaded when its method is first used.

A cancelled `await` does not stop a record that has begun: it is recorded completely or not at all; repeat it
with the same key to find out.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from threading import Lock
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from tallystick import operations
from tallystick.core.errors import TallystickError
from tallystick.operations import Operation
from tallystick.sdk.current import is_in_scope, with_current_execution
from tallystick.sdk.local import GroupCaller
from tallystick.sdk.requests import refuse_coroutine_function, require_function, without_inner_frames
from tallystick.store.forks import computed_once, first_use, process_id

if TYPE_CHECKING:
    from tallystick.sdk.async_dispatch import WriteQueue
    from tallystick.sdk.local import Caller

_queue_lock = Lock()  # not `first_use`: an event loop must not wait while another journal is opened

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])


class _Method(Generic[P, R]):
    """The base of both descriptors: the operation, and its method as `help` and `inspect.signature` show it."""

    def __init__(self, find: Callable[[], Operation[P, R]]) -> None:
        self._find = find

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @computed_once
    def operation(self) -> Operation[P, R]:
        with first_use:
            return self._find()

    def _describe(self, function: F, owner: type) -> F:
        """Give a function the name and docstring of the operation. Its signature is read from `__wrapped__`, so that
        `inspect`, which is slow to load, is only needed by a caller that asks for it."""
        function.__name__, function.__qualname__ = self._name, f"{owner.__name__}.{self._name}"
        function.__doc__ = self.operation.function.__doc__
        function.__dict__["__wrapped__"] = self.operation
        return function

    def _unbound(self, owner: type) -> Callable[..., Any]:
        """The method as it is found on the class."""
        from inspect import Parameter  # only needed by a caller that looks at the class

        def method(self_: Any, /, *args: Any, **arguments: Any) -> Any:
            return getattr(self_, self._name)(*args, **arguments)

        signature = self.operation.__signature__
        own = Parameter("self", Parameter.POSITIONAL_ONLY)
        described = self._describe(method, owner)
        described.__dict__["__signature__"] = signature.replace(parameters=[own, *signature.parameters.values()])
        return described


class operation_method(_Method[P, R]):
    """A method that calls an operation and waits."""

    @overload
    def __get__(self, holder: None, owner: type) -> Callable[Concatenate[Any, P], R]: ...
    @overload
    def __get__(self, holder: OperationMethods, owner: type) -> Callable[P, R]: ...
    def __get__(self, holder: OperationMethods | None, owner: type) -> Callable[..., R]:
        if holder is None:
            return self._unbound(owner)
        operation, caller = self.operation, holder.caller

        def call(*args: P.args, **arguments: P.kwargs) -> R:
            if args:
                raise TypeError(f"{operation.name} takes keyword arguments only")
            with_scope = with_current_execution(operation.name, arguments, caller) if is_in_scope() else arguments
            try:
                result: R = caller.call(operation, with_scope)
            except TallystickError as error:
                raise without_inner_frames(error)  # noqa: B904  # it is the same error
            return result

        holder.__dict__[self._name] = self._describe(call, owner)  # found there from now on: it is made once
        return call


class async_operation_method(_Method[P, R]):
    """A method that calls an operation in a worker thread and can be awaited."""

    @overload
    def __get__(self, holder: None, owner: type) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, R]]: ...
    @overload
    def __get__(self, holder: AsyncOperationMethods, owner: type) -> Callable[P, Coroutine[Any, Any, R]]: ...
    def __get__(self, holder: AsyncOperationMethods | None, owner: type) -> Callable[..., Coroutine[Any, Any, R]]:
        if holder is None:
            return self._unbound(owner)
        operation, in_thread = self.operation, holder.in_thread

        async def call(*args: P.args, **arguments: P.kwargs) -> R:
            if args:
                raise TypeError(f"{operation.name} takes keyword arguments only")
            with_scope = with_current_execution(operation.name, arguments, holder) if is_in_scope() else arguments
            try:
                result: R = await in_thread(operation, with_scope)
            except TallystickError as error:
                raise without_inner_frames(error)  # noqa: B904
            return result

        return self._describe(call, owner)


class OperationMethods:
    """All operations, as methods that wait."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self._closers: list[Callable[[], None]] = []

    record_plan = operation_method(lambda: operations.plans.record_plan)
    retire_plan = operation_method(lambda: operations.plans.retire_plan)
    record_execution_start = operation_method(lambda: operations.executions.record_execution_start)
    run_plan = operation_method(lambda: operations.runs.run_plan)
    record_action = operation_method(lambda: operations.actions.record_action)
    record_decision = operation_method(lambda: operations.decisions.record_decision)
    record_context = operation_method(lambda: operations.context.record_context)
    record_task = operation_method(lambda: operations.tasks.record_task)
    record_note = operation_method(lambda: operations.sessions.record_note)
    record_batch = operation_method(lambda: operations.batch.record_batch)
    request_approval = operation_method(lambda: operations.approvals.request_approval)
    decide_approval = operation_method(lambda: operations.approvals.decide_approval)
    open_session = operation_method(lambda: operations.sessions.open_session)
    renew_session = operation_method(lambda: operations.sessions.renew_session)
    end_session = operation_method(lambda: operations.sessions.end_session)
    add_credential = operation_method(lambda: operations.credentials.add_credential)
    revoke_credential = operation_method(lambda: operations.credentials.revoke_credential)
    get_alerts = operation_method(lambda: operations.alerts.get_alerts)
    silence_alert = operation_method(lambda: operations.alerts.silence_alert)
    add_webhook = operation_method(lambda: operations.webhooks.add_webhook)
    rotate_webhook = operation_method(lambda: operations.webhooks.rotate_webhook)
    test_webhook = operation_method(lambda: operations.webhooks.test_webhook)
    replay_webhook = operation_method(lambda: operations.webhooks.replay_webhook)
    remove_webhook = operation_method(lambda: operations.webhooks.remove_webhook)
    erase = operation_method(lambda: operations.audit.erase)
    get_brief = operation_method(lambda: operations.brief.get_brief)
    get_status = operation_method(lambda: operations.execution_status.get_status)
    get_action = operation_method(lambda: operations.actions.get_action)
    get_plan = operation_method(lambda: operations.plans.get_plan)
    get_context = operation_method(lambda: operations.context.get_context)
    get_approval = operation_method(lambda: operations.approvals.get_approval)
    get_inbox = operation_method(lambda: operations.inbox.get_inbox)
    get_activity = operation_method(lambda: operations.inbox.get_activity)
    get_matches = operation_method(lambda: operations.matches.get_matches)
    get_stats = operation_method(lambda: operations.stats.get_stats)
    get_report = operation_method(lambda: operations.reports.get_report)
    compare_executions = operation_method(lambda: operations.comparison.compare_executions)
    get_series = operation_method(lambda: operations.series.get_series)
    get_coverage = operation_method(lambda: operations.coverage.get_coverage)
    list_plans = operation_method(lambda: operations.plans.list_plans)
    get_execution = operation_method(lambda: operations.executions.get_execution)
    list_executions = operation_method(lambda: operations.executions.list_executions)
    get_run = operation_method(lambda: operations.runs.get_run)
    list_runs = operation_method(lambda: operations.runs.list_runs)
    record_items = operation_method(lambda: operations.runs.record_items)
    list_actions = operation_method(lambda: operations.timeline.list_actions)
    list_work = operation_method(lambda: operations.work.list_work)
    get_undo_list = operation_method(lambda: operations.owed.get_undo_list)
    list_owed = operation_method(lambda: operations.owed.list_owed)
    list_in_doubt = operation_method(lambda: operations.owed.list_in_doubt)
    list_approvals = operation_method(lambda: operations.approvals.list_approvals)
    list_context = operation_method(lambda: operations.context.list_context)
    list_sessions = operation_method(lambda: operations.sessions.list_sessions)
    get_task = operation_method(lambda: operations.tasks.get_task)
    list_tasks = operation_method(lambda: operations.tasks.list_tasks)
    list_credentials = operation_method(lambda: operations.credentials.list_credentials)
    list_webhooks = operation_method(lambda: operations.webhooks.list_webhooks)
    list_dead_deliveries = operation_method(lambda: operations.webhooks.list_dead_deliveries)
    read_entries = operation_method(lambda: operations.entries.read_entries)
    verify = operation_method(lambda: operations.audit.verify)
    export = operation_method(lambda: operations.audit.export)


class AsyncOperationMethods:
    """All operations, as methods to be awaited."""

    def __init__(self, caller: GroupCaller) -> None:
        self.caller = caller
        self._queue: WriteQueue | None = None
        self._closers: list[Callable[[], None]] = []

    def before_close(self, closer: Callable[[], None]) -> None:
        """Call a function when this journal is closed, before its session ends."""
        add_closer(self._closers, closer)

    async def in_thread(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        """Carry out an operation in a worker thread."""
        queue = self._queue
        if queue is None or queue.process != process_id():
            queue = self._current_queue()
        return await queue.call(operation, arguments)

    def _current_queue(self) -> WriteQueue:
        """The queue of this process; a fork makes its own."""
        from tallystick.sdk.async_dispatch import WriteQueue  # a journal that nobody awaits needs no threads

        with _queue_lock:
            if self._queue is None or self._queue.process != process_id():
                self._queue = WriteQueue(self.caller)
            return self._queue

    def close_caller(self) -> None:
        """Reject new calls, let running ones finish, and close."""
        queue = self._current_queue()
        queue.refuse()
        run_closers(self._closers)
        self.caller.close()
        queue.close()

    record_plan = async_operation_method(lambda: operations.plans.record_plan)
    retire_plan = async_operation_method(lambda: operations.plans.retire_plan)
    record_execution_start = async_operation_method(lambda: operations.executions.record_execution_start)
    run_plan = async_operation_method(lambda: operations.runs.run_plan)
    record_action = async_operation_method(lambda: operations.actions.record_action)
    record_decision = async_operation_method(lambda: operations.decisions.record_decision)
    record_context = async_operation_method(lambda: operations.context.record_context)
    record_task = async_operation_method(lambda: operations.tasks.record_task)
    record_note = async_operation_method(lambda: operations.sessions.record_note)
    record_batch = async_operation_method(lambda: operations.batch.record_batch)
    request_approval = async_operation_method(lambda: operations.approvals.request_approval)
    decide_approval = async_operation_method(lambda: operations.approvals.decide_approval)
    open_session = async_operation_method(lambda: operations.sessions.open_session)
    renew_session = async_operation_method(lambda: operations.sessions.renew_session)
    end_session = async_operation_method(lambda: operations.sessions.end_session)
    add_credential = async_operation_method(lambda: operations.credentials.add_credential)
    revoke_credential = async_operation_method(lambda: operations.credentials.revoke_credential)
    get_alerts = async_operation_method(lambda: operations.alerts.get_alerts)
    silence_alert = async_operation_method(lambda: operations.alerts.silence_alert)
    add_webhook = async_operation_method(lambda: operations.webhooks.add_webhook)
    rotate_webhook = async_operation_method(lambda: operations.webhooks.rotate_webhook)
    test_webhook = async_operation_method(lambda: operations.webhooks.test_webhook)
    replay_webhook = async_operation_method(lambda: operations.webhooks.replay_webhook)
    remove_webhook = async_operation_method(lambda: operations.webhooks.remove_webhook)
    erase = async_operation_method(lambda: operations.audit.erase)
    get_brief = async_operation_method(lambda: operations.brief.get_brief)
    get_status = async_operation_method(lambda: operations.execution_status.get_status)
    get_action = async_operation_method(lambda: operations.actions.get_action)
    get_plan = async_operation_method(lambda: operations.plans.get_plan)
    get_context = async_operation_method(lambda: operations.context.get_context)
    get_approval = async_operation_method(lambda: operations.approvals.get_approval)
    get_inbox = async_operation_method(lambda: operations.inbox.get_inbox)
    get_activity = async_operation_method(lambda: operations.inbox.get_activity)
    get_matches = async_operation_method(lambda: operations.matches.get_matches)
    get_stats = async_operation_method(lambda: operations.stats.get_stats)
    get_report = async_operation_method(lambda: operations.reports.get_report)
    compare_executions = async_operation_method(lambda: operations.comparison.compare_executions)
    get_series = async_operation_method(lambda: operations.series.get_series)
    get_coverage = async_operation_method(lambda: operations.coverage.get_coverage)
    list_plans = async_operation_method(lambda: operations.plans.list_plans)
    get_execution = async_operation_method(lambda: operations.executions.get_execution)
    list_executions = async_operation_method(lambda: operations.executions.list_executions)
    get_run = async_operation_method(lambda: operations.runs.get_run)
    list_runs = async_operation_method(lambda: operations.runs.list_runs)
    record_items = async_operation_method(lambda: operations.runs.record_items)
    list_actions = async_operation_method(lambda: operations.timeline.list_actions)
    list_work = async_operation_method(lambda: operations.work.list_work)
    get_undo_list = async_operation_method(lambda: operations.owed.get_undo_list)
    list_owed = async_operation_method(lambda: operations.owed.list_owed)
    list_in_doubt = async_operation_method(lambda: operations.owed.list_in_doubt)
    list_approvals = async_operation_method(lambda: operations.approvals.list_approvals)
    list_context = async_operation_method(lambda: operations.context.list_context)
    list_sessions = async_operation_method(lambda: operations.sessions.list_sessions)
    get_task = async_operation_method(lambda: operations.tasks.get_task)
    list_tasks = async_operation_method(lambda: operations.tasks.list_tasks)
    list_credentials = async_operation_method(lambda: operations.credentials.list_credentials)
    list_webhooks = async_operation_method(lambda: operations.webhooks.list_webhooks)
    list_dead_deliveries = async_operation_method(lambda: operations.webhooks.list_dead_deliveries)
    read_entries = async_operation_method(lambda: operations.entries.read_entries)
    verify = async_operation_method(lambda: operations.audit.verify)
    export = async_operation_method(lambda: operations.audit.export)


def add_closer(closers: list[Callable[[], None]], closer: Callable[[], None]) -> None:
    """Add a function that is called when a journal is closed, which awaits nothing."""
    require_function(closer, "closer", "Give a function without arguments.")
    refuse_coroutine_function(closer, "closer")
    closers.append(closer)


def run_closers(closers: list[Callable[[], None]]) -> None:
    """Run each function once, however often the journal is closed."""
    while closers:
        closers.pop()()
