"""Edits a TOML text: a new table is appended as text, and existing values are changed by tomlkit.

tomlkit keeps comments, but counts those before the next table as part of the last one. So a table is removed from the
text line by line, and by tomlkit only if that would change something else.
"""

import re
import tomllib
from collections.abc import MutableMapping
from typing import Any

from tallystick.capture.setup.edit.json import Notes, WrongKind
from tallystick.capture.setup.edit.json_positions import ConfigSyntaxError, Path


class TomlText:
    """A TOML text that is being edited. The notes are those of JSON, with whole blocks in `inner`."""

    def __init__(self, text: str, notes: Notes | None = None) -> None:
        self.text = text
        self.notes = notes or Notes()
        self._parse(text)

    def get(self, path: Path) -> Any:
        """The value at a path, or None."""
        return _at(self._parse(self.text), path)

    def put(self, path: Path, value: dict[str, Any]) -> None:
        """Set keys of the table at a path; its other keys stay."""
        current = self.get(path)
        if current is None:
            self._append(path, value)
        elif not isinstance(current, dict):
            raise WrongKind(path, "a table")
        elif any(current.get(key) != wanted for key, wanted in value.items()):
            self._change(path, value, current)

    def remove(self, path: Path) -> None:
        """Remove a table, and keep the comments before the next one."""
        wanted = self._values_without(path)
        if not wanted:
            return
        for text in self._texts_without(path):
            try:
                if self._parse(text) in wanted:
                    self.text = text
                    return
            except ConfigSyntaxError:
                continue
        document = _document(self.text)
        del _at(document, path[:-1])[path[-1]]
        self.text = document.as_string()

    def restore(self, path: Path, raw: str) -> None:
        """Replace a value by its former text."""
        import tomlkit

        document = _document(self.text)
        box = _at(document, path[:-1])
        if isinstance(box, MutableMapping):
            box[path[-1]] = tomlkit.value(raw)
            self.text = document.as_string()

    def tidy(self) -> None:
        """Nothing to do: an added table was removed with its text."""

    def _parse(self, text: str) -> dict[str, Any]:
        try:
            # Numbers stay text: nothing here needs their values, and `nan` does not equal itself.
            return tomllib.loads(text.replace("\r\n", "\n"), parse_float=str)
        except tomllib.TOMLDecodeError as error:
            found = re.search(r"line (\d+)", str(error))
            line = int(found[1]) if found else text.count("\n") + 1
            raise ConfigSyntaxError(re.sub(r" \(at .*\)$", "", str(error)), line) from None

    def _append(self, path: Path, value: dict[str, Any]) -> None:
        import tomlkit

        end = "\r\n" if "\r\n" in self.text else "\n"
        table = tomlkit.table()
        table.update({key: _inline(each) for key, each in value.items()})
        body = f"[{'.'.join(map(str, path))}]\n{tomlkit.dumps(table)}".replace("\n", end)
        gap = "" if not self.text else end if self.text.endswith(end) else end * 2
        wanted = self._value_with(path, value)
        self.notes.added.append(path)
        try:
            if self._parse(self.text + gap + body) == wanted:
                self.text += gap + body
                self.notes.inner.append((path, gap + body))
                return
        except ConfigSyntaxError:
            pass  # the tables above it are inline tables
        document = _document(self.text)
        box = _at(document, path[:-1])
        if not isinstance(box, MutableMapping):
            raise WrongKind(path[:-1], "a table")
        inline = tomlkit.inline_table()
        inline.update({key: _inline(each) for key, each in value.items()})
        box[path[-1]] = inline
        self.text = document.as_string()

    def _change(self, path: Path, value: dict[str, Any], current: dict[str, Any]) -> None:
        document = _document(self.text)
        table = _at(document, path)
        known = [*self.notes.added, *(each for each, _ in self.notes.replaced)]
        for key, wanted in value.items():
            if current.get(key) == wanted:
                continue
            if path not in known and (*path, key) not in known:
                if key in current:
                    self.notes.replaced.append(((*path, key), table[key].as_string()))
                else:
                    inner = wanted if isinstance(wanted, dict) else {}
                    self.notes.added += [(*path, key), *((*path, key, name) for name in inner)]
            table[key] = _inline(wanted)
        self.text = document.as_string()

    def _value_with(self, path: Path, value: dict[str, Any]) -> dict[str, Any]:
        whole = self._parse(self.text)
        box = whole
        for step in path[:-1]:
            box = box.setdefault(str(step), {})
            if not isinstance(box, dict):
                raise WrongKind(path[:-1], "a table")
        box[str(path[-1])] = value
        return whole

    def _values_without(self, path: Path) -> list[dict[str, Any]]:
        """The values that may be left: the table above stays, or is removed too if nothing else was in it."""
        whole, pruned = self._parse(self.text), self._parse(self.text)
        if path[-1] not in (_at(whole, path[:-1]) or {}):
            return []
        del _at(whole, path[:-1])[path[-1]]
        del _at(pruned, path[:-1])[path[-1]]
        if len(path) > 1 and not _at(pruned, path[:-1]):
            del _at(pruned, path[:-2])[path[-2]]
        return [whole, pruned]

    def _texts_without(self, path: Path) -> list[str]:
        """Candidates for the text without the table: without the block that was added, and without its lines."""
        texts = []
        for block in (text for each, text in self.notes.inner if each == path):
            before, separator, after = self.text.partition(block)
            if separator:
                joined = "" if not after or not before or before.endswith("\n") else "\n"
                texts.append(before + joined + after)
        return [*texts, self._text_without_lines(path)]

    def _text_without_lines(self, path: Path) -> str:
        """The text without the lines of the table. Comments and empty lines before the next table stay."""
        name = r"\s*\.\s*".join(rf"[\"']?{re.escape(str(step))}[\"']?" for step in path)
        head = re.compile(rf"[ \t]*\[\s*{name}\s*(\.[^\]]*)?\]")
        lines: list[str] = []
        waiting: list[str] = []
        is_inside = False
        for line in self.text.splitlines(keepends=True):
            if re.match(r"[ \t]*\[", line):
                lines += waiting
                waiting = []
                is_inside = bool(head.match(line))
                if is_inside and any(each == path and text[:1] in "\r\n" for each, text in self.notes.inner):
                    lines[-1:] = [each for each in lines[-1:] if each.strip()]  # the empty line was added with it
            if not is_inside:
                lines.append(line)
            elif not line.strip() or line.lstrip().startswith("#"):
                waiting.append(line)
            else:
                waiting = []
        return "".join(lines + waiting)


def _inline(value: Any) -> Any:
    """A value with tables as inline tables: a section would need a name of its own."""
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
