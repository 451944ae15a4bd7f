"""What an event is about, out of a payload that cannot be read: nested too deeply, too long, or cut off.

A call that was seen is recorded as a call, though nobody knows its arguments. Only fields of the payload itself count,
never one of the same name within the arguments: so brackets are counted from the beginning; behind the arguments, what
stands last is taken. Standard library only: the hook takes this file along, and loads it only for such a payload.
"""

from __future__ import annotations

import re

from tallystick.core.formats.fast_json import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD_CHARACTERS = 1 << 20
"""Characters at the beginning that are looked at."""
TAIL_CHARACTERS = 4 << 10
"""Characters at the end that are looked at."""
FIELD_NAMES = frozenset(
    "session_id sessionId conversation_id hook_event_name hookEventName hookName tool_name toolName tool_use_id "  # noqa: SIM905
    "toolUseId toolCallId tool_call_id agent_id agentId subagent_id cwd transcript_path cursor_version timestamp "
    "mcp_server_name mcpServerName server_name".split()
)
_TEXT = r'"(?:[^"\\]|\\.){0,1000}"'
_TOKEN = re.compile(rf'(?P<name>{_TEXT})\s*:\s*(?P<value>{_TEXT})?|"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{{}}]', re.DOTALL)
_FLAT = re.compile(rf"(?:,\s*{_TEXT}\s*:\s*(?:{_TEXT}|[\w.+-]{{1,40}})\s*)+\}}\s*\Z", re.DOTALL)


def readable_fields(text: str) -> dict[str, str]:
    """Those of the fields that can be told."""
    if text.lstrip()[:1] != "{":
        return {}
    found: dict[str, str] = {}
    end = _FLAT.search(text, max(0, len(text) - TAIL_CHARACTERS))
    for name, value in (*_text_fields(end[0] if end else ""), *_text_fields(text[:HEAD_CHARACTERS])):
        if name in FIELD_NAMES:
            found[name] = value
    return found


def _text_fields(text: str) -> Iterator[tuple[str, str]]:
    """The texts of an object by their names, without those of objects in it."""
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
