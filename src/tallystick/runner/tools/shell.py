"""The tool `shell`: runs a command. Values of references reach it as arguments or in variables, never as code.

| what happened | category |
|---|---|
| the program could not be started; exit code 126 or 127 of a command line | `not_done` |
| exit code 75 (EX_TEMPFAIL) | `transient` |
| any other exit code but 0 | `failed` |
| it ran longer than its timeout, and was killed | `timed_out` |
| it was killed by a signal | `lost` |
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import count
from tempfile import TemporaryFile
from typing import IO, Any

from msgspec import Struct, ValidationError, convert

from tallystick.core.errors import InvalidArgument
from tallystick.core.formats.cut_marks import CUT
from tallystick.core.types import ErrorCategory
from tallystick.runner import expressions
from tallystick.runner.tools.code_words import commands_of, find_code
from tallystick.runner.tools.processes import HeldLock, end_processes, find_processes, hold_lock
from tallystick.runner.tools.tool import CallContext, RunnerTool, ToolAnswer, json_in

MAX_OUTPUT_BYTES = 64 << 10
"""How much of each stream is kept: the end of it, where errors are."""
READ_BYTES = 65536
MAX_READS = 32
"""Reads after the end of a command: more than a pipe holds, and an end to them if the background writes on."""
TEMPORARY_FAILURE = 75
"""EX_TEMPFAIL of sysexits.h."""
NOT_STARTED = (126, 127)
"""The exit codes of a shell that found no program, or one that it may not run."""
VARIABLE = "TALLY_VALUE_{}"
_OF_REFERENCE = re.compile(r"TALLY_VALUE_[0-9]+")
_REFERENCE_MARK = "\ue000"
HINT_FOR_CODE = (
    "Hand the value over in `env`, or as a word of its own behind the code: "
    '[sh, -c, \'ls "$1"\', sh, "${parameters.folder}"].'
)
CODE_HINTS = {
    "ssh": "Hand the value over in `stdin`, and let a program on the other host read it.",
    "eval": "Leave out eval, or hand the value over in `env` and do not expand it before.",
}
_WORD_SCHEMA = {"type": ["string", "number", "boolean"]}
ARGUMENTS_SCHEMA = {
    "type": "object",
    "required": ["command"],
    "additionalProperties": False,
    "properties": {
        "command": {
            "description": "A program with its arguments as a list, or a line for /bin/sh",
            "anyOf": [
                {"type": "string", "minLength": 1},
                {"type": "array", "items": _WORD_SCHEMA, "minItems": 1},
            ],
        },
        "cwd": {"type": "string"},
        "env": {"type": "object", "additionalProperties": _WORD_SCHEMA},
        "stdin": {"type": "string"},
    },
}
OUTPUT_SCHEMA = {
    "type": "object",
    "required": ["exit_code", "stdout", "stderr"],
    "properties": {
        "exit_code": {"type": "integer"},
        "stdout": {"type": "string"},
        "stderr": {"type": "string"},
        "json": {"description": "The standard output, if it is JSON"},
    },
}


_Word = str | int | float | bool
"""A word of a command: a number is written out."""


class _Command(Struct, frozen=True, forbid_unknown_fields=True):
    command: list[_Word] | str
    cwd: str | None = None
    env: dict[str, _Word] = {}
    stdin: str = ""

    def variables(self) -> dict[str, str]:
        return {name: expressions.as_text(value) for name, value in self.env.items()}


class _AllowedCommands(Struct, frozen=True):
    """The programs that may be called, by name or absolute path. `lines`: lines for /bin/sh too. `variables`: those
    that may be set."""

    programs: tuple[str, ...]
    lines: bool
    variables: tuple[str, ...]

    def check(self, arguments: Mapping[str, Any], field: str) -> None:
        """Raise InvalidArgument for a command that is not allowed, or whose program is not known before the start."""
        command = arguments.get("command")
        program = command[0] if isinstance(command, list | tuple) and command else ""
        programs = ", ".join(self.programs) or "none"
        if isinstance(command, str) and not self.lines:
            raise InvalidArgument(
                "Lines for /bin/sh are not allowed here.",
                hint=f"Give the command as a list of words. Allowed programs: {programs}.",
                field=f"{field}.command",
            )
        if not isinstance(command, str) and program not in self.programs:
            raise InvalidArgument(
                f'The program "{program}" is not allowed here.',
                hint=f"Allowed are: {programs}. The operator lists them: `only` under [shell] in the policy file.",
                field=f"{field}.command",
            )
        given = arguments.get("env")
        names = [name for name in given if not self._may_set(name)] if isinstance(given, Mapping) else []
        if names:
            raise InvalidArgument(
                f'The variable "{names[0]}" may not be set here.',
                hint=f"Allowed are: {', '.join(self.variables) or 'none'}. "
                "The operator lists them: `env` under [shell] in the policy file.",
                field=f"{field}.env",
            )

    def _may_set(self, name: str) -> bool:
        return name in self.variables or (self.lines and _OF_REFERENCE.fullmatch(name) is not None)


def shell_tool(
    *, only: Collection[str] | None = None, lines: bool = False, variables: Collection[str] = (), **options: Any
) -> RunnerTool:
    """The tool `shell`. With `only`, every other program is refused, lines for /bin/sh unless `lines` is true, and the
    variables that are not among `variables`. `options` are fields of `RunnerTool`, such as `timeout`."""
    allowed = _AllowedCommands(_programs(only), lines, tuple(variables)) if only is not None else None

    async def call(arguments: dict[str, Any], context: CallContext) -> ToolAnswer:
        try:
            if allowed is not None:
                allowed.check(arguments, "arguments")
        except InvalidArgument as error:
            return ToolAnswer(error=str(error), category="not_done")
        return await _call(arguments, context, _environment(is_limited=allowed is not None))

    def check(arguments: Mapping[str, Any], field: str) -> None:
        if allowed is not None:
            allowed.check(arguments, field)
        _check(arguments, field)

    return RunnerTool(
        name="shell",
        call=call,
        source="built in",
        description="Run a program, or a line for /bin/sh.",
        fill=_fill,
        check=check,
        input_schema=ARGUMENTS_SCHEMA,
        output_schema=OUTPUT_SCHEMA,
        starts_processes=True,
        **options,
    )


def _programs(only: Collection[str]) -> tuple[str, ...]:
    """The allowed programs. A relative path would depend on the folder that a plan chooses."""
    for name in only:
        if not name or ("/" in name and not name.startswith("/")):
            raise InvalidArgument(
                f'"{name}" is not a program.', hint="Give a name, or an absolute path.", field="shell.only"
            )
    return tuple(only)


def _environment(*, is_limited: bool) -> dict[str, str]:
    """The environment of a command. A limited one does not get our own settings, which may hold a password."""
    return {name: value for name, value in os.environ.items() if not (is_limited and name.startswith("TALLYSTICK_"))}


async def _call(arguments: dict[str, Any], call: CallContext, environment: Mapping[str, str]) -> ToolAnswer:
    try:
        given = convert(arguments, _Command)
    except ValidationError as error:
        return ToolAnswer(error=f"The arguments do not fit: {error}", category="not_done")
    line = given.command
    words = ["/bin/sh", "-c", line] if isinstance(line, str) else [expressions.as_text(word) for word in line]
    if not words or not words[0]:
        return ToolAnswer(error="The command is empty.", category="not_done")
    variables = {**environment, **given.variables(), "IDEMPOTENCY_KEY": call.idempotency_key}
    with ExitStack() as stack:
        try:
            lock = stack.enter_context(hold_lock(call.process_lock)) if call.process_lock else None
            started = _StartedCommand(words, given, variables, lock)
        except (OSError, ValueError) as error:
            return ToolAnswer(error=f"The command could not be started: {error}", category="not_done")
        return await started.wait(call)


class _StartedCommand:
    """A command from its start to its end. What it starts inherits the lock."""

    def __init__(self, words: list[str], given: _Command, variables: Mapping[str, str], lock: HeldLock | None) -> None:
        self._lock = lock
        self._is_line = isinstance(given.command, str)
        self._outputs: list[_Output] = []
        try:
            for _ in range(2):
                self._outputs.append(_Output())
            with _input(given.stdin) as stdin:
                self._process = subprocess.Popen(
                    words,
                    cwd=given.cwd,
                    env=variables,
                    stdin=stdin,
                    stdout=self._outputs[0].write_end,
                    stderr=self._outputs[1].write_end,
                    start_new_session=True,
                    pass_fds=(lock.file,) if lock else (),
                )
        except (OSError, ValueError):
            self._delete_lock()
            raise
        finally:
            for output in self._outputs:
                os.close(output.write_end)
        if lock is not None:
            lock.name_session(self._process.pid)

    async def wait(self, call: CallContext) -> ToolAnswer:
        """Wait for the command itself. A process that it leaves in the background goes on, and is not waited for."""
        try:
            async with asyncio.timeout(call.timeout):
                code = await self._exit_code()
        except TimeoutError:
            await self._kill()
            return ToolAnswer(error=f"It took longer than {call.timeout:g} s, and was killed.", category="timed_out")
        except asyncio.CancelledError:
            await asyncio.shield(self._kill())
            raise
        if code >= 0:  # if it was killed, what it has started may go on with its work
            self._delete_lock()
        stdout, stderr = (output.text() for output in self._outputs)
        return _answer(code, stdout, stderr, self._is_line)

    async def _exit_code(self) -> int:
        loop, has_ended = asyncio.get_running_loop(), asyncio.Event()
        file = os.pidfd_open(self._process.pid)
        loop.add_reader(file, has_ended.set)
        try:
            await has_ended.wait()
        finally:
            loop.remove_reader(file)
            os.close(file)
        return self._process.wait()

    async def _kill(self) -> None:
        """End the command and all that it has started."""
        leader, path = self._process.pid, self._lock.path if self._lock else None
        if await end_processes(partial(find_processes, leader, path), leader):
            self._delete_lock()
        await self._exit_code()

    def _delete_lock(self) -> None:
        if self._lock is not None:
            self._lock.delete()


def _answer(code: int, stdout: str, stderr: str, is_line: bool) -> ToolAnswer:
    result: dict[str, Any] = {"exit_code": code, "stdout": stdout, "stderr": stderr, **json_in(stdout)}
    if code == 0:
        return ToolAnswer(result=result)
    said = next((line for line in reversed((stderr or stdout).splitlines()) if line.strip()), "")
    if code < 0:
        return ToolAnswer(error=f"It was killed by signal {-code}. {said}".strip(), category="lost", result=result)
    category: ErrorCategory = "transient" if code == TEMPORARY_FAILURE else "failed"
    if is_line and code in NOT_STARTED:
        category = "not_done"
    return ToolAnswer(error=f"Exit code {code}. {said}".strip(), category=category, result=result)


class _Output:
    """A pipe for the output of a command, of which the end is kept.

    A process in the background may hold it open after the command. Its output is then read and dropped for as long as
    the event loop runs, so that it neither waits nor is killed for writing.
    """

    def __init__(self) -> None:
        self._is_open = False
        self._read_end, self.write_end = os.pipe()
        self._is_open = True
        self._kept, self._is_cut, self._is_kept = b"", False, True
        os.set_blocking(self._read_end, False)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._read_end, self._read)

    def __del__(self) -> None:
        if self._is_open:  # the event loop was closed first
            os.close(self._read_end)

    def text(self) -> str:
        """The end of what was written until now. What comes later is dropped."""
        for _ in range(MAX_READS):
            if not self._is_open or not self._read():
                break
        kept, self._kept, self._is_kept = self._kept, b"", False
        text = kept[-MAX_OUTPUT_BYTES:].decode(errors="replace").replace("\0", "\\0")
        return f"{CUT} {text}" if self._is_cut or len(kept) > MAX_OUTPUT_BYTES else text

    def _read(self) -> bool:
        """Read once; False if there is nothing now. Closes the pipe at its end."""
        try:
            piece = os.read(self._read_end, READ_BYTES)
        except BlockingIOError:
            return False
        if not piece:
            self._is_open = False
            self._loop.remove_reader(self._read_end)
            os.close(self._read_end)
        if self._is_kept:
            self._kept += piece
        if len(self._kept) > 2 * MAX_OUTPUT_BYTES:
            self._kept, self._is_cut = self._kept[-MAX_OUTPUT_BYTES:], True
        return bool(piece)


@contextmanager
def _input(text: str) -> Iterator[int | IO[bytes]]:
    """The standard input: a file, since a pipe to a process that does not read it would fill up."""
    if not text:
        yield subprocess.DEVNULL
        return
    with TemporaryFile() as file:
        file.write(text.encode())
        file.seek(0)
        yield file


# ----------------------------------------------------------------------------------------------------------------------
# References in a command line


def _fill(arguments: Mapping[str, Any], variables: Mapping[str, Any], field: str) -> dict[str, Any]:
    """The arguments with their references filled in. In a command line they become variables."""
    line = arguments.get("command")
    _check_code(line, f"{field}.command")
    if not isinstance(line, str) or "${" not in line:
        return dict(expressions.fill(arguments, variables, field))
    pieces = [
        (each.start, each.end, expressions.as_text(expressions.evaluate(each.expression, variables, field)))
        for each in expressions.references_in(line)
    ]
    rest = {name: value for name, value in arguments.items() if name != "command"}
    filled: dict[str, Any] = expressions.fill(rest, variables, field)
    given = filled.get("env", {})
    command, values = with_variables(line, pieces, taken=given)
    return {"command": command, **filled, **({"env": {**given, **values}} if values else {})}


def _check(arguments: Mapping[str, Any], field: str) -> None:
    line = arguments.get("command")
    _check_code(line, f"{field}.command")
    if isinstance(line, str):
        pieces = [(each.start, each.end, "") for each in expressions.references_in(line)]
        with_variables(line, pieces, field=f"{field}.command")


def _check_code(command: Any, field: str) -> None:
    """Raise InvalidArgument for a reference in a word that a program reads as code."""
    for words in _marked_commands(command):
        for place, program in find_code(words):
            if place < len(words) and _REFERENCE_MARK in words[place]:
                raise InvalidArgument(
                    f"A reference in the code for {program} would run as code.",
                    hint=CODE_HINTS.get(program, HINT_FOR_CODE),
                    field=field,
                )


def _marked_commands(command: Any) -> Iterator[list[str]]:
    """The commands in a command or a line, as words, with a mark in the place of each reference."""
    if isinstance(command, str):
        yield from commands_of(_marked(command)) if "${" in command else ()
    elif isinstance(command, list | tuple):
        yield [_marked(word) if isinstance(word, str) else "" for word in command]


def _marked(text: str) -> str:
    for reference in reversed(list(expressions.references_in(text))):
        text = f"{text[: reference.start]}{_REFERENCE_MARK}{text[reference.end :]}"
    return text


def with_variables(
    line: str, pieces: list[tuple[int, int, str]], taken: Collection[str] = (), field: str = "command"
) -> tuple[str, dict[str, str]]:
    """A command line with a variable in the place of each piece (start, end, value), and the values of the variables.

    A shell does not read the value of a variable as code. The variable is quoted, so that its value is one word; it has
    no braces, which would look like a reference. `taken` are names that are in use. Raises InvalidArgument for a piece
    that no shell would fill in.
    """
    parts: list[str] = []
    values: dict[str, str] = {}
    at = 0
    names = (name for number in count(1) if (name := VARIABLE.format(number)) not in taken)
    for (start, end, value), name in zip(pieces, names, strict=False):
        quote = _quote_at(line, start, field)  # an open quote is closed before the variable, and opened again after it
        parts += [expressions.unescape(line[at:start]), f'{quote}"${name}"{quote}']
        values[name] = value
        at = end
    return "".join([*parts, expressions.unescape(line[at:])]), values


def _quote_at(line: str, end: int, field: str) -> str:
    """The quote that is open at a place of a command line: a double one, or none."""
    quote, place = "", 0
    while place < end:
        letter = line[place]
        if letter == "\\" and quote != "'":
            place += 1
            if place == end:
                raise _no_reference_here(line, "after a backslash", field)
        elif letter == "`" or (line.startswith(("$(", "<<"), place) and quote != "'"):
            raise _no_reference_here(line, "after a backtick, $( or <<", field)
        elif letter == quote:
            quote = ""
        elif letter in "'\"" and not quote:
            quote = letter
        place += 1
    if quote == "'":
        raise _no_reference_here(line, "inside single quotes", field)
    return quote


def _no_reference_here(line: str, where: str, field: str) -> InvalidArgument:
    return InvalidArgument(
        f"A reference {where} of a command line is not filled in: {line[:80]!r}.",
        hint='Hand the value over in `env` and write "$NAME" there, or give the command as a list of words.',
        field=field,
    )
