"""In which session a call is made. Over stdio it is the process's own, over HTTP it is found by what a call says."""

import os
from collections.abc import Mapping
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from msgspec.structs import replace

from tallystick import operations
from tallystick.calls import Local
from tallystick.core.errors import InvalidArgument, TallystickError, UnknownHandle, WrongState
from tallystick.doors.mcp.calling import Asking, Calling, beyond
from tallystick.operations.access import Access, grants
from tallystick.operations.conversations import AtStart
from tallystick.operations.desk import Asker
from tallystick.operations.handles import OPEN
from tallystick.protocol.meta import SESSION_KEY

if TYPE_CHECKING:
    from tallystick.doors.desks import Desks
    from tallystick.operations.desk import Desk

_EVERY = 30.0
"""Seconds after which a lease is renewed again."""
_REMEMBERED = 10_000
"""How many names of sessions a server keeps; a forgotten one is found in the journal again."""
_ASKERS = 1000
"""How many holders of a token a server knows the sessions of."""


class Sessions(Protocol):
    """Who knows the session of a call."""

    def calling(self, asking: Asking, tool: str, arguments: dict[str, Any]) -> Calling:
        """The way to the operations, for this call."""


class OfProcess:
    """Over stdio: the session is over when this process is, so that what it left open is in doubt at once.

    Its name is the conversation in which the first record is made: that which the client says with the call, or set in
    the environment. A call of another conversation through the same process gets a session of its own, which also ends
    with the process.
    """

    def __init__(self, caller: Local, env: Mapping[str, str]) -> None:
        self._caller = caller
        self._at_start = AtStart(env)
        self._first = ""
        self._others: dict[str, str] = {}
        self._last: Local | None = None

    def calling(self, asking: Asking, tool: str, arguments: dict[str, Any]) -> Calling:
        named, conversation = _said(asking, arguments), self._conversation(asking)
        if tool != "query_ledger":  # who reads opens nothing
            self._first = self._first or conversation
            if not named and conversation != self._first:
                named = self._of_other(asking, conversation)
        desk = self._caller.desk
        named = named or self._others.get(conversation, "")  # who reads is shown what is its own
        request = asking.sent(named or conversation, tool, arguments) if asking.call_id else ""
        asker = asking.asker(desk.asker, session=named, conversation=conversation, request=request)
        if asking.progress is not None:  # its desk tells somebody of its own how far it is
            return Calling(caller=Local(desk.for_asker(asker)), progress=asking.progress)
        if self._last is None or self._last.desk.asker != asker:
            self._last = Local(desk.for_asker(asker))  # mostly it is the same one who asks
        return Calling(caller=self._last)

    def _conversation(self, asking: Asking) -> str:
        thread = f"thread:{asking.thread}" if asking.thread else self._first
        return self._at_start.now(self._caller.desk, asking.client) or thread

    def _of_other(self, asking: Asking, conversation: str) -> str:
        if conversation not in self._others:
            if len(self._others) >= _REMEMBERED:
                self._others.clear()
            desk = self._caller.desk
            asker = asking.asker(desk.asker)
            opening = {
                "kind": "client",
                "process": os.getpid(),
                "client": asker.client,
                "name": conversation,
            }
            self._others[conversation] = operations.CATALOGUE["open_session"](desk.for_asker(asker), opening).id
        return self._others[conversation]


class ByHandle:
    """Over HTTP, in this order: the session that the call names, the conversation that the client tells, the
    transport's session of the older protocol, the session of the execution or action that the call is about.

    A call that starts an execution and tells nothing gets a session of its own. What is left goes into one that all
    share; no execution is ever opened in it, so none can be meant by mistake.
    """

    def __init__(self, desks: "Desks", access: Access, journal: str) -> None:
        self._desks = desks
        self._access = access
        self._journal = journal
        self._known: dict[str, str] = {}
        self._renewed: dict[str, float] = {}
        self._lock = Lock()

    @property
    def _desk(self) -> "Desk":
        return self._desks.local(self._access, self._journal).desk

    def calling(self, asking: Asking, tool: str, arguments: dict[str, Any]) -> Calling:
        named, desk = _said(asking, arguments), self._desk
        if tool == "query_ledger":
            session = named or self._known.get(_name(asking), "")
            asker = asking.asker(desk.asker, session=session, conversation=_name(asking))
            if session and grants(self._access.scopes, "agent"):
                self._lives(session)  # every call renews a lease, of who may write
        else:
            session = named or self._session(asking, tool, arguments)
            own = named or _name(asking)
            request = asking.sent(session, tool, arguments) if own or asking.call_id else ""
            asker = asking.asker(desk.asker, session=session, request=request)
        return Calling(caller=Local(desk.for_asker(asker)), progress=asking.progress)

    def _session(self, asking: Asking, tool: str, arguments: dict[str, Any]) -> str:
        name = _name(asking)
        if name:
            return self._named(asking, name)
        if tool == "record_execution_start":
            return self._opened(asking, "")
        execution = self._execution(arguments) or (self._of_plan(arguments) if tool == "record_action" else None)
        if execution:
            id, session = execution
            return session if self._lives(session) else self._named(asking, f"execution:{id}")
        if tool == "record_action" and arguments.get("plan_id"):
            return self._opened(asking, "")  # an older name, which starts an execution of the plan
        return self._named(asking, "http")

    def _named(self, asking: Asking, name: str) -> str:
        with self._lock:
            known = self._known.get(name, "")
        if known and self._lives(known):
            return known
        opened = self._opened(asking, name)
        with self._lock:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[name] = opened
        return opened

    def _opened(self, asking: Asking, name: str) -> str:
        desk = self._desk
        asker: Asker = asking.asker(desk.asker)
        opened: str = operations.CATALOGUE["open_session"](
            desk.for_asker(asker), {"name": name, "client": asker.client}
        ).id
        return opened

    def _lives(self, session: str) -> bool:
        """Whether a session is alive; its lease is renewed, though not with each of many calls."""
        now, desk = monotonic(), self._desk
        if now - self._renewed.get(session, -_EVERY) < min(_EVERY, desk.settings.lease_seconds / 4):
            return True
        try:
            operations.CATALOGUE["renew_session"](desk, {"session_id": session})
        except (WrongState, UnknownHandle):
            self._renewed.pop(session, None)
            return False
        if len(self._renewed) >= _REMEMBERED:
            self._renewed.clear()
        self._renewed[session] = now
        return True

    def _of_plan(self, arguments: dict[str, Any]) -> tuple[str, str] | None:
        """The newest open execution of the plan that a call of an older name is about."""
        try:
            asked = {"plan_id": arguments.get("plan_id") or "", "limit": 20}
            found = operations.CATALOGUE["list_executions"](self._desk, asked).executions
        except TallystickError:
            return None
        return next(((each.id, each.session) for each in found if each.status in OPEN), None)

    def _execution(self, arguments: dict[str, Any]) -> tuple[str, str] | None:
        """The execution that a call is about, and its session; nothing when the call itself will be refused."""
        handles = [arguments.get(name) for name in ("execution_id", "action_id", "undoes")]
        handle = next(filter(None, handles), None)
        if not isinstance(handle, str):
            return None
        try:
            if handle.startswith("ac_"):
                action = operations.CATALOGUE["get_action"](self._desk, {"action_id": handle})
                return action.execution_id, action.session
            found = operations.CATALOGUE["get_status"](self._desk, {"execution_id": handle, "limit": 1}).execution
        except TallystickError:
            return None
        return found.id, found.session


class ByAccess:
    """Over HTTP, for several journals: each holder of a token has sessions of its own, in the journal of the token."""

    def __init__(self, desks: "Desks") -> None:
        self._desks = desks
        self._known: dict[tuple[Access, str], ByHandle] = {}
        self._lock = Lock()

    def calling(self, asking: Asking, tool: str, arguments: dict[str, Any]) -> Calling:
        access = asking.access
        assert access is not None
        if tool != "query_ledger" and not grants(access.scopes, "agent"):
            raise beyond(access)  # before a session is opened for it
        return replace(self._sessions(access, asking.journal).calling(asking, tool, arguments), access=access)

    def _sessions(self, access: Access, journal: str) -> "ByHandle":
        with self._lock:
            found = self._known.pop((access, journal), None)
            found = found or ByHandle(self._desks, access, journal)
            self._known[access, journal] = found  # the last one to be forgotten
            if len(self._known) > _ASKERS:
                self._known.pop(next(iter(self._known)))
            return found


def _said(asking: Asking, arguments: dict[str, Any]) -> str:
    """The session that a call names: as an argument, which is taken out, or in its `_meta`."""
    said = arguments.pop("session_id", None)
    if said is not None and not isinstance(said, str):
        hint = "Leave it out, or give the handle of a session, se_..."
        raise InvalidArgument("session_id is not text.", hint=hint, field="session_id")
    named = said or asking.meta.get(SESSION_KEY)
    return named if isinstance(named, str) else ""


def _name(asking: Asking) -> str:
    if asking.thread:
        return f"thread:{asking.thread}"
    return f"mcp:{asking.connection}" if asking.connection and not asking.modern else ""
