"""Every possible request: each read of the catalogue, with each id that could be named."""

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import msgspec

from tallystick.core.errors import TallystickError
from tallystick.operations import CATALOGUE, Operation
from tests.access.canaries import Planted

READS = tuple(each for each in CATALOGUE.values() if each.kind == "read")
MAX_PAGES = 50
"""More pages than any response here has; a cursor that runs in a circle reaches this limit."""
_HANDLE_OF = {"a": "execution_id", "b": "execution_id", "id": "action_id", "session": "session_id"}
_NAMELESS_ARGUMENTS = frozenset(
    {"limit", "cursor", "after", "newest_first", "since", "until", "wait_seconds", "days"}
    | {"tokens", "most", "revision", "head", "include_expired", "chain", "steps", "working", "unfolded"}
)
"""Arguments for amounts, times and positions, which name nothing."""


def probes(operation: Operation[..., Any], planted: Planted) -> Iterator[dict[str, Any]]:
    """Calls of a read that name what was planted, one thing at a time, and one that names nothing."""
    choices = {name: _choices(operation, name, planted) for name in operation.arguments.__struct_fields__}
    needed = [field.name for field in msgspec.structs.fields(operation.arguments) if field.required]
    if not needed:
        yield {}
    for name, values in choices.items():
        for value in values:
            yield {**{other: choices[other][0] for other in needed}, name: value}


def _choices(operation: Operation[..., Any], name: str, planted: Planted) -> tuple[Any, ...]:
    if name in _NAMELESS_ARGUMENTS:
        return ()
    found = planted.handles.get(_HANDLE_OF.get(name, name))
    if found is None:
        found = _words(planted).get(name) or _literals(operation.hints[name])
    assert found, f"{operation.name} can be asked by {name}: say here what was planted under it"
    return found


def _words(planted: Planted) -> dict[str, tuple[str, ...]]:
    word = planted.canary
    return {
        "task_id": (planted.task,),
        "parent": (f"parent {word}",),
        "text": (word,),
        "tool": (f"tool-{word}",),
        "actor": (f"agent {word}", f"person {word}"),
        "client": (f"client {word}",),
        "name": (f"session {word}",),
        "template": (f"template {word}",),
        "step": (f"step-{word}",),
        "key": (f"key-{word}",),
        "type": (word,),
        "kind": ("action_begun", "session_noted", "context_recorded", "credential_added", "body_erased"),
    }


def _literals(hint: Any) -> tuple[Any, ...]:
    if get_origin(hint) is Literal:
        return get_args(hint)
    return tuple(value for each in get_args(hint) for value in _literals(each))


def _error_text(error: TallystickError, arguments: dict[str, Any]) -> str:
    """The text of an error without what it repeats of the request."""
    text = f"{error} {error.hint} {error.allowed} {error.next_call}"
    for value in arguments.values():
        text = text.replace(f'"{value}"', "")
    return text


def pages(ask: Any, operation: Operation[..., Any], arguments: dict[str, Any]) -> Iterator[str]:
    """All that a call shows, page after page; an error shows something too."""
    for _ in range(MAX_PAGES):
        try:
            found = ask(operation, arguments)
        except TallystickError as error:
            yield _error_text(error, arguments)
            return
        yield msgspec.json.encode(found).decode()
        cursor, last = getattr(found, "next_cursor", ""), getattr(found, "last_seq", None)
        if cursor:
            arguments = {**arguments, "cursor": cursor}
        elif last is not None and getattr(found, "more", False):
            arguments = {**arguments, "after": last}
        else:
            return
    raise AssertionError(f"{operation.name} has no end")
