"""The page of the MCP tools, and the parts of docs/mcp.md that the door itself says: all from its own definitions."""

from collections.abc import Iterator
from typing import Any, cast, get_args, get_type_hints

from tallystick import Journal
from tallystick.interfaces.mcp import legacy, prompts, query, resources
from tallystick.interfaces.mcp.responses import BRIEF_TOKENS, TOKENS
from tallystick.interfaces.mcp.server import McpServer, instructions
from tallystick.interfaces.mcp.sessions import CallInfo, OfProcess
from tallystick.interfaces.mcp.tools import PROFILES, SHOWN, Tool, tools
from tallystick.operations import CATALOGUE, Operation
from tallystick.protocol import HANDSHAKE_VERSIONS, MODERN_VERSIONS
from tallystick.sdk.local import Local
from tools import type_tables
from tools.reference_pages import WRITTEN

SESSION = "session_id"
ONE: dict[tuple[str, str], str] = {
    ("journal", "order"): "`newest` (default) or `oldest` first",
    ("journal", "action"): "that action, whole",
    ("journal", "status"): "actions in that state instead of entries, by `tool`, `actor`, `step`, `since` and so on",
    ("context", "key"): "that key, whole",
    ("approvals", "id"): "that approval, whole",
    ("plans", "id"): "that plan, whole",
}
"""Filters that `query_ledger` adds to those of the operation behind a view."""
SPELT = {"task_id": "task", "plan_id": "plan", "execution_id": "execution"}


def page() -> str:
    """docs/reference/tools.md."""
    parts = [
        "# Tools",
        WRITTEN,
        "What an agent is offered over MCP. [MCP](../mcp.md) explains how it goes together. A tool shows the arguments "
        f"that a model needs at once; the rest is accepted all the same. Every tool takes `{SESSION}` too. "
        "An answer has a structure and a short text that says the same.",
        *(_tool(tools()[name]) for name in PROFILES["all"]),
        "## Views of `query_ledger`",
        views(),
        "## Resources",
        _resources(),
        "## Prompts",
        _prompts(),
        "## Older names",
        *_older(),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _tool(tool: Tool) -> str:
    parts = [f"## `{tool.name}`", tool.description, "\n".join(type_tables.fields(tool.input_schema, meaning=True))]
    shown = SHOWN.get(tool.name)
    if shown:
        operation = CATALOGUE[tool.name]
        for name, inner in shown.within.items():
            parts.append(f"Each of `{name}`:")
            items = tool.input_schema["properties"][name]["items"]
            parts.append("\n".join(type_tables.fields(items, meaning=True)))
            parts.append(f"It also takes {_names(_left_of(operation, name, inner))}.")
        more = [name for name in operation.arguments.__struct_fields__ if name not in shown.arguments]
        also = f" Also accepted: {_names(more)}." if more else ""
        parts.append(f"The operation is [`{tool.name}`](operations.md#{tool.name}).{also}")
    answered = [*tool.output_schema["properties"]]
    parts.append(f"Answers with {_names(answered)}{'' if shown else ', and what the view has'}.")
    hints = tool.listed()["annotations"]
    parts.append("Annotations: " + ", ".join(f"`{name}` {str(value).lower()}" for name, value in hints.items()) + ".")
    return "\n\n".join(parts)


def _left_of(operation: Operation[..., Any], name: str, shown: tuple[str, ...]) -> list[str]:
    """The fields of the structs in a list that the schema leaves out."""
    struct = get_args(get_type_hints(operation.arguments)[name])[0]
    return [field for field in struct.__struct_fields__ if field not in shown]


def views() -> str:
    """Each view: what it tells, and what it can be narrowed by."""
    rows = ["| view | tells | filters |", "|---|---|---|"]
    for view in query.VIEWS:
        first = " ".join(_of_view(view).doc.split()).partition(". ")[0].rstrip(".")
        rows.append(f"| `{view}` | {first}. | {', '.join(f'`{each}`' for each in query.filters_of(view))} |")
    more = [f"- `{name}` of `{view}`: {about}" for (view, name), about in ONE.items()]
    spelt = ", ".join(f"`{long}` as `{short}`" for long, short in SPELT.items())
    return "\n".join([*rows, "", *more, f"- Filters may be shortened: {spelt}"])


def _of_view(view: str) -> Operation[..., Any]:
    return next(CATALOGUE[name] for name in sorted(CATALOGUE) if CATALOGUE[name].view == view)


def _resources() -> str:
    rows = ["| URI | holds |", "|---|---|"]
    rows += [f"| `{each['uri']}` | {each['description']} |" for each in _listed_in_an_empty_journal()]
    rows += [f"| `{each['uriTemplate']}` | {each['description']} |" for each in resources.TEMPLATES]
    return "\n".join(rows)


def _listed_in_an_empty_journal() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = _answered("resources/list", {})["resources"]
    return found


def _answered(method: str, params: dict[str, Any]) -> dict[str, Any]:
    """What the door itself answers, over an empty journal."""
    with Journal.open("memory:", journal="empty") as journal:
        caller = cast(Local, journal.caller)
        return McpServer(OfProcess(caller, {})).answer(method, params, CallInfo())


def _prompts() -> str:
    rows = ["| prompt | for | arguments |", "|---|---|---|"]
    for each in prompts.listed():
        arguments = [f"`{one['name']}`{' (required)' if one['required'] else ''}" for one in each["arguments"]]
        rows.append(f"| `{each['name']}` | {each['description']} | {', '.join(arguments)} |")
    return "\n".join(rows)


def _older() -> Iterator[str]:
    """The names of the earlier designs."""
    yield "They answer when they are called, in camelCase too; `--tools=classic` lists them."
    rows = ["| name | does | arguments |", "|---|---|---|"]
    for tool in legacy.listed():
        arguments = ", ".join(f"`{name}`" for name in tool.input_schema.get("properties", {}))
        rows.append(f"| `{tool.name}` | {tool.description} | {arguments} |")
    if len(rows) > 2:
        yield "\n".join(rows)


def told(profile: str) -> str:
    """What an agent is told at the start, word for word."""
    return f"```text\n{instructions(profile)}\n```"


def bounds() -> str:
    """How much an answer may hold."""
    rows = ["| answer | tokens at most |", "|---|---|", f"| the brief, `detail=concise` | {BRIEF_TOKENS:,} |"]
    rows += [f"| anything else, `detail={detail}` | {most:,} |" for detail, most in TOKENS.items()]
    return "\n".join(rows)


def refusal() -> str:
    """What a wrong argument is answered with."""
    params = {"name": query.NAME, "arguments": {"view": "nope"}}
    return f"```text\n{_answered('tools/call', params)['content'][0]['text']}\n```"


def older_names() -> str:
    """The names of the earlier designs that answer."""
    return f"{_names([tool.name for tool in legacy.listed()])}."


def versions() -> str:
    """The versions of the protocol that are spoken."""
    return (
        f"- With a handshake (`initialize`): {', '.join(HANDSHAKE_VERSIONS)}.\n"
        f"- Stateless, each request for itself (`server/discover`): {', '.join(MODERN_VERSIONS)}."
    )


def _names(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
