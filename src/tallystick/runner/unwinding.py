"""Works off the undo list of an execution that is unwinding: from top to bottom, each undo an action of its own.

| an item of the list | what the runner does |
|---|---|
| its undo is the call of a registered tool | calls it, and records begin and end |
| its undo is in doubt | repeats it if its effect allows, asks the probe of its tool, else holds it |
| it is in doubt itself, or failed | asks its probe: it is undone if it happened, else it is settled or kept |
| no tool can undo it, or its undo failed | asks a person once about all of these |

What a left item depends on stays; the rest goes on. Only undos of the runner's own actions and of the plan are called:
an undo that another actor recorded is its own.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from random import random
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from tallystick import operations
from tallystick.core.errors import AlreadyDone, InvalidArgument, Refused
from tallystick.core.formats import canonical_json
from tallystick.core.tools import has_mask, secrets_named, unplanned_names
from tallystick.core.types import Effect, Undo, parse_undo
from tallystick.core.undo import FilledUndo, steps_before
from tallystick.operations import Operation
from tallystick.operations.actions import ActionView
from tallystick.operations.runtime.receipts import UndoListItem
from tallystick.operations.runtime.session_lifecycle import PROCESS_LEASE_SECONDS
from tallystick.runner import expressions
from tallystick.runner.engines.limits import CallLimits
from tallystick.runner.questions import AskedQuestion, Questions, decide
from tallystick.runner.stepper import (
    NOT_CALLED,
    AsyncCall,
    Claim,
    SessionLost,
    call_and_record,
    probe_action,
    record_finding,
)
from tallystick.runner.tools.processes import wait_until_ended
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
from tallystick.sdk.unwind import LeftItem, LeftItems, planned_order

if TYPE_CHECKING:
    from tallystick.runner.known_run import KnownRun

ITEMS_PER_PAGE = 100
MAX_ITEMS_SHOWN = 5
_LITERAL = re.compile(r"\$\{(?!(?:result|arguments)(?:\.[^.{}]+)*\})")
"""What looks like a reference in a recorded undo, and is none to the action that it undoes."""
_UNFILLED = re.compile(r"\$\{\s*(?:" + "|".join(expressions.ROOTS) + r")\b[^}]*\}")

Probes = Callable[["KnownRun", str, Mapping[str, Any]], Awaitable[Undo | None]]
"""The probe that the plan has for a step that was begun with some arguments, with its values filled in."""


class UndoCall(Struct, frozen=True, kw_only=True):
    """An undo that is due, with its tool and its filled arguments. `before` is the last undo before it, if any."""

    execution: str
    item: UndoListItem
    tool: RunnerTool
    arguments: dict[str, Any]
    before: str = ""

    @property
    def effect(self) -> Effect:
        return self.tool.effect or "unsafe"

    def tool_call(self) -> CallContext:
        return undo_context(self.execution, self.item, self.tool)


class NotUndone(Struct, frozen=True, kw_only=True):
    """Why an undo did not succeed. `is_held`: its outcome is unknown. `is_new`: it was tried just now."""

    reason: str
    is_held: bool = False
    is_new: bool = False


class UndoLater(Exception):
    """Nothing can be undone now: the execution is paused, or was ended."""


class UndoPass:
    """One pass over an undo list: what is left, and of it what is in doubt and what comes later by itself."""

    def __init__(self, left: LeftItems, doubtful: set[str], retry: Collection[str]) -> None:
        self.left = left
        self.doubtful = doubtful
        self.retry = retry
        """Actions that failed, or whose undo failed, and that a person wants to be undone all the same."""
        self.held: set[str] = set()
        self._later: set[str] = set()
        self.has_failed = False

    def leave(self, item: UndoListItem, reason: str, *, holds: bool = True, is_held: bool = False) -> None:
        self.left.add(item, reason, holds=holds)
        if is_held:
            self.held.add(item.action_id)
        elif item.state == "undoing" or self.left.is_under_way(item) or self.left.is_held(item):
            self._later.add(item.action_id)

    def held_names(self) -> dict[str, str]:
        """What is in doubt, each with what was found out."""
        return {_name(each.item): each.reason for each in self.left.items if each.item.action_id in self.held}

    @property
    def to_ask(self) -> list[LeftItem]:
        """What a person has to decide about."""
        aside = {*self.held, *self._later}
        return [each for each in self.left.items if each.item.action_id not in aside]


class Unwinding:
    """Works off undo lists. `record` calls operations as the runner."""

    def __init__(
        self,
        record: AsyncCall,
        tools: ToolRegistry,
        limits: CallLimits,
        probes: Probes,
        lease: float = PROCESS_LEASE_SECONDS,
    ) -> None:
        self._lease = lease
        self._record = record
        self._tools = tools
        self._limits = limits
        self._probes = probes
        self._questions = Questions(
            record,
            ("retry", "keep", "done"),
            "the undo list has something left",
            "The runner cannot undo",
            "Undo it by hand and record that, or answer: retry (undo what failed after all), keep (leave it as it is) "
            "or done (end, and leave it owed).",
        )

    async def unwind(self, run: KnownRun) -> None:
        """Work off the undo list of an unwinding execution. With nothing left it ends; else a person is asked."""
        retried: dict[str, str] = {}
        asked: dict[str, AskedQuestion] = {}
        while (done := await self._work_off(run, retry=retried)).to_ask:
            about = {_token(each.item): f"{each.item.step}: {each.reason}" for each in done.to_ask}
            asked = await self._questions.ask(run.id, about, used=retried.values())
            chosen = {
                each.item.action_id: asked[token] for each in done.to_ask if (token := _token(each.item)) in asked
            }
            again = {action: asked.id for action, asked in chosen.items() if asked.option == "retry"}
            if not await self._keep(run, chosen) and again.items() <= retried.items():
                break
            retried |= again
        run.held = done.held_names()
        over = next((each for each in asked.values() if each.option == "done"), None) if done.to_ask else None
        if not done.left.items:
            await self._end(run, "everything that was to be undone is")
        elif over is not None:
            await self._end(run, f"{over.why}. Left: {_shown(done.to_ask)}")
        elif done.to_ask:
            waits_for = dict.fromkeys(each.waits_for for each in asked.values() if each.option != "done")
            run.waiting = {"unwinding": "; ".join(waits_for)}

    async def put_back(self, run: KnownRun) -> bool:
        """Undo what is temporary and was not put back; returns whether nothing of it is in doubt or under way."""
        done = await self._work_off(run, is_wanted=lambda item: item.temporary)
        run.held |= done.held_names()
        return len(done.to_ask) == len(done.left.items)

    async def _keep(self, run: KnownRun, chosen: Mapping[str, AskedQuestion]) -> bool:
        """Keep the actions of which a person said so; returns whether there were any."""
        kept = [action for action, asked in chosen.items() if asked.option == "keep"]
        for action in kept:
            keep = {"decision": "keep", "action_id": action, "why": chosen[action].why}
            await decide(self._record, run.id, {**keep, "key": f"{chosen[action].id}:{action}"})
        return bool(kept)

    async def _end(self, run: KnownRun, why: str) -> None:
        run.waiting = {}
        await decide(self._record, run.id, {"decision": "done", "why": why, "incomplete": True})

    # ------------------------------------------------------------------------------------------------------------------
    # The list

    async def _work_off(
        self,
        run: KnownRun,
        *,
        retry: Collection[str] = (),
        is_wanted: Callable[[UndoListItem], bool] = lambda item: True,
    ) -> UndoPass:
        """Undo what can be undone."""
        doubtful = await self._doubtful(run)
        items, parents = await self._undo_list(run)
        done = UndoPass(LeftItems(parents, doubtful, await self._open_actions(run), tools=self._tools), doubtful, retry)
        status = run.state.status
        for listed in filter(is_wanted, items):
            await self._check_still(run, status)
            item = await self._settle(run, listed, done)
            if item is not None:
                await self._undo_or_leave(run, item, done)
        # What was tried in vain is read again: it is asked about with what was recorded.
        return await self._work_off(run, is_wanted=is_wanted) if done.has_failed else done

    async def _check_still(self, run: KnownRun, status: str) -> None:
        """Raise UndoLater if somebody has paused or ended the execution: an undo could begin even after its end."""
        execution = await self._record(operations.executions.get_execution, {"execution_id": run.id})
        if execution.status != status:
            raise UndoLater(f"{run.id} is {execution.status}")

    async def _undo_or_leave(self, run: KnownRun, item: UndoListItem, done: UndoPass) -> None:
        reason, holds = done.left.reason(item)
        if reason:
            done.leave(item, reason, holds=holds, is_held=item.state == "in_doubt" or item.action_id in done.doubtful)
        elif item.state == "failed":
            done.leave(item, f"its undo failed: {item.error}")
        else:
            problem = await self._undo(run, item)
            if problem is not None:
                done.leave(item, problem.reason, is_held=problem.is_held)
                done.has_failed = done.has_failed or problem.is_new

    async def _undo_list(self, run: KnownRun) -> tuple[list[UndoListItem], dict[str, tuple[str, ...]]]:
        """The undo list, without what somebody did while unwinding: it may be an undo itself; and by step, the steps
        that it comes after."""
        pages = [page async for page in self._pages(operations.owed.get_undo_list, run)]
        items = [item for page in pages for item in page.items if item.state != "may_be_undo"]
        revisions = [
            await self._record(operations.plans.get_plan, {"plan_id": run.state.plan_id, "revision": number})
            for number in sorted({number for page in pages for number in page.revisions})
        ]
        current = [(name, step.after or ()) for name, step in run.steps.items()]
        return items, steps_before([*map(planned_order, revisions), current])

    async def _doubtful(self, run: KnownRun) -> set[str]:
        pages = self._pages(operations.owed.list_in_doubt, run)
        return {item.action_id async for page in pages for item in page.in_doubt}

    async def _open_actions(self, run: KnownRun) -> set[str]:
        pages = self._pages(operations.timeline.list_actions, run, state="open")
        return {action.id async for page in pages for action in page.actions}

    async def _pages(self, operation: Operation[..., Any], run: KnownRun, **filters: str) -> AsyncIterator[Any]:
        cursor: str | None = None
        while cursor is None or cursor:
            about = {"execution_id": run.id, "limit": ITEMS_PER_PAGE, "cursor": cursor, **filters}
            page = await self._record(operation, about)
            yield page
            cursor = page.next_cursor

    # ------------------------------------------------------------------------------------------------------------------
    # One undo

    async def _undo(self, run: KnownRun, item: UndoListItem) -> NotUndone | None:
        """Undo an action; returns why that did not succeed, None if it did."""
        action = await self._action(item.action_id)
        if action.state == "open":
            raise UndoLater(f"{action.id} is still under way")
        try:
            due = self._due(run, item, action)
        except InvalidArgument as error:
            return NotUndone(reason=error.message)
        async with self._limits.slots(due.tool, due.tool.resource):
            return await self._attempt(due)

    def _due(self, run: KnownRun, item: UndoListItem, action: ActionView) -> UndoCall:
        assert item.undo is not None
        tool = self._tools.require(item.undo.tool, "undo")
        own = action.begin_body.get("undo")
        if own and action.actor_kind != "runner":
            raise InvalidArgument(f"{action.actor or action.actor_kind} has recorded its undo, and has to carry it out")
        step = run.steps.get(item.step)
        planned = parse_undo(step.undo) if step else None
        arguments = fill_undo(
            tool, item.undo, own.get("arguments") if own else None, action, planned.arguments if planned else None
        )
        before = action.undos[-1] if action.undos else ""
        return UndoCall(execution=run.id, item=item, tool=tool, arguments=arguments, before=before)

    async def _attempt(self, due: UndoCall) -> NotUndone | None:
        """Begin an undo and call its tool, again where that is safe."""
        before, approval, tries = due.before, "", 0
        if due.tool.needs_approval:
            due, approval, reason = await self._approved(due)
            if reason:
                return NotUndone(reason=reason)
        while claim := await self._begin(due, before, approval):
            action, answer = claim.action, await self._call(due, claim)
            tries += 1
            if answer.category is None:
                await self._settle_repeated(before, action, due.effect)
                return None
            if should_retry(answer, due.tool.retry, due.effect, tries):
                assert due.tool.retry is not None
                await asyncio.sleep(retry_delay(due.tool.retry, tries, random(), answer.retry_after))
            elif answer.outcome != "unknown" or due.effect == "read":
                return NotUndone(reason="its undo failed", is_new=True)
            else:
                found = await self._probe_undo(action, due.tool, due.tool_call())
                if found.happened is None:
                    return NotUndone(reason=f"its undo {action} is in doubt: {found.evidence}", is_held=True)
                if found.happened:
                    return None
                tries -= 1  # a negative probe is not an attempt
            before, approval = action, ""
        return None

    async def _call(self, due: UndoCall, claim: Claim) -> ToolAnswer:
        try:
            return await call_and_record(self._record, claim, due.effect, due.tool, due.arguments, due.tool_call())
        except SessionLost as error:
            raise UndoLater(NOT_CALLED) from error

    async def _begin(self, due: UndoCall, before: str, approval: str) -> Claim | None:
        """Begin an undo after the one `before`; returns its claim, or nothing if somebody else has undone it.

        The begin is the claim: of several workers, one gets a new receipt.
        """
        if before and due.tool.starts_processes and due.effect != "read":
            await wait_until_ended(self._record, await self._action(before), due.tool.timeout, ("failed", "in_doubt"))
        words = due.item.undo.words if due.item.undo else ""
        begin: dict[str, Any] = {
            "phase": "begin",
            "kind": "undo",
            "undoes": due.item.action_id,
            "execution_id": due.execution,
            "tool": due.tool.name,
            "arguments": due.arguments,
            "summary": words or f"undo {due.item.step or due.item.action_id}",
            "effect": due.effect,
            "key": f"undo:{due.execution}:{due.item.action_id}:{before}",
        }
        if before and due.effect in REPEATABLE_EFFECTS:
            begin["again"] = f"its effect is {due.effect}: it does no harm twice"
        if approval:
            begin["approval_id"] = approval
        claim = Claim.until_after(self._lease, due.tool)
        if claim.process_lock:
            begin["process_lock"] = claim.process_lock
        try:
            receipt = await self._record(operations.actions.record_action, begin)
        except AlreadyDone:
            return None
        except Refused as refusal:
            raise UndoLater(refusal.message) from None
        if receipt.repeated:
            raise UndoLater(f"another worker has begun {receipt.id}")
        return claim.of(receipt.id)

    async def _approved(self, due: UndoCall) -> tuple[UndoCall, str, str]:
        """The undo as a person approved it, with the approval; or why it cannot begin. Asks if nobody has."""
        about = {"execution_id": due.execution, "tool": due.tool.name, "arguments": due.arguments}
        question = f"Undo {_name(due.item)} with {due.tool.name}?"
        key = f"ask:undo:{due.item.action_id}:{due.before}"
        asked = await self._record(operations.approvals.request_approval, {**about, "question": question, "key": key})
        if asked.status == "approve":
            return due, str(asked.id), ""
        if asked.status == "edit" and isinstance(asked.arguments, dict) and not has_mask(asked.arguments):
            if names := unplanned_names(asked.arguments, due.arguments):
                return due, "", f"{asked.id} grants {names[0]}, which the plan does not name"
            return replace(due, arguments=asked.arguments), str(asked.id), ""
        return due, "", f"its undo needs an approval: {asked.id} is {asked.status}"

    # ------------------------------------------------------------------------------------------------------------------
    # Doubts

    async def _settle(self, run: KnownRun, item: UndoListItem, done: UndoPass) -> UndoListItem | None:
        """The item as far as its doubts can be settled; None if there is nothing to undo any more."""
        if item.state in ("in_doubt", "failed"):
            return await self._settle_undo(item, retry=item.action_id in done.retry)
        if item.certain or item.state != "not_undone":
            return item
        found = await self._settle_action(run, item)
        if found is None:
            is_wanted = item.action_id in done.retry and item.action_id not in done.doubtful
            return replace(item, certain=True) if is_wanted else item
        done.doubtful.discard(item.action_id)
        return replace(item, certain=True) if found else None

    async def _settle_undo(self, item: UndoListItem, *, retry: bool) -> UndoListItem | None:
        """Find out whether an action whose undo is in doubt or failed may be undone anew."""
        action = await self._action(item.action_id)
        newest = await self._action(action.undos[-1])
        tool = self._tools.get(newest.tool)
        is_repeatable = tool is not None and tool.effect in REPEATABLE_EFFECTS
        is_due = newest.state == "in_doubt" and is_repeatable
        if item.state == "in_doubt" and tool is not None and not is_repeatable:
            found = await self._probe_undo(item.undone_by, tool, undo_context(action.execution_id, item, tool))
            if found.happened is not False:
                return None if found.happened else item
            is_due = True
        elif newest.state == "failed":
            error = newest.end_body.get("error", "")
            was_not_made = not error or error.endswith(NOT_CALLED)  # no error: somebody looked, and it had no effect
            is_due = retry or (newest.without_effect and was_not_made)
            item = replace(item, state="failed", undone_by=newest.id, error=error or "unknown")
        return replace(item, state="not_undone") if is_due else item

    async def _probe_undo(self, action: str, tool: RunnerTool, call: CallContext) -> ProbeFinding:
        found = await probe_action(self._record, self._tools, action, tool, call)
        if found.happened is not None:
            await self._record_finding(action, found)
        return found

    async def _settle_action(self, run: KnownRun, item: UndoListItem) -> bool | None:
        """Whether an action in doubt has happened, or one that failed has had an effect; None if nobody can tell."""
        action = await self._action(item.action_id)
        if action.state not in ("in_doubt", "failed"):
            return None
        last = run.actions.get(item.step, "")
        if action.effect == "idempotent" and last != action.id and run.schedule.states.get(item.step) == "done":
            await drive_async(settle_superseded(run.id, item.step, last, action.effect), self._record)
            return False if action.state == "in_doubt" else None
        tool = self._tools.get(action.tool)
        call = CallContext(
            execution=run.id,
            step=item.step,
            attempt=action.attempt,
            idempotency_key=f"{run.id}:{item.step or item.action_id}",
            timeout=tool.timeout if tool else None,
        )
        begun_with = action.begin_body.get("arguments") or {}
        planned = await self._probes(run, item.step, begun_with) if item.step in run.steps else None
        found = await probe_action(
            self._record, self._tools, action.id, tool, call, planned, states=("in_doubt", "failed")
        )
        if found.happened is None:
            return None
        if action.state == "in_doubt":
            await self._record_finding(action.id, found)
        elif not found.happened:
            keep = {"decision": "keep", "action_id": action.id, "why": f"nothing to undo: {found.evidence}"}
            await decide(self._record, run.id, {**keep, "key": f"nothing:{action.id}:{item.undone_by}"})
        return found.happened

    async def _settle_repeated(self, before: str, action: str, effect: Effect) -> None:
        """Settle the undo before one that was repeated and succeeded: its effect is there now."""
        if before and effect in REPEATABLE_EFFECTS and (await self._action(before)).state == "in_doubt":
            evidence = f"{action} repeated it and succeeded; its effect is {effect}"
            await self._record_finding(before, ProbeFinding(happened=True, evidence=evidence))

    async def _record_finding(self, action: str, found: ProbeFinding) -> None:
        with suppress(Refused):  # somebody else has settled it meanwhile
            await record_finding(self._record, action, found)

    async def _action(self, action: str) -> ActionView:
        found: ActionView = await self._record(operations.actions.get_action, {"action_id": action})
        return found


def undo_context(execution: str, item: UndoListItem, tool: RunnerTool) -> CallContext:
    """The context of the calls that undo one action. They share an idempotency key."""
    return CallContext(
        execution=execution,
        step=item.step,
        attempt=1,
        idempotency_key=f"{execution}:undo:{item.action_id}",
        timeout=tool.timeout,
    )


def fill_undo(
    tool: RunnerTool, undo: FilledUndo, recorded: Any, action: ActionView, planned: Any = None
) -> dict[str, Any]:
    """The arguments of an undo, from the recorded result and arguments of its action; raises InvalidArgument.

    `recorded`: those of the undo as the runner recorded them, with references; `planned`: as the plan has them. A tool
    that fills references in its own way, such as into a command, does so here too.
    """
    arguments = undo.arguments
    if tool.fill is not expressions.fill:
        if recorded is None:
            raise InvalidArgument(f"its undo, a call of {tool.name}, was not recorded by the runner")
        values = {"result": action.end_body.get("result"), "arguments": action.begin_body.get("arguments")}
        literal = expressions.map_texts(recorded, lambda text: _LITERAL.sub("$${", text))
        arguments = tool.fill(literal, values, "undo")
    unfilled = _UNFILLED.findall(canonical_json.encode(arguments))
    if unfilled:
        raise InvalidArgument(f"its undo refers to what is not recorded: {', '.join(unfilled)}")
    of_runner = action.begin_body.get("arguments") if action.actor_kind == "runner" else None
    if not secrets_named(arguments) <= secrets_named([recorded, planned, of_runner]):
        raise InvalidArgument("its undo would use a secret, which the plan does not name")
    return arguments


def _token(item: UndoListItem) -> str:
    return f"{item.action_id}/{item.undone_by}" if item.undone_by else item.action_id


def _name(item: UndoListItem) -> str:
    return f"undo of {item.step or item.action_id}"


def _shown(left: list[LeftItem]) -> str:
    named = "; ".join(f"{each.item.step or each.item.action_id}: {each.reason}" for each in left[:MAX_ITEMS_SHOWN])
    return f"{named}; and {len(left) - MAX_ITEMS_SHOWN} more" if len(left) > MAX_ITEMS_SHOWN else named
