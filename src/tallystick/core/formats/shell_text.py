"""Words and commands for a person to copy into a POSIX shell: pasted, they are exactly what was recorded.

Nothing in them is hidden, and no part of a word becomes code. A word is quoted. Characters that cannot be seen, such as
line ends and terminal escapes, are octal numbers that `printf` turns back into them.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tallystick.core.formats import canonical_json
from tallystick.core.formats.visible import is_visible
from tallystick.core.tools import SHELLS, has_mask, secrets_named, texts_in

MAX_COMMAND_CHARACTERS = 2000
"""A longer command is not shown as one: nobody could check it."""
_COMMAND_FIELDS = ("command", "cmd")
_FOLDER_FIELDS = ("cwd", "workdir", "dir_path", "directory")
_OTHER_FIELDS = ("env", "stdin", "description", "timeout", "timeout_ms")
"""Fields that are known beside the command and its folder. The last three do not matter to a person who runs it."""
_PLAIN = re.compile(r"[\w@+:,./-][\w@%+=:,./-]*", re.ASCII)
"""Words that no shell changes. Some expand one that begins with `=` or `%`."""
_VARIABLE = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def quote_word(text: str) -> str:
    """A text as one word. Line ends at the end of a text that holds invisible characters are lost."""
    return _quote(text) if is_visible(text) else f'"$(printf %b {_encode(text)})"'


def join_words(words: Sequence[str]) -> str:
    """A program with its arguments as a command."""
    return _as_visible(" ".join(map(_quote, words)))


def call_as_command(tool: str, arguments: Mapping[str, Any]) -> str:
    """The call of a tool that runs shell commands, as a command; empty if it is none, or cannot be copied: something in
    it is masked, secret or unknown."""
    words = _words_of(tool, arguments)
    texts = list(texts_in(arguments))
    is_known = {*_COMMAND_FIELDS, *_FOLDER_FIELDS, *_OTHER_FIELDS}.issuperset(arguments)
    if not words or not is_known or has_mask(arguments) or secrets_named(arguments) or not all(map(_is_text, texts)):
        return ""
    env, stdin = arguments.get("env") or {}, arguments.get("stdin") or ""
    if not isinstance(env, Mapping) or not isinstance(stdin, str) or not all(map(_VARIABLE.fullmatch, env)):
        return ""
    command = _with_environment(words, env)
    folder = next((arguments[name] for name in _FOLDER_FIELDS if arguments.get(name)), "")
    if command and folder:
        path = str(folder) if str(folder).startswith("/") else f"./{folder}"  # no option, and no folder of CDPATH
        command = f"(cd {_quote(path)} && {command})"
    if command and stdin:
        command = f"printf %s {_quote(stdin)} | {command}"
    shown = _as_visible(command)
    return shown if len(shown) <= MAX_COMMAND_CHARACTERS else ""


def _words_of(tool: str, arguments: Mapping[str, Any]) -> list[str]:
    """The program of a call and its arguments: a line is one for a shell of its own."""
    given = next((arguments[name] for name in _COMMAND_FIELDS if name in arguments), None)
    if tool not in SHELLS or not given:
        return []
    if isinstance(given, str):
        return ["bash" if "bash" in tool.lower() else "/bin/sh", "-c", given]
    if not isinstance(given, list | tuple) or not all(isinstance(each, str | int | float) for each in given):
        return []
    return [_as_text(each) for each in given]


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else canonical_json.to_readable(value)


def _with_environment(words: Sequence[str], variables: Mapping[str, Any]) -> str:
    """The command with its variables. `env` starts a program: no builtin, alias, function or keyword of the shell is
    meant. It takes a name with `=` for a variable, and one with `-` for an option: then there is no command."""
    program = words[0]
    if not program or program.startswith("-") or "=" in program:
        return ""
    settings = [_quote(f"{name}={_as_text(value)}") for name, value in variables.items()]
    is_path = "/" in program and not settings
    return " ".join([*([] if is_path else ["env"]), *settings, *map(_quote, words)])


def _is_text(text: str) -> bool:
    """Whether a program can be given a text: it holds no NUL, and can be encoded."""
    return "\0" not in text and not any("\ud800" <= each <= "\udfff" for each in text)


def _quote(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    return "'" + text.replace("'", "'\"'\"'") + "'"


def _as_visible(command: str) -> str:
    return command if is_visible(command) else f'eval "$(printf %b {_encode(command)})"'


def _encode(text: str) -> str:
    """A text as a word for `printf %b`. It holds no `!`, which a shell may expand inside of double quotes."""
    return f"'{''.join(map(_encode_character, text))}'"


def _encode_character(character: str) -> str:
    if character == "\\":
        return "\\\\"
    if is_visible(character) and character not in "'!":
        return character
    return "".join(f"\\0{byte:03o}" for byte in character.encode("utf-8", "surrogatepass"))
