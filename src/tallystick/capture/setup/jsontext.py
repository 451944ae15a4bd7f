"""JSON as people write it, with the place of every value: comments and trailing commas are read over.

The clients read their files as tolerantly; what they would refuse is refused here too, with its line.
"""

import json
import re
from typing import Any, Literal

from msgspec import Struct

_BLANK = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
"""Blanks and comments; it always matches."""
_STRING = re.compile(r'"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*"')
_SCALAR = re.compile(r"true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_CLOSING = {"{": "}", "[": "]"}
DEPTH = 150
"""No configuration is nested deeper, and Python's own stack ends at about seven times this."""

Kind = Literal["object", "array", "scalar"]
Step = str | int
Path = tuple[Step, ...]


class Unreadable(ValueError):
    """A text that cannot be read. `line` counts from 1."""

    def __init__(self, what: str, line: int) -> None:
        super().__init__(what)
        self.what, self.line = what, line


class Child(Struct):
    """A member or an element: where it begins (with its key) and ends, and the comma behind it."""

    key: Step
    start: int
    node: "Node"
    comma: int | None = None


class Node(Struct):
    """A value and its place: `text[start:end]`."""

    kind: Kind
    start: int
    end: int
    value: Any = None
    children: list[Child] = []

    def child(self, key: Step) -> Child | None:
        """The member or element. Of a name that stands twice the last counts, as for every JSON reader."""
        return next((each for each in reversed(self.children) if each.key == key), None)

    def at(self, path: Path) -> "Node | None":
        """What stands at a path, if something does."""
        found: Node | None = self
        for step in path:
            child = found.child(step) if found else None
            found = child.node if child else None
        return found

    def plain(self) -> Any:
        """The value as Python has it."""
        if self.kind == "object":
            return {each.key: each.node.plain() for each in self.children}
        if self.kind == "array":
            return [each.node.plain() for each in self.children]
        return self.value


def parse(text: str) -> Node | None:
    """The value of a text; None where it holds nothing but blanks and comments."""
    reader = _Reader(text)
    place = reader.skip(0)
    if place == len(text):
        return None
    found = reader.value(place, 0)
    rest = reader.skip(found.end)
    if rest != len(text):
        raise reader.error(rest, "something stands behind the end of the value")
    return found


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text

    def error(self, place: int, what: str) -> Unreadable:
        return Unreadable(what, self.text.count("\n", 0, place) + 1)

    def skip(self, place: int) -> int:
        found = _BLANK.match(self.text, place)
        assert found is not None
        place = found.end()
        if self.text.startswith("/*", place):
            raise self.error(place, "a comment is not closed")
        return place

    def value(self, place: int, depth: int) -> Node:
        if depth > DEPTH:
            raise self.error(place, f"it is nested deeper than {DEPTH} levels")
        first = self.text[place : place + 1]
        if first in _CLOSING:
            return self._container(place, depth)
        if first == '"':
            value, end = self._string(place)
            return Node("scalar", place, end, value)
        found = _SCALAR.match(self.text, place)
        if not found or self.text[found.end() : found.end() + 1].isalnum():
            raise self.error(place, f"a value is expected, and {self._shown(place)} stands there")
        try:
            return Node("scalar", place, found.end(), json.loads(found.group()))
        except ValueError:  # a number of thousands of digits: nobody here needs to know which
            return Node("scalar", place, found.end(), found.group())

    def _container(self, place: int, depth: int) -> Node:
        opening = self.text[place]
        node = Node("object" if opening == "{" else "array", place, place, children=[])
        here = self.skip(place + 1)
        while not self.text.startswith(_CLOSING[opening], here):
            if node.children and node.children[-1].comma is None:
                raise self.error(here, f"a comma or {_CLOSING[opening]} is expected, and {self._shown(here)} is there")
            child = self._child(node, here, depth)
            node.children.append(child)
            here = self.skip(child.node.end)
            if self.text.startswith(",", here):
                child.comma = here
                here = self.skip(here + 1)
        node.end = here + 1
        return node

    def _child(self, node: Node, place: int, depth: int) -> Child:
        if node.kind == "array":
            return Child(len(node.children), place, self.value(place, depth + 1))
        key, end = self._string(place)
        colon = self.skip(end)
        if not self.text.startswith(":", colon):
            raise self.error(colon, f"a colon is expected, and {self._shown(colon)} stands there")
        return Child(key, place, self.value(self.skip(colon + 1), depth + 1))

    def _string(self, place: int) -> tuple[str, int]:
        found = _STRING.match(self.text, place)
        try:
            if found and "\\" not in found.group():
                return found.group()[1:-1], found.end()
            if found:
                return str(json.loads(found.group())), found.end()
        except ValueError:
            pass
        raise self.error(place, f"a text in double quotes is expected, and {self._shown(place)} stands there")

    def _shown(self, place: int) -> str:
        return json.dumps(self.text[place : place + 12].split("\n")[0]) if place < len(self.text) else "the end"
