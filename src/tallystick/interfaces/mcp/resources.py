"""The journal as resources: read-only mirrors of what `query_ledger` answers, and a guide.

journal://guide                     how to record well
journal://brief                     how things stand
journal://approvals                 questions to people, and their answers
journal://context/{scope}           what is remembered: project, task or execution
journal://executions/{id}           one execution whole: plan against actual
journal://executions/{id}/journal   its entries, the newest first
journal://executions/{id}/owed      what it has not undone, in the order to undo it
"""

import os
import re
from typing import Any, get_args

import msgspec

from tallystick import operations
from tallystick.core.types import Scope
from tallystick.interfaces.mcp.query import query
from tallystick.interfaces.mcp.responses import printable, word
from tallystick.interfaces.mcp.sessions import Calling
from tallystick.operations.views.brief_text import clip

SCHEME = "journal://"
GUIDE = SCHEME + "guide"
LISTED = 20
"""How many executions are listed, the newest; any can be read."""
SCOPES: tuple[str, ...] = get_args(Scope)

_ONE = re.compile(r"journal://executions/([A-Za-z0-9_]{1,64})(?:/(journal|owed))?")
_CONTEXT = re.compile(r"journal://context/([a-z]{1,20})")
_JSON, _MARKDOWN = "application/json", "text/markdown"


def _template(path: str, name: str, description: str) -> dict[str, Any]:
    return {"uriTemplate": SCHEME + path, "name": name, "description": description, "mimeType": _JSON}


TEMPLATES = [
    _template("executions/{id}", "execution", "One execution whole: plan against actual."),
    _template("executions/{id}/journal", "execution_journal", "The entries of an execution, the newest first."),
    _template("executions/{id}/owed", "execution_owed", "What an execution has not undone, in the order to undo it."),
    _template("context/{scope}", "context", "What is remembered in a scope: project, task or execution."),
]


def listed(calling: Calling) -> list[dict[str, Any]]:
    """What there is to read now."""
    fixed = [
        ("guide", "guide", "How to record well, with examples.", _MARKDOWN),
        ("brief", "brief", "How things stand now.", _JSON),
        ("approvals", "approvals", "Questions to people, and their answers.", _JSON),
        ("context/project", "context", "What is remembered for this project.", _JSON),
    ]
    found = [
        {"uri": SCHEME + path, "name": name, "description": description, "mimeType": kind}
        for path, name, description, kind in fixed
    ]
    for execution in calling.call(operations.CATALOGUE["list_executions"], {"limit": LISTED}).executions:
        uri = f"{SCHEME}executions/{execution.id}"
        title = f"{execution.status} {word(clip(execution.title, 100))}"
        found.append({"uri": uri, "name": execution.id, "description": title, "mimeType": _JSON})
    return found


def read(calling: Calling, uri: str) -> dict[str, Any] | None:
    """The content at a URI, bounded like any answer; None when there is no such resource."""
    if uri == GUIDE:
        return {"uri": uri, "mimeType": _MARKDOWN, "text": guide()}
    asked = _asked(calling, uri)
    if asked is None:
        return None
    content = query(calling, {**asked, "detail": "detailed"}).content
    return {"uri": uri, "mimeType": _JSON, "text": printable(msgspec.json.encode(content).decode())}


def is_one(uri: str) -> bool:
    """Whether a URI is of the kind that there are; an execution may still be to come."""
    if uri in (GUIDE, SCHEME + "brief", SCHEME + "approvals"):
        return True
    found = _CONTEXT.fullmatch(uri)
    return found[1] in SCOPES if found else _ONE.fullmatch(uri) is not None


def guide() -> str:
    with open(os.path.join(os.path.dirname(__file__), "guide.md"), encoding="utf-8") as file:
        return file.read()


def _asked(calling: Calling, uri: str) -> dict[str, Any] | None:
    """The query that a URI stands for."""
    if uri in (SCHEME + "brief", SCHEME + "approvals"):
        return {"view": uri.removeprefix(SCHEME)}
    if found := _CONTEXT.fullmatch(uri):
        return {"view": "context", "filter": f"scope:{found[1]}"} if found[1] in SCOPES else None
    if found := _ONE.fullmatch(uri):
        if not _exists(calling, found[1]):
            return None
        return {"view": found[2] or "status", "execution_id": found[1]}
    return None


def _exists(calling: Calling, execution: str) -> bool:
    from tallystick.core.errors import UnknownHandle

    try:
        calling.call(operations.CATALOGUE["get_status"], {"execution_id": execution, "limit": 1})
    except UnknownHandle:
        return False
    return True


def touched(entry: Any) -> set[str]:
    """The resources that an entry changes."""
    found = {SCHEME + "brief"}
    if entry.execution_id:
        one = f"{SCHEME}executions/{entry.execution_id}"
        found |= {one, f"{one}/journal", f"{one}/owed"}
    if entry.kind.startswith("approval_"):
        found.add(SCHEME + "approvals")
    if entry.kind == "context_recorded":
        found.add(f"{SCHEME}context/{entry.facts.get('scope', 'project')}")
    return found


def relists(changed: set[str]) -> bool:
    """Whether the list of resources may be another after these changed: it names the newest executions."""
    return any(uri.startswith(f"{SCHEME}executions/") for uri in changed)


def completed(calling: Calling, params: dict[str, Any]) -> list[str]:
    """What an argument of a template or a prompt may be completed to."""
    argument = params.get("argument")
    name = argument.get("name") if isinstance(argument, dict) else None
    begun = argument.get("value") if isinstance(argument, dict) else None
    begun = begun if isinstance(begun, str) else ""
    if name == "scope":
        choices: list[str] = list(SCOPES)
    elif name in ("id", "execution_id"):
        choices = [each.id for each in calling.call(operations.CATALOGUE["list_executions"], {"limit": 100}).executions]
    else:
        choices = []
    return [choice for choice in choices if choice.startswith(begun)]
