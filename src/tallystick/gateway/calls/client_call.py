"""Calls that are never sent: refused, cancelled before they left, or to a tool or server that is not there.

Hooks of the same agent may have seen such a call: they see what an agent calls and what it is answered. So the gateway
records that nothing was done, whether the hook reports it before or after.
"""

from collections.abc import Coroutine
from typing import Any, Protocol

from msgspec import Raw
from msgspec.structs import replace

from tallystick.core.errors import TallystickError
from tallystick.core.state import Action, IdempotencyKey, Session
from tallystick.core.types import Actor
from tallystick.gateway.gateway import Gateway
from tallystick.gateway.io.loop import Future
from tallystick.gateway.messages import for_tool_caller
from tallystick.gateway.recording import hooks, payloads
from tallystick.gateway.recording.call_request import CallRequest
from tallystick.gateway.upstream.server import Upstream
from tallystick.operations.runtime.correlation import (
    MAX_SESSIONS_OF_CONVERSATION,
    action_of_call,
    call_key,
    observers_of_same_agent,
)
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.protocol.jsonrpc import Id
from tallystick.sdk.local import Local
from tallystick.store.interface import Select, View

HOOK_DRAIN_WAIT_SECONDS = 0.5
"""How long a call waits for another process that drains what hooks have seen."""
CANCELLED = "It was cancelled before it left."


class TaskRegistry(Protocol):
    """The tasks that servers made of a client's calls."""

    def on_accepted(self, call: Any, task_id: str, result: Raw) -> Raw: ...


class CallingClient(Protocol):
    """The parts of its client's connection that a call needs."""

    gateway: Gateway
    client: str
    client_key: str

    @property
    def is_modern(self) -> bool: ...
    @property
    def tasks(self) -> TaskRegistry: ...
    def new_call_id(self) -> str: ...
    def parse_arguments(self, raw: Any) -> dict[str, Any]: ...
    def start(self, id: Id, coroutine: Coroutine[Future[Any], None, None]) -> None: ...
    def refusal(self, error: TallystickError) -> dict[str, Any]: ...
    def answer(self, id: Id, method: str, result: dict[str, Any]) -> None: ...
    def pass_on(self, id: Id, method: str, upstream: Upstream, result: Raw) -> None: ...
    def fail(self, id: Id | None, error: Raw | dict[str, Any]) -> None: ...


class ClientCall(CallRequest):
    """A requested call, with the client that waits for its answer."""

    def __init__(self, connection: CallingClient, id: Id, name: str, shown: str, params: dict[str, Any]) -> None:
        self.connection = connection
        self.gateway = connection.gateway
        self.id = id
        super().__init__(
            local=self.gateway.writer.local(params["_meta"], connection.client, connection.client_key),
            name=name,
            shown=shown,
            params=params,
            client_key=connection.client_key,
            new_call_id=connection.new_call_id,
        )

    async def record_rejected(self, error: TallystickError) -> None:
        """Record that the call cannot be made: its tool or its server is not there."""
        await self._identify()
        self.gateway.note_refusal(self, error)
        await self.record_not_sent(f"The gateway could not make it: {error.message}")

    async def record_cancelled(self) -> None:
        """Record that the client cancelled the call before its begin was recorded."""
        await self._identify()
        self.gateway.note(self, "other", f"{self.name} was not called. {CANCELLED}", {"tool": self.name})
        await self.record_not_sent(CANCELLED)

    async def refuse(self, error: TallystickError) -> None:
        """Record that a policy or a rule refuses the call, then tell the client."""
        error = for_tool_caller(error, self.gateway.configuration.settings.tools)
        self.gateway.note_refusal(self, error)
        await self.record_not_sent(f"The gateway refused it: {error.message}")
        self.connection.answer(self.id, "tools/call", self.connection.refusal(error))

    async def record_not_sent(self, reason: str) -> None:
        """Record that the call was skipped, if hooks watch the same agent."""
        context, id = self.local.context, self.client_call_id
        seen = self._find_hook_action()
        if not seen and not self._may_hooks_report(id):
            return
        # Recorded as a hook's observation: a refused call is recorded as seen, without the rules checking it again.
        observer = Local(context.for_principal(replace(context.principal, actor=Actor(kind="hook", name="gateway"))))
        end = {"phase": "end", "outcome": "skipped", "without_effect": True, "error": reason}
        if seen:
            await self._record_quietly(observer, {**end, "action_id": seen})
            return
        begin = {
            "phase": "begin",
            "tool": self.name,
            "arguments": payloads.stored_arguments(context, self.arguments, 0),
            "effect": self.effect,
            "call_id": id,
            **({"shown_as": self.shown_as} if self.shown_as else {}),
        }
        if await self._record_quietly(observer, begin):
            await self._record_quietly(observer, {**end, "call_id": id})

    async def _record_quietly(self, local: Local, fields: dict[str, Any]) -> bool:
        """Whether the record was written: the call is answered either way."""
        try:
            await self.gateway.writer.record(local, "record_action", fields)
        except Exception:
            return False
        return True

    async def _identify(self) -> None:
        """Look up what hooks have seen of the call: its id, and its arguments."""
        await self.gateway.writer.availability.wait()
        self.gateway.spool.drain(HOOK_DRAIN_WAIT_SECONDS)
        self.client_call_id = hooks.usable_call_id(self)
        try:
            self.arguments = self.connection.parse_arguments(self.params.get("arguments"))
        except TallystickError:
            return  # a call that is not sent may have any arguments

    def _find_hook_action(self) -> str:
        """The action that a hook has begun for the call. An action that the gateway has sent is not one."""
        context, id = self.local.context, self.client_call_id

        def under_id(view: View) -> Action | None:
            action = action_of_call(view, id)
            return action if action and not action.end_seq and not _was_sent(view, id) else None

        try:
            action = (
                context.read(under_id)
                if id
                else context.write(lambda transaction: hooks.begun_action(self, transaction))
            )
        except TallystickError:
            return ""
        return action.id if action else ""

    def _may_hooks_report(self, id: str) -> bool:
        """Whether hooks may still report the call, under the same id."""
        context = self.local.context
        try:
            return bool(id) and context.read(lambda view: _is_watched(context, view) and not _was_sent(view, id))
        except TallystickError:
            return False  # a journal that cannot be read cannot be written either; that is logged already


def _was_sent(view: View, call_id: str) -> bool:
    """Whether the gateway has sent the call with this id before."""
    action = action_of_call(view, call_id)
    begun = view.entry(action.seq) if action else None
    is_gateways = begun is not None and begun.actor.kind == "gateway"
    return is_gateways or view.get(IdempotencyKey, call_key(call_id, "gateway")) is not None


def _is_watched(context: OperationContext, view: View) -> bool:
    """Whether hooks watch the agent: in its conversation, else in a session of the process or client beside ours."""
    conversation, session_id = context.principal.conversation, context.reader_session(view)
    if not conversation:
        session = view.get(Session, session_id) if session_id else None
        return session is not None and bool(observers_of_same_agent(view, session))
    rows = view.find(Session, Select(where={"name": conversation}, limit=MAX_SESSIONS_OF_CONVERSATION))
    return any(row.session_kind == "client" and row.witness == "observed" for row in rows)
