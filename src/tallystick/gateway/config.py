"""Reads and checks the gateway's configuration: `mcpServers` as every client has it, and `tallystick` beside it."""

import math
import re
import unicodedata
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct, field

from tallystick.core.errors import InvalidArgument
from tallystick.core.formats import canonical_json, times
from tallystick.core.types import Effect
from tallystick.protocol import MCP_METHODS

Policy = Literal["record", "ask", "refuse", "plan"]
Repeat = Literal["answer", "refuse"]
OnFailure = Literal["refuse", "spool"]
Unlisted = Literal["refuse", "ask", "record"]
ApproveIn = Literal["credential", "client"]
TimeoutName = Literal["greeting", "start", "list", "call"]

TOP_FIELDS = ("mcpServers", "tallystick")
"""The fields at the top that are ours. Others belong to other programs, unless they look like one of these."""
MAX_SERVER_NAME = 64
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
_NOT_IN_NAME = re.compile(r"[^A-Za-z0-9_-]+")
_MSGSPEC_PATH = re.compile(r" - at `\$\.?(.*)`$")


class ServerConfig(Struct, frozen=True, kw_only=True):
    """One server behind the gateway. Fields of other programs are ignored."""

    command: str = ""
    args: tuple[str, ...] = ()
    env: dict[str, str] = {}
    cwd: str = ""
    url: str = ""
    headers: dict[str, str] = {}
    type: str = ""
    disabled: bool = False


class Timeouts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Timeouts in seconds."""

    greeting: float | None = None
    """How long the first answer to a client waits for a server, so that its capabilities are in it."""
    start: float | None = None
    list: float | None = None
    call: float | None = None
    """Counted from the server's last progress notification; 0 waits for ever."""


class Rule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings for the tools that match one pattern. An absent setting comes from the next wider level."""

    policy: Policy | None = None
    effect: Effect | None = None
    repeat: Repeat | None = None
    on_journal_failure: OnFailure | None = None
    timeout: float | None = None
    question: str = ""
    expires: str = ""
    approve_in: ApproveIn | None = None
    """With `client`, the client of the call may answer too, where it supports that: it could answer by itself."""


class Annotated(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Policies by the annotations of a tool, for tools that no rule names."""

    read: Policy = "record"
    idempotent: Policy = "record"
    destructive: Policy = "record"
    other: Policy = "record"


class ServerSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings for one server, or for `*`."""

    prefix: bool | str | None = None
    timeouts: Timeouts = Timeouts()
    tools: dict[str, Policy | Rule] = {}
    unlisted: Unlisted | None = None
    methods: tuple[str, ...] = ()
    """Methods beyond the protocol's that are passed on, unrecorded."""


class GatewaySettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The object `tallystick` of the configuration."""

    prefix: bool | None = None
    tools: Literal["all", "minimal", "classic", "none"] = "all"
    repeat: Repeat = "answer"
    on_journal_failure: OnFailure = "refuse"
    unlisted: Unlisted = "refuse"
    """The policy of a tool that its server does not list."""
    timeouts: Timeouts = Timeouts()
    annotated: Annotated = Annotated()
    servers: dict[str, ServerSettings] = {}


class Configuration(Struct, frozen=True, kw_only=True):
    """The whole configuration, checked."""

    servers: dict[str, ServerConfig] = field(name="mcpServers", default_factory=dict)
    settings: GatewaySettings = field(name="tallystick", default_factory=GatewaySettings)

    def settings_of(self, server: str) -> tuple[ServerSettings, ...]:
        """The settings that apply to a server, its own before those of `*`."""
        return tuple(found for found in map(self.settings.servers.get, (server, "*")) if found is not None)

    def prefix(self, server: str) -> str:
        """The prefix of the names of a server's tools, or "" if they keep their names."""
        prefixes = (each.prefix for each in self.settings_of(server) if each.prefix is not None)
        prefix = next(prefixes, self.settings.prefix)
        if prefix is None:
            prefix = len(self.servers) > 1
        return plain(prefix) if isinstance(prefix, str) else plain(server) if prefix else ""

    def list_seconds(self, server: str) -> float:
        """How long a list of several servers waits for one of them. The default is short, not to hold up the others."""
        stated = self._stated_seconds(server, "list")
        return stated if stated is not None else 2.0 if len(self.servers) > 1 else self.seconds(server, "list")

    def seconds(self, server: str, name: TimeoutName) -> float:
        stated = self._stated_seconds(server, name)
        greeting = 1.0 if len(self.servers) > 1 else 5.0  # where there are other servers, they are not held up
        defaults = {"greeting": greeting, "start": 30.0, "list": 10.0, "call": 600.0}
        return stated if stated is not None else defaults[name]

    def _stated_seconds(self, server: str, name: TimeoutName) -> float | None:
        for timeouts in (*(each.timeouts for each in self.settings_of(server)), self.settings.timeouts):
            seconds: float | None = getattr(timeouts, name)
            if seconds is not None:
                return seconds
        return None


def read(path: Path, env: Mapping[str, str]) -> Configuration:
    """Read the configuration from a file. Raises InvalidArgument with the field and how to fix it."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        hint = "Name the file that holds mcpServers with --config."
        raise InvalidArgument(f"{path} cannot be read: {error.strerror}.", hint=hint, field="config") from None
    return checked(canonical_json.parse(raw, str(path)), env)  # of two rules for one tool only one would count


def checked(document: Any, env: Mapping[str, str]) -> Configuration:
    """Check a decoded configuration, and fill in variables. Raises InvalidArgument."""
    if not isinstance(document, dict) or "mcpServers" not in document:
        hint = 'Write {"mcpServers": {"name": {"command": "..."}}}.'
        raise InvalidArgument("mcpServers is missing.", hint=hint, field="mcpServers")
    _check_top_fields(document)
    try:
        whole = msgspec.convert(document, Configuration)
    except msgspec.ValidationError as error:
        raise _explain(str(error), document) from None
    servers = {}
    for name, server in whole.servers.items():
        if not server.disabled:
            _check_server(name, server)
            servers[name] = _expand_variables(server, f"mcpServers.{name}", env)
    _check_distinct_names(servers)
    for name in whole.settings.servers:
        if name != "*" and name not in whole.servers:
            allowed = (*whole.servers, "*")
            raise InvalidArgument(
                f'tallystick.servers.{name}: there is no server "{name}" in mcpServers.',
                hint=f"Use one of: {', '.join(allowed)}.",
                field=f"tallystick.servers.{name}",
                allowed=allowed,
            )
    _check_values(whole.settings)
    configuration = Configuration(servers=servers, settings=whole.settings)
    _check_prefixes(configuration)
    return configuration


def describe(configuration: Configuration) -> list[str]:
    """Describe a configuration, one line for each server, without the values of variables and headers."""
    lines = []
    for name, server in configuration.servers.items():
        prefix = configuration.prefix(name)
        names = f"its tools as {prefix}__..." if prefix else "its tools by their own names"
        where = _without_secrets(server.url) if server.url else server.command.rpartition("/")[2]
        rules = sum(len(each.tools) for each in configuration.settings_of(name))
        lines.append(f"{name}: {where}, {names}, {rules} rules")
    return lines or ["no servers"]


def fold(name: str) -> str:
    """A name without case, spaces, accents and invisible characters: two names that look alike give the same."""
    letters = unicodedata.normalize("NFKD", name).casefold()
    return "".join(each for each in letters if unicodedata.category(each)[0] not in "CMZ")


def plain(name: str) -> str:
    """A name with only the characters that clients accept in the name of a tool."""
    return _NOT_IN_NAME.sub("_", name)


def _check_top_fields(document: dict[str, Any]) -> None:
    """Reject a field at the top that is a setting of ours, or is spelt almost like one of our fields."""
    for name in document:
        is_setting = name in GatewaySettings.__struct_fields__
        is_close = get_close_matches(name.casefold(), ("tallystick", "mcpservers"), cutoff=0.75)
        if name not in TOP_FIELDS and (is_setting or is_close):
            hint = f"Use one of: {', '.join(TOP_FIELDS)}{f'; {name} belongs inside tallystick' if is_setting else ''}."
            raise InvalidArgument(f"{name} is not a setting at the top.", hint=hint, field=name, allowed=TOP_FIELDS)


def _check_values(settings: GatewaySettings) -> None:
    """Reject values of the right type that make no sense."""
    _check_timeouts(settings.timeouts, "tallystick.timeouts")
    for name, server in settings.servers.items():
        path = f"tallystick.servers.{name}"
        _check_timeouts(server.timeouts, f"{path}.timeouts")
        for method in server.methods:
            if fold(method) in MCP_METHODS:
                hint = "Remove it: the gateway knows the protocol's methods."
                raise InvalidArgument(f'{path}.methods: "{method}" stands for a method of MCP.', hint=hint, field=path)
        for pattern, rule in server.tools.items():
            if isinstance(rule, Rule):
                _check_seconds(rule.timeout, f"{path}.tools.{pattern}.timeout")
                if rule.expires:
                    times.resolve(rule.expires, f"{path}.tools.{pattern}.expires", start=0)


def _check_timeouts(timeouts: Timeouts, path: str) -> None:
    for name in timeouts.__struct_fields__:
        _check_seconds(getattr(timeouts, name), f"{path}.{name}")


def _check_seconds(seconds: float | None, path: str) -> None:
    if seconds is not None and not (seconds >= 0 and math.isfinite(seconds)):
        hint = "Use seconds, such as 30; for a call, 0 waits for ever."
        raise InvalidArgument(f"{path} is {seconds:g}, which is no time to wait.", hint=hint, field=path)


def _check_prefixes(configuration: Configuration) -> None:
    """Reject prefixes that leave open which server a name belongs to."""
    seen: dict[str, str] = {}
    for name in configuration.servers:
        prefix, path = configuration.prefix(name), f"tallystick.servers.{name}.prefix"
        named = next((each for each in configuration.servers if each != name and plain(each) == prefix), "")
        other = seen.setdefault(prefix, name) if prefix else name
        if other != name or named:
            reason = f"as that of {other}" if other != name else "the name of another server"
            hint = "Give each server a prefix of its own."
            raise InvalidArgument(f'{path} is "{prefix}", {reason}.', hint=hint, field=path)


def _check_server(name: str, server: ServerConfig) -> None:
    path = f"mcpServers.{name}"
    if not name or not name.isprintable() or len(name) > MAX_SERVER_NAME:
        hint = f"Use 1 to {MAX_SERVER_NAME} printable characters."
        raise InvalidArgument(f"{path} is not a name.", hint=hint, field=path)
    if plain(name) == "tallystick" or name == "*" or "__" in plain(name):
        reason = "stands for all" if name == "*" else "parts names of tools" if "__" in plain(name) else "is our own"
        hint = 'Give it another name: not tallystick, not *, and with no "__" in it.'
        raise InvalidArgument(f"{path} cannot be named so: that {reason}.", hint=hint, field=path)
    if bool(server.command) == bool(server.url):
        hint = "Give a program to start as command, or the address of a server as url."
        problem = "both command and url" if server.command else "neither command nor url"
        raise InvalidArgument(f"{path} has {problem}.", hint=hint, field=path)
    _check_transport(path, server)


def _check_transport(path: str, server: ServerConfig) -> None:
    allowed = ("http", "streamable-http", "streamableHttp", "sse") if server.url else ("stdio",)
    if server.type and server.type not in allowed:
        raise InvalidArgument(
            f'{path}.type "{server.type}" does not go with {"url" if server.url else "command"}.',
            hint=f"Use one of: {', '.join(allowed)}.",
            field=f"{path}.type",
            allowed=allowed,
        )
    if server.url and not server.url.startswith(("http://", "https://", "${")):
        raise InvalidArgument(
            f"{path}.url is not the address of a server.", hint="Use http:// or https://.", field=f"{path}.url"
        )


def _check_distinct_names(servers: Mapping[str, ServerConfig]) -> None:
    seen: dict[str, str] = {}
    for name in servers:
        if (other := seen.setdefault(plain(name), name)) != name:
            raise InvalidArgument(
                f'mcpServers.{name} and mcpServers.{other} would both be "{plain(name)}" in the names of tools.',
                hint="Rename one of them.",
                field=f"mcpServers.{name}",
            )


def _expand_variables(server: ServerConfig, path: str, env: Mapping[str, str]) -> ServerConfig:
    """Replace `${NAME}` and `${NAME:-default}` by values of the environment, as clients do."""

    def expand(text: str, where: str) -> str:
        def value_of(match: re.Match[str]) -> str:
            value = env.get(match[1]) or match[2]
            if value is None:
                hint = f"Set the variable, or write ${{{match[1]}:-...}} with a value for when it is not set."
                raise InvalidArgument(f"{path}.{where} names ${{{match[1]}}}, which is not set.", hint=hint)
            return value

        return _VARIABLE.sub(value_of, text)

    return ServerConfig(
        command=expand(server.command, "command"),
        args=tuple(expand(each, "args") for each in server.args),
        env={name: expand(value, f"env.{name}") for name, value in server.env.items()},
        cwd=expand(server.cwd, "cwd"),
        url=expand(server.url, "url"),
        headers={name: expand(value, f"headers.{name}") for name, value in server.headers.items()},
        type=server.type,
    )


def _explain(problem: str, document: dict[str, Any]) -> InvalidArgument:
    """Turn an error of msgspec into one with the path as people write it, and the allowed values."""
    match = _MSGSPEC_PATH.search(problem)
    pattern = match[1].replace("[...]", ".*") if match else ""
    path = _named_path(pattern, problem, document)
    message = problem[: match.start()] if match else problem
    unknown = re.search(r"unknown field `(.+)`", message)
    if unknown:
        path = f"{path}.{unknown[1]}".lstrip(".")
        return InvalidArgument(f"{path} is not a setting.", hint="Remove it; docs/gateway.md lists them.", field=path)
    allowed = _allowed_values(pattern) if "enum" in message else ()
    hint = f"Use one of: {', '.join(allowed)}." if allowed else "docs/gateway.md says what fits there."
    return InvalidArgument(f"{path or 'mcp.json'}: {message}.", hint=hint, field=path, allowed=allowed)


def _named_path(pattern: str, problem: str, document: dict[str, Any]) -> str:
    """Replace each `*` of a path by the name that has the problem by itself too."""
    parts = pattern.split(".")
    for number, part in enumerate(parts):
        if part != "*":
            continue
        inner: Any = document
        for name in parts[:number]:
            inner = inner.get(name) if isinstance(inner, dict) else None
        for name in inner if isinstance(inner, dict) else ():
            trial = _only(document, (*parts[:number], name))
            if _problem_of(trial) == problem:
                parts[number], document = name, trial
                break
    return ".".join(parts)


def _problem_of(document: dict[str, Any]) -> str:
    try:
        msgspec.convert(document, Configuration)
    except msgspec.ValidationError as error:
        return str(error)
    return ""


def _only(document: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    """The document without the siblings of the last name of a path."""
    first, rest = path[0], path[1:]
    return {**document, first: _only(document[first], rest)} if rest else {first: document[first]}


def _allowed_values(path: str) -> tuple[str, ...]:
    last = path.rpartition(".")[2]
    types = {
        "effect": Effect,
        "repeat": Repeat,
        "on_journal_failure": OnFailure,
        "unlisted": Unlisted,
        "approve_in": ApproveIn,
    }
    is_policy = last == "policy" or path.endswith(".tools.*") or ".annotated." in path
    return get_args(types[last]) if last in types else get_args(Policy) if is_policy else ()


def _without_secrets(url: str) -> str:
    """The scheme and host of a URL: user, path and query may hold a secret."""
    scheme, _, rest = url.partition("://")
    authority, _, path = rest.partition("/")
    host = authority.partition("?")[0].rpartition("@")[2]
    return f"{scheme}://{host}/{'...' if path else ''}"
