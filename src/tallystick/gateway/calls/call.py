"""One call of a tool, from the client's request to its answer: its intent is on disk before it leaves, its outcome
before the answer goes back."""

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Raw
from msgspec.structs import replace

from tallystick.core.errors import (
    AlreadyDone,
    InvalidArgument,
    StorageUnavailable,
    TallystickError,
    UnknownHandle,
    WrongState,
)
from tallystick.core.types import Outcome
from tallystick.gateway import messages
from tallystick.gateway.calls import not_sent, results
from tallystick.gateway.calls.request import CANCELLED, SOON, Requested
from tallystick.gateway.io.loop import Timer
from tallystick.gateway.messages import done_already, not_now, outcome_unknown, refused, retrying, unrecorded
from tallystick.gateway.policy import Ruling, approvals, plan, repeats
from tallystick.gateway.recording import hooks, payloads, spool
from tallystick.gateway.recording.outcomes import End
from tallystick.gateway.upstream.names import in_journal
from tallystick.gateway.upstream.server import Upstream, UpstreamAnswer
from tallystick.protocol.jsonrpc import Id
from tallystick.protocol.meta import ACTION_KEY
from tallystick.sdk.local import Local

if TYPE_CHECKING:
    from tallystick.gateway.client.connection import ClientConnection


class ToolCall(Requested):
    """A call that is being made."""

    def __init__(
        self, connection: "ClientConnection", id: Id, upstream: Upstream, tool: str, shown: str, params: dict[str, Any]
    ) -> None:
        super().__init__(connection, id, in_journal(upstream.name, tool), shown, params)
        self.upstream = upstream
        self.tool = tool
        self.action = ""
        self.key = ""
        """What the server was told that the call is."""
        self.state: Literal["waiting", "left", "given up", "over"] = "waiting"
        self.sent = 0
        self.seen_at = 0.0
        self.warning = ""
        self.listed = True
        self._timer: Timer | None = None
        self.retry: repeats.Retry | None = None
        """The decision by which it may be made once more."""
        self.said: dict[str, Any] = {}
        self.ruling: Ruling

    @property
    def deadline(self) -> float:
        return self.seen_at + self.ruling.timeout if self.ruling.timeout > 0 else float("inf")

    @property
    def principal(self) -> str:
        """Who calls: what another client does, or an agent in another conversation, is another call."""
        principal = self.local.context.principal
        if self.connection.apart:
            return f"{self.connection.apart} {principal.client} {principal.conversation}"
        return principal.conversation or spool.this_process()

    @property
    def _effect_key(self) -> str:
        return self.local.context.effect_key(self.name, self.arguments)

    def begin(self, ruling: Ruling, *, listed: bool) -> None:
        """The server can be asked, and what it says of the tool is known."""
        if self.state != "waiting":
            return  # it was cancelled before it left: nothing has happened
        if not self.gateway.writer.patience.ready(
            self.connection.guarded(self.id, lambda: self.begin(ruling, listed=listed))
        ):
            return
        self.ruling, self.effect, self.listed = ruling, ruling.effect, listed
        since = monotonic()
        self.gateway.drain(SOON)  # what hooks have seen of it comes first
        raw = self.params.get("arguments")
        try:
            self.named = hooks.usable_call_id(self)
            self.arguments = self.connection.arguments(raw)
            if self._goes_on():
                return
            more = self._allowed()
            size = len(bytes(raw)) if isinstance(raw, Raw) else 0
            shown = payloads.stored_arguments(self.local.context, self.arguments, size)
            key = self._in_part() if size > payloads.ARGUMENT_BYTES else {}
        except AlreadyDone as error:
            self._repeat(str(error.next_call[1]["action_id"]) if error.next_call else "", error)
            return
        except StorageUnavailable as error:  # nobody knows what a person or a plan says of it
            self.gateway.writer.failed(error, since)
            self.gateway.say(f"{self.name} was not called: {error}")
            self._answer(self.connection.refusal(unrecorded(error)))
            return
        except TallystickError as error:
            self._refuse(error)
            return
        self.said = {
            "phase": "begin",
            "tool": self.name,
            "arguments": shown,
            "effect": ruling.effect,
            "call_id": self.named or self.connection.call_id(),
            **({"shown_as": self.shown_as} if self.shown_as else {}),
            **more,
            **key,
        }
        self._ask()

    def _ask(self) -> None:
        """Have its begin recorded, unless a rule refuses."""
        self.gateway.writer.put(
            self.retry or self.local, "record_action", self.said, self.connection.guarded(self.id, self._begun)
        )

    def _in_part(self) -> dict[str, Any]:
        """What the begin has to say where not all of the arguments is recorded: a hook has seen all of them too."""
        self.local = Local(
            self.local.context.for_principal(replace(self.local.context.principal, all_arguments=self.arguments))
        )
        return {"effect_key": self._effect_key}

    def _goes_on(self) -> bool:
        """Whether this is a call that was allowed and has left before, and comes again with what the server asked
        for."""
        first = self.gateway.unfinished.take(self)
        if first is None:
            return False
        first.stop_waiting()
        self.action, self.local, self.said, self.warning = first.action, first.local, first.said, first.warning
        self._leave(first.key)
        return True

    def _allowed(self) -> dict[str, Any]:
        """What the begin has to say besides, or the refusal of a policy."""
        policy = self.ruling.policy
        if policy == "refuse":
            raise refused(self.name)
        if policy in ("ask", "plan") and (failing := self.gateway.writer.failing):
            raise failing
        spooled = self.gateway.spooled.check(self)
        repeats.check(self)
        if policy == "ask":
            return {**spooled, **approvals.granted(self)}
        if policy == "plan":
            return {**spooled, **plan.step_for(self)}
        return {**spooled}

    def _begun(self, receipt: Any, error: BaseException | None) -> None:
        if error is None:
            if receipt.repeated:  # the id is of another call, or this one comes again: the rules know it by its effect
                self._again()
                return
            self.action = receipt.id
            if self.state == "over":  # cancelled while its intent was written
                self.end("skipped", {"error": CANCELLED})
                return
            self._leave(f"{receipt.id}.{receipt.hash[3:19]}")
        elif isinstance(error, AlreadyDone) and error.next_call:
            self._repeat(error.next_call[1].get("action_id", ""), error)
        elif isinstance(error, InvalidArgument) and "effect_key" not in self.said:
            self.said |= self._in_part()  # JSON that no journal takes: it is kept as text
            self.said["arguments"] = payloads.arguments_as_text(self.local.context, self.params["arguments"])
            self._ask()
        elif isinstance(error, TallystickError) and not isinstance(error, StorageUnavailable):
            if approvals.added(self, error):
                self._ask()
                return
            self._refused(error)
        else:
            self._unrecorded(error)

    def _refused(self, error: TallystickError) -> None:
        """A rule of the journal refuses it."""
        try:
            if "approval_id" in self.said:
                approvals.spent(self)
        except AlreadyDone as done:
            self._repeat(str(done.next_call[1]["action_id"]) if done.next_call else "", done)
        except StorageUnavailable as broken:
            self._answer(self.connection.refusal(unrecorded(broken)))
        except TallystickError as used:
            self._refuse(used)
        else:
            self._refuse(approvals.advised(self, error))

    def _again(self) -> None:
        """Ask once more to begin, under an id that nobody else has."""
        self.named, self.said["call_id"] = "", self.connection.call_id()
        self._ask()

    def _leave(self, key: str) -> None:
        """The intent is on disk: send the call on."""
        self.key = key
        self.params["_meta"] = {**self.meta, ACTION_KEY: key}
        self.params["name"] = self.tool
        token = self.meta.get("progressToken")
        self.seen_at = monotonic()
        self.sent = self.upstream.request(
            "tools/call",
            self.params,
            self.connection.guarded(self.id, self.answered),
            related=self.id,
            token=token if isinstance(token, str | int) else None,
            seen=self._alive,
        )
        if self.sent:
            self.state = "left"
            self.gateway.under_way(self)
            return
        problem = self.upstream.problem or "does not read what it is sent"
        self.not_done(f"It never left: {self.upstream.name} {problem}.", not_now(self.upstream.name, problem))

    def not_done(self, why: str, refusal: WrongState | None) -> None:
        told = (lambda: self._answer(self.connection.refusal(refusal))) if refusal else None
        self.end("failed", {"error": why, "without_effect": True}, told)

    def doubt(self, why: str, *, tell: bool = True, said: str = "") -> None:
        """Nobody knows what came of it: that is written, and told to who still waits. `said` is written alone."""
        refusal = outcome_unknown(why, self.action)
        told = (lambda: self._answer(self.connection.refusal(refusal))) if tell else None
        self.end("unknown", {"error": f"{why} {said}".strip()}, told)

    def answered(self, answer: UpstreamAnswer) -> None:
        """The server has answered, or never will."""
        waited_for, self.state = self.state != "given up", "over"
        self.gateway.finished(self)
        results.take(self, answer, tell=waited_for)

    def cancel(self, reason: str) -> None:
        """The client does not wait any more. A call that has left may happen all the same."""
        if self.state == "left":
            self.state = "given up"
            self.upstream.cancel(self.sent, reason)
            self.end("unknown", {"error": f"It was cancelled after it had left: {reason or 'no reason given'}."})
        elif self.state == "waiting":
            self.state = "over"
            if not self.said:  # else its intent is about to be written
                self.call_off()

    def time_out(self) -> None:
        self.state = "given up"
        self.upstream.cancel(self.sent, "It took too long.")
        why = f"{self.upstream.name} did not answer within {self.ruling.timeout:.0f} seconds."
        self.doubt(why)

    def leave_behind(self, why: str) -> None:
        """The gateway ends."""
        if self.state == "left":
            self.state = "over"
            self.end("unknown", {"error": why})

    def _alive(self) -> None:
        self.seen_at = monotonic()

    def end(self, outcome: Outcome, said: dict[str, Any], then: Callable[[], None] | None = None) -> None:
        """Write the outcome down, and only then go on."""
        if not self.action:  # it could not be recorded when it left
            if self.ruling.on_failure == "spool":
                self.gateway.spooled.end(self, outcome, said)
            if then:
                then()
            return

        def ended(error: BaseException | None) -> None:
            if error is not None:  # what came is answered all the same: it has happened
                why = f"The outcome of {self.action} could not be recorded: {str(error).rstrip('.')}."
                self.warning = f"{why} Until it is, the call counts as open."
                self.gateway.say(self.warning)
            if then:
                then()

        self.gateway.ends.put(self.ending(outcome, said), self.connection.guarded(self.id, ended))

    def ending(self, outcome: Outcome, said: dict[str, Any]) -> End:
        return End(
            local=self.local,
            tool=self.name,
            call_id=self.said["call_id"],
            said={"phase": "end", "action_id": self.action, "outcome": outcome, **said},
            spools=self.ruling.on_failure == "spool",
        )

    def _repeat(self, action: str, error: TallystickError) -> None:
        """The effect is there already: answer what came of it, if that is allowed and still known."""
        try:
            retry = repeats.decided(self, action) if action and self.said and not self.retry else None
            found = self._recorded(action) if action and not retry and self.ruling.repeat == "answer" else None
        except StorageUnavailable as broken:
            self._answer(self.connection.refusal(unrecorded(broken)))
            return
        if retry:
            self.retry, self.said["again"] = retry, retry.why
            self._ask()
            return
        if found is not None:
            told = f"It was answered with the recorded result of {action}."
            self.state = "over"
            not_sent.record_not_sent(self, told, lambda: self._answer(found))
            return
        if not action:
            self._refuse(error)
            return
        self._refuse(done_already(error, self.gateway.configuration.ours.tools))

    def _recorded(self, action: str) -> dict[str, Any] | None:
        """What came of an action, marked as recorded, where it is whole."""
        try:
            found = self.gateway.writer.call(self.local, "get_action", {"action_id": action})
        except UnknownHandle:
            return None
        result = (
            payloads.replayable_result(self.local.context, found.came.get("result")) if found.state == "ok" else None
        )
        once_more = retrying(self.gateway.configuration.ours.tools, found.execution_id)
        return payloads.mark_as_recorded(result, action, once_more) if result is not None else None

    def _refuse(self, error: TallystickError) -> None:
        self.state = "over"
        self.refuse(error)

    def _unrecorded(self, error: BaseException) -> None:
        """The journal cannot be written: go on without it only where that was allowed, and never in silence. What a
        person has to grant, or a decision to retry lets through, is for once, which nobody could hold on to."""
        if self.state == "over":  # cancelled while its intent was to be written
            self.call_off()
            return
        why = error.message if isinstance(error, TallystickError) else str(error)
        self.gateway.say(f"{self.name} could not be recorded in the journal: {error}")
        spools = self.ruling.on_failure == "spool"
        # What no policy could look at says nothing.
        free = self.ruling.policy != "ask" and bool(self.said) and self.retry is None
        try:
            kept = free and spools and self.gateway.spooled.begin(self)
        except AlreadyDone as done:
            self._repeat(done.next_call[1]["action_id"] if done.next_call else "", done)
            return
        except TallystickError as refusal:
            self._refuse(approvals.advised(self, refusal))
            return
        if kept or (free and self.ruling.effect == "read"):
            self.warning = spool.KEPT if kept else f"This call was made, but was not recorded in the journal: {why}"
            self._leave(self.said["call_id"])
        else:
            self._answer(self.connection.refusal(unrecorded(error)))

    def wait_for_client(self) -> None:
        if self.ruling.timeout > 0:
            why = f"{self.upstream.name} asked for more, which nobody brought within {self.ruling.timeout:.0f} seconds"
            self._timer = self.gateway.loop.later(self.ruling.timeout, lambda: self.abandon(why))

    def stop_waiting(self) -> None:
        if self._timer:
            self._timer.cancel()

    def abandon(self, why: str) -> None:
        """The client has not gone on. What the server has done so far, nobody knows."""
        self.stop_waiting()
        self.end("unknown", {"error": f"{why}: nobody knows what the server has done so far."})

    def pass_on(self, result: Raw) -> None:
        """Answer with what the server said."""
        self.connection.pass_on(self.id, "tools/call", self.upstream, messages.on_result(result, self.warning))

    def fail(self, error: Raw) -> None:
        """Answer with the server's error of the protocol."""
        self.connection.fail(self.id, messages.on_error(error, self.warning))

    def _answer(self, result: dict[str, Any]) -> None:
        if self.state != "given up":  # an answer that comes late settles it, and is not told
            self.state = "over"
        self.connection.answer(self.id, "tools/call", messages.on_answer(result, self.warning))
