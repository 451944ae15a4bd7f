"""JSON documents as people write them: the same values in every layout that a tolerant parser accepts."""

import json
from typing import Any

from hypothesis import strategies as st

KEYS = st.sampled_from(["hooks", "mcpServers", "a", "b", "", 'ä " \\ /* // '])
SCALARS = (
    st.none() | st.booleans() | st.integers(-99, 99) | st.sampled_from(["", "x", "// no comment", 'say "hi"', "é"])
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=3)


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A text, and the object that it contains."""
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    value = draw(OBJECTS)
    body = _written(draw, value, end)
    return f"{_gap(draw, end)}{body}{_gap(draw, end)}", value


def _written(draw: st.DrawFn, value: Any, end: str) -> str:
    if isinstance(value, dict):
        parts = [
            f"{json.dumps(key)}{_gap(draw, end)}:{_gap(draw, end)}{_written(draw, inner, end)}"
            for key, inner in value.items()
        ]
        return _closed(draw, "{", parts, "}", end)
    if isinstance(value, list):
        return _closed(draw, "[", [_written(draw, inner, end) for inner in value], "]", end)
    return json.dumps(value, ensure_ascii=draw(st.booleans()))


def _closed(draw: st.DrawFn, opening: str, parts: list[str], closing: str, end: str) -> str:
    text = opening
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        comma = draw(st.booleans()) if last else True
        text += f"{_gap(draw, end)}{part}{_gap(draw, end)}{',' if comma else ''}"
    return f"{text}{_gap(draw, end)}{closing}"


def _gap(draw: st.DrawFn, end: str) -> str:
    """Whitespace and comments."""
    pieces = ["", "", " ", "  ", "\t", end, f"{end}  ", "/* c */", f"// c  {end}", f"/* , ] {end} }} */", "/**/"]
    return "".join(draw(st.lists(st.sampled_from(pieces), max_size=2)))
