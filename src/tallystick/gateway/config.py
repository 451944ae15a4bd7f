"""What the gateway is told: the servers behind it, in the form that every client uses, and our policy beside them."""

import json
import math
import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct, field

from tallystick.core.errors import InvalidArgument
from tallystick.core.formats import times
from tallystick.core.types import Effect

Policy = Literal["record", "ask", "refuse", "plan"]
Repeat = Literal["answer", "refuse"]
OnFailure = Literal["refuse", "spool"]

TOP = ("mcpServers", "tallystick")
"""What we read at the top. What else stands there is of other programs, unless it looks like one of these."""
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
_NOT_IN_NAME = re.compile(r"[^A-Za-z0-9_-]+")
_AT = re.compile(r" - at `\$\.?(.*)`$")


class Server(Struct, frozen=True, kw_only=True):
    """One server behind the gateway. Fields of other programs are left alone."""

    command: str = ""
    args: tuple[str, ...] = ()
    env: dict[str, str] = {}
    cwd: str = ""
    url: str = ""
    headers: dict[str, str] = {}
    type: str = ""
    disabled: bool = False


Waiting = Literal["greeting", "start", "list", "call"]


class Timeouts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Seconds. A call's count from its last sign of life; 0 waits for ever. `greeting` is for how long the first answer
    to a client waits for a server, so that what it says of itself is in it."""

    greeting: float | None = None
    start: float | None = None
    list: float | None = None
    call: float | None = None


class Rule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is done about calls of some tools. What is left out is as said further out."""

    policy: Policy | None = None
    effect: Effect | None = None
    repeat: Repeat | None = None
    on_journal_failure: OnFailure | None = None
    timeout: float | None = None
    question: str = ""
    expires: str = ""


class Annotated(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Policies by what a server says of its tools, for those that no name rules."""

    read: Policy = "record"
    idempotent: Policy = "record"
    destructive: Policy = "record"
    other: Policy = "record"


class OfServer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is said of one server, or of `*`."""

    prefix: bool | str | None = None
    timeouts: Timeouts = Timeouts()
    tools: dict[str, Policy | Rule] = {}


class Ours(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The object `tallystick` of the configuration."""

    prefix: bool | None = None
    tools: Literal["all", "minimal", "classic", "none"] = "all"
    repeat: Repeat = "answer"
    on_journal_failure: OnFailure = "refuse"
    timeouts: Timeouts = Timeouts()
    annotated: Annotated = Annotated()
    servers: dict[str, OfServer] = {}


class Configuration(Struct, frozen=True, kw_only=True):
    """The whole, checked."""

    servers: dict[str, Server] = field(name="mcpServers", default_factory=dict)
    ours: Ours = field(name="tallystick", default_factory=Ours)

    def of(self, server: str) -> tuple[OfServer, ...]:
        """What is said of a server, the nearest first."""
        return tuple(said for said in map(self.ours.servers.get, (server, "*")) if said is not None)

    def prefix(self, server: str) -> str:
        """What stands before the names of its tools; nothing when they keep their names."""
        said = next((each.prefix for each in self.of(server) if each.prefix is not None), self.ours.prefix)
        if said is None:
            said = len(self.servers) > 1
        return plain(said) if isinstance(said, str) else plain(server) if said else ""

    def patience(self, server: str) -> float:
        """How long a list of several servers waits for one of them, unless somebody has said so."""
        said = self._said(server, "list")
        return said if said is not None else 2.0 if len(self.servers) > 1 else self.seconds(server, "list")

    def seconds(self, server: str, name: Waiting) -> float:
        said = self._said(server, name)
        greeting = 1.0 if len(self.servers) > 1 else 5.0  # where there are others, they are not held up
        return said if said is not None else {"greeting": greeting, "start": 30.0, "list": 10.0, "call": 600.0}[name]

    def _said(self, server: str, name: Waiting) -> float | None:
        for said in (*(each.timeouts for each in self.of(server)), self.ours.timeouts):
            found: float | None = getattr(said, name)
            if found is not None:
                return found
        return None


def read(path: Path, env: Mapping[str, str]) -> Configuration:
    """The configuration in a file, or InvalidArgument with the field and the fix."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        hint = "Name the file that holds mcpServers with --config."
        raise InvalidArgument(f"{path} cannot be read: {error.strerror}.", hint=hint, field="config") from None
    try:
        found = json.loads(raw, object_pairs_hook=_once)
    except InvalidArgument:
        raise
    except (ValueError, RecursionError) as error:
        raise InvalidArgument(f"{path} is not JSON: {error}.", hint="Correct it there.", field="config") from None
    return checked(found, env)


def checked(found: Any, env: Mapping[str, str]) -> Configuration:
    if not isinstance(found, dict) or "mcpServers" not in found:
        hint = 'Write {"mcpServers": {"name": {"command": "..."}}}.'
        raise InvalidArgument("mcpServers is missing.", hint=hint, field="mcpServers")
    for name in found:
        ours = name in Ours.__struct_fields__
        if name not in TOP and (ours or get_close_matches(name.casefold(), ("tallystick", "mcpservers"), cutoff=0.75)):
            hint = f"Use one of: {', '.join(TOP)}{f'; {name} belongs inside tallystick' if ours else ''}."
            raise InvalidArgument(f"{name} is not a setting at the top.", hint=hint, field=name, allowed=TOP)
    try:
        whole = msgspec.convert(found, Configuration)
    except msgspec.ValidationError as error:
        raise _mistake(str(error), found) from None
    servers = {}
    for name, server in whole.servers.items():
        if not server.disabled:
            servers[name] = _expanded(_fit(name, server), f"mcpServers.{name}", env)
    _distinct(servers)
    for name in whole.ours.servers:
        if name != "*" and name not in whole.servers:
            allowed = (*whole.servers, "*")
            raise InvalidArgument(
                f'tallystick.servers.{name}: there is no server "{name}" in mcpServers.',
                hint=f"Use one of: {', '.join(allowed)}.",
                field=f"tallystick.servers.{name}",
                allowed=allowed,
            )
    _check_values(whole.ours)
    configuration = Configuration(servers=servers, ours=whole.ours)
    _check_prefixes(configuration)
    return configuration


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, each of whose names stands there once: of two rules for one tool, only one would count."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            hint = "Keep one of them."
            raise InvalidArgument(f'"{name}" stands twice in one object.', hint=hint, field=name)
        found[name] = value
    return found


def _check_values(ours: Ours) -> None:
    """What has the right form and still cannot be meant."""
    _check_seconds(ours.timeouts, "tallystick.timeouts")
    for name, said in ours.servers.items():
        place = f"tallystick.servers.{name}"
        _check_seconds(said.timeouts, f"{place}.timeouts")
        for pattern, rule in said.tools.items():
            if isinstance(rule, Rule):
                _check_second(rule.timeout, f"{place}.tools.{pattern}.timeout")
                if rule.expires:
                    times.resolve(rule.expires, f"{place}.tools.{pattern}.expires", start=0)


def _check_seconds(said: Timeouts, place: str) -> None:
    for name in said.__struct_fields__:
        _check_second(getattr(said, name), f"{place}.{name}")


def _check_second(seconds: float | None, place: str) -> None:
    if seconds is not None and not (seconds >= 0 and math.isfinite(seconds)):
        hint = "Use seconds, such as 30; for a call, 0 waits for ever."
        raise InvalidArgument(f"{place} is {seconds:g}, which is no time to wait.", hint=hint, field=place)


def _check_prefixes(configuration: Configuration) -> None:
    """Which server a name belongs to must be plain from its prefix."""
    seen: dict[str, str] = {}
    for name in configuration.servers:
        prefix, place = configuration.prefix(name), f"tallystick.servers.{name}.prefix"
        named = next((each for each in configuration.servers if each != name and plain(each) == prefix), "")
        other = seen.setdefault(prefix, name) if prefix else name
        if other != name or named:
            why = (
                f'is "{prefix}", as that of {other}' if other != name else f'is "{prefix}", the name of another server'
            )
            raise InvalidArgument(f"{place} {why}.", hint="Give each server a prefix of its own.", field=place)


def plain(name: str) -> str:
    """A name as clients take it in the name of a tool."""
    return _NOT_IN_NAME.sub("_", name)


def _fit(name: str, server: Server) -> Server:
    place = f"mcpServers.{name}"
    if not name or not name.isprintable() or len(name) > 64:
        raise InvalidArgument(f"{place} is not a name.", hint="Use 1 to 64 printable characters.", field=place)
    if plain(name) == "tallystick" or name == "*" or "__" in plain(name):
        why = "stands for all" if name == "*" else "parts names of tools" if "__" in plain(name) else "is our own"
        hint = 'Give it another name: not tallystick, not *, and with no "__" in it.'
        raise InvalidArgument(f"{place} cannot be named so: that {why}.", hint=hint, field=place)
    if bool(server.command) == bool(server.url):
        hint = "Give a program to start as command, or the address of a server as url."
        problem = "both command and url" if server.command else "neither command nor url"
        raise InvalidArgument(f"{place} has {problem}.", hint=hint, field=place)
    allowed = ("http", "streamable-http", "streamableHttp", "sse") if server.url else ("stdio",)
    if server.type and server.type not in allowed:
        hint = f"Use one of: {', '.join(allowed)}."
        raise InvalidArgument(
            f'{place}.type "{server.type}" does not go with {"url" if server.url else "command"}.',
            hint=hint,
            field=f"{place}.type",
            allowed=allowed,
        )
    if server.url and not server.url.startswith(("http://", "https://", "${")):
        raise InvalidArgument(
            f"{place}.url is not the address of a server.", hint="Use http:// or https://.", field=f"{place}.url"
        )
    return server


def _expanded(server: Server, place: str, env: Mapping[str, str]) -> Server:
    """With `${NAME}` and `${NAME:-else}` taken from the environment, as clients do."""

    def filled(text: str, where: str) -> str:
        def one(found: re.Match[str]) -> str:
            value = env.get(found[1]) or found[2]
            if value is None:
                hint = f"Set the variable, or write ${{{found[1]}:-...}} with a value for when it is not set."
                raise InvalidArgument(f"{place}.{where} names ${{{found[1]}}}, which is not set.", hint=hint)
            return value

        return _VARIABLE.sub(one, text)

    return Server(
        command=filled(server.command, "command"),
        args=tuple(filled(each, "args") for each in server.args),
        env={name: filled(value, f"env.{name}") for name, value in server.env.items()},
        cwd=filled(server.cwd, "cwd"),
        url=filled(server.url, "url"),
        headers={name: filled(value, f"headers.{name}") for name, value in server.headers.items()},
        type=server.type,
    )


def _distinct(servers: Mapping[str, Server]) -> None:
    seen: dict[str, str] = {}
    for name in servers:
        if (other := seen.setdefault(plain(name), name)) != name:
            raise InvalidArgument(
                f'mcpServers.{name} and mcpServers.{other} would both be "{plain(name)}" in the names of tools.',
                hint="Rename one of them.",
                field=f"mcpServers.{name}",
            )


def _mistake(told: str, whole: dict[str, Any]) -> InvalidArgument:
    """What msgspec says, with the place as people write it, and the words that fit there."""
    found = _AT.search(told)
    kind = found[1].replace("[...]", ".*") if found else ""
    place = _named(kind, told, whole)
    said = told[: found.start()] if found else told
    unknown = re.search(r"unknown field `(.+)`", said)
    if unknown:
        place = f"{place}.{unknown[1]}".lstrip(".")
        return InvalidArgument(f"{place} is not a setting.", hint="Remove it; docs/gateway.md lists them.", field=place)
    words = _words(kind) if "enum" in said else ()
    hint = f"Use one of: {', '.join(words)}." if words else "docs/gateway.md says what fits there."
    return InvalidArgument(f"{place or 'mcp.json'}: {said}.", hint=hint, field=place, allowed=words)


def _named(place: str, told: str, whole: dict[str, Any]) -> str:
    """The place with names for its stars: each is the one that is wrong by itself too."""
    parts = place.split(".")
    for number, part in enumerate(parts):
        if part != "*":
            continue
        inner: Any = whole
        for name in parts[:number]:
            inner = inner.get(name) if isinstance(inner, dict) else None
        for name in inner if isinstance(inner, dict) else ():
            trial = _only(whole, (*parts[:number], name))
            try:
                msgspec.convert(trial, Configuration)
            except msgspec.ValidationError as error:
                if str(error) == told:
                    parts[number], whole = name, trial
                    break
    return ".".join(parts)


def _only(whole: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    """The same with nothing beside the last name of a path, where that stands."""
    first, rest = path[0], path[1:]
    return {**whole, first: _only(whole[first], rest)} if rest else {first: whole[first]}


def _words(place: str) -> tuple[str, ...]:
    last = place.rpartition(".")[2]
    kinds = {"effect": Effect, "repeat": Repeat, "on_journal_failure": OnFailure}
    ruled = last == "policy" or place.endswith(".tools.*") or ".annotated." in place
    return get_args(kinds[last]) if last in kinds else get_args(Policy) if ruled else ()


def described(configuration: Configuration) -> list[str]:
    """What a configuration means, one line for each server; no value of a variable or header is shown."""
    lines = []
    for name, server in configuration.servers.items():
        prefix = configuration.prefix(name)
        shown = f"its tools as {prefix}__..." if prefix else "its tools by their own names"
        where = _shown(server.url) if server.url else server.command.rpartition("/")[2]
        rules = sum(len(said.tools) for said in configuration.of(name))
        lines.append(f"{name}: {where}, {shown}, {rules} rules")
    return lines or ["no servers"]


def _shown(url: str) -> str:
    """Whose address it is: what stands before the host and behind it may be a secret."""
    scheme, _, rest = url.partition("://")
    place, _, behind = rest.partition("/")
    host = place.partition("?")[0].rpartition("@")[2]
    return f"{scheme}://{host}/{'...' if behind else ''}"
