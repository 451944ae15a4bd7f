"""Whether a call that was seen is one that was planned or claimed: by its arguments. For tools see `toolnames`."""

from collections.abc import Mapping
from typing import Any

_SYNONYMS = (("command", "cmd"), ("file_path", "path", "filePath", "target_file"))
"""Arguments of clients' own tools that are the same: a model may be shown one, and hooks be told another."""
_WHOLE = 1000
"""How long a text may be that is surely not cut. A list or an object may have lost a part anywhere."""


def same_call(arguments: Mapping[str, Any], stated: Mapping[str, Any]) -> bool:
    """Whatever was stated of the arguments is so. What was left open may be anything."""
    return all(_is_given(arguments, name, value) for name, value in stated.items())


def was_changed(begun: Mapping[str, Any], made: Mapping[str, Any]) -> bool:
    """Whether a call was made with other arguments than it was begun with. What only one of the two tells may have been
    filled in, or left out; of what was masked or cut, nobody can say."""
    both = ((value, made[name]) for name, value in begun.items() if name in made)
    return any(_is_whole(one) and _is_whole(other) and not _same(one, other) for one, other in both)


def _is_whole(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= _WHOLE and "[masked:" not in value
    return isinstance(value, bool | int | float)


def _is_given(arguments: Mapping[str, Any], name: str, value: Any) -> bool:
    """Under its own name, or under another one that clients have for the same thing."""
    others = next((each for each in _SYNONYMS if name in each), ())
    found = next((each for each in (name, *others) if each in arguments), None)
    if found is None:
        return False
    return _same(arguments[found], value) or (bool(others) and _same(_command(arguments[found]), _command(value)))


def _command(value: Any) -> Any:
    """A command in a shell, by itself: `["bash", "-lc", "make"]` is `make`."""
    return value[2] if isinstance(value, list) and len(value) == 3 and value[1] in ("-c", "-lc") else value


def _same(one: Any, other: Any) -> bool:
    """As JSON has it: `true` is not 1, which Python takes for the same."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return isinstance(one, bool) is isinstance(other, bool) and bool(one == other)
