"""The runs that the same command has started: the same plan, title, task and values.

The command goes on with the newest open one. Started several times at once, it starts one run: the journal refuses
whoever has not seen it.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from tallystick.core import plans as core_plans
from tallystick.core.errors import Conflict, WrongState
from tallystick.core.tools import has_mask
from tallystick.interfaces.cli.invoke import Invocation
from tallystick.operations.executions import ExecutionView

if TYPE_CHECKING:
    from tallystick.runner.plan_files import PlanFile
    from tallystick.runner.run import LocalRun, Run

OPEN_PER_PAGE = 100
OPEN = ("running", "blocked", "paused", "unwinding")


class SameRuns:
    """Finds the runs of one command."""

    def __init__(
        self, invocation: Invocation, plan: "PlanFile", parameters: Mapping[str, Any], arguments: Mapping[str, Any]
    ) -> None:
        self._call = invocation.call
        self._parameters = dict(parameters)
        self._unwind = arguments.get("unwind")
        self._about = (arguments.get("title", plan.title), arguments.get("task_id", plan.task_id))
        self._steps = msgspec.to_builtins(core_plans.normalize_steps(plan.steps, invocation.settings.limits.steps))
        self._seen = 0

    def find(self) -> str:
        """The newest open run; empty if there is none. Raises Conflict if one differs only in its plan."""
        newest = self._call("read_entries", {"limit": 1, "newest_first": True}).entries
        self._seen = newest[0].seq if newest else 0
        return next((each.id for each in self._open_executions() if self._is_same(each)), "")

    def _open_executions(self) -> Iterator[ExecutionView]:
        """All open executions, the newest first."""
        cursor: dict[str, str] = {}
        while True:
            page = self._call("list_executions", {"status": OPEN, "limit": OPEN_PER_PAGE, **cursor})
            yield from page.executions
            if not page.next_cursor:
                return
            cursor = {"cursor": page.next_cursor}

    def _is_same(self, execution: ExecutionView) -> bool:
        if (execution.title, execution.task_id) != self._about or not execution.plan_id:
            return False
        state = self._call("get_run", {"execution_id": execution.id})
        if not state.engine or not is_equal(state.parameters, self._parameters):
            return False
        history = self._call("get_plan", {"plan_id": state.plan_id})
        unwind = state.unwind or history.revisions[0].unwind or "never"
        has_same_unwind = self._unwind in (None, unwind)
        # a list is expanded in a revision, and a person may have replanned: the run has moved on from this plan
        if has_same_unwind and any(is_equal(list(revision.steps), self._steps) for revision in history.revisions):
            return True
        if execution.status not in OPEN:
            return False
        other = "an earlier version of this plan" if has_same_unwind else f"this plan with --unwind {unwind}"
        mended = ", with this plan if you name the file too" if has_same_unwind else ""
        raise Conflict(
            f"{execution.id} of {other} is open ({execution.steps_text}).",
            hint=f"Go on with it: `tallystick run --resume {execution.id}`{mended}. Start another one: --new.",
        )

    def start_once(self, local: "LocalRun", plan: Any) -> tuple["Run | None", str]:
        """Start a run; or the id of one that was started since `find` looked, also if it has ended by now."""
        plan_id = local.record(plan)
        while True:
            try:
                return local.start_recorded(plan_id, self._seen), ""
            except WrongState as refusal:
                if refusal.field != "seen_seq":
                    raise
                known = self._started_meanwhile(refusal) or self.find()
            if known:
                self._retire(plan_id, plan, known)
                return None, known

    def _started_meanwhile(self, refusal: WrongState) -> str:
        """The run that a refusal names, if it is of this command."""
        about = refusal.next_call[1] if refusal.next_call else {}
        return str(about["execution_id"]) if about and self._is_same(self._call("get_execution", about)) else ""

    def _retire(self, plan_id: str, plan: Any, known: str) -> None:
        """Archive a plan that was recorded for nothing."""
        if plan_id != plan:
            why = f"{known} was started at the same time, with the same plan"
            self._call("retire_plan", {"plan_id": plan_id, "status": "archived", "reason": why})


def is_equal(recorded: Any, given: Any) -> bool:
    """Whether a recorded value is the given one, as far as it is not masked."""
    if isinstance(recorded, dict) and isinstance(given, dict):
        return recorded.keys() == given.keys() and all(is_equal(recorded[name], given[name]) for name in recorded)
    if isinstance(recorded, list | tuple) and isinstance(given, list | tuple):
        return len(recorded) == len(given) and all(map(is_equal, recorded, given))
    return bool(recorded == given) or has_mask(recorded)
