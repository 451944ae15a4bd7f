"""A credential limited to tasks shows all of those tasks, and nothing else."""

from typing import Any

import pytest
from msgspec import to_builtins

from tallystick import Actor, Journal
from tallystick.core.errors import NotPermitted, UnknownHandle
from tallystick.operations import CATALOGUE, Operation
from tallystick.operations.runtime.operation_context import OperationContext, Principal
from tallystick.sdk.local import Local
from tests.access.canaries import Planted, Planter
from tests.access.requests import READS, pages, probes
from tests.behaviour.scenarios import begin, do, entries, plan, start
from tests.matrix import Cell
from tests.promises import promise

OURS, THEIRS = "ourword", "theirword"


def _context(cell: Cell, *tasks: str, credential: str = "") -> OperationContext:
    actor = Actor(kind="person", name="rita")
    return OperationContext(cell.store, cell.settings, Principal(actor=actor, tasks=tasks, credential=credential))


def _planted(cell: Cell, admin: Journal | None = None) -> tuple[Planted, Planted]:
    """Two tasks in one journal, of two agents, one after the other."""
    admin = admin or cell.person("root")
    context, root = _context(cell), admin.add_credential(name="second").secret
    ours, theirs = Planter(context, OURS, "T-1", credential=root), Planter(context, THEIRS, "T-2", credential=root)
    return ours.plant(), theirs.plant()


@promise("a-limited-reader-sees-their-tasks-only")
def test_no_read_of_any_kind_shows_a_word_of_another_task(cell: Cell) -> None:
    root = cell.person("root")
    ours, theirs = _planted(cell, root)
    token = root.add_credential(
        name="rita", scopes=("read",), tasks=(ours.task,)
    ).secret  # the limit of a remote reader
    limited = cell.another(Actor(kind="person", name="rita"), tasks=(ours.task,), credential=token)
    for operation in READS:
        for planted in (ours, theirs):
            for arguments in probes(operation, planted):
                _tells_nothing(limited, operation, arguments, theirs)


def _tells_nothing(
    journal: Journal, operation: Operation[..., Any], arguments: dict[str, Any], theirs: Planted
) -> None:
    for text in pages(lambda operation, arguments: getattr(journal, operation.name)(**arguments), operation, arguments):
        assert not [each for each in theirs.telling if each in text], (operation.name, arguments, text)


@promise("a-limited-reader-sees-their-tasks-only")
def test_all_that_can_be_recorded_was_planted(cell: Cell) -> None:
    planter = Planter(_context(cell), OURS, "T-1", credential=cell.journal.add_credential(name="root").secret)
    planter.plant()
    assert planter.used | {"end_session"} == {each.name for each in CATALOGUE.values() if each.kind == "record"}


@promise("a-limited-reader-sees-their-tasks-only")
def test_a_limited_reader_sees_everything_of_their_task(cell: Cell) -> None:
    ours, _ = _planted(cell)
    whole, limited = _context(cell), _context(cell, ours.task)
    for operation in READS:
        if operation.scope != "read" or operation.name in ("verify", "get_brief", "get_stats", "get_context"):
            continue  # they tell of the whole journal, or of the project
        for arguments in probes(operation, ours):
            if ours.handles.keys() & arguments.keys():
                assert _shown(operation, limited, arguments) == _shown(operation, whole, arguments), (
                    operation.name,
                    arguments,
                )
    for name in ("list_executions", "list_plans", "list_approvals", "list_owed", "list_in_doubt"):
        operation = CATALOGUE[name]
        assert _shown(operation, limited, {}) == _shown(operation, whole, {"task_id": ours.task}), name
    remembered = {"key": f"key-{OURS}", "scope": "execution", "execution_id": ours.handles["execution_id"][0]}
    for arguments in (remembered, {"key": f"key-{OURS}", "scope": "task", "task_id": ours.task}):
        assert CATALOGUE["get_context"](limited, arguments) == CATALOGUE["get_context"](whole, arguments)
    texts = "".join(
        text for op in READS for text in pages(lambda op, arguments: op(limited, arguments), op, _first(op, ours))
    )
    assert texts.count(OURS) > 100


def _shown(operation: Operation[..., Any], context: OperationContext, arguments: dict[str, Any]) -> dict[str, Any]:
    """The result of an operation, without the count of items that are due in the whole journal."""
    return {name: value for name, value in to_builtins(operation(context, arguments)).items() if name != "due"}


def _first(operation: Operation[..., Any], planted: Planted) -> dict[str, Any]:
    return next(probes(operation, planted))


@promise("a-limited-reader-s-pages-are-full")
@pytest.mark.parametrize("newest_first", [False, True])
def test_pages_are_full_and_go_on_to_the_end(cell: Cell, newest_first: bool) -> None:
    for turn in range(7):
        for task in ("T-1", "T-2"):
            execution = start(cell.journal, f"{task} {turn}", task_id=task)
            do(cell.journal, "cp", execution_id=execution, arguments={"turn": turn}, summary=f"of {task}")
    limited = Journal(Local(_context(cell, "T-1")))
    executions: list[str] = []
    cursor: str | None = None
    for _ in range(4):
        page = limited.list_executions(limit=2, cursor=cursor)
        executions += [each.title for each in page.executions]
        assert len(page.executions) == 2 or not page.next_cursor
        cursor = page.next_cursor or None
    assert executions == [f"T-1 {turn}" for turn in reversed(range(7))]
    wanted = [each for each in entries(cell.journal) if each.execution_id and _task(cell, each.execution_id) == "T-1"]
    found: list[int] = []
    after, more = 0, True
    while more:
        part = limited.read_entries(after=after, limit=4, newest_first=newest_first)
        assert len(part.entries) == 4 or not part.more
        found += [each.seq for each in part.entries if each.execution_id]
        after, more = part.last_seq, part.more
    assert sorted(found) == [each.seq for each in wanted]
    assert found == sorted(found, reverse=newest_first)
    matched = limited.read_entries(text="of", limit=100, newest_first=newest_first).entries
    assert len(matched) == 7
    assert limited.get_stats().executions == {"running": 7}
    assert limited.get_stats().tools == {"cp": 7}


def _task(cell: Cell, execution: str) -> str:
    return cell.journal.get_status(execution_id=execution).execution.task_id


@promise("a-limited-reader-sees-their-tasks-only")
def test_a_plan_without_a_task_is_visible_with_an_execution_of_it(cell: Cell) -> None:
    free, other = plan(cell.journal, "a", title="of none").id, plan(cell.journal, "a", title="of T-2", task_id="T-2").id
    for followed, task in ((free, "T-1"), (other, "T-1"), (free, "T-2")):
        cell.journal.record_execution_start(plan_id=followed, task_id=task)
    limited = Journal(Local(_context(cell, "T-1")))
    assert [each.id for each in limited.list_plans().plans] == [free]
    assert limited.get_plan(plan_id=free).revisions[0].title == "of none"
    with pytest.raises(UnknownHandle):
        limited.get_plan(plan_id=other)
    assert [each.plan_id for each in limited.list_executions().executions] == [other, free]
    assert limited.get_status(execution_id=limited.list_executions().executions[0].id).execution.title == ""


@promise("a-limited-reader-sees-their-tasks-only")
def test_a_session_is_visible_with_its_work_and_its_other_work_is_not(cell: Cell) -> None:
    ours, theirs = start(cell.journal, task_id="T-1"), start(cell.journal, task_id="T-2")
    begin(cell.journal, "cp", execution_id=ours)
    begin(cell.journal, "rm", execution_id=theirs)
    alone = cell.another("alone")
    start(alone, task_id="T-2")
    limited = Journal(Local(_context(cell, "T-1")))
    (session,) = limited.list_sessions().sessions
    assert session.actor == "agent"
    assert limited.get_stats().actions == {"open": 1}
    assert {each.tool for each in limited.list_actions().actions} == {"cp"}


@promise("a-limited-reader-sees-their-tasks-only")
def test_the_whole_journal_is_refused_to_a_reader_limited_to_tasks(cell: Cell) -> None:
    start(cell.journal, task_id="T-1")
    limited = Journal(Local(_context(cell, "T-1")))
    for whole in (limited.export, limited.verify):
        with pytest.raises(NotPermitted, match="T-1 only"):
            whole()


@promise("a-limited-approver-decides-only-their-tasks")
def test_a_limited_decider_decides_approvals_of_their_tasks_and_sees_no_others(cell: Cell) -> None:
    person = cell.person()
    secret = person.add_credential(name="rita", scopes=("approve",), tasks=("T-1",)).secret
    approval_ids = [
        cell.journal.request_approval(question="?", execution_id=start(cell.journal, task_id=t)).id for t in "12"
    ]
    limited = Journal(Local(_context(cell, "1", credential=secret)))
    with pytest.raises(UnknownHandle) as caught:
        limited.decide_approval(approval_id=approval_ids[1], verdict="approve")
    assert caught.value.allowed == (approval_ids[0],)
    with pytest.raises(NotPermitted, match="T-1 only"):
        limited.decide_approval(approval_id=approval_ids[0], verdict="approve")
