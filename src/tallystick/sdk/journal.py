"""`Journal` and `AsyncJournal`: every operation as a method, with scopes, a decorator and iterators.

`open` finds the store by its argument, then by `TALLYSTICK_URL`, then in the user's data folder, and calls the opener
that `wiring` registers; so this module knows no store.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from functools import partial
from os import PathLike
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, Unpack, overload

from tallystick.core.errors import TallystickError
from tallystick.core.types import Actor, Step, Witness
from tallystick.sdk import scopes
from tallystick.sdk.local import GroupCaller
from tallystick.sdk.operation_methods import AsyncOperationMethods, OperationMethods, add_closer, run_closers
from tallystick.sdk.requests import (
    USE_ASYNC_JOURNAL,
    drive_async_plainly,
    drive_plainly,
    refuse_coroutine_function,
    without_inner_frames,
)
from tallystick.sdk.scopes import ActionScope, ExecutionScope

if TYPE_CHECKING:
    from tallystick.operations.runtime.receipts import PlanReceipt, UndoListItem
    from tallystick.operations.views.entries import EntryView
    from tallystick.sdk.carry_out import PlanResult
    from tallystick.sdk.classic import Classic
    from tallystick.sdk.local import RunArguments, RunHandle
    from tallystick.sdk.unwind import HasId, Unwound

F = TypeVar("F", bound=Callable[..., Any])

FOLLOW_WAIT_SECONDS = 20.0
"""How long one read of `follow` waits for new entries."""
ASYNC_FOLLOW_WAIT_SECONDS = 1.0
"""The same for an asynchronous journal: it is how long closing the journal may take."""
Opener = Callable[..., GroupCaller]


class ClassicNames:
    """Names of the earlier designs that no operation has, such as `create_plan` and `set_context`, as methods."""

    if not TYPE_CHECKING:  # a type checker reports a misspelt name; `classic` has all of them

        def __getattr__(self, name: str) -> Any:
            found = None if name.startswith("_") else getattr(self.classic, name, None)
            if found is None:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            return found


class Journal(ClassicNames, OperationMethods):
    """One journal. Use it in a `with` block: leaving it ends the session, and actions still open are in doubt."""

    opener: ClassVar[Opener]
    runner: ClassVar[Callable[..., Any]]
    """Carries out a plan; `wiring` registers it."""

    @classmethod
    def open(
        cls,
        url: str | PathLike[str] | None = None,
        *,
        journal: str | None = None,
        actor: Actor | str | None = None,
        witness: Witness = "claimed",
        session: str | None = None,
        credential: str | None = None,
    ) -> Journal:
        """Open a journal: a file such as `journal.db` (text or a `Path`), `sqlite:///path`, `postgresql://...`,
        `http://...`, `memory:`, or by default the user's own file.

        `journal` names one of several in a store; by default it is the one of the project in this folder.
        """
        try:
            return cls(cls.opener(url, journal, actor, witness, session, credential))
        except TallystickError as error:
            raise without_inner_frames(error)  # noqa: B904  # it is the same error

    def execution(self, title: str = "", *, strict: bool = False, **arguments: Any) -> ExecutionScope:
        """A scope for an execution: `with journal.execution("Deploy") as execution:`. The same `key` resumes the same
        execution, for example after a crash. With `strict`, a block that leaves something unsettled raises."""
        return ExecutionScope(self.caller.call, {"title": title, **arguments}, strict=strict)

    def step(self, step: str, summary: str = "", **arguments: Any) -> ActionScope:
        """A scope for a planned step of the current execution: its tool, arguments and undo are those of the plan."""
        return ActionScope(self.caller.call, {"step": step, "summary": summary, **arguments})

    def action(self, summary: str = "", **arguments: Any) -> ActionScope:
        """A scope for an action of the current execution."""
        return ActionScope(self.caller.call, {"summary": summary, **arguments})

    @overload
    def recorded(self, function: F, /) -> F: ...
    @overload
    def recorded(self, function: None = None, /, **arguments: Any) -> Callable[[F], F]: ...
    def recorded(self, function: Any = None, /, **arguments: Any) -> Any:
        """A decorator, bare or called: each call of the function is an action. Takes the arguments of `record_action`
        with phase=begin. The function may also be a coroutine function or a generator of either kind."""
        decorate: Callable[[Any], Any] = scopes.record_calls(self.caller.call, arguments)
        return decorate if function is None else decorate(function)

    def carry_out(
        self, plan: PlanReceipt | str, executor: Callable[[Step], Any], *, go_on: bool = False, **arguments: Any
    ) -> PlanResult:
        """Call `executor` with each step in order, record it, and return what came of it. It also returns at a step
        that waits for a person. Inside `executor` the execution is the current one.

        What `executor` raises is recorded and raised. With `go_on` it is kept in `errors`, and steps that do not depend
        on the failed one are carried out. With a `key` it can be called again, for example after a crash: done steps
        are left out, failed ones are tried again, and a step in doubt raises InDoubtOpen.
        """
        from tallystick.sdk.carry_out import PlanCarrier  # not needed to record

        carrier = PlanCarrier(plan, executor, self.caller, go_on, arguments)
        refuse_coroutine_function(executor, "executor", USE_ASYNC_JOURNAL)
        return drive_plainly(carrier.work(), self.caller.call)

    def run(
        self,
        plan: PlanReceipt | PathLike[str] | Mapping[str, Any] | str,
        **options: Unpack[RunArguments],
    ) -> RunHandle:
        """Carry out a plan through `tools` (functions with `@tool`), in this process, and return when nothing is left
        to do here: all is done, or somebody else has to act. `plan` is a file, a plan's id, or its fields.

        With the same `key` again it goes on: what is done is not done again, and what is unknown is held. `execution`
        goes on with that one. `wait` stays until the execution has ended. `parameters` are the values of the plan's,
        `policy` is a file or a `Policy`, `unwind` what follows a failure, `at_once` the calls at a time, `grace` the
        seconds for calls under way when it is stopped; `on_entry` gets each entry. Also: `title`, `task_id`, `engine`.
        """
        try:
            run: RunHandle = type(self).runner(self.caller, plan, **options)
        except TallystickError as problem:
            raise without_inner_frames(problem)  # noqa: B904
        return run

    def unwind(
        self,
        execution: str | HasId,
        tools: Mapping[str, Callable[..., Any]],
        *,
        by_hand: Callable[[UndoListItem], Any] | None = None,
        include_failed: bool = False,
        go_on: bool = False,
        why: str = "",
    ) -> Unwound:
        """Work off the undo list of an execution: decide `unwind`, call the undos in order, and record each.

        `tools` are functions by the name of the undo's tool; they get its arguments by name. `by_hand` gets each item
        whose undo is in words. The rest is left and listed with the reason: what is in doubt, failed actions unless
        `include_failed`, and steps that a step which is not undone depends on. What an undo raises is recorded and
        raised; with `go_on` it is kept in `errors`. When nothing is left to undo, the execution ends as cancelled.
        """
        from tallystick.sdk.unwind import UndoOptions, Unwinder  # not needed to record

        options = UndoOptions(tools=tools, by_hand=by_hand, include_failed=include_failed, go_on=go_on, why=why)
        unwinder = Unwinder(execution, self.caller, options)
        for name, function in options.functions():
            refuse_coroutine_function(function, name, USE_ASYNC_JOURNAL)
        return drive_plainly(unwinder.work(), self.caller.call)

    @property
    def classic(self) -> Classic:
        """The calls of the earlier designs, such as `journal.classic.create_plan(...)`."""
        from tallystick.sdk import classic

        return classic.Classic(partial(classic.call_by_name, self.caller))

    def execute_plan(
        self, task_id: str, plan_type: str, steps: list[dict[str, Any]], executor: Callable[..., Any], **more: Any
    ) -> Any:
        """As in an earlier design: save a plan, call `executor(step, plan_id)` for each step, record its result, and
        return the completed plan. An exception fails the step, blocks the plan, and is raised."""
        from tallystick.sdk import classic

        refuse_coroutine_function(executor, "executor", USE_ASYNC_JOURNAL)
        given = {"task_id": task_id, "plan_type": plan_type, "steps": steps, **more}
        return classic.execute_plan(self, given, executor)

    def follow(self, after: int | None = None, **filters: Any) -> Iterator[EntryView]:
        """New entries of any process as they are recorded, without end. Starts after the sequence number `after`, or
        with the next entry when it is left out."""
        return self._entries_after(self._newest_seq() if after is None else after, filters)

    def _entries_after(self, seq: int, filters: dict[str, Any]) -> Iterator[EntryView]:
        while True:
            page = self.read_entries(after=seq, wait_seconds=FOLLOW_WAIT_SECONDS, **filters)
            yield from page.entries
            seq = page.last_seq

    def _newest_seq(self) -> int:
        newest = self.read_entries(newest_first=True, limit=1).entries
        return newest[0].seq if newest else 0

    def before_close(self, closer: Callable[[], None]) -> None:
        """Call a function when this journal is closed, before its session ends."""
        add_closer(self._closers, closer)

    def close(self) -> None:
        """End the session and close the store."""
        run_closers(self._closers)
        self.caller.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncJournal(ClassicNames, AsyncOperationMethods):
    """One journal, for programs that await. Use it in an `async with` block."""

    @classmethod
    def open(
        cls,
        url: str | PathLike[str] | None = None,
        *,
        journal: str | None = None,
        actor: Actor | str | None = None,
        witness: Witness = "claimed",
        session: str | None = None,
        credential: str | None = None,
    ) -> AsyncJournal:
        """Open a journal; takes what `Journal.open` takes."""
        try:
            return cls(Journal.opener(url, journal, actor, witness, session, credential))
        except TallystickError as error:
            raise without_inner_frames(error)  # noqa: B904

    def execution(self, title: str = "", *, strict: bool = False, **arguments: Any) -> ExecutionScope:
        """A scope for an execution: `async with journal.execution("Deploy") as execution:`."""
        return ExecutionScope(self.in_thread, {"title": title, **arguments}, strict=strict)

    def step(self, step: str, summary: str = "", **arguments: Any) -> ActionScope:
        """A scope for a planned step of the current execution."""
        return ActionScope(self.in_thread, {"step": step, "summary": summary, **arguments})

    def action(self, summary: str = "", **arguments: Any) -> ActionScope:
        """A scope for an action of the current execution."""
        return ActionScope(self.in_thread, {"summary": summary, **arguments})

    @overload
    def recorded(self, function: F, /) -> F: ...
    @overload
    def recorded(self, function: None = None, /, **arguments: Any) -> Callable[[F], F]: ...
    def recorded(self, function: Any = None, /, **arguments: Any) -> Any:
        """A decorator for coroutine functions and asynchronous generators: each call is an action."""
        decorate: Callable[[Any], Any] = scopes.record_calls(self.in_thread, arguments)
        return decorate if function is None else decorate(function)

    async def carry_out(
        self,
        plan: PlanReceipt | str,
        executor: Callable[[Step], Awaitable[Any]],
        *,
        go_on: bool = False,
        **arguments: Any,
    ) -> PlanResult:
        """Await `executor` with each step in order, record it, and return what came of it; takes what
        `Journal.carry_out` takes."""
        from tallystick.sdk.carry_out import PlanCarrier  # not needed to record

        carrier = PlanCarrier(plan, executor, self, go_on, arguments)
        return await drive_async_plainly(carrier.work(), self.in_thread)

    async def run(
        self,
        plan: PlanReceipt | PathLike[str] | Mapping[str, Any] | str,
        **options: Unpack[RunArguments],
    ) -> RunHandle:
        """Carry out a plan; takes what `Journal.run` takes."""
        try:
            run: RunHandle = await Journal.runner(self.caller, plan, is_awaited=True, **options)
        except TallystickError as problem:
            raise without_inner_frames(problem)  # noqa: B904
        return run

    async def unwind(
        self,
        execution: str | HasId,
        tools: Mapping[str, Callable[..., Any]],
        *,
        by_hand: Callable[[UndoListItem], Any] | None = None,
        include_failed: bool = False,
        go_on: bool = False,
        why: str = "",
    ) -> Unwound:
        """Work off the undo list of an execution; takes what `Journal.unwind` takes. The functions may be coroutine
        functions."""
        from tallystick.sdk.unwind import UndoOptions, Unwinder  # not needed to record

        options = UndoOptions(tools=tools, by_hand=by_hand, include_failed=include_failed, go_on=go_on, why=why)
        return await drive_async_plainly(Unwinder(execution, self, options).work(), self.in_thread)

    @property
    def classic(self) -> Classic:
        """The calls of the earlier designs, to be awaited."""
        from tallystick.sdk import classic

        return classic.Classic(partial(classic.call_in_thread, self.caller))

    async def execute_plan(
        self, task_id: str, plan_type: str, steps: list[dict[str, Any]], executor: Callable[..., Any], **more: Any
    ) -> Any:
        """The same as `Journal.execute_plan`; `executor` may be a coroutine function."""
        from tallystick.sdk import classic

        given = {"task_id": task_id, "plan_type": plan_type, "steps": steps, **more}
        return await classic.execute_plan_async(self, given, executor)

    async def follow(self, after: int | None = None, **filters: Any) -> AsyncIterator[EntryView]:
        """New entries of any process as they are recorded, without end; takes what `Journal.follow` takes."""
        seq = after
        if seq is None:
            newest = (await self.read_entries(newest_first=True, limit=1)).entries
            seq = newest[0].seq if newest else 0
        while True:
            page = await self.read_entries(after=seq, wait_seconds=ASYNC_FOLLOW_WAIT_SECONDS, **filters)
            for entry in page.entries:
                yield entry
            seq = page.last_seq

    async def close(self) -> None:
        """End the session and close the store."""
        from asyncio import get_running_loop

        await get_running_loop().run_in_executor(None, self.close_caller)

    async def __aenter__(self) -> AsyncJournal:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
