"""Tasks and templates: recorded, found by parent and type, and plans that a template makes."""

import pytest

from tallystick import InvalidArgument, Journal, Step, UnknownHandle
from tests.promises import promise

STEPS = [
    Step(id="build", title="Build it", undo="delete the build"),
    Step(id="ship", title="Ship it", undo="take it back"),
]


@promise("a-task-is-found-by-its-parent-and-type")
def test_a_task_is_found_by_its_id_parent_and_type_as_it_was_recorded_last(journal: Journal) -> None:
    journal.record_task(task_id="T-1", title="Move the site", type="deploy")
    journal.record_task(task_id="T-1.1", title="Tell the customers", parent="T-1")
    journal.record_task(task_id="T-1", title="Move the whole site", type="move")
    assert journal.get_task(task_id="T-1").title == "Move the whole site"
    assert [each.task_id for each in journal.list_tasks(parent="T-1").tasks] == ["T-1.1"]
    assert [each.task_id for each in journal.list_tasks(type="move").tasks] == ["T-1"]
    with pytest.raises(UnknownHandle, match="There is no task"):
        journal.get_task(task_id="T-2")


@promise("a-task-is-not-a-part-of-itself")
def test_a_circle_of_parents_is_refused_in_any_order_with_the_fix(journal: Journal) -> None:
    with pytest.raises(InvalidArgument, match="T-3 is a part of T-3") as refused:
        journal.record_task(task_id="T-3", parent="T-3")
    assert (refused.value.field, refused.value.hint[:17]) == ("parent", "Leave parent out,")
    journal.record_task(task_id="a", parent="b")  # b is recorded later
    journal.record_task(task_id="c", parent="a")
    for parent in ("a", "c"):
        with pytest.raises(InvalidArgument, match="not a part of itself: b is a part of"):
            journal.record_task(task_id="b", parent=parent)
    journal.record_task(task_id="b", parent="d")
    with pytest.raises(InvalidArgument, match="d is a part of c is a part of a is a part of b is a part of d"):
        journal.record_task(task_id="d", parent="c")
    journal.record_task(task_id="a")
    journal.record_task(task_id="b", parent="a")
    assert [each.parent for each in journal.list_tasks().tasks] == ["a", "a", ""]


@promise("a-task-is-not-a-part-of-itself")
def test_subtasks_of_a_plan_make_no_circle(journal: Journal) -> None:
    journal.record_task(task_id="T-1", parent="T-1/build")
    with pytest.raises(InvalidArgument, match="not a part of itself"):
        journal.record_plan(title="Ship", steps=STEPS, task_id="T-1", subtasks=True)
    assert journal.list_plans().plans == ()


@promise("a-template-is-a-plan-with-a-name")
def test_the_same_name_is_the_same_template_and_another_content_a_revision(journal: Journal) -> None:
    first = journal.record_plan(title="Ship", steps=STEPS, template="ship")
    again = journal.record_plan(title="Ship", steps=STEPS, template="ship")
    changed = journal.record_plan(title="Ship well", steps=STEPS, template="ship")
    journal.record_plan(title="No template", steps=STEPS)
    assert (again.id, again.repeated, again.revision) == (first.id, True, 1)
    assert (changed.id, changed.repeated, changed.revision) == (first.id, False, 2)
    assert [each.title for each in journal.list_plans(template="*").plans] == ["Ship well"]
    assert [each.id for each in journal.list_plans(template="ship").plans] == [first.id]
    with pytest.raises(InvalidArgument, match="goes with a template"):
        journal.record_plan(title="t", steps=STEPS, for_tasks="deploy")


@promise("a-template-makes-the-plan-of-a-task")
def test_a_new_task_of_a_type_gets_a_plan_from_the_template_for_it_once(journal: Journal) -> None:
    journal.record_plan(title="Ship", steps=STEPS, template="ship", for_tasks="release")
    made = journal.record_task(task_id="T-1", type="release")
    again = journal.record_task(task_id="T-1", title="Release 1", type="release")
    other = journal.record_task(task_id="T-2", type="other")
    assert (again.plan_id, other.plan_id) == ("", "")
    (plan,) = journal.list_plans(task_id="T-1").plans
    assert (plan.id, plan.title, plan.template, plan.step_count) == (made.plan_id, "Ship", "", 2)
    assert journal.get_task(task_id="T-1").plan_id == made.plan_id


@promise("a-plan-makes-a-task-for-each-step")
def test_a_plan_with_subtasks_records_a_task_for_each_step_under_its_own(journal: Journal) -> None:
    journal.record_plan(title="Ship", steps=STEPS, task_id="T-1", subtasks=True)
    found = journal.list_tasks(parent="T-1").tasks
    assert [(each.task_id, each.title) for each in found] == [("T-1/ship", "Ship it"), ("T-1/build", "Build it")]
    with pytest.raises(InvalidArgument, match="subtasks need a task"):
        journal.record_plan(title="Ship", steps=STEPS, subtasks=True)
