"""Calls that a server runs as tasks: routes requests about a task to its server, and records the call's outcome.

A task id is its server's own. The client sees it unchanged, unless another server gave the same id: then the server's
name is put before it, as before a tool's name.
"""

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Raw, Struct

from tallystick import protocol
from tallystick.core.types import Outcome
from tallystick.gateway import messages
from tallystick.gateway.calls import results
from tallystick.gateway.calls.call import ToolCall
from tallystick.gateway.recording import payloads
from tallystick.gateway.recording.outcomes import CallEnd
from tallystick.gateway.upstream.names import SEPARATOR
from tallystick.gateway.upstream.server import Era, Upstream, UpstreamAnswer
from tallystick.protocol.jsonrpc import Id, decode_object, decode_raw, error_object
from tallystick.sdk.local import Local

if TYPE_CHECKING:
    from tallystick.gateway.client.connection import ClientConnection

MAX_TASKS = 10_000
"""How many tasks of a client are remembered. The oldest are forgotten, and their calls stay in doubt."""
METHODS = ("tasks/get", "tasks/result", "tasks/cancel", "tasks/update")
STATUS = "notifications/tasks/status"
RELATED = "io.modelcontextprotocol/related-task"


class ServerTask(Struct, kw_only=True):
    """One task of a server."""

    upstream: Upstream
    id: str
    shown: str
    """The id that the client sees."""
    end: CallEnd | None = None
    """How to record the end of its call, if the call went through this gateway."""
    recorded_outcome: Outcome | None = None
    has_result: bool = False


class Tasks:
    """The tasks of one client."""

    def __init__(self, connection: "ClientConnection") -> None:
        self._connection = connection
        self._by_shown_id: OrderedDict[str, ServerTask] = OrderedDict()

    def show(self, upstream: Upstream, id: str) -> str:
        """The id that the client sees."""
        return self._task(upstream, id).shown

    def on_accepted(self, call: ToolCall, task_id: str, result: Raw) -> Raw:
        """Remember that a call has become a task. Returns the result as the client sees it."""
        task = self._task(call.upstream, task_id)
        task.end, task.recorded_outcome, task.has_result = call.end_record("unknown", {}), None, False
        return _with_shown_id(result, task)

    def on_status(self, upstream: Upstream, params: dict[str, Any]) -> dict[str, Any]:
        """The params of a status notification as the client sees them."""
        id = params.get("taskId")
        return {**params, "taskId": self.show(upstream, id)} if isinstance(id, str) else params

    def take(self, id: Id, method: str, params: dict[str, Any]) -> None:
        """Forward a request about a task to its server."""
        connection, shown = self._connection, decode_raw(params.get("taskId"))
        task = self._by_shown_id.get(shown) if isinstance(shown, str) else None
        if task is None:
            self._forward_unknown(id, method, params)
            return

        def on_answer(answer: UpstreamAnswer) -> None:
            connection.start(id, self._pass_answer(id, method, task, answer))

        connection.forward(id, method, task.upstream, {**params, "taskId": task.id}, on_answer)

    def _forward_unknown(self, id: Id, method: str, params: dict[str, Any]) -> None:
        """Forward a request about a task that is not remembered, if only one server can have it."""
        connection = self._connection
        servers = [each for each in connection.upstreams if not each.own]
        able = servers if len(servers) == 1 else [each for each in servers if "tasks" in each.capabilities]
        if len(able) == 1:
            connection.forward(id, method, able[0], params)
        elif able:
            connection.fail(
                id, error_object(protocol.INVALID_PARAMS, "Unknown task: it is unclear which server has it.")
            )
        else:
            connection.fail(id, error_object(protocol.METHOD_NOT_FOUND, f'There is no method "{method[:80]}".'))

    def _task(self, upstream: Upstream, id: str) -> ServerTask:
        prefixed = f"{upstream.name}{SEPARATOR}{id}"
        for shown in (id, prefixed):
            task = self._by_shown_id.get(shown)
            if task is not None and task.upstream is upstream and task.id == id:
                self._by_shown_id.move_to_end(shown)
                return task
        task = ServerTask(upstream=upstream, id=id, shown=prefixed if id in self._by_shown_id else id)
        self._by_shown_id[task.shown] = task
        if len(self._by_shown_id) > MAX_TASKS:
            self._by_shown_id.popitem(last=False)
        return task

    async def _pass_answer(self, id: Id, method: str, task: ServerTask, answer: UpstreamAnswer) -> None:
        """Record the call's outcome if the answer has it, then pass the answer on."""
        connection, result = self._connection, answer.result
        if result is None:
            connection.pass_answer(id, method, task.upstream, answer)
            return
        shown, warning = _with_shown_id(result, task), ""
        outcome, fields = _outcome_of(method, task.end.local, task.upstream.era, result) if task.end else (None, {})
        has_result = "result" in fields
        is_known = task.recorded_outcome == outcome and task.has_result >= has_result
        if task.end is not None and outcome is not None and not is_known:
            task.recorded_outcome, task.has_result = outcome, has_result
            error = await connection.gateway.outcomes.record(task.end.with_outcome(outcome, fields))
            warning = f"The outcome of the task could not be recorded yet: {error}" if error else ""
        connection.pass_on(id, method, task.upstream, messages.warn_in_result(shown, warning))


def _outcome_of(method: str, local: Local, era: Era, result: Raw) -> tuple[Outcome | None, dict[str, Any]]:
    """The outcome of a task's call, and fields for its end record, if an answer has them.

    A cancelled task may have been carried out in part, so it stays in doubt.
    """
    if method == "tasks/result":
        return _outcome_of_result(local, era, result)
    try:
        fields = msgspec.json.decode(result, type=dict[str, Raw])
    except (msgspec.DecodeError, RecursionError):
        return None, {}
    if "result" in fields:  # the modern era sends it with the status
        return _outcome_of_result(local, era, fields["result"])
    status, reason = decode_raw(fields.get("status")), decode_raw(fields.get("statusMessage"))
    if status == "completed":
        return "ok", {}
    if status == "failed":
        shown = payloads.stored_beginning(local.context, reason) if isinstance(reason, str) else ""
        return "failed", {"error": f"The server says that the task has failed. {shown}".strip()}
    return None, {}


def _outcome_of_result(local: Local, era: Era, result: Raw) -> tuple[Outcome | None, dict[str, Any]]:
    kind, _ = results.classify_result(result, era)
    if kind == "ok" or kind == "failed":
        return kind, {"result": payloads.stored_result(local.context, result)}
    return None, {}


def _with_shown_id(result: Raw, task: ServerTask) -> Raw:
    """A server's result about a task, with the id that the client sees."""
    if task.shown == task.id:
        return result
    fields = decode_object(result)
    if fields.get("taskId") == task.id:
        fields["taskId"] = task.shown
    if isinstance(fields.get("task"), dict):
        fields["task"] = {**fields["task"], "taskId": task.shown}
    meta = fields.get("_meta")
    if isinstance(meta, dict) and RELATED in meta:
        fields["_meta"] = {**meta, RELATED: {"taskId": task.shown}}
    return Raw(msgspec.json.encode(fields))
