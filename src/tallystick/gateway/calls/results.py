"""What a server's answer does to a call: what is written of it, and what its client is told then."""

from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Raw

from tallystick import protocol
from tallystick.core.types import Outcome
from tallystick.gateway.messages import not_now, not_taken
from tallystick.gateway.recording import payloads
from tallystick.gateway.upstream.server import Era, Upstream, UpstreamAnswer
from tallystick.protocol.jsonrpc import decode_object
from tallystick.sdk.local import Local

if TYPE_CHECKING:
    from tallystick.gateway.calls.call import ToolCall
    from tallystick.gateway.gateway import Gateway


# ----------------------------------------------------------------------------------------------------------------------
# What a server's result says came of a call. The rest of a result, which may be long, is not read.

ResultKind = Literal["ok", "failed", "asks", "accepted", "no result"]
_TOLD = ("isError", "resultType", "task", "taskId", "status")


def of_result(result: Raw, era: Era) -> tuple[ResultKind, dict[str, Any]]:
    """What came, and the task that the server has made of it, if it has. What is no result of a tool says nothing of
    what has happened. `resultType` is a word of the modern era; before it, a result may have a field of that name."""
    try:
        found = msgspec.json.decode(result, type=dict[str, Raw])
        facts = {name: msgspec.json.decode(found[name]) for name in _TOLD if name in found}
    except RecursionError:  # too deep to be looked into: it says none of these words anywhere, or nobody knows
        return ("no result" if _may_say(bytes(result)) else "ok"), {}
    except (msgspec.DecodeError, UnicodeDecodeError):
        return "no result", {}
    task = facts["task"] if isinstance(facts.get("task"), dict) else {}
    kind = facts.get("resultType", "complete") if era == "modern" else "complete"
    if "taskId" in task or kind == "task":
        return "accepted", task or facts
    if kind == "input_required":
        return "asks", {}
    content = memoryview(found["content"])[:1] if "content" in found else b"["  # some leave it out: it is empty
    if kind != "complete" or content != b"[" or type(facts.get("isError")) not in (bool, type(None)):
        return "no result", {}
    return ("failed" if facts.get("isError") is True else "ok"), {}


def _may_say(result: bytes) -> bool:
    """Whether a word that tells what came may stand in it, also in other letters."""
    return b"\\u00" in result or any(f'"{word}"'.encode() in result for word in _TOLD)


# ----------------------------------------------------------------------------------------------------------------------
# A second answer of a server to one request. What says the same says nothing; what says otherwise is evidence against
# what was recorded, and puts the action back in doubt.


def listen(call: "ToolCall", came: Outcome) -> None:
    """From now on, hear what the server still says of a call that has ended."""
    if call.action:  # the call itself, with all its arguments, is not kept for that
        said = partial(_heard, call.gateway, call.local, call.upstream, call.action, came)
        call.upstream.on_duplicate_response(call.sent, said)


def _heard(
    gateway: "Gateway", local: Local, upstream: Upstream, action: str, first: Outcome, answer: UpstreamAnswer
) -> None:
    second, said = _second(local, upstream, answer)
    what = f"{upstream.name} has answered {action} twice"
    if second == first:
        gateway.say(f"{what}, and said the same")
        return
    gateway.say(f"{what}: first {first}, then {second}; it is in doubt")
    why = f"The server answered a second time, and said otherwise: first {first}, then {second}."
    end = {"phase": "end", "action_id": action, "outcome": second, "error": why, **said}

    def recorded(receipt: Any, error: BaseException | None) -> None:
        if error is not None:
            gateway.say(f"{what}, which could not be recorded: {error}")

    gateway.writer.put(local, "record_action", end, recorded)


def _second(local: Local, upstream: Upstream, answer: UpstreamAnswer) -> tuple[Outcome, dict[str, Any]]:
    came = of_result(answer.result, upstream.era)[0] if answer.result is not None else "no result"
    if came in ("ok", "failed") and answer.result is not None:
        return came, {"result": payloads.stored_result(local.context, answer.result)}
    return "unknown", {}


# ----------------------------------------------------------------------------------------------------------------------


def take(call: "ToolCall", answer: UpstreamAnswer, *, tell: bool) -> None:
    """The server has answered, or never will. Who has given up waiting is told nothing."""
    if answer.lost:
        _lost(call, answer, tell=tell)
    elif answer.error is not None:
        _erred(call, answer.error, tell=tell)
    elif answer.result is not None:
        _resulted(call, answer.result, tell=tell)


def _lost(call: "ToolCall", answer: UpstreamAnswer, *, tell: bool) -> None:
    name = call.upstream.name
    if not answer.left:
        why = f"{'It was not taken' if answer.refused else 'It never left'}: {name} {answer.lost}."
        refusal = (not_taken if answer.refused else not_now)(name, answer.lost)
        call.not_done(why, refusal if tell else None)
    elif tell:  # else it is written already that nobody knows
        call.doubt(f"{name} {answer.lost} while the call was under way.")


def _erred(call: "ToolCall", error: Raw, *, tell: bool) -> None:
    """An error of the protocol says nothing of what was done; unless it is that there is no such tool."""
    shown = payloads.stored_beginning(call.local.context, bytes(error).decode(errors="replace"))
    said: dict[str, Any] = {"error": f"An error of the protocol: {shown}"}
    codes = (protocol.METHOD_NOT_FOUND, protocol.INVALID_PARAMS)
    never = not call.listed and decode_object(error).get("code") in codes
    outcome: Outcome = "failed" if never else "unknown"
    more = {"without_effect": True} if never else {}
    call.end(outcome, {**said, **more}, (lambda: call.fail(error)) if tell else None)


def _resulted(call: "ToolCall", result: Raw, *, tell: bool) -> None:
    came, task = of_result(result, call.upstream.era)
    if came == "accepted":
        _accepted(call, task, result, tell=tell)
    elif came == "asks":
        _asked_for_more(call, result, tell=tell)
    elif came == "no result":
        shown = payloads.stored_beginning(call.local.context, bytes(result).decode(errors="replace"))
        why = f"{call.upstream.name} answered with what is no result of a tool."
        call.doubt(why, tell=tell, said=f"It said: {shown}")
    else:
        said = {"result": payloads.stored_result(call.local.context, result)}
        call.end(came, said, (lambda: call.pass_on(result)) if tell else None)
        listen(call, came)


def _asked_for_more(call: "ToolCall", result: Raw, *, tell: bool) -> None:
    """The server asks for more, and will be called again; unless nobody waits for it any more, or the client is of the
    older era: it would take the question for an empty result."""
    if tell and not call.connection.modern:
        call.doubt(f"{call.upstream.name} asked for more, in a way in which this client cannot be asked.")
    elif tell:
        call.gateway.unfinished.put(call)
        call.connection.pass_on(call.id, "tools/call", call.upstream, result)


def _accepted(call: "ToolCall", task: dict[str, Any], result: Raw, *, tell: bool) -> None:
    """The server has taken the call as a task, and works on. What comes of it is asked for in other requests."""
    given, status = task.get("taskId"), str(task.get("status", "unknown"))[:80]
    call.gateway.say(f"{call.name} was accepted as a task: {call.action} is in doubt until its result is asked for")
    said = {
        "error": f"It was accepted as task {str(given)[:80]} ({status}); nobody has seen here what came of it.",
        "result": payloads.stored_result(call.local.context, result),
    }
    shown = call.connection.tasks.accepted(call, given, result) if isinstance(given, str) else result
    call.end("unknown", said, (lambda: call.pass_on(shown)) if tell else None)
