"""Who speaks in an event, and in which conversation: one rule for the hook, which asks about it, and for the drainer.

A line of ours names its client, but Cursor, Copilot and VS Code run the hooks of Claude Code's settings too. Standard
library only: the hook takes this file along, and loads it when an agent is to be told something.
"""

from __future__ import annotations

from tallystick.capture.called import text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ID = {"cursor": ("conversation_id", "session_id"), "copilot": ("sessionId", "session_id")}
"""Where a client puts its id of a conversation; the others have one name for it."""
_PREFIX = {"codex": "thread"}
"""Codex names a conversation to MCP servers as a thread; the others by what they are."""
NAME_LENGTH = 180


def whose(client: str, fields: dict[str, Any]) -> str:
    """Which client really speaks. What the line says counts, unless the payload has what only another one gives."""
    if client == "claude-code":
        if fields.get("cursor_version") is not None or fields.get("workspace_roots") is not None:
            return "cursor"
        if fields.get("timestamp") is not None and not _is_claude(fields):  # Copilot always gives one
            return "copilot"
    return client


def _is_claude(fields: dict[str, Any]) -> bool:
    """Whether a payload with a time is Claude Code's all the same: it gives none yet, and may some day.

    Claude Code names its transcript in every event, Copilot in few: then it tells why it stopped, or the file lies in a
    folder of its own. In VS Code, Copilot writes names as JavaScript does, and hands on the model's id of a call.
    """
    path = text(fields, "transcript_path")
    if "/.copilot/" in path or "GitHub.copilot-chat" in path or text(fields, "sessionId", "hookEventName"):
        return False
    if text(fields, "permission_mode") or "/.claude/" in path or text(fields, "tool_use_id").startswith("toolu_"):
        return True
    copilots = fields.get("stop_reason") is not None or fields.get("agent_name") is not None
    return "transcript_path" in fields and not copilots


def id_of(client: str, fields: dict[str, Any]) -> str:
    """A client's own id of a conversation."""
    return text(fields, *_ID.get(client, ("session_id",)))


def conversation(client: str, id: str) -> str:
    """The name that all sessions of one conversation share, whoever opens them."""
    plain = "".join(letter for letter in id if letter.isprintable())[:NAME_LENGTH]
    if client == "gateway":  # it tells the whole name
        return plain
    return f"{_PREFIX.get(client, client)}:{plain}" if plain else ""
