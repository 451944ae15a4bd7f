"""The journal as MCP resources: read-only copies of what `query_ledger` returns, and a guide.

journal://guide                     how to record well
journal://brief                     the brief: open work, in doubt, owed, next step
journal://approvals                 questions to people, and their answers
journal://context/{scope}           what is remembered: project, task or execution
journal://executions/{id}           one execution whole: plan against actual
journal://executions/{id}/journal   its entries, the newest first
journal://executions/{id}/undo_list what it has not undone, in the order to undo it
journal://executions/{id}/owed      what of that somebody still has to undo
"""

import os
import re
from typing import Any, get_args

import msgspec

from tallystick import operations
from tallystick.core.formats.visible import escape_json
from tallystick.core.types import Scope
from tallystick.interfaces.mcp.query import query
from tallystick.interfaces.mcp.responses import format_value
from tallystick.interfaces.mcp.sessions import RequestCaller
from tallystick.operations.views.brief_text import clip

SCHEME = "journal://"
GUIDE = SCHEME + "guide"
LISTED_EXECUTIONS = 20
"""How many executions are listed, newest first; any other can be read too."""
SCOPES: tuple[str, ...] = get_args(Scope)

_EXECUTION = re.compile(r"journal://executions/([A-Za-z0-9_]{1,64})(?:/(journal|undo_list|owed))?")
_CONTEXT = re.compile(r"journal://context/([a-z]{1,20})")
_JSON, _MARKDOWN = "application/json", "text/markdown"


def _template(path: str, name: str, description: str) -> dict[str, Any]:
    return {"uriTemplate": SCHEME + path, "name": name, "description": description, "mimeType": _JSON}


TEMPLATES = [
    _template("executions/{id}", "execution", "One execution whole: plan against actual."),
    _template("executions/{id}/journal", "execution_journal", "The entries of an execution, the newest first."),
    _template(
        "executions/{id}/undo_list",
        "execution_undo_list",
        "The actions that an execution has not undone, in the order to undo them.",
    ),
    _template("executions/{id}/owed", "execution_owed", "What somebody still has to undo of an execution."),
    _template("context/{scope}", "context", "The context of a scope: project, task or execution."),
]


def list_resources(caller: RequestCaller) -> list[dict[str, Any]]:
    """The fixed resources and the newest executions, as resources/list returns them."""
    fixed = [
        ("guide", "guide", "How to record well, with examples.", _MARKDOWN),
        ("brief", "brief", "How things stand now.", _JSON),
        ("approvals", "approvals", "Questions to people, and their answers.", _JSON),
        ("context/project", "context", "The context of this project.", _JSON),
    ]
    resources = [
        {"uri": SCHEME + path, "name": name, "description": description, "mimeType": kind}
        for path, name, description, kind in fixed
    ]
    for execution in caller.call(operations.CATALOGUE["list_executions"], {"limit": LISTED_EXECUTIONS}).executions:
        uri = f"{SCHEME}executions/{execution.id}"
        title = f"{execution.status} {format_value(clip(execution.title, 100))}"
        resources.append({"uri": uri, "name": execution.id, "description": title, "mimeType": _JSON})
    return resources


def read_resource(caller: RequestCaller, uri: str) -> dict[str, Any] | None:
    """The content at a URI, with the limits of any response; None when there is no such resource."""
    if uri == GUIDE:
        return {"uri": uri, "mimeType": _MARKDOWN, "text": read_guide()}
    arguments = _query_for(caller, uri)
    if arguments is None:
        return None
    content = query(caller, {**arguments, "detail": "detailed"}).content
    return {"uri": uri, "mimeType": _JSON, "text": escape_json(msgspec.json.encode(content).decode())}


def is_resource(uri: str) -> bool:
    """Whether a URI has the form of a resource. Its execution need not exist yet."""
    if uri in (GUIDE, SCHEME + "brief", SCHEME + "approvals"):
        return True
    context = _CONTEXT.fullmatch(uri)
    return context[1] in SCOPES if context else _EXECUTION.fullmatch(uri) is not None


def read_guide() -> str:
    with open(os.path.join(os.path.dirname(__file__), "guide.md"), encoding="utf-8") as file:
        return file.read()


def _query_for(caller: RequestCaller, uri: str) -> dict[str, Any] | None:
    """The query that a URI stands for."""
    if uri in (SCHEME + "brief", SCHEME + "approvals"):
        return {"view": uri.removeprefix(SCHEME)}
    if match := _CONTEXT.fullmatch(uri):
        return {"view": "context", "filter": f"scope:{match[1]}"} if match[1] in SCOPES else None
    if match := _EXECUTION.fullmatch(uri):
        if not _has_execution(caller, match[1]):
            return None
        return {"view": match[2] or "status", "execution_id": match[1]}
    return None


def _has_execution(caller: RequestCaller, execution: str) -> bool:
    from tallystick.core.errors import UnknownHandle

    try:
        caller.call(operations.CATALOGUE["get_status"], {"execution_id": execution, "limit": 1})
    except UnknownHandle:
        return False
    return True


def execution_uris(execution_id: str) -> set[str]:
    """The URIs of the resources of one execution."""
    uri = f"{SCHEME}executions/{execution_id}"
    return {uri, f"{uri}/journal", f"{uri}/undo_list", f"{uri}/owed"}


def changed_resources(entry: Any) -> set[str]:
    """The URIs of the resources that an entry changes."""
    uris = {SCHEME + "brief"}
    if entry.execution_id:
        uris |= execution_uris(entry.execution_id)
    if entry.kind.startswith("approval_"):
        uris.add(SCHEME + "approvals")
    if entry.kind == "context_recorded":
        uris.add(f"{SCHEME}context/{entry.facts.get('scope', 'project')}")
    return uris


def changes_list(uris: set[str]) -> bool:
    """Whether a change of these resources may change the list of resources, which names the newest executions."""
    return any(uri.startswith(f"{SCHEME}executions/") for uri in uris)


def complete_argument(caller: RequestCaller, params: dict[str, Any]) -> list[str]:
    """The values to which an argument of a template or a prompt can be completed."""
    argument = params.get("argument")
    name = argument.get("name") if isinstance(argument, dict) else None
    prefix = argument.get("value") if isinstance(argument, dict) else None
    prefix = prefix if isinstance(prefix, str) else ""
    values: list[str] = []
    if name == "scope":
        values = list(SCOPES)
    elif name in ("id", "execution_id"):
        values = [each.id for each in caller.call(operations.CATALOGUE["list_executions"], {"limit": 100}).executions]
    return [value for value in values if value.startswith(prefix)]
