"""The clients whose hooks we read: one module each, from an event's payload to what was observed.

Pure functions. Whatever a payload holds, an answer comes back: what is not understood is kept as `Other`.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from tallystick.capture.observed import Observed, Other, Unreadable
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


def observe(client: str, event: str, payload: object) -> tuple[Observed, ...]:
    """What an event of a client says."""
    if not isinstance(payload, dict):
        return (Unreadable(why="the payload is not an object", text=payload if isinstance(payload, str) else ""),)
    if client not in _READERS:
        return (Unreadable(why=f'"{client}" is no client that we know'),)
    if isinstance(payload.get("unreadable"), str):
        return (Unreadable(why="the client wrote no JSON", text=payload["unreadable"]),)
    told = Payload(payload, event)
    read: Callable[[Payload], tuple[Observed, ...]] = import_module(f"{__name__}.{_READERS[whose(client, told)]}").read
    return read(told) or (other(told),)


def whose(client: str, told: Payload) -> str:
    """Which client really speaks: Cursor and Copilot run the hooks of Claude Code's settings too."""
    if client == "claude-code":
        if told.value("cursor_version", "workspace_roots") is not None:
            return "cursor"
        if told.value("timestamp") is not None:  # Claude Code gives none, Copilot always does
            return "copilot"
    return client


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
