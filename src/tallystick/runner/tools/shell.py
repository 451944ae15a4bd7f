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
import signal
from collections.abc import Collection, Mapping
from contextlib import suppress
from itertools import count
from typing import Any

from msgspec import Struct, ValidationError, convert, json

from tallystick.core.errors import InvalidArgument
from tallystick.core.types import ErrorCategory
from tallystick.runner import expressions
from tallystick.runner.tools.tool import CallContext, RunnerTool, ToolAnswer

MAX_OUTPUT_BYTES = 64 << 10
"""How much of each stream is kept: the end of it, where errors are."""
KILL_AFTER_SECONDS = 5.0
"""Between SIGTERM and SIGKILL."""
TEMPORARY_FAILURE = 75
"""EX_TEMPFAIL of sysexits.h."""
NOT_STARTED = (126, 127)
"""The exit codes of a shell that found no program, or one that it may not run."""
VARIABLE = "TALLY_VALUE_{}"
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


def shell_tool(**options: Any) -> RunnerTool:
    """The tool `shell`. `options` are fields of `RunnerTool`, such as `timeout`."""
    return RunnerTool(
        name="shell",
        call=_call,
        source="built in",
        description="Run a program, or a line for /bin/sh.",
        fill=_fill,
        check=_check,
        input_schema=ARGUMENTS_SCHEMA,
        output_schema=OUTPUT_SCHEMA,
        **options,
    )


async def _call(arguments: dict[str, Any], call: CallContext) -> ToolAnswer:
    try:
        given = convert(arguments, _Command)
    except ValidationError as error:
        return ToolAnswer(error=f"The arguments do not fit: {error}", category="not_done")
    line = given.command
    words = ["/bin/sh", "-c", line] if isinstance(line, str) else [expressions.as_text(word) for word in line]
    if not words or not words[0]:
        return ToolAnswer(error="The command is empty.", category="not_done")
    try:
        process = await asyncio.create_subprocess_exec(
            *words,
            cwd=given.cwd,
            env={**os.environ, **given.variables(), "IDEMPOTENCY_KEY": call.idempotency_key},
            stdin=asyncio.subprocess.PIPE if given.stdin else asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        return ToolAnswer(error=f"The command could not be started: {error}", category="not_done")
    return await _wait(process, given, call)


async def _wait(process: asyncio.subprocess.Process, given: _Command, call: CallContext) -> ToolAnswer:
    streams = asyncio.gather(_read(process.stdout), _read(process.stderr), _write(process, given.stdin))
    try:
        async with asyncio.timeout(call.timeout):
            stdout, stderr, _ = await streams
            code = await process.wait()
    except TimeoutError:
        await _kill(process)
        return ToolAnswer(error=f"It took longer than {call.timeout:g} s, and was killed.", category="timed_out")
    except asyncio.CancelledError:
        await asyncio.shield(_kill(process))
        raise
    return _answer(code, stdout, stderr, isinstance(given.command, str))


def _answer(code: int, stdout: str, stderr: str, is_line: bool) -> ToolAnswer:
    result: dict[str, Any] = {"exit_code": code, "stdout": stdout, "stderr": stderr}
    if stdout[:1] in ("{", "["):
        with suppress(Exception):
            result["json"] = json.decode(stdout)
    if code == 0:
        return ToolAnswer(result=result)
    said = next((line for line in reversed((stderr or stdout).splitlines()) if line.strip()), "")
    if code < 0:
        return ToolAnswer(error=f"It was killed by signal {-code}. {said}".strip(), category="lost", result=result)
    category: ErrorCategory = "transient" if code == TEMPORARY_FAILURE else "failed"
    if is_line and code in NOT_STARTED:
        category = "not_done"
    return ToolAnswer(error=f"Exit code {code}. {said}".strip(), category=category, result=result)


async def _read(stream: asyncio.StreamReader | None) -> str:
    """The end of a stream, as text."""
    kept, dropped = b"", False
    while stream is not None and (piece := await stream.read(65536)):
        kept += piece
        if len(kept) > 2 * MAX_OUTPUT_BYTES:
            kept, dropped = kept[-MAX_OUTPUT_BYTES:], True
    text = kept[-MAX_OUTPUT_BYTES:].decode(errors="replace").replace("\0", "\\0")
    return f"[cut] {text}" if dropped or len(kept) > MAX_OUTPUT_BYTES else text


async def _write(process: asyncio.subprocess.Process, text: str) -> None:
    if process.stdin is None:
        return
    with suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(text.encode())
        await process.stdin.drain()
    process.stdin.close()


async def _kill(process: asyncio.subprocess.Process) -> None:
    """End the command and its children: they are a process group of their own."""
    for number, seconds in ((signal.SIGTERM, KILL_AFTER_SECONDS), (signal.SIGKILL, None)):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        try:
            async with asyncio.timeout(seconds):
                await process.wait()
                return
        except TimeoutError:
            continue


# ----------------------------------------------------------------------------------------------------------------------
# References in a command line


def _fill(arguments: Mapping[str, Any], variables: Mapping[str, Any], field: str) -> dict[str, Any]:
    """The arguments with their references filled in. In a command line they become variables."""
    line = arguments.get("command")
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
    if isinstance(line, str):
        pieces = [(each.start, each.end, "") for each in expressions.references_in(line)]
        with_variables(line, pieces, field=f"{field}.command")


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
        hint="Give the command as a list of words, or hand the value over in `env`.",
        field=field,
    )
