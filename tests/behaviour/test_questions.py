"""What a question to a person permits, how long it waits, and what an agent is told of the answer."""

from typing import Any

import pytest

from tallystick import Actor, Journal, WrongState
from tests.behaviour.scenarios import begin, do, kinds, plan, planned, start, status, step
from tests.matrix import Cell
from tests.promises import promise


def _ask(journal: Journal, **more: Any) -> Any:
    return journal.record_decision(
        **{"decision": "ask_human", "why": "it cannot be undone", "question": "May I?", **more}
    )


def _purge(**more: Any) -> Any:
    return step("purge", tool="purge", arguments={"all": True}, needs_approval=True, **more)


@promise("a-question-says-what-it-permits")
@pytest.mark.parametrize("way", ["decision", "request"])
def test_a_question_without_a_step_is_about_the_only_one_that_waits_for_approval(cell: Cell, way: str) -> None:
    journal = cell.journal
    planned(journal, _purge(), step("tell", needs_approval=True))
    if way == "decision":
        receipt = _ask(journal)
        approval = receipt.approval_id
    else:
        receipt = journal.request_approval(question="May I?")
        approval = receipt.id
    assert "It asks about step purge" in receipt.notes[0]
    assert "a yes permits it, as it is planned" in receipt.notes[0]
    shown = journal.get_approval(approval_id=approval)
    assert (shown.step, shown.tool, shown.arguments) == ("purge", "purge", {"all": True})
    cell.person().decide_approval(approval_id=approval, verdict="approve")
    assert begin(journal, step="purge", approval_id=approval)


@promise("a-question-says-what-it-permits")
def test_a_yes_to_a_step_with_a_tool_and_no_arguments_permits_the_step(cell: Cell) -> None:
    journal = cell.journal
    planned(journal, step("wipe", tool="wipe", needs_approval=True))
    receipt = _ask(journal)
    assert "any arguments of wipe, once" in receipt.notes[0]
    cell.person().decide_approval(approval_id=receipt.approval_id, verdict="approve")
    with pytest.raises(WrongState, match="grants another tool"):
        begin(journal, "rm", step="wipe", approval_id=receipt.approval_id)
    assert begin(journal, step="wipe", approval_id=receipt.approval_id)


@promise("a-question-says-what-it-permits")
def test_where_several_steps_wait_the_receipt_says_that_it_permits_nothing_and_names_them(journal: Journal) -> None:
    planned(journal, _purge(after=()), step("tell", needs_approval=True, after=()), step("look", after=()))
    receipt = _ask(journal)
    assert journal.get_approval(approval_id=receipt.approval_id).step == ""
    (note,) = receipt.notes
    assert note.startswith("A yes permits no call")
    assert "purge, tell" in note
    assert "look" not in note


@promise("a-question-says-what-it-permits")
@pytest.mark.parametrize("more", [{"options": ("eu", "us")}, {}])
def test_a_question_that_waits_for_no_step_says_that_it_permits_nothing(journal: Journal, more: dict[str, Any]) -> None:
    if more:
        planned(journal, _purge())
    else:
        start(journal)
    receipt = journal.request_approval(question="Which region?", **more)
    assert receipt.notes[0].startswith("A yes permits no call")
    assert journal.get_approval(approval_id=receipt.id).step == ""


@promise("a-question-says-what-it-permits")
def test_a_question_with_a_step_or_a_tool_needs_no_note(journal: Journal) -> None:
    planned(journal, _purge(after=()), "look")
    assert _ask(journal, step="purge").notes == ()
    assert journal.request_approval(question="Pay?", tool="pay", arguments={"amount": 4}).notes == ()


@promise("a-question-is-asked-once")
@pytest.mark.parametrize("about", [{}, {"step": "purge"}, {"tool": "pay", "arguments": {"amount": 4}}])
def test_the_same_pending_question_is_the_same_approval(cell: Cell, about: dict[str, Any]) -> None:
    journal = cell.journal
    execution = planned(journal, _purge(), "look")
    first, second = _ask(journal, **about), _ask(journal, **about)
    assert (second.approval_id, second.repeated) == (first.approval_id, True)
    third = journal.request_approval(question="May I?", **about)
    assert (third.id, third.repeated) == (first.approval_id, True)
    assert kinds(journal).count("approval_requested") == kinds(journal).count("decision_recorded") == 1
    cell.person().decide_approval(approval_id=first.approval_id, verdict="approve")
    assert status(journal, execution) == "running"
    assert _ask(journal, **about).approval_id != first.approval_id  # it was answered


@promise("a-question-is-asked-once")
def test_other_options_another_step_or_an_expired_question_ask_anew(cell: Cell) -> None:
    journal = cell.journal
    planned(journal, _purge(after=()), step("tell", after=()))
    ids = {
        _ask(journal, step="tell").approval_id,
        _ask(journal, step="tell", question="Which one?", options=("a", "b")).approval_id,
        _ask(journal, step="tell", question="Which?", options=("a", "b")).approval_id,
        _ask(journal, step="purge", question="Soon?", expires="1m").approval_id,
    }
    cell.clock.advance(61)
    ids.add(_ask(journal, step="purge", question="Soon?").approval_id)
    ids |= {_ask(journal, question="Well?").approval_id for _ in range(2)}
    assert len(ids) == 7


@promise("a-question-is-asked-once")
@pytest.mark.parametrize("about", [{"step": "purge"}, {"tool": "pay", "arguments": {"amount": 4}}])
def test_the_same_question_in_other_words_is_the_same_approval(journal: Journal, about: dict[str, Any]) -> None:
    planned(journal, _purge(), "look")
    first, second = _ask(journal, **about), _ask(journal, question="May I do it now, please?", **about)
    assert (second.approval_id, second.repeated) == (first.approval_id, True)


@promise("a-question-ends-with-its-step")
@pytest.mark.parametrize("way", ["done", "skipped"])
def test_a_question_about_a_step_that_was_settled_since_is_closed_and_blocks_nothing(cell: Cell, way: str) -> None:
    journal, person = cell.journal, cell.person()
    execution = planned(journal, _purge())
    asked, other = _ask(journal, step="purge"), _ask(journal, question="And then?")
    assert status(journal, execution) == "blocked"
    if way == "done":
        hook = cell.another(Actor(kind="hook", name="claude-code"), witness="observed")
        do(hook, "purge", execution_id=execution, step="purge", arguments={"all": True})
    else:
        journal.record_decision(decision="skip", step="purge", why="nobody wants it")
    assert journal.get_approval(approval_id=asked.approval_id).status == "closed"
    with pytest.raises(WrongState, match="purge is settled"):
        person.decide_approval(approval_id=asked.approval_id, verdict="approve")
    assert status(journal, execution) == "blocked"
    person.decide_approval(approval_id=other.approval_id, verdict="approve")
    assert status(journal, execution) == "running"
    assert journal.record_decision(decision="done", why="it is over").status == "completed"


@promise("a-question-ends-with-its-step")
def test_a_question_about_a_step_that_was_done_before_says_so_and_can_be_answered(cell: Cell) -> None:
    journal = cell.journal
    execution = planned(journal, _purge())
    hook = cell.another(Actor(kind="hook", name="claude-code"), witness="observed")
    action = do(hook, "purge", execution_id=execution, step="purge", arguments={"all": True})
    asked = _ask(journal, step="purge")
    assert asked.notes == (f"purge was done as {action}: a yes is no reason to do it again.",)
    cell.person().decide_approval(approval_id=asked.approval_id, verdict="approve")
    assert journal.get_approval(approval_id=asked.approval_id).overtaken == f"purge was done as {action}"
    assert begin(journal, step="purge", approval_id=asked.approval_id, again="the person wants it twice")


@promise("a-question-ends-with-its-step")
@pytest.mark.parametrize("how", ["running", "in doubt", "skipped", "ended"])
def test_an_unused_yes_says_why_nothing_is_to_be_carried_out_for_it(cell: Cell, how: str) -> None:
    agent, person = cell.mortal(), cell.person()
    execution = planned(agent, _purge())
    asked = agent.request_approval(question="Purge it?", step="purge", execution_id=execution).id
    person.decide_approval(approval_id=asked, verdict="edit", arguments={"all": False})
    assert cell.journal.get_approval(approval_id=asked).overtaken == ""
    if how == "skipped":
        agent.record_decision(decision="skip", step="purge", why="not needed", execution_id=execution)
        said = "purge was skipped"
    elif how == "ended":
        agent.record_decision(decision="stop", why="not needed", execution_id=execution)
        said = f"{execution} has ended (cancelled)"
    else:
        hook = cell.another(Actor(kind="hook", name="claude-code"), witness="observed", session=cell.session_of(agent))
        action = begin(hook, "purge", step="purge", execution_id=execution, arguments={"all": True})
        said = f"purge is under way as {action}"
    if how == "in doubt":
        cell.kill(agent)
        said = f"purge may have been done as {action}"
    shown = cell.journal.get_approval(approval_id=asked)
    assert (shown.status, shown.overtaken) == ("edit", said)


@promise("a-question-is-asked-once")
def test_a_decision_to_ask_what_was_requested_already_blocks_until_one_answer(cell: Cell) -> None:
    journal = cell.journal
    execution = planned(journal, _purge(), "look")
    requested = journal.request_approval(question="May I?", step="purge").id
    assert status(journal, execution) == "running"
    assert _ask(journal, step="purge").approval_id == requested
    assert status(journal, execution) == "blocked"
    assert _ask(journal, step="purge").repeated
    cell.person().decide_approval(approval_id=requested, verdict="approve")
    assert status(journal, execution) == "running"


@promise("a-question-is-asked-once")
def test_a_question_that_was_passed_over_blocks_again_when_it_is_repeated(cell: Cell) -> None:
    journal = cell.journal
    execution = planned(journal, _purge(), "look")
    asked = _ask(journal, step="purge").approval_id
    journal.record_decision(decision="resume", why="other work first")
    assert _ask(journal, step="purge").approval_id == asked
    assert status(journal, execution) == "blocked"
    cell.person().decide_approval(approval_id=asked, verdict="approve")
    assert status(journal, execution) == "running"


@promise("an-ended-execution-asks-nothing")
@pytest.mark.parametrize("decision", ["stop", "fail", "done"])
def test_the_end_of_an_execution_closes_its_questions(cell: Cell, decision: Any) -> None:
    journal, person = cell.journal, cell.person()
    execution = planned(journal, _purge())
    asked = _ask(journal, step="purge").approval_id
    ended = journal.record_decision(
        decision=decision, why="enough", execution_id=execution, incomplete=decision == "done"
    )
    assert ended.unfinished.get("unanswered", 0) == (1 if decision == "done" else 0)
    assert journal.list_approvals(status="pending").approvals == ()
    assert [row.id for row in journal.list_approvals(status="closed").approvals] == [asked]
    assert journal.get_execution(execution_id=execution).waiting == 0
    assert journal.get_status(execution_id=execution).approvals == ()
    assert journal.get_brief(execution_id=execution).approvals == ()
    assert journal.get_stats().approvals == {"closed": 1}
    with pytest.raises(WrongState, match=f"{execution} has ended .* permits nothing"):
        person.decide_approval(approval_id=asked, verdict="approve")
    assert "approval_decided" not in kinds(journal)


@promise("a-rejection-is-told-with-its-reason")
def test_the_brief_tells_who_rejected_a_step_why_and_what_can_be_decided(cell: Cell) -> None:
    journal = cell.journal
    execution = planned(journal, _purge())
    asked = _ask(journal, step="purge").approval_id
    cell.person("eve").decide_approval(approval_id=asked, verdict="reject", reason="keep them until May " * 40)
    brief = journal.get_brief(execution_id=execution)
    assert 'purge was rejected by eve: "keep them until May' in brief.next
    assert "record_decision(decision=skip, step=purge, why=...), or replan or stop" in brief.next
    assert "ask_human" not in brief.text
    assert brief.next_steps == journal.get_status(execution_id=execution).next_steps == ()
    assert f"{asked} reject by eve" in brief.text
    journal.record_decision(decision="skip", step="purge", why="eve said no")
    assert "rejected by" not in journal.get_brief(execution_id=execution).next


@promise("a-rejection-is-told-with-its-reason")
def test_other_work_goes_on_beside_a_rejected_step(cell: Cell) -> None:
    journal = cell.journal
    execution = planned(journal, _purge(after=()), step("look", after=()))
    asked = _ask(journal, step="purge").approval_id
    cell.person("eve").decide_approval(approval_id=asked, verdict="reject", reason="no")
    brief = journal.get_brief(execution_id=execution)
    assert "purge was rejected by eve" in brief.next
    assert "Next: look" in brief.next
    assert brief.next_steps == ("look",)


@promise("a-rejection-is-told-with-its-reason")
def test_after_a_revision_or_a_new_question_the_rejection_no_longer_counts(cell: Cell) -> None:
    journal, person = cell.journal, cell.person("eve")
    made = plan(journal, _purge(), start=True)
    asked = _ask(journal, step="purge").approval_id
    person.decide_approval(approval_id=asked, verdict="reject", reason="not all of them")
    plan(journal, step("purge", tool="purge", needs_approval=True), plan_id=made.id, reason="fewer")
    journal.record_decision(decision="replan", why="fewer of them")
    assert "which needs approval" in journal.get_brief(execution_id=made.execution_id).next
    again = _ask(journal, step="purge", question="These two?").approval_id
    person.decide_approval(approval_id=again, verdict="approve")
    assert f"approval_id={again}" in journal.get_brief(execution_id=made.execution_id).next
    do(journal, step="purge", approval_id=again)
