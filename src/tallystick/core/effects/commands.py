"""Decides whether a shell command only reads.

Nothing is owed for a read, and a read may be repeated. So a command counts as a read only if all of it is understood,
and every program in it is known to write nothing with these arguments: a wrong `read` would hide work, a missing one
costs a line.
"""

import re
from collections.abc import Sequence

from tallystick.core.effects.git import judge_git
from tallystick.core.effects.options import names, parse_arguments, parse_spec
from tallystick.core.effects.programs import is_harmless_variable, judge_program
from tallystick.core.effects.services import inner_command, is_client, judge_client
from tallystick.core.effects.shell import SAFE, UNKNOWN, SimpleCommand, Word, parse
from tallystick.core.effects.toolchains import is_toolchain, judge_toolchain

_OUR_READING_COMMANDS = names("record status show owed undo-list brief tail get list read verify doctor")
"""Our own commands: a record in the journal changes nothing in the world, and is not owed itself."""
MAX_NESTING = 8
"""Commands inside commands: `timeout 5 env X=1 bash -c ...`."""
_MARKS = ("[masked:", "[cut: ")
"""What is left of a text that was masked or cut: the part that is missing may do anything."""
_SHELLS = frozenset(("bash", "sh", "zsh", "dash"))
_SYSTEM_FOLDERS = frozenset(
    ("/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/opt/homebrew/bin", "/opt/local/bin")
)
_TOOL_FOLDER = re.compile(
    r"(?:.*/)?(?:\.?venv|env|\.virtualenv|node_modules/\.bin|vendor/bin)(?:/bin)?/(?P<tool>[\w.-]+)"
)
"""A tool of the project at hand, by its path."""
_WRAPPERS: dict[str, tuple[str, int]] = {
    "timeout": ("-k: -s: -v --preserve-status --foreground --kill-after= --signal=", 1),
    "gtimeout": ("-k: -s: --preserve-status", 1),
    "nice": ("-n: -#", 0),
    "ionice": ("-c: -n: -t", 0),
    "stdbuf": ("-o: -e: -i:", 0),
    "time": ("-p -v -f:", 0),
    "sudo": ("-n -u: -E -H", 0),
    "command": ("-p", 0),
    "builtin": ("", 0),
    "caffeinate": ("-i -s -d", 0),
}
"""Programs that run another one: their options, and their operands before it."""
_RUNNERS = {"uv": "-q -s --quiet --frozen --no-sync --locked --offline", "poetry": "-q -n", "pipenv": "", "bundle": ""}
"""Programs that run a tool of the project, with `run` or `exec`."""


def is_reading_command(command: object, ours: tuple[str, ...] = ("tallystick",)) -> bool:
    """Whether a shell command, as text or as a list of words, only reads. `ours` are the paths of our own command."""
    if isinstance(command, list):
        if not command or not all(isinstance(word, str) and "\0" not in word and "\1" not in word for word in command):
            return False
        if any(mark in word for word in command for mark in _MARKS):
            return False
        return _Judge(ours).reads([Word(word) for word in command])
    return isinstance(command, str) and _Judge(ours).reads_text(command)


class _Judge:
    """Judges one command line, and the commands inside its commands."""

    def __init__(self, ours: tuple[str, ...], depth: int = 0) -> None:
        self._ours = ours
        self._depth = depth

    def reads_text(self, text: str) -> bool:
        """Whether a command line only reads."""
        if any(mark in text for mark in _MARKS) or self._depth > MAX_NESTING:
            return False
        commands = parse(text)
        return bool(commands) and all(self._reads_command(each) for each in commands or ())

    def _reads_command(self, command: SimpleCommand) -> bool:
        return all(is_harmless_variable(*each) for each in command.variables) and self.reads(command.words)

    def reads(self, words: Sequence[Word]) -> bool:
        """Whether a program with its arguments only reads."""
        if not words or not words[0].is_plain or self._depth > MAX_NESTING:
            return False
        program, arguments = words[0].text, words[1:]
        if program in self._ours:
            return bool(arguments) and arguments[0].text in _OUR_READING_COMMANDS
        name = _program_name(program)
        if (inner := _inner_words(name, arguments)) is not None:
            return _Judge(self._ours, self._depth + 1).reads(inner)
        return self._reads_program(name, arguments)

    def _reads_program(self, name: str, arguments: Sequence[Word]) -> bool:
        match name:
            case "git" if len(arguments) != 1 or arguments[0].text[:1] != "-":
                return judge_git(arguments)
            case "find":
                return self._reads_find(arguments)
            case "xargs":
                return self._reads_xargs(arguments)
            case "env":
                return self._reads_env(arguments)
            case "command" if arguments and arguments[0].text in ("-v", "-V"):
                return True
        if name in _SHELLS and arguments:
            return self._reads_shell(arguments)
        known = judge_program(name, arguments)
        if known:
            return True
        return (is_client(name) and judge_client(name, arguments)) or (
            is_toolchain(name) and judge_toolchain(name, arguments)
        )

    def _reads_shell(self, arguments: Sequence[Word]) -> bool:
        """A shell with a script in an argument, or one that only checks a script."""
        texts = [word.text for word in arguments]
        if texts[:1] == ["-n"]:
            return len(texts) == 2 and not arguments[1].may_be_option
        while texts[:1] in (["-l"], ["-e"], ["--login"], ["--noprofile"], ["--norc"]):
            texts, arguments = texts[1:], arguments[1:]
        if len(texts) != 2 or texts[0] not in ("-c", "-lc", "-ec", "-lec", "-cl") or not arguments[1].is_plain:
            return texts == ["--version"]
        return _Judge(self._ours, self._depth + 1).reads_text(texts[1])

    def _reads_env(self, arguments: Sequence[Word]) -> bool:
        found = parse_arguments(arguments, parse_spec("-i -u: --ignore-environment --unset="), stop=True)
        if found is None:
            return False
        rest = found.rest
        while rest and "=" in rest[0].text and not rest[0].splits:
            name, _, value = rest[0].text.partition("=")
            if not is_harmless_variable(name, Word(value)):
                return False
            rest = rest[1:]
        return not rest or _Judge(self._ours, self._depth + 1).reads(rest)

    def _reads_xargs(self, arguments: Sequence[Word]) -> bool:
        """The command gets words that are not known, at its end or in place of a mark."""
        spec = parse_spec(
            "-0 -r -t -n: -P: -L: -I: -d: -a: -s: --null --no-run-if-empty --max-args= --max-procs="
            " --delimiter= --verbose"
        )
        found = parse_arguments(arguments, spec, stop=True)
        if found is None:
            return False
        mark = next((value.text for name, value in found.values if name == "-I"), "")
        if not found.rest:
            return True
        if mark:
            inner = [Word(word.text.replace(mark, UNKNOWN), word.splits) for word in found.rest]
        else:
            inner = [*found.rest, Word(UNKNOWN, splits=True)]
        return _Judge(self._ours, self._depth + 1).reads(inner)

    def _reads_find(self, arguments: Sequence[Word]) -> bool:
        """`find` without writing actions; a command that it runs has to read."""
        at = 0
        while at < len(arguments):
            word = arguments[at]
            at += 1
            if (
                word.may_be_option
                or word.text.startswith(("-delete", "-fprint", "-fls", "-files0"))
                or word.text == ";"
            ):
                return False
            if word.text.startswith(("-exec", "-ok")):
                end = _end_of_exec(arguments, at)
                inner = [Word(each.text.replace("{}", SAFE), each.splits) for each in arguments[at:end]]
                if end is None or not _Judge(self._ours, self._depth + 1).reads(inner):
                    return False
                at = end + 1
        return True


def _end_of_exec(words: Sequence[Word], at: int) -> int | None:
    """Where the command of `-exec` ends: at a semicolon, or at a plus after `{}`."""
    for end in range(at, len(words)):
        if words[end].text == ";" or (words[end].text == "+" and end > at and words[end - 1].text == "{}"):
            return end
    return None


def _program_name(program: str) -> str:
    """The name of a program: without its path, if that is one of the system's or of a tool of the project."""
    folder, slash, name = program.rpartition("/")
    if not slash:
        return program
    if folder in _SYSTEM_FOLDERS:
        return name
    tool = _TOOL_FOLDER.fullmatch(program)
    is_tool = tool is not None and is_toolchain(tool["tool"])
    return tool["tool"] if tool and is_tool else program


def _inner_words(name: str, arguments: Sequence[Word]) -> Sequence[Word] | None:
    """The command that a program runs; None if it runs none, or is not understood."""
    if name in _RUNNERS and arguments and arguments[0].text in ("run", "exec"):
        found = parse_arguments(arguments[1:], parse_spec(_RUNNERS[name]), stop=True)
        return found.rest if found else []
    if name in _WRAPPERS and not (name == "command" and arguments and arguments[0].text in ("-v", "-V")):
        spec, operands = _WRAPPERS[name]
        found = parse_arguments(arguments, parse_spec(spec), stop=True)
        if found is None or any(word.may_be_option for word in found.rest[:operands]):
            return []
        return found.rest[operands:]
    return inner_command(name, arguments) if is_client(name) else None
