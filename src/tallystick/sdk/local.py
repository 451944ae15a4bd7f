"""How a call reaches its operation: in this process, or one day over a wire."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from msgspec.structs import replace

from tallystick.operations import Operation

if TYPE_CHECKING:
    from tallystick.core.model import Actor
    from tallystick.operations.desk import Desk
    from tallystick.store.port import Ledger, Outcome

Call = tuple[Operation[..., Any], dict[str, Any]]


class Caller(Protocol):
    """Some way to the operations."""

    def call(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        """Carry out an operation, and wait for it."""

    def close(self) -> None:
        """Let go of everything."""


class GroupCaller(Caller, Protocol):
    """One that can carry out several calls at once."""

    def call_together(self, calls: Sequence[Call]) -> "list[Outcome]":
        """Carry out records, each kept or refused by itself, in as few commits as can be."""


class Local:
    """Calls operations in this process."""

    def __init__(self, desk: "Desk") -> None:
        self.desk = desk

    def call(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        return operation(self.desk, arguments)

    def call_together(self, calls: Sequence[Call]) -> "list[Outcome]":
        return together([(self, *call) for call in calls])

    def call_on(self, operation: Operation[..., Any], arguments: dict[str, Any], ledger: "Ledger") -> Any:
        return operation(self.desk.on(ledger), arguments)

    def seen_by(self, actor: "Actor", client: str, *, carries_out: bool = False) -> "Local":
        """The same way for a framework, which tells what it saw an agent do."""
        seen = {"actor": actor, "witness": "observed", "client": client, "carries_out": carries_out}
        return Local(self.desk.for_asker(replace(self.desk.asker, **seen)))

    def close(self) -> None:
        self.desk.store.close()


def together(calls: "Sequence[tuple[Local, Operation[..., Any], dict[str, Any]]]") -> "list[Outcome]":
    """Carry out records of several askers of one journal, each kept or refused by itself."""
    desk = calls[0][0].desk
    return desk.store.write_all(desk.journal, [partial(local.call_on, name, given) for local, name, given in calls])
