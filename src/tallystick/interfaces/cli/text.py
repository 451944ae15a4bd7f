"""Values in the words of people: harmless, short, in one line."""

import json
import re
from typing import Any

import msgspec

from tallystick.core.brief import clip
from tallystick.doors.cli import escapes

CELL = 200
"""What is longer is cut in tables and lines; --json shows all of it."""
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?Z")


def said(value: Any, longest: int = CELL) -> str:
    """A value as a person reads it."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        found = _TIME.fullmatch(value)
        return f"{found[1]} {found[2]}" if found else escapes.line(clip(value, longest))
    if isinstance(value, dict) and value and all(isinstance(each, int) for each in value.values()):
        return escapes.line(clip(", ".join(f"{count} {name}" for name, count in value.items()), longest))
    if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
        return escapes.line(clip(", ".join(value), longest))
    if isinstance(value, int | float):
        return f"{value:g}" if isinstance(value, float) else str(value)
    return as_json(value, longest)


def as_json(value: Any, longest: int = CELL) -> str:
    """A structure in one line."""
    return escapes.line(clip(json.dumps(msgspec.to_builtins(value), ensure_ascii=False), longest))


def heading(name: str) -> str:
    """A field's name as people read it."""
    if name == "done_steps/total_steps":
        return "steps"
    return _spaced(name.removesuffix("_id") if name != "id" else name)


def way_out(undo: Any, way: str) -> str:
    """How something is undone: in words, or the call to make."""
    if undo is None:
        return {"unknown": "way unknown", "erased": "the way was erased"}.get(way, said(way))
    call = f"call {said(undo.tool)} {as_json(undo.arguments) if undo.arguments else ''}".rstrip() if undo.tool else ""
    missing = f" (not recorded: {said(undo.missing)})" if undo.missing else ""
    return ", ".join(part for part in (said(undo.words), call) if part) + missing


def _spaced(name: str) -> str:
    return name.replace("_", " ")
