"""A second answer of a server to one request. What says the same says nothing; what says otherwise is evidence against
what was recorded, and puts the action back in doubt."""

from functools import partial
from typing import TYPE_CHECKING, Any

from tallystick.calls import Local
from tallystick.core.model import Outcome
from tallystick.gateway import kept, outcomes
from tallystick.gateway.upstream import Answer, Upstream

if TYPE_CHECKING:
    from tallystick.gateway.hub import Hub
    from tallystick.gateway.toolcall import ToolCall


def listen(call: "ToolCall", came: Outcome) -> None:
    """From now on, hear what the server still says of a call that has ended."""
    if call.action:  # the call itself, with all its arguments, is not kept for that
        said = partial(_heard, call.hub, call.local, call.upstream, call.action, came)
        call.upstream.hear_again(call.sent, said)


def _heard(hub: "Hub", local: Local, upstream: Upstream, action: str, first: Outcome, answer: Answer) -> None:
    second, said = _second(local, upstream, answer)
    what = f"{upstream.name} has answered {action} twice"
    if second == first:
        hub.say(f"{what}, and said the same")
        return
    hub.say(f"{what}: first {first}, then {second}; it is in doubt")
    why = f"The server answered a second time, and said otherwise: first {first}, then {second}."
    end = {"phase": "end", "action_id": action, "outcome": second, "error": why, **said}

    def recorded(receipt: Any, error: BaseException | None) -> None:
        if error is not None:
            hub.say(f"{what}, which could not be recorded: {error}")

    hub.scribe.put(local, "record_action", end, recorded)


def _second(local: Local, upstream: Upstream, answer: Answer) -> tuple[Outcome, dict[str, Any]]:
    came = outcomes.of_result(answer.result, upstream.era)[0] if answer.result is not None else "no result"
    if came in ("ok", "failed") and answer.result is not None:
        return came, {"result": kept.of_result(local.desk, answer.result)}
    return "unknown", {}
