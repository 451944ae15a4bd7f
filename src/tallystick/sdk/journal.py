"""`Journal` and `AsyncJournal`: what people import.

Both are the list of verbs with the same sugar on top. `open` finds the store by its argument, then by
`TALLYSTICK_URL`, then in the user's data folder, and asks the opener that `wiring` registers; so this file knows no
store.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, overload

from tallystick import recording
from tallystick.calls import GroupCaller
from tallystick.core.errors import TallystickError
from tallystick.core.model import Actor, Witness
from tallystick.current import within
from tallystick.recording import ActionScope, ExecutionScope, Run
from tallystick.verbs import AsyncVerbs, Verbs

if TYPE_CHECKING:
    from tallystick.operations.entries import EntryView
    from tallystick.operations.executions import Status
    from tallystick.operations.receipts import PlanReceipt

F = TypeVar("F", bound=Callable[..., Any])

WAIT_SECONDS = 20.0
"""How long one look for news waits, when nothing comes."""
Opener = Callable[..., GroupCaller]


class Journal(Verbs):
    """One journal. Use it in a `with` block: leaving it ends the session, and what is open then is in doubt."""

    opener: ClassVar[Opener]

    @classmethod
    def open(
        cls,
        url: str | None = None,
        *,
        journal: str | None = None,
        actor: Actor | str | None = None,
        witness: Witness = "claimed",
        session: str | None = None,
        credential: str | None = None,
    ) -> Journal:
        """Open a journal: `sqlite:///path`, `postgresql://...`, `memory:`, or by default the user's own file.

        `journal` names one of several in a store; by default it is the one of the project in this folder.
        """
        return cls(cls.opener(url, journal, actor, witness, session, credential))

    def execution(self, title: str = "", **arguments: Any) -> ExecutionScope:
        """A scope for an execution: `with journal.execution("Deploy") as execution:`."""
        return ExecutionScope(self.caller.call, {"title": title, **arguments})

    def step(self, step: str, summary: str = "", **arguments: Any) -> ActionScope:
        """A scope for a planned step of the current execution."""
        return ActionScope(self.caller.call, {"step": step, "summary": summary, **arguments})

    def action(self, summary: str = "", **arguments: Any) -> ActionScope:
        """A scope for an action of the current execution."""
        return ActionScope(self.caller.call, {"summary": summary, **arguments})

    @overload
    def recorded(self, function: F, /) -> F: ...
    @overload
    def recorded(self, function: None = None, /, **arguments: Any) -> Callable[[F], F]: ...
    def recorded(self, function: Any = None, /, **arguments: Any) -> Any:
        """A decorator, bare or called: each call of the function is an action. Takes what `record_action` takes at
        its beginning. The function may also be a coroutine function or a generator of either kind."""
        decorate: Callable[[Any], Any] = recording.recorded(self.caller.call, arguments)
        return decorate(function) if function else decorate

    def carry_out(self, plan: PlanReceipt | str, executor: Callable[[dict[str, Any]], Any], **arguments: Any) -> Status:
        """Call `executor` with each step in order, record it, and return the status: also at the first failure, and at
        a step that waits for a person. Inside `executor` the execution is the current one."""
        work = recording.carrying_out(plan if isinstance(plan, str) else plan.id, arguments)
        ask = next(work)
        try:
            while True:
                if isinstance(ask, Run):
                    with within(ask.execution, self.caller):
                        try:
                            ran = recording.outcome_of(executor(ask.step))
                        except BaseException as error:
                            ran = recording.failure_of(error)
                    ask = work.send(ran)
                    continue
                try:
                    answer = self.caller.call(ask.operation, ask.arguments)
                except TallystickError as problem:
                    ask = work.throw(problem)
                else:
                    ask = work.send(answer)
        except StopIteration as end:
            final: Status = end.value
            return final

    def follow(self, after: int | None = None, **filters: Any) -> Iterator[EntryView]:
        """New entries as they land, from any process, without end. `after` is where to start: now, when left out."""
        return self._behind(self._end() if after is None else after, filters)

    def _behind(self, place: int, filters: dict[str, Any]) -> Iterator[EntryView]:
        while True:
            page = self.read_entries(after=place, wait_seconds=WAIT_SECONDS, **filters)
            yield from page.entries
            place = page.last_seq

    def _end(self) -> int:
        newest = self.read_entries(newest_first=True, limit=1).entries
        return newest[0].seq if newest else 0

    def close(self) -> None:
        """End the session and let go of the store."""
        self.caller.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncJournal(AsyncVerbs):
    """One journal, for programs that await. Use it in an `async with` block."""

    @classmethod
    def open(
        cls,
        url: str | None = None,
        *,
        journal: str | None = None,
        actor: Actor | str | None = None,
        witness: Witness = "claimed",
        session: str | None = None,
        credential: str | None = None,
    ) -> AsyncJournal:
        """Open a journal; takes what `Journal.open` takes."""
        return cls(Journal.opener(url, journal, actor, witness, session, credential))

    def execution(self, title: str = "", **arguments: Any) -> ExecutionScope:
        """A scope for an execution: `async with journal.execution("Deploy") as execution:`."""
        return ExecutionScope(self.in_thread, {"title": title, **arguments})

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
        decorate: Callable[[Any], Any] = recording.recorded(self.in_thread, arguments)
        return decorate(function) if function else decorate

    async def carry_out(
        self, plan: PlanReceipt | str, executor: Callable[[dict[str, Any]], Awaitable[Any]], **arguments: Any
    ) -> Status:
        """Await `executor` with each step in order, record it, and return the status: also at the first failure, and
        at a step that waits for a person. Inside `executor` the execution is the current one."""
        work = recording.carrying_out(plan if isinstance(plan, str) else plan.id, arguments)
        ask = next(work)
        try:
            while True:
                if isinstance(ask, Run):
                    with within(ask.execution, self):
                        try:
                            ran = recording.outcome_of(await executor(ask.step))
                        except BaseException as error:
                            ran = recording.failure_of(error)
                    ask = work.send(ran)
                    continue
                try:
                    answer = await self.in_thread(ask.operation, ask.arguments)
                except TallystickError as problem:
                    ask = work.throw(problem)
                else:
                    ask = work.send(answer)
        except StopIteration as end:
            final: Status = end.value
            return final

    async def follow(self, after: int | None = None, **filters: Any) -> AsyncIterator[EntryView]:
        """New entries as they land, from any process, without end."""
        place = after
        if place is None:
            newest = (await self.read_entries(newest_first=True, limit=1)).entries
            place = newest[0].seq if newest else 0
        while True:
            page = await self.read_entries(after=place, wait_seconds=1.0, **filters)
            for entry in page.entries:
                yield entry
            place = page.last_seq

    async def close(self) -> None:
        """End the session and let go of the store."""
        from asyncio import get_running_loop

        await get_running_loop().run_in_executor(None, self.close_caller)

    async def __aenter__(self) -> AsyncJournal:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
