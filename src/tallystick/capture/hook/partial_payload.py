"""Reads the known fields of a payload that cannot be parsed: nested too deeply, too long, or cut off.

So a call is recorded as a call, even with unknown arguments. Only fields of the payload itself count, never one of the
same name within the arguments: brackets are counted from the beginning, and after the arguments the last fields are
taken. Standard library only: the hook loads it only for such a payload.
"""

from __future__ import annotations

import re

from tallystick.core.formats.fast_json import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD_CHARACTERS = 1 << 20
"""How much of the beginning is read."""
TAIL_CHARACTERS = 4 << 10
"""How much of the end is read."""
FIELD_NAMES = frozenset(
    "session_id sessionId conversation_id hook_event_name hookEventName hookName tool_name toolName tool_use_id "  # noqa: SIM905
    "toolUseId toolCallId tool_call_id agent_id agentId subagent_id cwd transcript_path cursor_version timestamp "
    "mcp_server_name mcpServerName server_name".split()
)
_TEXT = r'"(?:[^"\\]|\\.){0,1000}"'
_TOKEN = re.compile(rf'(?P<name>{_TEXT})\s*:\s*(?P<value>{_TEXT})?|"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{{}}]', re.DOTALL)
_LAST_FIELDS = re.compile(rf"(?:,\s*{_TEXT}\s*:\s*(?:{_TEXT}|[\w.+-]{{1,40}})\s*)+\}}\s*\Z", re.DOTALL)


def readable_fields(text: str) -> dict[str, str]:
    """The known fields that can be read."""
    if text.lstrip()[:1] != "{":
        return {}
    fields: dict[str, str] = {}
    end = _LAST_FIELDS.search(text, max(0, len(text) - TAIL_CHARACTERS))
    for name, value in (*_text_fields(end[0] if end else ""), *_text_fields(text[:HEAD_CHARACTERS])):
        if name in FIELD_NAMES:
            fields[name] = value
    return fields


def _text_fields(text: str) -> Iterator[tuple[str, str]]:
    """The names and values of an object's text fields, without those of nested objects."""
    depth = 0 if text.lstrip()[:1] == "{" else 1
    for token in _TOKEN.finditer(text):
        word = token[0]
        if word in ("{", "["):
            depth += 1
        elif word in ("}", "]"):
            depth -= 1
        elif depth == 1 and token["value"]:
            try:
                yield parse(token["name"]), parse(token["value"])
            except ValueError:
                continue
