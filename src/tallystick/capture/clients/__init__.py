"""Reads the hook events of supported clients: one module per client, from an event's payload to what it says.

Pure functions. Every payload gets an answer: an event that no module knows becomes `Other`.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from tallystick.capture.clients.events import (
    CallBegun,
    CallDenied,
    CallEnded,
    CallObserved,
    Observed,
    Other,
    UnreadablePayload,
)
from tallystick.capture.clients.payload import Payload
from tallystick.capture.hook.event import conversation_id, detect_client
from tallystick.capture.hook.responses import CALL_BEGIN_EVENTS, CALL_END_EVENTS

CLIENTS = {
    "claude-code": "claude_code",
    "codex": "codex",
    "gemini-cli": "gemini",
    "cursor": "cursor",
    "copilot": "copilot",
}
"""The names of clients in commands and records, and their modules."""
_READERS = {**CLIENTS, "gateway": "gateway"}
"""The clients, and our own gateway: it has no hooks, but spools what it cannot record."""
UNREADABLE_ARGUMENTS = {"unreadable": "The arguments in the client's payload cannot be read."}
"""The arguments of a call of which only the name was readable. The same at its begin and at its end."""


def observe(client: str, event: str, payload: object) -> tuple[Observed, ...]:
    """Read an event of a client."""
    if not isinstance(payload, dict):
        text = payload if isinstance(payload, str) else ""
        return (UnreadablePayload(why="the payload is not an object", text=text),)
    if client not in _READERS:
        return (UnreadablePayload(why=f'"{client}" is no client that we know'),)
    if isinstance(payload.get("unreadable"), str):
        return _observe_unreadable(client, event, payload)
    fields = Payload(payload, event)
    return _read(client, fields) or (_other(client, fields),)


def _read(client: str, payload: Payload) -> tuple[Observed, ...]:
    module = import_module(f"{__name__}.{_READERS[detect_client(client, payload.fields)]}")
    read: Callable[[Payload], tuple[Observed, ...]] = module.read
    return read(payload)


def _observe_unreadable(client: str, event: str, payload: dict[str, Any]) -> tuple[Observed, ...]:
    """Read the fields that the hook could read: a call may have begun or ended, but never with an outcome."""
    known = {name: value for name, value in payload.items() if name != "unreadable"}
    facts: tuple[Observed, ...] = ()
    if event.lower() in CALL_BEGIN_EVENTS | CALL_END_EVENTS:
        facts = _read(client, Payload({**known, "tool_input": UNREADABLE_ARGUMENTS}, event))
    calls = tuple(_without_outcome(fact) for fact in facts if isinstance(fact, CallBegun | CallEnded | CallDenied))
    about = calls[0] if calls else _other(client, Payload(known, event))
    why = "the client wrote no JSON that can be read"
    return (*calls, UnreadablePayload(conversation=about.conversation, why=why, text=payload["unreadable"]))


def _without_outcome(fact: CallObserved) -> CallObserved:
    fields = {name: getattr(fact, name) for name in ("conversation", "agent", "tool", "call_id")}
    if isinstance(fact, CallBegun):
        return CallBegun(**fields, arguments=UNREADABLE_ARGUMENTS)
    error = "The outcome in the client's payload cannot be read."
    return CallEnded(**fields, arguments=UNREADABLE_ARGUMENTS, outcome="unknown", error=error)


def _other(client: str, payload: Payload) -> Other:
    id = conversation_id(detect_client(client, payload.fields), payload.fields)
    id = id or payload.text("session_id", "sessionId", "conversation_id")
    return Other(conversation=id, event=payload.event, payload=dict(payload.fields))
