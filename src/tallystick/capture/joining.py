"""Which action a call is, where the client gives it no id: the oldest open one that fits.

All that is needed for it stands in the journal: the actions that the session has open.
"""

from typing import Any

from msgspec import json

from tallystick.core.state import Action
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
