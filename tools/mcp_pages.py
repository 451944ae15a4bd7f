"""Generates docs/reference/tools.md and parts of docs/mcp.md from the definitions of the MCP server."""

from collections.abc import Iterator
from typing import Any, cast, get_args, get_type_hints

from tallystick import Journal
from tallystick.interfaces.mcp import legacy, prompts, query, resources
from tallystick.interfaces.mcp.responses import BRIEF_TOKENS, TOKENS
from tallystick.interfaces.mcp.server import McpServer, instructions
from tallystick.interfaces.mcp.sessions import CallInfo, ProcessSessions
from tallystick.interfaces.mcp.tools import PROFILES, SHOWN_ARGUMENTS, Tool, tools
from tallystick.operations import CATALOGUE, Operation
from tallystick.protocol import HANDSHAKE_VERSIONS, MODERN_VERSIONS
from tallystick.sdk.local import Local
from tools import type_tables
from tools.reference_pages import GENERATED_NOTE

SESSION = "session_id"
ADDED_FILTERS: dict[tuple[str, str], str] = {
    ("journal", "order"): "`newest` (default) or `oldest` first",
    ("journal", "action"): "that action, whole",
    ("journal", "status"): "actions in that state instead of entries, by `tool`, `actor`, `step`, `since` and so on",
    ("context", "key"): "that key, whole",
    ("approvals", "id"): "that approval, whole",
    ("plans", "id"): "that plan, whole",
}
"""Filters that `query_ledger` adds to those of the operation behind a view."""
SHORT_FILTERS = {"task_id": "task", "plan_id": "plan", "execution_id": "execution"}


def page() -> str:
    """docs/reference/tools.md."""
    parts = [
        "# Tools",
        GENERATED_NOTE,
        "The tools, resources and prompts of the MCP server. [MCP](../mcp.md) shows how to use them. The schema of a "
        "tool shows the arguments that a model needs at once; its other arguments are accepted too. Every tool also "
        f"takes `{SESSION}`. A response has a structure and a short text with the same content.",
        *(_tool(tools()[name]) for name in PROFILES["all"]),
        "## Views of `query_ledger`",
        views(),
        "## Resources",
        _resources(),
        "## Prompts",
        _prompts(),
        "## Older names",
        *_legacy_tools(),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _tool(tool: Tool) -> str:
    parts = [f"## `{tool.name}`", tool.description, "\n".join(type_tables.fields(tool.input_schema, meaning=True))]
    shown = SHOWN_ARGUMENTS.get(tool.name)
    if shown:
        operation = CATALOGUE[tool.name]
        for name, nested in shown.nested.items():
            parts.append(f"Each of `{name}`:")
            items = tool.input_schema["properties"][name]["items"]
            parts.append("\n".join(type_tables.fields(items, meaning=True)))
            parts.append(f"It also takes {_names(_hidden_fields(operation, name, nested))}.")
        more = [name for name in operation.arguments.__struct_fields__ if name not in shown.arguments]
        also = f" Also accepted: {_names(more)}." if more else ""
        parts.append(f"The operation is [`{tool.name}`](operations.md#{tool.name}).{also}")
    result = [*tool.output_schema["properties"]]
    parts.append(f"Returns {_names(result)}{'' if shown else ', and the fields of the view'}.")
    hints = tool.describe()["annotations"]
    parts.append("Annotations: " + ", ".join(f"`{name}` {str(value).lower()}" for name, value in hints.items()) + ".")
    return "\n\n".join(parts)


def _hidden_fields(operation: Operation[..., Any], name: str, shown: tuple[str, ...]) -> list[str]:
    """The fields of the structs in a list that the schema leaves out."""
    struct = get_args(get_type_hints(operation.arguments)[name])[0]
    return [field for field in struct.__struct_fields__ if field not in shown]


def views() -> str:
    """A table of the views: what each shows, and its filters."""
    rows = ["| view | shows | filters |", "|---|---|---|"]
    for view in query.VIEWS:
        first = " ".join(_operation_of(view).doc.split()).partition(". ")[0].rstrip(".")
        rows.append(f"| `{view}` | {first}. | {', '.join(f'`{each}`' for each in query.filter_names(view))} |")
    more = [f"- `{name}` of `{view}`: {about}" for (view, name), about in ADDED_FILTERS.items()]
    short_names = ", ".join(f"`{long}` as `{short}`" for long, short in SHORT_FILTERS.items())
    return "\n".join([*rows, "", *more, f"- Filters may be shortened: {short_names}"])


def _operation_of(view: str) -> Operation[..., Any]:
    return next(CATALOGUE[name] for name in sorted(CATALOGUE) if CATALOGUE[name].view == view)


def _resources() -> str:
    rows = ["| URI | holds |", "|---|---|"]
    rows += [f"| `{each['uri']}` | {each['description']} |" for each in _answer("resources/list", {})["resources"]]
    rows += [f"| `{each['uriTemplate']}` | {each['description']} |" for each in resources.TEMPLATES]
    return "\n".join(rows)


def _answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    """The result of a request to a server of an empty journal."""
    with Journal.open("memory:", journal="empty") as journal:
        caller = cast(Local, journal.caller)
        return McpServer(ProcessSessions(caller, {})).answer(method, params, CallInfo())


def _prompts() -> str:
    rows = ["| prompt | for | arguments |", "|---|---|---|"]
    for each in prompts.list_prompts():
        arguments = [f"`{one['name']}`{' (required)' if one['required'] else ''}" for one in each["arguments"]]
        rows.append(f"| `{each['name']}` | {each['description']} | {', '.join(arguments)} |")
    return "\n".join(rows)


def _legacy_tools() -> Iterator[str]:
    """A table of the tools of the earlier designs."""
    yield "They can always be called, in camelCase too; `--tools=classic` lists them."
    rows = ["| name | does | arguments |", "|---|---|---|"]
    for tool in legacy.all_tools().values():
        arguments = ", ".join(f"`{name}`" for name in tool.input_schema.get("properties", {}))
        rows.append(f"| `{tool.name}` | {tool.description} | {arguments} |")
    if len(rows) > 2:
        yield "\n".join(rows)


def instructions_block(profile: str) -> str:
    """The instructions of a profile, word for word."""
    return f"```text\n{instructions(profile)}\n```"


def limits() -> str:
    """A table of the most tokens that a response may have."""
    rows = ["| response | tokens at most |", "|---|---|", f"| the brief, `detail=concise` | {BRIEF_TOKENS:,} |"]
    rows += [f"| anything else, `detail={detail}` | {tokens:,} |" for detail, tokens in TOKENS.items()]
    return "\n".join(rows)


def error_example() -> str:
    """The text of the error for a wrong argument."""
    params = {"name": query.NAME, "arguments": {"view": "nope"}}
    return f"```text\n{_answer('tools/call', params)['content'][0]['text']}\n```"


def legacy_names() -> str:
    """The names of the tools of the earlier designs."""
    return f"{_names([tool.name for tool in legacy.all_tools().values()])}."


def versions() -> str:
    """The supported versions of the protocol."""
    return (
        f"- With a handshake (`initialize`): {', '.join(HANDSHAKE_VERSIONS)}.\n"
        f"- No session, each request is independent (`server/discover`): {', '.join(MODERN_VERSIONS)}."
    )


def _names(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
