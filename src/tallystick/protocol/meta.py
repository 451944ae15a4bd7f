"""Reads what clients report beside the arguments of a call: names in `_meta`, and in the environment of a server.

The protocol has no names for the conversation that a server is started for, nor for the model's own id of a call: each
client has its own.
"""

from collections.abc import Mapping
from typing import Any

MAX_NAME_CHARACTERS = 180
"""Names of clients and conversations are cut to this: a journal takes 200 characters."""
SESSION_KEY = "tallystick/session"
"""The handle of the session of a call."""
ACTION_KEY = "tallystick/key"
"""The key that the gateway sends with a call to its server: the same key is the same action."""
ERROR_KEY = "tallystick/error"
"""The structured error of a refusal by the gateway, in the result of a tool whose schema does not have it."""

_THREADS: tuple[tuple[str, ...], ...] = (
    ("threadId",),  # Codex
    ("x-codex-turn-metadata", "thread_id"),
    ("vscode.conversationId",),
)
_OTHER_CLIENTS = ("codex", "gemini", "cursor", "copilot")
"""Words in the names of other clients: Claude Code's shell passes its environment on to those that it starts."""
_CALLS: tuple[tuple[str, ...], ...] = (("claudecode/toolUseId",), ("callId",))
"""`vscode.requestId` is not one: it names the user's turn, which all its calls share."""


def conversation_in_meta(meta: Mapping[str, Any]) -> str:
    """The conversation of a call; empty if the client does not send it."""
    return _first(meta, _THREADS)


def call_id_in_meta(meta: Mapping[str, Any]) -> str:
    """The model's own id of a call; empty if the client does not send it."""
    return _first(meta, _CALLS)


def trace_in_meta(meta: Mapping[str, Any]) -> str:
    """The `traceparent` of a call; empty if the client does not send it."""
    value = meta.get("traceparent")
    return value if isinstance(value, str) else ""


def conversation_in_environment(env: Mapping[str, str]) -> str:
    """The conversation that a client started this process for; empty if the environment does not name it."""
    claude = env.get("CLAUDE_CODE_SESSION_ID", "")
    return f"claude-code:{claude}" if claude else ""


def is_not_claude_code(client: str) -> bool:
    """Whether a client is another than Claude Code, so that the environment names the wrong conversation."""
    return any(word in client.lower() for word in _OTHER_CLIENTS)


def kind_in_one_conversation(client: str) -> str:
    """The kind of conversation of a client that names none and is in one at a time; empty for other clients."""
    return "gemini-cli" if "gemini" in client.lower() else ""


def clean_name(text: str) -> str:
    """A name without unprintable characters, cut to the limit."""
    shown = text if text.isprintable() else "".join(letter for letter in text if letter.isprintable())
    return shown[:MAX_NAME_CHARACTERS]


def _first(meta: Mapping[str, Any], paths: tuple[tuple[str, ...], ...]) -> str:
    for path in paths if meta else ():
        value: Any = meta
        for name in path:
            value = value.get(name) if isinstance(value, Mapping) else None
        if isinstance(value, str) and value:
            return clean_name(value)
    return ""
