"""The figures of runs, workers and queues in `/metrics`. Open runs and doubts are counted up to a bound."""

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress

from tallystick.core.state import Action, Execution, Session
from tallystick.interfaces.rest.counters import Labels, gauge
from tallystick.operations.runtime.lookup import OPEN_STATUSES
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.operations.runtime.progress import doubts_of
from tallystick.runner.engines.queue_figures import QueueFigures, read_queues
from tallystick.store.interface import Select, View, WhereValue

ENGINES = ("local", "server", "queue", "temporal")
WORKER_CLIENT = "tallystick worker"
"""The client of a worker's session."""
STEP_STATES = ("not_begun", "running", "held", "failed", "done", "skipped")


def run_lines(context: OperationContext, most: int) -> list[str]:
    """The lines of all these figures. `most` runs, workers and doubts are counted."""
    runs, steps, workers = context.read(lambda view: _count(view, most))
    bound = f"at most {most} are counted"
    return [
        *gauge("tallystick_runs_open", f"Runs that have not ended, by engine and status; {bound}.", runs),
        *gauge("tallystick_run_steps", "Steps of these runs by state; held: nobody knows what came of them.", steps),
        *gauge("tallystick_workers_alive", f"Workers whose session lives; {bound}.", {(): workers}),
        *_queue_lines(context),
    ]


def _count(view: View, most: int) -> tuple[dict[Labels, float], dict[Labels, float], int]:
    found: list[Execution] = []
    for engine in ENGINES:
        where: dict[str, WhereValue] = {"engine": engine, "status": OPEN_STATUSES}
        found += view.find(Execution, Select(where=where, limit=most - len(found))) if len(found) < most else ()
    runs: Counter[tuple[str, str]] = Counter((row.engine, row.status) for row in found)
    workers = view.find(Session, Select(where={"client": WORKER_CLIENT, "status": "open"}, limit=most))
    labelled: dict[Labels, float] = {
        (("engine", engine), ("status", status)): runs[engine, status] for engine in ENGINES for status in OPEN_STATUSES
    }
    return labelled, _count_steps(view, found, most), sum(not view.is_over(row) for row in workers)


def _count_steps(view: View, runs: list[Execution], most: int) -> dict[Labels, float]:
    """Steps by state, as of now: one whose worker is dead is held, even before that is recorded."""
    recorded: Counter[str] = Counter()
    for row in runs:
        recorded.update(row.steps)
        recorded["not_begun"] += max(0, row.total_steps - sum(row.steps.values()))
    own = {row.id for row in runs}
    held = len(doubts_of(view, limit=most, wanted=lambda action: _is_step_of(action, own)))
    recorded["running"], recorded["held"] = max(0, recorded["running"] + recorded["in_doubt"] - held), held
    return {(("state", state),): recorded[state] for state in STEP_STATES}


def _is_step_of(action: Action, runs: set[str]) -> bool:
    return action.execution in runs and bool(action.step) and action.action_kind == "do"


def _queue_lines(context: OperationContext) -> list[str]:
    """The figures of the engine `queue`; none where it is not used, or cannot be asked now."""
    queues: list[QueueFigures] = []
    with suppress(Exception):  # the driver may be missing, or the server away: the other figures are still there
        queues = read_queues(context.settings.url, context.journal)
    if not queues:
        return []
    states: Mapping[Labels, float] = {
        (("queue", each.queue or "looks"), ("state", state)): count
        for each in queues
        for state, count in (("due", each.due), ("later", each.later), ("delivered", each.delivered))
    }
    waits: Mapping[Labels, float] = {(("queue", each.queue or "looks"),): each.oldest_wait_seconds for each in queues}
    return [
        *gauge("tallystick_queue_work", "Work by queue and state; at most 10000 are counted.", states),
        *gauge("tallystick_queue_oldest_wait_seconds", "How long the oldest work that is due has waited.", waits),
    ]
