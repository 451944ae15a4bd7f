"""Changes in a JSON text at exact places: every byte that is not ours stays as it is, and ours can be taken out again.

What is added always brings the blanks *before* it along and none behind it, so that taking it out together with
them gives back the text as it was. Only a container that was empty needs a note of what stood between its brackets.
"""

import json
import re
from typing import Any

from msgspec import Struct

from tallystick.capture.setup.edit.json_positions import Child, Node, Path, parse

_SAME_LINE = re.compile(r"(?:[ \t]*/\*(?:[^\r\n*]|\*(?!/))*\*/)*(?:[ \t]*//[^\r\n]*)?")
"""Comments that belong to what stands before them on the line."""
_LINE_END = re.compile(r"[\r\n]")
_INDENTED = re.compile(r"\n([ \t]+)\S")

BLANKS = " \t\r\n"


class NotThatKind(ValueError):
    """Something on the way to a place is not what has to be there."""

    def __init__(self, path: Path, wanted: str) -> None:
        super().__init__(f"{'.'.join(map(str, path)) or 'the whole'} is not {wanted}")


class Notes(Struct):
    """What has to be known to take out again what was put in.

    `made`: members that were not there, by path; `inner`: what stood between the brackets of a container that was
    empty; `was`: the text of a value that was replaced; `blank`: the whole text, if it held no value at all.
    """

    made: list[Path] = []
    inner: list[tuple[Path, str]] = []
    was: list[tuple[Path, str]] = []
    blank: str | None = None


class JsonText:
    """A JSON text that is being changed."""

    def __init__(self, text: str, notes: Notes | None = None) -> None:
        self.notes = notes or Notes()
        self.text = text
        self._filled = ""
        found = parse(text)
        if found is None:
            self.notes.blank = text
            found = self._blank(text)
        self.root: Node = found

    def get(self, path: Path) -> Any:
        """The value at a path, or None."""
        found = self.root.at(path)
        return found.plain() if found else None

    def put(self, path: Path, value: Any) -> None:
        """Set the member at a path; objects that are missing on the way are made."""
        self._fill()
        box, at = self._deepest(path)
        if at == len(path):
            self._replaced(box, path, value)
            return
        nothing = at > 0 and box.kind == "scalar" and box.value is None
        if box.kind != "object" and not nothing:
            raise NotThatKind(path[:at], "an object")
        for key in reversed(path[at + 1 :]):
            value = {key: value}
        if nothing:  # `null` says as much as a member that is missing
            self._replaced(box, path[:at], {path[at]: value})
        self.notes.made += [path[:end] for end in range(at + 1, len(path) + 1) if path[:end] not in self.notes.made]
        if not nothing:
            self._add(box, path[:at], value, str(path[at]))

    def append(self, path: Path, value: Any) -> None:
        """Add an element at the end of the list at a path, which is made if it is missing."""
        found = self.root.at(path)
        if found is None or (found.kind == "scalar" and found.value is None):
            self.put(path, [value])
            return
        if found.kind != "array":
            raise NotThatKind(path, "a list")
        self._fill()
        self._add(found, path, value)

    def remove(self, path: Path) -> None:
        """Take a member or an element out, with the blanks before it and the comma that it needed."""
        box = self.root.at(path[:-1])
        child = box.child(path[-1]) if box else None
        if box is None or child is None:
            return
        place = box.children.index(child)
        comma = child.comma if child.comma is not None or not place else box.children[place - 1].comma
        commas = [] if comma is None else [(comma, comma + 1)]
        start = child.start
        while self.text[start - 1] in BLANKS:
            start -= 1
        line = self.text[max(self.text.rfind("\n", 0, start), self.text.rfind("\r", 0, start)) + 1 : start]
        text = self._cut([(start, child.node.end), *commas])
        if "//" in line and not _leaves(text, path[:-1], len(box.children) - 1):
            # Its line end closed a comment, and others put something behind it on the same line: the line end stays.
            text = self._cut([(child.start, child.node.end), *commas])
        self._take(text)

    def restore(self, path: Path, raw: str) -> None:
        """Put a value back as the text that it was."""
        found = self.root.at(path)
        if found:
            self._take(self.text[: found.start] + raw + self.text[found.end :])

    def tidy(self) -> None:
        """Take out the containers that were made and hold nothing now, and close those that were empty as before."""
        if self._filled:
            return
        inner = dict(self.notes.inner)
        nothing = {path for path, raw in self.notes.was if raw == "null"}
        for path in sorted({*self.notes.made, *inner, *nothing}, key=len, reverse=True):
            found = self.root.at(path)
            if found is None or found.kind == "scalar" or found.children or self._comments_in(found):
                continue
            if path in self.notes.made:
                self.remove(path)
            elif path in nothing:
                self.restore(path, "null")
            elif path in inner:
                self._take(self.text[: found.start + 1] + inner[path] + self.text[found.end - 1 :])
        if self.notes.blank is not None and not self.root.children and not self._comments_in(self.root):
            self.root = self._blank(self.notes.blank)

    def _blank(self, text: str) -> Node:
        """Hold a text without a value. It counts as an empty object, which it gets when something is put into it."""
        end = _newline(text)
        self.text = text
        self._filled = f"{text}{'' if not text or text.endswith(end) else end}{{}}{end}"
        found = parse(self._filled)
        assert found is not None
        return found

    def _fill(self) -> None:
        self.text, self._filled = self._filled or self.text, ""

    def _comments_in(self, box: Node) -> bool:
        return bool(self.text[box.start + 1 : box.end - 1].strip(BLANKS))

    def _deepest(self, path: Path) -> tuple[Node, int]:
        """The deepest thing on the way that is there, and how many steps lead to it."""
        found, at = self.root, 0
        while at < len(path) and (child := found.child(path[at])):
            found, at = child.node, at + 1
        return found, at

    def _replaced(self, found: Node, path: Path, value: Any) -> None:
        if found.plain() == value:
            return
        known = [*self.notes.made, *(each for each, _ in self.notes.was)]
        if path not in known:
            self.notes.was.append((path, self.text[found.start : found.end]))
        flat = not _LINE_END.search(self.text, found.start, found.end)
        raw = self._written(value, self._indent_at(found.start), flat)
        self._take(self.text[: found.start] + raw + self.text[found.end :])

    def _add(self, box: Node, path: Path, value: Any, key: str | None = None) -> None:
        if box.children:
            self._add_last(box, value, key)
        else:
            self._add_first(box, path, value, key)

    def _add_last(self, box: Node, value: Any, key: str | None) -> None:
        """Behind the last one and its comments on that line. Where a comma trails there, one trails here."""
        last = box.children[-1]
        trailing = last.comma is not None
        behind = last.node.end if last.comma is None else last.comma + 1
        place = behind + len(self._beside(behind))
        flat = not self._one_a_line(box) and "//" not in self.text[behind:place]
        new = self._entry(value, key, self._indent_of(box.children[0], box), flat)
        text = self.text[:place] + new + ("," if trailing else "") + self.text[place:]
        self._take(text if trailing else text[:behind] + "," + text[behind:])

    def _add_first(self, box: Node, path: Path, value: Any, key: str | None) -> None:
        inside = self.text[box.start + 1 : box.end - 1]
        indent = self._indent_at(box.start)
        if inside.strip(BLANKS):  # comments, which stay before what is added
            kept = inside.rstrip(BLANKS)
            flat = not _LINE_END.search(inside)
            new = kept + self._entry(value, key, indent + self._unit(), flat) + inside[len(kept) :]
        else:
            self.notes.inner += [(path, inside)] if path not in dict(self.notes.inner) else []
            end = inside if _LINE_END.search(inside) else _newline(self.text) + indent
            new = self._entry(value, key, indent + self._unit(), False) + end
        self._take(self.text[: box.start + 1] + new + self.text[box.end - 1 :])

    def _entry(self, value: Any, key: str | None, indent: str, flat: bool) -> str:
        written = self._written(value, indent, flat or key is None)
        named = written if key is None else f"{json.dumps(key, ensure_ascii=False)}: {written}"
        return f"{' ' if flat else _newline(self.text) + indent}{named}"

    def _written(self, value: Any, indent: str, flat: bool) -> str:
        """One line for each member of objects that only hold objects and lists, and for each element of lists of
        objects; what is inside stands on one line, so that it is easily put beside others and read in a diff."""
        boxes = _boxes(value)
        if flat or not boxes:
            return json.dumps(value, ensure_ascii=False)
        inner = indent + self._unit()
        if isinstance(value, dict):
            parts = [
                f"{json.dumps(key, ensure_ascii=False)}: {self._written(each, inner, flat)}" for key, each in boxes
            ]
            opening, closing = "{}"
        else:
            parts = [json.dumps(each, ensure_ascii=False) for _, each in boxes]
            opening, closing = "[]"
        end = _newline(self.text)
        return f"{opening}{end}{inner}" + f",{end}{inner}".join(parts) + f"{end}{indent}{closing}"

    def _beside(self, place: int) -> str:
        found = _SAME_LINE.match(self.text, place)
        return found.group().rstrip(BLANKS) if found else ""

    def _one_a_line(self, box: Node) -> bool:
        return bool(_LINE_END.search(self.text, box.start + 1, box.children[0].start))

    def _indent_of(self, child: Child, box: Node) -> str:
        """What stands before a child that begins a line; else one step more than the line of its container."""
        line = self.text[self.text.rfind("\n", 0, child.start) + 1 : child.start]
        return line if not line.strip(" \t") else self._indent_at(box.start) + self._unit()

    def _indent_at(self, place: int) -> str:
        line = self.text[self.text.rfind("\n", 0, place) + 1 : place]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def _unit(self) -> str:
        """One step of indentation: what the first indented line has."""
        found = _INDENTED.search(self.text)
        return found.group(1) if found else "  "

    def _cut(self, cuts: list[tuple[int, int]]) -> str:
        text = self.text
        for start, end in sorted(cuts, reverse=True):
            text = text[:start] + text[end:]
        return text

    def _take(self, text: str) -> None:
        found = parse(text, sound=True)
        assert found is not None
        self.text, self.root = text, found


def _leaves(text: str, path: Path, children: int) -> bool:
    """Whether so many members or elements are left in a container."""
    root = parse(text)
    box = root.at(path) if root else None
    return box is not None and len(box.children) == children


def _boxes(value: Any) -> list[tuple[Any, Any]]:
    """What is in a value, if nothing but containers is."""
    pairs = [*value.items()] if isinstance(value, dict) else [*enumerate(value)] if isinstance(value, list) else []
    return pairs if all(isinstance(each, dict | list) for _, each in pairs) else []


def _newline(text: str) -> str:
    """The line end that the text begins with."""
    found = _LINE_END.search(text)
    return "\n" if not found else "\r\n" if text.startswith("\r\n", found.start()) else found.group()
