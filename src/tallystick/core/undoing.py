"""An undo with its references filled in from what was recorded.

`${result.booking.id}` in an undo's arguments stands for a part of the action's recorded result, `${arguments.path}`
for a part of its arguments. A reference that is the whole text keeps the value's type; inside a text it is written
out. What cannot be found, or was masked or erased, is named in `missing` and left as it stands.
"""

import re
from typing import Any

from msgspec import Struct

from tallystick.core.model import Undo

_REFERENCE = re.compile(r"\$\{(result|arguments)((?:\.[^.{}]+)*)\}")
_ABSENT = object()


class Filled(Struct, frozen=True, omit_defaults=True):
    """How to undo one thing, ready to be carried out."""

    words: str = ""
    tool: str = ""
    arguments: dict[str, Any] = {}
    missing: tuple[str, ...] = ()


def fill(undo: Undo, *, arguments: Any, result: Any) -> Filled:
    """The undo with every reference replaced that can be."""
    sources = {"result": result, "arguments": arguments}
    missing: list[str] = []
    return Filled(
        words=_filled(undo.words, sources, missing) if undo.words else "",
        tool=undo.tool,
        arguments=_filled(undo.arguments, sources, missing),
        missing=tuple(dict.fromkeys(missing)),
    )


def _filled(value: Any, sources: dict[str, Any], missing: list[str]) -> Any:
    if isinstance(value, dict):
        return {name: _filled(item, sources, missing) for name, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, sources, missing) for item in value]
    if not isinstance(value, str):
        return value
    whole = _REFERENCE.fullmatch(value)
    if whole:
        found = _look_up(whole, sources, missing)
        return value if found is _ABSENT else found
    return _REFERENCE.sub(lambda match: _written(match, sources, missing), value)


def _written(match: re.Match[str], sources: dict[str, Any], missing: list[str]) -> str:
    found = _look_up(match, sources, missing)
    return match[0] if found is _ABSENT else str(found)


def _look_up(match: re.Match[str], sources: dict[str, Any], missing: list[str]) -> Any:
    value = sources[match[1]]
    for name in match[2].split(".")[1:]:
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            value = None
            break
    if value is None or (isinstance(value, str) and value.startswith("[masked")):
        missing.append(match[0])
        return _ABSENT
    return value
