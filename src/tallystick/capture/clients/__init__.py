"""The clients whose hooks we read: one module each, from an event's payload to what was observed.

Pure functions. Whatever a payload holds, an answer comes back: what is not understood is kept as `Other`.
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
"""And our own gateway, which has no hooks, but spools what it cannot record."""
UNREADABLE = {"unreadable": "What the client said of the arguments cannot be read."}
"""The arguments of a call that was seen, and no more. The same at its begin and at its end."""


def observe(client: str, event: str, payload: object) -> tuple[Observed, ...]:
    """What an event of a client says."""
    if not isinstance(payload, dict):
        return (
            UnreadablePayload(why="the payload is not an object", text=payload if isinstance(payload, str) else ""),
        )
    if client not in _READERS:
        return (UnreadablePayload(why=f'"{client}" is no client that we know'),)
    if isinstance(payload.get("unreadable"), str):
        return _of_unreadable(client, event, payload)
    told = Payload(payload, event)
    return _read(client, told) or (other(client, told),)


def _read(client: str, told: Payload) -> tuple[Observed, ...]:
    read: Callable[[Payload], tuple[Observed, ...]] = import_module(
        f"{__name__}.{_READERS[detect_client(client, told.fields)]}"
    ).read
    return read(told)


def _of_unreadable(client: str, event: str, payload: dict[str, Any]) -> tuple[Observed, ...]:
    """What the hook could tell of it: perhaps that a call began or ended, but never what came of it."""
    known = {name: value for name, value in payload.items() if name != "unreadable"}
    facts: tuple[Observed, ...] = ()
    if event.lower() in CALL_BEGIN_EVENTS | CALL_END_EVENTS:
        facts = _read(client, Payload({**known, "tool_input": UNREADABLE}, event))
    calls = tuple(_doubtful(fact) for fact in facts if isinstance(fact, CallBegun | CallEnded | CallDenied))
    told = calls[0] if calls else other(client, Payload(known, event))
    why = "the client wrote no JSON that can be read"
    return (*calls, UnreadablePayload(conversation=told.conversation, why=why, text=payload["unreadable"]))


def _doubtful(fact: CallObserved) -> CallObserved:
    of = {name: getattr(fact, name) for name in ("conversation", "agent", "tool", "call_id")}
    if isinstance(fact, CallBegun):
        return CallBegun(**of, arguments=UNREADABLE)
    return CallEnded(**of, arguments=UNREADABLE, outcome="unknown", error="What was said of its end cannot be read.")


def other(client: str, told: Payload) -> Other:
    """An event that nobody here knows."""
    id = conversation_id(detect_client(client, told.fields), told.fields) or told.text(
        "session_id", "sessionId", "conversation_id"
    )
    return Other(conversation=id, event=told.event, payload=dict(told.fields))
