"""In which session a call is made. Over stdio it is the process's own, over HTTP it is found by what a call says."""

import os
from collections.abc import Callable, Mapping
from hashlib import blake2b
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tallystick import operations
from tallystick.core.errors import InvalidArgument, NotPermitted, TallystickError, UnknownHandle, WrongState
from tallystick.core.types import Actor
from tallystick.operations import Operation
from tallystick.operations.runtime.access import Access, is_granted
from tallystick.operations.runtime.attribution import ClientConversation
from tallystick.operations.runtime.lookup import OPEN_STATUSES
from tallystick.operations.runtime.operation_context import Principal
from tallystick.protocol.meta import SESSION_KEY, call_id_in_meta, clean_name, conversation_in_meta, trace_in_meta
from tallystick.sdk.local import Local

if TYPE_CHECKING:
    from tallystick.interfaces.journals import JournalContexts
    from tallystick.operations.runtime.operation_context import OperationContext


# ----------------------------------------------------------------------------------------------------------------------
# One request that came through MCP: who asks, in which session, and how the operations are reached.


class Cancelled(Exception):
    """The client does not want the answer any more."""


class CallInfo(Struct, frozen=True, kw_only=True):
    """What a request says of itself, on whichever transport. With `access` it came to a server that answers for
    several journals: what it may do there, and in which `journal`."""

    request_id: str | int | None = None
    meta: Mapping[str, Any] = {}
    client: str = ""
    connection: str = ""
    modern: bool = False
    progress: Callable[[int, int], None] | None = None
    access: "Access | None" = None
    journal: str = ""

    @property
    def thread(self) -> str:
        """The conversation, if the client tells it."""
        return conversation_in_meta(self.meta)

    @property
    def call_id(self) -> str:
        """The model's own id of this call, if the client tells it."""
        return call_id_in_meta(self.meta)

    @property
    def trace(self) -> str:
        return trace_in_meta(self.meta)

    def principal(
        self, settled: Principal, *, session: str = "", conversation: str = "", request: str = ""
    ) -> Principal:
        """Who asks, for the journal: by the name of the credential, else by the name that the client gives itself."""
        name = clean_name(self.client)
        is_known = self.access is not None and self.access.name
        return replace(
            settled,
            actor=Actor(name=name) if name and not is_known else settled.actor,
            session=session,
            conversation=conversation,
            client=name,
            request=request,
            trace=self.trace,
        )

    def sent(self, session: str, tool: str, arguments: Any) -> str:
        """What is the same when a request is sent again, in a session that one client has for itself.

        The content is part of it: a client that begins to count anew says something else under an old number.
        """
        number = self.call_id or f"{self.connection} {self.request_id!r}"
        content = msgspec.json.encode([session, number, tool, arguments], order="sorted")
        return "rq." + blake2b(content, digest_size=12).hexdigest()


class Calling(Struct, frozen=True, kw_only=True):
    """The way to the operations for one request. `listed` are the tools that the client sees; all, when empty. Who
    has an `access` may do what it grants, and nothing else."""

    caller: Local
    access: "Access | None" = None
    progress: Callable[[int, int], None] | None = None
    listed: frozenset[str] = frozenset()

    def call(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        """Carry it out. A long read tells its progress, and ends when the client has cancelled it."""
        if self.access is not None:
            from tallystick.operations.runtime.access import may_call

            if not may_call(self.access, operation):
                raise not_permitted(self.access)
        if self.progress is not None:
            self.caller.context.progress = self.progress
        return self.caller.call(operation, arguments)


def not_permitted(access: "Access") -> NotPermitted:
    """The error for what an access does not grant."""
    held = ", ".join(sorted(access.scopes))
    return NotPermitted(
        f"Your token does not permit this: it grants {held}.", hint="Ask whoever gave it to you for another one."
    )


# ----------------------------------------------------------------------------------------------------------------------

_EVERY = 30.0
"""Seconds after which a lease is renewed again."""
_REMEMBERED = 10_000
"""How many names of sessions a server keeps; a forgotten one is found in the journal again."""
_ASKERS = 1000
"""How many holders of a token a server knows the sessions of."""


class SessionLookup(Protocol):
    """Who knows the session of a call."""

    def calling(self, asking: CallInfo, tool: str, arguments: dict[str, Any]) -> Calling:
        """The way to the operations, for this call."""


class OfProcess:
    """Over stdio: the session is over when this process is, so that what it left open is in doubt at once.

    Its name is the conversation in which the first record is made: that which the client says with the call, or set in
    the environment. A call of another conversation through the same process gets a session of its own, which also ends
    with the process.
    """

    def __init__(self, caller: Local, env: Mapping[str, str]) -> None:
        self._caller = caller
        self._at_start = ClientConversation(env)
        self._first = ""
        self._others: dict[str, str] = {}
        self._last: Local | None = None

    def calling(self, asking: CallInfo, tool: str, arguments: dict[str, Any]) -> Calling:
        named, conversation = _said(asking, arguments), self._conversation(asking)
        if tool != "query_ledger":  # who reads opens nothing
            self._first = self._first or conversation
            if not named and conversation != self._first:
                named = self._of_other(asking, conversation)
        context = self._caller.context
        named = named or self._others.get(conversation, "")  # who reads is shown what is its own
        request = asking.sent(named or conversation, tool, arguments) if asking.call_id else ""
        principal = asking.principal(context.principal, session=named, conversation=conversation, request=request)
        if asking.progress is not None:  # its desk tells somebody of its own how far it is
            return Calling(caller=Local(context.for_principal(principal)), progress=asking.progress)
        if self._last is None or self._last.context.principal != principal:
            self._last = Local(context.for_principal(principal))  # mostly it is the same one who asks
        return Calling(caller=self._last)

    def _conversation(self, asking: CallInfo) -> str:
        thread = f"thread:{asking.thread}" if asking.thread else self._first
        return self._at_start.current(self._caller.context, asking.client) or thread

    def _of_other(self, asking: CallInfo, conversation: str) -> str:
        if conversation not in self._others:
            if len(self._others) >= _REMEMBERED:
                self._others.clear()
            context = self._caller.context
            principal = asking.principal(context.principal)
            opening = {
                "kind": "client",
                "process": os.getpid(),
                "client": principal.client,
                "name": conversation,
            }
            self._others[conversation] = operations.CATALOGUE["open_session"](
                context.for_principal(principal), opening
            ).id
        return self._others[conversation]


class ByHandle:
    """Over HTTP, in this order: the session that the call names, the conversation that the client tells, the
    transport's session of the older protocol, the session of the execution or action that the call is about.

    A call that starts an execution and tells nothing gets a session of its own. What is left goes into one that all
    share; no execution is ever opened in it, so none can be meant by mistake.
    """

    def __init__(self, contexts: "JournalContexts", access: Access, journal: str) -> None:
        self._contexts = contexts
        self._access = access
        self._journal = journal
        self._known: dict[str, str] = {}
        self._renewed: dict[str, float] = {}
        self._lock = Lock()

    @property
    def _context(self) -> "OperationContext":
        return self._contexts.local(self._access, self._journal).context

    def calling(self, asking: CallInfo, tool: str, arguments: dict[str, Any]) -> Calling:
        named, context = _said(asking, arguments), self._context
        if tool == "query_ledger":
            session = named or self._known.get(_name(asking), "")
            principal = asking.principal(context.principal, session=session, conversation=_name(asking))
            if session and is_granted(self._access.scopes, "agent"):
                self._lives(session)  # every call renews a lease, of who may write
        else:
            session = named or self._session(asking, tool, arguments)
            own = named or _name(asking)
            request = asking.sent(session, tool, arguments) if own or asking.call_id else ""
            principal = asking.principal(context.principal, session=session, request=request)
        return Calling(caller=Local(context.for_principal(principal)), progress=asking.progress)

    def _session(self, asking: CallInfo, tool: str, arguments: dict[str, Any]) -> str:
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

    def _named(self, asking: CallInfo, name: str) -> str:
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

    def _opened(self, asking: CallInfo, name: str) -> str:
        context = self._context
        principal: Principal = asking.principal(context.principal)
        opened: str = operations.CATALOGUE["open_session"](
            context.for_principal(principal), {"name": name, "client": principal.client}
        ).id
        return opened

    def _lives(self, session: str) -> bool:
        """Whether a session is alive; its lease is renewed, though not with each of many calls."""
        now, context = monotonic(), self._context
        if now - self._renewed.get(session, -_EVERY) < min(_EVERY, context.settings.lease_seconds / 4):
            return True
        try:
            operations.CATALOGUE["renew_session"](context, {"session_id": session})
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
            found = operations.CATALOGUE["list_executions"](self._context, asked).executions
        except TallystickError:
            return None
        return next(((each.id, each.session) for each in found if each.status in OPEN_STATUSES), None)

    def _execution(self, arguments: dict[str, Any]) -> tuple[str, str] | None:
        """The execution that a call is about, and its session; nothing when the call itself will be refused."""
        handles = [arguments.get(name) for name in ("execution_id", "action_id", "undoes")]
        handle = next(filter(None, handles), None)
        if not isinstance(handle, str):
            return None
        try:
            if handle.startswith("ac_"):
                action = operations.CATALOGUE["get_action"](self._context, {"action_id": handle})
                return action.execution_id, action.session
            found = operations.CATALOGUE["get_status"](self._context, {"execution_id": handle, "limit": 1}).execution
        except TallystickError:
            return None
        return found.id, found.session


class ByAccess:
    """Over HTTP, for several journals: each holder of a token has sessions of its own, in the journal of the token."""

    def __init__(self, contexts: "JournalContexts") -> None:
        self._contexts = contexts
        self._known: dict[tuple[Access, str], ByHandle] = {}
        self._lock = Lock()

    def calling(self, asking: CallInfo, tool: str, arguments: dict[str, Any]) -> Calling:
        access = asking.access
        assert access is not None
        if tool != "query_ledger" and not is_granted(access.scopes, "agent"):
            raise not_permitted(access)  # before a session is opened for it
        return replace(self._sessions(access, asking.journal).calling(asking, tool, arguments), access=access)

    def _sessions(self, access: Access, journal: str) -> "ByHandle":
        with self._lock:
            found = self._known.pop((access, journal), None)
            found = found or ByHandle(self._contexts, access, journal)
            self._known[access, journal] = found  # the last one to be forgotten
            if len(self._known) > _ASKERS:
                self._known.pop(next(iter(self._known)))
            return found


def _said(asking: CallInfo, arguments: dict[str, Any]) -> str:
    """The session that a call names: as an argument, which is taken out, or in its `_meta`."""
    said = arguments.pop("session_id", None)
    if said is not None and not isinstance(said, str):
        hint = "Leave it out, or give the handle of a session, se_..."
        raise InvalidArgument("session_id is not text.", hint=hint, field="session_id")
    named = said or asking.meta.get(SESSION_KEY)
    return named if isinstance(named, str) else ""


def _name(asking: CallInfo) -> str:
    if asking.thread:
        return f"thread:{asking.thread}"
    return f"mcp:{asking.connection}" if asking.connection and not asking.modern else ""
