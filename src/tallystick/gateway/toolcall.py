"""One call of a tool, from the client's request to its answer: its intent is on disk before it leaves, its outcome
before the answer goes back."""

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Raw

from tallystick import protocol
from tallystick.core.errors import AlreadyDone, InvalidArgument, StorageUnavailable, TallystickError, UnknownHandle
from tallystick.core.model import Outcome
from tallystick.gateway import again, asking, grants, kept, planned
from tallystick.gateway.policy import Ruling
from tallystick.gateway.refusals import died, not_now, refused, unrecorded
from tallystick.gateway.upstream import Answer, Upstream
from tallystick.protocol.messages import Id
from tallystick.protocol.meta import ACTION_KEY, call_of

if TYPE_CHECKING:
    from tallystick.gateway.front import Front

MAX_NAME = 200
UNFINISHED = 1000
"""How many calls may wait for the client to give what a server asked for; an older one stays open, and in doubt."""


class ToolCall:
    """A call that is being made."""

    def __init__(self, front: "Front", id: Id, upstream: Upstream, tool: str, params: dict[str, Any]) -> None:
        self.front = front
        self.hub = front.hub
        self.id = id
        self.upstream = upstream
        self.tool = tool
        self.name = f"mcp__{upstream.name}__{tool}"[:MAX_NAME]
        self.params = params
        self.meta: dict[str, Any] = params["_meta"]
        self.local = self.hub.scribe.local(self.meta, front.client)
        self.arguments: dict[str, Any] = {}
        self.action = ""
        self.state: Literal["waiting", "left", "given up", "over"] = "waiting"
        self.sent = 0
        self.seen_at = 0.0
        self.warning = ""
        self.listed = True
        self.said: dict[str, Any] = {}
        self.ruling: Ruling

    @property
    def deadline(self) -> float:
        return self.seen_at + self.ruling.timeout if self.ruling.timeout > 0 else float("inf")

    @property
    def _key(self) -> tuple[str, str, str]:
        """What the same call has when it is made again with what the server asked for."""
        return self.upstream.name, self.tool, self.local.desk.effect_key(self.name, self.arguments)

    def begin(self, ruling: Ruling, *, listed: bool) -> None:
        """The server can be asked, and what it says of the tool is known."""
        if self.state != "waiting":
            return  # it was cancelled before it left: nothing has happened
        self.ruling, self.listed = ruling, listed
        raw = self.params.get("arguments")
        try:
            self.arguments = self.front.arguments(raw)
            more = self._allowed()
        except AlreadyDone as error:
            self._repeat(str(error.next_call[1]["action_id"]) if error.next_call else "", error)
            return
        except StorageUnavailable as error:
            self._unrecorded(error)
            return
        except TallystickError as error:
            self._refuse(error)
            return
        size = len(bytes(raw)) if isinstance(raw, Raw) else 0
        if ("requestState" in self.params or "inputResponses" in self.params) and self._key in self.hub.unfinished:
            self.action, self.local = self.hub.unfinished.pop(self._key)
            self._leave(self.hub.keys.get(self.action, self.action))
            return
        said = {
            "phase": "begin",
            "tool": self.name,
            "arguments": kept.of_arguments(self.local.desk, self.arguments, size),
            "effect": ruling.effect,
            "call_id": call_of(self.meta) or self.front.call_id(),
            **more,
        }
        if size > kept.ARGUMENT_BYTES:
            said["effect_key"] = self._key[2]
        self.said = said
        self.hub.scribe.put(self.local, "record_action", said, self._begun)

    def _allowed(self) -> dict[str, Any]:
        """What the begin has to say besides, or the refusal of a policy."""
        policy = self.ruling.policy
        self.hub.check_spooled(self)
        if policy == "refuse":
            raise refused(self.name)
        if policy == "ask":
            return asking.granted(self)
        if policy == "plan":
            return planned.step_for(self)
        return {}

    def _begun(self, receipt: Any, error: BaseException | None) -> None:
        if error is None:
            if receipt.repeated:  # by a gateway: a hook that has seen the same call is joined
                hint = "Use its result, or look at it; a new call has a new id."
                self._repeat(receipt.id, AlreadyDone(f"This very call was made before, as {receipt.id}.", hint=hint))
                return
            self.action = receipt.id
            if self.state == "over":  # cancelled while its intent was written
                self._end("skipped", {"error": "It was cancelled before it left."})
                return
            self._leave(f"{receipt.id}.{receipt.hash[3:19]}")
        elif isinstance(error, AlreadyDone) and error.next_call:
            self._repeat(error.next_call[1].get("action_id", ""), error)
        elif isinstance(error, InvalidArgument) and "effect_key" not in self.said:
            self.said["effect_key"] = self._key[2]  # JSON that no journal takes: it is kept as text
            self.said["arguments"] = kept.as_text(self.local.desk, self.params["arguments"])
            self.hub.scribe.put(self.local, "record_action", self.said, self._begun)
        elif isinstance(error, TallystickError) and not isinstance(error, StorageUnavailable):
            if grants.added(self, error):
                self.hub.scribe.put(self.local, "record_action", self.said, self._begun)
                return
            if "approval_id" in self.said:
                asking.spent(self)
            self._refuse(grants.advised(self, error))
        else:
            self._unrecorded(error)

    def _leave(self, key: str) -> None:
        """The intent is on disk: send the call on."""
        self.hub.keys[self.action] = key
        self.params["_meta"] = {**self.meta, ACTION_KEY: key}
        self.params["name"] = self.tool
        token = self.meta.get("progressToken")
        self.seen_at = monotonic()
        self.sent = self.upstream.request(
            "tools/call",
            self.params,
            self.answered,
            related=self.id,
            token=token if isinstance(token, str | int) else None,
            seen=self._alive,
        )
        if self.sent:
            self.state = "left"
            self.hub.under_way(self)
            return
        problem = self.upstream.problem or "does not read what it is sent"
        self._end("failed", {"error": f"It never left: {self.upstream.name} {problem}.", "without_effect": True})
        self._answer(self.front.refusal(not_now(self.upstream.name, problem)))

    def answered(self, answer: Answer) -> None:
        """The server has answered, or never will."""
        given_up, self.state = self.state == "given up", "over"
        self.hub.finished(self)
        if answer.lost:
            if not given_up:  # then it is written already that nobody knows
                why = f"{self.upstream.name} {answer.lost} while the call was under way."
                self._end("unknown", {"error": why}, lambda: self._answer(self.front.refusal(died(why, self.action))))
            return
        if (error := answer.error) is not None:
            said: dict[str, Any] = {
                "error": f"An error of the protocol: {bytes(error).decode(errors='replace')[:2000]}"
            }
            never = not self.listed and _code(error) in (protocol.METHOD_NOT_FOUND, protocol.INVALID_PARAMS)
            outcome: Outcome = "failed" if never else "unknown"
            more = {"without_effect": True} if never else {}  # there is no such tool: nothing can have happened
            self._end(outcome, {**said, **more}, None if given_up else lambda: self.front.fail(self.id, error))
            return
        assert answer.result is not None
        facts = _facts(answer.result)
        if facts.get("resultType", "complete") != "complete":  # the server asks for more, and will be called again
            self._unfinished(answer.result)
            return
        outcome = "failed" if facts.get("isError") is True else "ok"
        said = {"result": kept.of_result(self.local.desk, answer.result)}
        self._end(outcome, said, None if given_up else lambda: self._pass_on(answer.result))

    def cancel(self, reason: str) -> None:
        """The client does not wait any more. A call that has left may happen all the same."""
        if self.state == "left":
            self.state = "given up"
            self.upstream.cancel(self.sent, reason)
            self._end("unknown", {"error": f"It was cancelled after it had left: {reason or 'no reason given'}."})
        elif self.state == "waiting":
            self.state = "over"

    def time_out(self) -> None:
        self.state = "given up"
        self.upstream.cancel(self.sent, "It took too long.")
        why = f"{self.upstream.name} did not answer within {self.ruling.timeout:.0f} seconds."
        self._end("unknown", {"error": why}, lambda: self._answer(self.front.refusal(died(why, self.action))))

    def leave_behind(self, why: str) -> None:
        """The gateway ends."""
        if self.state == "left":
            self.state = "over"
            self._end("unknown", {"error": why})

    def _alive(self) -> None:
        self.seen_at = monotonic()

    def _end(self, outcome: Outcome, said: dict[str, Any], then: Callable[[], None] | None = None) -> None:
        """Write the outcome down, and only then go on."""
        self.hub.keys.pop(self.action, None)
        if not self.action:  # it could not be recorded when it left
            self.hub.spooled_end(self, outcome, said)
            if then:
                then()
            return
        end = {"phase": "end", "action_id": self.action, "outcome": outcome, **said}

        def ended(receipt: Any, error: BaseException | None) -> None:
            if isinstance(error, InvalidArgument) and "result" in end:  # JSON that no journal takes, such as a NUL
                end.pop("result")
                end["error"] = f"The result could not be kept: {error.message}"
                self.hub.scribe.put(self.local, "record_action", end, ended)
                return
            if error is not None:
                self._unwritten(end, error)
            if then:
                then()

        self.hub.scribe.put(self.local, "record_action", end, ended)

    def _unwritten(self, end: dict[str, Any], error: BaseException) -> None:
        """The outcome could not be written. What came is answered all the same: it has happened."""
        self.hub.owe(self.local, end)
        self.warning = (
            f"The outcome of {self.action} could not be recorded: {error}. Until it is, the call counts as open."
        )
        self.hub.say(self.warning)

    def _repeat(self, action: str, error: TallystickError) -> None:
        """The effect is there already: answer what came of it, if that is allowed and still known."""
        why = again.reason(self, action) if action and self.said and "again" not in self.said else ""
        if why:
            self.said["again"] = why
            self.hub.scribe.put(self.local, "record_action", self.said, self._begun)
            return
        if self.ruling.repeat == "answer" and action:
            try:
                found = self.hub.scribe.call(self.local, "get_action", {"action_id": action})
            except UnknownHandle:
                found = None
            result = (
                kept.answerable(self.local.desk, found.came.get("result")) if found and found.state == "ok" else None
            )
            if result is not None:
                self._answer(kept.marked(result, action))
                return
        hint = "Its effect is there already. To cause it once more, decide retry with the reason, and call again."
        self._refuse(AlreadyDone(f"The call was not made. {error.message}", hint=hint, next_call=error.next_call))

    def _refuse(self, error: TallystickError) -> None:
        self.hub.note_refusal(self, error)
        self._answer(self.front.refusal(error))

    def _unrecorded(self, error: BaseException) -> None:
        """The journal cannot be written: go on without it only where that was allowed, and never in silence."""
        self.warning = f"This call was not recorded in the journal: {error}"
        self.hub.say(f"{self.name}: {self.warning}")
        spooled = self.ruling.on_failure == "spool" and bool(self.said) and self.hub.spooled_begin(self)
        if spooled or (self.said and self.ruling.effect == "read"):  # what no policy could look at says nothing
            self._leave(self.said["call_id"])
        else:
            self._answer(self.front.refusal(unrecorded(error)))

    def _unfinished(self, result: Raw) -> None:
        if self.action:
            self.hub.unfinished[self._key] = (self.action, self.local)
            if len(self.hub.unfinished) > UNFINISHED:
                self.hub.unfinished.popitem(last=False)
        self.front.pass_on(self.id, "tools/call", self.upstream, result)

    def _pass_on(self, result: Raw | None) -> None:
        assert result is not None
        if self.warning:
            result = _with_warning(result, self.warning)
        self.front.pass_on(self.id, "tools/call", self.upstream, result)

    def _answer(self, result: dict[str, Any]) -> None:
        self.state = "over"
        self.front.answer(self.id, "tools/call", result)


def _facts(result: Raw) -> dict[str, Any]:
    """What the outcome follows from; the rest of a result, which may be long, is not read."""
    try:
        found = msgspec.json.decode(result, type=dict[str, Raw])
        return {name: msgspec.json.decode(found[name]) for name in ("isError", "resultType") if name in found}
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return {}


def _code(error: Raw) -> Any:
    try:
        return msgspec.json.decode(error, type=dict[str, Any]).get("code")
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None


def _with_warning(result: Raw, warning: str) -> Raw:
    try:
        found = msgspec.json.decode(result, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return result
    content = found.get("content")
    block = {"type": "text", "text": f"Warning: {warning}"}
    found["content"] = [*(content if isinstance(content, list) else ()), block]
    return Raw(msgspec.json.encode(found))
