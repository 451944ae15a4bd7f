"""The tools that a runner may call, by name, and the policy of an operator on them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from importlib import import_module, util
from importlib.metadata import EntryPoint, entry_points
from os import PathLike
from pathlib import Path
from traceback import extract_tb
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from tallystick.core.errors import InvalidArgument
from tallystick.core.types import Effect, Retry, UnwindMode, convert
from tallystick.runner.tools.python import ATTRIBUTE, tool_of
from tallystick.runner.tools.structured_files import kind_of, read_structured
from tallystick.runner.tools.tool import RunnerTool

ENTRY_POINTS = "tallystick.tools"
S = TypeVar("S", bound=Struct)
BUILT_IN = ("shell", "http")
MAX_TOOLS_NAMED = 10
"""Tools that an error names, if none comes near."""


class ToolPolicy(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an operator says about a tool. It takes precedence over the tool itself and over a plan.

    `optional`: the tool need not be registered, in a policy that several machines share.
    """

    effect: Effect | None = None
    retry: Retry | int | None = None
    timeout: Annotated[float, Meta(gt=0)] | None = None
    at_most: Annotated[int, Meta(ge=1)] | None = None
    per_second: Annotated[float, Meta(gt=0)] | None = None
    resource: str | None = None
    needs_approval: bool | None = None
    optional: bool = False


class ResourcePolicy(Struct, frozen=True, forbid_unknown_fields=True):
    """A limit on everything that uses a resource, such as a bank or a GPU.

    `queue`: only workers that serve this queue have the resource.
    """

    at_most: Annotated[int, Meta(ge=1)] | None = None
    per_second: Annotated[float, Meta(gt=0)] | None = None
    queue: Annotated[str, Meta(pattern="^[a-z0-9_-]{1,24}$")] = "default"


class HttpPolicy(Struct, frozen=True, forbid_unknown_fields=True):
    """Hosts of the tool `http`, as `name` or `name:port`. `allow`: also at addresses that are not public. `only`: no
    others."""

    allow: tuple[str, ...] = ()
    only: tuple[str, ...] | None = None


class ShellPolicy(Struct, frozen=True, forbid_unknown_fields=True):
    """Programs of the tool `shell`, as a name or an absolute path. `only`: no others. With it, `lines` permits lines
    for /bin/sh, which may call any program, and `env` names the variables that a plan may set."""

    only: tuple[str, ...] | None = None
    lines: bool = False
    env: tuple[str, ...] = ()


class Policy(Struct, frozen=True, forbid_unknown_fields=True):
    """A policy file: `tools` and `resources` by name, the programs of `shell`, and the hosts of `http`.

    `secrets`: the names that a plan may use. `context`: whether it may use values of the context, which every agent may
    record. `unwind` holds where neither the call nor the plan says it.
    """

    tools: dict[str, ToolPolicy] = {}
    resources: dict[str, ResourcePolicy] = {}
    shell: ShellPolicy = ShellPolicy()
    http: HttpPolicy = HttpPolicy()
    secrets: tuple[str, ...] | None = None
    context: bool | None = None
    unwind: UnwindMode = "never"

    def closed(self) -> Policy:
        """The policy of a process that carries out what others ask for: what it does not name is not permitted."""
        return replace(self, secrets=self.secrets or (), context=bool(self.context))


class ToolRegistry:
    """The tools by name."""

    def __init__(self, tools: Iterable[Any] = (), policy: Policy | None = None, *, is_closed: bool = False) -> None:
        self.policy = policy or Policy()
        self.is_closed = is_closed
        """Whether it belongs to a server or a worker, which carries out what others ask for."""
        self._tools: dict[str, RunnerTool] = {}
        self._aliases: dict[str, str] = {}
        for each in tools:
            self.add(each)

    def add(self, value: Any) -> None:
        """Add a tool, or a function with `@tool`; raises InvalidArgument for a name that is taken by another."""
        tool = tool_of(value)
        if not tool.name or tool.name == "<lambda>":
            raise InvalidArgument("A tool has no name.", hint="Give name= to @tool.", field="tools")
        if tool.name in self._tools:
            raise InvalidArgument(
                f'Two tools are named "{tool.name}".', hint="Give one of them another name=.", field="tools"
            )
        tool = replace(tool, secrets=self.policy.secrets)
        self._tools[tool.name] = _with_policy(tool, self.policy.tools.get(tool.name))
        for alias in tool.aliases:
            self._aliases.setdefault(alias, tool.name)

    def get(self, name: str) -> RunnerTool | None:
        return self._tools.get(name) or self._tools.get(self._aliases.get(name, ""))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None

    def may_use_secret(self, name: str) -> bool:
        return self.policy.secrets is None or name in self.policy.secrets

    def require_context(self, text: str) -> None:
        """Raise InvalidArgument for a reference to the context where plans may not use it."""
        if self.policy.context is False:
            raise InvalidArgument(
                f"{text}: plans may not use the context here, which every agent may record.",
                hint="Give the value as a parameter. The operator can permit it: `context = true` in the policy file.",
            )

    async def close(self) -> None:
        """End what the calls of the tools have opened, such as connections."""
        for close in {tool.close for tool in self if tool.close is not None}:
            await close()

    def require(self, name: str, field: str = "tool") -> RunnerTool:
        """The tool of this name; raises InvalidArgument with the names that come near."""
        found = self.get(name)
        if found is not None:
            return found
        near = get_close_matches(name, self._tools, 3, 0.5)
        listed = f"Did you mean {' or '.join(near)}? " if near else ""
        if not near and (near := sorted(self._tools)[:MAX_TOOLS_NAMED]):
            listed = f"Registered are: {', '.join(near)}{', ...' if len(self._tools) > len(near) else ''}. "
        hint = f"{listed}{self._how_to_add(name)}"
        raise InvalidArgument(f'There is no tool "{name}".', hint=hint, field=field, allowed=near)

    def check_policy(self) -> None:
        """Raise InvalidArgument if the policy is about a tool that is not registered: it would be without limits."""
        for name, rule in self.policy.tools.items():
            if name in self._tools or rule.optional:
                continue
            known = [self._aliases[name]] if name in self._aliases else get_close_matches(name, self._tools, 1, 0.5)
            fix = f"Did you mean [tools.{known[0]}]? " if known else ""
            if self.is_closed and name in BUILT_IN:
                what = "programs" if name == "shell" else "hosts"
                fix = f"Name the {what} that it may call: `only = [...]` under [{name}]. "
            raise InvalidArgument(
                f'The policy is about the tool "{name}", which is not registered.',
                hint=f"{fix}Say optional = true there if only other machines have it.",
                field=f"tools.{name}",
            )

    def _how_to_add(self, name: str) -> str:
        if not self.is_closed:
            return "Register others with --tools, --mcp or tools=[...]."
        if name in BUILT_IN:
            return f"Its operator can name what {name} may call: `only` under [{name}] in the policy file."
        return "Its operator can register others: --run-tools at a server, --tools at a worker."

    def resources(self) -> dict[str, str]:
        """By name of a tool, and by its other names, the resource that its calls use."""
        found = {tool.name: tool.resource or "" for tool in self}
        return found | {alias: found[name] for alias, name in self._aliases.items()}

    def __iter__(self) -> Iterator[RunnerTool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)


def _with_policy(tool: RunnerTool, policy: ToolPolicy | None) -> RunnerTool:
    if policy is None:
        return tool
    given = {name: value for name in policy.__struct_fields__ if (value := getattr(policy, name)) is not None}
    given.pop("optional")
    if isinstance(policy.retry, int):
        given["retry"] = Retry(attempts=policy.retry)
    return replace(tool, **given)


def load_policy(path: str | PathLike[str]) -> Policy:
    """A policy file in TOML, YAML or JSON."""
    return _convert_policy(read_structured(path), str(path))


def _convert_policy(content: Any, name: str) -> Policy:
    """A policy; raises InvalidArgument for an unknown field, with the nearest name."""
    if not isinstance(content, dict):
        raise InvalidArgument(
            f"{name} {kind_of(content)}.", hint=f"A policy takes: {', '.join(Policy.__struct_fields__)}.", field=name
        )
    kinds: dict[str, type[ToolPolicy] | type[ResourcePolicy]] = {"tools": ToolPolicy, "resources": ResourcePolicy}
    made = {
        section: {key: _convert_part(part, kinds[section], f"{name}, [{section}.{key}]") for key, part in given.items()}
        if section in kinds and isinstance(given, dict)
        else given
        for section, given in content.items()
    }
    return _convert_part(made, Policy, name)


def _convert_part(given: Any, kind: type[S], place: str) -> S:
    if not isinstance(given, dict):
        raise InvalidArgument(f"{place} is no table of fields.", hint=f"It takes: {', '.join(kind.__struct_fields__)}.")
    try:
        return convert(given, kind, place)
    except InvalidArgument as error:
        message = error.message.replace("There is no argument", "there is no field")
        raise InvalidArgument(
            f"{place}: {message}", hint=error.hint, field=error.field, allowed=error.allowed
        ) from None


def load_registry(names: Iterable[str] = (), *, mcp: str = "", policy: str = "") -> tuple[ToolRegistry, list[str]]:
    """The tools of a command: `shell` and `http`, those of Python files and modules, of the servers in a file of MCP
    servers, and of installed packages; and what is wrong with installed packages."""
    rules = load_policy(policy) if policy else Policy()
    registry = ToolRegistry([*_built_in(rules), *load_tools(names), *_of_servers(mcp)], rules)
    warnings = add_installed_tools(registry)
    registry.check_policy()
    return registry, warnings


def load_closed_registry(names: Iterable[str] = (), *, mcp: str = "", policy: str = "") -> ToolRegistry:
    """The tools of a server or a worker, which carries out what others ask for: those that its operator names. `shell`
    and `http` are among them if the policy lists what they may call."""
    rules = (load_policy(policy) if policy else Policy()).closed()
    named = {"shell": rules.shell.only, "http": rules.http.only}
    built_in = [tool for tool in _built_in(rules) if named[tool.name] is not None]
    registry = ToolRegistry([*built_in, *load_tools(names), *_of_servers(mcp)], rules, is_closed=True)
    registry.check_policy()
    return registry


def _built_in(rules: Policy) -> list[RunnerTool]:
    from tallystick.runner.tools.http import http_tool  # they know this module
    from tallystick.runner.tools.shell import shell_tool

    shell = shell_tool(only=rules.shell.only, lines=rules.shell.lines, variables=rules.shell.env)
    return [shell, http_tool(allow=rules.http.allow, only=rules.http.only)]


def _of_servers(mcp: str) -> list[RunnerTool]:
    from tallystick.runner.tools.mcp import load_mcp_tools  # it knows this module

    return load_mcp_tools(mcp) if mcp else []


def load_tools(names: Iterable[str]) -> list[RunnerTool]:
    """The tools of Python files (`tools.py`) and modules (`package.module`), or one function (`module:name`)."""
    return [replace(tool_of(found), source=name) for name in names for found in _load(name)]


def _load(name: str) -> list[Any]:
    source, _, wanted = name.partition(":") if not name.endswith(".py") else (name, "", "")
    try:
        module = _import_file(source) if source.endswith(".py") else import_module(source)
    except (Exception, SystemExit) as error:  # a file of the user: anything may go wrong in it
        raise InvalidArgument(
            f"The tools of {name} cannot be loaded: {type(error).__name__}: {error}{_place_of(error, source)}.",
            hint="Give a file such as tools.py, or a module, that Python can load.",
            field="tools",
        ) from None
    if wanted:
        if not hasattr(module, wanted):
            raise InvalidArgument(f'{source} has no "{wanted}".', hint="Name a function of it.", field="tools")
        return [getattr(module, wanted)]
    found = [value for value in vars(module).values() if hasattr(value, ATTRIBUTE) or isinstance(value, RunnerTool)]
    if not found:
        raise InvalidArgument(f"{name} has no tools.", hint="Put @tool above its functions.", field="tools")
    return found


def _place_of(error: BaseException, source: str) -> str:
    """The line of a file that an error comes from, in parentheses."""
    lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == str(Path(source).resolve())]
    return f" ({source}, line {lines[-1]})" if lines else ""


def _import_file(path: str) -> Any:
    """Load a Python file as a module; its folder can be imported from, as when Python runs it."""
    file = Path(path).resolve()
    name = f"tallystick_tools_{file.stem}"
    spec = util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None or not file.exists():
        raise ImportError(f"there is no file {path}")
    if str(file.parent) not in sys.path:
        sys.path.insert(0, str(file.parent))
    module = util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def add_installed_tools(registry: ToolRegistry) -> list[str]:
    """Add the tools of installed packages (entry points `tallystick.tools`); returns what is wrong with the others.

    A tool that the registry has already takes precedence. Of two packages with a tool of one name, neither is used.
    """
    found: dict[str, dict[str, RunnerTool]] = {}
    warnings: list[str] = []
    for point in entry_points(group=ENTRY_POINTS):
        package = point.dist.name if point.dist else point.name
        try:
            for each in _installed_tools(point):
                found.setdefault(each.name, {})[package] = replace(each, source=package)
        except (Exception, SystemExit) as error:  # a fault of a plug-in is not a fault of ours
            problem = f"{type(error).__name__}: {error}"
            warnings.append(f"The tools of the package {package} ({point.name}) cannot be loaded: {problem}")
    for name, tools in found.items():
        packages = " and ".join(sorted(tools))
        if name in BUILT_IN:
            warnings.append(f'The tool "{name}" of the package {packages} is not used: one of this name is built in.')
        elif len(tools) > 1 and name not in registry:
            fix = f"Uninstall one of them, or name a function of this name: --tools MODULE:{name}."
            warnings.append(f'The tool "{name}" is not used: the packages {packages} both have one. {fix}')
        elif name not in registry:
            registry.add(*tools.values())
    return warnings


def _installed_tools(point: EntryPoint) -> list[RunnerTool]:
    """The tools of an entry point: one, a list of them, or a function that returns such."""
    loaded = point.load()
    values = loaded() if callable(loaded) and not hasattr(loaded, ATTRIBUTE) else loaded
    made = ToolRegistry(values if isinstance(values, list | tuple) else [values])  # checks their names
    return list(made)
