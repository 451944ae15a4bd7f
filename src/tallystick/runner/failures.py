"""Whether a step has failed for good, and what follows from that, once nothing else can go on.

| unwind | what the runner does |
|---|---|
| `never` | ends the execution as failed; with a step whose policy is `manual_decision`, leaves it open for a decision |
| `on-failure` | decides to unwind, and works off the undo list |
| `ask` | asks a person once: retry, skip, unwind or stop |

With the policy `cancel_all` nothing else begins after the failure; with `on-failure` and `ask` the runner then waits
for nothing but calls under way. With any other policy it first does what does not depend on the failed step.
"""

from __future__ import annotations

from datetime import UTC, datetime
from random import random
from typing import TYPE_CHECKING, get_args

from tallystick import operations
from tallystick.core.types import ErrorCategory, FailurePolicy, Step
from tallystick.operations.runs import RunStep
from tallystick.runner.questions import AskedQuestion, Questions, decide
from tallystick.runner.stepper import NOT_CALLED, AsyncCall, retry_policy
from tallystick.runner.tools.tool import REPEATABLE_EFFECTS, RunnerTool, ToolAnswer, retry_delay, should_retry

if TYPE_CHECKING:
    from tallystick.operations.actions import ActionView
    from tallystick.runner.known_run import KnownRun

ENDS = ("cancel_all", "cancel_dependent", "continue_others")
"""The failure policies after which an execution ends as failed. `manual_decision` leaves it open."""
FAILURE = "failure"
"""The name under which a run waits for the answer."""
MAX_STEPS_SHOWN = 5
MAX_STEPS_ASKED = 100
"""Failed steps that are looked at."""


def plain_error(recorded: str) -> str:
    """A recorded error without the category before it, which the run that made the call names so too."""
    category, _, error = recorded.partition(": ")
    return error if error and category in get_args(ErrorCategory) else recorded


def policy_of(step: Step) -> str:
    policy = step.failure_policy
    return policy.action if isinstance(policy, FailurePolicy) else policy


async def error_of_last(record: AsyncCall, action_id: str, step: Step, tool: RunnerTool | None, attempts: int) -> str:
    """The error of the last attempt at a step whose outcome is unknown, if its effect may be repeated and all
    repetitions are used up; else empty. An attempt whose process was ended is repeated once more."""
    effect = tool.effect if tool is not None and tool.effect else step.effect
    if effect not in REPEATABLE_EFFECTS:
        return ""
    action: ActionView = await record(operations.actions.get_action, {"action_id": action_id})
    category, _, error = str(action.end_body.get("error", "")).partition(": ")
    if category not in ("timed_out", "lost") or action.actor_kind != "runner":
        return ""
    answer = ToolAnswer(error=error, category="lost" if category == "lost" else "timed_out")
    is_repeated = should_retry(answer, retry_policy(step, tool), effect, attempts)
    return "" if is_repeated else error


async def seconds_until_retry(
    record: AsyncCall, action_id: str, step: Step, tool: RunnerTool | None, attempts: int
) -> float | None:
    """How long to wait before the next attempt at a failed step; None if it has failed for good.

    The journal knows it: the process that meant to repeat it may have died, or be another worker's.
    """
    action: ActionView = await record(operations.actions.get_action, {"action_id": action_id})
    category, _, error = str(action.end_body.get("error", "")).partition(": ")
    if category not in get_args(ErrorCategory) or action.actor_kind != "runner":
        return None
    if (category, error) == ("not_done", NOT_CALLED):
        return 0.0
    answer = ToolAnswer(error=error, category=category)  # type: ignore[arg-type]  # it is one of them
    retry = retry_policy(step, tool)
    effect = tool.effect if tool is not None and tool.effect else step.effect
    if retry is None or not should_retry(answer, retry, effect, attempts):
        return None
    delay = retry_delay(retry, attempts, random())
    passed = (datetime.now(UTC) - datetime.fromisoformat(action.ended)).total_seconds() if action.ended else delay
    return min(max(delay - passed, 0.0), delay)


class Failures:
    """Decides what follows from failed steps. `record` calls operations as the runner."""

    def __init__(self, record: AsyncCall) -> None:
        self._record = record
        options = ("retry", "skip", "unwind", "stop")
        hint = "What now: retry or skip it, unwind what was done, or stop?"
        self._questions = Questions(record, options, "a step has failed", "Failed", hint)

    async def settle(self, run: KnownRun, failed: list[str]) -> bool:
        """Decide what follows from failed steps, as far as that is due; returns whether something was decided."""
        run.waiting.pop(FAILURE, None)
        now = await self._record(
            operations.runs.get_run, {"execution_id": run.id, "steps": tuple(failed[:MAX_STEPS_ASKED])}
        )
        shown = [f"{row.id} ({await self._error(run, row)})" for row in now.steps[:MAX_STEPS_SHOWN]]
        if (run.held or run.waits_for_others()) and (run.unwind == "never" or not run.stops_all()):
            return False
        more = len(failed) - len(shown)
        named = f"failed: {', '.join(shown)}{f' and {more} more' if more else ''}"
        if run.unwind == "on-failure":
            return await decide(self._record, run.id, {"decision": "unwind", "why": named, "key": f"unwind:{run.id}"})
        if run.unwind == "ask":
            return await self._ask(run, now.steps)
        if all(policy_of(run.steps[name]) in ENDS for name in failed):
            return await decide(self._record, run.id, {"decision": "fail", "why": named})
        return False

    async def _error(self, run: KnownRun, row: RunStep) -> str:
        """The recorded error of a failed step, which the handle of the run shows too."""
        error = f"{row.approval_id} was answered with {row.answer}"
        if row.action_id:
            action = await self._record(operations.actions.get_action, {"action_id": row.action_id})
            error = action.end_body.get("error") or action.end_body.get("evidence") or "failed"
        run.failed.setdefault(row.id, plain_error(str(error)))
        return str(error)

    async def _ask(self, run: KnownRun, failed: tuple[RunStep, ...]) -> bool:
        """Ask a person once about each failure, and carry out the answers; returns whether there was a new one."""
        about = {row.action_id or row.approval_id: f"{row.id}: {await self._error(run, row)}" for row in failed}
        asked = await self._questions.ask(run.id, about)
        decided = [await self._carry_out(run, row, asked.get(row.action_id or row.approval_id)) for row in failed]
        if any(decided):
            return True
        run.waiting[FAILURE] = "; ".join(dict.fromkeys(each.waits_for for each in asked.values()))
        return False

    async def _carry_out(self, run: KnownRun, row: RunStep, asked: AskedQuestion | None) -> bool:
        if asked is None or not asked.option:
            return False
        is_whole = asked.option in ("unwind", "stop")
        about = {"key": asked.id} if is_whole else {"step": row.id, "key": f"{asked.id}:{row.id}"}
        return await decide(self._record, run.id, {"decision": asked.option, "why": asked.why, **about})
