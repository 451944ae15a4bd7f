"""Reads the code blocks of a document: Python as one program, console blocks as commands with expected output.

A block with a file name behind its language, such as `yaml plan.yaml`, is a file: it is written before the commands
below it.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

NOT_RUN = re.compile(r"<!-- not run: .+ -->")
"""The line above a block that is not run, with the reason."""
_END = "end of the file"
_EXITS = re.compile(r"\s+# exits with (\d+)$")
_CHANGING = (
    (re.compile(r"\b(pl|ex|ac|ap|se|de|cx|jo)_[0-9a-z]{3,10}\b"), r"\1_*"),
    (re.compile(r"\bs1:[\w-]{43}"), "s1:*"),
    (re.compile(r"\bts_[\w-]{20,}"), "ts_*"),
    (re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?Z?"), "TIME"),
    (re.compile(r"\b\d+s ago"), "0s ago"),
    (re.compile(r"\b\d+\.\d s\b"), "0.0 s"),
    (re.compile(r"Journal [\w.-]+\."), "Journal *."),
    (re.compile(r"(?<=\S)  +"), " "),
)
"""Parts that differ between runs: handles, hashes, secrets, times, durations, name of the journal, column widths."""


class Block(Struct, frozen=True):
    """A fenced block: first line number, language and text."""

    line: int
    language: str
    text: str


class Command(Struct, frozen=True):
    """A command of a console block, its exit code, and the expected output."""

    line: int
    text: str
    code: int
    output: str


def blocks(path: Path) -> Iterator[Block]:
    """Yield the blocks of a document that are run."""
    lines = path.read_text().splitlines()
    index = 0
    while index < len(lines):
        if not lines[index].startswith("```"):
            index += 1
            continue
        end = next(number for number in range(index + 1, len(lines)) if lines[number] == "```")
        if index == 0 or not NOT_RUN.fullmatch(lines[index - 1]):
            yield Block(index + 2, lines[index][3:].strip(), "\n".join(lines[index + 1 : end]))
        index = end + 1


def program(path: Path) -> str:
    """Return the Python of a document as one program, with the line numbers of the document."""
    lines: list[str] = []
    for block in blocks(path):
        if block.language == "python":
            lines += [""] * (block.line - 1 - len(lines)) + block.text.splitlines()
    return "\n".join(lines)


def commands(path: Path) -> list[Command]:
    """Return the commands of all console blocks of a document, in order, with those that write its files."""
    return [command for block in blocks(path) for command in _commands(block)]


def _commands(block: Block) -> Iterator[Command]:
    if " " in block.language:
        name = block.language.rpartition(" ")[2]
        yield Command(block.line, f"cat > {name} <<'{_END}'\n{block.text}\n{_END}", 0, "")
    if block.language != "console":
        return
    found: list[tuple[int, list[str], list[str]]] = []
    for number, line in enumerate(block.text.splitlines(), block.line):
        if line.startswith("$ "):
            found.append((number, [line[2:]], []))
        elif found and found[-1][1][-1].endswith("\\"):
            found[-1][1].append(line)
        else:
            found[-1][2].append(line)
    for number, typed, printed in found:
        exits = _EXITS.search(typed[-1])
        text = "\n".join([*typed[:-1], _EXITS.sub("", typed[-1])])
        yield Command(number, text, int(exits[1]) if exits else 0, "\n".join(printed))


def prints(expected: str, actual: str) -> bool:
    """Whether an output matches the document, in which a line `...` stands for any lines."""
    pattern = "".join(
        r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in _plain(expected).splitlines()
    )
    return re.fullmatch(pattern, _plain(actual) + "\n") is not None


def _plain(text: str) -> str:
    for pattern, word in _CHANGING:
        text = pattern.sub(word, text)
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
