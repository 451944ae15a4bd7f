"""Calls of operations in this process, and the protocols that local and remote callers share."""

from collections.abc import AsyncIterator, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict

from msgspec.structs import replace

from tallystick.core.errors import InvalidArgument
from tallystick.operations import Operation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from os import PathLike

    from tallystick.core.types import Actor, UnwindMode
    from tallystick.operations.runtime.operation_context import OperationContext
    from tallystick.operations.runtime.receipts import UndoListItem
    from tallystick.operations.views.entries import EntryView
    from tallystick.store.interface import Ledger, Outcome

OperationCall = tuple[Operation[..., Any], dict[str, Any]]


class Caller(Protocol):
    """Calls operations, in this process or on a server."""

    def call(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        """Call an operation, and wait for its result."""

    def close(self) -> None:
        """Close the store or the connections."""


class GroupCaller(Caller, Protocol):
    """A caller that can make several records at once."""

    def call_together(self, calls: Sequence[OperationCall]) -> "list[Outcome]":
        """Make records in as few commits as possible; each succeeds or fails by itself."""


class RunArguments(TypedDict, total=False):
    """The options of `Journal.run`: `RunOptions` of the runner says what they mean."""

    tools: "Iterable[Any]"
    policy: "str | PathLike[str] | object"
    parameters: dict[str, Any] | None
    key: str | None
    unwind: "UnwindMode | None"
    title: str
    task_id: str
    engine: Literal["local", "queue", "temporal"]
    at_once: int
    wait: bool
    grace: float
    execution: str
    on_entry: "Callable[[EntryView], None]"


class RunHandle(Protocol):
    """The handle on a run: `tallystick.runner.run.Run`."""

    id: str
    held: dict[str, str]
    waiting: dict[str, str]
    failed: dict[str, str]

    @property
    def status(self) -> str: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def results(self) -> dict[str, Any]: ...
    @property
    def owed(self) -> "tuple[UndoListItem, ...]": ...
    def __iter__(self) -> Iterator["EntryView"]: ...
    def __aiter__(self) -> AsyncIterator["EntryView"]: ...


class Local:
    """Calls operations in this process."""

    def __init__(self, context: "OperationContext") -> None:
        self.context = context

    def call(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        return operation(self.context, arguments)

    def call_together(self, calls: Sequence[OperationCall]) -> "list[Outcome]":
        return call_together_for([(self, *call) for call in calls])

    def call_in_transaction(self, operation: Operation[..., Any], arguments: dict[str, Any], ledger: "Ledger") -> Any:
        return operation(self.context.in_transaction(ledger), arguments)

    def as_observer(
        self, actor: "Actor", client: str, *, executes_calls: bool = False, conversation: str = ""
    ) -> "Local":
        """The same caller for a framework that reports what it saw an agent do."""
        observer: dict[str, Any] = {"actor": actor, "witness": "observed", "client": client}
        observer |= {"executes_calls": executes_calls}
        if conversation:
            observer["conversation"] = conversation
        return Local(self.context.for_principal(replace(self.context.principal, **observer)))

    def close(self) -> None:
        self.context.store.close()


def local_caller(caller: Caller) -> Local:
    """The caller, if it has the store itself; raises InvalidArgument for one at a server."""
    if not isinstance(caller, Local):
        raise InvalidArgument(
            "This command needs the store itself, not the address of a server.",
            hint="Give the server's store: --url or TALLYSTICK_URL as sqlite:///... or postgresql://...",
            field="url",
        )
    return caller


def keep_session(caller: Local) -> None:
    """Open the session of a caller, or renew its lease."""
    caller.context.write(lambda transaction: transaction.session)


def call_together_for(
    calls: "Sequence[tuple[Local, Operation[..., Any], dict[str, Any]]]", *, waits: bool = True
) -> "list[Outcome]":
    """Make records of several principals of one journal; each succeeds or fails by itself. If `waits` is false, the
    error of each may be WouldWait: somebody else writes, and it was not made."""
    context = calls[0][0].context
    return context.store.write_all(
        context.journal,
        [partial(local.call_in_transaction, operation, arguments) for local, operation, arguments in calls],
        waits=waits,
    )
