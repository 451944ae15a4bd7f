"""Tools: which calls only read, which names mean the same tool, and which calls are the same."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from tallystick.core.types import Effect

# ----------------------------------------------------------------------------------------------------------------------
# Which calls only read: by the user's rules, by the names of tools, and for shell commands by what they do (`effects`)
#
# Nothing is owed for a read, and a read may be repeated. So a call counts as a read only if it is known to be one: a
# wrong `read` would hide work, a missing one costs a line.

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
        *("and", "or", "then", "create", "update", "delete", "remove", "set", "write", "replace", "add", "mark"),
        *("clear", "insert", "put", "send", "move", "pop", "claim", "lock", "next", "consume", "ack", "save", "submit"),
        *("apply", "execute", "restart", "enable", "disable", "grant", "revoke", "approve", "publish", "install"),
        *("reset", "rotate", "assign", "reserve", "subscribe", "unsubscribe", "modify", "rename", "generate", "drop"),
        *("truncate", "purge", "kill"),
    )
)
"""Words that make a name that begins like a read something else: `find_and_replace`, `get_next_job`."""
_SERVERS_READING = frozenset(
    (
        *("directory_tree", "git_status", "git_log", "git_diff", "git_diff_staged", "git_diff_unstaged", "git_show"),
        *("resolve-library-id", "sequentialthinking", "issue_read", "pull_request_read", "actions_get"),
        *("actions_list", "browser_snapshot", "browser_console_messages", "browser_network_requests"),
    )
)
"""Tools of widely used MCP servers that only read, and whose names do not begin with a verb that says so."""
SHELLS = frozenset(
    (
        *("Bash", "bash", "shell", "Shell", "local_shell", "shell_command", "exec_command", "run_shell_command"),
        *("run_terminal_cmd", "run_in_terminal", "runInTerminal"),
    )
)
"""Tools that run a shell command, by their names in the clients."""
_GENERAL_WORDS = frozenset(
    (
        *("bash", "sh", "shell", "terminal", "powershell", "cmd", "command", "commands", "stdin", "process"),
        *("run", "exec", "execute", "eval", "evaluate", "call", "use", "do", "in", "local", "mcp", "server", "tool"),
        *("code", "script", "python", "javascript", "js", "node", "repl", "sql", "statement", "query", "database"),
        *("write", "edit", "create", "insert", "append", "update", "delete", "remove", "move", "copy", "rename"),
        *("replace", "search", "apply", "patch", "diff", "multi", "str", "string", "text", "file", "files", "content"),
        *("filesystem", "directory", "folder", "path", "notebook", "cell", "editor", "insert", "line", "block"),
        *("task", "agent", "subagent", "skill", "computer", "browser", "http", "request", "api", "curl"),
    )
)
"""Words of tools that may do anything, by their arguments alone. A name of only such words says nothing of the work."""
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
    if _fits(tool, rules.read) or tool in _READING or _is_reading_server_tool(tool):
        return "read"
    if tool in SHELLS:
        from tallystick.core.effects.commands import is_reading_command  # only drains and adapters need it

        return "read" if is_reading_command(arguments.get("command", arguments.get("cmd")), rules.commands) else None
    return None


def is_general(tool: str) -> bool:
    """Whether only its arguments tell what a tool does: a shell, an editor of files, `run_command`, `execute_sql`."""
    return _GENERAL_WORDS.issuperset(_words(bare_name(tool.removeprefix(_NO_SERVER))))


def is_named_like_read(tool: str) -> bool:
    """Whether a tool without annotations is named like one that only reads: `get_issue`, `listFiles`."""
    words = _words(tool)
    return bool(words) and words[0] in _READING_VERBS and _WRITING_WORDS.isdisjoint(words)


def _is_reading_server_tool(tool: str) -> bool:
    """Whether a tool of an MCP server only reads, by its name: hooks see no annotations.

    `query` is not enough: a statement of SQL may write. The server's own name may stand before the verb.
    """
    prefix = next((each for each in (_MCP, _NO_SERVER, _COPILOT_GITHUB) if tool.startswith(each)), "")
    server, _, name = tool.removeprefix(prefix).rpartition(_SEPARATOR if prefix == _MCP else "\0")
    if not prefix or (prefix == _MCP and not server):
        return False
    words = _words(name)
    verb = words[1] if len(words) > 1 and words[0] in _words(server) else words[0] if words else ""
    return name in _SERVERS_READING or (verb in _READING_VERBS - {"query"} and _WRITING_WORDS.isdisjoint(words))


def _words(name: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]


def is_ignored(tool: str, rules: CallRules) -> bool:
    """Whether the user excludes the calls of a tool from the journal."""
    return _fits(tool, rules.ignore)


def _fits(tool: str, patterns: tuple[str, ...]) -> bool:
    return any(_pattern(pattern).fullmatch(tool) for pattern in patterns)


@lru_cache
def _pattern(pattern: str) -> re.Pattern[str]:
    """A user's pattern as a regular expression: `*` is anything, `?` is one character."""
    return re.compile(re.escape(pattern).replace(r"\*", ".*").replace(r"\?", "."), re.DOTALL)


# ----------------------------------------------------------------------------------------------------------------------
# Names of tools: what clients, servers, the gateway, plans and agents call the same tool

_MCP, _SEPARATOR, _NO_SERVER, _DASH, _GEMINI = "mcp__", "__", "MCP:", "-", "mcp_"
_COPILOT_GITHUB = "github-mcp-server-"
"""How Copilot begins the names of GitHub's tools, which it brings along."""
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


def snake_case(name: str) -> str:
    """`planId` as `plan_id`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


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
_DESCRIBING_ARGUMENTS = frozenset(
    (
        *("description", "explanation", "justification", "run_in_background", "is_background", "isBackground"),
        *("timeout", "timeout_ms", "yield_time_ms", "max_output_tokens"),
    )
)
"""Arguments that clients add to a call: they describe it, or say how long to wait for it."""
_UNCUT_CHARACTERS = 1000
"""A text up to this length was surely not cut. A list or an object may have lost a part anywhere."""
_MASK = re.compile(r"\[masked:[a-z0-9_]+\]")
_MASK_OR_VALUE = r"(?:\[masked:[a-z0-9_]+\]|\S{8,512}?)"
_MAX_MASKS = 5
"""Parts of a text between masks; with more of them it fits nothing but itself, since trying would take long."""


def same_call(arguments: Mapping[str, Any], stated: Mapping[str, Any]) -> bool:
    """Whether the arguments match every stated one. Arguments that were not stated may be anything."""
    return all(_has_argument(arguments, name, value) for name, value in stated.items())


def is_exactly(arguments: Mapping[str, Any], stated: Mapping[str, Any]) -> bool:
    """Whether the arguments are the stated ones, and no others but those that clients add to any call."""
    synonyms = {each for name in stated for names in _ARGUMENT_SYNONYMS if name in names for each in names}
    return same_call(arguments, stated) and not (arguments.keys() - stated.keys() - synonyms - _DESCRIBING_ARGUMENTS)


def likeness(tool: str, arguments: Mapping[str, Any]) -> list[Any]:
    """A value that is equal for two calls of which one is exactly the other, under any names of their tool. Other calls
    may have the same: it narrows a search, and decides nothing."""
    name = tool.removeprefix(_NO_SERVER).rpartition(_SEPARATOR)[2]
    synonyms = next((index for index, names in enumerate(_TOOL_SYNONYMS) if name in names), None)
    last_word = re.split("[^A-Za-z0-9]+", name)[-1]
    own = {argument: value for argument, value in arguments.items() if argument not in _DESCRIBING_ARGUMENTS}
    return [last_word if synonyms is None else synonyms, {_main_name(each): _command(own[each]) for each in own}]


def _main_name(argument: str) -> str:
    return next((names[0] for names in _ARGUMENT_SYNONYMS if argument in names), argument)


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


def has_mask(value: Any) -> bool:
    """Whether a secret is masked anywhere in a JSON value."""
    if isinstance(value, dict):
        return any(has_mask(item) for item in value.values())
    if isinstance(value, list):
        return any(map(has_mask, value))
    return isinstance(value, str) and "[masked" in value


SECRET = "secret://"
"""A text that begins so names a secret. Only the plan's own text and parameters may: the rest is what others wrote."""
_REFERENCE = re.compile(r"\$\{[^{}]*\b(?:steps|parameters|context|item)\s*\.[^{}]*\}")
"""A reference to a value of a run. A variable of a shell has no dot in its name."""


def secrets_named(value: Any) -> set[str]:
    """The texts in a JSON value that name a secret."""
    return {text for text in texts_in(value) if text.startswith(SECRET)}


def unplanned_names(given: Any, planned: Any) -> tuple[str, ...]:
    """The secrets and references in arguments that are not in those that were planned."""
    known = set(texts_in(planned))
    texts = [text for text in texts_in(given) if text not in known]
    secrets = [text for text in texts if text.startswith(SECRET)]
    return tuple(dict.fromkeys([*secrets, *(found for text in texts for found in _REFERENCE.findall(text))]))


def texts_in(value: Any) -> Iterator[str]:
    """All texts in a JSON value, without the names in objects."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from texts_in(item)


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
