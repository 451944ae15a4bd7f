"""Programs for sed and awk: whether a script in one of these languages only prints."""

import re

_SED_ADDRESS = re.compile(r"\d+(?:~\d+)?|\$|[+~]\d+")
_SED_PLAIN = frozenset("pPdDgGhHxnN=lzF")
_SED_LABEL = re.compile(r"[ \t]*[\w.-]*")
_SED_FLAGS = re.compile(r"[gpiImM0-9]*")
_SED_BLANKS = " \t\n;"
_TO_LINE_END = re.compile(r"[^\n]*")
_DIGITS = re.compile(r"[ \t]*\d*")

_AWK_REFUSED = re.compile(r"system|getline|@|[^\x20-\x7e\t\n\u00a0-\U0010ffff]")
"""Words with which awk runs programs, loads code or opens files. They are refused even in a string."""
_AWK_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_AWK_REGEX = re.compile(r"/(?:[^/\\\n\[]|\\.|\[\^?\]?[^\]/\n\\]*\])+/")
_AWK_COMMENT = re.compile(r"#[^\n]*")
_AWK_BEFORE_REGEX = frozenset("({,;!~&|\n") | {""}
"""After one of these characters, a slash begins a regular expression."""


def is_reading_sed(script: str) -> bool:
    """Whether a script of sed writes no file and runs no program (commands `w`, `W`, `e`, and flags of `s`)."""
    at: int | None = 0
    while at is not None:
        while at < len(script) and script[at] in _SED_BLANKS:
            at += 1
        if at >= len(script):
            return True
        at = _sed_command(script, _sed_addresses(script, at))
    return False


def _sed_addresses(script: str, at: int | None) -> int | None:
    """The position after the addresses of a command; None if they are not understood."""
    for number in range(2):
        at = _sed_address(script, at)
        if at is None:
            return None
        while script[at : at + 1] in (" ", "\t"):
            at += 1
        if number or script[at : at + 1] != ",":
            break
        at += 1
    assert at is not None
    while script[at : at + 1] in (" ", "\t", "!"):
        at += 1
    return at


def _sed_address(script: str, at: int | None) -> int | None:
    if at is None:
        return None
    if found := _SED_ADDRESS.match(script, at):
        return found.end()
    if script[at : at + 1] == "/":
        end = _sed_delimited(script, at + 1, "/", is_pattern=True)
        while end is not None and script[end : end + 1] in ("I", "M"):
            end += 1
        return end
    return at


def _sed_command(script: str, at: int | None) -> int | None:
    """The position after a command that prints or edits lines; None for any other."""
    if at is None or at >= len(script):
        return None
    letter, at = script[at], at + 1
    if letter in "{}":
        return at
    if letter in _SED_PLAIN or letter in "qQ":
        found = _DIGITS.match(script, at) if letter in "qQl" else None
        return _sed_end(script, found.end() if found else at)
    if letter in "btT:":
        found = _SED_LABEL.match(script, at)
        return _sed_end(script, found.end()) if found else None
    if letter in "aicrR#":
        found = _TO_LINE_END.match(script, at)
        return found.end() if found else None
    return _sed_substitution(script, at, letter) if letter in "sy" else None


def _sed_substitution(script: str, at: int, letter: str) -> int | None:
    delimiter = script[at : at + 1]
    if not delimiter or delimiter in "\\\n" or delimiter.isalnum():
        return None
    middle = _sed_delimited(script, at + 1, delimiter, is_pattern=letter == "s")
    end = _sed_delimited(script, middle, delimiter, is_pattern=False) if middle is not None else None
    if end is None:
        return None
    flags = _SED_FLAGS.match(script, end) if letter == "s" else None
    return _sed_end(script, flags.end() if flags else end)


def _sed_delimited(script: str, at: int, delimiter: str, *, is_pattern: bool) -> int | None:
    """The position after the next delimiter. A delimiter inside brackets is not understood."""
    while at < len(script):
        letter = script[at]
        if letter == delimiter:
            return at + 1
        if letter == "\n":
            return None
        if letter == "[" and is_pattern:
            end = script.find("]", at + 3 if script[at + 1 : at + 3] == "^]" else at + 2)
            if end < 0 or any(each in script[at:end] for each in (delimiter, "\n", "\\", "[:", "[.", "[=")):
                end = _sed_class_end(script, at, delimiter)
            if end < 0:
                return None
            at = end + 1
        else:
            at += 2 if letter == "\\" else 1
    return None


_SED_CLASS = re.compile(r"\[\^?\]?(?:\[:[a-z]{1,10}:\]|[^\]\[\\\n])*\]")


def _sed_class_end(script: str, at: int, delimiter: str) -> int:
    """The end of a bracket expression with classes such as `[:space:]`; -1 if it is not understood."""
    found = _SED_CLASS.match(script, at)
    return found.end() - 1 if found and delimiter not in found[0] else -1


def _sed_end(script: str, at: int) -> int | None:
    """The position, if a command may end there."""
    while script[at : at + 1] in (" ", "\t"):
        at += 1
    return at if script[at : at + 1] in ("", ";", "\n", "}", "#") else None


def is_reading_awk(program: str) -> bool:
    """Whether a program of awk opens no file for writing, no pipe, and runs nothing."""
    if _AWK_REFUSED.search(program):
        return False
    if "|" not in program and ">" not in program:
        return True
    at, before, braces, parentheses = 0, "", 0, 0
    while at < len(program):
        letter = program[at]
        if letter in '"/#':
            found = _awk_literal(program, at, before)
            if found is None:
                return False
            before, at = (before if letter == "#" else letter), found.end()
            continue
        braces += (letter == "{") - (letter == "}")
        parentheses += (letter == "(") - (letter == ")")
        if letter == "\\" or (letter == ">" and braces and not parentheses):
            return False  # a backslash joins lines: a slash after it may be a division
        if letter == "|":
            if program[at : at + 2] != "||":
                return False
            at += 1
        before = before if letter in " \t" else letter
        at += 1
    return True


def _awk_literal(program: str, at: int, before: str) -> re.Match[str] | None:
    """A string, a comment or a regular expression; None for a slash that may be a division."""
    if program[at] == '"':
        return _AWK_STRING.match(program, at)
    if program[at] == "#":
        return _AWK_COMMENT.match(program, at)
    return _AWK_REGEX.match(program, at) if before in _AWK_BEFORE_REGEX else None
