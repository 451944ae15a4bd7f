"""What a server's answer does to a call: what is written of it, and what its client is told then."""

from typing import TYPE_CHECKING, Any

from msgspec import Raw

from tallystick import protocol
from tallystick.core.model import Outcome
from tallystick.gateway import kept, outcomes, retold
from tallystick.gateway.refusals import not_now, not_taken
from tallystick.gateway.upstream import Answer
from tallystick.protocol.messages import object_of

if TYPE_CHECKING:
    from tallystick.gateway.toolcall import ToolCall


def take(call: "ToolCall", answer: Answer, *, tell: bool) -> None:
    """The server has answered, or never will. Who has given up waiting is told nothing."""
    if answer.lost:
        _lost(call, answer, tell=tell)
    elif answer.error is not None:
        _erred(call, answer.error, tell=tell)
    elif answer.result is not None:
        _resulted(call, answer.result, tell=tell)


def _lost(call: "ToolCall", answer: Answer, *, tell: bool) -> None:
    name = call.upstream.name
    if not answer.left:
        why = f"{'It was not taken' if answer.refused else 'It never left'}: {name} {answer.lost}."
        refusal = (not_taken if answer.refused else not_now)(name, answer.lost)
        call.not_done(why, refusal if tell else None)
    elif tell:  # else it is written already that nobody knows
        call.doubt(f"{name} {answer.lost} while the call was under way.")


def _erred(call: "ToolCall", error: Raw, *, tell: bool) -> None:
    """An error of the protocol says nothing of what was done; unless it is that there is no such tool."""
    shown = kept.beginning(call.local.desk, bytes(error).decode(errors="replace"))
    said: dict[str, Any] = {"error": f"An error of the protocol: {shown}"}
    codes = (protocol.METHOD_NOT_FOUND, protocol.INVALID_PARAMS)
    never = not call.listed and object_of(error).get("code") in codes
    outcome: Outcome = "failed" if never else "unknown"
    more = {"without_effect": True} if never else {}
    call.end(outcome, {**said, **more}, (lambda: call.fail(error)) if tell else None)


def _resulted(call: "ToolCall", result: Raw, *, tell: bool) -> None:
    came, task = outcomes.of_result(result, call.upstream.era)
    if came == "accepted":
        _accepted(call, task, result, tell=tell)
    elif came == "asks":
        _asked_for_more(call, result, tell=tell)
    elif came == "no result":
        shown = kept.beginning(call.local.desk, bytes(result).decode(errors="replace"))
        why = f"{call.upstream.name} answered with what is no result of a tool."
        call.doubt(why, tell=tell, said=f"It said: {shown}")
    else:
        said = {"result": kept.of_result(call.local.desk, result)}
        call.end(came, said, (lambda: call.pass_on(result)) if tell else None)
        retold.listen(call, came)


def _asked_for_more(call: "ToolCall", result: Raw, *, tell: bool) -> None:
    """The server asks for more, and will be called again; unless nobody waits for it any more, or the client is of the
    older era: it would take the question for an empty result."""
    if tell and not call.front.modern:
        call.doubt(f"{call.upstream.name} asked for more, in a way in which this client cannot be asked.")
    elif tell:
        call.hub.unfinished.put(call)
        call.front.pass_on(call.id, "tools/call", call.upstream, result)


def _accepted(call: "ToolCall", task: dict[str, Any], result: Raw, *, tell: bool) -> None:
    """The server has taken the call as a task, and works on. What comes of it is asked for in other requests."""
    given, status = task.get("taskId"), str(task.get("status", "unknown"))[:80]
    call.hub.say(f"{call.name} was accepted as a task: {call.action} is in doubt until its result is asked for")
    said = {
        "error": f"It was accepted as task {str(given)[:80]} ({status}); nobody has seen here what came of it.",
        "result": kept.of_result(call.local.desk, result),
    }
    shown = call.front.tasks.accepted(call, given, result) if isinstance(given, str) else result
    call.end("unknown", said, (lambda: call.pass_on(shown)) if tell else None)
