"""The operation get_series: figures over time for charts, and side by side by agent, tool and kind of error."""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import Annotated, Any, Literal, cast

from msgspec import Meta, Struct, json

from tallystick.core import entries, rules
from tallystick.core.errors import InvalidArgument
from tallystick.core.formats import times
from tallystick.core.state import Action, Approval, Execution, Revision, Session, revision_id
from tallystick.core.types import Name
from tallystick.operations.actions import state_of
from tallystick.operations.runtime.operation import operation
from tallystick.operations.runtime.operation_context import OperationContext
from tallystick.operations.runtime.paging import entries_between
from tallystick.operations.runtime.progress import MAY_BE_INTERRUPTED, doubts_of, interruption
from tallystick.operations.views.figures.stats import MAX_CHECKED, percentile
from tallystick.store.interface import Select, View, WhereValue

MAX_SERIES_EXECUTIONS = 10_000
MAX_SERIES_ACTIONS = 10_000
MAX_SERIES_APPROVALS = 10_000
"""How many executions and actions a series covers, the newest first: the cost is the same in a journal of any size."""
MAX_ERRORS_READ = 1_000
"""The kind of error is known of this many failed actions, the newest ones: each costs reading its body."""
MAX_READ_ONE_BY_ONE = 500
"""Up to this many executions, the actions are read for each; for more, the newest actions are filtered."""
EXECUTIONS_A_QUERY = 200
MAX_TOOLS = 20
MAX_AGENTS = 20
DEFAULT_DAYS = 90
MAX_DAYS_BY_HOUR = 14
FIT_HOURS = 48
"""Executions that all started within this time are shown by hour, unless told otherwise."""
HOUR_MICROSECONDS = 3_600_000_000
DAY_MICROSECONDS = 24 * HOUR_MICROSECONDS


class Day(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One day or hour in UTC: figures of the executions that started in it, however long they took.

    A figure that nothing was measured for is left out, and not 0: `p50` and `p95` if nothing ended, `estimated` and
    `actual` without a step that had an estimate and succeeded, `waited` if no question was answered or expired.
    `retries` is null before `detail_from`. Seconds: `p50` and `p95` from start to end, `waited` from a question to its
    answer or expiry.
    """

    date: str
    started: int = 0
    completed: int = 0
    failed: int = 0
    cancelled: int = 0
    closed: int = 0
    interrupted: int = 0
    p50: float | None = None
    p95: float | None = None
    estimated: float | None = None
    actual: float | None = None
    actions: int = 0
    failures: int = 0
    retries: int | None = 0
    undos: int = 0
    unwound: int = 0
    in_doubt: int = 0
    asked: int = 0
    waited: float | None = None


class Quantiles(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Seconds. `count` values were measured; without any, the others are left out."""

    count: int
    p50: float | None = None
    p90: float | None = None
    p95: float | None = None
    longest: float | None = None


class WitnessCounts(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The calls of one client: observed by a hook, a gateway or an adapter, or only claimed."""

    observed: int = 0
    claimed: int = 0
    ended: int = 0
    in_doubt: int = 0


class AgentFigures(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The executions that one agent started, and what was done in them."""

    started: int = 0
    completed: int = 0
    failed: int = 0
    cancelled: int = 0
    closed: int = 0
    interrupted: int = 0
    actions: int = 0
    failures: int = 0
    undos: int = 0
    in_doubt: int = 0
    durations: Quantiles


class ToolFigures(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The calls of one tool, by how they ended, and how long those that ended took.

    `estimated` and `actual` are of the `compared` calls: those that did a step with an estimate and succeeded.
    """

    calls: int = 0
    failed: int = 0
    in_doubt: int = 0
    compared: int = 0
    estimated: float | None = None
    actual: float | None = None
    durations: Quantiles


class Series(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The days or hours (`by`), the oldest first. `executions` and `actions` are how many were counted.

    Executions that started before `whole_from` are not counted, and days before it are left out; it is empty when all
    are counted. `failures` by tool, `tools`, `errors`, `coverage` by client and the figures of a day that need each
    action count from `detail_from`; it is empty when all are counted. `errors` is estimated from the texts of the
    newest 1,000 failures. `agents` and `tools` are the 20 with the most executions and calls.
    """

    by: Literal["day", "hour"]
    days: tuple[Day, ...]
    durations: Quantiles
    agents: dict[str, AgentFigures]
    tools: dict[str, ToolFigures]
    failures: dict[str, int]
    errors: dict[str, int]
    coverage: dict[str, WitnessCounts]
    executions: int
    actions: int
    whole_from: str = ""
    detail_from: str = ""


@operation("read", "GET /v1/series", example={"days": 7})
def get_series(
    context: OperationContext,
    *,
    days: Annotated[int, Meta(ge=1, le=366, description="How many days, up to today; by default all, up to 90")]
    | None = None,
    by: Annotated[
        Literal["day", "hour"],
        Meta(description="hour: at most 14 days. By default hour if all began within 48 hours and no days are given"),
    ]
    | None = None,
    task_id: Name | None = None,
    actor: Name | None = None,
    client: Name | None = None,
) -> Series:
    """Figures over time, and side by side by agent and tool: outcomes, durations, failures, retries, undos, waiting.

    Filters narrow it to the executions of a task, an agent or a client.
    """
    if by == "hour" and (days or DEFAULT_DAYS) > MAX_DAYS_BY_HOUR:
        raise InvalidArgument(
            "by=hour is too fine for so many days.", hint=f"Ask for days={MAX_DAYS_BY_HOUR} or fewer.", field="days"
        )

    def work(view: View) -> Series:
        filters = {"task_id": task_id, "actor": actor, "client": client}
        where: dict[str, WhereValue] = {column: value for column, value in filters.items() if value is not None}
        end = view.now() // DAY_MICROSECONDS + 1
        first = (end - (days or DEFAULT_DAYS)) * DAY_MICROSECONDS
        rows, whole_from = _executions(view, where, first, end * DAY_MICROSECONDS)
        unit = by or ("hour" if days is None and _fits_hours(view, rows) else "day")
        actions, detail_from = _actions(view, rows)
        totals = _Totals(_buckets(view, unit, rows, max(first, whole_from) if days else None), unit, rows)
        for action in actions:
            totals.add_action(view, action)
        for action in doubts_of(view, limit=MAX_SERIES_ACTIONS):
            totals.count(action.execution, "in_doubt")
        for row in islice((row for row in rows if row.status in MAY_BE_INTERRUPTED), MAX_CHECKED):
            if interruption(view, row):
                totals.count(row.id, "interrupted")
        _add_waiting(view, rows, totals)
        return Series(
            by=unit,
            days=totals.days(detail_from),
            durations=_quantiles(_seconds(row) for row in rows if row.ended_at),
            agents=totals.agents(),
            tools=totals.tools(),
            failures=dict(totals.failures.most_common(MAX_TOOLS)),
            errors=_errors(view, actions),
            coverage={name: WitnessCounts(**counts) for name, counts in sorted(totals.witnesses.items())},
            executions=len(rows),
            actions=len(actions),
            whole_from=times.iso(whole_from) if whole_from else "",
            detail_from=times.iso(detail_from) if detail_from else "",
        )

    return context.read(work)


def _fits_hours(view: View, rows: list[Execution]) -> bool:
    return bool(rows) and view.now() - rows[-1].at <= FIT_HOURS * HOUR_MICROSECONDS


def _buckets(view: View, unit: str, rows: list[Execution], first: int | None) -> range:
    """The days or hours up to now, as numbers, from `first` or the first execution, or as far as a clock was wrong."""
    starts = [row.at for row in rows]
    low, high = min([first or view.now(), *starts]), max([view.now(), *starts])
    return range(low // _SIZES[unit], high // _SIZES[unit] + 1)


_SIZES = {"day": DAY_MICROSECONDS, "hour": HOUR_MICROSECONDS}


class _Totals:
    """Adds up the figures of each day or hour, agent and tool."""

    def __init__(self, buckets: range, unit: Literal["day", "hour"], rows: list[Execution]) -> None:
        self.failures: Counter[str] = Counter()
        self.witnesses: dict[str, Counter[str]] = {}
        self._unit = unit
        self._size = _SIZES[unit]
        self._rows = {row.id: row for row in rows}
        self._counts: dict[int, Counter[str]] = {date: Counter() for date in buckets}
        self._sums: dict[int, dict[str, float]] = {date: {} for date in buckets}
        self._durations: dict[int, list[float]] = {date: [] for date in buckets}
        self._agents: dict[str, Counter[str]] = {}
        self._agent_durations: dict[str, list[float]] = {}
        self._tools: dict[str, Counter[str]] = {}
        self._tool_durations: dict[str, list[float]] = {}
        self._tool_sums: dict[str, dict[str, float]] = {}
        self._over: dict[str, bool] = {}
        for row in rows:
            self._add_execution(row)

    def _add_execution(self, row: Execution) -> None:
        undone = sum(row.undos.values())
        counts = Counter(
            started=1,
            actions=sum(row.actions.values()),
            undos=undone,
            unwound=int(undone > 0),
            failures=row.actions.get("failed", 0) + row.undos.get("failed", 0),
        )
        if row.ended_at:
            counts[row.status] += 1
            self._durations[row.at // self._size].append(_seconds(row))
            self._agent_durations.setdefault(row.actor or "-", []).append(_seconds(row))
        self._counts[row.at // self._size].update(counts)
        self._agents.setdefault(row.actor or "-", Counter()).update(counts)

    def count(self, execution: str, word: str) -> None:
        """Add one to a figure of the day on which the execution started, and of its agent, if it is one of those."""
        if row := self._rows.get(execution):
            self._counts[row.at // self._size][word] += 1
            self._agents[row.actor or "-"][word] += 1

    def add_seconds(self, execution: str, word: str, seconds: float) -> None:
        if row := self._rows.get(execution):
            sums = self._sums[row.at // self._size]
            sums[word] = sums.get(word, 0.0) + seconds

    def add_action(self, view: View, action: Action) -> None:
        state = state_of(view, action, self._over)
        tool = action.tool or action.step or "-"
        if action.attempt > 1:
            self.count(action.execution, "retries")
        if state == "failed":
            self.failures[tool] += 1
        self._tools.setdefault(tool, Counter()).update(["calls", state])
        if action.duration is not None and state in ("ok", "failed"):
            self._tool_durations.setdefault(tool, []).append(action.duration)
        if state == "ok" and action.step and action.duration is not None and (estimate := _estimate(view, action)):
            self._add_estimate(action, tool, estimate, action.duration)
        counts = self.witnesses.setdefault(_client(view, action), Counter())
        counts[action.witness] += 1
        if state == "in_doubt" or action.end_seq:
            counts["in_doubt" if state == "in_doubt" else "ended"] += 1

    def _add_estimate(self, action: Action, tool: str, estimated: float, actual: float) -> None:
        sums = self._tool_sums.setdefault(tool, {"estimated": 0.0, "actual": 0.0})
        self._tools[tool]["compared"] += 1
        for word, seconds in (("estimated", estimated), ("actual", actual)):
            self.add_seconds(action.execution, word, seconds)
            sums[word] += seconds

    def days(self, detail_from: int) -> tuple[Day, ...]:
        return tuple(self._day(date, date < detail_from // self._size) for date in self._counts)

    def _day(self, date: int, lacks_detail: bool) -> Day:
        durations = _quantiles(self._durations[date])
        figures: dict[str, Any] = {**self._counts[date], **_rounded(self._sums[date])}
        if lacks_detail:
            figures["retries"] = None
        stamp = times.iso(date * self._size)
        name = stamp[:10] if self._unit == "day" else f"{stamp[:13]}:00Z"
        return Day(date=name, p50=durations.p50, p95=durations.p95, **figures)

    def agents(self) -> dict[str, AgentFigures]:
        names = sorted(self._agents, key=lambda name: (-self._agents[name]["started"], name))[:MAX_AGENTS]
        fields = frozenset(AgentFigures.__struct_fields__)
        return {
            name: AgentFigures(
                durations=_quantiles(self._agent_durations.get(name, ())),
                **{word: count for word, count in self._agents[name].items() if word in fields},
            )
            for name in names
        }

    def tools(self) -> dict[str, ToolFigures]:
        names = sorted(self._tools, key=lambda name: (-self._tools[name]["calls"], name))[:MAX_TOOLS]
        fields = frozenset(ToolFigures.__struct_fields__)
        return {
            name: ToolFigures(
                durations=_quantiles(self._tool_durations.get(name, ())),
                **{word: count for word, count in self._tools[name].items() if word in fields},
                **cast(Any, _rounded(self._tool_sums.get(name, {}))),
            )
            for name in names
        }


def _rounded(sums: dict[str, float]) -> dict[str, float]:
    return {word: round(seconds, 3) for word, seconds in sums.items()}


def _seconds(row: Execution) -> float:
    return max(row.ended_at - row.at, 0) / times.SECOND


def _quantiles(values: Iterable[float]) -> Quantiles:
    ordered = sorted(values)
    if not ordered:
        return Quantiles(count=0)
    p50, p90, p95 = (percentile(ordered, share) for share in (0.5, 0.9, 0.95))
    return Quantiles(count=len(ordered), p50=p50, p90=p90, p95=p95, longest=round(ordered[-1], 6))


def _errors(view: View, actions: list[Action]) -> dict[str, int]:
    """Count the failed actions by what their errors tell, the newest ones."""
    failed = [action for action in actions if action.state == "failed"][:MAX_ERRORS_READ]
    bodies = view.bodies({action.end_seq for action in failed if action.end_seq})
    counts: Counter[str] = Counter()
    for action in failed:
        error = json.decode(bodies[action.end_seq]).get("error") if action.end_seq in bodies else None
        counts[error_kind("" if error is None else str(error), by_runner=action.actor_kind == "runner")] += 1
    return dict(counts.most_common())


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


def _add_waiting(view: View, rows: list[Execution], totals: _Totals) -> None:
    """Add how long executions waited for people. A pending question adds nothing yet."""
    names, now = tuple(row.id for row in rows if row.asked), view.now()
    for start in range(0, len(names), EXECUTIONS_A_QUERY):
        some = names[start : start + EXECUTIONS_A_QUERY]
        for each in view.find(Approval, Select(where={"execution": some}, limit=MAX_SERIES_APPROVALS)):
            end = each.decided_at or (each.expires if rules.is_expired(each, now) else 0)
            totals.count(each.execution, "asked")
            if end:
                totals.add_seconds(each.execution, "waited", max(end - each.at, 0) / times.SECOND)


ErrorKind = Literal[
    "timed_out",
    "rate_limited",
    "no_connection",
    "not_permitted",
    "not_found",
    "conflict",
    "invalid",
    "server_error",
    "out_of_space",
    "cancelled",
    "exit_code",
    "other",
    "no_text",
]
"""The kind of error that a recorded text tells of: an estimate from its words, which changes nothing."""
MAX_ERROR_CHARACTERS = 2_000
"""An error says what it is at its beginning."""
_RECORDED_KINDS: dict[str, ErrorKind] = {"timed_out": "timed_out", "lost": "no_connection", "cancelled": "cancelled"}
"""Categories of the runner that say more than the text behind them. It records "category: text"."""
_STATUS = r"(?:status|http(?:/[\d.]+)?|code|error)[\s:=]{0,3}(?:code[\s:=]{0,3})?"
_PATTERNS: tuple[tuple[ErrorKind, str], ...] = (
    ("timed_out", rf"tim(?:ed|e)[ -]?out|deadline exceeded|etimedout|{_STATUS}(?:408|504)\b"),
    ("rate_limited", rf"rate.?limit|too many requests|quota exceeded|throttl|{_STATUS}429\b"),
    (
        "no_connection",
        r"connection (?:was |is )?(?:refused|reset|closed|aborted|lost|broke)|"
        r"(?:could not|cannot|failed to) (?:connect|resolve)|"
        r"no such host|name resolution|unreachable|econnre(?:fused|set)|enotfound|broken pipe|no route",
    ),
    (
        "not_permitted",
        rf"(?:permission|access) (?:was )?denied|forbidden|unauthori[sz]ed|not (?:permitted|allowed|authori[sz]ed)|"
        rf"authentication (?:failed|required)|\be(?:acces|perm)\b|{_STATUS}(?:401|403)\b",
    ),
    ("conflict", rf"already (?:exists|in use|locked)|conflict|duplicate|\beexist\b|deadlock|{_STATUS}409\b"),
    ("not_found", rf"not found|no such|does(?: not|n't) exist|\benoent\b|unknown (?:host|table|column)|{_STATUS}404\b"),
    ("out_of_space", r"no space left|disk (?:is )?full|out of memory|\beno(?:spc|mem)\b"),
    ("server_error", rf"internal (?:server )?error|service unavailable|bad gateway|{_STATUS}50[0-3]\b"),
    ("invalid", rf"invalid|malformed|syntax ?error|validation|bad request|(?:type|value)error|{_STATUS}4(?:00|22)\b"),
    ("cancelled", r"cancell?ed|interrupted|aborted|killed"),
    ("exit_code", r"exit(?:ed)?(?: with)?(?: status| code)|non-?zero|returned? (?:status|code)"),
)
_ERROR_PATTERNS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _PATTERNS)


def error_kind(text: str, *, by_runner: bool = False) -> ErrorKind:
    """Return the first kind that the text fits; `by_runner`: it begins with the category that the runner gave it."""
    text = text[:MAX_ERROR_CHARACTERS].strip()
    if not text:
        return "no_text"
    if by_runner and (kind := _RECORDED_KINDS.get(text.partition(":")[0])):
        return kind
    return next((kind for kind, pattern in _ERROR_PATTERNS if pattern.search(text)), "other")
