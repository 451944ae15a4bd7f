"""The execution that is meant where none is named: the one whose scope the caller is in.

It travels with the context, into tasks and threads. A record that names what it is about needs no execution, and a
list without one is of all of them: so this fills in only what would else be looked for among the open ones.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple


class CurrentExecution(NamedTuple):
    """An execution, and whose scope it is: another journal knows nothing of it."""

    execution: str
    owner: object


current: ContextVar[CurrentExecution | None] = ContextVar("tallystick_execution", default=None)
is_in_scope = current.get
"""Whether there is one: all that a call pays for that is in no scope."""


def current_execution() -> str:
    """The execution whose scope this is in; empty when it is in none."""
    found = current.get()
    return found.execution if found else ""


@contextmanager
def execution_scope(execution: str, owner: object) -> Iterator[None]:
    """Make an execution the current one."""
    token = current.set(CurrentExecution(execution, owner))
    try:
        yield
    finally:
        current.reset(token)


def owner_of_call(call: Callable[..., Any]) -> object:
    """Whose calls these are, as its verbs know themselves."""
    return getattr(call, "__self__", call)


def _always(given: dict[str, Any]) -> bool:
    return True


def _scoped(given: dict[str, Any]) -> bool:
    return given.get("scope") == "execution" or (given.get("scope") == "task" and not given.get("task_id"))


def _names_nothing(given: dict[str, Any]) -> bool:
    return given.get("phase") != "end" and not any(given.get(name) for name in ("action_id", "call_id", "undoes"))


_MEANS_ONE: dict[str, Callable[[dict[str, Any]], bool]] = {
    "record_action": _names_nothing,
    "record_decision": _always,
    "request_approval": _always,
    "record_context": _scoped,
    "get_context": _scoped,
    "get_status": _always,
    "get_brief": _always,
}
"""The operations that are about one execution, and with which arguments."""


def with_current_execution(operation: str, given: dict[str, Any], owner: object) -> dict[str, Any]:
    """The arguments with the current execution, if one is meant and none is named."""
    found, means_one = current.get(), _MEANS_ONE.get(operation)
    if found is None or means_one is None or found.owner is not owner:
        return given
    if given.get("execution_id") or not means_one(given):
        return given
    return {**given, "execution_id": found.execution}
