"""Reads TOML, YAML and JSON files that people write; an error names the file, the line and the fix."""

from __future__ import annotations

import json
import re
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn

from tallystick.core.errors import InvalidArgument, Unsupported

MAX_FILE_BYTES = 16 << 20
"""Twice the longest plan that a journal takes."""
MAX_YAML_NODES = 1_000_000
"""Values in a YAML file: aliases of aliases could stand for more than fit in memory."""
_YAML_FIXES = (
    (r"found character '\\t'", "Indent with spaces: YAML takes no tabs."),
    (r"mapping values are not allowed", "Put a text with a colon in quotes, and indent fields alike."),
    (r"another document", "Write one document in a file, with no --- in it."),
    (r"constructor for the tag", "Leave the tag out: text, numbers, lists and mappings are all that is read."),
    (r"special characters are not allowed", "Leave that character out, or write it as an escape in quotes."),
    (r"is given twice", "Keep one of them."),
)


def read_structured(path: str | PathLike[str]) -> Any:
    """The content of a file, by its ending; raises InvalidArgument with the place of a mistake."""
    file = Path(path)
    text = _read_text(file)
    try:
        if file.suffix == ".toml":
            return _read_toml(file, text)
        if file.suffix == ".json":
            return _read_json(file, text)
        return _read_yaml(file, text)
    except RecursionError:
        raise InvalidArgument(f"{file} is nested too deeply.", hint="Nest lists and mappings less.") from None


def kind_of(content: Any) -> str:
    """What a file holds that should be a mapping."""
    if content is None:
        return "is empty"
    names = {list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number"}
    return f"holds {names.get(type(content), 'something else')}, and no fields"


def _read_text(file: Path) -> str:
    try:
        if file.is_file() and file.stat().st_size > MAX_FILE_BYTES:
            size, most = file.stat().st_size >> 20, MAX_FILE_BYTES >> 20
            raise InvalidArgument(
                f"{file} has {size} MiB: at most {most} MiB are read.", hint="Split it, or name large data as a file."
            )
        content = file.read_bytes()
    except OSError as error:
        hint = "Name a file in it." if file.is_dir() else "Give a file that exists and may be read."
        raise InvalidArgument(f"{file} cannot be read: {error.strerror or error}.", hint=hint) from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise _mistake(
            file, line, f"byte 0x{content[error.start]:02x} is not UTF-8", "Save the file as UTF-8."
        ) from None


def _mistake(file: Path, line: int | None, problem: str, fix: str) -> InvalidArgument:
    place = f"{file}, line {line}" if line else str(file)
    return InvalidArgument(f"{place}: {' '.join(problem.split()).rstrip('.')}.", hint=fix)


def _read_toml(file: Path, text: str) -> Any:
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.fullmatch(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", str(error), re.DOTALL)
        line = int(found[2]) if found and found[2] else text.count("\n") + 1
        raise _mistake(file, line, found[1] if found else str(error), "Mend that line.") from None


def _read_json(file: Path, text: str) -> Any:
    def object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            name = next(each for each in names if names.count(each) > 1)
            places = [match.start() for match in re.finditer(rf"{re.escape(json.dumps(name))}\s*:", text)]
            line = text.count("\n", 0, places[1]) + 1 if len(places) == 2 else None
            raise _mistake(file, line, f'"{name}" is given twice', "Keep one of them.")
        return found

    def refuse(word: str) -> NoReturn:
        raise _mistake(file, None, f"{word} is no number of JSON", "Give a number, or null.")

    try:
        return json.loads(text, object_pairs_hook=object_of, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise _mistake(file, error.lineno, error.msg, "Mend that line.") from None
    except ValueError as error:  # a number with too many digits
        raise _mistake(file, None, str(error), "Mend that number.") from None


def _read_yaml(file: Path, text: str) -> Any:
    try:
        import yaml
    except ImportError:
        try:
            return _read_json(file, text)
        except InvalidArgument:
            raise Unsupported(
                "YAML needs a library that is not installed.",
                hint="Install tallystick[runner] (in a checkout: make install EXTRAS=runner), or write JSON.",
            ) from None

    try:
        content = yaml.load(text, _yaml_loader(yaml))
    except yaml.MarkedYAMLError as error:
        raise _yaml_mistake(file, error) from None
    except yaml.reader.ReaderError as error:
        raise _yaml_mistake(file, error, text.count("\n", 0, error.position) + 1) from None
    _check_size(file, content)
    return content


def _yaml_loader(yaml: Any) -> Any:
    """Plain YAML as JSON has it: names are texts, also `on` and `1`, dates are texts, and no name is given twice."""

    class Loader(yaml.SafeLoader):  # type: ignore[misc]  # the library is optional, and has no types
        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            lines: dict[str, int] = {}
            for key, _ in node.value:
                if not isinstance(key, yaml.ScalarNode) or key.tag == "tag:yaml.org,2002:merge":
                    continue
                key.tag = "tag:yaml.org,2002:str"
                if key.value in lines:
                    problem = f'"{key.value}" is given twice, first in line {lines[key.value]}'
                    raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
                lines[key.value] = key.start_mark.line + 1
            return super().construct_mapping(node, deep)

    Loader.add_constructor("tag:yaml.org,2002:timestamp", lambda _, node: node.value)
    return Loader


def _yaml_mistake(file: Path, error: Any, line: int | None = None) -> InvalidArgument:
    """The error for one of the YAML library: the place of the problem, and where what it is in begins."""
    mark, begun = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", None) or error)
    line = mark.line + 1 if mark else line
    if getattr(error, "context", None) and begun and begun.line + 1 != line and "document" not in problem:
        problem += f", {error.context} that begins in line {begun.line + 1}"
    fix = next(
        (fix for pattern, fix in _YAML_FIXES if re.search(pattern, problem)), "Mend that line, or the one before."
    )
    return _mistake(file, line, problem, fix)


def _check_size(file: Path, content: Any) -> None:
    """Raise InvalidArgument for too many values. An alias counts as often as it is used."""
    stack, count = [content], 0
    while stack:
        found = stack.pop()
        count += 1
        if count > MAX_YAML_NODES:
            problem = f"it has more than {MAX_YAML_NODES:,} values, counting aliases as often as they are used"
            raise _mistake(file, None, problem, "Use fewer aliases, or split it.")
        stack += found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
