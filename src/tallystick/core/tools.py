"""The names of a tool: what clients, servers, the gateway, plans and agents call one and the same."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from tallystick.core.types import Effect

# ----------------------------------------------------------------------------------------------------------------------
# Which calls only read: by the names of tools, by what the user says, and for shell commands by a short list.
#
# Nothing is owed for a read, and a read may be repeated. So whatever is not known to be one, is none: a wrong `read`
# would hide work, a missing one costs a line. Shell commands count when they are one plain command, or pipes of them,
# of
# programs that write nothing with the options given; redirections, substitutions and lists of commands do not.

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
"""Tools of clients that change nothing but what the agent itself knows, its own list of things to do included."""
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
"""Words that make more of a name that begins like a read: `find_and_replace`, `get_next_job`."""
SHELLS = frozenset(
    (
        *("Bash", "bash", "shell", "Shell", "local_shell", "shell_command", "exec_command", "run_shell_command"),
        *("run_terminal_cmd", "run_in_terminal", "runInTerminal"),
    )
)
"""Tools that run a command, by the names that clients have for them."""
_PLAIN = frozenset(
    (
        *("ls", "cat", "pwd", "head", "tail", "wc", "grep", "egrep", "fgrep", "which", "stat", "du", "df", "whoami"),
        *("id", "uname", "echo", "basename", "dirname", "realpath", "readlink", "diff", "cmp", "md5sum", "sha256sum"),
        *("cksum", "nl", "cut", "tr", "jq", "ps", "printenv", "uptime", "true"),
    )
)
"""Programs that write nothing, whatever their options are."""
_REFUSED: Mapping[str, tuple[str, ...]] = {
    "rg": ("--pre", "--hostname-bin"),
    "find": ("-exec", "-ok", "-delete", "-fprint", "-fls"),
    "sort": ("-o", "--o", "--c", "-T", "--t"),
    "tree": ("-o",),
    "file": ("-C", "--c"),
}
"""Programs that write nothing without these options, each given by its first letters: some may be abbreviated."""
_GIT = frozenset(("status", "diff", "log", "show", "ls-files", "rev-parse", "blame", "describe", "shortlog"))
_READING_COMMANDS = frozenset({"record", "status", "show", "owed", "tail", "get", "list", "read", "verify", "doctor"})
"""What is said to the journal changes nothing in the world: it is not owed on top."""
_GIT_REFUSED = ("--out", "--ext", "--textconv", "-O")
_SPECIAL = frozenset(";&<>`$(){}\\!#\n\r")
_PATTERN = frozenset("*?[")
_HARMLESS = ("2>/dev/null", "2>&1")
"""Redirections that write nothing."""


OUR_COMMAND = "tallystick"


class ToolPatterns(Struct, frozen=True, kw_only=True):
    """What the user says of calls, by patterns over the names of tools. The first pattern that fits counts."""

    ignore: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    effects: dict[str, Effect] = {}


class CallRules(ToolPatterns, frozen=True, kw_only=True):
    """That, and under which names a shell finds our own command: a program that is only called so may do anything."""

    commands: tuple[str, ...] = (OUR_COMMAND,)


NO_RULES = CallRules()


def effect_of(tool: str, arguments: Mapping[str, Any], told: CallRules = NO_RULES) -> Effect | None:
    """The effect of a call; None when nothing is known of it, which counts as unsafe."""
    for pattern, effect in told.effects.items():
        if _pattern(pattern).fullmatch(tool):
            return effect
    if _fits(tool, told.read) or tool in _READING:
        return "read"
    if tool in SHELLS and is_reading_command(arguments.get("command", arguments.get("cmd")), told.commands):
        return "read"
    return None


def is_named_like_read(tool: str) -> bool:
    """Whether a tool that says nothing of itself is named like one that only reads: `get_issue`, `listFiles`.

    A name proves nothing. It is enough to ask the tool again instead of answering with what it said before, and not
    enough to owe nothing.
    """
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", tool)]
    return bool(words) and words[0] in _READING_VERBS and _WRITING_WORDS.isdisjoint(words)


def is_ignored(tool: str, told: CallRules) -> bool:
    """Whether the user does not want calls of a tool in the journal at all."""
    return _fits(tool, told.ignore)


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
    """`*` stands for anything, `?` for one character; the rest for itself."""
    return re.compile(re.escape(pattern).replace(r"\*", ".*").replace(r"\?", "."), re.DOTALL)


_Words = list[tuple[str, bool]]
"""Words, each with whether it is a pattern that the shell fills in with names of files."""


def _reads(words: _Words, ours: tuple[str, ...]) -> bool:
    if not words:
        return False
    (program, pattern), options = words[0], words[1:]
    if pattern:
        return False
    if program in _PLAIN:
        return True
    if any(each[1] for each in options):
        return False  # a file may be named like an option
    given = [word for word, _ in options]
    if program == "git":
        return _git_reads(given)
    if program in ours:
        return given[:1] != [] and given[0] in _READING_COMMANDS
    refused = _REFUSED.get(program)
    if refused is None:
        return False
    return not any(_means(word, refused, clustered=program == "sort") for word in given)


def _git_reads(words: list[str]) -> bool:
    while words[:1] in (["--no-pager"], ["-C"]):
        words = words[2:] if words[0] == "-C" else words[1:]
    return bool(words) and words[0] in _GIT and not any(word.startswith(_GIT_REFUSED) for word in words[1:])


def _means(word: str, refused: tuple[str, ...], *, clustered: bool) -> bool:
    if word.startswith(refused):
        return True
    return clustered and word[:1] == "-" and word[:2] != "--" and any(each[1:] in word for each in refused)


def _piped(command: str) -> Iterator[_Words | None]:
    """The commands of a pipe, each as words; None for what is more than plain words."""
    words: _Words = []
    word, pattern, begun, at = "", False, False, 0
    while at <= len(command):
        letter = command[at] if at < len(command) else " "
        harmless = next((each for each in _HARMLESS if not begun and _stands(command, at, each)), None)
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
        elif letter in _SPECIAL:
            yield None
            return
        else:
            word, begun, pattern = word + letter, True, pattern or letter in _PATTERN
        at += 1
    yield words


def _stands(command: str, at: int, piece: str) -> bool:
    """Whether a piece stands there as a word of its own."""
    return command.startswith(piece, at) and command[at + len(piece) : at + len(piece) + 1] in ("", " ", "\t", "|")


# ----------------------------------------------------------------------------------------------------------------------

_MCP, _BETWEEN, _NO_SERVER, _DASH, _GEMINI = "mcp__", "__", "MCP:", "-", "mcp_"
_OWN_PREFIX = re.compile(r"MCP:|mcp__(?:plugin_\w+_)?tallystick__|tallystick-")
_ODD = re.compile(r"[^A-Za-z0-9_-]")
_TOOL_SYNONYMS = (
    SHELLS,
    frozenset(("Write", "create", "create_file", "createFile", "write_file")),
    frozenset(("Edit", "edit", "edit_file", "editFiles", "str_replace", "replace", "search_replace")),
)
"""Tools of clients that do the same: Codex's model calls `exec_command`, and its hooks are told of `Bash`."""


def same_tool(seen: str, stated: str) -> bool:
    """A tool of an MCP server may be stated without `mcp__`, and without its server: `mcp__github__create_issue` is
    `github__create_issue` and `create_issue`. A part of a tool's own name is another tool. Where a client shows no
    server (Cursor), the tool's own name has to do. A client may show its model one name and tell its hooks another: a
    shell is a shell."""
    if seen == stated or any(seen in each and stated in each for each in _TOOL_SYNONYMS):
        return True
    if seen.startswith(_NO_SERVER):
        return bool(stated) and seen[len(_NO_SERVER) :] == bare_name(stated)
    if not stated or not seen.startswith(_MCP):
        return False
    named = seen[len(_MCP) :]
    return stated in (named, named.partition(_BETWEEN)[2], _GEMINI + named.replace(_BETWEEN, "_", 1))


def bare_name(tool: str) -> str:
    """A tool without its server; `fs__write` may be a server's tool, or a tool of that name."""
    return tool.removeprefix(_MCP).partition(_BETWEEN)[2] or tool


def may_be_gateway_tool(seen: str) -> bool:
    """Whether a tool that a client shows may be one behind the gateway, and not the client's own."""
    return seen.startswith((_MCP, _NO_SERVER)) or _DASH in seen


def is_gateway_tool(seen: str, tool: str, shown_as: str = "") -> bool:
    """Whether a tool that a client shows is this one behind the gateway, which shows it under this name, or as it is.

    Before that, a client puts the name by which it knows the gateway (`mcp__ours__`, or `ours-` in Copilot), which is
    for its user to choose; or nothing but `MCP:` (Cursor). Ours is left out where it is known, see `capture.tools`.
    Characters that a client does not allow in a name are replaced by it.
    """
    name, seen = _plain(shown_as or bare_name(tool)), _plain(seen)
    if seen.startswith(_plain(_NO_SERVER)):
        return seen == _plain(_NO_SERVER) + name
    if seen.startswith(_MCP):
        shown = seen[len(_MCP) :]
        return name in (shown, shown.partition(_BETWEEN)[2])
    return seen.endswith(_DASH + name)


def has_our_prefix(seen: str, shown_as: str) -> bool:
    """Whether a client knows the gateway by our name, or by none. Under another name it may also be another server."""
    return bool(_OWN_PREFIX.match(seen)) or seen == _MCP + shown_as


def _plain(name: str) -> str:
    return _ODD.sub("_", name)


class SeenTool(Struct, frozen=True):
    """A tool whose call was seen. `behind` the gateway it may be `shown_as` another one, and agents know it by that."""

    name: str
    shown_as: str = ""
    behind_gateway: bool = False

    def is_named(self, stated: str) -> bool:
        """Whether it is the tool that a plan or an agent names so."""
        if same_tool(self.name, stated) or not self.behind_gateway:
            return same_tool(self.name, stated)
        return bool(stated) and (stated == self.shown_as or is_gateway_tool(stated, self.name, self.shown_as))


# ----------------------------------------------------------------------------------------------------------------------
# Whether a call that was seen is one that was planned or claimed: by its arguments. For tools see `tools`.

_ARGUMENT_SYNONYMS = (("command", "cmd"), ("file_path", "path", "filePath", "target_file"))
"""Arguments of clients' own tools that are the same: a model may be shown one, and hooks be told another."""
_WHOLE = 1000
"""How long a text may be that is surely not cut. A list or an object may have lost a part anywhere."""


def same_call(arguments: Mapping[str, Any], stated: Mapping[str, Any]) -> bool:
    """Whatever was stated of the arguments is so. What was left open may be anything."""
    return all(_is_given(arguments, name, value) for name, value in stated.items())


def arguments_differ(begun: Mapping[str, Any], made: Mapping[str, Any]) -> bool:
    """Whether a call was made with other arguments than it was begun with. What only one of the two tells may have been
    filled in, or left out; of what was masked or cut, nobody can say."""
    both = ((value, made[name]) for name, value in begun.items() if name in made)
    return any(_is_whole(one) and _is_whole(other) and not _same(one, other) for one, other in both)


def _is_whole(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= _WHOLE and "[masked:" not in value
    return isinstance(value, bool | int | float)


def _is_given(arguments: Mapping[str, Any], name: str, value: Any) -> bool:
    """Under its own name, or under another one that clients have for the same thing."""
    others = next((each for each in _ARGUMENT_SYNONYMS if name in each), ())
    found = next((each for each in (name, *others) if each in arguments), None)
    if found is None:
        return False
    return _same(arguments[found], value) or (bool(others) and _same(_command(arguments[found]), _command(value)))


def _command(value: Any) -> Any:
    """A command in a shell, by itself: `["bash", "-lc", "make"]` is `make`."""
    return value[2] if isinstance(value, list) and len(value) == 3 and value[1] in ("-c", "-lc") else value


def _same(one: Any, other: Any) -> bool:
    """As JSON has it: `true` is not 1, which Python takes for the same."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return isinstance(one, bool) is isinstance(other, bool) and bool(one == other)
