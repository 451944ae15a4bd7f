"""One tools/call, from the policy to the answer: its intent is on disk before it leaves, its outcome before the answer.

`ToolCall.run` is the whole story. Everything it awaits is a commit of the journal or an answer of the server.
"""

from collections.abc import Callable
from time import monotonic
from typing import Any, Literal, NamedTuple

from msgspec import Raw
from msgspec.structs import replace

from tallystick.core.errors import (
    AlreadyDone,
    InvalidArgument,
    StorageUnavailable,
    TallystickError,
    UnknownHandle,
)
from tallystick.core.types import Outcome
from tallystick.gateway import messages
from tallystick.gateway.calls import client_question, not_sent, results
from tallystick.gateway.calls.client_call import CallingClient, ClientCall
from tallystick.gateway.io.log import LOG
from tallystick.gateway.io.loop import Future
from tallystick.gateway.messages import (
    done_already,
    how_to_retry,
    outcome_unknown,
    refused,
    server_unavailable,
    unrecorded,
)
from tallystick.gateway.policy import approvals, client_answers, plan, repeats
from tallystick.gateway.policy.rulings import Ruling
from tallystick.gateway.recording import payloads
from tallystick.gateway.recording.continuations import Continuation, key_of
from tallystick.gateway.recording.outcomes import CallEnd
from tallystick.gateway.recording.spool import SPOOLED_WARNING
from tallystick.gateway.upstream.names import journal_name
from tallystick.gateway.upstream.server import Upstream, UpstreamAnswer
from tallystick.protocol.jsonrpc import Id
from tallystick.protocol.meta import ACTION_KEY
from tallystick.sdk.local import Local


class GivenUp(NamedTuple):
    """Why nobody waits for the answer of a sent call any more: a timeout, a cancellation, or the gateway's end."""

    reason: str
    client_waits: bool = False
    """Whether the client still waits for a response, which says that the call is in doubt."""
    is_gateway_end: bool = False


class ToolCall(ClientCall):
    """A call of a tool of a server behind the gateway."""

    def __init__(
        self, connection: CallingClient, id: Id, upstream: Upstream, tool: str, shown: str, params: dict[str, Any]
    ) -> None:
        super().__init__(connection, id, journal_name(upstream.name, tool), shown, params)
        self.upstream = upstream
        self.tool = tool
        self.ruling: Ruling
        self.is_listed = True
        """Whether the server lists the tool, as far as is known."""
        self.action = ""
        """The id of its action, "" if its begin could not be recorded."""
        self.action_key = ""
        """The key that the server gets under `_meta` to identify the action."""
        self.state: Literal["waiting", "sent", "given up", "over"] = "waiting"
        """`waiting`: not sent yet."""
        self.sent_id = 0
        """The id of the request to the server."""
        self.warning = ""
        """An addition to the answer if the call could not be recorded."""
        self._retry: repeats.RetryCaller | None = None
        """The decision that permits this repetition."""
        self.stated_answer: client_answers.StatedAnswer | None = None
        """The client's answer to our question about this call, which came with it."""
        self.stop_asking: Callable[[], None] | None = None
        """Takes back the question that the client shows while the call waits."""
        self._since = monotonic()
        self._last_seen = 0.0
        self._answer: Future[UpstreamAnswer | GivenUp] = Future()

    @property
    def deadline(self) -> float:
        """When the call times out. Each progress notification of the server moves it."""
        return self._last_seen + self.ruling.timeout if self.ruling.timeout > 0 else float("inf")

    async def run(self, ruling: Ruling, *, is_listed: bool) -> None:
        """Check the policy, record the begin, send, wait for the answer, record the end, answer."""
        availability = self.gateway.writer.availability
        if ruling.policy in ("ask", "plan") or not availability.is_quiet:  # these policies write before the begin
            await availability.wait()
        if self.state != "waiting":
            return  # `cancel` has recorded it
        self.ruling, self.effect, self.is_listed = ruling, ruling.effect, is_listed
        try:
            action_key = await self._begin()
        except AlreadyDone as error:
            await self._answer_repetition(error)
        except StorageUnavailable as error:
            self.reply_refusal(unrecorded(error))
        except TallystickError as error:
            self.state = "over"
            await not_sent.refuse(self, error)
        else:
            if action_key and self._send(action_key):
                await self._finish(await self._answer)
            elif action_key:
                problem = self.upstream.problem or "is not reading its input"
                reason = f"It never left: {self.upstream.name} {problem}."
                await self._end(results.not_done(self, reason, server_unavailable(self.upstream.name, problem)))

    # -- Begin

    async def _begin(self) -> str:
        """Record the intent. Returns the action key for the server, or "" if the call is over.

        Raises the refusal of a policy or of a rule of the journal, or StorageUnavailable.
        """
        since = monotonic()
        try:
            self.find_client_call_id()
            self.parse_arguments()
            if self.ruling.approve_in == "client":
                self.stated_answer = client_answers.take_answer(self)
            if not self.stated_answer and (action_key := self._continue_first_call()):
                return action_key
            self.begin = await client_question.permit(self, self._check_policy)
            if not self.begin:
                return ""
        except StorageUnavailable as error:  # what a person or a plan says of the call is unknown
            self.gateway.writer.on_failure(error, since)
            self.gateway.log(f"{self.name} was not called: {error}")
            raise
        while True:
            try:
                return await self._record_begin()
            except AlreadyDone as error:
                if not self._use_retry_decision(error):
                    raise

    def _continue_first_call(self) -> str:
        """Take over the action of an earlier call whose server asked for input. Returns its action key, or ""."""
        first = self.gateway.continuations.take(self)
        if first is None:
            return ""
        self.action, self.local, self.begin, self.warning = first.action, first.local, first.begin, first.warning
        return first.action_key

    def _check_policy(self) -> dict[str, Any]:
        """Return the fields of the begin record, or raise the refusal of the policy."""
        permitted = self._permit()
        raw = self.params.get("arguments")
        size = len(bytes(raw)) if isinstance(raw, Raw) else 0
        shown = payloads.stored_arguments(self.local.context, self.arguments, size)
        whole_key = self._key_of_whole_arguments() if size > payloads.ARGUMENT_BYTES else {}
        return {
            "phase": "begin",
            "tool": self.name,
            "arguments": shown,
            "effect": self.effect,
            "call_id": self.client_call_id or self.new_call_id(),
            **({"shown_as": self.shown_as} if self.shown_as else {}),
            **permitted,
            **whole_key,
        }

    def _permit(self) -> dict[str, Any]:
        """Return what the begin has to name: an execution, a step or an approval. Raises the refusal of the policy."""
        policy = self.ruling.policy
        if policy == "refuse":
            raise refused(self.name)
        if policy in ("ask", "plan") and (failure := self.gateway.writer.failure):
            raise failure
        fields: dict[str, Any] = dict(self.gateway.spool.check(self))
        if policy in ("ask", "plan"):
            repeats.check_not_in_doubt(self)
        if policy == "ask":
            fields |= self.gateway.approvals.require(self, self.ruling)
        elif policy == "plan":
            fields |= plan.find_step(self, self.gateway.configuration.settings.tools)
        return fields

    def _key_of_whole_arguments(self) -> dict[str, Any]:
        """The begin field for arguments that are recorded in part. A hook has seen all of them too."""
        principal = replace(self.local.context.principal, all_arguments=self.arguments)
        self.local = Local(self.local.context.for_principal(principal))
        return {"effect_key": self.effect_key}

    async def _record_begin(self) -> str:
        """Record the begin, amending it where the journal's answer says how. Returns the action key.

        Raises the refusal of a rule.
        """
        while True:
            try:
                receipt = await self.gateway.writer.record(self._retry or self.local, "record_action", self.begin)
            except TallystickError as error:
                if isinstance(error, StorageUnavailable):
                    return await self._begin_without_journal(error)
                if not self._amend_begin(error):
                    raise self._refusal_of(error) from None
            except Exception as error:
                return await self._begin_without_journal(error)
            else:
                if receipt.repeated:  # the id belongs to another call, or the client sent this one again
                    self.client_call_id, self.begin["call_id"] = "", self.new_call_id()
                    continue
                self.action = receipt.id
                if self.state == "over":  # cancelled while the begin was written
                    await self._record_end("skipped", {"error": not_sent.CANCELLED})
                    return ""
                return f"{receipt.id}.{receipt.hash[3:19]}"

    def _amend_begin(self, error: TallystickError) -> bool:
        """Change the begin so that the journal may take it. Returns whether there is something to change."""
        if isinstance(error, AlreadyDone):
            return False
        if isinstance(error, InvalidArgument) and "effect_key" not in self.begin:
            self.begin |= self._key_of_whole_arguments()  # JSON that no journal takes is recorded as text
            self.begin["arguments"] = payloads.arguments_as_text(self.local.context, self.params["arguments"])
            return True
        return approvals.add_requested_approval(self, error)

    def _refusal_of(self, error: TallystickError) -> TallystickError:
        """The refusal to report where a rule of the journal refuses the begin. Raises that of a used approval."""
        if isinstance(error, AlreadyDone) and error.next_call:
            return error
        if "approval_id" in self.begin:
            self.gateway.approvals.on_approval_rejected(self, self.ruling)
        return approvals.with_journal_tool_name(self, error)

    async def _begin_without_journal(self, error: Exception) -> str:
        """Spool the begin, or send an unrecorded read, where the configuration allows it. Returns the action key.

        An approval or a decision to retry permits one call, which nobody could enforce without the journal. Returns ""
        if the call was cancelled meanwhile, or was answered as not made. Raises the refusal of a rule.
        """
        if self.state == "over":  # cancelled while the begin was to be written
            await not_sent.record_cancelled(self)
            return ""
        self.gateway.log(f"{self.name} could not be recorded in the journal: {error}")
        may_do_without = self.ruling.policy != "ask" and self._retry is None
        may_spool = may_do_without and self.ruling.on_failure == "spool"
        try:
            is_spooled = may_spool and self.gateway.spool.store_begin(self)
        except AlreadyDone:
            raise
        except TallystickError as refusal:
            raise approvals.with_journal_tool_name(self, refusal) from None
        if is_spooled:
            self.warning = SPOOLED_WARNING
        elif may_do_without and self.effect == "read":
            reason = error.message if isinstance(error, TallystickError) else str(error)
            self.warning = f"This call was made, but was not recorded in the journal: {reason}"
        else:
            self.reply_refusal(unrecorded(error))
            return ""
        return str(self.begin["call_id"])

    # -- Send and wait

    def _send(self, action_key: str) -> bool:
        """Send the call; its intent is on disk. Returns whether the server takes it."""
        self.action_key = action_key
        self.params["_meta"] = {**self.meta, ACTION_KEY: action_key}
        self.params["name"] = self.tool
        token = self.meta.get("progressToken")
        self._last_seen = monotonic()
        self.sent_id = self.upstream.request(
            "tools/call",
            self.params,
            self.on_answer,
            related=self.id,
            token=token if isinstance(token, str | int) else None,
            on_progress=self._on_progress,
        )
        if self.sent_id:
            self.state = "sent"
            self.gateway.on_sent(self)
        return bool(self.sent_id)

    def on_answer(self, answer: UpstreamAnswer) -> None:
        """The server has answered, or never will."""
        self.gateway.on_answered(self)
        self._answer.resolve(answer)

    def cancel(self, reason: str) -> None:
        """The client no longer waits. A call that was sent may be carried out all the same."""
        if self.state == "sent":
            self.upstream.cancel(self.sent_id, reason)
            self._give_up(GivenUp(f"It was cancelled after it had left: {reason or 'no reason given'}."))
        elif self.state == "waiting":
            self.state = "over"
            if not self.begin:  # else its begin is being written, and `run` ends it as skipped
                self.connection.start(self.id, not_sent.record_cancelled(self))
            if self.stop_asking:
                self.stop_asking()

    def time_out(self) -> None:
        if self.state == "sent":
            self.upstream.cancel(self.sent_id, "It took too long.")
            reason = f"{self.upstream.name} did not answer within {self.ruling.timeout:.0f} seconds."
            self._give_up(GivenUp(reason, client_waits=True))

    def on_gateway_end(self, reason: str) -> None:
        if self.state == "sent":
            self._give_up(GivenUp(reason, is_gateway_end=True))

    def _give_up(self, event: GivenUp) -> None:
        """Resume `run` without an answer. The answer may still come, and settles the action then."""
        self.state = "given up"
        waiting, self._answer = self._answer, Future()
        waiting.resolve(event)

    def _on_progress(self) -> None:
        self._last_seen = monotonic()

    # -- End and answer

    async def _finish(self, event: UpstreamAnswer | GivenUp) -> None:
        """Record the outcome, then answer the client."""
        if isinstance(event, UpstreamAnswer):
            self.state = "over"
            ending = results.read_answer(self, event, is_awaited=True)
            if isinstance(ending, results.InputRequest):
                await self._wait_for_input(ending.result)
            elif ending is not None:
                await self._end(ending)
            return
        await self._record_end("unknown", {"error": event.reason})
        if event.client_waits:
            self.reply_refusal(outcome_unknown(event.reason, self.action))
        if event.is_gateway_end:
            return
        late = await self._answer
        self.state = "over"
        assert isinstance(late, UpstreamAnswer)
        late_ending = results.read_answer(self, late, is_awaited=False)
        if isinstance(late_ending, results.Ending):
            await self._end(late_ending, is_awaited=False)

    async def _wait_for_input(self, question: Raw) -> None:
        """Pass the server's question on, and wait for the client's next call. The action stays open until then."""
        continuation = Continuation(
            key=key_of(self),
            action=self.action,
            local=self.local,
            begin=self.begin,
            warning=self.warning,
            action_key=self.action_key,
            client=self.connection,
            ended=Future(),
        )
        seconds = self.ruling.timeout
        reason = f"{self.upstream.name} asked for input and got none within {seconds:.0f} seconds"
        self.gateway.continuations.add(continuation, seconds, reason)
        self.connection.pass_on(self.id, "tools/call", self.upstream, question)
        reason = await continuation.ended
        if reason:
            await self._record_end("unknown", {"error": f"{reason}. What it did is unknown."})

    async def _end(self, ending: results.Ending, *, is_awaited: bool = True) -> None:
        if ending.watches_duplicates:
            results.watch_duplicates(self, ending.outcome)
        await self._record_end(ending.outcome, ending.fields)
        if is_awaited:
            ending.reply()

    async def _record_end(self, outcome: Outcome, fields: dict[str, Any]) -> None:
        """Record the outcome. If that fails, the answer carries a warning: the call has happened."""
        LOG.log_call(
            outcome,
            server=self.upstream.name,
            tool=self.tool,
            request_id=str(self.id),
            action=self.action,
            milliseconds=round((monotonic() - self._since) * 1000, 1),
        )
        if not self.action:  # its begin could not be recorded
            if self.ruling.on_failure == "spool":
                self.gateway.spool.store_own_end(self, outcome, fields)
            return
        error = await self.gateway.outcomes.record(self.end_record(outcome, fields))
        if error is not None:
            reason = f"The outcome of {self.action} could not be recorded: {str(error).rstrip('.')}."
            self.warning = f"{reason} Until it is, the call counts as open."
            self.gateway.log(self.warning)

    def end_record(self, outcome: Outcome, fields: dict[str, Any]) -> CallEnd:
        return CallEnd(
            local=self.local,
            tool=self.name,
            call_id=self.begin["call_id"],
            fields={"phase": "end", "action_id": self.action, "outcome": outcome, **fields},
            may_spool=self.ruling.on_failure == "spool",
        )

    # -- Repetitions

    def _use_retry_decision(self, error: AlreadyDone) -> bool:
        """Whether a decision permits this repetition. Then the begin is recorded under that decision."""
        action = _action_of(error)
        self._retry = repeats.find_retry(self, action) if action and not self._retry else None
        if self._retry:
            self.begin["again"] = self._retry.why
        return self._retry is not None

    async def _answer_repetition(self, error: AlreadyDone) -> None:
        """Answer with the recorded result of the same call, if that is allowed and the result is complete."""
        action = _action_of(error)
        try:
            result = self._recorded_result(action) if action and self.ruling.repeat == "answer" else None
        except StorageUnavailable as unavailable:
            self.reply_refusal(unrecorded(unavailable))
            return
        self.state = "over"
        if result is not None:
            await not_sent.record_not_sent(self, f"It was answered with the recorded result of {action}.")
            self._reply(result)
        elif action:
            await not_sent.refuse(self, done_already(error, self.gateway.configuration.settings.tools))
        else:
            await not_sent.refuse(self, error)

    def _recorded_result(self, action: str) -> dict[str, Any] | None:
        """The result of an action, marked as recorded, if the journal has all of it."""
        try:
            found = self.gateway.writer.call(self.local, "get_action", {"action_id": action})
        except UnknownHandle:
            return None
        result = (
            payloads.replayable_result(self.local.context, found.end_body.get("result"))
            if found.state == "ok"
            else None
        )
        retry_hint = how_to_retry(self.gateway.configuration.settings.tools, found.execution_id)
        return payloads.mark_as_recorded(result, action, retry_hint) if result is not None else None

    # -- Replies

    def reply_result(self, result: Raw) -> None:
        """Answer with the server's result."""
        self.connection.pass_on(self.id, "tools/call", self.upstream, messages.warn_in_result(result, self.warning))

    def reply_error(self, error: Raw) -> None:
        """Answer with the server's JSON-RPC error."""
        self.connection.fail(self.id, messages.warn_in_error(error, self.warning))

    def reply_refusal(self, error: TallystickError) -> None:
        self._reply(self.connection.refusal(error))

    def _reply(self, result: dict[str, Any]) -> None:
        if self.state != "given up":  # after a timeout, a late answer still settles the action
            self.state = "over"
        self.connection.answer(self.id, "tools/call", messages.warn_in_reply(result, self.warning))


def _action_of(error: AlreadyDone) -> str:
    return str(error.next_call[1].get("action_id", "")) if error.next_call else ""
