"""Edits a JSON text with comments at exact positions: every other byte stays, and each edit can be undone.

Inserted text includes the whitespace *before* it and none after it, so that removing both restores the original text.
Only for a container that was empty, a note has to keep what was between its brackets.
"""

import json
import re
from typing import Any

from msgspec import Struct, field

from tallystick.capture.setup.edit.json_positions import Child, Node, Path, parse

_SAME_LINE = re.compile(r"(?:[ \t]*/\*(?:[^\r\n*]|\*(?!/))*\*/)*(?:[ \t]*//[^\r\n]*)?")
"""Comments that belong to the value before them on the line."""
_LINE_END = re.compile(r"[\r\n]")
_INDENTED = re.compile(r"\n([ \t]+)\S")
BLANKS = " \t\r\n"


class WrongKind(ValueError):
    """A value on a path is not of the kind that an edit needs."""

    def __init__(self, path: Path, wanted: str) -> None:
        super().__init__(f"{'.'.join(map(str, path)) or 'the whole file'} is not {wanted}")


class Notes(Struct):
    """The information to undo the edits of a text.

    - `added`: paths of the members that were added.
    - `inner`: the text between the brackets of containers that were empty.
    - `replaced`: the text of values that were replaced.
    - `blank`: the whole text, if it contained no value.
    """

    added: list[Path] = field(name="made", default_factory=list)
    inner: list[tuple[Path, str]] = []
    replaced: list[tuple[Path, str]] = field(name="was", default_factory=list)
    blank: str | None = None


class JsonText:
    """A JSON text that is being edited."""

    def __init__(self, text: str, notes: Notes | None = None) -> None:
        self.notes = notes or Notes()
        self.text = text
        self._filled = ""
        root = parse(text)
        if root is None:
            self.notes.blank = text
            root = self._set_blank(text)
        self.root: Node = root

    def get(self, path: Path) -> Any:
        """The value at a path, or None."""
        node = self.root.at(path)
        return node.to_python() if node else None

    def put(self, path: Path, value: Any) -> None:
        """Set the member at a path; missing objects on the way are added."""
        self._fill()
        box, depth = self._deepest(path)
        if depth == len(path):
            self._replace(box, path, value)
            return
        is_null = depth > 0 and box.kind == "scalar" and box.value is None
        if box.kind != "object" and not is_null:
            raise WrongKind(path[:depth], "an object")
        for key in reversed(path[depth + 1 :]):
            value = {key: value}
        if is_null:  # `null` counts as a missing member
            self._replace(box, path[:depth], {path[depth]: value})
        added = self.notes.added
        added += [path[:end] for end in range(depth + 1, len(path) + 1) if path[:end] not in added]
        if not is_null:
            self._insert(box, path[:depth], value, str(path[depth]))

    def append(self, path: Path, value: Any) -> None:
        """Add an element at the end of the list at a path; a missing list is added."""
        node = self.root.at(path)
        if node is None or (node.kind == "scalar" and node.value is None):
            self.put(path, [value])
            return
        if node.kind != "array":
            raise WrongKind(path, "a list")
        self._fill()
        self._insert(node, path, value)

    def remove(self, path: Path) -> None:
        """Remove a member or an element, with the whitespace before it and the comma that it needed."""
        box = self.root.at(path[:-1])
        child = box.child(path[-1]) if box else None
        if box is None or child is None:
            return
        index = box.children.index(child)
        comma = child.comma if child.comma is not None or not index else box.children[index - 1].comma
        commas = [] if comma is None else [(comma, comma + 1)]
        start = child.start
        while self.text[start - 1] in BLANKS:
            start -= 1
        line = self.text[max(self.text.rfind("\n", 0, start), self.text.rfind("\r", 0, start)) + 1 : start]
        text = self._cut([(start, child.node.end), *commas])
        if "//" in line and not _has_children(text, path[:-1], len(box.children) - 1):
            # The line end closed a comment, and something else follows on the same line: so the line end stays.
            text = self._cut([(child.start, child.node.end), *commas])
        self._set(text)

    def restore(self, path: Path, raw: str) -> None:
        """Replace a value by its former text."""
        node = self.root.at(path)
        if node:
            self._set(self.text[: node.start] + raw + self.text[node.end :])

    def tidy(self) -> None:
        """Remove added containers that are empty now, and restore those that were empty before."""
        if self._filled:
            return
        inner = dict(self.notes.inner)
        nulls = {path for path, raw in self.notes.replaced if raw == "null"}
        for path in sorted({*self.notes.added, *inner, *nulls}, key=len, reverse=True):
            node = self.root.at(path)
            if node is None or node.kind == "scalar" or node.children or self._has_comments(node):
                continue
            if path in self.notes.added:
                self.remove(path)
            elif path in nulls:
                self.restore(path, "null")
            elif path in inner:
                self._set(self.text[: node.start + 1] + inner[path] + self.text[node.end - 1 :])
        if self.notes.blank is not None and not self.root.children and not self._has_comments(self.root):
            self.root = self._set_blank(self.notes.blank)

    def _set_blank(self, text: str) -> Node:
        """Hold a text without a value. It counts as an empty object, and becomes one with the first edit."""
        end = _newline(text)
        self.text = text
        self._filled = f"{text}{'' if not text or text.endswith(end) else end}{{}}{end}"
        root = parse(self._filled)
        assert root is not None
        return root

    def _fill(self) -> None:
        self.text, self._filled = self._filled or self.text, ""

    def _has_comments(self, box: Node) -> bool:
        return bool(self.text[box.start + 1 : box.end - 1].strip(BLANKS))

    def _deepest(self, path: Path) -> tuple[Node, int]:
        """The deepest existing node on a path, and the number of steps to it."""
        node, depth = self.root, 0
        while depth < len(path) and (child := node.child(path[depth])):
            node, depth = child.node, depth + 1
        return node, depth

    def _replace(self, node: Node, path: Path, value: Any) -> None:
        if node.to_python() == value:
            return
        known = [*self.notes.added, *(each for each, _ in self.notes.replaced)]
        if path not in known:
            self.notes.replaced.append((path, self.text[node.start : node.end]))
        one_line = not _LINE_END.search(self.text, node.start, node.end)
        raw = self._dump(value, self._line_indent(node.start), one_line)
        self._set(self.text[: node.start] + raw + self.text[node.end :])

    def _insert(self, box: Node, path: Path, value: Any, key: str | None = None) -> None:
        if box.children:
            self._insert_last(box, value, key)
        else:
            self._insert_first(box, path, value, key)

    def _insert_last(self, box: Node, value: Any, key: str | None) -> None:
        """Insert after the last child and its comments on that line, with a trailing comma if the last one has one."""
        last = box.children[-1]
        is_trailing = last.comma is not None
        end = last.node.end if last.comma is None else last.comma + 1
        start = end + len(self._comments_after(end))
        one_line = not self._is_multiline(box) and "//" not in self.text[end:start]
        new = self._dump_entry(value, key, self._child_indent(box.children[0], box), one_line)
        text = self.text[:start] + new + ("," if is_trailing else "") + self.text[start:]
        self._set(text if is_trailing else text[:end] + "," + text[end:])

    def _insert_first(self, box: Node, path: Path, value: Any, key: str | None) -> None:
        inside = self.text[box.start + 1 : box.end - 1]
        indent = self._line_indent(box.start)
        if inside.strip(BLANKS):  # comments, which stay before the new child
            comments = inside.rstrip(BLANKS)
            one_line = not _LINE_END.search(inside)
            entry = self._dump_entry(value, key, indent + self._indent_unit(), one_line)
            new = comments + entry + inside[len(comments) :]
        else:
            self.notes.inner += [(path, inside)] if path not in dict(self.notes.inner) else []
            end = inside if _LINE_END.search(inside) else _newline(self.text) + indent
            new = self._dump_entry(value, key, indent + self._indent_unit(), False) + end
        self._set(self.text[: box.start + 1] + new + self.text[box.end - 1 :])

    def _dump_entry(self, value: Any, key: str | None, indent: str, one_line: bool) -> str:
        text = self._dump(value, indent, one_line or key is None)
        entry = text if key is None else f"{json.dumps(key, ensure_ascii=False)}: {text}"
        return f"{' ' if one_line else _newline(self.text) + indent}{entry}"

    def _dump(self, value: Any, indent: str, one_line: bool) -> str:
        """A value as text: one line for each child, as long as all children are containers, and one line inside those.

        So each hook is one line, which is easy to read in a diff.
        """
        pairs = _container_pairs(value)
        if one_line or not pairs:
            return json.dumps(value, ensure_ascii=False)
        inner = indent + self._indent_unit()
        if isinstance(value, dict):
            parts = [
                f"{json.dumps(key, ensure_ascii=False)}: {self._dump(each, inner, one_line)}" for key, each in pairs
            ]
            opening, closing = "{}"
        else:
            parts = [json.dumps(each, ensure_ascii=False) for _, each in pairs]
            opening, closing = "[]"
        end = _newline(self.text)
        return f"{opening}{end}{inner}" + f",{end}{inner}".join(parts) + f"{end}{indent}{closing}"

    def _comments_after(self, position: int) -> str:
        found = _SAME_LINE.match(self.text, position)
        return found.group().rstrip(BLANKS) if found else ""

    def _is_multiline(self, box: Node) -> bool:
        return bool(_LINE_END.search(self.text, box.start + 1, box.children[0].start))

    def _child_indent(self, child: Child, box: Node) -> str:
        """The indentation of a child that begins a line; else one unit more than that of its container's line."""
        line = self.text[self.text.rfind("\n", 0, child.start) + 1 : child.start]
        return line if not line.strip(" \t") else self._line_indent(box.start) + self._indent_unit()

    def _line_indent(self, position: int) -> str:
        line = self.text[self.text.rfind("\n", 0, position) + 1 : position]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def _indent_unit(self) -> str:
        """One step of indentation: that of the first indented line."""
        found = _INDENTED.search(self.text)
        return found.group(1) if found else "  "

    def _cut(self, cuts: list[tuple[int, int]]) -> str:
        text = self.text
        for start, end in sorted(cuts, reverse=True):
            text = text[:start] + text[end:]
        return text

    def _set(self, text: str) -> None:
        root = parse(text, is_valid=True)
        assert root is not None
        self.text, self.root = text, root


def _has_children(text: str, path: Path, count: int) -> bool:
    """Whether the container at a path has so many children."""
    root = parse(text)
    box = root.at(path) if root else None
    return box is not None and len(box.children) == count


def _container_pairs(value: Any) -> list[tuple[Any, Any]]:
    """The children of a value with their keys, if all of them are containers; else an empty list."""
    pairs = [*value.items()] if isinstance(value, dict) else [*enumerate(value)] if isinstance(value, list) else []
    return pairs if all(isinstance(each, dict | list) for _, each in pairs) else []


def _newline(text: str) -> str:
    """The first line end of a text."""
    found = _LINE_END.search(text)
    return "\n" if not found else "\r\n" if text.startswith("\r\n", found.start()) else found.group()
