"""Reads a shell command line into its simple commands: lists, pipes, loops, quotes, redirections, substitutions.

Only the part of the syntax that agents commonly use is read. `parse` returns None for everything else, and for a
redirection that writes a file. A value that is known only when the command runs is `UNKNOWN` in the text of a word.
"""

import re

from msgspec import Struct

UNKNOWN = "\0"
"""A part of a word that may be any text."""
SAFE = "\x01"
"""A part of a word that is not known, but neither splits the word nor begins with a dash."""
MAX_CHARACTERS = 8000
"""A longer command is not read: it would take long, and is rarely a look."""
MAX_DEPTH = 12
"""Substitutions inside substitutions."""
MAX_PASSES = 4
"""Readings of one line: each finds more variables whose values are known to be safe."""
_BLANKS = " \t"
_WORD_ENDS = frozenset(" \t\n;&|<>()")
_SEPARATORS = ("&&", "||", "|&", ";", "|", "&")
_PREFIXES = frozenset(("if", "then", "elif", "else", "while", "until", "do", "!", "{"))
"""Reserved words that a command follows."""
_OPENINGS = frozenset(("if", "while", "until"))
_ENDINGS = frozenset(("done", "fi", "}"))
_HARMLESS_TARGETS = frozenset(("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/2"))
_OUTPUTS = ("&>>", "&>", ">>", ">&", ">|", ">")
_INPUTS = ("<<<", "<<-", "<<", "<&", "<")
_DESCRIPTOR = re.compile(r"\d{1,2}-?|-")
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=")
_ODD_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(?:\[.*?\])?\+?=")
_NAME = re.compile(r"[A-Za-z_]\w*")
_PARAMETER = re.compile(
    r"\{#?(?P<name>[A-Za-z_]\w*|[0-9@*#?$!-])(?:\[(?:@|\*|\d+)\])?"
    r"(?::?[-+?][^{}$`\"'\\()]*|(?:%%?|##?)[^{}$`\"'\\()]*|//?[^{}$`\"'\\()]*|:\s?-?\d+(?::-?\d+)?|\^\^?|,,?)?\}"
)
"""A parameter in braces, without operators that assign (`:=`), look up (`!`) or evaluate (`@P`, an arithmetic text)."""
_ARITHMETIC = re.compile(r"\(\([0-9\s+*/%<>=!&|^~?:-]*\)\)")
"""Arithmetic over numbers. The value of a variable would be evaluated, and may hold a substitution."""
_BRACES = re.compile(r"\{[^{}\s;&|<>()'\"`$\\]*(?:,|\.\.)[^{}\s;&|<>()'\"`$\\]*\}")
_PLAIN_BRACES = re.compile(r"\{(?!\S*(?:,|\.\.))[\w./@:+%-]*\}")
_BRACKETS = re.compile(r"\[[^\s;&|<>()]*\]")
_ANSI_QUOTE = re.compile(r"'((?:[^'\\]|\\[nt\\'\"])*)'")
_ESCAPES = {"n": "\n", "t": "\t"}
_PLAIN_VALUE = re.compile(r"[A-Za-z0-9_./@:+,%=~\x01][A-Za-z0-9_./@:+,%=~\x01-]*")
_UNSAFE, _SAFE_IN_QUOTES, _PLAIN = 0, 1, 2
"""How the value of a variable may be used: not as an argument; in quotes, since it may hold blanks; in any way."""
_NUMBERS = frozenset("?$#!")
"""Special parameters that are numbers."""
_SAFE_VARIABLES = frozenset(("HOME", "PWD", "OLDPWD", "USER", "LOGNAME", "HOSTNAME", "UID", "EUID", "PPID", "SECONDS"))
"""Variables that the system sets, to a path, a name or a number."""
_SCRIPT_VARIABLES = re.compile(
    r"[A-Za-z_]*[a-z]\w*|[A-Z]|DIR|FILES?|FILENAME|ROOT|BASE|BASE_URL|URL|URI|API|API_URL|REPO|BRANCH|TAG|COMMIT|SHA|ID"
    r"|NAME|PID|PORT|HOST|VERSION|PR|PR_NUMBER|ISSUE|NS|POD|APP|SERVICE|CLUSTER|REGION|PROJECT|PKG|PACKAGE|PATTERN"
    r"|QUERY|KEY|COUNT|NUM|LINE|LINES|START|END|FROM|TO|OUT|RESULT|RES|LOG|LOGFILE|LOG_FILE|SRC|SRC_DIR|DST|TEST|TESTS"
)
"""Names that a script uses for itself. Others (`PATH`, `LD_PRELOAD`, `GIT_PAGER`) may change what a program does."""


class Word(Struct, frozen=True):
    """One word of a command, without its quotes. `splits`: it may become several words, or none.

    `bare`: how many characters at its beginning are plain text without quotes.
    """

    text: str
    splits: bool = False
    bare: int = 0

    @property
    def is_bare(self) -> bool:
        """Whether nothing in it is quoted or expanded."""
        return self.bare == len(self.text)

    @property
    def is_prefix(self) -> bool:
        """Whether it is a reserved word that a command follows."""
        return self.is_bare and self.text in _PREFIXES

    @property
    def is_plain(self) -> bool:
        """Whether the whole text is known."""
        return not self.splits and UNKNOWN not in self.text and SAFE not in self.text

    @property
    def may_be_option(self) -> bool:
        """Whether it may turn out to be an option that is not in the text."""
        name = self.text.partition("=")[0] if self.text[:1] == "-" else self.text[:1]
        return self.splits or UNKNOWN in name or (SAFE in name and self.text[:1] == "-")


class SimpleCommand(Struct, frozen=True):
    """A program with its arguments, and the variables that are set for it."""

    words: tuple[Word, ...]
    variables: tuple[tuple[str, Word], ...] = ()


def parse(text: str) -> list[SimpleCommand] | None:
    """The simple commands of a command line, also those in substitutions; None if it is not understood."""
    if len(text) > MAX_CHARACTERS or any(ord(letter) < 32 and letter not in "\t\n" for letter in text):
        return None
    safe: dict[str, int] = {}
    for _ in range(MAX_PASSES):
        reader = _Reader(text, safe)
        try:
            reader.read_commands()
        except (_NotUnderstoodError, RecursionError):
            return None
        if reader.safe_variables == safe:
            break
        safe = reader.safe_variables
    return reader.commands


class _NotUnderstoodError(Exception):
    """The text has syntax that is not read here, or writes a file."""


class _Unfinished:
    """The command that is being read."""

    def __init__(self) -> None:
        self.words: list[Word] = []
        self.is_group = False
        self.has_redirection = False

    @property
    def is_empty(self) -> bool:
        return not (self.words or self.is_group or self.has_redirection)


def _split_assignments(words: list[Word]) -> tuple[list[tuple[str, Word]], list[Word]]:
    """The variables that are set before a command, and the other words."""
    found: list[tuple[str, Word]] = []
    for at, word in enumerate(words):
        name = _ASSIGNMENT.match(word.text)
        if name is None or name.end() > word.bare:
            odd = _ODD_ASSIGNMENT.match(word.text)
            if odd and odd.end() <= word.bare:
                raise _NotUnderstoodError
            return found, words[at:]
        found.append((name[1], Word(word.text[name.end() :], word.splits)))
    return found, []


class _Reader:
    """Reads one command line. `safe` are the variables whose assignments in it are all known to be safe."""

    def __init__(self, text: str, safe: dict[str, int]) -> None:
        self.commands: list[SimpleCommand] = []
        self._text = text
        self._at = 0
        self._depth = 0
        self._safe = safe
        self._set_before: set[str] = set()
        self._structures: list[str] = []
        self._values: dict[str, int] = {}
        self._documents: list[tuple[str, bool, bool]] = []

    @property
    def safe_variables(self) -> dict[str, int]:
        """The variables that are set on this line, and only to safe values."""
        return {name: safety for name, safety in self._values.items() if safety != _UNSAFE}

    def read_commands(self, closing: str = "") -> None:
        """Read commands up to the closing parenthesis, or to the end."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _NotUnderstoodError
        current, before = _Unfinished(), ""
        while True:
            self._skip_blanks()
            if self._peek() not in ("", "\n", ")", ";", "&", "|") or self._text.startswith("&>", self._at):
                self._take_token(current)
                continue
            separator = self._separator(closing)
            if separator != "\n" or not current.is_empty:
                self._finish(current, before, separator)
                current, before = _Unfinished(), separator
            if separator in ("", ")"):
                self._depth -= 1
                return

    def _take_token(self, current: "_Unfinished") -> None:
        """Take a word, a redirection or a group in parentheses."""
        letter = self._peek()
        if letter in ("<", ">", "&") and not self._text.startswith("<(", self._at):
            self._redirect()
            current.has_redirection = True
        elif current.is_group or (letter == "(" and not all(word.is_prefix for word in current.words)):
            raise _NotUnderstoodError
        elif letter == "(":
            self._at += 1
            self.read_commands(")")
            current.is_group = True
        else:
            word = self._word()
            is_descriptor = word.text.isdigit() and word.is_bare and self._peek() in ("<", ">")
            current.words += [] if is_descriptor else [word]

    def _separator(self, closing: str) -> str:
        """Take the separator at this position; the end of the text is an empty one."""
        letter = self._peek()
        if letter in ("", ")"):
            if letter != closing or self._documents:
                raise _NotUnderstoodError
            self._at += 1
            return letter
        if letter == "\n":
            self._at += 1
            self._read_documents()
            return letter
        found = next(each for each in _SEPARATORS if self._text.startswith(each, self._at))
        self._at += len(found)
        return found

    def _finish(self, current: "_Unfinished", before: str, after: str) -> None:
        """Note one command, between two separators."""
        if current.is_empty and (after not in ("", ")") or before not in ("", ";", "&", "\n")):
            raise _NotUnderstoodError
        words = current.words
        while words and words[0].is_prefix:
            self._structures += [""] if words[0].text in _OPENINGS else []
            words = words[1:]
        variables, rest = _split_assignments(words)
        if rest and rest[0].is_bare and rest[0].text in (*_ENDINGS, "for"):
            self._finish_structure(rest, bool(variables))
        elif rest:
            if rest[0].text == "read":
                self._values.update((word.text, _UNSAFE) for word in rest[1:])
            self.commands.append(SimpleCommand(tuple(rest), tuple(variables)))
        else:
            is_first = before in ("", ";", "\n") and after in ("", ";", "\n", "&&")
            self._note_values(variables, is_first and self._depth == 1 and not self._structures)

    def _finish_structure(self, words: list[Word], has_variables: bool) -> None:
        """Note the head of a `for` loop, or the end of a loop or a condition."""
        if has_variables or (words[0].text != "for" and len(words) > 1):
            raise _NotUnderstoodError
        if words[0].text == "for":
            if len(words) < 3 or words[2].text != "in" or not _NAME.fullmatch(words[1].text):
                raise _NotUnderstoodError
            self._structures.append(words[1].text)
            for value in words[3:] or [Word(UNKNOWN)]:
                self._note_values([(words[1].text, Word(UNKNOWN) if value.splits else value)], True)
        elif words[0].text != "}":
            if not self._structures:
                raise _NotUnderstoodError
            self._set_before.discard(self._structures.pop())  # a loop that never ran has not set its variable

    def _note_values(self, variables: list[tuple[str, Word]], is_certain: bool) -> None:
        """Note how safe the values of variables are; `is_certain` if they are surely set before what follows."""
        for name, value in variables:
            if not _SCRIPT_VARIABLES.fullmatch(name):
                raise _NotUnderstoodError
            safety = _PLAIN if _PLAIN_VALUE.fullmatch(value.text) else _UNSAFE
            if safety == _UNSAFE and value.text[:1] not in ("", "-", UNKNOWN):
                safety = _SAFE_IN_QUOTES
            self._values[name] = min(self._values.get(name, safety), safety)
            if is_certain:
                self._set_before.add(name)

    # ------------------------------------------------------------------------------------------------------------------
    # Redirections

    def _redirect(self) -> None:
        operator = next((each for each in (*_OUTPUTS, *_INPUTS) if self._text.startswith(each, self._at)), "")
        self._at += len(operator)
        if not operator or (operator == ">" and self._peek() == "(") or (operator == "<" and self._peek() == ">"):
            raise _NotUnderstoodError
        self._skip_blanks()
        if operator in ("<<", "<<-"):
            self._documents.append(self._document_mark(operator == "<<-"))
            return
        target = self._word()
        if operator in _OUTPUTS:
            is_descriptor = operator == ">&" and _DESCRIPTOR.fullmatch(target.text)
            if not target.is_plain or not (is_descriptor or target.text in _HARMLESS_TARGETS):
                raise _NotUnderstoodError
        elif operator == "<" and target.text.startswith(("/dev/tcp", "/dev/udp")):
            raise _NotUnderstoodError

    def _document_mark(self, strips_tabs: bool) -> tuple[str, bool, bool]:
        """The word that ends a document, whether it expands variables, and whether tabs are stripped."""
        begin = self._at
        word = self._word()
        raw = self._text[begin : self._at]
        if not word.is_plain or not word.text:
            raise _NotUnderstoodError
        return word.text, raw == word.text, strips_tabs

    def _read_documents(self) -> None:
        """Read the documents (`<<EOF`) that begin on the line that ended here."""
        documents, self._documents = self._documents, []
        for mark, expands, strips_tabs in documents:
            begin = self._at
            while True:
                end = self._text.find("\n", self._at)
                line = self._text[self._at : end if end >= 0 else len(self._text)]
                is_mark = (line.lstrip("\t") if strips_tabs else line) == mark
                if end < 0 and not is_mark:
                    raise _NotUnderstoodError
                if is_mark:
                    break
                self._at = end + 1
            if expands:
                self._expand(begin, self._at)
            self._at += len(line) + 1

    def _expand(self, begin: int, end: int) -> None:
        """Read the substitutions in a document."""
        inner = _Reader(self._text[begin:end], self._safe)
        inner._set_before, inner._depth = self._set_before, self._depth
        while letter := inner._peek():
            inner._at += 1
            if letter == "\\":
                inner._at += 1
            elif letter == "$":
                inner._dollar(is_quoted=True)
            elif letter == "`":
                inner._backticks()
        self.commands += inner.commands

    # ------------------------------------------------------------------------------------------------------------------
    # Words

    def _word(self) -> Word:
        parts: list[str] = []
        splits, bare, is_bare = False, 0, True
        begin = self._at
        while (letter := self._peek()) and (letter not in _WORD_ENDS or self._text.startswith("<(", self._at)):
            self._at += 1
            if letter in "'\"\\$`<":
                part, part_splits = self._quoted_part(letter)
                splits, is_bare = splits or part_splits, False
            else:
                part = self._bare_part(letter)
                is_bare = is_bare and part == letter
            parts.append(part)
            bare += is_bare
        if self._at == begin:
            raise _NotUnderstoodError
        return Word("".join(parts), splits, bare)

    def _quoted_part(self, letter: str) -> tuple[str, bool]:
        """The text of a part that begins with a quote or a substitution, and whether it may split the word."""
        if letter == "'":
            end = self._text.find("'", self._at)
            if end < 0:
                raise _NotUnderstoodError
            part, self._at = self._text[self._at : end], end + 1
            return part, False
        if letter == '"':
            return self._double_quoted()
        if letter == "\\":
            part = self._peek()
            self._at += 1
            if not part:
                raise _NotUnderstoodError
            return ("" if part == "\n" else part), False
        if letter == "<":
            self._at += 1
            self.read_commands(")")
            return SAFE, False
        part = self._dollar(is_quoted=False) if letter == "$" else self._backticks()
        return part, UNKNOWN in part

    def _double_quoted(self) -> tuple[str, bool]:
        parts: list[str] = []
        splits = False
        while letter := self._peek():
            self._at += 1
            if letter == '"':
                return "".join(parts), splits
            if letter == "\\" and self._peek() in ("$", "`", '"', "\\", "\n"):
                letter = self._peek().replace("\n", "")
                self._at += 1
            elif letter == "$":
                splits = splits or self._text.startswith(("@", "{@"), self._at) or "[@]" in self._text
                letter = self._dollar(is_quoted=True)
            elif letter == "`":
                letter = self._backticks()
            parts.append(letter)
        raise _NotUnderstoodError

    def _bare_part(self, letter: str) -> str:
        """The text of a character without quotes: a pattern of files is unknown."""
        if letter in "*?":
            return UNKNOWN
        if letter == "[" and _BRACKETS.match(self._text, self._at - 1):
            return UNKNOWN
        if letter == "{" and self._peek() not in ("", *_BLANKS, "\n"):
            braces = _PLAIN_BRACES.match(self._text, self._at - 1) or _BRACES.match(self._text, self._at - 1)
            if braces is None:
                raise _NotUnderstoodError
            self._at = braces.end()
            return braces[0] if _PLAIN_BRACES.fullmatch(braces[0]) else UNKNOWN
        return letter

    def _dollar(self, *, is_quoted: bool) -> str:
        """What follows a dollar sign."""
        if found := _ARITHMETIC.match(self._text, self._at):
            self._at = found.end()
            return SAFE
        if self._text.startswith(("((", "["), self._at):
            raise _NotUnderstoodError
        if self._peek() == "(":
            self._at += 1
            self.read_commands(")")
            return UNKNOWN
        if self._peek() == "'" and not is_quoted:
            return self._ansi_quoted()
        if self._peek() == "{" or (self._peek() == '"' and not is_quoted):
            found = _PARAMETER.match(self._text, self._at)
            if found is None:
                raise _NotUnderstoodError
            self._at = found.end()
            return self._value(found["name"], is_quoted) if found[0] == f"{{{found['name']}}}" else UNKNOWN
        if found := _NAME.match(self._text, self._at):
            self._at = found.end()
            return self._value(found[0], is_quoted)
        if self._peek() and self._peek() in "0123456789@*#?$!-":
            self._at += 1
            return self._value(self._text[self._at - 1], is_quoted)
        return "$"

    def _value(self, name: str, is_quoted: bool) -> str:
        safety = self._safe.get(name, _UNSAFE) if name in self._set_before else _UNSAFE
        is_known = safety == _PLAIN or (safety == _SAFE_IN_QUOTES and is_quoted)
        return SAFE if is_known or name in _NUMBERS or name in _SAFE_VARIABLES else UNKNOWN

    def _ansi_quoted(self) -> str:
        found = _ANSI_QUOTE.match(self._text, self._at)
        if found is None:
            raise _NotUnderstoodError
        self._at = found.end()
        return re.sub(r"\\(.)", lambda escape: _ESCAPES.get(escape[1], escape[1]), found[1])

    def _backticks(self) -> str:
        end = self._text.find("`", self._at)
        inner = self._text[self._at : end]
        if end < 0 or "\\" in inner:
            raise _NotUnderstoodError
        nested = _Reader(inner, self._safe)
        nested._set_before, nested._depth = self._set_before, self._depth
        nested.read_commands()
        self.commands += nested.commands
        self._at = end + 1
        return UNKNOWN

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _skip_blanks(self) -> None:
        while True:
            if self._peek() and self._peek() in _BLANKS:
                self._at += 1
            elif self._text.startswith("\\\n", self._at):
                self._at += 2
            elif self._peek() == "#":
                end = self._text.find("\n", self._at)
                self._at = end if end >= 0 else len(self._text)
            else:
                return
