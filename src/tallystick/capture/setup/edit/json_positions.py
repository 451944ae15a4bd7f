"""Parses JSON with comments and trailing commas, and gives the position of every value in the text.

It accepts what the clients accept, and reports the line of what they would reject. Some clients keep megabytes of
history in their files: so the children of a container are parsed when they are asked for.
"""

import json
import re
from typing import Any, Literal

from msgspec import Struct

_BLANK = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
"""Whitespace and comments; it always matches."""
_STRING = re.compile(r'"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*"')
_SCALAR = re.compile(r"true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_BRACKETS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|//[^\r\n]*|/\*.*?\*/|([{}\[\]])', re.DOTALL)
"""Brackets in the group, and strings and comments, which may contain brackets."""
_CLOSING = {"{": "}", "[": "]"}
MAX_DEPTH = 150
"""No configuration is nested deeper, and Python's stack ends at about seven times this."""

Kind = Literal["object", "array", "scalar"]
Step = str | int
Path = tuple[Step, ...]


class ConfigSyntaxError(ValueError):
    """A configuration text that cannot be parsed. `line` counts from 1."""

    def __init__(self, problem: str, line: int) -> None:
        super().__init__(problem)
        self.problem, self.line = problem, line


class Child(Struct, eq=False):
    """A member or an element: its key, its start (of the key, for a member), and the comma after it."""

    key: Step
    start: int
    node: "Node"
    comma: int | None = None


class Node(Struct, eq=False):
    """A value at `text[start:end]`. The children of a container are parsed when they are first used."""

    kind: Kind
    start: int
    end: int
    value: Any = None
    parser: "_Parser | None" = None
    parsed: list[Child] | None = None

    @property
    def children(self) -> list[Child]:
        if self.parsed is None:
            self.parsed = self.parser.children(self)[0] if self.parser else []
        return self.parsed

    def child(self, key: Step) -> Child | None:
        """The member or element with a key. Of duplicate keys the last one counts, as in every JSON parser."""
        return next((each for each in reversed(self.children) if each.key == key), None)

    def at(self, path: Path) -> "Node | None":
        """The node at a path, or None."""
        node: Node | None = self
        for step in path:
            child = node.child(step) if node else None
            node = child.node if child else None
        return node

    def to_python(self) -> Any:
        """The value as a Python object."""
        if self.parsed is None and self.parser:
            whole = _parse_strictly(self.parser.text[self.start : self.end])
            if whole is not None:
                return whole
        if self.kind == "object":
            return {each.key: each.node.to_python() for each in self.children}
        if self.kind == "array":
            return [each.node.to_python() for each in self.children]
        return self.value


def parse(text: str, *, is_valid: bool = False) -> Node | None:
    """The value of a text; None if it contains only whitespace and comments. `is_valid`: it is known to be valid."""
    parser = _Parser(text, is_valid=is_valid or _parse_strictly(text) is not None)
    start = parser.skip(0)
    if start == len(text):
        return None
    node = parser.value(start, 0)
    rest = parser.skip(node.end)
    if rest != len(text):
        raise parser.error(rest, "there is text after the end of the value")
    return node


def _parse_strictly(text: str) -> Any:
    """The value of a text that is standard JSON; None for any other text, and for `null`."""
    try:
        return json.loads(text, parse_constant=_reject)
    except (ValueError, RecursionError):
        return None


def _reject(name: str) -> None:
    raise ValueError(name)  # NaN and the infinities, which only Python accepts


class _Parser:
    """`is_valid`: the text is known to be valid, so only the end of each container has to be found."""

    def __init__(self, text: str, *, is_valid: bool) -> None:
        self.text, self.is_valid = text, is_valid

    def error(self, position: int, problem: str) -> ConfigSyntaxError:
        return ConfigSyntaxError(problem, self.text.count("\n", 0, position) + 1)

    def skip(self, position: int) -> int:
        """The position after whitespace and comments."""
        found = _BLANK.match(self.text, position)
        assert found is not None
        position = found.end()
        if self.text.startswith("/*", position):
            raise self.error(position, "a comment is not closed")
        return position

    def value(self, start: int, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise self.error(start, f"it is nested deeper than {MAX_DEPTH} levels")
        first = self.text[start : start + 1]
        if first in _CLOSING:
            return self._container(start, depth)
        if first == '"':
            value, end = self._string(start)
            return Node("scalar", start, end, value)
        found = _SCALAR.match(self.text, start)
        if not found or self.text[found.end() : found.end() + 1].isalnum():
            raise self.error(start, f"expected a value, found {self._excerpt(start)}")
        try:
            return Node("scalar", start, found.end(), json.loads(found.group()))
        except ValueError:  # a number with thousands of digits, whose value is not needed
            return Node("scalar", start, found.end(), found.group())

    def _container(self, start: int, depth: int) -> Node:
        node = Node("object" if self.text[start] == "{" else "array", start, start, parser=self)
        if self.is_valid:
            node.end = self._find_end(start, depth)
        else:
            node.parsed, node.end = self.children(node, depth)
        return node

    def _find_end(self, start: int, depth: int) -> int:
        """The end of a container in a valid text."""
        level = depth
        for found in _BRACKETS.finditer(self.text, start):
            bracket = found[1]
            if bracket is None:
                continue
            level += 1 if bracket in _CLOSING else -1
            if level > MAX_DEPTH + 1:
                raise self.error(found.start(), f"it is nested deeper than {MAX_DEPTH} levels")
            if level == depth:
                return found.end()
        raise self.error(start, "it is not closed")

    def children(self, node: Node, depth: int = 0) -> tuple[list[Child], int]:
        """The children of a container, and its end."""
        closing = _CLOSING[self.text[node.start]]
        found: list[Child] = []
        position = self.skip(node.start + 1)
        while not self.text.startswith(closing, position):
            if found and found[-1].comma is None:
                raise self.error(position, f"expected a comma or {closing}, found {self._excerpt(position)}")
            child = self._child(node.kind, len(found), position, depth)
            found.append(child)
            position = self.skip(child.node.end)
            if self.text.startswith(",", position):
                child.comma = position
                position = self.skip(position + 1)
        return found, position + 1

    def _child(self, kind: Kind, number: int, start: int, depth: int) -> Child:
        if kind == "array":
            return Child(number, start, self.value(start, depth + 1))
        key, end = self._string(start)
        colon = self.skip(end)
        if not self.text.startswith(":", colon):
            raise self.error(colon, f"expected a colon, found {self._excerpt(colon)}")
        return Child(key, start, self.value(self.skip(colon + 1), depth + 1))

    def _string(self, start: int) -> tuple[str, int]:
        found = _STRING.match(self.text, start)
        try:
            if found and "\\" not in found.group():
                return found.group()[1:-1], found.end()
            if found:
                return str(json.loads(found.group())), found.end()
        except ValueError:
            pass
        raise self.error(start, f"expected a text in double quotes, found {self._excerpt(start)}")

    def _excerpt(self, position: int) -> str:
        text = self.text[position : position + 12].split("\n")[0]
        return json.dumps(text) if position < len(self.text) else "the end"
