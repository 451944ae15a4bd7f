"""Pages of lists: bounded and filtered, the newest first, with the last id shown as the cursor."""

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Annotated, TypeVar, cast

from msgspec import Meta, Struct
from msgspec.structs import replace

from tallystick.core import entries
from tallystick.core.entries import ExecutionStarted, PlanRecorded
from tallystick.core.errors import InvalidArgument
from tallystick.core.formats import search, times
from tallystick.core.state import Action, Approval, Context, Execution, Plan, Row, Session, Task
from tallystick.store.interface import Select, View, WhereValue
from tallystick.store.uncommitted_changes import row_matches, sort_and_limit

R = TypeVar("R", bound=Row)

Limit = Annotated[int, Meta(ge=1, le=100, description="At most this many")]
Cursor = Annotated[str, Meta(max_length=200, description="next_cursor of the page before")] | None
Since = Annotated[str, Meta(max_length=64, description="A time, or a span back from now such as 2d")] | None
Text = Annotated[str, Meta(max_length=400, description="Words to find; a word* finds beginnings")] | None

MAX_MATCHES_SEARCHED = 1000
"""Matches of a full-text search that a list considers, the newest first."""
MAX_SEARCHES = 4
"""Searches that a list makes where one does not reach all entries."""
MAX_ROWS_SCANNED = 10_000
"""Rows that one call checks against its filters; `next_cursor` says where to continue."""
ROWS_PER_SCAN = 1000
FEW_ROWS = 100
MAX_CLOCK_STEPS = 32
"""In a journal with more steps of the clock, times are not looked up: each row is checked."""
MAX_PLANS_FOLLOWED = 50
"""The most plans with a searched word whose executions are found, and the most executions of each."""
MAX_TIME = 1 << 63
MAX_LISTS_MERGED = 20
"""Values of one column that are found one by one, each by the index."""
_INDEXES: dict[type[Row], tuple[tuple[str, ...], ...]] = {
    Plan: (("id",), ("template",), ("task_id",), ("status",)),
    Execution: (
        ("id",),
        ("plan_id",),
        ("task_id",),
        ("unsettled",),
        ("asking",),
        ("owing",),
        ("status",),
        ("actor",),
        ("client",),
    ),
    Action: (("id",), ("execution", "state"), ("execution",), ("state",), ("session",)),
    Approval: (("id",), ("execution",), ("status",)),
    Context: (("id",), ("scope", "scope_id")),
    Session: (("id",), ("name",), ("witness", "client"), ("witness",), ("status",)),
    Task: (("id",), ("parent",), ("type",)),
}
"""The columns that an index has in front of the id, the narrowest first: the other filters are checked row by row."""
_MERGED = ("status", "execution", "session", "scope")
"""Columns of which several values are found one by one: an index is in the order of ids for one value only."""
_PREFIXES: dict[type[Row], str] = {
    Plan: entries.PLAN,
    Execution: entries.EXECUTION,
    Action: entries.ACTION,
    Approval: entries.APPROVAL,
    Session: entries.SESSION,
}


class Page(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """`next_cursor` is empty on the last page. Another page may hold fewer items than the limit, even none."""

    next_cursor: str = ""


def find_page(
    view: View,
    table: type[R],
    where: Mapping[str, WhereValue | None],
    since: str | None,
    until: str | None,
    limit: int,
    cursor: str | None,
    among: set[str] | None = None,
    *,
    fits: Callable[[R], bool] = lambda row: True,
    newest_first: bool = True,
) -> tuple[list[R], str]:
    """One page of a table, and the cursor of the next. `among` limits it to those ids, `fits` to rows that pass.

    One index narrows the rows; the other filters and `fits` are checked for MAX_ROWS_SCANNED rows at most: then the
    page is short, and its cursor says where to continue.
    """
    wanted: dict[str, WhereValue] = {column: value for column, value in where.items() if value is not None}
    if among is not None:
        if not among:
            return [], ""
        wanted["id"] = tuple(sorted(among))
    check_cursor(view, table, cursor)
    select = Select(where=wanted, newest_first=newest_first, limit=limit + 1)
    select, is_in_time = _bounded(view, table, select, since, until, cursor or "")
    found: list[R] = []
    for looked, (row, is_wanted) in enumerate(look_through(view, table, select), 1):
        if is_wanted and is_in_time(row) and fits(row):
            if len(found) == limit:
                return found, found[-1].id
            found.append(row)
        if looked == MAX_ROWS_SCANNED:
            return found, row.id
    return found, ""


def all_rows(view: View, table: type[R], where: Mapping[str, WhereValue]) -> Iterator[R]:
    """Every row that an index finds, the newest first, in bounded memory."""
    select = Select(where=where, limit=ROWS_PER_SCAN)
    while rows := view.find(table, select):
        yield from rows
        select = replace(select, after=rows[-1].id)


def look_through(view: View, table: type[R], select: Select) -> Iterator[tuple[R, bool]]:
    """The rows of the narrowest index, and whether each passes all filters; read as far as it is used."""
    index = _narrowest_index(view, table, select.where)
    rest = replace(select, where={name: value for name, value in select.where.items() if name not in index})
    looked = replace(select, where={name: select.where[name] for name in index}, since=None, until=None)
    while True:
        rows = find_merged(view, table, looked)
        for row in rows:
            yield row, row_matches(row, rest)
        if len(rows) < looked.limit:
            return
        looked = replace(looked, after=rows[-1].id, limit=max(select.limit, ROWS_PER_SCAN))


def _narrowest_index(view: View, table: type[Row], where: Mapping[str, WhereValue]) -> tuple[str, ...]:
    """The columns of the index to look through: the first that finds few rows, else the first."""
    indexes = [columns for columns in _INDEXES[table] if all(_is_found(where, name) for name in columns)]
    if len(indexes) > 1:
        for columns in indexes:
            if view.count(table, {name: where[name] for name in columns}, FEW_ROWS) < FEW_ROWS:
                return columns
    return indexes[0] if indexes else ()


def _is_found(where: Mapping[str, WhereValue], column: str) -> bool:
    """Whether an index finds what is asked of a column, as a whole or value by value."""
    wanted = where.get(column)
    if isinstance(wanted, tuple) and column in _MERGED:
        return len(wanted) <= MAX_LISTS_MERGED
    return wanted is not None


def _bounded(
    view: View, table: type[Row], select: Select, since: str | None, until: str | None, cursor: str
) -> tuple[Select, Callable[[Row], bool]]:
    """Bound a selection by times and a cursor; returns what each row has to be checked for beside.

    Handles sort by sequence, so times become handles: rows outside are never read.
    """
    now = view.now()
    first = times.resolve(since, "since", start=now, forward=False) if since else None
    last = times.until_bound(until, now) if until else None
    if table not in _PREFIXES:
        return replace(select, since=first, until=last, after=cursor), lambda row: True
    if first is None and last is None:
        return replace(select, after=cursor), lambda row: True
    bounds = entries_between(view, first, last)
    low, high = (entries.handle_lower_bound(_PREFIXES[table], seq) for seq in bounds.seqs)
    if select.newest_first:
        return replace(select, after=min(filter(None, (cursor, high))), until_id=low), bounds.contains
    return replace(select, after=max(cursor, low), until_id=high), bounds.contains


def find_merged(view: View, table: type[R], select: Select) -> list[R]:
    """The rows; each of several values of a column is found by the index."""
    column = next((name for name in _MERGED if isinstance(select.where.get(name), tuple)), "")
    if not column:
        return view.find(table, select)
    values = cast("tuple[str, ...]", select.where[column])
    parts = (view.find(table, replace(select, where={**select.where, column: value})) for value in values)
    return cast("list[R]", sort_and_limit((row for part in parts for row in part), select))


def action_filter(
    view: View,
    *,
    tool: str | None = None,
    actor: str | None = None,
    task_id: str | None = None,
    plan_id: str | None = None,
    since: str | None = None,
    until: str | None = None,
    text: str | None = None,
) -> Callable[[Action], bool]:
    """A filter for actions, for lists that are computed and not only looked up."""
    now = view.now()
    first = times.resolve(since, "since", start=now, forward=False) if since else None
    last = times.until_bound(until, now) if until else None
    found = search_ids(view, text) if text else None

    def fits(action: Action) -> bool:
        if tool not in (None, action.tool) or actor not in (None, action.actor):
            return False
        if (first is not None and action.at < first) or (last is not None and action.at >= last):
            return False
        if found is not None and action.id not in found:
            return False
        if task_id is None and plan_id is None:
            return True
        execution = view.get(Execution, action.execution)
        return execution is not None and task_id in (None, execution.task_id) and plan_id in (None, execution.plan_id)

    return fits


class TimeRange(Struct, frozen=True):
    """All entries from time `first` to before `last` have sequence numbers from `seqs[0]` to before `seqs[1]`.

    Others in between may be of other times, if the clock was wrong: `contains` checks a row.
    """

    first: int
    last: int
    seqs: tuple[int, int]

    def contains(self, row: Row) -> bool:
        at: int = getattr(row, "at", self.first)
        return self.first <= at < self.last


def entries_between(view: View, first: int | None, last: int | None) -> TimeRange:
    """Find the entries of a range of time by bisection between the steps of the clock."""
    first, last = first or 0, MAX_TIME if last is None else last
    steps, end = view.clock_steps(MAX_CLOCK_STEPS + 1), view.head().seq + 1
    if len(steps) > MAX_CLOCK_STEPS:
        return TimeRange(first, last, (1, end))
    borders = [1, *(entry.seq for entry in reversed(steps)), end]
    parts = ((_first_seq_at(view, first, *part), _first_seq_at(view, last, *part)) for part in pairwise(borders))
    found = [part for part in parts if part[0] < part[1]] or [(end, end)]
    return TimeRange(first, last, (found[0][0], found[-1][1]))


def _first_seq_at(view: View, at: int, low: int, high: int) -> int:
    """The first of the entries from `low` to before `high` that is at or after a time; `high` if there is none."""
    end = high
    while low < high:
        middle = (low + high) // 2
        found = view.entries(after=middle - 1, limit=1)
        if not found or found[0].seq >= end or found[0].at >= at:
            high = middle
        else:
            low = middle + 1
    return low


def check_cursor(view: View, table: type[Row], cursor: str | None) -> None:
    """Raise if a cursor is not the id of a row: else the list would seem to end there."""
    if cursor and view.get(table, cursor) is None:
        raise InvalidArgument(
            f'"{cursor}" is not a cursor of this list.', hint="Pass next_cursor of the page before.", field="cursor"
        )


def search_seqs(view: View, query: search.Query) -> Iterator[int]:
    """The newest matches, as far as `MAX_MATCHES_SEARCHED` and `MAX_SEARCHES` go."""
    before, room = 0, MAX_MATCHES_SEARCHED
    for _ in range(MAX_SEARCHES):
        found = view.search(query, before=before, limit=room)
        yield from found.seqs
        before, room = found.before, room - len(found.seqs)
        if not before or not room:
            return


def search_ids(
    view: View, text: str, kinds: set[str] | None = None, *, of_execution: bool = False, execution: str = ""
) -> set[str]:
    """The ids that a full-text search finds: of the things themselves, or of their executions.

    The index also holds the handle of each entry's execution: that limits a search to one `execution`.
    """
    query = search.parse_query(text)
    if execution:
        query = search.Query((*query.words, *search.split_words(execution)), query.beginnings)
    found: set[str] = set()
    plans: set[str] = set()
    for seq in search_seqs(view, query):
        entry = view.entry(seq)
        if entry and (not kinds or entry.kind in kinds):
            itself = not of_execution or entry.kind == ExecutionStarted.KIND
            found.add(entry.id if itself else entry.execution)
            if of_execution and entry.kind == PlanRecorded.KIND:
                plans.add(entry.id)
    for plan in sorted(plans, reverse=True)[:MAX_PLANS_FOLLOWED]:  # the title of an execution may be its plan's
        rows = view.find(Execution, Select(where={"plan_id": plan}, limit=MAX_PLANS_FOLLOWED))
        found.update(row.id for row in rows)
    return found - {""}
