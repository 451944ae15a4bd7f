"""Tools: which calls only read, which names mean the same tool, and which calls are the same."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from tallystick.core.types import Effect

# ----------------------------------------------------------------------------------------------------------------------
# Which calls only read: by the names of tools, by the user's rules, and for shell commands by a short list
#
# Nothing is owed for a read, and a read may be repeated. So a call counts as a read only if it is known to be one: a
# wrong `read` would hide work, a missing one costs a line. A shell command counts when it is one plain command, or a
# pipe of them, of programs that write nothing with these options. Redirections, substitutions and lists of commands do
# not count.

_READING = frozenset(
    (
        # Claude Code
        *("Read", "Glob", "Grep", "LS", "NotebookRead", "WebFetch", "WebSearch", "BashOutput", "TaskOutput"),
        *("ListMcpResourcesTool", "ReadMcpResourceTool", "ToolSearch", "LSP", "AskUserQuestion", "ExitPlanMode"),
        *("EnterPlanMode", "TodoRead", "TodoWrite", "TaskGet", "TaskList"),
        # Codex CLI
        *("update_plan", "view_image", "web_search", "list_mcp_resources", "list_mcp_resource_templates"),
        *("read_mcp_resource", "grep_files"),
        # Gemini CLI
        *("read_file", "read_many_files", "list_directory", "glob", "search_file_content", "grep_search"),
        *("google_web_search", "web_fetch", "get_internal_docs", "ask_user", "write_todos"),
        # Cursor
        *("SemanticSearch", "ReadLints", "read_lints", "list_dir", "codebase_search", "file_search", "fetch_rules"),
        # GitHub Copilot
        *("view", "grep", "read_bash", "list_bash", "report_intent", "fetch_copilot_cli_documentation"),
        *("readFile", "listDirectory", "fileSearch", "textSearch", "semantic_search", "get_errors"),
    )
)
"""Tools of clients that change nothing but the agent's own knowledge, such as its list of things to do."""
_READING_VERBS = frozenset(
    ("get", "list", "read", "search", "find", "query", "fetch", "describe", "show", "view", "count", "lookup", "browse")
)
_WRITING_WORDS = frozenset(
    (
        *(
            "and",
            "or",
            "then",
            "create",
            "update",
            "delete",
            "remove",
            "set",
            "write",
            "replace",
            "add",
            "mark",
            "clear",
        ),
        *("insert", "put", "send", "move", "pop", "claim", "lock", "next", "consume", "ack"),
    )
)
"""Words that make a name that begins like a read something else: `find_and_replace`, `get_next_job`."""
SHELLS = frozenset(
    (
        *("Bash", "bash", "shell", "Shell", "local_shell", "shell_command", "exec_command", "run_shell_command"),
        *("run_terminal_cmd", "run_in_terminal", "runInTerminal"),
    )
)
"""Tools that run a shell command, by their names in the clients."""
_READING_PROGRAMS = frozenset(
    (
        *("ls", "cat", "pwd", "head", "tail", "wc", "grep", "egrep", "fgrep", "which", "stat", "du", "df", "whoami"),
        *("id", "uname", "echo", "basename", "dirname", "realpath", "readlink", "diff", "cmp", "md5sum", "sha256sum"),
        *("cksum", "nl", "cut", "tr", "jq", "ps", "printenv", "uptime", "true"),
    )
)
"""Programs that write nothing, whatever their options."""
_WRITING_OPTIONS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "rg": ("", ("--pre", "--hostname-bin")),
    "find": ("", ("-exec", "-ok", "-delete", "-fprint", "-fls")),
    "sort": ("oT", ("--output", "--compress-program", "--temporary-directory")),
    "tree": ("oR", ("--output",)),  # -R writes a 00Tree.html into each folder
    "file": ("C", ("--compile",)),
    "git": ("", ("--output", "--ext-diff", "--textconv")),
}
"""Programs that write nothing without these options: single letters, which may stand in a cluster (`-ao`), and names,
which may be abbreviated (`--outp`) and continued (`-fprint0`, `--output=x`)."""
_GIT = tuple(
    [name] for name in ("status", "diff", "log", "show", "ls-files", "rev-parse", "blame", "describe", "shortlog")
)
_READING_COMMANDS = frozenset({"record", "status", "show", "owed", "tail", "get", "list", "read", "verify", "doctor"})
"""Our own commands: a record in the journal changes nothing in the world, and is not owed itself."""
_SHELL_SYNTAX = frozenset(";&<>`$(){}\\!#\n\r")
_GLOB_CHARACTERS = frozenset("*?[")
_HARMLESS_REDIRECTIONS = ("2>/dev/null", "2>&1")
OUR_COMMAND = "tallystick"


class ToolPatterns(Struct, frozen=True, kw_only=True):
    """The user's rules about calls: patterns over the names of tools. The first pattern that fits counts."""

    ignore: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    effects: dict[str, Effect] = {}


class CallRules(ToolPatterns, frozen=True, kw_only=True):
    """The rules, and the paths at which a shell finds our own command: another program of that name may do anything."""

    commands: tuple[str, ...] = (OUR_COMMAND,)


NO_RULES = CallRules()


def effect_of(tool: str, arguments: Mapping[str, Any], rules: CallRules = NO_RULES) -> Effect | None:
    """The effect of a call; None if it is unknown, which counts as unsafe."""
    for pattern, effect in rules.effects.items():
        if _pattern(pattern).fullmatch(tool):
            return effect
    if _fits(tool, rules.read) or tool in _READING:
        return "read"
    if tool in SHELLS and is_reading_command(arguments.get("command", arguments.get("cmd")), rules.commands):
        return "read"
    return None


def is_named_like_read(tool: str) -> bool:
    """Whether a tool without annotations is named like one that only reads: `get_issue`, `listFiles`.

    A name proves nothing. It is enough to call the tool again instead of returning a recorded result, and not enough
    to take the call off the undo list.
    """
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", tool)]
    return bool(words) and words[0] in _READING_VERBS and _WRITING_WORDS.isdisjoint(words)


def is_ignored(tool: str, rules: CallRules) -> bool:
    """Whether the user excludes the calls of a tool from the journal."""
    return _fits(tool, rules.ignore)


def is_reading_command(command: object, ours: tuple[str, ...] = NO_RULES.commands) -> bool:
    """Whether a shell command, as text or as a list of words, only reads."""
    if isinstance(command, list):
        if len(command) == 3 and command[0] in ("bash", "sh", "/bin/bash", "/bin/sh") and command[1] in ("-c", "-lc"):
            return is_reading_command(command[2], ours)
        return all(isinstance(word, str) for word in command) and _reads([(word, False) for word in command], ours)
    if not isinstance(command, str) or len(command) > 4000:
        return False
    parts = list(_piped(command))
    return bool(parts) and all(part is not None and _reads(part, ours) for part in parts)


def _fits(tool: str, patterns: tuple[str, ...]) -> bool:
    return any(_pattern(pattern).fullmatch(tool) for pattern in patterns)


@lru_cache
def _pattern(pattern: str) -> re.Pattern[str]:
    """A user's pattern as a regular expression: `*` is anything, `?` is one character."""
    return re.compile(re.escape(pattern).replace(r"\*", ".*").replace(r"\?", "."), re.DOTALL)


_Words = list[tuple[str, bool]]
"""The words of a command, each with whether the shell expands it to names of files."""


def _reads(words: _Words, ours: tuple[str, ...]) -> bool:
    if not words:
        return False
    (program, pattern), options = words[0], words[1:]
    if pattern:
        return False
    if program in _READING_PROGRAMS:
        return True
    if any(each[1] for each in options):
        return False  # a file may be named like an option
    arguments = [word for word, _ in options]
    if program == "git":
        arguments = _git_command(arguments)
    if program in ours:
        return bool(arguments) and arguments[0] in _READING_COMMANDS
    if program not in _WRITING_OPTIONS or (program == "git" and arguments[:1] not in _GIT):
        return False
    return not any(_may_write(program, word) for word in arguments)


def _git_command(words: list[str]) -> list[str]:
    """The words of a git command from its name on."""
    while words[:1] in (["--no-pager"], ["-C"]):
        words = words[2:] if words[0] == "-C" else words[1:]
    return words


def _may_write(program: str, word: str) -> bool:
    """Whether a word may be one of the writing options, in full, abbreviated, with a value, or inside a cluster."""
    letters, names = _WRITING_OPTIONS[program]
    option = word.partition("=")[0]
    if option[:1] != "-" or len(option) < 2 or option == "--":
        return False
    if option.startswith(names) or (option[:2] == "--" and any(name.startswith(option) for name in names)):
        return True
    return option[:2] != "--" and any(letter in word for letter in letters)


def _piped(command: str) -> Iterator[_Words | None]:
    """The commands of a pipe, each as words; None for shell syntax beyond plain words."""
    words: _Words = []
    word, pattern, begun, at = "", False, False, 0
    while at <= len(command):
        letter = command[at] if at < len(command) else " "
        harmless = next((each for each in _HARMLESS_REDIRECTIONS if not begun and _is_word_at(command, at, each)), None)
        if harmless:
            at += len(harmless)
            continue
        if letter in " \t|":
            if begun:
                words.append((word, pattern))
            word, pattern, begun = "", False, False
            if letter == "|":
                yield words if command[at + 1 : at + 2] not in ("|", "&") else None
                words = []
        elif letter in "'\"":
            end = command.find(letter, at + 1)
            inside = command[at + 1 : end]
            if end < 0 or (letter == '"' and any(c in "`$\\!" for c in inside)):
                yield None
                return
            word, begun, at = word + inside, True, end
        elif letter in _SHELL_SYNTAX:
            yield None
            return
        else:
            word, begun, pattern = word + letter, True, pattern or letter in _GLOB_CHARACTERS
        at += 1
    yield words


def _is_word_at(command: str, at: int, piece: str) -> bool:
    """Whether a piece is a word of its own at this position."""
    return command.startswith(piece, at) and command[at + len(piece) : at + len(piece) + 1] in ("", " ", "\t", "|")


# ----------------------------------------------------------------------------------------------------------------------
# Names of tools: what clients, servers, the gateway, plans and agents call the same tool

_MCP, _SEPARATOR, _NO_SERVER, _DASH, _GEMINI = "mcp__", "__", "MCP:", "-", "mcp_"
_OWN_PREFIX = re.compile(r"MCP:|mcp__(?:plugin_\w+_)?tallystick__|tallystick-")
_ODD = re.compile(r"[^A-Za-z0-9_-]")
_TOOL_SYNONYMS = (
    SHELLS,
    frozenset(("Write", "create", "create_file", "createFile", "write_file")),
    frozenset(("Edit", "edit", "edit_file", "editFiles", "str_replace", "replace", "search_replace")),
)
"""Tools of clients that do the same: Codex's model calls `exec_command`, and its hooks report `Bash`."""


def same_tool(seen: str, stated: str) -> bool:
    """Whether a tool that was seen is the one that a plan or an agent stated.

    A tool of an MCP server may be stated without `mcp__`, and without its server: `mcp__github__create_issue` is
    `github__create_issue` and `create_issue`. A part of a tool's own name is another tool. If a client shows no
    server (Cursor), the tool's own name decides. A client may show its model one name and its hooks another, so shells
    count as the same.
    """
    if seen == stated or any(seen in each and stated in each for each in _TOOL_SYNONYMS):
        return True
    if seen.startswith(_NO_SERVER):
        return bool(stated) and seen[len(_NO_SERVER) :] == bare_name(stated)
    if not stated or not seen.startswith(_MCP):
        return False
    named = seen[len(_MCP) :]
    return stated in (named, named.partition(_SEPARATOR)[2], _GEMINI + named.replace(_SEPARATOR, "_", 1))


def bare_name(tool: str) -> str:
    """A tool without its server; `fs__write` may be a server's tool, or a tool of that name."""
    return tool.removeprefix(_MCP).partition(_SEPARATOR)[2] or tool


def may_be_gateway_tool(seen: str) -> bool:
    """Whether a tool that a client shows may be one behind the gateway, and not the client's own."""
    return seen.startswith((_MCP, _NO_SERVER)) or _DASH in seen


def is_gateway_tool(seen: str, tool: str, shown_as: str = "") -> bool:
    """Whether a tool that a client shows is this tool behind the gateway, under the gateway's name for it.

    A client puts its own name for the gateway before it (`mcp__ours__`, or `ours-` in Copilot), which its user chooses;
    or only `MCP:` (Cursor). Characters that a client does not allow in a name are replaced by it.
    """
    name, seen = _plain(shown_as or bare_name(tool)), _plain(seen)
    if seen.startswith(_plain(_NO_SERVER)):
        return seen == _plain(_NO_SERVER) + name
    if seen.startswith(_MCP):
        shown = seen[len(_MCP) :]
        return name in (shown, shown.partition(_SEPARATOR)[2])
    return seen.endswith(_DASH + name)


def has_our_prefix(seen: str, shown_as: str) -> bool:
    """Whether a client calls the gateway by our name, or by none. Another name may also be another server's."""
    return bool(_OWN_PREFIX.match(seen)) or seen == _MCP + shown_as


def _plain(name: str) -> str:
    return _ODD.sub("_", name)


class SeenTool(Struct, frozen=True):
    """A tool whose call was seen. Behind the gateway, agents may know it by another name, `shown_as`."""

    name: str
    shown_as: str = ""
    behind_gateway: bool = False

    def is_named(self, stated: str) -> bool:
        """Whether it is the tool that a plan or an agent means by this name."""
        if same_tool(self.name, stated) or not self.behind_gateway:
            return same_tool(self.name, stated)
        return bool(stated) and (stated == self.shown_as or is_gateway_tool(stated, self.name, self.shown_as))


# ----------------------------------------------------------------------------------------------------------------------
# Whether a call that was seen is one that was planned or claimed, by its arguments

_ARGUMENT_SYNONYMS = (("command", "cmd"), ("file_path", "path", "filePath", "target_file"))
"""Names of the same argument in clients' own tools: a model may see one, and hooks another."""
_UNCUT_CHARACTERS = 1000
"""A text up to this length was surely not cut. A list or an object may have lost a part anywhere."""
_MASK = re.compile(r"\[masked:[a-z0-9_]+\]")
_MASK_OR_VALUE = r"(?:\[masked:[a-z0-9_]+\]|\S{8,512}?)"
_MAX_MASKS = 5
"""Parts of a text between masks; with more of them it fits nothing but itself, since trying would take long."""


def same_call(arguments: Mapping[str, Any], stated: Mapping[str, Any]) -> bool:
    """Whether the arguments match every stated one. Arguments that were not stated may be anything."""
    return all(_has_argument(arguments, name, value) for name, value in stated.items())


def arguments_differ(begun: Mapping[str, Any], made: Mapping[str, Any]) -> bool:
    """Whether a call was made with other arguments than it was begun with.

    An argument that only one of the two has may be a default. A masked or cut value cannot be compared.
    """
    both = ((value, made[name]) for name, value in begun.items() if name in made)
    return any(_is_comparable(one) and _is_comparable(other) and not _same(one, other) for one, other in both)


def _is_comparable(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= _UNCUT_CHARACTERS and "[masked:" not in value
    return isinstance(value, bool | int | float)


def _has_argument(arguments: Mapping[str, Any], name: str, value: Any) -> bool:
    """Whether an argument has this value, under its own name or a synonym."""
    others = next((each for each in _ARGUMENT_SYNONYMS if name in each), ())
    present = next((each for each in (name, *others) if each in arguments), None)
    if present is None:
        return False
    actual = arguments[present]
    if isinstance(value, str) and isinstance(actual, str) and "[masked:" in value:
        return _same_masked(actual, value)
    return _same(actual, value) or (bool(others) and _same(_command(actual), _command(value)))


def _same_masked(actual: str, stated: str) -> bool:
    """Whether a text is the stated one, in which a secret may be masked that the text does not show as one: it was
    masked because it stood elsewhere in the record."""
    if actual == stated:
        return True
    parts = _MASK.split(stated)
    if len(stated) > _UNCUT_CHARACTERS or len(parts) > _MAX_MASKS:
        return False
    return re.fullmatch(_MASK_OR_VALUE.join(map(re.escape, parts)), actual[: 2 * _UNCUT_CHARACTERS]) is not None


def _command(value: Any) -> Any:
    """A command without its shell: `["bash", "-lc", "make"]` is `make`."""
    return value[2] if isinstance(value, list) and len(value) == 3 and value[1] in ("-c", "-lc") else value


def _same(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON: `true` is not 1, which are equal in Python."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return isinstance(one, bool) is isinstance(other, bool) and bool(one == other)
