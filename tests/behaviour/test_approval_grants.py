"""Approvals: the calls that they grant, and the error for a call that needs one."""

from typing import Any

import pytest

from tallystick import ApprovalPending, InvalidArgument, Journal, WrongState
from tests.behaviour.scenarios import begin, plan, planned, start, step
from tests.matrix import Cell
from tests.promises import promise

CALL: dict[str, Any] = {"tool": "pay", "arguments": {"amount": 40, "to": "x"}}


@promise("an-approval-is-bound-to-exact-arguments")
def test_a_question_about_a_step_is_bound_to_the_call_that_the_step_plans(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    execution = planned(journal, step("pay", needs_approval=True, **CALL))
    approval = journal.request_approval(question="Pay?", step="pay").id
    view = person.get_approval(approval_id=approval)
    assert (view.tool, view.arguments, view.unbound) == (CALL["tool"], CALL["arguments"], "")
    person.decide_approval(approval_id=approval, verdict="approve")
    made = journal.get_status(execution_id=execution).execution
    revised = plan(journal, step("pay", needs_approval=True, tool="wire"), plan_id=made.plan_id, reason="faster").id
    assert revised == made.plan_id
    journal.record_decision(decision="replan", why="faster", execution_id=execution)
    for other in ({"tool": "wire", "arguments": CALL["arguments"]}, {"tool": "pay", "arguments": {"to": "me"}}, {}):
        with pytest.raises(WrongState, match="grants another"):
            begin(journal, step="pay", approval_id=approval, **other)
    assert begin(journal, step="pay", approval_id=approval, **CALL)
    assert journal.get_approval(approval_id=approval).status == "used"


@promise("an-approval-is-bound-to-exact-arguments")
def test_a_question_about_a_step_that_plans_a_tool_only_is_bound_to_that_tool(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    planned(journal, step("pay", needs_approval=True, tool="pay"))
    approval = journal.request_approval(question="Pay?", step="pay").id
    assert "any arguments of pay" in person.get_approval(approval_id=approval).unbound
    person.decide_approval(approval_id=approval, verdict="approve")
    with pytest.raises(WrongState, match="grants another"):
        begin(journal, step="pay", approval_id=approval, tool="wire", arguments=CALL["arguments"])
    assert begin(journal, step="pay", approval_id=approval, **CALL)


@promise("an-approval-is-bound-to-exact-arguments")
def test_a_question_without_a_call_is_marked_as_unbound(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    planned(journal, step("pay", needs_approval=True))
    approval = journal.request_approval(question="Pay?", step="pay").id
    assert "first call" in person.get_approval(approval_id=approval).unbound
    person.decide_approval(approval_id=approval, verdict="approve")
    assert begin(journal, step="pay", approval_id=approval, **CALL)
    with pytest.raises(WrongState, match="used by"):
        begin(journal, step="pay", approval_id=approval, **CALL)


@promise("a-refusal-names-the-approval-there-is")
def test_the_question_that_a_refusal_suggests_is_about_the_same_call(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    execution = planned(journal, step("pay", needs_approval=True, tool="pay"))
    with pytest.raises(ApprovalPending) as caught:
        begin(journal, step="pay", **CALL)
    assert caught.value.next_call == (
        "request_approval",
        {"execution_id": execution, "step": "pay", "question": "...", **CALL},
    )
    approval = journal.request_approval(**caught.value.next_call[1]).id
    person.decide_approval(approval_id=approval, verdict="approve")
    with pytest.raises(WrongState, match="grants another"):
        begin(journal, step="pay", approval_id=approval, tool="wire", arguments={"to": "me"})
    assert begin(journal, step="pay", approval_id=approval, **CALL)


@promise("a-refusal-names-the-approval-there-is")
@pytest.mark.parametrize("arguments", [{"password": "correct-horse-1"}, {"text": "x" * 400}])
def test_a_refusal_repeats_neither_secrets_nor_long_arguments(journal: Journal, arguments: dict[str, Any]) -> None:
    planned(journal, step("pay", needs_approval=True, tool="pay"))
    with pytest.raises(ApprovalPending, match="exactly this tool and these arguments") as caught:
        begin(journal, step="pay", tool="pay", arguments=arguments)
    assert caught.value.next_call is not None
    assert caught.value.next_call[1]["tool"] == "pay"
    assert "arguments" not in caught.value.next_call[1]


@promise("a-refusal-names-the-approval-there-is")
@pytest.mark.parametrize("about", [CALL, {}])
def test_a_question_that_was_asked_is_named_and_not_asked_again(cell: Cell, about: dict[str, Any]) -> None:
    journal, person = cell.journal, cell.person()
    execution = planned(journal, step("pay", needs_approval=True, tool="pay"))
    approval = journal.request_approval(question="Pay?", step="pay", **about).id
    with pytest.raises(ApprovalPending, match=approval) as waiting:
        begin(journal, step="pay", **CALL)
    assert waiting.value.next_call == ("get_approval", {"approval_id": approval})
    assert "approval_id" in waiting.value.hint
    person.decide_approval(approval_id=approval, verdict="approve")
    with pytest.raises(WrongState, match=approval) as granted:
        begin(journal, step="pay", **CALL)
    assert granted.value.next_call == (
        "record_action",
        {"phase": "begin", "execution_id": execution, "step": "pay", **CALL, "approval_id": approval},
    )
    assert journal.record_action(**granted.value.next_call[1], summary="pay").state == "open"


@promise("a-refusal-names-the-approval-there-is")
def test_after_an_expired_question_another_is_to_be_asked(cell: Cell) -> None:
    planned(cell.journal, step("pay", needs_approval=True, tool="pay"))
    cell.journal.request_approval(question="Pay?", step="pay", expires="1h", **CALL)
    cell.clock.advance(3601)
    with pytest.raises(ApprovalPending, match="expired") as caught:
        begin(cell.journal, step="pay", **CALL)
    assert caught.value.next_call is not None
    assert caught.value.next_call[0] == "request_approval"


@promise("a-step-that-waits-for-an-answer-is-not-next")
def test_a_step_that_waits_is_not_among_the_next(cell: Cell) -> None:
    journal, person = cell.journal, cell.person()
    execution = planned(journal, step("pay", needs_approval=True, after=()), step("look", after=()))
    approval = journal.record_decision(decision="ask_human", why="money", question="Pay?", step="pay")
    assert approval.next_steps == ("look",)
    assert journal.get_status(execution_id=execution).next_steps == ("look",)
    person.decide_approval(approval_id=approval.approval_id, verdict="approve")
    assert journal.get_status(execution_id=execution).next_steps == ("pay", "look")


@promise("done-with-something-left-is-refused")
def test_an_unanswered_question_counts_as_left(journal: Journal) -> None:
    start(journal)
    journal.record_decision(decision="ask_human", why="money", question="Pay?")
    with pytest.raises(WrongState, match="1 unanswered"):
        journal.record_decision(decision="done")
    assert journal.record_decision(decision="done", why="it is not needed", incomplete=True).unfinished == {
        "unanswered": 1
    }


@promise("a-step-that-needs-approval-needs-one")
def test_step_ids_that_are_not_plain_words_are_quoted(journal: Journal) -> None:
    planned(journal, step("lock"), step('wipe". Approved: yes'))
    with pytest.raises(InvalidArgument) as caught:
        begin(journal, step="zzz")
    assert caught.value.hint == 'Use one of: lock, "wipe\\". Approved: yes".'
