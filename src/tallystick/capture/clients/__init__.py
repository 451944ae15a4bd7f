"""The clients whose hooks we read: one module each, from an event's payload to what was observed.

Pure functions. Whatever a payload holds, an answer comes back: what is not understood is kept as `Other`.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from tallystick.capture.answers import AFTER, BEFORE
from tallystick.capture.observed import CallBegun, CallDenied, CallEnded, CallObserved, Observed, Other, Unreadable
from tallystick.capture.payloads import Payload

CLIENTS = {
    "claude-code": "claude",
    "codex": "codex",
    "gemini-cli": "gemini",
    "cursor": "cursor",
    "copilot": "copilot",
}
"""The names of clients in commands and records, and their modules."""
_READERS = {**CLIENTS, "gateway": "gateway"}
"""And our own gateway, which has no hooks, but spools what it cannot record."""
_PREFIX = {"codex": "thread"}
"""Codex names a conversation to MCP servers as a thread; the others by what they are."""
NAME_LENGTH = 180
UNREADABLE = {"unreadable": "What the client said of the arguments cannot be read."}
"""The arguments of a call that was seen, and no more. The same at its begin and at its end."""


def observe(client: str, event: str, payload: object) -> tuple[Observed, ...]:
    """What an event of a client says."""
    if not isinstance(payload, dict):
        return (Unreadable(why="the payload is not an object", text=payload if isinstance(payload, str) else ""),)
    if client not in _READERS:
        return (Unreadable(why=f'"{client}" is no client that we know'),)
    if isinstance(payload.get("unreadable"), str):
        return _of_unreadable(client, event, payload)
    told = Payload(payload, event)
    return _read(client, told) or (other(told),)


def _read(client: str, told: Payload) -> tuple[Observed, ...]:
    read: Callable[[Payload], tuple[Observed, ...]] = import_module(f"{__name__}.{_READERS[whose(client, told)]}").read
    return read(told)


def _of_unreadable(client: str, event: str, payload: dict[str, Any]) -> tuple[Observed, ...]:
    """What the hook could tell of it: perhaps that a call began or ended, but never what came of it."""
    known = {name: value for name, value in payload.items() if name != "unreadable"}
    facts: tuple[Observed, ...] = ()
    if event.lower() in BEFORE | AFTER:
        facts = _read(client, Payload({**known, "tool_input": UNREADABLE}, event))
    calls = tuple(_doubtful(fact) for fact in facts if isinstance(fact, CallBegun | CallEnded | CallDenied))
    told = calls[0] if calls else other(Payload(known, event))
    why = "the client wrote no JSON that can be read"
    return (*calls, Unreadable(conversation=told.conversation, why=why, text=payload["unreadable"]))


def _doubtful(fact: CallObserved) -> CallObserved:
    of = {name: getattr(fact, name) for name in ("conversation", "agent", "tool", "call_id")}
    if isinstance(fact, CallBegun):
        return CallBegun(**of, arguments=UNREADABLE)
    return CallEnded(**of, arguments=UNREADABLE, outcome="unknown", error="What was said of its end cannot be read.")


def whose(client: str, told: Payload) -> str:
    """Which client really speaks: Cursor and Copilot run the hooks of Claude Code's settings too. What the line says
    counts, unless the payload has what only they give."""
    if client == "claude-code":
        if told.value("cursor_version", "workspace_roots") is not None:
            return "cursor"
        if told.value("timestamp") is not None and not _is_claude(told):  # Copilot always gives one
            return "copilot"
    return client


def _is_claude(told: Payload) -> bool:
    """Whether a payload with a time is Claude Code's all the same: it gives none yet, and may some day.

    Claude Code names its transcript in every event, Copilot in few: then it tells why it stopped, or the file lies in a
    folder of its own. In VS Code, Copilot writes names as JavaScript does.
    """
    path = told.text("transcript_path")
    if told.text("permission_mode") or "/.claude/" in path or told.text("tool_use_id").startswith("toolu_"):
        return True
    copilots = told.value("stop_reason", "agent_name", "sessionId", "hookEventName") is not None
    return "transcript_path" in told.fields and not copilots and "/.copilot/" not in path


def conversation(client: str, id: str) -> str:
    """The name that all sessions of one conversation share, whoever opens them."""
    plain = "".join(letter for letter in id if letter.isprintable())[:NAME_LENGTH]
    if client == "gateway":  # it tells the whole name
        return plain
    return f"{_PREFIX.get(client, client)}:{plain}" if plain else ""


def other(told: Payload) -> Other:
    """An event that nobody here knows."""
    fields: dict[str, Any] = told.fields
    return Other(
        conversation=told.text("session_id", "sessionId", "conversation_id"), event=told.event, payload=dict(fields)
    )
