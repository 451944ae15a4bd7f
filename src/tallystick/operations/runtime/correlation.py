"""One call, seen by several: which action it is. The client's own id of the call decides.

A hook and the gateway see the same call and know its id. An agent that says beforehand what it is about to do does not:
its action is the one that is open in the same execution, with a tool and arguments that fit.
"""

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from msgspec import json

from tallystick.core.errors import UnknownHandle
from tallystick.core.state import Action, Execution, IdempotencyKey, Session
from tallystick.core.tools import SeenTool, has_our_prefix, is_gateway_tool, may_be_gateway_tool, same_call, same_tool
from tallystick.core.types import Actor
from tallystick.operations.runtime.lookup import (
    MAX_OBSERVERS_SCANNED,
    MAX_SESSIONS_OF_CONVERSATION,
    open_observer_sessions,
)
from tallystick.operations.runtime.session_lifecycle import UNSETTLED
from tallystick.store.interface import Select, View, WhereValue
from tallystick.store.liveness import process_ancestors

if TYPE_CHECKING:
    from tallystick.operations.runtime.operation_context import OperationContext, Transaction

MAX_OPEN_ACTIONS_SCANNED = 20
"""How many open actions of an execution are looked at, the newest first."""


GATEWAY_ID_PREFIX = "gw:"
"""How an id begins that the gateway has drawn for a call that its client did not name."""


def is_client_id(call_id: str) -> bool:
    """Whether it is the client's own id of a call, which all who see the call know."""
    return bool(call_id) and not call_id.startswith(GATEWAY_ID_PREFIX)


def call_key(call_id: str, by: str = "") -> str:
    """The key of a call. A digest, since a client may name its calls as it likes."""
    digest = blake2b(call_id.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return f"call:{digest}" + (f":{by}" if by else "")


def action_of_call(view: View, call_id: str) -> Action | None:
    found = view.get(IdempotencyKey, call_key(call_id))
    entry = view.entry(found.seq) if found else None
    return view.get(Action, entry.id) if entry else None


def require_action_of_call(view: View, call_id: str) -> Action:
    """The action of a call that somebody has seen begin."""
    found = action_of_call(view, call_id)
    if found is None:
        raise UnknownHandle(
            f'Nobody has seen the call "{call_id}" begin.',
            hint="Record its begin first, with the same call_id.",
            field="call_id",
        )
    return found


def claimed_action_for(view: View, execution: Execution, tool: SeenTool, arguments: Any) -> Action | None:
    """The action that an agent has claimed to begin, and that this call carries out."""
    if not execution.actions.get("open"):
        return None
    where = Select(where={"execution": execution.id, "state": "open"}, limit=MAX_OPEN_ACTIONS_SCANNED)
    open_now = [row for row in view.find(Action, where) if row.witness == "claimed" and not row.call]
    fitting = [row for row in open_now if tool.is_named(row.tool)]
    bodies = view.bodies([row.seq for row in fitting]) if fitting else {}
    for row in reversed(fitting):  # the one that waits longest
        stated = json.decode(bodies.get(row.seq, "{}")).get("arguments") or {}
        if same_call(arguments if isinstance(arguments, dict) else {}, stated):
            return row
    return None


# ----------------------------------------------------------------------------------------------------------------------
# One call that a hook and the gateway have seen, with no id of it in common: which action it is.
#
# Gemini CLI, Cursor and Copilot tell an MCP server neither the call nor the conversation; Codex may tell the
# conversation
# only. What the two have in common then: who they watch, the tool, the arguments, and the order. Each side is counted
# once, so two equal calls stay two. A client asks its hook before the call leaves: mostly the hook comes first.

MAX_SESSIONS_SCANNED = 64
"""How many open sessions, and how many actions of those who watch the same agent, are looked at."""
ABOUT = 60_000_000
"""Microseconds between what a hook saw and the call at the gateway, where the hook's word comes second: a longer wait
(for a person, say) cannot be told from another call."""
CLOCKS_DIFFER = 2_000_000


def action_begun_by_hook(transaction: "Transaction", tool: str, shown_as: str, arguments: Any) -> Action | None:
    """For the gateway: the oldest open action that a hook has begun, that no gateway has had, and that is this call."""
    view, mine = transaction.ledger, transaction.ledger.get(Session, transaction.session)
    hooks = _hooks(view, mine, transaction.context.principal.client) if mine else []
    if not hooks:
        return None
    where: dict[str, WhereValue] = {"state": UNSETTLED, "session": tuple(row.id for row in hooks)}
    rows = view.find(Action, Select(where=where, newest_first=False, limit=MAX_SESSIONS_SCANNED))
    free = [row for row in rows if row.state == "open" and row.hook_session == row.session and not row.gateway_session]
    fitting = [row for row in free if is_gateway_tool(row.tool, tool, shown_as)]
    fitting.sort(key=lambda row: not has_our_prefix(row.tool, shown_as))
    exact = [row for row in fitting if transaction.context.effect_key(row.tool, arguments) == row.effect_key]
    if exact:
        return exact[0] if _is_clear(exact, shown_as) else None
    masked = transaction.context.masker.mask(arguments)  # all that a hook without the journal's key could tell
    alike = [row for row in fitting if transaction.context.effect_key(row.tool, masked) == row.effect_key]
    return alike[0] if alike else None  # as they stand in the journal they are the same: each is taken once


def _is_clear(rows: list[Action], shown_as: str) -> bool:
    """Whether the first of equal calls is one through the gateway. Under names that may be another server's, of two
    servers, either may be: then none is joined, since a call that is taken for another is lost."""
    return has_our_prefix(rows[0].tool, shown_as) or len({row.tool for row in rows}) == 1


def may_be_same_call(view: View, action: Action, session: str, tool: str, shown_as: str) -> bool:
    """For the gateway: whether the action under a client's id of a call can be the call that is about to be made. Some
    models count their calls anew in each conversation, or with each answer: what has ended, is of another tool, or was
    seen in another conversation, is another call."""
    if action.end_seq or not _may_name(action.tool, tool, shown_as):
        return False
    names = {row.name for row in (view.get(Session, action.session), view.get(Session, session)) if row and row.name}
    return len(names) < 2


def _may_name(known: str, tool: str, shown_as: str) -> bool:
    return not known or same_tool(tool, known) or is_gateway_tool(known, tool, shown_as)


def action_begun_by_gateway(transaction: "Transaction", tool: str, arguments: Any, seen_at: int) -> Action | None:
    """For a hook whose word comes second: the oldest action of the gateway that no hook has told of, and that is the
    call which was seen then. Arguments that are masked fit none: they cannot be told apart."""
    if not may_be_gateway_tool(tool):
        return None
    found = (row for row in _of_gateways(transaction.ledger, transaction.session) if not row.hook_session)
    near = (row for row in found if -CLOCKS_DIFFER <= row.at - seen_at <= ABOUT)
    return next((row for row in near if _is(transaction.context, row, tool, arguments)), None)


def told_of_begin(view: View, context: "OperationContext", session: str, tool: str, arguments: Any) -> Action | None:
    """For a hook: the action of the gateway that it has joined, and of whose end it has not told yet."""
    if not may_be_gateway_tool(tool):
        return None
    found = (row for row in _of_gateways(view, session) if row.hook_session == session and not row.hook_saw_end)
    return next((row for row in found if _is(context, row, tool, arguments)), None)


def counterpart_sessions(view: View, session: str, actor: Actor) -> tuple[str, ...]:
    """The sessions of the other kind of witness that watch the same agent: a hook's for the gateway, and its for a
    hook. Where a client holds several conversations, nobody knows which of them is meant."""
    mine, rows = view.get(Session, session), []
    if mine is not None and actor.kind == "gateway":
        rows = _hooks(view, mine, mine.client)
    elif mine is not None and actor.is_hook and mine.session_kind == "client":
        rows = [row for row in _gateways(view, mine) if row.name or len(_watched(view, row)) == 1]
    return tuple(row.id for row in rows) if len({row.name for row in rows}) == 1 else ()


def _watched(view: View, beside: Session) -> set[str]:
    """The conversations that a session without one may be of."""
    return {row.name for row in _hooks(view, beside, beside.client)}


def observers_of_same_agent(view: View, mine: Session) -> tuple[str, ...]:
    """The sessions of all who watch the same agent as this one."""
    rows = _gateways(view, mine) if _is_hooks(mine) else _hooks(view, mine, mine.client)
    return tuple(row.id for row in rows)


def _is(context: "OperationContext", row: Action, tool: str, arguments: Any) -> bool:
    return is_gateway_tool(tool, row.tool, row.shown_as) and context.effect_key(row.tool, arguments) == row.effect_key


def _of_gateways(view: View, session: str) -> list[Action]:
    """The calls of the gateways beside a hook that their client has not named, the oldest first."""
    mine = view.get(Session, session)
    sessions = tuple(row.id for row in _gateways(view, mine)) if mine else ()
    if not sessions:
        return []
    rows = view.find(Action, Select(where={"session": sessions}, limit=MAX_SESSIONS_SCANNED))
    return [row for row in reversed(rows) if row.gateway_session == row.session and not is_client_id(row.call)]


def _hooks(view: View, mine: Session, client: str) -> list[Session]:
    """The hooks' sessions beside a gateway. By the conversation; else those of the process that has started it; else,
    where it was started by none that is watched, those of the same kind of client."""
    if mine.name:
        rows = view.find(Session, Select(where={"name": mine.name}, limit=MAX_SESSIONS_OF_CONVERSATION))
        return [row for row in rows if _is_hooks(row) and row.id != mine.id]
    living = [
        row for row in open_observer_sessions(view, MAX_OBSERVERS_SCANNED) if _is_hooks(row) and not view.is_over(row)
    ]
    above = process_ancestors(mine.process) if living else ()
    started_by = [row for row in living if row.host == mine.host and row.process in above]
    return started_by or [row for row in living if is_session_of_client(row, client)]


def _gateways(view: View, mine: Session) -> list[Session]:
    named = (
        view.find(Session, Select(where={"name": mine.name}, limit=MAX_SESSIONS_OF_CONVERSATION)) if mine.name else []
    )
    found = [row for row in named if row.id != mine.id]
    rows = view.find(Session, Select(where={"status": "open"}, limit=MAX_SESSIONS_SCANNED))
    nameless = [row for row in rows if row.session_kind == "process" and not row.name]  # by who was heard there first
    return found + [row for row in nameless if mine.id in [each.id for each in _hooks(view, row, row.client)]]


def _is_hooks(row: Session) -> bool:
    return row.session_kind == "client" and row.witness == "observed"


def is_session_of_client(row: Session, client: str) -> bool:
    """Whether a session is of the client that calls itself so, for clients that do not tell their conversation."""
    word = row.client.partition("-")[0]
    return bool(word) and word in client.lower()
