"""Calls that a server has taken as tasks: whose each is, and what came of it when that is asked for later.

A task's id is its server's own. It is shown as it came, unless another server has given the same: then the server's
name stands before it, as before a tool's.
"""

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Raw, Struct

from tallystick import protocol
from tallystick.core.types import Outcome
from tallystick.gateway import messages
from tallystick.gateway.calls import results
from tallystick.gateway.recording import payloads
from tallystick.gateway.recording.outcomes import End
from tallystick.gateway.upstream.names import BETWEEN
from tallystick.gateway.upstream.server import Era, Upstream, UpstreamAnswer
from tallystick.protocol.jsonrpc import Id, decode_object, decode_raw, error_object
from tallystick.sdk.local import Local

if TYPE_CHECKING:
    from tallystick.gateway.calls.call import ToolCall
    from tallystick.gateway.client.connection import ClientConnection

MOST = 10_000
"""How many tasks of a client are remembered; the oldest are forgotten, and stay in doubt."""
METHODS = "tasks/"
STATUS = "notifications/tasks/status"
RELATED = "io.modelcontextprotocol/related-task"


class Task(Struct, kw_only=True):
    """One task. That of a call through this gateway says which action it is; the call itself, with all its arguments,
    is not kept for it."""

    upstream: Upstream
    id: str
    shown: str
    call: End | None = None
    known: Outcome | None = None
    has_result: bool = False


class Tasks:
    """The tasks of one client."""

    def __init__(self, connection: "ClientConnection") -> None:
        self._connection = connection
        self._shown: OrderedDict[str, Task] = OrderedDict()

    def show(self, upstream: Upstream, id: str) -> str:
        """The id that the client sees."""
        return self._task(upstream, id).shown

    def accepted(self, call: "ToolCall", id: str, result: Raw) -> Raw:
        """A call has become a task. The result that says so, as the client sees it."""
        task = self._task(call.upstream, id)
        task.call, task.known, task.has_result = call.ending("unknown", {}), None, False
        return _renamed(result, task)

    def told(self, upstream: Upstream, params: dict[str, Any]) -> dict[str, Any]:
        """How a task stands, by its server's own word, as the client sees it."""
        id = params.get("taskId")
        return {**params, "taskId": self.show(upstream, id)} if isinstance(id, str) else params

    def take(self, id: Id, method: str, params: dict[str, Any]) -> None:
        """A request about a task goes to whoever has it."""
        connection, shown = self._connection, decode_raw(params.get("taskId"))
        task = self._shown.get(shown) if isinstance(shown, str) else None
        if task is None:
            self._unknown(id, method, params)
            return

        def answered(answer: UpstreamAnswer) -> None:
            self._answered(id, method, task, answer)

        connection.forward(id, method, task.upstream, {**params, "taskId": task.id}, connection.guarded(id, answered))

    def _unknown(self, id: Id, method: str, params: dict[str, Any]) -> None:
        """One that was given to nobody here, or long ago: it is not guessed whose it is."""
        connection = self._connection
        others = [each for each in connection.upstreams if not each.own]
        able = others if len(others) == 1 else [each for each in others if "tasks" in each.capabilities]
        if len(able) == 1:
            connection.forward(id, method, able[0], params)
        elif able:
            connection.fail(id, error_object(protocol.INVALID_PARAMS, "Nobody knows here which server has this task."))
        else:
            connection.fail(id, error_object(protocol.METHOD_NOT_FOUND, f'There is no method "{method[:80]}".'))

    def _task(self, upstream: Upstream, id: str) -> Task:
        other = f"{upstream.name}{BETWEEN}{id}"
        for shown in (id, other):
            found = self._shown.get(shown)
            if found is not None and found.upstream is upstream and found.id == id:
                self._shown.move_to_end(shown)
                return found
        task = Task(upstream=upstream, id=id, shown=other if id in self._shown else id)
        self._shown[task.shown] = task
        if len(self._shown) > MOST:
            self._shown.popitem(last=False)
        return task

    def _answered(self, id: Id, method: str, task: Task, answer: UpstreamAnswer) -> None:
        """What came of the call is written before it is passed on."""
        connection, result = self._connection, answer.result
        if result is None:
            connection.answered(id, method, task.upstream, answer)
            return
        shown, call = _renamed(result, task), task.call
        outcome, said = _told(method, call.local, task.upstream.era, result) if call else (None, {})
        has_result = "result" in said
        if call is None or outcome is None or (task.known == outcome and task.has_result >= has_result):
            connection.pass_on(id, method, task.upstream, shown)
            return
        task.known, task.has_result = outcome, has_result

        def pass_on(error: BaseException | None) -> None:
            warning = f"The outcome of the task could not be recorded yet: {error}" if error else ""
            connection.pass_on(id, method, task.upstream, messages.on_result(shown, warning))

        connection.gateway.ends.put(call.of(outcome, said), connection.guarded(id, pass_on))


def _told(method: str, local: Local, era: Era, result: Raw) -> tuple[Outcome | None, dict[str, Any]]:
    """What came of a task's call, as far as an answer tells: its result, or its state where that says so. A task that
    was cancelled may have been done in part."""
    if method == "tasks/result":
        return _came(local, era, result)
    try:
        found = msgspec.json.decode(result, type=dict[str, Raw])
    except (msgspec.DecodeError, RecursionError):
        return None, {}
    if "result" in found:  # the modern era tells it along with the state
        return _came(local, era, found["result"])
    status, why = decode_raw(found.get("status")), decode_raw(found.get("statusMessage"))
    if status == "completed":
        return "ok", {}
    if status == "failed":
        shown = payloads.stored_beginning(local.context, why) if isinstance(why, str) else ""
        return "failed", {"error": f"The server says that the task has failed. {shown}".strip()}
    return None, {}


def _came(local: Local, era: Era, result: Raw) -> tuple[Outcome | None, dict[str, Any]]:
    came, _ = results.of_result(result, era)
    if came == "ok" or came == "failed":
        return came, {"result": payloads.stored_result(local.context, result)}
    return None, {}


def _renamed(result: Raw, task: Task) -> Raw:
    """What a server says of a task, with the id that the client knows."""
    if task.shown == task.id:
        return result
    found = decode_object(result)
    if found.get("taskId") == task.id:
        found["taskId"] = task.shown
    if isinstance(found.get("task"), dict):
        found["task"] = {**found["task"], "taskId": task.shown}
    meta = found.get("_meta")
    if isinstance(meta, dict) and RELATED in meta:
        found["_meta"] = {**meta, RELATED: {"taskId": task.shown}}
    return Raw(msgspec.json.encode(found))
