"""Which action a call is: by the client's id of it, else the oldest open one that fits.

All that is needed for it stands in the journal: the actions that the session has open. An id is not always what it
seems: some models count their calls anew in each conversation, or with each answer.
"""

from typing import Any

from msgspec import json

from tallystick.core.fitting import same_tool
from tallystick.core.state import Action, Session
from tallystick.operations.joining import action_of_call
from tallystick.operations.presence import UNSETTLED
from tallystick.store.port import Select, View, Wanted

MANY = 1000
"""How many unsettled actions of a session are looked at."""
LOOKED_AT = 20
"""How many actions of a session are looked at to see whether its client gives ids."""


def unsettled(view: View, session: str, actor: str) -> list[Action]:
    """The actions of one agent in a session of which nobody has said what came, the oldest first."""
    where: dict[str, Wanted] = {"state": UNSETTLED, "session": session}
    found = view.find(Action, Select(where=where, newest_first=False, limit=MANY))
    return [action for action in found if action.actor == actor]


def by_id(view: View, id: str, session: str, tool: str) -> Action | None:
    """The action of an id, if it can be this session's and this tool's."""
    found = action_of_call(view, id)
    if found is None or (found.tool and not (same_tool(tool, found.tool) or _is_same_tool(tool, found.tool))):
        return None
    theirs, mine = view.get(Session, found.session), view.get(Session, session)
    is_another = theirs and mine and theirs.session_kind == "client" and theirs.name != mine.name
    return None if is_another else found


def was_over_by(view: View, action: Action, seen_at: str) -> bool:
    """Whether a hook had seen it end before that time: what begins then under its id is another call."""
    body = view.bodies([action.end_seq]).get(action.end_seq) if action.end_seq else None
    ended = json.decode(body).get("seen_at", "") if body else ""
    return bool(ended) and seen_at > ended


def without_id(
    view: View, session: str, actor: str, tool: str, arguments: dict[str, Any], effect_key: str
) -> Action | None:
    """The action without an id that a call is: the same effect, else fitting arguments, else the only one.

    Arguments may differ between begin and end: a person may have changed them, and a client may tell fewer of them. An
    end may also come late, when the session was over already and what it had open is in doubt.
    """
    same = [
        action for action in unsettled(view, session, actor) if not action.call and _is_same_tool(action.tool, tool)
    ]
    exact = [action for action in same if effect_key and action.effect_key == effect_key]
    if exact:
        return min(exact, key=lambda action: UNSETTLED.index(action.state))  # the first of those that are open
    running = [action for action in same if action.state != "unknown"]
    return running[0] if len(running) == 1 else _fitting(view, running, arguments)


def is_settled(action: Action) -> bool:
    return action.state not in UNSETTLED


def gives_ids(view: View, session: str) -> bool:
    """Whether the client of a session tells its calls with ids: then what it tells without one, it tells twice."""
    return any(action.call for action in view.find(Action, Select(where={"session": session}, limit=LOOKED_AT)))


def _fitting(view: View, actions: list[Action], arguments: dict[str, Any]) -> Action | None:
    """The first whose arguments are the same, as far as both name them."""
    bodies = view.bodies([action.seq for action in actions]) if actions else {}
    for action in actions:
        begun = json.decode(bodies.get(action.seq, "{}")).get("arguments") or {}
        both = begun.keys() & arguments.keys()
        if all(begun[name] == arguments[name] for name in both) and (both or not (begun and arguments)):
            return action
    return None


def _is_same_tool(one: str, other: str) -> bool:
    return one == other or _bare(one) == _bare(other) != ""


def _bare(tool: str) -> str:
    """An MCP tool without its server: Cursor names the server in one event, and not in the other."""
    if tool.startswith("MCP:"):
        return tool.removeprefix("MCP:")
    parts = tool.split("__", 2)
    return parts[2] if len(parts) == 3 and parts[0] == "mcp" else ""
