"""Figures over the journal."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Annotated, Any

from msgspec import Meta, Struct

from tallystick.core import entries, rules
from tallystick.core.formats import times
from tallystick.core.state import Action, Approval, Execution, Plan, Revision, Session, revision_id
from tallystick.core.types import Handle, Name
from tallystick.operations.actions import state_of
from tallystick.operations.runtime.lookup import OBSERVER_SESSIONS
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.operations.runtime.paging import Since, find_page, first_seq_at
from tallystick.operations.runtime.progress import MAX_ROWS, doubts_of
from tallystick.operations.views.coverage import Observer, observer
from tallystick.store.interface import Select, View, WhereValue

MAX_ACTIONS_SCANNED = 5_000
"""What is said of actions is of the newest so many that fit: a figure, not an audit, for the same cost anywhere."""
SESSIONS = 1000
"""Coverage is of the newest so many sessions."""


class Durations(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Seconds from begin to end, of the newest actions that ended."""

    count: int
    p50: float = 0.0
    p95: float = 0.0


class Watched(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What was seen of one client, by hooks, a gateway or an adapter, in its newest sessions; and when it was last
    heard in the newest of them. `silent` when it should have been heard since."""

    sessions: int
    begun: int
    ended: int
    in_doubt: int = 0
    unplanned: int = 0
    heard: str = ""
    silent: bool = False


class Stats(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """`whole` says whether every action that fits was looked at: what is said of actions, from `actions` on, is of the
    newest `looked_at`. Other counts are exact. `coverage` is by client, whatever the filters; `spool_behind` are the
    bytes that hooks have seen and that are not in the journal yet."""

    entries: int
    executions: dict[str, int]
    plans: dict[str, int]
    actions: dict[str, int]
    owed: dict[str, int]
    approvals: dict[str, int]
    sessions: dict[str, int]
    in_doubt: int
    tools: dict[str, int]
    failures: dict[str, int]
    retries: int
    durations: Durations
    looked_at: int
    whole: bool
    coverage: dict[str, Watched] = {}
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
    """Figures over the journal: how many of what, in which state, and how long things take.

    The filters narrow what is said about actions, and nothing else.
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
        return Stats(
            entries=view.head().seq,
            executions=view.count(Execution, "status", {}),
            plans=view.count(Plan, "status", {}),
            actions=_count(row.state for row in rows),
            owed=_count(row.owed for row in rows),
            approvals=view.count(Approval, "status", {}),
            sessions=view.count(Session, "status", {}),
            in_doubt=_doubts(view, execution_id or "", fits, {row.id for row in rows} if since or until else None),
            tools=_top(_count(row.tool for row in rows), most),
            failures=_top(_count(row.tool for row in rows if row.state == "failed"), most),
            retries=sum(row.attempt > 1 for row in rows),
            durations=Durations(count=len(ended), p50=share_of(ended, 0.5), p95=share_of(ended, 0.95)),
            looked_at=len(rows),
            whole=not more,
            coverage=_coverage(view, newest, context.principal),
            spool_behind=context.principal.spool_behind,
        )

    return context.read(work)


def _count(words: Iterable[str]) -> dict[str, int]:
    counts = Counter(words)
    del counts[""]
    return dict(counts)


def _coverage(view: View, newest: list[Action], principal: Principal) -> dict[str, Watched]:
    """What was seen of each client, of the newest actions and sessions."""
    watched = {row.id: row for row in view.find(Session, Select(where=OBSERVER_SESSIONS, limit=SESSIONS))}
    found: dict[str, Counter[str]] = {}
    last: dict[str, Session] = {}
    for row in watched.values():
        found.setdefault(row.client or row.actor, Counter())["sessions"] += 1
        last.setdefault(row.client or row.actor, row)  # the newest comes first
    over: dict[str, bool] = {}
    for action in newest:
        session = watched.get(action.session)
        if session:
            state = state_of(view, action, over)
            words = ["begun", "in_doubt" if state == "in_doubt" else "open" if state == "open" else "ended"]
            words += ["unplanned"] if _is_unplanned(view, action) else []
            found[session.client or session.actor].update(words)
    return {client: _watched(counts, observer(view, last[client], principal)) for client, counts in found.items()}


def _is_unplanned(view: View, action: Action) -> bool:
    execution = view.get(Execution, action.execution) if not action.step and action.action_kind == "do" else None
    return execution is not None and bool(execution.plan_id)


def _watched(counts: Counter[str], by: Observer) -> Watched:
    return Watched(
        sessions=counts["sessions"],
        begun=counts["begun"],
        ended=counts["ended"],
        in_doubt=counts["in_doubt"],
        unplanned=counts["unplanned"],
        heard=by.heard,
        silent=by.silent,
    )


def _doubts(view: View, execution: str, fits: Callable[[Action], bool], among: set[str] | None) -> int:
    found = doubts_of(view, execution, limit=MAX_ACTIONS_SCANNED, wanted=fits)
    return sum(among is None or row.id in among for row in found)


def share_of(ordered: list[float], share: float) -> float:
    """The value below which a share of all lies; of none, nothing."""
    return round(ordered[min(int(len(ordered) * share), len(ordered) - 1)], 6) if ordered else 0.0


def _top(counts: dict[str, int], most: int) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:most])


# ----------------------------------------------------------------------------------------------------------------------
# Figures day by day: what charts are drawn from.

EXECUTIONS = 10_000
ACTIONS = 10_000
"""How many executions and actions are looked at, the newest first: so it costs the same in a journal of any size."""
FEW = 500
"""Of so many executions the actions are read one by one; of more, the newest actions are looked through."""
AT_ONCE = 200
TOOLS = 20
DAY = 86_400_000_000


class Day(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One day in UTC. All of it is told of the executions that started on that day, however long they took.

    `retries`, `estimated` and `actual` need each action, and are whole for fewer days (see `detail_from`). In seconds:
    `p50` and `p95` from start to end; `estimated` and `actual` of steps that had an estimate and succeeded; `waited`
    from asking a person to the answer, or to when it lapsed.
    """

    date: str
    started: int = 0
    completed: int = 0
    failed: int = 0
    cancelled: int = 0
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


class Watch(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What is known of one client's calls: seen by a hook, a gateway or an adapter, or only claimed."""

    observed: int = 0
    claimed: int = 0
    ended: int = 0
    in_doubt: int = 0


class Series(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The days, oldest first. `executions` and `actions` say how many were looked at, the newest first. What started
    before `whole_from` was not; it is empty when all was. `failures` by tool, `coverage` by client and what a day says
    of each action are of the actions since `detail_from`; it is empty when they are of all."""

    days: tuple[Day, ...]
    failures: dict[str, int]
    coverage: dict[str, Watch]
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
        given = {"task_id": task_id, "actor": actor, "client": client}
        where: dict[str, WhereValue] = {column: value for column, value in given.items() if value is not None}
        today = view.now() // DAY
        first = (today - days + 1) * DAY
        rows, whole_from = _executions(view, where, first)
        tally = _Tally(range(today - days + 1, today + 1), rows)
        actions, detail_from = _actions(view, rows)
        for action in actions:
            tally.tell(view, action)
        for action in doubts_of(view, limit=ACTIONS):
            tally.count(action.execution, "in_doubt")
        _ask(view, rows, tally)
        return Series(
            days=tally.days(),
            failures=dict(tally.failures.most_common(TOOLS)),
            coverage={name: Watch(**counts) for name, counts in sorted(tally.watches.items())},
            executions=len(rows),
            actions=len(actions),
            whole_from=times.iso(whole_from) if whole_from else "",
            detail_from=times.iso(detail_from) if detail_from else "",
        )

    return context.read(work)


class _Tally:
    """The days while they are added up."""

    def __init__(self, dates: range, rows: list[Execution]) -> None:
        self.failures: Counter[str] = Counter()
        self.watches: dict[str, Counter[str]] = {}
        self._date = {row.id: row.at // DAY for row in rows}
        self._counts: dict[int, Counter[str]] = {date: Counter() for date in dates}
        self._seconds: dict[int, dict[str, float]] = {date: {} for date in dates}
        self._lasted: dict[int, list[float]] = {date: [] for date in dates}
        self._over: dict[str, bool] = {}
        for row in rows:
            self._add(row)

    def _add(self, row: Execution) -> None:
        counts, undone = self._counts[row.at // DAY], sum(row.undos.values())
        counts["started"] += 1
        counts["actions"] += sum(row.actions.values())
        counts["undos"] += undone
        counts["unwound"] += undone > 0
        counts["failures"] += row.actions.get("failed", 0) + row.undos.get("failed", 0)
        if row.ended_at:
            self.count(row.id, row.status)
            self._lasted[row.at // DAY].append((row.ended_at - row.at) / 1_000_000)

    def count(self, execution: str, word: str, seconds: float | None = None) -> None:
        """Add one to a figure of the day on which an execution started, or seconds; of others nothing is told."""
        date = self._date.get(execution)
        if date is not None and seconds is None:
            self._counts[date][word] += 1
        elif date is not None:
            self._seconds[date][word] = self._seconds[date].get(word, 0.0) + (seconds or 0.0)

    def tell(self, view: View, action: Action) -> None:
        state = state_of(view, action, self._over)
        if action.attempt > 1:
            self.count(action.execution, "retries")
        if state == "failed":
            self.failures[action.tool or action.step or "-"] += 1
        if state == "ok" and action.step and (estimate := _estimate(view, action)):
            self.count(action.execution, "estimated", estimate)
            self.count(action.execution, "actual", action.duration)
        watch = self.watches.setdefault(_client(view, action), Counter())
        watch[action.witness] += 1
        if state == "in_doubt" or action.end_seq:
            watch["in_doubt" if state == "in_doubt" else "ended"] += 1

    def days(self) -> tuple[Day, ...]:
        return tuple(self._day(date, sorted(self._lasted[date])) for date in self._counts)

    def _day(self, date: int, lasted: list[float]) -> Day:
        seconds = {name: round(value, 3) for name, value in self._seconds[date].items()}
        figures: dict[str, Any] = {**self._counts[date], **seconds}
        name = times.iso(date * DAY)[:10]
        return Day(date=name, p50=share_of(lasted, 0.5), p95=share_of(lasted, 0.95), **figures)


def _executions(view: View, where: dict[str, WhereValue], first: int) -> tuple[list[Execution], int]:
    """Those that started since, the newest first; and from when on they are all."""
    low = entries.handle_lower_bound(entries.EXECUTION, first_seq_at(view, first))
    found = view.find(Execution, Select(where=where, until_id=low, limit=EXECUTIONS + 1))
    return found[:EXECUTIONS], found[EXECUTIONS - 1].at if len(found) > EXECUTIONS else 0


def _actions(view: View, rows: list[Execution]) -> tuple[list[Action], int]:
    """The actions of executions, the newest first; and from when on they are all."""
    if not rows:
        return [], 0
    if len(rows) > FEW:
        wanted = {row.id for row in rows}
        found = view.find(
            Action, Select(until_id=entries.handle_lower_bound(entries.ACTION, rows[-1].seq), limit=ACTIONS + 1)
        )
        known = [action for action in found[:ACTIONS] if action.execution in wanted]
        return known, found[ACTIONS - 1].at if len(found) > ACTIONS else 0
    known = []
    for row in rows:
        room = ACTIONS - len(known)
        found = view.find(Action, Select(where={"execution": row.id}, limit=room + 1))
        known += found[:room]
        if len(found) > room:
            return known, known[-1].at
    return known, 0


def _estimate(view: View, action: Action) -> float:
    revision = view.get(Revision, revision_id(action.plan_id, action.revision))
    steps = revision.steps if revision else ()
    return next((step.estimate or 0.0 for step in steps if step.id == action.step), 0.0)


def _client(view: View, action: Action) -> str:
    session = view.get(Session, action.session)
    return (session.client or session.actor if session else "") or action.actor or "-"


def _ask(view: View, rows: list[Execution], tally: _Tally) -> None:
    """Add how long people were waited for; a question that is still open is none yet."""
    names, now = tuple(row.id for row in rows if row.asked), view.now()
    for start in range(0, len(names), AT_ONCE):
        for each in view.find(Approval, Select(where={"execution": names[start : start + AT_ONCE]}, limit=MAX_ROWS)):
            end = each.decided_at or (each.expires if rules.is_expired(each, now) else 0)
            tally.count(each.execution, "asked")
            tally.count(each.execution, "waited", max(end - each.at, 0) / 1_000_000)
