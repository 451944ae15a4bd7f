"""Finds the session of an MCP call: the process's own over stdio, one that the call identifies over HTTP."""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
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
from tallystick.operations.attribution.conversations import ClientConversation
from tallystick.operations.runtime.access import Access, is_granted, may_call, scope_needed
from tallystick.operations.runtime.lookup import OPEN_STATUSES
from tallystick.operations.runtime.operation_context import Principal
from tallystick.protocol.meta import SESSION_KEY, call_id_in_meta, clean_name, conversation_in_meta, trace_in_meta
from tallystick.sdk.local import Local

if TYPE_CHECKING:
    from tallystick.interfaces.journals import JournalContexts
    from tallystick.operations.runtime.operation_context import OperationContext

RENEW_SECONDS = 30.0
"""A lease is renewed at most this often."""
MAX_SESSION_NAMES = 10_000
"""How many names of sessions a server remembers; a forgotten one is looked up in the journal."""
MAX_TOKENS = 1000
"""How many tokens a server remembers the sessions of."""

ExecutionAndSession = tuple[str, str]


class Cancelled(Exception):
    """The client has cancelled the request."""


class CallInfo(Struct, frozen=True, kw_only=True):
    """The properties of one request, on either transport.

    `access` and `journal` are set by a server of several journals: what the token grants, and the journal asked for.
    """

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
        """The conversation, if the client sends one."""
        return conversation_in_meta(self.meta)

    @property
    def call_id(self) -> str:
        """The model's own id of this call, if the client sends it."""
        return call_id_in_meta(self.meta)

    @property
    def trace(self) -> str:
        return trace_in_meta(self.meta)

    def principal(
        self, defaults: Principal, *, session: str = "", conversation: str = "", request: str = ""
    ) -> Principal:
        """The principal of this request. The actor is named by the credential, else by the client's own name."""
        name = clean_name(self.client)
        has_credential = self.access is not None and self.access.name
        return replace(
            defaults,
            actor=Actor(name=name) if name and not has_credential else defaults.actor,
            session=session,
            conversation=conversation,
            client=name,
            request=request,
            trace=self.trace,
        )

    def idempotency_key(self, session: str, tool: str, arguments: Any) -> str:
        """A key that is the same when the request is sent again, in a session that one client has for itself.

        The content is part of it: a client that restarts its request numbers sends something else under an old number.
        """
        number = self.call_id or f"{self.connection} {self.request_id!r}"
        content = msgspec.json.encode([session, number, tool, arguments], order="sorted")
        return "rq." + blake2b(content, digest_size=12).hexdigest()


class RequestCaller(Struct, frozen=True, kw_only=True):
    """Calls operations on behalf of one request, as far as its `access` permits.

    `listed_tools` are the tools that the client sees; empty stands for all.
    """

    local: Local
    access: "Access | None" = None
    progress: Callable[[int, int], None] | None = None
    listed_tools: frozenset[str] = frozenset()

    @property
    def may_run(self) -> bool:
        """Whether the server that was asked carries out plans, and this client may ask for that."""
        runs = self.local.context.server_runs
        return runs is not None and runs.has_tools and self.local.context.principal.may_run

    def call(self, operation: Operation[..., Any], arguments: dict[str, Any]) -> Any:
        """Call an operation. A long read reports its progress, and ends when the client has cancelled it."""
        if self.access is not None and not may_call(self.access, operation, arguments):
            raise not_permitted(self.access, scope_needed(operation))
        if self.progress is not None:
            self.local.context.progress = self.progress
        return self.local.call(operation, arguments)


def not_permitted(access: "Access", needed: str) -> NotPermitted:
    """The error for an operation that an access does not grant."""
    scopes = ", ".join(sorted(access.scopes))
    return NotPermitted(
        f"This needs the scope {needed}; your access grants: {scopes}.",
        hint="Ask whoever runs the server for a token that has it.",
    )


class SessionLookup(Protocol):
    """Finds or opens the session of a call."""

    def caller_for(self, info: CallInfo, tool: str, arguments: dict[str, Any]) -> RequestCaller:
        """The caller for a request, in its session."""

    def end(self, info: CallInfo) -> None:
        """End the session of a connection that the client has closed."""


class ProcessSessions:
    """Over stdio: sessions end with this process, so that their open actions are in doubt at once.

    The first record decides the conversation that the process's session is named after: the one that the client sends
    with the call, or sets in the environment. A call of another conversation gets a session of its own, which also
    ends with the process.
    """

    def __init__(self, caller: Local, env: Mapping[str, str]) -> None:
        self._caller = caller
        self._client_conversation = ClientConversation(env)
        self._first_conversation = ""
        self._other_sessions: dict[str, str] = {}
        self._last: Local | None = None

    def caller_for(self, info: CallInfo, tool: str, arguments: dict[str, Any]) -> RequestCaller:
        session, conversation = _take_session(info, arguments), self._conversation(info)
        if tool != "query_ledger":  # a read opens no session
            self._first_conversation = self._first_conversation or conversation
            if not session and conversation != self._first_conversation:
                session = self._other_session(info, conversation)
        context = self._caller.context
        session = session or self._other_sessions.get(conversation, "")  # a read shows its conversation's own work
        key = info.idempotency_key(session or conversation, tool, arguments) if info.call_id else ""
        principal = info.principal(context.principal, session=session, conversation=conversation, request=key)
        if info.progress is not None:  # the context holds the progress callback, so this request needs its own
            return RequestCaller(local=Local(context.for_principal(principal)), progress=info.progress)
        if self._last is None or self._last.context.principal != principal:
            self._last = Local(context.for_principal(principal))  # usually the principal is the same as before
        return RequestCaller(local=self._last)

    def end(self, info: CallInfo) -> None:
        """Sessions end with the process, and so does its only connection."""

    def _conversation(self, info: CallInfo) -> str:
        thread = f"thread:{info.thread}" if info.thread else self._first_conversation
        return self._client_conversation.current(self._caller.context, info.client) or thread

    def _other_session(self, info: CallInfo, conversation: str) -> str:
        """The session of a conversation that is not the first of this process. It is opened when it is new."""
        if conversation not in self._other_sessions:
            if len(self._other_sessions) >= MAX_SESSION_NAMES:
                self._other_sessions.clear()
            context = self._caller.context
            principal = info.principal(context.principal)
            arguments = {
                "kind": "client",
                "process": os.getpid(),
                "client": principal.client,
                "name": conversation,
            }
            self._other_sessions[conversation] = operations.CATALOGUE["open_session"](
                context.for_principal(principal), arguments
            ).id
        return self._other_sessions[conversation]


class HandleSessions:
    """Over HTTP: the session of a call is the first of these.

    1. the session that the call names
    2. the session of the conversation that the client sends
    3. the transport's session of the older protocol
    4. the session of the execution or action that the call is about
    5. a new session, if the call starts an execution
    6. one session that all other calls share; no execution is opened in it, so none can be used by mistake
    """

    def __init__(self, contexts: "JournalContexts", access: Access, journal: str) -> None:
        self._contexts = contexts
        self._access = access
        self._journal = journal
        self._ids_by_name: dict[str, str] = {}
        self._renewed_at: dict[str, float] = {}
        self._lock = Lock()

    @property
    def _context(self) -> "OperationContext":
        return self._contexts.local(self._access, self._journal).context

    def caller_for(self, info: CallInfo, tool: str, arguments: dict[str, Any]) -> RequestCaller:
        named, context = _take_session(info, arguments), self._context
        if tool == "query_ledger":
            session = named or self._ids_by_name.get(_session_name(info), "")
            principal = info.principal(context.principal, session=session, conversation=_session_name(info))
            if session and is_granted(self._access.scopes, "agent"):
                self._renew(session)  # every call of a client that may write renews the lease
        else:
            session = named or self._find_session(info, tool, arguments)
            is_own = named or _session_name(info) or info.call_id
            key = info.idempotency_key(session, tool, arguments) if is_own else ""
            principal = info.principal(context.principal, session=session, request=key)
        return RequestCaller(local=Local(context.for_principal(principal)), progress=info.progress)

    def end(self, info: CallInfo) -> None:
        name, context = f"mcp:{info.connection}", self._context
        with self._lock:
            known = self._ids_by_name.pop(name, "")
        found = operations.CATALOGUE["list_sessions"](context, {"name": name, "status": "open"}).sessions
        for session in {known, *(each.id for each in found)} - {""}:
            self._renewed_at.pop(session, None)
            with suppress(WrongState, UnknownHandle):  # it is over already
                operations.CATALOGUE["end_session"](context, {"session_id": session, "reason": "closed by its client"})

    def _find_session(self, info: CallInfo, tool: str, arguments: dict[str, Any]) -> str:
        name = _session_name(info)
        if name:
            return self._session_named(info, name)
        if tool == "record_execution_start":
            return self._open_session(info, "")
        if not is_granted(self._access.scopes, "agent"):
            return self._session_named(info, "http")  # a person does not continue an agent's session
        execution = self._execution_of(arguments)
        if execution is None and tool == "record_action":
            execution = self._execution_of_plan(arguments)
        if execution:
            id, session = execution
            return session if self._renew(session) else self._session_named(info, f"execution:{id}")
        if tool == "record_action" and arguments.get("plan_id"):
            return self._open_session(info, "")  # a legacy tool, which starts an execution of the plan
        return self._session_named(info, "http")

    def _session_named(self, info: CallInfo, name: str) -> str:
        with self._lock:
            id = self._ids_by_name.get(name, "")
        if id and self._renew(id):
            return id
        id = self._open_session(info, name)
        with self._lock:
            if len(self._ids_by_name) >= MAX_SESSION_NAMES:
                self._ids_by_name.clear()
            self._ids_by_name[name] = id
        return id

    def _open_session(self, info: CallInfo, name: str) -> str:
        context = self._context
        principal: Principal = info.principal(context.principal)
        id: str = operations.CATALOGUE["open_session"](
            context.for_principal(principal), {"name": name, "client": principal.client}
        ).id
        return id

    def _renew(self, session: str) -> bool:
        """Renew the lease of a session, though not at every call. False if the session is over."""
        now, context = monotonic(), self._context
        interval = min(RENEW_SECONDS, context.settings.lease_seconds / 4)
        if now - self._renewed_at.get(session, -RENEW_SECONDS) < interval:
            return True
        try:
            operations.CATALOGUE["renew_session"](context, {"session_id": session})
        except (WrongState, UnknownHandle):
            self._renewed_at.pop(session, None)
            return False
        if len(self._renewed_at) >= MAX_SESSION_NAMES:
            self._renewed_at.clear()
        self._renewed_at[session] = now
        return True

    def _execution_of_plan(self, arguments: dict[str, Any]) -> ExecutionAndSession | None:
        """The newest open execution of the plan that a call of a legacy tool is about."""
        try:
            filters = {"plan_id": arguments.get("plan_id") or "", "limit": 20}
            executions = operations.CATALOGUE["list_executions"](self._context, filters).executions
        except TallystickError:
            return None
        return next(((each.id, each.session) for each in executions if each.status in OPEN_STATUSES), None)

    def _execution_of(self, arguments: dict[str, Any]) -> ExecutionAndSession | None:
        """The execution that a call is about. None if the handle is wrong: then the call itself fails."""
        handles = [arguments.get(name) for name in ("execution_id", "action_id", "undoes")]
        handle = next(filter(None, handles), None)
        if not isinstance(handle, str):
            return None
        try:
            if handle.startswith("ac_"):
                action = operations.CATALOGUE["get_action"](self._context, {"action_id": handle})
                return action.execution_id, action.session
            status = operations.CATALOGUE["get_status"](self._context, {"execution_id": handle, "limit": 1})
        except TallystickError:
            return None
        return status.execution.id, status.execution.session


class TokenSessions:
    """Over HTTP, for several journals: each token has its own sessions, in the journal of the token."""

    def __init__(self, contexts: "JournalContexts") -> None:
        self._contexts = contexts
        self._sessions: dict[tuple[Access, str], HandleSessions] = {}
        self._lock = Lock()

    def caller_for(self, info: CallInfo, tool: str, arguments: dict[str, Any]) -> RequestCaller:
        access = info.access
        assert access is not None
        if tool != "query_ledger" and not _may_use(access, tool, arguments):
            operation = operations.CATALOGUE.get(tool)  # refused before a session is opened for it
            raise not_permitted(access, scope_needed(operation) if operation else "`agent`")
        return replace(self._sessions_of(access, info.journal).caller_for(info, tool, arguments), access=access)

    def end(self, info: CallInfo) -> None:
        if info.access is not None and is_granted(info.access.scopes, "agent"):
            self._sessions_of(info.access, info.journal).end(info)

    def _sessions_of(self, access: Access, journal: str) -> "HandleSessions":
        """The sessions of a token. The least recently used ones are forgotten first."""
        key = (access, journal)
        with self._lock:
            sessions = self._sessions.pop(key, None) or HandleSessions(self._contexts, access, journal)
            self._sessions[key] = sessions
            if len(self._sessions) > MAX_TOKENS:
                self._sessions.pop(next(iter(self._sessions)))
            return sessions


def _may_use(access: Access, tool: str, arguments: dict[str, Any]) -> bool:
    operation = operations.CATALOGUE.get(tool)
    if operation is None or not operation.approver:
        return is_granted(access.scopes, "agent")
    return may_call(access, operation, arguments)


def _take_session(info: CallInfo, arguments: dict[str, Any]) -> str:
    """The session that a call names: as an argument, which is removed, or in its `_meta`."""
    argument = arguments.pop("session_id", None)
    if argument is not None and not isinstance(argument, str):
        hint = "Omit it, or give the handle of a session, se_..."
        raise InvalidArgument("session_id is not text.", hint=hint, field="session_id")
    session = argument or info.meta.get(SESSION_KEY)
    return session if isinstance(session, str) else ""


def _session_name(info: CallInfo) -> str:
    """The name of the session that one client has for itself; empty if the request identifies none."""
    if info.thread:
        return f"thread:{info.thread}"
    return f"mcp:{info.connection}" if info.connection and not info.modern else ""
