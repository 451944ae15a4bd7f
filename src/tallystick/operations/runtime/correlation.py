"""One call, seen by several: which action it is. The client's own id of the call decides.

A hook and the gateway see the same call and know its id. An agent that says beforehand what it is about to do does not:
its action is the one that is open in the same execution, with a tool and arguments that fit.
"""

from hashlib import blake2b
from typing import Any

from msgspec import json

from tallystick.core.errors import UnknownHandle
from tallystick.core.fitting import same_call
from tallystick.core.state import Action, Execution, Keyed
from tallystick.core.toolnames import SeenTool
from tallystick.store.port import Select, View

LOOKED_AT = 20
"""How many open actions of an execution are looked at, the newest first."""


DRAWN = "gw:"
"""How an id begins that the gateway has drawn for a call that its client did not name."""


def is_clients(call_id: str) -> bool:
    """Whether it is the client's own id of a call, which all who see the call know."""
    return bool(call_id) and not call_id.startswith(DRAWN)


def call_key(call_id: str, by: str = "") -> str:
    """The key of a call. A digest, since a client may name its calls as it likes."""
    digest = blake2b(call_id.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return f"call:{digest}" + (f":{by}" if by else "")


def action_of_call(view: View, call_id: str) -> Action | None:
    found = view.get(Keyed, call_key(call_id))
    entry = view.entry(found.seq) if found else None
    return view.get(Action, entry.id) if entry else None


def called(view: View, call_id: str) -> Action:
    """The action of a call that somebody has seen begin."""
    found = action_of_call(view, call_id)
    if found is None:
        raise UnknownHandle(
            f'Nobody has seen the call "{call_id}" begin.',
            hint="Record its begin first, with the same call_id.",
            field="call_id",
        )
    return found


def claimed_twin(view: View, execution: Execution, tool: SeenTool, arguments: Any) -> Action | None:
    """The action that an agent has claimed to begin, and that this call carries out."""
    if not execution.actions.get("open"):
        return None
    where = Select(where={"execution": execution.id, "state": "open"}, limit=LOOKED_AT)
    open_now = [row for row in view.find(Action, where) if row.witness == "claimed" and not row.call]
    fitting = [row for row in open_now if tool.is_stated(row.tool)]
    bodies = view.bodies([row.seq for row in fitting]) if fitting else {}
    for row in reversed(fitting):  # the one that waits longest
        stated = json.decode(bodies.get(row.seq, "{}")).get("arguments") or {}
        if same_call(arguments if isinstance(arguments, dict) else {}, stated):
            return row
    return None
