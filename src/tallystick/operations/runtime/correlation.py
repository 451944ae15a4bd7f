"""Decides which action a call is, when a hook, the gateway and the agent report the same call.

1. The client's id of the call decides, where it is known. Some models reuse ids, so tool and conversation must fit.
2. An agent that announces a call does not know its id: its open action with a fitting tool and arguments is the call.
3. Hook and gateway may have no id in common. Gemini CLI, Cursor and Copilot send an MCP server neither the call's id
   nor the conversation; Codex may send the conversation only. Then agent, tool, arguments and order decide. Each report
   counts once, so two equal calls stay two actions. A client runs its hook before it sends the call, so the hook's
   report mostly comes first.

| function | used for | matched by |
|---|---|---|
| `action_of_call`, `action_by_id` | every report with a client's id | the id; `action_by_id` also by session and tool |
| `may_be_same_call`, `is_id_in_use` | a gateway's call whose id is known | state, conversation and tool |
| `claimed_action_for` | an observed call | open action of an agent, tool and arguments |
| `action_begun_by_hook` | a gateway's call without a common id | agent, tool, arguments, oldest first |
| `action_begun_by_gateway` | a hook that reports second | agent, tool, arguments, time |
| `actions_of_hook_call` | any report of a hook | id, else effect key and agent |
| `late_begin_of` | a begin that a hook reports after the end | id, effect key, equal times of begin and end |
"""

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from msgspec import Struct, json

from tallystick.core.entries import ActionBegun
from tallystick.core.errors import UnknownHandle
from tallystick.core.state import UNSETTLED, Action, Execution, IdempotencyKey, Session
from tallystick.core.tools import SeenTool, has_our_prefix, is_gateway_tool, may_be_gateway_tool, same_call, same_tool
from tallystick.core.types import Actor
from tallystick.store.interface import Select, View, WhereValue
from tallystick.store.liveness import known_ancestors

if TYPE_CHECKING:
    from tallystick.operations.runtime.operation_context import OperationContext, Transaction

GATEWAY_ID_PREFIX = "gw:"
"""Begins an id that the gateway made for a call without an id of the client's."""
MAX_OPEN_ACTIONS_SCANNED = 20
"""Open actions of an execution, the newest first."""
MAX_SESSIONS_SCANNED = 64
"""Open sessions."""
MAX_ACTIONS_SCANNED = 64
"""Actions of the sessions that observe the same agent."""
MAX_SESSIONS_OF_CONVERSATION = 20
"""Sessions of a conversation, the newest first."""
MAX_OBSERVERS_SCANNED = 64
MAX_UNSETTLED_SCANNED = 1000
"""Unsettled actions of a session."""
MAX_GATEWAY_CALLS_SCANNED = 64
"""Actions of a session that are searched for calls through the gateway, the newest first."""
MAX_ACTIONS_CHECKED_FOR_IDS = 20
HOOK_DELAY_MICROSECONDS = 60_000_000
"""Between a hook's sighting and the gateway's call, where the hook reports second. After a longer wait (for a person,
say) the call cannot be distinguished from another one."""
CLOCK_SKEW_MICROSECONDS = 2_000_000
OBSERVER_SESSIONS: dict[str, WhereValue] = {"witness": ("observed",)}
"""Selects the sessions of hooks, gateways and adapters."""
MASKED = b"[masked:"


# ----------------------------------------------------------------------------------------------------------------------
# By the id of the call


def is_client_id(call_id: str) -> bool:
    """Whether it is the client's own id of a call, which every observer of the call knows."""
    return bool(call_id) and not call_id.startswith(GATEWAY_ID_PREFIX)


def call_key(call_id: str, by: str = "") -> str:
    """The key of a call. A digest, since a client may choose any id."""
    digest = blake2b(call_id.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return f"call:{digest}" + (f":{by}" if by else "")


def action_of_call(view: View, call_id: str) -> Action | None:
    keyed = view.get(IdempotencyKey, call_key(call_id))
    entry = view.entry(keyed.seq) if keyed else None
    return view.get(Action, entry.id) if entry else None


def require_action_of_call(view: View, call_id: str) -> Action:
    """The action of a call whose begin is recorded, or UnknownHandle."""
    action = action_of_call(view, call_id)
    if action is None:
        raise UnknownHandle(
            f'No begin of the call "{call_id}" was recorded.',
            hint="Record its begin first, with the same call_id.",
            field="call_id",
        )
    return action


def may_be_same_call(view: View, action: Action, session: str, tool: str, shown_as: str) -> bool:
    """For the gateway: whether the action under a client's id can be the call that is about to be sent.

    Some models restart their numbering in each conversation, or with each answer. An action that has ended, has another
    tool, or was seen in another conversation is another call.
    """
    stated = action.tool
    fits = not stated or same_tool(tool, stated) or is_gateway_tool(stated, tool, shown_as)
    if action.end_seq or not fits:
        return False
    names = {row.name for row in (view.get(Session, action.session), view.get(Session, session)) if row and row.name}
    return len(names) < 2


def is_id_in_use(transaction: "Transaction", action: Action, tool: str, shown_as: str) -> bool:
    """Whether the call id of a gateway's begin already names another call; the gateway then makes an id of its own."""
    by_gateway = transaction.context.principal.actor.kind == "gateway"
    return by_gateway and not may_be_same_call(transaction.ledger, action, transaction.session, tool, shown_as)


# ----------------------------------------------------------------------------------------------------------------------
# By what the agent announced


def claimed_action_for(view: View, execution: Execution, tool: SeenTool, arguments: Any) -> Action | None:
    """The open action that an agent announced and that this call carries out; of several, the oldest."""
    if not execution.actions.get("open") and not execution.undos.get("open"):
        return None
    where = Select(where={"execution": execution.id, "state": "open"}, limit=MAX_OPEN_ACTIONS_SCANNED)
    announced = [row for row in view.find(Action, where) if row.witness == "claimed" and not row.call]
    fitting = [row for row in announced if tool.is_named(row.tool)]
    bodies = view.bodies([row.seq for row in fitting]) if fitting else {}
    seen = arguments if isinstance(arguments, dict) else {}
    for row in reversed(fitting):
        if same_call(seen, json.decode(bodies.get(row.seq, "{}")).get("arguments") or {}):
            return row
    return None


# ----------------------------------------------------------------------------------------------------------------------
# Hook and gateway, with no id in common


def action_of_other_observer(
    transaction: "Transaction", call_id: str, tool: str, shown_as: str, arguments: Any, seen_at: int
) -> Action | None:
    """The action that a hook has begun for a gateway's call, or a gateway for a hook's, under another id or none."""
    actor = transaction.context.principal.actor
    if actor.kind == "gateway" and call_id and not is_client_id(call_id):
        return action_begun_by_hook(transaction, tool, shown_as, arguments)
    if actor.is_hook and seen_at:
        return action_begun_by_gateway(transaction, tool, arguments, seen_at)
    return None


def action_begun_by_hook(transaction: "Transaction", tool: str, shown_as: str, arguments: Any) -> Action | None:
    """For the gateway: the oldest open action of a hook that no gateway has taken and that is this call."""
    view, context = transaction.ledger, transaction.context
    own = view.get(Session, transaction.session)
    hooks = _hook_sessions_of_same_agent(view, own, context.principal.client) if own else []
    if not hooks:
        return None
    where: dict[str, WhereValue] = {"state": UNSETTLED, "session": tuple(row.id for row in hooks)}
    rows = view.find(Action, Select(where=where, newest_first=False, limit=MAX_ACTIONS_SCANNED))
    free = [row for row in rows if row.state == "open" and row.hook_session == row.session and not row.gateway_session]
    fitting = [row for row in free if is_gateway_tool(row.tool, tool, shown_as)]
    fitting.sort(key=lambda row: not has_our_prefix(row.tool, shown_as))
    exact = [row for row in fitting if context.effect_key(row.tool, arguments) == row.effect_key]
    if exact:
        return exact[0] if _is_unambiguous(exact, shown_as) else None
    masked = context.masker.mask(arguments)  # a hook without the journal's key can only digest masked arguments
    alike = [row for row in fitting if context.effect_key(row.tool, masked) == row.effect_key]
    return alike[0] if alike else None  # equal when masked, so the oldest; none is taken twice


def _is_unambiguous(rows: list[Action], shown_as: str) -> bool:
    """Whether the first of equal calls went to the gateway. If equal calls of two servers fit, either may have: then
    none is joined, since a wrongly joined call would be lost."""
    return has_our_prefix(rows[0].tool, shown_as) or len({row.tool for row in rows}) == 1


def action_begun_by_gateway(transaction: "Transaction", tool: str, arguments: Any, seen_at: int) -> Action | None:
    """For a hook that reports second: the oldest gateway action that no hook has reported and that is the call seen
    then. Masked arguments match nothing: they cannot be distinguished."""
    if not may_be_gateway_tool(tool):
        return None
    rows = (row for row in _gateway_actions(transaction.ledger, transaction.session) if not row.hook_session)
    near = (row for row in rows if -CLOCK_SKEW_MICROSECONDS <= row.at - seen_at <= HOOK_DELAY_MICROSECONDS)
    return next((row for row in near if _is_gateway_call(transaction.context, row, tool, arguments)), None)


def _gateway_action_joined_by(view: View, context: "OperationContext", call: "HookCall") -> Action | None:
    """The gateway action whose begin this hook has reported, and whose end it has not."""
    if not may_be_gateway_tool(call.tool):
        return None
    rows = _gateway_actions(view, call.session)
    waiting = (row for row in rows if row.hook_session == call.session and not row.hook_saw_end)
    return next((row for row in waiting if _is_gateway_call(context, row, call.tool, call.arguments)), None)


def _is_gateway_call(context: "OperationContext", row: Action, tool: str, arguments: Any) -> bool:
    return is_gateway_tool(tool, row.tool, row.shown_as) and context.effect_key(row.tool, arguments) == row.effect_key


def _gateway_actions(view: View, session: str) -> list[Action]:
    """The calls without a client's id of the gateways beside a hook, the oldest first."""
    own = view.get(Session, session)
    sessions = tuple(row.id for row in _gateway_sessions_of_same_agent(view, own)) if own else ()
    if not sessions:
        return []
    rows = view.find(Action, Select(where={"session": sessions}, limit=MAX_ACTIONS_SCANNED))
    return [row for row in reversed(rows) if row.gateway_session == row.session and not is_client_id(row.call)]


# ----------------------------------------------------------------------------------------------------------------------
# A hook's report of a call that may have begun


class HookCall(Struct, frozen=True):
    """One call as a hook reports it. `id` is the client's, or empty."""

    session: str
    actor: str
    tool: str
    arguments: dict[str, Any]
    effect_key: str
    id: str = ""


class EffectKeys(Struct, frozen=True):
    """The effect key of a call, and that of its masked arguments; `masked` is empty where nothing is masked.

    Before a hook has the journal's key, it can only compute the second.
    """

    exact: str
    masked: str = ""


def actions_of_hook_call(context: "OperationContext", call: HookCall) -> list[Action]:
    """The action of a call that a hook reports; several, if it may be any of them."""
    masked = context.effect_key(call.tool, call.arguments) if is_masked(call.arguments) else ""
    keys = EffectKeys(call.effect_key, masked)

    def find(view: View) -> list[Action]:
        known = action_by_id(view, call.id, call.session, call.tool) if call.id else None
        if known is None:
            return _actions_without_id(view, context, call, keys)
        if not is_settled(known):
            return [known]
        # Reported again, or its id was reused: then only the very same effect identifies it.
        return [_action_of_same_effect(view, call) or known]

    return context.read(find)


def usable_hook_id(view: View, call: HookCall, seen_at: str) -> str:
    """The client's id of a call that begins; empty when the id belongs to another call."""
    if not call.id or action_of_call(view, call.id) is None:
        return call.id
    known = action_by_id(view, call.id, call.session, call.tool)
    return "" if known is None or _ended_before(view, known, seen_at) else call.id


def late_begin_of(view: View, call: HookCall) -> Action | None:
    """The action whose begin was made up from its end, where this call may be its real begin, reported late."""
    known = action_by_id(view, call.id, call.session, call.tool) if call.id else None
    if known is None or not known.end_seq:
        return None
    bodies = view.bodies([known.seq, known.end_seq])
    seen_at = {json.decode(body).get("seen_at", "") for body in bodies.values()}
    same_time = len(bodies) == 2 and len(seen_at) == 1 and seen_at != {""}
    return known if same_time and known.effect_key == call.effect_key else None


def action_by_id(view: View, id: str, session: str, tool: str) -> Action | None:
    """The action of a client's call id, if it can belong to this session and this tool."""
    found = action_of_call(view, id)
    if found is None or not _hook_may_mean(found, tool):
        return None
    theirs, own = view.get(Session, found.session), view.get(Session, session)
    is_other_conversation = theirs and own and theirs.session_kind == "client" and theirs.name != own.name
    return None if is_other_conversation else found


def _hook_may_mean(action: Action, tool: str) -> bool:
    stated = action.tool
    if not stated or same_tool(tool, stated) or _is_same_tool(tool, stated):
        return True
    return bool(action.gateway_session) and is_gateway_tool(tool, stated, action.shown_as)


def _ended_before(view: View, action: Action, seen_at: str) -> bool:
    """Whether a hook saw it end before that time: a call that begins then under its id is another one."""
    body = view.bodies([action.end_seq]).get(action.end_seq) if action.end_seq else None
    ended = json.decode(body).get("seen_at", "") if body else ""
    return bool(ended) and seen_at > ended


def _actions_without_id(view: View, context: "OperationContext", call: HookCall, keys: EffectKeys) -> list[Action]:
    """In this order: a call that the gateway saw end, one that this hook joined, any that fits, and last a call that
    the gateway still has open. The gateway sees an end before the client does, so a
    hook's end most likely belongs to a call that the gateway saw end."""
    through_gateway = _calls_through_gateway(view, call, keys)
    ended = [row for row in through_gateway if row.end_seq][:1]
    if ended:
        return ended
    joined = _gateway_action_joined_by(view, context, call)
    return [joined] if joined else _unsettled_fitting(view, call, keys) or through_gateway[:1]


def _calls_through_gateway(view: View, call: HookCall, keys: EffectKeys) -> list[Action]:
    """The calls without an id that went through the gateway after this hook saw them begin, and whose end it has not
    reported; first those that the gateway saw end, in that order. The row has the gateway's tool and effect: the
    hook's are in the begin entry."""
    rows = view.find(Action, Select(where={"session": call.session}, limit=MAX_GATEWAY_CALLS_SCANNED))
    waiting = [row for row in rows if row.gateway_session and not row.hook_saw_end and not is_client_id(row.call)]
    own = [row for row in waiting if row.hook_session == call.session and row.actor == call.actor]
    begun = [(row, _begun_as(view, row)) for row in own]
    exact = [row for row, seen in begun if seen == (call.tool, keys.exact)]
    found = exact or [row for row, seen in begun if keys.masked and seen == (call.tool, keys.masked)]
    return sorted(found, key=lambda row: (not row.end_seq, row.end_seq, row.seq))


def _begun_as(view: View, action: Action) -> tuple[str, str]:
    begun = view.entry(action.seq)
    return (begun.facts.tool, begun.facts.effect_key) if begun and isinstance(begun.facts, ActionBegun) else ("", "")


def _action_of_same_effect(view: View, call: HookCall) -> Action | None:
    """The action without an id that has the same effect; the first open one, if there is any."""
    exact = [row for row in _unsettled_without_id(view, call) if call.effect_key and row.effect_key == call.effect_key]
    return _first_open(exact)


def _unsettled_fitting(view: View, call: HookCall, keys: EffectKeys) -> list[Action]:
    """The unsettled action without an id that a call is: the same effect, else fitting arguments, else the only one if
    nothing contradicts it. Several are returned where they cannot be distinguished.

    A client may report fewer arguments at the end than at the begin. One that reports others reports another call,
    whose begin was lost: an end on the wrong action would count unfinished work as done. An end may also come late,
    when the session is over and its open actions are in doubt. Calls that are equal in everything are taken in order;
    those that may differ in masked values are not.
    """
    rows = _unsettled_without_id(view, call)
    exact = [row for row in rows if keys.exact and row.effect_key == keys.exact]
    if exact and (keys.exact != keys.masked or len(exact) == 1):
        return [row for row in [_first_open(exact)] if row]
    masked = [row for row in rows if keys.masked and row.effect_key == keys.masked]
    if len(masked) > 1 or (masked and masked[0].state != "unknown"):
        return masked  # any of them, though an end of one may be recorded already
    running = [row for row in rows if row.state != "unknown"]
    return _with_fitting_arguments(view, running or (rows if len(rows) > 1 and not call.arguments else []), call)


def _first_open(rows: list[Action]) -> Action | None:
    return min(rows, key=lambda row: UNSETTLED.index(row.state), default=None)


def _unsettled_without_id(view: View, call: HookCall) -> list[Action]:
    rows = unsettled_actions(view, call.session, call.actor)
    return [row for row in rows if not row.call and _is_same_tool(row.tool, call.tool)]


def _with_fitting_arguments(view: View, rows: list[Action], call: HookCall) -> list[Action]:
    """The actions whose arguments agree wherever both name them; of equal ones the first.

    Of several actions, one needs a name in common with the call, unless either has no arguments.
    """
    bodies = view.bodies([row.seq for row in rows]) if rows else {}
    begun = {row.id: json.decode(bodies.get(row.seq, "{}")).get("arguments") or {} for row in rows}
    found = [row for row in rows if _arguments_agree(begun[row.id], call.arguments, is_only=len(rows) == 1)]
    alike = all(begun[row.id] == begun[found[0].id] for row in found)
    return found[:1] if alike and not is_masked(call.arguments) else found


def _arguments_agree(begun: dict[str, Any], reported: dict[str, Any], *, is_only: bool) -> bool:
    common = begun.keys() & reported.keys()
    if not common and begun and reported and not is_only:
        return False
    return all(begun[name] == reported[name] for name in common)


def unsettled_actions(view: View, session: str, actor: str) -> list[Action]:
    """The actions of one agent in a session that have no settled outcome, the oldest first."""
    where: dict[str, WhereValue] = {"state": UNSETTLED, "session": session}
    found = view.find(Action, Select(where=where, newest_first=False, limit=MAX_UNSETTLED_SCANNED))
    return [action for action in found if action.actor == actor]


def client_gives_ids(view: View, session: str) -> bool:
    """Whether the client of a session reports ids of its calls: then a report without one is a duplicate."""
    rows = view.find(Action, Select(where={"session": session}, limit=MAX_ACTIONS_CHECKED_FOR_IDS))
    return any(action.call for action in rows)


def is_settled(action: Action) -> bool:
    return action.state not in UNSETTLED


def is_masked(arguments: dict[str, Any]) -> bool:
    """Whether a secret was masked in the arguments."""
    return MASKED in json.encode(arguments)


def _is_same_tool(one: str, other: str) -> bool:
    return one == other or _tool_without_server(one) == _tool_without_server(other) != ""


def _tool_without_server(tool: str) -> str:
    """An MCP tool without its server: Cursor names the server in one event, and not in the other."""
    if tool.startswith("MCP:"):
        return tool.removeprefix("MCP:")
    parts = tool.split("__", 2)
    return parts[2] if len(parts) == 3 and parts[0] == "mcp" else ""


# ----------------------------------------------------------------------------------------------------------------------
# Sessions that observe the same agent


def counterpart_sessions(view: View, session: str, actor: Actor) -> tuple[str, ...]:
    """The hook sessions for a gateway, or the gateway sessions for a hook, that observe the same agent. None where the
    client holds several conversations: it is not known which one is meant."""
    own, rows = view.get(Session, session), []
    if own is not None and actor.kind == "gateway":
        rows = _hook_sessions_of_same_agent(view, own, own.client)
    elif own is not None and actor.is_hook and own.session_kind == "client":
        rows = [
            row for row in _gateway_sessions_of_same_agent(view, own) if row.name or _has_one_conversation(view, row)
        ]
    return tuple(row.id for row in rows) if len({row.name for row in rows}) == 1 else ()


def _has_one_conversation(view: View, gateway: Session) -> bool:
    return len({row.name for row in _hook_sessions_of_same_agent(view, gateway, gateway.client)}) == 1


def observers_of_same_agent(view: View, own: Session) -> tuple[str, ...]:
    """The sessions of the other observers of the agent that this session observes."""
    rows = (
        _gateway_sessions_of_same_agent(view, own)
        if _is_hook_session(own)
        else _hook_sessions_of_same_agent(view, own, own.client)
    )
    return tuple(row.id for row in rows)


def open_observer_sessions(view: View, limit: int) -> list[Session]:
    """The open sessions of observers, the newest first, found among any number of others."""
    return view.find(Session, Select(where={**OBSERVER_SESSIONS, "status": "open"}, limit=limit))


def _hook_sessions_of_same_agent(view: View, own: Session, client: str) -> list[Session]:
    """The hook sessions beside a gateway: by conversation; else those of the process that started it; else, where no
    observed process started it, those of the same kind of client."""
    if own.name:
        rows = view.find(Session, Select(where={"name": own.name}, limit=MAX_SESSIONS_OF_CONVERSATION))
        return [row for row in rows if _is_hook_session(row) and row.id != own.id]
    observers = open_observer_sessions(view, MAX_OBSERVERS_SCANNED)
    living = [row for row in observers if _is_hook_session(row) and not view.is_over(row)]
    parents = known_ancestors(own.process) if living else ()
    started_by = [row for row in living if row.host == own.host and row.process in parents]
    return started_by or [row for row in living if is_session_of_client(row, client)]


def _gateway_sessions_of_same_agent(view: View, own: Session) -> list[Session]:
    by_name = Select(where={"name": own.name}, limit=MAX_SESSIONS_OF_CONVERSATION)
    found = [row for row in view.find(Session, by_name) if row.id != own.id] if own.name else []
    rows = view.find(Session, Select(where={"status": "open"}, limit=MAX_SESSIONS_SCANNED))
    # A gateway that received no conversation belongs to the hooks that were seen beside it.
    nameless = [row for row in rows if row.session_kind == "process" and not row.name]
    return found + [
        row for row in nameless if own.id in [each.id for each in _hook_sessions_of_same_agent(view, row, row.client)]
    ]


def _is_hook_session(row: Session) -> bool:
    return row.session_kind == "client" and row.witness == "observed"


def is_session_of_client(row: Session, client: str) -> bool:
    """Whether a session belongs to the client of this name, for clients that do not send their conversation."""
    word = row.client.partition("-")[0]
    return bool(word) and word in client.lower()


def begun_by(view: View, action: Action) -> str:
    """The kind of actor that recorded the begin of an action."""
    entry = view.entry(action.seq)
    return entry.actor.kind if entry else ""
