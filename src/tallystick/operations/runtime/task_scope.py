"""Views of a journal that are limited to some tasks, for any store.

To a task belong: its executions with all their entries, its plans, plans without a task that its executions follow, its
context, and the sessions that worked on it. Context of the project, notes on sessions and credentials belong to no
task. The number of entries is visible to every reader.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, TypeVar, cast

from msgspec.structs import replace

from tallystick.core.chain import Head
from tallystick.core.entries import BodyErased, ContextRecorded, Draft, Entry, TaskRecorded
from tallystick.core.formats.search import Query
from tallystick.core.state import (
    Action,
    Approval,
    Context,
    Execution,
    IdempotencyKey,
    Plan,
    Progress,
    Revision,
    Row,
    Session,
    Task,
)
from tallystick.store.interface import Credential, Found, Lease, Ledger, Select, StoredDocument, View, WhereValue
from tallystick.store.uncommitted_changes import found_up_to, sort_and_limit, value_matches

R = TypeVar("R", bound=Row)
Where = Mapping[str, WhereValue]

MAX_PER_READ = 500
"""Handles in one selection, and entries in one read."""
MAX_LOOKED = 5000
"""Matches of a search that are checked in one call."""
_SEQ_FIELDS = ("seq", "first_seq", "end_seq", "decided_seq", "retired_seq", "decision_seq")
"""The fields of rows that hold the sequence number of an entry of their own."""


class LimitedView:
    """The `View` of a store, without what does not belong to the tasks."""

    def __init__(self, whole: View, tasks: tuple[str, ...]) -> None:
        self.journal = whole.journal
        self._whole = whole
        self._tasks = tasks
        self._seen: set[int] = set()

    def now(self) -> int:
        return self._whole.now()

    def head(self) -> Head:
        return self._whole.head()

    def get(self, table: type[R], id: str) -> R | None:
        row = self._whole.get(table, id)
        return row if row is not None and self._shows(row) else None

    def find(self, table: type[R], select: Select) -> list[R]:
        parts = [self._whole.find(table, replace(select, where=where)) for where in self._within(table, select.where)]
        rows = sort_and_limit((row for rows in parts for row in rows), select)
        for row in rows:
            self._note(row)
        return cast("list[R]", rows)

    def count(self, table: type[Row], where: Where, limit: int) -> int:
        return min(sum(self._whole.count(table, part, limit) for part in self._within(table, where)), limit)

    def values(self, table: type[Row], column: str, where: Where) -> set[str]:
        return {value for part in self._within(table, where) for value in self._whole.values(table, column, part)}

    def effect_is_new(self, execution: str, effect_key: str) -> bool:
        return self._whole.effect_is_new(execution, effect_key)

    def may_be_unsettled(self, effect_key: str | None) -> bool:
        return self._whole.may_be_unsettled(effect_key)

    def entries(self, *, after: int = 0, limit: int, execution: str = "", newest_first: bool = False) -> list[Entry]:
        if execution and not self.get(Execution, execution):
            return []
        found: list[Entry] = []
        size = limit
        while len(found) < limit:
            part = self._whole.entries(after=after, limit=size, execution=execution, newest_first=newest_first)
            found += filter(self._shows_entry, part)
            if len(part) < size:
                break
            after, size = part[-1].seq, MAX_PER_READ
        return found[:limit]

    def entry(self, seq: int) -> Entry | None:
        entry = self._whole.entry(seq)
        return entry if entry and self._shows_entry(entry) else None

    def clock_steps(self, limit: int) -> list[Entry]:
        return self._whole.clock_steps(limit)

    def bodies(self, seqs: Iterable[int]) -> dict[int, str]:
        return self._whole.bodies(self._visible(seqs))

    def altered_bodies(self, seqs: Iterable[int]) -> set[int]:
        return self._whole.altered_bodies(self._visible(seqs))

    def _visible(self, seqs: Iterable[int]) -> list[int]:
        return [seq for seq in set(seqs) if seq in self._seen or self.entry(seq)]

    def search(self, query: Query, *, after: int = 0, before: int = 0, limit: int) -> Found:
        found: list[int] = []
        size, looked = limit, 0
        while looked < MAX_LOOKED:
            part = self._whole.search(query, after=after, before=before, limit=size)
            found += (seq for seq in part.seqs if seq in self._seen or self.entry(seq))
            before, looked = part.before, looked + size
            if len(found) >= limit or not before:
                break
            size = MAX_PER_READ
        return found_up_to(limit, found, before)

    def lease(self, session: str) -> Lease | None:
        return self._whole.lease(session) if self.get(Session, session) else None

    def is_over(self, session: Session) -> bool:
        return self._whole.is_over(session)

    def silent_since(self, session: Session, seen: int = 0) -> int:
        return self._whole.silent_since(session, seen)

    def document(self, kind: str, id: str) -> str:
        return ""

    def documents(self, kind: str, *, after: str = "", limit: int) -> list[StoredDocument]:
        return []  # they are of the whole journal

    def credentials(self) -> list[Credential]:
        return []

    def _shows(self, row: Row) -> bool:
        fits_some = any(
            all(value_matches(getattr(row, column), wanted) for column, wanted in part.items())
            for part in self._within(type(row), {"id": row.id, **_owner_columns(row)})
        )
        if fits_some:
            self._note(row)
        return fits_some

    def _note(self, row: Row) -> None:
        """Remember the entries of a visible row as visible."""
        self._seen.update(getattr(row, name, 0) for name in _SEQ_FIELDS)
        self._seen.update(getattr(row, "earlier_ends", ()))

    def _shows_entry(self, entry: Entry) -> bool:
        shown = entry.seq in self._seen or self._owns(entry)
        if shown:
            self._seen.add(entry.seq)
        return shown

    def _owns(self, entry: Entry) -> bool:
        facts = entry.facts
        if isinstance(facts, ContextRecorded):
            return self._remembers(facts.scope, facts.scope_id)
        if isinstance(facts, BodyErased | TaskRecorded):
            return facts.task_id in self._tasks
        if entry.execution:
            return self.get(Execution, entry.execution) is not None
        table = _ABOUT.get(entry.kind)
        return table is not None and self.get(table, entry.id) is not None

    def _remembers(self, scope: str, scope_id: str) -> bool:
        if scope == "execution":
            return self.get(Execution, scope_id) is not None
        return scope == "task" and scope_id in self._tasks

    def _within(self, table: type[Row], where: Where) -> Iterator[Where]:
        """The selection in disjoint parts, each limited to what belongs to the tasks."""
        for limit in _LIMITS.get(table, _nothing)(self, where):
            both = {**where, **limit}
            for column in where.keys() & limit.keys():
                both[column] = _common(where[column], limit[column])
            if () not in both.values():
                yield both

    def _plans(self, where: Where) -> Iterator[Where]:
        yield {"task_id": self._tasks}
        for some in _parts(self._followed, where.get("id")):
            yield {"task_id": "", "id": some}

    def _revisions(self, where: Where) -> Iterator[Where]:
        plans = _values(where.get("plan_id"))
        if plans is not None:
            yield {"plan_id": tuple(id for id in plans if self.get(Plan, id))}
            return
        own = [row.id for row in _all(self._whole, Plan, {"task_id": self._tasks})]
        for some in _parts({*own, *(id for id in self._followed if self.get(Plan, id))}):
            yield {"plan_id": some}

    def _own_tasks(self, where: Where) -> Iterator[Where]:
        yield {"id": self._tasks}

    def _executions(self, where: Where) -> Iterator[Where]:
        yield {"task_id": self._tasks}

    def _of_executions(self, where: Where) -> Iterator[Where]:
        named = _values(where.get("execution"))
        if named is not None:
            yield {"execution": tuple(id for id in named if self.get(Execution, id))}
            return
        for some in _parts(self._own):
            yield {"execution": some}

    def _contexts(self, where: Where) -> Iterator[Where]:
        yield {"scope": "task", "scope_id": self._tasks}
        named = _values(where.get("scope_id"))
        own = self._own if named is None else {id for id in named if self.get(Execution, id)}
        for some in _parts(own):
            yield {"scope": "execution", "scope_id": some}

    def _sessions(self, where: Where) -> Iterator[Where]:
        named = _values(where.get("id"))
        own = self._worked if named is None else {id for id in named if self._works(id)}
        for some in _parts(own):
            yield {"id": some}

    def _works(self, session: str) -> bool:
        once = Select(where={"session": session}, limit=1)
        return bool(self.find(Execution, once) or self.find(Action, once))

    @cached_property
    def _own(self) -> set[str]:
        """The executions of the tasks."""
        return {row.id for row in _all(self._whole, Execution, {"task_id": self._tasks})}

    @cached_property
    def _followed(self) -> set[str]:
        """The plans that the executions of the tasks follow."""
        return self._whole.values(Execution, "plan_id", {"task_id": self._tasks}) - {""}

    @cached_property
    def _worked(self) -> set[str]:
        """The sessions that worked on the tasks."""
        return (self.values(Execution, "session", {}) | self.values(Action, "session", {})) - {""}


class LimitedLedger(LimitedView):
    """The `Ledger` of a store for a limited principal: it appends to the whole journal, and sees what its tasks have.

    Sessions, used keys and credentials are not limited: the rules need them.
    """

    def __init__(self, whole: Ledger, tasks: tuple[str, ...]) -> None:
        super().__init__(whole, tasks)
        self._ledger = whole

    def get(self, table: type[R], id: str) -> R | None:
        return self._ledger.get(table, id) if table in (Session, IdempotencyKey) else super().get(table, id)

    def lease(self, session: str) -> Lease | None:
        return self._ledger.lease(session)

    def credentials(self) -> list[Credential]:
        return self._ledger.credentials()

    def append(self, draft: Draft) -> Entry:
        entry = self._ledger.append(draft)
        self._seen.add(entry.seq)
        return entry

    def put_document(self, kind: str, id: str, content: str) -> None:
        self._ledger.put_document(kind, id, content)

    def renew(self, session: str, seconds: float, at: int = 0) -> Lease:
        return self._ledger.renew(session, seconds, at)

    def erase(self, seqs: Iterable[int]) -> None:
        self._ledger.erase(seqs)


_LIMITS: dict[type[Row], Callable[[LimitedView, Where], Iterator[Where]]] = {
    Plan: LimitedView._plans,
    Revision: LimitedView._revisions,
    Execution: LimitedView._executions,
    Progress: LimitedView._of_executions,
    Action: LimitedView._of_executions,
    Approval: LimitedView._of_executions,
    Context: LimitedView._contexts,
    Session: LimitedView._sessions,
    Task: LimitedView._own_tasks,
}
"""How each table is limited; a table that is not named here shows nothing."""
_ABOUT: dict[str, type[Row]] = {
    "plan_recorded": Plan,
    "plan_retired": Plan,
    "session_opened": Session,
    "session_ended": Session,
}
"""The table of entries outside of any execution; entries of other kinds belong to no task."""


def _nothing(view: LimitedView, where: Where) -> Iterator[Where]:
    yield from ()


def _owner_columns(row: Row) -> dict[str, WhereValue]:
    """The columns of a row that identify its owner, so that only those are searched."""
    names = ("execution", "plan_id", "scope_id")
    return {name: getattr(row, name) for name in names if name in type(row).COLUMNS}


def _values(wanted: WhereValue | None) -> tuple[Any, ...] | None:
    return wanted if wanted is None or isinstance(wanted, tuple) else (wanted,)


def _common(one: WhereValue, other: WhereValue) -> WhereValue:
    others = _values(other) or ()
    return tuple(value for value in _values(one) or () if value in others)


def _parts(ids: set[str], wanted: WhereValue | None = None) -> Iterator[tuple[str, ...]]:
    named = _values(wanted)
    some = sorted(ids if named is None else ids.intersection(named))
    for start in range(0, len(some), MAX_PER_READ):
        yield tuple(some[start : start + MAX_PER_READ])


def _all(view: View, table: type[R], where: Where) -> Iterator[R]:
    """Every row that value_matches, in the order of ids."""
    after = ""
    while rows := view.find(table, Select(where=where, newest_first=False, after=after, limit=MAX_PER_READ)):
        yield from rows
        after = rows[-1].id
