"""The operation get_stats: counts over the journal."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Annotated, TypeVar, get_args

from msgspec import Meta, Struct

from tallystick.core.state import Action, Approval, Execution, Plan, Row, Session
from tallystick.core.types import ExecutionStatus, Handle, Name, PlanStatus, Verdict
from tallystick.operations.actions import state_of
from tallystick.operations.runtime.correlation import OBSERVER_SESSIONS
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.operations.runtime.paging import Since, find_merged, find_page
from tallystick.operations.runtime.progress import (
    MAY_BE_INTERRUPTED,
    approval_status,
    doubts_of,
    interruption,
    undo_states,
)
from tallystick.operations.views.coverage import SessionObserver, describe_observer
from tallystick.operations.views.owed import count_owed
from tallystick.store.interface import Select, View

MAX_ACTIONS_SCANNED = 1_000
"""Figures about actions cover the newest that match: the cost is the same in a journal of any size."""
MAX_SESSIONS_SCANNED = 1000
"""Coverage counts the newest sessions up to this number."""
MAX_COUNTED = 10_000
"""Rows of one status are counted up to this."""
MAX_CHECKED = 1000
"""Open executions, sessions and questions, the newest ones, of which it is checked whether they are past by now."""
R = TypeVar("R", bound=Row)
_STATUSES: dict[type[Row], tuple[str, ...]] = {
    Execution: get_args(ExecutionStatus),
    Plan: get_args(PlanStatus),
    Approval: ("pending", *get_args(Verdict), "used"),
    Session: ("open", "ended"),
}


class Durations(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Seconds from begin to end, of the newest actions that ended."""

    count: int
    p50: float = 0.0
    p95: float = 0.0


class ClientCoverage(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The calls of one client that hooks, a gateway or an adapter saw in its newest sessions, and its last event.

    `silent` when newer events were expected.
    """

    sessions: int
    begun: int
    ended: int
    in_doubt: int = 0
    unplanned: int = 0
    last_event: str = ""
    silent: bool = False


class Stats(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Counts over the journal as of now. Figures about actions cover the newest `actions_counted`; `whole` says whether
    these are all that match. Other counts are exact up to 10,000; `more` names those that are larger, such as
    `executions.completed`. Executions that were interrupted are counted as such, up to 1,000, and not by their status;
    so are sessions that are over and questions that have expired.
    `owed` is of the whole journal, or of the execution that is named. `coverage` is by client and ignores the filters.
    `spool_behind` counts bytes of hook events that are not in the journal yet."""

    entries: int
    executions: dict[str, int]
    plans: dict[str, int]
    actions: dict[str, int]
    undo_states: dict[str, int]
    owed: int
    approvals: dict[str, int]
    sessions: dict[str, int]
    in_doubt: int
    tools: dict[str, int]
    failures: dict[str, int]
    retries: int
    durations: Durations
    actions_counted: int
    whole: bool
    more: tuple[str, ...] = ()
    coverage: dict[str, ClientCoverage] = {}
    spool_behind: int = 0


@operation("read", "GET /v1/stats", view="stats", example={})
def get_stats(
    context: OperationContext,
    *,
    execution_id: Handle | None = None,
    tool: Name | None = None,
    actor: Name | None = None,
    since: Since = None,
    until: Since = None,
    most: Annotated[int, Meta(ge=1, le=100, description="At most this many tools")] = 20,
) -> Stats:
    """Counts over the journal by state, and how long actions take.

    The filters apply to figures about actions only.
    """

    def work(view: View) -> Stats:
        def fits(row: Action) -> bool:
            return tool in (None, row.tool) and actor in (None, row.actor)

        rows, more = find_page(
            view, Action, {"execution": execution_id}, since, until, MAX_ACTIONS_SCANNED, None, fits=fits
        )
        ended = sorted(row.duration for row in rows if row.duration is not None and row.state in ("ok", "failed"))
        narrowed = execution_id or tool or actor or since or until
        newest = view.find(Action, Select(limit=MAX_ACTIONS_SCANNED)) if narrowed else rows
        large: set[str] = set()
        over: dict[str, bool] = {}
        executions, plans, approvals, sessions = (_count_rows(view, table, large) for table in _STATUSES)
        return Stats(
            entries=view.head().seq,
            executions=_with_interrupted(view, executions, large),
            plans=plans,
            actions=_count(state_of(view, row, over) for row in rows),
            undo_states=_count(undo_states(view, rows).values()),
            owed=_count_owed(view, execution_id, large),
            approvals=_as_of_now(
                view,
                Approval,
                approvals,
                ("pending", "expired", "closed"),
                lambda row: approval_status(view, row),
                large,
            ),
            sessions=_as_of_now(
                view, Session, sessions, ("open", "ended"), lambda row: "ended" if view.is_over(row) else "open", large
            ),
            more=tuple(sorted(large)),
            in_doubt=_count_doubts(view, execution_id or "", fits, rows if since or until else None),
            tools=_top(_count(row.tool for row in rows), most),
            failures=_top(_count(row.tool for row in rows if row.state == "failed"), most),
            retries=sum(row.attempt > 1 for row in rows),
            durations=Durations(count=len(ended), p50=percentile(ended, 0.5), p95=percentile(ended, 0.95)),
            actions_counted=len(rows),
            whole=not more,
            coverage=_coverage(view, newest, context.principal),
            spool_behind=context.principal.spool_behind,
        )

    return context.read(work)


def _count_rows(view: View, table: type[Row], more: set[str]) -> dict[str, int]:
    """Count the rows of each status; add to `more` those of which there are more than were counted."""
    found = {status: view.count(table, {"status": status}, MAX_COUNTED + 1) for status in _STATUSES[table]}
    more.update(f"{table.TABLE}.{status}" for status, count in found.items() if count > MAX_COUNTED)
    return {status: min(count, MAX_COUNTED) for status, count in found.items() if count}


def _with_interrupted(view: View, counts: dict[str, int], more: set[str]) -> dict[str, int]:
    """Count executions on which nobody works any more under `interrupted`, instead of under their status."""
    left, is_more = count_interrupted(view, MAX_CHECKED)
    if is_more:
        more.add("executions.interrupted")
    counted = {status: count - left[status] for status, count in counts.items() if count > left[status]}
    return {**counted, "interrupted": left.total()} if left else counted


def count_interrupted(view: View, limit: int) -> tuple[Counter[str], bool]:
    """The number of interrupted executions by their status, among the newest `limit` that may be interrupted; and
    whether there are more of those."""
    rows = find_merged(view, Execution, Select(where={"status": MAY_BE_INTERRUPTED}, limit=limit + 1))
    return Counter(row.status for row in rows[:limit] if interruption(view, row)), len(rows) > limit


def _as_of_now(
    view: View,
    table: type[R],
    counts: dict[str, int],
    words: tuple[str, ...],
    status_now: Callable[[R], str],
    more: set[str],
) -> dict[str, int]:
    """Move rows whose recorded status is the first of `words` to the one of them that they have by now."""
    recorded, *current = words
    rows = view.find(table, Select(where={"status": recorded}, limit=MAX_CHECKED + 1))
    now = Counter(map(status_now, rows[:MAX_CHECKED]))
    past = now.total() - now.pop(recorded, 0)
    if len(rows) > MAX_CHECKED:
        more.update(f"{table.TABLE}.{status}" for status in current)
    moved = Counter(counts) + now
    moved[recorded] -= past
    return {word: count for word, count in moved.items() if count}


def _count_owed(view: View, execution_id: str | None, more: set[str]) -> int:
    due, more_due = count_owed(view, execution_id)
    if more_due:
        more.add("owed")
    return due


def _count(words: Iterable[str]) -> dict[str, int]:
    counts = Counter(words)
    del counts[""]
    return dict(counts)


def _coverage(view: View, newest: list[Action], principal: Principal) -> dict[str, ClientCoverage]:
    """Count the observed calls of each client among the newest actions and sessions."""
    observed = {row.id: row for row in view.find(Session, Select(where=OBSERVER_SESSIONS, limit=MAX_SESSIONS_SCANNED))}
    found: dict[str, Counter[str]] = {}
    last: dict[str, Session] = {}
    for row in observed.values():
        found.setdefault(row.client or row.actor, Counter())["sessions"] += 1
        last.setdefault(row.client or row.actor, row)  # the newest comes first
    over: dict[str, bool] = {}
    for action in newest:
        session = observed.get(action.session)
        if session:
            state = state_of(view, action, over)
            words = ["begun", "in_doubt" if state == "in_doubt" else "open" if state == "open" else "ended"]
            words += ["unplanned"] if action.is_unplanned(view.get(Execution, action.execution)) else []
            found[session.client or session.actor].update(words)
    return {
        client: _client_coverage(counts, describe_observer(view, last[client], principal))
        for client, counts in found.items()
    }


def _client_coverage(counts: Counter[str], observer: SessionObserver) -> ClientCoverage:
    return ClientCoverage(
        sessions=counts["sessions"],
        begun=counts["begun"],
        ended=counts["ended"],
        in_doubt=counts["in_doubt"],
        unplanned=counts["unplanned"],
        last_event=observer.last_event,
        silent=observer.silent,
    )


def _count_doubts(view: View, execution: str, fits: Callable[[Action], bool], among: list[Action] | None) -> int:
    found = doubts_of(view, execution, limit=MAX_ACTIONS_SCANNED, wanted=fits)
    return len(found) if among is None else len({row.id for row in found} & {row.id for row in among})


def percentile(ordered: list[float], share: float) -> float:
    """Return the value below which `share` of the values lie; 0 for none."""
    return round(ordered[min(int(len(ordered) * share), len(ordered) - 1)], 6) if ordered else 0.0


def _top(counts: dict[str, int], most: int) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:most])
