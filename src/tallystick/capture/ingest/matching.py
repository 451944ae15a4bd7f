"""Which action a call is: by the client's id of it, else the oldest open one that fits.

All that is needed for it stands in the journal: the actions that the session has open. An id is not always what it
seems: some models count their calls anew in each conversation, or with each answer.
"""

import re
from typing import Any, get_args

from msgspec import Struct, json

from tallystick.capture.clients.events import CallEnded
from tallystick.capture.hook.event import is_own_server
from tallystick.core.entries import ActionBegun
from tallystick.core.formats.fast_json import dump
from tallystick.core.state import Action, Session
from tallystick.core.tools import is_gateway_tool, same_tool
from tallystick.core.types import Choice, Phase
from tallystick.operations import CATALOGUE
from tallystick.operations.runtime.correlation import action_of_call, is_client_id
from tallystick.operations.runtime.session_lifecycle import UNSETTLED
from tallystick.store.interface import Select, View, WhereValue

MASKED = b"[masked:"
MANY = 1000
"""How many unsettled actions of a session are looked at."""
PASSED = 64
"""How many actions of a session are looked at for those that went through the gateway, the newest first."""
LOOKED_AT = 20
"""How many actions of a session are looked at to see whether its client gives ids."""


def unsettled_actions(view: View, session: str, actor: str) -> list[Action]:
    """The actions of one agent in a session of which nobody has said what came, the oldest first."""
    where: dict[str, WhereValue] = {"state": UNSETTLED, "session": session}
    found = view.find(Action, Select(where=where, newest_first=False, limit=MANY))
    return [action for action in found if action.actor == actor]


def action_by_id(view: View, id: str, session: str, tool: str) -> Action | None:
    """The action of an id, if it can be this session's and this tool's."""
    found = action_of_call(view, id)
    if found is None or not _may_name(found, tool):
        return None
    theirs, mine = view.get(Session, found.session), view.get(Session, session)
    is_another = theirs and mine and theirs.session_kind == "client" and theirs.name != mine.name
    return None if is_another else found


def _may_name(action: Action, tool: str) -> bool:
    named = action.tool
    return (
        not named
        or same_tool(tool, named)
        or _is_same_tool(tool, named)
        or (bool(action.gateway_session) and is_gateway_tool(tool, named, action.shown_as))
    )


def ended_before(view: View, action: Action, seen_at: str) -> bool:
    """Whether a hook had seen it end before that time: what begins then under its id is another call."""
    body = view.bodies([action.end_seq]).get(action.end_seq) if action.end_seq else None
    ended = json.decode(body).get("seen_at", "") if body else ""
    return bool(ended) and seen_at > ended


def may_be_late_begin(view: View, action: Action, effect_key: str) -> bool:
    """Whether its begin was made from its end, and a call of that effect may be its real begin, told behind it."""
    bodies = view.bodies([action.seq, action.end_seq]) if action.end_seq else {}
    seen = {json.decode(body).get("seen_at", "") for body in bodies.values()}
    return len(bodies) == 2 and len(seen) == 1 and seen != {""} and action.effect_key == effect_key


class EffectKeys(Struct, frozen=True):
    """What a call without an id is known by: its effect, and that which is left of it when secrets are masked. Before a
    hook has the journal's key, the second is all that a begin can tell; empty where there is nothing to mask."""

    effect: str
    veiled: str = ""


def calls_through_gateway(view: View, session: str, actor: str, tool: str, keys: EffectKeys) -> list[Action]:
    """The calls without an id that went through the gateway after this hook saw them begin, and of whose end it has not
    told yet; first those that the gateway saw end, in that order. The gateway has put its own name and effect there:
    what the hook saw stands in the begin."""
    rows = view.find(Action, Select(where={"session": session}, limit=PASSED))
    waiting = [
        row
        for row in rows
        if row.gateway_session and row.hook_session == session and not row.hook_saw_end and row.actor == actor
    ]
    begun = [(row, _begun_as(view, row)) for row in waiting if not is_client_id(row.call)]
    exact = [row for row, seen in begun if seen == (tool, keys.effect)]
    found = exact or [row for row, seen in begun if keys.veiled and seen == (tool, keys.veiled)]
    return sorted(found, key=lambda row: (not row.end_seq, row.end_seq, row.seq))


def _begun_as(view: View, action: Action) -> tuple[str, str]:
    begun = view.entry(action.seq)
    return (begun.facts.tool, begun.facts.effect_key) if begun and isinstance(begun.facts, ActionBegun) else ("", "")


def action_of_same_effect(view: View, session: str, actor: str, tool: str, effect_key: str) -> Action | None:
    """The action without an id that has the very same effect; the first of those that are open, if there are any."""
    exact = [
        action for action in _nameless(view, session, actor, tool) if effect_key and action.effect_key == effect_key
    ]
    return min(exact, key=lambda action: UNSETTLED.index(action.state), default=None)


def actions_without_id(
    view: View, session: str, actor: str, tool: str, arguments: dict[str, Any], keys: EffectKeys
) -> list[Action]:
    """The action without an id that a call is: the same effect, else fitting arguments, else the only one if nothing
    speaks against it. Where there are several, nobody can tell which of them it is.

    A client may tell fewer arguments at the end than at the begin. One that tells others tells of another call, whose
    begin was lost: an end that is taken for the wrong call's would call undone work done. An end may also come late,
    when the session was over already and what it had open is in doubt. Calls that are the same in all are taken in
    order; those that may differ in what was masked are not.
    """
    nameless = _nameless(view, session, actor, tool)
    exact = [action for action in nameless if keys.effect and action.effect_key == keys.effect]
    if exact and (keys.effect != keys.veiled or len(exact) == 1):
        return [min(exact, key=lambda action: UNSETTLED.index(action.state))]
    veiled = [action for action in nameless if keys.veiled and action.effect_key == keys.veiled]
    if len(veiled) > 1 or (veiled and veiled[0].state != "unknown"):
        return veiled  # any of them, though an end was told of one already
    running = [action for action in nameless if action.state != "unknown"]
    return _fitting(view, running or (nameless if len(nameless) > 1 and not arguments else []), arguments)


def _nameless(view: View, session: str, actor: str, tool: str) -> list[Action]:
    return [
        action
        for action in unsettled_actions(view, session, actor)
        if not action.call and _is_same_tool(action.tool, tool)
    ]


def is_masked(arguments: dict[str, Any]) -> bool:
    """Whether something of a call's arguments was a secret."""
    return MASKED in json.encode(arguments)


def is_settled(action: Action) -> bool:
    return action.state not in UNSETTLED


def client_gives_ids(view: View, session: str) -> bool:
    """Whether the client of a session tells its calls with ids: then what it tells without one, it tells twice."""
    return any(action.call for action in view.find(Action, Select(where={"session": session}, limit=LOOKED_AT)))


def _fitting(view: View, actions: list[Action], arguments: dict[str, Any]) -> list[Action]:
    """Those whose arguments are the same, as far as both name them; of equal ones the first. Where there is only one
    action, they need name none in common."""
    bodies = view.bodies([action.seq for action in actions]) if actions else {}
    begun = {action.id: json.decode(bodies.get(action.seq, "{}")).get("arguments") or {} for action in actions}
    found = []
    for action in actions:
        both = begun[action.id].keys() & arguments.keys()
        told_apart = len(actions) > 1 and not both and begun[action.id] and arguments
        if not told_apart and all(begun[action.id][name] == arguments[name] for name in both):
            found.append(action)
    alike = all(begun[action.id] == begun[found[0].id] for action in found)
    return found[:1] if alike and not is_masked(arguments) else found


def _is_same_tool(one: str, other: str) -> bool:
    return one == other or _bare(one) == _bare(other) != ""


def _bare(tool: str) -> str:
    """An MCP tool without its server: Cursor names the server in one event, and not in the other."""
    if tool.startswith("MCP:"):
        return tool.removeprefix("MCP:")
    parts = tool.split("__", 2)
    return parts[2] if len(parts) == 3 and parts[0] == "mcp" else ""


# ----------------------------------------------------------------------------------------------------------------------
# The journal's own tools, as hooks see their calls: they are no work in the world.

OURS: dict[str, dict[str, tuple[str, ...]]] = {
    "record_plan": {"title": (), "steps": ()},
    "record_execution_start": {},
    "record_action": {"phase": get_args(Phase)},
    "record_decision": {"decision": get_args(Choice)},
    "record_context": {},
    "query_ledger": {},
}
"""Them, and what each has to be told that no other server's tool of that name is likely to be told, with the values
that it may have. Of those that need nothing of the kind, nobody can tell that they are ours."""
QUERIED = frozenset(("view", "execution_id", "q", "filter", "detail", "limit", "cursor"))
SERVERLESS = "MCP:"
"""How Cursor begins the name of a tool of any server."""


def is_own_tool(tool: str, arguments: dict[str, Any]) -> bool:
    """Whether it is a tool of the journal itself. Whoever has set up the server may have given it another name: then it
    is ours if it is told what only ours is told. Cursor names no server: there it must not be told anything else."""
    parts = tool.split("__", 2)
    if len(parts) == 3 and parts[0] == "mcp" and is_own_server(parts[1]):
        return parts[2] in OURS
    if tool.startswith(SERVERLESS):
        name = tool.removeprefix(SERVERLESS)
        return name in OURS and _fits(name, arguments)
    name = parts[-1] if parts[0] == "mcp" else next((each for each in OURS if tool.endswith(f"-{each}")), "")
    needed = OURS.get(name, {})
    return bool(needed) and _fits(name, arguments) and all(_is_told(arguments, *each) for each in needed.items())


def _fits(name: str, arguments: dict[str, Any]) -> bool:
    taken = QUERIED if name not in CATALOGUE else CATALOGUE[name].arguments.__struct_fields__
    return all(each in taken for each in arguments)


def _is_told(arguments: dict[str, Any], name: str, values: tuple[str, ...]) -> bool:
    return name in arguments and (not values or arguments[name] in values)


# ----------------------------------------------------------------------------------------------------------------------
# Which execution a call of the journal's own tools is about, as a hook sees it: its arguments tell, or its result.

READING = "query_ledger"
"""Who only reads works on nothing."""
_EXECUTION = re.compile(r"\bex_[a-z][0-9a-z]{3,15}\b")
_LOOKED_AT = 20_000
"""Characters of a result: what our tools answer is shorter."""


def execution_of_own_call(fact: CallEnded) -> str:
    """The execution that a call has opened or moved; empty where none, or more than one, is named."""
    if fact.outcome != "ok" or fact.tool.endswith(READING):
        return ""
    said = fact.arguments.get("execution_id")
    return said if isinstance(said, str) else _only(fact.result)


def _only(result: Any) -> str:
    try:
        found = set(_EXECUTION.findall(dump(result)[:_LOOKED_AT]))
    except (TypeError, ValueError, RecursionError):
        return ""
    return found.pop() if len(found) == 1 else ""
