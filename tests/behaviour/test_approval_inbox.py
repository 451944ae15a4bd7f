"""The inbox: the details of a question that the person who answers it sees."""

from tallystick import Undo
from tests.behaviour.scenarios import plan, start, step
from tests.matrix import Cell
from tests.promises import promise


@promise("an-approval-shows-what-an-answer-needs")
def test_a_question_comes_with_its_execution_plan_step_and_actor(cell: Cell) -> None:
    principal = cell.another("bob")
    pay = step("pay", tool="pay", cancellable="partially-reversible", undo=Undo(tool="refund"))
    made = plan(principal, pay, title="Buy the boat", task_id="T-9")
    execution = principal.record_execution_start(plan_id=made.id).id
    question = principal.request_approval(
        question="Pay?", execution_id=execution, step="pay", tool="pay", arguments={"amount": 40}, expires="2h"
    ).id
    for shown in (cell.journal.get_approval(approval_id=question), *cell.journal.list_approvals().approvals):
        assert (shown.title, shown.plan_id, shown.task_id, shown.actor) == ("Buy the boat", made.id, "T-9", "bob")
        assert (shown.step, shown.step_title, shown.cancellable) == ("pay", "The step pay", "partially-reversible")
        assert shown.undo == {"tool": "refund"}
        assert (shown.arguments, shown.status, bool(shown.expires)) == ({"amount": 40}, "pending", True)


@promise("an-approval-shows-what-an-answer-needs")
def test_an_edit_grants_another_call_and_so_another_digest(cell: Cell) -> None:
    person = cell.person()
    execution = start(cell.journal, "Buy the boat")
    approvals = [
        cell.journal.request_approval(question="?", execution_id=execution, tool="pay", arguments={"amount": amount}).id
        for amount in (40, 40, 50)
    ]
    digests = [cell.journal.get_approval(approval_id=id).digest for id in approvals]
    assert digests[0] == digests[1] != digests[2]
    person.decide_approval(approval_id=approvals[0], verdict="edit", arguments={"amount": 50})
    edited = cell.journal.get_approval(approval_id=approvals[0])
    assert (edited.digest, edited.edited, edited.title) == (digests[2], {"amount": 50}, "Buy the boat")


@promise("an-approval-shows-what-an-answer-needs")
def test_a_page_of_pending_questions_is_not_filled_by_those_that_lapsed(cell: Cell) -> None:
    execution = start(cell.journal)
    open_one = cell.journal.request_approval(question="still there", execution_id=execution).id
    for _ in range(3):
        cell.journal.request_approval(question="?", execution_id=execution, expires="1m")
    cell.clock.advance(120)
    found = cell.journal.list_approvals(status="pending", limit=1)
    assert ([each.id for each in found.approvals], found.next_cursor) == ([open_one], "")
    assert len(cell.journal.list_approvals(status="expired").approvals) == 3
