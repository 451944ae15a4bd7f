"""A read costs what it returns, whatever lies behind it: through the catalogue, each read with each of its filters.

Work is counted, not timed: steps of SQLite's machine and pages that it reads, in a journal and in one five times as
long. The bounds of the product are lowered, so that a few thousand rows exceed them.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import pytest

from tallystick import Actor, Journal, Record, Step
from tallystick.operations import CATALOGUE
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.sdk.local import Local
from tallystick.settings import Settings
from tallystick.store.sqlite.store import SqliteConnection, SqliteStore
from tests.promises import promise

SMALL, LARGE = 100, 500
"""Rounds: in each, about one of everything is recorded."""
MOST = 1.5
"""How much more work a read may be in the long journal."""
SLACK = 400
BOUNDS: dict[str, dict[str, Any]] = {
    "operations.runtime.paging": {
        "MAX_ROWS_SCANNED": 60,
        "ROWS_PER_SCAN": 30,
        "FEW_ROWS": 10,
        "MAX_MATCHES_SEARCHED": 40,
    },
    "operations.runtime.progress": {
        "ROWS_PER_READ": 20,
        "MAX_UNSETTLED_SCANNED": 60,
        "MAX_COUNTED": 40,
        "MAX_PENDING_READ": 40,
    },
    "operations.views.owed": {"MAX_COUNTED": 40, "MAX_NOTED": 20},
    "operations.views.figures.stats": {
        "MAX_ACTIONS_SCANNED": 60,
        "MAX_SESSIONS_SCANNED": 40,
        "MAX_COUNTED": 40,
        "MAX_CHECKED": 40,
    },
    "operations.views.figures.series": {
        "MAX_CHECKED": 40,
        "MAX_ERRORS_READ": 20,
        "MAX_SERIES_EXECUTIONS": 40,
        "MAX_SERIES_ACTIONS": 40,
        "MAX_SERIES_APPROVALS": 40,
        "MAX_READ_ONE_BY_ONE": 20,
    },
    "operations.views.coverage": {"MAX_CALLS_COUNTED": 60, "MAX_CALLS_SCANNED": 40},
    "operations.views.brief": {"MAX_COUNTED": 40, "MAX_APPROVALS_SCANNED": 40},
    "operations.views.outstanding": {"MAX_UNSETTLED_SCANNED": 40, "MAX_COUNTED": 40, "MAX_OWED_SCANNED": 20},
    "operations.views.comparison": {"MAX_ACTIONS_SCANNED": 60},
    "operations.runtime.doubts": {"MAX_SCANNED": 8},
    "operations.executions": {"MAX_QUESTIONS": 40, "MAX_SCANNED": 40},
    "operations.notifications.alerts": {"MAX_ROWS": 40, "MAX_ACTIONS": 60},
    "operations.views.matches": {"MAX_SEARCHED": 20},
    "operations.views.inbox": {"MAX_ROWS": 40, "MAX_UNSETTLED": 40, "MAX_RECENT": 60},
    "operations.entries": {"MAX_ENTRIES_SCANNED": 100, "ENTRIES_PER_SEARCH": 64},
    "operations.sessions": {"MAX_UNSETTLED_READ": 40},
    "operations.reports.content": {
        "MAX_ITEMS": 40,
        "MAX_COUNTED": 100,
        "ENTRIES_PER_READ": 50,
        "MAX_ENTRIES": dict.fromkeys(("csv", "html"), 60),
    },
    "store.sqlite.store": {"MAX_RARE": 40, "ENTRIES_INTERSECTED": (32, 64), "MAX_WORDS_OF_BEGINNING": 8},
    "store.sql.view": {"MAX_ENTRIES_LOOKED_THROUGH": 60, "ENTRIES_PER_LOOK": 20},
}
WHOLE = {
    "verify": "it looks at every entry on purpose",
    "export": "a page is as long as it is asked for, and is read in order",
    "list_credentials": "there are as many credentials as somebody made",
    "get_plan": "it shows every revision of one plan",
    "list_dead_deliveries": "it pages through the documents of one webhook, and there is none here",
}
STATUSES = {
    "list_approvals": ("pending", "expired", "approve", "reject", "used"),
    "list_executions": (("running",), ("completed",), ("running", "failed", "cancelled")),
    "list_plans": ("active", "archived"),
    "list_sessions": ("open", "ended"),
}

UNDO_STATES = {
    "list_owed": ("not_undone", "failed", "partly"),
    "get_undo_list": ("not_undone", "failed", "undone", "kept"),
}
ONLY = {"list_actions": ("unplanned",), "list_work": ("failed", "in_doubt", "open", "unplanned")}
NAMES = ("task", "kind", "ada", "pay", "client", "none")
UNCLEAR = {("get_context", "scope", "task"), ("get_context", "scope", "execution")}
"""Calls that are refused: several executions are open, and none is named."""


class Filled(NamedTuple):
    """A journal, and the values that most of it, or nothing of it, fits."""

    journal: Journal
    values: dict[str, tuple[Any, ...]]


class Meter:
    """Counts the work of SQLite: each hundredth step of its machine, and each page."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.work = 0
        run = SqliteConnection.rows

        def rows(connection: SqliteConnection, sql: str, values: Any = ()) -> list[tuple[Any, ...]]:
            database = connection.db
            database.set_progress_handler(self._step, 100)
            before = self._pages(database)
            found = run(connection, sql, values)
            self.work += self._pages(database) - before + len(found)
            database.set_progress_handler(None)
            return found

        monkeypatch.setattr(SqliteConnection, "rows", rows)

    def _step(self) -> bool:
        self.work += 1
        return False

    def _pages(self, database: apsw.Connection) -> int:
        counters = (apsw.SQLITE_DBSTATUS_CACHE_HIT, apsw.SQLITE_DBSTATUS_CACHE_MISS)
        return sum(database.status(counter)[0] for counter in counters)


def fill(path: Path, rounds: int) -> Filled:
    """Record in one execution most of the actions, and in each round an execution of the same plan, task and client."""
    store = SqliteStore(path)
    context = OperationContext(
        store, Settings(url="", journal="long", actor="ada"), Principal(actor=Actor(name="ada"), client="client")
    )
    journal = Journal(Local(context))
    steps = [Step(title="one", id="one", cancellable="reversible", undo="take it back")]
    journal.record_task(task_id="task", title="common task")
    plan = journal.record_plan(title="common plan", steps=steps, task_id="task", type="kind").id
    first = journal.record_execution_start(plan_id=plan, task_id="task", title="common").id
    begin: dict[str, Any] = {"phase": "begin", "tool": "pay", "cancellable": "reversible", "undo": "refund"}
    for start in range(0, rounds, 25):
        records: list[Record] = []

        def add(name: str, **arguments: Any) -> str:
            records.append(Record(name, arguments))  # noqa: B023
            return f"@{len(records) - 1}"  # noqa: B023

        for number in range(start, start + 25):
            words = f"common word{number} {'odd' if number % 2 else 'even'}"
            begin["arguments"] = {"amount": number}
            paid = add("record_action", execution_id=first, summary=words, **begin)
            add("record_action", phase="end", action_id=paid, outcome="ok")
            again = add("record_action", execution_id=first, summary=words, **begin, again="counted")
            add("record_action", phase="end", action_id=again, outcome="unknown")
            add("record_plan", title=f"common {number}", steps=steps, task_id="task", type="kind")
            other = add("record_execution_start", plan_id=plan, task_id="task", title=words)
            tried = add("record_action", execution_id=other, step="one", phase="begin", again="counted")
            add("record_action", phase="end", action_id=tried, outcome="ok" if number % 2 else "unknown")
            add("request_approval", execution_id=first, question=words, tool="pay", arguments={"amount": number})
            add("record_context", key=f"key.{number}", value=words, type="kind")
            add("record_context", key=f"key.{number}", value=words, scope="task", task_id="task")
            if number % 3 == 0:
                add("record_decision", execution_id=other, decision="stop", why="common")
            if number % 5 == 0:
                add("record_decision", action_id=paid, decision="keep", why="common")
            if number % 5 == 1:
                put_back = add("record_action", phase="begin", kind="undo", undoes=paid)
                add("record_action", phase="end", action_id=put_back, outcome="ok")
            add("record_action", execution_id=first, phase="done", tool="lock", undo="open", temporary=True)
        journal.record_batch(records=tuple(records))
        _observe(context, start)
    store.flush("long")  # the tail, which is as long in any journal, is not what is measured
    store.index("long")
    action = journal.list_actions(limit=1).actions[0].id
    approval = journal.list_approvals(limit=1).approvals[0].id
    values = {
        "execution_id": (first,),
        "plan_id": (plan,),
        "action_id": (action,),
        "approval_id": (approval,),
        "a": (first,),
        "b": (first,),
        "id": (action,),
        "key": ("key.1",),
    }
    return Filled(journal, values)


def _observe(context: OperationContext, number: int) -> None:
    """Open two sessions: one that a hook opens, in which it sees a call, and one that is ended."""
    hook = Principal(actor=Actor(kind="hook", name="hook"), witness="observed")
    opened = Local(context.for_principal(hook)).call(
        CATALOGUE["open_session"], {"kind": "handle", "name": "client:1", "client": "client"}
    )
    seen = Principal(actor=hook.actor, witness="observed", session=opened.id)
    call = {"phase": "begin", "tool": "Bash", "arguments": {"command": f"make {number}"}, "call_id": f"c{number}"}
    Local(context.for_principal(seen)).call(CATALOGUE["record_action"], call)


def calls(name: str, values: dict[str, tuple[Any, ...]]) -> Iterator[dict[str, Any]]:
    """The calls of a read: without filters, with each filter that most fits, and with each that nothing fits."""
    fields = set(CATALOGUE[name].arguments.__struct_fields__)
    needed: dict[str, Any] = {
        field: values[field][0] for field in ("action_id", "approval_id", "a", "b") if field in fields
    }
    needed |= {"key": values["key"][0]} if name == "get_context" else {}
    of_execution = ("get_execution", "get_report", "get_run", "list_work")
    needed |= {"execution_id": values["execution_id"][0]} if name in of_execution else {}
    needed |= {"form": "html"} if name == "get_report" else {}
    needed |= {"task_id": "task"} if name == "get_task" else {}
    needed |= {"limit": 5} if "limit" in fields else {}
    filters: dict[str, tuple[Any, ...]] = {
        "status": STATUSES.get(name, ()),
        "state": UNDO_STATES.get(name, ("ok", "failed", "open", "in_doubt")),
        "only": ONLY.get(name, ("in_doubt", "owed", "waiting", "interrupted")),
        "order": ("plan", "time"),
        "text": ("common", "odd even", "odd common", "word*", "word1*", "word7", "common word*", "none"),
        "since": ("1d", "1s"),
        "until": ("1s", "1d"),
        "newest_first": (True,),
        "kind": ("action", "tool") if name == "get_matches" else ("action_begun", "body_erased"),
        "scope": ("project", "task", "execution"),
        "session": ("none",),
        "step": ("one", "none"),
        "witness": ("claimed", "observed"),
        "name": ("client:1", "none"),
        "include_expired": (True,),
        "days": (7,),
        "most": (3,),
        "tokens": (400,),
        "revision": (1,),
        **dict.fromkeys(("task_id", "type", "actor", "tool", "client"), NAMES),
        **{field: values[field] for field in ("execution_id", "plan_id", "id")},
    }
    asked = {"text": "common"} if name == "get_matches" else {}
    yield {**needed, **asked}
    for field in sorted(fields & filters.keys() - needed.keys()):
        for value in filters[field]:
            if (name, field, value) not in UNCLEAR:
                yield {**needed, **asked, field: value}
    if {"text", "newest_first"} <= fields:
        yield {**needed, "text": "odd even", "newest_first": True}
    if {"task_id", "tool", "status"} <= fields:
        yield {**needed, "task_id": "task", "tool": "none", "status": "pending"}


@promise("a-read-costs-what-it-returns")
def test_every_read_of_the_catalogue_is_as_much_work_in_a_journal_five_times_as_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small, large = (fill(tmp_path / f"{rounds}.db", rounds) for rounds in (SMALL, LARGE))
    for module, bounds in BOUNDS.items():
        for bound, value in bounds.items():
            monkeypatch.setattr(f"tallystick.{module}.{bound}", value)
    meter = Meter(monkeypatch)

    def work(filled: Filled, name: str, arguments: dict[str, Any]) -> int:
        assert isinstance(filled.journal.caller, Local)
        meter.work = 0
        CATALOGUE[name](filled.journal.caller.context, arguments)
        return meter.work

    dear: list[str] = []
    made = 0
    for name in (name for name, each in CATALOGUE.items() if each.kind == "read" and name not in WHOLE):
        for few, many in zip(calls(name, small.values), calls(name, large.values), strict=True):
            costs = work(small, name, few), work(large, name, many)
            made += 1
            if costs[1] > MOST * costs[0] + SLACK:
                dear.append(f"{name} {many}: {costs[0]} in the short journal, {costs[1]} in the long one")
    assert made > 100
    assert not dear, "\n".join(dear)


@promise("a-step-costs-the-same-in-any-plan")
@pytest.mark.parametrize("is_run", [False, True])
def test_the_begin_and_the_end_of_a_step_are_as_much_work_in_a_plan_a_hundred_times_as_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_run: bool
) -> None:
    meter = Meter(monkeypatch)

    def work(size: int) -> int:
        with Journal.open(f"sqlite:///{tmp_path / f'{size}.db'}") as journal:
            steps: Any = [
                {"id": f"s{number}", "tool": "t", "title": "x" * 50, "after": [], "undo": "x"} for number in range(size)
            ]
            plan = journal.record_plan(title="t", steps=steps).id
            if is_run:
                execution = journal.run_plan(plan_id=plan, engine="caller").id
            else:
                execution = journal.record_execution_start(plan_id=plan).id
            for number in range(3):
                meter.work = 0
                call: Any = {"tool": "t", "arguments": {}, "undo": "x"}
                begun = journal.record_action(phase="begin", execution_id=execution, step=f"s{number}", **call)
                journal.record_action(phase="end", action_id=begun.id, outcome="ok")
            return meter.work

    few, many = work(10), work(1000)
    assert 0 < many <= MOST * few, f"{few} in the small plan, {many} in the large one"
