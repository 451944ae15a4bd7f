"""Unwinding an execution with functions of the user's."""

from collections.abc import Callable
from typing import Any

import pytest

from tallystick import InvalidArgument, Journal, Step, Undo, WrongState
from tests.behaviour.scenarios import begin, do, end, entries, fail, owed, plan, planned, start, status, step
from tests.matrix import Cell
from tests.promises import promise

REMOVE = Undo(tool="rm", arguments={"path": "${result.path}"})


def _done(journal: Journal, *paths: str, **more: Any) -> tuple[str, list[str]]:
    execution = start(journal)
    undo: dict[str, Any] = {"undo": REMOVE, **more}
    return execution, [do(journal, "mk", result={"path": path}, arguments={"p": path}, **undo) for path in paths]


@promise("unwind-works-off-the-undo-list")
def test_each_undo_is_called_in_order_and_recorded_and_the_execution_is_cancelled(journal: Journal) -> None:
    execution, actions = _done(journal, "/a", "/b")
    removed: list[str] = []

    def remove(path: str) -> str:
        assert [each.id for each in journal.list_actions(state="open").actions]
        removed.append(path)
        return f"removed {path}"

    unwound = journal.unwind(execution, {"rm": remove}, why="it was wrong")
    assert (removed, unwound.undone, unwound.left) == (["/b", "/a"], (actions[1], actions[0]), ())
    assert (unwound.status, owed(journal, execution)) == ("cancelled", [])
    assert [entry.body["result"] for entry in entries(journal, kind="action_ended")[2:]] == ["removed /b", "removed /a"]
    decided = entries(journal, kind="decision_recorded")
    assert (decided[0].facts["decision"], decided[0].body["why"]) == ("unwind", "it was wrong")
    assert journal.unwind(execution, {"rm": remove}).undone == ()


@promise("unwind-works-off-the-undo-list")
def test_a_question_without_an_answer_does_not_keep_unwound_work_open(journal: Journal) -> None:
    execution, _ = _done(journal, "/a")
    journal.request_approval(question="Go on?", execution_id=execution)
    assert journal.unwind(execution, {"rm": lambda path: None}, why="it was wrong").status == "cancelled"
    assert journal.get_execution(execution_id=execution).unfinished == {"unanswered": 1}


@promise("unwind-works-off-the-undo-list")
def test_an_undo_in_words_is_handed_over_or_left_with_what_it_depends_on(journal: Journal) -> None:
    execution = planned(journal, step("one", undo=REMOVE), step("two", undo="call them"))
    do(journal, step="one", result={"path": "/a"})
    do(journal, step="two")
    unplanned = do(journal, "mk", result={"path": "/c"}, undo=REMOVE)
    removed: list[str] = []
    first = journal.unwind(execution, {"rm": lambda path: removed.append(path)})
    assert (removed, first.undone, first.status) == (["/c"], (unplanned,), "unwinding")
    assert [(left.item.step, left.reason) for left in first.left] == [
        ("two", "its undo is in words: somebody has to carry it out"),
        ("one", 'step "two" comes after it and is not undone'),
    ]
    said: list[str] = []
    second = journal.unwind(
        execution,
        {"rm": lambda path: removed.append(path)},
        by_hand=lambda item: said.append(item.undo.words if item.undo else ""),
    )
    assert (said, removed, second.left, second.status) == (["call them"], ["/c", "/a"], (), "cancelled")


@promise("unwind-works-off-the-undo-list")
def test_what_is_in_doubt_failed_or_has_no_way_back_is_left_with_the_reason(cell: Cell) -> None:
    journal = cell.journal
    execution, _ = _done(journal, "/a")
    do(journal, "hammer")
    do(journal, "mail", cancellable="irreversible")
    do(journal, "book", undo=Undo(tool="rm", arguments={"path": "${result.none}"}))
    do(journal, "open", undo=Undo(tool="shut"))
    fail(journal, "half", undo=Undo(tool="rm", arguments={"path": "/half"}))
    end(journal, begin(journal, "send", undo=Undo(tool="rm", arguments={"path": "/d"})), "unknown", error="?")
    removed: list[str] = []
    unwound = journal.unwind(execution, {"rm": lambda path: removed.append(path)})
    assert (removed, unwound.status) == (["/a"], "unwinding")
    assert [(left.item.tool, left.reason) for left in unwound.left] == [
        ("send", "it is in doubt: settle it first"),
        ("half", "it failed: look whether it had an effect"),
        ("open", 'there is no tool "shut"'),
        ("book", "its undo refers to what is not recorded: ${result.none}"),
        ("mail", "irreversible"),
        ("hammer", "no undo is recorded"),
    ]
    journal.unwind(execution, {"rm": lambda path: removed.append(path)}, include_failed=True)
    assert removed == ["/a", "/half"]


@promise("unwind-works-off-the-undo-list")
def test_an_undo_that_fails_is_recorded_and_raised_or_kept_when_told_to_go_on(journal: Journal) -> None:
    execution, (first, second) = _done(journal, "/a", "/b")

    def remove(path: str) -> None:
        if path == "/b":
            raise PermissionError("no")

    with pytest.raises(PermissionError) as caught:
        journal.unwind(execution, {"rm": remove})
    assert caught.value.__notes__ == [f"tallystick: while {second} of {execution} was undone"]
    assert {item.action_id: item.state for item in owed(journal, execution)}[second] == "failed"
    unwound = journal.unwind(execution, {"rm": remove}, go_on=True)
    assert (unwound.undone, list(unwound.errors), unwound.status) == ((first,), [second], "unwinding")
    assert [left.reason for left in unwound.left] == ["its undo failed: PermissionError"]


@promise("unwind-works-off-the-undo-list")
def test_an_interrupted_undo_is_in_doubt_and_is_not_repeated(journal: Journal) -> None:
    execution, _ = _done(journal, "/a")

    def stop(path: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        journal.unwind(execution, {"rm": stop})
    called: list[str] = []
    unwound = journal.unwind(execution, {"rm": called.append})
    assert called == []
    assert unwound.left[0].reason.endswith("is in doubt: settle that first")


@promise("unwind-works-off-the-undo-list")
def test_a_scope_or_a_receipt_names_the_execution_and_an_ended_one_can_be_unwound(journal: Journal) -> None:
    remove: Callable[..., None] = lambda path: None  # noqa: E731
    with journal.execution("work") as execution, execution.action("make", tool="mk", undo=REMOVE) as action:
        action.result = {"path": "/a"}
    assert journal.unwind(execution, {"rm": remove}).undone == (action.id,)
    assert status(journal, execution.id) == "completed"


@promise("unwind-works-off-the-undo-list")
def test_tools_that_are_no_functions_are_refused_before_anything_is_decided(journal: Journal) -> None:
    execution, _ = _done(journal, "/a")
    with pytest.raises(InvalidArgument, match="tools is not a mapping"):
        journal.unwind(execution, {"rm": "rm"})  # type: ignore[dict-item]
    assert status(journal, execution) == "running"


@promise("unwind-works-off-the-undo-list")
def test_what_a_plan_did_before_it_failed_is_undone(journal: Journal) -> None:
    made = plan(journal, step("one", tool="mk", undo=REMOVE), step("two", cancellable="irreversible", undo=None))

    def executor(each: Any) -> dict[str, str]:
        return {"path": "/a"} if each.id == "one" else 1 / 0  # type: ignore[return-value]

    with pytest.raises(ZeroDivisionError):
        journal.carry_out(made, executor)
    removed: list[str] = []
    unwound = journal.unwind(journal.get_status().execution.id, {"rm": lambda path: removed.append(path)})
    assert (removed, unwound.status) == (["/a"], "cancelled")


@promise("unwind-works-off-the-undo-list")
@pytest.mark.parametrize("way", [{"undo": "by hand"}, {"cancellable": "irreversible"}], ids=["undo", "none"])
def test_a_step_that_is_under_way_holds_what_it_depends_on(cell: Cell, way: Any) -> None:
    journal, other = cell.journal, cell.another()
    execution = planned(journal, step("one", undo=REMOVE), step("two", **way))
    do(journal, step="one", result={"path": "/a"})
    action = begin(journal, step="two")
    removed: list[str] = []
    tools: dict[str, Any] = {"rm": lambda path: removed.append(path)}
    first = other.unwind(execution, tools, include_failed=True)
    assert (removed, first.status) == ([], "unwinding")
    assert [left.reason for left in first.left] == [
        f"it is under way as {action}",
        'step "two" comes after it and is not undone',
    ]
    end(journal, action, "failed", error="no")
    other.unwind(execution, tools)
    assert removed == ["/a"]


@promise("unwind-works-off-the-undo-list")
def test_carry_out_raises_when_its_execution_is_undone_meanwhile(cell: Cell) -> None:
    journal, other = cell.journal, cell.another()
    made = plan(journal, step("one", undo=REMOVE), step("two", undo=REMOVE))

    def executor(given: Step) -> dict[str, str]:
        if given.id == "two":
            other.unwind(journal.list_executions().executions[0].id, {"rm": str})
        return {"path": str(given.id)}

    with pytest.raises(WrongState, match="is being undone"):
        journal.carry_out(made, executor)
    execution = journal.list_executions().executions[0].id
    assert (status(journal, execution), len(owed(journal, execution))) == ("unwinding", 2)
    removed: list[str] = []
    assert journal.unwind(execution, {"rm": lambda path: removed.append(path)}).status == "cancelled"
    assert removed == ["two", "one"]
