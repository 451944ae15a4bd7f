"""One attempt at one step: begin it in the journal, call its tool, record the end, and say what follows.

The begin is the claim: of several workers with the same step, one gets a receipt. A call without an answer is settled
by a probe, or held: it is never repeated blindly.

| answer of the begin | what the stepper does |
|---|---|
| a receipt | calls the tool |
| already done | reports it as done |
| in doubt | asks the probe: it happened, begins anew, or holds the step |
| begun by another worker | gives the work back |
| an approval is needed | asks once, and waits |
| paused, unwinding, ended | gives the work back |
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from random import random
from time import CLOCK_BOOTTIME, clock_gettime
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from tallystick import operations
from tallystick.core.errors import (
    AlreadyDone,
    ApprovalPending,
    InDoubtOpen,
    InvalidArgument,
    Refused,
    TallystickError,
    WrongState,
)
from tallystick.core.tools import has_mask, secrets_named, unplanned_names
from tallystick.core.types import Effect, Retry, Step, Undo
from tallystick.operations import Operation
from tallystick.operations.runs import REFUSALS
from tallystick.operations.runtime.session_lifecycle import PROCESS_LEASE_SECONDS
from tallystick.runner.questions import AGAIN, SKIP, FoundCalls
from tallystick.runner.tools.named_secrets import hide_secrets, resolve_secrets
from tallystick.runner.tools.processes import find_left, lock_of, new_lock, wait_until_ended
from tallystick.runner.tools.python import probe_answer
from tallystick.runner.tools.registry import ToolRegistry
from tallystick.runner.tools.tool import (
    REPEATABLE_EFFECTS,
    CallContext,
    ProbeFinding,
    RunnerTool,
    ToolAnswer,
    retry_delay,
    should_retry,
)
from tallystick.sdk.carry_out import settle_superseded
from tallystick.sdk.requests import drive_async

if TYPE_CHECKING:
    from tallystick.operations.actions import ActionView
    from tallystick.sdk.local import OperationCall
    from tallystick.store.interface import Outcome

AsyncCall = Callable[[Operation[..., Any], dict[str, Any]], Awaitable[Any]]
CallInOrder = Callable[[Sequence["OperationCall"]], Awaitable[list["Outcome"]]]
"""Makes records in one commit, each behind the one before; see `WriteQueue.call_in_order`."""
MAX_BEGINS = 4
"""How often one attempt tries to begin: an approval and a settled doubt each need another begin."""
STOP_SECONDS = 3.0
"""How long the end of a call that was stopped may take to be recorded."""
NO_PROBE = "no probe can look for it"
NOT_CALLED = "The session of the worker was over before it made the call."


class StepCall(Struct, frozen=True, kw_only=True):
    """A step that is due, with its tool and its filled arguments. `attempts` were recorded before, `tries` of them
    count against the retry policy, and `before` is the last of them."""

    execution: str
    step: Step
    tool: RunnerTool
    arguments: dict[str, Any]
    undo: Undo | str | None = None
    revision: int = 0
    attempts: int = 0
    tries: int = 0
    before: str = ""
    again: str = ""
    """Why a call that was made already is made again."""

    @property
    def name(self) -> str:
        return str(self.step.id)

    @property
    def effect(self) -> Effect:
        """The tool's own word on its effect counts; else the plan's."""
        return self.tool.effect or self.step.effect

    @property
    def retry(self) -> Retry | None:
        return retry_policy(self.step, self.tool)

    @property
    def timeout(self) -> float | None:
        return self.step.timeout or self.tool.timeout

    @property
    def idempotency_key(self) -> str:
        return f"{self.execution}:{self.name}"

    def tool_call(self) -> CallContext:
        return CallContext(
            execution=self.execution,
            step=self.name,
            attempt=self.attempts + 1,
            idempotency_key=self.idempotency_key,
            timeout=self.timeout,
        )


def retry_policy(step: Step, tool: RunnerTool | None) -> Retry | None:
    """How often a step is repeated: the plan's word, else that of its tool."""
    own = Retry(attempts=step.retry) if isinstance(step.retry, int) else step.retry
    return own or (tool.retry if tool is not None else None)


class StepResult(Struct, frozen=True, kw_only=True):
    """What came of an attempt.

    `held`: its outcome is unknown. `waiting`: a person has to answer first. `given_back`: somebody else has it, or it
    may not begin now. `retry`: another attempt follows after `delay` seconds. `expanded`: its items are steps now.
    """

    state: Literal["done", "failed", "held", "waiting", "given_back", "retry", "rejected", "expanded"]
    reason: str = ""
    delay: float = 0.0
    tries: int = 0
    action_id: str = ""
    begun: BegunStep | None = None
    """The step behind it, if that was begun in the same commit as the end of this one."""
    is_of_others: bool = False
    """It waits for, or is held by, an action that is not an attempt at it: each look tries it again."""


_ELSEWHERE = StepResult(state="given_back", reason="another worker has begun it")


class Stepper:
    """Makes attempts. `call` records in the journal as the runner; `call_in_order` is None where it cannot."""

    def __init__(
        self,
        call: AsyncCall,
        tools: ToolRegistry,
        lease: float = PROCESS_LEASE_SECONDS,
        call_in_order: CallInOrder | None = None,
    ) -> None:
        self._call = call
        self._tools = tools
        self._lease = lease
        self._call_in_order = call_in_order
        self._found_calls = FoundCalls(call)

    async def attempt(self, due: StepCall, find_next: FindNext) -> StepResult:
        """Make one attempt at a step, and return what follows from it; raises NotBegun if no journal takes its call.

        `find_next` is asked, if the call succeeds, for a step to begin in the same commit as the end.
        """
        try:
            begun = await self._begin(due)
        except InvalidArgument as error:
            raise NotBegun(str(error)) from None
        return begun if isinstance(begun, StepResult) else await self.carry_on(begun, find_next)

    async def carry_on(self, begun: BegunStep, find_next: FindNext) -> StepResult:
        """Call the tool of a step that was begun, record its end, and return what follows from it."""
        due, claim = begun.due, begun.claim
        try:
            answer = await call_claimed(self._call, claim, due.effect, due.tool, due.arguments, due.tool_call())
        except SessionLost:
            return StepResult(state="retry", reason=NOT_CALLED, tries=due.tries, action_id=claim.action)
        may_go_on = answer.category is None and not due.attempts and self._call_in_order is not None
        following = find_next() if may_go_on else None
        if following is None:
            await record_end(self._call, claim.action, due.effect, answer)
            return await self._follow(due, claim.action, answer)
        next_begun = await self._end_and_begin(claim.action, due.effect, answer, following)
        return StepResult(state="done", action_id=claim.action, tries=due.tries + 1, begun=next_begun)

    async def _end_and_begin(
        self, action: str, effect: Effect, answer: ToolAnswer, following: StepCall
    ) -> BegunStep | None:
        """Record the end of an action and the begin of the next step in one commit. Returns None if that begin was
        refused: it is tried by itself then, and what the refusal says is done."""
        assert self._call_in_order is not None
        claim = Claim.until_after(self._lease, following.tool)
        record = operations.actions.record_action
        begin = _begin_arguments(following, claim, "")
        calls = [(record, end_arguments(action, effect, answer)), (record, begin)]
        (_, end_error), (receipt, begin_error) = await self._call_in_order(calls)
        if end_error is not None:
            raise end_error
        if begin_error is not None and not isinstance(begin_error, Refused | InvalidArgument):
            raise begin_error
        if begin_error is not None or receipt.repeated:
            return None
        return BegunStep(following, claim.of(receipt.id))

    # ------------------------------------------------------------------------------------------------------------------
    # Beginning

    async def _begin(self, due: StepCall) -> StepResult | BegunStep:
        """The step as it was begun with its claim, or why it was not begun."""
        if due.before and due.tool.starts_processes and due.effect != "read":
            await self._wait_for(due.before, due)
        approval = ""
        if due.tool.needs_approval:
            found = await self._approval(due)
            if isinstance(found, StepResult):
                return found
            due, approval = found
        for _ in range(MAX_BEGINS):
            try:
                claim = Claim.until_after(self._lease, due.tool)
                receipt = await self._call(operations.actions.record_action, _begin_arguments(due, claim, approval))
                return _ELSEWHERE if receipt.repeated else BegunStep(due, claim.of(receipt.id))
            except Refused as refusal:
                found = await self._after_refusal(due, refusal, approval)
                if isinstance(found, StepResult):
                    return found
                due, approval = found[0], found[1] or approval
            except InvalidArgument as error:
                if error.field != "step":
                    raise
                return StepResult(state="given_back", reason=error.message)  # the plan was revised without it
        return StepResult(state="given_back", reason="it could not be begun yet")

    async def _wait_for(self, attempt: str, due: StepCall) -> None:
        """Wait for the processes of an earlier attempt that is to be repeated. One in doubt is settled first, unless
        it may be repeated as it is."""
        earlier = await self._call(operations.actions.get_action, {"action_id": attempt})
        states = ("failed", "in_doubt")
        if earlier.state in (states if due.effect in REPEATABLE_EFFECTS else states[:1]):
            await wait_until_ended(self._call, earlier, due.timeout, states)

    async def _after_refusal(self, due: StepCall, refusal: Refused, approval: str) -> StepResult | tuple[StepCall, str]:
        """What follows from a refused begin: a result, or the step to begin anew and the approval to use."""
        if isinstance(refusal, AlreadyDone):
            return await self._made_by_others(due, _action_named(refusal), StepResult(state="done"))
        if isinstance(refusal, InDoubtOpen):
            settled = await self._settle(due, _action_named(refusal))
            if settled.state == "retry":
                return replace(due, attempts=max(due.attempts, 1)), ""
            if settled.state == "held" and " of ex_" in refusal.message:  # maybe of another execution
                settled = replace(settled, reason=f"{settled.reason}. {refusal.message}", is_of_others=True)
            return await self._made_by_others(due, _action_named(refusal), settled)
        if isinstance(refusal, WrongState) and refusal.next_call and refusal.next_call[0] == "get_action":
            return StepResult(state="waiting", reason=refusal.message, is_of_others=True)  # it is under way elsewhere
        if isinstance(refusal, WrongState) and refusal.field == "arguments":  # the approval is for another call
            return await self._ask(due, approval)
        if isinstance(refusal, ApprovalPending | WrongState):
            return await self._approval(due, refusal)
        return _ELSEWHERE

    async def _made_by_others(self, due: StepCall, action: str, found: StepResult) -> StepResult | tuple[StepCall, str]:
        """What follows if the call of a step was recorded without the step; else what was found."""
        made = await self._found_calls.ask(due.execution, due.name, action) if action else None
        if made is None:
            return found
        if made.answer == AGAIN:
            return replace(due, again=made.reason), ""
        if made.answer:
            return StepResult(state="done", reason="skipped" if made.answer == SKIP else "")
        state: Literal["held", "waiting"] = "held" if found.state == "held" else "waiting"
        return StepResult(state=state, reason=made.reason, action_id=action, is_of_others=True)

    async def _approval(self, due: StepCall, refusal: Refused | None = None) -> StepResult | tuple[StepCall, str]:
        """The step as a person approved it and the approval to use; or why it cannot begin. Asks if nobody has."""
        run = await self._call(operations.runs.get_run, {"execution_id": due.execution, "steps": (due.name,)})
        (now,) = run.steps
        if run.status not in ("running", "blocked") or now.state in ("running", "done", "skipped"):
            return StepResult(
                state="given_back", reason=f"the execution is {run.status}, the step {now.state or 'new'}"
            )
        if now.state == "in_doubt" and due.effect not in REPEATABLE_EFFECTS:  # nobody is asked about what is done
            settled = await self._settle(due, now.action_id)
            if settled.state != "retry":
                return settled
        if now.answer in ("approve", "edit"):
            return await self._granted(due, now.approval_id, now.answer)
        if now.answer in REFUSALS:
            if now.decided == "retry":
                return await self._ask(due, now.approval_id)
            return StepResult(state="rejected", reason=f"{now.approval_id} was answered with {now.answer}")
        if now.answer == "pending":
            return StepResult(state="waiting", reason=f"{now.approval_id} is not answered")
        if refusal is not None and not isinstance(refusal, ApprovalPending):
            return StepResult(state="given_back", reason=refusal.message)
        return await self._ask(due, now.approval_id)

    async def _ask(self, due: StepCall, before: str) -> StepResult:
        """Ask a person about exactly this call. `before` is the last question about the step, if there was one."""
        question = f'Carry out step "{due.step.title}" with {due.tool.name}?'
        about = {"execution_id": due.execution, "step": due.name, "tool": due.tool.name, "arguments": due.arguments}
        asked = await self._call(
            operations.approvals.request_approval,
            {**about, "question": question, "key": f"ask:{due.idempotency_key}:{due.attempts}:{before}"},
        )
        return StepResult(state="waiting", reason=f"{asked.id} is not answered")

    async def _granted(self, due: StepCall, approval_id: str, answer: str) -> StepResult | tuple[StepCall, str]:
        if answer == "approve":
            return due, approval_id
        approval = await self._call(operations.approvals.get_approval, {"approval_id": approval_id})
        if not isinstance(approval.edited, dict) or has_mask(approval.edited):
            reason = f"{approval_id} grants other arguments, which cannot be read"
            return StepResult(state="rejected", reason=reason)
        if names := unplanned_names(approval.edited, due.arguments):
            reason = f"{approval_id} grants {names[0]}, which the plan does not name"
            return StepResult(state="rejected", reason=reason)
        return replace(due, arguments=approval.edited), approval_id

    async def _follow(self, due: StepCall, action: str, answer: ToolAnswer) -> StepResult:
        made = due.tries + 1
        if answer.category is None:
            if due.attempts and due.effect in REPEATABLE_EFFECTS:
                await drive_async(settle_superseded(due.execution, due.name, action, due.effect), self._call)
            return StepResult(state="done", action_id=action, tries=made)
        if should_retry(answer, due.retry, due.effect, made):
            assert due.retry is not None
            delay = retry_delay(due.retry, made, random(), answer.retry_after)
            return StepResult(state="retry", reason=answer.error, delay=delay, tries=made, action_id=action)
        if answer.outcome == "unknown" and due.effect not in REPEATABLE_EFFECTS:
            return await self._settle(due, action)
        return StepResult(state="failed", reason=answer.error, action_id=action)

    # ------------------------------------------------------------------------------------------------------------------
    # Doubts

    async def _settle(self, due: StepCall, action: str) -> StepResult:
        """Find out what came of an action in doubt: done, `retry` if it did not happen, or held."""
        found = await self._probe(due, action)
        if found.happened is None:
            now = await self._call(operations.actions.get_action, {"action_id": action})
            state: Literal["held", "given_back"] = "held" if now.state == "in_doubt" else "given_back"
            return StepResult(state=state, reason=found.evidence, action_id=action)
        try:
            if found.happened:
                await record_finding(self._call, action, found)
            else:
                await self._record_not_happened(due, action, found)
        except Refused as refusal:  # somebody else has settled it meanwhile
            return StepResult(state="given_back", reason=refusal.message)
        if found.happened:
            return StepResult(state="done", action_id=action)
        return StepResult(state="retry", reason=found.evidence, tries=due.tries, action_id=action)

    async def _record_not_happened(self, due: StepCall, action: str, found: ProbeFinding) -> None:
        """Settle an attempt that did not happen and decide to repeat it, in one commit: if this process dies now, the
        step has not failed."""
        decision = {"execution_id": due.execution, "decision": "retry", "step": due.name, "why": found.evidence}
        records = [
            {"operation": "record_action", "arguments": _finding_end(action, found)},
            {"operation": "record_decision", "arguments": decision},
        ]
        await self._call(operations.CATALOGUE["record_batch"], {"records": records})

    async def _probe(self, due: StepCall, action: str) -> ProbeFinding:
        probe = due.step.probe if isinstance(due.step.probe, Undo) else None
        return await probe_action(self._call, self._tools, action, due.tool, due.tool_call(), probe)


# ----------------------------------------------------------------------------------------------------------------------
# Calls and probes, of steps and of undos


class Claim(Struct, frozen=True, kw_only=True):
    """An action that was begun, and until when its session lives for certain, on the clock that sleeps with nobody.
    `process_lock` is for the processes of its call."""

    until: float
    action: str = ""
    process_lock: str = ""

    @classmethod
    def until_after(cls, lease: float, tool: RunnerTool) -> Claim:
        """A claim that is made now. The begin renews a lease of which a quarter has passed."""
        lock = new_lock() if tool.starts_processes else ""
        return cls(until=clock_gettime(CLOCK_BOOTTIME) + lease / 2, process_lock=lock)

    def of(self, action: str) -> Claim:
        return replace(self, action=action)

    async def holds(self, record: AsyncCall) -> bool:
        """Whether the call may be made: nobody else takes the action for abandoned."""
        if clock_gettime(CLOCK_BOOTTIME) < self.until:
            return True
        action = await record(operations.actions.get_action, {"action_id": self.action})
        return bool(action.state == "open")


class BegunStep(Struct, frozen=True):
    """A step as it was begun, and its claim."""

    due: StepCall
    claim: Claim


FindNext = Callable[[], StepCall | None]
"""Finds the step that would begin as soon as another one is done, if that can be said before it is."""


class NotBegun(Exception):
    """The values of a step are such that it cannot be recorded: too large, or not JSON. Nothing was called."""


class NotAvailable(Exception):
    """The tool of a step, or a secret that it names, is not there. Nothing was called; the step waits for it."""


class SessionLost(Exception):
    """The process was stopped for so long after a begin that others have taken over. Nothing was called."""


async def call_and_record(
    record: AsyncCall, claim: Claim, effect: Effect, tool: RunnerTool, arguments: dict[str, Any], call: CallContext
) -> ToolAnswer:
    """Call a tool and record the end of its action; see `call_claimed`."""
    answer = await call_claimed(record, claim, effect, tool, arguments, call)
    await record_end(record, claim.action, effect, answer)
    return answer


async def call_claimed(
    record: AsyncCall, claim: Claim, effect: Effect, tool: RunnerTool, arguments: dict[str, Any], call: CallContext
) -> ToolAnswer:
    """Call a tool, whose answer is still to be recorded. A call that is cancelled from outside is recorded as unknown.

    Raises SessionLost, with that recorded as evidence, if the session of the begin is over.
    """
    if not await claim.holds(record):
        await record_end(record, claim.action, effect, ToolAnswer(error=NOT_CALLED, category="not_done"))
        raise SessionLost
    try:
        return await call_tool(tool, arguments, replace(call, process_lock=claim.process_lock))
    except asyncio.CancelledError:
        stopped = ToolAnswer(error="The runner was stopped while the call was under way.", category="cancelled")
        with suppress(TimeoutError):  # without the store, the end of this process leaves it in doubt
            await asyncio.shield(asyncio.wait_for(record_end(record, claim.action, effect, stopped), STOP_SECONDS))
        raise


async def record_end(record: AsyncCall, action: str, effect: Effect, answer: ToolAnswer) -> None:
    await record(operations.actions.record_action, end_arguments(action, effect, answer))


def end_arguments(action: str, effect: Effect, answer: ToolAnswer) -> dict[str, Any]:
    """The end of an action, as the answer of its tool says."""
    end: dict[str, Any] = {"phase": "end", "action_id": action, "outcome": answer.outcome}
    if answer.outcome == "unknown" and effect == "read":
        end |= {"outcome": "failed", "without_effect": True}
    if answer.result is not None:
        end["result"] = answer.result
    if answer.category is not None:
        end["error"] = f"{answer.category}: {answer.error}"
    if answer.without_effect:
        end["without_effect"] = True
    return end


async def probe_action(
    record: AsyncCall,
    tools: ToolRegistry,
    action: str,
    tool: RunnerTool | None,
    call: CallContext,
    planned: Undo | None = None,
    states: Collection[str] = ("in_doubt",),
) -> ProbeFinding:
    """Look whether an action in one of these states has happened, by the probe of its tool, else by that of the
    plan. Its processes have to end first."""
    recorded = await record(operations.actions.get_action, {"action_id": action})
    arguments = recorded.begin_body.get("arguments") or {}
    if recorded.state not in states:
        return ProbeFinding(happened=None, evidence=f"{action} is not in doubt any more")
    if tool is None or recorded.tool != tool.name or has_mask(arguments):
        return ProbeFinding(happened=None, evidence="its arguments are not known, so that no probe can look for it")
    if recorded.actor_kind != "runner" and secrets_named(arguments):
        return ProbeFinding(happened=None, evidence="its arguments name a secret, which the plan does not name")
    has_probe = tool.probe is not None or (planned is not None and bool(planned.tool))
    if tool.starts_processes and recorded.actor_kind == "runner":
        obstacle = await _processes_left(record, recorded, call, states if has_probe else ())
        if obstacle:
            return ProbeFinding(happened=None, evidence=obstacle)
    try:
        if tool.probe is not None:
            async with asyncio.timeout(call.timeout):
                given, secrets = resolve_secrets(arguments, tool.secrets)
                found = await tool.probe(given, call)
                return replace(
                    found,
                    result=hide_secrets(found.result, secrets),
                    evidence=hide_secrets(found.evidence, secrets),
                )
        if planned is not None and planned.tool:
            probe = tools.require(planned.tool, f"steps.{call.step}.probe")
            return probe_answer(await call_tool(probe, planned.arguments, call))
    except TimeoutError:
        return ProbeFinding(happened=None, evidence=f"the probe took longer than {call.timeout:g} s")
    except (TallystickError, KeyError) as error:  # KeyError: a secret that is not there
        return ProbeFinding(happened=None, evidence=f"the probe failed: {error}")
    return ProbeFinding(happened=None, evidence=NO_PROBE)


async def _processes_left(record: AsyncCall, action: ActionView, call: CallContext, wait_in: Collection[str]) -> str:
    """What is left of the command of an action, or why that cannot be told; empty if it is gone. Waits for it while
    the action is in one of the states."""
    left = await wait_until_ended(record, action, call.timeout, wait_in) if wait_in else find_left(lock_of(action))
    if not wait_in:
        return f"{NO_PROBE}; {left.text}" if left.is_running else ""
    return f"{action.id} is not in doubt any more" if left.is_running else left.text


async def record_finding(record: AsyncCall, action: str, found: ProbeFinding) -> None:
    """Settle an action in doubt by what its probe found; raises Refused if somebody else has settled it."""
    await record(operations.actions.record_action, _finding_end(action, found))


def _finding_end(action: str, found: ProbeFinding) -> dict[str, Any]:
    end: dict[str, Any] = {"phase": "end", "action_id": action, "evidence": found.evidence}
    end |= {"outcome": "ok"} if found.happened else {"outcome": "failed", "without_effect": True}
    if found.result is not None:
        end["result"] = found.result
    return end


async def call_tool(tool: RunnerTool, arguments: dict[str, Any], call: CallContext) -> ToolAnswer:
    """Call a tool, with its secrets filled in and within its timeout."""
    try:
        given, secrets = resolve_secrets(arguments, tool.secrets)
    except KeyError as error:
        return ToolAnswer(error=error.args[0], category="not_done")
    try:
        async with asyncio.timeout(call.timeout):
            answer = await tool.call(given, call)
    except TimeoutError:
        return ToolAnswer(error=f"No answer came within {call.timeout:g} s.", category="timed_out")
    return replace(answer, result=hide_secrets(answer.result, secrets), error=hide_secrets(answer.error, secrets))


def _begin_arguments(due: StepCall, claim: Claim, approval: str) -> dict[str, Any]:
    begin: dict[str, Any] = {
        "phase": "begin",
        "execution_id": due.execution,
        "step": due.name,
        "tool": due.tool.name,
        "arguments": due.arguments,
        "summary": due.step.title,
        "effect": due.effect,
        "revision": due.revision,
        "key": f"run:{due.idempotency_key}:{due.attempts + 1}",
    }
    if claim.process_lock:
        begin["process_lock"] = claim.process_lock
    if due.undo is not None:
        begin["undo"] = due.undo
    if approval:
        begin["approval_id"] = approval
    if due.again:
        begin["again"] = due.again
    return begin


def _action_named(refusal: Refused) -> str:
    """The action that a refusal says is in doubt."""
    return str(refusal.next_call[1].get("action_id", "")) if refusal.next_call else ""
