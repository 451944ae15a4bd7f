"""JSON as people write it, with the place of every value: comments and trailing commas are read over.

The clients read their files as tolerantly; what they would refuse is refused here too, with its line. Some keep whole
histories in theirs, megabytes of them: what is in a container is read when it is asked for, and skimmed until then.
"""

import json
import re
from typing import Any, Literal

from msgspec import Struct

_BLANK = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
"""Blanks and comments; it always matches."""
_STRING = re.compile(r'"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*"')
_SCALAR = re.compile(r"true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_MARKS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|//[^\r\n]*|/\*.*?\*/|([{}\[\]])', re.DOTALL)
"""What has to be told from a bracket, and brackets."""
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


class Child(Struct, eq=False):
    """A member or an element: where it begins (with its key) and ends, and the comma behind it."""

    key: Step
    start: int
    node: "Node"
    comma: int | None = None


class Node(Struct, eq=False):
    """A value and its place: `text[start:end]`."""

    kind: Kind
    start: int
    end: int
    value: Any = None
    reader: "_Reader | None" = None
    known: list[Child] | None = None

    @property
    def children(self) -> list[Child]:
        """What is in it, read when it is first asked for."""
        if self.known is None:
            self.known = self.reader.children(self)[0] if self.reader else []
        return self.known

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
        if self.known is None and self.reader:
            whole = _strict(self.reader.text[self.start : self.end])
            if whole is not None:
                return whole
        if self.kind == "object":
            return {each.key: each.node.plain() for each in self.children}
        if self.kind == "array":
            return [each.node.plain() for each in self.children]
        return self.value


def parse(text: str, *, sound: bool = False) -> Node | None:
    """The value of a text; None where it holds nothing but blanks and comments. `sound`: it is known to be readable."""
    reader = _Reader(text, skims=sound or _strict(text) is not None)
    place = reader.skip(0)
    if place == len(text):
        return None
    found = reader.value(place, 0)
    rest = reader.skip(found.end)
    if rest != len(text):
        raise reader.error(rest, "something stands behind the end of the value")
    return found


def _strict(text: str) -> Any:
    """The value of a text that every JSON reader takes; None for another, and for `null`."""
    try:
        return json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError):
        return None


def _refused(name: str) -> None:
    raise ValueError(name)  # NaN and the infinities, which only Python reads


class _Reader:
    """`skims`: the text is readable as a whole, so only the end of a container has to be found."""

    def __init__(self, text: str, *, skims: bool) -> None:
        self.text, self.skims = text, skims

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
        node = Node("object" if self.text[place] == "{" else "array", place, place, reader=self)
        if self.skims:
            node.end = self._skimmed(place, depth)
        else:
            node.known, node.end = self.children(node, depth)
        return node

    def _skimmed(self, place: int, depth: int) -> int:
        """Where a container ends."""
        deep = depth
        for found in _MARKS.finditer(self.text, place):
            mark = found[1]
            if mark is None:
                continue
            deep += 1 if mark in _CLOSING else -1
            if deep > DEPTH + 1:
                raise self.error(found.start(), f"it is nested deeper than {DEPTH} levels")
            if deep == depth:
                return found.end()
        raise self.error(place, "it is not closed")

    def children(self, node: Node, depth: int = 0) -> tuple[list[Child], int]:
        """What is in a container, and where that ends."""
        closing = _CLOSING[self.text[node.start]]
        found: list[Child] = []
        here = self.skip(node.start + 1)
        while not self.text.startswith(closing, here):
            if found and found[-1].comma is None:
                raise self.error(here, f"a comma or {closing} is expected, and {self._shown(here)} is there")
            child = self._child(node.kind, len(found), here, depth)
            found.append(child)
            here = self.skip(child.node.end)
            if self.text.startswith(",", here):
                child.comma = here
                here = self.skip(here + 1)
        return found, here + 1

    def _child(self, kind: Kind, number: int, place: int, depth: int) -> Child:
        if kind == "array":
            return Child(number, place, self.value(place, depth + 1))
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
