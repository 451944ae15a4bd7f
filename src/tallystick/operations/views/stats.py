"""The operations get_stats (counts over the journal) and get_series (the same day by day, for charts)."""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Annotated, Any, TypeVar, get_args

from msgspec import Meta, Struct

from tallystick.core import entries, rules
from tallystick.core.formats import times
from tallystick.core.state import Action, Approval, Execution, Plan, Revision, Row, Session, revision_id
from tallystick.core.types import ExecutionStatus, Handle, Name, PlanStatus, Verdict
from tallystick.operations.actions import state_of
from tallystick.operations.runtime.correlation import OBSERVER_SESSIONS
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.operations.runtime.paging import Since, entries_between, find_merged, find_page
from tallystick.operations.runtime.progress import (
    MAY_BE_INTERRUPTED,
    approval_status,
    doubts_of,
    interruption,
    undo_states,
)
from tallystick.operations.views.coverage import SessionObserver, describe_observer
from tallystick.operations.views.owed import count_owed
from tallystick.store.interface import Select, View, WhereValue

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
            words += ["unplanned"] if _is_unplanned(view, action) else []
            found[session.client or session.actor].update(words)
    return {
        client: _client_coverage(counts, describe_observer(view, last[client], principal))
        for client, counts in found.items()
    }


def _is_unplanned(view: View, action: Action) -> bool:
    execution = view.get(Execution, action.execution) if not action.step and action.action_kind == "do" else None
    return execution is not None and bool(execution.plan_id)


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


MAX_SERIES_EXECUTIONS = 10_000
MAX_SERIES_ACTIONS = 10_000
MAX_SERIES_APPROVALS = 10_000
"""How many executions and actions a series covers, the newest first: the cost is the same in a journal of any size."""
MAX_READ_ONE_BY_ONE = 500
"""Up to this many executions, the actions are read for each; for more, the newest actions are filtered."""
EXECUTIONS_A_QUERY = 200
MAX_TOOLS = 20
DAY_MICROSECONDS = 86_400_000_000


class Day(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One day in UTC: figures of the executions that started on that day, however long they took.

    `retries`, `estimated` and `actual` need each action, and are complete for fewer days (see `detail_from`). In
    seconds: `p50` and `p95` from start to end; `estimated` and `actual` of steps that had an estimate and succeeded;
    `waited` from a question to its answer or expiry.
    """

    date: str
    started: int = 0
    completed: int = 0
    failed: int = 0
    cancelled: int = 0
    closed: int = 0
    interrupted: int = 0
    p50: float = 0.0
    p95: float = 0.0
    estimated: float = 0.0
    actual: float = 0.0
    actions: int = 0
    failures: int = 0
    retries: int = 0
    undos: int = 0
    unwound: int = 0
    in_doubt: int = 0
    asked: int = 0
    waited: float = 0.0


class WitnessCounts(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The calls of one client: observed by a hook, a gateway or an adapter, or only claimed."""

    observed: int = 0
    claimed: int = 0
    ended: int = 0
    in_doubt: int = 0


class Series(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The days, the oldest first. `executions` and `actions` are how many were counted.

    Executions that started before `whole_from` are not counted; it is empty when all are. `failures` by tool,
    `coverage` by client and the figures of a day that need each action count from `detail_from`; it is empty when all
    are counted.
    """

    days: tuple[Day, ...]
    failures: dict[str, int]
    coverage: dict[str, WitnessCounts]
    executions: int
    actions: int
    whole_from: str = ""
    detail_from: str = ""


@operation("read", "GET /v1/series", example={"days": 7})
def get_series(
    context: OperationContext,
    *,
    days: Annotated[int, Meta(ge=1, le=366, description="How many days, up to today")] = 30,
    task_id: Name | None = None,
    actor: Name | None = None,
    client: Name | None = None,
) -> Series:
    """Figures day by day: executions and how they ended, how long they took, failures, retries, undos, and waiting.

    Filters narrow it to the executions of a task, an agent or a client.
    """

    def work(view: View) -> Series:
        filters = {"task_id": task_id, "actor": actor, "client": client}
        where: dict[str, WhereValue] = {column: value for column, value in filters.items() if value is not None}
        today = view.now() // DAY_MICROSECONDS
        first = (today - days + 1) * DAY_MICROSECONDS
        rows, whole_from = _executions(view, where, first, first + days * DAY_MICROSECONDS)
        totals = _DayTotals(range(today - days + 1, today + 1), rows)
        actions, detail_from = _actions(view, rows)
        for action in actions:
            totals.add_action(view, action)
        for action in doubts_of(view, limit=MAX_SERIES_ACTIONS):
            totals.count(action.execution, "in_doubt")
        for row in islice((row for row in rows if row.status in MAY_BE_INTERRUPTED), MAX_CHECKED):
            if interruption(view, row):
                totals.count(row.id, "interrupted")
        _add_waiting(view, rows, totals)
        return Series(
            days=totals.days(),
            failures=dict(totals.failures.most_common(MAX_TOOLS)),
            coverage={name: WitnessCounts(**counts) for name, counts in sorted(totals.witnesses.items())},
            executions=len(rows),
            actions=len(actions),
            whole_from=times.iso(whole_from) if whole_from else "",
            detail_from=times.iso(detail_from) if detail_from else "",
        )

    return context.read(work)


class _DayTotals:
    """Adds up the figures of each day."""

    def __init__(self, dates: range, rows: list[Execution]) -> None:
        self.failures: Counter[str] = Counter()
        self.witnesses: dict[str, Counter[str]] = {}
        self._date = {row.id: row.at // DAY_MICROSECONDS for row in rows}
        self._counts: dict[int, Counter[str]] = {date: Counter() for date in dates}
        self._seconds: dict[int, dict[str, float]] = {date: {} for date in dates}
        self._durations: dict[int, list[float]] = {date: [] for date in dates}
        self._over: dict[str, bool] = {}
        for row in rows:
            self._add_execution(row)

    def _add_execution(self, row: Execution) -> None:
        counts, undone = self._counts[row.at // DAY_MICROSECONDS], sum(row.undos.values())
        counts["started"] += 1
        counts["actions"] += sum(row.actions.values())
        counts["undos"] += undone
        counts["unwound"] += undone > 0
        counts["failures"] += row.actions.get("failed", 0) + row.undos.get("failed", 0)
        if row.ended_at:
            self.count(row.id, row.status)
            self._durations[row.at // DAY_MICROSECONDS].append(max(row.ended_at - row.at, 0) / 1_000_000)

    def count(self, execution: str, word: str, seconds: float | None = None) -> None:
        """Add one, or seconds, to a figure of the day on which the execution started; ignore unknown executions."""
        date = self._date.get(execution)
        if date is not None and seconds is None:
            self._counts[date][word] += 1
        elif date is not None:
            self._seconds[date][word] = self._seconds[date].get(word, 0.0) + (seconds or 0.0)

    def add_action(self, view: View, action: Action) -> None:
        state = state_of(view, action, self._over)
        if action.attempt > 1:
            self.count(action.execution, "retries")
        if state == "failed":
            self.failures[action.tool or action.step or "-"] += 1
        if state == "ok" and action.step and (estimate := _estimate(view, action)):
            self.count(action.execution, "estimated", estimate)
            self.count(action.execution, "actual", action.duration)
        counts = self.witnesses.setdefault(_client(view, action), Counter())
        counts[action.witness] += 1
        if state == "in_doubt" or action.end_seq:
            counts["in_doubt" if state == "in_doubt" else "ended"] += 1

    def days(self) -> tuple[Day, ...]:
        return tuple(self._day(date, sorted(self._durations[date])) for date in self._counts)

    def _day(self, date: int, durations: list[float]) -> Day:
        seconds = {name: round(value, 3) for name, value in self._seconds[date].items()}
        figures: dict[str, Any] = {**self._counts[date], **seconds}
        name = times.iso(date * DAY_MICROSECONDS)[:10]
        return Day(date=name, p50=percentile(durations, 0.5), p95=percentile(durations, 0.95), **figures)


def _executions(view: View, where: dict[str, WhereValue], first: int, last: int) -> tuple[list[Execution], int]:
    """Return executions of a range of time, newest first, and the time from which they are complete (0: all)."""
    bounds = entries_between(view, first, last)
    low, high = (entries.handle_lower_bound(entries.EXECUTION, seq) for seq in bounds.seqs)
    found = view.find(Execution, Select(where=where, after=high, until_id=low, limit=MAX_SERIES_EXECUTIONS + 1))
    whole_from = found[-2].at if len(found) > MAX_SERIES_EXECUTIONS else 0
    return [row for row in found[:MAX_SERIES_EXECUTIONS] if bounds.contains(row)], whole_from


def _actions(view: View, rows: list[Execution]) -> tuple[list[Action], int]:
    """Return the actions of executions, the newest first, and the time from which they are complete (0: all)."""
    if not rows:
        return [], 0
    if len(rows) > MAX_READ_ONE_BY_ONE:
        wanted = {row.id for row in rows}
        oldest = entries.handle_lower_bound(entries.ACTION, rows[-1].seq)
        found = view.find(Action, Select(until_id=oldest, limit=MAX_SERIES_ACTIONS + 1))
        actions = [action for action in found[:MAX_SERIES_ACTIONS] if action.execution in wanted]
        return actions, found[-2].at if len(found) > MAX_SERIES_ACTIONS else 0
    actions = []
    for row in rows:
        room = MAX_SERIES_ACTIONS - len(actions)
        found = view.find(Action, Select(where={"execution": row.id}, limit=room + 1))
        actions += found[:room]
        if len(found) > room:
            return actions, actions[-1].at
    return actions, 0


def _estimate(view: View, action: Action) -> float:
    revision = view.get(Revision, revision_id(action.plan_id, action.revision))
    steps = revision.steps if revision else ()
    return next((step.estimate or 0.0 for step in steps if step.id == action.step), 0.0)


def _client(view: View, action: Action) -> str:
    session = view.get(Session, action.session)
    return (session.client or session.actor if session else "") or action.actor or "-"


def _add_waiting(view: View, rows: list[Execution], totals: _DayTotals) -> None:
    """Add how long executions waited for people. A pending question adds no seconds yet."""
    names, now = tuple(row.id for row in rows if row.asked), view.now()
    for start in range(0, len(names), EXECUTIONS_A_QUERY):
        some = names[start : start + EXECUTIONS_A_QUERY]
        for each in view.find(Approval, Select(where={"execution": some}, limit=MAX_SERIES_APPROVALS)):
            end = each.decided_at or (each.expires if rules.is_expired(each, now) else 0)
            totals.count(each.execution, "asked")
            totals.count(each.execution, "waited", max(end - each.at, 0) / 1_000_000)
