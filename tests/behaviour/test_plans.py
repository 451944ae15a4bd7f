"""Plans: recorded, revised, retired, and read back."""

import re
from typing import Any, cast

import pytest

from tallystick import AlreadyDone, FailurePolicy, InvalidArgument, Journal, Step, Undo, WrongState
from tallystick.core.formats import times
from tests.behaviour.scenarios import (
    begin,
    do,
    end,
    entries,
    fail,
    plan,
    planned,
    start,
    status,
    step,
    steps_of,
    undo_list,
)
from tests.matrix import Cell
from tests.promises import promise

FULL = Step(
    id="book",
    title="Book the room",
    cancellable="partially-reversible",
    tool="book",
    arguments={"room": 3, "nights": [1, 2]},
    after=("look",),
    undo=Undo(tool="cancel", arguments={"id": "${result.id}"}),
    undo_until="48h",
    needs_approval=True,
    failure_policy=FailurePolicy(action="cancel_dependent", reason="no room, no trip", propagate_to=("look",)),
    effect="probeable",
    probe=Undo(tool="bookings", arguments={"room": 3}),
    estimate=90.0,
)


@promise("a-plan-keeps-what-was-said")
def test_a_plan_reads_back_as_it_was_recorded(journal: Journal) -> None:
    look = step("look", effect="read", after=())
    receipt = journal.record_plan(
        title="A trip",
        steps=[look, FULL],
        goal="be there on Monday",
        type="travel",
        task_id="T-9",
        reasoning="trains are full",
    )
    history = journal.get_plan(plan_id=receipt.id)
    (view,) = history.revisions
    assert (history.id, history.status, receipt.revision, receipt.steps) == (receipt.id, "active", 1, ("look", "book"))
    assert (view.title, view.goal, view.type, view.task_id) == ("A trip", "be there on Monday", "travel", "T-9")
    assert (view.reasoning, view.step_count, view.actor, view.seq) == ("trains are full", 2, "agent", receipt.seq)
    assert view.warnings == receipt.warnings
    assert view.steps[1] == {
        "id": "book",
        "title": "Book the room",
        "cancellable": "partially-reversible",
        "tool": "book",
        "arguments": {"room": 3, "nights": [1, 2]},
        "after": ["look"],
        "undo": {"tool": "cancel", "arguments": {"id": "${result.id}"}},
        "undo_until": "48h",
        "needs_approval": True,
        "failure_policy": {
            "action": "cancel_dependent",
            "reason": "no room, no trip",
            "propagate_to": ["look"],
        },
        "effect": "probeable",
        "probe": {"tool": "bookings", "arguments": {"room": 3}},
        "estimate": 90.0,
    }


@promise("a-plan-keeps-what-was-said")
def test_the_steps_of_an_execution_show_the_plan(journal: Journal) -> None:
    execution = planned(journal, step("look", after=()), FULL)
    view = steps_of(journal, execution)["book"]
    assert (view.title, view.tool, view.cancellable) == ("Book the room", "book", "partially-reversible")
    assert (view.after, view.estimate, view.actual) == (("look",), 90.0, "planned")


@promise("steps-without-after-run-in-order")
def test_steps_without_after_run_in_the_order_written(journal: Journal) -> None:
    execution = planned(journal, "one", "two", "three")
    after = {id: view.after for id, view in steps_of(journal, execution).items()}
    assert after == {"one": (), "two": ("one",), "three": ("two",)}


@promise("steps-without-after-run-in-order")
def test_with_one_after_only_stated_dependencies_count(journal: Journal) -> None:
    execution = planned(journal, "one", "two", step("three", after=("one",)))
    after = {id: view.after for id, view in steps_of(journal, execution).items()}
    assert after == {"one": (), "two": (), "three": ("one",)}
    assert journal.get_status(execution_id=execution).next_steps == ("one", "two")


@promise("steps-without-after-run-in-order")
@pytest.mark.parametrize("name", ["depends_on", "dependencies"])
def test_dependencies_of_a_step_are_read_like_after(journal: Journal, name: str) -> None:
    plain: list[Any] = [{"id": id, "title": id, "undo": "remove it"} for id in ("one", "two", "three")]
    plain[2] |= {name: ["one"], "arguments": {name: "a value of the call"}}
    plan = journal.record_plan(title="Wide", steps=plain).id
    found = journal.get_plan(plan_id=plan).revisions[0]
    assert [step["after"] for step in found.steps] == [[], [], ["one"]]
    assert found.steps[2]["arguments"] == {name: "a value of the call"}
    assert found.reasoning == ""


@promise("a-plan-that-cannot-be-is-refused-with-the-fix")
@pytest.mark.parametrize(
    ("fields", "field", "fix"),
    [
        ({"after": [], "depends_on": ["a"]}, "steps[0].depends_on", "Did you mean after?"),
        ({"dependsOn": ["a"]}, "steps[0].dependsOn", "Did you mean after?"),
        ({"argments": {}}, "steps[0].argments", "Did you mean arguments?"),
        ({"colour": "red"}, "steps[0].colour", "steps[0] takes: title, "),
        ({"undo": {"tol": "rm"}}, "steps[0].undo.tol", "Did you mean tool?"),
        ({"failure_policy": {"acton": "cancel_all"}}, "steps[0].failure_policy.acton", "Did you mean action?"),
    ],
)
def test_an_unknown_field_of_a_step_is_refused_with_the_nearest_name(
    journal: Journal, fields: dict[str, Any], field: str, fix: str
) -> None:
    steps: list[Any] = [{"id": "a", "title": "a", "cancellable": "reversible", **fields}]
    with pytest.raises(InvalidArgument) as caught:
        journal.record_plan(title="Wide", steps=steps)
    assert caught.value.field == field
    assert fix in caught.value.hint
    with pytest.raises(InvalidArgument, match="gaol") as caught:
        cast(Any, journal).record_plan(title="Wide", steps=[step("a")], gaol="x")
    assert re.search("Did you mean.*goal", f"{caught.value.message} {caught.value.hint}")
    assert journal.list_plans().plans == ()


@promise("a-step-gets-an-id-from-its-title")
def test_a_step_without_an_id_gets_one_from_its_title(journal: Journal) -> None:
    titles = ("Copy the files!", "Copy the files?", "Größe prüfen", "***")
    receipt = journal.record_plan(title="x", steps=[Step(title=title, cancellable="irreversible") for title in titles])
    assert receipt.steps[:2] == ("copy_the_files", "copy_the_files_2")
    assert len(set(receipt.steps)) == 4
    assert all(receipt.steps)


@promise("a-step-gets-an-id-from-its-title")
def test_an_id_that_was_given_is_not_taken_by_a_title(journal: Journal) -> None:
    steps = [Step(title="Pay", cancellable="irreversible"), Step(id="pay", title="x", cancellable="irreversible")]
    assert journal.record_plan(title="x", steps=steps).steps == ("pay_2", "pay")


@promise("a-plan-that-cannot-be-is-refused-with-the-fix")
@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([step("a", after=("b",)), step("b", after=("a",))], "wait for each other: a, b"),
        ([step("a", after=("a",))], "wait for each other: a"),
        ([step("a", after=()), step("b", after=("c",))], '"c", which is no step of this plan'),
        ([step("a"), step("a")], 'Two steps have the id "a"'),
        ([step("a", failure_policy=FailurePolicy(propagate_to=("z",)))], '"z", which is no step of this plan'),
        ([], "at least one step"),
    ],
    ids=["circle", "itself", "unknown", "twice", "unknown_policy", "none"],
)
def test_an_invalid_plan_is_refused_with_the_fix(journal: Journal, steps: list[Step], expected: str) -> None:
    with pytest.raises(InvalidArgument, match=expected) as caught:
        journal.record_plan(title="x", steps=steps)
    assert caught.value.hint
    assert caught.value.field
    assert journal.list_plans().plans == ()


@promise("cancellable-follows-from-an-undo")
def test_a_step_that_only_reads_needs_neither_undo_nor_cancellable(journal: Journal) -> None:
    steps: list[Any] = [{"id": "check", "title": "Check", "tool": "curl", "effect": "read"}]
    receipt = journal.record_plan(title="Look", steps=steps, start=True)
    assert receipt.warnings == ()
    do(journal, step="check")
    assert journal.get_undo_list(execution_id=receipt.execution_id).items == ()


@promise("cancellable-follows-from-an-undo")
def test_a_step_that_puts_another_back_needs_neither_and_is_not_warned_about(journal: Journal) -> None:
    lock: dict[str, Any] = {"id": "lock", "title": "Lock", "tool": "lock", "temporary": True}
    mail: dict[str, Any] = {"id": "mail", "title": "Mail", "cancellable": "irreversible", "needs_approval": True}
    unlock: dict[str, Any] = {"id": "unlock", "title": "Unlock", "tool": "unlock", "undoes": "lock"}
    steps: list[Any] = [{**lock, "undo": "unlock it"}, mail, unlock]
    receipt = journal.record_plan(title="Locked", steps=steps)
    assert receipt.warnings == ()
    assert journal.get_plan(plan_id=receipt.id).revisions[0].steps[2]["cancellable"] == "reversible"
    steps[2] = {**unlock, "cancellable": "irreversible"}
    assert journal.record_plan(title="Said", steps=steps).warnings == ()


def _warned(journal: Journal, *steps: Step) -> str:
    return "\n".join(plan(journal, *steps).warnings)


@promise("a-plan-is-warned-about")
@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (
            [step("send", cancellable="irreversible", undo=None, needs_approval=True), step("check")],
            "send is irreversible and comes before check",
        ),
        ([step("make", undo=None)], "make is reversible but has no undo"),
        ([step("make", undo=None, cancellable="partially-reversible")], "partially-reversible but has no undo"),
        ([step("book", undo_until="1h"), step("wait", estimate=7200.0)], "expires (1h) before the plan can end"),
        ([step("send", cancellable="irreversible", undo=None)], "send is irreversible and needs no approval"),
        (
            [step("push"), step("roll", after=("push",)), step("drop", cancellable="irreversible", undo=None)],
            "drop has no `after`, so it may begin at once",
        ),
        ([step("push"), step("roll", after=("push",)), step("mail")], "mail has no `after`, so it may begin at once"),
        ([step("build"), step("push"), step("roll", after=("push",))], "No step comes after build"),
    ],
    ids=["early", "no_undo", "no_undo_partly", "expires", "no_approval", "free", "alone", "alone_first"],
)
def test_each_warning_is_given(journal: Journal, steps: list[Step], expected: str) -> None:
    assert expected in _warned(journal, *steps)


@promise("a-plan-is-warned-about")
def test_a_time_until_which_it_can_be_undone_is_held_against_the_plan(cell: Cell) -> None:
    now, hour, late = cell.clock(), 3600 * times.SECOND, step("late", estimate=7200)
    for until, expected in (
        (now - hour, "has expired already"),
        (now + hour, "before the plan can end"),
        (now + 3 * hour, ""),
    ):
        text = _warned(cell.journal, step("early", undo_until=times.iso(until)), late)
        assert (expected in text) if expected else ("undo of early" not in text)


@promise("a-plan-is-warned-about")
def test_a_blank_undo_is_none(journal: Journal) -> None:
    assert "has no undo" in _warned(journal, step("one", undo="  "))
    execution = planned(journal, step("one", undo="  "))
    do(journal, step="one")
    assert [item.way for item in journal.get_undo_list(execution_id=execution).items] == ["unknown"]


@promise("a-plan-is-warned-about")
@pytest.mark.parametrize(
    "steps",
    [
        [step("check"), step("send", cancellable="irreversible", undo=None, needs_approval=True)],
        [step("look", effect="read", undo=None)],
        [Step(id="look", title="Look", effect="read")],
        [step("one"), step("two"), step("both", after=("one", "two")), Step(title="Look", effect="read")],
        [step("one", after=()), step("two", after=())],
        [step("book", undo_until="3h"), step("wait", estimate=7200.0)],
        [step("book", estimate=7200.0, undo_until="1h")],
    ],
    ids=["last", "read", "read_alone", "two_before_one", "all_at_once", "in_time", "own_duration"],
)
def test_a_good_plan_is_not_warned_about(journal: Journal, steps: list[Step]) -> None:
    assert _warned(journal, *steps) == ""


@promise("a-plan-is-warned-about")
def test_many_warnings_are_cut_short(journal: Journal) -> None:
    warnings = plan(journal, *(step(f"s{number}", undo=None) for number in range(100))).warnings
    assert len(warnings) == 21
    assert "80 more" in warnings[-1]


def _revise(journal: Journal, plan_id: str, *steps: str, **more: Any) -> Any:
    arguments: dict[str, Any] = {"title": "revised", "reason": "learnt something", **more}
    return journal.record_plan(plan_id=plan_id, steps=[step(each) for each in steps], **arguments)


@promise("a-change-is-a-new-revision")
def test_a_revision_is_kept_beside_the_older_ones(journal: Journal) -> None:
    made = plan(journal, "one", "two")
    revised = _revise(journal, made.id, "one", "three")
    assert (revised.id, revised.revision, revised.steps) == (made.id, 2, ("one", "three"))
    newest, oldest = journal.get_plan(plan_id=made.id).revisions
    assert (newest.revision, newest.status, newest.reason) == (2, "active", "learnt something")
    assert (oldest.revision, oldest.status, oldest.title) == (1, "superseded", "a plan")
    assert [each["id"] for each in oldest.steps] == ["one", "two"]
    assert journal.get_plan(plan_id=made.id, revision=1).revisions == (oldest,)
    assert [view.revision for view in journal.list_plans().plans] == [2]


@promise("a-change-is-a-new-revision")
def test_each_revision_shows_its_steps_reason_actor_and_time(cell: Cell) -> None:
    made = plan(cell.journal, "one")
    cell.clock.advance(60)
    plan(cell.another("bob"), "one", "two", plan_id=made.id, reason="one was not enough")
    newer, older = cell.journal.get_plan(plan_id=made.id).revisions
    assert (newer.actor, older.actor) == ("bob", "agent")
    assert (newer.reason, older.reason, newer.at > older.at) == ("one was not enough", "", True)
    assert [[each["id"] for each in view.steps] for view in (newer, older)] == [["one", "two"], ["one"]]


@promise("a-change-is-a-new-revision")
def test_a_revision_needs_a_reason_and_a_plan(journal: Journal) -> None:
    made = plan(journal, "one")
    with pytest.raises(InvalidArgument) as caught:
        _revise(journal, made.id, "one", reason=" ")
    assert caught.value.field == "reason"
    with pytest.raises(InvalidArgument, match="no revision 7"):
        journal.get_plan(plan_id=made.id, revision=7)


@promise("a-revision-keeps-what-was-done")
def test_replan_keeps_done_steps_by_step_id(journal: Journal) -> None:
    made = plan(journal, "one", "two", "three")
    execution = journal.record_execution_start(plan_id=made.id).id
    first = do(journal, step="one")
    fail(journal, step="two")
    _revise(journal, made.id, "one", "instead", "three")
    assert journal.get_status(execution_id=execution).execution.revision == 1
    receipt = journal.record_decision(decision="replan", why="two cannot work")
    assert (receipt.status, receipt.next_steps) == ("running", ("instead",))
    view = journal.get_status(execution_id=execution)
    assert {each.id: each.actual for each in view.steps if not each.dropped} == {
        "one": "done",
        "instead": "planned",
        "three": "planned",
    }
    assert (view.execution.revision, view.execution.total_steps, view.execution.done_steps) == (2, 3, 1)
    assert steps_of(journal, execution)["one"].action_id == first
    do(journal, step="instead")
    assert journal.get_status(execution_id=execution).next_steps == ("three",)
    assert journal.get_status(execution_id=execution).execution.done_steps == 2
    assert [entry.facts["revision"] for entry in entries(journal, kind="action_begun")] == [1, 1, 2]


@promise("a-revision-keeps-what-was-done")
def test_a_step_that_was_dropped_counts_again_when_it_comes_back(journal: Journal) -> None:
    made = plan(journal, "one", "two")
    execution = journal.record_execution_start(plan_id=made.id).id
    opened = begin(journal, step="one")
    _revise(journal, made.id, "two")
    journal.record_decision(decision="replan", why="without one")
    end(journal, opened)
    view = journal.get_status(execution_id=execution).execution
    assert (view.done_steps, view.total_steps, view.progress) == (0, 1, 0.0)
    do(journal, step="two")
    assert journal.get_status(execution_id=execution).execution.progress == 1.0
    _revise(journal, made.id, "two", "one")
    journal.record_decision(decision="replan", why="with one after all")
    view = journal.get_status(execution_id=execution).execution
    assert (view.done_steps, view.total_steps, view.progress) == (2, 2, 1.0)


@promise("plan-and-actual-are-compared")
def test_work_on_a_step_that_the_plan_has_no_more_is_shown_and_decided_on(journal: Journal) -> None:
    execution = planned(journal, "one", "two", "three")
    done, failing = do(journal, step="one"), begin(journal, step="two")
    plan_id = journal.get_status(execution_id=execution).execution.plan_id
    journal.record_plan(title="Better", plan_id=plan_id, reason="shorter", steps=[step("four")])
    journal.record_decision(decision="replan", why="shorter", execution_id=execution)
    end(journal, failing, "failed")
    do(journal, step="four")
    view = journal.get_status(execution_id=execution)
    assert [(each.id, each.actual, each.dropped, each.action_id) for each in view.steps[1:]] == [
        ("one", "done", True, done),
        ("two", "failed", True, failing),
    ]
    assert (view.steps[0].id, view.steps[0].dropped) == ("four", False)
    assert (view.execution.done_steps, view.execution.total_steps) == (1, 1)
    assert view.steps[2].title == "The step two"
    assert "dropped" in journal.get_report(execution_id=execution).text
    pages = [journal.get_status(execution_id=execution, limit=1, cursor=cursor) for cursor in ("", "four", "one")]
    assert [(page.steps[0].id, page.next_cursor) for page in pages] == [("four", "four"), ("one", "one"), ("two", "")]
    with pytest.raises(WrongState, match="1 undecided"):
        journal.record_decision(decision="done", execution_id=execution)
    with pytest.raises(InvalidArgument, match="no step"):
        journal.record_decision(decision="retry", step="two", why="once more", execution_id=execution)
    journal.record_decision(decision="skip", step="two", why="not needed any more", execution_id=execution)
    assert journal.get_status(execution_id=execution).steps[2].actual == "skipped"
    assert journal.record_decision(decision="done", execution_id=execution).unfinished == {}


@promise("replan-needs-a-newer-revision")
def test_replan_without_a_newer_revision_is_refused(journal: Journal) -> None:
    execution = planned(journal, "one")
    with pytest.raises(WrongState) as caught:
        journal.record_decision(decision="replan", why="no idea", execution_id=execution)
    assert caught.value.next_call is not None
    assert caught.value.next_call[0] == "record_plan"
    from tallystick import UnknownHandle

    with pytest.raises(UnknownHandle, match="follows no plan"):
        journal.record_decision(decision="replan", why="no idea", execution_id=start(journal))


@promise("a-retired-plan-is-never-active-again")
@pytest.mark.parametrize("retired", ["cancelled", "archived"])
def test_a_retired_plan_is_never_active_again(journal: Journal, retired: Any) -> None:
    made = plan(journal, "one", "two")
    execution = journal.record_execution_start(plan_id=made.id).id
    journal.retire_plan(plan_id=made.id, status=retired, reason="the customer left")
    view = journal.get_plan(plan_id=made.id)
    assert (view.status, view.revisions[0].status) == (retired, retired)
    assert view.revisions[0].retired_reason == "the customer left"
    with pytest.raises(WrongState, match=retired):
        _revise(journal, made.id, "one")
    with pytest.raises(WrongState, match=retired):
        journal.record_execution_start(plan_id=made.id)
    with pytest.raises(WrongState, match=retired):
        journal.retire_plan(plan_id=made.id, status=retired, reason="again")
    begin(journal, step="one", execution_id=execution)
    assert status(journal, execution) == "running"
    assert journal.get_plan(plan_id=made.id).status == retired


@promise("a-retired-plan-is-never-active-again")
def test_a_cancelled_plan_stays_cancelled(journal: Journal) -> None:
    made = plan(journal, "one")
    journal.retire_plan(plan_id=made.id, status="archived", reason="old")
    journal.retire_plan(plan_id=made.id, status="cancelled", reason="and wrong")
    with pytest.raises(WrongState, match="cancelled"):
        journal.retire_plan(plan_id=made.id, status="archived", reason="out of sight")
    assert journal.get_plan(plan_id=made.id).status == "cancelled"


@promise("a-plan-can-be-started-as-it-is-recorded")
def test_a_plan_is_started_as_it_is_recorded(journal: Journal) -> None:
    steps = [step("copy"), step("switch")]
    first = journal.record_plan(title="Move", steps=steps, task_id="T-1", start=True, key="k")
    again = journal.record_plan(title="Move", steps=steps, task_id="T-1", start=True, key="k")
    (execution,) = journal.list_executions().executions
    assert first.execution_id == again.execution_id == execution.id
    assert again.repeated
    assert (execution.plan_id, execution.total_steps, execution.task_id) == (first.id, 2, "T-1")
    begin(journal, "cp", step="copy")  # with no word of which execution
    assert steps_of(journal, execution.id)["copy"].actual == "running"


@promise("a-plan-can-be-started-as-it-is-recorded")
def test_a_revision_is_started_where_nothing_of_its_plan_is_open(journal: Journal) -> None:
    first = journal.record_plan(title="Move", steps=[step("copy")], start=True)
    revised: dict[str, Any] = {"title": "Move", "steps": [step("switch")], "plan_id": first.id, "reason": "copied"}
    with pytest.raises(WrongState, match=first.execution_id) as caught:
        journal.record_plan(**revised, start=True)
    assert (caught.value.field, "replan" in caught.value.hint) == ("start", True)
    assert journal.get_plan(plan_id=first.id).revisions[0].revision == 1
    journal.record_decision(execution_id=first.execution_id, decision="stop", why="later")
    again = journal.record_plan(**revised, start=True, key="k")
    repeated = journal.record_plan(**revised, start=True, key="k")
    execution = journal.get_status(execution_id=again.execution_id).execution
    assert (again.revision, execution.plan_id, execution.revision, execution.status) == (2, first.id, 2, "running")
    assert repeated.execution_id == again.execution_id != first.execution_id


@promise("a-start-offers-the-plan")
def test_a_start_without_a_plan_names_the_one_that_was_just_recorded(cell: Cell) -> None:
    recorded = plan(cell.journal, "copy").id
    assert recorded in cell.journal.record_execution_start(title="go").notes[0]
    assert cell.another().record_execution_start(title="other work").notes == ()
    cell.journal.record_execution_start(plan_id=recorded)
    assert not any(recorded in note for note in cell.journal.record_execution_start(title="more").notes)


@promise("cancellable-follows-from-an-undo")
def test_a_step_and_an_action_with_an_undo_are_reversible(journal: Journal) -> None:
    made = journal.record_plan(title="a plan", steps=[Step(title="Copy", undo="delete it")], start=True)
    assert journal.get_plan(plan_id=made.id).revisions[0].steps[0]["cancellable"] == "reversible"
    begin(journal, "touch", undo="remove it")
    assert entries(journal, kind="action_begun")[0].facts["cancellable"] == "reversible"


@promise("cancellable-follows-from-an-undo")
def test_a_step_with_neither_undo_nor_cancellable_is_refused_with_the_fix(journal: Journal) -> None:
    with pytest.raises(InvalidArgument, match='The step "Copy" has neither') as caught:
        journal.record_plan(title="a plan", steps=[{"title": "Copy"}])  # type: ignore[list-item]
    assert 'effect: "read" if it changes nothing; or cancellable as one of: reversible, ' in caught.value.hint
    assert "undoes" in caught.value.hint
    assert entries(journal, kind="plan_recorded") == ()


@promise("a-step-takes-its-call-from-the-plan")
def test_a_step_with_arguments_of_its_own_still_is_a_call_of_the_planned_tool(journal: Journal) -> None:
    planned(journal, step("copy", tool="cp", arguments={"to": "b"}))
    own = do(journal, step="copy", arguments={"to": "c"})
    assert journal.get_action(action_id=own).tool == "cp"
    with pytest.raises(AlreadyDone, match=own):
        begin(journal, "cp", arguments={"to": "c"})


@promise("a-step-takes-its-call-from-the-plan")
def test_beginning_a_step_takes_tool_arguments_and_undo_from_the_plan(journal: Journal) -> None:
    undo = Undo(tool="rm", arguments={"path": "${arguments.to}"})
    execution = planned(journal, step("copy", tool="cp", arguments={"from": "a", "to": "b"}, undo=undo), "check")
    with journal.step("copy"):
        pass
    begun = entries(journal, kind="action_begun")[0]
    assert (begun.facts["tool"], begun.body["arguments"]) == ("cp", {"from": "a", "to": "b"})
    (item,) = undo_list(journal, execution)
    assert item.undo is not None
    assert (item.undo.tool, item.undo.arguments, item.undo.missing) == ("rm", {"path": "b"}, ())


@promise("a-step-takes-its-call-from-the-plan")
def test_a_caller_that_states_another_call_does_not_get_the_planned_one(journal: Journal) -> None:
    call: dict[str, Any] = {"tool": "cp", "arguments": {"from": "a", "to": "b"}}
    planned(journal, step("one", **call), step("two", **call), step("three", **call))
    begin(journal, "rsync", step="one")
    end(journal, entries(journal, kind="action_begun")[-1].id)
    do(journal, step="two", arguments={"from": "c"})
    begin(journal, "cp", step="three")
    begun = entries(journal, kind="action_begun")
    assert [each.facts["tool"] for each in begun] == ["rsync", "cp", "cp"]
    assert [(each.body or {}).get("arguments") for each in begun] == [None, {"from": "c"}, call["arguments"]]


@promise("a-step-takes-its-call-from-the-plan")
def test_two_steps_with_the_same_call_are_two_effects_and_the_approval_of_a_step_fits_it(cell: Cell) -> None:
    journal = cell.journal
    call: dict[str, Any] = {"tool": "restart", "arguments": {"service": "web"}}
    planned(journal, step("before", **call), step("after_all", needs_approval=True, **call))
    do(journal, step="before")
    asked = journal.request_approval(question="Again?", step="after_all", **call)
    cell.person().decide_approval(approval_id=asked.id, verdict="approve")
    do(journal, step="after_all", approval_id=asked.id)
    with pytest.raises(AlreadyDone):
        begin(journal, step="before")


@promise("a-step-takes-its-call-from-the-plan")
def test_masked_arguments_of_a_plan_are_not_taken_for_the_call(journal: Journal) -> None:
    planned(journal, step("log_in", tool="login", arguments={"password": "hunter2-hunter2"}))
    begin(journal, step="log_in")
    begun = entries(journal, kind="action_begun")[0]
    assert (begun.facts["tool"], begun.body) == ("login", None)


@promise("a-plan-keeps-what-was-said")
def test_a_whole_number_may_be_written_with_a_point_and_a_fraction_is_refused(journal: Journal) -> None:
    given: Any = {"id": "a", "title": "A", "undo": "none", "tool": "t", "arguments": {"n": 3.0}, "priority": 2.0}
    (kept,) = journal.get_plan(plan_id=journal.record_plan(title="t", steps=[given]).id).revisions[0].steps
    assert (kept["priority"], kept["arguments"]) == (2, {"n": 3.0})
    with pytest.raises(InvalidArgument, match="whole number"):
        journal.record_plan(title="t", steps=cast("Any", [{**given, "priority": 1.5}]))
