"""Lists, all alike: bounded, paged, filtered, searched."""

from collections.abc import Callable
from typing import Any

import pytest

from tallystick import InvalidArgument, Journal, Record, Step
from tallystick.operations.views.entries import EntryView
from tests.behaviour.scenarios import begin, do, end, entries, plan, start, undo, undo_list
from tests.matrix import Cell
from tests.promises import promise

List = Callable[..., Any]


def _all(list_: List, field: str, limit: int, between: Callable[[], None] | None = None, **filters: Any) -> list[Any]:
    """Everything on every page, with something happening between two pages."""
    found: list[Any] = []
    cursor: str | None = None
    while cursor != "":
        page = list_(limit=limit, cursor=cursor, **filters)
        shown = getattr(page, field)
        assert len(shown) <= limit
        found += shown
        cursor = page.next_cursor
        if between:
            between()
    return found


def _fill(journal: Journal, many: int) -> dict[str, list[str]]:
    """Some of everything that can be listed."""
    execution = start(journal)
    made: dict[str, list[str]] = {"executions": [execution]}
    made["plans"] = [plan(journal, "one").id for _ in range(many)]
    made["executions"] += [start(journal) for _ in range(many - 2)]
    made["approvals"] = [journal.request_approval(question="?", execution_id=execution).id for _ in range(many)]
    made["sessions"] = [journal.open_session().id for _ in range(many)]
    stopped = start(journal)
    made["executions"].append(stopped)
    made["owed"] = [do(journal, f"t{number}", execution_id=stopped) for number in range(many)]
    journal.record_decision(decision="stop", why="no more", execution_id=stopped)
    made["in_doubt"] = []
    for number in range(many):
        action = begin(journal, f"d{number}", execution_id=execution, effect="read")
        end(journal, action, "unknown")
        made["in_doubt"].append(action)
    made["values"] = [f"k{number}" for number in range(many)]
    for key in made["values"]:
        journal.record_context(key=key, value=1)
    return made


def _lists(journal: Journal) -> dict[str, List]:
    return {
        "plans": journal.list_plans,
        "executions": journal.list_executions,
        "approvals": journal.list_approvals,
        "sessions": journal.list_sessions,
        "owed": journal.list_owed,
        "in_doubt": journal.list_in_doubt,
        "values": journal.list_context,
    }


def _name(item: Any) -> str:
    return str(getattr(item, "id", "") or getattr(item, "action_id", "") or getattr(item, "key", ""))


@promise("every-list-is-paged-and-bounded")
@pytest.mark.parametrize("limit", [1, 3, 7])
def test_paging_visits_each_exactly_once(journal: Journal, limit: int) -> None:
    made = _fill(journal, 7)
    for field, list_ in _lists(journal).items():
        found = [_name(item) for item in _all(list_, field, limit)]
        assert len(found) == len(set(found)), field
        assert set(made[field]) <= set(found), field
        if field != "sessions":
            assert len(found) == 7, field


@promise("every-list-is-paged-and-bounded")
def test_a_list_is_bounded_by_default(journal: Journal) -> None:
    journal.record_batch(records=[Record("record_execution_start", {"title": "x"}) for _ in range(25)])
    page = journal.list_executions()
    assert len(page.executions) == 20
    assert page.next_cursor
    assert journal.list_executions(limit=25).next_cursor == ""


@promise("every-list-is-paged-and-bounded")
def test_entries_are_paged_in_both_directions(journal: Journal) -> None:
    start(journal)
    for number in range(20):
        journal.record_action(phase="note", summary=str(number))
    forward, backward = [], []
    after, more = 0, True
    while more:
        page = journal.read_entries(after=after, limit=4)
        forward += [entry.seq for entry in page.entries]
        after, more = page.last_seq, page.more
    after, more = 0, True
    while more:
        page = journal.read_entries(after=after, limit=4, newest_first=True)
        backward += [entry.seq for entry in page.entries]
        after, more = page.last_seq, page.more
    assert forward == list(range(1, 23))
    assert backward == forward[::-1]


@promise("every-list-is-paged-and-bounded")
def test_an_export_is_paged(journal: Journal) -> None:
    start(journal)
    for number in range(10):
        journal.record_action(phase="note", summary=str(number))
    lines: list[str] = []
    after, more = 0, True
    while more:
        page = journal.export(after=after, limit=5)
        lines += page.lines
        after, more = page.last_seq, page.more
    assert tuple(lines) == journal.export().lines
    assert len(lines) == 13


@promise("paging-holds-while-others-write")
def test_paging_visits_each_once_while_others_write(cell: Cell) -> None:
    made = _fill(cell.journal, 6)
    other = cell.another("busy")

    def write() -> None:
        execution = start(other, "meanwhile")
        plan(other, "one")
        other.request_approval(question="?", execution_id=execution)
        other.open_session()
        do(other, "meanwhile", execution_id=execution)
        end(other, begin(other, "doubt", again="one more", execution_id=execution), "unknown")

    for field, list_ in _lists(cell.journal).items():
        found = [_name(item) for item in _all(list_, field, 4, write)][:30]
        assert len(found) == len(set(found)), field
        assert set(made[field]) <= set(found), field


@promise("every-list-is-filtered")
def test_plans_are_filtered(cell: Cell) -> None:
    journal, other = cell.journal, cell.another("bob")
    old = plan(journal, "one", task_id="T-1", type="deploy").id
    cell.clock.advance(3600)
    new = plan(other, "one", task_id="T-2", type="travel", title="Lisbon by train").id
    journal.retire_plan(plan_id=old, status="cancelled", reason="x")
    cell.clock.advance(60)
    filters: list[tuple[dict[str, Any], set[str]]] = [
        ({}, {old, new}),
        ({"status": "active"}, {new}),
        ({"status": "cancelled"}, {old}),
        ({"status": "archived"}, set()),
        ({"task_id": "T-1"}, {old}),
        ({"type": "travel"}, {new}),
        ({"actor": "bob"}, {new}),
        ({"since": "10m"}, {new}),
        ({"until": "10m"}, {old}),
        ({"since": "2h", "until": "10m"}, {old}),
        ({"text": "lisbon"}, {new}),
        ({"text": "lisbon", "task_id": "T-1"}, set()),
        ({"task_id": "T-2", "actor": "bob", "type": "travel", "status": "active"}, {new}),
    ]
    for chosen, expected in filters:
        assert {each.id for each in journal.list_plans(**chosen).plans} == expected, chosen


@promise("every-list-is-filtered")
def test_executions_are_filtered(cell: Cell) -> None:
    journal, other = cell.journal, cell.another("bob")
    made = plan(journal, "one", task_id="T-2")
    old = start(journal, "Paint the fence", task_id="T-1")
    cell.clock.advance(3600)
    new = other.record_execution_start(plan_id=made.id).id
    do(other, step="one", result={"found": "a beaver"})
    other.record_decision(decision="stop", why="enough", execution_id=new)
    cell.clock.advance(60)
    filters: list[tuple[dict[str, Any], set[str]]] = [
        ({}, {old, new}),
        ({"status": ("running",)}, {old}),
        ({"status": ("cancelled",)}, {new}),
        ({"status": ("completed",)}, set()),
        ({"status": ("completed", "running", "cancelled")}, {old, new}),
        ({"status": ("completed", "running")}, {old}),
        ({"task_id": "T-1"}, {old}),
        ({"task_id": "T-2"}, {new}),
        ({"plan_id": made.id}, {new}),
        ({"actor": "bob"}, {new}),
        ({"since": "10m"}, {new}),
        ({"until": "10m"}, {old}),
        ({"text": "fence"}, {old}),
        ({"text": "beaver"}, {new}),
        ({"text": "beaver fence"}, set()),
    ]
    for chosen, expected in filters:
        assert {each.id for each in journal.list_executions(**chosen).executions} == expected, chosen


@promise("every-list-is-filtered")
def test_approvals_are_filtered(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    first, second = start(journal), start(journal, task_id="T-2")
    ids = {}
    for status in ("approve", "edit", "reject", "respond", "used", "expired", "pending"):
        ids[status] = journal.request_approval(
            question=f"About {status}, what now?",
            execution_id=second if status == "pending" else first,
            tool="t",
            arguments={"x": status},
            expires="1h" if status == "expired" else "",
        ).id
        if status not in ("expired", "pending"):
            verdict: Any = "approve" if status == "used" else status
            more: dict[str, Any] = {"edit": {"arguments": {"y": 1}}, "respond": {"answer": "later"}}
            person.decide_approval(approval_id=ids[status], verdict=verdict, **more.get(verdict, {}))
    begin(journal, "t", arguments={"x": "used"}, approval_id=ids["used"], execution_id=first)
    cell.clock.advance(3700)
    for status, id in ids.items():
        found = journal.list_approvals(status=status).approvals  # type: ignore[arg-type]
        assert [each.id for each in found] == [id], status
    assert [each.id for each in journal.list_approvals(execution_id=second).approvals] == [ids["pending"]]
    assert [each.id for each in journal.list_approvals(text="reject").approvals] == [ids["reject"]]
    assert [each.id for each in journal.list_approvals(task_id="T-2").approvals] == [ids["pending"]]
    late = journal.request_approval(question="?", execution_id=second).id
    cell.clock.advance(1)
    assert [each.id for each in journal.list_approvals(since="10m").approvals] == [late]
    assert {each.id for each in journal.list_approvals(until="10m").approvals} == set(ids.values())


@promise("every-list-is-filtered")
def test_context_is_filtered(cell: Cell) -> None:
    journal, other = cell.journal, cell.another("bob")
    execution = start(journal)
    journal.record_context(key="a", value="one", type="finding")
    journal.record_context(key="b", value="two", type="goal", scope="task", task_id="T-1")
    cell.clock.advance(3600)
    other.record_context(key="c", value="three", type="goal", scope="execution", execution_id=execution)
    cell.clock.advance(60)
    filters: list[tuple[dict[str, Any], set[str]]] = [
        ({}, {"a", "b", "c"}),
        ({"scope": "project"}, {"a"}),
        ({"scope": "task"}, {"b"}),
        ({"scope": "execution"}, {"c"}),
        ({"execution_id": execution}, {"c"}),
        ({"task_id": "T-1"}, {"b"}),
        ({"type": "goal"}, {"b", "c"}),
        ({"actor": "bob"}, {"c"}),
        ({"since": "10m"}, {"c"}),
        ({"until": "10m"}, {"a", "b"}),
        ({"text": "two"}, {"b"}),
        ({"type": "goal", "text": "one"}, set()),
    ]
    for chosen, expected in filters:
        assert {each.key for each in journal.list_context(**chosen).values} == expected, chosen


@promise("every-list-is-filtered")
def test_sessions_are_filtered(cell: Cell) -> None:
    journal, other = cell.journal, cell.another("bob")
    old = journal.open_session(name="old").id
    cell.clock.advance(600)
    new = other.open_session(name="new").id
    journal.end_session(session_id=old)
    cell.clock.advance(60)
    filters: list[tuple[dict[str, Any], set[str]]] = [
        ({}, {old, new}),
        ({"status": "ended"}, {old}),
        ({"status": "open"}, {new}),
        ({"name": "old"}, {old}),
        ({"actor": "bob"}, {new}),
        ({"since": "5m"}, {new}),
        ({"until": "5m"}, {old}),
    ]
    for chosen, expected in filters:
        assert {each.id for each in journal.list_sessions(**chosen).sessions} & {old, new} == expected, chosen


@promise("every-list-is-filtered")
def test_entries_are_filtered(cell: Cell) -> None:
    journal, other = cell.journal, cell.another("bob")
    made = plan(journal, "one", task_id="T-1")
    execution = journal.record_execution_start(plan_id=made.id).id
    action = do(journal, "touch", step="one", summary="make the fence")
    session = entries(journal, id=action)[0].session
    cell.clock.advance(3600)
    elsewhere = start(other, task_id="T-2")
    do(other, "paint", summary="paint the fence")
    cell.clock.advance(60)

    def seqs(**chosen: Any) -> list[int]:
        return [entry.seq for entry in entries(journal, **chosen)]

    everything = entries(journal)

    def by(fits: Callable[[EntryView], bool]) -> list[int]:
        return [entry.seq for entry in everything if fits(entry)]

    assert seqs(execution_id=execution) == by(lambda e: e.execution_id == execution)
    assert everything[seqs(execution_id=execution)[0] - 1].kind == "execution_started"
    assert seqs(plan_id=made.id) == by(lambda e: e.id == made.id or e.execution_id == execution)
    assert seqs(task_id="T-1") == by(lambda e: e.id == made.id or e.execution_id == execution)
    assert seqs(task_id="T-2") == by(lambda e: e.execution_id == elsewhere)
    assert seqs(kind="action_begun") == by(lambda e: e.kind == "action_begun")
    assert seqs(tool="paint") == by(lambda e: e.facts.get("tool") == "paint")
    assert seqs(actor="bob") == by(lambda e: e.actor == "bob")
    assert seqs(session=session) == by(lambda e: e.session == session)
    assert seqs(id=action) == by(lambda e: e.id == action)
    recent = by(lambda e: e.at > everything[0].at)
    assert seqs(since="10m") == recent
    assert seqs(until="10m") == by(lambda e: e.seq not in recent)
    assert seqs(since=everything[0].at, until="10m", kind="action_ended", actor="agent") == by(
        lambda e: e.id == action and e.kind == "action_ended"
    )
    for chosen in ({"execution_id": execution}, {"tool": "paint"}, {"kind": "action_begun"}, {"actor": "bob"}):
        assert len(seqs(**chosen)) > 0


@promise("every-list-is-filtered")
def test_debts_and_doubts_are_filtered(journal: Journal) -> None:
    first, second = start(journal), start(journal)
    a = do(journal, "touch", execution_id=first, cancellable="irreversible")
    b = do(journal, "paint", execution_id=first)
    c = begin(journal, "touch", execution_id=second)
    end(journal, c, "unknown")
    for execution in (first, second):
        journal.record_decision(decision="unwind", why="start over", execution_id=execution)
    assert [item.action_id for item in journal.list_owed(execution_id=first).owed] == [b, a]
    assert [item.action_id for item in journal.list_owed(tool="touch").owed] == [c, a]
    assert [item.action_id for item in journal.list_owed(state="not_possible").owed] == [a]
    assert [item.action_id for item in journal.list_owed(state="not_undone", tool="paint").owed] == [b]
    assert [item.action_id for item in journal.list_in_doubt(execution_id=second).in_doubt] == [c]
    assert journal.list_in_doubt(execution_id=first).in_doubt == ()


@promise("every-list-is-filtered")
def test_a_time_that_is_none_is_refused(journal: Journal) -> None:
    lists: list[Any] = [journal.list_plans, journal.list_executions, journal.list_approvals, journal.list_context]
    for list_ in [*lists, journal.read_entries, journal.get_stats]:
        with pytest.raises(InvalidArgument) as caught:
            list_(since="yesterday")
        assert caught.value.field == "since"


@promise("a-list-is-found-by-words")
def test_search_finds_words_and_beginnings_in_the_newest_entry(journal: Journal) -> None:
    start(journal, "Grüße aus Lissabon")
    action = do(
        journal, "deploy-site", arguments={"target": "eu-west-1"}, summary="Ship it", result={"log": "42 files"}
    )
    journal.record_decision(decision="continue", why="the beaver agreed")
    journal.record_action(phase="end", action_id=action, outcome="failed", evidence="it burnt", error="ENOSPC on disk")
    found = {
        "grüße": 1, "GRÜSSE": 0, "lissabon": 1, "liss*": 1, "liss": 0, "west": 1, "eu west": 1, "deploy": 1,
        "beaver": 1, "beaver agreed": 1, "enospc": 1, "burnt disk": 1, "42": 1, "files ship": 0, "nothing": 0,
    }  # fmt: skip
    for text, many in found.items():
        assert len(journal.read_entries(text=text).entries) == many, text
    with pytest.raises(InvalidArgument) as caught:
        journal.read_entries(text="!?")
    assert caught.value.field == "text"


@promise("a-list-is-found-by-words")
def test_search_is_paged_in_the_order_asked_for(journal: Journal) -> None:
    start(journal)
    seqs = [journal.record_action(phase="note", summary=f"beaver {number}").seq for number in range(9)]
    for newest_first, expected in ((True, seqs[::-1]), (False, seqs)):
        found: list[int] = []
        after, more = 0, True
        while more:
            page = journal.read_entries(text="beaver", limit=4, after=after, newest_first=newest_first)
            found += [entry.seq for entry in page.entries]
            after, more = page.last_seq, page.more
        assert found == expected
    assert [entry.seq for entry in journal.read_entries(text="beaver", after=seqs[6]).entries] == seqs[7:]


@promise("the-owed-list-pages-over-all-executions")
def test_an_execution_behind_a_long_one_is_reached(journal: Journal) -> None:
    first = start(journal, "first")
    old = do(journal, "old", execution_id=first)
    long = start(journal, "long")
    for _ in range(12):
        journal.record_batch(
            records=[Record("record_action", {"phase": "begin", "execution_id": long}) for _ in range(100)]
        )
    for execution in (first, long):
        journal.record_decision(decision="stop", why="no more", execution_id=execution)
    found = [item.action_id for item in _all(journal.list_owed, "owed", 100)]
    assert (len(found), len(set(found)), found[-1]) == (1201, 1201, old)
    assert journal.list_owed(limit=1).due == 1201


@promise("the-owed-list-pages-over-all-executions")
def test_a_filter_looks_behind_executions_that_have_nothing_that_fits(journal: Journal) -> None:
    rare = do(journal, "rare", execution_id=start(journal))
    for number in range(8):
        do(journal, "common", execution_id=start(journal, str(number)))
    for execution in journal.list_executions().executions:
        journal.record_decision(decision="fail", why="no more", execution_id=execution.id)
    page = journal.list_owed(tool="rare", limit=3)
    assert [item.action_id for item in page.owed] == [rare]
    assert len(_all(journal.list_owed, "owed", 3, tool="common")) == 8


@promise("the-owed-list-pages-over-all-executions")
@pytest.mark.parametrize("one", [True, False])
def test_an_undo_between_two_pages_does_not_disturb_them(journal: Journal, one: bool) -> None:
    execution = start(journal)
    actions = [do(journal, f"t{number}", undo="x") for number in range(9)]
    journal.record_decision(decision="unwind", why="start over")
    narrowed = {"execution_id": execution} if one else {}
    found: list[str] = []
    cursor: str | None = None
    while cursor != "":
        page = journal.list_owed(limit=4, cursor=cursor, **narrowed)  # type: ignore[arg-type]
        for item in page.owed:
            found.append(item.action_id)
            undo(journal, item.action_id)
        cursor = page.next_cursor
    assert found == actions[::-1]
    assert undo_list(journal) == []
    with pytest.raises(InvalidArgument, match="cursor") as caught:
        journal.list_owed(cursor="ac_none")
    assert caught.value.field == "cursor"


@promise("the-steps-of-a-status-are-paged")
def test_following_the_cursor_of_a_status_shows_each_step_once(journal: Journal) -> None:
    steps = [Step(title=f"step {number}", cancellable="reversible", undo="undo it") for number in range(7)]
    long = journal.record_plan(title="long", steps=steps)
    execution = journal.record_execution_start(plan_id=long.id).id
    seen: list[str] = []
    cursor: str | None = None
    while cursor != "":
        status = journal.get_status(execution_id=execution, limit=3, cursor=cursor)
        seen += [each.id for each in status.steps]
        cursor = status.next_cursor
    assert seen == list(long.steps)
    with pytest.raises(InvalidArgument, match="cursor"):
        journal.get_status(execution_id=execution, cursor="nowhere")


@promise("every-list-is-paged-and-bounded")
def test_a_bound_as_a_time_is_shown_holds_all_of_that_millisecond(cell: Cell) -> None:
    cell.clock.advance(0.000456)
    execution = start(cell.journal)
    cell.clock.advance(0.002)
    start(cell.journal)
    shown = next(each for each in entries(cell.journal) if each.id == execution)
    assert [each.id for each in cell.journal.list_executions(since=shown.at, until=shown.at).executions] == [execution]
    found = cell.journal.read_entries(until=shown.at, kind="execution_started").entries
    assert [each.id for each in found] == [execution]
