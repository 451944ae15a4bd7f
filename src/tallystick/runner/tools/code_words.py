"""Finds the words of a command that a program reads as code: `sh -c CODE`, `perl -e CODE`, `eval CODE`, `ssh HOST`.

It sees interpreters by their names. Code that a program reads in another way, such as a program for awk or a script on
its standard input, is not seen.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from os.path import basename

from msgspec import Struct

MAX_WORDS = 500
"""Words of one command that are looked at."""
_SEPARATOR = re.compile(r"[;&|()\n]+")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_PREFIXES = frozenset(("if", "then", "elif", "else", "while", "until", "do", "!", "{"))
"""Reserved words that a command follows."""
_PRINTING = frozenset(("echo", "printf", "grep", "egrep", "fgrep", "rg", "which", "type", "man"))
"""Programs that only read or print their words: none is a command."""
_WRAPPERS = re.compile(
    "builtin|chronic|command|doas|env|exec|flock|ionice|nice|nohup|setsid|sshpass|stdbuf|sudo|time|g?timeout|unbuffer|xargs"
)
"""Programs that run another one, which may be `eval` or `ssh`."""
_SSH_VALUES = frozenset(f"-{letter}" for letter in "BbcDEeFIiJLlmOoPpQRSWw")
"""Options of ssh with a value."""


class _Interpreter(Struct, frozen=True):
    """`letters` of options behind which code stands, and their long `names`; `values` are options with another value,
    and so are clusters that end with one of `value_letters`. `is_shell`: the code is the first word that is no option.
    `goes_on`: options may stand behind other words."""

    letters: str
    names: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    value_letters: str = ""
    is_shell: bool = False
    goes_on: bool = False

    def code(self, words: Sequence[str]) -> Iterator[int]:
        """The places of code among the words behind the program."""
        at, has_code = 0, False
        while at < len(words):
            word = words[at]
            is_operand = word[:1] not in ("-", "+") or len(word) == 1
            if is_operand and not self.goes_on:
                yield from (at,) if has_code else ()
                return
            is_attached = "=" in word if word[:2] == "--" else word not in self.names and word[-1:] not in self.letters
            is_code = self._is_code(word)
            if is_code and self.is_shell:
                has_code = True
            elif is_code:
                at += not is_attached
                yield at
            at += 2 if self._takes_value(word) else 1

    def _is_code(self, word: str) -> bool:
        is_short = word[:1] == "-" and word[:2] not in ("--", *self.values)
        return word.partition("=")[0] in self.names or (is_short and any(letter in word for letter in self.letters))

    def _takes_value(self, word: str) -> bool:
        return word in self.values or (word[:2] != "--" and word[-1:] in tuple(self.value_letters))


_SHELL = _Interpreter("c", ("--command",), ("--rcfile", "--init-file"), "oO", is_shell=True)
_INTERPRETERS = (
    (re.compile(r"(r?ba|da|a|z|mk|k|fi)?sh"), _SHELL),
    (re.compile(r"su|runuser|script|flock"), _Interpreter("c", ("--command",), goes_on=True)),
    (re.compile(r"(python|pypy)[0-9.]*"), _Interpreter("c", (), ("-W", "-X"))),
    (re.compile(r"perl[0-9.]*"), _Interpreter("eE", (), ("-I", "-M", "-m"))),
    (re.compile(r"ruby[0-9.]*"), _Interpreter("e", (), ("-r", "-I", "-C"))),
    (re.compile(r"node(js)?|bun"), _Interpreter("ep", ("--eval", "--print"), ("-r", "--require", "--import"))),
    (re.compile(r"php[0-9.]*"), _Interpreter("r", ("--run",), ("-d", "-c"))),
    (re.compile(r"lua(jit)?[0-9.]*|Rscript"), _Interpreter("e", (), ("-l",))),
    (re.compile(r"pwsh|powershell"), _Interpreter("", ("-c", "-Command", "-command"))),
)


def find_code(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The places of words that a program reads as code, each with the name of the program."""
    words = words[:MAX_WORDS]
    first = basename(words[0]) if words else ""
    if first in _PRINTING:
        return
    for at, word in enumerate(words):
        name, rest = basename(word), words[at + 1 :]
        if name in ("eval", "ssh", "autossh", "watch") and (at == 0 or _WRAPPERS.fullmatch(first)):
            start = _end_of_host(rest) if name.endswith("ssh") else 0
            yield from ((at + 1 + place, name) for place in range(start, len(rest)))
        for pattern, interpreter in _INTERPRETERS:
            if pattern.fullmatch(name):
                yield from ((at + 1 + place, name) for place in interpreter.code(rest))


def _end_of_host(words: Sequence[str]) -> int:
    """Where the command of ssh begins among the words behind it."""
    at = 0
    while at < len(words) and words[at][:1] == "-":
        at += 2 if words[at] in _SSH_VALUES else 1
    return at + 1


def commands_of(line: str) -> list[list[str]]:
    """The commands of a line for a shell, as words without quotes. None of a line that is not understood."""
    reader = shlex.shlex(line, posix=True, punctuation_chars=";&|()<>\n")
    reader.whitespace, reader.whitespace_split, reader.commenters = " \t\r", True, ""
    commands: list[list[str]] = [[]]
    try:
        words = list(reader)
    except ValueError:  # a quote that does not end: the shell refuses it too
        return []
    is_target = False
    for word in words:
        if _SEPARATOR.fullmatch(word):
            commands.append([])
        elif word and set(word) <= set("<>&|"):
            is_target = True
            if commands[-1] and commands[-1][-1].isdigit():
                commands[-1].pop()  # the descriptor
            continue
        elif not is_target and (commands[-1] or not (_ASSIGNMENT.match(word) or word in _PREFIXES)):
            commands[-1].append(word)
        is_target = False
    return commands
