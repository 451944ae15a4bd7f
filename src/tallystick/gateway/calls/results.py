"""Reads a server's answer to a call: the outcome to record, and the reply for the client."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Raw, Struct

from tallystick import protocol
from tallystick.core.types import Outcome
from tallystick.gateway.io.log import LOG
from tallystick.gateway.io.loop import describe_unexpected, start
from tallystick.gateway.messages import outcome_unknown, server_rejected_call, server_unavailable
from tallystick.gateway.recording import payloads
from tallystick.gateway.recording.writer import JournalWriter
from tallystick.gateway.upstream.server import Era, Upstream, UpstreamAnswer
from tallystick.protocol.jsonrpc import decode_object
from tallystick.sdk.local import Local

if TYPE_CHECKING:
    from tallystick.gateway.calls.call import ToolCall

MAX_TASK_CHARACTERS = 80
ResultKind = Literal["ok", "failed", "input_required", "task", "invalid"]
_OUTCOME_FIELDS = ("isError", "resultType", "task", "taskId", "status")


def classify_result(result: Raw, era: Era) -> tuple[ResultKind, dict[str, Any]]:
    """Return the kind of a tool result, and the task that the server has made of the call, if it has.

    Only the fields that show the outcome are decoded: the rest may be long. `resultType` belongs to the modern era;
    before it, a result may have another field of that name.
    """
    try:
        fields = msgspec.json.decode(result, type=dict[str, Raw])
        facts = {name: msgspec.json.decode(fields[name]) for name in _OUTCOME_FIELDS if name in fields}
    except RecursionError:  # nested too deeply to decode: a success, if it has none of these fields at any level
        return ("invalid" if _may_contain_outcome(bytes(result)) else "ok"), {}
    except (msgspec.DecodeError, UnicodeDecodeError):
        return "invalid", {}
    task = facts["task"] if isinstance(facts.get("task"), dict) else {}
    kind = facts.get("resultType", "complete") if era == "modern" else "complete"
    if "taskId" in task or kind == "task":
        return "task", task or facts
    if kind == "input_required":
        return "input_required", {}
    content = memoryview(fields["content"])[:1] if "content" in fields else b"["  # some servers omit an empty one
    if kind != "complete" or content != b"[" or type(facts.get("isError")) not in (bool, type(None)):
        return "invalid", {}
    return ("failed" if facts.get("isError") is True else "ok"), {}


def _may_contain_outcome(result: bytes) -> bool:
    """Whether a field that shows the outcome may be in the text, also with escaped letters."""
    return b"\\u00" in result or any(f'"{name}"'.encode() in result for name in _OUTCOME_FIELDS)


class Ending(Struct, frozen=True, kw_only=True):
    """The end of a call: the outcome to record, and the reply to send after it is recorded."""

    outcome: Outcome
    fields: dict[str, Any]
    """Further fields of the end record."""
    reply: Callable[[], None]
    watches_duplicates: bool = False
    """Whether a second, different answer of the server puts the action in doubt."""


class InputRequest(Struct, frozen=True):
    """A server's question to the client, which answers it with another call of the same tool."""

    result: Raw


def read_answer(call: "ToolCall", answer: UpstreamAnswer, *, is_awaited: bool) -> Ending | InputRequest | None:
    """Return the end of a call, the server's question to the client, or None if there is nothing to record.

    If the client no longer waits (`is_awaited` is false), the action is recorded as unknown already.
    """
    if answer.lost:
        return _lost(call, answer, is_awaited=is_awaited)
    if answer.error is not None:
        return _protocol_error(call, answer.error)
    assert answer.result is not None
    kind, task = classify_result(answer.result, call.upstream.era)
    if kind == "task":
        return _accepted_as_task(call, task, answer.result)
    if kind == "input_required":
        if not is_awaited:
            return None
        if call.connection.is_modern:
            return InputRequest(answer.result)
        # A client of the handshake era would take the question for an empty result.
        return in_doubt(call, f"{call.upstream.name} asked for input, in a way that this client does not support.")
    if kind == "invalid":
        shown = payloads.stored_beginning(call.local.context, bytes(answer.result).decode(errors="replace"))
        return in_doubt(call, f"{call.upstream.name} answered with an invalid tool result.", f"The answer: {shown}")
    result = answer.result
    fields = {"result": payloads.stored_result(call.local.context, result)}
    return Ending(outcome=kind, fields=fields, reply=lambda: call.reply_result(result), watches_duplicates=True)


def in_doubt(call: "ToolCall", reason: str, detail: str = "") -> Ending:
    """The end of a call with an unknown outcome. The detail is recorded, and not sent to the client."""
    refusal = outcome_unknown(reason, call.action)
    return Ending(
        outcome="unknown",
        fields={"error": f"{reason} {detail}".strip()},
        reply=lambda: call.reply_refusal(refusal),
    )


def not_done(call: "ToolCall", reason: str, refusal: Any) -> Ending:
    """The end of a call that the server has not received or has not accepted."""
    fields = {"error": reason, "without_effect": True}
    return Ending(outcome="failed", fields=fields, reply=lambda: call.reply_refusal(refusal))


def _lost(call: "ToolCall", answer: UpstreamAnswer, *, is_awaited: bool) -> Ending | None:
    name = call.upstream.name
    if not answer.left:
        reason = f"{'It was not taken' if answer.refused else 'It never left'}: {name} {answer.lost}."
        return not_done(
            call, reason, (server_rejected_call if answer.refused else server_unavailable)(name, answer.lost)
        )
    return in_doubt(call, f"{name} {answer.lost} while the call was under way.") if is_awaited else None


def _protocol_error(call: "ToolCall", error: Raw) -> Ending:
    """The end of a call answered with a JSON-RPC error: unknown, unless it says that there is no such tool."""
    shown = payloads.stored_beginning(call.local.context, bytes(error).decode(errors="replace"))
    fields: dict[str, Any] = {"error": f"An error of the protocol: {shown}"}
    codes = (protocol.METHOD_NOT_FOUND, protocol.INVALID_PARAMS)
    is_unknown_tool = not call.is_listed and decode_object(error).get("code") in codes
    if is_unknown_tool:
        fields["without_effect"] = True
    return Ending(
        outcome="failed" if is_unknown_tool else "unknown", fields=fields, reply=lambda: call.reply_error(error)
    )


def _accepted_as_task(call: "ToolCall", task: dict[str, Any], result: Raw) -> Ending:
    """The end of a call that the server works on as a task: its result is asked for in other requests."""
    id, status = task.get("taskId"), str(task.get("status", "unknown"))[:MAX_TASK_CHARACTERS]
    LOG.log(f"{call.name} was accepted as a task: {call.action} is in doubt until its result is asked for")
    shown_id = str(id)[:MAX_TASK_CHARACTERS]
    fields = {
        "error": f"Accepted as task {shown_id} ({status}). The gateway has not seen its outcome.",
        "result": payloads.stored_result(call.local.context, result),
    }
    shown = call.connection.tasks.on_accepted(call, id, result) if isinstance(id, str) else result
    return Ending(outcome="unknown", fields=fields, reply=lambda: call.reply_result(shown))


# ----------------------------------------------------------------------------------------------------------------------
# A second answer to one request: an identical one is ignored, a different one marks the action as in doubt


def watch_duplicates(call: "ToolCall", outcome: Outcome) -> None:
    """Record a different second answer of the server. The call itself is not kept: its arguments may be large."""
    if call.action:
        on_duplicate = partial(_on_duplicate, call.gateway.writer, call.local, call.upstream, call.action, outcome)
        call.upstream.on_duplicate_response(call.sent_id, on_duplicate)


def _on_duplicate(
    writer: JournalWriter, local: Local, upstream: Upstream, action: str, first: Outcome, answer: UpstreamAnswer
) -> None:
    second, fields = _outcome_of_duplicate(local, upstream, answer)
    event = f"{upstream.name} has answered {action} twice"
    if second == first:
        LOG.log(f"{event}, with the same outcome")
        return
    LOG.log(f"{event}: first {first}, then {second}; it is in doubt")
    reason = f"The server answered a second time, and said otherwise: first {first}, then {second}."
    end = {"phase": "end", "action_id": action, "outcome": second, "error": reason, **fields}

    async def record() -> None:
        try:
            await writer.record(local, "record_action", end)
        except Exception as error:
            LOG.log(f"{event}, which could not be recorded: {error}")

    start(record(), lambda error: LOG.log(describe_unexpected(error)))


def _outcome_of_duplicate(local: Local, upstream: Upstream, answer: UpstreamAnswer) -> tuple[Outcome, dict[str, Any]]:
    if answer.result is not None:
        kind, _ = classify_result(answer.result, upstream.era)
        if kind == "ok" or kind == "failed":
            return kind, {"result": payloads.stored_result(local.context, answer.result)}
    return "unknown", {}
