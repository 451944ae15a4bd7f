"""Whether a runner carries out a run, and the failed steps at which a run has stopped."""

from collections.abc import Collection

from tallystick.core.entries import StepFacts
from tallystick.core.state import Execution, Progress, Session
from tallystick.operations.runs import living_workers
from tallystick.operations.runtime.progress import SHARED_ENGINES, pending_approvals, steps_by_id, steps_of
from tallystick.store.interface import Select, View, WhereValue

RUNNER_CLIENTS = ("runner", "tallystick")
"""Clients of sessions in which a program may carry out a run: with the journal at hand, and with one at a server."""
MAX_FAILED = 100
IS_QUIET = 5 * 60 * 1_000_000
"""A run with a runner that recorded nothing for so long, and has no action under way, waits for somebody."""


def has_runner(view: View, execution: Execution, readers: Collection[str] = ()) -> bool:
    """Whether a program lives that carries out a run. `readers` are sessions that only look at it."""
    if execution.engine in SHARED_ENGINES:
        return bool(living_workers(view))
    names = {execution.session, execution.working_session, *execution.sessions} - {*readers, ""}
    rows = [row for row in (view.get(Session, name) for name in names) if row]
    return any(not view.is_over(row) for row in rows if _may_carry_out(row, execution))


def _may_carry_out(session: Session, execution: Execution) -> bool:
    """Whether a program of this session may carry out a run: it is a runner's, or a program's that started it. A
    command, or the client of an agent, has only asked."""
    return session.client in RUNNER_CLIENTS or (session.id == execution.session and not session.client)


def stopped_at(view: View, execution: Execution) -> tuple[str, ...]:
    """The failed steps of a running run that the plan leaves to a decision which nobody has made, if it goes on only
    after that."""
    if not execution.engine or execution.status != "running" or not execution.steps.get("failed"):
        return ()
    where: dict[str, WhereValue] = {"execution": execution.id, "status": "failed"}
    rows = view.find(Progress, Select(where=where, newest_first=False, limit=MAX_FAILED))
    planned = steps_by_id(steps_of(view, execution))
    failed = tuple(row.step for row in rows if not row.decided and _is_left_to_decision(planned.get(row.step)))
    if not failed or pending_approvals(view, [execution]):
        return ()
    is_quiet = execution.unsettled != "yes" and view.now() - execution.last_at >= IS_QUIET
    return failed if is_quiet or not has_runner(view, execution) else ()


def _is_left_to_decision(step: StepFacts | None) -> bool:
    return step is not None and step.failure_policy == "manual_decision"
