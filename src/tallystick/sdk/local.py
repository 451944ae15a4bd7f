"""How a call reaches its operation: in this process, or one day over a wire."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from msgspec.structs import replace

from tallystick.operations import Operation

if TYPE_CHECKING:
    from tallystick.core.types import Actor
    from tallystick.operations.runtime.operation_context import OperationContext
    from tallystick.store.interface import Ledger, Outcome

OperationCall = tuple[Operation[..., Any], dict[str, Any]]


class Caller(Protocol):
    """Some way to the operations."""

    def call(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        """Carry out an operation, and wait for it."""

    def close(self) -> None:
        """Let go of everything."""


class GroupCaller(Caller, Protocol):
    """One that can carry out several calls at once."""

    def call_together(self, calls: Sequence[OperationCall]) -> "list[Outcome]":
        """Carry out records, each kept or refused by itself, in as few commits as can be."""


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

    def as_observer(self, actor: "Actor", client: str, *, executes_calls: bool = False) -> "Local":
        """The same way for a framework, which tells what it saw an agent do."""
        seen = {"actor": actor, "witness": "observed", "client": client, "executes_calls": executes_calls}
        return Local(self.context.for_principal(replace(self.context.principal, **seen)))

    def close(self) -> None:
        self.context.store.close()


def call_together_for(calls: "Sequence[tuple[Local, Operation[..., Any], dict[str, Any]]]") -> "list[Outcome]":
    """Carry out records of several askers of one journal, each kept or refused by itself."""
    context = calls[0][0].context
    return context.store.write_all(
        context.journal, [partial(local.call_in_transaction, name, given) for local, name, given in calls]
    )
