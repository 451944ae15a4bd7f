"""Where two JSON values differ, as paths: `$.items[2].name`."""

import re
from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
MISSING = object()
"""Stands for a value that is not there; null is one that is."""


class Difference(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One place: what stands there in each. `only` names the one that has it at all."""

    path: str
    a: Any = None
    b: Any = None
    only: Literal["", "a", "b"] = ""


def differences(a: Any, b: Any, path: str = "$") -> Iterator[Difference]:
    """Each place at which they differ, in the order of `a`. Items of lists are compared place by place."""
    if a is MISSING or b is MISSING:
        if a is not b:
            given = {"b": b, "only": "b"} if a is MISSING else {"a": a, "only": "a"}
            yield Difference(path=path, **given)
    elif isinstance(a, dict) and isinstance(b, dict):
        for name in dict.fromkeys((*a, *b)):
            yield from differences(a.get(name, MISSING), b.get(name, MISSING), path + _step(name))
    elif isinstance(a, list) and isinstance(b, list):
        for place in range(max(len(a), len(b))):
            one = a[place] if place < len(a) else MISSING
            other = b[place] if place < len(b) else MISSING
            yield from differences(one, other, f"{path}[{place}]")
    elif type(a) is not type(b) or a != b:
        yield Difference(path=path, a=a, b=b)


def _step(name: str) -> str:
    if _PLAIN.fullmatch(name):
        return f".{name}"
    quoted = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"['{quoted}']"
