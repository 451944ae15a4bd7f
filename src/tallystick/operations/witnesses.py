"""One call that a hook and the gateway have seen, with no id of it in common: which action it is.

Gemini CLI, Cursor and Copilot tell an MCP server neither the call nor the conversation; Codex may tell the conversation
only. What the two have in common then: who they watch, the tool, the arguments, and the order. Each side is counted
once, so two equal calls stay two. A client asks its hook before the call leaves: mostly the hook comes first.
"""

from typing import TYPE_CHECKING, Any

from tallystick.core.model import Actor
from tallystick.core.state import Action, Session
from tallystick.core.toolnames import by_our_name, is_behind, may_be_behind, same_tool
from tallystick.operations.handles import SESSIONS, WATCHERS, watchers
from tallystick.operations.joining import is_clients
from tallystick.operations.presence import UNSETTLED
from tallystick.store.port import Select, View, Wanted
from tallystick.store.presence import ancestors

if TYPE_CHECKING:
    from tallystick.operations.desk import Desk, Sheet

LOOKED_AT = 64
"""How many open sessions, and how many actions of those who watch the same agent, are looked at."""
ABOUT = 60_000_000
"""Microseconds between what a hook saw and the call at the gateway, where the hook's word comes second: a longer wait
(for a person, say) cannot be told from another call."""
CLOCKS_DIFFER = 2_000_000


def begun_by_hook(sheet: "Sheet", tool: str, shown_as: str, arguments: Any) -> Action | None:
    """For the gateway: the oldest open action that a hook has begun, that no gateway has had, and that is this call."""
    view, mine = sheet.ledger, sheet.ledger.get(Session, sheet.session)
    hooks = _hooks(view, mine, sheet.desk.asker.client) if mine else []
    if not hooks:
        return None
    where: dict[str, Wanted] = {"state": UNSETTLED, "session": tuple(row.id for row in hooks)}
    rows = view.find(Action, Select(where=where, newest_first=False, limit=LOOKED_AT))
    free = [row for row in rows if row.state == "open" and row.onlooker == row.session and not row.through]
    fitting = [row for row in free if is_behind(row.tool, tool, shown_as)]
    fitting.sort(key=lambda row: not by_our_name(row.tool, shown_as))
    exact = [row for row in fitting if sheet.desk.effect_key(row.tool, arguments) == row.effect_key]
    if exact:
        return exact[0] if _is_clear(exact, shown_as) else None
    masked = sheet.desk.masker.mask(arguments)  # all that a hook without the journal's key could tell
    alike = [row for row in fitting if sheet.desk.effect_key(row.tool, masked) == row.effect_key]
    return alike[0] if alike else None  # as they stand in the journal they are the same: each is taken once


def _is_clear(rows: list[Action], shown_as: str) -> bool:
    """Whether the first of equal calls is one through the gateway. Under names that may be another server's, of two
    servers, either may be: then none is joined, since a call that is taken for another is lost."""
    return by_our_name(rows[0].tool, shown_as) or len({row.tool for row in rows}) == 1


def may_be(view: View, action: Action, session: str, tool: str, shown_as: str) -> bool:
    """For the gateway: whether the action under a client's id of a call can be the call that is about to be made. Some
    models count their calls anew in each conversation, or with each answer: what has ended, is of another tool, or was
    seen in another conversation, is another call."""
    if action.end_seq or not _may_name(action.tool, tool, shown_as):
        return False
    names = {row.name for row in (view.get(Session, action.session), view.get(Session, session)) if row and row.name}
    return len(names) < 2


def _may_name(known: str, tool: str, shown_as: str) -> bool:
    return not known or same_tool(tool, known) or is_behind(known, tool, shown_as)


def begun_by_gateway(sheet: "Sheet", tool: str, arguments: Any, seen_at: int) -> Action | None:
    """For a hook whose word comes second: the oldest action of the gateway that no hook has told of, and that is the
    call which was seen then. Arguments that are masked fit none: they cannot be told apart."""
    if not may_be_behind(tool):
        return None
    found = (row for row in _of_gateways(sheet.ledger, sheet.session) if not row.onlooker)
    near = (row for row in found if -CLOCKS_DIFFER <= row.at - seen_at <= ABOUT)
    return next((row for row in near if _is(sheet.desk, row, tool, arguments)), None)


def told_of_begin(view: View, desk: "Desk", session: str, tool: str, arguments: Any) -> Action | None:
    """For a hook: the action of the gateway that it has joined, and of whose end it has not told yet."""
    if not may_be_behind(tool):
        return None
    found = (row for row in _of_gateways(view, session) if row.onlooker == session and not row.told)
    return next((row for row in found if _is(desk, row, tool, arguments)), None)


def around(view: View, session: str, actor: Actor) -> tuple[str, ...]:
    """The sessions of the other kind of witness that watch the same agent: a hook's for the gateway, and its for a
    hook. Where a client holds several conversations, nobody knows which of them is meant."""
    mine, rows = view.get(Session, session), []
    if mine is not None and actor.kind == "gateway":
        rows = _hooks(view, mine, mine.client)
    elif mine is not None and actor.looks_on and mine.session_kind == "client":
        rows = [row for row in _gateways(view, mine) if row.name or len(_watched(view, row)) == 1]
    return tuple(row.id for row in rows) if len({row.name for row in rows}) == 1 else ()


def _watched(view: View, beside: Session) -> set[str]:
    """The conversations that a session without one may be of."""
    return {row.name for row in _hooks(view, beside, beside.client)}


def beside(view: View, mine: Session) -> tuple[str, ...]:
    """The sessions of all who watch the same agent as this one."""
    rows = _gateways(view, mine) if _is_hooks(mine) else _hooks(view, mine, mine.client)
    return tuple(row.id for row in rows)


def _is(desk: "Desk", row: Action, tool: str, arguments: Any) -> bool:
    return is_behind(tool, row.tool, row.shown_as) and desk.effect_key(row.tool, arguments) == row.effect_key


def _of_gateways(view: View, session: str) -> list[Action]:
    """The calls of the gateways beside a hook that their client has not named, the oldest first."""
    mine = view.get(Session, session)
    sessions = tuple(row.id for row in _gateways(view, mine)) if mine else ()
    if not sessions:
        return []
    rows = view.find(Action, Select(where={"session": sessions}, limit=LOOKED_AT))
    return [row for row in reversed(rows) if row.through == row.session and not is_clients(row.call)]


def _hooks(view: View, mine: Session, client: str) -> list[Session]:
    """The hooks' sessions beside a gateway. By the conversation; else those of the process that has started it; else,
    where it was started by none that is watched, those of the same kind of client."""
    if mine.name:
        rows = view.find(Session, Select(where={"name": mine.name}, limit=SESSIONS))
        return [row for row in rows if _is_hooks(row) and row.id != mine.id]
    living = [row for row in watchers(view, WATCHERS) if _is_hooks(row) and not view.over(row)]
    above = ancestors(mine.process) if living else ()
    started_by = [row for row in living if row.host == mine.host and row.process in above]
    return started_by or [row for row in living if is_client(row, client)]


def _gateways(view: View, mine: Session) -> list[Session]:
    named = view.find(Session, Select(where={"name": mine.name}, limit=SESSIONS)) if mine.name else []
    found = [row for row in named if row.id != mine.id]
    rows = view.find(Session, Select(where={"status": "open"}, limit=LOOKED_AT))
    nameless = [row for row in rows if row.session_kind == "process" and not row.name]  # by who was heard there first
    return found + [row for row in nameless if mine.id in [each.id for each in _hooks(view, row, row.client)]]


def _is_hooks(row: Session) -> bool:
    return row.session_kind == "client" and row.witness == "observed"


def is_client(row: Session, client: str) -> bool:
    """Whether a session is of the client that calls itself so, for clients that do not tell their conversation."""
    word = row.client.partition("-")[0]
    return bool(word) and word in client.lower()
