"""The current execution: the default where a call names none, inside the scope of an execution.

It is a context variable, so tasks and threads inherit it. A record that names an action needs no execution, and a list
without one covers all of them: only calls that would use the open execution of the session get the current one.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple


class CurrentExecution(NamedTuple):
    """An execution, and the caller whose scope it is: it does not count for another journal.

    `is_resumed`: it was started before, under the same key. `begun` are the actions that this scope has begun.
    `earlier`: what its earlier runs did and may be repeated (`sdk/earlier_calls.py`).
    """

    execution: str
    owner: object
    is_resumed: bool = False
    begun: set[str] | None = None
    earlier: dict[bytes, list[str]] | None = None


current: ContextVar[CurrentExecution | None] = ContextVar("tallystick_execution", default=None)
is_in_scope = current.get
"""Whether there is a current execution: the only cost for a call outside of any scope."""


def current_execution() -> str:
    """The execution of the enclosing scope; empty outside of any."""
    here = current.get()
    return here.execution if here else ""


@contextmanager
def execution_scope(here: CurrentExecution) -> Iterator[None]:
    """Make an execution the current one inside a `with` block."""
    token = current.set(here)
    try:
        yield
    finally:
        current.reset(token)


def owner_of_call(call: Callable[..., Any]) -> object:
    """The caller that a call function belongs to."""
    return getattr(call, "__self__", call)


def _always(arguments: dict[str, Any]) -> bool:
    return True


def _has_execution_scope(arguments: dict[str, Any]) -> bool:
    scope = arguments.get("scope")
    return scope == "execution" or (scope == "task" and not arguments.get("task_id"))


def _names_no_action(arguments: dict[str, Any]) -> bool:
    named = any(arguments.get(name) for name in ("action_id", "call_id", "undoes"))
    return arguments.get("phase") != "end" and not named


_NEEDS_EXECUTION: dict[str, Callable[[dict[str, Any]], bool]] = {
    "record_action": _names_no_action,
    "record_decision": _always,
    "request_approval": _always,
    "record_context": _has_execution_scope,
    "get_context": _has_execution_scope,
    "get_status": _always,
    "get_brief": _always,
}
"""The operations on one execution, each with a predicate on its arguments."""


def with_current_execution(operation: str, arguments: dict[str, Any], owner: object) -> dict[str, Any]:
    """The arguments with the current execution, if the operation needs one and none is named."""
    here, needs_execution = current.get(), _NEEDS_EXECUTION.get(operation)
    if here is None or needs_execution is None or here.owner is not owner:
        return arguments
    if arguments.get("execution_id") or not needs_execution(arguments):
        return arguments
    return {**arguments, "execution_id": here.execution}
