"""What clients tell of a call beside its arguments: names in `_meta`, and in the environment of a server.

The conversation that a server is started for, and the model's own id of a call, have no name in the protocol; each
client has its own.
"""

from collections.abc import Mapping
from typing import Any

MAX_NAME_CHARACTERS = 180
"""Names of clients and conversations are cut to this: a journal takes 200 characters."""
SESSION_KEY = "tallystick/session"
"""The handle of the session that a call is made in."""
ACTION_KEY = "tallystick/key"
"""What the gateway tells the server that it passes a call on to: the same key is the same action."""
ERROR_KEY = "tallystick/error"
"""The structure of a refusal by the gateway, in the result of a tool whose own schema knows nothing of it."""

_THREADS: tuple[tuple[str, ...], ...] = (
    ("threadId",),  # Codex
    ("x-codex-turn-metadata", "thread_id"),
    ("vscode.conversationId",),
)
_OTHERS = ("codex", "gemini", "cursor", "copilot")
"""Words in the names of clients that are not Claude Code: its shell hands its environment on to those it starts."""
_CALLS: tuple[tuple[str, ...], ...] = (("claudecode/toolUseId",), ("callId",))
"""`vscode.requestId` is not one: it names the user's turn, and all calls in it share it."""


def conversation_in_meta(meta: Mapping[str, Any]) -> str:
    """The conversation, if the client tells it."""
    return _first(meta, _THREADS)


def call_id_in_meta(meta: Mapping[str, Any]) -> str:
    """The model's own id of a call, if the client tells it."""
    return _first(meta, _CALLS)


def trace_in_meta(meta: Mapping[str, Any]) -> str:
    found = meta.get("traceparent")
    return found if isinstance(found, str) else ""


def conversation_in_environment(env: Mapping[str, str]) -> str:
    """The name of the conversation that a client has started this process for, where it says so."""
    claude = env.get("CLAUDE_CODE_SESSION_ID", "")
    return f"claude-code:{claude}" if claude else ""


def is_not_claude_code(client: str) -> bool:
    """Whether it is a client of which the environment tells no conversation."""
    return any(word in client.lower() for word in _OTHERS)


def clean_name(text: str) -> str:
    """A name as the journal takes it."""
    shown = text if text.isprintable() else "".join(letter for letter in text if letter.isprintable())
    return shown[:MAX_NAME_CHARACTERS]


def _first(meta: Mapping[str, Any], paths: tuple[tuple[str, ...], ...]) -> str:
    for path in paths if meta else ():
        found: Any = meta
        for name in path:
            found = found.get(name) if isinstance(found, Mapping) else None
        if isinstance(found, str) and found:
            return clean_name(found)
    return ""
