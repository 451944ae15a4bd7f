"""Changes in a TOML text: a new table goes to the end, as text; what was there is changed in its place by tomlkit.

tomlkit keeps comments, but counts those before the next table as part of the last one: so a table that is taken out is
cut from the text line by line, and tomlkit does it only where that would say something else.
"""

import re
import tomllib
from collections.abc import MutableMapping
from typing import Any

from tallystick.capture.setup.edit.json import Notes, NotThatKind
from tallystick.capture.setup.edit.json_positions import Path, Unreadable


class TomlText:
    """A TOML text that is being changed; the notes are those of JSON, with whole blocks in `inner`."""

    def __init__(self, text: str, notes: Notes | None = None) -> None:
        self.text = text
        self.notes = notes or Notes()
        self._read(text)

    def get(self, path: Path) -> Any:
        """The value at a path, or None."""
        return _at(self._read(self.text), path)

    def put(self, path: Path, value: dict[str, Any]) -> None:
        """Set the keys of the table at a path; other keys of it stay."""
        there = self.get(path)
        if there is None:
            self._append(path, value)
        elif not isinstance(there, dict):
            raise NotThatKind(path, "a table")
        elif any(there.get(key) != wanted for key, wanted in value.items()):
            self._change(path, value, there)

    def remove(self, path: Path) -> None:
        """Take a table out, and leave the comments that stand before the next one."""
        wanted = self._without(path)
        if not wanted:
            return
        for text in self._cuts(path):
            try:
                if self._read(text) in wanted:
                    self.text = text
                    return
            except Unreadable:
                continue
        document = _document(self.text)
        del _at(document, path[:-1])[path[-1]]
        self.text = document.as_string()

    def restore(self, path: Path, raw: str) -> None:
        """Put a value back as the text that it was."""
        import tomlkit

        document = _document(self.text)
        box = _at(document, path[:-1])
        if isinstance(box, MutableMapping):
            box[path[-1]] = tomlkit.value(raw)
            self.text = document.as_string()

    def tidy(self) -> None:
        """Nothing: a table that was made went with its text."""

    def _read(self, text: str) -> dict[str, Any]:
        try:
            # Numbers as they are written: nothing here needs their values, and `nan` would differ from itself.
            return tomllib.loads(text.replace("\r\n", "\n"), parse_float=str)
        except tomllib.TOMLDecodeError as error:
            found = re.search(r"line (\d+)", str(error))
            line = int(found[1]) if found else text.count("\n") + 1
            raise Unreadable(re.sub(r" \(at .*\)$", "", str(error)), line) from None

    def _append(self, path: Path, value: dict[str, Any]) -> None:
        import tomlkit

        end = "\r\n" if "\r\n" in self.text else "\n"
        table = tomlkit.table()
        table.update({key: _flat(each) for key, each in value.items()})
        body = f"[{'.'.join(map(str, path))}]\n{tomlkit.dumps(table)}".replace("\n", end)
        gap = "" if not self.text else end if self.text.endswith(end) else end * 2
        wanted = self._with(path, value)
        self.notes.made.append(path)
        try:
            if self._read(self.text + gap + body) == wanted:
                self.text += gap + body
                self.notes.inner.append((path, gap + body))
                return
        except Unreadable:
            pass  # the tables above it stand in braces, on one line
        document = _document(self.text)
        box = _at(document, path[:-1])
        if not isinstance(box, MutableMapping):
            raise NotThatKind(path[:-1], "a table")
        inline = tomlkit.inline_table()
        inline.update({key: _flat(each) for key, each in value.items()})
        box[path[-1]] = inline
        self.text = document.as_string()

    def _change(self, path: Path, value: dict[str, Any], there: dict[str, Any]) -> None:
        document = _document(self.text)
        table = _at(document, path)
        known = [*self.notes.made, *(each for each, _ in self.notes.was)]
        for key, wanted in value.items():
            if there.get(key) == wanted:
                continue
            if path not in known and (*path, key) not in known:
                if key in there:
                    self.notes.was.append(((*path, key), table[key].as_string()))
                else:
                    inner = wanted if isinstance(wanted, dict) else {}
                    self.notes.made += [(*path, key), *((*path, key, name) for name in inner)]
            table[key] = _flat(wanted)
        self.text = document.as_string()

    def _with(self, path: Path, value: dict[str, Any]) -> dict[str, Any]:
        whole = self._read(self.text)
        box = whole
        for step in path[:-1]:
            box = box.setdefault(str(step), {})
            if not isinstance(box, dict):
                raise NotThatKind(path[:-1], "a table")
        box[str(path[-1])] = value
        return whole

    def _without(self, path: Path) -> list[dict[str, Any]]:
        """What may be left: the table above it stays, or goes with it if nothing else was in it."""
        whole, pruned = self._read(self.text), self._read(self.text)
        if path[-1] not in (_at(whole, path[:-1]) or {}):
            return []
        del _at(whole, path[:-1])[path[-1]]
        del _at(pruned, path[:-1])[path[-1]]
        if len(path) > 1 and not _at(pruned, path[:-1]):
            del _at(pruned, path[:-2])[path[-2]]
        return [whole, pruned]

    def _cuts(self, path: Path) -> list[str]:
        """The text without the table: first exactly the block that was added, else its lines."""
        found = []
        for block in (text for each, text in self.notes.inner if each == path):
            before, there, after = self.text.partition(block)
            if there:
                joined = "" if not after or not before or before.endswith("\n") else "\n"
                found.append(before + joined + after)
        name = r"\s*\.\s*".join(rf"[\"']?{re.escape(str(step))}[\"']?" for step in path)
        head = re.compile(rf"[ \t]*\[\s*{name}\s*(\.[^\]]*)?\]")
        kept: list[str] = []
        waiting: list[str] = []
        inside = False
        for line in self.text.splitlines(keepends=True):
            if re.match(r"[ \t]*\[", line):
                kept += waiting
                waiting = []
                inside = bool(head.match(line))
                if inside and any(each == path and text[:1] in "\r\n" for each, text in self.notes.inner):
                    kept[-1:] = [each for each in kept[-1:] if each.strip()]  # the empty line came with it
            if not inside:
                kept.append(line)
            elif not line.strip() or line.lstrip().startswith("#"):
                waiting.append(line)
            else:
                waiting = []
        found.append("".join(kept + waiting))
        return found


def _flat(value: Any) -> Any:
    """A table in braces on one line: as a section of its own it would need a name of its own."""
    import tomlkit

    if not isinstance(value, dict):
        return value
    table = tomlkit.inline_table()
    table.update(value)
    return table


def _document(text: str) -> Any:
    import tomlkit

    return tomlkit.parse(text)


def _at(box: Any, path: Path) -> Any:
    for step in path:
        box = box.get(step) if isinstance(box, MutableMapping) else None
    return box
